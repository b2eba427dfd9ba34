"""A document becomes a system."""

import time

from tests.support.elaboration import choice, elaborated, game, system
from zermelo.core.signature import Stuck
from zermelo.core.values import UNSET
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.document import elaborate
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import tree
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.source import Source, fingerprint

ENDED = game(
    variables="over ∈ B",
    facts="over ↔ (Free = ∅)",
    more="GameOver(over)\n  result ∈ {gone}\n  over → result = gone",
)


def test_a_document_that_says_nothing_has_no_system() -> None:
    found = elaborate(tree.SectionsDocument((), ()), Source("empty.md", ""), choices={})

    assert found.value is None


def test_play_stops_when_the_variable_says_so() -> None:
    described = system(ENDED)

    assert described.over == ir.Ref("over")
    assert choice(described, "end") == "when over"


def test_play_may_stop_when_a_result_is_known() -> None:
    described = system(ENDED, {"end": "when a result is known"})

    assert described.over == ir.Binary(ir.Op.NE, ir.Ref("result"), ir.Literal(UNSET))


def test_a_set_of_results_is_known_when_it_is_not_empty() -> None:
    text = ENDED.replace("result ∈ {gone}", "result ⊆ {gone}").replace(
        "result = gone", "result = {gone}"
    )

    described = system(text, {"end": "when a result is known"})

    assert described.over is not None
    assert to_text(described.over) == "result ≠ ∅"


def test_the_documents_own_choices_are_taken() -> None:
    described = system(ENDED + "\nReading\n  order: at once\n  stuck player: loses\n")

    assert described.stuck is Stuck.LOSES
    assert {p.order for p in described.moves} == {ir.Order.AT_ONCE}


def test_a_caller_is_heard_before_the_document() -> None:
    described = system(ENDED + "\nReading\n  stuck player: loses\n", {"stuck player": "draws"})

    assert described.stuck is Stuck.DRAWS


def test_every_system_runs() -> None:
    machine = Interpreter(system(ENDED))

    assert [str(move) for move in machine.legal(machine.initial)] == [
        "Take(1)",
        "Take(2)",
        "Take(3)",
    ]


def test_a_fingerprint_does_not_depend_on_line_ends() -> None:
    assert fingerprint(Source("a", "x\r\ny")) == fingerprint(Source("b", "x\ny\n"))
    assert fingerprint(Source("a", "x")) != fingerprint(Source("a", "y"))


def test_diagnostics_stand_in_the_order_of_the_document() -> None:
    text = game(rules="ghost > 1 → Mine = ∅\npos ∈ Fre → Mine = P", variables="n ∈ N1")

    places = [d.primary.span.start for d in elaborated(text).diagnostics if d.primary]

    assert places == sorted(places)


def test_elaborating_is_quick() -> None:
    begin = time.perf_counter()

    for _ in range(5):
        system(ENDED)

    assert time.perf_counter() - begin < 5
