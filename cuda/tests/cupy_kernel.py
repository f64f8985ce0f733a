#!/usr/bin/env python3
"""A test (TAP): kernels that CuPy compiles with the device headers, by NVRTC, and the arrays of
gpuranmar.device have the numbers of the sequence. It is skipped without CuPy or a GPU."""

import copy
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [f"{ROOT}/validate/tests", f"{ROOT}/csrc/python"]
from tap import BUILD, finish, ok

os.environ["GPURANMAR_LIBRARY"] = f"{BUILD}/libgpuranmar.so"
SOURCE = r"""
#include "gpuranmar_skip.cuh"

extern "C" __global__ void draw(const gpuranmar_state *state, const uint64_t *jumps, double *out)
{
    __shared__ gpuranmar::workspace w;
    gpuranmar::generator<gpuranmar::double_precision> g;
    gpuranmar::source<gpuranmar::double_precision> s;
    g.load(*state);
    for (int row = 0; row < 10; ++row)
        out[32 * row + threadIdx.x] = g.next();
    s.load(*state);
    out[320 + threadIdx.x] = s.draw(true);
    if (jumps) { // to be compiled only
        gpuranmar::load(w, *state);
        gpuranmar::skip<gpuranmar::double_precision>(w, jumps, 1000);
    }
}
"""


def kernel(cupy, numpy, state):
    """320 numbers by a generator and 32 by a source, from a RANMAR's state at position 0, where the
    last word is the oldest."""
    words = [int(u * 2.0**48) << 16 for u in reversed(state["state"]["u"])]
    words.append(int(state["state"]["c"] * 2.0**24) << 40)
    out = cupy.empty(320 + 32)
    options = ("-std=c++17", f"-I{ROOT}/cuda/include", f"-I{ROOT}/csrc/include")
    module = cupy.RawModule(code=SOURCE, options=options)
    words = cupy.asarray(numpy.array(words, dtype=numpy.uint64))
    module.get_function("draw")((1,), (32,), (words, numpy.uint64(0), out))
    return out.get()


def raises(call):
    try:
        call()
    except ValueError as error:
        return str(error)
    return ""


def arrays(cupy, numpy, RANMAR, Generator):
    """Arrays of any shape and flavour, from any position, are RANMAR's."""
    for flavour in ("double", "single", "extended", "keyed"):
        dtype = numpy.float32 if flavour == "single" else numpy.float64
        expected = RANMAR(1802, 5, flavour).fill(numpy.empty(100000, dtype))
        random = Generator(1802, 5, flavour)
        same = lambda got, at: (got.get().ravel() == expected[at : at + got.size]).all()
        ok(same(random.random((3, 5)), 0) and same(random.random(), 15), f"{flavour}: arrays")
        with cupy.cuda.Stream():
            last = random.fill(cupy.empty(90000, dtype))
        copied = copy.deepcopy(random)
        ok(same(last, 16) and random.position == 90021, f"{flavour}: on another CUDA stream")
        ok(same(copied.random(9), 90016) and same(random.random(9), 90016), f"{flavour}: a copy")
        random.position = 6
        ok(same(random.random(10), 1), f"{flavour}: from a position")
    said = raises(lambda: random.fill(cupy.empty(3, numpy.float32)))
    ok("out is no array of float64" in said, "another type is refused", said)
    said = raises(lambda: Generator(-1))
    ok("seed = -1 is not in 0..942438977" in said, "a bad seed is refused", said)


def main():
    try:
        import cupy
        import numpy

        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        print(f"ok 1 - CuPy # SKIP {str(error).splitlines()[0]}\n1..1")
        return
    from gpuranmar import RANMAR
    from gpuranmar.device import Generator

    expected = RANMAR(54217137).fill(numpy.empty(320))
    got = kernel(cupy, numpy, RANMAR(54217137).state)
    ok((got[:320] == expected).all(), "a generator in a kernel of CuPy's")
    ok((got[320:] == expected[:32]).all(), "a source")
    arrays(cupy, numpy, RANMAR, Generator)
    finish()


main()
