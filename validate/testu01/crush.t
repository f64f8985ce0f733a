#!/bin/bash
# validate/crush: what becomes of results, restarts and failing tests; and crush-driver's sources.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
export BUILD=${BUILD:-build} PYTHONDONTWRITEBYTECODE=1
[ -x "$BUILD/crush-driver" ] || skip_all "TestU01 is not installed: scripts/install-deps --testu01"
all_need parallel

out=$SCRATCH/out
crush() { validate/crush --out "$out" --jobs 2 "$@" >"$SCRATCH/said" 2>&1; }
said() { grep -q -- "$1" "$SCRATCH/said"; }
# p_values FILE: commands and p-values, without times.
p_values() { sed 's/, "seconds".*//' "$1" | sort; }

ok "two tests" crush --test 3,7
ok "... a line for each" said '^\[2/2\] --battery small --test .*: .* 0\.'
ok "... the verdict and the report's place" \
    said "0 failures, 0 by chance, 0 not followed up, 0 tests not run; report: $out/report.md"
ok "... which has the run" grep -q '^| double | SmallCrush | 54217137 | 2 of 15 | 2 ' "$out/report.md"
if needs "the picture" gnuplot; then
    ok "... and the picture" grep -q 'SmallCrush: double' "$out/p-values.svg"
fi
ok "... the results have date, commit and definition" \
    test "$(grep -c '"date": "20.*"commit": ".*"definition": "double-' "$out/results.jsonl")" = 2

cp "$out/results.jsonl" "$SCRATCH/whole"
sed -i 2d "$out/results.jsonl"
printf '{"command": "--battery sm' >>"$out/results.jsonl" # as a kill leaves it
ok "goes on where it stopped" crush --test 3,7
ok "... the line cut short is named" said 'results.jsonl: the last line was cut short'
ok "... and only its test runs again" said 'results: 1 of 2 tests to run'
same "... with the same p-values" <(p_values "$SCRATCH/whole") <(p_values "$out/results.jsonl")

# refused LINE COMMAND...: it ends with one line, and with the exit status 2.
refused() {
    local line=$1 status
    shift
    "$@" >"$SCRATCH/log" 2>&1
    status=$?
    [[ $(tail -n 1 "$SCRATCH/log") == $line ]] && [ $status = 2 ]
    report $? "$line"
}
damaged() { # PROGRAM-OF-SED LINE
    sed -i "$1" "$out/results.jsonl"
    refused "crush: *results.jsonl line 2 is $2" validate/crush --out "$out"
    cp "$SCRATCH/whole" "$out/results.jsonl"
}
damaged '2s/.*/hello/' "no result of crush-driver: 'hello*"
damaged '2s/"p"/"q"/' 'no result *'
damaged '2s/\(.*", \)[^]]*/\12.5/' 'no result *'
damaged '2s/"double-/"double-x/' 'of another definition of double, *'
refused 'crush: crush-driver --list *--flavour foo failed' validate/crush --flavour double,foo
refused 'crush: crush-driver --list *--nope failed' validate/crush --nope
refused 'crush: --jobs: -3 is not above 0' validate/crush --jobs -3
refused 'crush: /no/such: No such file or directory' validate/crush --plan /no/such
refused 'crush: --plan: its lines have the arguments, *' validate/crush --plan x --seed 1
exec 8>>"$out/results.jsonl" && flock 8
refused "crush: --out: another run writes to $out/results.jsonl" validate/crush --out "$out"
exec 8>&-

driver=$BUILD/crush-driver
refused "crush-driver: --battery: 'huge' is none of small, *" "$driver" --battery huge
refused "crush-driver: --substreams: '8/0' is not two numbers in 1..*" \
    "$driver" --battery small --substreams 8/0
refused "crush-driver: --test: 11 is not in 1..10" "$driver" --battery small --test 11
refused "crush-driver: --size: only *" "$driver" --battery small --size 30
refused "crush-driver: --lags: '0,9,9' are *" \
    "$driver" --battery lacunary --lags 0,9,9 --points 9 --cells 9
refused "crush-driver: --flavour: there is no 'plain'" "$driver" --battery small --flavour plain
refused "crush-driver: --bits: '48-0' is not two numbers in 0..47" "$driver" --battery small --bits 48-0
refused "crush-driver: --seed: '-1' is not *" "$driver" --battery small --seed -1
refused "crush-driver: --seed: only keyed takes one above 942438977" \
    "$driver" --battery small --seed 942438978
refused "crush-driver: --minus: only keyed *" "$driver" --battery small --minus 942438978
refused "crush-driver: --instances, *" "$driver" --battery small --flavour ranmar --instances 8
refused "crush-driver: --bits: single *" "$driver" --battery small --flavour single --bits 30-40

# A driver that fails at test 2, and at test 4 kills what started it.
mkdir "$SCRATCH/bad"
cat >"$SCRATCH/bad/crush-driver" <<END
#!/bin/bash
case "\$*" in *--list*) ;; *"--test 2 "*) exit 1 ;; *"--test 4 "*) kill -9 \$PPID; sleep 9 ;; esac
exec $(realpath "$driver") "\$@"
END
chmod +x "$SCRATCH/bad/crush-driver"
out=$SCRATCH/failing
BUILD=$SCRATCH/bad crush --test 1,2
ok "a test that fails: exit status 1" test $? = 1
ok "... and it is named" said 'not run: --battery small --test 2 '
ok "... the others are kept" test "$(grep -c . "$out/results.jsonl")" = 1
BUILD=$SCRATCH/bad crush --test 4
ok "GNU parallel is killed: exit status 1" test $? = 1
ok "... and what was not run is named" said 'not run: --battery small --test 4 '
ok "the run goes on with a driver that works" crush --test 1,2,4

# --- The sources of numbers ---

seen() { "$driver" --numbers "$@"; }
numbers() { "$BUILD/gpuranmar" numbers --count "$@"; }
same "single precision is TestU01's RANMAR" <(seen 1000 --pair --flavour ranmar) \
    <(seen 1000 --pair --flavour single)
same "substreams take turns" <(seen 4 --substreams 2/10 --position 5) \
    <(for at in 5 15 6 16; do numbers 1 --position $at; done)
same "seeds in turn" <(seen 4 --first 2 --seed 8 --position 3) \
    <(for seed in 8 9; do numbers 2 --position 3 --seed $seed; done)
same "the difference of two seeds" <(seen 100 --seed 8 --minus 9) \
    <(paste <(numbers 100 --seed 8) <(numbers 100 --seed 9) |
        awk '{d = $1 - $2; printf "%.17g\n", d < 0 ? d + 1 : d}')
same "16 bits in order, and reversed" <(seen 100 --bits 8-23 && seen 100 --bits 23-8) \
    <(numbers 100 | awk '{
        v = int($1 * 2^24) % 2^16; r = 0
        for (b = 0; b < 16; ++b) r += int(v / 2^b) % 2 * 2^(15 - b)
        print v / 2^16; reversed[NR] = r / 2^16
    } END {for (i = 1; i <= NR; ++i) print reversed[i]}' OFMT=%.17g)
p_of() {
    "$driver" --battery small --test 2 --seed 54217137 --position 0 "$@" | grep -o '"p": [^]]*'
}
largest=18446744073709551615
differ() { ! cmp -s "$@"; }
ok "keys have all 64 bits" differ <(p_of --flavour keyed --seed $largest) \
    <(p_of --flavour keyed --seed $((largest >> 1)))
ok "... in the command that repeats a test" grep -q -- "--seed $largest " \
    <("$driver" --battery small --test 2 --flavour keyed --seed $largest --list)

# Bit 47 of extended is linear; a sequence less itself is 0.
is_linear() {
    "$driver" --battery bits --test 1176 --seed 54217137 --flavour "$@" |
        grep -q '"MatrixRank, bit 47", 0\]'
}
is_not_linear() { ! is_linear "$@"; }
ok "the lowest bit of extended fails MatrixRank" is_linear extended
ok "... that of keyed does not" is_not_linear keyed
ok "... but for that of a key less itself" is_linear keyed --minus 54217137

# --- The verdict: BigCrush's tests 60 and 61 of `extended`, which are real, were called chance ---
cat >"$SCRATCH/verdict.py" <<'END'
import random
import sys
sys.path.insert(0, "validate")
from testu01.results import suspicious, verdict

assert verdict("T", 1.5e-5, [0.12, 0.22, 0.0037], 160) == "failure"
assert verdict("T", 1.3e-6, [0.14, 0.11, 0.70], 160) == "failure"
assert verdict("T", 5e-4, [0.85, 0.25, 0.46], 160) == "chance"
assert verdict("T", 1 - 6.2e-4, [0.11, 0.40, 0.48], 160) == "chance"
assert verdict("T", 1 - 1.5e-5, [0.88, 0.78, 0.9963], 160) == "failure"
assert verdict("T", 1e-11, [], 160) == "failure"
assert verdict("T", 1e-5, [0.5], 160) == "suspicious"
assert verdict("ClosePairsBitMatch, t = 4", 2e-4, [0.0553] * 3, 144) == "chance"
assert verdict("ClosePairsBitMatch, t = 4", 2e-4, [2e-4, 2e-4, 9e-4], 144) == "failure"
assert verdict("T", 2e-4, [0.0553] * 3, 144) == "failure"
# A good generator: in how many runs of 160 p-values is there a failure?
random.seed(1)
runs, failures = 20000, 0
for p in (random.random() for _ in range(160 * runs)):
    if suspicious(p):
        failures += verdict("T", p, [random.random() for _ in range(3)], 160) == "failure"
print(failures / runs)
assert failures / runs < 0.01
END
ok "the rule, and how often it is wrong" python3 "$SCRATCH/verdict.py"
finish
