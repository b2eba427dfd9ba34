"""The lines of a Reading section about players and results: read, and asked for where they lack.

players: A when turn, B when ¬turn
players: A, B                       // in the order of play
result ex: A wins
result oh: A loses, B wins
result both: draw
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.languages.sections import ir
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.players.results import (
    Belonging,
    ResultWord,
    Seat,
    Verb,
    sounds_drawn,
)
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.terms.formulas import formula, pieces
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.walk import parts
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE, Span
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
    choice: Choice, inferred: Sequence[Seat], *, system: ir.System
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
            read = formula(condition, place, system=system, names={})
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


# What is left open


def ask(
    system: ir.System,
    people: tuple[Seat, ...],
    *,
    whose: Belonging,
    words: Sequence[ResultWord],
    results: Mapping[str, Meaning],
    choice: Choice | None,
) -> tuple[Diagnostic, ...]:
    """The one question: who is who, whose are the words that are nobody's, what others mean."""
    assumed = tuple(
        stem
        for stem in whose.assumed
        if not all(w.text in results for w in words if w.stem.casefold() == stem.casefold())
    )
    unknown = tuple(w for w in whose.unknown if w.text not in results)
    guessed = tuple(w for w in words if w.rest and w.text not in results and w not in unknown)
    found = [
        *([_who(people, whose, words, assumed, choice)] if assumed else ()),
        *_meant(people, whose, guessed),
        *_unmeant(people, whose, unknown),
    ]
    if not found:
        return ()
    lines = dict.fromkeys(line for part in found for line in part.lines)
    return (
        Diagnostic(
            codes.WHO_IS_WHO,
            "; ".join(part.headline for part in found),
            primary=label(
                _place(system, words, assumed, (*guessed, *unknown)), "the result is set here"
            ),
            secondary=_turn_label(system, people),
            notes=tuple(dict.fromkeys(note for part in found for note in part.notes)),
            help="add to the Reading section " + " and ".join(f"`{line}`" for line in lines),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Open:
    """Something that is not said: how to say so, what is assumed, the lines that would say it."""

    headline: str
    notes: tuple[str, ...]
    lines: tuple[str, ...]


def _who(
    people: tuple[Seat, ...],
    whose: Belonging,
    words: Sequence[ResultWord],
    assumed: tuple[str, ...],
    choice: Choice | None,
) -> _Open:
    who = listing([f"who is {stem}" for stem in assumed])
    lines = [f"result {w.text}: {_said(people, whose, w)}" for w in words if _open(w, assumed)]
    return _Open(
        f"{who} is not said",
        (_assumption(people, words, whose), *_why_open(people)),
        (_players_line(people),) if choice is None else tuple(lines),
    )


def _meant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that were taken as a win or a loss, though their verb does not say it plainly."""
    said = [(w.text, _said(people, whose, w)) for w in words if w.text in whose.seat_by_word]
    if said:
        texts = [f"`{text}`" for text, _ in said]
        yield _Open(
            f"what {listing(texts)} {_means(texts)} is not said",
            ("assumed: " + listing([f"with `{text}` {verdict}" for text, verdict in said]),),
            tuple(f"result {text}: {verdict}" for text, verdict in said),
        )


def _unmeant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that are nobody's, and words of somebody of which nothing was assumed."""
    listed = listing([f"`{w.text}`" for w in words]) if words else ""
    note = f"assumed: nobody wins and nobody loses with {listed}"
    theirs = [w for w in words if w.text in whose.seat_by_word]
    if theirs:
        texts = [f"`{w.text}`" for w in theirs]
        lines = [f"result {w.text}: {_said(people, whose, w)}" for w in theirs]
        yield _Open(f"what {listing(texts)} {_means(texts)} is not said", (note,), tuple(lines))
    others = [w for w in words if w not in theirs]
    if others:
        texts = [f"`{w.text}`" for w in others]
        first = f"{people[0].name} wins"
        lines = [f"result {w.text}: {'draw' if sounds_drawn(w) else first}" for w in others]
        yield _Open(f"whose result {listing(texts)} is, is not said", (note,), tuple(lines))


def _means(texts: Sequence[str]) -> str:
    return "means" if len(texts) == 1 else "mean"


def ask_alone(
    person: Seat,
    *,
    words: Sequence[ResultWord],
    results: Mapping[str, Meaning],
    whose: Belonging,
) -> tuple[Diagnostic, ...]:
    """The one question about a single player: what the words mean, or who the others are."""
    unknown = [w for w in whose.unknown if w.text not in results]
    winners = rivals(words)
    if not unknown and len(winners) < 2:
        return ()
    if len(winners) >= 2:
        message = f"{listing(winners)} can win, but nothing says whose turn it is"
        line = "players: " + ", ".join(f"{rival} when …" for rival in winners)
        notes = ("assumed: one player makes all moves",)
        tip = f"add to the Reading section `{line}` with a formula for each"
    else:
        texts = [f"`{w.text}`" for w in unknown]
        message = f"what {listing(texts)} {_means(texts)} for the player is not said"
        notes = ("assumed: neither a win nor a loss",)
        lines = [f"`result {w.text}: {person.name} wins`" for w in unknown]
        tip = "add to the Reading section " + " and ".join(lines)
    span = next((w.span for w in words if w.span != NOWHERE), None)
    primary = label(span, "the result is set here")
    return (Diagnostic(codes.WHO_IS_WHO, message, primary=primary, notes=notes, help=tip),)


def rivals(words: Sequence[ResultWord]) -> list[str]:
    """Those who are said to win."""
    return sorted({w.stem for w in words if w.verb is Verb.WINS and w.stem}, key=str.casefold)


def _players_line(people: Iterable[Seat | ir.PlayerRule]) -> str:
    """The line of a Reading section that says who plays when."""
    return "players: " + players_text((str(p.name), p.turn) for p in people)


def players_text(pairs: Iterable[tuple[str, ir.Expr]]) -> str:
    """Names with the formulas that say when they move, as a Reading section has them."""
    return ", ".join(f"{name} when {to_text(turn)}" for name, turn in pairs)


def _assumption(people: tuple[Seat, ...], words: Sequence[ResultWord], whose: Belonging) -> str:
    sentences = []
    for index, seat in enumerate(people):
        stems = {w.stem for w in words if whose.seat_by_word.get(w.text) == index and w.stem}
        also = "" if not stems or seat.name in stems else f" ({listing(sorted(stems))})"
        sentences.append(f"{seat.name}{also} moves when `{to_text(seat.turn)}`")
    return f"assumed: {listing(sentences)}; {people[0].name} moves first"


def _why_open(people: tuple[Seat, ...]) -> list[str]:
    if any(seat.owned for seat in people):
        return ["neither the sets they change nor the rules of the end tell them apart"]
    tested = " and ".join(f"`{to_text(seat.turn)}`" for seat in people)
    return [f"all players change the same sets, and no rule ties a name to {tested}"]


def _said(people: tuple[Seat, ...], whose: Belonging, word: ResultWord) -> str:
    verb = "loses" if word.verb is Verb.LOSES else "wins"
    return f"{people[whose.seat_by_word[word.text]].name} {verb}"


def _open(word: ResultWord, assumed: tuple[str, ...]) -> bool:
    return word.stem.casefold() in {stem.casefold() for stem in assumed}


def _place(
    system: ir.System,
    words: Sequence[ResultWord],
    assumed: tuple[str, ...],
    unknown: tuple[ResultWord, ...],
) -> Span | None:
    mine = [w.span for w in words if (_open(w, assumed) or w in unknown) and w.span != NOWHERE]
    if mine:
        return min(mine)
    variable = None if system.result is None else system.variable(system.result)
    return None if variable is None or variable.span == NOWHERE else variable.span


def _turn_label(system: ir.System, people: tuple[Seat, ...]) -> tuple[Label, ...]:
    turn = people[0].turn
    names = [n.name for n in parts(turn) if isinstance(n, ir.Ref)]
    variable = system.variable(names[0]) if names else None
    if variable is None or variable.span == NOWHERE:
        return ()
    return (Label(variable.span, "says whose turn it is"),)


def label(span: Span | None, text: str) -> Label | None:
    """A label at *span*, if that is a place in the document."""
    return None if span is None or span == NOWHERE else Label(span, text)
