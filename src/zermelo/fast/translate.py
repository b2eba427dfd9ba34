"""Functions on whole numbers, from Python's syntax to LLVM's language.

There is one type, the signed 64-bit number, so nothing has to be inferred. Every local variable
gets a place on the stack; LLVM turns places into registers.

Code can be made with checks (see `zermelo.fast.checked`): each access to memory, each call by
address, and each operation that Python would do otherwise is then preceded by a test. Where one
fails, that is reported, and this function and all that called it return at once.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

from zermelo.fast import bits
from zermelo.fast.prelude import HOST, PREFIX, Target, operand_count, primitive_definitions

_LEAST, _MOST = -(2**63), 2**63 - 1


class NotAUnit(ValueError):
    """The source of a unit contains what cannot be compiled; the text says what and where."""


def symbol(name: str) -> str:
    """What the function *name* of a unit is called in compiled code.

    PTX takes letters, digits and `_` only, so no target gets anything else.
    """
    return f"zermelo_{name}"


def signatures(source: str) -> dict[str, int]:
    result = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef):
            raise _refusal(node, "a unit has functions and nothing else")
        plain = node.args
        if plain.defaults or plain.vararg or plain.kwonlyargs or plain.kwarg:
            raise _refusal(node, "a parameter has no default and no star")
        result[node.name] = len(plain.args)
    return result


def to_llvm(
    source: str,
    constants: Mapping[str, int],
    inline: Sequence[str] = (),
    *,
    checks: str = "",
    target: Target = HOST,
) -> str:
    """The module that *source* becomes; with *checks*, the functions that checked code calls."""
    known = signatures(source)
    used: set[str] = set()
    texts = []
    for number, node in enumerate(ast.parse(source).body):
        assert isinstance(node, ast.FunctionDef)
        if checks:
            function: _FunctionTranslator = _CheckedTranslator(node, known, constants, number)
        else:
            function = _FunctionTranslator(node, known, constants)
        texts.append(function.text(is_inline=node.name in inline))
        used |= function.used
    for node in ast.parse(checks).body:
        assert isinstance(node, ast.FunctionDef)
        function = _FunctionTranslator(node, {}, {})
        texts.append(function.text(is_inline=False))
        used |= function.used
    texts += [_CHECKED_MODULE] if checks else []
    absent = sorted(used - target.bodies.keys())
    if absent:
        raise NotAUnit(f"{target.name} has no {absent[0]}")
    return primitive_definitions(sorted(used), target) + "\n".join(texts)


def _refusal(node: ast.AST, why: str) -> NotAUnit:
    return NotAUnit(f"line {getattr(node, 'lineno', 0)}: {why}")


_BINARY = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}


_COMPARED = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


class _FunctionTranslator:
    """One function while it is translated."""

    def __init__(
        self, node: ast.FunctionDef, functions: Mapping[str, int], constants: Mapping[str, int]
    ) -> None:
        self.node = node
        self.functions = functions
        self.constants = constants
        self.used: set[str] = set()
        """The primitives that it calls."""
        self.lines: list[str] = []
        self.places: dict[str, str] = {}
        self.count = 0
        self.loops: list[tuple[str, str]] = []
        """For each loop around the statement: where `continue` and where `break` go."""

    def text(self, *, is_inline: bool) -> str:
        node = self.node
        names = [parameter.arg for parameter in node.args.args]
        for i, name in enumerate(names):
            self.write(f"store i64 %p{i}, ptr {self.place(name)}")
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.place(inner.id)
        self.block(node.body)
        self.write("ret i64 0")
        parameters = ", ".join(f"i64 %p{i}" for i in range(len(names)))
        attributes = "alwaysinline nounwind" if is_inline else "nounwind"
        head = f"define i64 @{symbol(node.name)}({parameters}) {attributes} {{"
        places = [f"{place} = alloca i64" for place in self.places.values()]
        zeros = [f"store i64 0, ptr {place}" for place in self.places.values()]
        return "\n".join((head, *places, *zeros, *self.lines, "}", ""))

    def write(self, line: str) -> None:
        self.lines.append(line)

    def give(self, instruction: str) -> str:
        self.count += 1
        self.write(f"%v{self.count} = {instruction}")
        return f"%v{self.count}"

    def label(self) -> str:
        self.count += 1
        return f"L{self.count}"

    def begin(self, label: str) -> None:
        """Begin the block *label*; what came before falls through into it."""
        self.jump(label, label)

    def jump(self, label: str, following: str) -> None:
        """Go to *label*; after that the block *following* begins."""
        self.write(f"br label %{label}\n{following}:")

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.write(f"br i1 {condition}, label %{yes}, label %{no}")

    def place(self, name: str) -> str:
        return self.places.setdefault(name, f"%x{len(self.places)}")

    # Statements.

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left = self.give(f"load i64, ptr {self.place(name)}")
                result = self.binary(node, op, (left, self.value(value)))
                self.write(f"store i64 {result}, ptr {self.place(name)}")
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.value(value)
            case ast.Return(value=value):
                self.write(f"ret i64 {'0' if value is None else self.value(value)}")
                self.write(f"{self.label()}:")
            case _:
                self.flow(node)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self.write(f"store i64 {self.value(value)}, ptr {self.place(name)}")
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                results = [self.value(each) for each in values]
                for each, result in zip(targets, results, strict=True):
                    if not isinstance(each, ast.Name):
                        raise _refusal(each, "only names are assigned to")
                    self.write(f"store i64 {result}, ptr {self.place(each.id)}")
            case _:
                raise _refusal(target, "only names are assigned to")

    def flow(self, node: ast.stmt) -> None:
        match node:
            case ast.If():
                self.alternatives(node)
            case ast.While(test=test, body=body, orelse=[]):
                head, inside, end = self.label(), self.label(), self.label()
                self.begin(head)
                self.decide(test, inside, end)
                self.write(f"{inside}:")
                self.repeat(body, (head, end))
                self.jump(head, end)
            case ast.For(target=ast.Name(id=name), body=body, orelse=[]):
                self.count_through(node, name, body)
            case ast.Break() if self.loops:
                self.jump(self.loops[-1][1], self.label())
            case ast.Continue() if self.loops:
                self.jump(self.loops[-1][0], self.label())
            case _:
                raise _refusal(node, f"a unit has no {type(node).__name__}")

    def alternatives(self, node: ast.If) -> None:
        """`if`, `elif`, `else`; a loop, since a long list of them is nested deeply."""
        end = self.label()
        others: Sequence[ast.stmt] = [node]
        while len(others) == 1 and isinstance(others[0], ast.If):
            node = others[0]
            yes, no = self.label(), self.label()
            self.decide(node.test, yes, no)
            self.write(f"{yes}:")
            self.block(node.body)
            self.jump(end, no)
            others = node.orelse
        self.block(others)
        self.begin(end)

    def repeat(self, body: Sequence[ast.stmt], targets: tuple[str, str]) -> None:
        self.loops.append(targets)
        self.block(body)
        self.loops.pop()

    def count_through(self, node: ast.For, name: str, body: Sequence[ast.stmt]) -> None:
        """`for name in range(…)`: a hidden counter, since the body may assign to *name*."""
        first, limit, step = self.bounds(node)
        counter = self.place(f"{name} in line {node.lineno}, {node.col_offset}")
        head, inside, following, end = (self.label() for _ in range(4))
        self.write(f"store i64 {first}, ptr {counter}")
        self.begin(head)
        now = self.give(f"load i64, ptr {counter}")
        goes_on = self.give(f"icmp {'slt' if step > 0 else 'sgt'} i64 {now}, {limit}")
        self.branch(goes_on, inside, end)
        self.write(f"{inside}:")
        self.write(f"store i64 {now}, ptr {self.place(name)}")
        self.repeat(body, (following, end))
        self.begin(following)
        # The counter is below its limit, so one step of 1 cannot leave 64 bits.
        sure = "nsw " if abs(step) == 1 else ""
        after = self.give(f"add {sure}i64 {now}, {step}")
        self.write(f"store i64 {after}, ptr {counter}")
        self.jump(head, end)

    def bounds(self, node: ast.For) -> tuple[str, str, int]:
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[last], keywords=[]):
                return "0", self.value(last), 1
            case ast.Call(func=ast.Name(id="range"), args=[first, last], keywords=[]):
                return self.value(first), self.value(last), 1
            case ast.Call(func=ast.Name(id="range"), args=[first, last, step], keywords=[]):
                by = self.value(step)
                if by.lstrip("-").isdigit() and int(by):
                    return self.value(first), self.value(last), int(by)
            case _:
                pass
        raise _refusal(node, "a loop counts through a range, by a constant step")

    # Values: each gives the name of a 64-bit number, or the number itself.

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | int() as number):
                return self.number(node, int(number))
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.BinOp():
                return self.chain(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return self.number(node, -number)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.give(f"sub i64 0, {self.value(operand)}")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.give(f"xor i64 {self.value(operand)}, -1")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self.give(f"zext i1 {self.condition(node)} to i64")
            case _:
                return self.compound(node)

    def compound(self, node: ast.expr) -> str:
        match node:
            case ast.BoolOp(op=op, values=values):
                return self.shortened(op, values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                yes, no, end = self.label(), self.label(), self.label()
                self.decide(test, yes, no)
                result = self.place(f"result {end}")
                self.write(f"{yes}:")
                self.write(f"store i64 {self.value(body)}, ptr {result}")
                self.jump(end, no)
                self.write(f"store i64 {self.value(orelse)}, ptr {result}")
                self.begin(end)
                return self.give(f"load i64, ptr {result}")
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(node, name, [self.value(each) for each in arguments])
            case _:
                raise _refusal(node, f"a unit has no {type(node).__name__}")

    def number(self, node: ast.AST, number: int) -> str:
        if not _LEAST <= number <= _MOST:
            raise _refusal(node, f"{number} is not a signed 64-bit number")
        return str(number)

    def name(self, node: ast.AST, name: str) -> str:
        if name in self.places:
            return self.give(f"load i64, ptr {self.places[name]}")
        if name in self.constants:
            return self.number(node, self.constants[name])
        raise _refusal(node, f"{name} is neither a variable nor a constant")

    def chain(self, node: ast.expr) -> str:
        """`a + b + …`, from the left; a loop, since a long sum is nested deeply."""
        chain = []
        while isinstance(node, ast.BinOp):
            chain.append(node)
            node = node.left
        result = self.value(node)
        for each in reversed(chain):
            result = self.binary(each, each.op, (result, self.value(each.right)))
        return result

    def binary(self, node: ast.AST, op: ast.operator, pair: tuple[str, str]) -> str:
        left, right = pair
        if type(op) in _BINARY:
            self.before_operation(node, op, pair)
            return self.give(f"{_BINARY[type(op)]} i64 {left}, {right}")
        if isinstance(op, ast.FloorDiv | ast.Mod):
            self.before_operation(node, op, pair)
            return self.divided(left, right, is_rest=isinstance(op, ast.Mod))
        raise _refusal(node, f"a unit has no {type(op).__name__}")

    def divided(self, left: str, right: str, *, is_rest: bool) -> str:
        """Division that rounds down. A divisor of 0 gives 0, where Python would stop."""
        is_sure = right.isdigit() and int(right) > 0
        if is_sure and int(right).bit_count() == 1:
            if is_rest:
                return self.give(f"and i64 {left}, {int(right) - 1}")
            return self.give(f"ashr i64 {left}, {int(right).bit_length() - 1}")
        divisor, is_simple = right, ""
        if not is_sure:
            # Processors stop at a divisor of 0, and of −1 where the quotient leaves 64 bits.
            simple = self.give(f"add i64 {right}, 1")
            is_simple = self.give(f"icmp ult i64 {simple}, 2")
            divisor = self.give(f"select i1 {is_simple}, i64 1, i64 {right}")
        quotient = self.give(f"sdiv i64 {left}, {divisor}")
        rest = self.give(f"srem i64 {left}, {divisor}")
        mixed = self.give(f"xor i64 {rest}, {divisor}")
        is_mixed = self.give(f"icmp slt i64 {mixed}, 0")
        is_inexact = self.give(f"icmp ne i64 {rest}, 0")
        is_above = self.give(f"and i1 {is_mixed}, {is_inexact}")
        if is_rest:
            more = self.give(f"select i1 {is_above}, i64 {divisor}, i64 0")
            return self.give(f"add i64 {rest}, {more}")
        less = self.give(f"sext i1 {is_above} to i64")
        result = self.give(f"add i64 {quotient}, {less}")
        if is_sure:
            return result
        # The divisor that stood in is 1, and times −1 or 0 the quotient is right for the other.
        scaled = self.give(f"mul i64 {result}, {right}")
        return self.give(f"select i1 {is_simple}, i64 {scaled}, i64 {result}")

    def call(self, node: ast.AST, name: str, operands: Sequence[str]) -> str:
        if name in self.functions:
            wanted, target = self.functions[name], symbol(name)
        elif name in {"min", "max"} and len(operands) > 1:
            return self.extreme("slt" if name == "min" else "sgt", operands)
        elif name == "abs" and len(operands) == 1:
            negative = self.give(f"sub i64 0, {operands[0]}")
            return self.extreme("sgt", (operands[0], negative))
        elif name in bits.PRIMITIVES:
            wanted, target = operand_count(name), PREFIX + name
            self.used.add(name)
        else:
            raise _refusal(node, f"there is no function {name}")
        if len(operands) != wanted:
            raise _refusal(node, f"{name} takes {wanted} arguments, not {len(operands)}")
        self.before_call(node, name, operands)
        result = self.give(f"call i64 @{target}({_arguments(operands)})")
        self.after_call(name)
        return result

    # What code with checks does besides.

    def before_operation(self, node: ast.AST, op: ast.operator, pair: tuple[str, str]) -> None:
        pass

    def before_call(self, node: ast.AST, name: str, operands: Sequence[str]) -> None:
        pass

    def after_call(self, name: str) -> None:
        pass

    def extreme(self, relation: str, operands: Sequence[str]) -> str:
        best = operands[0]
        for each in operands[1:]:
            better = self.give(f"icmp {relation} i64 {each}, {best}")
            best = self.give(f"select i1 {better}, i64 {each}, i64 {best}")
        return best

    def shortened(self, op: ast.boolop, values: Sequence[ast.expr]) -> str:
        """`and` and `or` as Python has them: the last value looked at."""
        end = self.label()
        result = self.place(f"result {end}")
        for each in values[:-1]:
            now, following = self.value(each), self.label()
            self.write(f"store i64 {now}, ptr {result}")
            holds = self.give(f"icmp ne i64 {now}, 0")
            self.branch(holds, *((following, end) if isinstance(op, ast.And) else (end, following)))
            self.write(f"{following}:")
        self.write(f"store i64 {self.value(values[-1])}, ptr {result}")
        self.begin(end)
        return self.give(f"load i64, ptr {result}")

    # Conditions: a jump to one of two blocks, or the name of a single bit.

    def decide(self, node: ast.expr, yes: str, no: str) -> None:
        """Go to *yes* if *node* holds, otherwise to *no*."""
        match node:
            case ast.BoolOp(op=op, values=[*firsts, last]):
                is_and = isinstance(op, ast.And)
                for each in firsts:
                    following = self.label()
                    self.decide(each, *((following, no) if is_and else (yes, following)))
                    self.write(f"{following}:")
                self.decide(last, yes, no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.decide(operand, no, yes)
            case _:
                self.branch(self.condition(node), yes, no)

    def condition(self, node: ast.expr) -> str:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
                pair = f"{self.value(left)}, {self.value(right)}"
                return self.give(f"icmp {_COMPARED[type(op)]} i64 {pair}")
            case ast.Compare():
                raise _refusal(node, "one of == != < <= > >= compares two numbers")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.give(f"xor i1 {self.condition(operand)}, true")
            case _:
                return self.give(f"icmp ne i64 {self.value(node)}, 0")


def _arguments(operands: Iterable[str]) -> str:
    return ", ".join(f"i64 {each}" for each in operands)


class Check(IntEnum):
    """What checked code asks before it does something."""

    MEMORY = 1
    """Whether so many bytes from an address on belong to an array."""
    CODE = 2
    """Whether there is code at an address that is called."""
    SHIFT = 3
    """Whether a number is shifted by 0 to 63 places."""
    DIVISION = 4
    """Whether a divisor is not 0."""
    OVERFLOW = 5
    """Whether the result has 64 bits, as in Python it may have more."""


class Record(IntEnum):
    """The words that checked code and `zermelo.fast.checked` have in common."""

    ARRAYS = 0
    """The address of a table of intervals: how many, then where each begins and ends."""
    CODE = 1
    """The same for the addresses that may be called."""
    TAKEN = 2
    FAILED = 3
    """Not 0 when what follows has been written."""
    UNIT = 4
    SITE = 5
    """The number of the function in its unit, and in the lower 32 bits the line."""
    CHECK = 6
    FIRST = 7
    SECOND = 8


WATCH = "watch"
"""What checked code exports besides: it takes the address of a record, and a number for itself."""
RECORD, UNIT = "@zermelo_checked_record", "@zermelo_checked_unit"
INSIDE, REPORT = "checked_inside", "checked_report"

_CHECKED_MODULE = f"""\
{RECORD} = internal global i64 0
{UNIT} = internal global i64 0
define i64 @{symbol(WATCH)}(i64 %a, i64 %b) nounwind {{
store i64 %a, ptr {RECORD}
store i64 %b, ptr {UNIT}
ret i64 0
}}
declare {{ i64, i1 }} @llvm.sadd.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.ssub.with.overflow.i64(i64, i64)
declare {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64, i64)
"""

ACCESSES: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("load", "store", "fetch_add", "fetch_or"), (8, 8)),
    **dict.fromkeys(("peek", "publish", "cas"), (8, 8)),
    "cas128": (16, 16),
    **dict.fromkeys(("load32", "store32", "peek32", "cas32"), (4, 4)),
    **dict.fromkeys(("load16", "store16"), (2, 2)),
    **dict.fromkeys(("load8", "store8"), (1, 1)),
    **dict.fromkeys(("load_any", "store_any"), (1, 8)),
}
"""The primitives that touch memory: by what they count, and how many bytes they touch."""

CALLS = ("call2", "call5")
"""The primitives that call what is at an address."""


class _CheckedTranslator(_FunctionTranslator):
    """One function while it is translated into code with checks."""

    def __init__(
        self,
        node: ast.FunctionDef,
        functions: Mapping[str, int],
        constants: Mapping[str, int],
        number: int,
    ) -> None:
        super().__init__(node, functions, constants)
        self.number_in_unit = number

    def before_operation(self, node: ast.AST, op: ast.operator, pair: tuple[str, str]) -> None:
        left, right = pair
        match op:
            case ast.Add() | ast.Sub() | ast.Mult():
                name = f"@llvm.s{_BINARY[type(op)]}.with.overflow.i64"
                both = self.give(f"call {{ i64, i1 }} {name}({_arguments(pair)})")
                leaves = self.give(f"extractvalue {{ i64, i1 }} {both}, 1")
                self.demand(self.give(f"xor i1 {leaves}, true"), node, Check.OVERFLOW, pair)
            case ast.LShift() | ast.RShift():
                self.demand(self.give(f"icmp ult i64 {right}, 64"), node, Check.SHIFT, pair)
                if isinstance(op, ast.LShift):
                    shifted = self.give(f"shl i64 {left}, {right}")
                    back = self.give(f"ashr i64 {shifted}, {right}")
                    kept = self.give(f"icmp eq i64 {back}, {left}")
                    self.demand(kept, node, Check.OVERFLOW, pair)
            case ast.FloorDiv() | ast.Mod():
                self.demand(self.give(f"icmp ne i64 {right}, 0"), node, Check.DIVISION, pair)
            case _:
                pass

    def before_call(self, node: ast.AST, name: str, operands: Sequence[str]) -> None:
        if name in self.functions:
            return
        if name in ACCESSES:
            by, size = ACCESSES[name]
            place = self.give(f"add i64 {operands[0]}, {self.give(f'mul i64 {operands[1]}, {by}')}")
            self.demand_inside(node, Check.MEMORY, (place, str(size)))
        elif name in CALLS:
            self.demand_inside(node, Check.CODE, (operands[0], "1"))

    def after_call(self, name: str) -> None:
        """Return at once where what was called has failed."""
        if name not in self.functions and name not in CALLS:
            return
        word = self.give(f"inttoptr i64 {self.give(f'load i64, ptr {RECORD}')} to ptr")
        place = self.give(f"getelementptr i64, ptr {word}, i64 {int(Record.FAILED)}")
        failed = self.give(f"load atomic i64, ptr {place} acquire, align 8")
        stop, go_on = self.label(), self.label()
        self.branch(self.give(f"icmp eq i64 {failed}, 0"), go_on, stop)
        self.write(f"{stop}:\nret i64 0\n{go_on}:")

    def demand_inside(self, node: ast.AST, check: Check, pair: tuple[str, str]) -> None:
        which = Record.CODE if check is Check.CODE else Record.ARRAYS
        record = self.give(f"load i64, ptr {RECORD}")
        operands = _arguments((record, str(int(which)), *pair))
        found = self.give(f"call i64 @{symbol(INSIDE)}({operands})")
        self.demand(self.give(f"icmp ne i64 {found}, 0"), node, check, pair)

    def demand(self, holds: str, node: ast.AST, check: Check, pair: tuple[str, str]) -> None:
        """Go on where the bit *holds* is set; otherwise report *check* of *pair*, and return."""
        good, bad = self.label(), self.label()
        self.branch(holds, good, bad)
        self.write(f"{bad}:")
        record, unit = self.give(f"load i64, ptr {RECORD}"), self.give(f"load i64, ptr {UNIT}")
        site = self.number_in_unit << 32 | getattr(node, "lineno", 0)
        operands = _arguments((record, unit, str(site), str(int(check)), *pair))
        self.give(f"call i64 @{symbol(REPORT)}({operands})")
        self.write(f"ret i64 0\n{good}:")
