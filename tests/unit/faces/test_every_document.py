"""Every document of the repository can be explained, stepped through and played to its end."""

import io
import json
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command import zermelo
from tests.support.models import words_of
from tests.support.project import ROOT
from zermelo.api import loading, questions
from zermelo.core.graph import GraphFormat
from zermelo.core.limits import Limits
from zermelo.core.prompt import Prompt
from zermelo.faces.cli.prompt import show
from zermelo.faces.cli.screen import Screen
from zermelo.play import notation
from zermelo.play import session as plays
from zermelo.play.advice import RandomPlayer
from zermelo.play.dialogue import PlayDialogue
from zermelo.play.lines import log
from zermelo.play.session import Session
from zermelo.text.prose import plain_text

DOCUMENTS = sorted(
    [
        *(
            path
            for path in (ROOT / "tests/documents").iterdir()
            if path.suffix in {".md", ".txt", ".tex"}
        ),
        *(ROOT / "games").glob("*/*.md"),
    ]
)
DOCUMENTS = [path for path in DOCUMENTS if path.name != "README.md"]
LONGEST = 10

loaded = cache(loading.load)

every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)


@every_document
def test_a_play_at_the_prompt_goes_to_its_end(path: Path) -> None:
    words = words_of(loaded(path))
    session = Session(words)
    prompt, screen = Prompt(PlayDialogue(session)), Screen(is_ascii=True)
    chance = RandomPlayer(1913)
    out = io.StringIO()

    with redirect_stdout(out):
        for _ in range(LONGEST):
            if session.outcome is not None:
                break
            move = chance.choose(session)
            for typed in (f"why {move}", notation.to_text(move, session.machine.signature), "log"):
                show(prompt.answer(typed), screen)
        show(prompt.answer("state"), screen)

    assert out.getvalue().isascii()
    saved = plays.saved_play(session)
    assert len(saved.moves) == LONGEST or session.outcome is not None
    assert plays.saved_play(plays.replay(saved, words).session) == saved


@every_document
def test_it_is_explained_in_lines_that_fit(path: Path) -> None:
    words = words_of(loaded(path))
    said = words.explain()

    lines = [row for line in said for row in Screen(width=80).broken(line)]

    # A word longer than the screen, such as a path, is not torn apart.
    assert all(len(row) <= 80 or " " not in row.strip() for row in lines)
    # Of a lock or a lift nobody is said to play it.
    assert ("\nPlayers\n" in plain_text(said)) == bool(words.machine.signature.players)


@every_document
def test_the_beginning_of_its_graph_is_written_in_every_format(path: Path) -> None:
    game = loaded(path)
    found = questions.graph(game, limits=Limits(states=30))

    texts = {each: "\n".join(questions.graph_lines(game, found, each)) for each in GraphFormat}

    assert len(json.loads(texts[GraphFormat.JSON])["nodes"]) == found.overview.nodes
    assert texts[GraphFormat.AUT].startswith("des (0, ")
    for each in (GraphFormat.GRAPHML, GraphFormat.SVG):
        assert ElementTree.fromstring(texts[each].encode()) is not None
    is_said = "not complete: " in texts[GraphFormat.SVG]
    assert is_said is not found.overview.is_complete


@every_document
def test_every_first_move_has_a_log(path: Path) -> None:
    session = Session(words_of(loaded(path)))

    for move in session.legal[:5]:
        assert "After " in plain_text(log(session.words, session.attempt(move)))


@every_document
def test_the_commands_end_well(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "load", lambda found, **_: loaded(found))

    for arguments in (
        ("explain", str(path)),
        ("step", str(path)),
        ("play", str(path)),
        ("explore", str(path), "--depth", "1"),
        ("format", str(path)),
    ):
        ran = zermelo(*arguments)

        assert ran.code in {0, 1}, (arguments, ran.err)
        assert ran.out
