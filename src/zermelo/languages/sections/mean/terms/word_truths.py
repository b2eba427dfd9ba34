"""Two words in the place of truth values: ``finished = yes ↔ φ`` with ``finished ∈ {yes, no}``.

A variable with two words that a fact ties to a formula, and that no rule gives a value, holds no
more than whether the formula does. It is read as a truth value: ``finished = yes`` is
``finished``, and ``finished = no`` is ``¬finished``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias, TypeVar

from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.text.source import Span

_DENYING: Final = frozenset({"no", "not", "off", "running", "playing", "going", "ongoing", "none"})
_PAIR: Final = 2
Words: TypeAlias = tuple[tree.Name | tree.WordRun, ...]
_Node = TypeVar("_Node", bound=tree.SyntaxNode)
_TRUTHS: Final = tree.SetOf((tree.TruthLiteral(value=True), tree.TruthLiteral(value=False)))


@dataclass(frozen=True, slots=True)
class WordTruth:
    """A variable that is read as a truth value, and the word that stands for true."""

    name: str
    yes: tree.Name | tree.WordRun
    no: tree.Name | tree.WordRun

    def truth_of(self, word: tree.SyntaxNode) -> bool | None:
        return True if word == self.yes else False if word == self.no else None


def word_truths(
    facts: tuple[tree.Fact, ...],
    body: tuple[tree.Statement, ...],
    words_of: Mapping[str, Words],
) -> tuple[WordTruth, ...]:
    """The variables that *facts* tie to formulas by a word, of those that have two *words_of*.

    *body* are all statements of procedures: what they give a value, or use otherwise than in
    asking for one of the words, stays as it is.
    """
    assigned = {each.name for each in traversal.assignments(body)}
    exprs = [fact.formula for fact in facts]
    exprs += traversal.expressions_in(body)
    found: dict[str, WordTruth] = {}
    for fact in facts:
        for name, word in _tied(fact.formula):
            words = words_of.get(name, ())
            if len(words) == _PAIR and word in words and name not in assigned:
                other = words[1] if word == words[0] else words[0]
                denies = isinstance(word, tree.Name) and word.text.casefold() in _DENYING
                yes, no = (other, word) if denies else (word, other)
                found.setdefault(name, WordTruth(name, yes, no))
    return tuple(each for each in found.values() if not any(_is_used(e, each) for e in exprs))


def _tied(formula: tree.Expr) -> Iterator[tuple[str, tree.Expr]]:
    sides = (formula.left, formula.right) if isinstance(formula, tree.Iff) else ()
    for side in sides:
        match side:
            case tree.Compare(first=tree.Name(text=name), rest=((tree.CompareOp.EQ, word),)):
                yield name, word
            case _:
                pass


def _is_used(expr: tree.Expr, truth: WordTruth) -> bool:
    """Whether *expr* has the variable elsewhere than in asking for one of its words."""
    waiting: list[tree.Expr] = [expr]
    while waiting:
        node = waiting.pop()
        if node == tree.Name(truth.name):
            return True
        if _asked(node, truth) is None:
            waiting.extend(traversal.parts(node))
    return False


def _asked(node: tree.Expr, truth: WordTruth) -> bool | None:
    """Which truth value *node* asks the variable to have, if it asks that and no more."""
    match node:
        case tree.Compare(
            first=tree.Name(text=name),
            rest=((tree.CompareOp.EQ | tree.CompareOp.NE as op, word),),
        ) if name == truth.name and (value := truth.truth_of(word)) is not None:
            return value is (op is tree.CompareOp.EQ)
        case _:
            return None


def as_truths(node: _Node, truths: tuple[WordTruth, ...]) -> _Node:
    """*node* with those variables as truth values."""
    changed: dict[str, Any] = {
        each.name: _within(getattr(node, each.name), truths) for each in fields(node)
    }
    return replace(node, **changed)


def _as_truth(node: tree.SyntaxNode, truths: tuple[WordTruth, ...]) -> tree.SyntaxNode:
    for truth in truths:
        value = _asked(node, truth) if isinstance(node, tree.Compare) else None
        if value is not None:
            name = tree.Name(truth.name, span=node.span)
            return name if value else tree.Not(name, span=node.span)
    return as_truths(node, truths)


def _within(value: object, truths: tuple[WordTruth, ...]) -> object:
    if isinstance(value, tree.SyntaxNode):
        return _as_truth(value, truths)
    return tuple(_within(item, truths) for item in value) if isinstance(value, tuple) else value


def declared(
    declaration: tree.Declaration, truths: tuple[WordTruth, ...]
) -> Iterator[tree.Declaration]:
    """*declaration*, with the truth values among its names declared apart."""
    mine = tuple(name for name in declaration.names if name in {t.name for t in truths})
    others = tuple(name for name in declaration.names if name not in mine)
    if not mine:
        yield declaration
        return
    if others:
        yield replace(declaration, names=others, name_spans=_spans(declaration, others))
    spans = _spans(declaration, mine)
    yield replace(declaration, names=mine, domain=_TRUTHS, name_spans=spans)


def _spans(declaration: tree.Declaration, names: tuple[str, ...]) -> tuple[Span, ...]:
    pairs = zip(declaration.names, declaration.name_spans, strict=False)
    return tuple(span for name, span in pairs if name in names)


def started(initial: tree.Initial, truths: tuple[WordTruth, ...]) -> tree.Initial:
    """*initial* with a truth value where it gives one of the words."""
    for truth in truths:
        value = truth.truth_of(initial.value)
        if truth.name in initial.names and value is not None:
            return replace(initial, value=tree.TruthLiteral(value=value, span=initial.value.span))
    return initial
