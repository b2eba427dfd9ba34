"""Compiled LED expressions have the values that walking their trees gives."""

from hypothesis import HealthCheck, given, settings

from tests.support.comparisons import plainly
from tests.support.led_grounds import grounds
from zermelo.languages.led import ir
from zermelo.languages.led.run.evaluator import ProgramEvaluator
from zermelo.languages.led.run.pretty import pp
from zermelo.languages.led.run.values import Erroneous


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(grounds())
def test_closures_and_the_tree_agree_on_values_and_their_order(expr: ir.Expr) -> None:
    found = ProgramEvaluator(ir.Program("demo", ())).expression(expr)

    assert pp(found) == plainly(expr)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(grounds())
def test_a_definition_has_the_value_of_its_expression(expr: ir.Expr) -> None:
    constant = ir.ProgramDefinition("c", (), (ir.Case(expr),))
    function = ir.ProgramDefinition("f", ("u",), (ir.Case(expr),))
    evaluator = ProgramEvaluator(ir.Program("demo", (constant, function)))

    found = evaluator.value("c")

    assert pp(found) == plainly(expr)
    again = [evaluator.value("c"), evaluator.value("f", (1,)), evaluator.value("f", (1,))]
    assert [pp(each) for each in again] == [pp(found)] * 3
    assert not isinstance(found, Erroneous) or found.reason
