# Draws the longitudinal profile in two .long files of the shower program, one shower each, by
#   gnuplot -e "TITLE='…'; REFERENCE='…'; RELINKED='…'; NAME='…'" longitudinal.gp
# as NAME.svg.

number(k) = k == 1 ? column(2) : k == 2 ? column(3) + column(4) : k == 3 ? column(9) / 1e4 \
          : k == 4 ? column(5) + column(6) : column(7)
array LABEL[5]  = ["photons", "e^+ e^−", "Cherenkov photons/10^4", "muons", "hadrons"]
array COLOUR[5] = ["#f58518", "#4c78a8", "#b279a2", "#54a24b", "#555555"]

set title TITLE." with the reference (circles) and relinked (lines)" font ",14"
set xlabel "vertical depth (g/cm^2)"
set ylabel "number of particles"
set logscale y
set format y "10^{%L}"
set xrange [0:1040]
set yrange [1:*]
set grid xtics ytics linecolor "#e0e0e0" linetype 1
set key outside right center Left reverse samplen 2 spacing 1.5
set border 3
set tics nomirror

set terminal svg size 1000,560 enhanced font 'Sans,14' background 'white'
set output NAME.".svg"
plot for [k = 1:5] RELINKED skip 2 using 1:(number(k)) with lines linewidth 2 \
         linecolor rgb COLOUR[k] title LABEL[k], \
     for [k = 1:5] REFERENCE every 2 skip 2 using 1:(number(k)) \
         with points pointtype 6 pointsize 1.1 \
         linecolor rgb COLOUR[k] notitle
