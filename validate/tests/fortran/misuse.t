#!/bin/bash
# Bad input stops a Fortran program with one line on stderr that names routine, argument and value,
# and a non-zero exit status. All that the program wrote before is there.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")
cd "$SCRATCH" || exit

# rmmard LINE [VARIABLE=VALUE...] <SCRIPT: the last call of the script ends the program with that
# line; cernlib the same for CERNLIB's names.
rmmard() { stops "$1" "$1" env "${@:2}" "$BUILD/replay-relinked"; }
cernlib() { stops "$1" "$1" env "${@:2}" "$BUILD/replay-cernlib-relinked"; }

# replay LINE...: calls that are all good.
replay() { printf '%s\n' "$@" | "$BUILD/replay-relinked" >output 2>log; }

started='S 1 1802 9 0
draw 1 100'

# --- RMMARD and RMMAQD ---
rmmard 'RMMARD: sequence = 1 is used before it is set' <<<'draw 0 1'
rmmard 'RMMARD: sequence = 7 is used before it is set' <<<"$started"$'\ndraw 7 3'
rmmard 'RMMARD: LENV = -1 is negative' <<<"$started"$'\ndraw 1 -1'
rmmard 'RMMARD: LENV = -2147483648 is negative' <<<"$started"$'\ndraw 0 -2147483648'
rmmard 'RMMAQD: seed IJKL = -1 is negative' <<<"$started"$'\nS 2 -1 0 0'
rmmard 'RMMAQD: numbers to skip: NTOT = -5 is negative' <<<"$started"$'\nS 2 1 -5 0'
rmmard 'RMMAQD: numbers to skip: NTOT2 = -5 is negative' <<<"$started"$'\nS 2 1 0 -5'
rmmard 'RMMAQD: numbers to skip: NTOT2 = 2000000001 is above 2000000000' \
    <<<"$started"$'\nS 2 1 0 2000000001'
for call in S SV _ R RV; do
    rmmard 'RMMAQD: sequence = 10 is not in 1..9 \(GPURANMAR_SEQUENCES\)' \
        <<<"$started"$'\n'"$call 10 0 0 0"
done
rmmard 'RMMAQD: sequence = 3 is used before it is set' <<<"$started"$'\nR 3 0 0 0'
rmmard 'RMMAQD: sequence = 3 is used before it is set' <<<"$started"$'\nRV 3 0 0 0'
rmmard 'RMMAQD: sequence = 3 is not in 1..2 .+' GPURANMAR_SEQUENCES=2 <<<"$started"$'\nR 3 0 0 0'

# A call that fails has written to no argument.
rmmard 'RMMAQD: sequence = 1 is used before it is set' <<<'constants R'
rmmard 'RMMAQD: sequence = 1 is used before it is set' <<<'constants RV'
rmmard "RMMAQD: environment variable GPURANMAR_INSTANCES: '0' is not .+" GPURANMAR_INSTANCES=0 \
    <<<'constants _'

# --- Unit 11: its file is whole when a later call fails ---
replay "$started" 'file good' 'RV 1 0 0 0' 'draw 1 -1'
ok 'the file of a Fortran state written before is complete' \
    "$BUILD/replay-reference" <<<$'file good\nSV 1 0 0 0\ndraw 1 5'

# reads FILE LINE [VARIABLE=VALUE...]: SV from the file ends in that line.
reads() { rmmard "RMMAQD: $2" "${@:3}" <<<"$started"$'\nfile '"$1"$'\nSV 1 0 0 0'; }

cannot_read='CHOPT = SV: cannot read a Fortran state from unit 11: .+'
head -c 5000 good >truncated
: >empty
echo 'this is no state at all' >foreign
head -c 20000 /dev/urandom >noise
for file in truncated empty foreign; do reads $file "$cannot_read"; done
reads noise '.+'

# edit FILE SED: the good file with something that no sequence has. no_sequence: SV tells WHAT.
edit() { sed -E "$2" good >"$1"; }
no_sequence() { # WHAT FILE SED
    edit "$2" "$3"
    reads "$2" "Fortran state: $1 is not a RANMAR sequence.s"
}
no_sequence 'I97 = 98' i97 '2s/^.{8}/00000062/'
no_sequence 'J97 = 96' j97 '2s/^(.{8}).{8}/\100000060/'
no_sequence 'IJKL = -2' seed '1s/^.{8}/FFFFFFFE/'
no_sequence 'C = 1' c '2s/.{16}$/3FF0000000000000/'
no_sequence 'C = .+' fine '2s/.{8}$/00000020/' # a multiple of 2^-48, not of 2^-24
no_sequence 'a word of U = -0.5' u '3s/^.{16}/BFE0000000000000/'
rmmard 'RMMAQD: Fortran state: each word of U = 0 is not a RANMAR sequence.s' \
    <<<"$started"$'\nfile good\nSV 3 0 0 0'
GPURANMAR_FLAVOUR=extended replay "$started" 'file extended' 'RV 1 0 0 0'
cannot_go_on='cannot go on with the flavour of this run'
for flavour in double keyed; do
    reads extended "Fortran state: J97 = 2..: a sequence of flavour extended $cannot_go_on" \
        GPURANMAR_FLAVOUR=$flavour
done
reads good "Fortran state: J97 = [0-9]+: a sequence of flavour double $cannot_go_on" \
    GPURANMAR_FLAVOUR=extended

# One bit of a word, or of the position: the format has no checksum, but GPURANMAR_VERIFY finds it.
other=$(sed -n '3s/^.{20}(.).*/\1/p' -E good | tr 0-9A-F 1032547698BADCFE)
edit bit "3s/^(.{20})./\1$other/"
edit at '1s/^(.{8}).{8}/\10000006C/'
edit arithmetic '2s/.{16}$/0000000000000000/'
for damaged in bit at arithmetic; do
    replay "file $damaged" 'SV 1 0 0 0'
    report $? "SV reads the file '$damaged'"
    reads $damaged 'Fortran state: C and U are not those of IJKL = 1802 at position 10[89] .*' \
        GPURANMAR_VERIFY=0.001
done
GPURANMAR_VERIFY=1 replay 'file good' 'SV 1 0 0 0' 'draw 1 999' 'draw 1 999'
report $? '... and finds nothing in what RV wrote'

# A sequence that the file has no words of keeps its own.
replay 'S 2 5 0 0' 'file good' 'SV 1 0 0 0' 'draw 2 3' && tail -n 1 output >got
replay 'S 2 5 0 0' 'draw 2 3' && tail -n 1 output >expected
same 'SV keeps the words of a sequence that the file does not have' expected got

# The line of GPURANMAR_VERBOSE has the position that was read from the file, even where that lies
# before GPURANMAR_START_POSITION.
GPURANMAR_VERBOSE=1 GPURANMAR_START_POSITION=4000 replay 'file good' 'SV 1 0 0 0' && mv log said
ok 'position of a Fortran state' grep -q 'sequence 1: .* position 109, ' said

# A disk that is full, and a unit that cannot be opened. LD_PRELOAD takes no path with spaces.
cp "$BUILD/full_disk.so" .
rmmard 'RMMAQD: CHOPT = RV: cannot write unit 11: the file .*full has not taken all of it' \
    LD_PRELOAD="$SCRATCH/full_disk.so" ASAN_OPTIONS=verify_asan_link_order=0 \
    <<<"$started"$'\nfile full\nRV 1 0 0 0'
ok 'the file on a disk with room is complete' test "$(wc -c <good)" = 14251
mkdir fort.11
rmmard 'RMMAQD: CHOPT = RV: cannot write unit 11: .+' <<<"$started"$'\nRV 1 0 0 0'
rmmard "RMMAQD: $cannot_read" <<<"$started"$'\nSV 1 0 0 0'

# --- CERNLIB's names ---
cernlib 'RMMAR: sequence = 1 is used before it is set' <<<'rmmar 0 1'
cernlib 'RMMAR: sequence = 4 is used before it is set' <<<$'rmmaq S 1 1 0 0\nrmmar 4 1'
cernlib 'RMMAR: sequence = 10 is not in 1..9 .+' <<<$'rmmaq S 1 1 0 0\nrmmar 10 1'
cernlib 'RMMAR: LEN = -1 is negative' <<<$'rmmaq S 1 1 0 0\nrmmar 1 -1'
cernlib 'RMMAQ: sequence = 65 is not in 1..9 .+' <<<'rmmaq S 65 1 0 0'
cernlib 'RMMAQ: sequence = 2 is used before it is set' <<<$'rmmaq S 1 1 0 0\nrmmaq R 2'
cernlib 'RMMAQ: sequence = 1 is used before it is set' <<<'constants R'
cernlib 'RMMAQ: sequence = 1 is used before it is set' <<<'constants RV'
cernlib "RMMAQ: environment variable GPURANMAR_SIMD: 'x' is not .+" GPURANMAR_SIMD=x \
    <<<'constants _'
cernlib 'RMMAQ: seed IJKL = -7 is negative' <<<'rmmaq S 1 -7 0 0'
cernlib 'RMMAQ: numbers to skip: NTOT2 = -1 is negative' <<<'rmmaq S 1 7 0 -1'
cernlib 'RMMAQ: Fortran state: I97 = 0 is not a RANMAR sequence.s' \
    <<<$'rmmaq S 1 7 0 0\nrmmaq SV 1 1 2 3'
cernlib 'RANMAR: LEN = -3 is negative' <<<$'draw 5\ndraw -3'
cernlib 'RMARIN: seed IJKL = -1 is negative' <<<$'draw 5\nstart -1 0 0'
cernlib 'RMARIN: numbers to skip: NTOT = -1 is negative' <<<$'draw 5\nstart 1 -1 0'
cernlib 'RM48: LEN = -3 is negative' <<<$'rm48 5\nrm48 -3'
cernlib 'RM48IN: seed IJKL = -1 is negative' <<<$'rm48in 1 2 3\nrm48in -1 0 0'

# --- Environment variables ---
no_such='environment variable GPURANMAR_PREFETSCH: there is no such setting'
rmmard "RMMARD: $no_such" GPURANMAR_PREFETSCH=5 <<<'draw 1 1'
rmmard "RMMAQD: $no_such" GPURANMAR_PREFETSCH=5 <<<'R 1 0 0 0'
cernlib "RM48IN: $no_such" GPURANMAR_PREFETSCH=5 <<<'rm48in 1 0 0'
cernlib "RANMAR: $no_such" GPURANMAR_PREFETSCH=5 <<<'draw 1'
cernlib "RMMAQ: $no_such" GPURANMAR_PREFETSCH=5 <<<'rmmaq S 1 1 0 0'

finish
