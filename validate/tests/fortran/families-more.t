#!/bin/bash
# GSL's gsl_rng_ranmar by this library instead of GSL's own, ompMC's setRandom on threads, and
# MultiNest's module.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}") CC=${CC:-cc}
[ -z "$SANITIZE" ] || skip_all 'a program without the sanitizers cannot load the library with them'
FC=${FC:-gfortran}
# expected IJ KL COUNT: the first numbers of a sequence of 24 bits.
expected() {
    "$BUILD/reference-numbers" --single $(($1 * 30082 + $2)) 0 0 "$3" | od -An -v -tf4 -w4 |
        awk '{printf "%.17g\n", int($1 * 2^24 + 0.5) / 2^24}'
}
# draws SOURCE FAMILY: what a Fortran program in $SCRATCH prints with the family's library.
draws() {
    (cd "$SCRATCH" && "$FC" -o draws "$1" -L"$BUILD" "-lgpuranmar_$2" -lgpuranmar \
        -Wl,-rpath,"$BUILD" && ./draws | awk '{printf "%.17g\n", $1}')
}
cat >"$SCRATCH/gsl.c" <<'END'
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
if ! "$CC" -o "$SCRATCH/gsl" "$SCRATCH/gsl.c" -lgsl -lgslcblas -lm 2>/dev/null; then
    skip "GSL's numbers" 'GSL is not found'
else
    seeds="$RANDOM$RANDOM 0 942438977 942438978 4294967295 266892398" # of the last the 898th number is 0
    "$SCRATCH/gsl" $seeds >"$SCRATCH/expected" 2>"$SCRATCH/size"
    LD_PRELOAD=$BUILD/libgpuranmar_gsl.so "$SCRATCH/gsl" $seeds >"$SCRATCH/got" 2>"$SCRATCH/ours"
    same "GSL's numbers, seeds $seeds" "$SCRATCH/expected" "$SCRATCH/got"
    ! cmp -s "$SCRATCH/size" "$SCRATCH/ours"
    report $? '... by an engine and not by GSL'
fi
cat >"$SCRATCH/ompmc.c" <<'END'
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
    "$CC" -fopenmp "-DSEEDS=\"$ij $kl\"" -o "$SCRATCH/ompmc" "$SCRATCH/ompmc.c" -L"$BUILD" \
        -lgpuranmar_ompmc -lgpuranmar -Wl,-rpath,"$BUILD" && "$SCRATCH/ompmc" 2>"$SCRATCH/got"
    for second in $of_0 $of_1; do expected $seed $second 1000; done >"$SCRATCH/expected"
    same "ompMC's numbers, seeds $ij $kl" "$SCRATCH/expected" "$SCRATCH/got"
done <<END
1802 9373 1802 9373 9374
31328 30081 31328 30081 0
5 31327 5 1245 1246
0 31328 1802 1246 9373
END
# MultiNest's module as README.md has it: nodes in turns, and normal numbers from a node's pairs.
{
    sed -n '/^    module RandomNS/,/^    end module/p' csrc/families/README.md
    cat <<'END'
program nodes
   use RandomNS
   implicit none
   real(8) :: u(0:1, 2000), v(2), r, x
   integer :: i, k, ij, kl
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
   ij = -1 ! which becomes 31327
   kl = 60163 ! which becomes 1
   call RMARINNS(ij, kl, 2)
   write (*, '(f26.24)') [(ranmarns(1), i = 1, 5)], ij/1d5, kl/1d5
   call killRandomNS
   x = ranmarns(-1)
end program
END
} >"$SCRATCH/nodes.f90"
draws nodes.f90 multinest >"$SCRATCH/got" 2>"$SCRATCH/said"
for ij in 172 217; do expected $ij 9373 2000; done >"$SCRATCH/expected"
expected 31327 1 5 >>"$SCRATCH/expected"
printf '%s\n' 0.31327 1e-05 | awk '{printf "%.17g\n", $1}' >>"$SCRATCH/expected"
same "MultiNest's numbers" "$SCRATCH/expected" "$SCRATCH/got"
grep -qx 'gpuranmar: RANMARNS: node 0 is not in 1..0' "$SCRATCH/said"
report $? 'a node that there is not'
# DL_POLY Classic's module as README.md has it.
{
    echo '      module utility_module'
    sed -n '/^          interface/,/^          end interface/s/^    //p' csrc/families/README.md
    cat <<'END'
      contains
      subroutine draws
        real(8) x
        integer i
        x = duni()
        do i = 1, 1000
          x = duni()
          write (*, '(f26.24)') x
        enddo
      end subroutine
      end module
      use utility_module
      call draws
      end
END
} >"$SCRATCH/dlpoly.f"
draws dlpoly.f dlpoly >"$SCRATCH/got"
expected 1802 9373 1000 >"$SCRATCH/expected"
same "DL_POLY's numbers" "$SCRATCH/expected" "$SCRATCH/got"
finish
