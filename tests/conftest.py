"""For all tests: kernels are compiled once per run, and Hypothesis tries the same examples every time.

Several workers that found no compiled kernels would each compile all of them, and write them to one folder.
"""

from __future__ import annotations

import time
from itertools import chain

import pytest
from hypothesis import settings

settings.register_profile("tahur", derandomize=True, deadline=None, database=None)
settings.load_profile("tahur")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # only the process that starts the workers, before it does
        _compile_kernels()


def _compile_kernels() -> None:
    from tahur.cards.warm import warm_up
    from tahur.core.cache import is_warm, mark_warm
    from tahur.games.holdem.batch import warm_up as warm_up_batch
    from tahur.games.kuhn import Kuhn
    from tahur.solvers.street.warm import warm_up as warm_up_street
    from tahur.solvers.warm import warm_up as warm_up_solvers

    if not is_warm():
        print("compiling the kernels, once for all workers ...", end=" ", flush=True)
    began = time.monotonic()
    for _ in chain(warm_up(), warm_up_batch(), warm_up_solvers(Kuhn()), warm_up_street()):
        pass
    mark_warm()
    print(f"kernels ready in {time.monotonic() - began:.1f} s", flush=True)
