"""What is fuzzed: every place where something comes in that somebody else made.

A target takes any bytes. It may answer, or refuse with a `UsageError`; it may not raise anything
else. To add one, write a function that does so, and an entry of `TARGETS` with inputs to begin
from; inputs that once failed are kept in tests/corpus/<its name>/.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from unittest import mock

from tests.support import fuzz_inputs as inputs
from tests.support.expanders import heap
from tests.support.project import ROOT
from zermelo.api import loading, questions, texts
from zermelo.api.game import Game
from zermelo.api.languages import language_of, row_of
from zermelo.api.loaded import model_of
from zermelo.core.graph import GraphFormat
from zermelo.core.language import Request
from zermelo.core.limits import Limits
from zermelo.engines.solve import solution_file
from zermelo.engines.space import checkpoint
from zermelo.faces.web import messages
from zermelo.faces.web.session import Session as PageSession
from zermelo.fast import cache as code_cache
from zermelo.files import sealed
from zermelo.play import notation
from zermelo.play.session import Session, read_saved, replay, saved_play, saved_text
from zermelo.text import codes, decoding, render
from zermelo.text.budget import STEPS, budget
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import UsageError
from zermelo.text.source import Source

CORPUS = ROOT / "tests/corpus"
FEW = Limits(states=60, depth=4)
MOVES = 3


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes what others made."""

    run: Callable[[bytes], None]
    """Raises where it should not."""
    seeds: Callable[[], Sequence[bytes]]
    """What inputs are made of."""
    grammar: Callable[[Random], bytes] | None = None
    """What makes inputs from nothing."""


class Failed(AssertionError):
    """A target answered with something that it must not answer with."""


def case(name: str, number: int) -> bytes:
    """The input that *number* leads to, for the target of this *name*."""
    chance = Random(f"{name} {number}")
    target = TARGETS[name]
    made = _made(name)
    if target.grammar is None or chance.random() < 0.6:
        return inputs.mutated(chance, made, _words(name))
    text = target.grammar(chance)
    if chance.random() < 0.3:
        return text[: inputs.LONGEST]
    return inputs.mutated(chance, (text, text, text, chance.choice(made)), _words(name))


@cache
def _made(name: str) -> Sequence[bytes]:
    kept = sorted((CORPUS / name).glob("*")) if (CORPUS / name).is_dir() else []
    return (*TARGETS[name].seeds(), *(path.read_bytes() for path in kept))


@cache
def _words(name: str) -> Sequence[bytes]:
    return inputs.words_of(_made(name))


def attempt(name: str, data: bytes) -> bool:
    """Whether the target took *data*; where it refused, it did so as it should."""
    try:
        TARGETS[name].run(data)
    except UsageError:
        return False
    return True


# Documents


def _read(name: str) -> Callable[[bytes], None]:
    """Reading alone: what a document says, and what is wrong with it."""

    def run(data: bytes) -> None:
        decoded = decoding.decode(data, name)
        _tell(decoded.diagnostics, decoded.value or Source(name, ""))
        if decoded.value is not None:
            with budget(steps=STEPS):
                understood = language_of(decoded.value).read(decoded.value, Request(plays=False))
            _tell(understood.diagnostics, decoded.value)

    return run


def _tell(said: Sequence[Diagnostic], source: Source) -> None:
    render.full(said, source)
    for each in said:
        render.as_json(each, source)
        if each.code == codes.OUR_FAULT:
            raise Failed(each.notes)


def _use(name: str) -> Callable[[bytes], None]:
    """All that the commands do: load, render, explain, format, check, play, draw."""

    def run(data: bytes) -> None:
        game = loading.load_bytes(data, name=name)
        _tell(game.diagnostics, game.source)
        for question in (_explained, _formatted, _checked, _played, _drawn):
            try:
                question(game)
            except UsageError:
                continue

    return run


def _explained(game: Game) -> None:
    list(model_of(game).words.explain())


def _formatted(game: Game) -> None:
    texts.format_text(game)


def _checked(game: Game) -> None:
    report = questions.check(game, limits=FEW)
    _tell(report.diagnostics, game.source)


def _played(game: Game) -> None:
    words = model_of(game).words
    session = Session(words)
    for _ in range(MOVES):
        legal = session.legal
        if not legal:
            break
        session.make_text(notation.to_text(legal[-1], words.machine.signature))
    replay(read_saved(saved_text(saved_play(session))), words)


def _drawn(game: Game) -> None:
    graph = questions.graph(game, limits=FEW)
    for form in (GraphFormat.DOT, GraphFormat.SVG):
        list(questions.graph_lines(game, graph, form))


def _seeds(language: str, suffixes: Sequence[str], name: str) -> Callable[[], Sequence[bytes]]:
    """The project's own documents of a *language*, and those that show diagnostics."""

    @cache
    def found() -> Sequence[bytes]:
        patterns = ("games/*/*", "tests/documents/*", "tests/documents/*/*")
        paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
        texts_ = [path.read_bytes() for path in paths if path.suffix in suffixes]
        for path in sorted((ROOT / "tests/golden/diagnostics").glob("*.md")):
            blocks = path.read_text(encoding="utf-8").split("```")[1::2]
            texts_ += [block.partition("\n")[2].encode() for block in blocks[:1]]
        return [text for text in texts_ if _is_in(language, text, name)]

    return found


def _is_in(language: str, data: bytes, name: str) -> bool:
    """Whether *data* is a document of *language*, and no longer than inputs may be."""
    source = decoding.decode(data, name).value
    return source is not None and len(data) <= inputs.LONGEST and row_of(source).name == language


# The file beside a document that says how it is read

_PLAYED = {
    "a.net": """\
#place cell lo(<.1,0.>) hi(<.3,2.>) mk(<.1..3,0.>)
#place turn lo(<.1.>) hi(<.2.>) mk(<.1.>)
#place full
#trans put
in { cell: <.c,0.>; turn: <.p.>; }
out { cell: <.c,p.>; turn: <.3 - p.>; }
#endtr
#trans end
in { cell: <.1,x.> + <.2,y.> + <.3,z.>; }
out { full: <..>; }
gate x > 0 && y > 0 && z > 0;
#endtr
""",
    "a.led": """\
/$
initialState := (0, `ann)
place := p where currentState = (p, w)
who := w where currentState = (p, w)
other := `ben if who = `ann; `ann otherwise
step := 1 if mouseClicked & mouseX < 500; 2 if mouseClicked; 0 otherwise
newState := (place + step, other) if place < 4 & step > 0; currentState otherwise
over iff place > 3
images := {text("the end", point(500, 400), 30, dRed)} if over; {} otherwise
$/
""",
}


def _decided(data: bytes) -> None:
    """A file of readings beside a net and beside an LED program, which are then played."""
    for name, text in _PLAYED.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(text, "utf-8")
            path.with_suffix(".reading").write_bytes(data)
            game = loading.load(path)
        _tell(game.diagnostics, game.source)
        for question in (_explained, _checked, _played, _shown):
            try:
                question(game)
            except UsageError:
                continue


def _shown(game: Game) -> None:
    """The position as a prompt shows it, with its board, and who is to move."""
    words = model_of(game).words
    state = words.machine.initial
    words.state_in_lines(state)
    words.picture(state, last=None)
    words.machine.player(state)
    words.machine.outcome(state)


def _decisions() -> Sequence[bytes]:
    return (
        (ROOT / "games/tic-tac-toe-net/players.reading").read_bytes(),
        b"Reading\n  players: x when turn has <.1.>, o when turn has <.2.>\n"
        b"  x wins: full has <..> and turn has <.2.>\n  draw: enabled end\n"
        b"  stuck player: draws   // nobody can\n"
        b"View\n  board: 1 \xc3\x97 3\n  piece x: cell = 1\n  hide: turn\n",
        b"Reading\n  players: `ann, `ben\n  whose turn: who\n  end: over\n"
        b"  clicks: every 100 points\n  result: who\n  keys: one at a time\n",
        b"Reading\n  players: one player\n  stuck player: loses\nView\n  show: turn, full\n",
    )


# Plays


@cache
def _board() -> Game:
    return loading.load("tic-tac-toe")


def _typed(data: bytes) -> None:
    """A move as somebody types it."""
    session = Session(model_of(_board()).words)
    session.make_text(data.decode("utf-8", "replace"))


def _moves() -> Sequence[bytes]:
    return (b"1 1", b"(2, 3)", b"Mark((1, 1))", b"mark 2,2", b"3", b"{1, 2}", b"pass", b"true")


def _saved(data: bytes) -> None:
    replay(read_saved(data.decode("utf-8", "replace")), model_of(_board()).words)


def _saves() -> Sequence[bytes]:
    session = Session(model_of(_board()).words)
    empty = saved_text(saved_play(session))
    for move in ("1 1", "2 2", "3 3"):
        session.make_text(move)
    return (empty.encode(), saved_text(saved_play(session)).encode())


# Files that the program keeps. Their checksums are made to agree, since otherwise hardly any
# change would be looked at: what is read must not be trusted because somebody sealed it.


class _AnyDigest:
    """A checksum that all data have."""

    digest_size = 32

    def __init__(self, data: bytes = b"", **_: object) -> None:
        del data

    def update(self, data: bytes) -> None:
        del data

    def digest(self) -> bytes:
        return b"\x5a" * self.digest_size

    def hexdigest(self) -> str:
        return self.digest().hex()


@contextmanager
def _any_checksum() -> Iterator[None]:
    """Let what is written and read here have one and the same checksum."""
    with ExitStack() as stack:
        for module in (solution_file, checkpoint, code_cache, sealed):
            if hasattr(module, "hashlib"):
                fake = mock.Mock(sha256=_AnyDigest, blake2b=_AnyDigest)
                stack.enter_context(mock.patch.object(module, "hashlib", fake))
            if hasattr(module, "zlib"):
                fake = mock.Mock(wraps=module.zlib, crc32=lambda *_: 0)
                fake.error = module.zlib.error
                stack.enter_context(mock.patch.object(module, "zlib", fake))
        yield


@cache
def _heap() -> Game:
    return heap(4)


def _solution(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        path = Path(folder) / "a.solution"
        path.write_bytes(data)
        found = questions.open_solution(_heap(), path)
        state = _heap().machine.initial
        found.value(state)
        found.best(state)
        list(found.moves(state))


@cache
def _solutions() -> Sequence[bytes]:
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        path = Path(folder) / "a.solution"
        questions.keep_solution(questions.solve(_heap(), threads=1), path)
        return (path.read_bytes(),)


def _resumed(data: bytes) -> None:
    """A checkpoint of which one file is replaced: its name, a line, and what it is now."""
    name, _, content = data.partition(b"\n")
    kept = _checkpoint()
    if name.decode("utf-8", "replace") not in kept:
        return
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        for each, whole in kept.items():
            (Path(folder) / each).write_bytes(content if each.encode() == name else whole)
        questions.explore(_heap(), limits=Limits(depth=6), checkpoint=Path(folder))


@cache
def _checkpoint() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        questions.explore(_heap(), limits=Limits(depth=2), checkpoint=Path(folder))
        return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}


def _checkpoints() -> Sequence[bytes]:
    return [name.encode() + b"\n" + content for name, content in _checkpoint().items()]


_KEY = "a" * 64


def _cached(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        kept = code_cache.Cache(Path(folder))
        kept.put(_KEY, b"123")
        for path in Path(folder).rglob(f"*{_KEY}*"):
            path.write_bytes(data)
        kept.get(_KEY)


def _caches() -> Sequence[bytes]:
    with tempfile.TemporaryDirectory() as folder, _any_checksum():
        kept = code_cache.Cache(Path(folder))
        kept.put(_KEY, b"some code")
        return [path.read_bytes() for path in Path(folder).rglob(f"*{_KEY}*")]


# The page


@cache
def _program() -> Game:
    return loading.load("tic-tac-toe-led")


def _message(data: bytes) -> None:
    """What a page says, and what the program in it then does."""
    said = messages.from_data(data.decode("utf-8", "replace"))
    if not isinstance(said, messages.Refusal):
        _page().advance([said], is_due=False)


@cache
def _page() -> PageSession:
    return PageSession(model_of(_program()).stage(None), _program().source)


def _messages() -> Sequence[bytes]:
    return (
        b'{"do": "click", "x": 150, "y": 650}',
        b'{"do": "cursor", "x": 1, "y": 2}',
        b'{"do": "press", "key": "ArrowLeft"}',
        b'{"do": "release", "key": "a"}',
        b'{"do": "pause"}',
        b'{"do": "play"}',
        b'{"do": "step"}',
        b'{"do": "go", "frame": 3}',
        b'{"do": "restart"}',
        b'{"do": "speed", "speed": 2.5}',
        b"[]",
    )


def _document(
    language: str, name: str, suffixes: Sequence[str], grammar: Callable[[Random], bytes]
) -> dict[str, Target]:
    seeds = _seeds(language, suffixes, name)
    kind = Path(name).stem
    return {
        f"read-{kind}": Target(_read(name), seeds, grammar),
        f"use-{kind}": Target(_use(name), seeds, grammar),
    }


TARGETS: dict[str, Target] = {
    **_document("sections", "sections.md", (".md", ".txt", ".tex"), inputs.sections_text),
    **_document("led", "led.led", (".led",), inputs.led_text),
    **_document("nets", "prod.net", (".net",), inputs.prod_text),
    **_document("nets", "pnml.pnml", (".pnml",), inputs.pnml_text),
    "readings": Target(_decided, _decisions),
    "moves": Target(_typed, _moves),
    "saved-plays": Target(_saved, _saves),
    "solutions": Target(_solution, _solutions),
    "checkpoints": Target(_resumed, _checkpoints),
    "cached-code": Target(_cached, _caches),
    "messages": Target(_message, _messages),
}
