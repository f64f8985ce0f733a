#!/bin/bash
# The core tests under valgrind: no invalid access, no leak. (valgrind knows no AVX-512; what it
# runs is the AVX2 loop.) Those of the makers and of the shadow check are left out: their forked
# processes end with streams open on purpose, which valgrind takes for leaks.
cd "$(dirname "$0")/../.."
if ! command -v valgrind >/dev/null; then
    echo "1..0 # SKIP no valgrind"
    exit 0
fi
tests=(definition fill jump stream registry settings engine bounds)
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
