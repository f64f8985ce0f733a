#!/bin/bash
# A minute of fuzzing, or FUZZ_SECONDS.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
ok 'source trees' python3 validate/fuzz/mutated.py --seconds "${FUZZ_SECONDS:-60}"
sed "s|^|# |" "$SCRATCH/log"
finish
