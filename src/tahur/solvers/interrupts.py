"""Work that a Ctrl-C cannot break off in the middle.

Python raises KeyboardInterrupt in the main thread, between any two steps of it, while helper threads go on. So a
solver's work runs in a thread of its own and the main thread only waits. When it is interrupted, it asks the work to
stop, waits until the work and all its helpers have ended, and only then raises: nothing is read while it still changes.

Threads and futures of the standard library wait by Python code, which an interrupt can break off between two of its
steps, too. So the thread is started and waited for by the primitives below them, which are single steps.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

GRACE: Final = 0.6  # seconds that an interrupted iteration has to end by itself

Result = TypeVar("Result")


@dataclass(slots=True)
class Stop:
    """Whether the work was asked to end when its state is whole next."""

    asked: bool = False


def run_apart(
    work: Callable[[Stop], Result], *, abandon: Callable[[], object] | None = None, grace: float = GRACE
) -> Result:
    """The result of `work`, done in a thread of its own; an interrupt is raised here once that thread has ended.

    `abandon` is called if the work has not ended so many seconds after it was asked to stop.
    """
    stop = Stop()
    job = _Job(lambda: work(stop))
    try:
        start_new_thread(job.run, ())
        job.wait()
        return job.result()
    except KeyboardInterrupt:
        stop.asked = True
        _end(job, abandon, grace)
        raise


class _Job(Generic[Result]):
    """Work that a thread does, unless it was called off before it began."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._owner: dict[str, bool] = {}  # whether the thread has it; the first to say so decides, in a single step
        self._ended = allocate_lock()
        self._ended.acquire()
        self.has_ended = False
        self._result: Result | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        if self._owner.setdefault("thread", True):
            try:
                self._result = self._work()
            except BaseException as error:  # raised again where the result is asked for
                self._error = error
        self.has_ended = True
        self._ended.release()

    def call_off(self) -> bool:
        """Whether it has not begun, and now never will."""
        return not self._owner.setdefault("thread", False)

    def wait(self, seconds: float = -1) -> None:
        if not self.has_ended:
            self._ended.acquire(timeout=seconds)

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        return cast("Result", self._result)


def _end(job: _Job[Result], abandon: Callable[[], object] | None, grace: float) -> None:
    """Until it has ended, however often the wait is interrupted."""
    while not (job.has_ended or job.call_off()):
        try:
            job.wait(-1 if abandon is None else grace)
            if abandon is not None and not job.has_ended:
                abandon()
                abandon = None
        except KeyboardInterrupt:  # one is raised already
            continue
