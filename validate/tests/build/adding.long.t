#!/bin/bash
# What docs/internals.md says of adding things, each by one row or one file: an instruction set, a
# test, and a section of the benchmark are added to a copy of the tree, which is built, used and
# installed. validate/tests/fortran/families-more.t adds a family.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=$(realpath "${BUILD:-build}") copy=$SCRATCH/copy
git ls-files -z | xargs -0 cp -P --parents -t "$(mkdir -p "$copy" && echo "$copy")" || exit
cp -r "$build" "$copy/build" # so that only what is new is built
cd "$copy" || exit
unset MAKEFLAGS MAKELEVEL BUILD
remade() { make -s CUDA=0 "$@"; }

# --- An instruction set: here the portable loop by another name ---
sed 's/ranmar_portable/ranmar_second/; s/"portable"/"second"/' csrc/fill/portable.c \
    >csrc/fill/second.c
sed -i '0,/^LEVEL/s//LEVEL(second)\n&/' csrc/fill/levels.def
ok 'a row and a file: the library builds' remade -j2 all build/test_fill
ok '... info lists the instruction set' eval "build/gpuranmar info | grep -q 'levels: second '"
for level in second portable; do
    GPURANMAR_SIMD=$level build/gpuranmar numbers --count 100000 >"$SCRATCH/$level"
done
same '... its numbers are the same' "$SCRATCH/second" "$SCRATCH/portable"
ok '... the tests of loops go over it' build/test_fill

# --- Tests ---
printf '#!/bin/sh\necho "ok 1 - found"\necho 1..1\n' >validate/tests/settings/added.t
chmod +x validate/tests/settings/added.t
printf 'int main(void)\n{\n    puts("ok 1 - found\\n1..1");\n}\n' |
    sed '1i #include <stdio.h>' >validate/tests/settings/test_added.c
added=$(remade print-TESTS | tr ' ' '\n' | grep added)
ok 'a script and a program in a folder of tests are tests' \
    test "$(sort <<<"$added" | paste -sd' ')" = \
    'build/test_added validate/tests/settings/added.t'
ok '... which make check runs' eval "remade check TESTS='$(paste -sd' ' <<<"$added")' |
    grep -q 'Tests=2'"

# --- A section of the benchmark ---
cat >scripts/bench.d/added.py <<'END'
"""An added section, ns"""
from bench import Row


def missing(bench):
    return ""


def rows(bench):
    yield Row("a row", [1.0] * 6, "twice as long", [2.0] * 6)
END
ok 'a file in scripts/bench.d is a section' scripts/bench --no-build --sections added \
    --out "$SCRATCH/table.md"
ok '... with its row' grep -q '^| a row | 1 (1..1) | twice as long | 2 (2..2) | 2.00 ' \
    "$SCRATCH/table.md"

ok 'all that installs' remade install PREFIX="$SCRATCH/installed"
ok '... and the program that is installed has it' \
    eval "'$SCRATCH/installed/bin/gpuranmar' info | grep -q 'levels: second '"
finish
