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
from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from typing import Final, TypeAlias, assert_never

from zermelo.languages.sections.read.grammar import symbols, tree
from zermelo.languages.sections.read.grammar.traversal import membership, named
from zermelo.languages.sections.read.grammar.tree import BinaryOp, Expr, Statement
from zermelo.text.source import Notation


def to_text(
    node: Expr | Statement,
    notation: Notation = Notation.UNICODE,
    *,
    declared: frozenset[str] = frozenset(),
) -> str:
    r"""The canonical text of *node* in *notation*; parsing it gives *node* back.

    *declared* are the names of the document, which no word may be mistaken for.

    >>> from zermelo.languages.sections.read.grammar.tree import Compare, CompareOp, Name, Product
    >>> formula = Compare(Name("p"), ((CompareOp.IN, Product((Name("R"), Name("C")))),))
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
    return printer.statement(node) if isinstance(node, Statement) else printer.text(node)


def conclusion(
    statements: tuple[Statement, ...], notation: Notation, declared: frozenset[str]
) -> str:
    """*statements* as they stand side by side on one line of a conclusion."""
    mentioned = frozenset().union(*map(named, statements))
    return _Printer(notation, mentioned, declared).conclusion(statements)


class Precedence(IntEnum):
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


SUMS: Final = frozenset(
    (BinaryOp.UNION, BinaryOp.DIFFERENCE, BinaryOp.EITHER, BinaryOp.PLUS, BinaryOp.MINUS)
)
_LEVELS: Final[Mapping[type[Expr], Precedence]] = {
    tree.Iff: Precedence.IFF,
    tree.Implies: Precedence.IMPLIES,
    tree.Or: Precedence.OR,
    tree.And: Precedence.AND,
    tree.Not: Precedence.NOT,
    tree.Quantified: Precedence.NOT,
    tree.Compare: Precedence.COMPARE,
    tree.Product: Precedence.PRODUCT,
    tree.Folded: Precedence.PRODUCT,
    tree.Negate: Precedence.NEGATE,
}
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
_LETTERS: Final = {letter: command for command, letter in reversed(tuple(symbols.GREEK.items()))}
Leaf: TypeAlias = (
    tree.Name
    | tree.WordRun
    | tree.NumberLiteral
    | tree.TruthLiteral
    | tree.NumberSet
    | tree.EmptySet
)
Collection: TypeAlias = tree.SetOf | tree.Range | tree.TupleOf | tree.SetBuilder
Term: TypeAlias = (
    tree.Binary
    | tree.Product
    | tree.Negate
    | tree.BarsAround
    | tree.Floor
    | tree.Ceiling
    | tree.PowerSet
    | tree.Component
    | tree.Apply
    | tree.Folded
)


def level_of(expr: Expr) -> Precedence:
    if not isinstance(expr, tree.Binary):
        return _LEVELS.get(type(expr), Precedence.PRIMARY)
    if expr.op is BinaryOp.POWER:
        return Precedence.POWER
    return Precedence.SUM if expr.op in SUMS else Precedence.PRODUCT


def begins_in_words(expr: Expr) -> bool:
    first = expr
    while isinstance(first, tree.Binary):
        first = first.left
    return isinstance(first, tree.WordRun)


class _Printer:
    """Prints one node."""

    def __init__(
        self, notation: Notation, mentioned: frozenset[str], declared: frozenset[str]
    ) -> None:
        self.notation = notation
        self.declared = declared
        self.taken = mentioned | declared
        """The words that may not stand for signs."""

    def text(self, expr: Expr, level: Precedence = Precedence.IFF, *, is_last: bool = True) -> str:
        """*expr* where something of at least *level* is looked for.

        A quantifier with a colon reaches as far as it can, so it stands without
        brackets only where nothing follows it (*is_last*).
        """
        is_open = isinstance(expr, tree.Quantified) and expr.domain is not None
        if level_of(expr) < level or (is_open and not is_last):
            return f"({self._bare(expr, is_last=True)})"
        return self._bare(expr, is_last=is_last)

    def _bare(self, expr: Expr, *, is_last: bool) -> str:
        if isinstance(expr, Leaf):
            return self._value(expr)
        if isinstance(expr, Collection):
            return self._collection(expr)
        if isinstance(expr, Term):
            return self._term(expr)
        return self._formula(expr, is_last=is_last)

    # Values

    def _value(self, expr: Leaf) -> str:
        match expr:
            case tree.Name(text):
                is_sign = text in symbols.PREFIX_WORDS and text not in self.declared
                return f"({self.name(text)})" if is_sign else self.name(text)
            case tree.WordRun(words, quoted):
                return self._quoted(words) if quoted else self._words(words)
            case tree.NumberLiteral(value):
                return decimal(value)
            case tree.TruthLiteral(value):
                return self._truth(value=value)
            case tree.NumberSet(kind):
                return self._number_set(kind)
            case tree.EmptySet():
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
        is_sign = words[-1] in symbols.INFIX_WORDS and words[-1] not in self.declared
        return f"({run})" if is_sign else run

    def _quoted(self, words: tuple[str, ...]) -> str:
        run = _MARKUP.sub(lambda match: html.escape(match.group()), " ".join(words))
        opener, closer = quotation_marks(run)
        return f"{opener}{run}{closer}"

    def _truth(self, *, value: bool) -> str:
        word = "true" if value else "false"
        if word in self.taken:
            return self.sign("⊤" if value else "⊥")
        return f"\\text{{{word}}}" if self.notation is Notation.LATEX else word

    def _number_set(self, kind: tree.NumberSetKind) -> str:
        if self.notation is Notation.UNICODE:
            return kind.value
        letter = "N" if kind is tree.NumberSetKind.NATURAL else "Z"
        mark = "^+" if kind is tree.NumberSetKind.POSITIVE else ""
        if self.notation is Notation.LATEX or (letter in self.taken and not mark):
            return f"\\mathbb{{{letter}}}{mark}"
        return f"{letter}{mark}"

    # Sets and tuples

    def _collection(self, expr: Collection) -> str:
        match expr:
            case tree.SetOf(items):
                return self._braces(self._list(items))
            case tree.Range(low, high):
                dots = " \\ldots " if self.notation is Notation.LATEX else ".."
                return f"{self.text(low, Precedence.SUM)}{dots}{self.text(high, Precedence.SUM)}"
            case tree.TupleOf(items):
                return f"({self._list(items)})"
            case tree.SetBuilder(result, domain, condition):
                bar = "\\mid" if self.notation is Notation.LATEX else "|"
                shown = self.text(condition)
                return self._braces(f"{self._pattern(result, domain)} {bar} {shown}")
            case _:
                assert_never(expr)

    def _pattern(self, result: Expr, domain: Expr | None) -> str:
        if domain is not None:
            left, right = self.text(result, Precedence.SUM), self.text(domain, Precedence.SUM)
            return f"{left} {self.sign('∈')} {right}"
        shown = self.text(result)
        return shown if membership(result) is None else f"({shown})"

    def _braces(self, inside: str) -> str:
        return f"\\{{{inside}\\}}" if self.notation is Notation.LATEX else f"{{{inside}}}"

    def _list(self, items: tuple[Expr, ...]) -> str:
        return ", ".join(self.text(item) for item in items)

    # Terms

    def _term(self, expr: Term) -> str:
        match expr:
            case tree.Binary(op, left, right):
                return self._binary(op, left, right)
            case tree.Product(factors):
                return self._product(factors)
            case tree.Negate(operand):
                return f"{self.sign('−')}{self.text(operand, Precedence.POWER)}"
            case tree.BarsAround(operand):
                # Bars do not tell where they open, so an arrow would be taken for a rule's.
                return f"|{self.text(operand, Precedence.OR)}|"
            case tree.Floor(operand) | tree.Ceiling(operand):
                return self._rounded(operand, is_down=isinstance(expr, tree.Floor))
            case tree.PowerSet(operand):
                return f"{self._power_set()}({self.text(operand)})"
            case tree.Component(operand, number):
                is_number = isinstance(operand, tree.NumberLiteral)
                whole = self.text(operand, Precedence.PRIMARY)
                return f"({whole}).{number}" if is_number else f"{whole}.{number}"
            case tree.Apply(name, arguments):
                return f"{self.name(name)}({self._list(arguments)})"
            case tree.Folded():
                return self._folded(expr)
            case _:
                assert_never(expr)

    def _binary(self, op: BinaryOp, left: Expr, right: Expr) -> str:
        if op is BinaryOp.POWER:
            return self._power(left, right)
        level = Precedence.SUM if op in SUMS else Precedence.PRODUCT
        # A sum reaches over products. A minus behind an operator is hard to see, and words
        # behind a minus look like a comment behind a dash.
        is_reaching = level is Precedence.PRODUCT and isinstance(left, tree.Folded)
        left_text = self.text(left, Precedence.PRIMARY if is_reaching else level)
        tighter = Precedence.PRODUCT if level is Precedence.SUM else Precedence.POWER
        is_hidden = isinstance(right, tree.Negate) or (
            op is BinaryOp.MINUS and begins_in_words(right)
        )
        right_text = self.text(right, Precedence.IFF if is_hidden else tighter)
        if is_hidden:
            right_text = f"({right_text})"
        return f"{left_text} {self.sign(op.value)} {right_text}"

    def _product(self, factors: tuple[Expr, ...]) -> str:
        first, *others = factors
        is_reaching = isinstance(first, tree.Folded | tree.Product)
        texts = [self.text(first, Precedence.PRIMARY if is_reaching else Precedence.PRODUCT)]
        texts += [self.text(factor, Precedence.POWER) for factor in others]
        return f" {self.sign('×')} ".join(texts)

    def _power(self, base: Expr, exponent: Expr) -> str:
        below = self.text(base, Precedence.PRIMARY)
        if self.notation is Notation.LATEX:
            return f"{below}^{{{self.text(exponent)}}}"
        above = self.text(exponent, Precedence.POWER)
        # A brace behind `^` groups, so a set stands in brackets there.
        return f"{below}^({above})" if above.startswith("{") else f"{below}^{above}"

    def _rounded(self, operand: Expr, *, is_down: bool) -> str:
        opener, closer = ("⌊", "⌋") if is_down else ("⌈", "⌉")
        inside = self.text(operand)
        if self.notation is Notation.UNICODE:
            return f"{opener}{inside}{closer}"
        word = "floor" if is_down else "ceil"
        if self.notation is Notation.ASCII and word not in self.taken:
            return f"{word}({inside})"
        return f"{self.sign(opener)} {inside} {self.sign(closer)}"

    def _power_set(self) -> str:
        if self.notation is Notation.ASCII:
            return "\\wp" if "powerset" in self.taken else "powerset"
        return "𝒫" if self.notation is Notation.UNICODE else "\\mathcal{P}"

    def _folded(self, expr: tree.Folded) -> str:
        sign = self.sign(expr.aggregate.value)
        if expr.domain is None:
            return f"{sign}({self.text(expr.body)})"
        names = ", ".join(map(self.name, expr.variables))
        member = f"({names})" if expr.others else names
        limit = f"{member} {self.sign('∈')} {self.text(expr.domain, Precedence.SUM)}"
        return f"{sign}_{{{limit}}} {self.text(expr.body, Precedence.PRODUCT)}"

    # Formulas

    def _formula(self, expr: tree.Formula, *, is_last: bool) -> str:
        match expr:
            case tree.Compare(first, rest):
                return self._compare(first, rest, is_last=is_last)
            case tree.Not(operand):
                return self._prefixed("¬", self.text(operand, Precedence.NOT, is_last=is_last))
            case tree.And(operands):
                return self._joined("∧", operands, Precedence.NOT, is_last=is_last)
            case tree.Or(operands):
                return self._joined("∨", operands, Precedence.AND, is_last=is_last)
            case tree.Implies(left, right):
                before = self.text(left, Precedence.OR, is_last=False)
                behind = self.text(right, Precedence.IMPLIES, is_last=is_last)
                return f"{before} {self.sign('→')} {behind}"
            case tree.Iff(left, right):
                before = self.text(left, Precedence.IFF, is_last=False)
                behind = self.text(right, Precedence.IMPLIES, is_last=is_last)
                return f"{before} {self.sign('↔')} {behind}"
            case tree.Quantified():
                return self._quantified(expr)
            case _:
                assert_never(expr)

    def _compare(
        self, first: Expr, rest: tuple[tuple[tree.CompareOp, Expr], ...], *, is_last: bool
    ) -> str:
        pieces = [self.text(first, Precedence.SUM)]
        for at, (op, right) in enumerate(rest):
            is_end = at == len(rest) - 1
            level = Precedence.NOT if is_end and isinstance(right, tree.Not) else Precedence.SUM
            pieces.append(self.sign(op.value))
            pieces.append(self.text(right, level, is_last=is_end and is_last))
        return " ".join(pieces)

    def _joined(
        self, sign: str, operands: tuple[Expr, ...], level: Precedence, *, is_last: bool
    ) -> str:
        last = len(operands) - 1
        texts = [
            self.text(operand, level, is_last=is_last and at == last)
            for at, operand in enumerate(operands)
        ]
        return f" {self.sign(sign)} ".join(texts)

    def _quantified(self, expr: tree.Quantified) -> str:
        variables = ", ".join(map(self.name, expr.variables))
        if expr.is_tuple:
            variables = f"({variables})"
        bound = self._prefixed(expr.quantifier.value, variables)
        if expr.domain is None:
            return f"{bound} ({self.text(expr.body)})"
        domain = self.text(expr.domain, Precedence.SUM)
        return f"{bound} {self.sign('∈')} {domain}: {self.text(expr.body, Precedence.OR)}"

    def _prefixed(self, sign: str, text: str) -> str:
        shown = self.sign(sign)
        return f"{shown} {text}" if shown[-1].isalpha() and shown.isascii() else f"{shown}{text}"

    # Statements

    def statement(self, node: Statement) -> str:
        match node:
            case tree.Assign():
                return self._assignment(node)
            case tree.StepByOne(name, is_up):
                return f"{self.name(name)}{'++' if is_up else '--'}"
            case tree.ProcedureCall(name, arguments):
                return f"{self.name(name)}({self._list(arguments)})"
            case tree.Declaration(names, relation, domain):
                left = ", ".join(map(self.name, names))
                return f"{left} {self._declared(relation, domain)}"
            case tree.Rule(guard, conclusion):
                done = self.conclusion(conclusion)
                condition = self.text(guard, Precedence.OR)
                if condition.startswith(self.sign("−")):
                    # A line that begins with a minus goes on with the line above it.
                    condition = f"({condition})"
                return f"{condition} {self.sign('→')} {done}"
            case tree.Prose(lines):
                return "\n".join(lines)
            case tree.Unparsed(text):
                return text
            case _:
                assert_never(node)

    def conclusion(self, statements: tuple[Statement, ...]) -> str:
        done = [
            f"({self.statement(each)})" if isinstance(each, tree.Rule) else self.statement(each)
            for each in statements
        ]
        return f" {self.sign('∧')} ".join(done)

    def _assignment(self, node: tree.Assign) -> str:
        target, value = self._target(node.target), node.value
        changed = tree.changed_place(node)
        if changed is not None:
            at, value = changed
            inside = at.items if isinstance(at, tree.TupleOf) else (at,)
            target = f"{target}({self._list(inside)})"
        return f"{target} {self.sign('=')} {self._new(value)}"

    def _declared(self, relation: tree.DeclaredRelation, domain: Expr) -> str:
        if relation is tree.DeclaredRelation.FUNCTION and isinstance(domain, tree.Product):
            ends = (self.text(each, Precedence.SUM) for each in domain.factors)
            return f": {f' {self.sign(relation.value)} '.join(ends)}"
        return f"{self.sign(relation.value)} {self.text(domain, Precedence.SUM)}"

    def _target(self, target: tree.Name | tree.TupleOf) -> str:
        if isinstance(target, tree.Name):
            return self.name(target.text)
        names = (item.text for item in target.items if isinstance(item, tree.Name))
        return f"({', '.join(map(self.name, names))})"

    def _new(self, value: Expr) -> str:
        """What is assigned; a ``∧`` in it stands in brackets, as the next one assigns again."""
        is_compare = isinstance(value, tree.Compare)
        return self.text(value, Precedence.SUM if is_compare else Precedence.NOT, is_last=False)

    # Signs

    def sign(self, text: str) -> str:
        symbol = symbols.BY_TEXT[text]
        word = symbol.words[0] if symbol.words else ""
        match self.notation:
            case Notation.UNICODE:
                return "%" if text == "mod" and text in self.taken else text
            case Notation.ASCII:
                is_word = bool(word) and word not in self.taken
                if is_word and (text == word or not symbol.ascii):
                    return word
                return symbol.ascii[0] if symbol.ascii else f"\\{symbol.latex[0]}"
            case Notation.LATEX:
                if text.isascii() and not text.isalpha():
                    return text
                return f"\\{symbol.latex[0]}" if symbol.latex else symbol.ascii[0]


def quotation_marks(run: str) -> tuple[str, str]:
    """Marks to put around *run* that are not in it."""
    pairs = (pair for pair in _QUOTES if not any(closer in run for closer in pair[1]))
    opener, closers = next(pairs, _LAST_QUOTES)
    return opener, closers[0]


def decimal(value: int | Fraction) -> str:
    """A number in decimals; only what can be typed in decimals is ever read."""
    if value.denominator == 1:
        return str(int(value))
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
