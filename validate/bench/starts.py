"""What it takes to start a bit generator of NumPy and draw from it: starts.py LIBRARY GENERATOR
POSITION NUMBERS, where GENERATOR is RANMAR, PCG64, Philox or MT19937. Prints microseconds a start for each
of some chunks."""
import os
import sys
import time

os.environ["GPURANMAR_LIBRARY"] = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../csrc/python"))
from numpy.random import MT19937, PCG64, Generator, Philox  # noqa: E402
from gpuranmar import RANMAR  # noqa: E402

position, n = int(sys.argv[3]), int(sys.argv[4])
start = {
    "RANMAR": lambda seed: RANMAR(seed, position),
    "PCG64": lambda seed: PCG64(seed).advance(position),
    "Philox": lambda seed: Philox(seed).advance(position // 4),  # a step makes four numbers
    "MT19937": lambda seed: MT19937(seed),
}[sys.argv[2]]
skip = position if sys.argv[2] == "MT19937" else 0
per_chunk = 40000 // (n + 1000)
for chunk in range(1, 12):
    begin = time.perf_counter()
    for seed in range(1000000 * chunk, 1000000 * chunk + per_chunk):
        bits = start(seed)
        if skip:
            bits.random_raw(skip, output=False)
        Generator(bits).random(n)
    print(1e6 * (time.perf_counter() - begin) / per_chunk, end=" ")
