#!/bin/bash
# The tests pass on a machine where libgpuranmar is installed, and use none of it. What stands in
# /usr/local here, for these tests alone, is unusable: an older version would differ in less.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
all_need unshare ldconfig nm
BUILD=${BUILD:-build} CC=${CC:-gcc}
MAKEFLAGS=$(sed -E 's/ TESTS=(\\.|[^\\ ])*//' <<<"${MAKEFLAGS-}") # this test alone, perhaps
map=()
[ "$(id -u)" = 0 ] || map=(--map-root-user)
alone() { unshare "${map[@]}" --mount "$@"; }

local=$SCRATCH/local
remake install DESTDIR="$local" PREFIX= >"$SCRATCH/log" 2>&1
report $? 'make install'
names() { nm -D --defined-only "$1" | sed -n 's/.* [TWBD] \([a-z_0-9A-Z]*\).*/\1/p' | sort -u; }
for library in "$local"/lib/*.so; do
    soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    printf '#include <stdlib.h>\n' >"$SCRATCH/unusable.c"
    names "$library" | sed 's/.*/void &(void); void &(void) { abort(); }/' >>"$SCRATCH/unusable.c"
    "$CC" -w -shared -fPIC -fno-builtin -Wl,-soname,"$soname" -o "$(realpath "$library")" \
        "$SCRATCH/unusable.c" || exit
    "$CC" -w -c -o "$SCRATCH/unusable.o" "$SCRATCH/unusable.c" || exit
    [ ! -f "${library%.so}.a" ] ||
        { rm "${library%.so}.a" && ar rc "${library%.so}.a" "$SCRATCH/unusable.o"; } || exit
done
find "$local/include" "$local/lib/pkgconfig" "$local/lib/cmake" "$local/share/gpuranmar" \
    "$local/bin" -type f | while read -r file; do echo '#error this is unusable' >"$file"; done

# --- In a view of the file system of its own ---
cat >"$SCRATCH/inside" <<'END'
mount -t overlay -o "lowerdir=/usr/local,upperdir=$SCRATCH/local,workdir=$SCRATCH/work" none \
    /usr/local && ldconfig -C "$SCRATCH/cache" && mount --bind "$SCRATCH/cache" /etc/ld.so.cache &&
    ldconfig -p | grep libgpuranmar.so.1 && "$@"
END
mkdir "$SCRATCH/work"
export SCRATCH
alone bash "$SCRATCH/inside" true >"$SCRATCH/log" 2>&1 || skip_all 'this machine allows no mount'
alone bash "$SCRATCH/inside" bash -c '. validate/tests/tap.sh; remake check' >"$SCRATCH/tests" 2>&1
status=$?
grep -A 20 '^not ok\|[*][*][*]' "$SCRATCH/tests" >"$SCRATCH/log"
report $status 'make check'
finish
