"""What is said of plays: the log of a turn, a state with what changed marked, the end, advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zermelo.core.commentary import (
    CHANGED,
    Aim,
    Change,
    Commentary,
    Goal,
    difference_text,
    ending_lines,
    is_large,
    short,
)
from zermelo.core.machine import Ending, Fault, Machine, Outcome, Turn
from zermelo.core.prompt import Shown, TwoColumns
from zermelo.core.signature import OF_GAMES, Nouns, Signature
from zermelo.core.space import Space
from zermelo.core.state import PASS_MOVE, Move, State
from zermelo.core.values import Value, to_text
from zermelo.play import notation
from zermelo.play.advice import Advice, Advised, in_words, tone
from zermelo.play.session import (
    Session,
    attempted,
    move_text,
    outcome_text,
    player_to_move,
    refusal,
)
from zermelo.text.prose import (
    BLANK,
    Line,
    Piece,
    Tone,
    capital,
    count,
    heading,
    line,
    listing,
    tied,
)

FEW_MOVES: Final = 9
"""So many moves get a line each when it is said what they are worth."""
MOST_SHOWN: Final = 12
"""Moves of a play that are shown."""


def log(words: Commentary, turn: Turn) -> tuple[Line, ...]:
    """What *turn* did, step by step, and the state after it."""
    head, foot = around_log(words, turn)
    return (*head, *words.steps(turn), *foot)


def around_log(words: Commentary, turn: Turn) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """What stands above the steps of *turn*, and what below: the state after it."""
    return (heading(str(turn.move)),), (BLANK, *_verdict(words, turn))


def why(words: Commentary, state: State, move: Move) -> tuple[Line, ...]:
    """Why *move* can or cannot be made in *state*."""
    turn = attempted(words.machine, state, move)
    if turn.after is None:
        summary = line(Piece(refusal(words.machine, turn), Tone.BAD), ".")
    else:
        summary = words.can_be_made(turn, notation.to_text(move, words.machine.signature))
    return (summary, *words.why(turn))


def state_lines(
    machine: Machine, state: State, *, before: State | None = None, indent: int = 2
) -> Iterator[Line]:
    """The values of *state*, its facts last, with what changed since *before* marked.

    Beside what changed, large facts are named by the number of their members.
    """
    old = {} if before is None else _values(machine, before)
    facts = {name for name, _ in machine.facts(state)}
    for name, value in _values(machine, state).items():
        is_changed = before is not None and old.get(name) != value
        note = " (fact)" if name in facts else ""
        is_short = before is not None and name in facts and is_large(value)
        text = f"{name} has {short(value)}" if is_short else f"{name} = {_full(value, state)}"
        if not is_changed:
            yield line(f"  {text}", Piece(note, Tone.FAINT), indent=indent, hang=6)
            continue
        yield line(
            Piece(f"{CHANGED} {text}", Tone.CHANGED),
            Piece(f"{note}   {_was(name, old[name], value)}", Tone.FAINT),
            indent=indent,
            hang=6,
        )


def _was(name: str, before: Value | Fault, after: Value | Fault) -> str:
    if isinstance(before, frozenset) and isinstance(after, frozenset):
        return difference_text(Change(name, before, after))
    return f"was {short(before)}"


def _full(value: Value | Fault, state: State) -> str:
    return short(value) if isinstance(value, Fault) else state.show(value)


def _values(machine: Machine, state: State) -> dict[str, Value | Fault]:
    return {**dict(state.items()), **dict(machine.facts(state))}


def _verdict(words: Commentary, turn: Turn) -> Iterator[Line]:
    machine = words.machine
    shown = notation.to_text(turn.move, machine.signature)
    if turn.fault is not None:
        rule = f", rule {turn.fault.rule}" if turn.fault.rule else ""
        yield line(
            Piece("The turn is not made", Tone.BAD),
            f": {turn.fault.message} ({turn.fault.procedure}{rule}). ",
            "The state stays as it was.",
        )
        return
    ended = machine.outcome(turn.before)
    if turn.after is None and ended is not None and ended.is_over:
        yield line(Piece("Refused", Tone.BAD), f": the play is over ({outcome_text(ended)}).")
        return
    if turn.after is None:
        yield words.no_effect(turn, shown)
        return
    if not turn.has_effect and turn.move.name != PASS_MOVE:
        yield words.no_effect(turn, shown)
    outcome = machine.outcome(turn.after)
    yield line("After ", Piece(shown, Tone.STRONG), *_next(machine, turn.after), hang=2)
    yield from state_lines(machine, turn.after, before=turn.before)
    if outcome is not None:
        said = "The play is over: " if outcome.is_over else "No move is possible: "
        yield line(said, Piece(outcome_text(outcome), Tone.STRONG), ".")


def _next(machine: Machine, state: State) -> tuple[str, ...]:
    player = player_to_move(machine, state)
    if machine.outcome(state) is not None or player is None:
        return (":",)
    return (f", {player} to move:",)


# At a prompt


def aim_lines(aim: Aim, *, person: str | None) -> Iterator[Line]:
    """How one wins, first whoever is the *person* at the prompt, and what the document says."""
    if aim.quoted:
        yield line("The document says: “", Piece(aim.quoted, Tone.STRONG), "”", hang=2)
    mine = [goal for goal in aim.goals if person is not None and goal.players == (person,)]
    for goal in (*mine, *(each for each in aim.goals if each not in mine)):
        listed = [Piece(each, Tone.FORMULA) for each in goal.conditions[:_MOST_CONDITIONS]]
        left = len(goal.conditions) - len(listed)
        more = f", or in {count(left, 'other way')}, which `rules` tells" if left else ""
        said: list[str | Piece] = [Piece(_wins(goal, person), Tone.STRONG), " when "]
        for at, condition in enumerate(listed):
            said.extend([", or when ", condition] if at else [condition])
        yield line(*said, f"{more}.", hang=2)
    if aim.over:
        yield line("The play is over when ", Piece(aim.over, Tone.FORMULA), ".", hang=2)


_MOST_CONDITIONS: Final = 3


def _wins(goal: Goal, person: str | None) -> str:
    match goal.ending, goal.players:
        case Ending.DRAW, _:
            return "It is a draw"
        case ending, (only,) if only == person:
            return f"You ({only}) {ending.value if ending is Ending.WIN else 'lose'}"
        case ending, players:
            verb = "win" if ending is Ending.WIN else "lose"
            return f"{listing(players)} {verb}{'s' if len(players) == 1 else ''}"


def made_line(turn: Turn, session: Session, *, who: str | None) -> Line:
    """That the last move of *session* was made, by *who*."""
    told = session.words.made(turn, len(session.turns))
    if told is not None:
        return told
    shown = Piece(move_text(turn.move, session.words), Tone.FORMULA)
    return line(Piece(f"{who}: " if who else "", Tone.STRONG), shown)


def whose_turn(session: Session) -> Line:
    """Whose turn it is; without players, how many moves there are."""
    player, more = session.player, unlisted_words(session)
    if player is not None:
        return line(Piece(player, Tone.STRONG), f" to move.{more}")
    if more and not session.legal:
        return line(more.lstrip())
    count = session.machine.signature.nouns.counted_moves(len(session.legal))
    return line(f"{count} possible.{more}")


def unlisted_words(session: Session) -> str:
    """What there is to say of moves that could not be listed, behind a blank; or nothing."""
    fault = session.unlisted
    if fault is None:
        return ""
    return (
        f" The moves {fault.procedure} cannot be listed: {fault.message}. "
        "Each can be made if it is typed."
    )


def refused_line(session: Session, move: Move, *, reason: str) -> Line:
    """Why *move* was refused, with the part of the nearest rule that does not hold."""
    turn = attempted(session.machine, session.state, move)
    return line(*session.words.refused(turn, reason), ".")


def outcome_lines(session: Session, outcome: Outcome) -> Iterator[Line]:
    """How the play ended, and which rule and fact decided it."""
    if outcome.ending is Ending.STUCK and not session.machine.signature.players:
        yield line(Piece("It stops here", Tone.STRONG), ": no move has an effect any more.")
        return
    if outcome.ending is Ending.STUCK:
        player = session.player or "the player"
        yield line(
            Piece(f"{player} is stuck", Tone.STRONG),
            ": the play is not over, and no move has an effect. "
            "The document does not say what becomes of it (reading `stuck player`).",
        )
        return
    yield line("The play is over: ", Piece(outcome_text(outcome), Tone.STRONG), ".")
    verdict = session.words.verdict(session.turns, session.state)
    yield from ending_lines(verdict, len(session.turns))


def advice_lines(advised: Advised, signature: Signature) -> Iterator[Shown]:
    """What is known of moves, and what that rests on.

    A move is a line; where many moves are worth the same, a value is one.
    """
    said: dict[str, list[Advice]] = {}
    for advice in advised.moves:
        said.setdefault(in_words(advice, players=len(signature.players)), []).append(advice)
    if len(said) * 2 < len(advised.moves) > FEW_MOVES:
        yield from _by_value(said, signature)
    else:
        rows = [
            (
                Piece(notation.to_text(each.move, signature), Tone.FORMULA),
                Piece(value, tone(each)),
            )
            for value, moves in said.items()
            for each in moves
        ]
        yield TwoColumns(tuple(rows))
    if advised.left_out:
        yield line(f"and {count(advised.left_out, 'move')} more, which did no better", indent=2)
    yield line(Piece(f"{capital(advised.basis)}.", Tone.FAINT))


def _by_value(said: Mapping[str, Iterable[Advice]], signature: Signature) -> Iterator[Line]:
    for value, moves in said.items():
        best, *_ = moves
        texts = [tied(notation.to_text(each.move, signature)) for each in moves]
        listed = Piece("; ".join(texts), Tone.FORMULA)
        yield line(Piece(value, tone(best)), ": ", listed, indent=2, hang=2)


# What was explored


def play_text(moves: Sequence[Move], signature: Signature) -> str:
    """A play as evidence, its middle left out when it is long."""
    if not moves:
        return "no move"
    shown = [tied(notation.to_text(move, signature)) for move in moves]
    if len(shown) > MOST_SHOWN:
        left_out = len(shown) - MOST_SHOWN
        shown = [*shown[: MOST_SHOWN - 2], f"… {left_out} more …", *shown[-2:]]
    return ", ".join(shown)


def verdict_lines(space: Space, signature: Signature, words: Nouns = OF_GAMES) -> Iterator[Line]:
    """How much was seen, whether that was all, and how plays end."""
    states = count(space.states, words.state)
    if space.is_complete:
        yield line(f"{states}, {space.how_much}.", indent=2, hang=4)
    else:
        yield line(
            f"{states} {'was' if space.states == 1 else 'were'} "
            f"looked at, not all: {space.cut}. "
            f"Up to {count(space.full_depth, words.move)} deep they are all there.",
            indent=2,
            hang=4,
        )
    alike = Counter(str(ending.outcome) for ending in space.endings)
    for ending in space.endings:
        if ending.outcome.ending is Ending.STUCK:
            continue
        told = ending.outcome.result
        # Several results may say the same, as two draws by different scores.
        apart = told is not None and alike[str(ending.outcome)] > 1
        first = (
            f"; first after {count(len(ending.play), 'move')}: ",
            Piece(play_text(ending.play, signature), Tone.FORMULA),
        )
        yield line(
            Piece(str(ending.outcome), Tone.STRONG),
            f" ({to_text(told)})" if apart and told is not None else "",
            f": {count(ending.count, 'state')}",
            *(first if space.has_plays else ()),
            indent=2,
            hang=4,
        )
    if space.stuck is not None:
        why = " not over and without a move" if words.stuck is None else ""
        yield line(
            Piece(words.stuck or "stuck", Tone.STRONG),
            f": {count(space.stuck.count, words.state)}{why}",
            *(_first(space.stuck.play, signature) if space.has_plays else ()),
            indent=2,
            hang=4,
        )
    for found in space.faults:
        yield line(
            Piece(found.fault.message, Tone.BAD),
            f" (in {found.fault.procedure})",
            *(_first(found.play, signature) if space.has_plays else ()),
            indent=2,
            hang=4,
        )
    if space.untold is not None:
        yield line(f"More is not told: {space.untold}.", indent=2, hang=4)


def _first(play: Sequence[Move], signature: Signature) -> tuple[str, Piece]:
    return "; first after ", Piece(play_text(play, signature), Tone.FORMULA)
