#!/bin/bash
# What `make install` leaves behind: programs in C, C++ and Fortran build against it as users build
# them, shared, static and by CMake; it exports no more than it should; anybody may read it,
# wherever it stands; and `make uninstall` takes it away again.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load the library with them'
all_need pkg-config
BUILD=${BUILD:-build} FC=${FC:-gfortran} CC=${CC:-gcc} CXX=${CXX:-g++} source=$PWD
command -v "${FC%% *}" >/dev/null && fortran=yes || fortran=
[ -f "$BUILD/libgpuranmar_opencl.so" ] && opencl=yes || opencl=

root="$SCRATCH/a root"
prefix='/opt/gpu & ranmar'
places=(DESTDIR="$root" PREFIX="$prefix"
    LIBDIR="$prefix/lib/a b" INCLUDEDIR="$prefix/include/ranmar")

# --- Files ---
(umask 077 && remake install "${places[@]}") >"$SCRATCH/log" 2>&1
report $? 'make install, into folders with spaces'
lib="$root$prefix/lib/a b" include="$root$prefix/include/ranmar"
ok 'LIBDIR' test -f "$lib/libgpuranmar.a"
ok 'INCLUDEDIR' test -f "$include/gpuranmar.h"
find "$root/opt" ! -type l ! -perm -a=r -o -type d ! -perm 755 -o -type f -perm /022 >"$SCRATCH/log"
[ ! -s "$SCRATCH/log" ]
report $? 'anybody may read it, its owner may write it, whatever the umask'
if [ -n "$fortran" ]; then
    ok "the module's source stands beside it" cmp fortran/gpuranmar.f90 "$include/gpuranmar.f90"
    ok '... which is gpuranmar.mod' test -f "$include/gpuranmar.mod"
fi
for tool in gpuranmar-patch gpuranmar-compare-profiles gpuranmar-production; do
    command -v python3 >/dev/null || break
    ok "$tool runs from there" "$root$prefix/bin/$tool" --help
done

# --- Symbols ---
export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$lib
version=$(pkg-config --modversion gpuranmar)
elf() { readelf -d "$lib/libgpuranmar.so" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }
ok 'SONAME' [ "$(elf SONAME)" = "libgpuranmar.so.${version%%.*}" ]
ok 'the links lead to the library' cmp "$lib/$(elf SONAME)" "$lib/libgpuranmar.so.$version"
elf NEEDED >"$SCRATCH/log"
! grep -i cuda "$SCRATCH/log"
report $? 'no CUDA at run time'

cat >"$SCRATCH/fortran-names" <<END
grncnt_ grncom_ grnfil_ grnput_ grnset_ grnsta_ grnvec_ rmmard_ ${fortran:+rmmaqd_}
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
    grep -vE '^(ranmar_|__gpuranmar(_fortran_state)?_MOD_)' >"$SCRATCH/log"
report $((!$?)) 'other names in the archive begin with ranmar_'

# --- Programs: each writes 1000 numbers of the sequence with seed 1802 ---
# pkg-config writes a space in a path as a shell does.
words() { eval "$1=($(pkg-config "${@:2}" gpuranmar))"; }
words cflags --cflags
words shared --libs
# The archive by name, so that the shared library is not taken, and what it needs.
words static --libs --static
static=("$lib/libgpuranmar.a" "${static[@]#-lgpuranmar}")
for i in "${!static[@]}"; do [ -n "${static[i]}" ] || unset "static[i]"; done

# --- Families and OpenCL: each has its library, by pkg-config, and `which` finds the table ---
printf '      DOUBLE PRECISION X\n      CALL RMARIN(1802,9373)\n      CALL RANMAR(X)\n      END\n' >"$SCRATCH/one.f"
for family in $(awk -v as=flags -f csrc/families/families.awk csrc/families/families.def |
    sed -n '/\.cc~/!s/~.*//p') ${opencl:+opencl}; do
    [ -n "$fortran" ] || break
    eval "family_libs=($(pkg-config --libs "gpuranmar-$family"))"
    ok "gpuranmar-$family" "$CC" -shared -o "$SCRATCH/linked.so" -Wl,--no-as-needed \
        "${family_libs[@]}"
done
if [ -n "$fortran" ] && command -v python3 >/dev/null; then
    ok 'gpuranmar which knows them' grep -q lgpuranmar_one \
        <("$root$prefix/bin/gpuranmar" which "$SCRATCH/one.f")
fi

mkdir "$SCRATCH/programs"
[ -z "$fortran" ] || "$BUILD/reference-numbers" 1802 0 0 1000 >"$SCRATCH/programs/expected"
cd "$SCRATCH/programs" && . "$source/validate/tests/build/programs.sh" || exit
# Programs that bring names of their own: CERNLIB's, which are another library's; RMMARD and RMMAQD.
for name in RANMAR RMARIN RMARUT RMMAR RMMAQ RM48 RM48IN RM48UT; do
    printf '      SUBROUTINE %s( VEC )\n      VEC = 0.5\n      END\n' $name
done | cat plain.f - >own-cernlib.f
cat >own-rmmard.f <<'END'
      PROGRAM OWN
      DOUBLE PRECISION U(1000)
      CALL RMMARD( U,1000,1 )
      OPEN(9,FILE='/dev/stdout',ACCESS='STREAM',FORM='UNFORMATTED',
     *     ACTION='WRITE')
      WRITE(9) U
      END
      SUBROUTINE RMMARD( U,N,K )
      DOUBLE PRECISION U(N)
      CALL GRNSET( 1802,0,0,K )
      CALL GRNVEC( U,N/2,K )
      DO I = N/2+1, N
        CALL GRNVEC( U(I),1,K )
      ENDDO
      END
      SUBROUTINE RMMAQD
      END
END
# draws SOURCE COMPILER HOW LIBRARIES...: builds the program and runs it.
draws() {
    local source=$1 compiler=$2 how=$3
    shift 3
    rm -f program
    "$compiler" -w "${cflags[@]}" -o program "$source" "$@" >log 2>&1 &&
        ./program 2>>log | cat >got && cmp expected got >log 2>&1
    report $? "$source, $how"
}
sources=(stream.c)
! command -v "$CXX" >/dev/null || sources+=(stream.cc)
[ -z "$fortran" ] || sources+=(module.f90 plain.f own-cernlib.f own-rmmard.f)
# Without the Fortran reference, the first of these numbers are known from it.
if [ -z "$fortran" ]; then
    "$CC" -w "${cflags[@]}" -o program stream.c "${shared[@]}" && ./program >expected
    known=' 3fbe19ba4d935100 3fd6c1e0395bf280 3fdf8c57563ae140'
    ok 'the numbers known from the reference' \
        [ "$(od -An -tx8 -N 24 expected | tr -d '\n')" = "$known" ]
fi
for program in "${sources[@]}"; do
    case $program in
    *.c) compiler=$CC ;;
    *.cc) compiler=$CXX ;;
    *) compiler=$FC ;;
    esac
    draws "$program" "$compiler" shared "${shared[@]}"
    # Link-time optimisation takes long, so that only one program is linked with it.
    no_lto=-fno-lto
    [ "$program" != plain.f ] || no_lto=
    draws "$program" "$compiler" static "${static[@]}" $no_lto
    [ -x program ] && readelf -d program >log && ! grep libgpuranmar log
    report $? "$program, static, does not need the shared library"
done
if command -v cmake >/dev/null && command -v "$CXX" >/dev/null; then
    cmake_builds find_package -Dgpuranmar_DIR="$lib/cmake/gpuranmar" \
        -DCMAKE_EXE_LINKER_FLAGS=-fno-lto
fi

# --- Uninstalling ---
cd "$source" || exit
touch "$root$prefix/share/of-somebody-else"
ok 'make uninstall' remake uninstall "${places[@]}"
[ "$(cd "$root$prefix" && find . -type f -o -empty)" = ./share/of-somebody-else ]
report $? '... leaves nothing of ours, and what is not'
LIBDIR=/usr/lib MAKEFLAGS=' -- LIBDIR=/usr/lib' remake print-LIBDIR >"$SCRATCH/log"
[ "$(cat "$SCRATCH/log")" = "$SCRATCH/root/lib" ]
report $? 'tests install below their own folder, wherever the library goes'
remake install PREFIX=here DESTDIR="$root" >"$SCRATCH/log" 2>&1
[ $? = 2 ] && grep -q "^make install: 'here/include' is not an absolute path" "$SCRATCH/log"
report $? 'a PREFIX that is not an absolute path is refused'

finish
