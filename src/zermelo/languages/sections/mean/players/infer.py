"""Who plays, when it is whose turn, and whose result is whose.

What the document's Reading says comes first, then what its words, sets and the turns
that were played tell; what stays open is assumed and asked for in one warning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from zermelo.core.signature import BY_DEFAULT, Reading
from zermelo.core.values import Value
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.players import reading_lines
from zermelo.languages.sections.mean.players.reading_lines import Meaning, players_text
from zermelo.languages.sections.mean.players.results import (
    Belonging,
    ResultWord,
    Seat,
    Verb,
    belonging,
    named,
    named_words,
    result_words,
    tokens_of,
)
from zermelo.languages.sections.mean.players.turns import (
    MOST_TURNS,
    Selector,
    Turns,
    evaluator,
    grown,
    owners,
    selector,
    set_valued,
)
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, label_at

_ALWAYS: Final = ir.Literal(value=True)
_MOST_PERMUTED: Final = 3


def with_players(
    system: ir.System, turns: Turns, *, given: Mapping[str, Choice]
) -> Checked[ir.System]:
    """*system* with its players and draws; *given* may hold ``players`` and ``result WORD``."""
    words = result_words(system)
    said: tuple[Diagnostic, ...] = ()
    seats = _seats(system, selector(system, turns))
    taken = {}
    choice = given.get(readings.PLAYERS)
    if choice is not None:
        told = reading_lines.seats(choice, seats, system=system)
        said += told.diagnostics
        if told.value is not None:
            taken[readings.PLAYERS] = choice
            seats = _with_owned(system, turns, told.value)
            said += _whose_turn(system, seats, choice)
    if len(seats) > 1:
        words = named_words(seats, words)
    whose = belonging(seats, words) if len(seats) > 1 else _alone(words)
    people = named(seats, words, whose)
    told_results = reading_lines.results(given, words, people)
    said += told_results.diagnostics
    results = told_results.value or {}
    taken |= {key: c for key, c in given.items() if reading_lines.word_of(key, words) in results}
    if len(seats) > 1:
        said += reading_lines.ask(
            system, people, whose=whose, words=words, results=results, choice=choice
        )
    else:
        said += reading_lines.ask_alone(people[0], words=words, results=results, whose=whose)
    meaning = {**_meaning(people, words, whose), **results}
    done = replace(
        system,
        players=tuple(_player(seat, words, meaning) for seat in people),
        draws=tuple(w.value for w in words if meaning.get(w.text) == reading_lines.DRAW),
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
        seat = Seat(found.turn(values), owned=owned, owned_sets=set_valued(system, owned))
        if variable is not None:
            tokens = tokens_of(variable) if values == (True,) else ()
            seat = replace(seat, value=values[0], tokens=tokens)
        seats.append(seat)
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
            primary=label_at(choice.span, "conditions of which one should hold in every state"),
            notes=tuple(f"{s.name} moves when `{to_text(s.turn)}`" for s in first or seats),
            help="write the conditions so that exactly one of them holds in each state",
        ),
    )


# Words


def _alone(words: Sequence[ResultWord]) -> Belonging:
    is_shared = len(reading_lines.rivals(words)) > 1
    mine = {} if is_shared else {w.text: 0 for w in words if w.is_solved or w.is_failed}
    unknown = tuple(w for w in words if w.text not in mine and w.verb is not Verb.DRAWS)
    return Belonging(mine, (), unknown)


def _meaning(
    people: tuple[Seat, ...], words: Sequence[ResultWord], whose: Belonging
) -> dict[str, Meaning]:
    """What each word means, by its text; words that are nobody's are left out."""
    meaning: dict[str, Meaning] = {}
    for word in words:
        index = whose.seat_by_word.get(word.text)
        if index is not None and word not in whose.unknown:
            loses = word.is_failed if len(people) == 1 else word.verb is Verb.LOSES
            names = (str(people[index].name),)
            meaning[word.text] = Meaning((), names) if loses else Meaning(names, ())
        elif word.verb is Verb.DRAWS:
            meaning[word.text] = reading_lines.DRAW
    return meaning


def _player(
    seat: Seat, words: Sequence[ResultWord], meaning: Mapping[str, Meaning]
) -> ir.PlayerRule:
    name = str(seat.name)
    known = [(w.value, meaning[w.text]) for w in words if w.text in meaning]
    return ir.PlayerRule(
        name,
        seat.turn,
        wins=tuple(value for value, means in known if name in means.winners),
        loses=tuple(value for value, means in known if name in means.losers),
    )


def _readings(
    system: ir.System,
    people: tuple[Seat, ...],
    *,
    whose: Belonging,
    taken: Mapping[str, Choice],
) -> tuple[Reading, ...]:
    """The readings of *system*, with those about players that were open or chosen."""
    mine = {name: readings.decide(name, (), given=taken) for name in taken}
    if whose.assumed and readings.PLAYERS not in mine:
        names = [str(seat.name) for seat in people]
        turns = [seat.turn for seat in people]
        orders = permutations(names) if len(names) <= _MOST_PERMUTED else [tuple(names)]
        mine[readings.PLAYERS] = Reading(
            readings.PLAYERS,
            players_text(zip(names, turns, strict=True)),
            tuple(players_text(zip(order, turns, strict=True)) for order in orders),
            "the document does not say who is who; the first in the alphabet moves first",
            BY_DEFAULT,
        )
    return (*(r for r in system.readings if r.name not in mine), *mine.values())


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
