"""What NumPy's distributions take with RANMAR, PCG64 and MT19937, in turns: distributions.py
LIBRARY ROUNDS. Prints lines for rows_of() of scripts/bench, with microseconds a call."""
import os
import sys
import timeit

os.environ["GPURANMAR_LIBRARY"] = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../csrc/python"))
import numpy as np  # noqa: E402
from numpy.random import MT19937, PCG64, Generator  # noqa: E402
from gpuranmar import RANMAR  # noqa: E402

# Of a Generator g and its bit generator b, an array a of n numbers, and a shuffled array s.
CALLS = """g.random(n)
g.random(n, dtype="f4")
g.integers(2**63 - 1, size=n)
g.integers(2**31 - 1, size=n, dtype="u4")
g.integers(1000, size=n)
g.standard_normal(n)
g.standard_exponential(n)
g.standard_gamma(2.5, n)
g.poisson(3, n)
g.shuffle(s)
fill(a)
type(b)(5)
copy.deepcopy(b)
pickle.loads(pickle.dumps(b))
b.advance(1000003)
b.jumped()"""


def names_of(kind):
    g, n = Generator(kind(5)), 10000
    b, a, s = g.bit_generator, np.empty(n), np.arange(n)
    return {"fill": getattr(b, "fill", lambda out: g.random(out=out)), **locals()}


generators = {kind.__name__: names_of(kind) for kind in (RANMAR, PCG64, MT19937)}
for call in CALLS.split("\n"):
    took = {name: [] for name in generators if "advance" not in call or name != "MT19937"}
    for _ in range(int(sys.argv[2])):
        for name, figures in took.items():
            timer = timeit.Timer(call, "import copy, pickle", globals=generators[name])
            figures.append(str(1e6 * min(timer.repeat(50, 1))))
    for name, figures in took.items():
        print(call, "ours" if name == "RANMAR" else name, " ".join(figures), sep="\t")
