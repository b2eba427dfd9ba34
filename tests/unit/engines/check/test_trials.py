"""Trying readings: which orders are playable is found by playing, for the reasons that hold."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import pytest

from zermelo.core.machine import Machine
from zermelo.core.model import Model
from zermelo.core.observation import Observation, Settlement, Verdict
from zermelo.core.signature import Reading
from zermelo.core.state import State
from zermelo.core.values import NUMBER, TRUTH, WORD, Atom, SetType, Value, truth
from zermelo.engines.check.trials import Row, Trials
from zermelo.languages.sections import judge
from zermelo.languages.sections.ir import (
    And,
    Assign,
    Binary,
    Card,
    Expr,
    Literal,
    Local,
    Not,
    Op,
    Order,
    Parameter,
    PowerSet,
    Procedure,
    ProcedureRole,
    Ref,
    Rule,
    SetDefinition,
    SetOf,
    Statement,
    System,
    Variable,
    VariableRole,
)
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.diagnostic import Checked

P = Ref("P")
TURN = Ref("turn")
OK = Ref("ok")
FREE = Ref("free")
POS = Local("pos")
SUBSETS = SetType(NUMBER)
DRAW = Atom("draw")
YES, NO = Literal(truth(holds=True)), Literal(truth(holds=False))


def both(*operands: Expr) -> Expr:
    return And(operands)


def is_in(item: Expr, collection: str) -> Expr:
    return Binary(Op.IN, item, Ref(collection))


def put(name: str) -> Assign:
    return Assign(name, Binary(Op.UNION, Ref(name), SetOf((POS,))))


def take(name: str) -> Assign:
    return Assign(name, Binary(Op.DIFFERENCE, Ref(name), SetOf((POS,))))


def flip(name: str) -> Assign:
    return Assign(name, Not(Ref(name)))


def variable(name: str, *, first: Value, is_set: bool = False) -> Variable:
    if is_set:
        return Variable(name, VariableRole.STORED, PowerSet(P), SUBSETS, Literal(first))
    return Variable(name, VariableRole.STORED, Ref("B"), TRUTH, Literal(first))


def game(*rules: tuple[Expr, tuple[Statement, ...]]) -> Callable[[Mapping[str, str]], Interpreter]:
    """A game of two players who take cells by *rules*, for any order and flags."""

    def build(choices: Mapping[str, str]) -> Interpreter:
        order = Order(choices.get("order", "in order"))
        ok = variable("ok", first=truth(holds=False))
        if choices.get("flag ok") == "fresh":
            ok = Variable("ok", VariableRole.FLAG, Ref("B"), TRUTH, NO)
        free = Binary(Op.DIFFERENCE, P, Binary(Op.UNION, Ref("mine"), Ref("yours")))
        body = tuple(
            Rule(guard, conclusion, label=str(number))
            for number, (guard, conclusion) in enumerate(rules, start=1)
        )
        over = Binary(Op.EQ, Card(FREE), Literal(0))
        return Interpreter(
            System(
                name="cells",
                sets=(
                    SetDefinition("P", SetOf(tuple(map(Literal, (1, 2, 3)))), SUBSETS),
                    SetDefinition("B", SetOf((YES, NO)), SetType(TRUTH)),
                ),
                variables=(
                    variable("mine", first=frozenset(), is_set=True),
                    variable("yours", first=frozenset(), is_set=True),
                    variable("turn", first=truth(holds=True)),
                    ok,
                    Variable("result", VariableRole.STORED, SetOf((Literal(DRAW),)), WORD),
                    Variable("free", VariableRole.DEFINED, PowerSet(P), SUBSETS, definition=free),
                ),
                functions=(),
                procedures=(
                    Procedure(
                        "Put", ProcedureRole.MOVE, (Parameter("pos", P, NUMBER),), body, order
                    ),
                    Procedure(
                        "End",
                        ProcedureRole.END,
                        (),
                        (Rule(over, (Assign("result", Literal(DRAW)),), label="1"),),
                    ),
                ),
                over=over,
                result="result",
            )
        )

    return build


ORDER = Reading(
    "order", "in order", ("in order", "facts frozen", "at once"), reason="", decided_by="default"
)
FLAGS = (
    Reading("flag turn", "kept", ("kept", "fresh"), reason="", decided_by="default"),
    Reading("flag ok", "kept", ("kept", "fresh"), reason="", decided_by="default"),
)

MINE_FREE = both(is_in(POS, "free"), TURN)
YOURS_FREE = both(is_in(POS, "free"), Not(TURN))

# The fact `free` loses the cell as soon as the first rule has fired.
NEEDS_FROZEN = game(
    (MINE_FREE, (put("mine"),)),
    (YOURS_FREE, (put("yours"),)),
    (is_in(POS, "free"), (flip("turn"),)),
)
# Frozen, the second rule fires after the first and gives the cell to both.
NEEDS_ORDER = game(
    (MINE_FREE, (put("mine"), flip("turn"))),
    (YOURS_FREE, (put("yours"), flip("turn"))),
)
# In order, the third rule takes back what the first has done.
NEEDS_ONCE = game(
    (MINE_FREE, (put("mine"), flip("turn"))),
    (YOURS_FREE, (put("yours"), flip("turn"))),
    (both(Not(TURN), is_in(POS, "mine")), (take("mine"), flip("turn"))),
)
# One rule tells the next by a flag.
NEEDS_FLAG = game(
    (is_in(POS, "free"), (flip("ok"),)),
    (both(OK, TURN), (put("mine"), flip("turn"), flip("ok"))),
    (both(OK, Not(TURN)), (put("yours"), flip("turn"), flip("ok"))),
)


@dataclass(frozen=True)
class Built:
    """A draft whose machines a test builds."""

    build: Callable[[Mapping[str, str]], Interpreter]
    readings: tuple[Reading, ...] = ()

    def machine(self, choices: Mapping[str, str]) -> Interpreter:
        return self.build(choices)

    def judge(
        self,
        machine: Machine,
        *,
        flags: frozenset[str],
        seen: Observation,
        kept: Observation | None,
    ) -> Verdict:
        assert isinstance(machine, Interpreter)
        return judge.judge(machine, flags=flags, seen=seen, kept=kept)

    def flags_seen(
        self, observation: Observation, candidates: Iterable[str], *, initial: State
    ) -> frozenset[str]:
        return judge.flags_seen(observation, candidates, initial=initial)

    def seen_changing(self, observation: Observation) -> frozenset[str]:
        return judge.seen_changing(observation)

    def settled(
        self, settlement: Settlement, observe: Callable[[Machine], Observation]
    ) -> Checked[Model]:
        raise NotImplementedError


def settled(build: Callable[[Mapping[str, str]], Interpreter]) -> Settlement:
    return Trials(Built(build)).settle((ORDER, *FLAGS))


def rows(build: Callable[[Mapping[str, str]], Interpreter], order: str) -> dict[str, Row]:
    taken = Reading("order", order, ORDER.choices, reason="", decided_by="play")
    return {row.choices["order"]: row for row in Trials(Built(build)).rows((taken,))}


def test_rules_that_undo_their_own_guard_are_read_with_facts_frozen() -> None:
    assert settled(NEEDS_FROZEN).choices["order"] == "facts frozen"


def test_rules_that_hand_the_turn_over_are_read_in_order() -> None:
    assert settled(NEEDS_ORDER).choices["order"] == "in order"


def test_rules_that_take_back_are_read_at_once() -> None:
    assert settled(NEEDS_ONCE).choices["order"] == "at once"


def test_a_variable_that_guides_one_turn_is_a_flag() -> None:
    choices = settled(NEEDS_FLAG).choices

    assert choices == {"order": "in order", "flag ok": "fresh", "flag turn": "kept"}


def test_a_variable_that_says_whose_turn_it_is_is_kept() -> None:
    for build in (NEEDS_FROZEN, NEEDS_ORDER, NEEDS_ONCE):
        assert settled(build).choices["flag turn"] == "kept"


def test_what_was_never_seen_to_change_is_no_flag() -> None:
    assert settled(NEEDS_ORDER).choices["flag ok"] == "kept"


def test_the_reason_names_the_player_who_never_moves_and_shows_the_play() -> None:
    row = rows(NEEDS_FROZEN, "facts frozen")["in order"]

    assert not row.playable
    assert row.why[0] == (
        "`turn` never changes, and nobody ever moves when `¬turn`: "
        "only rule 1 of Put and rule 1 of End fire; play: Put(1)"
    )


def test_the_reason_names_the_rules_that_pass_the_turn_twice() -> None:
    row = rows(NEEDS_ORDER, "in order")["facts frozen"]

    assert not row.playable
    assert "one call passes the turn twice: rules 1 and 2 of Put change `turn`; play: Put(1)" in (
        row.why
    )


def test_the_reason_says_when_no_move_has_an_effect() -> None:
    row = rows(NEEDS_ONCE, "at once")["in order"]

    assert "no move has an effect in the initial state" in row.why[0]


def test_the_table_shows_where_a_reading_first_differs() -> None:
    difference = rows(NEEDS_FROZEN, "facts frozen")["in order"].difference

    assert difference is not None
    assert [str(move) for move in difference.play] == ["Put(1)"]
    assert (difference.taken, difference.other) == ("turn = false", "turn = true")


def test_a_reading_that_does_the_same_has_no_difference() -> None:
    row = rows(NEEDS_FROZEN, "facts frozen")["at once"]

    assert row.playable
    assert row.difference is None


def test_the_row_that_is_taken_says_so() -> None:
    table_rows = rows(NEEDS_FROZEN, "facts frozen")

    assert [order for order, row in table_rows.items() if row.taken] == ["facts frozen"]


@pytest.mark.parametrize("has_order", [True, False])
def test_exactly_one_row_is_the_one_taken(*, has_order: bool) -> None:
    order = Reading("order", "facts frozen", ORDER.choices, reason="", decided_by="play")
    choices = ("when over", "when a result is known")
    end = Reading("end", "when over", choices, reason="", decided_by="default")

    rows = list(Trials(Built(NEEDS_FROZEN)).rows((order, end) if has_order else (end,)))

    assert [row.choices for row in rows if row.taken] == [
        {"order": "facts frozen"} if has_order else {"end": "when over"}
    ]
    assert {"end": "when a result is known"} in [row.choices for row in rows]


def test_readings_that_are_decided_are_not_tried() -> None:
    decided = Reading("order", "at once", ORDER.choices, reason="", decided_by="document")

    def never(choices: Mapping[str, str]) -> Interpreter:
        raise AssertionError(f"built with {choices}")

    assert Trials(Built(never)).settle((decided,)).choices == {}


def test_the_same_document_is_always_settled_in_the_same_way() -> None:
    assert settled(NEEDS_FLAG) == settled(NEEDS_FLAG)
