"""Procedures: statements of a tree become statements of a system.

A target that is a variable of the system is assigned; any other is a local of its
procedure. A rule or statement that cannot be used is left out, and the rest stays.
Parameters range over the sets that are said, or found by how they are used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, assert_never

from zermelo.core.values import TRUTH, UNKNOWN, SetType, TupleType, Type, unify, words
from zermelo.languages.sections import ir
from zermelo.languages.sections.mean.items import Items, declarations_in
from zermelo.languages.sections.mean.modes import Cases, ProcedureMode, cases
from zermelo.languages.sections.mean.terms import binding
from zermelo.languages.sections.mean.terms.definitions import NONE
from zermelo.languages.sections.mean.terms.infer import Inference
from zermelo.languages.sections.mean.terms.lookup import wrong_number
from zermelo.languages.sections.mean.terms.operators import (
    Typed,
    TypeScope,
    component_types,
    is_known,
    item_type,
)
from zermelo.languages.sections.mean.terms.uses import place_of, type_by_use
from zermelo.languages.sections.printer import to_text
from zermelo.languages.sections.read.grammar import traversal, tree
from zermelo.languages.sections.read.grammar.printer import to_text as to_unicode
from zermelo.languages.sections.walk import substituted
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Label, Report
from zermelo.text.prose import count
from zermelo.text.source import Source, Span


def procedure(
    item: tree.Procedure, mode: ProcedureMode, *, inference: Inference, parameters: Parameters
) -> ir.Procedure | None:
    """*item* as a procedure of the system; ``None`` if it cannot be called."""
    report = inference.report
    heads = parameters.of(item, is_move=mode.role is ir.ProcedureRole.MOVE)
    if heads is None:
        return None
    own = sorted(inference.names.locals.get(item.name, ()))
    types: dict[str, Type] = dict.fromkeys(own, UNKNOWN)
    types.update((p.name, p.type) for p in heads)
    lost = {**parameters.lost(item), **_without_values(item, types, report)}
    types.update(dict.fromkeys(sorted(lost), UNKNOWN))
    # Locals get their types from their definitions, which may stand below their uses.
    with report.quiet():
        _Body(inference, parameters, types, item, dict(lost)).statements()
    body = _Body(inference, parameters, types, item, lost).statements()
    if mode.order is ir.Order.BY_CASES:
        body = _by_cases(body, item)
    made = ir.Procedure(item.name, mode.role, heads, body, order=mode.order, outside=mode.outside)
    return replace(made, span=item.span)


def _by_cases(body: tuple[ir.Statement, ...], item: tree.Procedure) -> tuple[ir.Statement, ...]:
    """*body* in which rules that are cases ask for values from before the first of them."""
    span_of = {each.span: row for row in cases(item) for each in _rules_of(row, item)}
    made: list[ir.Statement] = []
    entered: list[Cases] = []
    for statement in body:
        row = span_of.get(statement.span) if isinstance(statement, ir.Rule) else None
        if row is None or not isinstance(statement, ir.Rule):
            made.append(statement)
            continue
        before = ir.Local(f"{row.variable} before")
        if row not in entered:
            entered.append(row)
            made.append(ir.Let((before.name,), is_tuple=False, value=ir.Ref(row.variable)))
            made.append(statement)
            continue
        guard = substituted(statement.guard, {}, {row.variable: before})
        made.append(statement if guard is None else replace(statement, guard=guard))
    return tuple(made)


def _rules_of(row: Cases, item: tree.Procedure) -> tuple[tree.Statement, ...]:
    return item.body[row.first : row.first + row.count]


_Causes: TypeAlias = tuple[Span, ...]


def _without_values(
    item: tree.Procedure, types: Mapping[str, Type], report: Report
) -> dict[str, _Causes]:
    """The locals that are declared and never given a value, and where they are declared."""
    given = {assignment.name for assignment in traversal.assignments(item.body)}
    given |= {parameter.name for parameter in item.parameters}
    unread = {
        name: (statement.span,)
        for statement in traversal.statements(item.body)
        if isinstance(statement, tree.Unparsed)
        for name in statement.names
    }
    found: dict[str, _Causes] = {}
    for declaration in declarations_in(item):
        for name in declaration.names:
            if name in types and name not in given and name in unread:
                found[name] = unread[name]
            elif name in types and name not in given:
                found[name] = (place_of(declaration, name),)
                report.tell(
                    codes.LOCAL_WITHOUT_VALUE,
                    f"`{name}` is declared in `{item.name}` and never given a value there",
                    Label(place_of(declaration, name), "which value has it?"),
                    help=f"write `{name} = …`, or make it a parameter or a variable",
                )
    return found


@dataclass
class _Body:
    """Elaborates the body of one procedure; learns the types of its locals on the way."""

    inference: Inference
    parameters: Parameters
    types: dict[str, Type]
    procedure: tree.Procedure
    broken: dict[str, _Causes]
    """Locals whose definition cannot be used, and where the faults are."""

    @property
    def scope(self) -> TypeScope:
        return TypeScope(self.types, broken=dict(self.broken))

    @cached_property
    def _times_given(self) -> Counter[str]:
        """In how many statements each name is given a value."""
        body = self.procedure.body
        given = ({a.name for a in traversal.assignments((s,))} for s in body)
        return Counter(name for names in given for name in names)

    def statements(self) -> tuple[ir.Statement, ...]:
        """The statements that can be used; rules are numbered as the document has them."""
        found: list[ir.Statement] = []
        number = 0
        for statement in self.procedure.body:
            if isinstance(statement, tree.Rule):
                number += 1
            found.extend(self._usable(statement, str(number)))
        return tuple(found)

    def _usable(self, statement: tree.Statement, label: str) -> tuple[ir.Statement, ...]:
        report = self.inference.report
        before = report.begin()
        made = self._statement(statement, label)
        if report.is_whole(before):
            return made
        what = f"rule {label}"
        if not isinstance(statement, tree.Rule):
            what = f"`{words_of(report.source, statement, statement.span)}`"
        causes = report.leave_out(f"{what} of {self.procedure.name}", before)
        given = {a.name for a in traversal.assignments((statement,))}
        lost = {name for name in given if self._times_given[name] == 1}
        self.broken.update(dict.fromkeys(lost.intersection(self.types), causes))
        return ()

    def _statement(self, statement: tree.Statement, label: str) -> tuple[ir.Statement, ...]:
        match statement:
            case tree.Assign(target=target, value=value, span=span):
                if isinstance(target, tree.TupleOf):
                    return self._assign_parts(statement, target)
                return self._assign_one(target, value, span)
            case tree.StepByOne(name=name, is_up=is_up, span=span):
                op = tree.BinaryOp.PLUS if is_up else tree.BinaryOp.MINUS
                this, one = tree.Name(name, span=span), tree.NumberLiteral(1, span=span)
                return self._assign_one(this, tree.Binary(op, this, one, span=span), span)
            case tree.ProcedureCall():
                return self._call(statement)
            case tree.Declaration():
                return self._declare(statement)
            case tree.Rule():
                return (self._rule(statement, label),)
            case tree.Prose() | tree.Unparsed():
                return ()
            case _:
                assert_never(statement)

    def _rule(self, rule: tree.Rule, label: str) -> ir.Rule:
        report = self.inference.report
        guard = self.inference.formula(rule.guard, self.scope, "a guard")
        conclusion: list[ir.Statement] = []
        number = 0
        for statement in _joined_changes(rule.conclusion):
            if isinstance(statement, tree.Rule):
                number += 1
                conclusion.extend(self._usable(statement, f"{label}.{number}"))
            elif isinstance(statement, tree.Unparsed):
                # What it says was not understood, so the rule would do only half of its work.
                report.unusable(statement.span)
            else:
                conclusion.extend(self._statement(statement, label))
        text = words_of(report.source, rule, rule.span)
        return ir.Rule(guard, tuple(conclusion), label, text, span=rule.span)

    def _assign_one(
        self, target: tree.Name, value: tree.Expr, span: Span
    ) -> tuple[ir.Statement, ...]:
        name = self._target(target)
        if name is None:
            return ()
        is_local = name in self.types
        kind = UNKNOWN if is_local else self.inference.definitions.variable(name).type
        if isinstance(value, tree.And) and is_known(kind) and kind != TRUTH:
            value = self._first(value)
        if isinstance(value, tree.EmptySet) and not is_local and self._is_emptied(name):
            return (ir.Assign(name, ir.Literal(NONE, span=value.span), span=span),)
        is_named = not is_local and self.inference.is_meant(ir.Ref(name), value, self.scope)
        made = self.inference.fitting(
            value,
            self.scope,
            UNKNOWN if is_named else kind,
            lambda text, its: f"`{name}` holds {words(kind)}, and is given {text}, {its}",
            *self.inference.names.labels(name, "declared here"),
        )
        if is_local:
            self._learn(name, made.type)
            return (ir.Let((name,), is_tuple=False, value=made.expr, span=span),)
        return (ir.Assign(name, made.expr, span=span),)

    def _is_emptied(self, name: str) -> bool:
        return self.inference.definitions.is_emptied(name)

    def _first(self, value: tree.And) -> tree.Expr:
        """The value of ``x = e ∧ φ`` where x holds no truth value: φ assigns nothing."""
        first, *rest = value.operands
        for extra in rest:
            self.inference.report.tell(
                codes.EFFECTLESS_FORMULA,
                "this stands in a conclusion and gives nothing a value; it is left out",
                Label(extra.span, "left out"),
                help="put conditions before the arrow",
            )
        return first

    def _learn(self, name: str, kind: Type) -> None:
        both = unify(self.types[name], kind)
        if both is not None and is_known(both):
            self.types[name] = both

    def _target(self, target: tree.Name) -> str | None:
        """The local or variable that is given a value; a set or function cannot be."""
        names = self.inference.names
        if target.text in self.types:
            return target.text
        name = names.aliases.get(target.text, target.text)
        if name in names.variables or name in self.types:
            return name
        if not names.is_declared(name):
            self.types.setdefault(name, UNKNOWN)
            return name
        self.inference.report.unusable()
        what = "a set" if names.is_set(name) else "a function"
        near = similar(name, [*names.variables, *self.types])
        self.inference.report.tell(
            codes.ASSIGNED_CONSTANT,
            f"`{name}` is {what} and does not change, but is given a value here",
            Label(target.span, "given a value"),
            *names.labels(name, f"{what}, defined here"),
            help=f"write `{near[0]}`" if near else f"declare `{name}` as a variable",
        )
        return None

    def _assign_parts(
        self, statement: tree.Assign, target: tree.TupleOf
    ) -> tuple[ir.Statement, ...]:
        """``(a, b) = value``: locals get the components; variables through locals."""
        targets = [item for item in target.items if isinstance(item, tree.Name)]
        value = self.inference.typed(statement.value, self.scope)
        size = len(target.items)
        kinds = component_types(value.type, size)
        if len(targets) < size or (is_known(value.type) and value.type != TupleType(kinds)):
            self._say_wrong_parts(target, value, has_names=len(targets) == size)
            return ()
        found = [self._target(each) for each in targets]
        names = [name for name in found if name is not None]
        if len(names) < size:
            return ()
        span = statement.span
        if all(name in self.types for name in names):
            for name, kind in zip(names, kinds, strict=True):
                self._learn(name, kind)
            return (ir.Let(tuple(names), is_tuple=True, value=value.expr, span=span),)
        return self._through_locals(names, kinds, value.expr, span)

    def _through_locals(
        self, names: Sequence[str], kinds: Sequence[Type], value: ir.Expr, span: Span
    ) -> tuple[ir.Statement, ...]:
        """``(a, b) = value`` for variables: locals that nobody else sees take it apart."""
        hidden: list[str] = []
        after: list[ir.Statement] = []
        for name, kind in zip(names, kinds, strict=True):
            part = f"{name}′"
            hidden.append(part)
            if name in self.types:
                self._learn(name, kind)
                after.append(ir.Let((name,), is_tuple=False, value=ir.Local(part), span=span))
            else:
                after.append(ir.Assign(name, ir.Local(part), span=span))
            self.types[part] = kind
        let = ir.Let(tuple(hidden), is_tuple=True, value=value, is_hidden=True, span=span)
        return (let, *after)

    def _say_wrong_parts(self, target: tree.TupleOf, value: Typed, *, has_names: bool) -> None:
        report = self.inference.report
        report.unusable()
        if not has_names:
            report.tell(
                codes.WRONG_NUMBER,
                "the left side of this definition holds something that is no name",
                Label(target.span, "only names can be given values"),
            )
            return
        names = count(len(target.items), "name")
        report.tell(
            codes.WRONG_NUMBER,
            f"`{to_text(value.expr)}` is {words(value.type)}, and {names} stand on the left",
            Label(target.span, names),
            Label(value.span, words(value.type)),
            help="write as many names as there are components",
        )

    def _declare(self, statement: tree.Declaration) -> tuple[ir.Statement, ...]:
        names = tuple(n for n in statement.names if n in self.types)
        if not names:
            return ()
        found = self.inference.definitions.domain(
            statement.relation, statement.domain, TypeScope(self.types, lists_words=True)
        )
        for name in names:
            self._learn(name, found.type)
        return () if found.expr is None else (ir.Declare(names, found.expr, span=statement.span),)

    def _call(self, statement: tree.ProcedureCall) -> tuple[ir.Statement, ...]:
        names, report = self.inference.names, self.inference.report
        callee = names.procedures.get(statement.name)
        if callee is None and statement.name in names.lost:
            report.unusable(names.lost[statement.name])
            return ()
        if callee is None:
            report.unusable()
            near = similar(statement.name, names.procedures)
            report.tell(
                codes.UNKNOWN_FUNCTION,
                f"`{statement.name}` is called here, but no procedure of that name is written",
                Label(statement.span, "no such procedure"),
                help=f"write `{near[0]}`" if near else f"write a procedure `{statement.name}(…)`",
                once=statement.name,
            )
            return ()
        arguments = statement.arguments
        if len(arguments) == len(callee.parameters):
            arguments = tuple(arguments[place] for place in self.parameters.kept(callee))
        with report.quiet():
            heads = self.parameters.of(callee, is_move=False) or ()
        arguments = _bundled(arguments, heads)
        if len(arguments) != len(heads):
            report.unusable()
            given = len(statement.arguments)
            report.tell(
                codes.WRONG_NUMBER,
                wrong_number(statement.name, len(heads), given),
                Label(statement.span, count(given, "argument")),
                *names.labels(statement.name, "its head"),
            )
            return ()
        pairs = zip(arguments, heads, strict=True)
        values = tuple(self._argument(callee.name, argument, head) for argument, head in pairs)
        return (ir.Call(callee.name, values, span=statement.span),)

    def _argument(self, callee: str, argument: tree.Expr, head: ir.Parameter) -> ir.Expr:
        needs = f"`{callee}` takes {words(head.type)} as `{head.name}`"
        return self.inference.fitting(
            argument, self.scope, head.type, lambda text, its: f"{needs}, and {text} is {its}"
        ).expr


def _bundled(
    arguments: tuple[tree.Expr, ...], heads: tuple[ir.Parameter, ...]
) -> tuple[tree.Expr, ...]:
    """``Remove(a, b)`` where one pair is taken: the arguments are its components."""
    kinds = [head.type for head in heads]
    match kinds:
        case [TupleType(items)] if len(items) == len(arguments) > 1:
            span = arguments[0].span.to(arguments[-1].span)
            return (tree.TupleOf(arguments, span=span),)
        case _:
            return arguments


# Parameters


@dataclass(slots=True)
class Parameters:
    """Finds the parameters of the procedures of a document."""

    document: Items
    inference: Inference
    end: str | None
    """The procedure that is called after every move, and is given nothing."""

    def kept(self, procedure: tree.Procedure) -> tuple[int, ...]:
        """The places of the parameters that are parameters.

        One without a domain that has the name of a variable is that variable.
        """
        if procedure.name == self.end:
            return ()
        return tuple(
            place
            for place, parameter in enumerate(procedure.parameters)
            if parameter.domain is not None or not self._is_variable(parameter.name)
        )

    def _is_variable(self, name: str) -> bool:
        names = self.inference.names
        return names.aliases.get(name, name) in names.variables

    def lost(self, procedure: tree.Procedure) -> dict[str, _Causes]:
        """The parameters of the end that are no variables: nobody gives them a value."""
        if procedure.name != self.end:
            return {}
        found = [p for p in procedure.parameters if not self._is_variable(p.name)]
        for parameter in found:
            self.inference.report.tell(
                codes.PARAMETER_WITHOUT_SET,
                f"`{procedure.name}` is called after every move, "
                f"and nothing gives it a value for `{parameter.name}`",
                Label(parameter.span, "no variable of this name"),
                help=f"declare `{parameter.name}` as a variable, or leave it out",
                severity=Severity.ERROR,
            )
        return {parameter.name: (parameter.span,) for parameter in found}

    def of(self, procedure: tree.Procedure, *, is_move: bool) -> tuple[ir.Parameter, ...] | None:
        """The parameters of *procedure*; ``None`` if a move's cannot be known."""
        found: list[ir.Parameter] = []
        for place in self.kept(procedure):
            parameter = self._parameter(procedure, place, is_move=is_move)
            if parameter is None:
                return None
            found.append(parameter)
        return tuple(found)

    def _parameter(
        self, procedure: tree.Procedure, place: int, *, is_move: bool
    ) -> ir.Parameter | None:
        item = procedure.parameters[place]
        definitions, report = self.inference.definitions, self.inference.report
        # In ``a, b ∈ S`` the set of a stands at the next parameter that has one.
        source = next((p for p in procedure.parameters[place:] if p.domain is not None), None)
        causes: _Causes = ()
        if source is not None and source.domain is not None:
            found = definitions.domain(source.relation, source.domain)
            if found.expr is not None:
                return ir.Parameter(item.name, found.expr, found.type)
            causes = found.causes
        guess = self._by_guard(procedure, item)
        if guess is not None:
            text = to_text(guess.expr)
            if causes:
                what = f"the set of {item.name} in {procedure.name} ({text} is taken)"
                report.list_left_out(what, causes)
            if source is None:
                report.tell(
                    codes.PARAMETER_WITHOUT_SET,
                    f"`{item.name}` has no set; it is taken from `{text}`, as the rules ask",
                    Label(item.span, "from which set?"),
                    help=f"write `{item.name} ∈ {text}`",
                )
            return ir.Parameter(item.name, guess.expr, item_type(guess.type))
        kind = self._by_calls(procedure, place)
        if not is_known(kind):
            kind = type_by_use(item.name, tuple(traversal.expressions_in(procedure.body)))
        if not is_move:
            return ir.Parameter(item.name, definitions.anything(kind, item.span), kind)
        report.unusable(*causes)
        if source is None:
            report.tell(
                codes.PARAMETER_WITHOUT_SET,
                f"nothing says which values `{item.name}` can have",
                Label(item.span, "from which set?"),
                help=f"write `{item.name} ∈ S` with the set S that players choose from",
                severity=Severity.ERROR,
            )
        return None

    def _by_guard(self, procedure: tree.Procedure, item: tree.Parameter) -> Typed | None:
        """The set that a guard or a declaration asks the parameter to be in."""
        for domain in _asked(procedure, item.name):
            with self.inference.report.quiet():
                before = self.inference.report.faults
                whole = self.inference.typed(domain, TypeScope())
                is_usable = self.inference.report.faults == before
            if is_usable and isinstance(whole.type, SetType):
                return self._constant(whole)
        return None

    def _constant(self, whole: Typed) -> Typed:
        """The set itself, or for a variable the set whose subset it is."""
        names = self.inference.names
        if isinstance(whole.expr, ir.Ref) and whole.expr.name in names.variables:
            domain = self.inference.definitions.variable(whole.expr.name).expr
            if isinstance(domain, ir.PowerSet):
                return Typed(domain.base, whole.type)
        return whole

    def _by_calls(self, procedure: tree.Procedure, place: int) -> Type:
        """The type of what callers give."""
        for caller in self.document.procedures:
            scope = self.inference.definitions.parameters_scope(caller)
            for call in traversal.statements(caller.body):
                if not isinstance(call, tree.ProcedureCall) or call.name != procedure.name:
                    continue
                for argument in call.arguments[place : place + 1]:
                    with self.inference.report.quiet():
                        kind = self.inference.typed(argument, scope).type
                    if is_known(kind):
                        return kind
        return UNKNOWN


def _asked(procedure: tree.Procedure, name: str) -> Iterator[tree.Expr]:
    yield from (d.domain for d in declarations_in(procedure) if name in d.names)
    for guard in traversal.guards_in(procedure.body):
        found = binding.find((name,), guard)
        if found is not None and not isinstance(found.generator.domain, tree.SetOf):
            yield found.generator.domain


# The document's own words


def words_of(source: Source, node: tree.Expr | tree.Statement, span: Span) -> str:
    """The document's own words at *span*, with single blanks.

    Where they are LaTeX, have other marks in them, or stand on several lines, one under the
    other, *node* is written as they look in print.
    """
    there = source.slice(span).strip()
    written = re.sub(r"\s+", " ", there)
    is_marked = (
        "\n" in there or _has_limit_below(node, span) or re.search(r"[\\$&`]|</?\w+>|\*\*", written)
    )
    return to_unicode(node) if is_marked else written


def _has_limit_below(node: tree.Expr | tree.Statement, span: Span) -> bool:
    """Whether the limit of a sum in *node* stands on a line of its own, outside *span*."""
    formula = node.guard if isinstance(node, tree.Rule) else node
    if isinstance(formula, tree.Statement):
        return False
    domains = [n.domain for n in traversal.inside(formula) if isinstance(n, tree.Folded)]
    return any(d is not None and not span.start <= d.span.start < span.end for d in domains)


def _joined_changes(statements: Sequence[tree.Statement]) -> list[tree.Statement]:
    """*statements* with one assignment for all places at which a function is changed."""
    found: list[tree.Statement] = []
    places: dict[str, int] = {}
    for each in statements:
        name = ""
        if isinstance(each, tree.Assign) and tree.changed_place(each) is not None:
            name = each.target.text if isinstance(each.target, tree.Name) else ""
        if name not in places:
            places |= {name: len(found)} if name else {}
            found.append(each)
            continue
        before = found[places[name]]
        if (
            isinstance(each, tree.Assign)
            and isinstance(before, tree.Assign)
            and isinstance(each.value, tree.Apply)
        ):
            arguments = (before.value, *each.value.arguments[1:])
            value = replace(each.value, arguments=arguments)
            found[places[name]] = replace(before, value=value, span=before.span.to(each.span))
    return found
