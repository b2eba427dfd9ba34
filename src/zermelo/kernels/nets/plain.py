"""Transitions that move black tokens, as tables: for nets that have very many of them.

Code for each of some thousand transitions would take minutes to compile. What such a
transition needs and changes is a few numbers for each word of a marking, and one loop
over them fires all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zermelo.core.nets.ir import Arc, Const, Transition
from zermelo.kernels.nets.packing import WORD, Counters, Packing

_ALL: Final = (1 << WORD) - 1

LOOP: Final = """
def fire_plain(tab, row, out, moves, n, at, count, words):
    left = count
    while left > 0:
        left = left - 1
        tests = load(tab, at + 1)
        limits = load(tab, at + 2)
        changes = load(tab, at + 3)
        code = load(tab, at)
        at = at + 4
        last = at + tests * 4
        following = last + limits * 4 + changes * 2
        ok = 1
        while at < last:
            field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
            if below(field, load(tab, at + 3)) == 1:
                ok = 0
                at = last
            else:
                at = at + 4
        if ok == 1:
            last = at + limits * 4
            while at < last:
                field = shr(load(row, load(tab, at)), load(tab, at + 1)) & load(tab, at + 2)
                if below(load(tab, at + 3), field) == 1:
                    return -1
                at = at + 4
            made = out + n * words * 8
            word = 0
            while word < words:
                store(made, word, load(row, word))
                word = word + 1
            while at < following:
                word = load(tab, at)
                store(made, word, add(load(made, word), load(tab, at + 1)))
                at = at + 2
            store(moves, n, code)
            n = n + 1
        at = following
    return n
"""
"""The function that fires the transitions of a table."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a transition takes from each place, and puts into it."""

    taken: Mapping[str, int]
    put: Mapping[str, int]


def effect(transition: Transition, packing: Packing) -> Effect | None:
    """What *transition* does, if it is the same in every marking."""
    if transition.variables or transition.gates or transition.lets:
        return None
    taken, put = _counts(transition.inputs, packing), _counts(transition.outputs, packing)
    return None if taken is None or put is None else Effect(taken, put)


def _counts(arcs: Iterable[Arc], packing: Packing) -> dict[str, int] | None:
    found: dict[str, int] = {}
    for arc in arcs:
        if not isinstance(packing.of(arc.place), Counters):
            return None
        for term in arc.terms:
            times = term.multiplicity
            if term.components or not isinstance(times, Const) or times.value < 0:
                return None
            found[arc.place] = found.get(arc.place, 0) + times.value
    return {name: count for name, count in found.items() if count}


def record(effect: Effect, packing: Packing) -> list[int] | None:
    """The numbers of a transition for ``LOOP``, behind its code; ``None`` where there is no room.

    They are how many tests, limits and changes there are, and these: the word, the first
    bit, the mask and the least number of a field that has to be there; the same with the
    greatest number of a field that has room for more; a word and what is added to it.
    """
    tests = [_field(packing, name, count) for name, count in effect.taken.items()]
    limits, changes = [], dict[int, int]()
    for name in dict.fromkeys((*effect.taken, *effect.put)):
        packed = packing.of(name)
        assert isinstance(packed, Counters)
        more = effect.put.get(name, 0) - effect.taken.get(name, 0)
        if more > 0 and not packed.is_bounded:
            limits.append(_field(packing, name, packed.most - more))
        if more:
            word, shift = packed.array.at(0)
            changes[word] = changes.get(word, 0) + (more << shift)
    if any(limit < 0 for *_, limit in limits) or any(need > most for *_, most, need in tests):
        return None
    joined = _joined(tests)
    numbers = [len(joined), len(limits), len(changes)]
    for each in (*joined, *limits):
        numbers += each
    for word, change in changes.items():
        numbers += [word, _signed(change)]
    return numbers


def _joined(tests: Sequence[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """*tests* with those for one token in fields of one bit made one for each word."""
    bits: dict[int, int] = {}
    others = []
    for word, shift, mask, count in tests:
        if mask == count == 1:
            bits[word] = bits.get(word, 0) | 1 << shift
        else:
            others.append((word, shift, mask, count))
    return [(word, 0, _signed(mask), _signed(mask)) for word, mask in bits.items()] + others


def _field(packing: Packing, place: str, number: int) -> tuple[int, int, int, int]:
    packed = packing.of(place)
    word, shift = packed.array.at(0)
    return word, shift, (1 << packed.array.width) - 1, number


def _signed(number: int) -> int:
    number &= _ALL
    return number - (1 << WORD) if number >> (WORD - 1) else number
