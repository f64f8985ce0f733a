#!/bin/bash
# The refill loop that x86-64 CPUs take by default has no instruction that lowers a core's clock: no
# 256-bit floating point and nothing of 512 bits, in the code as it was compiled.
cd "$(dirname "$0")/../.." || exit 1
. validate/tests/tap.sh
object=${BUILD:-build}/shared/fill/avx2.o
[ "$(uname -m)" = x86_64 ] || skip_all "not an x86-64 machine"
all_need objdump

# of NAME: the instructions of that function and of the parts that the compiler has made of it.
of() {
    objdump -d --no-show-raw-insn "$object" |
        awk -v name="^<$1([.][a-z0-9.]+)?>:$" '/^[0-9a-f]+ </ { on = $2 ~ name } on && /\t/'
}

heavy='zmm|\bv(add|sub|mul|div|min|max|sqrt|round|cvt|blendv|cmp|fn?m(add|sub))[a-z0-9]*.*ymm'

is_wide() { of "$1" | grep -q 'vp[a-z]*.*ymm'; }
has_heavy() { of "$1" | grep -E "$heavy"; }
has_none() { ! has_heavy "$1"; }

ok "a refill works on 256-bit integers" is_wide refill
ok "a refill has no 256-bit floating point" has_none refill
ok "an array has: the pattern sees it" has_heavy array_past_caches
finish
