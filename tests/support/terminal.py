"""The program in a real terminal of 80 columns and 40 rows."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pexpect  # type: ignore[import-untyped]  # the package comes without types

from tests.support.project import SOURCE

TIMEOUT = 60
ARROW_UP = "\x1b[A"
_STEERING = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|[\x01\x02\r]")


class Terminal:
    """A terminal in which the program runs."""

    def __init__(self, *arguments: str, columns: int = 80, **environment: str) -> None:
        self._child = pexpect.spawn(
            sys.executable,
            ["-P", "-m", "zermelo", *arguments],
            env={
                "PATH": os.environ["PATH"],
                "HOME": os.environ.get("HOME", "."),
                "PYTHONPATH": str(SOURCE),
                "LC_ALL": "C.UTF-8",
                "TERM": "xterm-256color",
                **environment,
            },
            dimensions=(40, columns),
            encoding="utf-8",
            timeout=TIMEOUT,
        )
        self._last_shown = ""

    def shown_before(self, prompt: str) -> str:
        """What was shown up to *prompt*, which is waited for, as the terminal got it."""
        self._child.expect_exact(prompt)
        return str(self._child.before)

    def read_before(self, prompt: str) -> str:
        """What a person reads up to *prompt*: the same without what steers the terminal."""
        return _STEERING.sub("", self.shown_before(prompt))

    def type(self, text: str) -> None:
        """Type a line."""
        self._child.sendline(text)

    def press(self, keys: str) -> None:
        """Press keys without ending the line."""
        self._child.send(keys)

    def end_input(self) -> None:
        """Press Ctrl-D."""
        self._child.sendeof()

    def interrupt(self) -> None:
        """Press Ctrl-C until the program ends.

        Python forgets an interruption that comes after readline has shown its prompt and before
        it waits for a key, which nobody but a test is quick enough for.
        """
        for _ in range(TIMEOUT):
            self._child.sendintr()
            if self._child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=2) == 0:
                self._last_shown = str(self._child.before)
                return

    def rest(self) -> tuple[str, int | None]:
        """What was shown to the end, and the exit code."""
        self._child.expect(pexpect.EOF)
        shown = self._last_shown + str(self._child.before)
        self._child.close()
        code = self._child.exitstatus
        return shown, code if isinstance(code, int) else None

    def close(self) -> None:
        """End the program, if it still runs."""
        self._child.close(force=True)


@contextmanager
def terminal(*arguments: str, columns: int = 80, **environment: str) -> Iterator[Terminal]:
    """A terminal in which the program runs with these *arguments*."""
    opened = Terminal(*arguments, columns=columns, **environment)
    try:
        yield opened
    finally:
        opened.close()
