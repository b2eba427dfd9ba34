"""Who plays, when it is whose turn, and whose result is whose.

The lines of a document's Reading come first, then what its words, its sets and the turns that
were played tell; what stays open is assumed and asked for in one warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from zermelo.core.machine import Verb
from zermelo.core.signature import BY_DEFAULT, STUCK, Reading
from zermelo.core.values import TRUE, Value
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.readings import Choice
from zermelo.languages.sections.mean.results import (
    PLAIN_DRAWS,
    Belonging,
    ResultWord,
    Seat,
    belonging,
    named,
    named_words,
    ordinal,
    result_words,
    sounds_drawn,
    tokens_of,
)
from zermelo.languages.sections.mean.teams import (
    DRAW,
    Meaning,
    as_one,
    is_for_all,
    shared_meaning,
    shared_words,
    teams,
)
from zermelo.languages.sections.mean.terms.formulas import formula, pieces
from zermelo.languages.sections.mean.turns import (
    MOST_TURNS,
    Selector,
    Turns,
    changed_functions,
    evaluator,
    grown,
    has_goals,
    mover_of,
    owners,
    passed_on,
    selector,
    set_valued,
)
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.walk import effects, parts
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.diagnostic import Checked, Diagnostic, label_at
from zermelo.text.prose import listing
from zermelo.text.source import NOWHERE

_WHEN: Final = re.compile(r"\s+(?:when|if)\s+|\s*:\s*", re.IGNORECASE)
_VERDICT: Final = re.compile(
    r"(?P<name>.+?)\s+(?:(?P<wins>wins?|won)|(?P<loses>loses?|lost))", re.IGNORECASE
)
_EVERYBODY: Final = frozenset({"all", "both", "everybody", "everyone"})
_DRAWN: Final = frozenset({"draw", "draws", "a draw", "tie", "nobody", "nobody wins"})


def written_seats(
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
            if read.value is None:
                inner = (each.message for each in read.diagnostics if each.is_error)
                why = next(inner, f"`{condition}` is no formula about this system")
                said += (_not_understood(choice, why),)
            else:
                said += read.diagnostics
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
        return Checked((Seat(ir.Literal(TRUE), name=bare[0]),), said)
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


def written_results(
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
            near = similar(subject, texts)
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
    waiting: list[str] = []
    for piece in re.split(r"\s*,\s*and\s+|\s*,\s*|\s+and\s+", text.strip()):
        match = _VERDICT.fullmatch(piece)
        who = _plain(piece if match is None else match["name"])
        found = names if who in _EVERYBODY else [n for n in names if _plain(n) == who]
        if not found:
            return None
        waiting += found
        # In `A and B win` the verb stands behind the last name.
        if match is not None:
            (winners if match["wins"] else losers).extend(waiting)
            waiting = []
    return None if waiting else Meaning(tuple(winners), tuple(losers))


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
) -> Question | None:
    """The one question: who is who, whose are the words that are nobody's, what others mean."""
    left = [w for w in words if w.text not in results]
    open_stems = {w.stem.casefold() for w in left}
    assumed = [stem for stem in whose.assumed if stem.casefold() in open_stems]
    stems = {stem.casefold() for stem in assumed}
    theirs = [w for w in words if w.stem.casefold() in stems]
    unknown = [w for w in whose.unknown if w.text not in results]
    guessed = [w for w in left if w.rest and w not in unknown]
    found = [*_meant(people, whose, guessed), *_unmeant(people, whose, unknown)]
    open_draws = [w for w in whose.drawn if not w.tokens <= PLAIN_DRAWS]
    drawn = [w for w in open_draws if w.text not in results]
    found += _taken_as_draws(drawn)
    if assumed:
        who = listing([f"who is {stem}" for stem in assumed])
        notes = (_assumption(people, words, whose), _why_open(people, theirs, whose))
        lines = tuple(_line(people, whose, w) for w in theirs)
        if choice is None:
            lines = ("players: " + players_text((str(p.name), p.turn) for p in people),)
        found.insert(0, _Open(f"{who} is not said", notes, lines))
    if not found:
        return None
    places = [
        w.span for w in words if w in (*theirs, *guessed, *unknown, *drawn) and w.span != NOWHERE
    ]
    result = system.variable(system.result)
    if not places and result is not None:
        places = [result.span]
    refs = [n.name for n in parts(people[0].turn) if isinstance(n, ir.Ref)]
    turn = system.variable(refs[0]) if refs else None
    turn_label = None if turn is None else label_at(turn.span, "says whose turn it is")
    all_lines = dict.fromkeys(line for part in found for line in part.lines)
    asked = Diagnostic(
        codes.WHO_IS_WHO,
        "; ".join(part.headline for part in found),
        primary=label_at(min(places, default=None), "the result is set here"),
        secondary=() if turn_label is None else (turn_label,),
        notes=tuple(dict.fromkeys(note for part in found for note in part.notes)),
        help="add to the Reading section " + " and ".join(f"`{line}`" for line in all_lines),
    )
    return Question(asked, decides=bool(assumed or unknown))


@dataclass(frozen=True, slots=True)
class Question:
    """What people are asked about players and results."""

    asked: Diagnostic
    decides: bool
    """Whether values of positions depend on the answer, of which nothing in the document tells."""

    @property
    def unsaid(self) -> str | None:
        """What is only assumed, and what to do; ``None`` if nothing depends on it."""
        return f"{self.asked.message}; {self.asked.help}" if self.decides else None


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
        is_left = set(whose.seat_by_word.values()) == set(range(len(people)))
        likely = ["draw" if is_left else _likely(w, people, at) for at, w in enumerate(others)]
        lines = [f"result {w.text}: {what}" for w, what in zip(others, likely, strict=True)]
        yield _Open(f"whose result {texts} is, is not said", (note,), tuple(lines))


def _likely(word: ResultWord, people: tuple[Seat, ...], at: int) -> str:
    """What to offer for the word *at* this place among those that are nobody's."""
    if sounds_drawn(word):
        return "draw"
    if word.is_for_all:
        return "all lose" if word.is_failed else "all win"
    return f"{people[at % len(people)].name} wins"


def _taken_as_draws(words: Sequence[ResultWord]) -> list[_Open]:
    if not words:
        return []
    texts = listing([f"`{w.text}`" for w in words])
    note = f"assumed: a draw, as everybody has another word: {texts}"
    lines = tuple(f"result {w.text}: draw" for w in words)
    return [_Open(f"{_what_means(words)} is not said", (note,), lines)]


def _what_means(words: Sequence[ResultWord]) -> str:
    texts = listing([f"`{w.text}`" for w in words])
    return f"what {texts} {'means' if len(words) == 1 else 'mean'}"


def _told_by_rules(
    people: tuple[Seat, ...],
    words: Sequence[ResultWord],
    whose: Belonging,
    *,
    choice: Choice | None,
    results: Mapping[str, Meaning],
) -> tuple[Diagnostic, ...]:
    """That nothing but rules tells who is who, and what is taken from them."""
    theirs = [w for w in words if w.stem in whose.by_rules and w.text not in results]
    if not theirs:
        return ()
    who = listing([f"who is {stem}" for stem in dict.fromkeys(w.stem for w in theirs)])
    lines = [_line(people, whose, w) for w in theirs]
    if choice is None:
        lines = ["players: " + players_text((str(p.name), p.turn) for p in people)]
    span = min((w.span for w in theirs if w.span != NOWHERE), default=None)
    asked = Diagnostic(
        codes.TOLD_BY_RULES,
        f"{who} is told by the rules only",
        primary=label_at(span, "the result is set here"),
        notes=(
            "assumed: whoever brings about what a rule asks for wins by it; if it is to be "
            "avoided, the players are the other way round",
            *(f"`{w.text}`: {whose.evidence[w.text]}" for w in theirs if w.text in whose.evidence),
        ),
        help="if that is meant, add to the Reading section "
        + " and ".join(f"`{line}`" for line in lines),
    )
    return (asked,)


def ask_alone(
    system: ir.System,
    person: Seat,
    *,
    words: Sequence[ResultWord],
    results: Mapping[str, Meaning],
    whose: Belonging,
) -> Question | None:
    """The one question about a single player: what the words mean, or who the others are."""
    unknown = [w for w in whose.unknown if w.text not in results]
    winners = rivals(words)
    if not unknown and len(winners) < 2:
        return None
    together = _choosing_together(system, winners)
    if together is not None:
        message = f"{listing(winners)} choose at the same time, in `{together}`: nobody has a turn"
        notes = ("assumed: one player makes all moves, for everybody",)
        tip = "it can be run, checked and explored; who can force a win is not computed"
    elif len(winners) >= 2:
        message = f"{listing(winners)} can win, but nothing says whose turn it is"
        notes = ("assumed: one player makes all moves",)
        tip = _offered_turns(system, winners)
    else:
        message = f"{_what_means(unknown)} for the player is not said"
        notes = ("assumed: neither a win nor a loss",)
        lines = [f"`result {w.text}: {person.name} wins`" for w in unknown]
        others = f", with `{person.name} loses` or `draw` where that is meant"
        tip = "add to the Reading section " + " and ".join(lines) + others
    span = next((w.span for w in words if w.span != NOWHERE), None)
    primary = label_at(span, "the result is set here")
    asked = Diagnostic(codes.WHO_IS_WHO, message, primary=primary, notes=notes, help=tip)
    return Question(asked, decides=len(winners) >= 2)


def _offered_turns(system: ir.System, winners: Sequence[str]) -> str:
    """How to say whose turn it is: by what counts the moves, or by what could change with them."""
    told = "say in the Reading section who moves when"
    counted = _counter(system)
    count = len(winners)
    if counted is not None:
        turns = [f"{who} when {counted} mod {count} = {at}" for at, who in enumerate(winners)]
        return f"{told}; if they take turns, add `players: {', '.join(turns)}`"
    if count == _PAIR:
        first, second = winners
        line = f"players: {first} when turn, {second} when ¬turn"
        return f"{told}; let each move change a variable `turn ∈ {{true, false}}`, and add `{line}`"
    turns = [f"{who} when turn = {at}" for at, who in enumerate(winners, 1)]
    line = f"players: {', '.join(turns)}"
    return f"{told}; let each move change a variable `turn ∈ {{1..{count}}}`, and add `{line}`"


def _counter(system: ir.System) -> str | None:
    """A variable to which a move adds 1, as `moves`."""
    added = (
        effect.assign.variable
        for move in system.moves
        for effect in effects(system, move)
        if effect.assign.value
        == ir.Binary(ir.Op.PLUS, ir.Ref(effect.assign.variable), ir.Literal(1))
    )
    return next(added, None)


def _choosing_together(system: ir.System, rivals: Sequence[str]) -> str | None:
    """The move in which each of *rivals* makes a choice of the same kind, if there is one.

    The choices are called like those who make them; or they may be exchanged, as one may say
    what the other says.
    """
    for move in system.moves if len(rivals) > 1 else ():
        domains = {parameter.domain for parameter in move.parameters}
        names = [parameter.name for parameter in move.parameters]
        if len(domains) != 1 or len(names) != len(rivals):
            continue
        chosen = {r: next((n for n in names if _is_choice_of(n, r)), None) for r in rivals}
        if set(chosen.values()) == set(names) or _may_be_exchanged(system, move.name):
            return f"{move.name}({', '.join(names)})"
    return None


def _may_be_exchanged(system: ir.System, move: str) -> bool:
    """Whether at first a move with its arguments in any order can be made if one of them can."""
    machine = Interpreter(system)
    first = {each.arguments for each in machine.legal(machine.initial) if each.name == move}
    unlike = {arguments for arguments in first if len(set(arguments)) > 1}
    return bool(unlike) and all(
        other in unlike for arguments in unlike for other in permutations(arguments)
    )


def _is_choice_of(parameter: str, rival: str) -> bool:
    """Whether a parameter is called like the player whose choice it is.

    >>> _is_choice_of("one", "One"), _is_choice_of("redMove", "red"), _is_choice_of("pos", "red")
    (True, True, False)
    """
    mine, theirs = parameter.casefold(), rival.casefold()
    return mine == theirs or theirs in tokens_of(parameter)


def rivals(words: Sequence[ResultWord]) -> list[str]:
    """Those who are said to win; or those who are named, where nobody is said to."""
    winners = {w.stem for w in words if w.verb is Verb.WINS and w.stem}
    silent = [w for w in words if w.verb is Verb.SILENT and not w.is_fate and not sounds_drawn(w)]
    if not winners and all(ordinal(w.stem) is not None for w in silent):
        winners = {w.stem for w in silent}
    return sorted(winners, key=str.casefold)


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


def _why_open(people: tuple[Seat, ...], words: Sequence[ResultWord], whose: Belonging) -> str:
    told = [f"`{w.text}`: {whose.evidence[w.text]}" for w in words if w.text in whose.evidence]
    if told:
        other = ""
        if len(people) == _PAIR:
            turned = zip(
                [str(p.name) for p in reversed(people)], [p.turn for p in people], strict=True
            )
            other = f"; if so, write `players: {players_text(turned)}`"
        return (
            f"only rules tell, and they may ask for what is to be avoided: {'; '.join(told)}{other}"
        )
    if any(seat.owned for seat in people):
        return "neither the sets they change nor the rules of the end tell them apart"
    tested = " and ".join(f"`{to_text(seat.turn)}`" for seat in people)
    return f"all players change the same sets, and no rule ties a name to {tested}"


def _line(people: tuple[Seat, ...], whose: Belonging, word: ResultWord) -> str:
    return f"result {word.text}: {_said(people, whose, word)}"


def _said(people: tuple[Seat, ...], whose: Belonging, word: ResultWord) -> str:
    verb = "loses" if word.verb is Verb.LOSES else "wins"
    return f"{people[whose.seat_by_word[word.text]].name} {verb}"


_ALWAYS: Final = ir.Literal(TRUE)
_MOST_PERMUTED: Final = 3
_PAIR: Final = 2


def with_players(
    system: ir.System, turns: Turns, *, given: Mapping[str, Choice]
) -> Checked[ir.System]:
    """*system* with its players and draws; *given* may hold ``players`` and ``result WORD``."""
    words = result_words(system)
    said: tuple[Diagnostic, ...] = ()
    seats = _seats(system, selector(system, turns), turns)
    taken = {}
    choice = given.get(readings.PLAYERS)
    if choice is not None:
        told = written_seats(choice, seats, system=system)
        said += told.diagnostics
        if told.value is not None:
            taken[readings.PLAYERS] = choice
            seats = _with_owned(system, turns, told.value)
            said += _whose_turn(system, seats, choice)
    elif len(seats) > _PAIR:
        joined = teams(system, turns, seats, words)
        seats = seats if joined == seats else _with_owned(system, turns, joined)
    if len(seats) > 1:
        words = named_words(seats, words)
    shared = shared_words(words, system.prose) if len(seats) > 1 else ()
    alone = [word for word in words if word not in shared]
    whose = _belonging(system, turns, seats, alone)
    people = _named_in_words(named(seats, alone, whose), system.prose)
    told_results = written_results(given, words, people)
    said += told_results.diagnostics
    given_results = told_results.value or {}
    names = [str(seat.name) for seat in people]
    results = {**shared_meaning(shared, names), **given_results}
    taken |= {key: c for key, c in given.items() if word_of(key, words) in given_results}
    if len(seats) > 1:
        question = ask(system, people, whose=whose, words=words, results=results, choice=choice)
    else:
        question = ask_alone(system, people[0], words=words, results=results, whose=whose)
    said += () if question is None else (question.asked,)
    if question is None or not question.decides:
        said += _told_by_rules(people, words, whose, choice=choice, results=results)
    meaning = {**_meaning(people, words, whose), **results}
    players = tuple(
        _player(seat, words, meaning, evidence=_evidence(index, whose))
        for index, seat in enumerate(people)
    )
    if len(people) == 1 and choice is None and not has_goals(system):
        players = ()
        # Nobody is there who could be stuck.
        system = replace(system, readings=tuple(r for r in system.readings if r.name != STUCK))
    if is_for_all(people, meaning) and (question is None or not question.decides):
        players = (as_one(people, meaning, words),)
        said += (_all_together(people, words, meaning),)
    done = replace(
        system,
        players=players,
        draws=tuple(w.value for w in words if meaning.get(w.text) == DRAW),
        unsaid=None if question is None else question.unsaid,
        view=_view(system.view, people),
        readings=_readings(system, people, whose=whose, taken=taken),
    )
    return Checked(done, said)


_TWO_NAMES: Final = re.compile(r"\b(\w+) and (\w+)\b")


def _named_in_words(people: tuple[Seat, ...], prose: Iterable[str]) -> tuple[Seat, ...]:
    """*people* as the document calls the two of them, where one is known by the turn's name only.

    With `rowTurn` and the words `two players, Row and Column` the second is Column.
    """
    if len(people) != _PAIR or people[0].name not in people[0].tokens:
        return people
    first = people[0].name
    for match in (each for row in prose for each in _TWO_NAMES.finditer(row)):
        if match[1].casefold() == first and people[1].name == "Player 2" and match[2][:1].isupper():
            return replace(people[0], name=match[1]), replace(people[1], name=match[2])
    return people


def _all_together(
    people: tuple[Seat, ...], words: Sequence[ResultWord], meaning: Mapping[str, Meaning]
) -> Diagnostic:
    """That all win or all lose, and what that means for whoever asks for the best play."""
    texts = [w for w in words if meaning.get(w.text, DRAW) != DRAW]
    listed = listing([f"`{w.text}`" for w in texts])
    span = min((w.span for w in texts if w.span != NOWHERE), default=None)
    return Diagnostic(
        codes.ALL_TOGETHER,
        f"{listing([str(seat.name) for seat in people])} win and lose together, with {listed}",
        primary=label_at(span, "the result is set here"),
        notes=("nobody plays against anybody, so they are taken as one side",),
    )


def _belonging(
    system: ir.System, turns: Turns, seats: tuple[Seat, ...], words: Sequence[ResultWord]
) -> Belonging:
    if len(seats) == 1:
        return _alone(words)
    if not turns:
        return belonging(seats, words, ())
    # A document that says who plays needs no clues.
    from zermelo.languages.sections.mean.clues import clues, speaks_of_losing  # noqa: PLC0415

    found = clues(system, turns, seats=seats, words=words)
    return belonging(seats, words, found, trusts_rules=not speaks_of_losing(system))


# Seats


def _seats(system: ir.System, found: Selector | None, turns: Turns) -> tuple[Seat, ...]:
    if found is None:
        return (Seat(_ALWAYS),)
    sets_of = {values: set_valued(system, names) for values, names in found.owned.items()}
    shared = passed_on(turns, tuple(sets_of.values()))
    variable = found.variables[0] if len(found.variables) == len(found.exprs) == 1 else None
    seats = []
    for values in found.values:
        owned = found.owned.get(values, ())
        moved = found.apart.get(values, ())
        sets = tuple(name for name in sets_of.get(values, ()) if name not in shared)
        seat = Seat(found.turn(values), owned=owned, owned_sets=sets, moved=moved)
        if variable is not None:
            tokens = tokens_of(variable) if values == (TRUE,) else ()
            seat = replace(seat, value=values[0], tokens=tokens)
        seats.append(seat)
    return tuple(seats)


def _with_owned(system: ir.System, turns: Turns, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """*seats* with what grows in the turns of each only."""
    if len(seats) == 1:
        return seats
    evaluate = evaluator(system)
    seen: list[tuple[tuple[Value, ...], frozenset[str]]] = []
    functions = changed_functions(system)
    for before, _, after in turns[:MOST_TURNS]:
        mover = mover_of(seats, evaluate, before)
        if mover is not None:
            seen.append(((mover,), grown(before, after, functions=functions)))
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
    first = [seat for seat in seats if evaluate(seat.turn, initial) is TRUE]
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
    is_shared = len(rivals(words)) > 1
    mine = {} if is_shared else {w.text: 0 for w in words if w.is_solved or w.is_failed}
    unknown = tuple(w for w in words if w.text not in mine and w.verb is not Verb.DRAWS)
    return Belonging(mine, unknown=unknown)


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
        elif word.verb is Verb.DRAWS or word in whose.drawn:
            meaning[word.text] = DRAW
    return meaning


def _evidence(index: int, whose: Belonging) -> tuple[str, ...]:
    """What ties words to the seat with this *index*, those with the same evidence together."""
    by_evidence: dict[str, list[str]] = {}
    for text, seat in whose.seat_by_word.items():
        if seat == index and text in whose.evidence:
            by_evidence.setdefault(whose.evidence[text], []).append(f"`{text}`")
    return tuple(f"{listing(texts)}: {why}" for why, texts in by_evidence.items())


def _player(
    seat: Seat,
    words: Sequence[ResultWord],
    meaning: Mapping[str, Meaning],
    *,
    evidence: tuple[str, ...],
) -> ir.PlayerRule:
    name = str(seat.name)
    known = [(w.value, meaning[w.text]) for w in words if w.text in meaning]
    return ir.PlayerRule(
        name,
        seat.turn,
        wins=tuple(value for value, means in known if name in means.winners),
        loses=tuple(value for value, means in known if name in means.losers),
        evidence=evidence,
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
    reason = "the document does not say who is who; the first in the alphabet moves first"
    if whose.by_rules:
        reason = "only the rules tell who is who; whoever brings about what they ask for wins"
    if (whose.assumed or whose.by_rules) and readings.PLAYERS not in mine:
        names = [str(seat.name) for seat in people]
        turns = [seat.turn for seat in people]
        orders = permutations(names) if len(names) <= _MOST_PERMUTED else [tuple(names)]
        mine[readings.PLAYERS] = Reading(
            readings.PLAYERS,
            players_text(zip(names, turns, strict=True)),
            tuple(players_text(zip(order, turns, strict=True)) for order in orders),
            reason,
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
