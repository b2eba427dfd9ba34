"""What the expressions of a program consist of, which names they bind, and what they depend on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, assert_never

from zermelo.languages.led import ir
from zermelo.languages.led.run.built_ins import BUILTINS, BuiltinKind
from zermelo.text.budget import spend

Piece: TypeAlias = ir.Expr | ir.Sentence | ir.Pattern
_PIECES_BETWEEN_CHARGES: Final = 64
_STEPS_OF_PIECES: Final = 500
_STEPS_OF_A_WALK: Final = 16


def children(node: Piece) -> list[Piece]:
    """The pieces right below *node*, in the order in which they are evaluated."""
    found: list[Any] = []
    for name in node.__match_args__:
        part = getattr(node, name)
        found += part if isinstance(part, tuple) else (part,)
    found = [each for each in found if isinstance(each, ir.IrNode)]
    if isinstance(node, ir.Comprehension | ir.Is | ir.Member):
        found.reverse()
    return found


def inside(node: Piece) -> Iterator[Piece]:
    waiting: list[Piece] = [node]
    count = 0
    while waiting:
        if not count % _PIECES_BETWEEN_CHARGES:
            spend(_STEPS_OF_PIECES if count else _STEPS_OF_A_WALK, "going through expressions")
        count += 1
        at = waiting.pop()
        yield at
        waiting.extend(reversed(children(at)))


def binds(sentence: ir.Sentence | ir.Pattern) -> tuple[str, ...]:
    """The names that a sentence or a pattern binds, each once, in order."""
    match sentence:
        case ir.NewName(name):
            return (name,)
        case ir.Holds() | ir.Same():
            return ()
        case ir.Is(pattern, _) | ir.Member(pattern, _):
            return binds(pattern)
        case ir.TuplePattern(items):
            return tuple(dict.fromkeys(name for item in items for name in binds(item)))
        case ir.BothHold(left, right) | ir.EitherHolds(left, right):
            return tuple(dict.fromkeys((*binds(left), *binds(right))))
        case _:
            assert_never(sentence)


def free(node: Piece) -> frozenset[str]:
    """The local names that *node* takes from outside."""
    if isinstance(node, ir.Local):
        return frozenset({node.name})
    if isinstance(node, ir.Quantification):
        return free(node.domain) | (free(node.body) - set(node.names))
    below: frozenset[str] = frozenset().union(*map(free, children(node)))
    if isinstance(node, ir.Comprehension | ir.Big):
        return below - set(binds(node.sentence))
    return below


def pieces(definition: ir.ProgramDefinition) -> Iterator[Piece]:
    if definition.where is not None:
        yield from inside(definition.where)
    for case in definition.cases:
        if case.guard is not None:
            yield from inside(case.guard)
        yield from inside(case.value)


@dataclass(frozen=True, slots=True)
class Dependence:
    """What the value of a definition depends on besides its arguments."""

    on_state: bool = False
    on_input: bool = False

    def __or__(self, other: Dependence) -> Dependence:
        return Dependence(self.on_state or other.on_state, self.on_input or other.on_input)


def dependence_of(nodes: Iterable[Piece], known: Mapping[str, Dependence]) -> Dependence:
    """What *nodes* depend on, where the definitions that they use depend on what is *known*."""
    found = Dependence()
    for piece in nodes:
        if isinstance(piece, ir.Global) and piece.name in known:
            found |= known[piece.name]
        elif isinstance(piece, ir.Builtin) and piece.name in BUILTINS:
            kind = BUILTINS[piece.name].kind
            found |= Dependence(kind is BuiltinKind.STATE, kind is BuiltinKind.INPUT)
    return found


def dependences(program: ir.Program) -> Mapping[str, Dependence]:
    """What each definition of *program* depends on, through all that it uses."""
    found = {each.name: dependence_of(pieces(each), {}) for each in program.definitions}
    users: dict[str, list[str]] = {}
    for definition in program.definitions:
        for name in _uses(definition):
            users.setdefault(name, []).append(definition.name)
    waiting = list(found)
    while waiting:
        name = waiting.pop()
        for user in users.get(name, ()):
            more = found[user] | found[name]
            if more != found[user]:
                found[user] = more
                waiting.append(user)
    return found


def _uses(definition: ir.ProgramDefinition) -> set[str]:
    return {piece.name for piece in pieces(definition) if isinstance(piece, ir.Global)}


def weight(*roots: Piece) -> int:
    """How many steps it takes about to work *roots* out once, apart from going through sets.

    What a loop repeats is not counted: it is paid for by each member.
    """
    count = 0
    waiting = list(roots)
    while waiting:
        at = waiting.pop()
        count += 1
        match at:
            case ir.Quantification(domain=domain):
                waiting.append(domain)
            case ir.Comprehension(_, sentence) | ir.Big(sentence=sentence):
                waiting.append(sentence)
            case ir.Member(_, domain):
                waiting.append(domain)
            case _:
                waiting.extend(children(at))
    return _STEPS_TO_BEGIN + count // _PIECES_OF_A_STEP


_STEPS_TO_BEGIN: Final = 2
_PIECES_OF_A_STEP: Final = 3


def definition_weight(definition: ir.ProgramDefinition) -> int:
    """The ``weight`` of a call."""
    roots: list[Piece] = [case.value for case in definition.cases]
    roots += [case.guard for case in definition.cases if case.guard is not None]
    return weight(*roots) if definition.where is None else weight(*roots, definition.where)


def calls(definition: ir.ProgramDefinition) -> int:
    """How many of Python's calls it takes at most to work out a call, apart from what it calls."""
    level: list[Piece] = [case.value for case in definition.cases]
    level += [case.guard for case in definition.cases if case.guard is not None]
    if definition.where is not None:
        level.append(definition.where)
    count = 0
    while level:
        # Each of the names that range over a set is a loop inside of another.
        count += 1 + max(
            len(each.names) if isinstance(each, ir.Quantification) else 0 for each in level
        )
        level = [below for each in level for below in children(each)]
    return _CALLS_OF_A_LEVEL * (count + 1)


_CALLS_OF_A_LEVEL: Final = 2


_LOOPS = (ir.Comprehension, ir.Big, ir.Quantification, ir.Member)


def large(program: ir.Program) -> frozenset[str]:
    """The definitions whose values take work: constants, loops, and those that use themselves."""
    uses = {each.name: _uses(each) for each in program.definitions}
    return frozenset(
        each.name
        for each in program.definitions
        if not each.parameters
        or any(isinstance(piece, _LOOPS) for piece in pieces(each))
        or _reaches(each.name, uses)
    )


def _reaches(name: str, uses: Mapping[str, set[str]]) -> bool:
    seen: set[str] = set()
    waiting = list(uses[name])
    while waiting:
        at = waiting.pop()
        if at == name:
            return True
        if at not in seen:
            seen.add(at)
            waiting.extend(uses.get(at, ()))
    return False
