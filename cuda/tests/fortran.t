#!/bin/bash
# The cascade in Fortran, which draws in an OpenMP target or an OpenACC region, deposits what the C
# one does, to the bit: on the GPU where it was compiled for one and there is one, else on the host.
#
#     fortran.t [DIRECTORY]    where openmp/transport and openacc/transport are, and the libraries
#                              that they were linked with if they are not the system's; then both
#                              must have run on a device
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}
directory=${1:-$build/examples/cuda/fortran}
export LD_LIBRARY_PATH="$directory${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
expected=$(LD_LIBRARY_PATH= "$build/cuda/transport_reference")
# If libgomp finds a GPU, it ends a program whose OpenACC regions are there for the host alone.
grep -qs foffload=disable "$directory/openacc/transport.cmd" && export ACC_DEVICE_TYPE=host
for model in openmp openacc; do
    made=$("$directory/$model/transport")
    printf '%s\n' "$made" | grep '^#'
    diff <(grep -v '^#' <<<"$made") - <<<"$expected" >"$SCRATCH/log" &&
        { [ $# -eq 0 ] || grep -q '^#.* on the device' <<<"$made"; }
    report $? "the same deposits and steps in Fortran, $model"
done
finish
