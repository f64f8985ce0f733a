#!/bin/bash
# Whatever of CUDA is missing or fails, the CPU goes on from there with the same numbers, and one
# line says so. The program under test is test_delivery.cu, which compares with the CPU's streams;
# it finds the plugin that lies beside it.
set -u
directory=${BUILD:-build}/cuda/failing
export VALIDATE_SEED=${VALIDATE_SEED:-$RANDOM$RANDOM}
echo "# VALIDATE_SEED=$VALIDATE_SEED"
number=0
failures=0
tap() { # name, status
    number=$((number + 1))
    [ "$2" = 0 ] && echo "ok $number - $1" || { echo "not ok $number - $1"; failures=1; }
}

# One run beside one of the plugins: the numbers right, and stderr as many lines as given.
one_run() { # plugin, lines
    errors=$("$directory/$1/delivery" quick 2>&1 >/dev/null) || return 1
    [ "$(printf '%s' "$errors" | grep -c '')" = "$2" ]
}

one_run missing 1; tap "no plugin" $?
one_run old 1; tap "a plugin of another version" $?
CUDA_VISIBLE_DEVICES= one_run real 1; tap "no device" $?

if ! one_run real 0; then
    echo "ok $((number + 1)) - each CUDA call fails in turn # SKIP no GPU"
    echo "1..$((number + 1))"
    exit $failures
fi

# Each call in turn, alone (an error that passes) and with all that follow (a device that is
# lost), until no call is left to fail.
in_turn() { # call
    for range in "$1-$1" "$1-1000000"; do
        errors=$(RANMAR_TEST_FAILURES=$range "$directory/real/delivery" quick 2>&1 >/dev/null) ||
            { echo "# calls $range: wrong numbers"; return 1; }
        lines=$(printf '%s' "$errors" | grep -c '')
        [ "$lines" -le 1 ] || { echo "# calls $range: $lines lines"; return 1; }
        [ "$lines" = 1 ] || echo "beyond $1"
    done
}
export -f in_turn
export directory
calls=$(seq 1 ${CALLS:-400} | xargs -P ${JOBS:-8} -I{} bash -c 'in_turn {} || echo "wrong {}"')
wrong=$(printf '%s\n' "$calls" | grep -c wrong)
beyond=$(printf '%s\n' "$calls" | grep -c beyond)
printf '%s\n' "$calls" | grep '^#'
echo "# $beyond runs were past the last call"
[ "$wrong" = 0 ] && [ "$beyond" -gt 0 ]; tap "each CUDA call fails in turn" $?
echo "1..$number"
exit $failures
