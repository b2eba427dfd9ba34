"""Object code: made from LLVM's language, and loaded again."""

import ctypes

import pytest

from zermelo.fast import native

TEXT = """
define i64 @shown(i64 %x) { %y = call i64 @hidden(i64 %x) ret i64 %y }
define i64 @hidden(i64 %x) { %y = mul i64 %x, 7 ret i64 %y }
"""


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_code_is_made_and_loaded(level: int) -> None:
    code = native.object_code(TEXT, ["shown"], level)

    loaded = native.Loaded(code, ["shown"])
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(loaded.addresses["shown"])
    assert function(6) == 42


def test_what_is_not_exported_is_inlined_and_forgotten() -> None:
    shown = native.object_code(TEXT, ["shown"])
    both = native.object_code(TEXT, ["shown", "hidden"])

    assert b"hidden" not in shown
    assert b"hidden" in both


@pytest.mark.parametrize("size", [0, 4, 64, 200, -1])
def test_what_is_no_whole_object_code_is_refused(size: int) -> None:
    code = native.object_code(TEXT, ["shown"])

    with pytest.raises(native.NotLoadable, match="no object code"):
        native.Loaded(code[:size], ["shown"])
    with pytest.raises(native.NotLoadable, match="no object code"):
        native.Loaded(b"x" * size, ["shown"])


def test_code_without_the_functions_it_should_have_is_refused() -> None:
    code = native.object_code(TEXT, ["shown"])

    with pytest.raises(native.NotLoadable, match="no function other"):
        native.Loaded(code, ["shown", "other"])


def test_text_that_is_not_llvm_is_refused() -> None:
    with pytest.raises(RuntimeError, match="expected"):
        native.object_code("define nonsense", [])


def test_the_host_is_described_by_processor_and_versions() -> None:
    lines = native.host().splitlines()

    assert len(lines) == 5
    assert all(lines)
