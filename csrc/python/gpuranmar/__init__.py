"""RANMAR for NumPy: a BitGenerator with the numbers of the Fortran programs, bit for bit.

    import numpy as np
    from gpuranmar import RANMAR

    random = np.random.Generator(RANMAR(54217137))
    u = random.random(1000)           # the sequence itself
    x = random.normal(size=1000)      # made from it by NumPy

The library is the one that GPURANMAR_LIBRARY names, or libgpuranmar.so of this package, or else the
one that is installed.
"""
import copyreg
import ctypes
import operator
import os
import reprlib

import numpy as np
from numpy.random import BitGenerator

__all__ = ["RANMAR"]

FLAVOURS = {
    "double": 0,
    "single": 1,
    "extended": 2,
    "keyed": 3,
}
ZEROS = {"smallest": 0, "keep": 1, "redraw": 2, "u2": 3, "half": 4}
JUMP = 1 << 48


class State(ctypes.Structure):
    """gpuranmar_engine_state of gpuranmar_engine.h."""

    _fields_ = [
        ("u", ctypes.c_double * 97),
        ("c", ctypes.c_double),
        ("i97", ctypes.c_int32),
        ("j97", ctypes.c_int32),
    ]


class Engine(ctypes.Structure):
    """gpuranmar_engine of gpuranmar_engine.h; `words` are its x and c."""

    _fields_ = [
        ("left", ctypes.c_int32),
        ("flavour", ctypes.c_int32),
        ("zero", ctypes.c_int32),
        ("i97", ctypes.c_int32),
        ("made", ctypes.c_uint64),
        ("words", ctypes.c_uint64 * 98),
        ("window", ctypes.c_double * 1024),
    ]


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
    library.gpuranmar_last_error.restype = ctypes.c_char_p
    for call, arguments in {
        "start": [engine, ctypes.c_char_p, number, number, ctypes.c_int64, ctypes.c_uint64],
        "start_pair": [engine, ctypes.c_char_p, *[number] * 4, ctypes.c_uint64],
        "adopt": [engine, ctypes.c_char_p, number, number, state],
        "report": [engine, state],
        "fill": [engine, ctypes.c_void_p, ctypes.c_size_t],
        "fill_single": [engine, ctypes.c_void_p, ctypes.c_size_t],
        "skip": [engine, ctypes.c_uint64],
    }.items():
        getattr(library, f"gpuranmar_engine_{call}").argtypes = arguments
    return library


_LIBRARY = _load()
_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER.restype = ctypes.c_void_p
_POINTER.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _check(error):
    if error:
        raise ValueError(_LIBRARY.gpuranmar_last_error().decode())


def _shown(value):
    """A value on one short line."""
    return " ".join(reprlib.repr(value).split())


def _code(codes, name, what):
    if not isinstance(name, str) or name not in codes:
        raise ValueError(f"RANMAR: {what} = {_shown(name)} is none of {', '.join(codes)}")
    return codes[name]


def _integer(name, value, most):
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"RANMAR: {name} = {_shown(value)} is no integer") from None
    if not 0 <= value <= most:
        raise ValueError(f"RANMAR: {name} = {_shown(value)} is not in 0..{most}")
    return value


def _numbers(name, value, shape):
    """The numbers `name` of a state as an array of that shape."""
    try:
        given = np.asarray(value)
        numbers = given.astype(np.float64, casting="same_kind")
    except (TypeError, ValueError):
        raise TypeError(f"RANMAR: state {name} = {_shown(value)} is no number") from None
    if given.dtype.kind == "f" and given.itemsize < numbers.itemsize:
        raise TypeError(f"RANMAR: state {name} has numbers of {given.dtype}, which cut words off")
    if numbers.shape != shape:
        raise ValueError(f"RANMAR: state {name} has the shape {numbers.shape}, not {shape}")
    return numbers


class RANMAR(BitGenerator):
    """RANMAR(seed=54217137, skip=0, flavour="double", zero="smallest")

    seed     IJKL = 30082*ij + kl, 0..942438977, or the pair (ij, kl), 0..31328 and 0..30081;
             "keyed" has a key in its place, 0..2^64 - 1
    skip     numbers to leave out, 0..2^63
    flavour  "double", "single", "extended" or "keyed"
    zero     what an exact zero becomes: "smallest" (2^-48 or 2^-24), "keep", "redraw", "u2", "half"

    Generator.random() returns the numbers themselves. ValueError for bad arguments, TypeError for
    what is no integer.

    By design the seed is never taken from the system's entropy, nor from a SeedSequence or an
    array, and there is no spawn: RANMAR's seeds are shifts of each other. Streams that share no
    numbers are those of jumped(i) of one generator."""

    def __init__(self, seed=54217137, skip=0, flavour="double", zero="smallest"):
        codes = _code(FLAVOURS, flavour, "flavour"), _code(ZEROS, zero, "zero")
        skip = _integer("skip", skip, 1 << 63)
        # A Generator keeps the engine's address, also where this is called a second time.
        self._engine = getattr(self, "_engine", None) or Engine()
        if isinstance(seed, tuple) and len(seed) == 2:
            pair = [
                _integer(name, value, most)
                for name, value, most in zip(("seed IJ", "seed KL"), seed, (31328, 30081))
            ]
            start = _LIBRARY.gpuranmar_engine_start_pair
        else:
            most = (1 << 64) - 1 if flavour == "keyed" else 942438977
            pair, start = [_integer("seed", seed, most)], _LIBRARY.gpuranmar_engine_start
        _check(start(self._engine, b"RANMAR", *codes, *pair, skip))
        super().__init__(0)  # NumPy's own seeding is not used
        # NumPy calls C functions by their addresses in a structure that the capsule points to.
        bitgen = BitGen.from_address(_POINTER(self.capsule, b"BitGenerator"))
        bitgen.state = ctypes.addressof(self._engine)
        for name in ("uint64", "uint32", "double", "raw"):
            function = getattr(_LIBRARY, f"gpuranmar_engine_{name}")
            setattr(bitgen, name, ctypes.cast(function, ctypes.c_void_p).value)

    @property
    def state(self):
        """The state as a dictionary, in the floating form of the published routines."""
        state = State()
        with self.lock:  # another thread may be drawing, also where Python's own lock is not held
            _LIBRARY.gpuranmar_engine_report(self._engine, state)
        return {
            "bit_generator": "RANMAR",
            "flavour": list(FLAVOURS)[self._engine.flavour],
            "zero": list(ZEROS)[self._engine.zero],
            "u": np.array(state.u),
            "c": state.c,
            "i97": state.i97,
            "j97": state.j97,
        }

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError(f"RANMAR: the state is no dictionary but a {type(value).__name__}")
        generator = value.get("bit_generator")
        if not isinstance(generator, str) or generator != "RANMAR":
            raise ValueError("RANMAR: the state is another generator's")
        if missing := [name for name in self.state if name not in value]:
            raise ValueError(f"RANMAR: the state has no {missing[0]}")
        u, c = _numbers("u", value["u"], (97,)), _numbers("c", value["c"], ())
        indices = (  # J97 tells the flavour too
            _integer(f"state {i.upper()}", value[i], most)
            for i, most in (("i97", 97), ("j97", (1 << 31) - 1))
        )
        state = State((ctypes.c_double * 97)(*u), c, *indices)
        flavour, zero = _code(FLAVOURS, value["flavour"], "flavour"), _code(
            ZEROS, value["zero"], "zero"
        )
        with self.lock:
            _check(_LIBRARY.gpuranmar_engine_adopt(self._engine, b"RANMAR", flavour, zero, state))

    def advance(self, delta):
        """Skips delta numbers, 0..2^63; returns self."""
        delta = _integer("delta", delta, 1 << 63)
        with self.lock:
            _LIBRARY.gpuranmar_engine_skip(self._engine, delta)
        return self

    def jumped(self, jumps=1):
        """A new generator that is jumps * 2^48 numbers further on, jumps 0..2^31."""
        jumps = _integer("jumps", jumps, 1 << 31)
        new = _restore(self.state)
        for _ in range(jumps // 32768):
            new.advance(32768 * JUMP)
        return new.advance(jumps % 32768 * JUMP)

    def spawn(self, n_children):
        """Refused: children of children would share numbers."""
        raise TypeError(
            f"RANMAR: spawn({_shown(n_children)}) is not offered: use jumped(1), jumped(2), ..."
        )

    @property
    def seed_seq(self):
        """Refused: the seed is no SeedSequence."""
        raise TypeError("RANMAR: there is no SeedSequence: use jumped(1), jumped(2), ...")

    def fill(self, out):
        """Fills an array of float64 or float32, C-contiguous, with the next numbers; returns it.
        Faster than Generator.random(out=out), and the same numbers for float64."""
        calls = {
            np.float64: _LIBRARY.gpuranmar_engine_fill,
            np.float32: _LIBRARY.gpuranmar_engine_fill_single,
        }
        if not isinstance(out, np.ndarray) or out.dtype.type not in calls or not out.dtype.isnative:
            raise ValueError("RANMAR: out is no array of float64 or float32")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError("RANMAR: out is not contiguous, or not writeable")
        with self.lock:
            calls[out.dtype.type](self._engine, out.ctypes.data, out.size)
        return out

    def __reduce__(self):
        return _restore, (self.state,)

    def __getstate__(self):
        return self.state

    def __setstate__(self, state):
        self.state = state


def _restore(state):
    new = RANMAR()
    new.state = state
    return new


def _reduce_generator(generator):
    """How a Generator is pickled and copied: NumPy before 2.0 knows its own bit generators only."""
    if isinstance(generator.bit_generator, RANMAR):
        return np.random.Generator, (generator.bit_generator,)
    return generator.__reduce__()


copyreg.pickle(np.random.Generator, _reduce_generator)
