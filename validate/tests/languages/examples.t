#!/bin/bash
# The examples, built as their users build them: all print the same number.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load the library with them'
BUILD=$(realpath "${BUILD:-build}") FC=${FC:-gfortran} CC=${CC:-gcc} CXX=${CXX:-g++}
examples=$PWD/examples include=$PWD/csrc/include python=$PWD/csrc/python
link=(-L"$BUILD" -lgpuranmar -Wl,-rpath,"$BUILD")
cd "$SCRATCH" || exit
line='785559 of 1000000 points lie in the circle'

# make_by COMMAND...: a program, by a compiler. If it makes none, the test that runs it fails.
make_by() { "$@" >said-by-compiler 2>&1; }

# prints NAME COMMAND...: its first line must be the one line.
prints() {
    local name=$1
    shift
    "$@" >output 2>log
    [ "$(head -n 1 output)" = "$line" ]
    local status=$?
    cat said-by-compiler output >>log
    report $status "$name"
}

make_by "$CC" -O2 -I"$include" -o stream "$examples/stream.c" "${link[@]}"
prints stream.c ./stream
make_by "$CC" -O2 -I"$include" -o checkpoint "$examples/checkpoint.c" "${link[@]}"
for n in 1 30 7; do ./checkpoint point $n; done >log 2>&1
prints 'checkpoint.c, in four runs' ./checkpoint point
if needs 'fixed.f, module.f90, engine.f90, threads.f90' "$FC"; then
    make_by "$FC" -O2 -o fixed "$examples/fixed.f" "${link[@]}"
    prints fixed.f ./fixed
    make_by "$FC" -O2 -I"$BUILD/mod" -o module "$examples/module.f90" "${link[@]}"
    prints module.f90 ./module
    make_by "$FC" -O2 -Wall -Werror -o engine "$examples/engine.f90" "${link[@]}"
    prints engine.f90 ./engine
    make_by "$FC" -O2 -I"$BUILD/mod" -fopenmp -o threads "$examples/threads.f90" "${link[@]}"
    for n in 1 2 7; do prints "threads.f90, $n threads" env OMP_NUM_THREADS=$n ./threads; done
fi
if needs standard.cc "$CXX"; then
    make_by "$CXX" -O2 -I"$include" -o standard "$examples/standard.cc" "${link[@]}"
    prints standard.cc ./standard
fi
# A system may have mpicc without MPI's headers.
mpicc -E -x c - <<<'#include <mpi.h>' >said-by-compiler 2>&1 && headers= || headers=mpi.h
if needs ranks.c mpicc mpirun $headers; then
    make_by mpicc -O2 -I"$include" -o ranks "$examples/ranks.c" "${link[@]}"
    for n in 1 2 3; do
        prints "ranks.c, $n ranks" mpirun --allow-run-as-root --oversubscribe -np $n ./ranks
    done
fi

if needs cmake cmake; then
    remake install >log 2>&1
    make_by cmake -S "$examples/cmake" -B cmake -DCMAKE_PREFIX_PATH="$SCRATCH/root" &&
        make_by cmake --build cmake
    prints cmake cmake/circle
fi
: >said-by-compiler
if ! needs circle.py python3; then
    :
elif ! python3 -c 'import numpy' 2>/dev/null; then
    skip circle.py 'NumPy is not found'
else
    prints circle.py env PYTHONPATH="$python" GPURANMAR_LIBRARY="$BUILD/libgpuranmar.so" \
        python3 "$examples/circle.py"
fi
finish
