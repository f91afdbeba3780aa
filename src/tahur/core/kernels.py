"""`@kernel`: Numba's `njit` with our settings and our cache folder. Kernels take arrays and numbers only.

The first compilation of a process is announced to the logger `tahur.kernels`: from Python nothing else would say why
the first call takes many seconds. The commands print their own line and silence this one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event

from tahur.core.cache import cache_folder

Function = TypeVar("Function", bound=Callable[..., object])


LOGGER = logging.getLogger("tahur.kernels")


class _Announcer(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Logs once that kernels are being compiled, when Numba compiles one of ours that is not in the cache."""

    def on_start(self, compilation: Any) -> None:
        function = compilation.data["dispatcher"].py_func
        if function.__module__.split(".")[0] == "tahur":
            event.unregister("numba:compile", self)
            LOGGER.warning("compiling kernels (%s, ...): once after installing, up to a minute", function.__name__)

    def on_end(self, compilation: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _Announcer())


def kernel(function: Function) -> Function:
    """Compile on first call, keep the machine code on disk, check no bounds, hold no lock."""
    return _compiled(function)


def lean_kernel(function: Function) -> Function:
    """A kernel that counts no references and divides as NumPy does, for small loops that are called all the time.

    It may make no array, not even a view of one, nor return any: it reads and writes entries of those it is given.
    """
    return _compiled(function, _nrt=False, error_model="numpy")


def inline_kernel(function: Function) -> Function:
    """A lean kernel that is always written out inside the one that calls it; a call would cost more than its loop."""
    return _compiled(function, _nrt=False, error_model="numpy", forceinline=True)


def summing_kernel(function: Function) -> Function:
    """A kernel whose sums may be added up in any order, so that many are added at once.

    The same machine gives the same bits every time; another may round otherwise.
    """
    return _compiled(function, fastmath={"reassoc", "nsz", "contract"}, error_model="numpy")


def _compiled(function: Function, **options: object) -> Function:
    # Numba reads the folder while it decorates; other users of Numba in this process keep their own.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = before or str(cache_folder())
    try:
        compiled: Function = numba.njit(cache=True, nogil=True, boundscheck=False, no_cfunc_wrapper=True, **options)(
            function
        )
    finally:
        numba.config.CACHE_DIR = before
    return compiled
