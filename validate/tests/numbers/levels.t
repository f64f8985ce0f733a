#!/bin/bash
# An instruction set is one row of csrc/fill/levels.def and one file. The documents name them all.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh

levels=$(sed -n 's/^LEVEL(\(.*\))$/\1/p' csrc/fill/levels.def | sort)
sed -n 's/^| `GPURANMAR_SIMD` | \([^|]*\)|.*/\1/p' docs/user-guide.md |
    grep -o '[a-z0-9]*' | sort >"$SCRATCH/guide"
same 'the user guide has the levels of levels.def' <(echo "$levels") "$SCRATCH/guide"
sed -n '/GPURANMAR_SIMD/,/^one level/s/^\.Sy \([^:]*\):*$/\1/p' docs/man/gpuranmar.7 |
    grep -o '[a-z0-9]*' | sort >"$SCRATCH/man"
same '... and so has gpuranmar.7' <(echo "$levels") "$SCRATCH/man"

cp -r csrc "$SCRATCH"
sed -i 's/^LEVEL(portable)$/LEVEL(added)\n&/' "$SCRATCH/csrc/fill/levels.def"
sed 's/portable/added/g' csrc/fill/portable.c >"$SCRATCH/csrc/fill/added.c"
cat >"$SCRATCH/main.c" <<'END'
#include <string.h>
#include "fill/fill.h"
int main(void)
{
    enum { N = 1000 };
    static double expected[N], got[N];
    const struct ranmar_simd *const added = ranmar_simd_named("added");
    struct ranmar_state s, t;
    ranmar_seed(&s, ranmar_flavour(0), 1802);
    t = s;
    ranmar_fill_force(added);
    ranmar_fill_scalar(&s, ranmar_flavour(0), expected, N);
    ranmar_fill(&t, ranmar_flavour(0), got, N);
    return !added || ranmar_fill_level(N) != added || memcmp(expected, got, sizeof got) != 0;
}
END
ok 'a row and a file: the library has another level' ${CC:-gcc} -O1 -pthread -I"$SCRATCH/csrc" \
    -I"$SCRATCH/csrc/include" -o "$SCRATCH/main" "$SCRATCH/main.c" \
    "$SCRATCH"/csrc/{fill,definition}/*.c -ldl
ok '... which makes the same numbers' "$SCRATCH/main"
finish
