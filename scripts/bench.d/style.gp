# What the pictures share.
set border 3
set tics nomirror
set grid xtics ytics linecolor rgb "#e0e0e0" linetype 1
set key outside right center Left reverse samplen 2 spacing 1.4
set style line 1 linecolor rgb "#4c78a8" linewidth 2 pointtype 7
set style line 2 linecolor rgb "#f58518" linewidth 2 pointtype 5
set style line 3 linecolor rgb "#54a24b" linewidth 2 pointtype 9
set style line 4 linecolor rgb "#b279a2" linewidth 2 pointtype 11
set style line 5 linecolor rgb "#e45756" linewidth 2 pointtype 13
set style line 6 linecolor rgb "#72b7b2" linewidth 2 pointtype 4
set style line 7 linecolor rgb "#9d755d" linewidth 2 pointtype 6
set style line 8 linecolor rgb "#eeca3b" linewidth 2 pointtype 8
set style line 9 linecolor rgb "#bab0ac" linewidth 2 pointtype 10
set style line 20 linecolor rgb "#000000" linewidth 1.5 dashtype 2 # a limit
