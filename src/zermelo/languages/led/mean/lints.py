"""What is probably not meant, in LED programs.

The kind of an operand is never guessed: a parameter or a name that a sentence binds may be
of any kind. So an operand that is complained about never fits, whatever the program is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from zermelo.core.values import Atom, TruthValue, Value
from zermelo.languages.led import ir
from zermelo.languages.led.ir import Op, UnaryOp
from zermelo.languages.led.mean.sentences import unbracketed
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Expr, Sign, nodes
from zermelo.languages.led.run.analysis import Dependence, Piece, pieces
from zermelo.languages.led.run.built_ins import GAME_NAMES
from zermelo.languages.led.run.values import Text
from zermelo.text import codes
from zermelo.text.budget import similar, spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.prose import listing

_REPEATED = frozenset({Sign.OR, Sign.AND, Sign.UNION, Sign.INTERSECTION})
_COMPARED = frozenset(
    {Sign.EQ, Sign.NE, Sign.LT, Sign.GT, Sign.LE, Sign.GE, Sign.SUBSET, Sign.IMPLIES, Sign.IFF}
    | {Sign.DIFFERENCE}
)


def lints(
    document: tree.LiterateProgram, program: ir.Program, dependences: Mapping[str, Dependence]
) -> Iterator[Diagnostic]:
    for definition in document.definitions:
        yield from _same_operands(definition)
        yield from _behind_otherwise(definition)
    yield from _misfits(program)
    if program.is_game:
        yield from _engine(program, dependences)
        yield from _unused(program)


_STEPS_OF_AN_OPERAND: Final = 8
_STEPS_OF_A_KIND: Final = 4


def _same_operands(definition: tree.Definition) -> Iterator[Diagnostic]:
    """Where an operand stands twice; of a chain of operators each end is looked at once."""
    inner: set[int] = set()
    for node in nodes(definition):
        if not isinstance(node, tree.BinaryExpr):
            continue
        if node.sign in _REPEATED and id(node) not in inner:
            yield from _repeated(node, inner)
        elif node.sign in _COMPARED and unbracketed(node.left) == unbracketed(node.right):
            yield _same(node.sign, node.left, unbracketed(node.right))


def _repeated(chain: tree.BinaryExpr, inner: set[int]) -> Iterator[Diagnostic]:
    """The operands of *chain* that stand there before; what it is made of is added to *inner*."""
    rights: list[Expr] = []
    expr: Expr = chain
    while isinstance(expr, tree.BinaryExpr) and expr.sign is chain.sign:
        inner.add(id(expr))
        rights.append(unbracketed(expr.right))
        expr = unbracketed(expr.left)
    # Of equal operands the last one before is told.
    before = {expr: expr}
    found = []
    for right in reversed(rights):
        spend(_STEPS_OF_AN_OPERAND, "comparing operands", chain.span)
        if right in before:
            found.append(_same(chain.sign, before[right], right))
        before[right] = right
    yield from reversed(found)


def _same(sign: Sign, left: Expr, right: Expr) -> Diagnostic:
    return Diagnostic(
        codes.SAME_OPERANDS,
        f"both sides of this `{sign.value}` are the same",
        Label(right.span, "the same as the left side"),
        secondary=(Label(left.span, "the left side"),),
        help="one of them was probably meant to be something else; if not, one is enough",
    )


def _behind_otherwise(definition: tree.Definition) -> Iterator[Diagnostic]:
    for before, branch in zip(definition.branches, definition.branches[1:], strict=False):
        if before.guard is None:
            yield Diagnostic(
                codes.LED_CASE_NOT_REACHED,
                f"this case of `{definition.name}` is never taken",
                Label(branch.span, "never reached"),
                secondary=(Label(before.span, "always taken"),),
                help="`otherwise` belongs to the last case",
            )
            return


# Games


def _engine(program: ir.Program, dependences: Mapping[str, Dependence]) -> Iterator[Diagnostic]:
    names = [each.name for each in program.definitions]
    for name in GAME_NAMES:
        definition = program.definition(name)
        if definition is None and name in _MISSING:
            near = similar(name, names)
            yield Diagnostic(
                codes.LED_GAME_INCOMPLETE,
                f"this game does not define `{name}`, {_MISSING[name]}",
                help=f"rename `{near[0]}` to `{name}`" if near else f"define `{name} := …`",
                severity=Severity.WARNING if name == "images" else None,
            )
        elif definition is not None and definition.parameters:
            yield Diagnostic(
                codes.LED_GAME_INCOMPLETE,
                f"the engine asks for `{name}` without arguments",
                Label(definition.name_span, "defined with parameters"),
                help="the state is `currentState`, the input `mouseClicked`, `mouseX`, `mouseY`",
            )
    first = program.definition("initialState")
    if first is not None and dependences["initialState"] != Dependence():
        yield Diagnostic(
            codes.LED_GAME_INCOMPLETE,
            "`initialState` depends on the state or the input, which there is none of yet",
            Label(first.name_span, "computed before the first frame"),
        )


_MISSING = {
    "initialState": "the state in which a play begins",
    "newState": "the state after a frame",
    "images": "what is drawn",
}


def _unused(program: ir.Program) -> Iterator[Diagnostic]:
    """Functions and relations that nothing uses which the engine asks for."""
    defined = {each.name: each for each in program.definitions}
    waiting: list[str] = [name for name in GAME_NAMES if name in defined]
    has_any = bool(waiting)
    while waiting:
        definition = defined.pop(waiting.pop(), None)
        if definition is not None:
            waiting += [each.name for each in pieces(definition) if isinstance(each, ir.Global)]
    # A constant that nothing uses may be there to be asked for.
    idle = [each for each in defined.values() if each.parameters]
    if has_any and idle:
        listed = ", ".join(f"`{each.name}`" for each in idle)
        yield Diagnostic(
            codes.LED_UNUSED,
            f"the game never uses {listed}",
            Label(idle[0].name_span, "not used by what the engine asks for"),
            secondary=tuple(Label(each.name_span, "nor this") for each in idle[1:5]),
        )


# Operands of a kind that never fits


class ValueKind(Enum):
    """The kinds of values that the language itself has."""

    NUMBER = "a number"
    TRUTH = "a truth value"
    ATOM = "an atom"
    TEXT = "a string"
    TUPLE = "a tuple"
    SET = "a set"


_Kinds = frozenset[ValueKind]
_NUMBER: Final = frozenset({ValueKind.NUMBER})
_TRUTH: Final = frozenset({ValueKind.TRUTH})
_SET: Final = frozenset({ValueKind.SET})
_TUPLE: Final = frozenset({ValueKind.TUPLE})
_ADDED: Final = frozenset({ValueKind.NUMBER, ValueKind.TUPLE})
_MULTIPLIED: Final = frozenset({ValueKind.NUMBER, ValueKind.SET})
_SIZED: Final = frozenset({ValueKind.NUMBER, ValueKind.SET, ValueKind.TUPLE})
_ANY: Final = frozenset(ValueKind)

_OPERANDS: Final[Mapping[Op, tuple[_Kinds, _Kinds]]] = {
    Op.PLUS: (_ADDED, _ADDED),
    Op.TIMES: (_MULTIPLIED, _MULTIPLIED),
    **dict.fromkeys((Op.MINUS, Op.DIVIDE, Op.MOD, Op.POWER), (_NUMBER, _NUMBER)),
    **dict.fromkeys((Op.LT, Op.GT, Op.LE, Op.GE), (_NUMBER, _NUMBER)),
    **dict.fromkeys((Op.UNION, Op.INTERSECTION, Op.DIFFERENCE, Op.SUBSET), (_SET, _SET)),
    Op.IN: (_ANY, _SET),
    **dict.fromkeys((Op.OR, Op.IFF), (_TRUTH, _TRUTH)),
}
_RESULTS: Final[Mapping[Op, ValueKind]] = {
    **dict.fromkeys((Op.MINUS, Op.DIVIDE, Op.MOD, Op.POWER), ValueKind.NUMBER),
    **dict.fromkeys((Op.UNION, Op.INTERSECTION, Op.DIFFERENCE), ValueKind.SET),
    **dict.fromkeys((Op.EQ, Op.NE, Op.LT, Op.GT, Op.LE, Op.GE), ValueKind.TRUTH),
    **dict.fromkeys((Op.IN, Op.SUBSET, Op.OR, Op.IFF), ValueKind.TRUTH),
}
_NUMERIC: Final = (UnaryOp.NEGATE, UnaryOp.KEEP, UnaryOp.FLOOR, UnaryOp.CEILING)
_OPERAND: Final[Mapping[UnaryOp, _Kinds]] = {
    **dict.fromkeys(_NUMERIC, _NUMBER),
    UnaryOp.NOT: _TRUTH,
    UnaryOp.POWER_SET: _SET,
    UnaryOp.SIZE: _SIZED,
}
_RESULT: Final[Mapping[UnaryOp, ValueKind]] = {
    **dict.fromkeys((*_NUMERIC, UnaryOp.SIZE), ValueKind.NUMBER),
    UnaryOp.NOT: ValueKind.TRUTH,
    UnaryOp.POWER_SET: ValueKind.SET,
}
_TOTALLED: Final[Mapping[ir.BigOp, _Kinds]] = {
    **dict.fromkeys((ir.BigOp.UNION, ir.BigOp.INTERSECTION), _SET),
    **dict.fromkeys((ir.BigOp.SUM, ir.BigOp.PRODUCT), _NUMBER),
}
_FURTHEST: Final = 30
"""How far a definition is followed into others."""

_Want = tuple[str, ir.Expr, _Kinds]
"""What wants it, an operand, and the kinds that it may have."""


def _misfits(program: ir.Program) -> Iterator[Diagnostic]:
    kinds = _KindInference(program)
    for definition in program.definitions:
        guards = [case.guard for case in definition.cases if case.guard is not None]
        for wants in (
            *([("`if`", guard, _TRUTH)] for guard in guards),
            *map(_wants, pieces(definition)),
        ):
            found = (_misfit(kinds, *want) for want in wants)
            first = next((said for said in found if said is not None), None)
            if first is not None:
                yield first


class _KindInference:
    """The kinds of what *program* defines, as far as they were asked for."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._known: dict[str, ValueKind | None] = {}
        self._kinds: dict[tuple[int, int], ValueKind | None] = {}
        """By the identity of an expression, which the program keeps."""

    def of(self, expr: ir.Expr, depth: int = 0) -> ValueKind | None:
        """The kind of *expr*; ``None`` if it cannot be seen."""
        key = (id(expr), depth)
        if key not in self._kinds:
            spend(_STEPS_OF_A_KIND, "finding out what is a number, a set, a text")
            self._kinds[key] = self._found(expr, depth)
        return self._kinds[key]

    def _found(self, expr: ir.Expr, depth: int) -> ValueKind | None:
        match expr:
            case ir.Literal(value):
                return _kind(value)
            case ir.MakeTuple() | ir.Slice():
                return ValueKind.TUPLE
            case ir.MakeSet() | ir.MakeRange() | ir.Comprehension():
                return ValueKind.SET
            case ir.Conjunction() | ir.Implication() | ir.Quantification():
                return ValueKind.TRUTH
            case ir.Big(op=op):
                return next(iter(_TOTALLED[op]))
            case ir.UnaryOperation(function, _):
                return _RESULT[function]
            case ir.BinaryOperation(op, left, right):
                return _RESULTS.get(op) or self._overloaded(op, left, right, depth)
            case ir.Global(name) if depth < _FURTHEST:
                return self._defined(name, depth + 1)
            case _:
                return None

    def _overloaded(self, op: Op, left: ir.Expr, right: ir.Expr, depth: int) -> ValueKind | None:
        """The kind of a sum or a product, which both sides tell."""
        known = {self.of(left, depth), self.of(right, depth)} - {None}
        if op is Op.TIMES or op is Op.PLUS:
            return known.pop() if len(known) == 1 else None
        # `t + (x)` is a tuple if one side is, and unknown if one is unknown.
        return ValueKind.TUPLE if ValueKind.TUPLE in known else None

    def _defined(self, name: str, depth: int) -> ValueKind | None:
        if name not in self._known:
            # While it is looked at, it is not known: it may use itself.
            self._known[name] = None
            definition = self._program.definition(name)
            cases = () if definition is None else definition.cases
            found = {self.of(case.value, depth) for case in cases}
            self._known[name] = found.pop() if len(found) == 1 else None
        return self._known[name]


_TYPES: Final[Mapping[ValueKind, type]] = {
    ValueKind.TRUTH: TruthValue,
    ValueKind.TEXT: Text,
    ValueKind.ATOM: Atom,
    ValueKind.TUPLE: tuple,
    ValueKind.SET: frozenset,
}


def _kind(value: Value) -> ValueKind:
    found = (kind for kind, type_ in _TYPES.items() if isinstance(value, type_))
    return next(found, ValueKind.NUMBER)


def _wants(piece: Piece) -> list[_Want]:
    match piece:
        case ir.BinaryOperation(Op.IN, left, ir.Builtin("keys")):
            return [("`in keys`", left, frozenset({ValueKind.TEXT}))]
        case ir.BinaryOperation(op, left, right) if op in _OPERANDS:
            first, second = _OPERANDS[op]
            return [(f"`{op.value}`", left, first), (f"`{op.value}`", right, second)]
        case ir.Conjunction(left, right):
            return [("`&`", left, _TRUTH), ("`&`", right, _TRUTH)]
        case ir.Implication(left, right):
            return [("`=>`", left, _TRUTH), ("`=>`", right, _TRUTH)]
        case ir.UnaryOperation(function, operand):
            word = "|..|" if function is UnaryOp.SIZE else function.value
            return [(f"`{word}`", operand, _OPERAND[function])]
        case ir.Index(base, index):
            return [("`[..]`", base, _TUPLE), ("`[..]`", index, _NUMBER)]
        case ir.Slice(base, low, high):
            return [("`[..]`", base, _TUPLE), ("`..`", low, _NUMBER), ("`..`", high, _NUMBER)]
        case ir.MakeRange(low, high):
            return [("`..`", low, _NUMBER), ("`..`", high, _NUMBER)]
        case _:
            return _wants_inside(piece)


def _wants_inside(piece: Piece) -> list[_Want]:
    match piece:
        case ir.Quantification(quantifier, _, domain, body):
            word = f"`{quantifier.value}`"
            return [(word, domain, _SET), (word, body, _TRUTH)]
        case ir.Big(op=op, body=body):
            return [(f"`{op.value}[..]`", body, _TOTALLED[op])]
        case ir.Member(_, domain):
            return [("`in`", domain, _SET)]
        case ir.Holds(condition):
            return [("a condition", condition, _TRUTH)]
        case _:
            return []


_PAIRS: Final[Mapping[tuple[str, ValueKind], str]] = {
    ("`+`", ValueKind.TEXT): "strings cannot be put together",
    ("`+`", ValueKind.SET): "the union of sets is written `U`",
    ("`-`", ValueKind.SET): "the difference of sets is written `\\`",
    ("`<=`", ValueKind.SET): "a subset is written `sub`",
    ("`<`", ValueKind.SET): "a subset is written `sub`",
    ("`[..]`", ValueKind.SET): "the members of a set have no numbers; a tuple is written with "
    "`(` and `)`",
    ("`=>`", ValueKind.NUMBER): "`=>` is an implication; greater or equal is written `>=`",
    ("`in keys`", ValueKind.ATOM): 'keys are strings, as in `"LEFT" in keys`',
    ("`in`", ValueKind.TUPLE): "a set is written with `{` and `}`",
}


def _misfit(kinds: _KindInference, what: str, operand: ir.Expr, fits: _Kinds) -> Diagnostic | None:
    kind = kinds.of(operand)
    if kind is None or kind in fits:
        return None
    wanted = listing((each.value for each in ValueKind if each in fits), last="or")
    return Diagnostic(
        codes.LED_NEVER_A_VALUE,
        f"{what} needs {wanted}, and this is {kind.value}",
        Label(operand.span, f"always {kind.value}"),
        help=_PAIRS.get((what, kind)),
    )
