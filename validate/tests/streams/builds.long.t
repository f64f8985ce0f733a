#!/bin/bash
# Streams, numbered sequences and the threads that help, under ThreadSanitizer: no data race.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=${BUILD:-build}-thread
tests=(test_fill test_stream test_registry)
ok 'builds' make -s CUDA=0 BUILD="$build" SANITIZE=thread "${tests[@]/#/$build/}"
# ThreadSanitizer fails where the system randomises addresses too widely: setarch -R makes it use
# the same addresses in every run.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
for test in "${tests[@]}"; do
    "${fixed[@]}" "$build/$test" >"$SCRATCH/said" 2>&1
    status=$?
    grep -A30 -m1 'WARNING: ThreadSanitizer' "$SCRATCH/said" >"$SCRATCH/log" ||
        tail "$SCRATCH/said" >"$SCRATCH/log"
    report $status "$test"
done
finish
