"""`@kernel`: Numba's `njit` with tahur's settings and cache folder. Kernels take arrays and numbers only.

The first compilation of a process is logged to `tahur.kernels`: without it, a Python user would not know why the first
call takes many seconds. The commands print their own line and silence this one.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

import numba
from llvmlite.binding import get_host_cpu_features
from numba.core import caching, event, types
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from tahur.core.cache import cache_folder, shipped_kernels

Function = TypeVar("Function", bound=Callable[..., object])


LOGGER = logging.getLogger("tahur.kernels")

PORTABLE: Final = "x86-64-v3"  # the processor that shipped kernels are compiled for
_PORTABLE_FEATURES: Final = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")


class _Announcer(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Logs once that kernels are being compiled, when Numba compiles one of tahur's that is not in the cache."""

    def on_start(self, compilation: Any) -> None:
        function = compilation.data["dispatcher"].py_func
        if function.__module__.split(".")[0] == "tahur":
            event.unregister("numba:compile", self)
            LOGGER.warning("compiling kernels (%s, ...): once after installing, up to a minute", function.__name__)

    def on_end(self, compilation: Any) -> None:
        """Does nothing."""


event.register("numba:compile", _Announcer())


def kernel(function: Function) -> Function:
    """Compile on first call, cache the machine code on disk, without bounds checks and without the GIL."""
    return _compiled(function)


def lean_kernel(function: Function) -> Function:
    """A kernel without reference counting and with NumPy's division rules, for small loops that are called very often.

    It must not create or return arrays, not even views: it reads and writes entries of those it is given.
    """
    return _compiled(function, _nrt=False, error_model="numpy")


def inline_kernel(function: Function) -> Function:
    """A lean kernel that is always inlined into its caller, for loops shorter than the cost of a call."""
    return _compiled(function, _nrt=False, error_model="numpy", forceinline=True)


def summing_kernel(function: Function) -> Function:
    """A kernel whose sums may be reordered, so that they are vectorized.

    Results are bit-identical from run to run on one machine; another machine may round differently.
    """
    return _compiled(function, fastmath={"reassoc", "nsz", "contract"}, error_model="numpy")


@intrinsic  # type: ignore[untyped-decorator]  # Numba has no types
def bit_count(_context: Any, number: Any) -> Any:
    """The number of bits set in an int64, by the processor's own instruction; for use in kernels only."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


class _Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]  # Numba has no types
    """Finds the machine code of a kernel in a folder named after its module, which Numba makes when it is needed."""

    def __init__(self, function: Callable[..., object], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = os.path.join(numba.config.CACHE_DIR or cache_folder(), function.__module__)

    @classmethod
    def from_function(cls, function: Callable[..., object], file: str) -> _Locator:
        return cls(function, file)


class _Located(caching.CompileResultCacheImpl):  # type: ignore[misc]  # Numba has no types
    _locator_classes = (_Locator,)


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache, which loads machine code without importing what only compiling needs (half of a short command)."""

    _impl_class = _Located

    def load_overload(self, signature: Any, context: Any) -> Any:
        rtsys.initialize(context)  # what the machine code calls; the base class refreshes all of `context`
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, context) or self._shipped(signature, context)

    def _shipped(self, signature: Any, context: Any) -> Any:
        """The kernel as it came with the package, or None; the digest, Numba's version and the source must match."""
        if (shipped := shipped_kernels()) is None or not _is_portable():
            return None
        folder = str(shipped / self._py_func.__module__)
        file = caching.IndexDataCacheFile(folder, self._impl.filename_base, self._impl.locator.get_source_stamp())
        _, (triple, _, _), code = self._index_key(signature, context.codegen())
        data = file.load((signature, (triple, PORTABLE, ""), code))
        return None if data is None else self._impl.rebuild(context, data)


@cache
def _is_portable() -> bool:
    """Whether this processor runs kernels for `PORTABLE`, and no setting of Numba asks for others."""
    features = get_host_cpu_features()
    return not (numba.config.CACHE_DIR or numba.config.CPU_NAME) and all(map(features.get, _PORTABLE_FEATURES))


def _compiled(function: Function, **options: object) -> Function:
    compiled: Any = numba.njit(nogil=True, boundscheck=False, no_cfunc_wrapper=True, **options)(function)
    compiled._cache = _KernelCache(function)
    return compiled
