#!/bin/bash
# scripts/bench: rows are whole, sections can be measured by themselves, a bundle works elsewhere, a
# program that is slower is seen as slower, and one that fails, or writes something else, is named.
cd "$(dirname "$0")/../.." || exit 1
. validate/tests/tap.sh
[ -x "${BUILD:-build}/bench/bulk" ] || skip_all 'not found: Fortran, dSFMT, GSL or Random123'
out=$SCRATCH/out bundle=$SCRATCH/bundle

bench() { scripts/bench --no-build --quick "$@"; }

rows() { # section, how many rows: each with ours, a peer, their ratio, and a limit
    bench --sections "$1" --out "$out" || return
    python3 - "$out/results.json" "$1" "$2" <<'END'
import json, sys
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["section"] == sys.argv[2]]
assert len(rows) == int(sys.argv[3]), len(rows)
for r in rows:
    for key in "ours", "peer", "limit":
        assert 0 < r[key]["low"] <= r[key]["median"] <= r[key]["high"], r
    assert abs(r["ratio"] * r["ours"]["median"] / r["peer"]["median"] - 1) < 1e-6, r
END
}

programs() { # section, how many rows: each with times, and a ratio unless it is the reference's
    bench --sections "$1" --out "$out" || return
    python3 - "$out/results.json" "$1" "$2" <<'END'
import json, sys
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["section"] == sys.argv[2]]
assert len(rows) == int(sys.argv[3]), len(rows)
for r in rows:
    for key in "cpu", "elapsed":
        assert 0 < r[key]["low"] <= r[key]["median"] <= r[key]["high"], r
    if r["variant"] != "reference":
        assert r["ratio"]["low"] <= r["ratio"]["median"] <= r["ratio"]["high"], r
    has_bound = sys.argv[2] == "h" and r["variant"] not in ("reference", "bound")
    assert ("share_of_bound" in r) == has_bound, r
END
}

levels() { # of SIMD: how many this machine has
    local level count=0
    for level in portable sse2 avx2 avx512 neon; do
        GPURANMAR_SIMD=$level "${BUILD:-build}/bench/start-relinked" 1 >/dev/null 2>&1 &&
            count=$((count + 1))
    done
    echo $count
}

both() {
    grep -q '^## (b)' "$out/TABLE.md" && grep -q '^## (d)' "$out/TABLE.md" &&
        [ -s "$out/rmmard.svg" ]
}

bundled() {
    scripts/bench --no-build --bundle "$bundle" &&
        BUILD=$bundle bench --rounds 1 --sections dh --out "$SCRATCH/there" &&
        [ -s "$SCRATCH/there/results.json" ] && [ -s "$SCRATCH/there/whole.svg" ]
}

# Puts a script in the place of the bundle's mix-relinked, which it may run as "$there"/mix-real.
replace_mix() {
    local there=$bundle/bench
    [ -e "$there/mix-real" ] || mv "$there/mix-relinked" "$there/mix-real"
    printf '#!/bin/sh\nthere=%s\n%s\n' "$there" "$1" >"$there/mix-relinked"
    chmod +x "$there/mix-relinked"
}

slower() {
    replace_mix \
        'for k in 1 2 3; do "$there"/mix-real "$@" >/dev/null; done; exec "$there"/mix-real "$@"'
    BUILD=$bundle bench --sections h --out "$SCRATCH/slow" || return
    python3 - "$SCRATCH/slow/results.json" <<'END'
import json, sys
rows = [r for r in json.load(open(sys.argv[1]))["rows"] if r["variant"] == "portable"]
ratio = {r["program"]: r["ratio"] for r in rows}
for program in "mix, proton", "mix, gamma":
    assert ratio[program]["significant"] and ratio[program]["high"] < 1, ratio
assert not (ratio["shower"]["significant"] and ratio["shower"]["high"] < 1), ratio
assert ratio["shower"]["median"] > 2 * ratio["mix, proton"]["median"], ratio
END
}

others() {
    replace_mix 'exec "$there"/mix-real "$1" 1'
    if BUILD=$bundle bench --sections h --out "$SCRATCH/bad" 2>"$SCRATCH/said"; then
        return 1
    fi
    grep '^bench: stdout: the outputs differ, first at byte' "$SCRATCH/said"
}

names_it() {
    ln -sf /bin/false "$bundle/bench/skip-shared"
    if BUILD=$bundle bench --sections d --out "$SCRATCH/bad" 2>"$SCRATCH/said"; then
        return 1
    fi
    grep 'skip-shared 0 0: 1$' "$SCRATCH/said"
}

one_line() { # what it says, arguments
    local said=$1
    shift
    bench "$@" >/dev/null 2>"$SCRATCH/said"
    [ $? = 2 ] && tail -n 1 "$SCRATCH/said" | grep "error: $said"
}

ok 'calls of RMMARD' rows b 20
ok 'skips' rows d 4
ok 'the sections measured before are kept' both
ok 'whole runs' programs h $((3 * (3 + $(levels))))
ok 'short runs' programs i 8
ok 'a bundle' bundled
ok 'a slower program is seen as slower' slower
ok 'a program that writes something else is named' others
ok 'a program that fails is named' names_it
ok 'an unknown section' one_line '--sections z: there are abcdefghij' --sections z
ok 'no rounds' one_line '--rounds 0: at least 1' --rounds 0
finish
