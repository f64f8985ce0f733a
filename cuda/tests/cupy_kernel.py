#!/usr/bin/env python3
"""A test (TAP): a kernel that CuPy compiles with the device headers draws the numbers of the
sequence. It is skipped without CuPy or a GPU."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = r"""
#include "gpuranmar_device.cuh"

extern "C" __global__ void draw(const gpuranmar_state *state, double *out, int rows)
{
    gpuranmar::generator<gpuranmar::double_precision> g;
    g.load(*state);
    for (int r = 0; r < rows; ++r)
        out[32 * r + threadIdx.x] = g.next();
}
"""


def words_of_seed(ijkl):
    """The 97 words at position 0, as 64-bit fractions, oldest first (James 1990)."""
    ij, kl = divmod(ijkl, 30082)
    i, j, k, l = ij // 177 % 177 + 2, ij % 177 + 2, kl // 169 % 178 + 1, kl % 169
    words = []
    for _ in range(97):
        word = 0
        for _ in range(48):
            m = i * j % 179 * k % 179
            i, j, k = j, k, m
            l = (53 * l + 1) % 169
            word = 2 * word + (l * m % 64 >= 32)
        words.append(word << 16)
    return words[::-1]


def numbers(words, n):
    """The definition, in Python's integers."""
    x, c, made = [w >> 16 for w in words], 362436, []
    for _ in range(n):
        x.append((x[-97] - x[-33]) % 2**48)
        c = (c - 7654321) % 16777213
        made.append(((x[-1] - (c << 24)) % 2**48 or 1) * 2.0**-48)
    return made


def main():
    try:
        import cupy
        import numpy

        cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        print(f"ok 1 - CuPy # SKIP {str(error).splitlines()[0]}\n1..1")
        return 0
    words = words_of_seed(54217137)
    state = cupy.asarray(numpy.array(words + [362436 << 40], dtype=numpy.uint64))
    out = cupy.empty(32 * 10)
    options = ("-std=c++17", f"-I{ROOT}/cuda/include", f"-I{ROOT}/csrc/include")
    module = cupy.RawModule(code=SOURCE, options=options)
    module.get_function("draw")((1,), (32,), (state, out, numpy.int32(10)))
    good = out.get().tolist() == numbers(words, 320)
    print(f"{'ok' if good else 'not ok'} 1 - a kernel of CuPy's\n1..1")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
