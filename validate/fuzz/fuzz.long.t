#!/bin/bash
# A minute of fuzzing, or FUZZ_SECONDS.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
for what in patch cards; do
    ok $what python3 validate/fuzz/mutated.py $what --seconds $((${FUZZ_SECONDS:-60} / 2))
    sed "s|^|# |" "$SCRATCH/log"
done
finish
