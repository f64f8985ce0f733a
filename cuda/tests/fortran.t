#!/bin/sh
# The cascade in Fortran, which draws in an OpenMP target or an OpenACC region, deposits what the C
# one does, to the bit: on the GPU where it was compiled for one and there is one, else on the host.
#
#     fortran.t [DIRECTORY]    where openmp/transport and openacc/transport are, and the libraries
#                              that they were linked with if they are not the system's; then both
#                              must have run on a device
build=${BUILD:-build}
directory=${1:-$build/examples/cuda/fortran}
export LD_LIBRARY_PATH="$directory${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
expected=$(LD_LIBRARY_PATH= "$build/cuda/transport_reference")
number=0
failed=0
for model in openmp openacc; do
    number=$((number + 1))
    made=$("$directory/$model/transport")
    printf '%s\n' "$made" | grep '^#'
    if [ "$(printf '%s\n' "$made" | grep -v '^#')" = "$expected" ] &&
        { [ $# -eq 0 ] || printf '%s\n' "$made" | grep -q '^#.* on the device'; }; then
        echo "ok $number - the same deposits and steps in Fortran, $model"
    else
        echo "not ok $number - the same deposits and steps in Fortran, $model"
        failed=1
    fi
done
echo "1..$number"
exit $failed
