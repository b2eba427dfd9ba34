"""What the author wrote, as a value.

A tree says what stands in the document and nothing about what it means: names
are not resolved, ``P(x)`` may turn out to be a power set or a lost minus, and a
run of words may be a value or two sets with the operator between them lost.
Trees compare by what they say; places are not part of their identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """A piece of syntax."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# Expressions


class BinaryOp(Enum):
    """Operators between two operands; the value is the canonical symbol."""

    UNION = "∪"
    INTERSECTION = "∩"
    DIFFERENCE = "∖"
    """Only where the author wrote ``∖`` or ``\\setminus``; see MINUS."""
    EITHER = "⊕"
    """What is in one of two sets and not in both; of truth values, one and not both."""
    PLUS = "+"
    MINUS = "−"
    """Of numbers or of sets: the type decides."""
    TIMES = "·"
    DIVIDE = "/"
    MOD = "mod"
    POWER = "^"


class CompareOp(Enum):
    """Relations; the value is the canonical symbol."""

    EQ = "="
    NE = "≠"
    LT = "<"
    LE = "≤"
    GT = ">"
    GE = "≥"
    IN = "∈"
    NOT_IN = "∉"
    SUBSET = "⊆"
    NOT_SUBSET = "⊈"
    PROPER_SUBSET = "⊂"
    SUPERSET = "⊇"


class Quantifier(Enum):
    """The quantifiers."""

    ALL = "∀"
    SOME = "∃"


class Aggregate(Enum):
    """Operators over all members of a set."""

    SUM = "∑"
    PRODUCT = "∏"


class NumberSetKind(Enum):
    """The number sets that have names of their own."""

    NATURAL = "ℕ"
    INTEGER = "ℤ"
    POSITIVE = "ℤ⁺"


@dataclass(frozen=True, slots=True)
class Name(SyntaxNode):
    """An identifier; subscripts are part of it, as ``C_1``."""

    text: str


@dataclass(frozen=True, slots=True)
class WordRun(SyntaxNode):
    """A run of two or more words, or a text in quotation marks."""

    words: tuple[str, ...]
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class NumberLiteral(SyntaxNode):
    """A number without a sign."""

    value: int | Fraction


@dataclass(frozen=True, slots=True)
class TruthLiteral(SyntaxNode):
    """``true`` or ``false``."""

    value: bool


@dataclass(frozen=True, slots=True)
class NumberSet(SyntaxNode):
    """``ℕ``, ``ℤ`` or ``ℤ⁺``, also when described in words."""

    kind: NumberSetKind


@dataclass(frozen=True, slots=True)
class EmptySet(SyntaxNode):
    """``∅``, however it was written; ``{}`` too."""


@dataclass(frozen=True, slots=True)
class SetOf(SyntaxNode):
    """``{a, b, c}`` with at least one item; items may be ranges."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(SyntaxNode):
    """``low..high``, only as an item of a ``SetOf``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class TupleOf(SyntaxNode):
    """``(a, b)`` with at least two items."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetBuilder(SyntaxNode):
    """``{result ∈ domain | condition}``; without a domain ``{result | condition}``."""

    result: Expr
    domain: Expr | None
    condition: Expr


@dataclass(frozen=True, slots=True)
class Binary(SyntaxNode):
    """``left op right``."""

    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Product(SyntaxNode):
    """``A × B × …``, two or more factors; ``(A × B) × C`` has a product as its first."""

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(SyntaxNode):
    """A sign around or before one operand."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Negate(Unary):
    """``−operand``."""


@dataclass(frozen=True, slots=True)
class BarsAround(Unary):
    """``|operand|``: cardinality of a set, absolute value of a number."""


@dataclass(frozen=True, slots=True)
class Floor(Unary):
    """``⌊operand⌋``."""


@dataclass(frozen=True, slots=True)
class Ceiling(Unary):
    """``⌈operand⌉``."""


@dataclass(frozen=True, slots=True)
class PowerSet(Unary):
    """``𝒫(operand)``, written so that it can be nothing else."""


@dataclass(frozen=True, slots=True)
class Component(Unary):
    """``operand.number``: a component of a tuple, the first has the number 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Apply(SyntaxNode):
    """``name(arguments)``: a function, or ``P(x)`` with a set called ``P``."""

    name: str
    arguments: tuple[Expr, ...]
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Folded(SyntaxNode):
    """``∑_{variable ∈ domain} body``; of tuples ``∑_{(variable, others) ∈ domain} body``."""

    aggregate: Aggregate
    variable: str
    domain: Expr | None
    body: Expr
    others: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        return (self.variable, *self.others)


@dataclass(frozen=True, slots=True)
class Compare(SyntaxNode):
    """``first op second op third …``; a chain is the conjunction of its links."""

    first: Expr
    rest: tuple[tuple[CompareOp, Expr], ...]


@dataclass(frozen=True, slots=True)
class Not(Unary):
    """``¬operand``."""


@dataclass(frozen=True, slots=True)
class And(SyntaxNode):
    """``a ∧ b ∧ …``: two or more operands, none of them an ``And``."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or(SyntaxNode):
    """``a ∨ b ∨ …``: two or more operands, none of them an ``Or``."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Implies(SyntaxNode):
    """``left → right``, as a formula."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Iff(SyntaxNode):
    """``left ↔ right``."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quantified(SyntaxNode):
    """``∃x, y ∈ domain: body``; without a domain ``∃x (body)``.

    As a tuple, ``∃(x, y) ∈ domain: body``, the variables are the components of one member.
    """

    quantifier: Quantifier
    variables: tuple[str, ...]
    domain: Expr | None
    body: Expr
    is_tuple: bool = False


Expr: TypeAlias = (
    Name
    | WordRun
    | NumberLiteral
    | TruthLiteral
    | NumberSet
    | EmptySet
    | SetOf
    | Range
    | TupleOf
    | SetBuilder
    | Binary
    | Product
    | Negate
    | BarsAround
    | Floor
    | Ceiling
    | PowerSet
    | Component
    | Apply
    | Folded
    | Compare
    | Not
    | And
    | Or
    | Implies
    | Iff
    | Quantified
)

Formula: TypeAlias = Compare | Not | And | Or | Implies | Iff | Quantified
"""What is true or false by its form."""


# Statements and items


class DeclaredRelation(Enum):
    """How a declaration ties a name to its set."""

    IN = "∈"
    SUBSET = "⊆"
    FUNCTION = "→"
    """``f : A → B``, whose domain is ``A × B``: a function is the set of its pairs."""


@dataclass(frozen=True, slots=True)
class Parameter(SyntaxNode):
    """A parameter of a procedure or function; without a domain only its name."""

    name: str
    relation: DeclaredRelation | None = None
    domain: Expr | None = None


@dataclass(frozen=True, slots=True)
class Item(SyntaxNode):
    """A line, or a few, with the words that stood behind them."""

    note: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Assign(Item):
    """``target = value``; the target is a name or a tuple of names."""

    target: Name | TupleOf
    value: Expr


@dataclass(frozen=True, slots=True)
class StepByOne(Item):
    """``name++`` or ``name--``."""

    name: str
    is_up: bool


@dataclass(frozen=True, slots=True)
class ProcedureCall(Item):
    """``Name(arguments)`` as a statement."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Declaration(Item):
    """``a, b ∈ domain`` or ``a, b ⊆ domain``, of the system or of a procedure."""

    names: tuple[str, ...]
    relation: DeclaredRelation
    domain: Expr
    name_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Rule(Item):
    """``guard → conclusion``; nested rules are statements of the conclusion."""

    guard: Expr
    conclusion: tuple[Statement, ...]
    breaks: tuple[int, ...] = field(default=(), compare=False)
    """The places in the conclusion at which a new line begins."""


@dataclass(frozen=True, slots=True)
class Prose(Item):
    """Lines that are no formula, one string for each."""

    lines: tuple[str, ...]
    is_comment: bool = field(default=False, compare=False, repr=False, kw_only=True)
    """Whether they are marked as comments; other lines were only taken as prose."""


@dataclass(frozen=True, slots=True)
class Unparsed(Item):
    """A formula that was not understood, as it stands; a diagnostic says why."""

    text: str
    names: tuple[str, ...] = ()
    """The names that it was to define, declare or give a value."""


Statement: TypeAlias = Assign | StepByOne | ProcedureCall | Declaration | Rule | Prose | Unparsed


@dataclass(frozen=True, slots=True)
class SetDefinition(Item):
    """``name : value``; with an index, the family ``name_index : value``."""

    name: str
    value: Expr
    index: str | None = None
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Fact(Item):
    """A formula that the document says holds always."""

    formula: Expr


@dataclass(frozen=True, slots=True)
class Initial(Item):
    """``a, b = value``."""

    names: tuple[str, ...]
    value: Expr
    at: tuple[Expr, ...] = ()
    """The place of a function at which this is its value, as in ``heap(1) = 3``."""
    over: Expr | None = None
    """The set of all such places, as in ``∀i ∈ I: heap(i) = 3``."""
    name_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class FunctionDefinition(Item):
    """``name(parameters) = body``."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expr
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Procedure(Item):
    """A head ``name(parameters)`` and what stands under it."""

    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Erratum(Item):
    """``"old" → "new"``, with its reason."""

    old: str
    new: str
    reason: str = ""


FormulaItem: TypeAlias = (
    SetDefinition | Declaration | Fact | Initial | FunctionDefinition | Procedure | Prose | Unparsed
)
SectionItem: TypeAlias = FormulaItem | Setting | Erratum


@dataclass(frozen=True, slots=True)
class Section(SyntaxNode):
    """A heading and the items under it."""

    kind: SectionKind
    items: tuple[SectionItem, ...]


@dataclass(frozen=True, slots=True)
class SectionsDocument(SyntaxNode):
    """A whole sections document: the lines before the first heading, then the sections."""

    preamble: tuple[str, ...]
    sections: tuple[Section, ...]


def everywhere(initial: Initial, over: Expr) -> Quantified:
    """``∀i ∈ I: heap(i) = 3`` as a formula."""
    names = tuple(each.text for each in initial.at if isinstance(each, Name))
    value = Apply(initial.names[0], initial.at, span=initial.span)
    equal = Compare(value, ((CompareOp.EQ, initial.value),), span=initial.span)
    is_tuple = len(names) > 1
    return Quantified(Quantifier.ALL, names, over, equal, is_tuple=is_tuple, span=initial.span)


OVERRIDE = "override"
"""The word for a function with other values in some places."""


def overridden(function: Name, arguments: tuple[Expr, ...], value: Expr, span: Span) -> Apply:
    """What ``f(i) = e`` gives the variable f: ``override(f, {(i, e)})``."""
    at = arguments[0] if len(arguments) == 1 else TupleOf(arguments, span=span)
    change = SetOf((TupleOf((at, value), span=span),), span=span)
    return Apply(OVERRIDE, (function, change), span=span, name_span=function.span)


def changed_place(assign: Assign) -> tuple[Expr, Expr] | None:
    """The place and the value of an assignment that can be written ``f(i) = e``."""
    match assign.target, assign.value:
        case (
            Name(text=name),
            Apply(
                name="override",
                arguments=(Name(text=same), SetOf(items=(TupleOf(items=(at, value)),))),
            ),
        ) if name == same:
            return at, value
        case _:
            return None
