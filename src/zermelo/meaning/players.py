"""Who plays, when it is whose turn, and whose result is whose.

Comes in a system and turns that were played; goes out the system with its
players. What the document's Reading says comes first, then what its words, sets
and turns tell; what stays open is assumed and asked for in one warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from zermelo.core import ir
from zermelo.core.interpreter import Interpreter
from zermelo.core.printer import to_text
from zermelo.core.values import Value
from zermelo.core.walk import parts
from zermelo.meaning import explicit, readings
from zermelo.meaning.growth import Turns, evaluator, grown, owners, set_valued
from zermelo.meaning.outcomes import ResultWord, Verb, result_words
from zermelo.meaning.readings import Choice
from zermelo.meaning.resolve import resolve_expression
from zermelo.meaning.seats import Belonging, Seat, belonging, named, tokens_of
from zermelo.meaning.turns import MOST_TURNS, Selector, selector
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.source import NOWHERE, Span

__all__ = ["Turns", "infer"]

_ALWAYS: Final = ir.Literal(value=True)
_MOST_PERMUTED: Final = 3


def infer(system: ir.System, turns: Turns, *, given: Mapping[str, Choice]) -> Checked[ir.System]:
    """*system* with its players and draws; *given* may hold ``players`` and ``result WORD``."""
    found = selector(system, turns)
    words = result_words(system)
    said: tuple[Diagnostic, ...] = ()
    seats = _seats(system, found)
    taken = {}
    choice = given.get(readings.PLAYERS)
    if choice is not None:
        told = explicit.seats(
            choice,
            seats,
            system=system,
            resolve=lambda expr, names: resolve_expression(expr, system, names),
        )
        said += told.diagnostics
        if told.value is not None:
            taken[readings.PLAYERS] = choice
            seats = _with_owned(system, turns, told.value)
            said += _whose_turn(system, seats, choice)
    whose = belonging(seats, words) if len(seats) > 1 else _alone(words)
    people = named(seats, words, whose)
    told_results = explicit.results(given, words, people)
    said += told_results.diagnostics
    results = told_results.value or {}
    taken |= {key: c for key, c in given.items() if explicit.word_of(key, words) in results}
    if len(seats) > 1:
        said += _ask(system, people, whose=whose, words=words, results=results, choice=choice)
    else:
        said += _ask_alone(people[0], words=words, results=results, whose=whose)
    meaning = {**_meaning(people, words, whose), **results}
    done = replace(
        system,
        players=tuple(_player(seat, words, meaning) for seat in people),
        draws=tuple(w.value for w in words if meaning.get(w.text) == explicit.DRAW),
        view=_view(system.view, people),
        readings=_readings(system, people, whose=whose, taken=taken),
    )
    return Checked(done, said)


# Seats


def _seats(system: ir.System, found: Selector | None) -> tuple[Seat, ...]:
    if found is None:
        return (Seat(_ALWAYS),)
    variable = found.variables[0] if len(found.variables) == len(found.exprs) == 1 else None
    seats = []
    for values in found.values:
        owned = found.owned.get(values, ())
        is_true = variable is not None and values == (True,)
        seats.append(
            Seat(
                found.turn(values),
                None if variable is None else values[0],
                owned,
                set_valued(system, owned),
                tokens_of(variable) if variable is not None and is_true else (),
            )
        )
    return tuple(seats)


def _with_owned(system: ir.System, turns: Turns, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """*seats* with what grows in the turns of each only."""
    if len(seats) == 1:
        return seats
    evaluate = evaluator(system)
    seen: list[tuple[tuple[Value, ...], frozenset[str]]] = []
    for before, _, after in turns[:MOST_TURNS]:
        holding = [i for i, seat in enumerate(seats) if evaluate(seat.turn, before) is True]
        if len(holding) == 1:
            seen.append(((holding[0],), grown(before, after)))
    if not seen:
        return seats
    owned = owners(system, seen)
    return tuple(
        replace(seat, owned=owned.get((i,), ()), owned_sets=set_valued(system, owned.get((i,), ())))
        for i, seat in enumerate(seats)
    )


def _whose_turn(
    system: ir.System, seats: tuple[Seat, ...], choice: Choice
) -> tuple[Diagnostic, ...]:
    """What to say when the first state is not the turn of exactly one player."""
    initial = Interpreter(system).initial
    evaluate = evaluator(system)
    first = [seat for seat in seats if evaluate(seat.turn, initial) is True]
    if len(first) == 1:
        return ()
    who = " and ".join(str(seat.name) for seat in first) if first else "nobody"
    return (
        Diagnostic(
            codes.WHOSE_TURN,
            f"in the first state it is the turn of {who}",
            primary=_label(choice.span, "conditions of which one should hold in every state"),
            notes=tuple(
                f"{seat.name} moves when `{to_text(seat.turn)}`" for seat in (first or seats)
            ),
            help="write the conditions so that exactly one of them holds in each state",
        ),
    )


# Words


def _alone(words: Sequence[ResultWord]) -> Belonging:
    """The words of a single player."""
    shared = len(_rivals(words)) > 1
    mine = {} if shared else {w.text: 0 for w in words if w.is_solved or w.is_failed}
    unknown = tuple(w for w in words if w.text not in mine and w.verb is not Verb.DRAWS)
    return Belonging(mine, (), unknown)


def _meaning(
    people: tuple[Seat, ...], words: Sequence[ResultWord], whose: Belonging
) -> dict[str, explicit.Meaning]:
    """What each word means, by its text; words that are nobody's are left out."""
    meaning: dict[str, explicit.Meaning] = {}
    for word in words:
        index = whose.seat_by_word.get(word.text)
        if index is not None:
            loses = word.is_failed if len(people) == 1 else word.verb is Verb.LOSES
            name = str(people[index].name)
            meaning[word.text] = (
                explicit.Meaning((), (name,)) if loses else explicit.Meaning((name,), ())
            )
        elif word.verb is Verb.DRAWS:
            meaning[word.text] = explicit.DRAW
    return meaning


def _player(
    seat: Seat, words: Sequence[ResultWord], meaning: Mapping[str, explicit.Meaning]
) -> ir.Player:
    name = str(seat.name)
    known = [(w.value, meaning[w.text]) for w in words if w.text in meaning]
    return ir.Player(
        name,
        seat.turn,
        wins=tuple(value for value, means in known if name in means.winners),
        loses=tuple(value for value, means in known if name in means.losers),
    )


# What is asked


def _ask(
    system: ir.System,
    people: tuple[Seat, ...],
    *,
    whose: Belonging,
    words: Sequence[ResultWord],
    results: Mapping[str, explicit.Meaning],
    choice: Choice | None,
) -> tuple[Diagnostic, ...]:
    """The one question: who is who, and whose are the words that are nobody's."""
    assumed = tuple(
        stem
        for stem in whose.assumed
        if not all(w.text in results for w in words if w.stem.casefold() == stem.casefold())
    )
    unknown = tuple(w for w in whose.unknown if w.text not in results)
    if not assumed and not unknown:
        return ()
    headline, notes, lines = [], [], []
    if assumed:
        who = _and([f"who is {stem}" for stem in assumed])
        headline.append(f"{who} is not said")
        notes.append(_assumption(people, words, whose))
        notes += _why_open(people)
        lines += (
            [players_line(people)]
            if choice is None
            else [f"result {w.text}: {_said(people, whose, w)}" for w in words if _open(w, assumed)]
        )
    if unknown:
        texts = [f"`{w.text}`" for w in unknown]
        headline.append(f"whose result {_and(texts)} is, is not said")
        notes.append("assumed: nobody wins and nobody loses with it")
        lines += [f"result {w.text}: {people[0].name} wins" for w in unknown]
    return (
        Diagnostic(
            codes.WHO_IS_WHO,
            "; ".join(headline),
            primary=_label(_place(system, words, assumed, unknown), "the result is set here"),
            secondary=_turn_label(system, people),
            notes=tuple(notes),
            help="add to the Reading section " + " and ".join(f"`{line}`" for line in lines),
        ),
    )


def _ask_alone(
    person: Seat,
    *,
    words: Sequence[ResultWord],
    results: Mapping[str, explicit.Meaning],
    whose: Belonging,
) -> tuple[Diagnostic, ...]:
    unknown = [w for w in whose.unknown if w.text not in results]
    rivals = _rivals(words)
    if not unknown and len(rivals) < 2:
        return ()
    if len(rivals) >= 2:
        message = f"{_and(rivals)} can win, but nothing says whose turn it is"
        line = "players: " + ", ".join(f"{rival} when …" for rival in rivals)
        notes = ("assumed: one player makes all moves",)
        tip = f"add to the Reading section `{line}` with a formula for each"
    else:
        texts = [f"`{w.text}`" for w in unknown]
        verb = "means" if len(texts) == 1 else "mean"
        message = f"what {_and(texts)} {verb} for the player is not said"
        notes = ("assumed: neither a win nor a loss",)
        lines = [f"`result {w.text}: {person.name} wins`" for w in unknown]
        tip = "add to the Reading section " + " and ".join(lines)
    span = next((w.span for w in words if w.span != NOWHERE), None)
    label = _label(span, "the result is set here")
    return (Diagnostic(codes.WHO_IS_WHO, message, primary=label, notes=notes, help=tip),)


def _rivals(words: Sequence[ResultWord]) -> list[str]:
    """Those who are said to win."""
    return sorted({w.stem for w in words if w.verb is Verb.WINS and w.stem}, key=str.casefold)


def players_line(people: Iterable[Seat | ir.Player]) -> str:
    """The line of a Reading section that says who plays when."""
    return "players: " + _players_text((str(p.name), p.turn) for p in people)


def _players_text(pairs: Iterable[tuple[str, ir.Expr]]) -> str:
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


def _readings(
    system: ir.System,
    people: tuple[Seat, ...],
    *,
    whose: Belonging,
    taken: Mapping[str, Choice],
) -> tuple[ir.Reading, ...]:
    """The readings of *system*, with those about players that were open or chosen."""
    mine = {name: readings.decide(name, (), given=taken) for name in taken}
    if whose.assumed and readings.PLAYERS not in mine:
        mine[readings.PLAYERS] = ir.Reading(
            readings.PLAYERS,
            _players_text((str(seat.name), seat.turn) for seat in people),
            _arrangements(people),
            "the document does not say who is who; the first in the alphabet moves first",
            readings.DEFAULT,
        )
    return (*(r for r in system.readings if r.name not in mine), *mine.values())


def _arrangements(people: tuple[Seat, ...]) -> tuple[str, ...]:
    names = [str(seat.name) for seat in people]
    turns = [seat.turn for seat in people]
    orders = permutations(names) if len(names) <= _MOST_PERMUTED else [tuple(names)]
    return tuple(_players_text(zip(order, turns, strict=True)) for order in orders)


def _view(view: ir.View, people: tuple[Seat, ...]) -> ir.View:
    """*view* with the pieces of players who own their cells."""
    owner = {name: seat.name for seat in people for name in seat.owned}
    layers = tuple(
        replace(layer, player=owner.get(layer.cells.name))
        if layer.player is None and isinstance(layer.cells, ir.Ref)
        else layer
        for layer in view.layers
    )
    return replace(view, layers=layers)


def _label(span: Span | None, text: str) -> Label | None:
    return None if span is None or span == NOWHERE else Label(span, text)


def _and(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
