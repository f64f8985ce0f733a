"""RANMAR for CuPy: arrays in the memory of an NVIDIA GPU, with the numbers of the sequence.

    from gpuranmar.device import Generator

    random = Generator(54217137)
    u = random.random((1000, 1000))   # a cupy.ndarray, in the order of CuPy's current stream

The library is libgpuranmar_cuda.so beside the one that GPURANMAR_LIBRARY names, or the one that is
installed.
"""
import ctypes
import os
import weakref

import cupy

from . import FLAVOURS, _code, _integer

__all__ = ["Generator"]


def _load():
    beside = os.path.dirname(os.environ.get("GPURANMAR_LIBRARY", ""))
    library = ctypes.CDLL(os.path.join(beside, "libgpuranmar_cuda.so"))
    library.gpuranmar_cuda_last_error.restype = ctypes.c_char_p
    handle, address = ctypes.c_void_p, ctypes.c_void_p
    for call, arguments in {
        "create": [ctypes.POINTER(handle), ctypes.c_int],
        "destroy": [handle],
        "set_stream": [handle, address],
        "set_seed": [handle, ctypes.c_int64],
        "set_position": [handle, ctypes.c_uint64],
        "position": [handle, ctypes.POINTER(ctypes.c_uint64)],
        "generate_double": [handle, address, ctypes.c_size_t],
        "generate_single": [handle, address, ctypes.c_size_t],
    }.items():
        getattr(library, f"gpuranmar_cuda_{call}").argtypes = arguments
    library.gpuranmar_cuda_destroy.restype = None
    return library


_LIBRARY = _load()
_BAD_ARGUMENT, _NO_MEMORY = 1, 5  # of enum gpuranmar_error


def _call(name, *arguments):
    error = getattr(_LIBRARY, f"gpuranmar_cuda_{name}")(*arguments)
    if error:
        kinds = {_BAD_ARGUMENT: ValueError, _NO_MEMORY: MemoryError}
        raise kinds.get(error, RuntimeError)(_LIBRARY.gpuranmar_cuda_last_error().decode())


class Generator:
    """Generator(seed=54217137, skip=0, flavour="double")

    The arguments are those of gpuranmar.RANMAR; a zero becomes the smallest number. The generator
    belongs to the current device, and may be pickled and copied. Bad arguments raise ValueError,
    errors of CUDA RuntimeError.

    Give each worker of a pool, or each GPU, a part of the sequence of one seed, Generator(seed,
    worker << 48), and not a seed of its own: RANMAR's seeds are shifts of each other."""

    def __init__(self, seed=54217137, skip=0, flavour="double"):
        code = _code(FLAVOURS, flavour, "flavour")
        seed = _integer("seed", seed, (1 << 64) - 1 if flavour == "keyed" else 942438977)
        self._key = seed, flavour
        self._dtype = cupy.dtype("float32" if flavour == "single" else "float64")
        self._device = cupy.cuda.runtime.getDevice()
        self._handle = ctypes.c_void_p()
        _call("create", ctypes.byref(self._handle), code)
        # No call at exit: CUDA may have been shut down before.
        weakref.finalize(self, _LIBRARY.gpuranmar_cuda_destroy, self._handle).atexit = False
        _call("set_seed", self._handle, seed)
        self.position = skip

    @property
    def position(self):
        """How many numbers of the sequence come before the next one; may be set, 0..2^63."""
        position = ctypes.c_uint64()
        self._queue("position", ctypes.byref(position))
        return position.value

    @position.setter
    def position(self, position):
        self._queue("set_position", _integer("position", position, 1 << 63))

    def _queue(self, name, *arguments):
        """Queues a call on CuPy's current stream of the generator's device. The stream is set for
        each call, because the last one may have been destroyed."""
        with cupy.cuda.Device(self._device):
            _call("set_stream", self._handle, cupy.cuda.get_current_stream().ptr)
            _call(name, self._handle, *arguments)

    def random(self, size=()):
        """A new array of shape `size` with the next numbers."""
        with cupy.cuda.Device(self._device):
            return self.fill(cupy.empty(size, self._dtype))

    def fill(self, out):
        """Fills a C-contiguous cupy.ndarray, of float32 for the flavour "single" and float64 for
        others, with the next numbers, and returns it."""
        if not isinstance(out, cupy.ndarray) or out.dtype != self._dtype:
            raise ValueError(f"gpuranmar.device: out is no array of {self._dtype} on a device")
        if not out.flags.c_contiguous or out.device.id != self._device:
            raise ValueError("gpuranmar.device: out is not contiguous, or on another device")
        kind = "single" if self._dtype.itemsize == 4 else "double"
        self._queue(f"generate_{kind}", out.data.ptr, out.size)
        return out

    def __reduce__(self):
        seed, flavour = self._key
        return type(self), (seed, self.position, flavour)
