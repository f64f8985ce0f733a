# Filling device memory in double precision: the last bar but one is ours, the last is the limit.
load "style.gp"
set title "Filling device memory, double precision"
set ylabel "10^9 numbers a second"
set style fill solid border -1
set boxwidth 0.6
set grid noxtics
set xtics rotate by 20 right
set yrange [0:*]
unset key
colour(name) = name eq "RANMAR" ? 0x4c78a8 : name eq "limit: write" ? 0xffffff : 0xbab0ac
plot data skip 1 using 0:2:(colour(strcol(1))):xtic(1) with boxes linecolor rgb variable, \
     "" skip 1 using 0:2:(sprintf("%.0f", $2)) with labels offset 0,0.7
