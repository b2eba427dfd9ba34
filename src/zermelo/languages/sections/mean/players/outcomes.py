"""The words of results: what they say about winning, and whom they name.

``Alpha Wins`` says that Alpha wins; ``draw`` names nobody; ``ex`` names somebody
and leaves it to its rule to tell whom. What a word means for the players of one
document is decided in ``players``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from zermelo.core.types import SetType, WordType
from zermelo.core.values import Atom, Value, in_order
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.reach import effects
from zermelo.languages.sections.walk import parts
from zermelo.text.source import NOWHERE, Span


class Verb(Enum):
    """What a result word says happened."""

    WINS = "wins"
    LOSES = "loses"
    DRAWS = "draws"
    SILENT = "names somebody or something, and no verb"


_WINS: Final = frozenset(
    {"win", "wins", "won", "winner", "winning", "victory", "victorious", "victor"}
)
_LOSES: Final = frozenset(
    {"lose", "loses", "lost", "loser", "losing", "loss", "defeat", "defeated"}
)
_DRAWS: Final = frozenset(
    {"draw", "draws", "drawn", "tie", "ties", "tied", "stalemate", "deadlock", "remis"}
    | {"nobody", "neither", "both", "even", "none", "noone"}
)
_FILLERS: Final = frozenset({"the", "is", "has", "have", "by", "a", "game"})
_SOLVED: Final = _WINS | frozenset(
    {"solved", "solve", "solution", "success", "succeeded", "complete", "completed", "done"}
    | {"escaped", "cleared", "reached", "passed", "yes", "goal", "finished", "across", "safe"}
)
_FAILED: Final = _LOSES | frozenset(
    {"fail", "fails", "failed", "failure", "dead", "died", "stuck", "trapped", "caught"}
    | {"bust", "timeout", "no", "unsolved", "impossible", "eaten", "drowned", "crashed"}
)

_ALONE: Final = frozenset({"player", "you", "i", "solver"})
_MOST_LISTED: Final = 64
_DEPTH: Final = 20


@dataclass(frozen=True, slots=True)
class ResultWord:
    """A value that the result may get."""

    value: Value
    text: str
    stem: str
    """The words that are no verb: who or what it names; may be empty."""
    verb: Verb
    guards: tuple[ir.Expr, ...]
    """The guards of the rules that set it."""
    span: Span
    """A rule that sets it, or nowhere."""
    rest: str = ""
    """What stands behind the name of a player, where it is no verb that is always clear."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its single words, in small letters."""
        return tuple(token.casefold() for token in _tokens(self.text))

    @property
    def is_solved(self) -> bool:
        """Whether a single player has won with it."""
        return any(token in _SOLVED for token in self.tokens) and not self.is_failed

    @property
    def is_failed(self) -> bool:
        """Whether a single player has lost with it."""
        return any(token in _FAILED for token in self.tokens)


def result_words(system: ir.System) -> tuple[ResultWord, ...]:
    """The values that the result of *system* may get, those of its set first.

    A value that it has at first and that no rule sets, as ``none``, is no result.
    """
    variable = None if system.result is None else system.variable(system.result)
    if variable is None:
        return ()
    kind = variable.type.item if isinstance(variable.type, SetType) else variable.type
    possible = [] if variable.domain is None else list(listed(system, variable.domain))
    given: dict[Value, list[tuple[tuple[ir.Expr, ...], Span]]] = {}
    for value, guards, span in _assigned(system, variable.name):
        given.setdefault(value, []).append((guards, span))
    values = list(dict.fromkeys((*possible, *given)))
    first = variable.initial.value if isinstance(variable.initial, ir.Literal) else None
    if isinstance(kind, WordType):
        values = [value for value in values if value in given or value != first]
    else:
        values = [value for value in values if value in given]
    return tuple(_word(value, given.get(value, [])) for value in values if _is_mark(value))


def _word(value: Value, rules: list[tuple[tuple[ir.Expr, ...], Span]]) -> ResultWord:
    text = value.name if isinstance(value, Atom) else str(value)
    stem, verb = read_word(text)
    guards = tuple(guard for around, _ in rules for guard in around)
    return ResultWord(value, text, stem, verb, guards, rules[0][1] if rules else NOWHERE)


def names_players(words: Sequence[ResultWord]) -> bool:
    """Whether *words* speak of several players: one is said to win, or two are named."""
    said = [w for w in words if w.verb in {Verb.WINS, Verb.LOSES} and w.stem]
    if any(w.stem.casefold() not in _ALONE for w in said):
        return True
    named = [w for w in words if w.verb is Verb.SILENT and not w.is_solved and not w.is_failed]
    return len({w.stem.casefold() for w in named}) >= 2


def read_word(text: str) -> tuple[str, Verb]:
    """Whom a result word names, and what it says.

    >>> read_word("Alpha Wins"), read_word("xWon"), read_word("draw"), read_word("ex")
    (('Alpha', <Verb.WINS: 'wins'>), ('x', <Verb.WINS: 'wins'>), ('', <Verb.DRAWS: 'draws'>), \
('ex', <Verb.SILENT: 'names somebody or something, and no verb'>))
    """
    tokens = _tokens(text)
    lower = [token.casefold() for token in tokens]
    if any(token in _DRAWS for token in lower) or lower[:1] == ["no"]:
        return "", Verb.DRAWS
    if text == "0":
        return "", Verb.DRAWS
    verb = Verb.SILENT
    if any(token in _WINS for token in lower):
        verb = Verb.WINS
    elif any(token in _LOSES for token in lower):
        verb = Verb.LOSES
    if verb is Verb.SILENT:
        return text, verb
    named = [t for t in tokens if t.casefold() not in _WINS | _LOSES]
    # A player may be called A: words such as the article go only if something is left.
    short = [t for t in named if t.casefold() not in _FILLERS or t == "A"]
    return " ".join(short or named), verb


def _tokens(text: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return [token for token in re.split(r"[\s_\-:,.!'’]+", spaced) if token]


def _assigned(system: ir.System, name: str) -> Iterator[tuple[Value, tuple[ir.Expr, ...], Span]]:
    """Each value that a rule gives the variable *name*, or adds to it."""
    seen: set[int] = set()
    for procedure in (*system.moves, *((system.end,) if system.end else ())):
        for effect in effects(system, procedure):
            if effect.assign.variable != name or id(effect.assign) in seen:
                continue
            seen.add(id(effect.assign))
            span = effect.assign.span if effect.rule is None else effect.rule.span
            for node in parts(effect.assign.value):
                if isinstance(node, ir.Literal):
                    for value in _marks(node.value):
                        yield value, effect.guards, span


def listed(system: ir.System, domain: ir.Expr, *, depth: int = 0) -> Iterator[Value]:
    """The words or numbers that *domain* lists, itself or by the names of sets."""
    match domain:
        case ir.PowerSet(base=base):
            yield from listed(system, base, depth=depth)
        case ir.SetOf(items=items):
            for item in items:
                if isinstance(item, ir.Literal | ir.Range):
                    yield from listed(system, item, depth=depth)
        case ir.Range(low=ir.Literal(value=int(low)), high=ir.Literal(value=int(high))):
            yield from range(low, min(high, low + _MOST_LISTED) + 1)
        case ir.Literal(value=value):
            yield from _marks(value)
        case ir.Ref(name=name) if depth < _DEPTH:
            definition = next((s for s in system.sets if s.name == name), None)
            if definition is not None:
                yield from listed(system, definition.value, depth=depth + 1)
        case ir.Binary(op=ir.Op.UNION, left=left, right=right):
            yield from listed(system, left, depth=depth)
            yield from listed(system, right, depth=depth)
        case _:
            pass


def _marks(value: Value) -> Iterator[Value]:
    if isinstance(value, frozenset):
        for item in in_order(value):
            yield from _marks(item)
    elif _is_mark(value):
        yield value


def _is_mark(value: Value) -> bool:
    return isinstance(value, Atom | int) and not isinstance(value, bool)
