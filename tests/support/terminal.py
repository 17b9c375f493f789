"""A program on a terminal of its own, talked to as a person does: wait for some words, then type."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

import bmadc

CONTROL = ("\x03", "\x04")
_PACKAGE = str(Path(bmadc.__file__).parents[1])
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PATIENCE = 60
"""For how many seconds a silent program is waited for; one that speaks is never too slow."""


def converse(
    arguments: Sequence[str],
    folder: Path,
    dialogue: Sequence[tuple[str, str]],
    environment: Mapping[str, str] | None = None,
) -> tuple[int, str]:
    """Run bmadc, answer each of the words as they come, and return the exit code and all that was shown."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (50, 100))
    child = subprocess.Popen(
        [sys.executable, "-m", "bmadc", *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": _PACKAGE, "TERM": "xterm", **(environment or {})},
        # A session of its own with this terminal: only so does an interrupt that is typed arrive.
        preexec_fn=_take_terminal,
    )
    os.close(theirs)
    said, seen = "", 0
    left = list(dialogue)
    typed, silent, again = "", 0, 0
    try:
        while True:
            if not select.select([ours], [], [], 1.0)[0]:
                silent += 1
                if silent > PATIENCE:
                    raise AssertionError(f"silent, and waits for what the test does not say: {said!r}")
                if typed in CONTROL:
                    # What it is sent is shown on the terminal, so it is never silent: the tries are counted.
                    again += 1
                    if again > PATIENCE:
                        raise AssertionError(f"goes on after {typed!r}: {said!r}")
                    # A signal in the instant before the wait for a line is seen only after the next key.
                    os.write(ours, typed.encode())
                continue
            silent = 0
            try:
                heard = os.read(ours, 65536)
            except OSError:
                # So Linux says that the other side of a terminal was closed.
                break
            if not heard:
                break
            said += ESCAPES.sub("", heard.decode("utf-8", "replace")).replace("\r\n", "\n")
            if left and (at := said.find(left[0][0], seen)) >= 0:
                seen = at + len(left[0][0])
                typed = left.pop(0)[1]
                os.write(ours, typed.encode())
        code = child.wait(PATIENCE)
    finally:
        os.close(ours)
        if child.poll() is None:
            child.send_signal(signal.SIGKILL)
            child.wait()
    assert not left, f"never asked: {left[0][0]!r}, but said {said!r}"
    return code, said


def _take_terminal() -> None:
    # Whoever starts the tests in the background has interrupts ignored, and that is inherited.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
