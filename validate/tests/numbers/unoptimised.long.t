#!/bin/bash
# The library as for a debugger, without optimisation.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=${BUILD:-build}-unoptimised
tests=(test_fill test_stream test_bounds)
ok 'builds' make -s CUDA=0 BUILD="$build" CFLAGS='-O0 -g' "${tests[@]/#/$build/}"
for test in "${tests[@]}"; do
    ok "$test" "$build/$test"
done
finish
