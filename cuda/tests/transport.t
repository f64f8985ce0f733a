#!/bin/bash
# The transport example counts the same neutrons in C, in CUDA, and in Fortran's target regions.
#
#     transport.t [DIRECTORY]  has openmp/transport and openacc/transport, and those of their
#                              libraries that the system lacks; if DIRECTORY is given, both must
#                              have run on a device
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=${BUILD:-build}/examples/cuda
directory=${1:-$build/fortran}
expected=$("$build/transport_cpu") || expected="exit status $?"
awk '{ n += $3 } END { exit n != 2112 * 32 * 50 }' <<<"$expected" >"$SCRATCH/log"
report $? 'C, each neutron is counted once'
if [ -x "$build/transport" ]; then
    made=$("$build/transport") || made="exit status $?"
    skip=$(sed -n 's/.*\(# SKIP\)/\1/p' <<<"$made")
    [ -n "$skip" ] || [ "$made" = "$expected" ]
    report $? "CUDA $skip"
fi
export LD_LIBRARY_PATH="$directory${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
for model in openmp openacc; do
    [ -x "$directory/$model/transport" ] || continue
    # If libgomp finds a GPU, it ends a program whose OpenACC regions are there for the host alone.
    ! grep -qs foffload=disable "$directory/$model/transport.cmd" || export ACC_DEVICE_TYPE=host
    made=$("$directory/$model/transport") || made="exit status $?"
    [ "$(sed 1d <<<"$made")" = "$expected" ] && { [ $# -eq 0 ] || [[ $made == '# on the device'* ]]; }
    report $? "Fortran, $model, ${made%%$'\n'*}"
done
finish
