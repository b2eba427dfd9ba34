"""``zermelo picture``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import zermelo


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("a.svg", b"<svg "),
        ("a.png", b"\x89PNG\r\n"),
        ("a.pdf", b"%PDF-1.4"),
        ("a.tex", b"% tic-tac-toe"),
    ],
)
def test_the_name_of_the_file_says_what_to_write(
    name: str, beginning: bytes, tmp_path: Path
) -> None:
    path = tmp_path / name

    ran = zermelo("picture", "tic-tac-toe", "--moves", "1 1; 2 2", "--output", str(path))

    assert ran.code == 0
    assert path.read_bytes().startswith(beginning)


def test_a_text_is_printed() -> None:
    ran = zermelo("picture", "tic-tac-toe", "--to", "svg", "--coordinates")

    assert ran.code == 0
    assert ran.out.startswith("<svg ")
    assert ran.out.count(">3</text>") == 2


def test_moves_may_be_given_one_by_one() -> None:
    together = zermelo("picture", "tic-tac-toe", "--to", "svg", "--moves", "1 1; 2 2;")
    apart = zermelo("picture", "tic-tac-toe", "--to", "svg", "--moves", "1 1", "--moves", "2 2")

    assert together.out == apart.out


def test_a_strip_has_a_caption_for_each_position() -> None:
    ran = zermelo("picture", "tic-tac-toe", "--to", "latex", "--moves", "1 1; 2 2", "--strip")

    for caption in ("start", "1. X: (1, 1)", "2. O: (2, 2)"):
        assert f"{{{caption}}}" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "pdf"), "pdf is no text; say where it goes: --output FILE"),
        ((), "say what to write: --to with one of svg, png, pdf, latex"),
        (("--to", "svg", "--moves", "1 1; 1 1"), "(1, 1) has no effect here"),
        (("--to", "svg", "--moves", "9 9"), "9"),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments: tuple[str, ...], said: str) -> None:
    ran = zermelo("picture", "tic-tac-toe", *arguments)

    assert ran.code == 2
    assert said in " ".join(ran.err.split())
