"""Kernels do what the interpreter does: random systems and documents, the code run as Python."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from tests.support.agreement import assert_agree
from tests.support.random_systems import documents, probes, read, systems
from tests.support.systems import countdown, flags, squares
from zermelo.languages.sections.compile import value_functions
from zermelo.languages.sections.compile.kernel import NotCompiled, kernel
from zermelo.languages.sections.ir import Order, System
from zermelo.languages.sections.run.interpreter import Interpreter

BOUNDED = settings(
    max_examples=120,
    deadline=None,
    derandomize=True,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
"""The same examples in every run, so many of them that they take some seconds."""


def agrees(described: System, seed: int = 0) -> bool:
    """Whether there is a kernel; if there is one, it must do what the interpreter does."""
    machine = Interpreter(described)
    made = kernel(machine, compiled=False)
    if isinstance(made, NotCompiled):
        return False
    assert_agree(machine, made, seed=seed)
    return True


@BOUNDED
@given(systems(), st.integers(0, 99))
def test_a_kernel_of_a_random_system_does_what_the_interpreter_does(
    drawn: System, seed: int
) -> None:
    event(f"compiled: {agrees(drawn, seed)}")


@BOUNDED
@given(probes(), st.integers(0, 99))
def test_a_kernel_finds_the_formulas_true_that_the_interpreter_does(
    drawn: System, seed: int
) -> None:
    event(f"compiled: {agrees(drawn, seed)}")


@BOUNDED
@given(systems(), st.integers(0, 99))
def test_value_functions_may_all_be_called_however_short_they_are(drawn: System, seed: int) -> None:
    with mock.patch.object(value_functions, "FEWEST_LINES", 0):
        event(f"compiled: {agrees(drawn, seed)}")


@settings(BOUNDED, max_examples=40)
@given(documents())
def test_a_kernel_of_a_random_document_does_what_the_interpreter_does(text: str) -> None:
    described = read(text)

    assert described is not None
    event(f"compiled: {agrees(described)}")


@pytest.mark.parametrize("order", Order)
def test_small_systems_made_by_hand_have_kernels_in_every_order(order: Order) -> None:
    assert agrees(countdown())
    assert agrees(squares(order))
    assert agrees(flags(order))
