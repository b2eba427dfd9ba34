"""What the playing commands say: the start, whose turn it is, refusals, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zermelo.core.machine import Ending, Move, Outcome, Turn
from zermelo.faces.cli.screen import Screen
from zermelo.languages.sections.explain.evidence import lack_pieces, rule_text
from zermelo.languages.sections.explain.why import first_failure, why
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.printer import to_text as expr_text
from zermelo.play import notation
from zermelo.play.advice import Advice, Advised, in_words, tone
from zermelo.play.session import Session, outcome_text
from zermelo.text.prose import Line, Piece, Tone, count, line, listing, tied
from zermelo.text.source import width

FEW_MOVES = 9
"""So many moves get a line each when it is said what they are worth."""
MOST_MOVES = 200
"""More legal moves than this are not listed."""


def readings_line(system: System, screen: Screen) -> Line:
    """The readings in a line or two."""
    shown = [f"{reading.name}: {reading.choice}" for reading in system.readings]
    if not shown:
        return line(Piece("Read as written; nothing was left open.", Tone.FAINT))
    room = 2 * screen.width - len("Read with and 10 more (type `readings` for reasons)")
    kept: list[str] = []
    while shown and (not kept or width("; ".join([*kept, shown[0]])) <= room):
        kept.append(shown.pop(0))
    rest = f" and {len(shown)} more" if shown else ""
    return line(Piece(f"Read with {'; '.join(kept)}{rest}.", Tone.FAINT))


def how_to_move(session: Session) -> Line:
    """How a move is typed, with an example."""
    forms = listing([f"`{form}`" for form in notation.forms(session.machine.system)], last="or")
    legal = session.legal
    example = notation.to_text(legal[0], session.machine.system) if legal else ""
    such = f", for example `{example}`" if example else ""
    return line(f"A move is typed as {forms}{such}; `help` shows what else you can type.")


def whose_turn(session: Session) -> Line:
    """Whose turn it is, or how the play ended."""
    player = session.player
    if player is None:
        moves = count(len(session.legal), "move")
        return line(f"{moves} possible.")
    return line(Piece(player, Tone.STRONG), " to move.")


def move_line(turn: Turn, session: Session, *, who: str | None) -> Line:
    """A move that was made."""
    shown = notation.to_text(turn.move, session.machine.system)
    return line(Piece(f"{who}: " if who else "", Tone.STRONG), Piece(shown, Tone.FORMULA))


def refused(session: Session, move: Move, *, reason: str) -> Line:
    """Why *move* was refused, with the part of the nearest rule that does not hold."""
    answer = why(session.machine, session.state, move)
    failure = first_failure(answer.nearest) if answer.nearest is not None else None
    parts: list[str | Piece] = [Piece(reason, Tone.BAD)]
    if failure is not None and answer.nearest is not None:
        parts += [f": rule {answer.nearest.rule.label} needs ", *lack_pieces(failure)]
    return line(*parts, ".")


def outcome_lines(session: Session, outcome: Outcome) -> Iterator[Line]:
    """How the play ended, and which rule and fact decided it."""
    if outcome.ending is Ending.STUCK:
        player = session.player or "the player"
        yield line(
            Piece(f"{player} is stuck", Tone.STRONG),
            ": the play is not over, and no move has an effect. "
            "The document does not say what becomes of it (reading `stuck player`).",
        )
        return
    yield line("The play is over: ", Piece(outcome_text(outcome), Tone.STRONG), ".")
    decision = session.decision()
    if decision is not None:
        made = "" if decision.after_moves == len(session.turns) else _when(decision.after_moves)
        yield line(
            f"Decided by rule {decision.rule.label} of {decision.procedure}{made}:", indent=2
        )
        yield line(Piece(rule_text(decision.rule), Tone.FORMULA), indent=4, hang=4)
    holding = session.reasons_for_end()
    if holding:
        formulas = listing([expr_text(part) for part in holding])
        yield line("Over because ", Piece(formulas, Tone.FORMULA), ".", indent=2, hang=2)


def _when(moves: int) -> str:
    return f", after {count(moves, 'move')}"


def advice_lines(advised: Advised, session: Session, screen: Screen) -> Iterator[Line]:
    """What is known of moves, and what that rests on.

    A move is a line; where many moves are worth the same, a value is one.
    """
    system = session.machine.system
    said: dict[str, list[Advice]] = {}
    for advice in advised.moves:
        said.setdefault(in_words(advice, players=len(system.players)), []).append(advice)
    if len(said) * 2 < len(advised.moves) > FEW_MOVES:
        yield from _by_value(said, system)
    else:
        yield from _by_move(said, system, screen)
    yield line(Piece(f"{advised.basis[:1].upper()}{advised.basis[1:]}.", Tone.FAINT))


def _by_value(said: Mapping[str, Sequence[Advice]], system: System) -> Iterator[Line]:
    for value, moves in said.items():
        texts = [tied(notation.to_text(each.move, system)) for each in moves]
        listed = Piece("; ".join(texts), Tone.FORMULA)
        yield line(Piece(value, tone(moves[0])), ": ", listed, indent=2, hang=2)


def _by_move(
    said: Mapping[str, Sequence[Advice]], system: System, screen: Screen
) -> Iterator[Line]:
    rows = [
        (screen.spelled(notation.to_text(each.move, system)), value, tone(each))
        for value, moves in said.items()
        for each in moves
    ]
    size = max((width(text) for text, _, _ in rows), default=0)
    for text, value, how in rows:
        shown = Piece(text + " " * (size - width(text)), Tone.FORMULA)
        yield line(shown, "  ", Piece(value, how), indent=2, hang=size + 2)


def moves_list(moves: Sequence[Move], session: Session, screen: Screen) -> Iterator[str]:
    """The *moves* in columns."""
    if not moves:
        yield "No move is possible."
        return
    yield f"{count(len(moves), 'move')}:"
    system = session.machine.system
    texts = [screen.spelled(notation.to_text(move, system)) for move in moves[:MOST_MOVES]]
    size = max(map(width, texts)) + 3
    columns = max((screen.width - 2) // size, 1)
    for start in range(0, len(texts), columns):
        row = texts[start : start + columns]
        yield "  " + "".join(text + " " * (size - width(text)) for text in row).rstrip()
    if len(moves) > MOST_MOVES:
        yield f"  and {len(moves) - MOST_MOVES:,} more"
