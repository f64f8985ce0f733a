#!/bin/bash
# What docs/internals.md says of adding things, each by one row or one file: an instruction set, a
# flavour, a setting, a family, a test and a section of the benchmark are added to a copy of the
# tree, which is built, used and installed.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
build=$(realpath "${BUILD:-build}") copy=$SCRATCH/copy
git ls-files -z | xargs -0 cp -P --parents -t "$(mkdir -p "$copy" && echo "$copy")" || exit
cp -r "$build" "$copy/build" # so that only what is new is built
cd "$copy" || exit
unset MAKEFLAGS MAKELEVEL BUILD
remade() { make -s CUDA=0 "$@"; }

sed 's/ranmar_portable/ranmar_second/; s/"portable"/"second"/' csrc/fill/portable.c \
    >csrc/fill/second.c
sed -i '0,/^LEVEL/s//LEVEL(second)\n&/' csrc/fill/levels.def

echo 'FLAVOUR(ADDED, added)' >>csrc/definition/flavours.def
sed -i '/^#define RANMAR_KEYED_INIT/i #define RANMAR_ADDED_INIT {48, RANMAR_STEP_24 << 40, RANMAR_MODULUS_24 << 40, UINT64_C(1) << 40, 1, 0}' \
    csrc/include/gpuranmar_definition.h
sed -i '/^enum gpuranmar_flavour/,/^}/s/^}/    , GPURANMAR_ADDED\n}/' csrc/include/gpuranmar.h

echo 'SETTING(ADDED, added, number, 2, 5, NULL, "3", "nobody", "is added by a test")' \
    >>csrc/stream/settings.def

sed -i '/^| `dlpoly`/a | `added` | `U = ADDED()` `ADDSET(IJ,KL)` | DOUBLE | 24 | kept | nobody | `/ADDST/` | `public.c` |' \
    csrc/families/README.md

ok 'all is built' remade -j2 all build/{test_fill,test_definition,test_jump,test_settings} \
    build/reference-numbers build/man/gpuranmar.7

# --- An instruction set: here the portable loop by another name ---
ok 'info lists the instruction set' eval "build/gpuranmar info | grep -q 'levels: second '"
for level in second portable; do
    GPURANMAR_SIMD=$level build/gpuranmar numbers --count 100000 >"$SCRATCH/$level"
done
same '... its numbers are the same' "$SCRATCH/second" "$SCRATCH/portable"

# --- A flavour: here double with another start of the arithmetic part ---
ok 'the flavour: its numbers by all levels, and jumps, are the definition' eval \
    'build/test_fill && build/test_definition && build/test_jump'
for flavour in double added; do
    build/gpuranmar numbers --count 9 --flavour $flavour
done | awk 'NR <= 9 { u[NR] = $1; next }
    { d = (($1 - u[NR - 9] + 2) % 1) * 2^24; print (d == int(d) && d > 0) }' >"$SCRATCH/differ"
ok '... whose highest 24 bits are not those of double' test "$(sort -u "$SCRATCH/differ")" = 1

# --- A setting ---
ok 'info tells of the setting' eval "build/gpuranmar info | grep -q '^  GPURANMAR_ADDED  *3$'"
ok '... the tests of settings go over it' build/test_settings
ok '... the manual has it' grep -q GPURANMAR_ADDED build/man/gpuranmar.7
GPURANMAR_ADDED=5 GPURANMAR_REPORT=$SCRATCH/r.json build/gpuranmar numbers --count 1 >/dev/null
ok '... and so has the report' grep -q '^    "added": 5' "$SCRATCH/r.json"
validate/tests/build/man.t >"$SCRATCH/said" 2>&1
ok "... man.t asks for the user guide's line" grep -q '^# > | `GPURANMAR_ADDED`' "$SCRATCH/said"
build/gpuranmar info --settings >"$SCRATCH/table"
sed -i -e "/^| variable | values/r $SCRATCH/table" \
    -e '/^| variable | values/,/^| `GPURANMAR_REPORT/d' docs/user-guide.md
ok '... and is content with it' eval "validate/tests/build/man.t | grep '^ok .*user guide'"

# --- A family ---
cat >"$SCRATCH/added.f" <<'END'
      DOUBLE PRECISION ADDED
      CALL ADDSET( 1802,9373 )
      DO I = 1, 1000
        WRITE (*,'(F26.24)') ADDED()
      ENDDO
      END
END
${FC:-gfortran} -o "$SCRATCH/added" "$SCRATCH/added.f" -Lbuild -lgpuranmar_added -lgpuranmar \
    -Wl,-rpath,"$copy/build" && "$SCRATCH/added" | awk '{printf "%.17g\n", $1}' >"$SCRATCH/got"
build/reference-numbers --single $((1802 * 30082 + 9373)) 0 0 1000 | od -An -v -tf4 -w4 |
    awk '{printf "%.17g\n", int($1 * 2^24 + 0.5) / 2^24}' >"$SCRATCH/expected"
same "the family's numbers" "$SCRATCH/expected" "$SCRATCH/got"
ok '... which' grep -q -- '-lgpuranmar_added -lgpuranmar' \
    <(csrc/command/gpuranmar-which "$SCRATCH/added.f")

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

NEEDS = ("gpuranmar",)


def rows(bench):
    yield Row("a row", [1.0] * 6, "twice as long", [2.0] * 6)
END
ok 'a file in scripts/bench.d is a section' scripts/bench --no-build --sections added \
    --out "$SCRATCH/table.md"
ok '... with its row' grep -q '^| a row | 1 (1..1) | twice as long | 2 (2..2) | 2.00 ' \
    "$SCRATCH/table.md"

ok 'all that installs' remade install PREFIX="$SCRATCH/installed"
ok '... and what is installed has it' eval "cd '$SCRATCH/installed' &&
    bin/gpuranmar info | grep -c -e 'levels: second ' -e '^flavours:.* added' -e GPURANMAR_ADDED |
    grep -x 3 && ls lib/libgpuranmar_added.so && grep added share/man/man7/gpuranmar-families.7"
finish
