"""The command line, called in this process."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from zermelo.faces.cli.main import run


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 (JSON has every shape)
        """What was printed, read as JSON."""
        return json.loads(self.out)


def zermelo(*arguments: str, typed: str = "") -> Ran:
    """Run the command line with these *arguments*, with *typed* coming through a pipe."""
    out, err = _stream(), _stream()
    with _standard_input(typed), redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return Ran(code, _text(out), _text(err))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextmanager
def _standard_input(text: str) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before
