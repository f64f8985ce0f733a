#!/bin/bash
# The Ising model by Wolff's clusters. With every flavour, from the default
# seed at position 0, the energy is within 3 standard deviations of the exact value. With R250, the
# control, it is more than 5 away.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
wolff=${BUILD:-build}/wolff
# sigma GENERATOR: the deviation, without its sign, in standard deviations.
sigma() {
    "$wolff" "$1" 2000000 >"$SCRATCH/log" || return
    sed 's/.*, -\{0,1\}\([0-9.]*\) sigma.*/\1/' "$SCRATCH/log"
}
for flavour in $("${BUILD:-build}/gpuranmar" info | sed -n 's/^flavours: //p'); do
    deviation=$(sigma $flavour)
    [ -n "$deviation" ] && awk "BEGIN {exit !($deviation < 3)}"
    report $? "$(cat "$SCRATCH/log")"
done
deviation=$(sigma r250)
[ -n "$deviation" ] && awk "BEGIN {exit !($deviation > 5)}"
report $? "control: $(cat "$SCRATCH/log")"
finish
