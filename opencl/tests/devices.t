#!/bin/bash
# Which devices GPURANMAR_DEVICE chooses. Whatever happens, the numbers are the CPU's.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'python3 cannot load a library with the sanitizers'
build=$(realpath "${BUILD:-build}")
unset GPURANMAR_DEVICE GPURANMAR_BACKEND
export POCL_DEVICES='basic pthread' POCL_CACHE_DIR=$SCRATCH/pocl
mkdir "$POCL_CACHE_DIR"
mapfile -t names < <("$build/gpuranmar" info | sed -n '/^opencl/,/^settings/s/^  device [0-9]*: //p')
[[ ${#names[@]} -eq 2 && $names == Portable* ]] || skip_all 'PoCL is not found, is not alone, or ends the process'
numbers=(python3 -c '
import ctypes, hashlib, sys

library = ctypes.CDLL(sys.argv[1])
array = (ctypes.c_double * 300000)()
assert library.gpuranmar_initialise(1, 1802, 9373, 1, ctypes.c_int64(70000)) == 0
assert library.gpuranmar_get(1, array, ctypes.c_size_t(1000)) == 0
rest = ctypes.byref(array, 8000)
assert library.gpuranmar_get_unbuffered(1, rest, ctypes.c_size_t(299000)) == 0
print(hashlib.sha256(array).hexdigest())' "$build/libgpuranmar.so")
expected=$("${numbers[@]}")

# made_by COUNT-AND-NAME|why-not NAME COMMAND...: the numbers are right, and a line on standard error
# says who made them, or why the CPU did.
made_by() {
    local by=$1 name=$2
    shift 2
    env GPURANMAR_BACKEND=opencl GPURANMAR_VERBOSE=1 "$@" "${numbers[@]}" \
        >"$SCRATCH/out" 2>"$SCRATCH/log"
    [ "$(<"$SCRATCH/out")" = "$expected" ] && grep -qF "gpuranmar: OpenCL: $by" "$SCRATCH/log"
    report $? "$name"
}
made_by "1 x ${names[0]}" 'where there is no GPU, one device of any kind'
made_by "1 x ${names[0]}" 'by number' GPURANMAR_DEVICE=0
made_by "1 x ${names[1]}" '... though it is a part of names too' GPURANMAR_DEVICE=1
made_by "1 x ${names[1]}" 'by a part of the name' GPURANMAR_DEVICE="${names[1]#*: }"
made_by "2 x ${names[0]}" '... in capitals or not, of several devices' GPURANMAR_DEVICE=COMPUTING
made_by "GPURANMAR_DEVICE: no device is 'none-such'" 'by a name that none has' GPURANMAR_DEVICE=none-such
made_by "GPURANMAR_DEVICE: no device is 'none?such?'" '... in one line without control bytes' \
    GPURANMAR_DEVICE=$'none\nsuch\x9b'
made_by "GPURANMAR_DEVICE: no device is '2'" 'by a number that none has' GPURANMAR_DEVICE=2
made_by 'clGetPlatformIDs: there is no platform' 'no platform' OCL_ICD_VENDORS=/none-such
made_by 'there is no device' 'no device' POCL_DEVICES=none
POCL_DEVICES=none "$build/gpuranmar" info | grep -qx '  no device: there is no device'
report $? '... and `info` says so'
made_by "2 x ${names[0]}" 'two devices of one name' POCL_DEVICES='basic basic' \
    GPURANMAR_DEVICE="${names[0]#*: }"

# A stream has found its device, and no memory is left to open it, nor for an error line.
python3 -c '
import ctypes, resource, struct, sys

library, libc = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
first, gpu, address = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
want, got = (ctypes.c_double * 40)(), (ctypes.c_double * 40)()
for stream in first, gpu:
    options = struct.pack("QqQiiqqii", 56, 1, 0, 0, 2, 1, 0, 1, 0)
    assert library.gpuranmar_stream_initialise(ctypes.byref(stream), options) == 0
assert library.gpuranmar_stream_get(first, want, 40) == 0
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 28), -1))
assert library.gpuranmar_stream_draw(gpu, ctypes.byref(address), ctypes.c_size_t(10**9)) == 5
for bits in range(24, 5, -1):
    while libc.malloc(ctypes.c_size_t(1 << bits)):
        pass
error = library.gpuranmar_stream_get(gpu, got, 40)
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
assert error == 0 and bytes(got) == bytes(want)' "$build/libgpuranmar.so" >"$SCRATCH/log" 2>&1 &&
    grep -q ': out of memory; the CPU goes on' "$SCRATCH/log"
report $? 'no memory left'
finish
