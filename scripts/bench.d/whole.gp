# Whole runs: a panel a program, with a bar for each SIMD level and the bound as a line. Columns are
# place, name, ratio and its interval.
load "style.gp"
set style fill solid noborder
set boxwidth 0.6
set grid noxtics
set xtics rotate by 30 right
stats data using 4:5 nooutput
set yrange [(STATS_min_x < 0.9 ? STATS_min_x : 0.9):1.02 * STATS_max_y]
set xrange [-0.6:*]
set multiplot layout 1, panels margins 0.07, 0.99, 0.22, 0.9 spacing 0.05, 0
do for [p = 0 : panels - 1] {
    set title word(titles, p + 1)
    if (p == 0) { set ylabel "times as fast as with the sequential routine" } else { unset ylabel }
    if (p == 0) { set key at screen 0.5, 0.06 center center horizontal } else { unset key }
    plot data index 2 * p using 1:3:($1 == 0 ? 0x4c78a8 : 0xbab0ac):xtic(2) with boxes \
             linecolor rgb variable notitle, \
         "" index 2 * p using 1:3:4:5 with yerrorbars linecolor rgb "#000000" pointtype 0 \
             pointsize 0 \
             title "95 % interval", \
         "" index 2 * p + 1 using 1:2 with lines linestyle 20 title "bound"
}
unset multiplot
