"""A system as data: what a document means, with every name resolved.

``Ref`` names something of the system (a set, a variable, a defined variable);
``Local`` names something of the procedure or of the expression around it (a
parameter, a local, a bound variable). ``run.interpreter`` says what these mean.
Places point into the document, so that every face can show which rule fired and
where it stands; ``text`` fields hold the document's own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from zermelo.core.signature import BY_CASES as _BY_CASES
from zermelo.core.signature import Asked, Reading, Stuck
from zermelo.core.values import UNKNOWN, Type, Value
from zermelo.text.diagnostic import LeftOut
from zermelo.text.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a system; its place is not part of its identity."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# Expressions


class Op(Enum):
    """Operators between two values; the value is the canonical symbol."""

    UNION = "∪"
    INTERSECTION = "∩"
    DIFFERENCE = "−"
    PLUS = "+"
    MINUS = "-"
    """Of numbers; prints as ``−`` too."""
    TIMES = "·"
    DIVIDE = "/"
    MOD = "mod"
    POWER = "^"
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
    IMPLIES = "→"
    IFF = "↔"


class NumberSetKind(Enum):
    """The infinite sets of numbers."""

    NATURAL = "ℕ"
    """With 0."""
    INTEGER = "ℤ"
    POSITIVE = "ℤ⁺"


class QuantifierKind(Enum):
    """The quantifiers."""

    ALL = "∀"
    SOME = "∃"


class FoldKind(Enum):
    """Operators over all members of a set."""

    SUM = "∑"
    PRODUCT = "∏"


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A value."""

    value: Value


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """A set or variable of the system."""

    name: str


@dataclass(frozen=True, slots=True)
class Local(Node):
    """A parameter, local or bound variable."""

    name: str


@dataclass(frozen=True, slots=True)
class NumberSet(Node):
    """An infinite set of numbers: tested for membership, never listed."""

    kind: NumberSetKind


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """``{a, b, …}``; empty too. Items may be ``Range``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Node):
    """The whole numbers from *low* to *high*: a set, or items of a ``SetOf``."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class TupleOf(Node):
    """``(a, b, …)``."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Binder:
    """Names bound, in the shape of a member of *domain*: one name, or a tuple of them.

    In a tuple a name may occur twice, which asks for equal components.
    """

    names: tuple[str, ...]
    is_tuple: bool
    domain: Expr


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """``{result | binders, condition}``: later binders may use earlier names."""

    result: Expr
    binders: tuple[Binder, ...]
    condition: Expr


@dataclass(frozen=True, slots=True)
class Product(Node):
    """``A × B × …``: the set of tuples with components in the factors.

    ``(A × B) × C`` is a product of two factors whose first is a product.
    """

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PowerSet(Node):
    """``𝒫(base)``."""

    base: Expr


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """``left op right``; ``→`` is decided left to right."""

    op: Op
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Negate(Node):
    """``−operand``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Card(Node):
    """The number of members of a set."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Only(Node):
    """The one member of a set; a set with none or several has no such value."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Abs(Node):
    """The absolute value of a number."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Floor(Node):
    """``⌊operand⌋``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Ceiling(Node):
    """``⌈operand⌉``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    """``¬operand``."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class And(Node):
    """A conjunction, decided left to right; empty, it is true."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """A disjunction, decided left to right; empty, it is false."""

    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """``∀binder: body`` or ``∃binder: body``."""

    kind: QuantifierKind
    binder: Binder
    body: Expr


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """``∑ binder: body``."""

    kind: FoldKind
    binder: Binder
    body: Expr


@dataclass(frozen=True, slots=True)
class Apply(Node):
    """A value function, or a family at an index."""

    function: str
    arguments: tuple[Expr, ...]


Expr: TypeAlias = (
    Literal
    | Ref
    | Local
    | NumberSet
    | SetOf
    | Range
    | TupleOf
    | Comprehension
    | Product
    | PowerSet
    | Binary
    | Negate
    | Card
    | Only
    | Abs
    | Floor
    | Ceiling
    | Not
    | And
    | Or
    | Quantified
    | Fold
    | Apply
)


# Statements


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """Give a variable of the system a value."""

    variable: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Let(Node):
    """Give locals a value: one name, or the components of a tuple."""

    names: tuple[str, ...]
    is_tuple: bool
    value: Expr
    is_hidden: bool = False
    """Whether it only takes a tuple apart for the variables on the left of one assignment."""


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """Locals that stay within *domain*; a value outside it is skipped or stops (a reading).

    The declaration holds for the whole procedure, wherever it stands.
    """

    names: tuple[str, ...]
    domain: Expr


@dataclass(frozen=True, slots=True)
class Call(Node):
    """Call a helper."""

    procedure: str
    arguments: tuple[Expr, ...]


class Lines(Enum):
    """What the assignments at the head of a conclusion see of each other."""

    TOGETHER = "together"
    """All right sides see the state before the conclusion."""
    ONE_AFTER_THE_OTHER = "one after the other"
    """Each sees what those before it did."""


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """``guard → conclusion``."""

    guard: Expr
    conclusion: tuple[Statement, ...]
    label: str
    """Its number in its procedure, as ``3`` or, nested, ``3.1``."""
    text: str = field(default="", compare=False)
    """The document's own words."""
    lines: Lines = Lines.TOGETHER


Statement: TypeAlias = Assign | Let | Declare | Call | Rule


class Order(Enum):
    """How the rules of a procedure are evaluated."""

    IN_ORDER = "in order"
    FACTS_FROZEN = "facts frozen"
    AT_ONCE = "at once"
    BY_CASES = _BY_CASES
    """In order, but of rules that exclude each other by a variable one at most is run: what they
    ask it to be is asked of the value it had before the first of them. The body is made so."""


class Outside(Enum):
    """What a value outside a local declaration or a helper's parameter does."""

    SKIP = "skip"
    STOP = "stop"


class ProcedureRole(Enum):
    """What a procedure is for."""

    MOVE = "move"
    HELPER = "helper"
    END = "end"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter and the set it ranges over."""

    name: str
    domain: Expr
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True)
class Procedure(Node):
    """A move, a helper or the end."""

    name: str
    role: ProcedureRole
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    order: Order = Order.IN_ORDER
    outside: Outside = Outside.SKIP


@dataclass(frozen=True, slots=True)
class Function(Node):
    """A value function, or a family of sets."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Expr
    type: Type = UNKNOWN


# Systems


@dataclass(frozen=True, slots=True)
class SetDefinition(Node):
    """A named set."""

    name: str
    value: Expr
    type: Type = UNKNOWN
    note: str = ""


class VariableRole(Enum):
    """How a variable lives."""

    STORED = "stored"
    """Part of the state."""
    FLAG = "flag"
    """Local to a turn: starts each turn at its initial value; no part of the state."""
    DEFINED = "defined"
    """Computed from the others by its definition."""


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """A variable, the set its values are in, and its first value or its definition."""

    name: str
    role: VariableRole
    domain: Expr | None
    """The set of its values (``x ⊆ S`` has the domain ``𝒫(S)``); ``None`` when unknown."""
    type: Type
    initial: Expr | None = None
    """Of stored variables and flags; ``None`` starts unset."""
    definition: Expr | None = None
    """Of defined variables."""


@dataclass(frozen=True, slots=True)
class Invariant(Node):
    """A fact that is checked in every reached state."""

    formula: Expr
    text: str


STUCK_HERE: Final = "stuck here"
_LEGAL: Final = "legal "


def legal_of(move: str) -> str:
    """The local of a property that tells with which arguments *move* is legal."""
    return _LEGAL + move


@dataclass(frozen=True, slots=True)
class Property(Node):
    """What is asked of all reached states.

    Its formula may have locals that the moves of a state give a value: ``STUCK_HERE`` is a truth
    value, ``legal_of(name)`` the set of arguments with which a move is legal, or whether it is if
    it has no parameters.
    """

    asked: Asked
    formula: Expr
    """Denied where it is asked whether it holds sometimes or never: see ``Claim``."""
    text: str


@dataclass(frozen=True, slots=True)
class Intended(Node):
    """What the document answers to a finding: that it is meant so."""

    code: str
    words: str
    """Words of the line that the finding is about."""
    reason: str


class SuspicionKind(Enum):
    """What may be wrong with a formula, if a state shows it."""

    TOO_EXACT = "a set is compared where one that is contained in it is meant"
    TWO_RESULTS = "two rules give different results"
    LATE = "a win is noticed one turn after it was made"
    GROUPING = "other brackets would make a difference"


@dataclass(frozen=True, slots=True)
class Suspicion(Node):
    """What should hold in every state after a move; where it does not, something may be wrong."""

    kind: SuspicionKind
    formula: Expr
    subject: str
    """The formula that is suspected, or what is."""
    other: str = ""
    """What may have been meant."""
    beside: Span = NOWHERE
    """Another place that it is about."""


@dataclass(frozen=True, slots=True)
class PlayerRule:
    """A player: when it is their turn, and which result values mean that they win or lose."""

    name: str
    turn: Expr
    """Holds in the states in which it is this player's turn."""
    wins: tuple[Value, ...] = ()
    loses: tuple[Value, ...] = ()
    evidence: tuple[str, ...] = field(default=(), compare=False)
    """What tells that these results are theirs, in words."""


class NoEffect(Enum):
    """What an input without effect does."""

    REFUSED = "refused"
    COSTS_THE_TURN = "costs the turn"


@dataclass(frozen=True, slots=True)
class ViewCell:
    """What to write in a cell: *text* evaluated with *names* bound to the cell's components."""

    names: tuple[str, ...]
    is_tuple: bool
    text: Expr


@dataclass(frozen=True, slots=True)
class ViewLayer:
    """A piece: a mark drawn in every cell of a set."""

    mark: str
    cells: Expr
    player: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    """How the board looks, where the document says so; the rest is inferred."""

    board: Expr | None = None
    layers: tuple[ViewLayer, ...] = ()
    cell: ViewCell | None = None
    rows_up: bool = False
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class System:
    """A document understood."""

    name: str
    sets: tuple[SetDefinition, ...]
    variables: tuple[Variable, ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    invariants: tuple[Invariant, ...] = ()
    properties: tuple[Property, ...] = field(default=(), compare=False)
    """What the document or its caller asks; no part of what the document means."""
    intended: tuple[Intended, ...] = field(default=(), compare=False)
    suspicions: tuple[Suspicion, ...] = field(default=(), compare=False)
    """What a check looks for beside these."""

    over: Expr | None = None
    """Holds in the states in which play stops (by the chosen reading of the end)."""
    result: str | None = None
    """The variable that tells how the play ended."""
    draws: tuple[Value, ...] = ()
    """Result values that mean a draw."""
    players: tuple[PlayerRule, ...] = ()
    unsaid: str | None = None
    """What of players and results is only assumed, as long as nobody says it."""
    no_effect: NoEffect = NoEffect.REFUSED
    stuck: Stuck = Stuck.REPORTED
    unlisted: tuple[str, ...] = ()
    """The moves of which it is known beforehand that their arguments are too many to be tried."""
    readings: tuple[Reading, ...] = ()
    view: View = View()
    fingerprint: str = ""
    """A digest of the document's text."""
    prose: tuple[str, ...] = field(default=(), compare=False)
    """The document's words outside its formulas."""
    sentences: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    """Lines under the headings that were taken as prose, with their numbers."""
    lost: Mapping[str, Span] = field(default_factory=dict, compare=False)
    """The names of the document that have no value, each with the place of a fault."""
    left_out: tuple[LeftOut, ...] = field(default=(), compare=False)
    """What the document says and the system is without, because of faults."""

    def variable(self, name: str | None) -> Variable | None:
        return next((v for v in self.variables if v.name == name), None)

    def procedure(self, name: str) -> Procedure | None:
        return next((p for p in self.procedures if p.name == name), None)

    @property
    def claims(self) -> tuple[Expr, ...]:
        """What is to hold in every state: facts, properties and suspicions."""
        facts = (each.formula for each in self.invariants)
        asked = (each.formula for each in self.properties)
        return (*facts, *asked, *(each.formula for each in self.suspicions))

    @property
    def moves(self) -> tuple[Procedure, ...]:
        """The procedures that players call."""
        return tuple(p for p in self.procedures if p.role is ProcedureRole.MOVE)

    @property
    def end(self) -> Procedure | None:
        """The procedure that decides the result."""
        return next((p for p in self.procedures if p.role is ProcedureRole.END), None)

    @property
    def stored(self) -> tuple[Variable, ...]:
        """The variables that make up a state."""
        return tuple(v for v in self.variables if v.role is VariableRole.STORED)
