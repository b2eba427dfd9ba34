"""Brackets that print lost, found by trying all ways to put them and running the program.

Where brackets that only group are lost, ``(a + b) / 2`` stands as ``a + b / 2``, and all that
is left is a chain of operands and operators. Chains of the same form lost them in the same
way, so one choice is made for each form. The choices are improved in turn, each while the
others stay, until none gets better.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias, TypeGuard

from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.repairs.evidence import Evidence, Objection, ObjectionKind
from zermelo.languages.led.mean.repairs.rewriting import (
    changed,
    changed_definition,
    place,
    with_definitions,
)
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.printer import expression as shown
from zermelo.languages.led.read.tree import Definition, Expr, LiterateProgram, Prefix, Sign, nodes
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing

ROUNDS: Final = 4
MOST_TRIALS: Final = 250
"""How many readings are tried; what is not settled then stays as it is printed."""

_MOST_WORK: Final = 60_000
"""How many definitions are looked at for that."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A way to read all chains of a form, or all bars that may be other brackets."""

    shape: Shape | None
    """``None`` for bars taken as other brackets."""
    pairs: int = 0
    brackets: int = 0
    sample: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class _FormGroup:
    """Places that are read in the same way."""

    chains: tuple[Chain, ...]
    bars: tuple[Barred, ...]
    options: tuple[_Option, ...]
    """The first one is what is printed."""


def with_brackets(
    document: LiterateProgram, program_of: Callable[[LiterateProgram], Program | None]
) -> Checked[LiterateProgram]:
    # Forms with few ways to read them first: they leave less open for the others.
    classes = tuple(sorted(_classes(document), key=lambda one: len(one.options)))
    if not classes:
        return Checked(document)
    changing = [each.definition.name for one in classes for each in one.chains]
    changing += [each.definition.name for one in classes for each in one.bars]
    search = _BracketSearch(document, classes, Evidence(document, program_of, changing=changing))
    search.run()
    said = [each for at in range(len(classes)) for each in search.remarks(at)]
    return Checked(search.made(search.choices), tuple(said))


def _classes(document: LiterateProgram) -> Iterator[_FormGroup]:
    forms: dict[object, list[Chain]] = {}
    # ½ is written as a quotient; where brackets are lost it may be the rest of one.
    signs = frozenset({Sign.MOD}) if has_brackets(document.definitions) else PAIRED
    for definition in document.definitions:
        for chain in chains(definition):
            forms.setdefault(chain.form, []).append(chain)
    for group in forms.values():
        first = group[0]
        options = tuple(
            _Option(shape, first.pairs(shape, signs), first.brackets(shape), first.sample(shape))
            for shape in first.shapes()
        )
        yield _FormGroup(tuple(group), (), options)
    for bars in barred(document.definitions):
        yield _FormGroup((), (bars,), (_Option(0), _Option(None, brackets=1, sample=(None,))))


class _BracketSearch:
    """The choices made so far, and what was found out about others."""

    def __init__(
        self, document: LiterateProgram, classes: Sequence[_FormGroup], evidence: Evidence
    ) -> None:
        self.document = document
        self.classes = classes
        self.evidence = evidence
        self.choices = (0,) * len(classes)
        self.open: set[int] = set()
        """The classes that could not be decided."""
        self._known: dict[tuple[int, ...], tuple[Objection, ...]] = {}

    def run(self) -> None:
        for _ in range(ROUNDS):
            before = self.choices
            for at in range(len(self.classes)):
                self._improve(at)
            if self.choices == before:
                break
        for at in range(len(self.classes)):
            if len(self.best(at)) > 1 or self._is_guess(at):
                self.open.add(at)
        for at in self.open:
            self.choices = self._with(at, 0)

    def _improve(self, at: int) -> None:
        options = self.classes[at].options
        if not self._is_stopped(at):
            tried = range(len(options))
            best = min(tried, key=lambda each: (*self.score(at, each), options[each].brackets))
            self.choices = self._with(at, best)

    def _is_guess(self, at: int) -> bool:
        """Whether only a quotient of numerals speaks against what is printed."""
        one = self.classes[at]
        if self.choices[at] == 0 or not one.chains:
            return False
        first = one.chains[0]
        has_remainder = first.pairs(first.printed, frozenset({Sign.MOD})) > 0
        found, printed = self.score(at, self.choices[at]), self.score(at, 0)
        return found[:-1] == printed[:-1] and not has_remainder

    def _is_stopped(self, at: int) -> bool:
        """Whether trying the options of one more class would take too long."""
        most = min(MOST_TRIALS, _MOST_WORK // len(self.document.definitions))
        return len(self._known) + len(self.classes[at].options) > most

    def _with(self, at: int, option: int) -> tuple[int, ...]:
        return (*self.choices[:at], option, *self.choices[at + 1 :])

    def score(self, at: int, option: int) -> tuple[int, ...]:
        """What speaks against *option* while the other choices stay."""
        faults = self.faults(self._with(at, option))
        counts = (sum(each.kind is kind for each in faults) for kind in ObjectionKind)
        return (*counts, self.classes[at].options[option].pairs)

    def best(self, at: int) -> tuple[int, ...]:
        """The options that nothing tells apart but their values; those of equal value once."""
        options = self.classes[at].options
        if self._is_stopped(at):
            return (self.choices[at],)
        scores = [self.score(at, each) for each in range(len(options))]
        least = min(scores)
        tied = [each for each, score in enumerate(scores) if score == least]
        if 0 in tied:
            return (0,)
        by_value: dict[tuple[object, ...], int] = {}
        for each in sorted(tied, key=lambda one: options[one].brackets):
            by_value.setdefault(options[each].sample, each)
        return tuple(by_value.values())

    def faults(self, choices: tuple[int, ...]) -> tuple[Objection, ...]:
        if choices not in self._known:
            self._known[choices] = self.evidence.faults(self.made(choices))
        return self._known[choices]

    def made(self, choices: tuple[int, ...]) -> LiterateProgram:
        shapes: dict[int, tuple[Chain, Shape]] = {}
        bars: dict[int, Barred] = {}
        for one, choice in zip(self.classes, choices, strict=True):
            option = one.options[choice]
            if choice == 0:
                continue
            for chain in one.chains:
                assert option.shape is not None  # only bars have none
                shapes[id(chain.expr)] = (chain, option.shape)
            bars.update({id(each.expr): each for each in one.bars})
        if not shapes and not bars:
            return self.document

        def change(expr: Expr) -> Expr | None:
            if id(expr) in bars:
                one = bars[id(expr)]
                return tree.UnaryExpr(one.sign, changed(one.expr.operand, change), span=expr.span)
            if id(expr) in shapes:
                chain, shape = shapes[id(expr)]
                operands = tuple(changed(each, change) for each in chain.operands)
                return replace(chain, operands=operands).bracketed(shape)
            return None

        made = [changed_definition(each, change) for each in self.document.definitions]
        return with_definitions(self.document, made)

    def remarks(self, at: int) -> Iterator[Diagnostic]:
        one = self.classes[at]
        chosen = self.choices[at]
        if chosen == 0:
            if at in self.open or (one.options[0].pairs and self._is_stopped(at)):
                yield from (_undecided(each, one, self.best(at)) for each in one.chains)
            return
        without = self.faults(self._with(at, 0))
        now = self.faults(self.choices)
        against = sorted((each for each in without if each not in now), key=lambda f: f.kind)
        for chain in one.chains:
            yield _lost(chain, one, chosen, against)
        for bars in one.bars:
            yield _bars(bars, against)


def _lost(chain: Chain, one: _FormGroup, chosen: int, against: Sequence[Objection]) -> Diagnostic:
    option = one.options[chosen]
    assert option.shape is not None  # only bars have none
    notes = [f"as printed, {each.words}" for each in against[:2]]
    pair = _pair(chain)
    if pair:
        notes.append(f"as printed, `{pair}` stands in it, a number that nobody writes so")
    others = [place(each.definition) for each in one.chains if each is not chain]
    if others:
        verb = "is" if len(others) == 1 else "are"
        notes.append(f"{listing(others)} {verb} of the same form")
    return Diagnostic(
        codes.LOST_BRACKETS,
        f"{place(chain.definition)} has lost its brackets",
        primary=Label(chain.expr.span, f"taken as `{shown(chain.bracketed(option.shape))}`"),
        notes=tuple(notes),
        help="`--as-written` keeps the formula as it is printed",
    )


def _pair(chain: Chain) -> str:
    """The part of the printed chain that divides one numeral by another."""
    for at, sign in enumerate(chain.signs):
        left, right = chain.operands[at], chain.operands[at + 1]
        is_pair = isinstance(left, tree.Numeral) and isinstance(right, tree.Numeral)
        if is_pair and sign in PAIRED and chain.pairs(chain.printed):
            return shown(tree.BinaryExpr(sign, left, right))
    return ""


def _bars(bars: Barred, against: Sequence[Objection]) -> Diagnostic:
    return Diagnostic(
        codes.BARS_FOR_BRACKETS,
        f"bars stand for other brackets in {place(bars.definition)}",
        primary=Label(bars.expr.span, f"taken as `{bars.sign.value}(…)`"),
        secondary=(Label(bars.model.name_span, "this formula of the same form has them"),),
        notes=tuple(f"as printed, {each.words}" for each in against[:2]),
        help="`--as-written` keeps the formula as it is printed",
    )


def _undecided(chain: Chain, one: _FormGroup, tied: Sequence[int]) -> Diagnostic:
    ways = [
        f"`{shown(chain.bracketed(shape))}`"
        for each in tied[:5]
        if (shape := one.options[each].shape) is not None
    ]
    if tied[0] != 0:
        note = f"it could be {listing(ways, last='or')}, and nothing decides it"
    else:
        note = "there are too many ways to read this program to try them all"
    return Diagnostic(
        codes.BRACKETS_UNDECIDED,
        f"{place(chain.definition)} seems to have lost its brackets",
        primary=Label(chain.expr.span, "kept as it is printed"),
        notes=(note,),
        help=f'put a section `Errata` into the document, and in it the line "{shown(chain.expr)}" '
        f'→ "{ways[0].strip("`")}": the reason',
    )


# Operators in a row, and the ways to bracket them

MOST_OPERANDS: Final = 6
"""Six operands have 42 bracketings; longer rows are left as they are printed."""

_ARITHMETIC: Final[Mapping[Sign, Callable[[Fraction, Fraction], Fraction]]] = {
    Sign.PLUS: operator.add,
    Sign.MINUS: operator.sub,
    Sign.TIMES: operator.mul,
    Sign.DIVIDE: operator.truediv,
    Sign.MOD: operator.mod,
}
PAIRED: Final = frozenset({Sign.DIVIDE, Sign.MOD})

Shape: TypeAlias = "int | tuple[Shape, int, Shape]"
"""An operand by its number, or two shapes and the number of the operator between them."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands and the operators between them, as printed in *definition*."""

    definition: Definition
    expr: tree.BinaryExpr
    operands: tuple[Expr, ...]
    signs: tuple[Sign, ...]

    @property
    def form(self) -> tuple[object, ...]:
        """What chains have in common that lost their brackets in the same way."""
        return (self.signs, tuple(map(_form, self.operands)))

    @property
    def printed(self) -> Shape:
        return _shape(self.expr, {id(each): at for at, each in enumerate(self.operands)})

    def shapes(self) -> tuple[Shape, ...]:
        """All ways to bracket it; the printed one first."""
        every = _shapes(0, len(self.operands))
        return (self.printed, *(each for each in every if each != self.printed))

    def bracketed(self, shape: Shape) -> Expr:
        if isinstance(shape, int):
            return self.operands[shape]
        left, at, right = shape
        sign = self.signs[at]
        return tree.BinaryExpr(
            sign,
            self._operand(left, tree.PRECEDENCES[sign]),
            self._operand(right, tree.PRECEDENCES[sign] + 1),
            span=self.expr.span,
        )

    def _operand(self, shape: Shape, level: int) -> Expr:
        inner = self.bracketed(shape)
        return tree.Bracketed(inner, span=inner.span) if self._needs(shape, level) else inner

    def brackets(self, shape: Shape) -> int:
        if isinstance(shape, int):
            return 0
        left, at, right = shape
        level = tree.PRECEDENCES[self.signs[at]]
        own = self._needs(left, level) + self._needs(right, level + 1)
        return own + self.brackets(left) + self.brackets(right)

    def _needs(self, shape: Shape, level: int) -> bool:
        return isinstance(shape, tuple) and tree.PRECEDENCES[self.signs[shape[1]]] < level

    def pairs(self, shape: Shape, signs: frozenset[Sign] = PAIRED) -> int:
        """How often *shape* divides one numeral by another, by one of *signs*."""
        if isinstance(shape, int):
            return 0
        left, at, right = shape
        is_pair = (
            self.signs[at] in signs
            and isinstance(left, int)
            and isinstance(right, int)
            and isinstance(self.operands[left], tree.Numeral)
            and isinstance(self.operands[right], tree.Numeral)
        )
        return is_pair + self.pairs(left, signs) + self.pairs(right, signs)

    def sample(self, shape: Shape) -> tuple[Fraction | None, ...]:
        """Values of *shape* at some operands: shapes with other values are not the same."""
        return tuple(self._value(shape, seed) for seed in (7, 11, 13, 29))

    def _value(self, shape: Shape, seed: int) -> Fraction | None:
        if isinstance(shape, int):
            own = self.operands[shape]
            return own.value if isinstance(own, tree.Numeral) else Fraction(seed * (shape + 3) + 1)
        left, right = self._value(shape[0], seed), self._value(shape[2], seed)
        sign = self.signs[shape[1]]
        if left is None or right is None or (sign in PAIRED and right == 0):
            return None
        return _ARITHMETIC[sign](left, right)


def has_brackets(definitions: Sequence[Definition]) -> bool:
    return any(
        isinstance(node, tree.Bracketed) and _is_arithmetic(node.inner)
        for definition in definitions
        for node in nodes(definition)
    )


def chains(definition: Definition) -> Iterator[Chain]:
    """The chains of *definition* that could have lost brackets."""
    inside: set[int] = set()
    for node in nodes(definition):
        if id(node) in inside or not _is_arithmetic(node):
            continue
        operands, signs, joints = _flat(node)
        inside |= joints
        is_mixed = len(set(signs)) > 1 or signs[0] in {Sign.MINUS, *PAIRED}
        if 2 < len(operands) <= MOST_OPERANDS and is_mixed:
            yield Chain(definition, node, operands, signs)


def _is_arithmetic(expr: Expr) -> TypeGuard[tree.BinaryExpr]:
    return isinstance(expr, tree.BinaryExpr) and expr.sign in _ARITHMETIC


def _flat(expr: tree.BinaryExpr) -> tuple[tuple[Expr, ...], tuple[Sign, ...], set[int]]:
    """The operands and operators of *expr* from left to right, and the nodes that join them."""
    operands: list[Expr] = []
    signs: list[Sign] = []
    joints: set[int] = set()
    open_: list[Expr | Sign] = [expr]
    while open_:
        here = open_.pop()
        if isinstance(here, Sign):
            signs.append(here)
        elif _is_arithmetic(here):
            joints.add(id(here))
            open_ += [here.right, here.sign, here.left]
        else:
            operands.append(here)
    return tuple(operands), tuple(signs), joints


def _shape(expr: Expr, numbers: dict[int, int]) -> Shape:
    if id(expr) in numbers:
        return numbers[id(expr)]
    assert isinstance(expr, tree.BinaryExpr)  # everything between operands joins two of them
    left, right = _shape(expr.left, numbers), _shape(expr.right, numbers)
    return (left, _last(left), right)


def _last(shape: Shape) -> int:
    """The number of the last operand, which is that of the operator behind it."""
    return shape if isinstance(shape, int) else _last(shape[2])


@cache
def _shapes(start: int, end: int) -> tuple[Shape, ...]:
    """All shapes of the operands from *start* up to *end*."""
    if end - start == 1:
        return (start,)
    return tuple(
        (left, middle - 1, right)
        for middle in range(start + 1, end)
        for left in _shapes(start, middle)
        for right in _shapes(middle, end)
    )


def _form(operand: Expr) -> object:
    """The type of *operand*; bars may have been the brackets of floor or ceiling."""
    return tree.BarsExpr if _is_rounded(operand) else type(operand)


def _is_rounded(expr: Expr) -> bool:
    return isinstance(expr, tree.UnaryExpr) and expr.sign in {
        Prefix.FLOOR,
        Prefix.CEILING,
    }


# Bars that may have been the brackets of floor or ceiling


@dataclass(frozen=True, slots=True)
class Barred:
    """Bars where a formula of the same form has the brackets of *sign*."""

    definition: Definition
    expr: tree.BarsExpr
    sign: Prefix
    model: Definition


def barred(definitions: Sequence[Definition]) -> Iterator[Barred]:
    """The bars of *definitions* for which a formula of the same form has other brackets."""
    models: dict[tuple[object, ...], tuple[Definition, tree.UnaryExpr]] = {}
    forms = [tuple(map(_kind, nodes(each))) for each in definitions]
    for definition, form in zip(definitions, forms, strict=True):
        for at, node in enumerate(nodes(definition)):
            if isinstance(node, tree.UnaryExpr) and _is_rounded(node):
                models.setdefault((at, *form), (definition, node))
    for definition, form in zip(definitions, forms, strict=True):
        for at, node in enumerate(nodes(definition)):
            if isinstance(node, tree.BarsExpr) and (at, *form) in models:
                model, rounded = models[at, *form]
                yield Barred(definition, node, rounded.sign, model)


def _kind(expr: Expr) -> object:
    if isinstance(expr, tree.BinaryExpr):
        return expr.sign
    return (type(expr), len(expr.arguments)) if isinstance(expr, tree.CallExpr) else _form(expr)
