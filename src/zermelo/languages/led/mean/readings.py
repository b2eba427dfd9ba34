"""The readings of LED programs: what they leave open as games, and what may be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.signature import BY_CALLER, BY_DOCUMENT, Reading, not_a_choice
from zermelo.languages.led.ir import Program
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class ReadingKind:
    """A reading: its choices, and whether a name of the program is one, too."""

    choices: tuple[str, ...]
    takes_name: bool = True
    """Whether a definition without parameters can be chosen."""


KINDS: Final[Mapping[str, ReadingKind]] = {
    "inputs": ReadingKind(("regions", "grid N"), takes_name=False),
    "end": ReadingKind(("stops the play", "goes on")),
    "result": ReadingKind(("texts on the screen",)),
    "players": ReadingKind(("nobody", "one player")),
}

_LARGEST_GRID: Final = 400


def from_settings(settings: Iterable[Setting], program: Program) -> Checked[Mapping[str, Reading]]:
    made: list[Reading | Diagnostic] = []
    for setting in settings:
        span = setting.span if setting.value_span == NOWHERE else setting.value_span
        reading = _reading(setting.key, setting.value, program, by=BY_DOCUMENT, span=span)
        if isinstance(reading, Reading):
            reading = replace(reading, reason=setting.reason)
        made.append(reading)
    return _collected(made)


def from_caller(given: Mapping[str, str], program: Program) -> Checked[Mapping[str, Reading]]:
    return _collected(
        [_reading(key, value, program, by=BY_CALLER, span=None) for key, value in given.items()]
    )


def _collected(made: Sequence[Reading | Diagnostic]) -> Checked[Mapping[str, Reading]]:
    found = {each.name: each for each in made if isinstance(each, Reading)}
    return Checked(found, tuple(each for each in made if isinstance(each, Diagnostic)))


def _reading(
    key: str, value: str, program: Program, *, by: str, span: Span | None
) -> Reading | Diagnostic:
    place = None if span is None or span == NOWHERE else span
    name = re.sub(r"[\s_-]+", " ", key.strip()).casefold()
    kind = KINDS.get(name)
    if kind is None:
        return _unknown(key, place)
    text = value.strip().strip('`"“”').strip()
    plain = re.sub(r"\s+", " ", text).casefold()
    choices = kind.choices
    if plain in choices and plain != "grid N":
        return Reading(name, plain, choices, "", by, place)
    grid = re.fullmatch(r"grid (\d{1,3})", plain) if name == "inputs" else None
    if grid and 1 <= int(grid[1]) <= _LARGEST_GRID:
        return Reading(name, plain, (*choices, plain), "", by, place)
    if kind.takes_name:
        constants = [each for each in program.definitions if not each.parameters]
        if any(each.name == text for each in constants):
            return Reading(name, text, (*choices, text), "", by, place)
        choices = (*choices, *[each.name for each in constants if each.is_relation][:3])
    return not_a_choice(name, text, choices=choices, span=place)


def _unknown(key: str, span: Span | None) -> Diagnostic:
    near = nearest(key.strip().casefold(), list(KINDS))
    return Diagnostic(
        codes.UNKNOWN_READING,
        f"there is no reading called `{key.strip()}` for an LED program",
        primary=None if span is None else Label(span, "not a reading"),
        notes=(f"the readings are {', '.join(f'`{name}`' for name in KINDS)}",),
        help=f"write `{near[0]}`" if near else None,
    )
