# By the size of the prefetch cache, in panels with the same axes: each has `blocks` curves, of
# which the last is the limit.
load "style.gp"
set key at screen 0.99, screen 0.5 right center
unset key
set xlabel "numbers in the cache"
set ylabel "ns a number"
set logscale xy
set xrange [80:1.3e8]
set yrange [0.05:*<1000]
set format x "10^{%L}"
columns = panels > 1 ? 2 : 1
set multiplot layout (panels + columns - 1) / columns, columns
do for [p = 0 : panels - 1] {
    first = p * blocks
    set title word(titles, p + 1)
    if (p == panels - 1) { set key inside right top opaque samplen 1 spacing 1.1 }
    plot for [i = 0 : blocks - 2] data index first + i using 1:2:3:4 with yerrorlines linestyle i + 1 title columnheader(1), \
         data index first + blocks - 1 using 1:2 with lines linestyle 20 title columnheader(1)
}
unset multiplot
