"""Trees become MathML, with the brackets that `printer` writes and every subterm at its place.

What is too wide for one line is stacked: the operands of a conjunction or disjunction and the
conclusions of a rule below each other, the members of a set in several lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from zermelo.languages.sections.read.grammar import symbols, tree
from zermelo.languages.sections.read.grammar.printer import (
    SUMS,
    Collection,
    Leaf,
    Precedence,
    Term,
    begins_in_words,
    decimal,
    level_of,
    quotation_marks,
    to_text,
)
from zermelo.languages.sections.read.grammar.traversal import membership, named
from zermelo.languages.sections.read.grammar.tree import BinaryOp, Expr, Statement
from zermelo.text.editing import Form, MathNode, MathTag
from zermelo.text.source import NOWHERE, Span, width

WIDEST: Final = 64
"""So many characters stand side by side."""


def to_maths(node: Expr | Statement, *, declared: frozenset[str] = frozenset()) -> MathNode:
    """*node* as MathML; *declared* are the names of the document.

    >>> from zermelo.languages.sections.read.grammar.tree import Compare, CompareOp, Name, Product
    >>> formula = Compare(Name("p"), ((CompareOp.IN, Product((Name("R"), Name("C_1")))),))
    >>> to_maths(formula).content
    'p∈R×C1'
    """
    maker = _MathMaker(named(node), declared)
    if isinstance(node, Statement):
        return maker.statement(node)
    return maker.whole(node)


def name_node(text: str, span: Span | None = None) -> MathNode:
    """A name, its subscript set lower."""
    base, _, subscript = text.partition("_")
    if not base or not subscript:
        return MathNode(MathTag.NAME, text, span=_known(span))
    tag = MathTag.NUMBER if subscript.isdecimal() else MathTag.NAME
    parts = (MathNode(MathTag.NAME, base), MathNode(tag, subscript))
    return MathNode(MathTag.SUBSCRIPT, children=parts, span=_known(span))


def sign(text: str, form: Form | None = None) -> MathNode:
    return MathNode(MathTag.OPERATOR, text, form=form)


def row(children: Iterable[MathNode], span: Span | None = None) -> MathNode:
    return MathNode(MathTag.ROW, children=tuple(children), span=_known(span))


def stacked(rows: Iterable[Sequence[MathNode]], span: Span | None = None) -> MathNode:
    """*rows* below each other."""
    made = tuple(
        MathNode(
            MathTag.TABLE_ROW,
            children=(MathNode(MathTag.TABLE_CELL, children=(row(each),)),),
        )
        for each in rows
    )
    return MathNode(MathTag.TABLE, children=made, span=_known(span))


def separated(nodes: Iterable[MathNode]) -> list[MathNode]:
    """*nodes* with commas between them."""
    found: list[MathNode] = []
    for node in nodes:
        found += [sign(","), node] if found else [node]
    return found


def in_brackets(*nodes: MathNode, opener: str = "(", closer: str = ")") -> list[MathNode]:
    is_tall = any(_is_tall(node) for node in nodes)
    return [
        MathNode(MathTag.OPERATOR, opener, form=Form.PREFIX, is_stretchy=is_tall),
        *nodes,
        MathNode(MathTag.OPERATOR, closer, form=Form.POSTFIX, is_stretchy=is_tall),
    ]


def _is_tall(node: MathNode) -> bool:
    """Whether *node* has several lines, itself or in a row."""
    if node.tag is MathTag.ROW:
        return any(map(_is_tall, node.children))
    return node.tag is MathTag.TABLE


def _known(span: Span | None) -> Span | None:
    return None if span == NOWHERE else span


def _text_width(node: Expr | Statement) -> int:
    return width(to_text(node))


def _first_text(node: MathNode) -> str:
    """What stands first in *node*."""
    return node.text or next(filter(None, map(_first_text, node.children)), "")


class _MathMaker:
    """Makes the element of one node."""

    def __init__(self, mentioned: frozenset[str], declared: frozenset[str]) -> None:
        self.declared = declared
        self.taken = mentioned | declared
        """The words that may not stand for signs."""
        self.tall: set[int] = set()
        """The expressions, by identity, whose parts are stacked."""

    def whole(self, expr: Expr, level: Precedence = Precedence.IFF) -> MathNode:
        """*expr*, in several lines if it is too wide."""
        self._stack(expr)
        return self.expr(expr, level)

    def _stack(self, expr: Expr) -> None:
        """Note what of *expr* is to be stacked, so that its lines are not too wide."""
        if _text_width(expr) <= WIDEST:
            return
        match expr:
            case tree.And(operands) | tree.Or(operands):
                self.tall.add(id(expr))
                for each in operands:
                    self._stack(each)
            case tree.SetOf():
                self.tall.add(id(expr))
            case tree.Iff(left, right) | tree.Implies(left, right):
                self._stack(left)
                self._stack(right)
            case tree.Compare(_, rest):
                self._stack(rest[-1][1])
            case tree.Quantified(body=body) | tree.Not(body):
                self._stack(body)
            case _:
                pass

    def expr(
        self, expr: Expr, level: Precedence = Precedence.IFF, *, is_last: bool = True
    ) -> MathNode:
        """*expr* where something of at least *level* is looked for; see `printer`."""
        is_open = isinstance(expr, tree.Quantified) and expr.domain is not None
        if level_of(expr) < level or (is_open and not is_last):
            return row(in_brackets(self._bare(expr, is_last=True)))
        return self._bare(expr, is_last=is_last)

    def _bare(self, expr: Expr, *, is_last: bool) -> MathNode:
        if isinstance(expr, Leaf):
            return self._leaf(expr)
        if isinstance(expr, Collection):
            return self._collection(expr)
        if isinstance(expr, Term):
            return self._term(expr)
        return self._formula(expr, is_last=is_last)

    # Values

    def _leaf(self, expr: Leaf) -> MathNode:
        span = _known(expr.span)
        match expr:
            case tree.Name(text):
                shown = name_node(text, span)
                is_sign = text in symbols.PREFIX_WORDS and text not in self.declared
                return row(in_brackets(shown)) if is_sign else shown
            case tree.WordRun(words, quoted):
                return self._words(words, span, quoted=quoted)
            case tree.NumberLiteral(value):
                return MathNode(MathTag.NUMBER, decimal(value), span=span)
            case tree.TruthLiteral(value):
                word = "true" if value else "false"
                mark = "⊤" if value else "⊥"
                return MathNode(MathTag.NAME, mark if word in self.taken else word, span=span)
            case tree.NumberSet(kind):
                return MathNode(MathTag.NAME, kind.value, span=span)
            case tree.EmptySet():
                return MathNode(MathTag.NAME, "∅", span=span)
            case _:
                assert_never(expr)

    def _words(self, words: tuple[str, ...], span: Span | None, *, quoted: bool) -> MathNode:
        run = " ".join(words)
        if quoted:
            opener, closer = quotation_marks(run)
            return MathNode(MathTag.WORDS, f"{opener}{run}{closer}", span=span)
        shown = MathNode(MathTag.WORDS, run, span=span)
        is_sign = words[-1] in symbols.INFIX_WORDS and words[-1] not in self.declared
        return row(in_brackets(shown)) if is_sign else shown

    # Sets and tuples

    def _collection(self, expr: Collection) -> MathNode:
        match expr:
            case tree.SetOf(items):
                if id(expr) in self.tall:
                    inside = [stacked(self._filled(items))]
                else:
                    inside = self._list(items)
                return row(in_brackets(*inside, opener="{", closer="}"), expr.span)
            case tree.Range(low, high):
                ends = (self.expr(low, Precedence.SUM), self.expr(high, Precedence.SUM))
                return row((ends[0], sign("..", Form.INFIX), ends[1]), expr.span)
            case tree.TupleOf(items):
                return row(in_brackets(*self._list(items)), expr.span)
            case tree.SetBuilder(result, domain, condition):
                pattern = self._pattern(result, domain)
                inside = [*pattern, sign("|", Form.INFIX), self.expr(condition)]
                return row(in_brackets(*inside, opener="{", closer="}"), expr.span)
            case _:
                assert_never(expr)

    def _filled(self, items: tuple[Expr, ...]) -> list[list[MathNode]]:
        """*items* in lines, with a comma behind each but the last."""
        lines: list[list[MathNode]] = [[]]
        used = 0
        for at, item in enumerate(items):
            taken = _text_width(item) + 2
            if lines[-1] and used + taken > WIDEST:
                lines.append([])
                used = 0
            used += taken
            lines[-1].append(self.expr(item))
            if at < len(items) - 1:
                lines[-1].append(sign(","))
        return lines

    def _pattern(self, result: Expr, domain: Expr | None) -> list[MathNode]:
        if domain is not None:
            left, right = self.expr(result, Precedence.SUM), self.expr(domain, Precedence.SUM)
            return [left, sign("∈"), right]
        shown = self.expr(result)
        return [shown] if membership(result) is None else in_brackets(shown)

    def _list(self, items: tuple[Expr, ...]) -> list[MathNode]:
        return separated(self.expr(item) for item in items)

    # Terms

    def _term(self, expr: Term) -> MathNode:
        match expr:
            case tree.Binary():
                return self._binary(expr)
            case tree.Product():
                return self._product(expr)
            case tree.Negate(operand):
                return row(
                    (sign("−", Form.PREFIX), self.expr(operand, Precedence.POWER)), expr.span
                )
            case tree.BarsAround(operand):
                inside = self.expr(operand, Precedence.OR)
                return row(in_brackets(inside, opener="|", closer="|"), expr.span)
            case tree.Floor(operand) | tree.Ceiling(operand):
                opener, closer = "⌊⌋" if isinstance(expr, tree.Floor) else "⌈⌉"
                return row(in_brackets(self.expr(operand), opener=opener, closer=closer), expr.span)
            case tree.PowerSet(operand):
                sets = MathNode(MathTag.NAME, "𝒫")
                return row((sets, *in_brackets(self.expr(operand))), expr.span)
            case tree.Component(operand, number):
                place = MathNode(MathTag.NUMBER, f".{number}")
                shown = self.expr(operand, Precedence.PRIMARY)
                whole = in_brackets(shown) if isinstance(operand, tree.NumberLiteral) else [shown]
                return row((*whole, place), expr.span)
            case tree.Apply(name, arguments):
                head = name_node(name, expr.name_span)
                return row((head, *in_brackets(*self._list(arguments))), expr.span)
            case tree.Folded():
                return self._folded(expr)
            case _:
                assert_never(expr)

    def _binary(self, expr: tree.Binary) -> MathNode:
        op, left, right = expr.op, expr.left, expr.right
        if op is BinaryOp.POWER:
            parts = (self.expr(left, Precedence.PRIMARY), self.expr(right))
            return MathNode(MathTag.SUPERSCRIPT, children=parts, span=_known(expr.span))
        level = Precedence.SUM if op in SUMS else Precedence.PRODUCT
        is_reaching = level is Precedence.PRODUCT and isinstance(left, tree.Folded)
        before = self.expr(left, Precedence.PRIMARY if is_reaching else level)
        tighter = Precedence.PRODUCT if level is Precedence.SUM else Precedence.POWER
        is_hidden = isinstance(right, tree.Negate) or (
            op is BinaryOp.MINUS and begins_in_words(right)
        )
        behind = self.expr(right, Precedence.IFF if is_hidden else tighter)
        shown = row(in_brackets(behind)) if is_hidden else behind
        return row((before, self._operator(op.value), shown), expr.span)

    def _product(self, expr: tree.Product) -> MathNode:
        first, *others = expr.factors
        is_reaching = isinstance(first, tree.Folded | tree.Product)
        nodes = [self.expr(first, Precedence.PRIMARY if is_reaching else Precedence.PRODUCT)]
        for factor in others:
            nodes += [sign("×"), self.expr(factor, Precedence.POWER)]
        return row(nodes, expr.span)

    def _folded(self, expr: tree.Folded) -> MathNode:
        mark = sign(expr.aggregate.value, Form.PREFIX)
        if expr.domain is None:
            return row((mark, *in_brackets(self.expr(expr.body))), expr.span)
        variables = separated(map(name_node, expr.variables))
        member = in_brackets(*variables) if expr.others else variables
        limit = row((*member, sign("∈"), self.expr(expr.domain, Precedence.SUM)))
        under = MathNode(MathTag.UNDER, children=(mark, limit))
        return row((under, self.expr(expr.body, Precedence.PRODUCT)), expr.span)

    # Formulas

    def _formula(self, expr: tree.Formula, *, is_last: bool) -> MathNode:
        match expr:
            case tree.Compare():
                return self._compare(expr, is_last=is_last)
            case tree.Not(operand):
                inside = self.expr(operand, Precedence.NOT, is_last=is_last)
                return row((sign("¬", Form.PREFIX), inside), expr.span)
            case tree.And(operands):
                return self._joined(expr, "∧", operands, Precedence.NOT, is_last=is_last)
            case tree.Or(operands):
                return self._joined(expr, "∨", operands, Precedence.AND, is_last=is_last)
            case tree.Implies(left, right):
                before = self.expr(left, Precedence.OR, is_last=False)
                behind = self.expr(right, Precedence.IMPLIES, is_last=is_last)
                return row((before, sign("→", Form.INFIX), behind), expr.span)
            case tree.Iff(left, right):
                before = self.expr(left, Precedence.IFF, is_last=False)
                behind = self.expr(right, Precedence.IMPLIES, is_last=is_last)
                return row((before, sign("↔", Form.INFIX), behind), expr.span)
            case tree.Quantified():
                return self._quantified(expr)
            case _:
                assert_never(expr)

    def _compare(self, expr: tree.Compare, *, is_last: bool) -> MathNode:
        nodes = [self.expr(expr.first, Precedence.SUM)]
        for at, (op, right) in enumerate(expr.rest):
            is_end = at == len(expr.rest) - 1
            level = Precedence.NOT if is_end and isinstance(right, tree.Not) else Precedence.SUM
            nodes += [sign(op.value), self.expr(right, level, is_last=is_end and is_last)]
        return row(nodes, expr.span)

    def _joined(
        self,
        expr: tree.And | tree.Or,
        mark: str,
        operands: tuple[Expr, ...],
        level: Precedence,
        *,
        is_last: bool,
    ) -> MathNode:
        last = len(operands) - 1
        nodes = [
            self.expr(operand, level, is_last=is_last and at == last)
            for at, operand in enumerate(operands)
        ]
        lines = [[sign(mark, Form.INFIX), node] if at else [node] for at, node in enumerate(nodes)]
        if id(expr) in self.tall:
            return stacked(lines, expr.span)
        return row((node for line in lines for node in line), expr.span)

    def _quantified(self, expr: tree.Quantified) -> MathNode:
        variables = separated(map(name_node, expr.variables))
        if expr.is_tuple:
            variables = in_brackets(*variables)
        nodes = [sign(expr.quantifier.value, Form.PREFIX), *variables]
        if expr.domain is None:
            return row((*nodes, *in_brackets(self.expr(expr.body))), expr.span)
        domain = self.expr(expr.domain, Precedence.SUM)
        body = self.expr(expr.body, Precedence.OR)
        return row((*nodes, sign("∈"), domain, sign(":", Form.INFIX), body), expr.span)

    def _operator(self, text: str) -> MathNode:
        return sign("%" if text == "mod" and text in self.taken else text, Form.INFIX)

    # Statements

    def statement(self, node: Statement) -> MathNode:
        match node:
            case tree.Assign(target, value):
                changed = tree.changed_place(node)
                left = [self._target(target)]
                if changed is not None:
                    place, value = changed
                    items = place.items if isinstance(place, tree.TupleOf) else (place,)
                    left += in_brackets(*self._list(items))
                return row((*left, sign("="), self._new(value)), node.span)
            case tree.StepByOne(name, is_up):
                step = sign("++" if is_up else "--", Form.POSTFIX)
                return row((name_node(name), step), node.span)
            case tree.ProcedureCall(name, arguments):
                return row((name_node(name), *in_brackets(*self._list(arguments))), node.span)
            case tree.Declaration(names, relation, domain):
                spans = node.name_spans if len(node.name_spans) == len(names) else ()
                shown = [
                    name_node(name, spans[at] if spans else None) for at, name in enumerate(names)
                ]
                if relation is tree.DeclaredRelation.FUNCTION and isinstance(domain, tree.Product):
                    ends = [self.whole(each, Precedence.SUM) for each in domain.factors]
                    kind = (sign(":"), ends[0], sign(relation.value), *ends[1:])
                    return row((*separated(shown), *kind), node.span)
                inside = self.whole(domain, Precedence.SUM)
                return row((*separated(shown), sign(relation.value), inside), node.span)
            case tree.Rule():
                return self._rule(node)
            case tree.Prose(lines):
                return MathNode(MathTag.WORDS, "\n".join(lines), span=_known(node.span))
            case tree.Unparsed(text):
                return MathNode(MathTag.WORDS, text, span=_known(node.span))
            case _:
                assert_never(node)

    def _rule(self, rule: tree.Rule) -> MathNode:
        is_wide = _text_width(rule) > WIDEST
        guard = self.whole(rule.guard, Precedence.OR)
        if _first_text(guard).startswith("−"):
            # As it is printed: a line that begins with a minus goes on with the line above it.
            guard = row(in_brackets(guard))
        lines: list[list[MathNode]] = []
        for each in rule.conclusion:
            shown = self.statement(each)
            inside = in_brackets(shown) if isinstance(each, tree.Rule) else [shown]
            lines.append([sign("∧", Form.INFIX), *inside] if lines else inside)
        flat = [node for line in lines for node in line]
        done = [stacked(lines)] if is_wide and len(lines) > 1 else flat
        return row((guard, sign("→", Form.INFIX), *done), rule.span)

    def _target(self, target: tree.Name | tree.TupleOf) -> MathNode:
        if isinstance(target, tree.Name):
            return name_node(target.text, target.span)
        names = [each for each in target.items if isinstance(each, tree.Name)]
        shown = separated(name_node(each.text, each.span) for each in names)
        return row(in_brackets(*shown), target.span)

    def _new(self, value: Expr) -> MathNode:
        """What is assigned; a ``∧`` in it stands in brackets, as the next one assigns again."""
        is_compare = isinstance(value, tree.Compare)
        return self.expr(value, Precedence.SUM if is_compare else Precedence.NOT, is_last=False)
