# Requests of 10 numbers by the size of the prefetch cache.
load "scripts/bench.d/style.gp"
set title "Requests of 10 numbers, by the size of the prefetch cache"
set xlabel "numbers in the cache"
set ylabel "ns a number"
set logscale xy
set xrange [80:1.3e8]
set format x "10^{%L}"
plot for [i = 0 : blocks - 2] data index i using 1:2:3:4 with yerrorlines linestyle i + 1 title columnheader(1), \
     data index blocks - 1 using 1:2 with lines linestyle 20 title columnheader(1)
