"""Picture files that a program shows: those beside it, and no others."""

from __future__ import annotations

import base64
import io
import struct
import threading
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from warnings import catch_warnings, simplefilter

from zermelo.files.beside import look
from zermelo.text.errors import UsageError

MOST_BYTES: Final = 8_000_000
MOST_PIXELS: Final = 16_000_000
MOST_KNOWN: Final = 1_000
"""Names of files that are remembered; a program may ask for ever more."""
MOST_REMEMBERED: Final = 64_000_000
"""Bytes of the files that are remembered."""

_ONE_AT_A_TIME: Final = threading.Lock()
"""What is to be warned of is said for all threads together."""
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
    _bytes: int = 0

    def find(self, name: str) -> PictureFile | str:
        if name not in self._known:
            found = self._read(name)
            self._bytes += 0 if isinstance(found, str) else len(found.data)
            if len(self._known) >= MOST_KNOWN or self._bytes > MOST_REMEMBERED:
                self._known.clear()
                self._bytes = 0 if isinstance(found, str) else len(found.data)
            self._known[name] = found
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
            look(home / name)
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

    too_large = f"the picture has more than {MOST_PIXELS:,} pixels"
    try:
        # Pillow has a limit of its own, above ours, and warns where nobody asked.
        with _ONE_AT_A_TIME, catch_warnings():
            simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(data), formats=_FORMS)
        with opened as image:
            wide, high = image.size
            if wide * high > MOST_PIXELS:
                return too_large
            image.load()
            kind = image.format or ""
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return too_large
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        struct.error,
        zlib.error,
    ):
        return f"the file is no picture in one of the forms {', '.join(_FORMS)}"
    return PictureFile(data, f"image/{kind.lower()}", wide, high)
