#!/bin/bash
# A minute of fuzzing, or FUZZ_SECONDS. BUILD/fuzz/found keeps an input that made the target fail;
# `BUILD/fuzz/cards FILE` repeats the failure.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}
[ -x "$build/fuzz/cards" ] || skip_all 'libFuzzer is not found'
each=$((${FUZZ_SECONDS:-60} / 2))
# The corpus in the build folder has the inputs that earlier runs found worth keeping.
mkdir -p "$build/fuzz/found" "$build/fuzz/corpus"
"$build/fuzz/cards" -max_total_time="$each" -max_len=4096 -rss_limit_mb=4096 \
    -print_final_stats=1 -artifact_prefix="$build/fuzz/found/" "$build/fuzz/corpus" \
    validate/fuzz/corpus >"$SCRATCH/all" 2>&1
status=$?
sed -n '/ERROR\|runtime error/,$p' "$SCRATCH/all" | head -n 30 >"$SCRATCH/log"
report $status "cards: $(sed -n 's/^stat::number_of_executed_units: //p' "$SCRATCH/all") inputs"
ok patch python3 validate/fuzz/mutated.py --seconds "$each"
sed "s|^|# |" "$SCRATCH/log"
finish
