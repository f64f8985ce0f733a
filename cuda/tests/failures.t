#!/bin/bash
# Where the CUDA plugin, its right version or a device is missing, the CPU goes on with the same
# numbers, and one line says so. The program under test is test_delivery.cu, which compares with
# the CPU's streams; it finds the plugin that lies beside it.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
export VALIDATE_SEED=${VALIDATE_SEED:-$(date +%s)}
echo "# VALIDATE_SEED=$VALIDATE_SEED"

# one_line PLUGIN NAME
one_line() {
    "${BUILD:-build}/cuda/failing/$1/delivery" quick >/dev/null 2>"$SCRATCH/log" &&
        [ "$(grep -c 'gpuranmar: CUDA: .*; the CPU goes on' "$SCRATCH/log")" = 1 ]
    report $? "$2"
}
if ldconfig -p 2>/dev/null | grep -q libgpuranmar_cuda.so; then
    skip 'no plugin' 'this machine has one installed'
else
    one_line missing 'no plugin'
fi
one_line old 'a plugin of another version'
export CUDA_VISIBLE_DEVICES=
one_line real 'no device'
finish
