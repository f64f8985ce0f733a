# Draws what scripts/compare-profiles found, by gnuplot: NAME.svg, a bar for each program, with the
# generator's part at its end. TITLE, NAME and the block DATA are put before this: a line has what is
# written beside the bar, seconds of the simulation, and seconds of the generator.

set title TITLE font ",14"
set xlabel "CPU time (s)"
set xrange [0:*]
set yrange [1.6:-0.6]
set key outside right center Left reverse samplen 2
set border 3
set tics nomirror
set terminal svg noenhanced size 900,260 font 'Sans,14' background 'white'
set output NAME.".svg"
plot $DATA using (0):0:(0):2:($0 - 0.3):($0 + 0.3):ytic(1) with boxxyerror fillstyle solid \
         linecolor rgb "#4c78a8" title "simulation", \
     $DATA using 2:0:2:($2 + $3):($0 - 0.3):($0 + 0.3) with boxxyerror fillstyle solid \
         linecolor rgb "#f58518" title "random numbers"
