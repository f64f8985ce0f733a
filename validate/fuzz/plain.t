#!/bin/bash
# The fuzzing targets without libFuzzer, compiled by the library's compiler. They are run on their
# corpus, and on random inputs that are the same in every run.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
for target in validate/fuzz/*.c; do
    name=$(basename -s .c "$target")
    ok "$name: corpus" "${BUILD:-build}/fuzz/plain/$name" validate/fuzz/corpus/"$name"/*
    ok "$name: other inputs" "${BUILD:-build}/fuzz/plain/$name"
done
finish
