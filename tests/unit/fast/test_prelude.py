"""The primitives in LLVM's language are those of Python, with as many operands."""

import inspect

from zermelo.fast import bits, prelude


def test_every_primitive_has_as_many_operands_in_both_languages() -> None:
    counts = {name: prelude.operand_count(name) for name in bits.PRIMITIVES}

    assert counts == {
        name: len(inspect.signature(function).parameters)
        for name, function in bits.PRIMITIVES.items()
    }


def test_only_what_is_used_is_defined() -> None:
    text = prelude.primitive_definitions(["shl"])

    assert text.count("define internal") == 1
    assert "@primitive_shl(i64 %a, i64 %b) alwaysinline" in text
