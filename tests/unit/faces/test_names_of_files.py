"""Files may be called whatever a file system allows: no text, or as long as it can be."""

import os
from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.project import TESTS
from tests.support.small_documents import heap_text
from zermelo.api import loading, questions
from zermelo.files.writing import lock_beside
from zermelo.text.errors import UsageError

NOT_UTF_8 = os.fsdecode(b"caf\xe9")
SHOWN = "caf⟨U+DCE9⟩"
LONGEST = 255
PROGRAM = (TESTS / "documents/led/walker.led").read_bytes()
NET = (TESTS / "documents/nets/buffer.net").read_bytes()
LONG = "n" * (LONGEST - len(".md"))


@pytest.fixture(params=[NOT_UTF_8, LONG], ids=["no text", "long"])
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """What the files here are called, before the ending."""
    monkeypatch.chdir(tmp_path)
    called = str(request.param)
    try:
        Path(f"{called}.md").write_text(heap_text(4), "utf-8")
    except OSError:
        pytest.skip("this file system has only names that are texts")
    if called == NOT_UTF_8:
        Path(f"{called}.led").write_bytes(PROGRAM)
        Path(f"{called}.net").write_bytes(NET)
    return called


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "--json"),
        ("check", "--fix"),
        ("explain",),
        ("readings",),
        ("step", "1"),
        ("explore",),
        ("explore", "--json"),
        ("explore", "--checkpoint", "kept"),
        ("solve", "--checkpoint", "kept"),
        ("solve", "--json"),
        ("solve", "--output", "NAME.sol"),
        ("graph",),
        ("graph", "--output", "NAME.svg"),
        ("graph", "--output", "a.dot"),
        ("graph", "--output", "a.graphml"),
        ("graph", "--output", "a.json"),
        ("format",),
        ("format", "--write"),
        ("export", "--output", "NAME.tex"),
    ],
    ids=" ".join,
)
def test_every_command_takes_a_document_with_any_name(
    name: str, arguments: tuple[str, ...]
) -> None:
    document = f"{name}.md"
    called = [each.replace("NAME", name[: LONGEST - 4]) for each in arguments]

    ran = zermelo(called[0], document, *called[1:])

    assert ran.code == 0, ran.err
    if arguments[0] in {"explore", "solve"} and "--json" in arguments:
        assert ran.json["name"] == (SHOWN if name == NOT_UTF_8 else name)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "NAME.led"),
        ("explain", "NAME.led"),
        ("export", "NAME.led", "--output", "NAME.tex"),
        ("format", "--write", "NAME.led"),
        ("check", "NAME.net"),
        ("explain", "NAME.net"),
        ("export", "NAME.net", "--output", "NAME.pnml"),
        ("net", "report", "NAME.net"),
        ("net", "states", "NAME.net", "--checkpoint", "kept"),
        ("net", "draw", "NAME.net", "--output", "NAME.svg"),
        ("explore", "NAME.net", "--checkpoint", "kept"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", [NOT_UTF_8], indirect=True)
def test_so_do_those_for_programs_and_nets(name: str, arguments: tuple[str, ...]) -> None:
    ran = zermelo(*(each.replace("NAME", name) for each in arguments))

    assert ran.code in {0, 1}, ran.err
    assert "fault of ours" not in ran.err


def test_a_play_is_saved_and_gone_on_with(name: str) -> None:
    saved = "p" * LONGEST if name == LONG else "saved"
    typed = f"1\nsave {saved}\nundo\nload {saved}\nload {saved} anyway\nquit\n"

    ran = zermelo("play", f"{name}.md", typed=typed)

    assert ran.code == 0, ran.err
    assert ran.out.count("Went on from") == 2
    assert zermelo("play", f"{name}.md", "--moves", saved, typed="quit\n").code == 0


def test_a_loop_of_links_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("heap.md").write_text(heap_text(4), "utf-8")
    Path("one").symlink_to("other")
    Path("other").symlink_to("one")
    Path("below").symlink_to("below/it")
    game = loading.load(Path("heap.md"))
    solution = questions.solve(game)

    for place in ("one", "below"):
        ran = zermelo("solve", "heap.md", "--output", place)
        assert ran.code == 2
        assert f"`{place}` could not be written: Too many levels of symbolic links" in ran.err
        with pytest.raises(UsageError, match="could not be written: Too many levels"):
            questions.keep_solution(solution, Path(place))
    assert zermelo("explore", "heap.md", "--checkpoint", "one").code == 2


def test_two_names_of_one_length_and_beginning_have_two_locks() -> None:
    first, second = Path("a" * 254 + "b"), Path("a" * 254 + "c")

    assert lock_beside(first) != lock_beside(second)
    assert len(lock_beside(first).name) <= LONGEST
    assert lock_beside(Path("ü" * 127)).name.startswith(".ü")
    assert len(os.fsencode(lock_beside(Path("ü" * 127)).name)) <= LONGEST
