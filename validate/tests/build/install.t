#!/bin/bash
# What `make install` installs: anybody may read it, in any folder; it exports no more than it
# should; it suffices for users' programs and for the tools; and `make uninstall` removes it.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh && . validate/tests/build/installed.sh
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load the library with them'
all_need pkg-config
FC=${FC:-gfortran}
command -v "${FC%% *}" >/dev/null && fortran=yes || fortran=

root="$SCRATCH/a root"
prefix='/opt/gpu & ranmar'
places=(DESTDIR="$root" PREFIX="$prefix"
    LIBDIR="$prefix/lib/a b" INCLUDEDIR="$prefix/include/ranmar")
(umask 077 && remake install "${places[@]}") >"$SCRATCH/log" 2>&1
report $? 'make install, into folders with spaces'
lib="$root$prefix/lib/a b"
find "$root/opt" ! -type l ! -perm -a=r -o -type d ! -perm 755 -o -type f -perm /022 >"$SCRATCH/log"
[ ! -s "$SCRATCH/log" ]
report $? 'anybody may read it, its owner may write it, whatever the umask'
pages="$root$prefix/share/gpuranmar"
grep -aoEhr '(docs|csrc/[a-z]+)/[A-Za-z0-9-]+\.md' "$pages" "$root$prefix/bin" --exclude='*.md' |
    (cd "$pages" && sort -u | xargs ls) >"$SCRATCH/log" 2>&1 && grep -q docs/seeds.md "$SCRATCH/log"
report $? 'the pages that messages name are there'
ok '... and the production that a site copies' [ -x "$pages/examples/production/job" ]

# --- Symbols ---
read -rd '' version cflags < <(remake print-VERSION print-CFLAGS)
elf() { readelf -d "$lib/libgpuranmar.so" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }
ok 'SONAME' [ "$(elf SONAME)" = "libgpuranmar.so.${version%%.*}" ]
ok 'the links lead to the library' cmp "$lib/$(elf SONAME)" "$lib/libgpuranmar.so.$version"
elf NEEDED >"$SCRATCH/log"
! grep -i cuda "$SCRATCH/log"
report $? 'no CUDA at run time'

cat >"$SCRATCH/fortran-names" <<END
grncnt_ grncom_ grnfl1_ grnput_ grnset_ grnsta_ grnvec_ rmmard_ ${fortran:+rmmaqd_}
gpuranmar_integer_size
END
# The exported names. Each has the symbol version that it came with; the names of the versions
# themselves are absolute symbols (A), and are left out.
exported() {
    nm -D --defined-only "$lib/libgpuranmar.so" |
        awk '$2 != "A" {sub(/@@GPURANMAR_1\.0$/, "", $3); print $3}' | LC_ALL=C sort
}
{
    tr ' ' '\n' <"$SCRATCH/fortran-names" | grep .
    sed '/^static inline/,/^}/d' csrc/include/*.h |
        grep -oE '^(GPURANMAR_API .*)?\bgpuranmar_[a-z_0-9]+\(' | grep -oE '\w+\($' | tr -d '('
} | LC_ALL=C sort -u >"$SCRATCH/public"
exported | grep -v '^__gpuranmar_MOD_' >"$SCRATCH/exported"
diff "$SCRATCH/public" "$SCRATCH/exported" >"$SCRATCH/log"
report $? 'exported: the header, the Fortran names and the module, no more and no less'
# The pattern gpuranmar_* would put what version 1.1 adds under the symbol version of 1.0.
! grep -n 'gpuranmar_\*' csrc/libgpuranmar.map >"$SCRATCH/log" || [[ $version == 1.0.* ]]
report $? 'from 1.1 on, each name is written under the version that it came with'
nm -g --defined-only "$lib/libgpuranmar.a" 2>/dev/null | awk 'NF == 3 {print $3}' |
    grep -vxFf "$SCRATCH/public" |
    grep -vE '^(ranmar_|__gpuranmar(_unit_11)?_MOD_)' >"$SCRATCH/log"
report $((!$?)) 'other names in the archive begin with ranmar_'

# Bytecode for link-time optimisation can only be read by the gcc that wrote it. An archive without
# any comes of any CFLAGS that do not ask for it.
[[ $cflags == *-flto* ]] || ! readelf -SW "$lib"/*.a 2>&1 | grep -m 1 gnu.lto >"$SCRATCH/log"
report $? 'the archives have plain objects, for compilers of any version'

use_installed "$root" "$prefix" "$prefix/lib/a b" "$prefix/include/ranmar"

# --- Uninstalling ---
touch "$root$prefix/share/of-somebody-else"
ok 'make uninstall' remake uninstall "${places[@]}"
[ "$(cd "$root$prefix" && find . -type f -o -empty)" = ./share/of-somebody-else ]
report $? '... leaves nothing of ours, and what is not'
remake install PREFIX=here DESTDIR="$root" >"$SCRATCH/log" 2>&1
[ $? = 2 ] && grep -q "^make install: 'here/.*' is not an absolute path" "$SCRATCH/log"
report $? 'a PREFIX that is not an absolute path is refused'
finish
