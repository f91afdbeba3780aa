"""Where blocks are played: in this process, in processes of this machine, or on a Dask cluster.

A task is a function of one item and of nothing else, so it does not matter where, when or how often it runs. Results
come in the order of the items, on demand, and a worker that dies costs no more than the time of the items that it had.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar

from tahur.core.errors import SettingError, WorkersLost, missing_extra

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_LOST: Final = 5  # pools of workers in a row that die without a single result
CONNECTING: Final = 10  # seconds
AHEAD: Final = 2  # items queued per worker; more would be wasted when a match stops early


@dataclass(frozen=True, slots=True)
class Workers:
    """`count` processes of this machine; 1 means this process. With `cluster`, those of a Dask scheduler."""

    count: int = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise SettingError(f"{self.count} workers; at least 1 is needed")

    def run(self, task: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
        """The result of each item in order. Items may be endless: workers run ahead, and stop when this is closed."""
        if self.cluster is not None:
            return _on_cluster(task, iter(items), self.cluster)
        if self.count == 1:
            return (task(item) for item in items)
        return _unbroken(task, iter(items), self.count)


def _unbroken(task: Callable[[Item], Result], items: Iterator[Item], count: int) -> Generator[Result, None, None]:
    """Restart after the last result whenever the workers are lost."""
    queue = _Queue(items)
    lost = 0
    while lost < MOST_LOST:
        try:
            for result in (results := _parallel(task, queue, count)):
                queue.finish()
                lost = 0
                yield result
            return
        except GeneratorExit:  # enough: queue nothing more, and let the workers finish what they have
            queue.close()
            deque(results, maxlen=0)
            raise
        except _broken():
            queue.take_back()
            lost += 1
    raise WorkersLost(f"{MOST_LOST} times in a row all workers died at their first task; is memory short?")


class _Queue(Iterator[Item]):
    """An iterator from which items that were handed out but not finished can be taken back."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._waiting: deque[Item] = deque()
        self._handed: deque[Item] = deque()
        self._closed = False

    def __next__(self) -> Item:
        if self._closed:
            raise StopIteration
        item = self._waiting.popleft() if self._waiting else next(self._items)
        self._handed.append(item)
        return item

    def finish(self) -> None:
        """Mark the oldest item that was handed out as done."""
        self._handed.popleft()

    def close(self) -> None:
        self._closed = True

    def take_back(self) -> None:
        self._waiting.extendleft(reversed(self._handed))
        self._handed.clear()


def _parallel(task: Callable[[Item], Result], items: Iterator[Item], count: int) -> Any:
    """The results in the order of the items, as joblib computes them in local processes."""
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky"):
        pool = Parallel(count, return_as="generator", batch_size=1, pre_dispatch=f"{AHEAD} * n_jobs")
        return pool(delayed(task)(item) for item in items)


def _broken() -> type[Exception]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return BrokenProcessPool  # type: ignore[no-any-return]


def _on_cluster(task: Callable[[Item], Result], items: Iterator[Item], address: str) -> Generator[Result, None, None]:
    """The results in the order of the items. The scheduler gives the items of a worker that died to another one; what
    is still queued when this is closed is dropped."""
    with _connect(address) as client:
        from distributed import CancelledError, KilledWorker

        sent: deque[Any] = deque()
        oldest = None
        try:
            while True:
                free = AHEAD * sum(client.nthreads().values()) - len(sent)
                sent.extend(
                    client.submit(task, item, pure=False) for item in islice(items, max(free, 0 if sent else 1))
                )
                if not sent:
                    return
                oldest = sent.popleft()
                yield oldest.result()
        except KilledWorker:
            raise WorkersLost("several workers died at one task, one after the other; is memory short?") from None
        except (CancelledError, OSError):
            if oldest is not None and oldest.status == "error":
                raise  # the task's own error
            raise WorkersLost(f"the connection to the Dask scheduler at {address} was lost") from None


@contextmanager
def _connect(address: str) -> Iterator[Any]:
    """A client of a Dask scheduler that has at least one worker."""
    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("a cluster needs Dask", "dask") from None
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SettingError(
            f"no Dask scheduler at {address!r} ({error}); an address looks like tcp://127.0.0.1:8786"
        ) from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its errors are raised in `_on_cluster`
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError:
            raise SettingError(
                f"the Dask scheduler at {address} has no workers; start one: dask worker {address}"
            ) from None
        yield client
