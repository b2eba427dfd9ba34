"""What a document leaves open about its players, asked in one warning with what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.players import explicit
from zermelo.languages.sections.mean.players.outcomes import ResultWord, Verb
from zermelo.languages.sections.mean.players.result_names import sounds_drawn
from zermelo.languages.sections.mean.players.seats import Belonging, Seat
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.walk import parts
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import NOWHERE, Span


def ask(
    system: ir.System,
    people: tuple[Seat, ...],
    *,
    whose: Belonging,
    words: Sequence[ResultWord],
    results: Mapping[str, explicit.Meaning],
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
            primary=_label(
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
    who = _and([f"who is {stem}" for stem in assumed])
    lines = [f"result {w.text}: {_said(people, whose, w)}" for w in words if _open(w, assumed)]
    return _Open(
        f"{who} is not said",
        (_assumption(people, words, whose), *_why_open(people)),
        (players_line(people),) if choice is None else tuple(lines),
    )


def _meant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that were taken as a win or a loss, though their verb does not say it plainly."""
    said = [(w.text, _said(people, whose, w)) for w in words if w.text in whose.seat_by_word]
    if said:
        texts = [f"`{text}`" for text, _ in said]
        yield _Open(
            f"what {_and(texts)} {_means(texts)} is not said",
            ("assumed: " + _and([f"with `{text}` {verdict}" for text, verdict in said]),),
            tuple(f"result {text}: {verdict}" for text, verdict in said),
        )


def _unmeant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that are nobody's, and words of somebody of which nothing was assumed."""
    listed = _and([f"`{w.text}`" for w in words]) if words else ""
    note = f"assumed: nobody wins and nobody loses with {listed}"
    theirs = [w for w in words if w.text in whose.seat_by_word]
    if theirs:
        texts = [f"`{w.text}`" for w in theirs]
        lines = [f"result {w.text}: {_said(people, whose, w)}" for w in theirs]
        yield _Open(f"what {_and(texts)} {_means(texts)} is not said", (note,), tuple(lines))
    others = [w for w in words if w not in theirs]
    if others:
        texts = [f"`{w.text}`" for w in others]
        first = f"{people[0].name} wins"
        lines = [f"result {w.text}: {'draw' if sounds_drawn(w) else first}" for w in others]
        yield _Open(f"whose result {_and(texts)} is, is not said", (note,), tuple(lines))


def _means(texts: Sequence[str]) -> str:
    return "means" if len(texts) == 1 else "mean"


def ask_alone(
    person: Seat,
    *,
    words: Sequence[ResultWord],
    results: Mapping[str, explicit.Meaning],
    whose: Belonging,
) -> tuple[Diagnostic, ...]:
    """The one question about a single player: what the words mean, or who the others are."""
    unknown = [w for w in whose.unknown if w.text not in results]
    winners = rivals(words)
    if not unknown and len(winners) < 2:
        return ()
    if len(winners) >= 2:
        message = f"{_and(winners)} can win, but nothing says whose turn it is"
        line = "players: " + ", ".join(f"{rival} when …" for rival in winners)
        notes = ("assumed: one player makes all moves",)
        tip = f"add to the Reading section `{line}` with a formula for each"
    else:
        texts = [f"`{w.text}`" for w in unknown]
        message = f"what {_and(texts)} {_means(texts)} for the player is not said"
        notes = ("assumed: neither a win nor a loss",)
        lines = [f"`result {w.text}: {person.name} wins`" for w in unknown]
        tip = "add to the Reading section " + " and ".join(lines)
    span = next((w.span for w in words if w.span != NOWHERE), None)
    label = _label(span, "the result is set here")
    return (Diagnostic(codes.WHO_IS_WHO, message, primary=label, notes=notes, help=tip),)


def rivals(words: Sequence[ResultWord]) -> list[str]:
    """Those who are said to win."""
    return sorted({w.stem for w in words if w.verb is Verb.WINS and w.stem}, key=str.casefold)


def players_line(people: Iterable[Seat | ir.Player]) -> str:
    """The line of a Reading section that says who plays when."""
    return "players: " + players_text((str(p.name), p.turn) for p in people)


def players_text(pairs: Iterable[tuple[str, ir.Expr]]) -> str:
    """Names with the formulas that say when they move, as a Reading section has them."""
    return ", ".join(f"{name} when {to_text(turn)}" for name, turn in pairs)


def _assumption(people: tuple[Seat, ...], words: Sequence[ResultWord], whose: Belonging) -> str:
    sentences = []
    for index, seat in enumerate(people):
        stems = {w.stem for w in words if whose.seat_by_word.get(w.text) == index and w.stem}
        also = "" if not stems or seat.name in stems else f" ({_and(sorted(stems))})"
        sentences.append(f"{seat.name}{also} moves when `{to_text(seat.turn)}`")
    return f"assumed: {_and(sentences)}; {people[0].name} moves first"


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


def _label(span: Span | None, text: str) -> Label | None:
    return None if span is None or span == NOWHERE else Label(span, text)


def _and(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
