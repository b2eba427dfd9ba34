"""Code for numbers: each with bounds, so that none can leave 64 bits unnoticed."""

from __future__ import annotations

from zermelo.languages.sections.ir import Abs, Ceiling, Floor, Negate, Op
from zermelo.packing.code import Refused, Writer
from zermelo.packing.code_values import LARGEST, NO, YES, CodeValue, Never, Num, Ratio, Truth

_SMALL = 1 << 31
_SIGNS = {Op.LT: "<", Op.LE: "<=", Op.GT: ">", Op.GE: ">="}


def checked(code: str, low: int, high: int) -> Num:
    if max(abs(low), abs(high)) >= LARGEST:
        raise Refused("numbers that may become too large")
    return Num(code, low, high)


def small(found: Num, writer: Writer) -> Num:
    """*found*, held below 2³¹; a turn in which it is larger is left to the interpreter."""
    if found.low > -_SMALL and found.high < _SMALL:
        return found
    if not writer.on_unsure:
        raise Refused("numbers that may become too large")
    code = writer.keep(found.code)
    where = f"{code} <= {-_SMALL} or {code} >= {_SMALL}"
    writer.stop(f"e == 0 and ({where})" if writer.may_fail else where, writer.on_unsure)
    held = writer.variable(f"min(max({code}, {1 - _SMALL}), {_SMALL - 1})", "n")
    return Num(held, max(found.low, 1 - _SMALL), min(found.high, _SMALL - 1))


def of_one(expr: Negate | Abs | Floor | Ceiling, found: Num | Ratio, writer: Writer) -> CodeValue:
    if isinstance(expr, Floor | Ceiling):
        return rounded(found, up=isinstance(expr, Ceiling)) if isinstance(found, Ratio) else found
    upper = found.upper if isinstance(found, Ratio) else found
    if isinstance(expr, Negate):
        made = Num(f"(-{upper.code})", -upper.high, -upper.low)
    else:
        code = writer.keep(upper.code)
        made = Num(f"({code} if {code} >= 0 else -{code})", 0, _reach(upper))
    return Ratio(made, found.lower) if isinstance(found, Ratio) else made


def _reach(found: Num) -> int:
    return max(abs(found.low), abs(found.high))


def rounded(found: Ratio, *, up: bool) -> Num:
    size = _reach(found.upper)
    if up:
        return Num(f"(-((-{found.upper.code}) // {found.lower.code}))", -size, size)
    return Num(f"({found.upper.code} // {found.lower.code})", -size, size)


def of_two(op: Op, a: Num | Ratio, b: Num | Ratio, writer: Writer) -> CodeValue:
    if isinstance(a, Ratio) or isinstance(b, Ratio):
        return _of_ratios(op, a, b, writer)
    if max(_reach(a), _reach(b)) >= _SMALL and op is not Op.POWER:
        a, b = small(a, writer), small(b, writer)
    match op:
        case Op.PLUS:
            return checked(f"({a.code} + {b.code})", a.low + b.low, a.high + b.high)
        case Op.MINUS:
            return checked(f"({a.code} - {b.code})", a.low - b.high, a.high - b.low)
        case Op.TIMES:
            return _product(a, b)
        case Op.DIVIDE:
            return _divided(a, b, writer)
        case Op.MOD:
            return _modulo(a, b, writer)
        case _:
            return _power(a, b, writer)


def _divided(a: Num, b: Num, writer: Writer) -> CodeValue:
    under = writer.keep(b.code)
    if b.low <= 0 <= b.high:
        writer.fail(f"{under} == 0")
        if b.low == b.high == 0:
            return Never()
        # A quotient that is never used must not stop the program.
        under = writer.variable(f"{under} if {under} != 0 else 1", "n")
    upper = writer.keep(a.code)
    if b.low >= 0:
        return Ratio(Num(upper, a.low, a.high), Num(under, max(1, b.low), b.high))
    # Below the line stands a positive number, so that quotients can be compared.
    turned = writer.variable(f"{upper} if {under} > 0 else -{upper}", "n")
    lower = writer.variable(f"{under} if {under} > 0 else -{under}", "n")
    return Ratio(Num(turned, -_reach(a), _reach(a)), Num(lower, 1, _reach(b)))


def _modulo(a: Num, b: Num, writer: Writer) -> CodeValue:
    under = writer.keep(b.code)
    if b.low <= 0:
        writer.fail(f"{under} <= 0")
        if b.high <= 0:
            return Never()
        under = writer.variable(f"{under} if {under} > 0 else 1", "n")
    return Num(f"({a.code} % {under})", 0, max(0, b.high - 1))


def _power(a: Num, b: Num, writer: Writer) -> CodeValue:
    if b.low != b.high or not 0 <= b.low <= 62:
        raise Refused("a power whose exponent is not known")
    if _reach(a) ** b.low >= LARGEST and b.low <= 1:
        a = small(a, writer)
    base = writer.keep(a.code)
    code = " * ".join([base] * b.low) or "1"
    ends = [a.low**b.low, a.high**b.low, 0 if a.low < 0 < a.high else a.low**b.low]
    return checked(f"({code})", min(ends), max(ends))


def _of_ratios(op: Op, a: Num | Ratio, b: Num | Ratio, writer: Writer) -> CodeValue:
    """Quotients are not made shorter; whether one is whole is asked where it is used."""
    left, right = _as_ratio(a), _as_ratio(b)
    match op:
        case Op.PLUS | Op.MINUS:
            one = _product(left.upper, right.lower)
            other = _product(right.upper, left.lower)
            low, high = (other.low, other.high) if op is Op.PLUS else (-other.high, -other.low)
            sign = "+" if op is Op.PLUS else "-"
            upper = checked(f"({one.code} {sign} {other.code})", one.low + low, one.high + high)
            return _ratio(upper, _product(left.lower, right.lower), writer)
        case Op.TIMES:
            upper = _product(left.upper, right.upper)
            return _ratio(upper, _product(left.lower, right.lower), writer)
        case Op.DIVIDE:
            upper = _product(left.upper, right.lower)
            return _divided(upper, _product(left.lower, right.upper), writer)
        case _:
            raise Refused(f"fractions with {op.value}")


def _product(a: Num, b: Num) -> Num:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return checked(f"({a.code} * {b.code})", min(ends), max(ends))


def _ratio(upper: Num, lower: Num, writer: Writer) -> Ratio:
    return Ratio(*(Num(writer.keep(each.code), each.low, each.high) for each in (upper, lower)))


def compared(op: Op, a: Num | Ratio, b: Num | Ratio) -> Truth:
    sign = _SIGNS[op]
    if isinstance(a, Num) and isinstance(b, Num):
        return _decided(op, a, b) or Truth(f"({a.code} {sign} {b.code})")
    left, right = _as_ratio(a), _as_ratio(b)
    sizes = _reach(left.upper) * right.lower.high, _reach(right.upper) * left.lower.high
    if max(sizes) >= LARGEST:
        raise Refused("numbers that may become too large")
    return Truth(
        f"({left.upper.code} * {right.lower.code} {sign} {right.upper.code} * {left.lower.code})"
    )


def _decided(op: Op, a: Num, b: Num) -> Truth | None:
    """What the bounds alone decide."""
    if op in {Op.GT, Op.GE}:
        a, b = b, a
    yes, no = a.high <= b.low, a.low > b.high
    if op in {Op.LT, Op.GT}:
        yes, no = a.high < b.low, a.low >= b.high
    return YES if yes else NO if no else None


def _as_ratio(found: Num | Ratio) -> Ratio:
    return found if isinstance(found, Ratio) else Ratio(found, Num("1", 1, 1))


def folded(total: str, terms: list[Num], count: int, *, is_sum: bool) -> Num:
    """A sum or product of at most *count* values, each like one of *terms*."""
    if not terms:
        return Num(total, 0 if is_sum else 1, 0 if is_sum else 1)
    low, high = min(t.low for t in terms), max(t.high for t in terms)
    if is_sum:
        return checked(total, min(0, low * count), max(0, high * count))
    most = max(abs(low), abs(high), 1) ** count
    return checked(total, -most if low < 0 else min(low, 1), most)
