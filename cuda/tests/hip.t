#!/bin/sh
# The kernels compile for AMD's GPUs. They have never been run there.
number=0
failures=0
for architecture in ${HIP_ARCH:-gfx90a gfx1030}; do
    number=$((number + 1))
    if errors=$(${HIPCC:-hipcc} --offload-arch="$architecture" --cuda-device-only -nogpulib -S -o /dev/null \
        -std=c++17 -O1 -Icsrc -Icsrc/include -Icuda -Icuda/include -x hip cuda/tests/hip.cu 2>&1); then
        echo "ok $number - hipcc for $architecture"
    else
        echo "not ok $number - hipcc for $architecture"
        printf '%s\n' "$errors" | sed 's/^/# /' | head -40
        failures=1
    fi
done
echo "1..$number"
exit $failures
