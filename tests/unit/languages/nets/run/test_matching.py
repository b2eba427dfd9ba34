"""Matching tokens finds what trying all values finds."""

from collections import Counter
from itertools import product

from hypothesis import given, settings

from tests.support.random_nets import nets
from zermelo.core.machine import FaultError
from zermelo.core.state import Move
from zermelo.languages.nets.ir import Arc, Const, Interval, Let, Net, Term, Transition
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.languages.nets.run.evaluate import Evaluator
from zermelo.languages.nets.run.machine import TokenGame

# All numbers that tokens of the random nets have at first, and some more.
UNIVERSE = range(-3, 8)


class NotEnabled(Exception):
    """The transition is not enabled for these values."""


def total(terms: tuple[Term, ...], values: dict[str, int], evaluator: Evaluator) -> Counter[Token]:
    """The sum of *terms*, by its definition."""
    found: Counter[Token] = Counter()
    for term in terms:
        times = evaluator.value(term.multiplicity, values)
        if times < 0 and not isinstance(term.multiplicity, Const):
            raise NotEnabled
        ranges = [
            range(evaluator.value(each.low, values), evaluator.value(each.high, values) + 1)
            if isinstance(each, Interval)
            else (evaluator.value(each, values),)
            for each in term.components
        ]
        for token in product(*ranges):
            found[token] += times
    if any(count < 0 for count in found.values()):
        raise NotEnabled
    return found


def sums(
    arcs: tuple[Arc, ...], values: dict[str, int], evaluator: Evaluator
) -> dict[str, Counter[Token]]:
    """What *arcs* take or put, for each place."""
    found: dict[str, Counter[Token]] = {}
    for arc in arcs:
        found.setdefault(arc.place, Counter()).update(total(arc.terms, values, evaluator))
    return found


def is_given(let: Let, values: dict[str, int], evaluator: Evaluator) -> bool:
    """Whether *let* contains its tuple."""
    return total(let.terms, values, evaluator)[tuple(values[name] for name in let.names)] > 0


def is_enabled(
    transition: Transition, values: dict[str, int], net: Net, evaluator: Evaluator
) -> bool:
    """Whether *transition* is enabled at first for these *values*, by the definition."""
    for each in transition.variables:
        low, high = each.low, each.high
        if low is not None and high is not None and not low <= values[each.name] <= high:
            return False
    try:
        if not all(is_given(let, values, evaluator) for let in transition.lets):
            return False
        if not all(evaluator.value(gate, values) for gate in transition.gates):
            return False
        taken = sums(transition.inputs, values, evaluator)
        put = sums(transition.outputs, values, evaluator)
    except (FaultError, NotEnabled):
        return False
    places = {place.name: place for place in net.places}
    contained = all(
        dict(places[name].initial.counts).get(token, 0) >= count
        for name, tokens in taken.items()
        for token, count in tokens.items()
    )
    return contained and all(
        (least is None or token[at] >= least[at]) and (most is None or token[at] <= most[at])
        for name, tokens in put.items()
        for least, most in [(places[name].low, places[name].high)]
        for token, count in tokens.items()
        if count
        for at in range(len(token))
    )


@given(nets())
@settings(max_examples=60, deadline=None)
def test_matching_finds_the_firings_that_trying_all_values_finds(net: Net) -> None:
    game, evaluator = TokenGame(net), Evaluator(net)
    legal = set(game.legal(game.initial))
    faults = game.faults(game.initial)

    for transition in net.transitions:
        if Move(transition.name) in faults:
            # Its values cannot be listed, which is said instead.
            continue
        names = [each.name for each in transition.variables]
        tried = {
            Move(transition.name, values)
            for values in product(UNIVERSE, repeat=len(names))
            if is_enabled(transition, dict(zip(names, values, strict=True)), net, evaluator)
        }
        assert {move for move in legal if move.name == transition.name} == tried


@given(nets())
@settings(max_examples=40, deadline=None)
def test_a_firing_takes_its_inputs_and_puts_its_outputs(net: Net) -> None:
    game, evaluator = TokenGame(net), Evaluator(net)

    for move in game.legal(game.initial):
        transition = net.transition(move.name)
        assert transition is not None
        names = [each.name for each in transition.variables]
        values = dict(zip(names, move.arguments, strict=True))
        numbers = {name: value for name, value in values.items() if isinstance(value, int)}
        expected = {place.name: Counter(dict(place.initial.counts)) for place in net.places}
        for name, tokens in sums(transition.inputs, numbers, evaluator).items():
            expected[name].subtract(tokens)
        for name, tokens in sums(transition.outputs, numbers, evaluator).items():
            expected[name].update(tokens)
        after = game.after(game.initial, move)
        assert dict(after.items()) == {name: Bag.of(bag) for name, bag in expected.items()}
