"""Deep recursion goes on in other threads; the limit of Python is never moved."""

from __future__ import annotations

import sys
import threading

import pytest

from zermelo.text import budget
from zermelo.text.budget import OverBudget, Stack


def total(stack: Stack, number: int, seen: set[int]) -> int:
    seen.add(sys.getrecursionlimit())
    if not number:
        return 0
    return number + stack.deeper(6, lambda: total(stack, number - 1, seen))


def begun() -> Stack:
    stack = Stack()
    stack.begin()
    return stack


def test_a_recursion_goes_as_deep_as_it_must() -> None:
    limits = {sys.getrecursionlimit()}
    stack, seen = begun(), set[int]()

    assert total(stack, 20_000, seen) == 20_000 * 20_001 // 2
    assert seen == limits == {sys.getrecursionlimit()}
    assert stack.used == 0


def test_it_begins_anywhere_on_a_stack() -> None:
    def from_here(calls: int) -> int:
        return from_here(calls - 1) if calls else total(begun(), 500, set())

    assert from_here(600) == 500 * 501 // 2


def test_what_has_no_end_is_told() -> None:
    with pytest.raises(RecursionError):
        total(begun(), 10**9, set())


def test_what_is_raised_in_another_thread_reaches_who_asked() -> None:
    stack = begun()

    def down(number: int) -> None:
        budget.spend(1, "going down")
        stack.deeper(6, lambda: down(number + 1))

    with budget.budget(steps=6_000), pytest.raises(OverBudget):
        down(0)
    assert stack.used == 0


def test_where_there_are_no_more_threads_it_is_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)

    with pytest.raises(RecursionError):
        total(begun(), 5_000, set())
