#!/bin/bash
# Streams, numbered sequences and the threads that help, under ThreadSanitizer: no data race.
cd "$(dirname "$0")/../.."
build=${BUILD:-build}-thread
tests=(fill stream registry)
echo "1..${#tests[@]}"
if ! log=$(make -s CUDA=0 BUILD="$build" SANITIZE=thread "${tests[@]/#/$build/test_}" 2>&1); then
    tail -n 30 <<<"$log" | sed 's/^/# /'
    exit 1
fi
# Where the system spreads addresses too widely for it, they have to be as they always are.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
n=0
for t in "${tests[@]}"; do
    n=$((n + 1))
    if log=$("${fixed[@]}" "$build/test_$t" 2>&1); then
        echo "ok $n - $t"
    else
        echo "not ok $n - $t"
        grep -A30 -m1 'WARNING: ThreadSanitizer' <<<"$log" | sed 's/^/# /'
    fi
done
