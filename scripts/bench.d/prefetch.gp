# Requests by the size of the prefetch cache, in panels with the same axes. Each panel has `blocks`
# curves, of which the last is the limit.
load "style.gp"
set xlabel "numbers in the cache"
set ylabel "ns a number"
set logscale xy
set xrange [80:1.3e8]
set yrange [0.05:200]
set format x "10^{%L}"
rows = (panels + 1) / 2
set multiplot layout rows, 2 margins 0.08, 0.78, 0.13 / rows, 1 - 0.1 / rows spacing 0.09, 0.15
do for [p = 0 : panels - 1] {
    first = p * blocks
    set title word(titles, p + 1)
    if (p < panels - 1) { unset key } \
    else { set key at screen 0.995, 0.6 right top Left reverse samplen 1 }
    plot for [i = 0 : blocks - 2] data index first + i using 1:2:3:4 with yerrorlines \
         linestyle i + 1 title columnheader(1), \
         data index first + blocks - 1 using 1:2 with lines linestyle 20 title columnheader(1)
}
unset multiplot
