# Draws the p-values of N runs, a panel for each, into NAME. results.py puts N, NAME, an array TITLE
# and $DATA with a block for each run before this. A p-value below 1e-6 has the number of its test;
# the other labels lie out of range, because gnuplot 5.4 crashes if all points are undefined.
set terminal svg noenhanced size 900, 40 + 150*N font 'Sans,11' background 'white'
set output NAME
set multiplot layout N, 1 title 'p-values, by their distance from 0 or 1' margins 0.07, 0.98, \
    30.0/(40 + 150*N), 1 - 55.0/(40 + 150*N) spacing 0, 55.0/(40 + 150*N)
set logscale y
set yrange [1:5e-17]
set ytics ('1' 1, '10^-4' 1e-4, '10^-8' 1e-8, '10^-12' 1e-12, '0' 1e-16)
set xrange [0:107]
set xtics 10
set border 3
set tics nomirror
unset key
do for [i = 1:N] {
    set title TITLE[i] offset 0, -0.7
    plot 1e-3 linecolor rgb '#bbbbbb', $DATA index i - 1 using 1:2 with points pointtype 7 \
             pointsize 0.3 linecolor rgb '#4c78a8', \
         $DATA index i - 1 using 1:($2 < 1e-6 ? $2 : 10):(sprintf('%d', $1)) with labels left \
             offset 1.2, 0 textcolor rgb '#d62728'
}
