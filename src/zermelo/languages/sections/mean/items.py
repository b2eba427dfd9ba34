"""The items of a document by what they are, wherever they stand."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.languages.sections.read.grammar import tree
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting


@dataclass(frozen=True, slots=True)
class Items:
    """What a document consists of, each kind in the order written."""

    sets: tuple[tree.SetDefinition, ...]
    declarations: tuple[tree.Declaration, ...]
    facts: tuple[tree.Fact, ...]
    initials: tuple[tree.Initial, ...]
    functions: tuple[tree.Function, ...]
    procedures: tuple[tree.Procedure, ...]
    readings: tuple[Setting, ...]
    view: tuple[Setting, ...]
    prose: tuple[str, ...]


def items(document: tree.Document) -> Items:
    """The items of *document*."""
    everything = [item for section in document.sections for item in section.items]
    settings = [
        (section.kind, item)
        for section in document.sections
        for item in section.items
        if isinstance(item, Setting)
    ]
    return Items(
        sets=tuple(i for i in everything if isinstance(i, tree.SetDefinition)),
        declarations=tuple(i for i in everything if isinstance(i, tree.Declaration)),
        facts=tuple(i for i in everything if isinstance(i, tree.Fact)),
        initials=tuple(i for i in everything if isinstance(i, tree.Initial)),
        functions=tuple(i for i in everything if isinstance(i, tree.Function)),
        procedures=tuple(i for i in everything if isinstance(i, tree.Procedure)),
        readings=tuple(s for kind, s in settings if kind is not SectionKind.VIEW),
        view=tuple(s for kind, s in settings if kind is SectionKind.VIEW),
        prose=_prose(document),
    )


def _prose(document: tree.Document) -> tuple[str, ...]:
    lines = list(document.preamble)
    for section in document.sections:
        for item in section.items:
            lines.extend(_prose_of(item))
    return tuple(line for line in lines if line.strip())


def _prose_of(item: tree.SectionItem) -> list[str]:
    match item:
        case tree.Prose(lines=lines):
            return list(lines)
        case tree.Procedure(body=body):
            return [line for s in body if isinstance(s, tree.Prose) for line in s.lines]
        case Setting() | tree.Erratum():
            return []
        case _:
            return [item.note] if item.note else []
