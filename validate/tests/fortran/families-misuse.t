#!/bin/bash
# Programs of families that are compiled here. Three make the numbers of their reference: GSL's
# gsl_rng_ranmar by this library instead of GSL's own, ompMC's setRandom on threads, and MultiNest's
# module. The others are refused: bad input, and programs in which one of the family's names leads
# to a routine that is not the library's. The program ends with one line on standard error and a
# non-zero exit status.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}") FC=${FC:-gfortran} CC=${CC:-cc}
SOURCE=$PWD README=$PWD/csrc/families/README.md
cd "$SCRATCH" || exit

# built SOURCE OPTIONS...: makes the program p of p.c, p.f90, or a line of Fortran.
built() {
    local compiler=$FC source=$1
    [ "$source" != p.c ] || compiler=$CC
    if [[ $source != p.* ]]; then
        tr ';' '\n' <<<"$source; end" >p.f90
        source=p.f90
    fi
    shift
    "$compiler" -w ${SANITIZE:+-fsanitize="$SANITIZE"} -o p -L"$BUILD" -Wl,-rpath,"$BUILD" $source \
        "$@" >log 2>&1
}

# --- Numbers ---
# expected IJ KL COUNT: the first numbers of a sequence of 24 bits.
expected() {
    "$BUILD/reference-numbers" --single $(($1 * 30082 + $2)) 0 0 "$3" | od -An -v -tf4 -w4 |
        awk '{printf "%.17g\n", int($1 * 2^24 + 0.5) / 2^24}'
}
cat >p.c <<'END'
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_ranmar);
    printf("%s %lu %lu\n", gsl_rng_name(r), gsl_rng_min(r), gsl_rng_max(r));
    for (int k = 0; k < argc; ++k) {
        if (k > 0)
            gsl_rng_set(r, strtoul(argv[k], NULL, 10));
        for (int i = 0; i < 3000; ++i)
            printf("%lu %.17g\n", gsl_rng_get(r), gsl_rng_uniform(r));
        gsl_rng *copy = gsl_rng_clone(r);
        printf("%.17g %.17g %.17g\n", gsl_ran_gaussian(r, 1), gsl_rng_uniform_pos(copy),
               gsl_rng_uniform_pos(copy));
        gsl_rng_memcpy(r, copy);
        gsl_rng_free(copy);
    }
    fprintf(stderr, "%zu\n", gsl_rng_size(r));
}
END
if [ -n "$SANITIZE" ] || ! built p.c -lgsl -lgslcblas -lm; then
    skip "GSL's numbers" 'GSL is not found, or cannot load a library with sanitizers'
else
    # The 898th number of the last seed is 0.
    seeds="$RANDOM$RANDOM 0 942438977 942438978 4294967295 266892398"
    ./p $seeds >expected 2>size
    LD_PRELOAD=$BUILD/libgpuranmar_gsl.so ./p $seeds >got 2>ours
    same "GSL's numbers, seeds $seeds" expected got
    ! cmp -s size ours
    report $? '... by an engine and not by GSL'
fi
cat >p.c <<'END'
#include <stdio.h>
#include <string.h>
void initRandom(void);
double setRandom(void);
int getInputValue(char *value, const char *key)
{
    return strcpy(value, SEEDS), !strcmp(key, "rng seeds");
}
int main(void)
{
    double u[2][1000];
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int k = 0; k < 2; ++k) {
        initRandom();
        for (int i = 0; i < 1000; ++i)
            u[k][i] = setRandom();
    }
    for (int i = 0; i < 2000; ++i)
        fprintf(stderr, "%.17g\n", u[i / 1000][i % 1000]);
}
END
# The second seed goes round after 30081. A seed that ompMC refuses becomes Marsaglia's own.
while read -r ij kl seed of_0 of_1; do
    built p.c -fopenmp "-DSEEDS=\"$ij $kl\"" -lgpuranmar_ompmc -lgpuranmar && ./p >log 2>got
    for second in $of_0 $of_1; do expected $seed $second 1000; done >expected
    same "ompMC's numbers, seeds $ij $kl" expected got
done <<END
1802 9373 1802 9373 9374
31328 30081 31328 30081 0
5 31327 5 1245 1246
0 31328 1802 1246 9373
END
# MultiNest's module as README.md has it: nodes in turns, and normal numbers from a node's pairs.
{
    sed -n '/^    module RandomNS/,/^    end module/p' "$README"
    cat <<'END'
program nodes
   use RandomNS
   implicit none
   real(8) :: u(0:1, 2000), v(2), r, x
   integer :: i, k, ij, kl, pairs(2, 3) = reshape([-1, 60163, 31328, 30081, 7, -1], [2, 3])
   call initRandomNS(2) ! by the clock
   if (abs(ranmarns(0) - ranmarns(1)) <= 0) print *, 'two nodes are the same'
   call killRandomNS
   call initRandomNS(3, 700) ! ij = 700*45 = 31500, which becomes 172; 217; 262
   do i = 1, 2000
      do k = 0, 1
         u(k, i) = ranmarns(k)
      end do
   end do
   write (*, '(f26.24)') u(0, :), u(1, :)
   do i = 1, 1000
      ij = 262
      kl = 9373
      if (i == 1) call RMARINNS(ij, kl, 1)
      do
         v = 2*[ranmarns(0), ranmarns(0)] - 1
         r = sum(v**2)
         if (r < 1) exit
      end do
      r = sqrt(-2*log(r)/r)
      x = GAUSSIAN1NS(2)
      if (abs(x - v(2)*r) > 1d-14) print *, i, x, v(2)*r
      x = GAUSSIAN1NS(2)
      if (abs(x - v(1)*r) > 1d-14) print *, i, x, v(1)*r
   end do
   do k = 1, 3 ! -1 and 60163 become 31327 and 1; 31328 and 30081 stay; 7 and -1 become 7 and 30080
      call RMARINNS(pairs(1, k), pairs(2, k), 2)
      write (*, '(f26.24)') [(ranmarns(1), i = 1, 5)], pairs(:, k)/1d5
   end do
   call killRandomNS
   x = ranmarns(-1)
end program
END
} >p.f90
built p.f90 -lgpuranmar_multinest -lgpuranmar && ./p 2>said | awk '{printf "%.17g\n", $1}' >got
for ij in 172 217; do expected $ij 9373 2000; done >expected
for pair in '31327 1' '31328 30081' '7 30080'; do
    expected $pair 5
    awk '{printf "%.17g\n%.17g\n", $1 / 1e5, $2 / 1e5}' <<<"$pair"
done >>expected
same "MultiNest's numbers" expected got
grep -qx 'gpuranmar: RANMARNS: node 0 is not in 1..0' said
report $? 'a node number out of range'

# --- Names that lead elsewhere ---
# refuses NAME LINE SOURCE OPTIONS...: that program ends with that line alone, an extended regular
# expression.
refuses() {
    local name=$1 line=$2
    shift 2
    built "$@" && ! ./p >log 2>&1 && [ "$(wc -l <log)" = 1 ] && grep -Eqx "gpuranmar: $line" log
    report $? "$name"
}
# A program that reads the original's COMMON block; states and seeds that are none; a COMMON block
# that is not the one of the program's BLOCK DATA; a call of another family's RMARIN.
reader() { echo "double precision x,u; common /$1/ u(97); $2; call ranmar(x); print *, x,u(1)"; }
while IFS='|' read -r family line source; do
    refuses "$family: $line" "$line" "$source" "-lgpuranmar_$family" -lgpuranmar
done <<END
one|RMARIN: .* COMMON /RASET1/, .* libgpuranmar_one .*|$(reader raset1 'call rmarin(1802,9373)')
one|RMARIN: .* COMMON /RASET2/, .* libgpuranmar_one .*|$(reader raset2 'call rmarin(1802,9373)')
one|RMARIN: .* COMMON /EXTERNAL_RANDOM/, .*|$(reader external_random 'call rmarin(1802,9373)')
one|RMARIN: .* COMMON /RASET1/, .*|$(reader raset1 "call rmaset(0,30,1,2,'absent')")
cpc|RANMAR: .* COMMON /RASET1/, .* libgpuranmar_cpc .*|common /raset1/ u(97); call ranmar(v,1); print *, u(1)
dpmjet|DT_RNDMST: seeds 1 to 3 are all 1|call dt_rndmst(1,1,1,5)
dpmjet|DT_RNDMST: seed 1 = 0 is not in 1\.\.178|call dt_rndmst(0,1,1,5)
dpmjet|DT_RNDMST: seed 3 = 179 is not in 1\.\.178|call dt_rndmst(2,1,179,5)
dpmjet|DT_RNDMST: seed 4 = 169 is not in 0\.\.168|call dt_rndmst(2,1,1,169)
dpmjet|DT_RNDMIN: CD = .* and CM = 1 are .*|real*8 u(97),c;u=0;c=0;call dt_rndmin(u,c,7654321/16777216d0,1d0,97,33)
dpmjet|DT_RNDMIN: CD = 1 and CM = .* are .*|real*8 u(97),c;u=0;c=0;call dt_rndmin(u,c,1d0,16777213/16777216d0,97,33)
egsnrc|RANMAR_GET: .* has no state.*|common /randomm/ n(128),m(106); m(100)=16777213; call ranmar_get
egsnrc|RANMAR_GET: .* has no state.*|common /randomm/ n(128),m(106); m(99)=7654321; call ranmar_get
pythia6|PYR: COMMON /PYDATR/ has zeros, not the values of BLOCK DATA: .*|print *, pyr(0)
jetset|RLU: COMMON /LUDATR/ has zeros, not the values of BLOCK DATA: .*|print *, rlu(0)
multinest|RANMARNS: node 3 is not in 1\.\.2|call initrandomns(2,1); print *, ranmarns(2)
multinest|INITRANDOMNS: no memory for -1 nodes|call initrandomns(-1,1)
ompmc|initRandom: the input has no two rng seeds|interface; subroutine s() bind(c,name="initRandom"); end; end interface; call s
END
refuses 'one: a reader, with the archive' 'RMARIN: .* COMMON /RASET1/, .*' \
    "$(reader raset1 'call rmarin(1802,9373)')" -fno-lto "$BUILD"/libgpuranmar{_one,}.a -lpthread -ldl -lm
cat >p.c <<'END'
void ranmar_(double *, int *), rmarin_(int *, int *, void *);
int main(void)
{
    double x[2];
    int ij = 1802, kl = 9373, no = 7;
    rmarin_(&ij, &kl, THIRD); /* 8: what lies in the register of an argument that is not given */
    ranmar_(x, ADDRESS);
}
END
no='where the program has no [0-9]+ bytes( to write)?: the call does not fit this library.s'
refuses 'cernlib: RMARIN of two arguments' "RMARIN: NTOT2 is at 0x8, $no RMARIN" \
    p.c '-DTHIRD=(void*)8' -DADDRESS=0 -lgpuranmar_cernlib -lgpuranmar
for library in real cernlib; do
    refuses "$library: RANMAR of one argument" "RANMAR: LEN is at 0x8, $no RANMAR" \
        p.c '-DTHIRD=&no' '-DADDRESS=(void*)8' "-lgpuranmar_$library" -lgpuranmar
    refuses "$library: RANMAR with a count that is none" \
        "RANMAR: RVEC is at 0x[0-9a-f]+, $no RANMAR" \
        p.c '-DTHIRD=&no' '-DADDRESS=(no=2000000000,&no)' "-lgpuranmar_$library" -lgpuranmar
done

# Right addresses cost nothing: the system is asked by a pipe, once for a page, 256 times at most.
# A program that another thread starts meanwhile does not inherit the pipe.
cat >p.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static int pipes;
int pipe2(int ends[2], int flags)
{
    pipes += flags & O_CLOEXEC ? 1 : 1000;
    return (int)syscall(SYS_pipe2, ends, flags);
}
void ranmar_(float *, int *), rmarin_(int *, int *, int *);
int main(void)
{
    static float array[2000000];
    int ij = 1802, kl = 9373, n = 3;
    for (int i = 0; i < 2000000; i += 1000) {
        rmarin_(&ij, &kl, &kl);
        ranmar_(array + i % WALKS, &n);
    }
    return pipes == 0 || pipes > MOST;
}
END
for library in real cernlib; do
    for walk in '1 5' '2000000 256'; do
        built p.c -DWALKS=${walk% *} -DMOST=${walk#* } "-lgpuranmar_$library" -lgpuranmar &&
            ./p 2>log
        report $? "$library: 2000 starts ask the system at most ${walk#* } times"
    done
done

away="take the original's source, or the other library, off the link line"
refuses 'an own RANMAR beside our RMARIN' "RMARIN: this program's RANMAR is not this library's: $away" \
    'dimension v(3); call rmarin(1802,9373); call ranmar(v,3); print *, v; end
subroutine ranmar(v,n); dimension v(n); v = 1' \
    -lgpuranmar_real -lgpuranmar
refuses 'an own RMARIN beside our RANMAR' "RANMAR: this program's RMARIN is not this library's: $away" \
    'call rmarin(1802,9373); call ranmar(v,1); print *, v; end; subroutine rmarin(ij,kl)' \
    -lgpuranmar_real -lgpuranmar
refuses 'an own RANMAR_GET beside our INIT_RANMAR' \
    "INIT_RANMAR: this program's RANMAR_GET is not this library's: $away" \
    'call init_ranmar; end; subroutine ranmar_get' -lgpuranmar_egsnrc -lgpuranmar
own='integer :: i(3)=[1802,0,0]; double precision v; call rmmaqd(i,1,"S")
call rmmard(v,1,1); print *, v; end'
own="$own; subroutine rmmard(v,n,k); double precision v; v = 1"
refuses 'an own RMMARD beside our RMMAQD' "RMMAQD: this program's RMMARD is not this library's: $away" \
    "$own" -lgpuranmar
! built "$own" -fno-lto "$BUILD/libgpuranmar.a" -ldl -lm &&
    grep -q 'multiple definition.*rmmard_' log
report $? 'the same with the archive does not link'

# A routine that is passed as an argument: a program that is not position-independent has its own
# address for the routine. says NAME LINE SOURCE OPTIONS...: that program prints that line.
says() {
    local name=$1 line=$2
    shift 2
    built "$@" && ./p >log 2>&1 && grep -qx "$line" log
    report $? "$name"
}
passed='external rmmard,ranmar; integer :: i(3)=[1802,0,0]; call rmmaqd(i,1,"S")
call rmarin(1802,0,0); call draw(rmmard,ranmar); end; subroutine draw(first,second); double precision v; call first(v,1,1)
call second(x,1); print "(2f9.6)", v,x'
for options in -fPIE\ -pie -fno-PIE\ -no-pie; do
    says "passed as an argument: $options" ' 0.117580 0.894699' "$passed" $options \
        -lgpuranmar_cernlib -lgpuranmar
done
echo 'void ranmar_(float *x, int *n) { *x = 0.25F * *n; }' >other.c
"${CC:-cc}" -shared -fPIC -o other.so other.c
refuses '... of another library before ours' "RMARIN: this program's RANMAR is not this library's: .*" \
    "$passed" -fno-PIE -no-pie ./other.so -lgpuranmar_cernlib -lgpuranmar
user="-Wl,-rpath,$BUILD -Wl,--no-as-needed -lgpuranmar_cernlib"
"${CC:-cc}" -shared -o user.so -x c /dev/null -x none -L"$BUILD" $user
refuses '... and behind one that needs ours' "RMARIN: this program's RANMAR is not this library's: .*" \
    "$passed" -fno-PIE -no-pie -Wl,--no-as-needed ./user.so ./other.so -lgpuranmar_cernlib -lgpuranmar

# The state is read from the beginning of its file, and nothing is written to unit 5.
says 'one: a file that the program has read from' ' 0.116391' 'double precision x
call rmarin(1802,9373); call rmasave(30,"f"); open(30,file="f",form="unformatted"); read(30)
call rmaset(5,30,1,2,"f"); call ranmar(x); print "(f9.6)", x' -lgpuranmar_one -lgpuranmar </dev/null

chmod 444 f && chmod 755 .
refuses '... that it may not write' 'RMASAVE: the file f: Cannot write .*' 'interface
integer function setuid(id) bind(c); integer, value :: id; end function; end interface
call rmarin(1802,9373); i = setuid(65534); call rmasave(30,"f")' -lgpuranmar_one -lgpuranmar
refuses '... and one that reads COMMON /RASET1/' 'RMASET: .* COMMON /RASET1/, .*' \
    "$(reader raset1 "call rmaset(0,30,1,2,'f')")" -lgpuranmar_one -lgpuranmar

# A skip of 10^9 numbers and more, which takes the reference of families.t too long.
for answer in 'cpcnow 0.528003' 'cernlib 0.528003'; do
    says "skipped: $answer" " ${answer#* }" \
        'call rmarin(54217137,300,1); call ranmar(x,1); print "(f9.6)", x' \
        "-lgpuranmar_${answer% *}" -lgpuranmar
done

# Constants, which lie in memory that is only for reading: nothing is stored where the original does
# not store.
while IFS='|' read -r family calls; do
    says "$family: constants as arguments" ' done' "implicit double precision (d); $calls; print *, 'done'" \
        ${family:+-lgpuranmar_$family} -lgpuranmar
done <<'END'
|dimension i(3); call rmmaqd([1,0,0],2,"S"); call rmmaqd(i,2,"R"); call rmmard(d,1,2); call rmmaqd(i,2,"RV"); rewind 11; call rmmaqd([1,0,0],2,"SV")
cernlib|dimension i(103); call rmarin(1,0,0); call ranmar(x,1); call rmmaq([1,0,0],2,"S"); call rmmaq(i,2,"R"); call rmmaq(i,2,"RV"); call rmmaq(i,2,"SV"); call rmmar(x,1,2); call rm48in(1,0,0); call rm48(d,1)
cpc|call rmarin(1,0,0); call ranmar(x,1)
cpcnow|call rmarin(1,0,0); call ranmar(x,1)
kkmc|call pseumar_initialize(1,0,0); call pseumar_makevec(x,1)
one|call rmarin(1,2); call rmasave(30,"g"); call rmaset(0,30,1,2,"g"); call ranmar(d)
real|call rmarin(1,2); call ranmar(x,1)
james|call rmarin(1); call ranmar(x,1)
double|call rmarin(1,2); call ranmar(d,1)
function|call rmarin(1,2); x = ranmar()
dfunction|double precision ranmar; call rmarin(1,2); d = ranmar()
pythia6|double precision pyr; common /pydatr/ m(6),d(100); m(4)=97; e = pyr(0); call pyrget(20,0); call pyrset(20,-1)
jetset|common /ludatr/ m(6),r(100); m(4)=97; e = rlu(0); call rluget(21,0); call rluset(21,-1)
sophia|double precision rlu; common /ludatr/ m(6),d(100); m(4)=97; e = rlu(0); call rluget(22,0); call rluset(22,-1)
photos|call phorin; x = phoran(0)
dphotos|double precision phoran; call phorin; d = phoran(0)
amber|call amrset(1); call amrand(d)
dlpoly|double precision duni; d = duni()
dpmjet|double precision dt_rndm; dimension d(97); call dt_rndmst(12,34,56,78); call dt_rndmou(d,dc,dd,dm,i,j); call dt_rndmin(d,362436d0/2**24,7654321d0/2**24,16777213d0/2**24,97,33); e = dt_rndm(0)
egsnrc|call init_ranmar; call ranmar_get
multinest|double precision ranmarns,gaussian1ns; call initrandomns(2,1); call rmarinns(1,2,1); d = ranmarns(0) + gaussian1ns(0)
END

# --- Programs that another compiler has made, whose units the library does not have ---
no_unit='not open in gfortran, whose units the library uses, and the main program is not of gfortran'
cat >p.c <<'END'
#include <string.h>
void rmmaqd_(int *, int *, const char *, long), rmmard_(double *, int *, int *);
int main(void)
{
    int seed[] = {1802, 0, 0}, one = 1;
    double x;
    rmmaqd_(seed, &one, "S", 1);
    rmmard_(&x, &one, &one);
    rmmaqd_(seed, &one, OPTION, 2);
}
END
rm -f fort.11
for option in RV:write SV:'read a Fortran state from'; do
    refuses "C: RMMAQD ${option%:*}" "RMMAQD: CHOPT = ${option%:*}: cannot ${option#*:} unit 11: $no_unit" \
        p.c "-DOPTION=\"${option%:*}\"" -lgpuranmar
done
ok '... no file of the unit is written' [ ! -e fort.11 ]
for flang in flang-new flang-new-19 flang-new-16; do
    type -P $flang >/dev/null && break
done
if [ -z "$SANITIZE" ] && needs "LLVM's flang" $flang; then
    gfortran=$FC FC=$flang experimental=
    [[ $($flang --version) != *'version 16'* ]] || experimental=-flang-experimental-exec
    start='call rmmaqd([1802,0,0],1,"S"); call rmmard(d,1,1)'
    while IFS='|' read -r family line calls; do
        refuses "flang: $line" "$line: $no_unit" "implicit double precision (d); $calls" $experimental \
            ${family:+-lgpuranmar_$family} -lgpuranmar
    done <<END
|RMMAQD: CHOPT = RV: cannot write unit 11|open(11,file="own"); $start; call rmmaqd(i,1,"RV")
|RMMAQD: CHOPT = SV: cannot read a Fortran state from unit 11|$start; call rmmaqd([0,0,0],1,"SV")
pythia6|PYRGET: unit LFN|common /pydatr/ m(6),d(100); open(20,file="own",form="unformatted"); call pyrget(20,0)
jetset|RLUSET: unit LFN|common /ludatr/ m(6),r(100); call rluset(20,-1)
one|RMASET: unit IUO|open(7,file="own"); call rmaset(7,30,1,2,"h")
END
    while IFS='|' read -r family line calls; do
        says "flang: $calls" "$line" "implicit double precision (d); $calls" $experimental \
            ${family:+-lgpuranmar_$family} -lgpuranmar
    done <<END
| 0.117580|$start; print "(f9.6)", d
one| 0.116391|call rmarin(1802,9373); call rmasave(30,"k"); call rmaset(6,30,1,2,"k"); call ranmar(d); print "(f9.6)", d
cpc|  0.116391|call rmarin(54217137,0,0); call ranmar(x,1); print "(f10.6)", x
END
    [[ $(head -n 1 log) == ' RANMAR INITIALIZED:'* ]]
    report $? "... cpc's lines come in their place"
    says 'flang: statically' ' 0.117580' "double precision d; $start; print '(f9.6)', d" $experimental \
        "$BUILD/libgpuranmar.a" -lgfortran -lpthread -ldl -lm
    if [ -n "$experimental" ]; then
        skip 'flang: the module gpuranmar' 'version 16 cannot compile it'
    else
        cat "$BUILD/gpuranmar.f90" "$SOURCE/fortran/gpuranmar_device.f90" \
            "$SOURCE/validate/tests/fortran/module.f90" >p.f90
        built p.f90 -lgpuranmar && (cd "$SOURCE" && "$SCRATCH/p" >>"$SCRATCH/log" 2>&1)
        report $? 'flang: the module gpuranmar'
    fi
    FC=$gfortran
fi

# A family that was not asked for has no names to link with.
! built 'call rmarin(1802,9373); call ranmar(x)' -lgpuranmar &&
    grep -q 'undefined reference.*rmarin_' log
report $? 'libgpuranmar alone has no RANMAR'
! nm -D --defined-only "$BUILD/libgpuranmar.so" |
    grep -iE ' (ranmar_|rmarin_|rm48_|rmmar_|pyr_|rlu_)' >log
report $? 'nor any other family'

finish
