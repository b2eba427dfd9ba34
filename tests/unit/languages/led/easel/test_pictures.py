"""Picture files beside a program."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from zermelo.languages.led.easel import pictures
from zermelo.languages.led.easel.pictures import Folder, PictureFile


def png(width: int = 4, height: int = 3) -> bytes:
    """A small picture."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (1, 2, 3)).save(out, "PNG")
    return out.getvalue()


def test_a_picture_beside_the_program_is_found_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(png())

    found = Folder(tmp_path).find("cat.png")

    assert isinstance(found, PictureFile)
    assert (found.width, found.height, found.media) == (4, 3, "image/png")


def test_a_picture_in_a_folder_below_is_found(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "cat.png").write_bytes(png())

    assert isinstance(Folder(tmp_path).find("art/cat.png"), PictureFile)


@pytest.mark.parametrize("name", ["../cat.png", "/etc/hostname", "a/../../cat.png"])
def test_nothing_outside_the_folder_is_shown(tmp_path: Path, name: str) -> None:
    (tmp_path / "cat.png").write_bytes(png())
    inside = tmp_path / "program"
    inside.mkdir()

    assert Folder(inside).find(name) == "it is not in the folder of the program"


def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(png())
    inside = tmp_path / "program"
    inside.mkdir()
    (inside / "cat.png").symlink_to(tmp_path / "cat.png")

    assert Folder(inside).find("cat.png") == "it is not in the folder of the program"


@pytest.mark.parametrize("name", ["dog.png", "", "a\x00b", "x" * 5000])
def test_what_is_not_there_is_said(tmp_path: Path, name: str) -> None:
    found = Folder(tmp_path).find(name)

    assert isinstance(found, str)
    assert "there is no such file" in found


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture", png()[:40], png()[:50]],
    ids=["empty", "words", "head", "half"],
)
def test_a_file_that_is_no_picture_is_said(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "cat.png").write_bytes(data)

    found = Folder(tmp_path).find("cat.png")

    assert found == "the file is no picture in one of the forms PNG, GIF, JPEG, BMP, WEBP"


def test_a_picture_with_too_many_pixels_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "large.png").write_bytes(png(5000, 4000))

    assert Folder(tmp_path).find("large.png") == "the picture has more than 16,000,000 pixels"


@pytest.mark.parametrize(("wide", "high"), [(5000, 4000), (10_000, 10_000), (65_000, 65_000)])
def test_a_small_file_that_says_it_is_a_large_picture_is_not_opened(
    tmp_path: Path, wide: int, high: int
) -> None:
    head = b"IHDR" + struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    bomb = png()[:8] + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    (tmp_path / "bomb.png").write_bytes(bomb + png()[33:])

    assert Folder(tmp_path).find("bomb.png") == "the picture has more than 16,000,000 pixels"


@pytest.mark.parametrize(
    ("limit", "most"), [("MOST_KNOWN", 10), ("MOST_REMEMBERED", 10 * len(png()))]
)
def test_only_so_many_files_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    for at in range(11):
        (tmp_path / f"{at}.png").write_bytes(png())
    monkeypatch.setattr(pictures, limit, most)
    folder = Folder(tmp_path)
    folder.find("0.png")
    (tmp_path / "0.png").unlink()

    for at in range(1, 10):
        folder.find(f"{at}.png")
    assert isinstance(folder.find("0.png"), PictureFile)
    folder.find("10.png")
    assert folder.find("0.png") == "there is no such file beside the program"


def test_a_program_from_no_file_has_no_pictures() -> None:
    assert Folder().find("cat.png") == "the program is in no folder that could hold it"


def test_a_picture_as_an_address_holds_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "cat.png").write_bytes(png())

    assert Folder(tmp_path).data_address("cat.png").startswith("data:image/png;base64,iVBOR")
