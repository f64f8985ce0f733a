#!/bin/bash
# The Fortran module's streams give the same numbers by each call, and errors as text.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -n "$SANITIZE" ] || ulimit -v 700000 # kB
cat >"$SCRATCH/lines" <<END
bad argument, gpuranmar_stream_copy: stream is a null pointer
sequence not initialised, gpuranmar_get: sequence = 3 is used before it is set
bad argument, gpuranmar_stream_get: a stream of flavour single has no double numbers
bad argument, gpuranmar_stream_draw: a stream of flavour single has no double numbers
bad argument, gpuranmar_stream_draw_single: a stream of flavour double has no single numbers
bad argument, gpuranmar_stream_initialise: seed = -1 is not in 0..942438977
bad state, gpuranmar_stream_restore: size = 40: a saved state has 80 bytes
bad argument, gpuranmar_initialise: seed IJ = 31329 is not in 0..31328
$(sed -n 's/^.define GPURANMAR_VERSION_[^ ]* //p' csrc/include/gpuranmar.h | paste -sd.)
END
"${BUILD:-build}/module-use" >"$SCRATCH/log" 2>&1 && cmp -s "$SCRATCH/lines" "$SCRATCH/log"
report $? "module-use"
finish
