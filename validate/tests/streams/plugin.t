#!/bin/bash
# The GPU's plugin is loaded from beside the library; without one the CPU makes the same numbers, and
# one line says why. device-check tells a right device from a wrong one.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
BUILD=${BUILD:-build}
name=libgpuranmar_cuda.so
mkdir -p "$SCRATCH"/{beside,prefix/{bin,lib,lib64}}
cp "$BUILD/plugin-use" "$BUILD"/libgpuranmar.so.? "$SCRATCH/beside"
for seed in 1 2; do
    "$BUILD/gpuranmar" numbers --seed $seed --count 25
done | awk '{ printf "%.17g\n", $1 }' >"$SCRATCH/numbers"

# runs NAME TIMES LINE: the program's numbers are right. Standard error names the fake device TIMES
# times, once a stream. Other lines are those of GPURANMAR_VERBOSE and LINE, a regular expression.
runs() {
    (
        cd "$SCRATCH" || exit
        GPURANMAR_VERBOSE=1 LD_LIBRARY_PATH=${LD_LIBRARY_PATH-}: "${use:-beside/plugin-use}" \
            >said 2>log
        cmp said numbers >>log && grep -q "/${use:-beside/libgpuranmar.so.1}, back end" log &&
            [ "$(grep -c '^gpuranmar: CUDA: 1 x fake$' log)" = "$2" ] &&
            grep -Eqx "${3:-}" <<<"$(grep -Ev '^gpuranmar: (libg|deliv|CUDA: 1 x fake$)' log)"
    )
    report $? "$1"
}

runs 'no plugin' 0 "gpuranmar: CUDA: /.*/beside/$name: .*; the CPU goes on with the same numbers"
cp "$BUILD/plugin.so" "$SCRATCH/beside/$name"
runs 'a plugin beside the library' 2
if [ -z "$SANITIZE" ] && can_make 'a program linked by -static' '' "${CC:-cc}" -static; then
    "${CC:-cc}" -static -Icsrc/include -o "$SCRATCH/beside/static" validate/tests/streams/plugin.c \
        "$BUILD/libgpuranmar.a" $(remake print-LIB_LIBS) -lquadmath 2>"$SCRATCH/log"
    use=beside/static runs '... and a program linked by -static' 0 \
        'gpuranmar: CUDA: the program is linked by -static; the CPU goes on with the same numbers'
fi
cp "$BUILD/full_disk.so" "$SCRATCH/beside/$name"
runs 'one without an entry' 0 \
    "gpuranmar: CUDA: $name is of another version; the CPU goes on with the same numbers"
if [ -e "$BUILD/$name" ]; then # built, for its compiler is here
    cp "$BUILD/$name" "$SCRATCH/beside"
    CUDA_VISIBLE_DEVICES='' runs 'the right one without a GPU' 0 \
        "gpuranmar: CUDA: .*; the CPU goes on with the same numbers"
fi

# The command knows ../lib, and the name that the system has in place of lib.
cp "$BUILD/gpuranmar" "$SCRATCH/prefix/bin"
multiarch=$SCRATCH/prefix/lib/$("${CC:-cc}" -print-multiarch 2>/dev/null)
mkdir -p "$multiarch"
cp "$BUILD/plugin.so" "$SCRATCH/prefix/lib/$name"
found() { "$SCRATCH/prefix/bin/gpuranmar" info | grep -x 'cuda plugin: /.*/bin/../lib.*_cuda.so'; }
ok 'a plugin in ../lib' found
mv "$SCRATCH/prefix/lib/$name" "$multiarch"
cp "$multiarch/$name" "$SCRATCH/prefix/lib64"
ok "a plugin in the system's ../lib64 or the like" found

# checks NAME STATUS PATTERN ARGUMENT...: device-check ends with this exit status, and what it says
# has a line of this pattern.
checks() {
    local name=$1 status=$2 pattern=$3
    shift 3
    "${check:-$BUILD}/gpuranmar" device-check "$@" >"$SCRATCH/checked" 2>&1
    local got=$?
    cp "$SCRATCH/checked" "$SCRATCH/log"
    [ $got = "$status" ] && grep -Eqx "$pattern" "$SCRATCH/log"
    report $? "device-check: $name"
}
none='gpuranmar device-check: '
checks 'an unknown back end' 2 "$none--backend: 'cpu' is none of opencl, cuda" --backend cpu
checks 'an argument' 2 "$none'opencl': no arguments are taken" opencl
# The plugin of this test takes several instances for one.
mkdir "$SCRATCH/wrong"
cp "$BUILD/gpuranmar" "$SCRATCH/wrong"
cp "$BUILD/plugin.so" "$SCRATCH/wrong/$name"
check=$SCRATCH/wrong checks 'a device that is wrong' 1 \
    'NO: this device must not be used; please send this' --backend cuda
ok '... with the flavour and a place' eval "grep -qx 'keyed: WRONG' '$SCRATCH/checked' &&
    grep -Eq '^  wrong: seed [0-9]+, position [0-9]+, 7 instances, prefetch' '$SCRATCH/checked'"
check=$SCRATCH/wrong checks 'a device that fails' 2 "${none}the device did not make the numbers" \
    --backend cuda --device 3
if said=$("$BUILD/gpuranmar" info | grep -A 1 '^opencl plugin') && [[ $said == *'  device 0: '* ]]; then
    checks 'no such device' 2 "$none.*no-such.*" --device no-such
    checks 'this machine' 0 'yes: every number is that of the definition'
    ok '... in every flavour' test "$(grep -c '^[a-z]*: right$' "$SCRATCH/checked")" = 4
    ok '... and it is measured' grep -q '^to the host, numbers a second: ' "$SCRATCH/checked"
else
    skip 'device-check: this machine' 'no OpenCL device is found'
fi

# info and device-check name the signal by which a driver ends the process.
if [ -e "$BUILD/libgpuranmar_opencl.so" ] && can_make 'a driver that aborts' '' "${CC:-cc}"; then
    mkdir "$SCRATCH/driver"
    echo '#include <stdlib.h>
    __attribute__((constructor)) static void end(void) { abort(); }' |
        "${CC:-cc}" -x c -shared -fPIC -o "$SCRATCH/driver/libOpenCL.so.1" -
    export LD_LIBRARY_PATH=$SCRATCH/driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    "$BUILD/gpuranmar" info >"$SCRATCH/log" 2>&1 &&
        grep -qx 'opencl plugin: a driver has ended by signal 6' "$SCRATCH/log" &&
        grep -q GPURANMAR_BACKEND "$SCRATCH/log"
    report $? 'info outlives a driver that aborts'
    checks 'a driver that aborts' 2 "${none}a driver has ended by signal 6"
    "${CC:-cc}" -x c -shared -o "$SCRATCH/driver/libOpenCL.so.1" /dev/null
    checks 'a driver without calls' 2 "${none}libOpenCL.so.1 has no cl.*"
fi

finish
