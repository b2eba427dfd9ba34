"""Contents of files that are believed only when all of them is as it was written.

    zermelo exploration 2
    9f86d081884c7d65…
    {"document": "corners", …}
    … the content …

The first line has the kind and the version of its format, the second the SHA-256 digest of all the
rest, the third what the content belongs to. Nothing of it is used before all of it was compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from zermelo.text.errors import UsageError

_MAKER: Final = b"zermelo"
_DIGITS: Final = 64


class NotUsable(UsageError):
    """A file that is damaged, of another format, or of something else; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its name, the version that is written and read, and what to do otherwise."""

    name: str
    version: int
    advice: str
    """What to do with a file that cannot be used, as in "remove it to begin again"."""

    @property
    def first_line(self) -> bytes:
        return b"%s %s %d" % (_MAKER, self.name.encode(), self.version)

    def seal(self, belongs_to: Mapping[str, str], content: bytes) -> bytes:
        """*content* as a file that belongs to *belongs_to*, whose keys are named when one differs.

        >>> one = Format("note", 1, "write it again").seal({"document": "heap"}, b"2 1")
        >>> one.splitlines()[0], one.splitlines()[2:]
        (b'zermelo note 1', [b'{"document": "heap"}', b'2 1'])
        """
        rest = json_bytes(dict(belongs_to)) + b"\n" + content
        return b"%s\n%s\n%s" % (self.first_line, _in_digits(rest), rest)

    def open(self, data: bytes, belongs_to: Mapping[str, str], where: str) -> bytes:
        """The content that was sealed for *belongs_to*; ``NotUsable`` if *data* is not that.

        *where* names the file in the message.
        """
        first, _, rest = data.partition(b"\n")
        said_digest, _, rest = rest.partition(b"\n")
        if first != self.first_line:
            raise NotUsable(f"{where} {self._strange(first)}; {self.advice}")
        if said_digest != _in_digits(rest):
            raise NotUsable(f"{where} is damaged: it has other bytes than written; {self.advice}")
        said, _, content = rest.partition(b"\n")
        try:
            found = json.loads(said)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise NotUsable(f"{where} does not say what it belongs to; {self.advice}")
        for key, wanted in belongs_to.items():
            if found.get(key) != wanted:
                raise NotUsable(
                    f"{where} is of another {key}{_shown(found.get(key))}; {self.advice}"
                )
        return content

    def _strange(self, first: bytes) -> str:
        """Why a file with this first line is not one of this format."""
        maker, _, rest = first.partition(b" ")
        name, _, version = rest.rpartition(b" ")
        if maker == _MAKER and name == self.name.encode() and version.isdigit():
            found = version[:9].decode()
            return f"has version {found} of its format, and this program reads {self.version}"
        return f"is not a file that begins with `{self.first_line.decode()}`"


def _shown(found: object) -> str:
    """What a file belongs to, if that is short enough to be read."""
    is_short = isinstance(found, str) and 0 < len(found) < _DIGITS and found.isprintable()
    return f", {found}" if is_short else ""


def _in_digits(data: bytes) -> bytes:
    return digest_of([data]).hex().encode()


def digest_of(parts: Iterable[bytes]) -> bytes:
    """The SHA-256 digest of *parts*, one behind the other."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.digest()


def text_bytes(text: str) -> bytes:
    """*text* as UTF-8, also where it has the name of a file that is none."""
    return text.encode("utf-8", "surrogatepass")


def json_bytes(value: object) -> bytes:
    """*value* in JSON, in one line."""
    return text_bytes(json.dumps(value, ensure_ascii=False))
