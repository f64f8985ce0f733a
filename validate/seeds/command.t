#!/bin/bash
# The command gpuranmar: what its subcommands print, and what they refuse.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
command=$(realpath "${BUILD:-build}")/gpuranmar
root=$PWD
cd "$SCRATCH" || exit

# run STATUS NAME ARGUMENT...: the exit status; what was said is in `said`.
run() {
    local status=$1 name=$2
    shift 2
    "$command" "$@" >said 2>&1
    local got=$?
    cp said log
    [ $got = "$status" ]
    report $? "$name"
}
# says LINE: is a line of what was said.
says() { ok "... $1" grep -qxF -- "$1" said; }
# refused LINE ARGUMENT...: that line alone, on standard error, and exit status 2.
refused() {
    local line=$1
    shift
    "$command" "$@" >log 2>said
    [ $? = 2 ] && [ ! -s log ] && [ "$(cat said)" = "gpuranmar$line" ]
    local got=$?
    cp said log
    report $got "gpuranmar$line"
}

# --- seeds audit ---
run 1 'a bit shift: exit status 1' seeds audit 169 1184
says '2 sequences: 0 pairs overlap, 0 are word shifts, 1 bit shifts, 0 twins'
run 0 'nothing from position 4000 on: exit status 0' seeds audit --position 4000 169 1184
run 1 'the figures of docs/seeds.md' seeds audit 1..100000
says '100000 sequences: 0 pairs overlap, 507 are word shifts, 16974 bit shifts, 46981 twins'
run 1 'the instances of a stream' seeds audit --instances 30082 --prefetch 1e8 $((3324 * 30082))
ok '... 338 word shifts' grep -q ' 338 are word shifts' said
run 0 'numbers that are not drawn are not tied' seeds audit --numbers 1 54217137 245729350
run 1 'one seed twice' seeds audit 5:1000:1000 5:1999
says '5              5              overlap                       1         1999         1999'
run 0 'one seed, end to end' seeds audit 5:1000:1000 5:2000

mkdir cards
printf 'RUNNR   1\nSEED    169   0   0\nSEED    7   0   1\nEXIT\n' >cards/a.card
printf 'RUNNR   2\nseed  1184 0 0  electrons\nEXIT\n' >cards/bad.card
printf 'nothing here\n' >cards/notes
refused ' seeds audit: cards/bad.card line 2: not SEED and up to three numbers' seeds audit cards
sed 's/ *electrons//' cards/bad.card >cards/b.card && rm cards/bad.card
run 1 'a directory of cards' seeds audit cards
says '3 sequences: 0 pairs overlap, 0 are word shifts, 1 bit shifts, 0 twins'
ok '... with file and line' grep -q '^169 (cards/a.card:2) 1184 (cards/b.card:2) bits 1' said
sed -i 's/1184 0/1184 4000/' cards/b.card
run 0 '... N1 counts' seeds audit cards
printf '# a list\n169, 4000\n\n1184 0 100 # so many\n' >list
run 0 'a list with positions' seeds audit list
sed -i 's/4000/10/' list
run 1 '... and with others' seeds audit list
no_file='is no seed, no range of seeds, and no file: No such file or directory'
refused " seeds audit: 'none' $no_file" seeds audit none
refused ' seeds audit: no seeds: see --help' seeds audit
refused " seeds audit: '5..942438978': seeds are not in 0..942438977, lowest first" \
    seeds audit 5..942438978
refused " seeds audit: --flavour: 'float' is none of double, single, extended, luxury" seeds audit --flavour float 1
echo 5 6 7 8 >list
refused ' seeds audit: list line 1: not up to three numbers: seed [position [numbers]]' \
    seeds audit list
echo '# none' >list
refused ' seeds audit: list: there is no seed in it' seeds audit list

# --- seeds explain and plan ---
run 1 'explain' seeds explain 54217137 245729350
says "  tied$(printf '%30d' 95)$(printf '%6d' 93 90 81 66 49 35 18 3 0 0)"
run 1 'explain: bits' seeds explain 96499 47410
says 'without its arithmetic part, x_96499[n-1] = 2^10 x_47410[n] modulo 1, to 2^-20.'
run 0 'explain: nothing' seeds explain 1 2
refused " seeds explain: B: 'x' is not a number in 0..942438977" seeds explain 1 x
run 0 'a plan' seeds plan --jobs 3 --sequences 2
says '         3    2   54217137          0       5001'
run 0 'a plan as cards' seeds plan --jobs 40 --sequences 3 --by-seed --as cards
cp said plan.cards
run 0 '... which an audit finds good' seeds audit plan.cards
says '120 sequences: 0 pairs overlap, 0 are word shifts, 0 bit shifts, 0 twins'
run 0 'a Slurm script' seeds plan --jobs 9 --sequences 2 --as slurm
SLURM_ARRAY_TASK_ID=7 PATH=$(dirname "$command"):$PATH bash said >log 2>&1
"$command" seeds plan --jobs 9 --sequences 2 --as cards | sed -n '/job 7$/,/job 8$/p' |
    grep SEED >expected
grep SEED seeds-7 >got
same '... whose task 7 has the cards of job 7' expected got
run 0 'ranks' seeds plan --jobs 2 --sequences 2 --as mpi
says '1  54217137 0 2001  54217137 0 3001'
refused ' seeds plan: --jobs is needed: see --help' seeds plan
refused ' seeds plan: --job: 4 is not in 1..3' seeds plan --jobs 3 --job 4

# --- numbers ---
"$command" numbers --seed 1802 --count 1000 --raw numbers >doubles
"$command" numbers --seed 1802 --count 1000 >text
if [ -x "$(dirname "$command")/reference-numbers" ]; then
    "$(dirname "$command")/reference-numbers" 1802 0 0 1000 >expected
    same 'numbers are the reference'"'"'s' expected doubles
fi
# With the bytes of the text's doubles: all digits are there.
python3 -c '
import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack("d", float(line)) for line in sys.stdin))' <text >back
same '... as text too' doubles back
"$command" numbers --seed 1802 --position 990 --count 10 >tail
tail -n 10 text >expected
same '... from a position on' expected tail
python3 - >expected <<'END'
import sys
# Marsaglia, Zaman, Tsang 1990: numbers 20001 to 20006 of ij = 1802, kl = 9373, times 4096^2
known = [6533892, 14220222, 7275067, 6172232, 8354498, 10633180]
print(*known, sep="\n")
END
"$command" numbers --flavour single --seed $((1802 * 30082 + 9373)) --position 20000 --count 6 |
    awk '{printf "%.0f\n", $1 * 4096 * 4096}' >got
same 'single: the known answer' expected got
# Bits: the highest 32, the lowest 32, all reversed.
python3 - doubles >expected <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
out = []
for (u,) in struct.iter_unpack("d", data):
    n = int(u * 2**48)
    out.append((n >> 16).to_bytes(4, "little") + (n & 0xffffffff).to_bytes(4, "little")
               + int(f"{n:048b}"[::-1], 2).to_bytes(6, "little"))
sys.stdout.buffer.write(b"".join(out))
END
for bits in 0-31 16-47 47-0; do
    "$command" numbers --seed 1802 --count 1000 --raw words --bits $bits >bits-$bits
done
python3 - >got <<'END'
import sys
h, l, r = (open(f"bits-{b}", "rb").read() for b in ("0-31", "16-47", "47-0"))
sys.stdout.buffer.write(b"".join(h[4*i:4*i+4] + l[4*i:4*i+4] + r[6*i:6*i+6] for i in range(1000)))
END
same 'words of any bits' expected got
"$command" numbers --seed 1802 --count 1000 --raw words >words
same '... the highest 32 if none are named' bits-0-31 words

"$command" numbers --raw words | head -c 100000 >/dev/null
statuses=("${PIPESTATUS[@]}")
ok 'without --count it ends when nobody reads' [ "${statuses[0]}" = 0 ]
{
    "$command" numbers --count 1e9 --raw words 2>said
    echo $? >status
} | head -c 1000 >/dev/null
ok 'with --count that is an error' grep -qx 1 status
broken='Broken pipe, after [0-9]* to [0-9]* of 1000000000 numbers'
ok '... in one line' grep -qx "gpuranmar numbers: standard output: $broken" said
"$command" numbers --count 1e6 >/dev/full 2>said
ok 'a full disk: exit status 1' [ $? = 1 ]
ok '... in one line' \
    grep -q '^gpuranmar numbers: standard output: No space left on device, after ' said
"$command" numbers >/dev/full 2>said
ok '... without --count' \
    grep -qx 'gpuranmar numbers: .*: No space left on device, after 0 to 16384 numbers' said
"$command" numbers --count 10 --raw numbers >/dev/full 2>/dev/null
ok '... with few numbers too' [ $? = 1 ]
"$command" info >/dev/full 2>said
ok 'info on a full disk' [ $? = 1 ]

refused " numbers: --raw: 'doubles' is not numbers or words" numbers --raw doubles
refused " numbers: --bits: '0-48' is not FIRST-LAST, each in 0..47" numbers --raw words --bits 0-48
refused " numbers: --bits: '0-30' is no whole number of bytes" numbers --raw words --bits 0-30
refused ' numbers: --bits: only with --raw words' numbers --bits 0-31
refused " numbers: --seed: '-1' is not a number in 0..942438977" numbers --seed -1
refused " numbers: '5': only options are taken" numbers 5
refused ' numbers: there is no option --sed: see --help' numbers --sed 5
refused ' numbers: --seed: a value is missing' numbers --seed
refused ' numbers: --count: 9223372036854775808 from position 1 is past 2^63' \
    numbers --position 1 --count 9223372036854775808

# --- info, and subcommands elsewhere ---
GPURANMAR_THREADS=3 run 0 'info' info
says '  GPURANMAR_THREADS        3 (set)'
says '  GPURANMAR_PREFETCH       1024, with CUDA and one instance 1048576'
ok '... the version' grep -qx "libgpuranmar $("$command" --version)" said
GPURANMAR_THREADS=0 refused " info: environment variable GPURANMAR_THREADS: '0' is not 1 to 1024" \
    info
refused ": there is no subcommand 'seed': see --help" seed
refused ': no subcommand: seeds, numbers or info; see --help'
refused " seeds: there is no 'check': audit, plan or explain" seeds check

mkdir -p prefix/bin prefix/libexec/gpuranmar
cp "$command" prefix/bin/
printf '#!/bin/sh\necho "other $*"\n' >prefix/libexec/gpuranmar/gpuranmar-other
chmod +x prefix/libexec/gpuranmar/gpuranmar-other
command=$PWD/prefix/bin/gpuranmar
run 0 'an executable in libexec is a subcommand' other --x 5
says 'other --x 5'
run 0 '... and in the list' --help
ok '... ' grep -q '^  other ' said
cd "$root" || exit
finish
