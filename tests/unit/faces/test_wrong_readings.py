"""A reading that a document does not have is a usage error, whatever is asked of the document."""

from pathlib import Path

import pytest

import zermelo
from tests.support.command import zermelo as run
from tests.support.project import ROOT, TESTS
from zermelo.core.signature import WrongReading
from zermelo.faces.cli.main import COMMANDS
from zermelo.text.errors import UsageError

HEAP = """\
Applicable Sets
  H : {0..2}
System Variables
  heap, moved ∈ H
System Initialization
  heap = 2
  moved = 0
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n
  heap < 2 → moved = 1
"""
PROGRAM = """
/$ ledGame
initialState := 0
newState := currentState + 1 if mouseClicked; currentState otherwise
images := {}
gameOver iff currentState > 3 $/
"""
NO_GAME = "/$ f(x) := x + 1 $/\n"
NET = (TESTS / "documents/nets/buffer.net").read_text("utf-8")
DOCUMENTS = {"heap.md": HEAP, "run.led": PROGRAM, "sum.led": NO_GAME, "buffer.net": NET}

ORDER = "`order` (in order, facts frozen or at once)"
CHOICES = "choose `stops the play`, `goes on` or `gameOver`"
CASES = [
    ("heap.md", "nosuch=x", f"heap.md has no reading `nosuch`; it has {ORDER}"),
    ("heap.md", "oder=x", f"did you mean `order`? It has {ORDER}"),
    (
        "heap.md",
        "order=sideways",
        "`sideways` is no choice of the reading `order`; "
        "choose `in order`, `facts frozen` or `at once`",
    ),
    ("heap.md", "quantifier=as written", f"heap.md has no reading `quantifier`; it has {ORDER}"),
    ("heap.md", "order of Put=at once", f"has no reading `order of Put`; it has {ORDER}"),
    ("heap.md", "heap starts at=1", f"has no reading `heap starts at`; it has {ORDER}"),
    ("run.led", "order=at once", "run.led has no reading `order`; it has `inputs` (regions or"),
    ("run.led", "end=never", f"`never` is no choice of the reading `end`; {CHOICES}"),
    ("run.led", "inputs=grid 0", "`grid 0` is no choice of the reading `inputs`"),
    ("sum.led", "end=goes on", "sum.led has no reading `end`; it has none at all"),
    ("buffer.net", "order=at once", "buffer.net has no reading `order`; it has `players`"),
]
ARGUMENTS = {
    "step": ("1",),
    "compare": ("--reading-b", "order=at once"),
    "export": ("--to", "latex"),
    "picture": ("--to", "svg"),
    "easel": ("--no-browser",),
    "net": (),
}
WITHOUT_READINGS = {"games", "new", "net", "cache", "devices", "serve"}
ASKED = [name for name in COMMANDS if name not in WITHOUT_READINGS]


def said(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in DOCUMENTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize(("name", "reading", "sentence"), CASES)
def test_every_command_refuses_it_and_lists_the_choices(
    folder: Path, command: str, name: str, reading: str, sentence: str
) -> None:
    ran = run(command, str(folder / name), *ARGUMENTS.get(command, ()), "--reading", reading)

    assert (ran.code, ran.out) == (2, "")
    assert sentence in said(ran.err)
    assert ran.err.startswith("zermelo: ")


@pytest.mark.parametrize("command", ["report", "states", "draw"])
def test_commands_of_nets_refuse_it(folder: Path, command: str) -> None:
    ran = run("net", command, str(folder / "buffer.net"), "--reading", "order=at once")

    assert (ran.code, ran.out) == (2, "")
    assert "buffer.net has no reading `order`; it has `players`" in said(ran.err)


def test_beside_a_net_a_reading_is_of_the_document_compared_with_it(folder: Path) -> None:
    games = ROOT / "games" / "tic-tac-toe-net"
    net, mapping = str(games / "tic-tac-toe-net.net"), str(games / "board.toml")
    asked = ("net", "shape", net, "--mapping", mapping, "--game", str(folder / "heap.md"))

    ran = run(*asked, "--reading", "nosuch=x")

    assert ran.code == 2
    assert "heap.md has no reading `nosuch`" in said(ran.err)


@pytest.mark.parametrize("broken", ["", "System Variables\n", "Applicable Sets\n  A : {\n"])
def test_a_name_that_no_document_has_is_refused_of_a_broken_one_too(broken: str) -> None:
    text = f"System States and Behavior\n{broken}"

    with pytest.raises(WrongReading, match=r"a\.md has no reading `nosuch`"):
        zermelo.load_text(text, name="a.md", readings={"nosuch": "x"})


@pytest.mark.parametrize(("name", "reading", "sentence"), CASES)
def test_the_library_refuses_it(folder: Path, name: str, reading: str, sentence: str) -> None:
    key, _, value = reading.partition("=")

    with pytest.raises(UsageError) as raised:
        zermelo.load(folder / name, readings={key: value})
    assert sentence in str(raised.value)
    with pytest.raises(UsageError):
        zermelo.load_text(DOCUMENTS[name], name=name, readings={key: value})
    with pytest.raises(UsageError):
        zermelo.load_bytes(DOCUMENTS[name].encode(), name=name, readings={key: value})


def test_players_that_are_not_understood_are_refused(folder: Path) -> None:
    ran = run("check", str(folder / "heap.md"), "--reading", "players=A when (((")

    assert ran.code == 2
    assert "`A when (((` is no choice of the reading `players`, because" in said(ran.err)
    assert "as in `A when turn, B when ¬turn`" in said(ran.err)


def test_what_a_document_has_is_taken(folder: Path) -> None:
    game = zermelo.load(folder / "heap.md", readings={"Order": "simultaneous", "players": "Ann"})

    chosen = {each.name: each.choice for each in game.readings if each.decided_by == "caller"}
    assert chosen == {"order": "at once", "players": "Ann"}
