"""What a Reading section says about players and results.

players: A when turn, B when ¬turn
players: A, B                       // in the order of play
result ex: A wins
result oh: A loses, B wins
result both: draw
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.sections import ir
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.players.outcomes import ResultWord
from zermelo.languages.sections.mean.players.seats import Seat
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms.formulas import Resolve, formula, pieces
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.suggest import nearest

_WHEN: Final = re.compile(r"\s+(?:when|if)\s+|\s*:\s*", re.IGNORECASE)
_VERDICT: Final = re.compile(
    r"(?P<name>.+?)\s+(?:(?P<wins>wins?|won)|(?P<loses>loses?|lost))", re.IGNORECASE
)
_DRAWN: Final = frozenset({"draw", "draws", "a draw", "tie", "nobody", "nobody wins"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """Who wins and who loses with a result; nobody, if it is a draw."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]


DRAW: Final = Meaning((), ())


def seats(
    choice: Choice, inferred: Sequence[Seat], *, system: ir.System, resolve: Resolve
) -> Checked[tuple[Seat, ...]]:
    """The seats that the reading ``players`` describes; *inferred* helps where it names only."""
    start = None if choice.span is None else choice.span.start
    said: tuple[Diagnostic, ...] = ()
    found: list[tuple[str, ir.Expr | None]] = []
    for text, at in pieces(choice.text, start):
        name, condition, place = _split(text, at)
        if not name:
            said += (_not_understood(choice, f"`{text}` names no player"),)
        elif condition is None:
            found.append((name, None))
        else:
            read = formula(condition, place, system=system, resolve=resolve, names={})
            said += read.diagnostics
            if read.value is None:
                why = f"`{condition}` is no formula about this system"
                said += (_not_understood(choice, why),)
            else:
                found.append((name, read.value))
    if said and len(found) < len(pieces(choice.text, start)):
        return Checked(None, said)
    return _seated(found, inferred, choice=choice, said=said)


def _split(text: str, at: int | None) -> tuple[str, str | None, int | None]:
    match = _WHEN.search(text)
    if match is None:
        return text, None, None
    place = None if at is None else at + match.end()
    return text[: match.start()].strip(), text[match.end() :], place


def _seated(
    found: list[tuple[str, ir.Expr | None]],
    inferred: Sequence[Seat],
    *,
    choice: Choice,
    said: tuple[Diagnostic, ...],
) -> Checked[tuple[Seat, ...]]:
    conditions = [condition for _, condition in found if condition is not None]
    if len(conditions) == len(found):
        told = tuple(
            replace(_like(turn, inferred), name=name) for name, turn in found if turn is not None
        )
        return Checked(told, said)
    if not conditions and len(found) == len(inferred):
        told = tuple(
            replace(seat, name=name) for (name, _), seat in zip(found, inferred, strict=True)
        )
        return Checked(told, said)
    if not conditions and len(found) == 1:
        return Checked((Seat(ir.Literal(value=True), name=found[0][0]),), said)
    if not conditions:
        why = f"{len(found)} names are given, and {len(inferred)} players take turns"
    else:
        bare = next(name for name, condition in found if condition is None)
        why = f"`{bare}` has no condition, and others have"
    return Checked(None, (*said, _not_understood(choice, why)))


def _like(turn: ir.Expr, inferred: Sequence[Seat]) -> Seat:
    """What was inferred about the seat that moves when *turn* holds, without its name."""
    return next((seat for seat in inferred if seat.turn == turn), Seat(turn))


def _not_understood(choice: Choice, why: str) -> Diagnostic:
    return Diagnostic(
        codes.PLAYERS_NOT_UNDERSTOOD,
        f"the players are not understood: {why}",
        primary=None if choice.span is None else Label(choice.span, "players are looked for here"),
        notes=("who plays is told from the rules and the results instead",),
        help="write each player with a formula, as in `players: A when turn, B when ¬turn`",
    )


def results(
    given: Mapping[str, Choice], words: Sequence[ResultWord], people: Sequence[Seat]
) -> Checked[Mapping[str, Meaning]]:
    """What the readings ``result WORD`` say, by the text of the word."""
    found: dict[str, Meaning] = {}
    said: list[Diagnostic] = []
    names = [str(seat.name) for seat in people]
    for key, choice in given.items():
        subject = _result_subject(key)
        if subject is None:
            continue
        word = word_of(key, words)
        meaning = _verdict(choice.text, names)
        if word is None:
            said.append(_no_word(choice, subject, words))
        elif meaning is None:
            said.append(_no_verdict(choice, word, names))
        else:
            found[word] = meaning
    return Checked(found, tuple(said))


def word_of(reading: str, words: Sequence[ResultWord]) -> str | None:
    """The word that a reading ``result WORD`` is about, as the document spells it."""
    subject = _result_subject(reading)
    if subject is None:
        return None
    return next((w.text for w in words if _plain(w.text) == _plain(subject)), None)


def _result_subject(reading: str) -> str | None:
    kind = readings.kind_of(reading)
    is_result = kind is not None and kind.name == "result NAME"
    return readings.subject_of(reading) if is_result else None


def _verdict(text: str, names: Sequence[str]) -> Meaning | None:
    if _plain(text) in _DRAWN:
        return DRAW
    winners: list[str] = []
    losers: list[str] = []
    for piece in re.split(r"\s*,\s*|\s+and\s+", text.strip()):
        match = _VERDICT.fullmatch(piece)
        who = None if match is None else _plain(match["name"])
        name = next((n for n in names if _plain(n) == who), None)
        if match is None or name is None:
            return None
        (winners if match["wins"] else losers).append(name)
    return Meaning(tuple(winners), tuple(losers))


def _no_word(choice: Choice, subject: str, words: Sequence[ResultWord]) -> Diagnostic:
    texts = [w.text for w in words]
    near = nearest(subject, texts)
    return Diagnostic(
        codes.RESULT_NOT_UNDERSTOOD,
        f"`{subject}` is no result of this document",
        primary=None if choice.span is None else Label(choice.span, "has no effect"),
        notes=(f"the results are {', '.join(f'`{t}`' for t in texts)}",) if texts else (),
        help=f"write `result {near[0]}: {choice.text}`" if near else None,
    )


def _no_verdict(choice: Choice, word: str, names: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        codes.RESULT_NOT_UNDERSTOOD,
        f"`{choice.text}` does not say who wins with `{word}`",
        primary=None if choice.span is None else Label(choice.span, "a player is looked for here"),
        notes=(f"the players are {', '.join(names)}",),
        help=f"write `result {word}: {names[0]} wins`, `{names[0]} loses` or `draw`",
    )


def _plain(text: str) -> str:
    return re.sub(r"[\s`\"“”]+", " ", text).strip().casefold()
