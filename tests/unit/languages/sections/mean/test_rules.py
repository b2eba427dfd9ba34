"""Statements become statements of the system, or are left out with a reason."""

import pytest

from tests.support.elaboration import body, choice, elaborated, errors, game, said, system
from zermelo.languages.sections import ir
from zermelo.languages.sections.printer import to_text

PAIRS = {"sets": "G : P × P", "variables": "at ∈ G", "initial": "at = (1, 1)"}


def test_a_tuple_is_taken_apart_into_locals() -> None:
    text = game(**PAIRS, rules="(a, b) = at\na ∈ Free ∧ b > 1 → Mine = Mine ∪ {a}")

    described = system(text)

    assert body(described, "Take")[0] == "(a, b) = at"
    assert not errors(text)


def test_a_tuple_with_another_number_of_components_is_an_error_said_once() -> None:
    text = game(**PAIRS, rules="(a, b, c) = at\na ∈ Free → Mine = Mine ∪ {a}")

    assert errors(text) == ["`at` is a pair of numbers, and 3 names stand on the left"]
    assert body(system(text), "Take") == []


def test_components_may_be_given_to_variables() -> None:
    text = game(**PAIRS, rules="(n, m) = at\nn > 1 → Mine = P").replace("at ∈ G", "at ∈ G\n  n ∈ P")

    expected = ["(n′, m′) = at", "n = n′", "m = m′"]
    assert body(system(text), "Take")[:3] == expected


def test_steps_assign_variables_and_locals() -> None:
    text = game(
        variables="n ∈ {0..9}", initial="n = 0", rules="pos++\npos ∈ Free → Mine = P ∧ n-- ∧ n++"
    )

    assert body(system(text), "Take") == [
        "pos = pos + 1",
        "pos ∈ Free → Mine = P ∧ n = n − 1 ∧ n = n + 1",
    ]


def test_rules_are_numbered_and_carry_the_documents_words() -> None:
    text = game(rules="pos ∈  Free  →  Mine = P\npos ∈ Mine → (pos = 1 → Mine = ∅)")

    described = system(text)

    take = described.procedure("Take")
    assert take is not None
    first, second = take.body
    assert isinstance(first, ir.Rule)
    assert isinstance(second, ir.Rule)
    assert (first.label, first.text) == ("1", "pos ∈ Free → Mine = P")
    (inner,) = second.conclusion
    assert isinstance(inner, ir.Rule)
    assert inner.label == "2.1"


def test_a_parameter_with_the_name_of_a_variable_and_no_set_is_the_variable() -> None:
    text = game(
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        more="GameOver(over)\n  result ∈ {gone}\n  over → result = gone",
    )

    end = system(text).end

    assert end is not None
    assert end.parameters == ()


def test_a_parameter_without_a_set_takes_the_set_that_guards_ask_for() -> None:
    text = game(head="Take(pos)")

    (move,) = system(text).moves

    assert [(p.name, to_text(p.domain)) for p in move.parameters] == [("pos", "P")]
    assert said(text, "Z412") == ["`pos` has no set; it is taken from `P`, as the rules ask"]


def test_a_move_whose_parameter_can_be_anything_is_left_out() -> None:
    text = game(more="Jump(x)\n  1 ∈ Free → Mine = P")

    assert errors(text) == ["nothing says which values `x` can have"]
    assert [move.name for move in system(text).moves] == ["Take"]


def test_a_helper_gets_the_types_that_its_callers_give() -> None:
    text = game(rules="Add(pos)", more="Add(x)\n  x + 1 ∈ P → Mine = Mine ∪ {x}")

    helper = system(text).procedure("Add")

    assert helper is not None
    assert [to_text(p.domain) for p in helper.parameters] == ["ℤ"]
    assert not errors(text)


def test_a_call_with_the_components_of_a_pair_is_a_call_with_the_pair() -> None:
    text = game(
        sets="G : P × P", rules="Add(pos, pos)", more="Add(x ∈ G)\n  x ∈ G → Mine = Mine ∪ {1}"
    )

    assert body(system(text), "Take") == ["Add((pos, pos))"]


def test_a_call_of_nothing_is_an_error_with_the_nearest_name() -> None:
    text = game(rules="pos ∈ Free → Ad(pos)", more="Add(x ∈ P)\n  x ∈ Free → Mine = Mine ∪ {x}")

    assert errors(text) == ["`Ad` is called here, but no procedure of that name is written"]


@pytest.mark.parametrize(("value", "kind"), [("3", "a number"), ("true", "a truth value")])
def test_a_value_of_another_kind_is_an_error(value: str, kind: str) -> None:
    text = game(variables="at ∈ P × P", initial="at = (1, 1)", rules=f"pos ∈ Free → at = {value}")

    assert errors(text) == [f"`at` holds a pair of numbers, and is given `{value}`, {kind}"]


def test_a_set_cannot_be_assigned() -> None:
    assert errors(game(rules="pos ∈ Free → P = ∅")) == [
        "`P` is a set and does not change, but is given a value here"
    ]


def test_a_condition_in_a_conclusion_is_left_out() -> None:
    text = game(rules="pos ∈ Free → Mine = P ∧ pos > 1")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = P"]
    assert len(said(text, "Z507")) == 1


def test_a_local_declaration_stays_with_its_procedure() -> None:
    text = game(rules="u = pos + 1\nu ∈ P\nu ∈ Free → Mine = Mine ∪ {u}")

    described = system(text)

    assert body(described, "Take")[1] == "u ∈ P"
    assert described.variable("u") is None
    assert choice(described, "value outside") == "skip"


def test_the_order_is_chosen_for_all_procedures_but_the_end() -> None:
    text = game(
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        rules="pos ∈ Free → Mine = P\npos ∈ Mine → Mine = ∅",
        more="GameOver(over)\n  result ∈ {gone}\n  over → result = gone",
    )

    described = system(text, {"order": "at once"})

    assert {p.name: p.order for p in described.procedures} == {
        "Take": ir.Order.AT_ONCE,
        "GameOver": ir.Order.IN_ORDER,
    }


def test_the_order_is_chosen_for_one_procedure() -> None:
    described = system(game(), {"order of Take": "facts frozen"})

    assert [p.order for p in described.procedures] == [ir.Order.FACTS_FROZEN]


def test_the_first_of_two_procedures_of_one_name_is_taken() -> None:
    text = game(more="Take(pos ∈ P)\n  pos ∈ Mine → Mine = ∅")

    assert len(said(text, "Z509")) == 1
    assert elaborated(text).value is not None


def test_a_local_that_is_never_given_a_value_is_an_error_and_what_uses_it_is_left_out() -> None:
    text = game(rules="u ∈ P\nu ∈ Free → Mine = P\npos ∈ Free → Mine = Mine ∪ {pos}")

    assert errors(text) == ["`u` is declared in `Take` and never given a value there"]
    assert body(system(text), "Take")[-1] == "pos ∈ Free → Mine = Mine ∪ {pos}"


def test_the_end_takes_its_parameters_from_the_variables() -> None:
    text = game(
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        more="GameOver(over ∈ B)\n  result ∈ {gone}\n  over → result = gone",
    )

    end = system(text).end

    assert end is not None
    assert end.parameters == ()
    assert body(system(text), "GameOver") == ["over → result = gone"]


def test_nested_rules_of_one_rule_leave_the_order_open() -> None:
    nested = "pos ∈ Free →\n  (pos = 1) → Mine = {2}\n  (pos = 2) → Mine = {1}"

    assert choice(system(game(rules=nested)), "order") == "in order"
    assert choice(system(game()), "order") is None


def test_a_rule_on_several_lines_is_echoed_as_a_formula() -> None:
    described = system(game(rules="(pos ∈ Free ∧\n    pos > 1) → Mine = Mine ∪ {pos}"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.text == "pos ∈ Free ∧ pos > 1 → Mine = Mine ∪ {pos}"


def test_a_sum_with_its_limit_below_is_echoed_with_it() -> None:
    described = system(game(rules="pos ∈ Free ∧ ∑a < 5 → Mine = P\n             a∈Mine"))

    procedure = described.procedure("Take")
    assert procedure is not None
    (rule,) = procedure.body
    assert isinstance(rule, ir.Rule)
    assert rule.text == "pos ∈ Free ∧ ∑_{a ∈ Mine} a < 5 → Mine = P"
