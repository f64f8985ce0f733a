#!/bin/bash
# The core tests under valgrind: no invalid access, no leak. (valgrind knows no AVX-512; what it
# runs is the AVX2 loop.) Those of makers, GPURANMAR_VERIFY and GPURANMAR_VERBOSE are left out: their
# forked processes end with streams open on purpose, which valgrind takes for leaks.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
all_need valgrind

checked() {
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite "$@" &&
        ! grep -q 'definitely lost' "$SCRATCH/log" # nor in a forked process
}
for source in validate/tests/*/test_*.c; do
    test=$(basename "$source" .c)
    [[ $test =~ _(makers|verify|verbose|proof|faults)$ ]] || ok "$test" checked "${BUILD:-build}/$test"
done
finish
