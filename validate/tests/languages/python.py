"""The Python package: its numbers are the reference's, states go on, and pip installs
it. python.t runs this with a Python that has NumPy. Each function test_* is a test."""
import copy
import gc
import json
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback

import numpy as np

sys.path[:0] = ["validate/tests", "csrc/python"]
from tap import BUILD, finish, ok, skip

os.environ["GPURANMAR_LIBRARY"] = f"{BUILD}/libgpuranmar.so"
import gpuranmar
from gpuranmar import RANMAR

LIMIT = 60  # seconds a test may take; one that waits for a lock would wait for ever


def made(*arguments, dtype=np.float64):
    return np.frombuffer(subprocess.check_output([f"{BUILD}/reference-numbers", *arguments]), dtype)


reference = made("1802", "0", "0", "100000")
later = made("1802", "5000", "0", "3000")
single = made("--single", "1802", "0", "0", "3000", dtype=np.float32)


def new(*arguments, **more):
    return np.random.Generator(RANMAR(*arguments, **more))


def drawn(random, n=100, kind=float):
    """n numbers of a RANMAR by fill()."""
    return random.fill(np.empty(n, kind))


def same(a, b):
    return a.shape == b.shape and bool((a == b).all())


def pickled(x):
    return pickle.loads(pickle.dumps(x))


def refuses(what, call, *arguments, **more):
    """The call fails with these words."""
    try:
        call(*arguments, **more)
    except (AttributeError, TypeError, ValueError) as error:
        assert what in str(error), error
        return
    raise AssertionError(f"not refused: {what}")


def test_numbers():
    one = new(1802)
    assert same(new(1802).random(100000), reference)
    assert same(np.array([one.random() for _ in range(3000)]), reference[:3000])
    assert same(new(1802).random(out=np.empty(1000)), reference[:1000])
    assert same(drawn(RANMAR(1802), (10, 100)).ravel(), reference[:1000])
    assert same(drawn(RANMAR(1802, flavour="single"), 3000, np.float32), single)
    assert same(drawn(RANMAR((1802, 9373))), drawn(RANMAR(54217137)))


def test_known_answers():
    with open("csrc/definition/known_answers.txt") as file:
        rows = [line.split() for line in file if not line.startswith("#")]
    assert len(rows) >= 16
    for flavour, seed, position, *words in rows:
        bits = 24 if flavour == "single" else 48
        expected = np.array([int(word, 16) * 2.0**-bits for word in words])
        random = RANMAR(int(seed), int(position), flavour)
        for each in (pickled(random), copy.deepcopy(random), random.jumped(0), random):
            assert same(drawn(each, 6, np.float32 if bits == 24 else float), expected)


def test_version():
    with open("csrc/include/gpuranmar.h") as file:
        numbers = re.findall(r"define GPURANMAR_VERSION_\w+ (\d+)", file.read())
    assert gpuranmar.__version__ == ".".join(numbers)


def test_positions():
    assert same(drawn(RANMAR(1802, 5000), 3000), later)
    assert same(drawn(RANMAR(1802).advance(5000), 3000), later)
    assert same(drawn(RANMAR(1802).jumped(3)), drawn(RANMAR(1802, 3 << 48)))
    twice = RANMAR(1802).jumped(30000).jumped(10000)
    assert same(drawn(RANMAR(1802).jumped(40000)), drawn(twice))
    twice = RANMAR(1802).jumped(40000).jumped(40000)
    assert same(drawn(RANMAR(1802).jumped(80000)), drawn(twice))
    assert type(MyRANMAR("b", 1).jumped()) is MyRANMAR
    half = RANMAR(1802, 5000)
    half.jumped()
    assert same(drawn(half, 3000), later)


def worker(i):
    return drawn(RANMAR(1802).jumped(i))


def test_workers_of_a_pool():
    with multiprocessing.Pool(2) as workers:
        for i, numbers in enumerate(workers.map(worker, range(4))):
            assert same(numbers, drawn(RANMAR(1802, i << 48)))


def test_split():
    """Number n of every 7, also from a state, for a Generator, and where a share is split."""
    for n in range(7):
        random = RANMAR(1802).split(7, n)
        assert same(drawn(random, 500), reference[n : n + 3500 : 7])
        after = reference[n + 3500 :: 7]
        assert same(np.random.Generator(pickled(random)).random(500), after[:500])
        assert same(drawn(random.split(2, 1).advance(100), 400), after[201::2][:400])
    refuses("zeros are redrawn", RANMAR(1, zero="redraw").split, 2, 0)
    run = "from gpuranmar import RANMAR; r = RANMAR(1).split(7, 3); r.state = r.split(2, 1).state"
    env = {**os.environ, "GPURANMAR_VERBOSE": "1", "PYTHONPATH": "csrc/python"}
    said = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, env=env)
    shares = [line.split(" goes on with number ") for line in said.stderr.splitlines()]
    shares = [line[1] for line in shares if len(line) > 1]
    assert shares == ["3 of each 7", "1 of each 2", "0 of each 14"], said
    refuses("n = 2 is not in 0..1", RANMAR(1).split, 2, 2)
    refuses("s = -1 is not in 1..65536", RANMAR(1).split, -1, 0)
    refuses("s = 2 of split is not in 1..1", RANMAR(1).split(65536, 0).split, 2, 0)


def test_zeros():
    zero = lambda rule: drawn(RANMAR(8872 * 30082 + 4894, 0, "single", rule), 899)
    assert zero("keep")[897] == 0
    assert zero("redraw")[897] == zero("keep")[898]
    assert zero("smallest")[897] == 2.0**-24 and zero("half")[897] == 2.0**-25


def test_integers():
    words = (reference * 2.0**32).astype(np.uint64)
    halves = (single * 2.0**16).astype(np.uint64)
    assert same(RANMAR(1802).random_raw(100), reference[:100] * 2.0**48)
    assert same(new(1802).integers(0, 2**32, 1000, np.uint32), words[:1000])
    pairs = words[:1000:2] << np.uint64(32) | words[1:1000:2]
    assert same(new(1802).integers(0, 2**64, 500, np.uint64), pairs)
    pairs = halves[:1000:2] << np.uint64(16) | halves[1:1000:2]
    assert same(new(1802, flavour="single").integers(0, 2**32, 500, np.uint32), pairs)


def test_integers_across_buffers():
    """Integers of both sizes, where a buffer of 1024 numbers ends within one."""
    for flavour, per_word in (("double", 1), ("single", 2)):
        raw = RANMAR(1802, flavour=flavour).random_raw(20000) >> np.uint64(
            16 if per_word == 1 else 8
        )
        words = raw if per_word == 1 else raw[::2] << np.uint64(16) | raw[1::2]
        for first in range(4):
            random = new(1802, flavour=flavour)
            assert same(random.integers(0, 2**32, first, np.uint32), words[:first])
            pairs = words[first:-1:2] << np.uint64(32) | words[first + 1 :: 2]
            assert same(random.integers(0, 2**64, len(pairs), np.uint64), pairs)
        assert same(new(1802, flavour=flavour).integers(0, 2**32, len(words), np.uint32), words)
        random = RANMAR(1802, 1, flavour)
        odd = raw[1:] if per_word == 1 else raw[1:-1:2] << np.uint64(16) | raw[2::2]
        assert same(np.random.Generator(random).integers(0, 2**32, len(odd), np.uint32), odd)


def test_state_waits_for_a_thread_that_draws():
    random = RANMAR(1802)
    taker = threading.Thread(target=lambda: random.state)
    with random.lock:
        taker.start()
        taker.join(0.2)
        assert taker.is_alive()
    taker.join()


def test_calls_under_the_lock():
    random = RANMAR(1802)
    with random.lock:
        random.state = random.state
        random.advance(7).split(2, 1).jumped(3)
        pickled(random), copy.deepcopy(random), drawn(random), random.random_raw(3)
        np.random.Generator(random).random(3)
        np.random.RandomState(random).get_state(legacy=False)
        random.__init__(1802)


def test_second_init():
    """A second __init__, and one that fails, leave a Generator its engine and its lock."""
    again = new(5)
    lock = again.bit_generator.lock
    again.bit_generator.__init__(1802)
    refuses("seed = -1 is not", again.bit_generator.__init__, -1)
    gc.collect()
    assert again.bit_generator.lock is lock
    assert same(again.random(100), reference[:100])
    assert again.bit_generator.random_raw() == reference[100] * 2.0**48
    assert again.random() == reference[101]


class MyRANMAR(RANMAR):
    def __init__(self, name, seed):
        super().__init__(seed)
        self.name = name


def test_copies():
    """A copy goes on as its original does, with the second of a pair of normal numbers, and keeps
    the class and attributes of RANMAR."""
    for bits in (RANMAR(1802), MyRANMAR("b", 1802), RANMAR(5, 7, "single", "redraw")):
        for kind in (np.random.Generator, np.random.RandomState):
            for way in (copy.deepcopy, pickled):
                random = kind(bits)
                random.normal()
                other = way(random)
                inner = other._bit_generator
                assert type(other) is type(random) and type(inner) is type(bits)
                assert getattr(inner, "name", "b") == "b"
                assert same(other.normal(size=9), random.normal(size=9))
    assert same(drawn(copy.copy(RANMAR(1802, 5000)), 3000), later)
    for kind in (np.random.Generator, np.random.RandomState):  # shallow copies share as NumPy's do
        pairs = [(x, copy.copy(x)) for x in map(kind, (RANMAR(1), np.random.PCG64(1)))]
        shared = [x._bit_generator is y._bit_generator for x, y in pairs]
        assert shared[0] == shared[1], shared
    mine = MyRANMAR(["b"], 1)
    mine.itself = mine
    other = copy.deepcopy(mine)
    assert other.itself is other and other.name == ["b"] and other.name is not mine.name
    other = pickled(np.random.default_rng(5))  # of another bit generator
    assert same(other.random(3), np.random.default_rng(5).random(3))


def test_states_as_json():
    random = RANMAR(7)
    random.state = json.loads(json.dumps(RANMAR(1802, 5000).state))
    assert same(drawn(random, 3000), later)
    random = np.random.RandomState(RANMAR(1802))
    for _ in range(2):  # the second time in the middle of a pair
        state = json.loads(json.dumps(random.get_state(legacy=False)))
        expected = random.normal(size=9)
        random.set_state(state)
        assert same(random.normal(size=9), expected)


def test_states_that_are_none():
    random = RANMAR(1802, 500)
    before = random.state
    inner = lambda name, value: {**before, "state": {**before["state"], name: value}}
    for said, state in {
        "no dictionary but a NoneType": None,
        "no dictionary but a list": [1],
        "another generator's": np.random.PCG64(1).state,
        "'state' is no dictionary: None": {"bit_generator": "RANMAR"},
        "has no flavour": {"bit_generator": "RANMAR", "state": {}},
        "state u has the shape (50,), not (97,)": inner("u", [0.5] * 50),
        "state u = [[1], [2, 3]] is no number": inner("u", [[1], [2, 3]]),
        "state u has numbers of float32": inner("u", np.zeros(97, np.float32)),
        "a word of U = nan": inner("u", np.full(97, np.nan)),
        "a word of U = 1": inner("u", np.ones(97)),
        "state c = 1j is no number": inner("c", 1j),
        "C = nan": inner("c", float("nan")),
        "stride = 0 is not in 1..65536": inner("stride", 0),
        "stride = 65537 is not in 1..65536": inner("stride", 65537),
        "I97 = 98": inner("i97", 98),
        "I97 = 1099511627873 is not in 1..97": inner("i97", 97 + (1 << 40)),
        "flavour = [1] is none of": inner("flavour", [1]),
    }.items():
        refuses(said, setattr, random, "state", state)
        refuses(said, random.__setstate__, state)
    assert random.state == before


def test_children_are_refused():
    random = RANMAR(1802)
    refuses("spawn(2) is not offered", random.spawn, 2)
    for name in ("seed_seq", "_seed_seq"):
        refuses("there is no SeedSequence", getattr, random, name)
    assert not hasattr(np.random.BitGenerator._seed_seq.__get__(random), "spawn")


def test_bad_arguments():
    random = RANMAR(1802)
    refuses("seed KL = 30082 is not in 0..30081", RANMAR, (1802, 30082))
    refuses("jumps = -1 is not in 0..2147483648", random.jumped, -1)
    refuses("delta = -5 is not in", random.advance, -5)
    refuses("not contiguous", random.fill, np.empty(10)[::2])
    refuses("not writeable", random.fill, np.broadcast_to(np.float64(0), 1))
    refuses("no array of float64", random.fill, np.empty(10, np.dtype(float).newbyteorder()))
    refuses("no array of float64", drawn, random, 3, int)
    refuses("seed = -1 is not in 0..942438977", RANMAR, -1)
    refuses("flavour = 'half' is none of", RANMAR, 1, flavour="half")
    for seed in (1.5, np.random.SeedSequence(1), np.array([1, 2])):
        refuses("is no integer", RANMAR, seed)


def has(*modules):
    command = [sys.executable, "-c", "import " + ", ".join(modules)]
    return subprocess.run(command, capture_output=True).returncode == 0


def runs(name, *arguments, **more):
    """Whether Python does that."""
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **more)
    ok(run.returncode == 0, name, run.stdout[-2000:] + run.stderr[-2000:])


def installs(scratch):
    """pip installs the package from the tree, and refuses it elsewhere."""
    tree, moved = os.path.abspath("csrc/python"), f"{scratch}/moved"
    alone = {**os.environ, "PYTHONPATH": scratch}
    del alone["GPURANMAR_LIBRARY"]
    pip = ("-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--target", scratch)
    runs("pip installs it", *pip, tree, env=alone)
    use = "import gpuranmar as g, numpy; assert g.RANMAR(1802).fill(numpy.empty(9))[0] == "
    runs("... and it needs no other library", "-c", use + repr(float(reference[0])), env=alone)
    shutil.copytree(tree, moved, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    build = [sys.executable, "setup.py", "-q", "build"]
    run = subprocess.run(build, cwd=moved, env=alone, capture_output=True, text=True)
    refused = run.returncode == 1 and "is not libgpuranmar's source tree" in run.stderr
    ok(refused, "... and it is refused elsewhere", run.stderr)
    for left in (f"{tree}/build", f"{tree}/gpuranmar.egg-info"):
        shutil.rmtree(left, ignore_errors=True)


def too_long(*_):
    raise TimeoutError(f"not done in {LIMIT} s")


def main():
    signal.signal(signal.SIGALRM, too_long)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            signal.alarm(LIMIT)
            try:
                test()
                ok(True, name)
            except Exception:  # the other tests go on
                ok(False, name, traceback.format_exc())
            signal.alarm(0)
    with tempfile.TemporaryDirectory() as scratch:
        if has("setuptools", "wheel", "pip"):
            installs(scratch)
    finish()


if __name__ == "__main__":  # the workers of a pool may read this file too
    main()
