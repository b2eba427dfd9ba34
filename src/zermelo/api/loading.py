"""Documents as games: read as their language asks for, from files and from the library."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from zermelo.api.game import Game
from zermelo.api.languages import LANGUAGES, language_of
from zermelo.core.language import Draft, Request, Understood
from zermelo.core.limits import Limits, asked
from zermelo.core.observation import Settlement
from zermelo.engines.check.observe import Effort, observe
from zermelo.engines.check.trials import Trials, is_open
from zermelo.files.beside import look, reading_file_of
from zermelo.text import budget, codes, decoding
from zermelo.text.budget import STEPS, OverBudget, TooDeep
from zermelo.text.diagnostic import Checked, Diagnostic, Json, Label
from zermelo.text.errors import UsageError, nearest
from zermelo.text.source import Source, writable

_TURNS_FOR_PLAYERS: Final = Effort(states=40, turns=200, plays=4, tries=500, steps=2_000_000)


def load(
    name: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    reading_file: str | Path | None = None,
    as_written: bool = False,
    plays: bool = True,
    seconds: float | None = None,
) -> Game:
    """The game in the file *name*, or the game of the library that is called *name*.

    *readings* decides what the document leaves open, by the name of the reading; so does the file
    that may stand beside a net or an LED program, or *reading_file* in its place. *as_written*
    leaves its errata out. Without *plays* an LED program is not tried out, which takes time: it
    then answers questions, and gives nothing to play. Raises ``OutOfTime`` where that takes more
    than so many *seconds*.
    """
    path = Path(name)
    if not is_readable(path):
        path = find(str(name)).path
    with asked(Limits(seconds=seconds)):
        name = writable(path.name)
        with path.open("rb") as file:
            decoded = _decoded(file, name)
        beside = _reading_file(reading_file, beside=path)
        request = Request(readings or {}, as_written, path, plays, reading_file=beside.value)
        return _load(
            Checked(decoded.value, (*decoded.diagnostics, *beside.diagnostics)), name, request
        )


def _reading_file(named: str | Path | None, *, beside: Path | None = None) -> Checked[Source]:
    """What stands in the file *named*, or else in the one *beside* a document, if it is there."""
    path = None if named is None else Path(named)
    if path is None and beside is not None:
        path = reading_file_of(beside)
        look(path)
        if path == beside or not _is_file(path):
            return Checked(None)
    if path is None:
        return Checked(None)
    look(path)
    name = writable(path.name)
    # Imported where there is such a file: few documents have one.
    from zermelo.text.reading_file import located  # noqa: PLC0415

    with path.open("rb") as file:
        decoded = _decoded(file, name)
    return Checked(decoded.value, located(decoded.diagnostics, decoded.value or Source(name, "")))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # The name is longer than names may be, or a folder may not be looked into.
        return False


def load_stream(
    stream: BinaryIO,
    *,
    name: str,
    readings: Mapping[str, str] | None = None,
    reading_file: str | Path | None = None,
    as_written: bool = False,
    plays: bool = True,
) -> Game:
    """The game that *stream* gives; of one that never ends only a part is read, and refused."""
    file = _reading_file(reading_file)
    request = Request(readings or {}, as_written, plays=plays, reading_file=file.value)
    name = writable(name)
    decoded = _decoded(stream, name)
    said = (*decoded.diagnostics, *file.diagnostics)
    return _load(Checked(decoded.value, said), name, request)


def _decoded(stream: BinaryIO, name: str) -> Checked[Source]:
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        status = None
    # What is no file has no size: a pipe, or a device.
    size = status.st_size if status is not None and stat.S_ISREG(status.st_mode) else None
    return decoding.decode(decoding.read(stream), name, size=size, is_cut=True)


def is_readable(path: Path) -> bool:
    """Whether there is something at *path* that holds bytes: a file, a pipe or a device."""
    return path.exists() and not path.is_dir()


def load_bytes(
    data: bytes,
    *,
    name: str,
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
    plays: bool = True,
    seconds: float | None = None,
) -> Game:
    """The game in *data*, which is what a file called *name* holds."""
    request = Request(readings or {}, as_written, plays=plays)
    with asked(Limits(seconds=seconds)):
        name = writable(name)
        return _load(decoding.decode(data, name), name, request)


def load_text(
    text: str,
    *,
    name: str = "document.md",
    readings: Mapping[str, str] | None = None,
    as_written: bool = False,
    plays: bool = True,
    path: Path | None = None,
    reading_file: str | Path | None = None,
    seconds: float | None = None,
) -> Game:
    """The game that *text* describes; *name* is what messages call it.

    *path* is where the text is going to stand, if other files belong to it; see ``load`` for the
    *reading_file* among them.
    """
    with asked(Limits(seconds=seconds)):
        name = writable(name)
        beside = _reading_file(reading_file, beside=path)
        request = Request(readings or {}, as_written, path, plays, reading_file=beside.value)
        accepted = decoding.accept(text, name)
        said = (*accepted.diagnostics, *beside.diagnostics)
        return _load(Checked(accepted.value, said), name, request)


def _load(checked: Checked[Source], name: str, request: Request) -> Game:
    def reread(readings: Mapping[str, str]) -> Game:
        return _load(checked, name, replace(request, given=readings))

    source = checked.value
    if source is None:
        said, given = checked.diagnostics, request.given
        return Game(Source(name, ""), None, said, given, request.as_written, reread=reread)
    try:
        with budget.phase(budget.READING), budget.budget(steps=STEPS) as spent:
            language = language_of(source)
            understood = language.read(source, request)
            budget.look(budget.READING)
            if request.reading_file is not None and not language.takes_reading_file:
                understood = replace(
                    understood,
                    diagnostics=(*understood.diagnostics, _not_used(request.reading_file)),
                )
    except OverBudget as over:
        understood = Understood(None, (_too_much(over),))

    def again() -> Trials:
        draft = language.read(source, request).draft
        played = Trials(draft)
        if draft is not None:
            _settled(draft, played.settle(draft.readings))
        return played

    trials = Trials(understood.draft, again)
    meant = understood
    if understood.draft is not None:
        try:
            steps = budget.budget(steps=STEPS, spent=spent.spent)
            with budget.phase(budget.DECIDING), steps:
                settlement = _decided(understood.draft, trials, source, request)
                meant = _settled(understood.draft, settlement)
        except OverBudget as over:
            meant = Understood(None, (_too_much(over),))
    said = (*checked.diagnostics, *understood.diagnostics, *meant.diagnostics)
    return Game(
        source,
        meant.model,
        tuple(dict.fromkeys(said)),
        given=request.given,
        as_written=request.as_written,
        document=understood.document,
        trials=trials,
        folder=None if request.path is None else request.path.parent,
        reread=reread,
    )


def _not_used(file: Source) -> Diagnostic:
    return Diagnostic(
        codes.READING_FILE_NOT_USED,
        "this file is not used: a document with sections says itself how it is read",
        notes=("such a file belongs to nets and LED programs",),
        help="move its lines into the sections Reading and View of the document",
        source=file,
    )


def _too_much(over: OverBudget) -> Diagnostic:
    """What is said of a document that takes more steps than there are, or is too deep."""
    if isinstance(over, TooDeep):
        allowed = "names that stand for others, or formulas inside formulas, go down so far"
        said = f"this document is nested too deeply: more than {over.allowed:,} levels"
        help_ = "write out some of the names that are defined by others"
    else:
        allowed = f"at most {over.allowed:,} are made until a document is understood"
        said = f"this document takes {over.needed:,} steps or more, the last of them {over.what}"
        help_ = "make its sets smaller, or its formulas shorter or fewer"
    place = None if over.span is None else Label(over.span, "here it is too much")
    return Diagnostic(codes.TOO_MUCH_WORK, said, place, notes=(allowed,), help=help_)


def _decided(draft: Draft, trials: Trials, source: Source, request: Request) -> Settlement:
    """What playing decides about *draft*, or has decided the last time."""
    if not any(map(is_open, draft.readings)):
        return trials.settle(draft.readings)
    from zermelo.engines.check import kept_trials  # noqa: PLC0415 - many leave nothing open

    given: Json = [[name, choice] for name, choice in sorted(request.given.items())]
    key = kept_trials.key_of([source.name, source.text, given, request.as_written])
    known = None if key is None else kept_trials.kept(key)
    if known is not None:
        budget.spend(known.steps, budget.DECIDING)
        return known.settlement
    with budget.budget() as spent:
        settlement = trials.settle(draft.readings)
    if key is not None:
        kept_trials.keep(key, kept_trials.KeptTrials(settlement, spent.spent))
    return settlement


def _settled(draft: Draft, settlement: Settlement) -> Understood:
    """What a document means, with what is open decided."""
    meant = draft.settled(settlement, partial(observe, effort=_TURNS_FOR_PLAYERS))
    return Understood(meant.value, meant.diagnostics)


# The library


def data_folder(kind: str) -> Path:
    """The folder of games or pages: inside an installed package, or in the repository."""
    here = Path(__file__).parent.parent
    installed = here / "data" / kind
    if installed.is_dir():
        return installed
    repository = here.parent.parent
    return repository / ("games" if kind == "games" else "docs/reference/diagnostics")


@dataclass(frozen=True, slots=True)
class LibraryGame:
    """A game that comes with the package."""

    name: str
    path: Path
    """Its document."""
    summary: str
    """What it is, in one sentence."""


def games() -> tuple[LibraryGame, ...]:
    """The games of the library, by name."""
    folder = data_folder("games")
    found = (
        (each, _document(each)) for each in sorted(folder.iterdir() if folder.is_dir() else ())
    )
    return tuple(LibraryGame(each.name, path, _summary(each)) for each, path in found if path)


def find(name: str) -> LibraryGame:
    """The game of the library called *name*; raises ``UsageError`` if there is none."""
    known = {each.name: each for each in games()}
    if name in known:
        return known[name]
    near = nearest(name, known)
    listed = ", ".join(near or known) or "none"
    raise UsageError(
        f"there is no file and no game of the library called `{name}`; "
        f"{'near it' if near else 'the library has'}: {listed}"
    )


def _document(folder: Path) -> Path | None:
    """The document in *folder*: it has the folder's name, and an ending of its language."""
    named = (folder / f"{folder.name}{ending}" for row in LANGUAGES for ending in row.endings)
    return next((path for path in named if path.is_file()), None)


def _summary(folder: Path) -> str:
    """The first sentence of a game's README, behind its title."""
    path = folder / "README.md"
    if not path.is_file():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()
    words = (line.strip() for line in lines if line.strip() and not line.startswith("#"))
    return next(words, "")
