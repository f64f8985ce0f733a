#!/bin/bash
# What `make install` leaves behind: programs in C and Fortran build against it as users build them,
# shared and static, and it exports no more than it should.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load the library with them'
command -v pkg-config >/dev/null || skip_all 'no pkg-config'
BUILD=${BUILD:-build} FC=${FC:-gfortran} CC=${CC:-gcc}

root=$SCRATCH/root
ok 'make install' env -u MAKEFLAGS -u MAKELEVEL make -s install PREFIX=/opt/gpuranmar DESTDIR="$root" BUILD="$BUILD"
lib=$root/opt/gpuranmar/lib
export PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$lib
read -ra cflags <<<"$(pkg-config --cflags gpuranmar)"
read -ra shared <<<"$(pkg-config --libs gpuranmar)"
# The archive by name, so that the shared library is not taken, and what it needs.
read -ra static <<<"$(pkg-config --libs --static gpuranmar | sed "s|-lgpuranmar|$lib/libgpuranmar.a|")"

# --- Symbols ---
version=$(pkg-config --modversion gpuranmar)
elf() { readelf -d "$lib/libgpuranmar.so" | sed -n "s/.*($1).*\[\(.*\)\]/\1/p"; }
ok 'SONAME' [ "$(elf SONAME)" = "libgpuranmar.so.${version%%.*}" ]
ok 'the links lead to the library' cmp "$lib/$(elf SONAME)" "$lib/libgpuranmar.so.$version"
elf NEEDED >"$SCRATCH/log"
! grep -i cuda "$SCRATCH/log"
report $? 'no CUDA at run time'

cat >"$SCRATCH/fortran-names" <<END
grncnt_ grncom_ grnfil_ grnget_ grnput_ grnset_ grnvec_ ranmar_ rm48_ rm48in_ rm48ut_ rmarin_ rmarut_
rmmaq_ rmmaqd_ rmmar_ rmmard_
END
exported() { nm -D --defined-only "$lib/libgpuranmar.so" | awk '{print $3}' | LC_ALL=C sort; }
{
    tr ' ' '\n' <"$SCRATCH/fortran-names"
    grep -oE '\bgpuranmar_[a-z_]+\(' csrc/include/gpuranmar.h | tr -d '('
} | LC_ALL=C sort -u >"$SCRATCH/public"
exported | grep -v '^__gpuranmar_MOD_' >"$SCRATCH/exported"
diff "$SCRATCH/public" "$SCRATCH/exported" >"$SCRATCH/log"
report $? 'exported: the header, the Fortran names and the module, no more and no less'
nm -g --defined-only "$lib/libgpuranmar.a" 2>/dev/null | awk 'NF == 3 {print $3}' |
    grep -vxFf "$SCRATCH/public" | grep -vE '^(ranmar_|__gpuranmar(_status)?_MOD_)' >"$SCRATCH/log"
report $((!$?)) 'other names in the archive begin with ranmar_'

# --- Programs: each writes 1000 numbers of the sequence with seed 1802 ---
"$BUILD/reference-numbers" 1802 0 0 1000 >"$SCRATCH/expected"
cd "$SCRATCH" || exit

cat >stream.c <<'END'
#include <gpuranmar.h>
#include <stdio.h>
int main(void)
{
    gpuranmar_options options = GPURANMAR_OPTIONS_INIT;
    gpuranmar_stream *stream;
    double u[1000];
    options.seed = 1802;
    if (gpuranmar_stream_initialise(&stream, &options) || gpuranmar_stream_get(stream, u, 1000)) {
        fprintf(stderr, "%s\n", gpuranmar_last_error());
        return 1;
    }
    gpuranmar_stream_close(stream);
    return fwrite(u, sizeof *u, 1000, stdout) != 1000;
}
END
cat >module.f90 <<'END'
program draw
   use gpuranmar
   type(gpuranmar_stream) :: stream
   double precision :: u(1000)
   if (gpuranmar_stream_initialise(stream, gpuranmar_options(seed=1802)) /= gpuranmar_ok) error stop
   if (gpuranmar_stream_fill(stream, u) /= gpuranmar_ok) error stop
   open (9, file='/dev/stdout', access='stream', form='unformatted', action='write')
   write (9) u
end program
END
cat >plain.f <<'END'
      PROGRAM PLAIN
      DOUBLE PRECISION U(1000)
      INTEGER ISEED(3)
      DATA ISEED/1802,0,0/
      CALL RMMAQD( ISEED,1,'S' )
      DO I = 1, 1000
        CALL RMMARD( U(I),1,1 )
      ENDDO
      OPEN(9,FILE='/dev/stdout',ACCESS='STREAM',FORM='UNFORMATTED',
     *     ACTION='WRITE')
      WRITE(9) U
      END
END
# Programs that bring some of the names themselves: all but RMMARD and RMMAQD; and those.
for name in RANMAR RMARIN RMARUT RMMAR RMMAQ RM48 RM48IN RM48UT; do
    printf '      SUBROUTINE %s( VEC )\n      VEC = 0.5\n      END\n' $name
done | cat plain.f - >own-cernlib.f
cat >own-rmmard.f <<'END'
      PROGRAM OWN
      DOUBLE PRECISION U(1000)
      REAL V(3)
      CALL RMMARD( U,1000,1 )
      CALL RANMAR( V,3 )
      CALL RM48IN( 5,0,-1 )
      FLUSH(6)
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
# RM48IN's message goes to unit 6, standard output too.
cat >own-rmmard.said <<<' RM48 INITIALIZED:         5           0         0'

# draws SOURCE COMPILER HOW LIBRARIES...: builds the program and runs it.
draws() {
    local source=$1 compiler=$2 how=$3
    shift 3
    rm -f program
    "$compiler" -w "${cflags[@]}" -o program "$source" "$@" >log 2>&1 &&
        ./program 2>>log | cat >got && cat "${source%.*}.said" expected 2>/dev/null | cmp - got >log 2>&1
    report $? "$source, $how"
}
for source in stream.c module.f90 plain.f own-cernlib.f own-rmmard.f; do
    compiler=$([[ $source == *.c ]] && echo "$CC" || echo "$FC")
    draws $source "$compiler" shared "${shared[@]}"
    draws $source "$compiler" static "${static[@]}"
    [ -x program ] && readelf -d program >log && ! grep libgpuranmar log
    report $? "$source, static, does not need the shared library"
done

finish
