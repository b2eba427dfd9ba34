"""What a file is: bytes become a text, or it is said what they are and what to do."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections.abc import Iterator
from typing import BinaryIO, Final

from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.prose import listing
from zermelo.text.source import Source, Span, hidden

MOST_BYTES: Final = 1_000_000
MOST_LINES: Final = 20_000
MOST_BYTES_OF_XML: Final = 64_000_000
"""Nets in PNML are written by programs, and large."""


# Files that hold a document, but not as text: how they begin, what they are, what to do.
_PACKAGES: Final[tuple[tuple[bytes | tuple[bytes, ...], str, str], ...]] = (
    (
        b"%PDF-",
        "a PDF",
        "copy the text out of it, or run `pdftotext -layout FILE.pdf FILE.txt` and give me that",
    ),
    (
        b"PK\x03\x04",
        "a Word file or another zip archive",
        "save it as plain text in UTF-8 (Save As), or run `pandoc FILE.docx -o FILE.md`",
    ),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old Word file",
        "save the document as plain text in UTF-8 (in Word: Save As, Plain Text)",
    ),
    (
        b"{\\rtf",
        "a rich text file (RTF)",
        "save the document as plain text in UTF-8, or run `pandoc FILE.rtf -o FILE.md`",
    ),
    (
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
        "a picture",
        "type the text in, or let a text recognition program read it",
    ),
    (b"\x1f\x8b", "a gzip archive", "unpack it first: `gunzip FILE`"),
)

_WIDE_MARKS: Final = (
    ((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "UTF-32"),
    ((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "UTF-16"),
)


def read(stream: BinaryIO) -> bytes:
    """What *stream* holds, or where that is too much the first part, one byte too long."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES and _is_pnml(data[:_HEAD]):
        data += stream.read(MOST_BYTES_OF_XML - MOST_BYTES)
    return data


def decode(
    data: bytes, name: str, *, size: int | None = None, is_cut: bool = False
) -> Checked[Source]:
    """The text in *data*, which stands in the file called *name*.

    If *is_cut*, ``read`` gave it, and there may be more: *size* bytes, where that is known. A
    byte order mark is left out and every line break becomes one character, so places count in
    the text that is returned.
    """
    is_xml = _is_pnml(data[:_HEAD])
    has_no_end = is_cut and size is None
    count = max(len(data), size or 0)
    size_said = _size(count, is_xml=is_xml, has_no_end=has_no_end)
    said = _package(data) or size_said or _wide(data)
    if said:
        return Checked(None, (said,))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return Checked(None, (_other_encoding(data, fault.start),))
    return accept(text, name)


def accept(text: str, name: str) -> Checked[Source]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.count("\n") + 1
    head = text[:_HEAD].encode("utf-8", "replace")
    is_xml = _is_pnml(head)
    said = (
        _empty(text)
        or _package(head[:1024])
        or _size(len(text), is_xml=is_xml)
        or (None if is_xml else _too_many(lines, "lines", MOST_LINES, "give me only the document"))
        or _binary(text)
        or _twice_encoded(text)
    )
    return Checked(None, (said,)) if said else _accepted(name, text, is_xml=is_xml)


def _accepted(name: str, text: str, *, is_xml: bool) -> Checked[Source]:
    return Checked(Source(name, text), hidden_characters(text, is_xml=is_xml))


def hidden_characters(text: str, *, start: int = 0, is_xml: bool = False) -> tuple[Diagnostic, ...]:
    """What to say of characters that nobody sees, each kind once, at its first place.

    Places count from *start*. XML can have them as references as well.
    """
    places: dict[str, list[Span]] = {}
    if not text.isascii() or _CONTROL.search(text):
        for at in hidden(text):
            # Printing puts form feeds between pages.
            if text[at] != "\f":
                places.setdefault(text[at], []).append(Span(at, at + 1))
    for char, span in _references(text) if is_xml else ():
        places.setdefault(char, []).append(span)
    return tuple(_said_of(char, found, text, start) for char, found in places.items())


def _references(text: str) -> Iterator[tuple[str, Span]]:
    """The hidden characters that *text* has as references of XML, such as ``&#x202E;``."""
    for found in _REFERENCE.finditer(text):
        number = int(found["hex"], 16) if found["hex"] else int(found["decimal"])
        char = chr(number) if number <= sys.maxunicode else ""
        if list(hidden(char)):
            yield char, Span(*found.span())


_CONTROL: Final = re.compile("[^\t\n\f\r\x20-\x7e]")
_REFERENCE: Final = re.compile(r"&#(?:x0*(?P<hex>[0-9a-fA-F]{1,6})|0*(?P<decimal>[0-9]{1,7}));")
_MOST_LINES_NAMED: Final = 5


def _said_of(char: str, places: list[Span], text: str, start: int) -> Diagnostic:
    number = f"U+{ord(char):04X}"
    name = unicodedata.name(char, "control character")
    first = places[0]
    some = places[:_MOST_LINES_NAMED]
    lines = dict.fromkeys(text.count("\n", 0, span.start) + 1 for span in some)
    rest = "" if len(some) == len(places) else " and on later ones"
    turns = unicodedata.bidirectional(char) in _TURNING
    return Diagnostic(
        codes.HIDDEN_CHARACTER,
        f"there is a character here that nobody sees: {name} ({number})",
        primary=Label(
            Span(start + first.start, start + first.end),
            "what follows may be shown in another order" if turns else "not seen",
        ),
        notes=()
        if len(places) == 1
        else (f"it stands in {len(places):,} places, on lines {listing(map(str, lines))}{rest}",),
        help="remove it: what is read may not be what is seen",
    )


_TURNING: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def is_pnml(text: str) -> bool:
    return _is_pnml(text[:_HEAD].encode("utf-8", "replace"))


def _is_pnml(head: bytes) -> bool:
    start = head[:200].removeprefix(codecs.BOM_UTF8).lstrip()
    return start.startswith(b"<") and b"<pnml" in head


_HEAD: Final = 5000
"""So much of a text tells whether it is XML."""


def _package(data: bytes) -> Diagnostic | None:
    head = data[:1024].lstrip()
    for mark, what, todo in _PACKAGES:
        if head.startswith(mark):
            return Diagnostic(
                codes.NOT_A_TEXT, f"this file is {what}, and only plain text can be read", help=todo
            )
    return None


def _wide(data: bytes) -> Diagnostic | None:
    for marks, encoding in _WIDE_MARKS:
        if data.startswith(marks):
            return _encoded(encoding)
    # ASCII in UTF-16 has a zero in every second byte.
    sample = data[:2000]
    evens, odds = sample[0::2].count(0), sample[1::2].count(0)
    if len(sample) >= 4 and max(evens, odds) * 4 > len(sample):
        return _encoded("UTF-16" if min(evens, odds) * 8 < len(sample) else "UTF-32")
    return None


def _encoded(encoding: str, *, notes: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(
        codes.OTHER_ENCODING,
        f"this text is in {encoding}, and only UTF-8 can be read",
        notes=notes,
        help=f"save it as UTF-8 in your editor, or run `iconv -f {encoding} -t UTF-8 FILE > NEW`",
    )


def _other_encoding(data: bytes, place: int) -> Diagnostic:
    line = data.count(b"\n", 0, place) + 1
    evidence = f"the byte {data[place]:#04x} on line {line} is not UTF-8"
    controls = sum(byte < 9 or 13 < byte < 27 for byte in data[:4000])
    if controls * 20 > len(data[:4000]):
        return Diagnostic(
            codes.NOT_A_TEXT,
            "this file is not a text",
            notes=(evidence,),
            help="give me the document as plain text in UTF-8",
        )
    return _encoded("WINDOWS-1252", notes=(evidence, "Latin-1 and Windows-1252 look like this"))


def _twice_encoded(text: str) -> Diagnostic | None:
    """That signs were taken apart: ``âˆˆ`` is ∈ read as Windows-1252."""
    found = _TAKEN_APART.search(text)
    if not found:
        return None
    try:
        sign = found.group().encode("cp1252").decode("utf-8")
    except UnicodeError:
        return None
    line = text.count("\n", 0, found.start()) + 1
    return Diagnostic(
        codes.OTHER_ENCODING,
        "this text is UTF-8 that was read as Windows-1252 and saved again",
        notes=(f"`{found.group()}` on line {line} was `{sign}`",),
        help="open the original again as UTF-8, or run `iconv -f UTF-8 -t WINDOWS-1252 FILE > NEW`",
    )


_TAKEN_APART: Final = re.compile("â[ˆ†‡Š‰]['‘’“”•–—˜™š›œžŸ\xa0-\xbfˆ†‡‰Š‹Œ€‚„…]")


def _binary(text: str) -> Diagnostic | None:
    if "\0" not in text:
        return None
    line = text.count("\n", 0, text.index("\0")) + 1
    return Diagnostic(
        codes.NOT_A_TEXT,
        "there is a zero byte in this file, which no text has",
        notes=(f"it is on line {line}",),
        help="give me the document as plain text in UTF-8",
    )


def _size(count: int, *, is_xml: bool, has_no_end: bool = False) -> Diagnostic | None:
    """That there are too many bytes; of what *has_no_end* only the beginning was counted."""
    most = MOST_BYTES_OF_XML if is_xml else MOST_BYTES
    help_ = None if is_xml else "give me only the document; pictures and data do not belong in it"
    if has_no_end and count > most:
        said = f"this document has more than {most:,} bytes, which is all that is read"
        return Diagnostic(codes.TOO_LARGE, said, help=help_)
    return _too_many(count, "bytes", most, help_)


def _too_many(count: int, what: str, most: int, help_: str | None) -> Diagnostic | None:
    said = f"this document has {count:,} {what}, and at most {most:,} are read"
    return Diagnostic(codes.TOO_LARGE, said, help=help_) if count > most else None


def _empty(text: str) -> Diagnostic | None:
    if text.strip():
        return None
    return Diagnostic(
        codes.EMPTY_DOCUMENT,
        "this document is empty",
        help="run `zermelo new FILE` for a document to start from",
    )
