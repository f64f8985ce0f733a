#!/bin/bash
# strace has each call by which a program asks the system for a file fail in turn. The program ends
# as it does without the failure, or with one line and a non-zero status. No existing file is lost.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")
emulated=$BUILD/cuda/emulated/test_delivery
[ ! -x "$emulated" ] || ok 'calls of CUDA' "$emulated" all

cd "$SCRATCH" || exit
if needs 'faults of programs' strace && ! strace -qq -o trace true 2>log; then
    skip 'faults of programs' 'strace may trace nothing here'
    finish
    exit
fi

# judged STATUS: what a program did whose standard error is in `said`.
judged() {
    local lines
    lines=$(wc -l <said)
    if [ "$1" = 0 ]; then
        [ "$lines" -le 1 ] && cmp got expected && cmp file after
    else
        [ "$1" -lt 128 ] && [ "$lines" = 1 ] &&
            { [ ! -s before ] || cmp -s file before || cmp file after; }
    fi
}
# fails NAME PATHS CALLS COMMAND...: the command reads `input` and changes `file`, which is `before`
# at first. Only its calls for one of the paths count; all, if no path is given.
fails() {
    local name=$1 calls=$3 paths=() call n status total=0 wrong=0
    for path in $2; do paths+=(-P "$PWD/$path"); done
    shift 3
    cp before file && "$@" <input >expected 2>said && cp file after || wrong=1
    for call in $calls; do
        for ((n = 1; ; ++n)); do
            cp before file
            strace -f -qq -o trace "${paths[@]}" -e inject="$call:error=EIO:when=$n" "$@" \
                <input >got 2>said
            status=$?
            grep -q INJECTED trace || break
            total=$((total + 1))
            judged $status >>said 2>&1 && continue
            wrong=$((wrong + 1))
            { echo "$call $n, status $status:" && cat said; } >>wrong
        done
    done
    cp wrong log 2>/dev/null && rm wrong
    echo "# $name: $total calls failed, one at a time"
    [ $wrong = 0 ] && [ $total -gt 2 ]
    report $? "$name"
}

: >input && : >before
fails 'numbers' got 'write fsync close' "$BUILD/gpuranmar" numbers --count 100000
"$BUILD/gpuranmar" seeds plan --jobs 600 >before
fails 'seeds audit' file 'openat read close' "$BUILD/gpuranmar" seeds audit file
if [ -x "$BUILD/replay-relinked" ]; then
    printf '%s\n' 'S 1 1802 9 0' 'draw 1 100' 'file file' 'RV 1 0 0 0' 'draw 1 3' >input
    : >before
    fails "RMMAQD 'RV'" file 'openat write ftruncate lseek close' "$BUILD/replay-relinked"
    cp file before
    printf '%s\n' 'file file' 'SV 1 0 0 0' 'draw 1 3' >input
    fails "RMMAQD 'SV'" file 'openat read lseek close' "$BUILD/replay-relinked"
fi
finish
