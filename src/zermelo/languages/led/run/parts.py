"""Closures for loops, totals and what a frame gives: the parts of compiled programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.core.values import Value
from zermelo.languages.led import ir
from zermelo.languages.led.run import operations
from zermelo.languages.led.run.closures import Closure, Frame, Test
from zermelo.languages.led.run.easel import STATE_NAME
from zermelo.languages.led.run.meter import Meter
from zermelo.languages.led.run.pretty import plain
from zermelo.languages.led.run.solving import Domain, Notes
from zermelo.languages.led.run.values import FALSE, TRUE, Arranged, Undefined
from zermelo.text.source import Span


def noted(place: int) -> Domain:
    """The members that were noted at *place*."""

    def run(frame: Frame) -> Sequence[Value] | frozenset[Value]:
        notes = frame[place]
        return notes.members if isinstance(notes, Notes) else ()

    return run


def search(test: Test, place: int, members: Domain, *, wanted: bool, meter: Meter) -> Test:
    """Whether *test* answers *wanted* for a member; if not, the other answer."""

    def run(frame: Frame) -> bool:
        for value in members(frame):
            meter.left -= 1
            if meter.left < 0:
                raise meter.exhausted()
            frame[place] = value
            if test(frame) is wanted:
                return wanted
        return not wanted

    return run


def once(closure: Closure) -> Closure:
    """What *closure* gives the first time."""
    known: list[Value] = []

    def run(frame: Frame) -> Value:
        if not known:
            known.append(closure(frame))
        return known[0]

    return run


def set_of(items: Closure) -> Closure:
    """The set of *items*."""

    def run(frame: Frame) -> Value:
        values = items(frame)
        return Arranged(values) if isinstance(values, tuple) else Arranged()

    return run


def undefined(reason: str, span: Span) -> Closure:
    """No value, for this *reason*."""

    def run(_: Frame) -> Value:
        raise Undefined(reason).at(span)

    return run


def environment(name: str, meter: Meter, span: Span) -> Closure:
    """The state, or a part of the input."""

    def state(_: Frame) -> Value:
        found = meter.state
        if found is None:
            raise Undefined(f"`{name}` has a value only while a game runs").at(span)
        return found

    def given(_: Frame) -> Value:
        found = meter.input
        if found is None:
            raise Undefined(f"`{name}` has a value only in a frame of a game").at(span)
        match name:
            case "mouseX":
                return found.x
            case "mouseY":
                return found.y
            case "mouseClicked":
                return TRUE if found.clicked else FALSE
            case _:
                return found.keys

    return state if name == STATE_NAME else given


def _add(notes: Notes, value: Value) -> None:
    total = notes.total
    if type(value) is int and type(total) is int:
        notes.total = total + value
        return
    if not operations.is_number(value):
        raise Undefined(f"`Sum` needs numbers, and got {plain(value)}")
    notes.total = operations.plus(notes.total, value)


def _multiply(notes: Notes, value: Value) -> None:
    if not operations.is_number(value):
        raise Undefined(f"`Prod` needs numbers, and got {plain(value)}")
    notes.total = operations.times(notes.total, value)


def _unite(notes: Notes, value: Value) -> None:
    if not isinstance(value, frozenset):
        raise Undefined(f"`U[..]` needs sets, and got {plain(value)}")
    operations.not_too_many(len(notes.made) + len(value), "a union of {} members")
    notes.made.update(dict.fromkeys(value))


def _intersect(notes: Notes, value: Value) -> None:
    if not isinstance(value, frozenset):
        raise Undefined(f"`Sec[..]` needs sets, and got {plain(value)}")
    # The first set counts whole; the number of sets so far tells which one that is.
    members = value if notes.total == 0 else notes.made
    notes.made = {each: None for each in members if each in value}
    notes.total = 1


JOIN: Final = {
    ir.BigOp.SUM: _add,
    ir.BigOp.PRODUCT: _multiply,
    ir.BigOp.UNION: _unite,
    ir.BigOp.INTERSECTION: _intersect,
}
