"""What parsers say when a formula does not go on as it should.

Each function speaks about the place where the cursor stands.
"""

from __future__ import annotations

from zermelo.languages.sections.read.grammar.cursor import TokenCursor
from zermelo.languages.sections.read.grammar.symbols import CLOSERS
from zermelo.languages.sections.read.grammar.tokens import Token, TokenKind
from zermelo.text import codes
from zermelo.text.diagnostic import Label


def closed(cursor: TokenCursor, opener: int) -> bool:
    """Pass the bracket that closes the one at *opener*, or say that it is missing."""
    closer = CLOSERS[cursor.sign(opener)]
    if cursor.take(closer):
        return True
    opened = Label(cursor.tokens[opener].span, "opened here")
    if cursor.peek() is None:
        cursor.fail(
            codes.BRACKET_NOT_CLOSED,
            f"this `{cursor.written(opener)}` is not closed",
            cursor.tokens[opener].span,
            label="opened here",
            advice=f"put a `{closer}` where it ends",
        )
    elif cursor.sign(cursor.at) in CLOSERS.values():
        cursor.fail(
            codes.BRACKET_NOT_CLOSED,
            f"`{cursor.written(opener)}` is closed by `{cursor.written(cursor.at)}`",
            cursor.tokens[cursor.at].span,
            label=f"`{closer}` was looked for",
            secondary=(opened,),
        )
    else:
        operator_missing(cursor, f"an operator or `{closer}`", secondary=(opened,))
    return False


def bar_not_closed(cursor: TokenCursor, opener: int) -> None:
    opened = Label(cursor.tokens[opener].span, "opened here")
    if cursor.peek() is not None and cursor.sign(cursor.at) not in CLOSERS.values():
        operator_missing(cursor, "an operator or `|`", secondary=(opened,))
        return
    cursor.fail(
        codes.BAR_NOT_CLOSED,
        "this bar is not closed",
        opened.span,
        label="opened here",
        advice="bars come in pairs, as in `|A| = 3`; put one where the set ends",
    )


def _bar_not_opened(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.BAR_NOT_CLOSED,
        "this bar closes nothing",
        cursor.here(),
        label="its partner is missing",
        advice="bars come in pairs, as in `|A| = 3`; put one where the set begins",
    )


def operator_missing(
    cursor: TokenCursor,
    looked_for: str = "an operator or the end of the formula",
    *,
    secondary: tuple[Label, ...] = (),
) -> None:
    """Say that the token here does not continue the formula."""
    if cursor.sign(cursor.at) == "_":
        _subscript_not_a_name(cursor)
        return
    if cursor.sign(cursor.at) == "|":
        _bar_not_opened(cursor)
        return
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        f"{cursor.found()} stands where {looked_for} was looked for",
        cursor.here(),
        label="not understood from here on" if cursor.peek() else "",
        secondary=secondary,
    )


def other_than(cursor: TokenCursor, wanted: str, *, advice: str | None = None) -> None:
    """Say that something else than *wanted* stands here."""
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        f"{cursor.found()} stands where {wanted} was looked for",
        cursor.here(),
        label=f"{wanted} was looked for",
        advice=advice,
    )


def _subscript_not_a_name(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.SUBSCRIPT_NOT_A_NAME,
        "the subscript here is no name and no number",
        cursor.here(),
        label="`C_1` and `H_n` are understood",
        advice="use a function of the subscript instead, such as `H(n + 1)`",
    )


def operand_missing(cursor: TokenCursor) -> None:
    before, here = cursor.peek(-1), cursor.peek()
    if before is None:
        _nothing_before(cursor)
    elif here is None or here.text in CLOSERS.values():
        _nothing_behind(cursor, before)
    else:
        needs_bracket = here.text in {"¬", "∀", "∃", "∄"}
        cursor.fail(
            codes.OPERAND_MISSING,
            f"`{cursor.written(cursor.at)}` stands where a name or a value was looked for",
            here.span,
            label="not understood from here on",
            secondary=(Label(before.span, "behind this"),),
            advice="put what it begins in brackets" if needs_bracket else None,
        )


def _nothing_before(cursor: TokenCursor) -> None:
    if cursor.peek() is None:
        cursor.fail(codes.FORMULA_NOT_UNDERSTOOD, "there is no formula here", cursor.here())
        return
    cursor.fail(
        codes.OPERAND_MISSING,
        f"`{cursor.written(cursor.at)}` has nothing before it",
        cursor.here(),
        label="a name or a value was looked for",
    )


def _nothing_behind(cursor: TokenCursor, before: Token) -> None:
    is_opener = before.kind is TokenKind.SYMBOL and before.text in CLOSERS
    where = "between it and its partner" if is_opener and cursor.peek() else "behind it"
    cursor.fail(
        codes.OPERAND_MISSING,
        f"`{cursor.written(cursor.at - 1)}` has nothing {where}",
        before.span,
        label="a name or a value was looked for behind it",
    )


def variable_missing(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.OPERAND_MISSING,
        f"`{cursor.written(cursor.at - 1)}` binds no name",
        cursor.here(),
        label="a name was looked for",
        advice="write a name behind it, as in `∃x ∈ A: x > 1`",
    )


def body_missing(cursor: TokenCursor, start: int) -> None:
    typed = cursor.source.slice(cursor.span_from(start))
    advice = "write it behind a colon, as in `∃x ∈ A: x > 1`, or in brackets"
    if cursor.sign(cursor.at) == "=":
        advice = "write `∈` instead of `=` if a set is meant that the name ranges over"
    cursor.fail(
        codes.OPERAND_MISSING,
        f"`{typed}` says nothing about what it binds",
        cursor.here(),
        label="a formula was looked for here",
        advice=advice,
    )


def limit_not_understood(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        "the limit of this sum is not understood",
        cursor.here(),
        label="a name, `∈` and a set were looked for",
        advice="write it as in `∑_{a ∈ w} a`",
    )


def dots_lead_nowhere(cursor: TokenCursor, dots: int) -> None:
    cursor.fail(
        codes.OPERAND_MISSING,
        "the dots lead nowhere: the last member is missing",
        cursor.tokens[dots].span,
        label="nothing behind it",
        advice="write the last member, or a builder such as `{x ∈ ℕ | x > 0}`",
    )


def dots_with_steps(cursor: TokenCursor, dots: int) -> None:
    cursor.fail(
        codes.LIST_WITH_STEPS,
        "the members before the dots do not lead to the last one in equal steps",
        cursor.tokens[dots].span,
        label="which members?",
        advice="write all members, or a builder such as `{x ∈ ℕ | x mod 2 = 0 ∧ x ≤ 10}`",
    )


def number_too_long(cursor: TokenCursor, digits: int) -> None:
    cursor.fail(
        codes.NUMBER_TOO_LONG,
        f"this number has more than {digits} digits",
        cursor.here(),
        label="too long to be meant",
    )


def rest(cursor: TokenCursor) -> None:
    """Say what the tokens from here on are, if they are part of the formula."""
    if cursor.trouble is not None and cursor.trouble[0] == cursor.at:
        cursor.said.append(cursor.trouble[1])
        return
    if cursor.sign(cursor.at) in CLOSERS.values():
        cursor.fail(
            codes.BRACKET_NOT_OPENED,
            f"this `{cursor.written(cursor.at)}` closes nothing",
            cursor.here(),
            label="its partner is missing",
        )
    else:
        operator_missing(cursor)


def set_name_missing(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        "a set definition begins with the name of the set",
        cursor.here(),
        label="a name was looked for",
        advice="write it as in `P : R × C`",
    )


def initial_sign_missing(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        f"{cursor.found()} stands where `=` and a first value were looked for",
        cursor.here(),
        label="`=` was looked for",
        advice="write it as in `turn = true`, or `One, Two = ∅`",
    )


def head_not_understood(cursor: TokenCursor) -> None:
    cursor.fail(
        codes.FORMULA_NOT_UNDERSTOOD,
        "the head of a procedure is a name and its parameters in brackets",
        cursor.here(),
        label="a name and `(` were looked for",
        advice="write it as in `Move(prev, next ∈ P)`",
    )
