#!/bin/bash
# The core tests under valgrind: no invalid access, no leak. (valgrind knows no AVX-512; what it
# runs is the AVX2 loop.)
cd "$(dirname "$0")/../.."
if ! command -v valgrind >/dev/null; then
    echo "1..0 # SKIP no valgrind"
    exit 0
fi
tests=(definition fill jump stream makers registry settings engine verify bounds)
echo "1..${#tests[@]}"
n=0
for t in "${tests[@]}"; do
    n=$((n + 1))
    if log=$(valgrind -q --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite "${BUILD:-build}/test_$t" 2>&1) &&
        [[ $log != *'definitely lost'* ]]; then # in a forked process neither
        echo "ok $n - $t"
    else
        echo "not ok $n - $t"
        tail -n 30 <<<"$log" | sed 's/^/# /'
    fi
done
