#!/bin/bash
# Two libraries with numbered sequences in one program are refused where the program could start a
# sequence in one of them and draw from the other. All other combinations go on.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")
# A sequence that is open when its library is unloaded leaks.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0
library=$BUILD/libgpuranmar.so ilp64=$BUILD/libgpuranmar_ilp64.so copy=$SCRATCH/libgpuranmar.so
cp "$library" "$copy"
u=$("$BUILD/alone" "$library")
first=$(realpath "$library") second=$(realpath "$copy")
program=$(realpath "$BUILD/${STATIC_PROGRAM:-alone-static}")

refusal() { # routine, the library that refuses, the other
    echo "7: $1: two libraries with numbered sequences in one program, which must link or load" \
        "one of them only: $2 and $3"
}

# says NAME EXPECTED COMMAND...: the command prints that, its lines separated by '|'.
says() {
    "${@:3}" >"$SCRATCH/said" 2>"$SCRATCH/log"
    tr '|' '\n' <<<"$2" | diff - "$SCRATCH/said" >>"$SCRATCH/log"
    report $? "$1"
}

says 'two copies' "$u|$(refusal gpuranmar_initialise "$second" "$first")" \
    "$BUILD/alone" "$library" "$copy"
says 'one in the program itself' "$u|$(refusal gpuranmar_initialise "$first" "$program")" \
    "$program" own "$library"
says 'the first goes on' "$u|$(refusal gpuranmar_initialise "$second" "$program")|$u" \
    "$program" own "$copy" own
says 'one library by two names' "$u|$u" "$BUILD/alone" "$library" "$first"
says 'one after the other' "$u|$u|$u" "$BUILD/alone" "$library" - "$copy" - "$library"
says 'one whose start is refused' \
    "1: gpuranmar_initialise: instances = 0 is not in 1..30082|$u" \
    "$BUILD/alone" wrong "$library" "$copy"
says 'one that is not used' "$u" env LD_PRELOAD="$first" "$program" own

# Libraries of all versions find each other by this type: length of the name, of what follows, type.
if needs "the note's type" objcopy; then
    objcopy -O binary --only-section=.note.gpuranmar "$library" "$SCRATCH/note"
    says "the note's type" ' 0000000a 00000004 00000001' od -An -tx4 -N12 "$SCRATCH/note"
fi

# All calls of a name arrive in the library that was loaded first, so that its INTEGERs may be of
# another size than the program's.
if [ -e "$ilp64" ]; then
    third=$(realpath "$ilp64")
    says 'INTEGERs of two sizes, each on its own' \
        "$u|$(refusal gpuranmar_initialise "$third" "$first")" "$BUILD/alone" "$library" "$ilp64"
    echo 'S 1 1802 9 0' >"$SCRATCH/script"
    for order in "replay-relinked $third $first" "replay-ilp64-relinked $first $third"; do
        read -r replay preloaded linked <<<"$order"
        LD_PRELOAD=$preloaded "$BUILD/$replay" <"$SCRATCH/script" >"$SCRATCH/said" 2>&1
        status=$?
        refusal RMMAQD "$preloaded" "$linked" | sed 's/^7/gpuranmar/' |
            diff - "$SCRATCH/said" >"$SCRATCH/log"
        report $(($? || status != 1)) "$replay with the other library before its own"
    done
    echo 'draw 1 5' >>"$SCRATCH/script"
    "$BUILD/replay-relinked" <"$SCRATCH/script" >"$SCRATCH/expected"
    says "the same library before a program's own" "$(paste -sd'|' "$SCRATCH/expected")" \
        env LD_PRELOAD="$second" "$BUILD/replay-relinked" <"$SCRATCH/script"
fi

finish
