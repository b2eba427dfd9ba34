"""Markdown, as far as tests need it: the fenced blocks of a page.

Comes in: the text of a page. Goes out: its blocks with their places, or the text with other blocks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>\s*)(?P<marks>`{3,}|~{3,})(?P<info>[^`]*)$")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block."""

    info: str
    """The info string: what stands behind the opening marks."""
    body: str
    """The text inside, without the fence's indentation; it ends in a line break, or is empty."""
    line: int
    """The number, from 1, of the line with the opening marks."""
    indent: str
    marks: str

    @property
    def kind(self) -> str:
        """The first word of the info string."""
        return self.info.split(maxsplit=1)[0] if self.info else ""

    @property
    def options(self) -> Mapping[str, str]:
        """The `name=value` words of the info string.

        >>> Fence("text file=game.md", "", 1, "", "```").options
        {'file': 'game.md'}
        """
        words = self.info.split()[1:]
        return dict(word.split("=", 1) for word in words if "=" in word)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the body, without their line breaks."""
        return lines_of(self.body)


def fences(text: str) -> list[Fence]:
    r"""The fenced blocks of *text*, in order.

    >>> [(block.info, block.body, block.line) for block in fences("# A\n\n```x y\n1\n```\n")]
    [('x y', '1\n', 3)]

    A longer fence holds shorter ones as text.

    >>> [block.body for block in fences("````md\n```\n1\n```\n````\n")]
    ['```\n1\n```\n']
    """
    return list(_fences(lines_of(text)))


def with_bodies(text: str, bodies: Mapping[int, str]) -> str:
    r"""The *text* with the body of each block that opens at a line of *bodies* replaced.

    >>> with_bodies("```x\n1\n```\nend\n", {1: "2\n3\n"})
    '```x\n2\n3\n```\nend\n'
    """
    lines = list(lines_of(text))
    # From the end, so that the places of the blocks before stay right.
    for block in reversed(fences(text)):
        if block.line in bodies:
            first = block.line
            last = first + len(block.lines)
            lines[first:last] = [
                f"{block.indent}{line}" if line else "" for line in lines_of(bodies[block.line])
            ]
    return "".join(f"{line}\n" for line in lines)


def lines_of(text: str) -> tuple[str, ...]:
    r"""The lines of *text*, without their line breaks.

    Scanned documents have form feeds and other signs at which `str.splitlines` would break a line.

    >>> lines_of("a\n\x0cb\n"), lines_of("a\nb"), lines_of("")
    (('a', '\x0cb'), ('a', 'b'), ())
    """
    lines = text.split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def _fences(lines: Sequence[str]) -> Iterator[Fence]:
    number = 0
    while number < len(lines):
        number += 1
        opening = _FENCE.match(lines[number - 1])
        if opening is None:
            continue
        line = number
        inside: list[str] = []
        while number < len(lines) and not _closes(lines[number], opening["marks"]):
            inside.append(_dedented(lines[number], opening["indent"]))
            number += 1
        number += 1
        body = "".join(f"{text}\n" for text in inside)
        yield Fence(opening["info"].strip(), body, line, opening["indent"], opening["marks"])


def _closes(line: str, marks: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(marks) and set(stripped) == {marks[0]}


def _dedented(line: str, indent: str) -> str:
    return line.removeprefix(indent) if line.startswith(indent) else line.lstrip()
