#!/bin/bash
# What the families' libraries refuse: bad input, and programs in which one of the family's names
# leads to a routine that is not the library's. The program ends with one line on standard error and
# a non-zero exit status, and all that it printed before is there.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=$(realpath "${BUILD:-build}") FC=${FC:-gfortran}

# refused FAMILY LINE <SCRIPT: the last call of the script ends the family's program with exactly
# that line, which is no regular expression.
refused() {
    stops "$1: $2" "$(sed 's/[][\.*^$()+?{}|]/\\&/g' <<<"$2")" "$BUILD/replay-$1-relinked"
}

for family in one real double function dfunction; do
    refused $family 'RANMAR: RMARIN must be called before it' <<<'draw 1'
    refused $family 'RMARIN: seed IJ = 31329 is not in 0..31328' \
        <<<$'start 1 1\ndraw 5\nstart 31329 0'
    refused $family 'RMARIN: seed KL = -1 is not in 0..30081' <<<$'start 1 1\ndraw 5\nstart 0 -1'
done
refused real 'RANMAR: LEN = -1 is negative' <<<$'start 1 1\ndraw 5\ndraw -1'
refused double 'RANMAR: LEN = -7 is negative' <<<$'start 1 1\ndraw -7'
refused cpc 'RANMAR: LEN = -1 is negative' <<<$'draw 5\ndraw -1'
refused cpc 'RMARIN: seed IJKL = -1 is negative' <<<$'draw 5\nstart -1 0 0'
refused one 'RMASAVE: RMASET or RMARIN must be called before it' <<<'rmasave x'
refused amber 'AMRAND: AMRSET must be called before it' <<<'draw 1'
refused dpmjet 'DT_RNDMOU: DT_RNDMST must be called before it' <<<'keep'
for family in photos dphotos; do
    refused $family 'PHORAN: PHORIN must be called before it' <<<'draw 1'
    refused $family 'PHORIN: ISEED(1) = 31328 of COMMON /PHSEED/ is not in 0..31327' \
        <<<'start 31328 1'
    refused $family 'PHORIN: ISEED(2) = -1 of COMMON /PHSEED/ is not in 0..30080' <<<'start 3 -1'
done
for names in 'pythia6 PYR PYDATR' 'jetset RLU LUDATR'; do
    read -r family name block <<<"$names"
    refused $family "$name: seed = -4 in COMMON /$block/ is negative" <<<$'draw 3\nstart -4\ndraw 1'
    # In the second script the COMMON block has the same counters when the copy is put back as when
    # it was made, but they count from another start.
    for script in $'draw 3\nkeep\ndraw 2\nrestore\ndraw 1' \
        $'draw 3\nkeep\nstart 4\ndraw 3\nrestore\ndraw 1'; do
        refused $family "$name: COMMON /$block/ was put back from a copy that was made without \
${name}GET and has no state in it" <<<"$script"
    done
    refused $family "${name}SET: unit LFN: End of file" <<<$'file none\nset 0'
done

# A disk that is full, and files that are no state.
ln -s /dev/full "$SCRATCH/full"
refused one 'RMASAVE: the file full has not taken all of it' <<<$'start 1 2\ndraw 1\nrmasave full'
refused pythia6 'PYRGET: the file full has not taken all of it' <<<$'draw 1\nfile full\nget 0'
refused jetset 'RLUGET: the file full has not taken all of it' <<<$'draw 1\nfile full\nget 0'
echo short >"$SCRATCH/short"
(cd "$SCRATCH" && "$BUILD/replay-one-relinked" <<<'rmaset 1 2 short') >"$SCRATCH/log" 2>&1
grep -Fqx 'gpuranmar: RMASET: the file short: Unformatted file structure has been corrupted' \
    "$SCRATCH/log"
report $? 'one: RMASET: a file that is no state'
mkdir "$SCRATCH/folder"
LC_ALL=C refused one "RMASAVE: the file folder: Cannot open file 'folder': Is a directory" \
    <<<$'start 1 2\ndraw 1\nrmasave folder'

# Settings that change the numbers of RMMARD change none here, and one line says so.
passes_over() {
    local said=$1 family=$2
    shift 2
    env "$@" "$BUILD/replay-$family-relinked" <script 2>log | cmp - expected >>log &&
        diff <(echo "$said" | grep .) log
    report $? "$family: $*"
}
cd "$SCRATCH" || exit
printf 'start 1 1\ndraw 3\nstart 1 2\ndraw 3\n' >script
"$BUILD/replay-real-relinked" <script >expected
heeds='only RMMARD and RMMAQD heed that'
passes_over "gpuranmar: RMARIN passes over GPURANMAR_FLAVOUR: $heeds" real GPURANMAR_FLAVOUR=double
passes_over "gpuranmar: RMARIN passes over GPURANMAR_INSTANCES GPURANMAR_START_POSITION: $heeds" \
    real GPURANMAR_INSTANCES=2 GPURANMAR_START_POSITION=7
passes_over "gpuranmar: RMARIN passes over GPURANMAR_START_POSITION: $heeds" real \
    GPURANMAR_START_POSITION=7
passes_over '' real GPURANMAR_INSTANCES=1 GPURANMAR_START_POSITION=0
printf 'start 5\ndraw 3\n' >script
"$BUILD/replay-pythia6-relinked" <script >expected
passes_over "gpuranmar: PYR passes over GPURANMAR_FLAVOUR: $heeds" pythia6 GPURANMAR_FLAVOUR=keyed
passes_over '' pythia6 GPURANMAR_FLAVOUR=double

# --- Names that lead elsewhere ---
# built SOURCE OPTIONS...: makes the program p of a line of Fortran, or of p.c if the source is p.c.
built() {
    local compiler=$FC source=p.f90
    [ "$1" != p.c ] || compiler=${CC:-cc} source=p.c
    [ "$1" = p.c ] || tr ';' '\n' <<<"$1; end" >p.f90
    shift
    "$compiler" -w ${SANITIZE:+-fsanitize="$SANITIZE"} -o p -L"$BUILD" -Wl,-rpath,"$BUILD" $source \
        "$@" >log 2>&1
}
# refuses NAME LINE SOURCE OPTIONS...: that program ends with that line alone, an extended regular
# expression.
refuses() {
    local name=$1 line=$2
    shift 2
    built "$@" && ! ./p >log 2>&1 && [ "$(wc -l <log)" = 1 ] && grep -Eqx "gpuranmar: $line" log
    report $? "$name"
}
# The state that the original keeps in a COMMON block is not there: one routine of the program's own
# that reads it, or draws from it, is enough.
taken() {
    echo "$1: this program has COMMON /$2/, the original's state: libgpuranmar_$3 keeps its own, and \
what reads or draws from the block would find nothing; take out all that has it, or do not link \
the library"
}
one="-lgpuranmar_one -lgpuranmar"
static="-fno-lto $BUILD/libgpuranmar_one.a $BUILD/libgpuranmar.a -ldl -lm"
reads='double precision x,u; common /BLOCK/ u(97); call rmarin(1802,9373)
call ranmar(x); print *, x,u(1)'
for block in RASET1 RASET2 EXTERNAL_RANDOM; do
    refuses "one: a reader of /$block/" "$(taken RMARIN $block one)" "${reads/BLOCK/$block}" $one
done
refuses 'the same in the archive' "$(taken RMARIN RASET1 one)" "${reads/BLOCK/raset1}" $static
reads=${reads/call rmarin(1802,9373)/call rmaset(0,30,1,2,\'absent\')}
refuses 'one: RMASET and a reader' "$(taken RMARIN RASET1 one)" "${reads/BLOCK/raset1}" $one
refuses 'cpc: a reader, without RMARIN' "$(taken RANMAR RASET1 cpc)" \
    'dimension v(3); common /raset1/ u(97); call ranmar(v,3); print *, v,u(1)' \
    -lgpuranmar_cpc -lgpuranmar

# States and seeds that are none.
while IFS='|' read -r family line source; do
    refuses "$family: $line" "$line" "$source" "-lgpuranmar_$family" -lgpuranmar
done <<'END'
dpmjet|DT_RNDMST: seeds 1 to 3 are all 1|call dt_rndmst(1,1,1,5)
dpmjet|DT_RNDMST: seed 4 = 169 is not in 0\.\.168|call dt_rndmst(2,1,1,169)
dpmjet|DT_RNDMIN: CD = .* and CM = 1 are .*|call dt_rndmin(u,c,7654321/16777216d0,1d0,97,33)
egsnrc|RANMAR_GET: .* has no state.*|common /randomm/ n(128),m(106); m(99)=7654321; call ranmar_get
END

# A COMMON block that is not the one of the program's BLOCK DATA.
for names in 'pythia6 PYR PYDATR' 'jetset RLU LUDATR'; do
    read -r family name block <<<"$names"
    refuses "$family: no BLOCK DATA" "$name: COMMON /$block/ has zeros, not the values of BLOCK DATA: \
link the BLOCK DATA before this library, or set a seed above 0" "print *, $name(0)" \
        -lgpuranmar_$family -lgpuranmar
done

# A program of one form that is linked with the library of another, where the first call shows it.
refuses 'real: RMARIN of three arguments' 'RMARIN: seed IJ = 54217137 is not in 0..31328' \
    'call rmarin(54217137,0,0)' -lgpuranmar_real -lgpuranmar
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
no='where the program has no [0-9]+ bytes( to write)?: it does not call the'
for library in cernlib cpc cpcnow; do
    refuses "$library: RMARIN of two arguments" "RMARIN: NTOT2 is at 0x8, $no RMARIN of this library" \
        p.c '-DTHIRD=(void*)8' -DADDRESS=0 "-lgpuranmar_$library" -lgpuranmar
done
for library in real double cernlib; do
    refuses "$library: RANMAR of one argument" "RANMAR: LEN is at 0x8, $no RANMAR of this library" \
        p.c '-DTHIRD=&no' '-DADDRESS=(void*)8' "-lgpuranmar_$library" -lgpuranmar
    refuses "$library: RANMAR with a count that is none" \
        "RANMAR: RVEC is at 0x[0-9a-f]+, $no RANMAR of this library" \
        p.c '-DTHIRD=&no' '-DADDRESS=(no=2000000000,&no)' "-lgpuranmar_$library" -lgpuranmar
done

away="take the original's source, or the other library, off the link line"
refuses 'an own RANMAR beside our RMARIN' "RMARIN: this program's RANMAR is not this library's: $away" \
    'dimension v(3); call rmarin(1802,9373); call ranmar(v,3); print *, v; end
subroutine ranmar(v,n); dimension v(n); v = 1' \
    -lgpuranmar_real -lgpuranmar
own='integer :: i(3)=[1802,0,0]; double precision v; call rmmaqd(i,1,"S")
call rmmard(v,1,1); print *, v; end'
own="$own; subroutine rmmard(v,n,k); double precision v; v = 1"
refuses 'an own RMMARD beside our RMMAQD' "RMMAQD: this program's RMMARD is not this library's: $away" \
    "$own" -lgpuranmar
! built "$own" -fno-lto "$BUILD/libgpuranmar.a" -ldl -lm &&
    grep -q 'multiple definition.*rmmard_' log
report $? 'the same with the archive does not link'

# A routine that is passed as an argument. A program that is not position-independent has an address
# of its own for it.
# says NAME LINE SOURCE OPTIONS...: that program prints that line.
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

# The state is read from the beginning of its file, and nothing is written to unit 5.
says 'one: a file that the program has read from' ' 0.116391' 'double precision x
call rmarin(1802,9373); call rmasave(30,"f"); open(30,file="f",form="unformatted"); read(30)
call rmaset(5,30,1,2,"f"); call ranmar(x); print "(f9.6)", x' $one </dev/null

# The skip loop of the journal's text, and that of copies where it was put right.
for answer in 'cpc 0.805576' 'cpcnow 0.528003' 'cernlib 0.528003'; do
    says "skipped: $answer" " ${answer#* }" \
        'call rmarin(54217137,300,1); call ranmar(x,1); print "(f9.6)", x' \
        "-lgpuranmar_${answer% *}" -lgpuranmar
done

# A family that was not asked for has no names to link with.
! built 'call rmarin(1802,9373); call ranmar(x)' -lgpuranmar &&
    grep -q 'undefined reference.*rmarin_' log
report $? 'libgpuranmar alone has no RANMAR'
! nm -D --defined-only "$BUILD/libgpuranmar.so" |
    grep -iE ' (ranmar_|rmarin_|rm48_|rmmar_|pyr_|rlu_)' >log
report $? 'nor any other family'

finish
