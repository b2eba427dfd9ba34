"""Witnesses of a guard that its conclusion uses: ``∃r ∈ Q: φ → q = r``.

Outside its formula ``r`` has no meaning, but everybody reads it as the one that was found. Where
the guard says which it is, ``r = q + 1``, it is that. Otherwise any that fits may be meant, so
whoever calls the procedure chooses it: ``Step()`` becomes ``Step(r ∈ Q)``. What nobody calls with
a choice, the end and helpers, has nobody to choose, and its rule is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.languages.sections.mean.items import outline
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.read.grammar.printer import to_text
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import Span

_SOME: Final = tree.Quantifier.SOME


def with_witnesses(
    document: tree.SectionsDocument, *, moves: Set[str]
) -> Checked[tree.SectionsDocument]:
    """*document*, in which what conclusions use of their guards is known; *moves* may choose."""
    seen = outline(document)
    known = {*seen.sets, *seen.variables, *seen.functions, *seen.initial, *seen.defined}
    known |= {text for name in seen.variables for text in map(_word, seen.words_of(name))}
    said: list[Diagnostic] = []

    def changed(item: tree.SectionItem) -> tree.SectionItem:
        if not isinstance(item, tree.Procedure):
            return item
        found = _Procedure(item, frozenset(known), is_move=item.name in moves)
        made = found.made()
        said.extend(found.said)
        return made

    sections = tuple(
        replace(section, items=tuple(map(changed, section.items))) for section in document.sections
    )
    return Checked(replace(document, sections=sections) if said else document, tuple(said))


def _word(value: tree.Expr) -> str:
    return to_text(value)


@dataclass
class _Procedure:
    """A procedure whose rules are looked through."""

    procedure: tree.Procedure
    known: frozenset[str]
    is_move: bool
    said: list[Diagnostic] = field(default_factory=list)
    chosen: dict[str, list[tree.Expr]] = field(default_factory=dict)
    """The names that whoever calls it chooses, and the sets from which rules take them."""
    taken_apart: list[tree.Statement] = field(default_factory=list)

    def made(self) -> tree.Procedure:
        own = {p.name for p in self.procedure.parameters}
        own |= {a.name for a in traversal.assignments(self.procedure.body)}
        self.known |= own
        body = tuple(
            made for statement in self.procedure.body for made in self._statement(statement)
        )
        parameters = (*self.procedure.parameters, *map(self._parameter, self.chosen))
        return replace(self.procedure, parameters=parameters, body=(*self.taken_apart, *body))

    def _parameter(self, name: str) -> tree.Parameter:
        domain, *others = self.chosen[name]
        for other in others:
            domain = tree.Binary(tree.BinaryOp.UNION, domain, other, span=domain.span)
        return tree.Parameter(name, tree.DeclaredRelation.IN, domain, span=domain.span)

    def _statement(self, statement: tree.Statement) -> Iterator[tree.Statement]:
        if not isinstance(statement, tree.Rule):
            yield statement
            return
        inner = [list(self._statement(each)) for each in statement.conclusion]
        rule = replace(statement, conclusion=tuple(each for made in inner for each in made))
        for quantified in _existential(rule.guard):
            free = [name for name in quantified.variables if name not in self.known]
            names = [n for n in free if any(_uses(n, each) for each in statement.conclusion)]
            if not names:
                continue
            told = {name: _defined(name, quantified.body) for name in names}
            values = {name: value for name, value in told.items() if value is not None}
            if len(values) == len(names):
                for name, value in values.items():
                    yield tree.Assign(tree.Name(name, span=value.span), value, span=value.span)
                self._say(quantified, names, f"it is `{listing([_equation(values)])}`")
            elif self.is_move and quantified.domain is not None:
                rule = self._with_choice(rule, quantified, quantified.domain)
            else:
                rule = self._without(rule, quantified, names)
        yield rule

    def _with_choice(
        self, rule: tree.Rule, quantified: tree.Quantified, domain: tree.Expr
    ) -> tree.Rule:
        """*rule* in which the members that *quantified* speaks of are chosen by the caller."""
        span = quantified.span
        names = list(quantified.variables)
        self._say(
            quantified,
            names,
            f"whoever calls `{self.procedure.name}` chooses",
            head=f"{self.procedure.name}({_shown(quantified)} ∈ {to_text(domain)})",
        )
        if quantified.is_tuple:
            # The whole is chosen, and taken apart before the first rule.
            components = tree.TupleOf(tuple(tree.Name(n, span=span) for n in names), span=span)
            names = ["".join(names)]
            whole = tree.Assign(components, tree.Name(names[0], span=span), span=span)
            if whole not in self.taken_apart:
                self.taken_apart.append(whole)
        for name in names:
            sets = self.chosen.setdefault(name, [])
            if domain not in sets:
                sets.append(domain)
        fits = tuple(
            tree.Compare(tree.Name(name, span=span), ((tree.CompareOp.IN, domain),), span=span)
            for name in names
        )
        parts: list[tree.Expr] = []
        for part in traversal.conjuncts(rule.guard):
            is_this = part is quantified
            parts += (*fits, *traversal.conjuncts(quantified.body)) if is_this else (part,)
        return replace(rule, guard=tree.And(tuple(parts), span=rule.guard.span))

    def _say(
        self, quantified: tree.Quantified, names: Sequence[str], how: str, head: str = ""
    ) -> None:
        shown = listing([f"`{name}`" for name in names])
        self.said.append(
            Diagnostic(
                codes.WITNESS,
                f"the conclusion uses {shown} of `∃{_shown(quantified)}`; {how}",
                primary=Label(quantified.span, "known in the guard only, as it is written"),
                help=f"write `{head}`, and the condition without `∃`" if head else None,
            )
        )

    def _without(
        self, rule: tree.Rule, quantified: tree.Quantified, names: Sequence[str]
    ) -> tree.Rule:
        place = _place(rule, names)
        self.said.append(
            Diagnostic(
                codes.WITNESS,
                f"`{names[0]}` is used here, but it is known only inside `∃{names[0]} …`",
                primary=Label(place, "which one?"),
                secondary=(Label(quantified.span, "says that there is one, not which"),),
                help=f"say which it is, as in `{names[0]} = …`, before the rule",
                severity=Severity.ERROR,
            )
        )
        given = tuple(dict.fromkeys(a.name for a in traversal.assignments(rule.conclusion)))
        lost = tree.Unparsed(to_text(rule), given, span=place)
        return replace(rule, conclusion=(lost,))


def _shown(quantified: tree.Quantified) -> str:
    names = ", ".join(quantified.variables)
    return f"({names})" if quantified.is_tuple else names


def _place(rule: tree.Rule, names: Sequence[str]) -> Span:
    """Where the conclusion of *rule* first has one of *names*."""
    exprs = (expr for each in rule.conclusion for expr in traversal.expressions(each))
    nodes = (node for expr in exprs for node in traversal.inside(expr))
    found = (n.span for n in nodes if isinstance(n, tree.Name) and n.text in names)
    return next(found, rule.span)


def _existential(guard: tree.Expr) -> tuple[tree.Quantified, ...]:
    """The ∃ that *guard* asks for as wholes; ``∃a: ∃b: φ`` is looked at from outside."""
    return tuple(
        part
        for part in traversal.conjuncts(guard)
        if isinstance(part, tree.Quantified) and part.quantifier is _SOME
    )


def _uses(name: str, statement: tree.Statement) -> bool:
    """Whether *name* stands in *statement*, and is not bound again there."""
    if isinstance(statement, tree.Rule):
        if any(name in quantified.variables for quantified in _existential(statement.guard)):
            return False
        is_asked = traversal.is_free(name, statement.guard)
        return is_asked or any(_uses(name, each) for each in statement.conclusion)
    return any(traversal.is_free(name, expr) for expr in traversal.expressions(statement))


def _defined(name: str, body: tree.Expr) -> tree.Expr | None:
    """What *body* says *name* equals, if that does not depend on it."""
    this = tree.Name(name)
    for part in traversal.conjuncts(body):
        match part:
            case tree.Compare(first=left, rest=((tree.CompareOp.EQ, right),)):
                for side, other in ((left, right), (right, left)):
                    if side == this and not traversal.is_free(name, other):
                        return other
            case _:
                pass
    return None


def _equation(values: dict[str, tree.Expr]) -> str:
    return ", ".join(f"{name} = {to_text(value)}" for name, value in values.items())
