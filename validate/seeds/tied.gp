# docs/tied.svg from the data of build/neighbours tied:
#     build/neighbours tied >DATA; gnuplot -e "data='DATA'" validate/seeds/tied.gp >docs/tied.svg
set terminal svg size 1000,420 font 'sans-serif,12' background 'white'
set multiplot layout 1,2
set xlabel 'position'
set xrange [0:5000]
set xtics 1000
set grid
set arrow from 4000, graph 0 to 4000, graph 1 nohead dashtype 2
set key top right
set title 'by whole words: share of tied numbers'
set yrange [0:1]
plot data using 1:2 with lines linewidth 2 title '1 word', \
    '' using 1:3 with lines linewidth 2 title '2', \
    '' using 1:4 with lines linewidth 2 title '4', '' using 1:5 with lines linewidth 2 title '8', \
    '' using 1:6 with lines linewidth 2 title '16'
set title 'by bits: distance from 2^b x (1: as of any two)'
set logscale y
set format y '10^{%L}'
set yrange [1e-15:10]
set key bottom right
plot data using 1:7 with lines linewidth 2 title 'b = 1', \
    '' using 1:8 with lines linewidth 2 title '4', \
    '' using 1:9 with lines linewidth 2 title '8', '' using 1:10 with lines linewidth 2 title '16'
