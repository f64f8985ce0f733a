#!/bin/bash
# The OpenCL kernels on a simulated device, which looks at each access: no races between the
# work-items of a group, and nothing outside of the memory given.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
[ -x "${BUILD:-build}/opencl/test_opencl" ] || skip_all 'the test of OpenCL is not built'
command -v oclgrind >/dev/null || skip_all 'oclgrind is not found'
export OCL_ICD_VENDORS=${OCLGRIND_ICD:-/usr/lib/oclgrind/liboclgrind-rt-icd.so}
# It knows fewer built-in functions than its compiler's optimiser uses.
export OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
export OCLGRIND_CHECK_API=1 OCLGRIND_DATA_RACES=1 OCLGRIND_LOG=$SCRATCH/log
unset GPURANMAR_DEVICE
for program in test_opencl test_opencl_calls; do
    "${BUILD:-build}/opencl/$program" 300 >"$SCRATCH/out" 2>&1 && ! grep -q SKIP "$SCRATCH/out" &&
        [ ! -s "$SCRATCH/log" ]
    report $? "$program: no race and nothing out of bounds"
    [ ! -s "$SCRATCH/log" ] || head -20 "$SCRATCH/log" | sed 's/^/# /'
done
finish
