# Filling device memory in double precision.
load "scripts/bench.d/style.gp"
set title "Filling device memory, double precision"
set ylabel "10^9 numbers a second"
set style fill solid border -1
set boxwidth 0.6
set grid noxtics
set xtics rotate by -20
set yrange [0:*]
unset key
plot data skip 1 using 0:2:xtic(1) with boxes linecolor rgb "#4c78a8", \
     "" skip 1 using 0:2:(sprintf("%.0f", $2)) with labels offset 0,0.7
