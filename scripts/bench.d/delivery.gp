# Numbers delivered to host memory, by how many a trip.
load "style.gp"
set title "Double precision numbers delivered to host memory"
set xlabel "numbers a trip"
set ylabel "10^9 numbers a second"
set logscale xy
set format x "10^{%L}"
plot for [i = 0 : blocks - 2] data index i using 1:(1 / $2) with linespoints linestyle i + 1 \
         title columnheader(1), \
     data index blocks - 1 using 1:(1 / $2) with lines linestyle 20 title columnheader(1)
