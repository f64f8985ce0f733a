#!/bin/bash
# A gpuranmar_source stays in registers on a GPU: clang's code for NVIDIA has nothing in private
# memory (.local in PTX), from which a number takes up to 19 times as long.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
clang -print-targets 2>/dev/null | grep -q nvptx64 || skip_all 'clang for nvptx64 is not found'
target=(-cc1 -triple nvptx64-unknown-nvcl -target-cpu sm_75 -target-feature +ptx63 -O3 -S -w
    -x cl -cl-std=CL1.2 -finclude-default-header -D__OPENCL_VERSION__=120 -Dasm=__asm__
    -internal-isystem "$(clang -print-resource-dir)/include")
folders=(-I csrc -I csrc/include -I opencl/include)
plugin='-include gpuranmar_device.cl -include definition/interleave.h opencl/kernels.cl'
# NAME BITS EVERY KEYED ARITHMETIC_BITS: the constants of a flavour that shape the code.
while read -r name bits every keyed arithmetic; do
    options=(-D GPURANMAR_LANES=32 -D GPURANMAR_BITS="$bits" -D GPURANMAR_EVERY="$every"
        -D GPURANMAR_KEYED="$keyed" -D GPURANMAR_ARITHMETIC_BITS="$arithmetic"
        -D GPURANMAR_STEP=0x7654321000000000UL -D GPURANMAR_MODULUS=0xfffffd0000000000UL
        -D GPURANMAR_FIRST_DIGIT=9 -D GPURANMAR_LONG_DIGIT=11 -D GPURANMAR_HIGH_DIGIT=7)
    for exchange in -DRANMAR_SHUFFLES -DLOCAL_MEMORY; do
        for kernels in "$plugin" cuda/measure/opencl.cl; do
            read -ra files <<<"$kernels"
            clang "${target[@]}" "${folders[@]}" "${options[@]}" "$exchange" -o "$SCRATCH/ptx" \
                "${files[@]}" >"$SCRATCH/log" 2>&1 && grep -q '\.entry' "$SCRATCH/ptx" &&
                ! grep -E 'local_depot|(ld|st)\.local' "$SCRATCH/ptx" >"$SCRATCH/log"
            report $? "$name, $exchange: ${files[-1]}"
        done
    done
done <<'END'
double 48 1 0 24
single 24 1 0 24
extended 48 1 0 48
keyed 48 8 1 48
END
finish
