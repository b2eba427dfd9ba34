"""Which moves, players and results of two models are one, as a mapping says it.

Without one, moves are the same if their names and arguments are, and players and results if their
names are, whatever the case. A mapping gives moves of either model other names, may send many of
them to one, and hides some, which are then not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.machine import Ending, Outcome
from zermelo.core.signature import Signature
from zermelo.core.state import NO_EFFECT_MOVE, PASS_MOVE, Move
from zermelo.core.values import to_text
from zermelo.text.errors import UsageError, nearest
from zermelo.text.prose import listing

SIDES: Final = ("first", "second")
"""The tables of a mapping: one for each of the two documents."""
KEYS: Final[Mapping[str, str]] = {
    "moves": 'a table of moves and their names, as in `"m11" = "Mark((1, 1))"`',
    "hide": 'a list of moves that are not made, as in `hide = ["rest"]`',
    "players": 'a table of players and their names, as in `x = "X"`',
    "results": 'a table of results and their names, as in `"cat got it" = "draw"`',
}
_ANYTHING: Final = "*"
_RANGE: Final = re.compile(r"(-?\d+)\.\.(-?\d+)")
_NUMBER: Final = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class MovePattern:
    """Some moves of a model: all of one name, or those whose arguments fit."""

    name: str
    arguments: tuple[str, ...] | None
    """Each a value, `*` for any, or a range as `100..199`; ``None`` if any will do."""

    def fits(self, move: Move) -> bool:
        """Whether *move* is one of them.

        >>> inside = pattern("click(100..199, *)")
        >>> inside.fits(Move("click", (150, 7))), inside.fits(Move("click", (200, 7)))
        (True, False)
        """
        if move.name != self.name:
            return False
        if self.arguments is None:
            return True
        given = [_squeezed(to_text(value)) for value in move.arguments]
        return len(given) == len(self.arguments) and all(map(_argument_fits, self.arguments, given))


def _argument_fits(wanted: str, given: str) -> bool:
    bounds = _RANGE.fullmatch(wanted)
    if bounds is not None and _NUMBER.fullmatch(given):
        return int(bounds[1]) <= int(given) <= int(bounds[2])
    return wanted in {_ANYTHING, given}


def pattern(text: str) -> MovePattern:
    """The moves that *text* stands for.

    >>> pattern("Mark((1, *))")
    MovePattern(name='Mark', arguments=('(1,*)',))
    """
    name, bracket, rest = text.partition("(")
    name = name.strip()
    if not name or (bracket and not rest.rstrip().endswith(")")):
        raise UsageError(f"`{text}` is no move; write a name, or a name with arguments in brackets")
    if not bracket:
        return MovePattern(name, None)
    return MovePattern(name, tuple(_arguments(_squeezed(rest.rstrip()[:-1]))))


def _arguments(text: str) -> Iterable[str]:
    """What stands between the commas of *text* that are in no bracket."""
    depth, begun = 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{⟨") - (sign in ")]}⟩")
        if sign == "," and not depth:
            yield text[begun:at]
            begun = at + 1
    if text:
        yield text[begun:]


def _squeezed(text: str) -> str:
    return "".join(text.split())


@dataclass(frozen=True, slots=True)
class Alignment:
    """What the moves, players and results of one model are called where it is compared."""

    moves: tuple[tuple[MovePattern, str], ...] = ()
    hidden: tuple[MovePattern, ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    results: tuple[tuple[str, str], ...] = ()

    def label(self, move: Move) -> str | None:
        """What *move* is called, without blanks; ``None`` if it is hidden."""
        if any(each.fits(move) for each in self.hidden):
            return None
        for each, name in self.moves:
            if each.fits(move):
                if each.arguments is None and "(" not in name:
                    return _squeezed(str(Move(name, move.arguments)))
                return _squeezed(name)
        return _squeezed(str(move))

    def player(self, name: str) -> str:
        """What the player *name* is called: names in another case are the same."""
        return dict(self.players).get(name, name).casefold()

    def outcome(self, outcome: Outcome) -> tuple[str, ...]:
        """What *outcome* says of the players, whatever words the document has for it.

        Where it says nothing of them its result is what is compared.
        """
        if outcome.ending is Ending.OVER:
            said = "" if outcome.result is None else to_text(outcome.result)
            return outcome.ending.value, dict(self.results).get(said, said).casefold()
        if outcome.ending is Ending.STUCK:
            return (outcome.ending.value,)
        winners = sorted(map(self.player, outcome.winners))
        losers = sorted(map(self.player, outcome.losers))
        return outcome.ending.value, *winners, "/", *losers


UNALIGNED: Final = Alignment()


def alignments(
    data: Mapping[str, object], models: Sequence[Signature], *, source: str
) -> tuple[Alignment, Alignment]:
    """What *data*, a mapping as TOML has it, says of the two *models*.

    Raises ``UsageError`` with *source*, the name of the file, and what is wrong with it.
    """
    try:
        _refuse_other_tables(data)
        first, second = (
            _alignment(data.get(side, {}), model, side)
            for side, model in zip(SIDES, models, strict=True)
        )
    except UsageError as error:
        raise UsageError(f"{source}: {error}") from error
    return first, second


def _refuse_other_tables(data: Mapping[str, object]) -> None:
    for key in data:
        if key not in SIDES:
            raise UsageError(
                f"a mapping has no table `{key}`; it has `[first]` and `[second]`, "
                "for the two documents"
            )


def _alignment(table: object, model: Signature, side: str) -> Alignment:
    if not isinstance(table, dict):
        raise UsageError(f"`{side}` is no table")
    for key in table:
        if key not in KEYS:
            raise UsageError(f"`{side}` has no key `{key}`{_instead(key, list(KEYS))}")
    kinds = [*(kind.name for kind in model.moves), PASS_MOVE, NO_EFFECT_MOVE]
    moves = _texts(table, "moves", side)
    hidden = table.get("hide", [])
    if not isinstance(hidden, list) or not all(isinstance(each, str) for each in hidden):
        raise UsageError(f"`{side}.hide` is not {KEYS['hide']}")
    players = _texts(table, "players", side)
    known = [player.name for player in model.players]
    for name in players:
        if name not in known:
            raise UsageError(f"{model.name} has no player `{name}`{_instead(name, known)}")
    return Alignment(
        moves=tuple((_known(text, kinds, model), name) for text, name in moves.items()),
        hidden=tuple(_known(text, kinds, model) for text in hidden),
        players=tuple(players.items()),
        results=tuple(_texts(table, "results", side).items()),
    )


def _texts(table: Mapping[str, object], key: str, side: str) -> dict[str, str]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise UsageError(f"`{side}.{key}` is not {KEYS[key]}")
    texts = {name: text for name, text in found.items() if isinstance(text, str)}
    wrong = next((name for name in found if name not in texts), None)
    if wrong is not None:
        raise UsageError(f"`{side}.{key}`: `{wrong}` stands for no text in quotes")
    return texts


def _known(text: str, kinds: Sequence[str], model: Signature) -> MovePattern:
    made = pattern(text)
    if made.name not in kinds:
        named = [kind.name for kind in model.moves]
        raise UsageError(f"{model.name} has no move `{made.name}`{_instead(made.name, named)}")
    return made


def _instead(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    if near:
        return f"; did you mean `{near[0]}`?"
    return f"; it has {listing([f'`{each}`' for each in known])}" if known else "; it has none"
