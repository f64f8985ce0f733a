#!/bin/bash
# A program whose INTEGER has 64 bits draws the same numbers from libgpuranmar_ilp64, shared and
# static, and is refused what does not fit 32 bits.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")

calls='S 1 1802 9 0
S 9 942377567 77777 0
draw 1 100
draw 9 1
draw 99 1000
R 9 1 2 3
R 0 1 2 3
file state
RV 1 1 2 3
draw 1 97
file state
SV 9 1 2 3
draw 9 999
SR 2 5 5 0
draw 2 3
R 2 1 2 3
_ 3 1 2 3
draw 4294967297 4
R -4294967295 1 2 3'
# The reference has INTEGERs of 32 bits. There is no sequence 2^32 + 1, so the current one, 1, goes
# on. The reference is asked for sequence 99 instead, which there is not either.
mkdir "$SCRATCH/reference"
(cd "$SCRATCH/reference" && {
    head -n -2 <<<"$calls"
    printf '%s\n' 'draw 99 4' 'R 0 1 2 3'
} | "$BUILD/replay-reference" >output)
for kind in relinked static; do
    mkdir "$SCRATCH/$kind"
    (cd "$SCRATCH/$kind" && "$BUILD/replay-ilp64-$kind" <<<"$calls" >output 2>log)
    same "$kind: the reference's numbers" "$SCRATCH/reference/output" "$SCRATCH/$kind/output"
    same "$kind: and its file" "$SCRATCH/reference/state" "$SCRATCH/$kind/state"
done

# refused LINE CALL: the call ends the program with that line.
refused() { stops "$2" "$1" "$BUILD/replay-ilp64-relinked" <<<"S 1 1802 9 0"$'\n'"$2"; }
refused 'RMMAQD: seed IJKL = 2147483647 is not in 0..942377567' 'S 1 4294967297 0 0'
refused 'RMMAQD: numbers to skip: NTOT = -2147483648 is negative' 'S 1 1 -4294967295 0'
refused 'RMMAQD: numbers to skip: NTOT2 = 2147483647 is above 2000000000' 'S 1 1 0 4294967296'
refused 'RMMAQD: sequence = 2147483647 is not in 1..9' 'R 4294967297 1 2 3'
refused 'RMMARD: LENV = -1 is negative' 'draw 1 -1'
finish
