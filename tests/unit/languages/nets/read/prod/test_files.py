"""The files that a document may read."""

from pathlib import Path

import pytest

from zermelo.languages.nets.read.prod.sources import MOST_BYTES, DocumentFiles, FileNotRead
from zermelo.text.source import Source


def test_a_file_is_found_beside_the_one_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.h").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    files = DocumentFiles(tmp_path / "main.net")

    found = files.read("b.h", beside="sub/a.h")

    assert found == Source("sub/b.h", "one\ntwo")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "./../x"])
def test_names_that_lead_out_are_not_followed(tmp_path: Path, name: str) -> None:
    for files in (DocumentFiles(tmp_path / "main.net"), DocumentFiles()):
        found = files.read(name, beside="")

        assert isinstance(found, FileNotRead)
        assert found.is_outside


def test_what_is_no_text_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b" " * (MOST_BYTES + 1))
    (tmp_path / "bytes").write_bytes(b"\xff")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    files = DocumentFiles(tmp_path / "main.net")

    for name in ("large", "bytes", "nothing", ".", "loop", "a\0b", "x" * 5000):
        assert isinstance(files.read(name, beside=""), FileNotRead)


def test_the_c_of_a_net_stands_in_a_folder_with_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "main.src"
    folder.mkdir()
    for name in ("b.c", "a.c", "a.h"):
        (folder / name).write_text("int x;\n")

    assert DocumentFiles(tmp_path / "main.net").c_sources() == ("main.src/a.c", "main.src/b.c")
    assert DocumentFiles(tmp_path / "other.net").c_sources() == ()
    assert DocumentFiles().c_sources() == ()


def test_the_folder_for_c_has_the_name_of_the_net() -> None:
    assert DocumentFiles(Path("some/mini.net")).folder == "mini.src"
    assert DocumentFiles().folder is None
