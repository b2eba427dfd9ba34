"""C becomes declarations: functions and tables, in a safe part of the language.

Safe are integers and arrays of them, control flow without jumps, and calls. A declaration that
holds something else is refused, and everything around it is read. The place of a statement is
its first word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_expressions import (
    CALLS_OF_A_LEVEL,
    KEYWORDS,
    MOST_NESTED,
    CDeclarator,
    CExpressionReader,
    CParameter,
    CSpecifiers,
    first_place,
    no_c,
)
from zermelo.languages.nets.read.prod.expressions import NotUnderstood
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind
from zermelo.text import codes
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.source import Span

MOST_TOKENS: Final = 100_000
_NO_VARIABLE: Final = "a declaration inside a function that is no variable"


def declarations(
    tokens: Sequence[NetToken], said: list[Diagnostic]
) -> tuple[tree.Declaration, ...]:
    tokens = [each for each in tokens if each.kind not in (TokenKind.LINE_END, TokenKind.END)]
    stray = next((each for each in tokens if each.kind is TokenKind.OTHER), None)
    if stray is not None:
        words = f"`{stray.text}` is used nowhere in a net"
        label = Label(stray.span, "not understood")
        said.append(Diagnostic(codes.STRAY_CHARACTER, words, primary=label))
        return ()
    if not any(each.kind is not TokenKind.SIGN or each.text != ";" for each in tokens):
        return ()
    if len(tokens) > MOST_TOKENS:
        words = f"there is too much C here: {len(tokens):,} tokens, and {MOST_TOKENS:,} are read"
        said.append(Diagnostic(codes.OUTSIDE_C_SUBSET, words, primary=Label(tokens[0].span)))
        return ()
    parser = _CParser([*tokens, NetToken(TokenKind.END, "", tokens[-1].span)])
    try:
        found = tuple(parser.declarations())
    except NotUnderstood as fault:
        said.append(fault.said)
        return ()
    except RecursionError:
        said.append(no_c(tokens[0].span, "something behind this is nested too deeply").said)
        return ()
    if parser.unsigned is not None:
        said.append(
            Diagnostic(
                codes.UNSIGNED_AS_SIGNED,
                "numbers are signed here and have 64 bits, also where `unsigned` is written",
                primary=Label(parser.unsigned),
            )
        )
    return found


class _CParser(CExpressionReader):
    def __init__(self, tokens: Sequence[NetToken]) -> None:
        super().__init__(tokens)
        self._is_inside = False

    def declarations(self) -> Iterator[tree.Declaration]:
        while self.now.kind is not TokenKind.END:
            self._begin()
            if self.now.is_name("_Static_assert"):
                self._static_assert()
                yield from self._declared("", self.now.span, None)
            elif not self.takes(";"):
                yield from self._external()

    def _static_assert(self) -> None:
        self._refuse("`_Static_assert`", self.take().span)
        self._skip_brackets()
        self.expect(";")

    def _external(self) -> Iterator[tree.Declaration]:
        if not self._begins_declaration():
            # As in old C, a function without a type.
            declared = self._declarator()
            if not self.now.is_sign("{"):
                raise no_c(declared.span)
            yield self._function(CSpecifiers(types=["int"]), declared)
            return
        types = self._specifiers()
        if self._has_no_declarator(types):
            if types.tag != "enum":
                self._refuse("a declaration of a type", types.span)
            self.expect(";")
            yield from types.enumerators
            yield from self._declared("", types.span, None)
            return
        declared = self._declarator()
        if self.now.is_sign("{") or self._begins_declaration():
            yield self._function(types, declared)
            return
        while True:
            yield from self._declared(declared.name, declared.span, self._global(types, declared))
            if not self.takes(","):
                break
            self._begin()
            declared = self._declarator()
        self.expect(";")

    def _begin(self) -> None:
        self._refusal, self._is_too_deep, self._nested = None, False, 0

    def _declared(
        self, name: str, span: Span, found: tree.Declaration | None
    ) -> Iterator[tree.Declaration]:
        if self._is_too_deep:
            self._refusal = f"what is nested more than {MOST_NESTED} levels deep", span
        if self._refusal is not None:
            what, span = self._refusal
            yield tree.OutsideSubset(name, what, span=span)
        elif found is not None:
            yield found

    def _global(self, types: CSpecifiers, declared: CDeclarator) -> tree.Declaration | None:
        if "typedef" in types.storage:
            is_integer = not declared.made_of and self._is_integer(types)
            if not is_integer:
                self._refuse("a type that is no integer", declared.span)
            self._types[declared.name] = is_integer
            return None
        if declared.is_function:
            self._hide_type(declared)
            names = self._parameter_names(declared.made_of[0].parameters)
            return tree.CFunction(declared.name, names, span=declared.span)
        return self._variable(types, declared)

    def _function(self, types: CSpecifiers, declared: CDeclarator) -> tree.Declaration:
        span, is_plain = declared.span, declared.is_function and len(declared.made_of) == 1
        if is_plain and types.types == ["void"]:
            self._refuse("a function without a value", span)
        elif not is_plain or not self._is_integer(types):
            self._refuse("a function whose value is no integer", span)
        parameters = declared.made_of[0].parameters if declared.is_function else ()
        self._hide_type(declared)
        known, self._types, self._is_inside = self._types, dict(self._types), True
        while self._begins_declaration():
            self._refuse("a function head of the old style", span)
            self._locals()
        names = self._parameter_names(parameters)
        if not self.now.is_sign("{") or "typedef" in types.storage:
            raise no_c(span)
        for each in parameters:
            self._hide_type(each.declarator)
        self._nested = 1
        body = self._block()
        self._types, self._is_inside = known, False
        fixed = tuple(
            each.declarator.name
            for each in parameters
            if each.declarator.name and "const" in each.types.qualifiers
        )
        found = tree.CFunction(declared.name, names, body, fixed, span=span)
        return next(self._declared(declared.name, span, found))

    def _parameter_names(self, parameters: Iterable[CParameter]) -> tuple[str, ...]:
        names: list[str] = []
        for each in parameters:
            made_of, span = each.declarator.made_of, each.declarator.span
            if each.problem:
                self._refuse(each.problem, span)
            elif not made_of and each.types.types == ["void"]:
                continue
            elif made_of and not each.declarator.is_function:
                self._refuse("an array or a pointer as a parameter", span)
            elif made_of or not self._is_integer(each.types):
                self._refuse("a parameter that is no integer", span)
            names.append(each.declarator.name or f"_{len(names)}")
        return tuple(names)

    def _variable(self, types: CSpecifiers, declared: CDeclarator) -> tree.CVariable:
        sizes = tuple(each.size for each in takewhile(lambda p: p.sign == "[", declared.made_of))
        rest = declared.made_of[len(sizes) :]
        if rest and rest[0].sign == "*":
            self._refuse("a pointer", declared.span)
        elif rest or not self._is_integer(types):
            self._refuse("a variable that is no integer", declared.span)
        if not types.types and not types.tag:
            raise no_c(declared.span)
        init = self._init() if self.takes("=") else None
        self._hide_type(declared)
        return tree.CVariable(
            declared.name,
            sizes,
            init,
            is_extern="extern" in types.storage and init is None,
            is_const="const" in types.qualifiers,
            span=declared.span,
        )

    def _hide_type(self, declared: CDeclarator) -> None:
        """From now on the name is no type; outside of functions it cannot be both."""
        if self._types.pop(declared.name, None) is not None and not self._is_inside:
            raise no_c(declared.span)

    def _has_no_declarator(self, types: CSpecifiers) -> bool:
        """Whether only *types* are declared, which must be more than words then."""
        is_name = self.now.kind is TokenKind.NAME and self.now.text not in KEYWORDS
        if is_name or self.now.is_sign("*", "("):
            return False
        if not types.tag:
            raise no_c(types.span if types.types else self.now.span)
        return True

    def _block(self) -> tree.Block:
        start = self.expect("{")
        return tree.Block(self._in_scope(self._items), span=start.span)

    def _items(self) -> tuple[tree.Statement, ...]:
        found: list[tree.Statement] = []
        while not self.takes("}"):
            found.extend(self._item())
        return tuple(found)

    def _item(self) -> tuple[tree.Statement, ...]:
        return self._locals() if self._begins_declaration() else self._statement()

    def _in_scope(
        self, read: Callable[[], tuple[tree.Statement, ...]]
    ) -> tuple[tree.Statement, ...]:
        """What *read* gives; the names of variables in it hide types only there."""
        known, self._types = self._types, dict(self._types)
        self._nested += 1
        found = read()
        self._nested -= 1
        self._types = known
        return found

    def _locals(self) -> tuple[tree.Statement, ...]:
        types = self._specifiers()
        found: list[tree.Statement] = []
        if self._has_no_declarator(types):
            self._refuse(_NO_VARIABLE, types.span)
        else:
            found = self._listed(lambda: self._local(types, self._declarator()))
        self.expect(";")
        return tuple(found)

    def _local(self, types: CSpecifiers, declared: CDeclarator) -> tree.Statement:
        if declared.is_function or "typedef" in types.storage:
            self._refuse(_NO_VARIABLE, declared.span)
        elif types.storage & {"static", "extern"}:
            self._refuse("a local variable that is `static` or `extern`", declared.span)
        if "typedef" in types.storage:
            self._types[declared.name] = False
            return tree.CVariable(declared.name, span=declared.span)
        return self._variable(types, declared)

    def _statement(self) -> tuple[tree.Statement, ...]:
        """A statement, or those that a list of expressions is; none for ``;`` alone."""
        return self._stack.deeper(CALLS_OF_A_LEVEL, self._read_statement)

    def _read_statement(self) -> tuple[tree.Statement, ...]:
        word = self.now
        match word.text if word.kind is TokenKind.NAME else "":
            case "if":
                return (self._if(),)
            case "while" | "do":
                return (self._while(),)
            case "for":
                return self._in_scope(self._for)
            case "switch":
                return (self._switch(),)
            case "return":
                return (self._return(),)
            case "break" | "continue":
                self.take()
                self.expect(";")
                made = ir.Break if word.text == "break" else ir.Continue
                return (made(span=word.span),)
            case "goto":
                self.take()
                self._refuse("`goto`", word.span)
                self.name()
                self.expect(";")
                return ()
            case "_Static_assert":
                self._static_assert()
                return ()
            case "case" | "default":
                self._refuse("a `case` inside another statement", word.span)
                self._label()
                return ()
            case _:
                return self._other_statement()

    def _other_statement(self) -> tuple[tree.Statement, ...]:
        if self.now.is_sign("{"):
            return (self._block(),)
        if self.now.kind is TokenKind.NAME and self.peek().is_sign(":"):
            self._refuse("a label", self.name().span)
            self.take()
            return ()
        found = self._effects() if self._begins_expression() else ()
        self.expect(";")
        return found

    def _inner(self) -> tree.Statement:
        start = self.now
        self._nested += 1
        found = self._statement()
        self._nested -= 1
        return found[0] if len(found) == 1 else tree.Block(found, span=start.span)

    def _test(self) -> ir.Expr:
        self.expect("(")
        found = self._between()
        self.expect(")")
        return found

    def _if(self) -> tree.If:
        word, test, yes = self.take(), self._test(), self._inner()
        no = None
        if self.now.is_name("else"):
            self.take()
            no = self._inner()
        return tree.If(test, yes, no, span=word.span)

    def _while(self) -> tree.Loop:
        word = self.take()
        if word.text == "while":
            test, body = self._test(), self._inner()
        else:
            body = self._inner()
            if not self.now.is_name("while"):
                raise self.fault()
            self.take()
            test = self._test()
            self.expect(";")
        return tree.Loop((), test, (), body, word.text == "while", span=word.span)

    def _for(self) -> tuple[tree.Statement, ...]:
        word = self.take()
        self.expect("(")
        if self._begins_declaration():
            first = self._locals()
        else:
            first = self._effects() if self._begins_expression() else ()
            self.expect(";")
        test = self._between() if self._begins_expression() else None
        self.expect(";")
        step = self._effects() if self._begins_expression() else ()
        self.expect(")")
        return (tree.Loop(first, test, step, self._inner(), span=word.span),)

    def _switch(self) -> tree.Switch:
        word, value = self.take(), self._test()
        cases: list[tree.Case] = []
        if not self.now.is_sign("{"):
            self._refuse("a `switch` without braces", word.span)
            self._inner()
            return tree.Switch(value, (), span=word.span)
        self.take()
        known, self._types = self._types, dict(self._types)
        self._nested += 2
        while not self.takes("}"):
            start = self.now
            if start.is_name("case", "default"):
                cases.append(tree.Case(self._label(), (), span=start.span))
                continue
            found = self._item()
            if cases:
                cases[-1] = tree.Case(cases[-1].value, cases[-1].body + found, span=cases[-1].span)
            else:
                self._refuse("a statement before the first `case`", start.span)
        self._nested -= 2
        self._types = known
        return tree.Switch(value, tuple(cases), span=word.span)

    def _label(self) -> ir.Expr | None:
        value = self.expression() if self.take().text == "case" else None
        self.expect(":")
        return value

    def _return(self) -> ir.Return:
        word = self.take()
        if self.now.is_sign(";"):
            self._refuse("a `return` without a value", word.span)
            value: ir.Expr = ir.Const(0)
        else:
            value = self._between()
        self.expect(";")
        return ir.Return(value, span=word.span)

    def _effects(self) -> tuple[tree.Statement, ...]:
        return tuple(self._listed(self._expression_statement))

    def _expression_statement(self) -> tree.Statement:
        expr, effect = self.expression(), self._effect
        if effect is not None and effect.placeholder is expr:
            self._refusal = effect.refusal
            return effect.statement
        return ir.Evaluate(expr, span=first_place(expr))
