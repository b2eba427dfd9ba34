"""The readings of LED programs: what they leave open as games, and what may be chosen.

Comes in what a document's Reading section or a caller says; goes out one record for
each reading, or a word about what is no reading or no choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.core.signature import BY_CALLER, BY_DOCUMENT, Reading, not_a_choice
from zermelo.languages.led.ir import Program
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span
from zermelo.text.suggest import nearest


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
    """What a document's Reading section decides."""
    found: dict[str, Reading] = {}
    said: list[Diagnostic] = []
    for setting in settings:
        span = setting.span if setting.value_span == NOWHERE else setting.value_span
        made = _reading(setting.key, setting.value, program, by=BY_DOCUMENT, span=span)
        if isinstance(made, Diagnostic):
            said.append(made)
        else:
            why = setting.reason or made.reason
            found[made.name] = Reading(
                made.name, made.choice, made.choices, why, BY_DOCUMENT, made.span
            )
    return Checked(found, tuple(said))


def from_caller(given: Mapping[str, str], program: Program) -> Checked[Mapping[str, Reading]]:
    """What a caller decides."""
    found: dict[str, Reading] = {}
    said: list[Diagnostic] = []
    for key, value in given.items():
        made = _reading(key, value, program, by=BY_CALLER, span=None)
        if isinstance(made, Diagnostic):
            said.append(made)
        else:
            found[made.name] = made
    return Checked(found, tuple(said))


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
    if name == "inputs" and _is_grid(plain):
        return Reading(name, plain, (*choices, plain), "", by, place)
    if kind.takes_name and _is_constant(text, program):
        return Reading(name, text, (*choices, text), "", by, place)
    if kind.takes_name:
        choices = (*choices, *_constants(program)[:3])
    return not_a_choice(name, text, choices=choices, span=place)


def _is_grid(text: str) -> bool:
    match = re.fullmatch(r"grid (\d{1,3})", text)
    return match is not None and 1 <= int(match.group(1)) <= _LARGEST_GRID


def _is_constant(name: str, program: Program) -> bool:
    definition = program.definition(name)
    return definition is not None and not definition.parameters


def _constants(program: Program) -> tuple[str, ...]:
    return tuple(d.name for d in program.definitions if not d.parameters and d.is_relation)


def _unknown(key: str, span: Span | None) -> Diagnostic:
    near = nearest(key.strip().casefold(), list(KINDS))
    return Diagnostic(
        codes.UNKNOWN_READING,
        f"there is no reading called `{key.strip()}` for an LED program",
        primary=None if span is None else Label(span, "not a reading"),
        notes=(f"the readings are {', '.join(f'`{name}`' for name in KINDS)}",),
        help=f"write `{near[0]}`" if near else None,
    )
