#!/bin/bash
# Streams, numbered sequences, the threads that help, and a report that is written while threads
# draw, under ThreadSanitizer: no data race.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=${BUILD:-build}-thread
tests=(test_fill test_stream test_registry 'report threads')
programs=("${tests[@]%% *}")
ok 'builds' make -s CUDA=0 BUILD="$build" SANITIZE=thread "${programs[@]/#/$build/}"
# ThreadSanitizer fails where the system randomises addresses too widely: setarch -R makes it use
# the same addresses in every run.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
for test in "${tests[@]}"; do
    read -ra command <<<"$build/$test"
    settings=()
    [[ $test != report* ]] || settings=(GPURANMAR_VERIFY=1 GPURANMAR_REPORT="$build/report.json")
    "${fixed[@]}" env "${settings[@]}" "${command[@]}" >"$SCRATCH/said" 2>&1
    status=$?
    grep -A30 -m1 'WARNING: ThreadSanitizer' "$SCRATCH/said" >"$SCRATCH/log" ||
        tail "$SCRATCH/said" >"$SCRATCH/log"
    report $status "$test"
done
finish
