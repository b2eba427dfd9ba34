"""Sets of markings as they are typed, and whether a marking is in one.

An example is ``|hungry| >= 2 && !(fork == empty) | %1``. The shell asks which nodes of a graph are
in such a set; who says from outside who plays a net asks it of single markings, where what only a
graph has (nodes, components, sets that were kept) cannot be named.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

from zermelo.core.state import State
from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.words import bag_in, colours
from zermelo.text.errors import UsageError, nearest
from zermelo.text.prose import count

NAMED: Final = ("terminal", "traps", "all")
DEEPEST: Final = 100
_ENABLED: Final = "enabled"
_WORDS: Final = (*NAMED, _ENABLED, "empty", "has", "in", "not", "and", "or")
_TOKENS: Final = re.compile(
    r"\s*(?:(?P<register>%\d+)|(?P<component>@@\d+)|(?P<node>@\d+)|(?P<number>\d+)"
    r'|(?P<quoted>"[^"]*")|(?P<word>[^\W\d][\w\-]*(?:\.\w+)*)'
    r"|(?P<sign><\.|\.>|&&|\|\||==|!=|<=|>=|[<>=&|!()+,*-]))"
)


class Comparison(Enum):
    """How two things are compared."""

    EQ = "=="
    NE = "!="
    LE = "<="
    GE = ">="
    LT = "<"
    GT = ">"


COMPARED_NUMBERS: Final[Mapping[Comparison, Callable[[Any, Any], Any]]] = {
    each: getattr(operator, each.name.lower()) for each in Comparison
}


@dataclass(frozen=True, slots=True)
class Count:
    """A sum of numbers: a number, and the sizes of places."""

    number: int
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counted:
    """A comparison of numbers."""

    left: Count
    relation: Comparison
    right: Count


@dataclass(frozen=True, slots=True)
class Content:
    """A bag: so many of these tokens, and what lies in these places."""

    bag: Bag
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of bags: ``<=`` is containment."""

    left: Content
    relation: Comparison
    right: Content


Pattern: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Has:
    """That at least so many tokens of a form lie in a place."""

    place: int
    pattern: Pattern
    times: int


@dataclass(frozen=True, slots=True)
class Enabled:
    """That some firing of a transition is enabled."""

    transition: str


@dataclass(frozen=True, slots=True)
class Register:
    """A set that was kept."""

    number: int


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set with a name of its own: ``terminal``, ``traps``, ``all``."""

    name: str


@dataclass(frozen=True, slots=True)
class OneNode:
    """The node with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class InComponent:
    """The nodes of a component."""

    number: int


@dataclass(frozen=True, slots=True)
class Complement:
    """All other nodes."""

    operand: Sets


@dataclass(frozen=True, slots=True)
class Intersection:
    """The nodes in both sets."""

    left: Sets
    right: Sets


@dataclass(frozen=True, slots=True)
class Union:
    """The nodes in one set or the other."""

    left: Sets
    right: Sets


Sets: TypeAlias = (
    Counted
    | Compared
    | Has
    | Enabled
    | Register
    | NamedSet
    | OneNode
    | InComponent
    | Complement
    | Intersection
    | Union
)


class _SetToken(NamedTuple):
    kind: str
    text: str


def parse(text: str, net: Net) -> Sets:
    """What *text* says about the nodes of the graph of *net*; ``UsageError`` if it is no set."""
    return _SetReader(text, net).whole()


def _tokens(text: str) -> list[_SetToken]:
    found: list[_SetToken] = []
    at = 0
    while text[at:].strip():
        match = _TOKENS.match(text, at)
        if match is None:
            rest = text[at:].strip()
            raise UsageError(f"`{rest[0]}` in `{text.strip()}` is no sign of a condition")
        kind = match.lastgroup or ""
        found.append(_SetToken(kind, match[kind]))
        at = match.end()
    return found


class _SetReader:
    def __init__(self, text: str, net: Net) -> None:
        self._text = text
        self._net = net
        self._tokens = _tokens(text)
        self._at = 0
        self._places: Mapping[str, int] = {
            **{place.label: at for at, place in enumerate(net.places) if place.label},
            **{place.name: at for at, place in enumerate(net.places)},
        }

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _kind(self) -> str:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else "end"

    def _is_name(self) -> bool:
        return self._kind() in {"word", "quoted"}

    def _take(self) -> str:
        text = self._peek()
        self._at += 1
        return text

    def _takes(self, *texts: str) -> bool:
        is_there = self._kind() in {"sign", "word"} and self._peek() in texts
        self._at += is_there
        return is_there

    def _expect(self, text: str, where: str) -> None:
        if not self._takes(text):
            raise self._wrong(f"`{text}` {where}")

    def _wrong(self, wanted: str) -> UsageError:
        found = f"before `{self._peek()}`" if self._peek() else "at the end"
        return UsageError(f"{wanted} is missing {found} of `{self._text.strip()}`")

    def whole(self) -> Sets:
        found = self._either(0)
        if self._at < len(self._tokens):
            raise self._wrong("`&&` or `||`")
        return found

    def _either(self, depth: int) -> Sets:
        if depth > DEEPEST:
            raise UsageError("there are too many brackets within each other")
        found = self._both(depth)
        while self._takes("||", "|", "or"):
            found = Union(found, self._both(depth))
        return found

    def _both(self, depth: int) -> Sets:
        found = self._one(depth)
        while self._takes("&&", "&", "and"):
            found = Intersection(found, self._one(depth))
        return found

    def _one(self, depth: int) -> Sets:
        if self._takes("!", "not"):
            if depth > DEEPEST:
                raise UsageError("there are too many negations within each other")
            return Complement(self._one(depth + 1))
        if self._takes("("):
            inner = self._either(depth + 1)
            self._expect(")", "for `(`")
            return inner
        if self._peek() == _ENABLED and _ENABLED not in self._places and self._kind() == "word":
            self._take()
            return self._enabled()
        simple = _SIMPLE.get(self._kind())
        if simple is not None:
            return simple(self._take())
        if self._peek() in NAMED and self._peek() not in self._places and self._kind() == "word":
            return NamedSet(self._take())
        return self._condition()

    def _enabled(self) -> Enabled:
        if not self._is_name():
            raise self._wrong("the name of a transition")
        name = self._take().strip('"')
        known = {each.label: each.name for each in self._net.transitions if each.label}
        known.update((each.name, each.name) for each in self._net.transitions)
        if name not in known:
            raise UsageError(f"there is no transition `{name}`{_hint(name, list(known))}")
        return Enabled(known[name])

    def _condition(self) -> Sets:
        if self._kind() == "end":
            raise self._wrong("a condition")
        after = self._tokens[self._at + 1].text if self._at + 1 < len(self._tokens) else ""
        if self._is_name() and after == "has":
            place = self._place()
            self._take()
            times, pattern = self._pattern(place)
            return Has(place, pattern, times)
        # A number may also say how many of a token.
        if self._peek() == "|" or (self._kind() == "number" and after not in {"<.", "*"}):
            left = self._count()
            return Counted(left, self._relation(), self._count())
        return self._bags()

    def _relation(self) -> Comparison:
        if self._takes("="):
            return Comparison.EQ
        for each in Comparison:
            if self._takes(each.value):
                return each
        raise self._wrong("`==`, `!=`, `<=`, `>=`, `<` or `>`")

    def _count(self) -> Count:
        number, places = 0, []
        while True:
            if self._takes("|"):
                places.append(self._place())
                self._expect("|", "behind the place")
            elif self._kind() == "number":
                number += int(self._take()[:18])
            else:
                raise self._wrong("a number, or a place as in `|place|`,")
            if not self._takes("+"):
                return Count(number, tuple(places))

    def _place(self) -> int:
        if not self._is_name():
            raise self._wrong("the name of a place")
        name = self._take().strip('"')
        if name in self._places:
            return self._places[name]
        raise UsageError(f"there is no place `{name}`{_hint(name, (*self._places, *_WORDS))}")

    def _bags(self) -> Sets:
        start = self._at
        if self._peek() == "<." or self._kind() == "number":
            place = self._place_compared(start)
            times, pattern = self._pattern(place)
            if self._takes("in"):
                return Has(self._place(), pattern, times)
            self._at = start
        place = self._place_compared(start)
        left = self._content(place)
        return Compared(left, self._relation(), self._content(place))

    def _place_compared(self, start: int) -> int:
        """The first place that the comparison names: it says what the tokens are."""
        for token in self._tokens[start:]:
            if token.text in {"&&", "||", "&", "|", ")"} and token.kind == "sign":
                break
            if token.kind in {"word", "quoted"} and token.text.strip('"') in self._places:
                return self._places[token.text.strip('"')]
        self._at = start
        if self._peek() == "empty" or not self._is_name():
            raise UsageError(f"`{self._text.strip()}` names no place")
        return self._place()

    def _content(self, place: int) -> Content:
        counts: dict[Token, int] = {}
        places: list[int] = []
        while True:
            if self._peek() == "empty" and "empty" not in self._places:
                self._take()
            elif self._peek() == "<." or self._kind() == "number":
                times, pattern = self._pattern(place)
                token = tuple(each for each in pattern if each is not None)
                if len(token) < len(pattern):
                    raise UsageError("`_` stands for any number only with `has` and `in`")
                counts[token] = counts.get(token, 0) + times
            else:
                places.append(self._place())
            if not self._takes("+"):
                return Content(Bag.of(counts), tuple(places))

    def _pattern(self, at: int) -> tuple[int, Pattern]:
        times = 1
        if self._kind() == "number":
            times = int(self._take()[:18])
            self._takes("*")
        self._expect("<.", "before a token")
        place = self._net.places[at]
        parts: list[int | None] = []
        while not self._takes(".>"):
            if parts:
                self._expect(",", "or `.>` in a token")
            parts.append(self._component(place, len(parts)))
        if len(parts) != place.arity:
            has = count(place.arity, "component") if place.arity else "no components"
            raise UsageError(f"tokens of `{place.name}` have {has}, and this one has {len(parts)}")
        return times, tuple(parts)

    def _component(self, place: Place, at: int) -> int | None:
        sign = -1 if self._takes("-") else 1
        if self._kind() == "number":
            return sign * int(self._take()[:18])
        if self._takes("_"):
            return None
        names, low = colours(place, at) if at < place.arity else (None, 0)
        if names is None or not self._is_name():
            raise self._wrong("a number or `_`")
        name = self._take().strip('"')
        if name not in names:
            raise UsageError(f"`{name}` is no colour of `{place.name}`{_hint(name, names)}")
        return low + names.index(name)


def _hint(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return f"; did you mean `{near[0]}`?" if near else ""


_SIMPLE: Final[Mapping[str, Callable[[str], Sets]]] = {
    "register": lambda text: Register(int(text[1:][:9])),
    "component": lambda text: InComponent(int(text[2:][:18])),
    "node": lambda text: OneNode(int(text[1:][:18])),
}


def of_graphs_only(wanted: Sets) -> str | None:
    """The first part of *wanted* that only nodes of a graph can be asked about, as it is typed."""
    match wanted:
        case Complement(operand):
            return of_graphs_only(operand)
        case Intersection(left, right) | Union(left, right):
            return of_graphs_only(left) or of_graphs_only(right)
        case Register(number):
            return f"%{number}"
        case OneNode(number):
            return f"@{number}"
        case InComponent(number):
            return f"@@{number}"
        case NamedSet(name):
            return name if name == "traps" else None
        case Counted() | Compared() | Has() | Enabled():
            return None
        case _:
            assert_never(wanted)


def holds(wanted: Sets, state: State, enabled: Callable[[], frozenset[str]]) -> bool:
    """Whether *state* is in *wanted*; *enabled* are the transitions that can fire there."""
    match wanted:
        case Complement(operand):
            return not holds(operand, state, enabled)
        case Intersection(left, right):
            return holds(left, state, enabled) and holds(right, state, enabled)
        case Union(left, right):
            return holds(left, state, enabled) or holds(right, state, enabled)
        case Enabled(transition):
            return transition in enabled()
        case NamedSet(name):
            return name == "all" or (name == "terminal" and not enabled())
        case Counted(left, relation, right):
            return bool(COMPARED_NUMBERS[relation](_number(left, state), _number(right, state)))
        case Compared() | Has():
            return holds_of_tokens(wanted, state)
        case Register() | OneNode() | InComponent():
            raise UsageError(f"`{of_graphs_only(wanted)}` is known only where there is a graph")
        case _:
            assert_never(wanted)


def _number(counted: Count, state: State) -> int:
    return counted.number + sum(len(bag_in(state, at)) for at in counted.places)


def holds_of_tokens(wanted: Compared | Has, state: State) -> bool:
    if isinstance(wanted, Has):
        here = bag_in(state, wanted.place)
        times = sum(
            count
            for token, count in here
            if all(w in (None, g) for w, g in zip(wanted.pattern, token, strict=True))
        )
        return times >= max(wanted.times, 1)
    left, right = _content(wanted.left, state), _content(wanted.right, state)
    match wanted.relation:
        case Comparison.EQ:
            return left == right
        case Comparison.NE:
            return left != right
        case Comparison.LE | Comparison.LT:
            is_in = _is_in(left, right)
        case Comparison.GE | Comparison.GT:
            is_in = _is_in(right, left)
    return is_in and (left != right or wanted.relation in {Comparison.LE, Comparison.GE})


def _content(content: Content, state: State) -> Bag:
    if not content.places:
        return content.bag
    if len(content.places) == 1 and not len(content.bag):
        return bag_in(state, content.places[0])
    counts = dict(content.bag)
    for at in content.places:
        for token, number in bag_in(state, at):
            counts[token] = counts.get(token, 0) + number
    return Bag.of(counts)


def _is_in(small: Bag, large: Bag) -> bool:
    counts = dict(large)
    return all(counts.get(token, 0) >= count for token, count in small)
