#!/bin/bash
# GPURANMAR_START_POSITION: no sequence and no instance starts before it; without it nothing
# changes.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}
[ -x "$build/replay-relinked" ] || skip_all 'no Fortran compiler is found'

# For each row, a program that asks for position GIVEN, with these settings, gets the numbers that
# `gpuranmar numbers ARGUMENT...` has from POSITION on, and RMMAQD reports that position. Of 1000
# numbers 3 instances have 334, 333, 333 a block: 4000 need 13 blocks, 999 need three. A part of a
# block that is empty counts as one number.
while IFS='|' read -r name position given settings arguments; do
    {
        printf '%s\n' "S 2 169 $given 0" 'R 2 -1 -1 -1'
        printf 'draw 2 1000\n%.0s' {1..5}
    } | env $(printf 'GPURANMAR_%s ' $settings) "$build/replay-relinked" >"$SCRATCH/said"
    tail -n +3 "$SCRATCH/said" | tr -s ' ' '\n' | grep . >"$SCRATCH/got"
    "$build/gpuranmar" numbers --seed 169 --position $position --count 5000 --raw numbers \
        $arguments |
        od -An -v -w8 -tx8 | tr -d ' ' | tr a-f A-F >"$SCRATCH/expected"
    same "$name" "$SCRATCH/expected" "$SCRATCH/got"
    ok '... and counted' grep -Eqx "R +169 +$position +0 +2" "$SCRATCH/said"
done <<'END'
without it|0|0|VERBOSE=0|
0|0|0|START_POSITION=0|
4000|4000|0|START_POSITION=4000|
a position below|4000|3999|START_POSITION=4000|
a position above stays, so that a run can go on|4001|4001|START_POSITION=4000|
instances|13000|0|START_POSITION=4000 INSTANCES=3 PREFETCH=1000|--instances 3 --prefetch 1000
... three blocks|3000|0|START_POSITION=999 INSTANCES=3 PREFETCH=1000|--instances 3 --prefetch 1000
... four|4000|0|START_POSITION=1000 INSTANCES=3 PREFETCH=1000|--instances 3 --prefetch 1000
instances, default prefetch|32768|0|START_POSITION=4000 INSTANCES=8|--instances 8 --prefetch 1024
... of two numbers a block|20|0|START_POSITION=10 INSTANCES=3 PREFETCH=2|--instances 3 --prefetch 2
END
GPURANMAR_START_POSITION=-1 "$build/replay-relinked" <<<'S 1 1 0 0' >"$SCRATCH/got" 2>"$SCRATCH/said"
ok 'a bad value is refused' grep -q "GPURANMAR_START_POSITION: '-1' is not 0 to 1000000000" \
    "$SCRATCH/said"
finish
