# RMMARD by LENV: the bars span the rounds.
load "style.gp"
set title "A call of RMMARD"
set xlabel "LENV, numbers a call"
set ylabel "ns a call"
set logscale xy
set xrange [0.8:1300]
set format y "10^{%L}"
plot for [i = 0 : blocks - 2] data index i using 1:2:3:4 with yerrorlines \
         linestyle i + 1 title columnheader(1), \
     data index blocks - 1 using 1:2 with lines linestyle 20 title columnheader(1)
