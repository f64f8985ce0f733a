#!/bin/bash
# The library's threads: where some cannot be started, or too many are asked for, the numbers are
# the same. When the library is unloaded none is left behind.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
threads=${BUILD:-build}/threads

# says NAME EXPECTED COMMAND...: the command must succeed and print that.
says() {
    local name=$1 expected=$2
    shift 2
    "$@" >"$SCRATCH/said" 2>"$SCRATCH/log" && [ "$(<"$SCRATCH/said")" = "$expected" ]
    report $? "$name"
}

n=8400000
whole=$(OMP_NUM_THREADS=1 "$threads" fill $n)
if [[ $threads != *build-* ]]; then # a sanitizer needs more room than this leaves
    says 'no memory for 64 threads' "$whole" env OMP_NUM_THREADS=64 bash -c \
        "ulimit -v 120000 && exec $threads fill $n"
    large=22300000
    says 'more threads than their states have room on the stack' \
        "$(OMP_NUM_THREADS=1 "$threads" fill $large)" \
        env OMP_NUM_THREADS=170 bash -c "ulimit -s 128 && exec $threads fill $large"
fi
says 'threads of the program share those that help' $((1 + 16 + 7)) env OMP_NUM_THREADS=8 \
    "$threads" crowd
says 'a thread that is cancelled gets its numbers first' 0 env OMP_NUM_THREADS=16 timeout 300 \
    "$threads" cancel
says 'the library leaves no thread behind' 'unloaded, 1 thread' \
    "${BUILD:-build}/unload" "${BUILD:-build}/libgpuranmar.so"

finish
