#!/bin/bash
# The kernels compile for AMD's GPUs. They have never been run there.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
for architecture in ${HIP_ARCH:-gfx90a gfx1030}; do
    ok "hipcc for $architecture" ${HIPCC:-hipcc} --offload-arch="$architecture" --cuda-device-only \
        -nogpulib -S -o /dev/null -std=c++17 -O1 -Icsrc -Icsrc/include -Icuda -Icuda/include \
        -x hip cuda/tests/hip.cu
done
finish
