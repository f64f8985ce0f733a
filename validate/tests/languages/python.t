#!/bin/bash
# The Python package: its numbers are the reference's, states go on, and pip installs it from the
# tree.
cd "$(dirname "$0")/../../.." && . validate/tests/tap.sh
[ -z "$SANITIZE" ] || skip_all 'python3 cannot load a library with the sanitizers'
BUILD=$(realpath "${BUILD:-build}")
[ -x "$BUILD/reference-numbers" ] || skip_all 'no Fortran compiler is found'
python=
for p in python3 /usr/bin/python3; do
    "$p" -c 'import numpy' 2>/dev/null && python=$p && break
done
[ -n "$python" ] || skip_all 'NumPy is not found'

"$BUILD/reference-numbers" 1802 0 0 100000 >"$SCRATCH/double"
"$BUILD/reference-numbers" 1802 5000 0 3000 >"$SCRATCH/later"
"$BUILD/reference-numbers" --single 1802 0 0 3000 >"$SCRATCH/single"
for flavour in extended keyed; do
    seed=1802
    [ $flavour = extended ] || seed=18446744073709551615
    "$BUILD/gpuranmar" numbers --seed $seed --flavour $flavour --count 3000 --raw numbers \
        >"$SCRATCH/$flavour"
done
cat >"$SCRATCH/use.py" <<'END'
import copy as copying
import gc
import pickle
import sys
import threading
import numpy as np
from gpuranmar import FLAVOURS, RANMAR

scratch, test = sys.argv[1:]
reference = np.fromfile(f"{scratch}/double")
later = np.fromfile(f"{scratch}/later")
single = np.fromfile(f"{scratch}/single", dtype=np.float32)
assert len(reference) == 100000 and len(later) == len(single) == 3000
new = lambda *a, **k: np.random.Generator(RANMAR(*a, **k))


def refused(what, call):
    try:
        call()
    except (TypeError, ValueError) as error:
        return what in str(error)
    return False


out = np.empty(1000)
half = RANMAR(1802)
half.fill(np.empty(500))
before = half.state
copy = pickle.loads(pickle.dumps(half))
one, again = new(1802), new(5)
words = (reference * 2.0**32).astype(np.uint64)
halves = (single * 2.0**16).astype(np.uint64)
zero = lambda rule: RANMAR(8872 * 30082 + 4894, flavour="single", zero=rule).fill(np.empty(899))


def of_flavour(flavour):
    """Its numbers are those that the command has written."""
    expected = np.fromfile(f"{scratch}/{flavour}")
    new = RANMAR(1802 if flavour == "extended" else 2**64 - 1, flavour=flavour)
    same = (pickle.loads(pickle.dumps(new)), copying.deepcopy(new), new.jumped(0), new)
    return all((each.fill(np.empty(3000)) == expected).all() for each in same)


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


tests = {
    "random() is the sequence": lambda: (new(1802).random(100000) == reference).all(),
    "one by one": lambda: all(one.random() == u for u in reference[:3000]),
    "out=": lambda: (new(1802).random(out=out) == reference[:1000]).all(),
    "fill": lambda: (RANMAR(1802).fill(np.empty((10, 100))).ravel() == reference[:1000]).all(),
    "fill in single": lambda:
        (RANMAR(1802, flavour="single").fill(np.empty(3000, np.float32)) == single).all(),
    "skip": lambda: (RANMAR(1802, 5000).fill(np.empty(3000)) == later).all(),
    "advance": lambda: (RANMAR(1802).advance(5000).fill(np.empty(3000)) == later).all(),
    "jumped": lambda:
        (RANMAR(1802).jumped(3).fill(out) == RANMAR(1802, 3 << 48).fill(np.empty(1000))).all(),
    "pickled": lambda: (np.random.Generator(copy).random(500) == reference[500:1000]).all(),
    "state": lambda: (
        setattr(half, "state", RANMAR(1802, 5000).state), half.fill(out[:100]) == later[:100]
    )[1].all(),
    "jumped twice": lambda: (
        RANMAR(1802).jumped(40000).fill(out) ==
            RANMAR(1802).jumped(30000).jumped(10000).fill(np.empty(1000))
    ).all(),
    "jumped leaves its own": lambda: half.jumped() and half.state["u"].tolist() ==
        RANMAR(1802, 500).state["u"].tolist(),
    "extended": lambda: of_flavour("extended"),
    "keyed": lambda: of_flavour("keyed"),
    "zeros kept": lambda: zero("keep")[897] == 0,
    "zeros redrawn": lambda: zero("redraw")[897] == zero("keep")[898],
    "zeros replaced": lambda: zero("smallest")[897] == 2.0**-24 and zero("half")[897] == 2.0**-25,
    "a state waits for the thread that draws": state_waits,
    "integers": lambda:
        (new(1802).bit_generator.random_raw(100) == reference[:100] * 2.0**48).all(),
    "32 bits": lambda: (new(1802).integers(0, 2**32, 1000, np.uint32) == words[:1000]).all(),
    "64 bits": lambda: (
        new(1802).integers(0, 2**64, 500, np.uint64) == words[:1000:2] << np.uint64(32)
            | words[1:1000:2]
    ).all(),
    "32 bits from single": lambda: (
        new(1802, flavour="single").integers(0, 2**32, 500, np.uint32)
        == halves[:1000:2] << np.uint64(16) | halves[1:1000:2]
    ).all(),
    "a bad jump": lambda: refused("jumps = -1 is not in 0..2147483648", lambda: half.jumped(-1)),
    "a bad advance": lambda: refused("delta = -5 is not in", lambda: half.advance(-5)),
    "an array in pieces": lambda: refused("not contiguous", lambda: half.fill(np.empty(10)[::2])),
    "a bad seed": lambda: refused("seed = -1 is not in 0..942438977", lambda: RANMAR(-1)),
    "a pair of seeds": lambda:
        (new((1802, 9373)).random(10) == new(1802 * 30082 + 9373).random(10)).all(),
    "a bad pair": lambda:
        refused("seed KL = 30082 is not in 0..30081", lambda: RANMAR((1802, 30082))),
    "a seed that is no integer": lambda:
        refused("seed = 1.5 is no integer", lambda: RANMAR(1.5))
        and refused("is no integer", lambda: RANMAR(np.random.SeedSequence(1)))
        and refused("is no integer", lambda: RANMAR(np.array([1, 2]))),
    "a second __init__, and one that fails, leave a Generator its engine": lambda:
        again.bit_generator.__init__(1802) is None
        and refused("seed = -1 is not", lambda: again.bit_generator.__init__(-1))
        and gc.collect() >= 0
        and (again.random(100) == reference[:100]).all()
        and again.bit_generator.random_raw() == reference[100] * 2.0**48
        and again.random() == reference[101],
    "no spawn": lambda: refused("spawn(2) is not offered", lambda: RANMAR().spawn(2))
        and refused("no SeedSequence", lambda: RANMAR().seed_seq),
    "states that are none": lambda: all(
        refused(said, lambda: setattr(half, "state", state))
        and refused(said, lambda: half.__setstate__(state))
        for said, state in {
            "no dictionary but a NoneType": None,
            "no dictionary but a list": [1],
            "another generator's": np.random.PCG64(1).state,
            "has no flavour": {"bit_generator": "RANMAR"},
            **{
                said: {**half.state, name: value}
                for said, name, value in (
                    ("state u has the shape (50,), not (97,)", "u", [0.5] * 50),
                    ("state u = [[1], [2, 3]] is no number", "u", [[1], [2, 3]]),
                    ("state u has numbers of float32", "u", np.zeros(97, np.float32)),
                    ("a word of U = nan", "u", np.full(97, np.nan)),
                    ("a word of U = 1 ", "u", np.ones(97)),
                    ("state c = 1j is no number", "c", 1j),
                    ("C = nan", "c", float("nan")),
                    ("I97 = 98", "i97", 98),
                    ("I97 = 1099511627873 is not in 0..97", "i97", 97 + (1 << 40)),
                    ("flavour = [1] is none of", "flavour", [1]),
                )
            },
        }.items()
    ) and half.state["u"].tolist() == before["u"].tolist(),
    "a Generator copied and pickled": lambda: all(
        (other.random(100) == new(1802, 500).random(100)).all()
        for random in [np.random.Generator(RANMAR(1802, 500))]
        for other in (copying.deepcopy(random), pickle.loads(pickle.dumps(random)))
    ) and (pickle.loads(pickle.dumps(np.random.default_rng(5))).random(3)
           == np.random.default_rng(5).random(3)).all(),
    "a bad flavour": lambda:
        refused("flavour = 'half' is none of", lambda: RANMAR(1, flavour="half")),
    "a bad array": lambda: refused("no array of float64", lambda: half.fill(np.empty(3, int))),
}
if test == "list":
    print("\n".join(tests))
else:
    sys.exit(not tests[test]())
END
use() {
    PYTHONPATH=$PWD/csrc/python GPURANMAR_LIBRARY=$BUILD/libgpuranmar.so \
        "$python" "$SCRATCH/use.py" "$SCRATCH" "$1"
}
while read -r test; do
    ok "$test" use "$test"
done < <(use list)

# NumPy's own tests of any bit generator, but for the one that wants a seed from entropy.
if "$python" -c 'import pytest, numpy.random.tests.test_smoke' 2>/dev/null; then
    cat >"$SCRATCH/test_ranmar.py" <<'END'
from numpy.random import Generator
from numpy.random.tests.test_smoke import RNG, comp_state, dtype
from gpuranmar import RANMAR


class TestRANMAR(RNG):
    @classmethod
    def setup_class(cls):
        cls.bit_generator = RANMAR
        cls.advance = 2**62 + 2**31 + 1
        cls.seed = [1802]
        cls.rg = Generator(RANMAR(1802))
        cls.initial_state = cls.rg.bit_generator.state
        cls.seed_vector_bits = None
        cls._extra_setup()

    def test_entropy_init(self):
        assert comp_state(RANMAR().state, RANMAR().state)  # the default seed, always
END
    PYTHONPATH=$PWD/csrc/python GPURANMAR_LIBRARY=$BUILD/libgpuranmar.so "$python" -m pytest -q \
        -p no:cacheprovider "$SCRATCH/test_ranmar.py" >"$SCRATCH/log" 2>&1
    report $? "NumPy's own tests: $(tail -n 1 "$SCRATCH/log")"
else
    skip "NumPy's own tests" 'pytest is not found'
fi

if "$python" -c 'import setuptools, wheel' 2>/dev/null &&
    "$python" -m pip --version >/dev/null 2>&1; then
    ok 'pip installs it from the tree' "$python" -m pip install -q --no-build-isolation --no-deps \
        --target "$SCRATCH/site" csrc/python
    rm -rf csrc/python/build csrc/python/gpuranmar.egg-info
    PYTHONPATH=$SCRATCH/site "$python" "$SCRATCH/use.py" "$SCRATCH" 'random() is the sequence' \
        >"$SCRATCH/log" 2>&1
    report $? 'and what it installed needs no other library'
fi
finish
