#!/bin/bash
# Lacunary birthday spacings, as in docs/quality.md: each flavour but keyed fails at the lags of
# its own relations, and passes at lags without a relation. A good generator passes everywhere.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
driver=${BUILD:-build}/crush-driver
[ -x "$driver" ] || skip_all "TestU01 is not installed: scripts/install-deps --testu01"

four="0,33,64,130 20 14"
six="0,32,64,96,97,129 21 10"
# run FLAVOUR LAGS POINTS CELLS: how many spacings are equal, how many are expected, the p-value.
run() {
    "$driver" --battery lacunary --position 0 --flavour $1 --lags $2 --points $3 --cells $4 |
        tee "$SCRATCH/log" | sed 's/.*BirthdaySpacings, \(.*\) equal, \(.*\) expected", \([^]]*\).*/\1 \2 \3/'
}
# fails FLAVOUR LAGS...: there are more than ten times as many equal spacings as expected.
# passes FLAVOUR LAGS...: the p-value is in [1e-6, 1 - 1e-6].
fails() {
    run $* | awk 'NF == 3 {good = $1 > 10 * $2} END {exit !good}'
    report $? "fails: $* $(cat "$SCRATCH/log")"
}
passes() {
    run $* | awk 'NF == 3 {good = $3 > 1e-6 && $3 < 1 - 1e-6} END {exit !good}'
    report $? "passes: $* $(cat "$SCRATCH/log")"
}
for flavour in double single extended; do
    fails $flavour $four
done
# The lags of the others' relations; those of keyed's own recurrence; and those of that recurrence
# minus itself 8 numbers later, from which the arithmetic part cancels.
for lags in "$four" "$six" "0,8,16,24,32,40,48,56,64,97 21 6" \
    "0,8,16,24,32,40,48,56,64,72,97,105 21 5"; do
    passes keyed $lags
done
passes mrg32k3a $four
passes mrg32k3a $six
ok "what shows through keyed's masks, as docs/keyed.md has it" grep -xF \
    'fractions 2^-116.9, any function 2^-107.0, modulo 16 2^-88.4' <(validate/testu01/masks.py)
# No relation has these lags.
passes double 0,33,64,131 20 14
finish
