"""Brackets that print lost, found by trying all ways to put them and running the program.

Formulas of the same form lost them in the same way, so one choice is made for each form.
The choices are improved in turn, each while the others stay, until none gets better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.repairs.chains import (
    PAIRED,
    Barred,
    Chain,
    Shape,
    barred,
    chains,
    has_brackets,
)
from zermelo.languages.led.mean.repairs.evidence import Evidence, Fault, Kind
from zermelo.languages.led.mean.repairs.rebuild import changed, changed_definition, with_definitions
from zermelo.languages.led.mean.repairs.words import listed, place, shown
from zermelo.languages.led.read import tree
from zermelo.languages.led.read.tree import Document, Expr, Sign
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label

ROUNDS: Final = 4
MOST_TRIALS: Final = 250
"""How many readings are tried; what is not settled then stays as it is printed."""

_MOST_WORK: Final = 60_000
"""How many definitions are looked at for that."""

Score: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Option:
    """A way to read all chains of a form, or all bars that may be other brackets."""

    shape: Shape | None
    """``None`` for bars taken as other brackets."""
    pairs: int = 0
    brackets: int = 0
    sample: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class _Class:
    """Places that are read in the same way."""

    chains: tuple[Chain, ...]
    bars: tuple[Barred, ...]
    options: tuple[_Option, ...]
    """The first one is what is printed."""


def with_brackets(
    document: Document, program_of: Callable[[Document], Program | None]
) -> Checked[Document]:
    """*document* with the brackets that print lost."""
    # Forms with few ways to read them first: they leave less open for the others.
    classes = tuple(sorted(_classes(document), key=lambda one: len(one.options)))
    if not classes:
        return Checked(document)
    changing = [each.definition.name for one in classes for each in one.chains]
    changing += [each.definition.name for one in classes for each in one.bars]
    search = _Search(document, classes, Evidence(document, program_of, changing=changing))
    search.run()
    chosen = search.choices
    said = [each for at in range(len(classes)) for each in search.remarks(at)]
    return Checked(search.made(chosen), tuple(said))


def _classes(document: Document) -> Iterator[_Class]:
    forms: dict[object, list[Chain]] = {}
    # ½ is written as a quotient; where brackets are lost it may be the rest of one.
    doubtful = {Sign.MOD} if has_brackets(document.definitions) else PAIRED
    signs = frozenset(doubtful)
    for definition in document.definitions:
        for chain in chains(definition):
            forms.setdefault(chain.form, []).append(chain)
    for group in forms.values():
        first = group[0]
        options = tuple(
            _Option(shape, first.pairs(shape, signs), first.brackets(shape), first.sample(shape))
            for shape in first.shapes()
        )
        yield _Class(tuple(group), (), options)
    for bars in barred(document.definitions):
        yield _Class((), (bars,), (_Option(0), _Option(None, brackets=1, sample=(None,))))


class _Search:
    """The choices made so far, and what was found out about others."""

    def __init__(self, document: Document, classes: Sequence[_Class], evidence: Evidence) -> None:
        self.document = document
        self.classes = classes
        self.evidence = evidence
        self.choices = (0,) * len(classes)
        self.open: set[int] = set()
        """The classes that could not be decided."""
        self._known: dict[tuple[int, ...], tuple[Fault, ...]] = {}

    def run(self) -> None:
        """Improve each choice in turn until none gets better."""
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
        options = range(len(self.classes[at].options))
        if self._is_stopped(at):
            return
        best = min(options, key=lambda each: (*self.score(at, each), self._brackets(at, each)))
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

    def _brackets(self, at: int, option: int) -> int:
        return self.classes[at].options[option].brackets

    def score(self, at: int, option: int) -> Score:
        """What speaks against *option* while the other choices stay."""
        faults = self.faults(self._with(at, option))
        pairs = self.classes[at].options[option].pairs
        counts = tuple(sum(each.kind is kind for each in faults) for kind in Kind)
        return (*counts, pairs)

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

    def faults(self, choices: tuple[int, ...]) -> tuple[Fault, ...]:
        """What speaks against *choices*."""
        if choices not in self._known:
            self._known[choices] = self.evidence.faults(self.made(choices))
        return self._known[choices]

    def made(self, choices: tuple[int, ...]) -> Document:
        """The document with *choices*."""
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
            return _rewritten(expr, shapes, bars, change)

        made = [changed_definition(each, change) for each in self.document.definitions]
        return with_definitions(self.document, made)

    def remarks(self, at: int) -> Iterator[Diagnostic]:
        """What there is to say about one class."""
        one = self.classes[at]
        chosen = self.choices[at]
        if chosen == 0:
            is_stopped = bool(one.options[0].pairs) and self._is_stopped(at)
            if at in self.open or is_stopped:
                yield from (_undecided(each, one, self.best(at)) for each in one.chains)
            return
        without = self.faults(self._with(at, 0))
        now = self.faults(self.choices)
        against = sorted((each for each in without if each not in now), key=lambda f: f.kind)
        for chain in one.chains:
            yield _lost(chain, one, chosen, against)
        for bars in one.bars:
            yield _bars(bars, against)


def _rewritten(
    expr: Expr,
    shapes: Mapping[int, tuple[Chain, Shape]],
    bars: Mapping[int, Barred],
    change: Callable[[Expr], Expr | None],
) -> Expr | None:
    """*expr* with its chain bracketed and its bars replaced, and so inside."""
    if id(expr) in bars:
        inner = bars[id(expr)].expr.operand
        return tree.Unary(bars[id(expr)].sign, changed(inner, change), span=expr.span)
    if id(expr) in shapes:
        chain, shape = shapes[id(expr)]
        operands = tuple(changed(each, change) for each in chain.operands)
        return Chain(chain.definition, chain.expr, operands, chain.signs).bracketed(shape)
    return None


def _lost(chain: Chain, one: _Class, chosen: int, against: Sequence[Fault]) -> Diagnostic:
    option = one.options[chosen]
    assert option.shape is not None  # only bars have none
    notes = [f"as printed, {each.words}" for each in against[:2]]
    pair = _pair(chain)
    if pair:
        notes.append(f"as printed, `{pair}` stands in it, a number that nobody writes so")
    others = [place(each.definition) for each in one.chains if each is not chain]
    if others:
        verb = "is" if len(others) == 1 else "are"
        notes.append(f"{listed(others)} {verb} of the same form")
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
        is_pair = isinstance(left, tree.Number) and isinstance(right, tree.Number)
        if is_pair and sign in PAIRED and chain.pairs(chain.printed):
            return shown(tree.Binary(sign, left, right))
    return ""


def _bars(bars: Barred, against: Sequence[Fault]) -> Diagnostic:
    return Diagnostic(
        codes.BARS_FOR_BRACKETS,
        f"bars stand for other brackets in {place(bars.definition)}",
        primary=Label(bars.expr.span, f"taken as `{bars.sign.value}(…)`"),
        secondary=(Label(bars.model.name_span, "this formula of the same form has them"),),
        notes=tuple(f"as printed, {each.words}" for each in against[:2]),
        help="`--as-written` keeps the formula as it is printed",
    )


def _undecided(chain: Chain, one: _Class, tied: Sequence[int]) -> Diagnostic:
    ways = [
        f"`{shown(chain.bracketed(shape))}`"
        for each in tied[:5]
        if (shape := one.options[each].shape) is not None
    ]
    if tied[0] != 0:
        note = f"it could be {listed(ways, last='or')}, and nothing decides it"
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
