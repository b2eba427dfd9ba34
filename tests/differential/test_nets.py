"""Kernels of nets agree with the token game, which says what nets mean."""

from __future__ import annotations

from collections import Counter
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings

from tests.support import random_nets
from tests.support.net_agreement import agree, check
from zermelo.core.state import State
from zermelo.languages.nets import ir
from zermelo.languages.nets.compile import emit, expressions
from zermelo.languages.nets.compile.kernel import NetKernel, kernel
from zermelo.languages.nets.game.rules import NetRules
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_nets.nets())
def test_a_kernel_and_the_token_game_agree(net: ir.Net) -> None:
    agree(net)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(random_nets.nets())
def test_compiled_code_and_the_token_game_agree(net: ir.Net) -> None:
    agree(net, compiled=True)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_nets.nets())
def test_transitions_in_tables_and_functions_written_out_agree_too(net: ir.Net) -> None:
    with (
        mock.patch.object(emit, "MOST_WRITTEN", 0),
        mock.patch.object(expressions, "MOST_VALUES", 0),
    ):
        agree(net)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(random_nets.played_nets())
def test_a_kernel_of_a_net_with_players_and_the_token_game_agree(
    played: tuple[ir.Net, NetRules],
) -> None:
    agree(*played)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(random_nets.played_nets())
def test_compiled_code_of_a_net_with_players_and_the_token_game_agree(
    played: tuple[ir.Net, NetRules],
) -> None:
    agree(*played, compiled=True)


def test_random_nets_with_players_have_kernels_and_ends_of_plays() -> None:
    counts: Counter[str] = Counter()

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(random_nets.played_nets())
    def count(played: tuple[ir.Net, NetRules]) -> None:
        counts["kernels"] += agree(*played, tally=counts)

    count()

    assert counts["kernels"] > 30, counts
    assert counts["markings that end a play"] > 5, counts


def test_most_random_nets_have_a_kernel() -> None:
    counts = {True: 0, False: 0}

    @settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(random_nets.nets())
    def count(net: ir.Net) -> None:
        counts[not isinstance(kernel(net, compiled=False), str)] += 1

    count()

    assert counts[True] > 2 * counts[False], counts


@pytest.mark.parametrize("tokens", [7, 8, 40])
def test_a_place_that_outgrows_its_room_is_given_more(tokens: int) -> None:
    net = ir.Net(
        "growing",
        (ir.Place("p", 0, Bag()),),
        (ir.Transition("more", outputs=(ir.Arc("p", (ir.Term(ir.Const(1), ()),)),)),),
    )
    made = kernel(net, compiled=False)
    assert isinstance(made, NetKernel)
    machine = TokenGame(net)

    made = check(made, machine, State((Bag((((), tokens),)),), ("p",)))

    assert made.packing.room.counts.get("p", 0) >= (tokens if tokens > 7 else 0)


def test_all_of_a_difference_has_to_have_a_value() -> None:
    inside = ir.Interval(ir.Const(0), ir.Const(0))
    nothing = ir.Element("table", (ir.Const(-1),))
    difference = (
        ir.Term(ir.Const(1), (inside, inside)),
        ir.Term(ir.Const(-1), (ir.Const(1), nothing)),
    )
    net = ir.Net(
        "difference",
        (ir.Place("p", 2, Bag(), (0, 0), (0, 0)),),
        (ir.Transition("t", outputs=(ir.Arc("p", difference),)),),
        tables=(ir.Table("table", (3,), (1, 0, 2)),),
    )

    assert agree(net)


@pytest.mark.parametrize("tokens", [(), (((0, 1), 1),)])
def test_a_component_that_stops_keeps_a_variable_from_its_value(
    tokens: tuple[tuple[tuple[int, int], int], ...],
) -> None:
    """The gate forbids every value that `x` might have had."""
    nowhere = ir.Element("table", (ir.Const(-1),))
    arc = ir.Arc("p", (ir.Term(ir.Const(1), (ir.Var("x"), nowhere)),))
    gate = ir.Binary(ir.BinaryOp.EQ, ir.Const(3), ir.Var("x"))
    net = ir.Net(
        "n",
        (ir.Place("p", 2, Bag(tokens), low=(0, 0), high=(1, 1)),),
        (ir.Transition("t", (ir.Variable("x"),), inputs=(arc,), gates=(gate,)),),
        tables=(ir.Table("table", (1,), (0,)),),
    )

    assert TokenGame(net).faults(TokenGame(net).initial)
    assert agree(net)
