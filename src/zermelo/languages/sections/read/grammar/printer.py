r"""Trees become text again, in the notation that is asked for.

Only the brackets that the precedences need are written, with three exceptions
that readers are glad of: a negative number behind an operator, a conjunction or
comparison that is assigned, and an implication that a quantifier speaks about.

Words that are signs in ASCII (``in``, ``x``) are replaced by LaTeX commands
where the formula, or the document, has a name that is spelt like them.
"""

from __future__ import annotations

import html
import re
from enum import IntEnum
from fractions import Fraction
from typing import Final, TypeAlias, assert_never

from zermelo.languages.sections.read.grammar.symbols import (
    BY_TEXT,
    GREEK,
    INFIX_WORDS,
    PREFIX_WORDS,
)
from zermelo.languages.sections.read.grammar.traversal import named
from zermelo.languages.sections.read.grammar.tree import (
    And,
    Apply,
    Assign,
    BarsAround,
    Binary,
    BinaryOp,
    Ceiling,
    Compare,
    CompareOp,
    Declaration,
    EmptySet,
    Expr,
    Floor,
    Folded,
    Iff,
    Implies,
    Name,
    Negate,
    Not,
    NumberLiteral,
    NumberSet,
    NumberSetKind,
    Or,
    PowerSet,
    ProcedureCall,
    Product,
    Prose,
    Quantified,
    Range,
    Rule,
    SetBuilder,
    SetOf,
    Statement,
    StepByOne,
    TruthLiteral,
    TupleOf,
    Unparsed,
    WordRun,
)
from zermelo.text.source import Notation


def to_text(
    node: Expr | Statement,
    notation: Notation = Notation.UNICODE,
    *,
    declared: frozenset[str] = frozenset(),
) -> str:
    r"""The canonical text of *node* in *notation*; parsing it gives *node* back.

    *declared* are the names of the document, which no word may be mistaken for.

    >>> from zermelo.languages.sections.read.grammar.tree import Binary, BinaryOp, Name
    >>> from zermelo.languages.sections.read.grammar.tree import Compare, CompareOp
    >>> product = Product((Name("R"), Name("C")))
    >>> formula = Compare(Name("p"), ((CompareOp.IN, product),))
    >>> to_text(formula)
    'p ∈ R × C'
    >>> to_text(formula, Notation.ASCII)
    'p in R x C'
    >>> to_text(formula, Notation.ASCII, declared=frozenset({"x"}))
    'p in R \\times C'
    >>> to_text(formula, Notation.LATEX)
    'p \\in R \\times C'
    """
    printer = _Printer(notation, named(node), declared)
    match node:
        case (
            Assign() | StepByOne() | ProcedureCall() | Declaration() | Rule() | Prose() | Unparsed()
        ):
            return printer.statement(node)
        case _:
            return printer.text(node, _Precedence.IFF)


class _Precedence(IntEnum):
    """How tightly the parts of an expression are bound, loosest first."""

    IFF = 0
    IMPLIES = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    SUM = 6
    PRODUCT = 7
    NEGATE = 8
    POWER = 9
    PRIMARY = 10


_SUMS: Final = frozenset((BinaryOp.UNION, BinaryOp.DIFFERENCE, BinaryOp.PLUS, BinaryOp.MINUS))
_QUOTES: Final = (
    ('"', '"“”„'),
    ("“", '”"“'),
    ("«", "»"),
    ("‘", "’"),
    ("'", "'"),
)
"""Quotation marks that open, and those that close them, the usual one first."""
_LAST_QUOTES: Final = ("``", ("''",))
_MARKUP: Final = re.compile(r"<(?=[A-Za-z/])|&(?=[A-Za-z#])")
"""What would be read as HTML."""
_LETTERS: Final = {letter: command for command, letter in reversed(tuple(GREEK.items()))}
_Value: TypeAlias = Name | WordRun | NumberLiteral | TruthLiteral | NumberSet | EmptySet
_Collection: TypeAlias = SetOf | Range | TupleOf | SetBuilder
_Term: TypeAlias = (
    Binary | Product | Negate | BarsAround | Floor | Ceiling | PowerSet | Apply | Folded
)
_Formula: TypeAlias = Compare | Not | And | Or | Implies | Iff | Quantified


def _level(expr: Expr) -> _Precedence:
    match expr:
        case Iff():
            return _Precedence.IFF
        case Implies():
            return _Precedence.IMPLIES
        case Or():
            return _Precedence.OR
        case And():
            return _Precedence.AND
        case Not() | Quantified():
            return _Precedence.NOT
        case Compare():
            return _Precedence.COMPARE
        case Binary() | Product() | Folded() | Negate():
            return _term_level(expr)
        case _:
            return _Precedence.PRIMARY


def _term_level(expr: Binary | Product | Folded | Negate) -> _Precedence:
    match expr:
        case Negate():
            return _Precedence.NEGATE
        case Binary(BinaryOp.POWER):
            return _Precedence.POWER
        case Binary(op) if op in _SUMS:
            return _Precedence.SUM
        case _:
            return _Precedence.PRODUCT


class _Printer:
    """Prints one node."""

    def __init__(
        self, notation: Notation, mentioned: frozenset[str], declared: frozenset[str]
    ) -> None:
        self.notation = notation
        self.declared = declared
        self.taken = mentioned | declared
        """The words that may not stand for signs."""

    def text(self, expr: Expr, level: _Precedence, *, is_last: bool = True) -> str:
        """*expr* where something of at least *level* is looked for.

        A quantifier with a colon reaches as far as it can, so it stands without
        brackets only where nothing follows it (*is_last*).
        """
        is_open = isinstance(expr, Quantified) and expr.domain is not None
        if _level(expr) < level or (is_open and not is_last):
            return f"({self._bare(expr, is_last=True)})"
        return self._bare(expr, is_last=is_last)

    def _bare(self, expr: Expr, *, is_last: bool) -> str:
        match expr:
            case Name() | WordRun() | NumberLiteral() | TruthLiteral() | NumberSet() | EmptySet():
                return self._value(expr)
            case SetOf() | Range() | TupleOf() | SetBuilder():
                return self._collection(expr)
            case (
                Binary()
                | Product()
                | Negate()
                | BarsAround()
                | Floor()
                | Ceiling()
                | PowerSet()
                | Apply()
                | Folded()
            ):
                return self._term(expr)
            case Compare() | Not() | And() | Or() | Implies() | Iff() | Quantified():
                return self._formula(expr, is_last=is_last)
            case _:
                assert_never(expr)

    # Values

    def _value(self, expr: _Value) -> str:
        match expr:
            case Name(text):
                is_sign = text in PREFIX_WORDS and text not in self.declared
                return f"({self.name(text)})" if is_sign else self.name(text)
            case WordRun(words, quoted):
                return self._quoted(words) if quoted else self._words(words)
            case NumberLiteral(value):
                return _decimal(value)
            case TruthLiteral(value):
                return self._truth(value=value)
            case NumberSet(kind):
                return self._number_set(kind)
            case EmptySet():
                return "{}" if self.notation is Notation.ASCII else self.sign("∅")
            case _:
                assert_never(expr)

    def name(self, text: str) -> str:
        """A name; in LaTeX one of several letters is set as one word."""
        base, mark, subscript = text.partition("_")
        letter = _LETTERS.get(base)
        if self.notation is Notation.ASCII and letter:
            return f"\\{letter}{mark}{subscript}"
        if self.notation is not Notation.LATEX or (len(text) == 1 and not letter):
            return text
        shown = f"\\{letter}" if letter else base
        if len(base) == 1 and "_" not in subscript and (not subscript or subscript.isalnum()):
            return f"{shown}_{{{subscript}}}" if subscript else shown
        escaped = text.replace("_", "\\_")
        return f"\\mathit{{{escaped}}}"

    def _words(self, words: tuple[str, ...]) -> str:
        run = " ".join(words)
        if self.notation is Notation.LATEX:
            run = f"\\text{{{run}}}".replace("_", "\\_")
        is_sign = words[-1] in INFIX_WORDS and words[-1] not in self.declared
        return f"({run})" if is_sign else run

    def _quoted(self, words: tuple[str, ...]) -> str:
        run = _MARKUP.sub(lambda match: html.escape(match.group()), " ".join(words))
        pairs = (pair for pair in _QUOTES if not any(closer in run for closer in pair[1]))
        opener, closers = next(pairs, _LAST_QUOTES)
        return f"{opener}{run}{closers[0]}"

    def _truth(self, *, value: bool) -> str:
        word = "true" if value else "false"
        if word in self.taken:
            return self.sign("⊤" if value else "⊥")
        return f"\\text{{{word}}}" if self.notation is Notation.LATEX else word

    def _number_set(self, kind: NumberSetKind) -> str:
        if self.notation is Notation.UNICODE:
            return kind.value
        letter = "N" if kind is NumberSetKind.NATURAL else "Z"
        mark = "^+" if kind is NumberSetKind.POSITIVE else ""
        if self.notation is Notation.LATEX or (letter in self.taken and not mark):
            return f"\\mathbb{{{letter}}}{mark}"
        return f"{letter}{mark}"

    # Sets and tuples

    def _collection(self, expr: _Collection) -> str:
        match expr:
            case SetOf(items):
                return self._braces(self._list(items))
            case Range(low, high):
                dots = " \\ldots " if self.notation is Notation.LATEX else ".."
                return f"{self.text(low, _Precedence.SUM)}{dots}{self.text(high, _Precedence.SUM)}"
            case TupleOf(items):
                return f"({self._list(items)})"
            case SetBuilder(result, domain, condition):
                bar = "\\mid" if self.notation is Notation.LATEX else "|"
                shown = self.text(condition, _Precedence.IFF)
                return self._braces(f"{self._pattern(result, domain)} {bar} {shown}")
            case _:
                assert_never(expr)

    def _pattern(self, result: Expr, domain: Expr | None) -> str:
        if domain is not None:
            left, right = self.text(result, _Precedence.SUM), self.text(domain, _Precedence.SUM)
            return f"{left} {self.sign('∈')} {right}"
        match result:
            case Compare(_, ((CompareOp.IN | CompareOp.SUBSET, _),)):
                return f"({self.text(result, _Precedence.IFF)})"
            case _:
                return self.text(result, _Precedence.IFF)

    def _braces(self, inside: str) -> str:
        return f"\\{{{inside}\\}}" if self.notation is Notation.LATEX else f"{{{inside}}}"

    def _list(self, items: tuple[Expr, ...]) -> str:
        return ", ".join(self.text(item, _Precedence.IFF) for item in items)

    # Terms

    def _term(self, expr: _Term) -> str:
        match expr:
            case Binary(op, left, right):
                return self._binary(op, left, right)
            case Product(factors):
                return self._product(factors)
            case Negate(operand):
                return f"{self.sign('−')}{self.text(operand, _Precedence.POWER)}"
            case BarsAround(operand):
                # Bars do not tell where they open, so an arrow would be taken for a rule's.
                return f"|{self.text(operand, _Precedence.OR)}|"
            case Floor(operand):
                return self._rounded("⌊", "⌋", operand)
            case Ceiling(operand):
                return self._rounded("⌈", "⌉", operand)
            case PowerSet(operand):
                return f"{self._power_set()}({self.text(operand, _Precedence.IFF)})"
            case Apply(name, arguments):
                return f"{self.name(name)}({self._list(arguments)})"
            case Folded():
                return self._folded(expr)
            case _:
                assert_never(expr)

    def _binary(self, op: BinaryOp, left: Expr, right: Expr) -> str:
        if op is BinaryOp.POWER:
            return self._power(left, right)
        level = _Precedence.SUM if op in _SUMS else _Precedence.PRODUCT
        # A sum reaches over products. A minus behind an operator is hard to see, and words
        # behind a minus look like a comment behind a dash.
        is_reaching = level is _Precedence.PRODUCT and isinstance(left, Folded)
        left_text = self.text(left, _Precedence.PRIMARY if is_reaching else level)
        tighter = _Precedence.PRODUCT if level is _Precedence.SUM else _Precedence.POWER
        is_hidden = isinstance(right, Negate) or (op is BinaryOp.MINUS and _begins_in_words(right))
        right_text = self.text(right, _Precedence.IFF if is_hidden else tighter)
        if is_hidden:
            right_text = f"({right_text})"
        return f"{left_text} {self.sign(op.value)} {right_text}"

    def _product(self, factors: tuple[Expr, ...]) -> str:
        first, *others = factors
        is_reaching = isinstance(first, Folded | Product)
        texts = [self.text(first, _Precedence.PRIMARY if is_reaching else _Precedence.PRODUCT)]
        for factor in others:
            text = self.text(factor, _Precedence.POWER)
            texts.append(f"({text})" if isinstance(factor, Negate) else text)
        return f" {self.sign('×')} ".join(texts)

    def _power(self, base: Expr, exponent: Expr) -> str:
        below = self.text(base, _Precedence.PRIMARY)
        if self.notation is Notation.LATEX:
            return f"{below}^{{{self.text(exponent, _Precedence.IFF)}}}"
        above = self.text(exponent, _Precedence.POWER)
        # A brace behind `^` groups, so a set stands in brackets there.
        return f"{below}^({above})" if above.startswith("{") else f"{below}^{above}"

    def _rounded(self, opener: str, closer: str, operand: Expr) -> str:
        inside = self.text(operand, _Precedence.IFF)
        match self.notation:
            case Notation.UNICODE:
                return f"{opener}{inside}{closer}"
            case Notation.ASCII:
                word = "floor" if opener == "⌊" else "ceil"
                if word not in self.taken:
                    return f"{word}({inside})"
            case Notation.LATEX:
                pass
        return f"{self.sign(opener)} {inside} {self.sign(closer)}"

    def _power_set(self) -> str:
        match self.notation:
            case Notation.UNICODE:
                return "𝒫"
            case Notation.ASCII:
                return "\\wp" if "powerset" in self.taken else "powerset"
            case Notation.LATEX:
                return "\\mathcal{P}"

    def _folded(self, expr: Folded) -> str:
        sign = self.sign(expr.aggregate.value)
        if expr.domain is None:
            return f"{sign}({self.text(expr.body, _Precedence.IFF)})"
        limit = (
            f"{self.name(expr.variable)} {self.sign('∈')} {self.text(expr.domain, _Precedence.SUM)}"
        )
        return f"{sign}_{{{limit}}} {self.text(expr.body, _Precedence.PRODUCT)}"

    # Formulas

    def _formula(self, expr: _Formula, *, is_last: bool) -> str:
        match expr:
            case Compare(first, rest):
                return self._compare(first, rest, is_last=is_last)
            case Not(operand):
                return self._prefixed("¬", self.text(operand, _Precedence.NOT, is_last=is_last))
            case And(operands):
                return self._joined("∧", operands, _Precedence.NOT, is_last=is_last)
            case Or(operands):
                return self._joined("∨", operands, _Precedence.AND, is_last=is_last)
            case Implies(left, right):
                before = self.text(left, _Precedence.OR, is_last=False)
                behind = self.text(right, _Precedence.IMPLIES, is_last=is_last)
                return f"{before} {self.sign('→')} {behind}"
            case Iff(left, right):
                before = self.text(left, _Precedence.IFF, is_last=False)
                behind = self.text(right, _Precedence.IMPLIES, is_last=is_last)
                return f"{before} {self.sign('↔')} {behind}"
            case Quantified():
                return self._quantified(expr)
            case _:
                assert_never(expr)

    def _compare(
        self, first: Expr, rest: tuple[tuple[CompareOp, Expr], ...], *, is_last: bool
    ) -> str:
        pieces = [self.text(first, _Precedence.SUM)]
        for at, (op, right) in enumerate(rest):
            is_end = at == len(rest) - 1
            level = _Precedence.NOT if is_end and isinstance(right, Not) else _Precedence.SUM
            pieces.append(self.sign(op.value))
            pieces.append(self.text(right, level, is_last=is_end and is_last))
        return " ".join(pieces)

    def _joined(
        self, sign: str, operands: tuple[Expr, ...], level: _Precedence, *, is_last: bool
    ) -> str:
        last = len(operands) - 1
        texts = [
            self.text(operand, level, is_last=is_last and at == last)
            for at, operand in enumerate(operands)
        ]
        return f" {self.sign(sign)} ".join(texts)

    def _quantified(self, expr: Quantified) -> str:
        variables = ", ".join(self.name(variable) for variable in expr.variables)
        if expr.is_tuple:
            variables = f"({variables})"
        bound = self._prefixed(expr.quantifier.value, variables)
        if expr.domain is None:
            return f"{bound} ({self.text(expr.body, _Precedence.IFF)})"
        domain = self.text(expr.domain, _Precedence.SUM)
        return f"{bound} {self.sign('∈')} {domain}: {self.text(expr.body, _Precedence.OR)}"

    def _prefixed(self, sign: str, text: str) -> str:
        shown = self.sign(sign)
        return f"{shown} {text}" if shown[-1].isalpha() and shown.isascii() else f"{shown}{text}"

    # Statements

    def statement(self, node: Statement) -> str:
        match node:
            case Assign(target, value):
                return f"{self._target(target)} {self.sign('=')} {self._new(value)}"
            case StepByOne(name, is_up):
                return f"{self.name(name)}{'++' if is_up else '--'}"
            case ProcedureCall(name, arguments):
                return f"{self.name(name)}({self._list(arguments)})"
            case Declaration(names, relation, domain):
                left = ", ".join(self.name(name) for name in names)
                return f"{left} {self.sign(relation.value)} {self.text(domain, _Precedence.SUM)}"
            case Rule(guard, conclusion):
                conjuncts = f" {self.sign('∧')} ".join(self._conjunct(one) for one in conclusion)
                return f"{self.text(guard, _Precedence.OR)} {self.sign('→')} {conjuncts}"
            case Prose(lines):
                return "\n".join(lines)
            case Unparsed(text):
                return text
            case _:
                assert_never(node)

    def _target(self, target: Name | TupleOf) -> str:
        if isinstance(target, Name):
            return self.name(target.text)
        names = (item.text for item in target.items if isinstance(item, Name))
        return f"({', '.join(self.name(name) for name in names)})"

    def _new(self, value: Expr) -> str:
        """What is assigned; a ``∧`` in it stands in brackets, as the next one assigns again."""
        is_compare = isinstance(value, Compare)
        return self.text(value, _Precedence.SUM if is_compare else _Precedence.NOT, is_last=False)

    def _conjunct(self, node: Statement) -> str:
        shown = self.statement(node)
        return f"({shown})" if isinstance(node, Rule) else shown

    # Signs

    def sign(self, text: str) -> str:
        """How *text* is typed in this notation."""
        symbol = BY_TEXT[text]
        match self.notation:
            case Notation.UNICODE:
                return "%" if text == "mod" and text in self.taken else text
            case Notation.ASCII:
                return self._ascii(text)
            case Notation.LATEX:
                if text.isascii() and not text.isalpha():
                    return text
                return f"\\{symbol.latex[0]}" if symbol.latex else symbol.ascii[0]

    def _ascii(self, text: str) -> str:
        symbol = BY_TEXT[text]
        if symbol.words and text == symbol.words[0] and text not in self.taken:
            return text
        if symbol.ascii:
            return symbol.ascii[0]
        if symbol.words and symbol.words[0] not in self.taken:
            return symbol.words[0]
        return f"\\{symbol.latex[0]}"


def _begins_in_words(expr: Expr) -> bool:
    first = expr
    while isinstance(first, Binary):
        first = first.left
    return isinstance(first, WordRun)


def _decimal(value: int | Fraction) -> str:
    """A number in decimals; only what can be typed in decimals is ever read."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value))
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
