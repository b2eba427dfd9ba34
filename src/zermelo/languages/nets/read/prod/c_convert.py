"""What a parser of C found becomes our own tree; what is outside the safe part is named.

Safe are integers and arrays of them, control flow without jumps, and calls: nothing that
could write outside its own function, wait, or read what is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.chains import Operand, joined, ladder
from zermelo.languages.nets.read.prod.expressions import STRENGTHS
from zermelo.languages.nets.read.prod.numbers import character, number
from zermelo.text.source import NOWHERE, Span

MOST_LEVELS: Final = 120

# The parser's nodes have no types.
_Node: TypeAlias = Any

_NOT_GROUPED: Final = frozenset({"/", "%", "<<", ">>", "==", "!=", "<", ">", "<=", ">="})
_INTEGERS: Final = frozenset({"int", "long", "short", "char", "signed", "unsigned", "_Bool"})


class _Refusal(Exception):
    """Something that is not read, in words."""

    def __init__(self, what: str, span: Span) -> None:
        super().__init__(what)
        self.what = what
        self.span = span


class Converter:
    """Converts the declarations of one text of C."""

    def __init__(self, span_of_line: Callable[[int], Span]) -> None:
        self._span_of_line = span_of_line
        self._types: set[str] = set()
        self.unsigned: Span | None = None
        """Where `unsigned` is written first."""

    def declarations(self, parsed: _Node) -> tuple[tree.Declaration, ...]:
        """The functions and tables among what was *parsed*."""
        found: list[tree.Declaration] = []
        for node in parsed.ext:
            try:
                _check_depth(node, self._span(node))
                found.extend(self._declaration(node))
            except _Refusal as refusal:
                found.append(tree.Refused(_name(node), refusal.what, span=refusal.span))
        return tuple(found)

    # Declarations

    def _declaration(self, node: _Node) -> Iterator[tree.Declaration]:
        match _kind(node):
            case "FuncDef":
                yield self._function(node)
            case "Typedef":
                if not self._is_integer(node.type):
                    raise self._refusal("a type that is no integer", node)
                self._types.add(node.name)
            case "Decl" if _kind(node.type) == "FuncDecl":
                yield tree.Function(node.name, self._parameters(node.type), span=self._span(node))
            case "Decl" if _kind(node.type) == "Enum":
                yield from self._enumerators(node.type)
            case "Decl" if node.name is None:
                raise self._refusal("a declaration of a type", node)
            case "Decl":
                yield self._variable(node)
            case "Pragma":
                return
            case other:
                raise self._refusal(_words(other), node)

    def _enumerators(self, node: _Node) -> Iterator[tree.Declare]:
        base: tree.Expr = tree.Number(0)
        more = 0
        for each in () if node.values is None else node.values.enumerators:
            span = self._span(each)
            if each.value is not None:
                base, more = self._expr(each.value), 0
            value = tree.Binary("+", base, tree.Number(more, span=span), span=span)
            yield tree.Declare(each.name, (), value if more else base, span=span)
            more += 1

    def _function(self, node: _Node) -> tree.Function:
        declared = node.decl
        result = declared.type.type
        if _kind(result) == "TypeDecl" and self._names(result) == ["void"]:
            raise self._refusal("a function without a value", declared)
        if not self._is_integer(result):
            raise self._refusal("a function whose value is no integer", declared)
        if node.param_decls:
            raise self._refusal("a function head of the old style", declared)
        parameters = self._parameters(declared.type)
        body = self._statement(node.body)
        block = body if isinstance(body, tree.Block) else tree.Block((body,))
        fixed = tuple(each.name for each in _arguments(declared.type) if _is_const(each))
        return tree.Function(declared.name, parameters, block, fixed, span=self._span(declared))

    def _parameters(self, node: _Node) -> tuple[str, ...]:
        names: list[str] = []
        for each in _arguments(node):
            if _kind(each) == "EllipsisParam":
                raise self._refusal("a function with any number of arguments", each)
            if _kind(each) == "ID":
                raise self._refusal("a function head of the old style", each)
            if _kind(each.type) == "TypeDecl" and self._names(each.type) == ["void"]:
                continue
            if _kind(each.type) in ("PtrDecl", "ArrayDecl"):
                raise self._refusal("an array or a pointer as a parameter", each)
            if not self._is_integer(each.type):
                raise self._refusal("a parameter that is no integer", each)
            names.append(each.name or f"_{len(names)}")
        return tuple(names)

    def _variable(self, node: _Node) -> tree.Declare:
        dimensions: list[tree.Expr | None] = []
        inner = node.type
        while _kind(inner) == "ArrayDecl":
            dimensions.append(None if inner.dim is None else self._expr(inner.dim))
            inner = inner.type
        if not self._is_integer(inner):
            what = "a pointer" if _kind(inner) == "PtrDecl" else "a variable that is no integer"
            raise self._refusal(what, node)
        init = None if node.init is None else self._init(node.init)
        return tree.Declare(
            node.name,
            tuple(dimensions),
            init,
            is_extern="extern" in node.storage and init is None,
            is_const=_is_const(node),
            span=self._span(node),
        )

    def _init(self, node: _Node) -> tree.Init:
        if _kind(node) == "InitList":
            items = tuple(self._init(each) for each in node.exprs)
            return tree.InitList(items, span=self._span(node))
        if _kind(node) == "NamedInitializer":
            raise self._refusal("a value with the name of its place", node)
        return self._expr(node)

    def _is_integer(self, node: _Node) -> bool:
        names = self._names(node) if _kind(node) == "TypeDecl" else None
        if names is None:
            return False
        if "unsigned" in names and self.unsigned is None:
            self.unsigned = self._span(node.type)
        return all(name in _INTEGERS or name in self._types for name in names)

    def _names(self, node: _Node) -> list[str] | None:
        return list(node.type.names) if _kind(node.type) == "IdentifierType" else None

    # Statements

    def _statements(self, nodes: Sequence[_Node] | None) -> tuple[tree.Statement, ...]:
        return tuple(each for node in nodes or () for each in self._several(node))

    def _several(self, node: _Node) -> Iterator[tree.Statement]:
        """A statement, or those that a list of declarations or expressions is."""
        match _kind(node):
            case "DeclList":
                for each in node.decls:
                    yield self._local(each)
            case "ExprList":
                for each in node.exprs:
                    yield from self._several(each)
            case "EmptyStatement" | "Pragma":
                return
            case "Decl":
                yield self._local(node)
            case _:
                yield self._statement(node)

    def _local(self, node: _Node) -> tree.Statement:
        if _kind(node) != "Decl" or node.name is None or _kind(node.type) == "FuncDecl":
            raise self._refusal("a declaration inside a function that is no variable", node)
        if "static" in node.storage or "extern" in node.storage:
            raise self._refusal("a local variable that is `static` or `extern`", node)
        return self._variable(node)

    def _statement(self, node: _Node) -> tree.Statement:
        span = self._span(node)
        match _kind(node):
            case "Compound":
                return tree.Block(self._statements(node.block_items), span=span)
            case "If":
                no = None if node.iffalse is None else self._inner(node.iffalse)
                yes = self._inner(node.iftrue)
                return tree.If(self._expr(node.cond), yes, no, span=span)
            case "For" | "While" | "DoWhile":
                return self._loop(node)
            case "Switch":
                return tree.Switch(self._expr(node.cond), self._cases(node), span=span)
            case "Return":
                if node.expr is None:
                    raise self._refusal("a `return` without a value", node)
                return tree.Return(self._expr(node.expr), span=span)
            case "Break":
                return tree.Break(span=span)
            case "Continue":
                return tree.Continue(span=span)
            case _:
                return self._effect(node)

    def _inner(self, node: _Node) -> tree.Statement:
        """The one statement behind ``if`` or a loop."""
        found = tuple(self._several(node))
        return found[0] if len(found) == 1 else tree.Block(found, span=self._span(node))

    def _loop(self, node: _Node) -> tree.Loop:
        kind = _kind(node)
        first: tuple[tree.Statement, ...] = ()
        step: tuple[tree.Statement, ...] = ()
        if kind == "For":
            first = () if node.init is None else self._statements([node.init])
            step = () if node.next is None else self._statements([node.next])
        test = None if node.cond is None else self._expr(node.cond)
        body = self._inner(node.stmt)
        return tree.Loop(first, test, step, body, kind != "DoWhile", span=self._span(node))

    def _cases(self, node: _Node) -> tuple[tree.Case, ...]:
        body = node.stmt
        if _kind(body) != "Compound":
            raise self._refusal("a `switch` without braces", node)
        found: list[tree.Case] = []
        for each in body.block_items or ():
            if _kind(each) == "Case":
                values: tuple[tree.Expr | None, ...] = (self._expr(each.expr),)
            elif _kind(each) == "Default":
                values = (None,)
            else:
                raise self._refusal("a statement before the first `case`", each)
            found.append(tree.Case(values, self._statements(each.stmts), span=self._span(each)))
        return tuple(found)

    def _effect(self, node: _Node) -> tree.Statement:
        """An expression as a statement: an assignment, a step, or a call."""
        span = self._span(node)
        match _kind(node):
            case "Assignment":
                op = node.op[:-1]
                return tree.Assign(
                    self._target(node.lvalue), op, self._expr(node.rvalue), span=span
                )
            case "UnaryOp" if node.op in ("++", "--", "p++", "p--"):
                one = tree.Number(1, span=span)
                return tree.Assign(self._target(node.expr), node.op[-1], one, span=span)
            case "Goto" | "Label" as kind:
                raise self._refusal(_words(kind), node)
            case "Case" | "Default":
                raise self._refusal("a `case` inside another statement", node)
            case _:
                return tree.Evaluate(self._expr(node), span=span)

    def _target(self, node: _Node) -> tree.Name | tree.Index:
        target = self._expr(node)
        if not isinstance(target, tree.Name | tree.Index):
            raise self._refusal("an assignment to something that is no variable", node)
        return target

    # Expressions

    def _expr(self, node: _Node) -> tree.Expr:
        span = self._span(node)
        match _kind(node):
            case "Constant":
                return self._constant(node)
            case "ID":
                return tree.Name(node.name, span=span)
            case "BinaryOp":
                return self._chain(node)
            case "UnaryOp":
                return self._unary(node)
            case "TernaryOp":
                return self._ladder(node)
            case "ArrayRef":
                return self._index(node)
            case "FuncCall":
                return self._call(node)
            case "Cast":
                if not self._is_integer(node.to_type.type):
                    raise self._refusal("a cast to something that is no integer", node)
                return self._expr(node.expr)
            case other:
                raise self._refusal(_words(other), node)

    def _chain(self, node: _Node) -> tree.Expr:
        """``a + b + …``, which is long and not deep."""
        others: list[Operand] = []
        first = node
        while _goes_on(first, node):
            others.append((first.op, self._expr(first.right)))
            first = first.left
        return joined(self._expr(first), others[::-1])

    def _ladder(self, node: _Node) -> tree.Expr:
        """``a ? x : b ? y : …``, which is long and not deep."""
        rungs: list[tuple[tree.Expr, tree.Expr]] = []
        while _kind(node) == "TernaryOp":
            rungs.append((self._expr(node.cond), self._expr(node.iftrue)))
            node = node.iffalse
        return ladder(rungs, self._expr(node))

    def _constant(self, node: _Node) -> tree.Expr:
        if node.type == "string" or "float" in node.type or "double" in node.type:
            raise self._refusal(
                "a text" if node.type == "string" else "a number with a fraction", node
            )
        value = character(node.value) if node.type == "char" else number(node.value)
        if isinstance(value, str):
            raise self._refusal(f"a number that has no 64-bit value ({value})", node)
        return tree.Number(value, span=self._span(node))

    def _unary(self, node: _Node) -> tree.Expr:
        if node.op not in ("-", "+", "!", "~"):
            what = {"*": "a pointer", "&": "an address", "sizeof": "`sizeof`"}.get(node.op)
            raise self._refusal(what or f"`{node.op.strip('p')}` inside an expression", node)
        operand = self._expr(node.expr)
        return tree.Unary(node.op, operand, span=self._span(node).to(operand.span))

    def _index(self, node: _Node) -> tree.Expr:
        indexes: list[tree.Expr] = []
        inner = node
        while _kind(inner) == "ArrayRef":
            indexes.append(self._expr(inner.subscript))
            inner = inner.name
        if _kind(inner) != "ID":
            raise self._refusal("an index into something that is no table", node)
        return tree.Index(inner.name, tuple(reversed(indexes)), span=self._span(node))

    def _call(self, node: _Node) -> tree.Expr:
        if _kind(node.name) != "ID":
            raise self._refusal("a call of something that is no function", node)
        arguments: Iterable[_Node] = () if node.args is None else node.args.exprs
        return tree.Call(
            node.name.name, tuple(self._expr(each) for each in arguments), span=self._span(node)
        )

    # Places

    def _span(self, node: _Node) -> Span:
        coord = getattr(node, "coord", None)
        line = getattr(coord, "line", None)
        return self._span_of_line(line) if isinstance(line, int) else NOWHERE

    def _refusal(self, what: str, node: _Node) -> _Refusal:
        return _Refusal(what, self._span(node))


def _name(node: _Node) -> str:
    """The name of what *node* declares."""
    declared = getattr(node, "decl", node)
    return getattr(declared, "name", None) or ""


def _arguments(node: _Node) -> Sequence[_Node]:
    """The parameters of a function, as they are declared."""
    return () if node.args is None else node.args.params


def _is_const(node: _Node) -> bool:
    return getattr(node, "name", None) is not None and "const" in (getattr(node, "quals", ()) or ())


def _kind(node: _Node) -> str:
    return type(node).__name__


def _words(kind: str) -> str:
    known = {
        "Assignment": "an assignment inside an expression",
        "ExprList": "a comma between expressions",
        "StructRef": "a member of a structure",
        "Struct": "a structure",
        "Union": "a union",
        "Goto": "`goto`",
        "Label": "a label",
        "CompoundLiteral": "a literal of a structure or an array",
        "StaticAssert": "`_Static_assert`",
        "InitList": "a list of values here",
    }
    return known.get(kind, "this")


def _goes_on(node: _Node, chain: _Node) -> bool:
    """Whether *node* is a part of the *chain* whose last operator is given."""
    return _kind(node) == "BinaryOp" and STRENGTHS[node.op] == STRENGTHS[chain.op]


def _check_depth(node: _Node, span: Span) -> None:
    """Refuse what is nested too deeply, without going down by recursion."""
    level = [node]
    for _ in range(MOST_LEVELS):
        level = [child for each in level for child in _inside(each)]
        if not level:
            return
    raise _Refusal(f"what is nested more than {MOST_LEVELS} levels deep", span)


def _inside(node: _Node) -> Iterator[_Node]:
    """What stands in *node*, one level deeper; chains of operators have one level."""
    chain = node
    while True:
        same = _same_level(node, chain)
        yield from (child for _, child in node.children() if child is not same)
        if same is None:
            return
        node = same


def _same_level(node: _Node, chain: _Node) -> _Node | None:
    """What stands in *node* and goes on with the *chain*, as long as chains can be grouped."""
    match _kind(node):
        case "BinaryOp" if node.op not in _NOT_GROUPED and _goes_on(node.left, chain):
            return node.left
        case "TernaryOp" if _kind(node.iffalse) == "TernaryOp":
            return node.iffalse
        case _:
            return None
