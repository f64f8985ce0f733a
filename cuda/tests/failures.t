#!/bin/sh
# Where the CUDA plugin, its right version or a device is missing, the CPU goes on with the same
# numbers, and one line says so. The program under test is test_delivery.cu, which compares with
# the CPU's streams; it finds the plugin that lies beside it.
directory=${BUILD:-build}/cuda/failing
export VALIDATE_SEED=${VALIDATE_SEED:-$(date +%s)}
echo "# VALIDATE_SEED=$VALIDATE_SEED"
number=0
failures=0

one_line() { # plugin, name
    number=$((number + 1))
    if errors=$("$directory/$1/delivery" quick 2>&1 >/dev/null) &&
        [ "$(printf '%s\n' "$errors" | grep -c 'gpuranmar: CUDA: .*; the CPU goes on')" = 1 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failures=1
    fi
}

one_line missing "no plugin"
one_line old "a plugin of another version"
export CUDA_VISIBLE_DEVICES=
one_line real "no device"
echo "1..$number"
exit $failures
