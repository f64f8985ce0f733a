#!/bin/bash
# A class as PYTHIA 8's Rndm, in both of its layouts, alone and with libgpuranmar_pythia8.so loaded
# before: the same numbers and states from any order of calls.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load a library with them'
BUILD=$(realpath "${BUILD:-build}") CXX=${CXX:-g++}
command -v "$CXX" >/dev/null || skip_all 'no C++ compiler is found'
compile=("$CXX" -std=c++11 -O2 -Wall -Wextra -Ivalidate/tests validate/tests/languages/pythia8.cc)
ours() { LD_PRELOAD=$BUILD/libgpuranmar_pythia8.so "$@"; }

for layout in '' -DPADDED; do
    lib=$SCRATCH/libpythia.so
    ok "the class, $layout" "${compile[@]}" $layout -DLIBRARY -fPIC -shared -o "$lib"
    ok '... and a program' "${compile[@]}" $layout -o "$SCRATCH/use" "$lib" "-Wl,-rpath,$SCRATCH"
    csrc/command/gpuranmar-which "$lib" >"$SCRATCH/log" 2>&1 &&
        grep -q LD_PRELOAD=libgpuranmar_pythia8.so "$SCRATCH/log" &&
        ! grep -q 'no interface' "$SCRATCH/log"
    report $? '... known to gpuranmar which'
    (
        cd "$SCRATCH" || exit
        for seed in $RANDOM $RANDOM $RANDOM; do
            ./use $seed >theirs && ours ./use $seed >ours && cmp theirs ours &&
                [ "$(wc -l <ours)" -gt 1000 ] || echo "seed $seed"
        done
    ) >"$SCRATCH/log" 2>&1
    [ ! -s "$SCRATCH/log" ]
    report $? 'the same from any order of calls'
    (cd "$SCRATCH" && ! ours ./use $RANDOM local 2>log >output) &&
        grep -qx 'gpuranmar: Rndm::flat: PYTHIA has drawn a number by itself: .*' "$SCRATCH/log"
    report $? 'PYTHIA draws by itself: one line'
done
finish
