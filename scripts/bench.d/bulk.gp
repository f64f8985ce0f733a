# Filling arrays in double precision.
load "style.gp"
set title "Filling an array of double precision numbers"
set ylabel "ns a number"
set logscale y
set grid noxtics
set style data histograms
set style histogram clustered gap 1
set style fill solid border -1
set boxwidth 0.9
set yrange [0.02:*]
array NAME[6] = ["sequential RMMARD", "GSL mt19937", "Random123 Philox", "dSFMT", \
                 "RANMAR, this library", "limit: stores"]
array COLOUR[6] = ["#bab0ac", "#9d755d", "#72b7b2", "#f58518", "#4c78a8", "#ffffff"]
plot for [k = 1:6] data skip 1 using (column(k + 1)):xtic(1) linecolor rgb COLOUR[k] title NAME[k]
