#!/bin/bash
# A flavour is one row of csrc/definition/flavours.def. Files that cannot include it agree with it.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh

sed -n 's/^FLAVOUR(\([A-Z]*\), \([a-z]*\))$/\1 \2/p' csrc/definition/flavours.def >"$SCRATCH/rows"
cut -d' ' -f2 "$SCRATCH/rows" >"$SCRATCH/names"
names=$(paste -sd' ' "$SCRATCH/names")
shopt -s lastpipe # so that tests are counted where the pipe ends
# agrees WHAT: the words of standard input are the names, in their order.
agrees() {
    grep -o '[a-z]\+' >"$SCRATCH/found"
    same "$1 has the flavours of flavours.def, in their order" "$SCRATCH/names" "$SCRATCH/found"
}
sed -n '/^enum gpuranmar_flavour/,/^}/s/^    GPURANMAR_\([A-Z]*\).*/\L\1/p' \
    csrc/include/gpuranmar.h | agrees gpuranmar.h
sed -n '/enumerator :: gpuranmar_double/,/end enum/p' fortran/gpuranmar.f90 |
    grep -o 'gpuranmar_[a-z]*' | sed 's/gpuranmar_//' | agrees gpuranmar.f90
sed -n 's/^FLAVOURS = //p' csrc/python/gpuranmar/__init__.py | agrees 'the Python package'
sed -n '/^## Flavours/,/^## /s/^| `\([a-z]*\)` |.*/\1/p' docs/concept.md | agrees concept.md
sed -n '/^| flavour | seeds/,/^$/s/^| `\([a-z]*\)`.*/\1/p' docs/quality.md | agrees quality.md
ok 'and so has gpuranmar info' eval \
    "'${BUILD:-build}/gpuranmar' info | grep -qx 'flavours: $names'"
finish
