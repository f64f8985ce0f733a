#!/bin/bash
# Two libraries with numbered sequences in one program are refused, where one of them could be set and
# the other drawn from; and nothing else is.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")
library=$BUILD/libgpuranmar.so ilp64=$BUILD/libgpuranmar_ilp64.so copy=$SCRATCH/libgpuranmar.so
cp "$library" "$copy"
u=$("$BUILD/alone" "$library")
first=$(realpath "$library") second=$(realpath "$copy")

refusal() { echo "7: $1: two libraries with numbered sequences in one program, which must link or load one of them only: $2 and $3"; }

# says NAME EXPECTED COMMAND...: the command prints that.
says() {
    "${@:3}" >"$SCRATCH/said" 2>"$SCRATCH/log"
    diff - "$SCRATCH/said" <<<"$2" >>"$SCRATCH/log"
    report $? "$1"
}

says 'two copies' "$u"$'\n'"$(refusal gpuranmar_initialise "$second" "$first")" "$BUILD/alone" "$library" "$copy"
says 'one in the program itself' "$u"$'\n'"$(refusal gpuranmar_initialise "$first" "$(realpath "$BUILD/alone-static")")" \
    "$BUILD/alone-static" own "$library"
says "the first goes on" "$u"$'\n'"$(refusal gpuranmar_initialise "$second" "$(realpath "$BUILD/alone-static")")"$'\n'"$u" \
    "$BUILD/alone-static" own "$copy" own
says 'one library by two names' "$u"$'\n'"$u" "$BUILD/alone" "$library" "$first"
says 'one after the other' "$u"$'\n'"$u"$'\n'"$u" "$BUILD/alone" "$library" - "$copy" - "$library"
says 'one that is not used' "$u" env LD_PRELOAD="$first" "$BUILD/alone-static" own

# In one program all calls of a name arrive in one library, by the order in which they are loaded.
if [ -e "$ilp64" ]; then
    third=$(realpath "$ilp64")
    says 'INTEGERs of two sizes, each on its own' "$u"$'\n'"$(refusal gpuranmar_initialise "$third" "$first")" \
        "$BUILD/alone" "$library" "$ilp64"
    echo 'S 1 1802 9 0' >"$SCRATCH/script"
    for order in "replay-relinked $third $first" "replay-ilp64-relinked $first $third"; do
        read -r program preloaded linked <<<"$order"
        LD_PRELOAD=$preloaded "$BUILD/$program" <"$SCRATCH/script" >"$SCRATCH/said" 2>&1
        status=$?
        diff - "$SCRATCH/said" <<<"$(refusal RMMAQD "$preloaded" "$linked" | sed 's/^7/gpuranmar/')" >"$SCRATCH/log"
        report $(($? || status != 1)) "$program with the other library before its own"
    done
    says "the same library before a program's own" "$("$BUILD/replay-relinked" <<<$'S 1 1802 9 0\ndraw 1 5')" \
        env LD_PRELOAD="$second" "$BUILD/replay-relinked" <<<$'S 1 1802 9 0\ndraw 1 5'
fi

finish
