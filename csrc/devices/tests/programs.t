#!/bin/bash
# Programs that use OpenCL themselves: the Fortran module, and the examples, whose results are the
# CPU's to the bit.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=$(realpath "${BUILD:-build}")
"$build/gpuranmar" info | grep -A 1 '^opencl plugin' | grep -q '  device 0: ' ||
    skip_all 'no OpenCL device'
if [ -x "$build/opencl/fortran" ]; then
    "$build/opencl/fortran" >"$SCRATCH/log" 2>&1
    report $? 'the Fortran module'
fi
cd examples/opencl || exit
for program in pi transport; do
    "$build/examples/opencl/$program" >"$SCRATCH/log" 2>&1 && grep -v '^1\.\.1' "$SCRATCH/log" | grep '^#'
    grep -q '^ok 1' "$SCRATCH/log" || grep -q '^1..0 # SKIP' "$SCRATCH/log"
    report $? "examples/opencl/$program: $(sed -n 's/^ok 1 - //p; s/.*# SKIP/SKIP/p' "$SCRATCH/log")"
done
finish
