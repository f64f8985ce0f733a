#!/bin/bash
# Streams, numbered sequences, the threads that help, and a report that is written while threads draw,
# under ThreadSanitizer: no data race.
cd "$(dirname "$0")/../.."
build=${BUILD:-build}-thread
tests=(test_fill test_stream test_registry 'report threads')
echo "1..${#tests[@]}"
programs=("${tests[@]%% *}")
if ! log=$(make -s CUDA=0 BUILD="$build" SANITIZE=thread "${programs[@]/#/$build/}" 2>&1); then
    tail -n 30 <<<"$log" | sed 's/^/# /'
    exit 1
fi
# Where the system spreads addresses too widely for it, they have to be as they always are.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()
n=0
for t in "${tests[@]}"; do
    n=$((n + 1))
    read -ra command <<<"env $build/$t"
    [[ $t != report* ]] || command=(env GPURANMAR_VERIFY=1 GPURANMAR_REPORT="$build/report.json" "${command[@]:1}")
    if log=$("${fixed[@]}" "${command[@]}" 2>&1); then
        echo "ok $n - $t"
    else
        echo "not ok $n - $t"
        grep -A30 -m1 'WARNING: ThreadSanitizer' <<<"$log" | sed 's/^/# /'
    fi
done
