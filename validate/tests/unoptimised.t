#!/bin/bash
# The library as for a debugger, without optimisation: its threads need more room then.
cd "$(dirname "$0")/../.."
build=${BUILD:-build}-unoptimised
tests=(fill stream bounds)
echo "1..${#tests[@]}"
if ! log=$(make -s CUDA=0 BUILD="$build" CFLAGS='-O0 -g' "${tests[@]/#/$build/test_}" 2>&1); then
    tail -n 30 <<<"$log" | sed 's/^/# /'
    exit 1
fi
n=0
for t in "${tests[@]}"; do
    n=$((n + 1))
    if log=$("$build/test_$t" 2>&1); then
        echo "ok $n - $t"
    else
        echo "not ok $n - $t"
        tail -n 30 <<<"$log" | sed 's/^/# /'
    fi
done
