#!/bin/bash
# The command gpuranmar: what its subcommands print, and what they refuse.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
command=$(realpath "${BUILD:-build}")/gpuranmar
root=$PWD
cd "$SCRATCH" || exit

# run STATUS NAME 'ARGUMENTS' PATTERN...: the exit status, and a line of what is said for each
# pattern. `said` has what was said with one blank in place of several.
run() {
    local status=$1 name=$2 arguments=$3 got pattern
    shift 3
    # shellcheck disable=SC2086
    "$command" $arguments >log 2>&1
    got=$?
    sed 's/^ *//; s/  */ /g' log >said
    for pattern; do
        grep -qE -- "^$pattern" said || { got=-1 && echo "no line begins with: $pattern" >>log; }
    done
    [ $got = "$status" ]
    report $? "$name"
}
# refused LINE 'ARGUMENTS': that line alone, on standard error, and exit status 2.
refused() {
    # shellcheck disable=SC2086
    "$command" $2 >log 2>said
    [ $? = 2 ] && [ ! -s log ] && [ "$(cat said)" = "gpuranmar$1" ]
    local got=$?
    cp said log
    report $got "gpuranmar$1"
}

# --- seeds audit ---
run 1 'a bit shift: exit status 1' 'seeds audit 169 1184' '1 2 bit shifts' '0 0 identical'
printf 'SEED 169 0 0\nEXIT\n' >$'odd "\n\\name'
run 1 '... in JSON' 'seeds audit --json json 54217137 879516807 1184 .' '1 2 bit shifts'
python3 - >got <<'END'
import json

found = json.load(open("json"))
row = found["pairs"][0]
print(row["first_seed"], row["first_line"], repr(row["first_file"]), row["second_seed"])
print(row["second_file"], row["kind"], row["how"], row["tied"], row["from"], row["to"])
print(found["counts"]["bits"], found["counts"]["twins"], found["more"], found["sequences"])
END
printf '%s\n' "169 1 './odd \"\\n\\\\name' 1184" 'None bits bits 1 1842 0 2073' '1 1 0 4' >expected
same '... whatever the name of a file' expected got
rm odd*
run 2 '... on a full disk' 'seeds audit --json /dev/full 169 1184' 'gpuranmar seeds audit: /dev/full: No space'
run 0 'nothing from position 4000 on: exit status 0' 'seeds audit --position 4000 169 1184'
run 1 'the figures of docs/seeds.md' 'seeds audit 1..100000' \
    '507 1014 word shifts' '16974 [0-9]+ bit shifts' '46981 [0-9]+ twins'
run 1 '... from position 1000 on' 'seeds audit --most 0 --position 1000 1..100000' \
    '169 [0-9]+ word shifts' '5547 [0-9]+ bit shifts' '5716 10756 all but'
run 1 '... from position 1500 on' 'seeds audit --position 1500 --most 1e9 1..100000'
ok '... 1689 pairs with ten tied numbers, those with the most first' \
    awk '/^[0-9].*[0-9]$/ && !/low bits/ { n += $(NF - 3) >= 10; bad += $(NF - 3) > last && last
         last = $(NF - 3) } END { exit bad || n < 1689 }' said
run 1 'the instances of a stream' 'seeds audit 99992568..100022649' '338 [0-9]+ word shifts'
run 0 'numbers that are not drawn are not tied' 'seeds audit --numbers 1 54217137 245729350 2147483647'
run 0 'lowest bits alone: exit status 0' \
    'seeds audit --position 4000 --numbers 9 214774411 198893438' \
    '214774411 198893438 low bits, words 1 8 4001 4008 31'
run 0 'a seed on the short cycle' 'seeds audit 942438977 7' \
    'Warning: seeds with .*: 1, such as 942438977\. .* 169 or 676'
run 0 '... whose bits repeat' 'seeds explain 942438977 942408901' \
    'Its first bits repeat after 169' 'Its first bits repeat after 676'
run 0 'no numbers after the last position' 'seeds audit --position 9223372036854775808 5 5'
# All pairs, one by one, would take hours.
yes 5 | head -n 1000000 >same
run 1 'one seed for all runs' 'seeds audit --most 1 same 5' '500000500000 1000001 identical' \
    '\.\.\. and 999999 pairs more: --most lists them'
run 0 'siblings' 'seeds audit 0..2 500' '3 seeds are siblings, in 1 groups with equal i, j and k'
run 1 '... each seed once' 'seeds audit 100 100 101' '2 seeds are siblings, in 1 groups'
run 0 '... if their first numbers are drawn' 'seeds audit --position 97 100..102 500'
ok '... ' [ "$(grep -c siblings said)" = 0 ]

# plan LINE...: a plan of these lines, the first of which is line 2.
plan() { printf '%s\n' '# gpuranmar seeds plan 1' "$@" >plan; }
plan 'a 1 5 1000 1000' 'b,1;5 1999,0'
run 1 'one seed twice' 'seeds audit plan' '5 \(plan:2\) 5 \(plan:3\) overlap 1 1999 1999 0'
plan 'a 1 5 1000 1000' 'b,1;5 2000,0'
run 0 'one seed, end to end' 'seeds audit plan'
plan 'c 2 5 4001 9 # text' 'd 1 5 4001 9' 'a 1 5 4000 9' \
    'b 2 5 4000 9' 'b 1 9 0 1 ! text' 'd 1 9 0 1'
run 1 'identical sequences, and one that overlaps them' 'seeds audit plan' \
    '3 5 identical' '4 4 overlaps' '7 5 all but' '6 sequences of 5 runs, flavour double'
ok '... identical ones first' [ "$(sed -n '2,3s/.* \(identical\) .*/\1/p' said | wc -l)" = 2 ]

mkdir cards
text='seed for 1. random number sequence'
printf 'RUNNR   1\nSEED    169   0   0   %s\nSEED    7   0   1\nEXIT\n' "$text" >cards/a.card
printf 'RUNNR   2\nseed  1184 0 x  electrons\nEXIT\n' >cards/b.card
printf 'nothing here\n' >cards/notes
refused ' seeds audit: cards/b.card line 2: not SEED and up to three numbers' 'seeds audit cards/b.card'
bad='cards/b.card line 2: not SEED and up to three numbers; the file is passed over'
run 3 'a template in a directory: named, the others are audited' 'seeds audit cards' \
    "gpuranmar seeds audit: $bad" '2 sequences of 1 run,' '1 files or folders could not be read'
sed -i 's/x/0/' cards/b.card
for line in 'SEED _SEED1_ 0 0' 'SEED {:d} 0 0' 'SEED 5 2147483648 0'; do
    printf 'SEED 169 4000 0\n%s\n' "$line" >cards/template
    run 1 "... beside pairs that are tied: $line" 'seeds audit cards' '3 sequences of 2 runs,' \
        'gpuranmar seeds audit: cards/template .*; the file is passed over'
done
echo '# gpuranmar seeds plan 2' >cards/template
run 1 '... and a plan of another version' 'seeds audit cards' \
    'gpuranmar seeds audit: cards/template is of another version .*; the file is passed over'
rm cards/template
run 1 'a directory of cards, with text after the numbers' 'seeds audit cards' \
    '3 sequences of 2 runs, flavour double' \
    '169 \(cards/a.card:2\) 1184 \(cards/b.card:2\) bits 1' \
    '1 files of directories were skipped: they are neither plans nor cards'
run 0 '... --position overrides them' 'seeds audit --position 4000 cards'
sed -i 's/1184 0/1184 4000/' cards/b.card
run 0 '... N1 counts' 'seeds audit cards'
run 1 '... and can be overridden' 'seeds audit --position 0 cards'
ln -s a.card cards/c.card
run 1 '... and a link counts' 'seeds audit cards' '5 sequences of 3 runs, flavour double'
printf '%s\n' '      SEED 5 0 0' 'SEED169 0 0!first' 'MSEED 7 0 0' ' EXIT' 'seed 5 0 0' \
    'mseed 7 0 0 !' 'MSEED 1184 0 0' >card
run 1 'a comment, no blank, a "!", MULTITHIN, and a second run' 'seeds audit card' \
    '5 sequences of 2 runs, flavour double' '1 2 identical' '1 2 bit shifts'
printf '* Segments of 9 numbers\nSEED 7 0 0\nEXIT\n' >nine
printf 'SEED 5 0 0\nEXIT\nSEED 5 100 0\n' >later
run 1 'a length of segments holds in its file alone' 'seeds audit nine later' '1 2 overlaps'
printf '# a list\n169\n\n1184 # with text\n' >list
run 1 'a list' 'seeds audit list' '1 2 bit shifts'
printf '\357\273\277SEED 169\r\n\357\273\277SEED\t1184,0\t0' >marked
run 1 "UTF-8's mark, DOS's ends of lines, tabs, no end of the last line" 'seeds audit marked' \
    '1 1 bit shifts'
printf 'SEED 999134848 0 0\nEXIT\n' >wraps
run 1 'a seed above 942438977 has the numbers of one below' 'seeds audit wraps 56695870' \
    '1 2 identical' '999134848 \(wraps:1\) 56695870 '

# --- seeds explain ---
run 1 'explain' 'seeds explain 54217137 245729350' 'tied 95 93 90 81 66 49 35 18 3 0 0$' \
    'seed 54217137: ij = 1802, kl = 9373; i = 12, j = 34, k = 56, l = 78; bit 609999 of cycle 68,'
run 1 '... bits' 'seeds explain 96499 47410' \
    'without its arithmetic part, x_96499\[n-1\] = 2\^10 x_47410\[n\] modulo 1, to 2\^-20\.$'
run 0 '... nothing' 'seeds explain 1 500'
run 1 '... one seed by two numbers' 'seeds explain 999134848 56695870' \
    'seed 999134848 has the numbers of 56695870'
run 1 '... siblings' 'seeds explain 100 101' '.* same. 224 of the 4656 bits of .* made with$'
run 1 '... twins that share two lowest bits for ever' 'seeds explain 54217137 879516807' \
    'The lowest 2 bits of their words stay tied for ever\.' 'tied 100 100 0 0 0 0 0 0 0 0 0$'
run 0 '... which an audit lists, wherever they start' \
    'seeds audit --position 1e15 54217137 879516807' '1 2 share their lowest bits alone'
run 1 '... twins 20 words apart' 'seeds explain 7471622 701614173' \
    'Tied: 68 numbers, between positions 20 and 193 of 701614173'
# Twins a bit apart, in both orders, or 32 words and some bits; all three signs differ.
for pair in '54217137 174035096' '174035096 54217137' '485738843 868071621' '54217137 882867232'; do
    run 0 "... correlated, not tied: $pair" "seeds explain $pair" \
        'first words are correlated, and so are their first numbers, but no numbers are tied$'
done

# --- seeds plan ---
planned() { "$command" seeds plan "$@" 2>warnings; }
run 0 'a plan' 'seeds plan --jobs 3 --sequences 2' '3 2 16777213 5001000000006 1000000000000$'
ok '... of which a header holds all' [ "$(grep -c headers said)" = 0 ]
said='CORSIKA.s headers round positions above 16777216000000'
run 0 'a plan of which a header does not' 'seeds plan --jobs 10000 --sequences 3' \
    "gpuranmar seeds plan: $said; up to --numbers 559207199 "
for numbers in 559207199 559207201; do
    run 0 "... with --numbers $numbers" "seeds plan --jobs 10000 --sequences 3 --numbers $numbers" \
        "10000 3 16777213 $((1000000001 + 29999 * numbers)) $numbers$"
    ok '... ' [ "$(grep -c headers said)" = $((numbers > 559207200)) ]
done
run 0 'a number whose fraction ends in zeros' 'seeds plan --jobs 1 --numbers 2.500e1' \
    '1 1 16777213 1000000001 25$'
for r in 0 1 999; do
    run 0 "rank $r by the rule of the user guide" "seeds plan --jobs 1000 --job $((r + 1)) --as cards" \
        "SEED 16777213 $((1 + r)) $((1 + 1000 * r))$"
    planned --jobs 1000 --job $((r + 1)) | tail -n 1 >got
    echo "$((r + 1)) 1 16777213 $((1000000001 + r * 1000000000001)) 1000000000000" >expected
    same '... and its position' expected got
done
run 0 '... beyond any' 'seeds plan --jobs 1 --position 1e18' "gpuranmar seeds plan: $said; keep"
run 0 '... whose seeds it does not hold' 'seeds plan --jobs 1 --seed 16777217' \
    'gpuranmar seeds plan: CORSIKA.s headers round seeds above 16777216; keep'
run 0 'lines for a shell' 'seeds plan --jobs 9 --sequences 2 --as env --job 9' \
    'export SEED_2=16777213 POSITION_2=17001000000018 NUMBERS_2=1000000000000 IJ_2=557 KL_2=21539$'
planned --jobs 9 --as env --by-seed --job 2 >lines
expected=$(planned --jobs 9 --by-seed --job 2 | tail -n 1)
ok '... which a shell reads' [ "$(. ./lines && echo "2 1 $SEED $POSITION $NUMBERS")" = "$expected" ]
ok '... the pair of seeds' [ "$(. ./lines && echo $((30082 * IJ + KL)))" = "$(cut -d' ' -f3 <<<"$expected")" ]
for as in plan cards 'cards --by-seed'; do
    planned --jobs 40 --sequences 3 --as $as >plan
    run 0 "a plan as $as, which an audit finds good" 'seeds audit plan' \
        '120 sequences of 40 runs, flavour double'
done
tail -n 1 plan >>plan
run 1 '... not one with a line twice' 'seeds audit plan'
mkdir -p site/2026/cards
planned --jobs 9 >site/plan
planned --jobs 9 --seed 7 --as cards --job 3 >site/2026/cards/3
run 0 'a plan and, in a subdirectory, cards of another' 'seeds audit site' \
    '10 sequences of 10 runs, flavour double'
planned --jobs 12 --as cards --job 9 >site/2026/cards/9
run 1 '... or of the same' 'seeds audit site' '1 2 identical'
planned --jobs 1000000 >plan
run 0 '... a million jobs of one seed too' 'seeds audit plan'
run 0 'a seed for a job' 'seeds plan --jobs 1 --by-seed' '1 1 16777213 4000 '
run 0 '... not on the short cycle' 'seeds plan --jobs 1 --seed 942438977' '1 1 0 '
for how in '--sequences 3' '--sequences 3 --numbers 1e17' '--by-seed --position 5000'; do
    planned --jobs 40 $how | awk '$1 == 33 || /Segments/' >expected
    run 0 "one job of a plan $how" "seeds plan --jobs 40 $how --job 33"
    grep -E '^33 |Segments' said >got
    same '... as in the whole' expected got
done
# 1999999 segments go on a seed.
seed=$(planned --by-seed --jobs 501 | awk '$1 == 501 { print $3 }')
run 0 'the last of 10^9 jobs, at once' 'seeds plan --jobs 1000000000 --job 1000000000' \
    "1000000000 1 $seed $((1000000001 + 999999999 % 1999999 * 1000000000001)) 1000000000000$"

# --- numbers ---
# Text has all digits of the bytes; words are the highest or the lowest 32 bits.
for how in 'single numbers' 'single words' 'double numbers' 'double words' 'double lowest'; do
    "$command" numbers --flavour ${how% *} --seed 1802 --count 1000 --raw ${how#* } >got
    "$command" numbers --flavour ${how% *} --seed 1802 --count 1000 | python3 -c '
import struct, sys
flavour, raw = sys.argv[1].split()
code = "I" if raw != "numbers" else flavour[0].replace("s", "f")
for u in map(float, sys.stdin):
    n = int(u * 2**48)
    n = {"numbers": u, "words": n >> 16, "lowest": n & 0xffffffff}[raw]
    if sys.argv[1] == "single words":
        sys.stdout.buffer.write(round(u * 2**24).to_bytes(3, "little"))
        continue
    sys.stdout.buffer.write(struct.pack("<" + code, n))' "$how" >expected
    same "numbers, $how" expected got
done
for at in {0,10}\ {1802,1803,1804}; do
    "$command" numbers --seed "${at#* }" --position "${at% *}" --count 10
done >expected
"$command" numbers --seed 1802 --instances 3 --prefetch 30 --count 60 >got
same 'numbers, 3 instances' expected got
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

run 0 'without --count it ends at the last position' 'numbers --position 9223372036854775807'
"$command" numbers --raw words | head -c 100000 >/dev/null
statuses=("${PIPESTATUS[@]}")
ok 'without --count it ends when nobody reads' [ "${statuses[0]}" = 0 ]
echo 2 >expected
for what in '--count 1e9 --raw words' '--count 3'; do
    {
        sleep 0.1 # until nobody reads
        "$command" numbers $what 2>said
        echo $? >>said
    } | true
    same "with $what only the status says that nobody reads" expected said
done
{ sleep 0.1 && "$command" device-check 2>said; } | true
! grep 'by signal 13' said # PoCL without /sys may end by another
report $? 'device-check that nobody reads blames no driver'
for what in numbers 'numbers --count 1e6' 'numbers --count 10 --raw numbers' info; do
    OCL_ICD_VENDORS=$SCRATCH "$command" $what >/dev/full 2>said # no driver that writes lines
    echo $? >>said
    printf 'gpuranmar %s: standard output: No space left on device\n2\n' "${what%% *}" >expected
    same "$what on a full disk" expected said
done
small=(env -i sh -c 'ulimit -s 20 && exec "$@"' -)
if [ -z "${SANITIZE-}" ] && "${small[@]}" true 2>/dev/null; then # with pages of 64 KiB it ends
    ok 'numbers with a stack of 20 KiB' "${small[@]}" "$command" numbers --count 2
    ok '... and a file of cards' "${small[@]}" "$command" seeds audit nine
fi

# --- Refusals: the line and, after a bar, the arguments ---
mkfifo pipe
truncate -s 1T zeros
printf '%065535d' 5 >long
head -c -3 site/plan >half
echo 'SEED-5 0 0' >negative
echo '5 6' >two
echo '5, ,6' >comma
echo 5x >text
echo '# none' >none
echo 2147483648 >large
echo 'SEED 5 2147483648 0' >skip
echo 'SEED 5 0 2147483648' >billions
echo 'SEED 5,,6' >commas
plan 'a 1 5 9223372036854775807 2' && mv plan past
plan 'a 1 5 9223372036854775809 1' && mv plan beyond
plan 'a 0 5 1 1' && mv plan zero
echo '# gpuranmar seeds plan 10' >version
keyed='flavour keyed has keys, not seeds: only equal keys share numbers'
flavours='double, single, extended, keyed'
binary='a byte in it is 0, or it is longer than 65534 bytes'
a_line='line 1: not a seed; put positions in a plan, give logs to production audit'
while IFS='|' read -r line arguments; do
    refused "$line" "$arguments"
done <<END
 seeds audit: no seeds: see --help|seeds audit
 seeds audit: --flavour: 'float' is none of $flavours|seeds audit --flavour float 1
 seeds audit: gpuranmar_seeds_audit: $keyed|seeds audit --flavour keyed 169 1184
 seeds audit: '2147483648': seeds are 0..2147483647, the lower one first in a range|seeds audit 2147483648
 seeds audit: -5...: no number may be negative|seeds audit -5 7
 seeds audit: '7..5': seeds are 0..2147483647, the lower one first in a range|seeds audit 7..5
 seeds audit: 2 numbers from position 9223372036854775807 on are past 2^63|seeds audit\
 --position 9223372036854775807 --numbers 2 5
 seeds audit: 'absent' is no seed, no range of seeds, and no file: No such file or directory|seeds\
 audit absent
 seeds audit: '/dev/zero' is neither a file nor a directory|seeds audit /dev/zero
 seeds audit: 'pipe' is neither a file nor a directory|seeds audit pipe
 seeds audit: zeros line 1: $binary|seeds audit zeros
 seeds audit: long line 1: $binary|seeds audit long
 seeds audit: half: its last line is not whole|seeds audit half
 seeds audit: negative line 1: not SEED and up to three numbers|seeds audit negative
 seeds audit: commas line 1: not SEED and up to three numbers|seeds audit commas
 seeds audit: skip line 1: N1 and N2 are not in 0..2147483647|seeds audit skip
 seeds audit: billions line 1: N1 and N2 are not in 0..2147483647|seeds audit billions
 seeds audit: large line 1: seed 2147483648 is not in 0..2147483647|seeds audit large
 seeds audit: past line 2: 2 numbers from position 9223372036854775807 on are past 2^63|seeds\
 audit past
 seeds audit: beyond line 2: 1 numbers from position 9223372036854775809 on are past 2^63|seeds\
 audit beyond
 seeds audit: zero line 2: a plan's line has run, sequence, seed, position, numbers|seeds audit zero
 seeds audit: /proc/self/mem: Input/output error|seeds audit /proc/self/mem
 seeds audit: two $a_line|seeds audit two
 seeds audit: comma $a_line|seeds audit comma
 seeds audit: text $a_line|seeds audit text
 seeds audit: none: there is no seed in it|seeds audit none
 seeds audit: version is of another version of this program|seeds audit version
 seeds explain: gpuranmar_seeds_compare: $keyed|seeds explain --flavour keyed 169 1184
 seeds explain: B: '1e' is not a number in 0..2147483647|seeds explain 1 1e
 seeds explain: B: '1.25e1' is not a number in 0..2147483647|seeds explain 1 1.25e1
 seeds explain: B: '1.e3' is not a number in 0..2147483647|seeds explain 1 1.e3
 seeds explain: B: '.1e3' is not a number in 0..2147483647|seeds explain 1 .1e3
 seeds explain: B: '1.2.3e9' is not a number in 0..2147483647|seeds explain 1 1.2.3e9
 seeds plan: gpuranmar_seeds_plan: skip = 14872, n = 1: there are no more than 14872 segments|seeds\
 plan --by-seed --jobs 20000 --job 14873
 seeds plan: --jobs is needed: see --help|seeds plan
 seeds plan: --as env: --job is needed|seeds plan --jobs 2 --as env
 seeds plan: --job: 4 is not in 1..3|seeds plan --jobs 3 --job 4
 numbers: --raw: 'doubles' is none of numbers, words, lowest|numbers --raw doubles
 numbers: --seed: '-1' is not a number in 0..942438977|numbers --seed -1
 numbers: --seed: '-1' is not a number in 0..18446744073709551615|numbers --seed -1 --flavour keyed
 numbers: there is no option -x: see --help|numbers --seed 5 -xy
 numbers: '5': only options are taken|numbers 5
 numbers: there is no option --sed: see --help|numbers --sed 5
 numbers: --seed: a value is missing|numbers --seed
 numbers: --count: 9223372036854775808 from position 1 is past 2^63|numbers --position 1\
 --count 9223372036854775808
: there is no subcommand 'seed': see --help|seed
: no subcommand: see --help|
: no subcommand of seeds: see --help|seeds
: there is no subcommand 'seeds check': see --help|seeds check
END
refused " numbers: '?[2J?': only options are taken" $'numbers \e[2J\233'
run 2 'the reason after a long argument' "numbers $(printf %09000d)" '.*: only options are taken'
GPURANMAR_THREADS=0 refused " info: environment variable GPURANMAR_THREADS: '0' is not 1 to 1024" \
    info
GPURANMAR_THREADS=$'\e[2J' refused " info: environment variable GPURANMAR_THREADS: '?[2J' is not 1\
 to 1024" info

# --- info, and subcommands elsewhere ---
GPURANMAR_THREADS=3 run 0 'info' info 'GPURANMAR_THREADS 3 \(set\)' \
    'GPURANMAR_PREFETCH 1024, with a GPU and one instance 1048576' \
    "libgpuranmar $("$command" --version)$"
mkdir -p prefix/bin
cp "$command" prefix/bin/
printf '#!/bin/sh\necho "other $*"\n' >prefix/bin/gpuranmar-other
chmod +x prefix/bin/gpuranmar-other
command=$PWD/prefix/bin/gpuranmar
run 0 'an executable beside the program is a subcommand' 'other --x 5' 'other --x 5$'
run 0 'those that come with it are in the list' --help 'which which generator'
cd "$root" || exit
finish
