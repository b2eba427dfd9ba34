"""A printed LED program as a document: prose, definitions with their numbers, tests.

What the formulas mean, and whether that makes sense together, is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.lexer import Lexeme, LexemeKind
from zermelo.languages.led.read.parser import definitions_of
from zermelo.languages.led.read.printed import corrections, layout
from zermelo.languages.led.read.printed.corrections import with_whole_equations
from zermelo.languages.led.read.printed.formulas import Formula, Part, formulas
from zermelo.languages.led.read.printed.layout import Stretch, StretchKind, stretches
from zermelo.languages.led.read.printed.pieces import PieceKind, PrintedPiece
from zermelo.text import codes
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.render import in_order
from zermelo.text.source import Source, Span

ENVIRONMENT: Final = frozenset({"currentState", "mouseClicked", "mouseX", "mouseY", "keys"})
"""The names that the engine gives to games."""

ENGINE: Final = frozenset({"initialState", "newState", "images"})
"""The names that the engine asks of games."""

_SWITCH: Final = re.compile(r"^[^\S\n]*+(ledGame|#isGame)[^\S\n]*+$", re.MULTILINE)
_HEADING: Final = re.compile(r"^(/(?:sub)*section)\s*\{?([^}\n]+)", re.MULTILINE)


def parse(source: Source, *, as_written: bool = False) -> Checked[tree.LiterateProgram]:
    """The program that *source* prints; *as_written* leaves its errata out."""
    found = formulas(source, stretches(source))
    said = list(found.said)
    corrected = corrections.with_errata(source, found.parts, as_written=as_written)
    said += corrected.diagnostics
    parts = corrected.value or ()
    once = corrections.without_copies([part for part in parts if isinstance(part, Formula)])
    numbered = corrections.numbered(once.value or ())
    said += (*once.diagnostics, *numbered.diagnostics)
    reader = _DefinitionReader(source, numbered.value or (), as_written=as_written)
    made = _with_switch(source, reader.parts(parts), reader.said)
    document = tree.LiterateProgram(made, is_printed=True)
    said += reader.said
    if not document.definitions and not said:
        shape = "a definition is printed as `$$head := body$$`, with its number in brackets"
        said.append(Diagnostic(codes.NO_CODE, "this program has no definitions", help=shape))
    return Checked(document if document.definitions else None, tuple(in_order(said)))


class _DefinitionReader:
    """The formulas of a program, on their way to definitions."""

    def __init__(self, source: Source, formulas: Sequence[Formula], *, as_written: bool) -> None:
        self.source = source
        self.as_written = as_written
        self.formulas = {each.pieces[0].span: each for each in formulas}
        self.heads = frozenset(each.name for each in formulas)
        self.defined = self.heads | {
            piece.text
            for each in formulas
            for piece in takewhile(lambda piece: piece.text not in {":=", "iff"}, each.pieces)
            if piece.kind is PieceKind.WORD
        }
        self.said: list[Diagnostic] = []

    def parts(self, parts: Sequence[Part]) -> tuple[tree.Part, ...]:
        result: list[tree.Part] = []
        for part in parts:
            if isinstance(part, Formula):
                formula = self.formulas.get(part.pieces[0].span)
                definition = self._definition(formula) if formula else None
                if definition:
                    result.append(definition)
            elif part.what is StretchKind.SESSION:
                read = layout.transcript_entries(self.source, part.span)
                self.said += read.diagnostics
                result += read.value or ()
            else:
                result += _prose(self.source, part, self.said)
        return tuple(result)

    def _definition(self, formula: Formula) -> tree.Definition | None:
        clean = with_whole_equations(
            formula,
            defined=self.heads,
            is_sound=lambda pieces: self._expression(pieces) is not None,
            as_written=self.as_written,
        )
        self.said += clean.said
        read = self._read(clean.pieces)
        if read.value is None:
            shorter = self._cut_off(formula, clean.pieces, read.diagnostics)
            if shorter is None:
                self.said += read.diagnostics
                return None
            read = shorter
        self.said += (each for each in read.diagnostics if each.level is not Severity.NOTE)
        if read.value is None:
            return None
        read_again = (self._expression(each) for each in clean.doubtful)
        doubtful = tuple(each for each in read_again if each is not None)
        return replace(read.value, number=formula.number, doubtful=doubtful)

    def _read(self, pieces: Sequence[PrintedPiece]) -> Checked[tree.Definition]:
        tokens = tuple(_token(piece) for piece in pieces)
        read = definitions_of(self.source, tokens, defined=self.defined)
        made = [each for each in read.value or () if isinstance(each, tree.Definition)]
        return Checked(made[0] if len(made) == 1 else None, read.diagnostics)

    def _expression(self, pieces: Sequence[PrintedPiece]) -> tree.Expr | None:
        start = pieces[0].span
        head = (
            PrintedPiece(PieceKind.WORD, "it", start),
            PrintedPiece(PieceKind.SIGN, ":=", start),
        )
        read = self._read((*head, *pieces))
        if read.value is None or any(each.is_error for each in read.diagnostics):
            return None
        return read.value.branches[0].value

    def _cut_off(
        self, formula: Formula, pieces: tuple[PrintedPiece, ...], faults: Sequence[Diagnostic]
    ) -> Checked[tree.Definition] | None:
        """The longest beginning of a formula whose end is missing, if that is its only fault."""
        at_end = any(
            fault.code is codes.BRACKET_NOT_CLOSED
            or (fault.primary and fault.primary.span.end >= pieces[-1].span.start)
            for fault in faults
        )
        if not at_end or any(fault.code is codes.TOO_DEEP for fault in faults):
            return None
        for size in range(len(pieces) - 1, max(len(pieces) - 60, 3), -1):
            read = self._read(pieces[:size])
            if read.value is not None:
                number = "" if formula.number is None else f" ({formula.number})"
                lost = pieces[size].span.to(pieces[-1].span)
                self.said.append(
                    Diagnostic(
                        codes.FORMULA_CUT_OFF,
                        f"formula{number} ends in the middle",
                        primary=Label(lost, "left out: what follows it is lost"),
                        secondary=(Label(pieces[0].span, "begins here"),),
                    )
                )
                return read
        return None


def _token(piece: PrintedPiece) -> Lexeme:
    text = piece.text
    match piece.kind:
        case PieceKind.WORD:
            return Lexeme(LexemeKind.NAME if piece.is_name else LexemeKind.SIGN, text, piece.span)
        case PieceKind.STRING:
            return Lexeme(LexemeKind.TEXT, text[1:-1], piece.span)
        case PieceKind.ATOM:
            return Lexeme(LexemeKind.ATOM, text[1:], piece.span)
        case PieceKind.NUMERAL:
            return Lexeme(LexemeKind.NUMBER, text, piece.span)
        case _:
            return Lexeme(LexemeKind.SIGN, text, piece.span)


def _heading(found: re.Match[str], start: int) -> Diagnostic:
    """That a heading was typed with another stroke, and stands in the text as it is."""
    return Diagnostic(
        codes.LATEX_REMNANT,
        f"`{found[1]}` is what is left of the command `\\{found[1][1:]}`",
        primary=Label(
            Span(start + found.start(1), start + found.end(1)), f"`{found[2].strip()}` is a heading"
        ),
        severity=Severity.NOTE,
    )


def _prose(source: Source, part: Stretch, said: list[Diagnostic]) -> list[tree.Part]:
    text = source.slice(part.span)
    said.extend(_heading(found, part.span.start) for found in _HEADING.finditer(text))
    switch = _SWITCH.search(text)
    result: list[tree.Part] = []
    if text.strip():
        result.append(tree.Prose(text, span=part.span))
    if switch:
        result.append(tree.GameSwitch(switch[1], span=part.span))
    return result


def _with_switch(
    source: Source, parts: tuple[tree.Part, ...], said: list[Diagnostic]
) -> tuple[tree.Part, ...]:
    """*parts* with the game switch, which prints as nothing, if the program is a game."""
    document = tree.LiterateProgram(parts)
    definitions = document.definitions
    asked = next((each for each in definitions if each.name in ENGINE), None)
    code = " ".join(source.slice(each.span) for each in definitions)
    used = sorted(name for name in ENVIRONMENT if re.search(rf"\b{name}\b", code))
    if document.is_game or asked is None or not used:
        return parts
    said.append(
        Diagnostic(
            codes.GAME_SWITCH_UNSEEN,
            "this program is taken as a game",
            primary=Label(asked.name_span, f"`{asked.name}` is what the game engine asks for"),
            notes=(
                f"it uses `{used[0]}`, which only the engine gives",
                "the switch `ledGame` prints as nothing",
            ),
        )
    )
    at = parts.index(definitions[0])
    switch = tree.GameSwitch(span=definitions[0].name_span)
    return (*parts[:at], switch, *parts[at:])
