#!/bin/bash
# The scheduler: a sample of two tests, and with a driver that only pretends, what becomes of
# restarts, failing jobs and suspicious p-values.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
export BUILD=${BUILD:-build} PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=detect_leaks=0 # TestU01 leaks
[ -x "$BUILD/crush-driver" ] || skip_all "TestU01 is not installed: scripts/install-deps --testu01"
all_need parallel

out=$SCRATCH/out
crush() { validate/crush --out "$out" --jobs 2 "$@" 2>"$SCRATCH/said"; }
# p_values FILE: commands and p-values, without times.
p_values() { sed 's/, "seconds".*//' "$1" | sort; }

crush --help >"$SCRATCH/help"
ok "the help begins with what is to be installed and built" \
    grep -Pzq '\n  scripts/install-deps --testu01\n  make crush\n' "$SCRATCH/help"

ok "two tests" crush --tests 3,7 --no-follow-up
ok "... two results" test "$(wc -l <"$out/results.jsonl")" = 2
ok "... and a report" grep -q 'double | SmallCrush | 54217137 | 2 of 15 | 2 ' "$out/report.md"

sed -i 2d "$out/results.jsonl"
printf '{"command": "--battery sm' >>"$out/results.jsonl" # as a kill leaves it
ok "goes on where it stopped" crush --tests 3,7 --no-follow-up
ok "... the line cut short is named" grep -q 'results.jsonl: the last line was cut short' \
    "$SCRATCH/said"
ok "... and healed: two whole results" \
    test "$(grep -c '^{.*}$' "$out/results.jsonl") $(wc -l <"$out/results.jsonl")" = "2 2"
ok "... which have date, commit and definition" \
    test "$(grep -c '"date": "20.*"commit": ".*"definition": "double-' "$out/results.jsonl")" = 2
ok "... the test that was done is not run again" grep -q '2 tests, 1 done before' "$SCRATCH/said"

sed -n 's/.*"command": "\(.*\)", "p".*/\1/p' "$out/results.jsonl" |
    while read -r command; do "$BUILD/crush-driver" $command; done >"$SCRATCH/alone"
p_values "$SCRATCH/alone" >"$SCRATCH/alone.p"
grep seconds "$out/results.jsonl" >"$SCRATCH/results" &&
    p_values "$SCRATCH/results" >"$SCRATCH/results.p"
same "a result's command alone gives its p-values" "$SCRATCH/alone.p" "$SCRATCH/results.p"

# TestU01 has a RANMAR of its own: the same numbers, the same p-values.
p_of() {
    "$BUILD/crush-driver" --battery small --test 2 --seed 54217137 --position 0 --pair \
        --flavour "$1" | grep -o '"p": [^]]*'
}
p_of ranmar >"$SCRATCH/theirs"
p_of single >"$SCRATCH/ours"
same "single precision is TestU01's RANMAR" "$SCRATCH/theirs" "$SCRATCH/ours"

# Bit 47 of extended is linear; and a sequence less itself is 0.
p_of_bit() {
    "$BUILD/crush-driver" --battery bits --test 1176 --seed 54217137 --flavour "$@" |
        grep -q '"MatrixRank, bit 47", 0\]'
}
ok "the lowest bit of extended fails MatrixRank" p_of_bit extended
not_ok() { ! "$@"; }
ok "... that of keyed does not" not_ok p_of_bit keyed
ok "... but for that of a key less itself" p_of_bit keyed --minus 54217137

# refused LINE ARGUMENT...: one line on stderr, and no success.
refused() {
    local line=$1
    shift
    "$BUILD/crush-driver" "$@" >"$SCRATCH/log" 2>&1 && echo "exit status 0" >>"$SCRATCH/log"
    [ "$(cat "$SCRATCH/log")" = "crush-driver: $line" ]
    report $? "$line"
}
refused "--battery: 'huge' is no battery" --battery huge
refused "--test: 11 is not in 1..10" --battery small --test 11
refused "--size: only Rabbit and Alphabit have one" --battery small --size 30
refused "--flavour: there is no 'plain'" --battery small --flavour plain
refused "--bits: '48-0' is not a number in 0..47" --battery small --bits 48-0
refused "--seed: '-1' is not a number in 0..942438977" --battery small --seed -1

refused "--instances, --substreams, --first: TestU01's own generators have none" --battery small \
    --flavour ranmar --instances 8
refused "--bits: single precision has bits 0..23" --battery small --flavour single --bits 30-40

# crush_refused LINE ARGUMENT...: so with the scheduler.
crush_refused() {
    local line=$1
    shift
    crush "$@" && echo "exit status 0" >>"$SCRATCH/said"
    [ "$(tail -1 "$SCRATCH/said")" = "crush: $line" ]
    report $? "$line"
}
crush_refused "--tests: there is no 99, a" --tests 1,99,a
crush_refused "crush-driver --list --battery small --flavour foo --seed 54217137 failed" \
    --flavours double,foo
crush_refused "--jobs: -3 is not above 0" --jobs -3
crush_refused "--minutes: 0 is not a number above 0" --minutes 0
crush_refused "--minutes: nan is not a number above 0" --minutes nan
crush_refused "--minutes: inf is not a number above 0" --minutes inf
crush_refused "--tests: '' has an empty name" --tests ''
crush_refused "--tests: '3,' has an empty name" --tests 3,
echo "--battery 'small" >"$SCRATCH/plan"
crush_refused "--plan: $SCRATCH/plan: No closing quotation" --plan "$SCRATCH/plan"
crush_refused "--plan: its lines have the batteries, flavours and seeds" --plan x --seeds 1

# A driver that only pretends.
cp validate/testu01/pretended-driver "$SCRATCH/crush-driver"
out=$SCRATCH/pretended
BUILD=$SCRATCH
crush --flavours double,extended,single
ok "with a driver that fails sometimes: exit status 1" test $? = 1
ok "... a job that failed once ran again" \
    test "$(grep -c '"--battery small --test 1' "$out/results.jsonl")" = 3
ok "... one that fails twice is named" grep -q 'failed twice: .*--test 2 --flavour double' \
    "$SCRATCH/said"
ok "... bad on fresh seeds too: a failure" \
    grep -q 'flavour double .* 1.0e-05 | 1.0e-05, 1.0e-05, 1.0e-05 | failure |' "$out/report.md"
ok "... good on fresh seeds: chance" \
    grep -q 'flavour extended .* 5.0e-04 | 0.5000, 0.5000, 0.5000 | chance |' "$out/report.md"
ok "... never good on fresh seeds: a failure" \
    grep -q 'flavour single .* 1 - 1.0e-04 | 0.9980, 0.9980, 0.9980 | failure |' "$out/report.md"

# --- Under stress ---
# Jobs end in any order. Sorted, line 2 is of flavour extended, as is the last but one.
LC_ALL=C sort "$out/results.jsonl" >"$SCRATCH/good"
damaged() { # NAME LINE-OF-SED MESSAGE
    sed "$2" "$SCRATCH/good" >"$out/results.jsonl"
    crush --flavours double && echo "exit status 0" >>"$SCRATCH/said"
    cp "$SCRATCH/said" "$SCRATCH/log"
    [ "$(grep -c . "$SCRATCH/said")" = 1 ] &&
        grep -q "^crush: .*results.jsonl line $3" "$SCRATCH/said"
    report $? "$1 is named, in one line"
}
damaged "a foreign line" '2s/.*/hello/' "2 is no result of crush-driver: 'hello"
damaged "a number" '2s/.*/42/' "2 is no result"
damaged "a result without p-values" '1s/"p"/"q"/' "1 is no result"
damaged "two results glued together" '1s/\(.*\)/{"command": "--batt\1/' "1 is no result"
damaged "a p-value that is none" '1s/"T", [^]]*/"T", "x"/' "1 is no result"
damaged "a line with bytes that are no text" '2s/.*/\xff\xfe/' "2 is no result"
damaged "a result of another definition" '2s/extended-1"/extended-0"/; 2p' \
    "6 is of another definition of extended"
cp "$SCRATCH/good" "$out/results.jsonl"
other="--out: $out has results of another definition of double, double-1; this is double-2"
PRETENDED_DEFINITION=2 crush_refused "$other" --flavours double
printf '%s' "$(cat "$SCRATCH/good")" >"$out/results.jsonl"
crush --flavours double
same "a last line without its end is whole" "$SCRATCH/good" "$out/results.jsonl"

out=$SCRATCH/slow
PRETENDED_TESTS=4 BUILD=$SCRATCH validate/crush --out "$out" --flavours double --no-follow-up \
    >"$SCRATCH/first" 2>&1 &
first=$!
for _ in {1..100}; do
    pgrep -f "^[^ ]*bash $SCRATCH/crush-driver --battery" >/dev/null && break
    sleep 0.1
done
crush_refused "--out: another run, process $first, writes to $out" --flavours double
jobs=$(pgrep -f "$SCRATCH/crush-driver --battery")
kill -9 $first
wait $first 2>/dev/null
for _ in {1..50}; do
    pgrep -f "$SCRATCH/crush-driver --battery" >/dev/null || break
    sleep 0.1
done
ok "a job was running" test -n "$jobs"
ok "... it ends when its run is killed" test -z "$(pgrep -f "$SCRATCH/crush-driver --battery")"
ok "... and the next run goes on" crush --flavours double --no-follow-up --tests 3

# --- The verdict: BigCrush's tests 60 and 61 of `extended`, which are real, were called chance ---
cat >"$SCRATCH/verdict.py" <<'END'
import sys
sys.path.insert(0, "validate")
from testu01 import results

def verdict(p, again, statistics, name="T"):
    command = "--battery big --test 60 --flavour extended --seed 1 --position 0"
    repeated = {results.follow_up(command, i + 1): {"p": [[name, q]]} for i, q in enumerate(again)}
    return results.verdict(command, 0, p, repeated, statistics)

assert verdict(1.5e-5, [0.12, 0.22, 0.0037], 160) == "failure"
assert verdict(1.3e-6, [0.14, 0.11, 0.70], 160) == "failure"
assert verdict(5e-4, [0.85, 0.25, 0.46], 160) == "chance"
assert verdict(1 - 6.2e-4, [0.11, 0.40, 0.48], 160) == "chance"
assert verdict(1e-11, [], 160) == "failure"
assert verdict(1e-5, [0.5], 160) == "suspicious"
coarse = "ClosePairsBitMatch, t = 4"
assert verdict(2e-4, [0.0553, 0.0553, 0.0553], 144, coarse) == "chance"
assert verdict(2e-4, [2e-4, 2e-4, 9e-4], 144, coarse) == "failure"
assert verdict(2e-4, [0.0553, 0.0553, 0.0553], 144) == "failure"
# A good generator: in how many runs of 160 p-values is there a failure?
import random
random.seed(1)
runs, failures = 20000, 0
for _ in range(runs):
    for _ in range(160):
        p = random.random()
        if results.suspicious(p):
            failures += verdict(p, [random.random() for _ in range(3)], 160) == "failure"
print(failures / runs)
assert failures / runs < 0.01
END
ok "the rule, and how often it is wrong" python3 "$SCRATCH/verdict.py"
finish
