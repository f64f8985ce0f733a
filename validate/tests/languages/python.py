"""The Python package: its numbers are the reference's, states go on, NumPy's own tests pass, and
pip installs it from the tree. python.t runs this with a Python that has NumPy."""
import copy
import gc
import glob
import json
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

import numpy as np

sys.path[:0] = ["validate/tests", "csrc/python"]
from tap import BUILD, finish, ok, skip

os.environ["GPURANMAR_LIBRARY"] = f"{BUILD}/libgpuranmar.so"
from gpuranmar import RANMAR

LIMIT = 30  # seconds a test may take; one that waits for a lock would wait for ever


def made(*command, dtype=np.float64):
    return np.frombuffer(subprocess.check_output(command), dtype)


NUMBERS = f"{BUILD}/reference-numbers"
reference = made(NUMBERS, "1802", "0", "0", "100000")
later = made(NUMBERS, "1802", "5000", "0", "3000")
single = made(NUMBERS, "--single", "1802", "0", "0", "3000", dtype=np.float32)
new = lambda *a, **k: np.random.Generator(RANMAR(*a, **k))
pickled = lambda x: pickle.loads(pickle.dumps(x))


def refused(what, call, kinds=(TypeError, ValueError)):
    try:
        call()
    except kinds as error:
        return what in str(error)
    return False


def drawn(random, n=100, kind=float):
    """n numbers of a RANMAR by fill()."""
    return random.fill(np.empty(n, kind))


def same(a, b):
    return a.shape == b.shape and bool((a == b).all())


def one_by_one(draw, n):
    return np.array([draw() for _ in range(n)])


half = RANMAR(1802, 500)
before = half.state
words = (reference * 2.0**32).astype(np.uint64)
halves = (single * 2.0**16).astype(np.uint64)
zero = lambda rule: drawn(RANMAR(8872 * 30082 + 4894, flavour="single", zero=rule), 899)


class MyRANMAR(RANMAR):
    def __init__(self, name, seed):
        super().__init__(seed)
        self.name = name


class MyGenerator(np.random.Generator):
    def __init__(self, name, bits):
        super().__init__(bits)
        self.name = name


class MyState(np.random.RandomState):
    pass


def of_flavour(flavour, seed):
    """The numbers are those that the command writes."""
    command = [f"{BUILD}/gpuranmar", "numbers", "--count", "3000", "--raw", "numbers"]
    expected = made(*command, "--seed", str(seed), "--flavour", flavour)
    new = RANMAR(seed, flavour=flavour)
    each = (pickled(new), copy.deepcopy(new), new.jumped(0), new)
    return all(same(drawn(one, 3000), expected) for one in each)


def known_answers():
    with open("csrc/definition/known_answers.txt") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    for flavour, seed, position, *words in rows:
        bits = 24 if flavour == "single" else 48
        expected = np.array([int(word, 16) * 2.0**-bits for word in words])
        skipped = RANMAR(int(seed), int(position), flavour)
        if not same(new(int(seed), int(position), flavour).random(6), expected):
            return False
        if not same(drawn(skipped, 6, np.float32 if bits == 24 else float), expected):
            return False
    return len(rows) >= 16


def state_waits():
    """While one thread draws, a state that another thread takes would have words of two places."""
    random = RANMAR(1802)
    taker = threading.Thread(target=lambda: random.state)
    with random.lock:
        taker.start()
        taker.join(0.2)
        waits = taker.is_alive()
    taker.join()
    return waits


def under_the_lock(call):
    random = RANMAR(1802)
    with random.lock:
        call(random)
    return True


def copies_of_generators(way):
    """What each kind of Generator or RandomState goes on with is what its copy does, with the
    second of a pair of normal numbers; classes and attributes are kept."""
    for bits in (RANMAR(1802), MyRANMAR("b", 1802)):
        for random in (
            np.random.Generator(bits),
            MyGenerator("g", bits),
            np.random.RandomState(bits),
            MyState(bits),
        ):
            random.normal()
            other = way(random)
            inner = other._bit_generator
            if (type(other), type(inner)) != (type(random), type(bits)):
                return False
            if getattr(other, "name", "g") != "g" or getattr(inner, "name", "b") != "b":
                return False
            if not same(other.normal(size=9), random.normal(size=9)):
                return False
    return True


def restored(random):
    state = json.loads(json.dumps(random.get_state(legacy=False)))
    expected = random.normal(size=9)
    random.set_state(state)
    return same(random.normal(size=9), expected)


def worker(i):
    return drawn(RANMAR(1802).jumped(i))


def pool():
    with multiprocessing.Pool(2) as workers:
        return all(
            same(numbers, drawn(RANMAR(1802, i << 48)))
            for i, numbers in enumerate(workers.map(worker, range(4)))
        )


def share(n):
    """Number n of every 7, also from a state, for a Generator, and where a share is split."""
    random = RANMAR(1802).split(7, n)
    good = same(drawn(random, 500), reference[n : n + 3500 : 7])
    other = pickled(random)
    good = good and same(np.random.Generator(other).random(500), reference[n + 3500 :: 7][:500])
    again = random.split(2, 1).advance(100)
    return good and same(drawn(again, 400), reference[n + 3500 :: 7][201::2][:400])


def second_init():
    """A second __init__, and one that fails, leave a Generator its engine."""
    again = new(5)
    again.bit_generator.__init__(1802)
    good = refused("seed = -1 is not", lambda: again.bit_generator.__init__(-1))
    gc.collect()
    return (
        good
        and same(again.random(100), reference[:100])
        and again.bit_generator.random_raw() == reference[100] * 2.0**48
        and again.random() == reference[101]
    )


# What no state is, by what is said of it.
inner = lambda name, value: {**before, "state": {**before["state"], name: value}}
NO_STATES = {
    "no dictionary but a NoneType": None,
    "no dictionary but a list": [1],
    "another generator's": np.random.PCG64(1).state,
    "'state' is no dictionary: None": {"bit_generator": "RANMAR"},
    "has no flavour": {"bit_generator": "RANMAR", "state": {}},
    "state u has the shape (50,), not (97,)": inner("u", [0.5] * 50),
    "state u = [[1], [2, 3]] is no number": inner("u", [[1], [2, 3]]),
    "state u has numbers of float32": inner("u", np.zeros(97, np.float32)),
    "a word of U = nan": inner("u", np.full(97, np.nan)),
    "a word of U = 1 ": inner("u", np.ones(97)),
    "state c = 1j is no number": inner("c", 1j),
    "C = nan": inner("c", float("nan")),
    "s = 0 of split is not in": inner("stride", 0),
    "stride = 65537 is not in 0..65536": inner("stride", 65537),
    "I97 = 98": inner("i97", 98),
    "I97 = 1099511627873 is not in 0..97": inner("i97", 97 + (1 << 40)),
    "flavour = [1] is none of": inner("flavour", [1]),
}

no_seeds = lambda get: refused("there is no SeedSequence", get, AttributeError)
UNDER_THE_LOCK = {
    "state": lambda r: setattr(r, "state", r.state),
    "advance": lambda r: r.advance(7),
    "jumped": lambda r: r.jumped(3),
    "pickle": pickled,
    "deepcopy": copy.deepcopy,
    "fill": drawn,
    "random_raw": lambda r: r.random_raw(3),
    "Generator": lambda r: np.random.Generator(r).random(3),
    "RandomState": lambda r: np.random.RandomState(r).get_state(legacy=False),
    "__init__": lambda r: r.__init__(1802),
}

TESTS = {
    "random() is the sequence": lambda: same(new(1802).random(100000), reference),
    "known answers": known_answers,
    "one by one": lambda: same(one_by_one(new(1802).random, 3000), reference[:3000]),
    "out=": lambda: same(new(1802).random(out=np.empty(1000)), reference[:1000]),
    "fill": lambda: same(drawn(RANMAR(1802), (10, 100)).ravel(), reference[:1000]),
    "fill in single": lambda: same(drawn(RANMAR(1802, flavour="single"), 3000, np.float32), single),
    "skip": lambda: same(drawn(RANMAR(1802, 5000), 3000), later),
    "advance": lambda: same(drawn(RANMAR(1802).advance(5000), 3000), later),
    "jumped": lambda: same(drawn(RANMAR(1802).jumped(3)), drawn(RANMAR(1802, 3 << 48))),
    "jumped twice": lambda: same(
        drawn(RANMAR(1802).jumped(40000)), drawn(RANMAR(1802).jumped(30000).jumped(10000))
    ),
    "jumped leaves its own": lambda: half.jumped() and half.state == before,
    "a subclass, jumped": lambda: type(MyRANMAR("b", 1).jumped()) is MyRANMAR,
    "workers of a pool": pool,
    "shares of workers": lambda: all(share(n) for n in range(7)),
    "no share of redrawn zeros": lambda: refused(
        "zeros are redrawn", lambda: RANMAR(1, zero="redraw").split(2, 0)
    ),
    "extended": lambda: of_flavour("extended", 1802),
    "keyed": lambda: of_flavour("keyed", 2**64 - 1),
    "zeros kept": lambda: zero("keep")[897] == 0,
    "zeros redrawn": lambda: zero("redraw")[897] == zero("keep")[898],
    "zeros replaced": lambda: zero("smallest")[897] == 2.0**-24
    and zero("half")[897] == 2.0**-25,
    "a state waits for the thread that draws": state_waits,
    **{
        f"{name} under the lock": lambda call=call: under_the_lock(call)
        for name, call in UNDER_THE_LOCK.items()
    },
    "integers": lambda: same(RANMAR(1802).random_raw(100), reference[:100] * 2.0**48),
    "32 bits": lambda: same(new(1802).integers(0, 2**32, 1000, np.uint32), words[:1000]),
    "64 bits": lambda: same(
        new(1802).integers(0, 2**64, 500, np.uint64),
        words[:1000:2] << np.uint64(32) | words[1:1000:2],
    ),
    "32 bits from single": lambda: same(
        new(1802, flavour="single").integers(0, 2**32, 500, np.uint32),
        halves[:1000:2] << np.uint64(16) | halves[1:1000:2],
    ),
    "a pair of seeds": lambda: same(drawn(RANMAR((1802, 9373))), drawn(RANMAR(54217137))),
    "a bad pair": lambda: refused(
        "seed KL = 30082 is not in 0..30081", lambda: RANMAR((1802, 30082))
    ),
    "a bad jump": lambda: refused("jumps = -1 is not in 0..2147483648", lambda: half.jumped(-1)),
    "a bad advance": lambda: refused("delta = -5 is not in", lambda: half.advance(-5)),
    "an array in pieces": lambda: refused("not contiguous", lambda: half.fill(np.empty(10)[::2])),
    "a bad array": lambda: refused("no array of float64", lambda: drawn(half, 3, int)),
    "a bad seed": lambda: refused("seed = -1 is not in 0..942438977", lambda: RANMAR(-1)),
    "a bad flavour": lambda: refused("flavour = 'half' is none", lambda: RANMAR(1, flavour="half")),
    "a seed that is no integer": lambda: all(
        refused("is no integer", lambda: RANMAR(seed))
        for seed in (1.5, np.random.SeedSequence(1), np.array([1, 2]))
    ),
    "a second __init__": second_init,
    "no spawn": lambda: refused("spawn(2) is not offered", lambda: half.spawn(2)),
    "no seed_seq": lambda: no_seeds(lambda: half.seed_seq.spawn(2)),
    "no _seed_seq": lambda: no_seeds(lambda: half._seed_seq.spawn(2)),
    "... nor below": lambda: not hasattr(
        np.random.BitGenerator._seed_seq.__get__(new(1).bit_generator), "spawn"
    ),
    "states that are none": lambda: all(
        refused(said, lambda: setattr(half, "state", state))
        and refused(said, lambda: half.__setstate__(state))
        for said, state in NO_STATES.items()
    )
    and half.state == before,
    "a state as JSON": lambda: (
        setattr(half, "state", json.loads(json.dumps(RANMAR(1802, 5000).state)))
        or same(drawn(half, 3000), later)
    ),
    "copied where zeros are redrawn": lambda: same(
        *(drawn(r, 2000) for x in [RANMAR(5, 7, "single", "redraw")] for r in (pickled(x), x))
    ),
    "copied": lambda: same(drawn(copy.copy(RANMAR(1802, 5000)), 3000), later),
    "pickled": lambda: same(drawn(pickled(RANMAR(1802, 5000)), 3000), later),
    "Generators and RandomStates copied": lambda: copies_of_generators(copy.deepcopy),
    "... and pickled": lambda: copies_of_generators(pickled),
    "... other generators' too": lambda: same(
        pickled(np.random.default_rng(5)).random(3), np.random.default_rng(5).random(3)
    ),
    "RandomState's state": lambda: restored(np.random.RandomState(RANMAR(1802))),
    "... in the middle of a pair": lambda: restored(
        [random for random in [np.random.RandomState(RANMAR(1802))] if random.normal()][0]
    ),
}


# NumPy's own tests of any bit generator, but for the one that wants a seed from entropy. NumPy 2.4
# takes the generator from _create_rng, earlier ones from setup_class.
NUMPYS = """
from numpy.random import Generator
import numpy.random.tests.test_smoke as smoke
from gpuranmar import RANMAR

dtype = getattr(smoke, "dtype", None)  # pytest finds it here

class TestRANMAR(smoke.RNG):
    DATA = {"bit_generator": RANMAR, "advance": 2**62 + 2**31 + 1, "seed": [1802],
            "seed_vector_bits": None}

    @classmethod
    def setup_class(cls):
        for name, value in cls.DATA.items():
            setattr(cls, name, value)
        if hasattr(cls, "_extra_setup"):
            cls.rg = Generator(RANMAR(1802))
            cls.initial_state = cls.rg.bit_generator.state
            cls._extra_setup()

    @classmethod
    def _create_rng(cls):
        return smoke.RNGData(rg=Generator(RANMAR(1802)), **cls.DATA)

    def test_entropy_init(self):
        assert smoke.comp_state(RANMAR().state, RANMAR().state)  # the default seed, always
"""


def has(*modules):
    command = [sys.executable, "-c", "import " + ", ".join(modules)]
    return subprocess.run(command, capture_output=True).returncode == 0


def runs(name, *arguments, **more):
    """Whether Python does that."""
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **more)
    ok(run.returncode == 0, name, run.stdout[-2000:] + run.stderr[-2000:])


def installs(scratch):
    """pip installs the package from the tree, and from an sdist with the library of pkg-config."""
    tree, source = os.path.abspath("csrc/python"), f"{scratch}/source"
    alone = {**os.environ, "PKG_CONFIG_PATH": scratch}
    del alone["GPURANMAR_LIBRARY"]
    with open(f"{scratch}/gpuranmar.pc", "w") as file:
        file.write(f"Name: g\nDescription: g\nVersion: 1.0.0\nlibdir={BUILD}\n")
    shutil.copytree(tree, source, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    runs("an sdist is made", "setup.py", "-q", "sdist", cwd=source, env=alone)
    packages = {"the tree": [tree], "an sdist": glob.glob(f"{source}/dist/*")}
    use = "import gpuranmar as g, numpy; assert g.RANMAR(1802).fill(numpy.empty(9))[0] == "
    for number, (name, package) in enumerate(packages.items()):
        if name == "an sdist" and not shutil.which("pkg-config"):
            skip("pip installs it from an sdist", "pkg-config is not found")
            continue
        site = f"{scratch}/site{number}"
        options = ("-q", "--no-build-isolation", "--no-deps", "--target", site)
        runs(f"pip installs it from {name}", "-m", "pip", "install", *options, *package, env=alone)
        here = {**alone, "PYTHONPATH": site}
        runs("... and it needs no other library", "-c", use + repr(float(reference[0])), env=here)
    for left in (f"{tree}/build", f"{tree}/gpuranmar.egg-info"):
        shutil.rmtree(left, ignore_errors=True)


def too_long(*_):
    raise TimeoutError(f"not done in {LIMIT} s")


def main():
    signal.signal(signal.SIGALRM, too_long)
    for name, test in TESTS.items():
        signal.alarm(LIMIT)
        try:
            ok(test(), name)
        except Exception as error:  # the other tests go on
            ok(False, name, repr(error))
        signal.alarm(0)
    with tempfile.TemporaryDirectory() as scratch:
        if has("pytest", "numpy.random.tests.test_smoke"):
            with open(f"{scratch}/test_ranmar.py", "w") as file:
                file.write(NUMPYS)
            path = {**os.environ, "PYTHONPATH": "csrc/python"}
            arguments = ("-q", "-p", "no:cacheprovider", f"{scratch}/test_ranmar.py")
            runs("NumPy's own tests", "-m", "pytest", *arguments, env=path)
        else:
            skip("NumPy's own tests", "pytest is not found")
        if has("setuptools", "wheel", "pip"):
            installs(scratch)
    finish()


if __name__ == "__main__":  # the workers of a pool may read this file too
    main()
