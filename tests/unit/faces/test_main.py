"""How the command line begins and ends."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import zermelo
from tests.support.project import SOURCE
from zermelo.api import loading, questions
from zermelo.faces.cli.main import PIPE_CLOSED
from zermelo.faces.web import server
from zermelo.fast import cache
from zermelo.text.budget import OutOfRoom
from zermelo.text.errors import InternalError


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "mine.md"
    assert zermelo("new", str(path)).code == 0
    return str(path)


def test_help_lists_the_commands_in_the_order_one_meets_them() -> None:
    ran = zermelo("--help")

    names = [
        row.split()[0] for row in ran.out.splitlines() if row.startswith("  ") and row[2:3] != " "
    ]
    assert ran.code == 0
    assert [name for name in names if name in {"play", "check", "new"}] == ["play", "check", "new"]


@pytest.mark.parametrize("arguments", [(), ("--no-open",)])
def test_without_a_command_the_page_is_served(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    monkeypatch.setattr(server, "serve_page", lambda **wishes: asked.append(wishes))

    ran = zermelo(*arguments)

    assert (ran.code, ran.err) == (0, "")
    # Where nobody looks at a terminal no browser is opened, whatever is said.
    known = {"host": "127.0.0.1", "port": 0, "open_browser": False, "documents": []}
    assert len(asked) == 1
    assert asked[0].pop("log") is not None
    assert asked == [{**known, "data": Path("/somewhere/zermelo")}]


def test_the_version_is_one_line() -> None:
    ran = zermelo("--version")

    assert ran.code == 0
    assert ran.out.startswith("zermelo 0.")


@pytest.mark.parametrize(
    ("told", "caches", "folder"),
    [
        ("/one", "/two", "/one"),
        ("one", "/two", "{here}/one"),
        ("off", "/two", None),
        ("", "/two", "/two/zermelo"),
        ("", "", "{home}/.cache/zermelo"),
        # as its specification has it, a relative path counts as none
        ("", "two", "{home}/.cache/zermelo"),
    ],
)
def test_compiled_code_is_kept_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, told: str, caches: str, folder: str | None
) -> None:
    monkeypatch.setattr(cache, "_standard", [])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("ZERMELO_CACHE", told)
    monkeypatch.setenv("XDG_CACHE_HOME", caches)

    assert zermelo("games").err == ""

    expected = None if folder is None else Path(folder.format(here=tmp_path, home="/home/me"))
    assert cache.standard().folder == expected


def test_an_unknown_command_gets_the_nearest_one() -> None:
    ran = zermelo("pley")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "zermelo: there is no command `pley`; did you mean `zermelo play`?\nSee `zermelo --help`.\n"
    )


def test_an_unknown_option_is_said_with_where_to_look() -> None:
    ran = zermelo("play", "--colour", "always", "x.md")

    assert ran.code == 2
    assert "zermelo: No such option '--colour'" in ran.err
    assert "See `zermelo play --help`." in ran.err


def test_a_file_that_is_not_there_is_a_sentence_with_near_names() -> None:
    name = loading.games()[0].name

    ran = zermelo("check", name[:-1])

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.replace("\n", " ").startswith(
        f"zermelo: there is no file and no game in the library called `{name[:-1]}`; "
        f"did you mean `{name}`?"
    )


def test_a_directory_is_no_document(tmp_path: Path) -> None:
    ran = zermelo("check", str(tmp_path))

    assert ran.code == 2
    assert "is a directory; name a file in it" in ran.err.replace("\n", " ")


def test_a_file_that_may_not_be_read_is_a_sentence(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def refused(path: Path, mode: str = "r", **more: Any) -> Any:  # noqa: ANN401 - as Path.open
        if path != Path(document):
            return opened(path, mode, **more)
        raise PermissionError(13, f"Permission denied to open with {mode}")

    monkeypatch.setattr(Path, "open", refused)

    ran = zermelo("check", document)

    assert ran.code == 2
    assert "could not be read: Permission denied to open with rb" in ran.err.replace("\n", " ")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "\udcff"])
def test_an_impossible_name_is_a_sentence(name: str) -> None:
    ran = zermelo("check", name)

    assert ran.code == 2
    assert "there is no file and no game in the library called" in ran.err.replace("\n", " ")


def test_a_reading_without_a_choice_is_said(document: str) -> None:
    ran = zermelo("check", document, "--reading", "order")

    assert ran.code == 2
    assert (
        "`order` is neither of the form NAME=CHOICE nor a file that ends in .reading"
        in ran.err.replace("\n", " ")
    )


def test_a_fault_of_ours_asks_for_a_report(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise InternalError("the sun is square")

    monkeypatch.setattr(loading, "load", broken)

    ran = zermelo("check", document)

    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(
        "zermelo: this is a fault of ours, not of your document. Please report it, with\n"
    )
    assert "the fault: InternalError: the sun is square" in ran.err
    assert "Traceback" not in ran.err


def test_with_debug_a_fault_of_ours_shows_where_it_happened(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(loading, "load", broken)

    ran = zermelo("check", document, "--debug")

    assert ran.code == 3
    assert "Traceback" in ran.err


def test_an_interruption_ends_quietly(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(loading, "load", interrupted)

    ran = zermelo("check", document)

    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_output_that_nobody_reads_to_its_end_is_no_error() -> None:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-P", "-m", "zermelo", "explain", "pegs"]

    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        code = process.wait(timeout=60)

    assert first == b"pegs in plain words\n"
    assert b"Traceback" not in said
    assert code == PIPE_CLOSED


def test_memory_that_does_not_suffice_is_a_sentence(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OutOfRoom(2_000_000)

    monkeypatch.setattr(questions, "explore", full)

    ran = zermelo("explore", document)

    assert ran.code == 2
    assert "2 MB of memory are not enough for more; --memory gives it more" in ran.err


def test_an_interrupt_while_a_class_is_made_is_one(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 wraps what the descriptors of a class raise."""

    def interrupted(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(questions, "explore", interrupted)

    ran = zermelo("explore", document)

    assert (ran.code, ran.err) == (130, "")
