"""A piece of work done by a second process while this one does another."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Work = Callable[[], bytes]


def has_spare_core() -> bool:
    """Whether a second process would help, and may be made: a fork takes no other threads along."""
    # Elsewhere there is no fork, or the libraries of the system do not bear it.
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1 and threading.active_count() == 1


@contextmanager
def beside(work: Work) -> Iterator[Work]:
    """Do work in another process, and hand out what waits for its bytes.

    Whatever becomes of that process, the bytes are those of the work: where it brings none, the work is done
    here, so that what it raises is raised here too.
    """
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        yield work
        return
    if child == 0:
        _answer(work, reading, writing)
    os.close(writing)
    status = None
    with os.fdopen(reading, "rb") as answer:

        def wait() -> bytes:
            nonlocal status
            said = answer.read()
            _, status = os.waitpid(child, 0)
            return said if status == 0 else work()

        try:
            yield wait
        finally:
            # Nobody reads what is still written, and then it ends.
            answer.close()
            if status is None:
                os.waitpid(child, 0)


def _answer(work: Work, reading: int, writing: int) -> None:
    """In the other process: write the bytes of the work and end, without the cleaning up of this one."""
    failed = 1
    with suppress(BaseException):
        os.close(reading)
        # What both have is shared only as long as neither writes to it, and looking for garbage does.
        gc.disable()
        with os.fdopen(writing, "wb") as answer:
            answer.write(work())
        failed = 0
    os._exit(failed)
