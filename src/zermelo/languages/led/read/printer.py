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
from zermelo.languages.led.read.styles import STYLES, AnySign, Style, numeral
from zermelo.languages.led.read.tree import PRECEDENCES, Expr, Precedence, Prefix, Sign
from zermelo.text.source import Notation


def expression(expr: Expr, *, to: Notation = Notation.ASCII) -> str:
    """*expr* on one line."""
    return Printer(STYLES[to]).flat(expr)


def definition(value: tree.Definition, *, to: Notation = Notation.ASCII) -> str:
    """*value*, with its cases and its equations one to a line."""
    return "\n".join(_definition(value, Printer(STYLES[to])))


def document(value: tree.LiterateProgram, *, to: Notation = Notation.ASCII) -> str:
    """The program *value*: its prose as it stands, its code between ``/$`` and ``$/``."""
    text = ""
    code: list[str] = []
    for part in value.parts:
        match part:
            case tree.GameSwitch():
                code.append("ledGame")
            case tree.Definition():
                code.append(definition(part, to=to))
            case tree.Prose() | tree.TranscriptEntry():
                text = _apart(value, text, _region(code), part.text)
                code = []
            case _:
                assert_never(part)
    closing = _region(code)
    return _apart(value, text, closing) + ("\n" if closing else "")


def _apart(value: tree.LiterateProgram, *pieces: str) -> str:
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


def _definition(value: tree.Definition, printer: Printer) -> list[str]:
    head = f"{value.name}({', '.join(value.parameters)})" if value.parameters else value.name
    head += " iff" if value.is_relation else " :="
    rows = _body(head, value.branches, printer)
    lead = "  where "
    equations = [] if value.where is None else conjuncts(value.where)
    for at, each in enumerate(equations):
        last = "" if at == len(equations) - 1 else f" {printer.sign(Sign.AND)}"
        level = conjunct_level(at, len(equations))
        for row in _ended(printer.lines(each, level, taken=len(lead), behind=len(last)), last):
            rows.append(lead + row)
            lead = " " * len(lead)
    return rows


def _ended(rows: list[str], end: str) -> list[str]:
    return [*rows[:-1], rows[-1] + end]


def _body(head: str, branches: Sequence[tree.Branch], printer: Printer) -> list[str]:
    if len(branches) == 1 and branches[0].guard is None and not branches[0].is_otherwise:
        value = branches[0].value
        flat = printer.flat(value)
        if len(head) + 1 + len(flat) <= printer.style.width and "\n" not in flat:
            return [f"{head} {flat}"]
        return [head, *(f"  {row}" for row in printer.lines(value, taken=2))]
    rows = [head]
    for at, branch in enumerate(branches):
        end = "" if at == len(branches) - 1 else ";"
        rows += [f"  {row}" for row in _branch(branch, end, printer)]
    return rows


def _branch(branch: tree.Branch, end: str, printer: Printer) -> list[str]:
    if branch.guard is None:
        rows = printer.lines(branch.value, taken=2, behind=len(" otherwise;"))
        return _ended(rows, " otherwise" + end if branch.is_otherwise else end)
    flat = f"{printer.flat(branch.value)} if {printer.flat(branch.guard)}{end}"
    if len(flat) + 2 <= printer.style.width:
        return [flat]
    first, *rest = printer.lines(branch.guard, taken=7, behind=1)
    guard = [f"  if {first}", *(f"     {row}" for row in rest)]
    return _ended([*printer.lines(branch.value, taken=2), *guard], end)


def conjuncts(expr: Expr) -> list[Expr]:
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
    return (tighter, level) if level in tree.RIGHT_ASSOCIATIVE else (level, tighter)


def is_open(expr: Expr) -> bool:
    """Whether *expr* begins with a sign that takes all of a relation behind it."""
    return isinstance(expr, tree.QuantifiedExpr) or (
        isinstance(expr, tree.UnaryExpr) and expr.sign is Prefix.NOT
    )


def _body_level(expr: tree.QuantifiedExpr) -> Precedence:
    return Precedence.NOT if is_open(expr.body) else Precedence.RELATION


@dataclass(frozen=True, slots=True)
class Printer:
    """Expressions in one style, on one line or on as many as they need."""

    style: Style

    def flat(self, expr: Expr, level: Precedence = Precedence.IFF) -> str:
        """*expr* on one line, in brackets if it binds less tightly than *level*."""
        text = self._bare(expr)
        return f"({text})" if level_of(expr) < level else text

    def sign(self, sign: AnySign) -> str:
        return self.style.signs.get(sign, sign.value)

    def _right(self, expr: Expr, sign: Sign) -> str:
        if PRECEDENCES[sign] is Precedence.RELATION and is_open(expr):
            return self._bare(expr)
        return self.flat(expr, operand_levels(sign)[1])

    def _items(self, items: Sequence[Expr]) -> str:
        return ", ".join(self.flat(each) for each in items)

    def _bare(self, expr: Expr) -> str:
        style = self.style
        match expr:
            case tree.Numeral(value, text):
                sign = "-" if value < 0 and not text else ""
                return sign + style.numeral(text or numeral(abs(value)))
            case tree.StringLiteral(text):
                return style.string(text)
            case tree.AtomName(name):
                return style.backquote + style.name(name)
            case tree.TruthName(holds):
                return style.word("true" if holds else "false")
            case tree.Identifier(name):
                return style.name(name)
            case tree.CallExpr(name, arguments):
                return f"{style.name(name)}({self._items(arguments)})"
            case tree.TupleExpr(items):
                return f"({self._items(items)}{',' * (len(items) == 1)})"
            case tree.Bracketed(inner):
                return f"({self.flat(inner)})"
            case _:
                return self._structured(expr)

    def _structured(self, expr: Expr) -> str:
        match expr:
            case tree.IndexExpr(base, index):
                return f"{self.flat(base, Precedence.PRIMARY)}[{self.flat(index)}]"
            case tree.SliceExpr(base, low, high):
                ends = f"{self.flat(low)}..{self.flat(high)}"
                return f"{self.flat(base, Precedence.PRIMARY)}[{ends}]"
            case tree.SetExpr() | tree.RangeExpr() | tree.SetBuilder():
                return self._set(expr)
            case tree.BarsExpr(operand):
                return f"|{self.flat(operand)}|"
            case tree.BinaryExpr():
                return self._binary(expr)
            case tree.UnaryExpr():
                return self._prefixed(expr)
            case tree.BigExpr(sign, condition, body):
                opening, closing = self.style.big_condition
                under = f"{opening}{self.flat(condition)}{closing}"
                return f"{self.sign(sign)}{under}{self.flat(body, Precedence.PREFIX)}"
            case tree.QuantifiedExpr(body=body):
                return f"{self._quantifier(expr)} {self.flat(body, _body_level(expr))}"
            case _:
                raise AssertionError(expr)

    def _set(self, expr: tree.SetExpr | tree.RangeExpr | tree.SetBuilder) -> str:
        opening, closing = self.style.braces
        match expr:
            case tree.SetExpr(()):
                return self.style.empty
            case tree.SetExpr(items):
                inner = self._items(items)
            case tree.RangeExpr(low, high):
                inner = f"{self.flat(low)}..{self.flat(high)}"
            case tree.SetBuilder(result, condition):
                inner = f"{self.flat(result)}{self.style.bar}{self.flat(condition)}"
            case _:
                assert_never(expr)
        return opening + inner + closing

    def _binary(self, expr: tree.BinaryExpr) -> str:
        left = self.flat(expr.left, operand_levels(expr.sign)[0])
        right = self._right(expr.right, expr.sign)
        if expr.sign is Sign.POWER:
            is_tex = self.style.big_condition[0] == "_{"
            return f"{left}^{{{right}}}" if is_tex else f"{left}^{right}"
        return f"{left} {self.sign(expr.sign)} {right}"

    def _prefixed(self, expr: tree.UnaryExpr) -> str:
        style = self.style
        if expr.sign in style.around:
            opening, closing = style.around[expr.sign]
            return f"{opening}{self.flat(expr.operand)}{closing}"
        if expr.sign is Prefix.NOT:
            is_relation = level_of(expr.operand) is Precedence.RELATION
            blank = " " if is_relation and not style.negation.endswith(" ") else ""
            return f"{style.negation}{blank}{self.flat(expr.operand, Precedence.NOT)}"
        return f"{expr.sign.value}{self.flat(expr.operand, Precedence.PREFIX)}"

    def _quantifier(self, expr: tree.QuantifiedExpr) -> str:
        """What stands before the body of *expr*, its stop included."""
        sign = self.sign(expr.sign)
        names = ", ".join(map(self.style.name, expr.names))
        names = f"({names})" if expr.is_tuple else names
        blank = "" if len(sign) == 1 else " "
        domain = self.flat(expr.domain, Precedence.SUM)
        return f"{sign}{blank}{names} {self.sign(Sign.IN)} {domain}."

    # On several lines

    def lines(
        self, expr: Expr, level: Precedence = Precedence.IFF, *, taken: int = 0, behind: int = 0
    ) -> list[str]:
        """*expr* on lines, of which *taken* columns are used before and *behind* after it."""
        flat = self.flat(expr, level)
        if self._fits(flat, taken + behind) or level_of(expr) < level:
            return [flat]
        match expr:
            case tree.BinaryExpr() if expr.sign is not Sign.POWER:
                return self._chain(expr, taken=taken, behind=behind)
            case tree.Bracketed():
                first, *rest = self.lines(expr.inner, taken=taken + 1, behind=behind + 1)
                return _ended([f"({first}", *(f" {row}" for row in rest)], ")")
            case tree.QuantifiedExpr():
                rows = self.lines(expr.body, _body_level(expr), taken=taken + 2, behind=behind)
                return [self._quantifier(expr), *(self.style.indent + row for row in rows)]
            case tree.CallExpr(name, items):
                return self._listed(f"{self.style.name(name)}(", items, ")", taken=taken)
            case tree.TupleExpr(items):
                return self._listed("(", items, ",)" if len(items) == 1 else ")", taken=taken)
            case tree.SetExpr(items):
                opening, closing = self.style.braces
                return self._listed(opening, items, closing, taken=taken)
            case _:
                return [flat]

    def _fits(self, text: str, used: int) -> bool:
        return self.style.size(text) + used <= self.style.width

    def _chain(self, expr: tree.BinaryExpr, *, taken: int, behind: int) -> list[str]:
        """The operands of a chain of operators on one level, as many on a line as there is room."""
        operands = _operands(expr)
        rows: list[str] = []
        for at, (operand, level, sign) in enumerate(operands):
            mark = f" {self.sign(sign)}" if sign else ""
            room = taken + (behind if at == len(operands) - 1 else len(mark))
            pieces = (
                [self._right(operand, expr.sign)]
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
        self, opening: str, items: Sequence[Expr], closing: str, *, taken: int
    ) -> list[str]:
        rows = [opening]
        for at, item in enumerate(items):
            pieces = self.lines(item, taken=taken + 2, behind=1)
            pieces[-1] += "," if at < len(items) - 1 else ""
            joined = f"{rows[-1]} {pieces[0]}"
            if at and len(pieces) == 1 and self._fits(joined, taken):
                rows[-1] = joined
            else:
                rows += [self.style.indent + piece for piece in pieces]
        return [*rows, closing]


_Operand = tuple[Expr, Precedence | None, Sign | None]


def _operands(expr: tree.BinaryExpr) -> list[_Operand]:
    """The operands of a chain, each with the level it needs and the sign behind it."""
    level = PRECEDENCES[expr.sign]
    left_level, right_level = operand_levels(expr.sign)
    found: list[_Operand] = []
    here: Expr = expr
    if level in tree.RIGHT_ASSOCIATIVE:
        while isinstance(here, tree.BinaryExpr) and PRECEDENCES[here.sign] is level:
            found.append((here.left, left_level, here.sign))
            here = here.right
        return [*found, (here, right_level, None)]
    if level is Precedence.RELATION:
        return [(expr.left, left_level, expr.sign), (expr.right, None, None)]
    sign: Sign | None = None
    while isinstance(here, tree.BinaryExpr) and PRECEDENCES[here.sign] is level:
        found.append((here.right, right_level, sign))
        sign = here.sign
        here = here.left
    return [(here, left_level, sign), *reversed(found)]
