"""The table of ratios, and its place in the README."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BEGIN = "<!-- made by benchmarks/run.py: begin -->"
END = "<!-- made by benchmarks/run.py: end -->"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a question, two answers, and whether the goal is met."""

    what: str
    ours: str
    theirs: str
    ratio: str
    goal: str
    is_met: bool | None = None
    """None where there is no goal, or nothing could be measured."""


def seconds(number: float) -> str:
    """A time, with three digits.

    >>> seconds(0.0123), seconds(2.345), seconds(79.1)
    ('12.3 ms', '2.35 s', '79.1 s')
    """
    return f"{number * 1000:.3g} ms" if number < 0.1 else f"{number:.3g} s"


def megabytes(number: float) -> str:
    """An amount of memory.

    >>> megabytes(3_400_000), megabytes(652_000_000)
    ('3.4 MB', '652 MB')
    """
    return f"{number / 1e6:.1f} MB" if number < 1e7 else f"{number / 1e6:,.0f} MB"


def times(number: float) -> str:
    """A ratio.

    >>> times(1.234), times(23.45)
    ('1.23×', '23.4×')
    """
    return f"{number:.2f}×" if number < 10 else f"{number:,.1f}×"


def at_most(what: str, ours: tuple[str, float], theirs: tuple[str, float], most: float) -> Row:
    """A row whose goal is that ours takes *most* times theirs or less."""
    ratio = ours[1] / theirs[1]
    return Row(what, ours[0], theirs[0], times(ratio), f"≤ {most:g}×", ratio <= most)


def at_least(what: str, ours: tuple[str, float], theirs: tuple[str, float], least: float) -> Row:
    """A row whose goal is that theirs takes *least* times ours or more."""
    ratio = theirs[1] / ours[1]
    return Row(what, ours[0], theirs[0], times(ratio), f"≥ {least:g}×", ratio >= least)


def beside(what: str, ours: tuple[str, float], theirs: tuple[str, float]) -> Row:
    """A row that compares and has no goal."""
    return Row(what, ours[0], theirs[0], times(ours[1] / theirs[1]), "")


def below(what: str, text: str, number: float, most: tuple[str, float]) -> Row:
    """A row whose goal is a number and not a ratio."""
    return Row(what, text, "", "", f"≤ {most[0]}", number <= most[1])


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a table."""
    marks = {True: "✓", False: "✗", None: ""}
    lines = ["| | ours | other | ratio | goal | |", "| --- | --: | --: | --: | --: | :-: |"]
    lines += [
        f"| {row.what} | {row.ours} | {row.theirs} | {row.ratio} | {row.goal} | "
        f"{marks[row.is_met]} |"
        for row in rows
    ]
    return "\n".join(lines)


def put_into(path: Path, text: str) -> None:
    """Replace what stands between the markers in the file at *path* by *text*."""
    before, after = around_table(path)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def around_table(path: Path) -> tuple[str, str]:
    """What stands before and after the markers in the file at *path*."""
    if not path.is_file():
        raise SystemExit(f"there is no file {path} to write the table into")
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{path} has no lines `{BEGIN}` and `{END}`")
    return before, after
