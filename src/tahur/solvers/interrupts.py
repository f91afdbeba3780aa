"""Run work that Ctrl-C must not interrupt halfway.

Python raises KeyboardInterrupt in the main thread, between any two bytecodes, while other threads continue. So a
solver's work runs in a separate thread and the main thread only waits. When the main thread is interrupted, it requests
a stop, waits until the work and all its threads have finished, and only then raises: nothing reads data that is still
changing.

The threads and futures of the standard library wait in Python code, which an interrupt can also break off between two
steps. So the thread is started and joined with the primitives below them, which are single steps.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

GRACE: Final = 0.6  # seconds that an interrupted iteration has to finish normally

Result = TypeVar("Result")


@dataclass(slots=True)
class Stop:
    """Whether the work has been requested to stop as soon as its state is consistent."""

    requested: bool = False


def run_apart(
    work: Callable[[Stop], Result], *, abandon: Callable[[], object] | None = None, grace: float = GRACE
) -> Result:
    """The result of `work`, run in a separate thread. An interrupt is raised here after that thread has finished.

    After an interrupt, `work` is asked to stop by `stop.requested`; `abandon` is called if it is still running `grace`
    seconds later.
    """
    stop = Stop()
    job = _Job(lambda: work(stop))
    try:
        start_new_thread(job.run, ())
        job.wait()
        return job.result()
    except KeyboardInterrupt:
        stop.requested = True
        _wait_for_end(job, abandon, grace)
        raise


class _Job(Generic[Result]):
    """Work for a thread. It can be cancelled until the thread has begun it."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._may_run: dict[str, bool] = {}  # set once, atomically: True by the thread or False by `cancel`
        self._ended = allocate_lock()
        self._ended.acquire()
        self.has_ended = False
        self._result: Result | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do the work, unless it was cancelled, and keep its result or its exception."""
        if self._may_run.setdefault("thread", True):
            try:
                self._result = self._work()
            except BaseException as error:  # raised again by `result`
                self._error = error
        self.has_ended = True
        self._ended.release()

    def cancel(self) -> bool:
        """Cancel the work if it has not begun; whether it was cancelled."""
        return not self._may_run.setdefault("thread", False)

    def wait(self, seconds: float = -1) -> None:
        """Wait until the thread has ended, or for at most `seconds`; -1 is without a limit."""
        if not self.has_ended:
            self._ended.acquire(timeout=seconds)

    def result(self) -> Result:
        """The result of the finished work; its exception is raised again."""
        if self._error is not None:
            raise self._error
        return cast("Result", self._result)


def _wait_for_end(job: _Job[Result], abandon: Callable[[], object] | None, grace: float) -> None:
    """Wait until the job has finished, however often the wait is interrupted; after `grace` seconds, call `abandon`
    once."""
    while not (job.has_ended or job.cancel()):
        try:
            job.wait(-1 if abandon is None else grace)
            if abandon is not None and not job.has_ended:
                abandon()
                abandon = None
        except KeyboardInterrupt:  # one is already being raised
            continue
