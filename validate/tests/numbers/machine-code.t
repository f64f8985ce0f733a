#!/bin/bash
# The compiled refill loop for AVX2 has no instruction that lowers a core's clock: no 256-bit
# floating point, and nothing of 512 bits. RMMARD's code for one number fits a cache line.
cd "$(dirname "$0")/../../.." || exit 1
. validate/tests/tap.sh
build=${BUILD:-build}
object=$build/shared/fill/avx2.o
[ "$(uname -m)" = x86_64 ] || skip_all "not an x86-64 machine"
all_need objdump

# of NAME: the instructions of that function, and of the parts into which the compiler split it.
of() {
    objdump -d --no-show-raw-insn "$object" |
        awk -v name="^<$1([.][a-z0-9.]+)?>:$" '/^[0-9a-f]+ </ { on = $2 ~ name } on && /\t/'
}

heavy='zmm|\bv(add|sub|mul|div|min|max|sqrt|round|cvt|blendv|cmp|fn?m(add|sub))[a-z0-9]*.*ymm'

is_wide() { of "$1" | grep -q 'vp[a-z]*.*ymm'; }
has_heavy() { of "$1" | grep -E "$heavy"; }
has_none() { ! has_heavy "$1"; }

ok "an AVX2 refill works on 256-bit integers" is_wide refill_loop
ok "it has no 256-bit floating point" has_none refill_loop
ok "an array has: the pattern sees it" has_heavy array_non_temporal

# Non-temporal stores are not ordered with later ones: another thread may see these first.
fenced() { [ "$(of array_non_temporal | grep -Ec 'v?movnt|sfence' | tee /dev/stderr)" -gt 1 ] &&
    of array_non_temporal | grep -E 'movnt|sfence|ret' | grep -B 1 -w ret | grep -q sfence; }
ok "an array with non-temporal stores ends with a fence" fenced

# Users' flags may allow 512 bits, as -march=native does. All objects but the arrays' make refills.
allow_wide() { remake BUILD="$SCRATCH" CFLAGS='-O3 -mavx512f -mavx512vl -mprefer-vector-width=512' "$@"; }
objects=("$SCRATCH"/shared/{fill/avx2,fill/sse2,engine/engine,fortran/rmmard,stream/stream}.o)
has_wide() { objdump -d --no-show-raw-insn "$@" | grep -q zmm; }
has_no_wide() { ! has_wide "$@"; }
ok "flags that allow 512 bits" allow_wide "${objects[@]}" "$SCRATCH/shared/fill/avx512.o"
ok "... have no effect on a refill" has_no_wide "${objects[@]}"
ok "... and leave them to an array" has_wide "$SCRATCH/shared/fill/avx512.o"

# The bytes from the start of RMMARD to the end of its first return, which is one byte long.
length() {
    local code begin end
    code=$(objdump -d "$build/shared/fortran/rmmard.o" | sed -n '/<rmmard_>:/,/^$/p')
    begin=${code%% *}
    end=$(grep -m 1 -w ret <<<"$code")
    end=${end%%:*}
    echo $((16#${end// /} + 1 - 16#$begin))
}
is_a_line() { [ "$(length | tee /dev/stderr)" -le 64 ]; }

name="RMMARD's code for one number fits a cache line"
command=$build/shared/fortran/rmmard.o.cmd
if grep -q -- '-O[23] .*\[gcc (Debian 12[.]' "$command" &&
    ! grep -Eq -- '-f(sanitize|cf-protection|lto|profile)|-pg|--coverage' "$command"; then
    ok "$name" is_a_line
else
    skip "$name" "another compiler than Debian's gcc 12, or other flags"
fi
finish
