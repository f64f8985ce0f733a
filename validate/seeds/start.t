#!/bin/bash
# GPURANMAR_START_POSITION: no sequence and no instance starts before it; without it nothing
# changes.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}
[ -x "$build/replay-relinked" ] || skip_all 'no Fortran compiler is found'

# starts NAME POSITION COUNTED GIVEN SETTING... -- ARGUMENT...: a program that asks for position
# GIVEN, with these settings, gets the numbers that `gpuranmar numbers ARGUMENT...` has from
# POSITION on, and RMMAQD reports COUNTED.
starts() {
    local name=$1 position=$2 counted=$3 given=$4 settings=()
    shift 4
    while [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    shift
    {
        printf '%s\n' "S 2 169 $given 0" 'R 2 -1 -1 -1'
        printf 'draw 2 1000\n%.0s' {1..5}
    } | env "${settings[@]}" "$build/replay-relinked" >"$SCRATCH/said"
    tail -n +3 "$SCRATCH/said" | tr -s ' ' '\n' | grep . >"$SCRATCH/got"
    "$build/gpuranmar" numbers --seed 169 --position "$position" --count 5000 --raw numbers "$@" |
        od -An -v -w8 -tx8 | tr -d ' ' | tr a-f A-F >"$SCRATCH/expected"
    same "$name" "$SCRATCH/expected" "$SCRATCH/got"
    ok '... and counted' grep -Eqx "R +169 +$counted +0 +2" "$SCRATCH/said"
}
starts 'without it' 0 0 0 --
starts '0' 0 0 0 GPURANMAR_START_POSITION=0 --
starts '4000' 4000 4000 0 GPURANMAR_START_POSITION=4000 --
starts 'a position below' 4000 4000 3999 GPURANMAR_START_POSITION=4000 --
starts 'a position above stays, so that a run can go on' 4001 4001 4001 \
    GPURANMAR_START_POSITION=4000 --
# 1000 numbers by 3 instances: 334, 333, 333 a block, of which 13 are needed.
starts 'instances' 13000 13000 0 GPURANMAR_START_POSITION=4000 GPURANMAR_INSTANCES=3 \
    GPURANMAR_PREFETCH=1000 -- \
    --instances 3 --prefetch 1000
starts 'instances, default prefetch' 32768 32768 0 GPURANMAR_START_POSITION=4000 \
    GPURANMAR_INSTANCES=8 -- \
    --instances 8 --prefetch 1024
# A part of a block that is empty counts as one number.
starts 'more instances than numbers in a block' 20 20 0 GPURANMAR_START_POSITION=10 \
    GPURANMAR_INSTANCES=3 GPURANMAR_PREFETCH=2 -- \
    --instances 3 --prefetch 2
GPURANMAR_START_POSITION=-1 "$build/replay-relinked" <<<'S 1 1 0 0' >"$SCRATCH/got" 2>"$SCRATCH/said"
ok 'a bad value is refused' grep -q "GPURANMAR_START_POSITION: '-1' is not 0 to 1000000000" \
    "$SCRATCH/said"
finish
