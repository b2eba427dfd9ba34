"""Small systems made by hand, for what stands on the waist and knows no document."""

from __future__ import annotations

from zermelo.core.signature import Reading
from zermelo.core.values import NUMBER, TRUTH, WORD, Atom, SetType, TupleType, truth
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Binder,
    Expr,
    Let,
    Literal,
    Local,
    Not,
    Op,
    Or,
    Order,
    Parameter,
    PlayerRule,
    PowerSet,
    Procedure,
    ProcedureRole,
    Product,
    Quantified,
    QuantifierKind,
    Range,
    Ref,
    Rule,
    SetDefinition,
    SetOf,
    System,
    Variable,
    VariableRole,
)

PAIR = TupleType((NUMBER, NUMBER))
EMPTY = SetOf(())
TRUE = Literal(truth(holds=True))
TRUTHS = SetOf((TRUE, Literal(truth(holds=False))))


def number(value: int) -> Literal:
    """A number."""
    return Literal(value)


def flip(name: str) -> Assign:
    """Give a truth value its opposite."""
    return Assign(name, Not(Ref(name)))


def added(name: str, item: str) -> Assign:
    """Add a local to a set."""
    return Assign(name, Binary(Op.UNION, Ref(name), SetOf((Local(item),))))


def is_in(item: str, name: str) -> Expr:
    """A local is in a set."""
    return Binary(Op.IN, Local(item), Ref(name))


def _row(name: str) -> Expr:
    """Some row of the board is taken by one player."""
    row = Product((SetOf((Local("r"),)), Ref("N")))
    binder = Binder(("r",), is_tuple=False, domain=Ref("N"))
    return Quantified(QuantifierKind.SOME, binder, Binary(Op.SUBSET, row, Ref(name)))


def rows() -> System:
    """Two players place pieces on 3×3 cells; a full row wins."""
    place = Procedure(
        "Place",
        ProcedureRole.MOVE,
        (Parameter("pos", Ref("P"), PAIR),),
        (
            Rule(
                And((Ref("turn"), is_in("pos", "Free"))),
                (added("Cross", "pos"), flip("turn")),
                "1",
                "turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn",
            ),
            Rule(
                And((Not(Ref("turn")), is_in("pos", "Free"))),
                (added("Nought", "pos"), flip("turn")),
                "2",
                "¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn",
            ),
        ),
    )
    end = Procedure(
        "GameOver",
        ProcedureRole.END,
        (),
        (
            Rule(
                _row("Cross"),
                (Assign("result", Literal(Atom("Cross wins"))),),
                "1",
                "∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins",
            ),
            Rule(
                _row("Nought"),
                (Assign("result", Literal(Atom("Nought wins"))),),
                "2",
                "∃r ∈ N: {r} × N ⊆ Nought → result = Nought wins",
            ),
        ),
    )
    results = SetOf((Literal(Atom("Cross wins")), Literal(Atom("Nought wins"))))
    taken = Binary(Op.UNION, Ref("Cross"), Ref("Nought"))
    return System(
        name="rows",
        sets=(
            SetDefinition("N", Range(number(1), number(3)), SetType(NUMBER)),
            SetDefinition("P", Product((Ref("N"), Ref("N"))), SetType(PAIR)),
            SetDefinition("B", TRUTHS, SetType(TRUTH)),
        ),
        variables=(
            _cells("Cross", initial=EMPTY),
            _cells("Nought", initial=EMPTY),
            Variable(
                "Free",
                VariableRole.DEFINED,
                PowerSet(Ref("P")),
                SetType(PAIR),
                definition=Binary(Op.DIFFERENCE, Ref("P"), taken),
            ),
            Variable("turn", VariableRole.STORED, Ref("B"), TRUTH, initial=TRUE),
            Variable(
                "over",
                VariableRole.DEFINED,
                Ref("B"),
                TRUTH,
                definition=Or((_row("Cross"), _row("Nought"), Binary(Op.EQ, Ref("Free"), EMPTY))),
            ),
            Variable("result", VariableRole.STORED, results, WORD),
        ),
        functions=(),
        procedures=(place, end),
        over=Ref("over"),
        result="result",
        players=(
            PlayerRule("Cross", Ref("turn"), wins=(Atom("Cross wins"),)),
            PlayerRule("Nought", Not(Ref("turn")), wins=(Atom("Nought wins"),)),
        ),
        readings=(
            Reading(
                "order",
                "in order",
                ("in order", "facts frozen", "at once"),
                "after the first rule pos is no longer in Free",
                "play",
            ),
        ),
        fingerprint="0123abcd",
    )


def _cells(name: str, *, initial: Expr) -> Variable:
    return Variable(name, VariableRole.STORED, PowerSet(Ref("P")), SetType(PAIR), initial=initial)


def steps(*, order: Order = Order.IN_ORDER) -> System:
    """One player's pieces step forward on 3 rows and 2 columns; a flag says that a step fits."""
    move = Procedure(
        "Step",
        ProcedureRole.MOVE,
        (Parameter("old", Ref("P"), PAIR), Parameter("new", Ref("P"), PAIR)),
        (
            Let(("a", "b"), is_tuple=True, value=Local("old")),
            Let(("c", "d"), is_tuple=True, value=Local("new")),
            Rule(
                And(
                    (
                        is_in("old", "White"),
                        Binary(Op.EQ, Local("c"), Binary(Op.PLUS, Local("a"), number(1))),
                        Binary(Op.EQ, Local("d"), Local("b")),
                    )
                ),
                (flip("ok"),),
                "1",
                "old ∈ White ∧ c = a + 1 ∧ d = b → ok = ¬ok",
            ),
            Rule(
                And((Ref("ok"), Binary(Op.NOT_IN, Local("new"), Ref("White")))),
                (
                    Assign(
                        "White",
                        Binary(
                            Op.UNION,
                            Binary(Op.DIFFERENCE, Ref("White"), SetOf((Local("old"),))),
                            SetOf((Local("new"),)),
                        ),
                    ),
                    Assign("made", Binary(Op.PLUS, Ref("made"), number(1))),
                ),
                "2",
                "ok ∧ new ∉ White → White = (White − {old}) ∪ {new} ∧ made = made + 1",
            ),
        ),
        order,
    )
    grid = Product((Range(number(1), number(3)), Range(number(1), number(2))))
    first = SetOf((Literal((1, 1)), Literal((1, 2)), Literal((2, 2))))
    return System(
        name="steps",
        sets=(SetDefinition("P", grid, SetType(PAIR)),),
        variables=(
            _cells("White", initial=first),
            Variable("ok", VariableRole.FLAG, TRUTHS, TRUTH, initial=Literal(truth(holds=False))),
            Variable("made", VariableRole.STORED, Range(number(0), number(9)), NUMBER, number(0)),
        ),
        functions=(),
        procedures=(move,),
    )


def picks() -> System:
    """Two kinds of moves on words and numbers: pick a colour, give a number, or pass."""
    colours = SetOf(tuple(Literal(Atom(name)) for name in ("dark red", "blue", "sea green")))
    return System(
        name="picks",
        sets=(
            SetDefinition("Colours", colours, SetType(WORD)),
            SetDefinition("Numbers", Range(number(-2), number(2)), SetType(NUMBER)),
        ),
        variables=(
            Variable("Picked", VariableRole.STORED, PowerSet(Ref("Colours")), SetType(WORD), EMPTY),
            Variable(
                "Given", VariableRole.STORED, PowerSet(Ref("Numbers")), SetType(NUMBER), EMPTY
            ),
            Variable("passed", VariableRole.STORED, TRUTHS, TRUTH, Literal(truth(holds=False))),
        ),
        functions=(),
        procedures=(
            Procedure(
                "Pick",
                ProcedureRole.MOVE,
                (Parameter("colour", Ref("Colours"), WORD),),
                (
                    Rule(
                        Binary(Op.NOT_IN, Local("colour"), Ref("Picked")),
                        (added("Picked", "colour"),),
                        "1",
                        "colour ∉ Picked → Picked = Picked ∪ {colour}",
                    ),
                ),
            ),
            Procedure(
                "Give",
                ProcedureRole.MOVE,
                (Parameter("n", Ref("Numbers"), NUMBER),),
                (
                    Rule(
                        Binary(Op.NOT_IN, Local("n"), Ref("Given")),
                        (added("Given", "n"),),
                        "1",
                        "n ∉ Given → Given = Given ∪ {n}",
                    ),
                ),
            ),
            Procedure(
                "Pass",
                ProcedureRole.MOVE,
                (),
                (Rule(Not(Ref("passed")), (flip("passed"),), "1", "¬passed → passed = ¬passed"),),
            ),
        ),
    )
