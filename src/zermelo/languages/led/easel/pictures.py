"""Picture files that a program shows: those beside it, and no others."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zermelo.text.errors import UsageError

MOST_BYTES: Final = 8_000_000
MOST_PIXELS: Final = 16_000_000

_FORMS: Final = ("PNG", "GIF", "JPEG", "BMP", "WEBP")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture file that can be shown."""

    data: bytes = field(repr=False)
    media: str
    width: int
    height: int


@dataclass(slots=True)
class Folder:
    """The folder of a program: where its picture files are; ``None`` if it came from no file."""

    path: Path | None = None
    _known: dict[str, PictureFile | str] = field(default_factory=dict)

    def find(self, name: str) -> PictureFile | str:
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def picture(self, name: str) -> PictureFile:
        found = self.find(name)
        if isinstance(found, str):
            raise UsageError(f"`{name}` cannot be shown: {found}")
        return found

    def data_address(self, name: str) -> str:
        """The picture file called *name* as an address that holds all of it."""
        found = self.picture(name)
        return f"data:{found.media};base64,{base64.b64encode(found.data).decode('ascii')}"

    def _read(self, name: str) -> PictureFile | str:
        if self.path is None:
            return "the program is in no folder that could hold it"
        try:
            home = self.path.resolve()
            path = (home / name).resolve()
            if not path.is_relative_to(home):
                return "it is not in the folder of the program"
            if not path.is_file():
                return "there is no such file beside the program"
            if path.stat().st_size > MOST_BYTES:
                return f"the file has more than {MOST_BYTES:,} bytes"
            data = path.read_bytes()
        except (OSError, ValueError, RuntimeError):
            # No name of a file, a loop of links, or a file that may not be read.
            return "there is no such file beside the program that can be read"
        return _looked_at(data)


def _looked_at(data: bytes) -> PictureFile | str:
    from PIL import Image  # noqa: PLC0415 (only programs with pictures pay for it)

    try:
        with Image.open(io.BytesIO(data), formats=_FORMS) as image:
            wide, high = image.size
            if wide * high > MOST_PIXELS:
                return f"the picture has more than {MOST_PIXELS:,} pixels"
            image.load()
            kind = image.format or ""
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        struct.error,
        zlib.error,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ):
        return f"the file is no picture in one of the forms {', '.join(_FORMS)}"
    return PictureFile(data, f"image/{kind.lower()}", wide, high)
