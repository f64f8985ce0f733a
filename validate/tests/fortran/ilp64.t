#!/bin/bash
# A program whose INTEGER has 64 bits draws the same numbers from libgpuranmar_ilp64, shared and
# static. A program with 32 bits goes on from the state that it saved, and the other way round.
# Values that do not fit 32 bits are refused. So is another library that would take the calls by
# Fortran's names, before anything starts.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}") FC=${FC:-gfortran}
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0

calls='S 1 1802 9 0
S 9 942377567 77777 0
draw 1 100
draw 9 1
draw 99 1000
R 9 1 2 3
R 0 1 2 3
file state
RV 1 1 2 3
draw 1 97
file state
SV 9 1 2 3
draw 9 999
SR 2 2147483647 5 0
draw 2 3
R 2 1 2 3
_ 3 1 2 3
draw 4294967297 4
R -4294967295 1 2 3'
# The reference has INTEGERs of 32 bits. ISEQ = 2^32 + 1 is no sequence, so the current one, 1, goes
# on; the reference is given ISEQ = 99 instead.
mkdir "$SCRATCH/reference"
(cd "$SCRATCH/reference" && {
    head -n -2 <<<"$calls"
    printf '%s\n' 'draw 99 4' 'R 0 1 2 3'
} | "$BUILD/replay-reference" >output)
for linkage in relinked static; do
    mkdir "$SCRATCH/$linkage"
    (cd "$SCRATCH/$linkage" && "$BUILD/replay-ilp64-$linkage" <<<"$calls" >output 2>log)
    same "$linkage: the reference's numbers" "$SCRATCH/reference/output" "$SCRATCH/$linkage/output"
    same "$linkage: and its file" "$SCRATCH/reference/state" "$SCRATCH/$linkage/state"
done

# refused LINE CALL: the call ends the program with that line.
refused() { stops "$2" "$1" "$BUILD/replay-ilp64-relinked" <<<"S 1 1802 9 0"$'\n'"$2"; }
refused 'RMMAQD: IJKL = 4294967297 does not fit 32 bits' 'S 1 4294967297 0 0'
refused 'RMMAQD: NTOT = -4294967295 does not fit 32 bits' 'S 1 1 -4294967295 0'
refused 'RMMAQD: NTOT = 2147483648 does not fit 32 bits' 'S 1 1 2147483648 0'
refused 'RMMAQD: NTOT2 = 4294967296 does not fit 32 bits' 'S 1 1 0 4294967296'
refused 'RMMAQD: ISEQ = 4294967297 does not fit 32 bits' 'R 4294967297 1 2 3'
refused 'RMMAQD: numbers to skip: NTOT = -2147483648 is negative' 'S 1 1 -2147483648 0'
refused 'RMMARD: LENV = -1 is negative' 'draw 1 -1'
refused 'RMMARD: LENV = 2147483648 does not fit 32 bits' 'draw 1 2147483648'
refused 'RMMARD: LENV = -2147483649 does not fit 32 bits' 'draw 99 -2147483649'

# --- A state that is saved with one size and restored with the other ---

# The words of the state in text, by GRNSTA and GRNPUT as patched code has them; and arguments that
# do not fit 32 bits.
cat >"$SCRATCH/uses.f" <<'END'
      PROGRAM USES
      INTEGER I(5),MANY
      DOUBLE PRECISION C,U(97),V(5)
      CHARACTER*7 WHAT
      CALL GETARG( 1,WHAT )
      OPEN( 1,FILE='words' )
      MANY = ISHFT( 1,31 )
      IF ( WHAT.EQ.'restore' ) THEN
        READ( 1,'(5I11)' ) I
        READ( 1,'(Z16)' ) C,U
        CALL GRNPUT( 3,I(1),I(2),I(3),I(4),I(5),C,U )
      ELSE
        CALL GRNSET( 1802,9,1,3 )
        CALL GRNVEC( V,5,3 )
        CALL GRNSTA( 3,I(1),I(2),I(3),I(4),I(5),C,U )
        WRITE( 1,'(5I11)' ) I
        WRITE( 1,'(Z16)' ) C,U
      ENDIF
      CALL GRNVEC( V,5,3 )
      PRINT '(Z17.16)',V
      CALL GRNCNT( 3,I(1),I(2) )
      PRINT '(2I11)',I(1),I(2)
      IF ( WHAT.EQ.'SETIJKL' ) CALL GRNSET( MANY,9,1,3 )
      IF ( WHAT.EQ.'SETNTOT' ) CALL GRNSET( 1802,MANY,1,3 )
      IF ( WHAT.EQ.'SETISEQ' ) CALL GRNSET( 1802,9,1,-MANY-1 )
      IF ( WHAT.EQ.'VECLENV' ) CALL GRNVEC( U,MANY,3 )
      IF ( WHAT.EQ.'VECISEQ' ) CALL GRNVEC( U,1,MANY )
      IF ( WHAT.EQ.'FL1ISEQ' ) CALL GRNFL1( MANY,I )
      IF ( WHAT.EQ.'CNTISEQ' ) CALL GRNCNT( MANY,I(1),I(2) )
      IF ( WHAT.EQ.'STAISEQ' )
     *    CALL GRNSTA( MANY,I(1),I(2),I(3),I(4),I(5),C,U )
      IF ( WHAT.EQ.'PUTNTOT' )
     *    CALL GRNPUT( 3,I(1),MANY,I(3),I(4),I(5),C,U )
      END
END
cd "$SCRATCH" || exit
wide=${INTEGER_8:--fdefault-integer-8}
# built PROGRAM OPTION...: makes it of PROGRAM.f.
built() {
    "$FC" -w ${SANITIZE:+-fsanitize="$SANITIZE"} "$1.f" -L"$BUILD" "-Wl,-rpath,$BUILD" -o "$@"
}
ok 'GRNSTA and GRNPUT, 32 bits' built uses -lgpuranmar
cp uses.f uses-ilp64.f
ok 'GRNSTA and GRNPUT, 64 bits' built uses-ilp64 "$wide" -lgpuranmar_ilp64
for direction in ' -ilp64' '-ilp64 '; do
    from=${direction%% *} to=${direction##* }
    rm -f words state
    "./uses$from" save >expected && "./uses$to" restore >output
    same "GRNPUT, from uses$from to uses$to" expected output
    replay=$BUILD/replay
    "$replay${from}-relinked" >saved \
        <<<$'S 9 5 5 0\nS 1 1802 9 0\ndraw 1 100\nfile state\nRV 1 1 2 3\ndraw 1 999\ndraw 9 9'
    "$replay${to}-relinked" >restored <<<$'S 9 5 5 0\nfile state\nSV 1 1 2 3\ndraw 1 999\ndraw 9 9'
    tail -n 253 saved >expected && tail -n 253 restored >output
    [ "$(wc -l <expected)" = 253 ] || echo "253 lines, not these" >>expected
    same "RMMAQD, from replay$from to replay$to" expected output
done

for what in SETIJKL SETNTOT SETISEQ VECLENV VECISEQ FL1ISEQ CNTISEQ STAISEQ PUTNTOT; do
    value=2147483648
    [ $what = SETISEQ ] && value=-2147483649
    ! ./uses-ilp64 $what >output 2>log &&
        grep -qx "gpuranmar: GRN${what%????}: ${what#???} = $value .*" log
    report $? "GRN${what%????}: ${what#???}"
done

# --- Calls that arrive in another library ---
library=$BUILD/libgpuranmar.so.1 ilp64=$BUILD/libgpuranmar_ilp64.so.1
# arrives ROUTINE PRELOADED OWN PROGRAM...: the program's own library refuses to start.
arrives() {
    ! LD_PRELOAD=$2 "${@:4}" <script >said 2>&1 &&
        echo "gpuranmar: $1: two libraries with numbered sequences in one program: calls by" \
            "Fortran's names arrive in $2, not in $3; link or load one of them only" |
        diff - said >log
    report $? "$1 of $4 arrives in $2"
}
printf 'S 1 1802 9 0\ndraw 1 5\n' >script
arrives RMMAQD "$ilp64" "$library" "$BUILD/replay-relinked"
arrives RMMAQD "$library" "$ilp64" "$BUILD/replay-ilp64-relinked"
arrives GRNSET "$ilp64" "$library" ./uses save
arrives GRNPUT "$ilp64" "$library" ./uses restore
[ -n "$SANITIZE" ] || # python3 cannot load a library with the sanitizers
    arrives gpuranmar_initialise "$ilp64" "$library" python3 -c "import ctypes
library = ctypes.CDLL('$library')
library.gpuranmar_stop_on(library.gpuranmar_initialise(1, 1802, 9373, 1, ctypes.c_int64(0)))"
# Each start looks for libraries that were loaded after the start before it.
cat >late.f <<'END'
      PROGRAM LATE
      INTEGER ISEED(3)
      DATA ISEED / 1802, 9, 0 /
      CALL RMMAQD( ISEED,1,'S' )
      CALL RMMAQD( ISEED,1,'S' )
      WRITE (*,*) 'STARTED'
      CALL LATER
      CALL RMMAQD( ISEED,1,'S' )
      END
END
cat >later.c <<END
#include <dlfcn.h>
void later_(void) { dlopen("$ilp64", RTLD_NOW | RTLD_GLOBAL); }
END
"${CC:-gcc}" -fPIC -shared -o liblater.so later.c
built late -L. -Wl,-rpath,. -llater -lgpuranmar
! ./late >output 2>log && grep -q STARTED output && grep -q "^gpuranmar: RMMAQD: two lib.* $ilp64;" log
report $? 'RMMAQD refuses after another library was loaded'
cp "$library" copy.so
"$BUILD/replay-relinked" <script >expected
LD_PRELOAD=$SCRATCH/copy.so "$BUILD/replay-relinked" <script >output 2>&1
same 'a copy of the same library first' expected output

# A program of 64 bits with the library of 32: one line, once.
cat >size.f <<'END'
      PROGRAM SIZE
      INTEGER ISEED(3)
      DATA ISEED / 1802, 5, 0 /
      IF ( KIND(ISEED).EQ.8 ) CALL RMMAQD( ISEED,1,'S' )
      ISEED(2) = 0
      ISEED(3) = 5
      CALL RMMAQD( ISEED,1,'S' )
      CALL RMMAQD( ISEED,1,'S' )
      END
END
line='gpuranmar: RMMAQD: ISEED = 1802, 0, 5 skips 5 \* 10^9 numbers; .* -lgpuranmar_ilp64'
said() { ./size 2>log && [ "$(grep -cx "$line" log) $(wc -l <log)" = "$1" ]; }
built size "$wide" -lgpuranmar 2>log && said '1 1'
report $? 'INTEGERs of 64 bits in libgpuranmar: one line names the other library'
built size "$wide" -lgpuranmar_ilp64 2>log && said '0 0'
report $? '... and none in libgpuranmar_ilp64'
built size -lgpuranmar 2>log && said '1 1'
report $? 'a skip of 5 * 10^9 numbers by INTEGERs of 32 bits looks alike'
finish
