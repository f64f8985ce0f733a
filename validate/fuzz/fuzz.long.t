#!/bin/bash
# A minute of fuzzing, or FUZZ_SECONDS, shared among the targets: see rules.mk. An input that made a
# target fail is kept in BUILD/fuzz/found; `BUILD/fuzz/TARGET FILE` repeats the failure.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}
[ -x "$build/fuzz/cards" ] || skip_all 'libFuzzer is not found'
targets=$(cd validate/fuzz && basename -s .c -- *.c)
each=$((${FUZZ_SECONDS:-60} / $(wc -w <<<"$targets patch")))
mkdir -p "$build/fuzz/found"

for target in $targets; do
    # Beside the inputs that are kept in the tree, those that earlier runs here found worth keeping.
    mkdir -p "$build/fuzz/corpus/$target"
    "$build/fuzz/$target" -max_total_time="$each" -max_len=4096 -rss_limit_mb=4096 \
        -print_final_stats=1 \
        -artifact_prefix="$build/fuzz/found/$target-" "$build/fuzz/corpus/$target" \
        "validate/fuzz/corpus/$target" >"$SCRATCH/log" 2>&1
    status=$?
    [ $status = 0 ] || sed -n '/ERROR\|not so\|runtime error/,$p' "$SCRATCH/log" |
        head -n 30 >"$SCRATCH/short"
    runs=$(sed -n 's/^stat::number_of_executed_units: //p' "$SCRATCH/log")
    [ $status = 0 ] || cp "$SCRATCH/short" "$SCRATCH/log"
    report $status "$target: $runs inputs in $each s"
done
ok patch python3 validate/fuzz/mutated.py --seconds "$each"
sed "s|^|# |" "$SCRATCH/log"
finish
