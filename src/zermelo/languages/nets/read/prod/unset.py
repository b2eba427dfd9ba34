"""Locals of C that are read before anything gives them a value.

Only what is certain is found: on every way to the place that reads it, a local is declared
without a value and given none. Whether a loop or a branch is ever run is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.expressions import parts


def read_unset(body: tree.Block) -> tuple[tree.Name, ...]:
    """The places in *body* that read a local without a value, the first one of each."""
    reading = _Reading()
    reading.block(body.body, set())
    return tuple(reading.found)


class _Reading:
    """Goes through a function; ``unset`` are the locals that have no value for certain."""

    def __init__(self) -> None:
        self.found: list[tree.Name] = []

    def block(self, body: Iterable[tree.Statement], unset: set[str]) -> set[str] | None:
        """What is unset behind *body*; ``None`` where nothing goes on there."""
        now, own, hidden = set(unset), set[str](), set[str]()
        for statement in body:
            if isinstance(statement, tree.Declare):
                if statement.name in now - own:
                    hidden.add(statement.name)
                own.add(statement.name)
            after = self._statement(statement, now)
            if after is None:
                return None
            now = after
        return (now - own) | hidden

    def _statement(self, statement: tree.Statement, unset: set[str]) -> set[str] | None:
        match statement:
            case tree.Declare(name, dimensions, init):
                self._init(init, unset)
                is_open = init is None and not dimensions
                return unset | {name} if is_open else unset - {name}
            case tree.Assign():
                return self._assign(statement, unset)
            case tree.Block(body):
                return self.block(body, unset)
            case tree.If(test, yes, no):
                self._read(test, unset)
                other = () if no is None else (no,)
                return _on_both(self.block((yes,), unset), self.block(other, unset))
            case tree.Loop():
                return self._loop(statement, unset)
            case tree.Switch():
                return self._switch(statement, unset)
            case tree.Return(value):
                self._read(value, unset)
                return None
            case tree.Break() | tree.Continue():
                return None
            case tree.Evaluate(value):
                self._read(value, unset)
                return unset
            case _:
                assert_never(statement)

    def _assign(self, statement: tree.Assign, unset: set[str]) -> set[str]:
        target = statement.target
        self._read(statement.value, unset)
        if isinstance(target, tree.Index) or statement.op:
            self._read(target, unset)
        return unset if isinstance(target, tree.Index) else unset - {target.text}

    def _loop(self, statement: tree.Loop, unset: set[str]) -> set[str]:
        own = {each.name for each in statement.first if isinstance(each, tree.Declare)}
        before = unset
        for each in statement.first:
            before = self._statement(each, before) or set()
        behind = before - _assigned((statement.body, *statement.step))
        if statement.test is not None:
            self._read(statement.test, before if statement.tests_first else behind)
        self.block((statement.body,), before)
        self.block(statement.step, behind)
        return (behind - own) | (unset & own)

    def _switch(self, statement: tree.Switch, unset: set[str]) -> set[str]:
        self._read(statement.value, unset)
        # A case may fall into the next one.
        left = unset - _assigned(each for case in statement.cases for each in case.body)
        for case in statement.cases:
            self.block(case.body, left)
        return left

    def _init(self, init: tree.Init | None, unset: set[str]) -> None:
        match init:
            case None:
                return
            case tree.InitList(items):
                for each in items:
                    self._init(each, unset)
            case _:
                self._read(init, unset)

    def _read(self, expr: tree.Expr, unset: set[str]) -> None:
        if isinstance(expr, tree.Name):
            if expr.text in unset and all(expr.text != each.text for each in self.found):
                self.found.append(expr)
            return
        for part in parts(expr):
            self._read(part, unset)


def _on_both(first: set[str] | None, second: set[str] | None) -> set[str] | None:
    """What is unset behind two branches, of which one may not go on."""
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _assigned(body: Iterable[tree.Statement]) -> set[str]:
    """The names that something in *body* may give a value, whatever they mean there."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case tree.Assign(tree.Name(name)):
                found.add(name)
            case tree.Block(inner):
                found |= _assigned(inner)
            case tree.If(_, yes, no):
                found |= _assigned((yes,) if no is None else (yes, no))
            case tree.Loop():
                found |= _assigned((*statement.first, statement.body, *statement.step))
            case tree.Switch(_, cases):
                found |= _assigned(each for case in cases for each in case.body)
            case _:
                continue
    return found
