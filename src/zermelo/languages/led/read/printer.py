"""LED from its tree: expressions, definitions and whole programs in canonical form.

The author's brackets are kept, and where a tree that nobody typed needs more, they
are put in. What is printed reads as the same tree again. A line has at most a
hundred columns where there is a place to break it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import assert_never

from zermelo.languages.led.read import tree
from zermelo.languages.led.read.styles import STYLES, Style, numeral
from zermelo.languages.led.read.tree import (
    PRECEDENCES,
    RIGHT_ASSOCIATIVE,
    Definition,
    Expr,
    LiterateProgram,
    Precedence,
    Prefix,
    Sign,
)
from zermelo.text.source import Notation


def expression(expr: Expr, *, to: Notation = Notation.ASCII) -> str:
    """*expr* on one line."""
    return Printer(STYLES[to]).flat(expr)


def definition(value: Definition, *, to: Notation = Notation.ASCII) -> str:
    """*value*, with its cases and its equations one to a line."""
    return "\n".join(_definition(value, Printer(STYLES[to])))


def document(value: LiterateProgram, *, to: Notation = Notation.ASCII) -> str:
    """The program *value*: its prose as it stands, its code between ``/$`` and ``$/``."""
    text = ""
    code: list[str] = []
    for part in value.parts:
        match part:
            case tree.GameSwitch():
                code.append("ledGame")
            case tree.Definition():
                code.append(definition(part, to=to))
            case tree.Prose():
                text = _apart(value, text, _region(code), part.text)
                code = []
            case tree.TranscriptEntry():
                text = _apart(value, text, _region(code), f'cmd:>{part.typed}\n"{part.answer}"')
                code = []
            case _:
                assert_never(part)
    closing = _region(code)
    return _apart(value, text, closing) + ("\n" if closing else "")


def _apart(value: LiterateProgram, *pieces: str) -> str:
    """*pieces* one behind the other; those of a printed program on lines of their own."""
    if not value.is_printed:
        return "".join(pieces)
    text = ""
    for piece in filter(None, pieces):
        gap = "" if not text or text.endswith("\n\n") or piece.startswith("\n\n") else "\n"
        is_line_end = not text or text.endswith("\n") or piece.startswith("\n")
        text += ("" if is_line_end else "\n") + gap + piece
    return text


def _region(code: Sequence[str]) -> str:
    """The definitions *code* between their marks; those of several lines stand apart."""
    if not code:
        return ""
    text = code[0]
    for before, after in pairwise(code):
        text += ("\n\n" if "\n" in before or "\n" in after else "\n") + after
    return f"/$\n{text}\n$/"


def _definition(value: Definition, printer: Printer) -> list[str]:
    head = f"{value.name}({', '.join(value.parameters)})" if value.parameters else value.name
    head += " iff" if value.is_relation else " :="
    rows = _body(head, value.branches, printer)
    if value.where is not None:
        lead = "  where "
        equations = conjuncts(value.where)
        for at, each in enumerate(equations):
            last = "" if at == len(equations) - 1 else f" {printer.sign(Sign.AND)}"
            level = conjunct_level(at, len(equations))
            taken = LineBreaker(printer).lines(each, level, taken=len(lead), behind=len(last))
            taken[-1] += last
            rows += [
                (lead if n == 0 and at == 0 else " " * len(lead)) + row
                for n, row in enumerate(taken)
            ]
    return rows


def _body(head: str, branches: Sequence[tree.Branch], printer: Printer) -> list[str]:
    if len(branches) == 1 and branches[0].guard is None and not branches[0].is_otherwise:
        value = branches[0].value
        flat = printer.flat(value)
        if len(head) + 1 + len(flat) <= printer.style.width and "\n" not in flat:
            return [f"{head} {flat}"]
        return [head, *(f"  {row}" for row in LineBreaker(printer).lines(value, taken=2))]
    rows = [head]
    for at, branch in enumerate(branches):
        end = "" if at == len(branches) - 1 else ";"
        rows += [f"  {row}" for row in _branch(branch, end, printer)]
    return rows


def _branch(branch: tree.Branch, end: str, printer: Printer) -> list[str]:
    layout = LineBreaker(printer)
    if branch.guard is None:
        rows = layout.lines(branch.value, taken=2, behind=len(" otherwise;"))
        rows[-1] += " otherwise" + end if branch.is_otherwise else end
        return rows
    flat = f"{printer.flat(branch.value)} if {printer.flat(branch.guard)}{end}"
    if len(flat) + 2 <= printer.style.width:
        return [flat]
    rows = layout.lines(branch.value, taken=2)
    guard = layout.lines(branch.guard, taken=7, behind=1)
    rows += [("  if " if at == 0 else "     ") + row for at, row in enumerate(guard)]
    rows[-1] += end
    return rows


def conjuncts(expr: Expr) -> list[Expr]:
    """What ``&`` joins in *expr*, from left to right."""
    found: list[Expr] = []
    while isinstance(expr, tree.BinaryExpr) and expr.sign is Sign.AND:
        found.append(expr.right)
        expr = expr.left
    return [expr, *reversed(found)]


def conjunct_level(at: int, count: int) -> Precedence:
    """The level at which the conjunct number *at* of *count* can stand without brackets."""
    if count == 1:
        return Precedence.IFF
    return Precedence.AND if at == 0 else Precedence.NOT


def level_of(expr: Expr) -> Precedence:
    """How tightly the operator of *expr* binds."""
    match expr:
        case tree.BinaryExpr():
            return PRECEDENCES[expr.sign]
        case tree.QuantifiedExpr():
            return Precedence.RELATION
        case tree.BigExpr():
            return Precedence.PREFIX
        case tree.UnaryExpr(Prefix.NOT):
            return Precedence.NOT
        case tree.UnaryExpr(Prefix.MINUS | Prefix.PLUS):
            return Precedence.PREFIX
        case tree.Numeral() if expr.value < 0:
            return Precedence.PREFIX
        case _:
            return Precedence.PRIMARY


def operand_levels(sign: Sign) -> tuple[Precedence, Precedence]:
    """How tightly the operands of *sign* must bind to stand without brackets."""
    level = PRECEDENCES[sign]
    if level is Precedence.RELATION:
        return Precedence.SUM, Precedence.SUM
    if level is Precedence.POWER:
        return Precedence.PRIMARY, Precedence.PREFIX
    tighter = Precedence(level + 1)
    return (tighter, level) if level in RIGHT_ASSOCIATIVE else (level, tighter)


@dataclass(frozen=True, slots=True)
class Printer:
    """Expressions on one line in one style."""

    style: Style

    def flat(self, expr: Expr, level: Precedence = Precedence.IFF) -> str:
        """*expr* on one line, in brackets if it binds less tightly than *level*."""
        text = self._bare(expr)
        return f"({text})" if level_of(expr) < level else text

    def sign(self, sign: Sign) -> str:
        return self.style.signs.get(sign, sign.value)

    def right(self, expr: Expr, sign: Sign) -> str:
        """*expr* as the right operand of *sign*."""
        if PRECEDENCES[sign] is Precedence.RELATION and is_open(expr):
            return self._bare(expr)
        return self.flat(expr, operand_levels(sign)[1])

    def items(self, items: Sequence[Expr]) -> str:
        return ", ".join(self.flat(each) for each in items)

    def _bare(self, expr: Expr) -> str:
        style = self.style
        match expr:
            case tree.Numeral():
                return self._number(expr)
            case tree.StringLiteral():
                return style.string(expr.value)
            case tree.AtomName():
                return style.backquote + style.name(expr.name)
            case tree.TruthName():
                return style.word("true" if expr.value else "false")
            case tree.Identifier():
                return style.name(expr.name)
            case tree.CallExpr():
                return f"{style.name(expr.name)}({self.items(expr.arguments)})"
            case tree.TupleExpr():
                return f"({self.items(expr.items)}{',' * (len(expr.items) == 1)})"
            case tree.Bracketed():
                return f"({self.flat(expr.inner)})"
            case _:
                return self._structured(expr)

    def _number(self, expr: tree.Numeral) -> str:
        if expr.text:
            return self.style.numeral(expr.text)
        return ("-" if expr.value < 0 else "") + self.style.numeral(numeral(abs(expr.value)))

    def _structured(
        self,
        expr: tree.IndexExpr
        | tree.SliceExpr
        | tree.SetExpr
        | tree.RangeExpr
        | tree.SetBuilder
        | tree.BigExpr
        | tree.UnaryExpr
        | tree.BarsExpr
        | tree.BinaryExpr
        | tree.QuantifiedExpr,
    ) -> str:
        match expr:
            case tree.IndexExpr():
                return f"{self.flat(expr.base, Precedence.PRIMARY)}[{self.flat(expr.index)}]"
            case tree.SliceExpr():
                base = self.flat(expr.base, Precedence.PRIMARY)
                return f"{base}[{self.flat(expr.low)}..{self.flat(expr.high)}]"
            case tree.SetExpr() | tree.RangeExpr() | tree.SetBuilder():
                return self._set(expr)
            case tree.BarsExpr():
                return f"|{self.flat(expr.operand)}|"
            case tree.BinaryExpr():
                return self._binary(expr)
            case tree.UnaryExpr() | tree.BigExpr():
                return self._prefixed(expr)
            case tree.QuantifiedExpr():
                return f"{self.quantifier(expr)} {self.body(expr)}"
            case _:
                assert_never(expr)

    def _set(self, expr: tree.SetExpr | tree.RangeExpr | tree.SetBuilder) -> str:
        opening, closing = self.style.braces
        match expr:
            case tree.SetExpr(()):
                return self.style.empty
            case tree.SetExpr():
                inner = self.items(expr.items)
            case tree.RangeExpr():
                inner = f"{self.flat(expr.low)}..{self.flat(expr.high)}"
            case tree.SetBuilder():
                inner = f"{self.flat(expr.result)}{self.style.bar}{self.flat(expr.condition)}"
            case _:
                assert_never(expr)
        return opening + inner + closing

    def _binary(self, expr: tree.BinaryExpr) -> str:
        left = self.flat(expr.left, operand_levels(expr.sign)[0])
        right = self.right(expr.right, expr.sign)
        if expr.sign is Sign.POWER:
            tex = self.style.big_condition[0] == "_{"
            return f"{left}^{{{right}}}" if tex else f"{left}^{right}"
        return f"{left} {self.sign(expr.sign)} {right}"

    def _prefixed(self, expr: tree.UnaryExpr | tree.BigExpr) -> str:
        style = self.style
        if isinstance(expr, tree.BigExpr):
            sign = style.bigs.get(expr.sign, expr.sign.value)
            opening, closing = style.big_condition
            condition = f"{opening}{self.flat(expr.condition)}{closing}"
            return f"{sign}{condition}{self.flat(expr.body, Precedence.PREFIX)}"
        if expr.sign in style.around:
            opening, closing = style.around[expr.sign]
            return f"{opening}{self.flat(expr.operand)}{closing}"
        if expr.sign is Prefix.NOT:
            is_relation = level_of(expr.operand) is Precedence.RELATION
            blank = " " if is_relation and not style.negation.endswith(" ") else ""
            return f"{style.negation}{blank}{self.flat(expr.operand, Precedence.NOT)}"
        return f"{expr.sign.value}{self.flat(expr.operand, Precedence.PREFIX)}"

    def quantifier(self, expr: tree.QuantifiedExpr) -> str:
        """What stands before the body of *expr*, its stop included."""
        sign = self.style.quantifiers.get(expr.sign, expr.sign.value)
        names = ", ".join(map(self.style.name, expr.names))
        names = f"({names})" if expr.is_tuple else names
        blank = "" if len(sign) == 1 else " "
        domain = self.flat(expr.domain, Precedence.SUM)
        return f"{sign}{blank}{names} {self.sign(Sign.IN)} {domain}."

    def body(self, expr: tree.QuantifiedExpr) -> str:
        """What *expr* says of what it binds."""
        return self.flat(expr.body, Precedence.NOT if is_open(expr.body) else Precedence.RELATION)


def is_open(expr: Expr) -> bool:
    """Whether *expr* begins with a sign that takes all of a relation behind it."""
    return isinstance(expr, tree.QuantifiedExpr) or (
        isinstance(expr, tree.UnaryExpr) and expr.sign is Prefix.NOT
    )


@dataclass(frozen=True, slots=True)
class LineBreaker:
    """Expressions on as many lines as they need."""

    printer: Printer

    def lines(
        self, expr: Expr, level: Precedence = Precedence.IFF, *, taken: int = 0, behind: int = 0
    ) -> list[str]:
        """*expr* on lines, of which *taken* columns are used before and *behind* after it."""
        flat = self.printer.flat(expr, level)
        if self._fits(flat, taken + behind) or level_of(expr) < level:
            return [flat]
        match expr:
            case tree.BinaryExpr() if expr.sign is not Sign.POWER:
                return self._chain(expr, taken=taken, behind=behind)
            case tree.Bracketed():
                rows = self.lines(expr.inner, taken=taken + 1, behind=behind + 1)
                return _wrapped("(", rows, ")")
            case tree.QuantifiedExpr():
                level = Precedence.NOT if is_open(expr.body) else Precedence.RELATION
                rows = self.lines(expr.body, level, taken=taken + 2, behind=behind)
                return [self.printer.quantifier(expr), *(self._in(row) for row in rows)]
            case tree.CallExpr() | tree.TupleExpr() | tree.SetExpr():
                return self._listed(expr, taken=taken)
            case _:
                return [flat]

    def _in(self, row: str) -> str:
        return self.printer.style.indent + row

    def _fits(self, text: str, used: int) -> bool:
        return self.printer.style.size(text) + used <= self.printer.style.width

    def _chain(self, expr: tree.BinaryExpr, *, taken: int, behind: int) -> list[str]:
        """The operands of a chain of operators on one level, as many on a line as there is room."""
        operands = _operands(expr)
        rows: list[str] = []
        for at, (operand, level, sign) in enumerate(operands):
            mark = f" {self.printer.sign(sign)}" if sign else ""
            room = taken + (behind if at == len(operands) - 1 else len(mark))
            pieces = (
                [self.printer.right(operand, expr.sign)]
                if level is None
                else self.lines(operand, level, taken=room)
            )
            pieces[-1] += mark
            if rows and len(pieces) == 1 and self._fits(f"{rows[-1]} {pieces[0]}", taken + behind):
                rows[-1] += f" {pieces[0]}"
            else:
                rows += pieces
        return rows

    def _listed(
        self, expr: tree.CallExpr | tree.TupleExpr | tree.SetExpr, *, taken: int
    ) -> list[str]:
        style = self.printer.style
        match expr:
            case tree.CallExpr():
                opening, items, closing = f"{style.name(expr.name)}(", expr.arguments, ")"
            case tree.TupleExpr():
                opening, items = "(", expr.items
                closing = ",)" if len(items) == 1 else ")"
            case tree.SetExpr():
                opening, closing = style.braces
                items = expr.items
        rows = [opening]
        room = taken + 2
        for at, item in enumerate(items):
            pieces = self.lines(item, taken=room, behind=1)
            pieces[-1] += "," if at < len(items) - 1 else ""
            joined = f"{rows[-1]} {pieces[0]}"
            if at and len(pieces) == 1 and self._fits(joined, taken):
                rows[-1] = joined
            else:
                rows += [self._in(piece) for piece in pieces]
        return [*rows, closing]


def _wrapped(opening: str, rows: Sequence[str], closing: str) -> list[str]:
    first, *rest = rows
    result = [opening + first, *(" " + row for row in rest)]
    result[-1] += closing
    return result


_Operand = tuple[Expr, Precedence | None, Sign | None]


def _operands(expr: tree.BinaryExpr) -> list[_Operand]:
    """The operands of a chain, each with the level it needs and the sign behind it."""
    level = PRECEDENCES[expr.sign]
    left_level, right_level = operand_levels(expr.sign)
    found: list[_Operand] = []
    here: Expr = expr
    if level in RIGHT_ASSOCIATIVE:
        while isinstance(here, tree.BinaryExpr) and PRECEDENCES[here.sign] is level:
            found.append((here.left, left_level, here.sign))
            here = here.right
        return [*found, (here, right_level, None)]
    sign: Sign | None = None
    while isinstance(here, tree.BinaryExpr) and PRECEDENCES[here.sign] is level:
        needed = None if level is Precedence.RELATION else right_level
        found.append((here.right, needed, sign))
        sign = here.sign
        here = here.left
        if level is Precedence.RELATION:
            break
    return [(here, left_level, sign), *reversed(found)]
