"""The readings of LED programs: what they leave open as games, and what may be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.signature import (
    BY_CALLER,
    BY_DOCUMENT,
    Reading,
    no_such_choice,
    no_such_reading,
    not_a_choice,
)
from zermelo.languages.led.ir import Program
from zermelo.languages.led.run.result_texts import text_key
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label, label_at
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
    "keys": ReadingKind(("together", "one at a time"), takes_name=False),
    "end": ReadingKind(("stops the play", "goes on")),
    "restart": ReadingKind(("control", "move"), takes_name=False),
    "result": ReadingKind(("texts on the screen",)),
    "players": ReadingKind(("nobody", "one player")),
}

_OF_A_TEXT: Final = "result "
"""What a text means: ``result "game over": draw``."""
_VERDICTS: Final = ("NAME wins", "NAME loses", "draw")

_LARGEST_GRID: Final = 400
_MOST_OFFERED: Final = 3


def from_settings(
    settings: Iterable[Setting], program: Program, *, by: str = BY_DOCUMENT
) -> Checked[Mapping[str, Reading]]:
    """What *settings* decide, in the section Reading of *program* or in the file beside it."""
    made: list[Reading | Diagnostic] = []
    for setting in settings:
        span = setting.span if setting.value_span == NOWHERE else setting.value_span
        reading = _reading(setting.key, setting.value, program, by=by, span=span)
        if isinstance(reading, Reading):
            reading = replace(reading, reason=setting.reason)
        made.append(reading)
    return _collected(made)


def no_view(setting: Setting) -> Diagnostic:
    """That a line about how a program looks says nothing: it draws itself."""
    return Diagnostic(
        codes.UNKNOWN_VIEW,
        f"`{setting.key.strip()}` says nothing: an LED program draws itself, with `images`",
        label_at(setting.key_span.or_else(setting.span), "left out"),
    )


def from_caller(
    given: Mapping[str, str], program: Program | None, *, document: str, is_game: bool
) -> Mapping[str, Reading]:
    """What a caller chose; refused at once if the program does not have it.

    What is no game leaves nothing open. Of a program that could not be read only the names of
    readings are known.
    """
    found: dict[str, Reading] = {}
    offers = {name: _offered(kind, program) for name, kind in KINDS.items()} if is_game else {}
    for key, value in given.items():
        name = _name(key)
        if name not in offers and not (is_game and _is_of_a_text(name)):
            raise no_such_reading(key.strip(), document, offers)
        if program is None:
            continue
        reading = _reading(key, value, program, by=BY_CALLER, span=None)
        if isinstance(reading, Diagnostic):
            raise no_such_choice(name, value.strip(), offers.get(name, _VERDICTS))
        found[name] = reading
    return found


def _offered(kind: ReadingKind, program: Program | None) -> tuple[str, ...]:
    """The choices of a reading, with some names of the program where it takes names."""
    if not kind.takes_name or program is None:
        return kind.choices
    named = [each.name for each in program.definitions if each.is_relation and not each.parameters]
    return (*kind.choices, *named[:_MOST_OFFERED])


def _name(key: str) -> str:
    name = re.sub(r"[\s_-]+", " ", key.strip()).casefold()
    return (
        f"{_OF_A_TEXT}{text_key(key.strip()[len(_OF_A_TEXT) :])}" if _is_of_a_text(name) else name
    )


def _is_of_a_text(name: str) -> bool:
    return name.startswith(_OF_A_TEXT)


def _kind(name: str) -> ReadingKind | None:
    return ReadingKind(_VERDICTS, takes_name=False) if _is_of_a_text(name) else KINDS.get(name)


def _collected(made: Sequence[Reading | Diagnostic]) -> Checked[Mapping[str, Reading]]:
    found = {each.name: each for each in made if isinstance(each, Reading)}
    return Checked(found, tuple(each for each in made if isinstance(each, Diagnostic)))


def _reading(
    key: str, value: str, program: Program, *, by: str, span: Span | None
) -> Reading | Diagnostic:
    place = None if span is None or span == NOWHERE else span
    name = _name(key)
    kind = _kind(name)
    if kind is None:
        return _unknown(key, place)
    if _is_of_a_text(name):
        # Who plays is found by playing; then it is seen whether the choice names somebody.
        return Reading(name, value.strip(), _VERDICTS, "", by, place)
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
    return not_a_choice(name, text, choices=_offered(kind, program), span=place)


def _unknown(key: str, span: Span | None) -> Diagnostic:
    near = nearest(key.strip().casefold(), list(KINDS))
    return Diagnostic(
        codes.UNKNOWN_READING,
        f"there is no reading called `{key.strip()}` for an LED program",
        primary=None if span is None else Label(span, "not a reading"),
        notes=(f"the readings are {', '.join(f'`{name}`' for name in KINDS)}",),
        help=f"write `{near[0]}`" if near else None,
    )
