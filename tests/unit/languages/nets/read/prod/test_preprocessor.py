"""Macros, conditions and files."""

from pathlib import Path

import pytest

from tests.support.prod import codes_of, said, written
from tests.support.understood import net_of
from zermelo.languages.nets.read.prod.lexer import TokenKind
from zermelo.languages.nets.read.prod.preprocessor import Preprocessor
from zermelo.languages.nets.read.prod.sources import DocumentFiles, NetTexts
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source

DOUBLING = "#define A(x) x+x+x+x+x+x+x+x+x+x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(B(x)))\n"
NET = "#place p mk(<.n.>)\n#trans t\nin { p: <.x.>; }\n#endtr\n"


def prepared(text: str, notes: list[Diagnostic] | None = None) -> str:
    """What is left of *text*, blanks between the tokens."""
    made: list[Diagnostic] = [] if notes is None else notes
    texts = NetTexts()
    tokens = Preprocessor(texts, DocumentFiles(), made).run(texts.add(Source("t", text)))
    return " ".join(
        each.text for each in tokens if each.kind not in (TokenKind.LINE_END, TokenKind.END)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define n 3\nn n2 n", "3 n2 3"),
        ("#define f(x) (x+1)\nf(2) f (3)\nf", "( 2 + 1 ) ( 3 + 1 ) f"),
        ("#define f (x)\nf", "( x )"),
        ("#define f() 7\nf()", "7"),
        ("#define f(x) x\nf()", ""),
        ("#define f(x,y) x y\nf((1,2),3)", "( 1 , 2 ) 3"),
        ("#define f(x) x\nf(\n1\n+2)", "1 + 2"),
        # A macro does not expand inside itself, alone or through others.
        ("#define a a + 1\na", "a + 1"),
        ("#define a b\n#define b a\na b", "a b"),
        ("#define f(x) f(x+1)\nf(f(1))", "f ( f ( 1 + 1 ) + 1 )"),
        # What an argument brings in is looked at again, with what follows.
        ("#define g f\n#define f(x) [x]\ng(2)", "[ 2 ]"),
        ("#define ALL a,b\n#define f(x,y) y x\nf(ALL,c)", "c a , b"),
        ("#define n 1\n#undef n\nn", "n"),
        ('# 12 "file"\n#\n#pragma once\nn', "n"),
        ("#define n \\\n 3\nn", "3"),
        ("#define W(p,q) (p==q)\n#define WON W(a,b)||W(c,d)\nWON", "( a == b ) || ( c == d )"),
    ],
)
def test_macros_stand_for_their_bodies(text: str, expected: str) -> None:
    assert prepared(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define n\n#ifdef n\n1\n#else\n2\n#endif", "1"),
        ("#ifdef n\n1\n#else\n2\n#endif", "2"),
        ("#ifndef n\n1\n#endif\n3", "1 3"),
        ("#define n 3\n#if n > 2\n1\n#elif n > 1\n2\n#else\n3\n#endif", "1"),
        ("#define n 2\n#if n > 2\n1\n#elif n > 1\n2\n#elif n\n4\n#else\n3\n#endif", "2"),
        ("#if 0\n#if 1\n1\n#else\n2\n#endif\n#else\n3\n#endif", "3"),
        ("#if 0\n#elif 1\n#if 0\n1\n#else\n2\n#endif\n#endif", "2"),
        ("#if defined n || defined(m)\n1\n#else\n2\n#endif", "2"),
        ("#define m\n#if defined n || defined(m)\n1\n#endif", "1"),
        ("#if unknown\n1\n#endif", ""),
        ("#if -7 / 2 == -3 && -7 % 2 == -1 && (1 ? 2 : 3) == 2 && ~0 == -1 && !0\n1\n#endif", "1"),
        ("#if 0\n#nonsense @ '\n#define n 3\n#endif\nn", "n"),
    ],
)
def test_conditions_choose_what_is_read(text: str, expected: str) -> None:
    assert prepared(text) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("#if 1", "Z158"),
        ("#endif", "Z158"),
        ("#if 0\n#else\n#else\n#endif", "Z158"),
        ("#if 1/0\n#endif", "Z157"),
        ("#if 1 << 64\n#endif", "Z157"),
        ("#if f(1)\n#endif", "Z157"),
        ("#if\n#endif", "Z157"),
        ("#ifdef 3\n#endif", "Z157"),
        ("#if (\n#endif", "Z250"),
        ("#if 1 2\n#endif", "Z250"),
        ("#define", "Z155"),
        ("#define 3 4", "Z155"),
        ("#define f(x", "Z155"),
        ("#define f(x,x) x", "Z155"),
        ("#define f(x) #x", "Z155"),
        ("#define f(x) x ## 1", "Z155"),
        ("#define f(x) x\nf(1", "Z155"),
        ("#error out of order", "Z155"),
        ("#define n 3\n#define n 4", "Z159"),
        ("#include", "Z150"),
        ("#include <stdio.h>", "Z150"),
        ('#include "nothing.h"', "Z150"),
        ('#include ""', "Z150"),
        ('#include "/etc/passwd"', "Z151"),
        ('#include "a/../../b"', "Z151"),
    ],
)
def test_what_cannot_be_prepared_is_said(text: str, code: str) -> None:
    notes: list[Diagnostic] = []
    prepared(text, notes)

    assert [each.code.id for each in notes] == [code]


def test_macros_that_double_each_other_come_to_an_end() -> None:
    doubling = "".join(f"#define M{k} M{k - 1} M{k - 1}\n" for k in range(1, 60))
    notes: list[Diagnostic] = []
    prepared(f"#define M0 x\n{doubling}M59", notes)

    assert [each.code.id for each in notes] == ["Z156"]


def test_uses_of_macros_inside_each_other_come_to_an_end() -> None:
    notes: list[Diagnostic] = []
    prepared("#define f(x) x\n" + "f(" * 500 + "1" + ")" * 500, notes)

    assert [each.code.id for each in notes] == ["Z156"]


def test_what_a_macro_stands_for_has_the_place_of_its_use() -> None:
    text = "#define BAD 1 +\n#place p mk(<.BAD.>)\n"

    [found] = said(text)

    assert found.primary is not None
    assert text[found.primary.span.start :].startswith(".>)")


def test_a_file_is_included_from_beside_the_file_that_includes_it(tmp_path: Path) -> None:
    game = written(
        tmp_path,
        {
            "main.net": f'#include "sub/a.h"\n{NET}',
            "sub/a.h": '#include "b.h"\n#include "../c.h"\n',
            "sub/b.h": "#define n m\n",
            "c.h": "#define m 5\n",
        },
    )

    assert str(net_of(game).places[0].initial) == "<.5.>"


def test_a_fault_in_an_included_file_is_said_at_the_directive_with_file_and_line(
    tmp_path: Path,
) -> None:
    game = written(
        tmp_path,
        {
            "main.net": '#define n 1\n#include "t.h"\n',
            "t.h": "#place p mk(<.n.>)\n#place q mk(n)\n",
        },
    )

    [found] = game.diagnostics

    assert found.primary is not None
    assert game.source.line_of(found.primary.span.start) == 2
    assert found.notes[0].startswith("in t.h:2:14: `#place q mk(n)`")


def test_nothing_outside_the_folder_is_read_whatever_a_link_says(tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("#define n 5\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "link.h").symlink_to(tmp_path / "secret.h")
    (tmp_path / "inner" / "folder").symlink_to(tmp_path)

    for name in ("link.h", "folder/secret.h", "../secret.h"):
        game = written(tmp_path / "inner", {"main.net": f'#include "{name}"\n{NET}'})

        assert game.model is None
        assert "Z151" in [each.code.id for each in game.diagnostics]


def test_files_that_include_each_other_come_to_an_end(tmp_path: Path) -> None:
    game = written(
        tmp_path,
        {
            "main.net": '#include "a.h"\n',
            "a.h": '#include "b.h"\n#include "b.h"\n',
            "b.h": '#include "a.h"\n#include "a.h"\n',
        },
    )

    assert "Z152" in [each.code.id for each in game.diagnostics]


def test_a_guard_lets_files_include_each_other(tmp_path: Path) -> None:
    guard = '#ifndef G\n#define G\n#include "main.net"\n#define n 4\n#endif\n'
    main = f'#include "a.h"\n#ifndef P\n#define P\n{NET}#endif\n'
    game = written(tmp_path, {"main.net": main, "a.h": guard})

    # The inner reading of main.net comes before n is defined.
    assert [each.code.id for each in game.diagnostics] == ["Z592"]


def test_a_file_that_is_no_text_is_not_included(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"\xff\xfe\x00")

    game = written(tmp_path, {"main.net": f'#include "a.h"\n{NET}'})

    assert [each.code.id for each in game.diagnostics] == ["Z150"]


def test_the_header_of_constants_is_known_anyway() -> None:
    assert "Z150" not in codes_of('#include "_enum.h"\n#define n 1\n' + NET)


def test_macros_that_stand_for_too_much_are_all_that_is_said() -> None:
    text = f"{DOUBLING}#place p mk(<.C(C(1)).>)\n#trans t\nin {{ p: <.C(x).>; }}\n#endtr\n"

    assert codes_of(text) == ["Z156"]


def test_the_words_of_an_error_are_those_of_the_document() -> None:
    notes: list[Diagnostic] = []

    prepared("#error no, not   yet (n)\n", notes)

    assert [each.message for each in notes] == ["the document says: no, not yet (n)"]


def test_a_condition_without_a_value_is_marked_itself() -> None:
    notes: list[Diagnostic] = []

    prepared("#if 1 / 0\n#endif\n", notes)

    [fault] = notes
    assert fault.primary is not None
    assert (fault.primary.span.start, fault.primary.span.end) == (4, 9)
