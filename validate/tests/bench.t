#!/bin/bash
# scripts/bench: rows are whole, sections can be measured by themselves, a bundle works elsewhere,
# and a program that fails is named.
cd "$(dirname "$0")/../.." || exit 1
. validate/tests/tap.sh
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

both() {
    grep -q '^## (b)' "$out/TABLE.md" && grep -q '^## (d)' "$out/TABLE.md" && [ -s "$out/rmmard.svg" ]
}

bundled() {
    scripts/bench --bundle "$bundle" && BUILD=$bundle bench --sections d --out "$SCRATCH/there" &&
        [ -s "$SCRATCH/there/results.json" ]
}

names_it() {
    ln -sf /bin/false "$bundle/bench/skip-shared"
    if BUILD=$bundle bench --sections d --out "$SCRATCH/bad" 2>"$SCRATCH/said"; then
        return 1
    fi
    grep 'skip-shared 0 0: 1$' "$SCRATCH/said"
}

ok 'calls of RMMARD' rows b 18
ok 'skips' rows d 4
ok 'the sections measured before are kept' both
ok 'a bundle' bundled
ok 'a program that fails is named' names_it
finish
