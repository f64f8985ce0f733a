#!/bin/bash
# The Fortran module's streams give the reference's bits, and errors as text.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=${BUILD:-build}

[ -n "$SANITIZE" ] || ulimit -v 700000 # kB
for _ in {1..5}; do
    seed=$((SRANDOM % 942377568)) position=$((1000 + SRANDOM % 3000000)) n=$((2 + SRANDOM % 10000))
    "$BUILD/reference-numbers" $seed $position 0 $n >"$SCRATCH/double"
    "$BUILD/reference-numbers" --single $seed $position 0 $n >"$SCRATCH/single"
    cat "$SCRATCH"/{double,double,double,double,double,double,single} >"$SCRATCH/expected"
    "$BUILD/module-use" $seed $position $n >"$SCRATCH/got" 2>"$SCRATCH/log"
    status=$?
    cp "$SCRATCH/log" "$SCRATCH/said"
    report $status "module-use $seed $position $n"
    same "the reference's numbers" "$SCRATCH/expected" "$SCRATCH/got"
done

cat >"$SCRATCH/lines" <<END
gpuranmar_stream_get: a stream of flavour single has no double numbers
gpuranmar_stream_initialise: seed = -1 is not in 0..942438977
gpuranmar_stream_restore: size = 40: truncated, 80 are needed
bad argument, gpuranmar_initialise: seed IJ = 31329 is not in 0..31328
$(sed -n 's/^.define GPURANMAR_VERSION_[^ ]* //p' csrc/include/gpuranmar.h | paste -sd.)
END
same 'errors and version as text' "$SCRATCH/lines" "$SCRATCH/said"

finish
