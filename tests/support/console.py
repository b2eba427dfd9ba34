"""Commands as a page shows them: `$ command`, and below it what it prints.

Comes in: a fenced block. Goes out: its commands, whether what they printed agrees with the page,
and the block as it would look with what they printed.
"""

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.support.markdown import Fence

PROMPT = "$ "
ANYTHING = "…"
"""A line that stands for any number of lines."""

_SHELL = "();<>|&"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page."""

    shown: tuple[str, ...]
    """The lines that show it: one, or more if they end in a backslash."""
    line: int
    """The number, from 1, of its first line in the page."""
    expected: tuple[str, ...]
    """The lines below it."""

    @property
    def text(self) -> str:
        """The command in one line, without the prompt."""
        lines = [self.shown[0].removeprefix(PROMPT), *self.shown[1:]]
        return " ".join(line.removesuffix("\\").strip() for line in lines)

    @property
    def words(self) -> tuple[str, ...]:
        """The command's name and arguments, as a shell would split them.

        >>> Command(("$ zermelo play 'Move(1, 2)'",), 1, ()).words
        ('zermelo', 'play', 'Move(1, 2)')
        """
        return tuple(shlex.split(self.text))

    @property
    def shell_signs(self) -> tuple[str, ...]:
        """What only a shell could do: pipes, redirections and the like. None of it is run.

        >>> Command(("$ zermelo check a.md | head '|'",), 1, ()).shell_signs
        ('|',)
        """
        # Quotes stay on the words here, so a quoted sign is not taken for a real one.
        lexer = shlex.shlex(self.text, posix=False, punctuation_chars=_SHELL)
        lexer.whitespace_split = True
        lexer.commenters = ""
        return tuple(word for word in lexer if set(word) <= set(_SHELL))

    @property
    def is_open(self) -> bool:
        """Whether the page leaves out a part of what the command prints."""
        return len(_pieces(self.expected)) > 1


def commands(block: Fence) -> list[Command]:
    r"""The commands of *block*, in order; lines before the first one belong to none.

    >>> block = Fence("console", "$ cat a\none\n\n$ cat b\n", 10, "", "```")
    >>> [(command.text, command.line, command.expected) for command in commands(block)]
    [('cat a', 11, ('one', '')), ('cat b', 14, ())]
    """
    lines = block.lines
    starts = [number for number, line in enumerate(lines) if line.startswith(PROMPT)]
    ends = [*starts[1:], len(lines)]
    return [
        _command(lines[start:end], line=block.line + 1 + start)
        for start, end in zip(starts, ends, strict=False)
    ]


def agrees(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether *actual* lines are the *expected* ones, blanks at ends of lines and text aside.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d "])
    True
    >>> agrees(["a", "…", "d"], ["a", "d", "e"])
    False
    """
    pieces = _pieces(_trimmed(expected))
    rest = _trimmed(actual)
    if len(pieces) == 1:
        return pieces[0] == rest
    first, *middle, last = pieces
    # The first and the last piece have their places; taking each one between as early as it
    # comes leaves the most for those after it.
    if len(rest) < len(first) + len(last) or rest[: len(first)] != first:
        return False
    if last and rest[-len(last) :] != last:
        return False
    rest = rest[len(first) : len(rest) - len(last)]
    for piece in middle:
        at = _find(piece, rest)
        if at is None:
            return False
        rest = rest[at + len(piece) :]
    return True


def body(ran: Iterable[tuple[Command, Sequence[str]]]) -> str:
    r"""A block's text in which each command is followed by what it printed.

    Where the page leaves something out it stays as it is, and blank lines between commands stay.

    >>> old = Command(("$ cat a",), 1, ("old", ""))
    >>> body([(old, ["new"]), (Command(("$ cat b",), 4, ()), [])])
    '$ cat a\nnew\n\n$ cat b\n'
    """
    lines: list[str] = []
    for command, printed in ran:
        lines.extend(command.shown)
        if command.is_open:
            lines.extend(command.expected)
        else:
            lines.extend(_trimmed(printed))
            lines.extend(command.expected[len(_trimmed(command.expected)) :])
    return "".join(f"{line}\n" for line in lines)


def _command(lines: Sequence[str], *, line: int) -> Command:
    length = 1
    while lines[length - 1].endswith("\\") and length < len(lines):
        length += 1
    return Command(tuple(lines[:length]), line, tuple(lines[length:]))


def _trimmed(lines: Sequence[str]) -> list[str]:
    trimmed = [line.rstrip() for line in lines]
    while trimmed and not trimmed[-1]:
        trimmed.pop()
    return trimmed


def _pieces(lines: Sequence[str]) -> list[list[str]]:
    """The *lines* between those that stand for anything."""
    pieces: list[list[str]] = [[]]
    for line in lines:
        if line.strip() == ANYTHING:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def _find(piece: list[str], lines: list[str]) -> int | None:
    """The first place where *piece* stands in *lines*."""
    places = range(len(lines) - len(piece) + 1)
    return next((at for at in places if lines[at : at + len(piece)] == piece), None)
