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
# counts PAIRS RUNS WHAT: the summary has that row.
counts() {
    ok "... $1 $3" grep -qE "^ *$1 +$2  $3" said
}
run 1 'a bit shift: exit status 1' seeds audit 169 1184
counts 1 2 'bit shifts'
counts 0 0 'identical'
run 0 'nothing from position 4000 on: exit status 0' seeds audit --position 4000 169 1184
run 1 'the figures of docs/seeds.md' seeds audit 1..100000
counts 507 1014 'word shifts'
counts 16974 '[0-9]+' 'bit shifts'
counts 46981 '[0-9]+' 'twins'
run 1 '... from position 1500 on' seeds audit --position 1500 --most 1e9 1..100000
ok '... 1689 pairs with ten tied numbers' \
    [ "$(awk '$3 == "bits" && $5 >= 10' said | wc -l)" = 1689 ]
ok '... those with the most first' \
    awk '/^[0-9].*[0-9]$/ && !/low bits/ { bad += n++ && $(NF - 3) > last; last = $(NF - 3) }
         END { exit bad || n < 1689 }' said
run 1 '... from position 1000 on' seeds audit --most 0 --position 1000 1..100000
counts 169 '[0-9]+' 'word shifts'
counts 5547 '[0-9]+' 'bit shifts'
ok '... of 10756 seeds' grep -qE '^ *5716 +10756 ' said
run 1 'the instances of a stream' seeds audit 99992568..100022649
counts 338 '[0-9]+' 'word shifts'
run 0 'numbers that are not drawn are not tied' seeds audit --numbers 1 54217137 245729350
printf '%s\n' '# gpuranmar seeds plan 1' 'a 1 5 1000 1000' 'b,1;5 1999,0' >plan
run 1 'one seed twice' seeds audit plan
says '5 (plan:2)     5 (plan:3)     overlap                       1         1999         1999    0'
sed -i 's/1999/2000/' plan
run 0 'one seed, end to end' seeds audit plan
run 0 'lowest bits alone: exit status 0' seeds audit --position 4000 --numbers 9 214774411 198893438
says '214774411      198893438      low bits, words 1             8         4001         4008   31'
run 0 'a seed on the short cycle' seeds audit 942438977 7
ok '... gets a warning' grep -q '^Warning: seeds with .*: 1, as 942438977. .* 169 or 676' said
run 0 '... as its bits repeat after 169 or 676' seeds explain 942438977 942408901
ok '... which explain tells' \
    [ "$(grep -o 'repeat after [0-9]*' said | tr '\n' ' ')" = 'repeat after 169 repeat after 676 ' ]
keyed='flavour keyed has keys, not seeds: only equal keys share numbers'
refused " seeds audit: gpuranmar_seeds_audit: $keyed" seeds audit --flavour keyed 169 1184
refused " seeds explain: gpuranmar_seeds_compare: $keyed" seeds explain --flavour keyed 169 1184
# All pairs, one by one, would take hours.
yes 5 | head -n 1000000 >same
run 1 'one seed for all runs' seeds audit --most 1 same 5
counts 500000500000 1000001 'identical'
says '... and 999999 pairs more: --most lists them'

# Duplicates among many runs, counted by another program.
python3 - >runs <<'END'
import collections, itertools, random
runs = [[random.randrange(2000) for k in range(4)] for r in range(300)]
print("# gpuranmar seeds plan 1")
where = collections.defaultdict(list)
for r, seeds in enumerate(runs):
    for k, seed in enumerate(seeds):
        print(f"run-{r} {k + 1} {seed} 4000 10 # text")
        where[seed].append((r, k))
pairs = [p for w in where.values() for p in itertools.combinations(w, 2)]
touched = {r for p in pairs for r, k in p}
with open("expected", "w") as f:
    print(len(pairs), len(touched), file=f)
END
run 1 'identical seeds of many runs' seeds audit runs
awk '/identical: / { print $1, $2 }' said >got
same '... are counted, with the runs that they touch' expected got
ok '... and come first' [ "$(sed -n '2s/.* \(identical\) .*/\1/p' said)" = identical ]
says '1200 sequences of 300 runs, flavour double'
printf '%s\n' '# gpuranmar seeds plan 1' 'a 1 5 4000 9' 'b 2 5 4000 9' 'c 2 5 4001 9' >runs
run 1 'an overlap with two identical sequences' seeds audit runs
counts 2 3 'overlaps'
counts 3 3 'all but'

mkdir cards
printf 'RUNNR   1\nSEED    169   0   0   seed for 1. random number sequence\nSEED    7   0   1\nEXIT\n' \
    >cards/a.card
printf 'RUNNR   2\nseed  1184 0 x  electrons\nEXIT\n' >cards/bad.card
printf 'nothing here\n' >cards/notes
refused ' seeds audit: cards/bad.card line 2: not SEED and up to three numbers' seeds audit cards
sed 's/x/0/' cards/bad.card >cards/b.card && rm cards/bad.card
run 1 'a directory of cards, with text after the numbers' seeds audit cards
says '3 sequences of 2 runs, flavour double'
says '1 files of directories were skipped: they are neither plans nor cards'
ok '... with file and line' grep -q '^169 (cards/a.card:2) 1184 (cards/b.card:2) bits 1' said
run 0 '... --position overrides them' seeds audit --position 4000 cards
sed -i 's/1184 0/1184 4000/' cards/b.card
run 0 '... N1 counts' seeds audit cards
run 1 '... and can be overridden' seeds audit --position 0 cards
printf '      SEED 5 0 0\nSEED169 0 0!first\nMSEED 7 0 0\n EXIT\nseed 5 0 0\nmseed 7 0 0 !\nMSEED 1184 0 0\n' \
    >card
run 1 'a comment, no blank, a "!", MULTITHIN, and a second run' seeds audit card
says '5 sequences of 2 runs, flavour double'
counts 1 2 'identical'
counts 1 2 'bit shifts'
printf '# a list\n169\n\n1184 # with text\n' >list
printf '* Segments of 9 numbers\nSEED 7 0 0\nEXIT\n' >nine
printf 'SEED 5 0 0\nEXIT\nSEED 5 100 0\n' >later
run 1 'a length of segments holds in its file alone' seeds audit nine later
counts 1 2 'overlaps'
run 1 'a list' seeds audit list
mkfifo pipe
for device in /dev/zero pipe; do
    refused " seeds audit: '$device' is neither a file nor a directory" seeds audit "$device"
done
no_text='a byte in it is 0, or it is longer than 65534 bytes'
truncate -s 1T zeros
refused " seeds audit: zeros line 1: $no_text" seeds audit zeros
printf '%065535d' 5 >zeros
refused " seeds audit: zeros line 1: $no_text" seeds audit zeros
printf '\357\273\277SEED 169\r\nSEED\t1184,0\t0' >marked
run 1 "UTF-8's mark, DOS's ends of lines, tabs, no end of the last line" seeds audit marked
counts 1 1 'bit shifts'
printf 'SEED 999134848 0 0\nEXIT\n' >wraps
run 1 'a seed above 942438977 has the numbers of one below' seeds audit wraps 56695870
counts 1 2 'identical'
ok '... by the seed that was given' grep -q '^999134848 (wraps:1) 56695870 ' said
run 1 '... which explain tells' seeds explain 999134848 56695870
says 'seed 999134848 has the numbers of 56695870'
printf 'SEED -5 0 0\n' >negative
refused ' seeds audit: negative line 1: not SEED and up to three numbers' seeds audit negative
refused " seeds audit: '2147483648': seeds are not in 0..2147483647, lowest first" \
    seeds audit 2147483648
for what in audit explain; do
    refused " seeds $what: -5...: numbers are not below 0" seeds $what -5 7
done
no_file='is no seed, no range of seeds, and no file: No such file or directory'
refused " seeds audit: 'none' $no_file" seeds audit none
refused ' seeds audit: no seeds: see --help' seeds audit
refused " seeds audit: --flavour: 'float' is none of double, single, extended, keyed" \
    seeds audit --flavour float 1
for line in '5 6' '5, ,6' 5x; do
    echo "$line" >list
    refused ' seeds audit: list line 1: not a seed, one a line; plans have positions' seeds audit list
done
echo '# none' >list
refused ' seeds audit: list: there is no seed in it' seeds audit list
echo '# gpuranmar seeds plan 2' >list
refused ' seeds audit: list is of another version of this program' seeds audit list

# --- seeds explain and plan ---
run 1 'explain' seeds explain 54217137 245729350
says 'seed 54217137: ij = 1802, kl = 9373; i = 12, j = 34, k = 56, l = 78; bit 609999 of cycle 68, signs 2'
says "  tied$(printf '%30d' 95)$(printf '%6d' 93 90 81 66 49 35 18 3 0 0)"
run 1 'explain: bits' seeds explain 96499 47410
says 'without its arithmetic part, x_96499[n-1] = 2^10 x_47410[n] modulo 1, to 2^-20.'
run 0 'explain: nothing' seeds explain 1 500
run 1 'explain: siblings' seeds explain 100 101
ok '... and how many of their bits are the same' grep -q ' same. 224 of the 4656 bits of ' said
run 0 '... which an audit counts' seeds audit 100..102 500
ok '... ' grep -q '^3 seeds are siblings, in 1 groups of one i, j and k: single numbers' said
run 1 '... each seed once' seeds audit 100 100 101
ok '... ' grep -q '^2 seeds are siblings, in 1 groups' said
run 0 '... where their first numbers are drawn' seeds audit --position 97 100..102 500
ok '... ' [ "$(grep -c siblings said)" = 0 ]
run 1 'explain: twins that share two lowest bits for ever' seeds explain 54217137 879516807
says 'The lowest 2 bits of their words stay tied for ever.'
says "  tied$(printf '%30d' 100)$(printf '%6d' 100 0 0 0 0 0 0 0 0 0)"
run 0 '... which an audit lists, wherever they start' \
    seeds audit --position 1e15 54217137 879516807
counts 1 2 'share their lowest bits alone'
run 0 'explain: twins, a bit apart' seeds explain 54217137 174035096
correlated='first words are correlated, and so are their first numbers, but no numbers are tied'
says "$correlated"
run 0 '... in the other order' seeds explain 174035096 54217137
says "$correlated"
run 0 'explain: all three signs differ' seeds explain 54217137 882867232
says "$correlated"
refused " seeds explain: B: '1e' is not a number in 0..2147483647" seeds explain 1 1e

# --- seeds plan ---
run 0 'a plan' seeds plan --jobs 3 --sequences 2
says '3 2 54217137 5001000000005 1000000000000'
for as in plan cards; do
    "$command" seeds plan --jobs 40 --sequences 3 --as $as >plan
    run 0 "a plan as $as, which an audit finds good" seeds audit plan
    says '120 sequences of 40 runs, flavour double'
done
tail -n 1 plan >>plan
run 1 '... not one with a line twice' seeds audit plan
mkdir -p site/2026/cards
"$command" seeds plan --jobs 9 >site/plan
"$command" seeds plan --jobs 9 --seed 7 --as cards --job 3 >site/2026/cards/3
run 0 'a plan and, in a subdirectory, cards of another' seeds audit site
says '10 sequences of 10 runs, flavour double'
"$command" seeds plan --jobs 12 --as cards --job 9 >site/2026/cards/9
run 1 '... or of the same' seeds audit site
counts 1 2 'identical'
head -c -3 site/plan >half
refused ' seeds audit: half: its last line is not whole' seeds audit half
"$command" seeds plan --jobs 1000000 >plan
run 0 '... a million jobs of one seed too' seeds audit plan
run 0 'a plan as cards' seeds plan --jobs 40 --sequences 3 --by-seed --as cards
cp said plan.cards
run 0 '... which an audit finds good' seeds audit plan.cards
run 0 'a seed for a job' seeds plan --jobs 1 --by-seed
ok '... from position 4000 on' grep -q '^1 1 54217137 4000 ' said
for how in '--sequences 3' '--sequences 3 --numbers 1e17' '--by-seed --position 5000'; do
    "$command" seeds plan --jobs 40 $how | awk '$1 == 33 || /Segments/' >expected
    run 0 "one job of a plan $how" seeds plan --jobs 40 $how --job 33
    grep -E '^33 |Segments' said >got
    same '... as in the whole' expected got
done
# 1999999 segments go on a seed.
run 0 'the last of 10^9 jobs, at once' seeds plan --jobs 1000000000 --job 1000000000
says "1000000000 1 $("$command" seeds plan --by-seed --jobs 501 | awk '$1 == 501 { print $3 }') \
$((1000000000 + 999999999 % 1999999 * 1000000000001)) 1000000000000"
refused ' seeds plan: gpuranmar_seeds_plan: skip = 14872, n = 1: there are no more than 14872 segments' \
    seeds plan --by-seed --jobs 20000 --job 14873
refused ' seeds plan: --jobs is needed: see --help' seeds plan
refused ' seeds plan: --job: 4 is not in 1..3' seeds plan --jobs 3 --job 4

# --- numbers ---
"$command" numbers --seed 1802 --count 1000 --raw numbers >doubles
if [ -x "$(dirname "$command")/reference-numbers" ]; then
    "$(dirname "$command")/reference-numbers" 1802 0 0 1000 >expected
    same 'numbers are the reference'"'"'s' expected doubles
fi
# With the bytes of the text's numbers: all digits are there.
for flavour in single double; do
    "$command" numbers --flavour $flavour --seed 1802 --count 1000 --raw numbers >raw
    "$command" numbers --flavour $flavour --seed 1802 --count 1000 >text
    python3 -c '
import struct, sys
code = {"single": "f", "double": "d"}[sys.argv[1]]
sys.stdout.buffer.write(b"".join(struct.pack(code, float(line)) for line in sys.stdin))' \
        $flavour <text >back
    same "... as text too, $flavour" raw back
done
"$command" numbers --seed 1802 --position 990 --count 10 >tail
tail -n 10 text >expected
same '... from a position on' expected tail
# The known answers, times 2^48 or 2^24.
answers=0
while read -r flavour seed position words; do
    bits=48
    [ "$flavour" != single ] || bits=24
    for word in $words; do echo $((16#$word)); done >expected
    "$command" numbers --flavour "$flavour" --seed "$seed" --position "$position" --count 6 |
        awk -v bits=$bits '{printf "%.0f\n", $1 * 2 ^ bits}' >got
    same "the known answer: $flavour, seed $seed" expected got
    answers=$((answers + 1))
done < <(grep -v '^#' "$root/csrc/definition/known_answers.txt")
ok 'all known answers' [ $answers -ge 16 ]
for raw in words lowest; do
    "$command" numbers --seed 1802 --count 1000 --raw $raw >got
    python3 -c '
import struct, sys
shift = 16 if sys.argv[1] == "words" else 0
for (u,) in struct.iter_unpack("d", open("doubles", "rb").read()):
    sys.stdout.buffer.write(struct.pack("<I", int(u * 2**48) >> shift & 0xffffffff))' $raw >expected
    same "... as $raw of 32 bits" expected got
done

"$command" numbers --raw words | head -c 100000 >/dev/null
statuses=("${PIPESTATUS[@]}")
ok 'without --count it ends when nobody reads' [ "${statuses[0]}" = 0 ]
{
    "$command" numbers --count 1e9 --raw words 2>said
    echo $? >status
} | head -c 1000 >/dev/null
ok 'with --count that is an error' grep -qx 1 status
ok '... in one line' grep -qx 'gpuranmar numbers: standard output: Broken pipe' said
for what in numbers 'numbers --count 1e6' 'numbers --count 10 --raw numbers' info; do
    "$command" $what >/dev/full 2>said
    ok "$what on a full disk: exit status 1" [ $? = 1 ]
    ok '... in one line' grep -qx "gpuranmar ${what%% *}: standard output: No space left on device" said
done

refused " numbers: --raw: 'doubles' is none of numbers, words, lowest" numbers --raw doubles
refused " numbers: --seed: '-1' is not a number in 0..942438977" numbers --seed -1
refused " numbers: --seed: '-1' is not a number in 0..18446744073709551615" \
    numbers --seed -1 --flavour keyed
refused ' numbers: there is no option -x: see --help' numbers --seed 5 -xy
refused " numbers: '5': only options are taken" numbers 5
refused ' numbers: -5...: numbers are not below 0' numbers -5
refused ' numbers: there is no option --sed: see --help' numbers --sed 5
refused ' numbers: --seed: a value is missing' numbers --seed
refused ' numbers: --count: 9223372036854775808 from position 1 is past 2^63' \
    numbers --position 1 --count 9223372036854775808

# --- info, and subcommands elsewhere ---
GPURANMAR_THREADS=3 run 0 'info' info
says '  GPURANMAR_THREADS        3 (set)'
says '  GPURANMAR_PREFETCH       1024, with a GPU and one instance 1048576'
ok '... the version' grep -qx "libgpuranmar $("$command" --version)" said
GPURANMAR_THREADS=0 refused " info: environment variable GPURANMAR_THREADS: '0' is not 1 to 1024" \
    info
refused ": there is no subcommand 'seed': see --help" seed
refused ': no subcommand: see --help'
refused ': no subcommand of seeds: see --help' seeds
refused ": there is no subcommand 'seeds check': see --help" seeds check

mkdir -p prefix/bin
cp "$command" prefix/bin/
printf '#!/bin/sh\necho "other $*"\n' >prefix/bin/gpuranmar-other
chmod +x prefix/bin/gpuranmar-other
command=$PWD/prefix/bin/gpuranmar
run 0 'an executable beside the program is a subcommand' other --x 5
says 'other --x 5'
run 0 'those that come with it are in the list' --help
ok '... ' grep -q '^  which  *which generator' said
cd "$root" || exit
finish
