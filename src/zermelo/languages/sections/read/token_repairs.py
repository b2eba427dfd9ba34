"""Tokens of one item as they were meant, before they are parsed.

Lost bars are put back, torn words and split names found. ``if G then C``, ``C if G`` and
``v iff φ`` get the sign in place of the words, and *else* the guards that it denies; a sentence
stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from zermelo.languages.sections.read.grammar.cursor import DeclaredNames
from zermelo.languages.sections.read.grammar.symbols import CLOSERS, INFIX_WORDS, VALUE_WORDS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.languages.sections.read.rows import (
    STATEMENTS,
    TokenRow,
    at_top,
    begins_inside,
    is_common,
    is_sentence,
    is_strong,
    is_word,
    shape,
    without_stop,
)
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.diagnostic import Diagnostic, Fix, Label
from zermelo.text.headings import SectionKind
from zermelo.text.source import Source, Span

# What never stands between the bars of a cardinality, unless in brackets of its own.
_OUTSIDE: Final = frozenset("=≠<≤>≥∈∉⊆⊈⊂⊇∧∨→↔)}],;:")
_OPERAND_ENDS: Final = frozenset([*")}]⌋⌉∅ℕℤ⊤⊥", "ℤ⁺"])
_NUMBER_SETS: Final = frozenset("ZNℤℕ")
_DECLARES: Final = frozenset("∈⊆⊂")
_NO_NAMES: Final = DeclaredNames()
_FEWEST_LETTERS: Final = 3
_MOST_BARS: Final = 8
"""A line that lost more bars than this is beyond repair."""
_CLOSING: Final = frozenset(CLOSERS.values())
_CONDITIONS: Final = frozenset({"if", "when", "whenever"})
_OTHERWISE: Final = frozenset({"else", "otherwise"})
_EQUIVALENCES: Final = (("if", "and", "only", "if"), ("iff",))
_FORMULA_WORDS: Final = frozenset({*VALUE_WORDS, "not", "and", "or"})
_MOST_STOPS: Final = 8
"""How many commas are tried as the end of a condition."""


def with_bars(
    source: Source, tokens: Sequence[Token]
) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """*tokens* with the bars put back that were lost, and where that was.

    A bar that opens where an operand is looked for must close before the next
    comparison: ``|Alpha Y = 0`` can only have been ``|Alpha Y| = 0``.
    """
    walk = _BarRepair(source)
    for token in tokens:
        walk.take(token)
    walk.close()
    if len(walk.said) > _MOST_BARS:
        return tuple(tokens), ()
    return tuple(walk.kept), tuple(walk.said)


class _BarRepair:
    """One walk over tokens that knows which bars open and which close."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: list[Token | None] = []
        """For each open bracket or bar, outermost first: the bar; ``None`` for a bracket."""
        self._is_operand = False
        """Whether an operand has just ended."""
        self.kept: list[Token] = []
        self.said: list[Diagnostic] = []

    def take(self, token: Token) -> None:
        if token.kind is not TokenKind.SYMBOL:
            self._is_operand = True
        elif token.text == "|":
            self._bar(token)
        else:
            if token.text in _OUTSIDE:
                self.close()
            if token.text in CLOSERS:
                self._open.append(None)
            elif token.text in _CLOSING and self._open:
                self._open.pop()
            before = self.kept[-1].text if self.kept else ""
            # The plus of `Z+`, whose place above the line was lost.
            is_exponent = token.text == "+" and not token.blank_before and before in _NUMBER_SETS
            self._is_operand = token.text in _OPERAND_ENDS or is_exponent
        self.kept.append(token)

    def _bar(self, token: Token) -> None:
        if not self._is_operand:
            self._open.append(token)
        elif self._open and self._open[-1] is not None:
            self._open.pop()
        else:
            # `{x ∈ S | …`: an operand begins behind it.
            self._is_operand = False

    def close(self) -> None:
        """Put back the bars that should have closed by now."""
        while self._open and (bar := self._open[-1]) is not None and len(self.said) <= _MOST_BARS:
            self._open.pop()
            end = self.kept[-1].span.end
            self.said.append(_lost(self._source, bar, self.kept[-1]))
            self.kept.append(Token(TokenKind.SYMBOL, "|", Span(end, end)))


def _lost(source: Source, bar: Token, last: Token) -> Diagnostic:
    inside = " ".join(source.text[bar.span.start : last.span.end].replace("$", "").split())
    end = Span(last.span.end, last.span.end)
    return Diagnostic(
        codes.LOST_BAR,
        f"the bar before `{inside.removeprefix('|')[:40].strip()}` is not closed",
        primary=Label(end, "a bar is missing here"),
        secondary=(Label(bar.span, "opened here"),),
        help=f"write `{inside}|`",
        fix=Fix(end, "|"),
    )


def split_names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The names before ``∈`` or ``⊆`` of which copying has split one: ``Uno, F ree ⊆ P``.

    Nothing if none is split. Copying splits behind a capital, before a small letter.
    """
    found: list[str] = []
    is_split = is_open = False
    for token in tokens:
        if token.kind is TokenKind.SYMBOL and token.text in _DECLARES:
            return tuple(found) if is_split and is_open else ()
        if is_open and token.text == ",":
            is_open = False
        elif token.kind is not TokenKind.NAME:
            return ()
        elif not is_open:
            found.append(token.text)
            is_open = True
        elif found[-1][-1:].isupper() and _is_piece(token):
            found[-1] += token.text
            is_split = True
        else:
            return ()
    return ()


def _is_piece(token: Token) -> bool:
    """Whether *token* may be the rest of a name: small letters that are no word of their own."""
    is_word = token.text in INFIX_WORDS or is_common(token, _NO_NAMES)
    return token.text[:1].islower() and len(token.text) > 1 and not is_word


def torn_words(tokens: Sequence[Token], names: DeclaredNames) -> tuple[Diagnostic, ...]:
    """Where words were torn into letters that no longer say what they were; nothing if nowhere."""
    torn: list[Sequence[Token]] = []
    run: list[Token] = []
    for token in (*tokens, None):
        if token is not None and _is_letter(token, names):
            run.append(token)
            continue
        letters = [letter.text for letter in run]
        is_known = "".join(letters) in names.declared or set(letters) <= names.declared
        if len(run) >= _FEWEST_LETTERS and not is_known:
            torn.append(run)
        run = []
    return (_torn(torn, names),) if torn else ()


def _is_letter(token: Token, names: DeclaredNames) -> bool:
    """Whether *token* is a single letter and no sign, as ``x`` is in ``R x C``."""
    is_sign = token.text in INFIX_WORDS and token.text not in names.declared
    return token.kind is TokenKind.NAME and len(token.text) == 1 and not is_sign


def _torn(runs: Sequence[Sequence[Token]], names: DeclaredNames) -> Diagnostic:
    spans = [run[0].span.to(run[-1].span) for run in runs]
    joined = "".join(letter.text for letter in runs[0])
    near = similar(joined, [name for name in names.declared if len(name) >= _FEWEST_LETTERS])
    return Diagnostic(
        codes.TORN_WORD,
        f"`{' '.join(letter.text for letter in runs[0])}` is a word torn apart",
        primary=Label(spans[0], "letters in a row"),
        secondary=tuple(Label(span, "here too") for span in spans[1:]),
        help=(
            f"perhaps `{near[0]}` was meant"
            if near
            else "write the name in one piece, or put the operators between the letters"
        ),
    )


def with_signs(
    tokens: tuple[Token, ...], kind: SectionKind, names: DeclaredNames
) -> tuple[Token, ...]:
    """*tokens* of a row in a section *kind*, with signs for the words that stand for them."""
    tokens = _with_equivalence(tokens, names)
    if kind is SectionKind.BEHAVIOUR:
        return _if_then(tokens, names) or _then_if(tokens, names) or tokens
    return (kind is SectionKind.FACTS and _if_then(tokens, names)) or tokens


def with_otherwise(rows: Sequence[TokenRow], names: DeclaredNames) -> tuple[TokenRow, ...]:
    """*rows* of the behaviour with what *else* means: the guards of its chain did not hold.

    ``else if G then C`` behind ``F → …`` is ``¬case1 ∧ (G) → C``, with ``case1 = (F)`` before the
    first rule: what that rule changes does not make its guard fail in hindsight.
    Behind rules that all give one variable a value, as *else* does, it denies each of them:
    denying the last one only, it would undo what the others did.
    """
    done: list[TokenRow] = []
    guards: list[_ChainGuard] = []
    chain = 0  # Where in the guards the rule stands that an *else* follows in any case.
    count = 0
    for row in rows:
        tokens = row.tokens
        if tokens and guards and is_word(tokens[0], _OTHERWISE, names):
            rule = _otherwise(tokens, names)
            if rule is None:
                guards = []
            else:
                if any(not guard.gives or guard.gives != _gives(rule[1]) for guard in guards):
                    guards, chain = guards[chain:], 0
                count = _name_guards(guards, done, count)
                denied = [part for guard in guards for part in _denied(guard.name, tokens[0])]
                own, conclusion = rule
                guard_tokens = (*denied, _sign("(", tokens), *own, _sign(")", tokens))
                tokens = (
                    *(guard_tokens if own else denied[:-1]),
                    _sign("→", tokens[:1]),
                    *conclusion,
                )
                # Deeper than its rule it stands only because of a bullet: it is no part of it.
                margin = min(row.line.margin, guards[-1].rule.line.margin)
                row = replace(row, line=replace(row.line, margin=margin))  # noqa: PLW2901
                more = _ChainGuard(len(done), row, own, _gives(conclusion))
                guards = [*guards, more] if own else []
        elif tokens and (at := _arrow(tokens)) is not None and (at or done):
            # A conclusion on a line of its own belongs to the guard above it.
            place = len(done) if at else len(done) - 1
            gives = _gives(tokens[at + 1 :])
            before = guards if gives and all(guard.gives == gives for guard in guards) else []
            rule_row = row if at else done[-1]
            chain = len(before)
            guards = [*before, _ChainGuard(place, rule_row, tokens[:at] or done[-1].tokens, gives)]
        elif tokens and begins_inside(tokens, names) != "∧":
            guards = []
        elif tokens and guards:
            guards[-1].gives = ""
        done.append(replace(row, tokens=tokens))
    return tuple(done)


@dataclass(slots=True)
class _ChainGuard:
    """The guard of a rule that an *else* below it may deny."""

    at: int
    """The row before which it is decided."""
    rule: TokenRow
    tokens: tuple[Token, ...]
    gives: str = ""
    """The variable that the rule gives a value, if it does nothing more."""
    name: str = ""

    def row(self) -> TokenRow:
        """The row that gives the guard its name."""
        first = self.tokens[:1]
        name = replace(first[0], kind=TokenKind.NAME, text=self.name)
        tokens = (name, _sign("=", first), _sign("(", first), *self.tokens, _sign(")", first))
        return replace(self.rule, tokens=tokens, said=())


def _name_guards(guards: Sequence[_ChainGuard], done: list[TokenRow], count: int) -> int:
    """Let rows of *done* name the *guards* that have no name yet; how many names there are then."""
    for guard in guards:
        if not guard.name:
            count += 1
            guard.name = f"case{count}"
            done.insert(guard.at, guard.row())
            for later in guards:
                later.at += later.at >= guard.at
    return count


def _gives(conclusion: Sequence[Token]) -> str:
    """The variable to which *conclusion* gives a value, if it is one assignment."""
    is_one = not any(token.text in {"∧", "→"} for _, token in at_top(conclusion))
    return conclusion[0].text if is_one and [t.text for t in conclusion[1:2]] == ["="] else ""


def _denied(name: str, place: Token) -> list[Token]:
    named = replace(place, kind=TokenKind.NAME, text=name)
    return [_sign("¬", [place]), named, _sign("∧", [place])]


def _otherwise(
    tokens: tuple[Token, ...], names: DeclaredNames
) -> tuple[tuple[Token, ...], tuple[Token, ...]] | None:
    """The guard, if there is one, and the conclusion behind *else*; ``None`` if it is no rule."""
    rest = tokens[2:] if tokens[1:2] and tokens[1].text in {",", ":"} else tokens[1:]
    rest = _if_then(rest, names) or rest
    at = _arrow(rest)
    if at is None and not _states(without_stop(rest), names):
        return None
    return (rest[:at], rest[at + 1 :]) if at is not None else ((), without_stop(rest))


def _arrow(tokens: Sequence[Token]) -> int | None:
    """Where the arrow of a rule stands, if there is one."""
    return next((at for at, token in at_top(tokens) if token.text == "→"), None)


def is_condition(token: Token, names: DeclaredNames) -> bool:
    """Whether *token* is a word such as ``if``, behind which a condition stands."""
    return is_word(token, _CONDITIONS | {"unless"}, names)


def _with_equivalence(tokens: tuple[Token, ...], names: DeclaredNames) -> tuple[Token, ...]:
    for at in range(1, len(tokens) - 1):
        for phrase in _EQUIVALENCES:
            words = tokens[at : at + len(phrase)]
            texts = tuple(word.text.lower() for word in words)
            if texts == phrase and all(is_word(word, {*phrase}, names) for word in words):
                return (*tokens[:at], _sign("↔", words), *tokens[at + len(phrase) :])
    return tokens


def _if_then(tokens: tuple[Token, ...], names: DeclaredNames) -> tuple[Token, ...]:
    """``if G then C`` as ``G → C``; nothing if *tokens* are something else."""
    if len(tokens) < 3 or not is_word(tokens[0], _CONDITIONS, names):
        return ()
    then = _then(tokens, names)
    guard, conclusion = without_stop(tokens[1:then]), tokens[then + 1 :]
    if not _is_formal(guard, names) or is_sentence(conclusion, names):
        return ()
    is_formula = not conclusion or any(is_strong(token) for token in conclusion)
    has_otherwise = any(is_word(token, _OTHERWISE, names) for token in conclusion)
    if has_otherwise or not (is_formula or _states(conclusion, names)):
        return ()
    return (*guard, _sign("→", tokens[then : then + 1]), *conclusion)


def _then(tokens: tuple[Token, ...], names: DeclaredNames) -> int:
    """The index of ``then``, or of the colon or comma that stands for it; 0 if there is none."""
    for at, token in at_top(tokens):
        if is_word(token, {"then"}, names):
            return at
    stops = (at for at, token in at_top(tokens) if token.text in {":", ","})
    found = (at for at in islice(stops, _MOST_STOPS) if _states(tokens[at + 1 :], names))
    return next(found, 0)


def _states(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    return shape(tokens, names) in STATEMENTS


def _then_if(tokens: tuple[Token, ...], names: DeclaredNames) -> tuple[Token, ...]:
    """``C if G`` as ``G → C``; nothing if *tokens* are something else."""
    condition = next(
        (at for at, token in at_top(tokens) if at and is_word(token, _CONDITIONS, names)), 0
    )
    conclusion, guard = without_stop(tokens[:condition]), without_stop(tokens[condition + 1 :])
    if not conclusion or not _states(conclusion, names):
        return ()
    if is_sentence(conclusion, names) or not _is_formal(guard, names):
        return ()
    return (*guard, _sign("→", tokens[condition : condition + 1]), *conclusion)


def _is_formal(tokens: Sequence[Token], names: DeclaredNames) -> bool:
    """Whether *tokens* are a condition in signs, or in nothing but declared names."""
    if not tokens or is_sentence(tokens, names):
        return False
    if any(is_strong(token) and token.text != "→" for token in tokens):
        return all(token.text != "→" for token in tokens)
    return all(
        token.kind is not TokenKind.NAME
        or token.text in names.declared
        or token.text in _FORMULA_WORDS
        for token in tokens
    )


def _sign(text: str, words: Sequence[Token]) -> Token:
    span = words[0].span.to(words[-1].span)
    return replace(words[0], kind=TokenKind.SYMBOL, text=text, span=span)
