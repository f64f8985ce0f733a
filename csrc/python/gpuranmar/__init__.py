"""RANMAR for NumPy: a BitGenerator with the numbers of the Fortran programs, bit for bit.

    import numpy as np
    from gpuranmar import RANMAR

    random = np.random.Generator(RANMAR(54217137))
    u = random.random(1000)           # the sequence itself
    x = random.normal(size=1000)      # made from it by NumPy

The library is the one that GPURANMAR_LIBRARY names, or libgpuranmar.so of this package, or else the
one that is installed.
"""
import copy
import copyreg
import ctypes
import operator
import os
import reprlib
import struct
import threading

import numpy as np
from numpy.random import BitGenerator, Generator, RandomState
from numpy.random.bit_generator import ISeedSequence

__all__ = ["RANMAR"]

FLAVOURS = "double", "single", "extended", "keyed"
ZEROS = "smallest", "keep", "redraw", "u2", "half"
STATE = "flavour", "zero", "u", "c", "i97", "j97", "stride"
JUMP = 1 << 48


class State(ctypes.Structure):
    """gpuranmar_engine_state of gpuranmar_engine.h."""

    _fields_ = [("u", ctypes.c_double * 97), ("c", ctypes.c_double)]
    _fields_ += [("i97", ctypes.c_int32), ("j97", ctypes.c_int32)]


class Engine(ctypes.Structure):
    """gpuranmar_engine of gpuranmar_engine.h; `words` holds its fields x and c."""

    _fields_ = [(name, ctypes.c_int32) for name in ("left", "flavour", "zero", "i97")]
    _fields_ += [("made", ctypes.c_uint64), ("stride", ctypes.c_uint64)]
    _fields_ += [("words", ctypes.c_uint64 * 98), ("window", ctypes.c_double * 1024)]


class BitGen(ctypes.Structure):
    """bitgen_t of numpy/random/bitgen.h."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("state", "uint64", "uint32", "double", "raw")]


def _load():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libgpuranmar.so")
    name = os.environ.get("GPURANMAR_LIBRARY") or (
        here if os.path.exists(here) else "libgpuranmar.so.1"
    )
    library = ctypes.CDLL(name)
    engine, state, number = ctypes.POINTER(Engine), ctypes.POINTER(State), ctypes.c_int
    for text in ("last_error", "version"):
        getattr(library, f"gpuranmar_{text}").restype = ctypes.c_char_p
    for call, arguments in {
        "start": [engine, ctypes.c_char_p, number, number, ctypes.c_int64, ctypes.c_uint64],
        "start_pair": [engine, ctypes.c_char_p, *[number] * 4, ctypes.c_uint64],
        "adopt": [engine, ctypes.c_char_p, number, number, state],
        "report": [engine, state],
        "fill": [engine, ctypes.c_void_p, ctypes.c_size_t],
        "fill_single": [engine, ctypes.c_void_p, ctypes.c_size_t],
        "skip": [engine, ctypes.c_uint64],
        "split": [engine, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64],
    }.items():
        getattr(library, f"gpuranmar_engine_{call}").argtypes = arguments
    return library


_LIBRARY = _load()
__version__ = _LIBRARY.gpuranmar_version().decode()
_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER.restype = ctypes.c_void_p
_POINTER.argtypes = [ctypes.py_object, ctypes.c_char_p]
# The functions of BitGen that NumPy calls.
_CALLS = [
    ctypes.cast(getattr(_LIBRARY, f"gpuranmar_engine_{name}"), ctypes.c_void_p).value
    for name, _ in BitGen._fields_[1:]
]


def _check(error):
    if error:
        raise ValueError(_LIBRARY.gpuranmar_last_error().decode())


def _shown(value):
    """A value on one short line."""
    return " ".join(reprlib.repr(value).split())


def _code(codes, name, what):
    if not isinstance(name, str) or name not in codes:
        raise ValueError(f"RANMAR: {what} = {_shown(name)} is none of {', '.join(codes)}")
    return codes.index(name)


def _integer(name, value, most, least=0):
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"RANMAR: {name} = {_shown(value)} is no integer") from None
    if not least <= value <= most:
        raise ValueError(f"RANMAR: {name} = {_shown(value)} is not in {least}..{most}")
    return value


def _numbers(name, value, shape):
    """The numbers `name` of a state: a list of floats if shape is (97,), a float if it is ()."""
    if type(value) is float and shape == ():
        return value
    if type(value) is list and {len(value), *map(type, value)} == {*shape, float}:
        return value  # as `state` gives it; an array would take some microseconds
    try:
        given = np.asarray(value)
        numbers = given.astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        raise TypeError(f"RANMAR: state {name} = {_shown(value)} is no number") from None
    if given.dtype.kind == "f" and given.itemsize < numbers.itemsize:
        raise TypeError(f"RANMAR: state {name} has numbers of {given.dtype}, which lose bits")
    if numbers.shape != shape:
        raise ValueError(f"RANMAR: state {name} has the shape {numbers.shape}, not {shape}")
    return numbers.tolist()


_USE_JUMPED = "use RANMAR(seed).jumped(1), jumped(2), ..., as help(RANMAR) shows"


class _NoSeedSequence(ISeedSequence):
    """Takes the place of NumPy's SeedSequence, which would not depend on RANMAR's seed."""

    def generate_state(self, n_words, dtype=np.uint32):
        raise TypeError(f"RANMAR: there is no SeedSequence: {_USE_JUMPED}")


class RANMAR(BitGenerator):
    """RANMAR(seed=54217137, skip=0, flavour="double", zero="smallest")

    seed     IJKL = 30082*ij + kl, 0..942438977, or the pair (ij, kl), 0..31328 and 0..30081;
             for "keyed" a key, 0..2^64 - 1
    skip     numbers to leave out, 0..2^63
    flavour  "double", "single", "extended" or "keyed"
    zero     what an exact zero becomes: "smallest" (2^-48 or 2^-24), "keep", "redraw", "u2", "half"

    Generator.random() returns the numbers themselves. Generator.random(dtype=np.float32) does not:
    it returns the highest 24 bits of each 48-bit number, and for "single" 24 bits made of two
    numbers. Use fill() for the sequence in float32. Bad arguments raise ValueError, or TypeError if
    not an integer.

    The seed is never taken from the system's entropy, nor from a SeedSequence or an array, and
    there is no spawn: RANMAR's seeds are shifts of each other, and children of a child would share
    numbers. Instead, each worker of a pool makes its own generator from the same seed:

        def work(worker):
            random = np.random.Generator(RANMAR(54217137).jumped(worker))
            ...

        if __name__ == "__main__":
            with multiprocessing.Pool(8) as pool:
                pool.map(work, range(8))

    jumped(0), jumped(1), ... of one generator share no number within 2^48 draws each. Do not jump
    from a generator that was jumped itself: jumped(1).jumped(1) is jumped(2)."""

    def __init__(self, seed=54217137, skip=0, flavour="double", zero="smallest"):
        codes = _code(FLAVOURS, flavour, "flavour"), _code(ZEROS, zero, "zero")
        skip = _integer("skip", skip, 1 << 63)
        if isinstance(seed, tuple) and len(seed) == 2:
            pair = [
                _integer(name, value, most)
                for name, value, most in zip(("seed IJ", "seed KL"), seed, (31328, 30081))
            ]
            start = _LIBRARY.gpuranmar_engine_start_pair
        else:
            most = (1 << 64) - 1 if flavour == "keyed" else 942438977
            pair, start = [_integer("seed", seed, most)], _LIBRARY.gpuranmar_engine_start
        engine = Engine()
        _check(start(engine, b"RANMAR", *codes, *pair, skip))
        self._go_on_with(engine)

    def _go_on_with(self, engine):
        """Takes over an engine's state."""
        if hasattr(self, "_engine"):  # a Generator keeps its address, and the lock
            with self._lock:
                ctypes.pointer(self._engine)[0] = engine
            return
        self._engine, self._lock = engine, threading.RLock()
        super().__init__(_NoSeedSequence())
        # NumPy calls C functions by their addresses in a structure that the capsule points to.
        bitgen = BitGen.from_address(_POINTER(self.capsule, b"BitGenerator"))
        bitgen.__init__(ctypes.addressof(engine), *_CALLS)

    @property
    def lock(self):
        """The lock of all draws. It is reentrant: the thread that holds it may take it again."""
        return self._lock

    def random_raw(self, size=None, output=True):
        """The next numbers times 2^48 or 2^24, as integers; size and output as in NumPy."""
        with self._lock:  # NumPy's function takes NumPy's lock, not this one
            return super().random_raw(size, output)

    @property
    def state(self):
        """The state as a dictionary that json.dumps takes, in the floating form of the published
        routines."""
        state = State()
        with self._lock:  # another thread may draw without the GIL
            _LIBRARY.gpuranmar_engine_report(self._engine, state)
            flavour, zero = self._engine.flavour, self._engine.zero
            stride = self._engine.stride
        values = FLAVOURS[flavour], ZEROS[zero], state.u[:], state.c, state.i97, state.j97, stride
        return {"bit_generator": "RANMAR", "state": dict(zip(STATE, values))}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError(f"RANMAR: the state is no dictionary but a {type(value).__name__}")
        generator = value.get("bit_generator")
        if not isinstance(generator, str) or generator != "RANMAR":
            raise ValueError("RANMAR: the state is another generator's")
        value = value.get("state")
        if not isinstance(value, dict):
            raise TypeError(f"RANMAR: the state's 'state' is no dictionary: {_shown(value)}")
        if missing := [name for name in STATE if name not in value]:
            raise ValueError(f"RANMAR: the state has no {missing[0]}")
        u, c = _numbers("u", value["u"], (97,)), _numbers("c", value["c"], ())
        indices = (  # J97 has the flavour in its hundreds
            _integer(f"state {i.upper()}", value[i], most, least=1)
            for i, most in (("i97", 97), ("j97", (1 << 31) - 1))
        )
        state = State.from_buffer_copy(struct.pack("98d2i", *u, c, *indices))
        flavour = _code(FLAVOURS, value["flavour"], "flavour")
        zero = _code(ZEROS, value["zero"], "zero")
        stride = _integer("state stride", value["stride"], 65536, least=1)
        engine = Engine()
        _check(_LIBRARY.gpuranmar_engine_adopt(engine, b"RANMAR", flavour, zero, state))
        _check(_LIBRARY.gpuranmar_engine_split(engine, b"RANMAR", stride, 0))
        self._go_on_with(engine)

    def advance(self, delta):
        """Skips delta numbers, 0..2^63; returns self."""
        delta = _integer("delta", delta, 1 << 63)
        with self._lock:
            _LIBRARY.gpuranmar_engine_skip(self._engine, delta)
        return self

    def split(self, s, n):
        """Leapfrog: keeps number n (0..s-1) of the numbers to come, and every s-th after it;
        returns self. So s workers share one sequence: worker n takes RANMAR(seed).split(s, n). s is
        in 1..65536. Each number takes s times as long to make; jumped() has no such cost. After
        split(), advance() and jumped() count the worker's own numbers. Raises ValueError for
        zero="redraw", as redrawn numbers have no fixed position."""
        s = _integer("s", s, 65536, least=1)
        n = _integer("n", n, s - 1)
        with self._lock:
            _check(_LIBRARY.gpuranmar_engine_split(self._engine, b"RANMAR", s, n))
        return self

    def jumped(self, jumps=1):
        """A new generator that is jumps * 2^48 numbers further on; jumps is in 0..2^31."""
        jumps = _integer("jumps", jumps, 1 << 31)
        new = copy.copy(self)
        for _ in range(jumps // 32768):
            new.advance(32768 * JUMP)
        return new.advance(jumps % 32768 * JUMP)

    def spawn(self, n_children):
        """Refused: children of children would share numbers."""
        raise TypeError(f"RANMAR: spawn({_shown(n_children)}) is not offered: {_USE_JUMPED}")

    @property
    def seed_seq(self):
        """Refused: there is no SeedSequence, and the children of one would not depend on the
        seed."""
        raise AttributeError(f"RANMAR: there is no SeedSequence: {_USE_JUMPED}")

    _seed_seq = seed_seq  # its only name before NumPy 1.25

    def fill(self, out):
        """Fills an array of float64 or float32, C-contiguous, with the next numbers; returns it.
        float64 gets the same numbers as Generator.random(out=out), faster. float32 holds the
        flavour "single" exactly, and rounds numbers of 48 bits: one in 2^25 on average becomes
        exactly 1.0. Draw float64, or "single", if 1.0 must not occur."""
        calls = {
            np.float64: _LIBRARY.gpuranmar_engine_fill,
            np.float32: _LIBRARY.gpuranmar_engine_fill_single,
        }
        if not isinstance(out, np.ndarray) or out.dtype.type not in calls or not out.dtype.isnative:
            raise ValueError("RANMAR: out is no array of float64 or float32")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError("RANMAR: out is not contiguous, or not writeable")
        with self._lock:
            calls[out.dtype.type](self._engine, out.ctypes.data, out.size)
        return out

    def __reduce__(self):
        return _new, (type(self),), self.__getstate__()

    def __getstate__(self):
        return self.state, self._attributes()

    def _attributes(self):
        """Those that a subclass or a user has added."""
        own = ("_engine", "_lock")
        return {name: x for name, x in vars(self).items() if name not in own}

    def __deepcopy__(self, memo):
        """A copy with copies of the attributes. The usual one would copy each word of the state."""
        new = memo[id(self)] = copy.copy(self)
        vars(new).update(copy.deepcopy(new._attributes(), memo))
        return new

    def __setstate__(self, state):
        is_pair = isinstance(state, tuple) and len(state) == 2
        self.state, attributes = state if is_pair else (state, {})
        vars(self).update(attributes)


def _new(kind):
    """An object of RANMAR or a subclass, whose __init__ may have arguments of its own. It gets an
    engine when its state is set."""
    return kind.__new__(kind)


def _reduce(random):
    """Pickles and copies a Generator or RandomState of RANMAR: before 2.0, NumPy's own __reduce__
    knows only NumPy's bit generators. As with these, copy.copy() copies the bit generator before
    2.0, and shares it from 2.0 on."""
    bits = random._bit_generator
    if not isinstance(bits, RANMAR):
        return random.__reduce__()
    if int(np.__version__.split(".")[0]) < 2:
        bits = copy.copy(bits)
    kept = random.get_state(legacy=False) if isinstance(random, RandomState) else {}
    gauss = {name: kept[name] for name in ("has_gauss", "gauss") if name in kept}
    return _rebuild, (type(random), bits, gauss)


def _rebuild(kind, bits, gauss):
    new = kind(bits)
    if gauss:  # the second number of a pair of normal numbers
        new.set_state({**bits.state, **gauss})
    return new


for _kind in Generator, RandomState:  # a subclass is copied as NumPy does
    copyreg.dispatch_table[_kind] = _reduce
