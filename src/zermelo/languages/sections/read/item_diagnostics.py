"""What there is to say about items: their place, their form, the damage to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from zermelo.text import codes
from zermelo.text.codes import Code, Severity
from zermelo.text.diagnostic import Diagnostic, Fix, Label, lines_of
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

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


def misplaced(span: Span, kind: SectionKind, *, home: SectionKind, where: str = "") -> Diagnostic:
    return Diagnostic(
        codes.MISPLACED,
        f"{_WHAT[home]} stands in the section `{kind.value}`{where}",
        primary=Label(span, f"taken as if it stood under `{home.value}`"),
        help=f"move it to the section `{home.value}`",
    )


def early_declaration(span: Span) -> Diagnostic:
    kind, home = SectionKind.BEHAVIOUR, SectionKind.VARIABLES
    return misplaced(span, kind, home=home, where=", in no procedure")


def no_place(span: Span, kind: SectionKind, *, home: SectionKind) -> Diagnostic:
    return Diagnostic(
        codes.NO_PLACE_HERE,
        f"this formula has no place in the section `{kind.value}`",
        primary=Label(span, f"looked for {_LOOKED_FOR[kind]}"),
        help=f"move it to `{home.value}`, or make it a comment with `//`",
    )


def spaced_name(words: Sequence[str], span: Span, *, kind: SectionKind) -> Diagnostic:
    first, *others = ("".join(filter(str.isalnum, word)) for word in words)
    joined = first + "".join(word[:1].upper() + word[1:] for word in others)
    return Diagnostic(
        codes.NO_PLACE_HERE,
        f"`{' '.join(words)}` has a blank in it, and names have none",
        primary=Label(span, f"looked for {_LOOKED_FOR[kind]}"),
        help=f"write `{joined}` here and wherever it is used",
    )


def colon(name: str, sign: str, span: Span, *, kind: SectionKind) -> Diagnostic:
    return Diagnostic(
        codes.COLON,
        f"`{name} :` defines a set, but this is the section `{kind.value}`",
        primary=Label(span, f"read as {sign}"),
        help=f"write `{name} {sign} …`",
        fix=Fix(span, sign) if sign == "=" else None,
    )


def set_in_words(name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.SET_NOT_UNDERSTOOD,
        f"the words that describe {name} are not understood",
        primary=Label(span, "not taken as a set"),
        help=f"write it as a formula, such as `{name} : {{x ∈ S | …}}`",
    )


def too_long(span: Span, most: int) -> Diagnostic:
    return Diagnostic(
        codes.TOO_LARGE,
        f"this line has {span.end - span.start:,} characters, "
        f"and at most {most:,} are read as a formula",
        primary=Label(span, "left out"),
        help="write a long set as a formula, or in several sets joined by `∪`",
    )


def headless(spans: Sequence[Span], source: Source) -> Diagnostic:
    count = len(spans)
    whole = spans[0].to(spans[-1])
    subject = "this statement is" if count == 1 else "these statements are"
    # Three labels show where short ones are; of others the lines are listed.
    is_shown = count <= 3 and all(source.line_of(s.start) == source.line_of(s.end) for s in spans)
    return Diagnostic(
        codes.STATEMENT_WITHOUT_HEAD,
        f"{subject} in no procedure",
        primary=Label(spans[0], "no head above it"),
        secondary=tuple(Label(span) for span in spans[1:3]),
        notes=() if is_shown else (f"there are {count}, on {lines_of(whole, source)}",),
        help="write a head such as `NextPlayerMove(pos ∈ P)` above them",
    )


def head_without_brackets(name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.HEAD_WITHOUT_BRACKETS,
        f"`{name}` stands like the head of a procedure, and has no brackets",
        primary=Label(span, f"taken as `{name}()`"),
        help=f"write `{name}()`, with its parameters in the brackets",
    )


def doubtful(arrow: Span, *, taken: Span, other: Span) -> Diagnostic:
    return Diagnostic(
        codes.DOUBTFUL_GUARD,
        "this conclusion may belong to another guard",
        primary=Label(arrow, "taken as the conclusion of the guard just above"),
        secondary=(Label(taken, "this guard"), Label(other, "this guard has none")),
        help="put each conclusion behind its own guard",
    )


def _about(
    code: Code, message: str, label: str, advice: str, *, severity: Severity | None = None
) -> Callable[[Span], Diagnostic]:
    return lambda span: Diagnostic(
        code, message, primary=Label(span, label), help=advice, severity=severity
    )


not_understood = _about(
    codes.FORMULA_NOT_UNDERSTOOD,
    "this line is not understood",
    "neither a formula that belongs here nor a sentence",
    "write it as one of the forms of the section, or make it a comment with `//`",
)
formula_in_prose = _about(
    codes.FORMULA_IN_PROSE,
    "this line is taken as prose, and the formula in it is not used",
    "words around a formula",
    "write the formula alone on its line, or make the line a comment with `//`",
)


def sentence_about(name: str, span: Span) -> Diagnostic:
    return Diagnostic(
        codes.NOT_USED,
        f"this line says something of `{name}` in words, and is taken as prose",
        primary=Label(span, "not used"),
        help="write it as a formula, or make it a comment with `//`",
    )


lone_guard = _about(
    codes.GUARD_WITHOUT_CONCLUSION,
    "this guard has no conclusion",
    "no arrow and nothing to do",
    "write `→` and what then happens behind it",
)
lone_conclusion = _about(
    codes.CONCLUSION_WITHOUT_GUARD,
    "this conclusion has no guard",
    "what comes before the arrow is missing",
    "put its guard before the arrow; the rule above it has a conclusion already",
)
unguarded = _about(
    codes.CONCLUSION_WITHOUT_GUARD,
    "this conclusion has no guard",
    "taken as done in every call",
    "put the guard and `→` before it, or write one statement a line",
    severity=Severity.WARNING,
)
