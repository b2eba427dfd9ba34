"""Laws of the core: what holds for every system and every set."""

from __future__ import annotations

from itertools import product

from hypothesis import HealthCheck, given, settings

from tests.support.system_strategies import UNIVERSE, sets_of_numbers, sets_of_sets, systems
from tests.support.wellformed import flaws
from zermelo.core.state import Move
from zermelo.core.values import in_order
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.run import sets
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.languages.sections.run.sets import AnySet

QUIETLY = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUIETLY
@given(systems())
def test_the_legal_moves_are_those_found_by_trying_every_argument(system: System) -> None:
    machine = Interpreter(system)
    state = machine.initial

    tried = [Move("M", arguments) for arguments in product((1, 2, 3), repeat=2)]
    expected = [move for move in tried if machine.turn(state, move).after is not None]

    assert list(machine.legal(state)) == expected


@QUIETLY
@given(systems())
def test_running_with_a_log_leads_where_running_without_leads(system: System) -> None:
    machine = Interpreter(system)

    for move in machine.legal(machine.initial):
        assert machine.turn(machine.initial, move).after == machine.after(machine.initial, move)


@QUIETLY
@given(systems())
def test_a_random_system_is_well_formed(system: System) -> None:
    ignored = "nobody calls the helper H"

    assert [flaw for flaw in flaws(system) if flaw != ignored] == []


@given(sets_of_numbers())
def test_membership_is_that_of_the_listed_set(whole: AnySet) -> None:
    listed = sets.members(whole)

    assert [n for n in UNIVERSE if sets.contains(whole, n)] == in_order(listed)


@given(sets_of_numbers())
def test_the_number_of_members_is_that_of_the_listed_set(whole: AnySet) -> None:
    assert sets.cardinality(whole) == len(sets.members(whole))


@given(sets_of_numbers(), sets_of_numbers())
def test_inclusion_and_equality_are_those_of_the_listed_sets(left: AnySet, right: AnySet) -> None:
    assert sets.is_subset(left, right) == (sets.members(left) <= sets.members(right))
    assert sets.is_same(left, right) == (sets.members(left) == sets.members(right))


@given(sets_of_sets(), sets_of_sets())
def test_sets_of_sets_are_compared_as_listed_ones(left: AnySet, right: AnySet) -> None:
    assert sets.is_subset(left, right) == (sets.members(left) <= sets.members(right))
    assert sets.cardinality(sets.union(left, right)) == len(
        sets.members(left) | sets.members(right)
    )
    assert all(sets.contains(left, member) for member in sets.members(left))
