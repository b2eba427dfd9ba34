"""What there is to say about items: their place, their form, the damage to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.headings import SectionKind
from zermelo.text.source import Span

_WHAT: Final = {
    SectionKind.SETS: "the definition of a set",
    SectionKind.VARIABLES: "a declaration",
    SectionKind.FACTS: "a fact",
    SectionKind.INITIALISATION: "a first value",
}
_LOOKED_FOR: Final = {
    SectionKind.SETS: "definitions such as `P : R × C`",
    SectionKind.VARIABLES: "declarations such as `turn ∈ B`",
    SectionKind.FACTS: "facts such as `Free = P − Occ`",
    SectionKind.INITIALISATION: "first values such as `turn = true`",
    SectionKind.BEHAVIOUR: "procedures and their rules",
}


def misplaced(span: Span, kind: SectionKind, *, home: SectionKind) -> Diagnostic:
    """That an item stands in *kind* and belongs to *home*."""
    return Diagnostic(
        codes.MISPLACED,
        f"{_WHAT[home]} stands in the section `{kind.value}`",
        primary=Label(span, f"taken as if it stood under `{home.value}`"),
        help=f"move it to the section `{home.value}`",
    )


def early_declaration(span: Span) -> Diagnostic:
    """That a declaration stands among the procedures and in none of them."""
    home = SectionKind.VARIABLES.value
    return Diagnostic(
        codes.MISPLACED,
        f"a declaration stands in the section `{SectionKind.BEHAVIOUR.value}`, in no procedure",
        primary=Label(span, f"taken as if it stood under `{home}`"),
        help=f"move it to the section `{home}`",
    )


def no_place(span: Span, kind: SectionKind, *, home: SectionKind) -> Diagnostic:
    """That *kind* has no items of such a form, but *home* has."""
    return Diagnostic(
        codes.NO_PLACE_HERE,
        f"this formula has no place in the section `{kind.value}`",
        primary=Label(span, f"looked for {_LOOKED_FOR[kind]}"),
        help=f"move it to `{home.value}`, or make it a comment with `//`",
    )


def colon(name: str, sign: str, span: Span, *, kind: SectionKind) -> Diagnostic:
    """That a colon stands where *sign* belongs."""
    return Diagnostic(
        codes.COLON,
        f"`{name} :` defines a set, but this is the section `{kind.value}`",
        primary=Label(span, f"read as {sign}"),
        help=f"write `{name} {sign} …`",
        fix=Fix(span, sign) if sign == "=" else None,
    )


def set_in_words(name: str, span: Span) -> Diagnostic:
    """That the sentence that describes a set is not understood."""
    return Diagnostic(
        codes.SET_NOT_UNDERSTOOD,
        f"the words that describe {name} are not understood",
        primary=Label(span, "not taken as a set"),
        help=f"write it as a formula, such as `{name} : {{x ∈ S | …}}`",
    )


def not_understood(span: Span) -> Diagnostic:
    """That nothing better can be said about a line."""
    return Diagnostic(
        codes.FORMULA_NOT_UNDERSTOOD,
        "this line is not understood",
        primary=Label(span, "neither a formula that belongs here nor a sentence"),
        help="write it as one of the forms of the section, or make it a comment with `//`",
    )


def formula_in_prose(span: Span) -> Diagnostic:
    """That words were taken as prose although a formula is among them."""
    return Diagnostic(
        codes.FORMULA_IN_PROSE,
        "this line is taken as prose, and the formula in it is not used",
        primary=Label(span, "words around a formula"),
        help="write the formula alone on its line, or make the line a comment with `//`",
    )


def too_long(span: Span, most: int) -> Diagnostic:
    """That a line has more than *most* characters."""
    return Diagnostic(
        codes.TOO_LARGE,
        f"this line has {span.end - span.start:,} characters, "
        f"and at most {most:,} are read as a formula",
        primary=Label(span, "left out"),
        help="write a long set as a formula, or in several sets joined by `∪`",
    )


def lone_guard(span: Span) -> Diagnostic:
    """That a condition has no arrow."""
    return Diagnostic(
        codes.GUARD_WITHOUT_CONCLUSION,
        "this guard has no conclusion",
        primary=Label(span, "no arrow and nothing to do"),
        help="write `→` and what then happens behind it",
    )


def lone_conclusion(span: Span) -> Diagnostic:
    """That an arrow has nothing before it."""
    return Diagnostic(
        codes.CONCLUSION_WITHOUT_GUARD,
        "this conclusion has no guard",
        primary=Label(span, "what comes before the arrow is missing"),
        help="put its guard before the arrow; the rule above it has a conclusion already",
    )


def unguarded(span: Span) -> Diagnostic:
    """That several assignments have no arrow before them."""
    return Diagnostic(
        codes.CONCLUSION_WITHOUT_GUARD,
        "this conclusion has no guard",
        primary=Label(span, "taken as done in every call"),
        help="put the guard and `→` before it, or write one statement a line",
        severity=Severity.WARNING,
    )


def headless(spans: Sequence[Span]) -> Diagnostic:
    """That statements stand before the first head."""
    count = len(spans)
    subject = "this statement is" if count == 1 else "these statements are"
    return Diagnostic(
        codes.STATEMENT_WITHOUT_HEAD,
        f"{subject} in no procedure",
        primary=Label(spans[0], "no head above it"),
        secondary=tuple(Label(span) for span in spans[1:3]),
        notes=(f"there are {count} such statements",) if count > 3 else (),
        help="write a head such as `NextPlayerMove(pos ∈ P)` above them",
    )


def doubtful(arrow: Span, *, taken: Span, other: Span) -> Diagnostic:
    """That a conclusion was given to the guard *taken*, and *other* has none."""
    return Diagnostic(
        codes.DOUBTFUL_GUARD,
        "this conclusion may belong to another guard",
        primary=Label(arrow, "taken as the conclusion of the guard just above"),
        secondary=(Label(taken, "this guard"), Label(other, "this guard has none")),
        help="put each conclusion behind its own guard",
    )
