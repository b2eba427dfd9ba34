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
from zermelo.text.diagnostic import Checked, Diagnostic, label_at
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE
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
    asked = pieces(choice.text, None if choice.span is None else choice.span.start)
    said: tuple[Diagnostic, ...] = ()
    bare: list[str] = []
    told: list[Seat] = []
    for text, at in asked:
        match = _WHEN.search(text)
        name = text if match is None else text[: match.start()].strip()
        if not name:
            said += (_not_understood(choice, f"`{text}` names no player"),)
        elif match is None:
            bare.append(name)
        else:
            condition, place = text[match.end() :], None if at is None else at + match.end()
            read = formula(condition, place, system=system, names={})
            said += read.diagnostics
            if read.value is None:
                why = f"`{condition}` is no formula about this system"
                said += (_not_understood(choice, why),)
            else:
                like = next((s for s in inferred if s.turn == read.value), Seat(read.value))
                told.append(replace(like, name=name))
    if len(bare) + len(told) < len(asked):
        return Checked(None, said)
    if not bare:
        return Checked(tuple(told), said)
    if told:
        why = f"`{bare[0]}` has no condition, and others have"
    elif len(bare) == len(inferred):
        named = zip(bare, inferred, strict=True)
        return Checked(tuple(replace(seat, name=name) for name, seat in named), said)
    elif len(bare) == 1:
        return Checked((Seat(ir.Literal(value=True), name=bare[0]),), said)
    else:
        why = f"{len(bare)} names are given, and {len(inferred)} players take turns"
    return Checked(None, (*said, _not_understood(choice, why)))


def _not_understood(choice: Choice, why: str) -> Diagnostic:
    return Diagnostic(
        codes.PLAYERS_NOT_UNDERSTOOD,
        f"the players are not understood: {why}",
        primary=label_at(choice.span, "players are looked for here"),
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
            texts = [w.text for w in words]
            near = nearest(subject, texts)
            said.append(
                Diagnostic(
                    codes.RESULT_NOT_UNDERSTOOD,
                    f"`{subject}` is no result of this document",
                    primary=label_at(choice.span, "has no effect"),
                    notes=(f"the results are {', '.join(f'`{t}`' for t in texts)}",)
                    if texts
                    else (),
                    help=f"write `result {near[0]}: {choice.text}`" if near else None,
                )
            )
        elif meaning is None:
            first = names[0]
            said.append(
                Diagnostic(
                    codes.RESULT_NOT_UNDERSTOOD,
                    f"`{choice.text}` does not say who wins with `{word}`",
                    primary=label_at(choice.span, "a player is looked for here"),
                    notes=(f"the players are {', '.join(names)}",),
                    help=f"write `result {word}: {first} wins`, `{first} loses` or `draw`",
                )
            )
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
    left = [w for w in words if w.text not in results]
    open_stems = {w.stem.casefold() for w in left}
    assumed = [stem for stem in whose.assumed if stem.casefold() in open_stems]
    stems = {stem.casefold() for stem in assumed}
    theirs = [w for w in words if w.stem.casefold() in stems]
    unknown = [w for w in whose.unknown if w.text not in results]
    guessed = [w for w in left if w.rest and w not in unknown]
    found = [*_meant(people, whose, guessed), *_unmeant(people, whose, unknown)]
    if assumed:
        who = listing([f"who is {stem}" for stem in assumed])
        notes = (_assumption(people, words, whose), _why_open(people))
        lines = tuple(_line(people, whose, w) for w in theirs)
        if choice is None:
            lines = ("players: " + players_text((str(p.name), p.turn) for p in people),)
        found.insert(0, _Open(f"{who} is not said", notes, lines))
    if not found:
        return ()
    places = [w.span for w in words if w in (*theirs, *guessed, *unknown) and w.span != NOWHERE]
    result = system.variable(system.result)
    if not places and result is not None:
        places = [result.span]
    refs = [n.name for n in parts(people[0].turn) if isinstance(n, ir.Ref)]
    turn = system.variable(refs[0]) if refs else None
    turn_label = None if turn is None else label_at(turn.span, "says whose turn it is")
    all_lines = dict.fromkeys(line for part in found for line in part.lines)
    return (
        Diagnostic(
            codes.WHO_IS_WHO,
            "; ".join(part.headline for part in found),
            primary=label_at(min(places, default=None), "the result is set here"),
            secondary=() if turn_label is None else (turn_label,),
            notes=tuple(dict.fromkeys(note for part in found for note in part.notes)),
            help="add to the Reading section " + " and ".join(f"`{line}`" for line in all_lines),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Open:
    """Something that is not said: how to say so, what is assumed, the lines that would say it."""

    headline: str
    notes: tuple[str, ...]
    lines: tuple[str, ...]


def _meant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that were taken as a win or a loss, though their verb does not say it plainly."""
    theirs = [w for w in words if w.text in whose.seat_by_word]
    if theirs:
        said = [f"with `{w.text}` {_said(people, whose, w)}" for w in theirs]
        lines = tuple(_line(people, whose, w) for w in theirs)
        yield _Open(f"{_what_means(theirs)} is not said", ("assumed: " + listing(said),), lines)


def _unmeant(
    people: tuple[Seat, ...], whose: Belonging, words: Sequence[ResultWord]
) -> Iterator[_Open]:
    """Words that are nobody's, and words of somebody of which nothing was assumed."""
    listed = listing([f"`{w.text}`" for w in words])
    note = f"assumed: nobody wins and nobody loses with {listed}"
    theirs = [w for w in words if w.text in whose.seat_by_word]
    if theirs:
        lines = [_line(people, whose, w) for w in theirs]
        yield _Open(f"{_what_means(theirs)} is not said", (note,), tuple(lines))
    others = [w for w in words if w not in theirs]
    if others:
        texts = listing([f"`{w.text}`" for w in others])
        first = f"{people[0].name} wins"
        lines = [f"result {w.text}: {'draw' if sounds_drawn(w) else first}" for w in others]
        yield _Open(f"whose result {texts} is, is not said", (note,), tuple(lines))


def _what_means(words: Sequence[ResultWord]) -> str:
    texts = listing([f"`{w.text}`" for w in words])
    return f"what {texts} {'means' if len(words) == 1 else 'mean'}"


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
        message = f"{_what_means(unknown)} for the player is not said"
        notes = ("assumed: neither a win nor a loss",)
        lines = [f"`result {w.text}: {person.name} wins`" for w in unknown]
        tip = "add to the Reading section " + " and ".join(lines)
    span = next((w.span for w in words if w.span != NOWHERE), None)
    primary = label_at(span, "the result is set here")
    return (Diagnostic(codes.WHO_IS_WHO, message, primary=primary, notes=notes, help=tip),)


def rivals(words: Sequence[ResultWord]) -> list[str]:
    """Those who are said to win."""
    return sorted({w.stem for w in words if w.verb is Verb.WINS and w.stem}, key=str.casefold)


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


def _why_open(people: tuple[Seat, ...]) -> str:
    if any(seat.owned for seat in people):
        return "neither the sets they change nor the rules of the end tell them apart"
    tested = " and ".join(f"`{to_text(seat.turn)}`" for seat in people)
    return f"all players change the same sets, and no rule ties a name to {tested}"


def _line(people: tuple[Seat, ...], whose: Belonging, word: ResultWord) -> str:
    return f"result {word.text}: {_said(people, whose, word)}"


def _said(people: tuple[Seat, ...], whose: Belonging, word: ResultWord) -> str:
    verb = "loses" if word.verb is Verb.LOSES else "wins"
    return f"{people[whose.seat_by_word[word.text]].name} {verb}"
