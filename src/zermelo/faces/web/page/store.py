"""Documents that were opened and plays that were begun, kept in SQLite.

A document is called by a digest of what it is, so that opening it again is no new one, and a link
to it leads to the same text for as long as it is kept. The library and files that were named on
the command line are not kept: they are where they are.
"""

from __future__ import annotations

import codecs
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Final

from zermelo.api import library, loading
from zermelo.faces.web.page.requests import Document
from zermelo.files import private, writing
from zermelo.text import decoding
from zermelo.text.errors import UsageError

VERSION: Final = 2
FILE: Final = "page.sqlite3"
MOST_DOCUMENTS: Final = 500
MOST_PLAYS: Final = 500
MOST_LISTED: Final = 50

_MIGRATIONS: Final = (
    """
    CREATE TABLE documents (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL, opened REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE plays (
        document TEXT NOT NULL, readings TEXT NOT NULL, tree TEXT NOT NULL, kept REAL NOT NULL,
        PRIMARY KEY (document, readings)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE plays ADD COLUMN digest TEXT NOT NULL DEFAULT '';
    UPDATE plays SET digest = digest_of_play(readings, tree);
    """,
)
"""What leads from each version to the next, the first one from nothing."""


class Store:
    """The documents that a page can open."""

    def __init__(
        self,
        folder: Path | None,
        files: Sequence[Path] = (),
        *,
        named: Mapping[str, Document] | None = None,
    ) -> None:
        """Keep documents in *folder*, and show *files*; *named* are there under names of their own.

        A document that is *named* and has a file is what stands in its file at the time.
        """
        self._base = _opened(folder)
        # Programs on their canvas are read again in threads of their own.
        self._lock = RLock()
        self._library = {game.name: game for game in loading.games()}
        self._files = {f"file-{_digest(str(path))[:8]}": path for path in files}
        self._named = dict(named or {})
        self._files |= {n: each.path for n, each in self._named.items() if each.path is not None}

    @property
    def files(self) -> dict[str, Path]:
        """The files that were named when the server was started, by what they are called here."""
        return dict(self._files)

    def find(self, name: str) -> Document | None:
        """The document called *name*; ``None`` if there is none."""
        if name in self._files:
            found = _in_file(self._files[name])
            known = self._named.get(name)
            return found if known is None else replace(found, reading_file=known.reading_file)
        if name in self._named:
            return self._named[name]
        if name in self._library:
            return _in_library(self._library[name].path)
        with self._using() as base:
            row = base.execute("SELECT name, text FROM documents WHERE id = ?", (name,))
            found = row.fetchone()
        if found is not None and _digest(f"{found[0]}\0{found[1]}") != name:
            raise UsageError(
                "this document is damaged where it is kept: it is not what was opened; "
                "remove it from the list, and open it again"
            )
        return None if found is None else Document(found[0], found[1])

    def add(self, name: str, text: str, *, replaces: str = "") -> str:
        """Keep a document, in the place of the one that it was made of; what it is called."""
        key = _digest(f"{name}\0{text}")
        with self._using() as base:
            # Only what is kept here can be replaced, and no game of the library.
            if (
                replaces != key
                and base.execute("DELETE FROM documents WHERE id = ?", (replaces,)).rowcount
            ):
                base.execute(
                    "UPDATE OR REPLACE plays SET document = ? WHERE document = ?", (key, replaces)
                )
            base.execute(
                "INSERT INTO documents VALUES (?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET opened = excluded.opened",
                (key, name, text, time.time()),
            )
            base.execute(
                "DELETE FROM documents WHERE id NOT IN "
                "(SELECT id FROM documents ORDER BY opened DESC LIMIT ?)",
                (MOST_DOCUMENTS,),
            )
        return key

    def in_file(self, name: str) -> dict[str, str | bool]:
        """A digest of what is in the file called *name*, and whether its lines end with CR LF.

        What is no file that can be written has neither.
        """
        path = self._files.get(name)
        if path is None:
            return {}
        data = _bytes_of(path)
        return {"digest": _digest(data), "returns": _has_returns(data)}

    def save(self, name: str, text: str, *, was: str) -> str:
        """Write *text* into the file called *name*, which was named when the server was started.

        What another page or program wrote there since its digest was *was* is kept. Lines end as
        they did in the file. The new digest is returned.
        """
        path = self._files.get(name)
        if path is None:
            raise UsageError("only a file that was named when the program was started is written")
        data = _bytes_of(path)
        if _digest(data) != was:
            raise UsageError(
                f"{path.name} is not saved: something else was written into it meanwhile; "
                "download your text, and compare the two"
            )
        after = _as_in(data, text)
        try:
            writing.replace(path, after, instead_of=data)
        except OSError as error:
            raise UsageError(f"{path.name} could not be written: {error.strerror}") from error
        return _digest(after)

    def recent(self) -> list[tuple[str, str]]:
        """The documents that were opened last: what each is called, and its name."""
        with self._using() as base:
            rows = base.execute(
                "SELECT id, name FROM documents ORDER BY opened DESC LIMIT ?", (MOST_LISTED,)
            )
            return [(key, name) for key, name in rows]

    def forget(self, name: str) -> None:
        """Keep a document, and the plays in it, no longer."""
        with self._using() as base:
            base.execute("DELETE FROM documents WHERE id = ?", (name,))
            base.execute("DELETE FROM plays WHERE document = ?", (name,))

    def keep_play(self, document: str, readings: str, tree: str) -> None:
        """Keep the lines that were tried in a document under some readings."""
        with self._using() as base:
            base.execute(
                "INSERT INTO plays VALUES (?, ?, ?, ?, ?) ON CONFLICT (document, readings) "
                "DO UPDATE SET tree = excluded.tree, kept = excluded.kept, "
                "digest = excluded.digest",
                (document, readings, tree, time.time(), _digest_of_play(readings, tree)),
            )
            base.execute(
                "DELETE FROM plays WHERE (document, readings) NOT IN "
                "(SELECT document, readings FROM plays ORDER BY kept DESC LIMIT ?)",
                (MOST_PLAYS,),
            )

    def play(self, document: str, readings: str) -> str | None:
        """The lines that were tried; ``None`` if none are kept."""
        with self._using() as base:
            rows = base.execute(
                "SELECT tree, digest FROM plays WHERE document = ? AND readings = ?",
                (document, readings),
            )
            found = rows.fetchone()
        if found is None:
            return None
        tree, digest = found
        if _digest_of_play(readings, tree) != digest:
            raise UsageError("the play that was kept is damaged, and is not gone on with")
        return str(tree)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """The database; all that is done with it is done, or nothing."""
        try:
            with self._lock, self._base:
                yield self._base
        except sqlite3.Error as error:
            # The disk is full, or another program has it for too long.
            raise UsageError(f"what is kept cannot be read or written: {error}") from error


def _opened(folder: Path | None) -> sqlite3.Connection:
    """The database in *folder*, brought to this version; one in memory where there is none."""
    if folder is None:
        base = sqlite3.connect(":memory:", check_same_thread=False)
    else:
        try:
            private.make(folder)
            # What others could read or change is nothing to keep documents in.
            with private.opened(folder):
                base = sqlite3.connect(folder / FILE, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"nothing can be kept in {folder}: {error}") from error
        with suppress(OSError):
            (folder / FILE).chmod(0o600)
    try:
        _bring_up(base)
    except sqlite3.DatabaseError as error:
        base.close()
        raise UsageError(f"{folder}/{FILE} cannot be used: {error}") from error
    return base


def _bring_up(base: sqlite3.Connection) -> None:
    base.create_function("digest_of_play", 2, _digest_of_play, deterministic=True)
    base.execute("PRAGMA journal_mode = WAL")
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise sqlite3.DatabaseError(
            f"a newer program has written it (version {version}, and this one knows {VERSION})"
        )
    for number in range(version, VERSION):
        base.executescript(
            f"BEGIN; {_MIGRATIONS[number]} PRAGMA user_version = {number + 1}; COMMIT;"
        )


def _in_file(path: Path) -> Document:
    return Document(path.name, _text_of(_bytes_of(path), path.name), path)


def _bytes_of(path: Path) -> bytes:
    try:
        # Of a file without end only a part is read, which is too long to be decoded.
        with path.open("rb") as file:
            return decoding.read(file)
    except OSError as error:
        raise UsageError(f"{path.name} cannot be read: {error.strerror}") from error


def _as_in(data: bytes, text: str) -> bytes:
    """*text* with the mark at its beginning and the ends of lines that *data* has."""
    if _has_returns(data):
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return (codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b"") + text.encode()


def _has_returns(data: bytes) -> bool:
    return 2 * data.count(b"\r\n") > data.count(b"\n")


def _text_of(data: bytes, name: str) -> str:
    decoded = decoding.decode(data, name)
    if decoded.value is None:
        said = [each.message for each in decoded.diagnostics]
        raise UsageError(f"{name} cannot be read: {'; '.join(said)}")
    return decoded.value.text


def _in_library(path: Path) -> Document:
    """A game of the library; the only file of readings in its folder belongs to it."""
    readings = list(path.parent.glob("*.reading"))
    beside = readings[0] if len(readings) == 1 else None
    return replace(_in_file(path), reading_file=beside, title=library.title(path))


def _digest(text: str | bytes) -> str:
    data = text.encode() if isinstance(text, str) else text
    return blake2b(data, digest_size=8).hexdigest()


def _digest_of_play(readings: str, tree: str) -> str:
    return _digest(f"{readings}\0{tree}")
