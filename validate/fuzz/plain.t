#!/bin/bash
# The fuzzing targets without libFuzzer, by the compiler of the library: their corpus, and inputs
# that are always the same.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
for target in validate/fuzz/*.c; do
    name=$(basename -s .c "$target")
    ok "$name: corpus" "${BUILD:-build}/fuzz/plain/$name" validate/fuzz/corpus/"$name"/*
    ok "$name: other inputs" "${BUILD:-build}/fuzz/plain/$name"
done
finish
