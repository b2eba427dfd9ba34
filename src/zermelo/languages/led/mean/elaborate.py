"""LED programs understood: a document goes in, a program with its names resolved comes out."""

from __future__ import annotations

from dataclasses import replace

from zermelo.languages.led import ir
from zermelo.languages.led.mean.d3_differences import differences
from zermelo.languages.led.mean.lints import lints
from zermelo.languages.led.mean.names import DefinedNames
from zermelo.languages.led.mean.resolve import Resolver
from zermelo.languages.led.read import tree
from zermelo.languages.led.run.analysis import dependences
from zermelo.languages.led.run.built_ins import BUILTINS, ENVIRONMENT
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label, Report
from zermelo.text.source import Source, fingerprint


def elaborate(document: tree.LiterateProgram, source: Source) -> Checked[ir.Program]:
    report = Report(source)
    usable = _usable(document, report)
    names = DefinedNames(
        {each.name: len(each.parameters) for each in usable},
        document.is_game,
        {each.name: each.name_span for each in usable},
        document.damaged,
    )
    resolver = Resolver(names, report)
    program = ir.Program(
        source.name.rpartition("/")[2].partition(".")[0],
        tuple(_definition(each, resolver) for each in usable),
        document.is_game,
        fingerprint=fingerprint(source),
        prose=tuple(part.text for part in document.parts if isinstance(part, tree.Prose)),
    )
    resolver.tell()
    depends = dependences(program)
    differences(document, program, depends, report=report)
    report.extend(tuple(lints(document, program, depends)))
    return Checked(program, report.diagnostics)


def expression(expr: tree.Expr, program: ir.Program, source: Source) -> Checked[ir.Expr]:
    """What *expr*, written in *source*, means where the names of *program* are known."""
    report = Report(source)
    names = DefinedNames(
        {each.name: len(each.parameters) for each in program.definitions}, program.is_game
    )
    resolver = Resolver(names, report)
    found = resolver.expr(expr, frozenset())
    resolver.unknown.tell(names, report)
    resolver.fixed.tell(report)
    return Checked(found, report.diagnostics)


def _usable(document: tree.LiterateProgram, report: Report) -> tuple[tree.Definition, ...]:
    """The definitions that count, the first of each name."""
    found: dict[str, tree.Definition] = {}
    for definition in document.definitions:
        name = definition.name
        if name in ENVIRONMENT and document.is_game:
            report.say(
                Diagnostic(
                    codes.LED_ENGINE_NAME,
                    f"`{name}` gets its value from the engine in each frame and cannot be defined",
                    Label(definition.name_span, "this definition is left out"),
                    help="take another name",
                    severity=Severity.ERROR,
                )
            )
        elif name in found:
            report.say(_twice(found[name], definition))
        else:
            if name in BUILTINS and document.is_game:
                message = f"`{name}` is a name of the engine; the program's own definition is used"
                here = Label(definition.name_span, "defined by the program")
                report.say(Diagnostic(codes.LED_ENGINE_NAME, message, here))
            found[name] = definition
    return tuple(found.values())


def _twice(first: tree.Definition, second: tree.Definition) -> Diagnostic:
    is_same = replace(first, is_relation=second.is_relation) == second
    return Diagnostic(
        codes.LED_DEFINED_TWICE,
        f"`{first.name}` is defined twice; the first definition counts",
        Label(second.name_span, "the same again" if is_same else "defined again"),
        secondary=(Label(first.name_span, "defined here"),),
        help=None if is_same else "put both together as cases, or take another name for one",
        severity=Severity.WARNING if is_same else None,
    )


def _definition(definition: tree.Definition, resolver: Resolver) -> ir.ProgramDefinition:
    resolver.begin_definition()
    _not_twice(definition, resolver.report)
    local = frozenset(definition.parameters)
    where: ir.Sentence | None = None
    if definition.where is not None:
        where, local = resolver.where(definition.where, local)
    cases = tuple(
        ir.Case(
            resolver.expr(branch.value, local),
            None if branch.guard is None else resolver.expr(branch.guard, local),
            span=branch.span,
        )
        for branch in definition.branches
    )
    return ir.ProgramDefinition(
        definition.name,
        definition.parameters,
        cases,
        where,
        definition.is_relation,
        definition.number,
        definition.name_span,
        span=definition.span,
    )


def _not_twice(definition: tree.Definition, report: Report) -> None:
    for at, name in enumerate(definition.parameters):
        if name in definition.parameters[:at]:
            report.say(
                Diagnostic(
                    codes.LED_PARAMETER_TWICE,
                    f"`{definition.name}` has two parameters called `{name}`",
                    Label(definition.name_span, "the last one counts"),
                    help="give each parameter a name of its own",
                )
            )
