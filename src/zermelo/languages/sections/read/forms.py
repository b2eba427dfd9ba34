"""One item at a time: which form its tokens have in this section, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias, TypeVar

from zermelo.languages.sections.read import item_diagnostics, rows
from zermelo.languages.sections.read.brackets import with_brackets
from zermelo.languages.sections.read.grammar import parser, tree
from zermelo.languages.sections.read.grammar.cursor import Parsed
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import (
    STATEMENTS,
    RowGroup,
    RowShape,
    comment_start,
    is_comment,
    is_plain,
    is_prose,
    is_sentence,
    note_start,
)
from zermelo.languages.sections.read.scan import Scan, is_described, is_member, without_opening
from zermelo.languages.sections.read.token_repairs import is_condition, torn_words, with_bars
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

ItemT = TypeVar("ItemT", bound=tree.FormulaItem | tree.Statement)


Made: TypeAlias = tree.FormulaItem | tree.Statement
Done: TypeAlias = tree.Procedure | tree.Assign | tree.StepByOne | tree.ProcedureCall | tree.Rule
"""What only the behaviour section has."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was made of a group; nothing was made if *made* is empty."""

    made: tuple[Made, ...] = ()
    said: tuple[Diagnostic, ...] = ()
    home: SectionKind | None = None
    """The section where it belongs, if that is another one."""
    is_words: bool = False
    """Whether it is a description in words, which may go on in the rows below."""


_LABELS: Final = frozenset(
    {"note", "notes", "remark", "remarks", "example", "legend", "where", "hint"}
)


class Forms:
    """The forms that items have in one section of one document."""

    def __init__(self, source: Source, found: Scan, kind: SectionKind) -> None:
        self._source = source
        self._scan = found
        self._names = found.names
        self._kind = kind

    def attempt(self, group: RowGroup) -> Attempt:
        tokens = group.tokens
        if not tokens:
            return Attempt()
        if tokens[0].text not in self._scan.variables | self._scan.sets:
            tokens = without_opening(tokens)
        torn = torn_words(tokens, self._names)
        tokens, lost = with_bars(self._source, tokens)
        cut = min(
            comment_start(tokens, self._names),
            note_start(self._source, tokens, self._kind, names=self._names),
        )
        formula, closed = with_brackets(tokens[:cut])
        look = rows.shape(formula, self._names)
        item = _Candidate(group, formula, tokens[cut:], look)
        is_set = self._kind is SectionKind.SETS
        may_be_words = is_set and look not in {RowShape.RULE, RowShape.DECLARATION}
        described = None if is_set else self._described(item)
        if is_sentence(tokens[:cut], self._names) and not may_be_words:
            return self._labelled(item) or described or Attempt()
        found = (
            described or self._labelled(item) or self._side_by_side(item) or self._by_section(item)
        )
        if torn:
            return Attempt(said=(*torn, *(each for each in found.said if each.is_error)))
        return replace(found, said=(*lost, *(closed if found.made else ()), *found.said))

    def _labelled(self, item: _Candidate) -> Attempt | None:
        """``Rule 2: turn → ok = true``: an item with words and a colon before it, if it is good."""
        at = rows.label_end(item.tokens)
        if at is None or (at == 1 and not self._is_label(item.tokens)):
            return None
        tokens = item.tokens[at + 1 :]
        found = self._by_section(replace(item, tokens=tokens, look=rows.shape(tokens, self._names)))
        if not found.made or found.home or is_sentence(tokens, self._names):
            return None
        first = found.made[0]
        if is_condition(item.tokens[0], self._names) and not isinstance(first, tree.Rule):
            # `When it is late: over = true` is no label.
            return None
        words = self._source.text[item.tokens[0].span.start : item.tokens[at - 1].span.end]
        note = " ".join(filter(None, (" ".join(words.replace("$", " ").split()), first.note)))
        return replace(found, made=(replace(first, note=note), *found.made[1:]))

    def _described(self, item: _Candidate) -> Attempt | None:
        """``A is the set of …`` in another section than that of the sets."""
        tokens = _without_full_stop(item.tokens)
        if not is_described(tokens, self._kind):
            return None
        name = tokens[0]
        words = tokens if tokens[1].text == "is" else tokens[2:]
        colon = Token(TokenKind.SYMBOL, ":", _before(words[0]), blank_before=True)
        parsed = parser.set_definition(self._source, (name, colon, *words), self._names)
        is_known = name.text in self._scan.variables or (
            self._kind is SectionKind.BEHAVIOUR and name.text not in self._scan.sets
        )
        if parsed.value is None or parsed.rest or isinstance(parsed.value.value, tree.WordRun):
            said = item_diagnostics.set_in_words(name.text, item.group.span)
            return None if is_known else Attempt((), (said,), is_words=True)
        note = self._note(item.remark, item.group)
        made = replace(parsed.value, span=item.group.span, note=note)
        if is_known:
            return self._told(made, is_member=is_member(tokens, self._kind))
        return self._moved(Attempt((made,), item.group.said), SectionKind.SETS)

    def _told(self, described: tree.SetDefinition, *, is_member: bool) -> Attempt | None:
        """What a description says of a variable: its set, a fact, or its first value."""
        name, value = described.name, described.value
        span, note, place = described.span, described.note, described.name_span
        relation = tree.CompareOp.IN if is_member else tree.CompareOp.EQ
        formula = tree.Compare(tree.Name(name, span=place), ((relation, value),), span=span)
        match self._kind:
            case SectionKind.VARIABLES if is_member:
                within = tree.DeclaredRelation.IN
                made: Made = tree.Declaration((name,), within, value, span=span, note=note)
            case SectionKind.FACTS:
                made = tree.Fact(formula, span=span, note=note)
            case SectionKind.INITIALISATION:
                made = tree.Initial((name,), value, span=span, note=note, name_spans=(place,))
            case _:
                return None
        return Attempt((made,))

    def _is_label(self, tokens: Sequence[Token]) -> bool:
        """Whether the one word before a colon is no name, and no set stands behind it."""
        if self._kind is SectionKind.SETS or tokens[0].text in self._scan.variables:
            return False
        look = rows.shape(tokens[2:], self._names)
        return look not in {RowShape.FORMULA, RowShape.DEFINITION, RowShape.CALL}

    def _side_by_side(self, item: _Candidate) -> Attempt | None:
        """Several items in one row with blanks between them, as in a table; if all are good."""
        marks = _MARKS.get(self._kind, frozenset())
        cuts = rows.side_by_side(item.tokens, marks, self._names)
        if not cuts:
            return None
        made: list[Made] = []
        said: list[Diagnostic] = []
        for start, end in pairwise((0, *cuts, len(item.tokens))):
            tokens = item.tokens[start:end]
            remark = item.remark if end == len(item.tokens) else ()
            part = _Candidate(item.group, tokens, remark, rows.shape(tokens, self._names))
            found = self._by_section(part)
            if not found.made or found.home:
                return None
            made += found.made
            said += found.said
        return Attempt(tuple(made), tuple(dict.fromkeys(said)))

    def _by_section(self, item: _Candidate) -> Attempt:
        if item.look is RowShape.FUNCTION:
            if item.group.first.span.start in self._scan.definitions:
                return self._single(parser.function, item)
            item = replace(item, look=RowShape.FORMULA)
        if self._is_place(item.tokens):
            if self._kind is SectionKind.INITIALISATION:
                return self._single(parser.initial, item)
            if self._kind is SectionKind.BEHAVIOUR and item.look is RowShape.FORMULA:
                return self._single(parser.statement, item)
        forms = {
            SectionKind.SETS: self._in_sets,
            SectionKind.VARIABLES: self._in_variables,
            SectionKind.FACTS: self._in_facts,
            SectionKind.INITIALISATION: self._in_initialisation,
        }
        return forms.get(self._kind, self._in_behaviour)(item)

    # set = name ( ":" | "=" ) value
    def _in_sets(self, item: _Candidate) -> Attempt:
        match item.look:
            case RowShape.RULE | RowShape.STEP | RowShape.CONCLUSION:
                return self._no_place(item)
            case RowShape.EQUIVALENCE | RowShape.DECLARATION:
                return self._elsewhere(item)
            case RowShape.EQUATION if self._leading(item) <= self._scan.variables:
                return self._elsewhere(item)
            case _:
                pass
        if is_described(item.tokens, self._kind):
            item = replace(item, tokens=_without_full_stop(item.tokens))
        if [token.text for token in item.tokens[1:2]] == ["is"]:
            # `A is the set of …` is read as `A : A is the set of …`.
            colon = Token(TokenKind.SYMBOL, ":", _before(item.tokens[1]), blank_before=True)
            tokens = (item.tokens[0], colon, *item.tokens)
            item = replace(item, tokens=tokens, look=RowShape.DEFINITION)
        return self._set(item)

    # variables = names ( "∈" | "⊆" ) set { "," names ( "∈" | "⊆" ) set }
    def _in_variables(self, item: _Candidate) -> Attempt:
        if self._is_declaration(item.tokens):
            return self._declarations(item)
        if item.look is RowShape.DEFINITION and item.tokens[0].text[:1].islower():
            return self._with_sign(item, "∈", self._declarations)
        return self._elsewhere(item)

    # fact ::= formula
    def _in_facts(self, item: _Candidate) -> Attempt:
        found = self._leading(item)
        match item.look:
            case RowShape.DEFINITION if found <= self._scan.variables:
                return self._with_sign(item, "=", self._fact)
            case RowShape.DECLARATION if found & (self._scan.variables | self._scan.sets):
                return self._fact(item)
            case RowShape.DEFINITION | RowShape.DECLARATION:
                return self._elsewhere(item)
            case RowShape.STEP | RowShape.CONCLUSION | RowShape.CALL:
                return self._no_place(item)
            case _:
                return self._fact(item)

    # initial = names "=" value
    def _in_initialisation(self, item: _Candidate) -> Attempt:
        found = self._leading(item)
        is_variable = found <= self._scan.variables or item.tokens[0].text[:1].islower()
        match item.look:
            case RowShape.EQUATION:
                return self._initials(item)
            case RowShape.DEFINITION if is_variable:
                return self._with_sign(item, "=", self._initials)
            case RowShape.DECLARATION if found & self._scan.variables:
                return self._no_place(item)
            case _:
                return self._elsewhere(item)

    # behaviour = { head { statement } | function }
    def _in_behaviour(self, item: _Candidate) -> Attempt:
        if item.group.first.span.start in self._scan.heads:
            found = self._single(parser.head, item)
            made = tuple(replace(each, span=item.group.span) for each in found.made)
            return replace(found, made=made)
        match item.look:
            case RowShape.DEFINITION | RowShape.EQUIVALENCE:
                return self._elsewhere(item)
            case RowShape.CONCLUSION:
                said = item_diagnostics.lone_conclusion(item.group.span)
                return Attempt(said=(*item.group.said, said))
            case RowShape.FORMULA:
                return self._guard(item)
            case RowShape.EQUATION | RowShape.CALL | RowShape.STEP if (
                len(rows.split_at(item.tokens, "∧", self._names)) > 1
            ):
                return self._unguarded(item)
            case _:
                return self._single(parser.statement, item)

    def _elsewhere(self, item: _Candidate) -> Attempt:
        """An item in the wrong section, as what it looks like."""
        match item.look:
            case RowShape.DEFINITION:
                return self._moved(self._set(item), SectionKind.SETS)
            case RowShape.DECLARATION:
                return self._moved(self._declarations(item), SectionKind.VARIABLES)
            case RowShape.EQUIVALENCE:
                return self._moved(self._fact(item), SectionKind.FACTS)
            case RowShape.EQUATION:
                return self._value_or_fact(item)
            case _:
                return self._no_place(item)

    def _leading(self, item: _Candidate) -> set[str]:
        return set(rows.leading_names(item.tokens)[0])

    def _single(self, parse: parser.Reader[ItemT], item: _Candidate) -> Attempt:
        return self._settled(parse(self._source, item.tokens, self._names), item)

    def _settled(self, parsed: Parsed[ItemT], item: _Candidate) -> Attempt:
        """What was parsed, unless there is more behind it than words about it."""
        said = (*item.group.said, *parsed.diagnostics)
        rest = rows.without_stop(parsed.rest)
        if parsed.value is None or (rest and not is_comment(rest, self._names)):
            return Attempt(said=(*said, *parsed.trouble))
        used = item.tokens[: len(item.tokens) - len(parsed.rest)]
        remark = (*rest, *item.remark)
        is_named = item.look in {RowShape.DEFINITION, RowShape.DECLARATION, RowShape.FUNCTION}
        has_words = any(is_plain(each, self._names) for each in rows.outside_braces(used))
        if remark and not is_named and has_words:
            # `Occ = occupied; occupied spaces on the board` explains a name.
            return Attempt(said=said)
        if remark and item.look in STATEMENTS and is_condition(remark[0], self._names):
            # `turn = true when it is late` is not done in every call.
            return Attempt(said=said)
        note = self._note(remark, item.group)
        said = (*_outside(remark, item.group.said), *parsed.diagnostics)
        return Attempt((replace(parsed.value, note=note),), said)

    def _note(self, remark: Sequence[Token], group: RowGroup) -> str:
        words = ""
        if remark:
            words = self._source.text[remark[0].span.start : group.span.end]
            words = " ".join(words.replace("$", " ").split()).lstrip(" -–—−:;,.").strip()
        return " ".join(filter(None, (words, group.comment)))

    def _set(self, item: _Candidate) -> Attempt:
        found = self._single(parser.set_definition, item)
        is_described = item.look is RowShape.DEFINITION and is_prose(item.tokens[2:], self._names)
        if found.made:
            value = next(each for each in found.made if isinstance(each, tree.SetDefinition)).value
            if not isinstance(value, tree.WordRun):
                return found
            is_described = True
        name = item.tokens[0].text
        if not is_described or name.lower() in _LABELS or self._kind is not SectionKind.SETS:
            return Attempt(said=found.said)
        if len(item.tokens) <= 2:
            return Attempt()
        return Attempt((), (item_diagnostics.set_in_words(name, item.group.span),), is_words=True)

    def _fact(self, item: _Candidate) -> Attempt:
        found = self._single(parser.fact, item)
        are_formulas = all(
            isinstance(each, tree.Fact) and isinstance(each.formula, tree.Formula)
            for each in found.made
        )
        return found if are_formulas else Attempt(said=found.said)

    def _declarations(self, item: _Candidate) -> Attempt:
        return self._several(parser.declaration, item, self._is_declaration)

    def _initials(self, item: _Candidate) -> Attempt:
        parts = rows.split_at(item.tokens, "∧", self._names)
        if len(parts) > 1 and all(self._is_equation(part) for part in parts):
            each = [
                self._several(parser.initial, replace(item, tokens=part), self._is_equation)
                for part in parts
            ]
            said = tuple(dict.fromkeys(one for found in each for one in found.said))
            is_whole = all(found.made for found in each)
            return Attempt(tuple(one for found in each for one in found.made if is_whole), said)
        return self._several(parser.initial, item, self._is_equation)

    def _several(
        self,
        parse: parser.Reader[ItemT],
        item: _Candidate,
        goes_on: Callable[[Sequence[Token]], bool],
    ) -> Attempt:
        """Items of one form with commas or semicolons between them."""
        made: list[Made] = []
        said: list[Diagnostic] = []
        tokens = item.tokens
        while True:
            parsed = parse(self._source, tokens, self._names)
            rest = parsed.rest
            is_more = len(rest) > 1 and rest[0].text in {",", ";"} and goes_on(rest[1:])
            if parsed.value is None or not is_more:
                last = self._settled(parsed, replace(item, tokens=tokens))
                return Attempt((*made, *last.made), (*said, *last.said)) if last.made else last
            made.append(parsed.value)
            said += parsed.diagnostics
            tokens = rest[1:]

    def _is_declaration(self, tokens: Sequence[Token]) -> bool:
        return bool(rows.declared(tokens, self._names))

    def _is_place(self, tokens: Sequence[Token]) -> bool:
        """Whether ``f(i) =`` stands there, where f is a variable, perhaps behind ``∀i ∈ I:``."""
        colon = next((at for at, token in enumerate(tokens) if token.text == ":"), -1)
        if colon > 0 and rows.prefix(tokens[0], self._names) == "∀":
            tokens = tokens[colon + 1 :]
        if len(tokens) < 4 or tokens[0].text not in self._scan.variables or tokens[1].text != "(":
            return False
        end = rows.closing(tokens, 1)
        return end is not None and end + 1 < len(tokens) and tokens[end + 1].text == "="

    def _is_equation(self, tokens: Sequence[Token]) -> bool:
        found, index = rows.leading_names(tokens)
        return bool(found) and index < len(tokens) and tokens[index].text == "="

    def _value_or_fact(self, item: _Candidate) -> Attempt:
        """A fact if the equation names variables on its right side, else a first value."""
        _, index = rows.leading_names(item.tokens)
        spoken = {token.text for token in item.tokens[index:] if token.kind is TokenKind.NAME}
        if spoken & self._scan.variables:
            return self._moved(self._fact(item), SectionKind.FACTS)
        return self._moved(self._initials(item), SectionKind.INITIALISATION)

    def _with_sign(
        self, item: _Candidate, text: str, parse: Callable[[_Candidate], Attempt]
    ) -> Attempt:
        colon = item.tokens[1]
        tokens = (item.tokens[0], replace(colon, text=text), *item.tokens[2:])
        found = parse(replace(item, tokens=tokens, look=rows.shape(tokens, self._names)))
        if not found.made:
            return Attempt() if is_prose(item.tokens, self._names) else found
        said = item_diagnostics.colon(item.tokens[0].text, text, colon.span, kind=self._kind)
        return replace(found, said=(*found.said, said))

    def _moved(self, found: Attempt, home: SectionKind) -> Attempt:
        if not found.made or home is self._kind:
            return found
        said = item_diagnostics.misplaced(found.made[0].span, self._kind, home=home)
        return replace(found, said=(*found.said, said), home=home)

    def _no_place(self, item: _Candidate) -> Attempt:
        parsed = parser.expression(self._source, item.tokens, self._names)
        if parsed.rest or not isinstance(parsed.value, tree.Formula):
            if is_prose(item.tokens, self._names):
                return Attempt()
            if item.look is RowShape.FORMULA and parsed.value is None:
                return Attempt(said=(*item.group.said, *parsed.diagnostics))
        said = item_diagnostics.no_place(item.group.span, self._kind, home=_home(item.look))
        spaced = rows.spaced_name(item.tokens, self._names)
        if spaced is not None and self._kind in _MARKS:
            said = item_diagnostics.spaced_name(spaced, item.group.span, kind=self._kind)
        return Attempt(said=(*item.group.said, said))

    def _guard(self, item: _Candidate) -> Attempt:
        """A formula without an arrow: the conclusion is missing, or it is no formula."""
        parsed = parser.expression(self._source, item.tokens, self._names)
        rest = rows.without_stop(parsed.rest)
        said = (*item.group.said, *parsed.diagnostics)
        if rest or not isinstance(parsed.value, tree.Formula):
            return Attempt(said=(*said, *parsed.trouble))
        return Attempt(said=(*said, item_diagnostics.lone_guard(item.group.span)))

    def _unguarded(self, item: _Candidate) -> Attempt:
        """Several statements joined by ``∧`` with no arrow before them: done in every call."""
        true = Token(TokenKind.NAME, "true", _before(item.tokens[0]))
        arrow = Token(TokenKind.SYMBOL, "→", _before(item.tokens[0]), blank_before=True)
        found = self._single(
            parser.statement, replace(item, tokens=(true, arrow, *item.tokens), look=RowShape.RULE)
        )
        if not found.made:
            return found
        said = item_diagnostics.unguarded(item.group.span)
        return replace(found, said=(*found.said, said))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A group on its way to become an item."""

    group: RowGroup
    tokens: tuple[Token, ...]
    remark: tuple[Token, ...]
    look: RowShape


_MARKS: Final = {
    SectionKind.SETS: frozenset({":", "="}),
    SectionKind.VARIABLES: frozenset({"∈", "⊆"}),
    SectionKind.INITIALISATION: frozenset({"="}),
}


def _home(look: RowShape) -> SectionKind:
    if look in {
        RowShape.RULE,
        RowShape.STEP,
        RowShape.CONCLUSION,
        RowShape.CALL,
        RowShape.FUNCTION,
    }:
        return SectionKind.BEHAVIOUR
    return SectionKind.VARIABLES if look is RowShape.DECLARATION else SectionKind.FACTS


def _without_full_stop(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """*tokens* without a full stop at the end; behind a comma the sentence goes on."""
    is_stopped = tokens[-1:] and tokens[-1].text == "."
    return tokens[:-1] if is_stopped else tokens


def _before(token: Token) -> Span:
    return Span(token.span.start, token.span.start)


def _outside(remark: Sequence[Token], said: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What was *said* of signs, but for those in the words of a *remark*: no formula has them."""
    if not remark:
        return tuple(said)
    start = remark[0].span.start
    return tuple(
        each
        for each in said
        if each.code is not codes.UNKNOWN_CHARACTER
        or each.primary is None
        or each.primary.span.start < start
    )
