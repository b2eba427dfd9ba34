"""A report that is kept is printed as it was, and only while all that it is about is the same."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.command import Ran, zermelo
from tests.support.prod import HEAP
from tests.support.small_documents import heap_text
from zermelo.api import loading
from zermelo.faces.cli import check
from zermelo.faces.cli.kept import reports
from zermelo.fast import cache

DOCUMENT = heap_text(3).replace("  first = true\n", "  moves = 0\n  first = true\n")
"""With a first value of a variable that is not declared, which is said."""
NET = """#include "more.net"
#place p lo(<.1.>) mk(<.1.>)
#trans t
in {p: <.1.>;}
out {p: <.1.>;}
#endtr
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own in which a test keeps what it keeps."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "kept"))
    monkeypatch.delenv("ZERMELO_REPORTS")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "kept" / "v2"
    cache.use(None)


def report(folder: Path) -> Path:
    """The one file in *folder* that is a report."""
    (found,) = (path for path in folder.iterdir() if b'"rows"' in path.read_bytes())
    return found


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "heap.md"
    path.write_text(DOCUMENT, "utf-8")
    return path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents of which a report was made, not taken from the folder."""
    names: list[str] = []
    make = check._checked  # noqa: SLF001 - what is counted

    def counting(name: str, *arguments: object, **more: object) -> int:
        names.append(name)
        call: Callable[..., int] = make
        return call(name, *arguments, **more)

    monkeypatch.setattr(check, "_checked", counting)
    return names


@pytest.mark.parametrize(
    "options",
    [(), ("--json",), ("--one-line",), ("--ascii",), ("--color", "always"), ("--states", "3")],
    ids=" ".join,
)
def test_a_kept_report_is_printed_as_a_new_one_is(
    document: Path, made: list[str], options: tuple[str, ...]
) -> None:
    fresh = zermelo("check", str(document), *options, "--no-cache")
    first = zermelo("check", str(document), *options)
    again = zermelo("check", str(document), *options)

    assert fresh == first == again
    assert fresh.out
    assert len(made) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in loading.games()])
def test_a_kept_report_on_a_game_of_the_library_is_printed_as_a_new_one_is(
    made: list[str], name: str
) -> None:
    # As many states as compiled code is asked for, too.
    first = zermelo("check", name, "--states", "21000")
    again = zermelo("check", name, "--states", "21000")

    assert (first.out, first.code) == (again.out, again.code)  # Progress is told once.
    assert made == [name]


def test_a_report_with_faults_is_kept_with_its_exit_code(tmp_path: Path, made: list[str]) -> None:
    path = tmp_path / "none.md"
    path.write_text("nothing of a system\n", "utf-8")

    assert zermelo("check", str(path)) == zermelo("check", str(path))
    assert zermelo("check", str(path)).code == 2
    assert len(made) == 1


def other_text(path: Path, _: pytest.MonkeyPatch) -> Ran:
    path.write_text(DOCUMENT.replace("heap = 3", "heap = 2"), "utf-8")
    return zermelo("check", str(path))


def other_width(path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setenv("COLUMNS", "60")
    return zermelo("check", str(path))


def other_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setattr(reports, "digest_of_program", lambda: b"another")
    return zermelo("check", str(path))


def changed_program(path: Path, monkeypatch: pytest.MonkeyPatch) -> Ran:
    monkeypatch.setattr(reports, "digest_of_program", lambda: None)
    return zermelo("check", str(path))


def other_place(path: Path, _: pytest.MonkeyPatch) -> Ran:
    (path.parent / "there").mkdir()
    return zermelo("check", str(path.rename(path.parent / "there" / path.name)))


def other_option(*options: str) -> Callable[[Path, pytest.MonkeyPatch], Ran]:
    return lambda path, _: zermelo("check", str(path), *options)


@pytest.mark.parametrize(
    "change",
    [
        other_text,
        other_width,
        other_program,
        changed_program,
        other_place,
        other_option("--strict"),
        other_option("--as-written"),
        other_option("--all"),
        other_option("--states", "2"),
        other_option("--reading", "order=at once"),
        other_option("--color", "always"),
        other_option("--no-cache"),
        other_option("--seconds", "60"),
    ],
)
def test_a_report_is_made_anew_where_something_has_changed(
    document: Path,
    made: list[str],
    change: Callable[[Path, pytest.MonkeyPatch], Ran],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    zermelo("check", str(document))

    change(document, monkeypatch)

    assert len(made) == 2


def test_a_report_is_made_anew_where_a_file_has_changed_that_was_looked_for(
    tmp_path: Path, made: list[str]
) -> None:
    net, more = tmp_path / "one.net", tmp_path / "more.net"
    net.write_text(NET, "utf-8")

    without = zermelo("check", str(net))
    assert zermelo("check", str(net)) == without
    assert len(made) == 1
    more.write_text("#place q\n", "utf-8")
    with_one = zermelo("check", str(net))
    assert zermelo("check", str(net)) == with_one
    more.write_text("#place q lo(<.1.>) mk(<.1.>)\n", "utf-8")
    zermelo("check", str(net))
    (tmp_path / "one.src").mkdir()
    (tmp_path / "one.src" / "f.c").write_text("int f(int x) { return x; }\n", "utf-8")
    zermelo("check", str(net))

    assert without != with_one
    assert len(made) == 4


def test_a_report_is_made_anew_where_another_file_says_how_a_net_is_read(
    tmp_path: Path, made: list[str]
) -> None:
    net, other = tmp_path / "heap.net", tmp_path / "other.reading"
    net.write_text(HEAP, "utf-8")
    other.write_text("Reading\n  players: Other\n", "utf-8")

    said = [zermelo("check", str(net)).out]
    (tmp_path / "heap.reading").write_text("Reading\n  players: Beside\n", "utf-8")
    said.append(zermelo("check", str(net)).out)
    said.append(zermelo("check", str(net), "--reading", str(other)).out)
    other.write_text("Reading\n  players: Third\n", "utf-8")
    said.append(zermelo("check", str(net), "--reading", str(other)).out)

    names = [[name for name in ("Beside", "Other", "Third") if name in each] for each in said]
    assert names == [[], ["Beside"], ["Other"], ["Third"]]
    assert len(made) == 4


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"rows": [1], "code": 0, "beside": {}}', b'{"rows": ["x"]}']
)
def test_what_is_no_report_is_not_printed(
    document: Path, folder: Path, made: list[str], content: bytes
) -> None:
    first = zermelo("check", str(document))
    path = report(folder)
    cache.standard().put(path.name, content)

    assert zermelo("check", str(document)) == first
    assert len(made) == 2


def test_a_damaged_report_is_not_printed(document: Path, folder: Path, made: list[str]) -> None:
    first = zermelo("check", str(document))
    path = report(folder)
    path.write_bytes(path.read_bytes().replace(b"heap.md", b"help.md"))

    assert zermelo("check", str(document)) == first
    assert len(made) == 2


def test_no_report_is_kept_where_that_is_switched_off(
    document: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zermelo("check", str(document), "--no-cache")
    monkeypatch.setenv("ZERMELO_REPORTS", "off")
    zermelo("check", str(document))

    assert not folder.exists()


def test_no_report_is_kept_of_what_is_read_once_or_for_so_many_seconds(
    document: Path, folder: Path
) -> None:
    zermelo("check", "-", typed=DOCUMENT)
    zermelo("check", str(document), "--seconds", "60")

    assert not any(b'"rows"' in path.read_bytes() for path in folder.iterdir())


def test_the_folder_of_what_is_kept_is_told_and_cleared(document: Path, folder: Path) -> None:
    zermelo("check", str(document))
    size = report(folder).stat().st_size

    told, cleared = zermelo("cache").out, zermelo("cache", "clear").out

    assert " ".join(told.split()).startswith(f"{folder} has 2 files with ")
    assert " ".join(cleared.split()).startswith("Removed 2 files with ")
    assert 500 < size < 5000
    assert list(folder.iterdir()) == []
    assert " has 0 files with 0 bytes, of at most 268 MB." in " ".join(zermelo("cache").out.split())


def test_nothing_is_said_to_be_kept_where_nothing_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", "off")

    assert zermelo("cache").out == "Nothing is kept: ZERMELO_CACHE is `off`.\n"
    assert zermelo("cache", "clear").out == "Nothing is kept: ZERMELO_CACHE is `off`.\n"


def test_a_report_is_made_anew_where_the_file_with_readings_comes_changes_or_goes(
    tmp_path: Path, made: list[str]
) -> None:
    net, readings = tmp_path / "ring.net", tmp_path / "ring.reading"
    net.write_text(NET.removeprefix('#include "more.net"\n'), "utf-8")

    zermelo("check", str(net))
    for text in ("Reading\n  stuck player: loses\n", "Reading\n  stuck player: draws\n"):
        readings.write_text(text, "utf-8")
        assert zermelo("check", str(net)) == zermelo("check", str(net))
    readings.rename(tmp_path / "other.reading")
    zermelo("check", str(net))
    zermelo("check", str(net), "--reading", str(tmp_path / "other.reading"))

    # Without the file, twice with one beside the net, without again, and with one that is named.
    assert len(made) == 5
