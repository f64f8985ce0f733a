#!/bin/bash
# Streams, numbered sequences and the threads that help: no data race under ThreadSanitizer; and the
# library as for a debugger, without optimisation.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
# ThreadSanitizer fails where the system randomises addresses too widely: setarch -R makes it use
# the same addresses in every run.
fixed=(setarch -R)
"${fixed[@]}" true 2>/dev/null || fixed=()

# passes NAME VARIABLE TEST...: the tests, built in a folder of their own by make with that variable.
passes() {
    local name=$1 variable=$2 build=${BUILD:-build}-$1 test
    shift 2
    ok "$name: builds" make -s CUDA=0 BUILD="$build" "$variable" "${@/#/$build/}"
    for test; do ok "$name: $test" "${fixed[@]}" "$build/$test"; done
}
passes thread SANITIZE=thread test_fill test_stream test_registry
passes unoptimised 'CFLAGS=-O0 -g' test_fill test_stream test_bounds
finish
