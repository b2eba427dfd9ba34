"""Names that are used and not declared are taken for what they most probably are."""

from tests.support.elaboration import (
    body,
    choice,
    elaborated,
    errors,
    game,
    only,
    said,
    start,
    system,
)
from zermelo.text.codes import Severity

TURN = game(
    variables="bTurn ∈ B",
    initial="turn = true",
    rules="pos ∈ Free ∧ turn → Mine = Mine ∪ {pos} ∧ turn = ¬turn",
)


def test_a_used_name_is_taken_as_the_declared_and_unused_one_like_it() -> None:
    described = system(TURN)

    assert [v.name for v in described.variables] == ["Mine", "Free", "turn"]
    assert choice(described, "undeclared turn") == "is bTurn"


def test_the_declaration_of_the_unused_name_is_shown_with_the_evidence() -> None:
    found = only(TURN, "Z301")

    assert found.level is Severity.WARNING
    assert found.message == "`turn` is used here, but no variable of that name is declared"
    assert found.primary is not None
    assert found.primary.text == "not declared"
    assert [label.text for label in found.secondary] == ["a variable of nearly this name"]
    assert found.notes == (
        "`turn` is used 4 times in this document, `bTurn` only in its declaration",
    )
    assert found.help == "rename the declaration to `turn`"
    assert found.fix is not None
    assert found.fix.replacement == "turn"


def test_a_caller_may_say_that_it_is_a_variable_of_its_own() -> None:
    described = system(TURN, {"undeclared turn": "own variable"})

    assert [v.name for v in described.variables] == ["Mine", "Free", "bTurn", "turn"]
    assert choice(described, "undeclared turn") == "own variable"


def test_a_slip_of_the_pen_is_taken_as_the_name_it_nearly_is() -> None:
    text = game(rules="pos ∈ Fre → Mine = Mine ∪ {ps}")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    assert len(said(text, "Z301")) == 2


def test_other_capitals_are_said_to_be_that() -> None:
    text = game(rules="pos ∈ free → Mine = Mine ∪ {pos}")

    assert body(system(text), "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    assert len(said(text, "Z302")) == 1


def test_single_letters_that_differ_in_capitals_are_different_names() -> None:
    text = game(rules="pos ∈ Free ∧ p = 1 → Mine = Mine ∪ {pos}")

    assert errors(text) == ["`p` is used here, but nothing of that name is declared"]


def test_a_name_that_a_procedure_defines_before_it_reads_it_is_local() -> None:
    text = game(rules="next = pos + 1\nnext ∈ Free → Mine = Mine ∪ {next}")

    described = system(text)

    assert [v.name for v in described.variables] == ["Mine", "Free"]
    assert body(described, "Take")[0] == "next = pos + 1"


def test_a_name_that_is_read_before_it_is_defined_is_stored() -> None:
    text = game(rules="pos ∈ Free → Mine = Mine ∪ {pos} ∧ count = count + 1")

    described = system(text)

    assert start(described, "count") == "0"
    assert said(text, "Z301") == ["`count` is assigned, but no variable of that name is declared"]


def test_a_name_that_two_procedures_share_is_stored() -> None:
    text = game(
        rules="last = pos\npos ∈ Free → Mine = Mine ∪ {pos}",
        more="Again()\n  last ∈ Mine → Mine = Mine − {last}",
    )

    assert system(text).variable("last") is not None


def test_a_rule_with_a_name_that_nothing_explains_is_left_out_and_the_rest_stays() -> None:
    text = game(rules="ghosts > 3 → Mine = ∅\npos ∈ Free → Mine = Mine ∪ {pos}")

    described = system(text)

    assert errors(text) == ["`ghosts` is used here, but nothing of that name is declared"]
    assert body(described, "Take") == ["pos ∈ Free → Mine = Mine ∪ {pos}"]
    procedure = described.procedure("Take")
    assert procedure is not None
    assert [getattr(rule, "label", None) for rule in procedure.body] == ["2"]


def test_a_name_that_nothing_explains_is_said_once() -> None:
    text = game(rules="ghosts > 3 → Mine = ∅\nghosts < 3 → Mine = Mine ∪ {pos}")

    assert len(errors(text)) == 1
    assert only(text, "Z301").notes == (
        "`ghosts` is used 2 times in this document",
        "left out because of it: rule 1 of Take, rule 2 of Take",
    )


def test_the_set_of_truth_values_may_be_left_undefined() -> None:
    text = game(variables="ok ∈ Boolean", initial="ok = true")

    assert said(text, "Z312") == [
        "`Boolean` is not defined; it is taken as the set of truth values"
    ]
    assert not errors(text)


def test_a_fact_may_introduce_a_variable() -> None:
    text = game(facts="full ↔ (Free = ∅)", rules="¬full ∧ pos ∈ Free → Mine = Mine ∪ {pos}")

    assert len(said(text, "Z508")) == 1
    assert not errors(text)


def test_a_result_that_is_declared_nowhere_has_the_values_that_are_assigned() -> None:
    text = game(
        variables="over ∈ B",
        facts="over ↔ (Free = ∅)",
        more="GameOver(over)\n  over → result = all gone",
    )

    described = system(text)

    assert described.result == "result"
    assert [d.code.id for d in elaborated(text).diagnostics if d.is_error] == []
