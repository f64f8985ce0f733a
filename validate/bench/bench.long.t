#!/bin/bash
# scripts/bench: rows are whole and true to their programs, programs work where they were copied to,
# and one that fails, or writes something else, is named. (measure.t and compare-profiles.long.t see
# that one which is slower is seen as slower.)
cd "$(dirname "$0")/../.." || exit 1
. validate/tests/tap.sh
build=${BUILD:-build}
[ -x "$build/bench/calls-shared" ] || skip_all 'no Fortran compiler is found'
out=$SCRATCH/table.md

bench() { scripts/bench --no-build --quick --out "$out" "$@" >"$SCRATCH/said" 2>&1; }

# rows SECTION COUNT: so many rows; the ratio of each to its peer, or else to its limit in percent,
# is that of the medians, but for scatter.
rows() {
    bench --sections "$1" || return
    awk -F '|' -v count="$2" '
        /^\| [^w-]/ && !/^\| what/ {
            ++rows
            ratio = $5 + 0 > 0 ? $6 * $3 / $5 : $9 / 100 * $3 / $8
            bad += !(ratio > 0.5 && ratio < 2)
        }
        END { print rows, "rows,", bad + 0, "bad"; exit rows != count || bad }' "$out"
}
levels=$("$build/gpuranmar" info | sed -n 's/^SIMD levels: \([^;]*\);.*/\1/p' | wc -w)
ok 'whole runs' rows whole_runs $((1 + levels))
ok 'scalar work beside fills' rows scalar_work $((2 * levels))
mkdir "$SCRATCH/copy" && cp -r "$build"/{gpuranmar,libgpuranmar.so*,shower-re*,bench} "$SCRATCH/copy"
export BUILD=$SCRATCH/copy
ok 'calls of RMMARD, by copied programs' rows calls 15

# fails LINE ARGUMENT...: what it says last.
fails() {
    local line=$1
    shift
    ! bench "$@" && tail -n 1 "$SCRATCH/said" | grep "$line"
}
mv "$BUILD/shower-relinked" "$BUILD/shower-real"
printf '#!/bin/sh\n%s && echo more\n' "$BUILD/shower-real" >"$BUILD/shower-relinked"
chmod +x "$BUILD/shower-relinked"
ok 'a program that writes something else is named' \
    fails '^bench: stdout: the outputs differ, first at byte' --sections whole_runs
ln -sf /bin/false "$BUILD/bench/calls-shared"
ok 'a program that fails is named' fails 'calls-shared [0-9]*: 1$' --sections calls
ok 'an unknown section' fails 'error: --sections: there is no z, there are' --sections z
ok 'no rounds' fails 'error: --rounds 0: at least 1' --rounds 0

# Peers that were not found when the program was built.
mv "$BUILD/bench/arrays" "$BUILD/bench/arrays-real"
printf '#!/bin/sh\n[ "$1" = peers ] && exec echo store\nexec "$0-real" "$@"\n' \
    >"$BUILD/bench/arrays"
chmod +x "$BUILD/bench/arrays"
bench --sections arrays
ok 'a peer that is not there is left out with a word' \
    grep '^bench: arrays without Random123, which was not found$' "$SCRATCH/said"
ok '... and the rest is measured' grep '^| single, in cache | [0-9][^|]* |  |  |  | a store' "$out"
rm "$BUILD/bench/arrays"
bench --sections arrays
ok 'a section whose programs are missing is left out' \
    grep '^bench: without arrays: no program bench/arrays$' "$SCRATCH/said"
finish
