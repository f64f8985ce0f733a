#!/bin/bash
# The core tests under valgrind: no invalid access, no leak. (valgrind knows no AVX-512; what it
# runs is the AVX2 loop.) The tests of back ends, verifying and verbose lines are left out: their
# forked processes end with streams open on purpose, which valgrind takes for leaks.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
all_need valgrind

# gpuranmar_check_address asks the system whether an address is there, which valgrind would report.
printf '{\n  asked\n  Memcheck:Param\n  write(buf)\n  fun:write\n  fun:reaches\n  ...\n}\n' \
    >"$SCRATCH/asked"
checked() {
    valgrind -q --suppressions="$SCRATCH/asked" --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite "$@" &&
        ! grep -q 'definitely lost' "$SCRATCH/log" # nor in a forked process
}
for source in validate/tests/*/test_*.c; do
    test=$(basename "$source" .c)
    [[ $test =~ _(backends|verify|verbose|proof|faults)$ ]] || ok "$test" checked "${BUILD:-build}/$test"
done
finish
