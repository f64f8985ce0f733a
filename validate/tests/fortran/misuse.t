#!/bin/bash
# Bad input stops a Fortran program with one line on stderr that names routine, argument and value,
# and a non-zero exit status. All that the program wrote before is there. The programs replay a
# script: of RMMARD and RMMAQD, which stand here under `corsika`, or of a family.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}")
cd "$SCRATCH" || exit

# stopped <TABLE: each row has families, the line as an extended regular expression, the script,
# whose last call ends the program with that line, and settings. DRAW and BLOCK stand for PYTHIA's
# and JETSET's names.
stopped() {
    while IFS='|' read -r names text script settings; do
        for family in $names; do
            case $family in
            pythia6) line=${text//DRAW/PYR} line=${line//BLOCK/PYDATR} ;;
            *) line=${text//DRAW/RLU} line=${line//BLOCK/LUDATR} ;;
            esac
            program=replay-$family-relinked
            LC_ALL=C stops "$family: $line" "$line" env $settings \
                "$BUILD/${program/-corsika/}" <<<"${script//;/$'\n'}"
        done
    done
}

# A call that fails has written to none of its arguments: `constants` gives it constants. The second
# copy of /PYDATR/ is put back where the COMMON block has the counters of the copy, but counts from
# another start.
ln -s /dev/full full
mkdir folder
no_such='environment variable GPURANMAR_PREFETSCH: there is no such setting'
stopped <<END
corsika|RMMARD: sequence = 1 is used before it is set|draw 0 1
corsika|RMMARD: sequence = 7 is used before it is set|S 1 1802 9 0;draw 1 100;draw 7 3
corsika|RMMARD: LENV = -1 is negative|S 1 1802 9 0;draw 1 100;draw 1 -1
corsika|RMMARD: LENV = -2147483648 is negative|S 1 1802 9 0;draw 0 -2147483648
corsika|RMMAQD: seed IJKL = -1 is negative|S 1 1802 9 0;draw 1 100;S 2 -1 0 0
corsika|RMMAQD: numbers to skip: NTOT = -5 is negative|S 2 1 -5 0
corsika|RMMAQD: numbers to skip: NTOT2 = -5 is negative|S 2 1 0 -5
corsika|RMMAQD: numbers to skip: NTOT2 = 2000000001 is above 2000000000|S 2 1 5 2000000001
corsika|RMMAQD: sequence = 10 is not in 1..9 \(GPURANMAR_SEQUENCES\)|S 10 0 0 0
corsika|RMMAQD: sequence = 10 is not in 1..9 \(GPURANMAR_SEQUENCES\)|R 10 0 0 0
corsika|RMMAQD: sequence = 3 is used before it is set|S 1 1802 9 0;R 3 0 0 0
corsika|RMMAQD: sequence = 3 is used before it is set|S 1 1802 9 0;RV 3 0 0 0
corsika|RMMAQD: sequence = 3 is not in 1..2 .+|S 1 1802 9 0;R 3 0 0 0|GPURANMAR_SEQUENCES=2
corsika|RMMAQD: sequence = 1 is used before it is set|constants R
corsika|RMMAQD: sequence = 1 is used before it is set|constants RV
corsika|RMMAQD: environment variable GPURANMAR_INSTANCES: '0' is not .+|constants _|GPURANMAR_INSTANCES=0
corsika|RMMARD: $no_such|draw 1 1|GPURANMAR_PREFETSCH=5
corsika|RMMAQD: $no_such|R 1 0 0 0|GPURANMAR_PREFETSCH=5
cernlib|RMMAR: sequence = 1 is used before it is set|rmmar 0 1
cernlib|RMMAR: sequence = 4 is used before it is set|rmmaq S 1 1 0 0;rmmar 4 1
cernlib|RMMAR: sequence = 10 is not in 1..9 .+|rmmaq S 1 1 0 0;rmmar 10 1
cernlib|RMMAR: sequence = 2147483647 is not in 1..9 .+|rmmaq S 1 1 0 0;rmmar 2147483647 1
cernlib|RMMAR: LEN = -1 is negative|rmmaq S 1 1 0 0;rmmar 1 -1
cernlib|RMMAQ: sequence = 65 is not in 1..9 .+|rmmaq S 65 1 0 0
cernlib|RMMAQ: sequence = 2 is used before it is set|rmmaq S 1 1 0 0;rmmaq R 2
cernlib|RMMAQ: sequence = 1 is used before it is set|constants R
cernlib|RMMAQ: sequence = 1 is used before it is set|constants RV
cernlib|RMMAQ: environment variable GPURANMAR_SIMD: 'x' is not .+|constants _|GPURANMAR_SIMD=x
cernlib|RMMAQ: seed IJKL = -7 is negative|rmmaq S 1 -7 0 0
cernlib|RMMAQ: numbers to skip: NTOT2 = -1 is negative|rmmaq S 1 7 0 -1
cernlib|RMMAQ: Fortran state: no RANMAR sequence has I97 = 0|rmmaq S 1 7 0 0;rmmaq SV 1 1 2 3
cernlib|RMARIN: numbers to skip: NTOT = -1 is negative|draw 5;start 1 -1 0
cernlib|RM48: LEN = -3 is negative|rm48 5;rm48 -3
cernlib|RM48IN: seed IJKL = -1 is negative|rm48in 1 2 3;rm48in -1 0 0
cernlib|RM48IN: $no_such|rm48in 1 0 0|GPURANMAR_PREFETSCH=5
cernlib|RANMAR: $no_such|draw 1|GPURANMAR_PREFETSCH=5
cernlib cpc|RANMAR: LEN = -1 is negative|draw 5;draw -1
cernlib cpc|RMARIN: seed IJKL = -1 is negative|draw 5;start -1 0 0
one real double function dfunction|RMARIN: seed IJ = 31329 is not in 0..31328|start 31329 0
one real double function dfunction|RMARIN: seed KL = -1 is not in 0..30081|start 1 1;draw 5;start 0 -1
one|RMASAVE: RMASET or RMARIN must be called before it|rmasave x
one|RMASAVE: the file full lacks a part of what was written|start 1 2;draw 1;rmasave full
one|RMASAVE: the file folder: Cannot open file 'folder': Is a directory|start 1 2;draw 1;rmasave folder
amber|AMRAND: AMRSET must be called before it|draw 1
dpmjet|DT_RNDMOU: DT_RNDMST must be called before it|keep
photos dphotos|PHORAN: PHORIN must be called before it|draw 1
photos dphotos|PHORIN: ISEED\(1\) = 31328 of COMMON /PHSEED/ is not in 0..31327|start 31328 1
photos dphotos|PHORIN: ISEED\(2\) = -1 of COMMON /PHSEED/ is not in 0..30080|start 3 -1
pythia6 jetset|DRAW: seed = -4 in COMMON /BLOCK/ is negative|draw 3;start -4;draw 1
pythia6 jetset|DRAW: COMMON /BLOCK/ was put back from a copy .* DRAWGET .*|draw 3;keep;draw 2;restore;draw 1
pythia6 jetset|DRAW: COMMON /BLOCK/ was put .*|draw 3;keep;start 4;draw 3;restore;draw 1
pythia6 jetset|DRAWSET: unit LFN: End of file|file none;set 0
pythia6 jetset|DRAWGET: the file full lacks a part of what was written|draw 1;file full;get 0
END
echo short >short
for file in short folder; do "$BUILD/replay-one-relinked" <<<"rmaset 1 2 $file" 2>&1; done >log
grep -Fqx 'gpuranmar: RMASET: the file short: Unformatted file structure has been corrupted' log &&
    grep -q "^gpuranmar: RMASET: the file folder: .* 'folder': Is a directory$" log
report $? 'one: RMASET: a file that is no state'

# The public text's libraries start themselves, and say so once.
for family in one real james double function dfunction; do
    seed='1802 9373'
    [ $family != james ] || seed=54217137
    "$BUILD/replay-$family-relinked" <<<"start $seed"$'\ndraw 3\ndraw 1' >expected
    "$BUILD/replay-$family-relinked" <<<$'draw 3\ndraw 1' >got 2>said
    echo 'gpuranmar: RANMAR: RMARIN was not called before it: it starts from IJ = 1802, KL = 9373' |
        diff - said >log && [ -s got ] && cmp expected got >>log
    report $? "$family: drawn from before any start"
done

# Settings that change the numbers of RMMARD change none here, and one line says so.
while IFS='|' read -r family ignored settings; do
    script=$'start 1 1\ndraw 3\nstart 1 2\ndraw 3'
    "$BUILD/replay-$family-relinked" <<<"$script" >expected
    env $settings "$BUILD/replay-$family-relinked" <<<"$script" >got 2>said
    echo "${ignored:+gpuranmar: $ignored, which only RMMARD and RMMAQD use}" | grep . |
        diff - said >log && cmp expected got >>log
    report $? "$family: $settings"
done <<'END'
real|RMARIN ignores GPURANMAR_FLAVOUR|GPURANMAR_FLAVOUR=double
real|RMARIN ignores GPURANMAR_INSTANCES, GPURANMAR_START_POSITION|GPURANMAR_INSTANCES=2 GPURANMAR_START_POSITION=7
real|RMARIN ignores GPURANMAR_START_POSITION|GPURANMAR_START_POSITION=7
real||GPURANMAR_INSTANCES=1 GPURANMAR_START_POSITION=0
pythia6|PYR ignores GPURANMAR_FLAVOUR|GPURANMAR_FLAVOUR=keyed
pythia6||GPURANMAR_FLAVOUR=double
END

# --- Unit 11 ---
# replay LINE...: calls of RMMARD and RMMAQD that are all good.
replay() { printf '%s\n' "$@" | "$BUILD/replay-relinked" >output 2>log; }
started='S 1 1802 9 0;draw 1 100'
replay "${started/;/$'\n'}" 'file good' 'RV 1 0 0 0' 'draw 1 -1'
ok 'the file of a Fortran state is complete, although a later call failed' \
    "$BUILD/replay-reference" <<<$'file good\nSV 1 0 0 0\ndraw 1 5'
GPURANMAR_FLAVOUR=extended replay "${started/;/$'\n'}" 'file extended' 'RV 1 0 0 0'
head -c 5000 good >truncated
: >empty
echo 'this is no state at all' >foreign
head -c 20000 /dev/urandom >noise
while read -r file edit; do
    sed -E "$edit" good >"$file"
done <<'END'
count 1s/^.{8}/xxxxxxxx/
ring 2s/^.{8}/xxxxxxxx/
i97 2s/^.{8}/00000062/
j97 2s/^(.{8}).{8}/\100000060/
seed 1s/^.{8}/FFFFFFFE/
c 2s/.{16}$/3FF0000000000000/
fine 2s/.{8}$/00000020/
u 3s/^.{16}/BFE0000000000000/
END
# LD_PRELOAD takes no path with spaces. full_disk.so finds the disk of the file `full` full.
cp "$BUILD/full_disk.so" . && rm full
full_disk="LD_PRELOAD=$SCRATCH/full_disk.so ASAN_OPTIONS=verify_asan_link_order=0"
mkdir fort.11
cannot_read='CHOPT = SV: cannot read a Fortran state from unit 11: .+'
cannot_write='CHOPT = RV: cannot write unit 11:'
other_flavour='cannot go on with the flavour of this run'
while IFS='|' read -r line file settings; do
    stopped <<<"corsika|RMMAQD: $line|$started;file $file;SV 1 0 0 0|$settings"
done <<END
${cannot_read%.+}End of file where words .*, of as many as GPURANMAR_SEQUENCES says|truncated
$cannot_read|empty
$cannot_read|foreign
$cannot_read|count
$cannot_read|ring
.+|noise
Fortran state: no RANMAR sequence has I97 = 98|i97
Fortran state: no RANMAR sequence has J97 = 96|j97
Fortran state: no RANMAR sequence has IJKL = -2|seed
Fortran state: no RANMAR sequence has C = 1|c
Fortran state: no RANMAR sequence has C = .+|fine
Fortran state: no RANMAR sequence has a word of U = -0.5|u
Fortran state: J97 = 2..: a sequence of flavour extended $other_flavour|extended
Fortran state: J97 = 2..: a sequence of flavour extended $other_flavour|extended|GPURANMAR_FLAVOUR=keyed
Fortran state: J97 = [0-9]+: a sequence of flavour double $other_flavour|good|GPURANMAR_FLAVOUR=extended
END
stopped <<END
corsika|RMMAQD: Fortran state: no RANMAR sequence has all words of U = 0|$started;file good;SV 3 0 0 0
corsika|RMMAQD: $cannot_read|$started;SV 1 0 0 0
corsika|RMMAQD: $cannot_write .+|$started;RV 1 0 0 0
corsika|RMMAQD: $cannot_write the file .*full lacks a part of what was written|$started;file full;RV 1 0 0 0|$full_disk
END
ok 'the file on a disk with room is complete' test "$(wc -c <good)" = 14251

# Each 'RV' reads back what it wrote, not the whole file. A process counts its children's reading.
if [ -r /proc/self/io ]; then
    mapfile -t events < <(yes 'RV 1 0 0 0' | head -n 300)
    (
        replay "${started/;/$'\n'}" 'file many' "${events[@]}"
        read -r _ bytes <"/proc/$BASHPID/io" && [ "$bytes" -lt $((3 * $(wc -c <many))) ]
    )
    report $? 'a state for each event'
fi

# A pipe is not read again. Its buffer holds what is written.
mkfifo pipe
exec 3<>pipe
replay "${started/;/$'\n'}" 'file pipe' 'RV 1 0 0 0' &&
    timeout 20 head -c 14251 <&3 | cmp good - >log
report $? 'RV writes to a pipe'

# A sequence that the file has no words of keeps its own.
replay 'S 2 5 0 0' 'file good' 'SV 1 0 0 0' 'draw 2 3' && tail -n 1 output >got
replay 'S 2 5 0 0' 'draw 2 3' && tail -n 1 output >expected
same 'SV keeps the words of a sequence that the file does not have' expected got

# The line of GPURANMAR_VERBOSE has the position that was read from the file, even where that lies
# before GPURANMAR_START_POSITION.
GPURANMAR_VERBOSE=1 GPURANMAR_START_POSITION=4000 replay 'file good' 'SV 1 0 0 0' && mv log said
ok 'one start, at the position of a Fortran state' \
    [ "$(grep 'process .* sequence 1: ' said | grep -c ' position 109, ')" = 1 ]

finish
