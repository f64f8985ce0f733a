#!/bin/bash
# Streams whose caches a thread makes ahead, under ThreadSanitizer: no data race. It does not know
# how libgomp's threads wait for each other, so that there is none of those here.
cd "$(dirname "$0")/../.."
build=${BUILD:-build}-thread
tests=(stream registry)
echo "1..${#tests[@]}"
if ! log=$(make -s BUILD="$build" SANITIZE=thread "${tests[@]/#/$build/test_}" 2>&1); then
    tail -n 30 <<<"$log" | sed 's/^/# /'
    exit 1
fi
# Where the system spreads addresses too widely for it, they have to be as they always are.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
n=0
for t in "${tests[@]}"; do
    n=$((n + 1))
    if log=$(OMP_THREAD_LIMIT=1 GPURANMAR_PRODUCER=thread "${fixed[@]}" "$build/test_$t" 2>&1); then
        echo "ok $n - $t"
    else
        echo "not ok $n - $t"
        grep -A30 -m1 'WARNING: ThreadSanitizer' <<<"$log" | sed 's/^/# /'
    fi
done
