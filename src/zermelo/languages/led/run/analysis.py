"""What the expressions of a program consist of, which names they bind, and what they depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from zermelo.languages.led import ir
from zermelo.languages.led.run.easel_values import BUILTINS, BuiltinKind

Piece: TypeAlias = ir.Expr | ir.Sentence | ir.Pattern


def children(node: Piece) -> tuple[Piece, ...]:
    """The pieces right below *node*, from left to right."""
    match node:
        case ir.Literal() | ir.Local() | ir.Undefined() | ir.NewName():
            return ()
        case ir.Global(arguments=items) | ir.Builtin(arguments=items):
            return items
        case ir.MakeTuple(items) | ir.MakeSet(items):
            return items
        case ir.TuplePattern(patterns):
            return patterns
        case ir.Index(base, index):
            return (base, index)
        case ir.Slice(base, low, high):
            return (base, low, high)
        case _:
            return _more_children(node)


def _more_children(node: Piece) -> tuple[Piece, ...]:
    match node:
        case (
            ir.MakeRange(a, b)
            | ir.BinaryOperation(left=a, right=b)
            | ir.Conjunction(a, b)
            | ir.Implication(a, b)
        ):
            return (a, b)
        case ir.BothHold(left, right) | ir.EitherHolds(left, right):
            return (left, right)
        case ir.Comprehension(result, sentence):
            return (sentence, result)
        case ir.Big(sentence=sentence, body=body):
            return (sentence, body)
        case ir.UnaryOperation(operand=operand) | ir.Same(operand) | ir.Holds(operand):
            return (operand,)
        case ir.Quantification(domain=domain, body=body):
            return (domain, body)
        case ir.Is(pattern, value) | ir.Member(pattern, value):
            return (value, pattern)
        case _:
            raise AssertionError(node)


def inside(node: Piece) -> Iterator[Piece]:
    """*node* and everything below it."""
    waiting: list[Piece] = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting.extend(reversed(children(at)))


def binds(sentence: ir.Sentence | ir.Pattern) -> tuple[str, ...]:
    """The names that a sentence or a pattern binds, each once, in order."""
    match sentence:
        case ir.NewName(name):
            return (name,)
        case ir.TuplePattern(items):
            return tuple(dict.fromkeys(name for item in items for name in binds(item)))
        case ir.Holds() | ir.Same():
            return ()
        case ir.Is(pattern, _) | ir.Member(pattern, _):
            return binds(pattern)
        case ir.BothHold(left, right) | ir.EitherHolds(left, right):
            return tuple(dict.fromkeys((*binds(left), *binds(right))))
        case _:
            assert_never(sentence)


def free(node: Piece) -> frozenset[str]:
    """The local names that *node* takes from outside."""
    match node:
        case ir.Local(name):
            return frozenset({name})
        case ir.Quantification(names=names, domain=domain, body=body):
            return free(domain) | (free(body) - set(names))
        case ir.Comprehension(_, sentence) | ir.Big(sentence=sentence):
            return _free_below(node) - set(binds(sentence))
        case _:
            return _free_below(node)


def _free_below(node: Piece) -> frozenset[str]:
    return frozenset().union(*map(free, children(node)))


def pieces(definition: ir.ProgramDefinition) -> Iterator[Piece]:
    """Everything that *definition* consists of."""
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


def own_dependence(node: Piece) -> Dependence:
    """What *node* depends on, apart from the definitions that it uses."""
    if isinstance(node, ir.Builtin) and node.name in BUILTINS:
        kind = BUILTINS[node.name].kind
        return Dependence(kind is BuiltinKind.STATE, kind is BuiltinKind.INPUT)
    return Dependence()


def joined(first: Dependence, second: Dependence) -> Dependence:
    """What two things together depend on."""
    return Dependence(first.on_state or second.on_state, first.on_input or second.on_input)


def dependences(program: ir.Program) -> Mapping[str, Dependence]:
    """What each definition of *program* depends on, through all that it uses."""
    found: dict[str, Dependence] = {}
    users: dict[str, list[str]] = {}
    for definition in program.definitions:
        own = Dependence()
        for piece in pieces(definition):
            own = joined(own, own_dependence(piece))
            if isinstance(piece, ir.Global):
                users.setdefault(piece.name, []).append(definition.name)
        found[definition.name] = own
    waiting = list(found)
    while waiting:
        name = waiting.pop()
        for user in users.get(name, ()):
            more = joined(found[user], found.get(name, Dependence()))
            if more != found[user]:
                found[user] = more
                waiting.append(user)
    return found


def large(program: ir.Program) -> frozenset[str]:
    """The definitions whose values take work: constants, loops, and those that use themselves."""
    uses = {
        each.name: {piece.name for piece in pieces(each) if isinstance(piece, ir.Global)}
        for each in program.definitions
    }
    return frozenset(
        each.name
        for each in program.definitions
        if not each.parameters
        or any(isinstance(piece, _LOOPS) for piece in pieces(each))
        or _reaches(each.name, uses)
    )


_LOOPS = (ir.Comprehension, ir.Big, ir.Quantification, ir.Member)


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


def dependence_of(expr: ir.Expr, known: Mapping[str, Dependence]) -> Dependence:
    """What *expr* depends on, given what definitions depend on."""
    found = Dependence()
    for piece in inside(expr):
        found = joined(found, own_dependence(piece))
        if isinstance(piece, ir.Global):
            found = joined(found, known.get(piece.name, Dependence()))
    return found
