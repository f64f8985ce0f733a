#!/bin/bash
# The GPU's plugin is loaded from beside the library, or from where the system looks; without one
# the CPU makes the same numbers, and one line says why.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=${BUILD:-build}
name=libgpuranmar_cuda.so
mkdir "$SCRATCH"/{beside,elsewhere}
cp "$BUILD/plugin-use" "$BUILD"/libgpuranmar.so.? "$SCRATCH/beside"
for seed in 1 2; do
    "$BUILD/gpuranmar" numbers --seed $seed --count 25
done | awk '{ printf "%.17g\n", $1 }' >"$SCRATCH/numbers"

# runs NAME DEVICES LINE: the program's numbers are right, the report names those devices, and
# standard error has that line (a regular expression) alone.
runs() {
    rm -f "$SCRATCH/report"
    (
        cd "$SCRATCH" || exit
        GPURANMAR_REPORT=report LD_LIBRARY_PATH=$SCRATCH/elsewhere${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
            beside/plugin-use >said 2>log
        cmp said numbers >>log && grep -q "\"devices\": $2, " report &&
            [ "$(wc -l <log)" -le 1 ] && grep -Eqx "${3:-}" <<<"$(<log)"
    )
    report $? "$1"
}

if ldconfig -p 2>/dev/null | grep -q "$name"; then
    skip 'no plugin' "this machine has one installed"
else
    runs 'no plugin' null "gpuranmar: CUDA: $name: .*; the CPU goes on with the same numbers"
fi
cp "$BUILD/plugin.so" "$SCRATCH/elsewhere/$name"
runs 'a plugin where the system looks' '"fake"'
mv "$SCRATCH/elsewhere/$name" "$SCRATCH/beside"
runs 'a plugin beside the library' '"fake"'
cp "$BUILD/full_disk.so" "$SCRATCH/elsewhere/$name"
runs 'one in both places' '"fake"'
rm "$SCRATCH/beside/$name"
runs 'one without an entry' null \
    "gpuranmar: CUDA: $name is of another version; the CPU goes on with the same numbers"

finish
