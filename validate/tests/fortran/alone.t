#!/bin/bash
# Another library that would take the calls by Fortran's names is refused before anything starts.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
BUILD=$(realpath "${BUILD:-build}")
library=$BUILD/libgpuranmar.so.1 ilp64=$BUILD/libgpuranmar_ilp64.so.1
cp "$library" "$SCRATCH/copy.so"
printf 'S 1 1802 9 0\ndraw 1 5\n' >"$SCRATCH/script"

# refused NAME PROGRAM PRELOADED OWN [ROUTINE]: the program's own library refuses to start.
refused() {
    LD_PRELOAD=$3 "$2" <"$SCRATCH/script" >"$SCRATCH/said" 2>&1
    local status=$?
    echo "gpuranmar: ${5:-RMMAQD}: two libraries with numbered sequences in one program: calls by" \
        "Fortran's names arrive in $3, not in $4; link or load one of them only" |
        diff - "$SCRATCH/said" >"$SCRATCH/log"
    report $(($? || status != 1)) "$1"
}
refused '4-byte program, 8-byte library first' "$BUILD/replay-relinked" "$ilp64" "$library"
refused '8-byte program, 4-byte library first' "$BUILD/replay-ilp64-relinked" "$library" "$ilp64"
cat >"$SCRATCH/loads" <<END
#!/usr/bin/env python3
import ctypes
library = ctypes.CDLL("$library")
library.gpuranmar_stop_on(library.gpuranmar_initialise(1, 1802, 9373, 1, ctypes.c_int64(0)))
END
chmod +x "$SCRATCH/loads"
[ -n "$SANITIZE" ] || # python3 cannot load a library with the sanitizers
    refused 'a library loaded second' "$SCRATCH/loads" "$ilp64" "$library" gpuranmar_initialise

"$BUILD/replay-relinked" <"$SCRATCH/script" >"$SCRATCH/expected"
LD_PRELOAD=$SCRATCH/copy.so "$BUILD/replay-relinked" <"$SCRATCH/script" >"$SCRATCH/log" 2>&1
cmp "$SCRATCH/expected" "$SCRATCH/log"
report $? 'a copy of the same library first'
finish
