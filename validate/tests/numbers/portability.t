#!/bin/bash
# The library's C compiles without a warning, and makes the same numbers, for a 32-bit processor and
# with musl in place of glibc. What is compared is a checksum of numbers made by several threads.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
whole=$("${BUILD:-build}/threads" fill 1000000)

# same_with NAME COMPILER...: where that compiler is installed.
same_with() {
    local name=$1
    shift
    can_make "$name" '' "$@" || return
    rm -f "$SCRATCH/threads"
    ok "$name: no warning" "$@" -std=gnu11 -O1 -Wall -Wextra -Werror -Icsrc -Icsrc/include -Ivalidate/tests \
        -o "$SCRATCH/threads" validate/tests/threads/threads.c \
        csrc/{definition,fill,stream,fortran,api}/*.c -lpthread -ldl -lm
    ok "$name: the same numbers" \
        test "$(OMP_NUM_THREADS=3 "$SCRATCH/threads" fill 1000000)" = "$whole"
}

same_with '32 bits' gcc -m32
same_with musl musl-gcc

finish
