#!/bin/bash
# The library for other machines and compilers: it compiles without a warning, its loops are proven
# (test_proof.c), and programs make the same numbers as here. Programs of other processors run under
# qemu. What is not installed is skipped by name. This is what `make check-machines` runs; MACHINES,
# an extended regular expression, chooses among the names.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
build=$(realpath "${BUILD:-build}")
whole=$("$build/threads" fill 1000000)
proof=validate/tests/test_proof.c
sources=(csrc/{definition,fill,stream,fortran,api}/*.c)
flags=(-std=gnu11 -O2 -Wall -Wextra -Werror -Icsrc -Icsrc/include)
libraries=(-lpthread -ldl -lm)

# in_c NAME RUN COMPILER...: the C library. RUN is the command that runs such programs, or empty.
in_c() {
    local name=$1 run=$2 count
    [[ $name =~ ${MACHINES-} ]] && can_make "$@" || return
    shift 2
    rm -f "$SCRATCH"/{threads,proof}
    ok "$name: no warning" "$@" "${flags[@]}" -o "$SCRATCH/threads" validate/tests/threads.c \
        "${sources[@]}" "${libraries[@]}"
    ok "$name: the same numbers" \
        test "$(OMP_NUM_THREADS=3 $run "$SCRATCH/threads" fill 1000000)" = "$whole"
    "$@" "${flags[@]}" -Wl,--wrap=ranmar_goes_past_caches -o "$SCRATCH/proof" $proof \
        "${sources[@]}" "${libraries[@]}" >"$SCRATCH/log" 2>&1 &&
        $run "$SCRATCH/proof" >"$SCRATCH/log" 2>&1
    report $? "$name: the loops are proven"
    count=$(sed -n 's/^ok [0-9]* - \([^,]*\), double: words.*/\1/p' "$SCRATCH/log" | paste -sd,)
    echo "# $name: $(uname -s), loops: ${count//,/, }"
}

in_c 'gcc' '' gcc
in_c 'clang' '' clang
in_c '32 bits' linux32 i686-linux-gnu-gcc -static
in_c 'musl' '' musl-gcc
in_c '64-bit Arm' qemu-aarch64 aarch64-linux-gnu-gcc -static
in_c '64-bit Arm, clang' qemu-aarch64 clang --target=aarch64-linux-gnu -static
in_c 'big-endian, s390x' qemu-s390x s390x-linux-gnu-gcc -static
in_c 'big-endian, 32 bits, powerpc' qemu-ppc powerpc-linux-gnu-gcc -static
in_c 'powerpc64le' qemu-ppc64le powerpc64le-linux-gnu-gcc -static

# --- Fortran: a program's calls, the reference's output and its file of states ---

calls='S 1 1802 9 0
S 9 942377567 77777 0
draw 1 100
draw 9 1
draw 99 1000
R 9 1 2 3
file state
RV 1 1 2 3
draw 1 97
file state
SV 9 1 2 3
draw 9 999
SR 2 5 5 0
R 2 1 2 3'
mkdir "$SCRATCH/here"
(cd "$SCRATCH/here" && "$build/replay-reference" <<<"$calls" >output)

# in_fortran NAME RUN FC CC FLAG...: with the flags that FC needs.
in_fortran() {
    local name=$1 run=$2 fc=$3 cc=$4 folder=$SCRATCH/there
    shift 4
    [[ $name =~ ${MACHINES-} ]] || return
    needs "$name" "$fc" && can_make "$name" "$run" "$cc" ${run:+-static} || return
    rm -rf "$folder"
    mkdir "$folder"
    {
        for source in "${sources[@]}"; do
            "$cc" "${flags[@]}" -c -o "$folder/$(tr / _ <<<"$source").o" "$source" || break
        done && for source in fortran/rmmaqd.f90 fortran/reference/replay.f90; do
            (cd "$folder" && "$fc" -c -o "$(basename "$source").o" "$OLDPWD/$source") || break
        done && "$fc" "$@" ${run:+-static} -o "$folder/replay" "$folder"/*.o "${libraries[@]}"
    } >"$SCRATCH/log" 2>&1
    report $? "$name: builds"
    (cd "$folder" && $run ./replay <<<"$calls" >output 2>"$SCRATCH/log")
    report $? "$name: runs"
    same "$name: the reference's numbers" "$SCRATCH/here/output" "$folder/output"
    same "$name: and its file" "$SCRATCH/here/state" "$folder/state"
}

in_fortran 'gfortran' '' gfortran gcc
in_fortran 'gfortran, 64-bit Arm' qemu-aarch64 aarch64-linux-gnu-gfortran aarch64-linux-gnu-gcc
in_fortran 'gfortran, big-endian' qemu-s390x s390x-linux-gnu-gfortran s390x-linux-gnu-gcc
in_fortran 'gfortran, 32 bits' linux32 i686-linux-gnu-gfortran i686-linux-gnu-gcc
in_fortran 'gfortran, powerpc' qemu-ppc powerpc-linux-gnu-gfortran powerpc-linux-gnu-gcc
in_fortran 'gfortran, powerpc64le' qemu-ppc64le powerpc64le-linux-gnu-{gfortran,gcc}
for flang in flang-new flang-new-16 flang-new-19; do
    command -v $flang >/dev/null && break
done
# It writes its module files into the current folder; version 16 links no program unless it is told
# to.
in_fortran "LLVM's flang" '' $flang gcc \
    $([ "$flang" = flang-new-16 ] && echo -flang-experimental-exec)

# --- Compilers that are not to be had here: their spellings, by the symbol table ---

# Of a routine and a COMMON both Intel's ifx and NVIDIA's nvfortran make the lower-case name with an
# underscore, as gfortran does, and pass the length of a CHARACTER last. Names of modules'
# procedures differ: with these compilers fortran/gpuranmar.f90 is compiled along with the program.
for library in gpuranmar gpuranmar_ilp64; do
    nm -D --defined-only "$build/lib$library.so" | awk '{ print $3 }' | sed 's/@.*//' |
        sort >"$SCRATCH/names"
    printf '%s_\n' rmmard rmmaqd grncom grnset grnget grnput grncnt grnvec grnfil | sort |
        comm -23 - "$SCRATCH/names" >"$SCRATCH/log"
    [ ! -s "$SCRATCH/log" ]
    report $? "lib$library has the names as ifx and nvfortran spell them"
done

# --- Instructions a number, beside AVX2's ---

# instructions RUN PROGRAM LEVEL FLAVOUR: of a refill, for each number, as qemu steps through them.
instructions() {
    local n count=()
    for n in 6400 12800; do
        rm -f "$SCRATCH/trace"
        $1 -singlestep -d exec,nochain -D "$SCRATCH/trace" "$2" "$3" "$4" "$n" 2>/dev/null
        count+=("$(grep -c '^Trace' "$SCRATCH/trace")")
    done
    awk -v a="${count[0]}" -v b="${count[1]}" 'BEGIN { printf "%.2f", (b - a) / 6400 }'
}

counted=(validate/machines/count.c "${sources[@]}" "${libraries[@]}")
if [[ instructions =~ ${MACHINES-} ]] &&
    needs instructions qemu-x86_64 qemu-aarch64 x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc; then
    for cpu in x86_64 aarch64; do
        ok "instructions: a program that is counted, $cpu" \
            $cpu-linux-gnu-gcc "${flags[@]}" -O3 -static -o "$SCRATCH/count-$cpu" "${counted[@]}"
    done
    for loop in 'aarch64 neon' 'aarch64 portable' 'x86_64 avx2' 'x86_64 sse2' 'x86_64 portable'; do
        read -r cpu level <<<"$loop"
        run=qemu-$cpu
        [ "$cpu" = x86_64 ] && run='qemu-x86_64 -cpu max'
        : >"$SCRATCH/log"
        for flavour in 0:double 1:single 2:extended 3:luxury; do
            count=$(instructions "$run" "$SCRATCH/count-$cpu" "$level" "${flavour%:*}")
            echo "# ${flavour#*:}, $level, $cpu: $count instructions a number"
            awk -v n="$count" 'BEGIN { exit !(n > 1) }' ||
                echo "${flavour#*:}: '$count'" >>"$SCRATCH/log"
        done
        report "$([ -s "$SCRATCH/log" ] && echo 1 || echo 0)" "instructions of $level, $cpu"
    done
fi

finish
