#!/bin/sh
# The cascade in Fortran, which draws in an OpenMP target region, deposits what the C one does, to
# the bit: on the GPU where it was compiled for one and there is one, else on the host.
#
#     fortran.t [DIRECTORY]    where transport_fortran is, and the libraries that it was linked with
#                              if they are not the system's
build=${BUILD:-build}
directory=${1:-$build/examples/cuda}
export LD_LIBRARY_PATH="$directory${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
made=$("$directory/transport_fortran")
printf '%s\n' "$made" | grep '^#'
if [ "$(printf '%s\n' "$made" | grep -v '^#')" = "$(LD_LIBRARY_PATH= "$build/cuda/transport_reference")" ]; then
    echo "ok 1 - the same deposits and steps in Fortran"
else
    echo "not ok 1 - the same deposits and steps in Fortran"
    failed=1
fi
echo "1..1"
exit ${failed:-0}
