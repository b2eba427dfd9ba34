"""Characters that nobody sees are said of every document, and never reach a terminal."""

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

import zermelo
from tests.support.command import zermelo as run
from zermelo.api.loaded import model_of
from zermelo.faces.cli.main import run as run_here
from zermelo.faces.web.session import Session
from zermelo.languages.led.easel.svg import banner
from zermelo.text import decoding
from zermelo.text.render import json_text
from zermelo.text.source import visible

SAID = {
    **{chr(n): "turning" for n in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))},
    **dict.fromkeys("\u200e\u200f\u061c", "mark"),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\xad\u180eㅤ", "no width"),
    **{chr(n): "tag" for n in (0xE0001, 0xE0041, 0xE007F)},
    **dict.fromkeys("\x01\x07\x08\x0b\x1b\x7f\x9b\x9d", "control"),
}
# What a terminal obeys or a reader cannot see; colours of our own are switched off.
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)

SECTIONS = """\
Applicable Sets
  Cells : {{a{0}b, c}}
System Variables
  Free{0} ⊆ Cells
System Initialization
  Free{0} = Cells
System States and Behavior
// a remark{0} on this
Take{0}(cell{0} ∈ Cells)
  cell{0} ∈ Free{0} → Free{0} = Free{0} − {{cell{0}}}
"""
PROGRAM = """
prose{0} of this
/$ ledGame
initialState := "a{0}b"
newState := "a{0}c" if mouseClicked; currentState otherwise
images := {{text(currentState, point(500, 400), 80, dBlue)}} $/
"""
NET = """\
/* a remark{0} */
#place p{0} lo(<.0.>) hi(<.1.>) mk(<.1.>)
#place q lo(<.0.>) hi(<.1.>)
#trans t{0}
in {{ p{0}: <.1.>; }}
out {{ q: <.1.>; }}
#endtr
"""
PNML = """\
<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>p{0}</text></name>
<initialMarking><text>1</text></initialMarking></place>
<transition id="t"><name><text>t{0}</text></name></transition>
<arc id="a" source="p" target="t"/>
</page></net></pnml>
"""
DOCUMENTS = {"mine.md": SECTIONS, "mine.led": PROGRAM, "mine.net": NET, "mine.pnml": PNML}


@pytest.mark.parametrize("char", SAID, ids=lambda char: f"U+{ord(char):04X}")
def test_it_is_said_once_with_its_name_and_place(char: str) -> None:
    text = f"line\nname{char} and name{char}\n"

    (said,) = decoding.accept(text, "a.md").diagnostics

    assert (said.code.id, said.level.value) == ("Z124", "warning")
    assert f"(U+{ord(char):04X})" in said.message
    assert said.primary is not None
    assert said.primary.span.start == text.index(char)
    assert said.notes == ("it stands in 2 places, on lines 2",)


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian, with the joiner it is written with
        "السلام",
        "שלום",
        "क्\u200dष",
        "👩\u200d🔬 ❤️",
        "Größe ∈ ℕ, naïve, x̸",
        "page 1\fpage 2",
    ],
)
def test_words_of_all_scripts_are_fine(text: str) -> None:
    assert decoding.accept(text, "a.md").diagnostics == ()
    assert visible(text.replace("\f", "")) == text.replace("\f", "")


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("char", ["\u202e", "\u200b", "\u2066", "\u200f"])
def test_documents_of_every_language_are_told(name: str, char: str) -> None:
    game = zermelo.load_text(DOCUMENTS[name].format(char), name=name)

    assert "Z124" in {each.code.id for each in game.diagnostics}


@pytest.mark.parametrize("written", ["&#x202E;", "&#8238;", "&#x00202e;"])
def test_references_of_xml_are_told(written: str) -> None:
    game = zermelo.load_text(PNML.format(written), name="mine.pnml")

    (said,) = [each for each in game.diagnostics if each.code.id == "Z124"]
    assert "RIGHT-TO-LEFT OVERRIDE (U+202E)" in said.message
    assert said.primary is not None
    assert game.source.slice(said.primary.span) == written
    assert said.notes == ("it stands in 2 places, on lines 4 and 6",)


def test_files_that_a_net_includes_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.net").write_text('#include "more.h"\n' + NET.format(""), "utf-8")
    (tmp_path / "more.h").write_text("/* a remark\u202e */\n", "utf-8")

    (said,) = zermelo.load(tmp_path / "mine.net").diagnostics

    assert said.code.id == "Z124"
    assert any("more.h:1:12" in note for note in said.notes)


class Terminal(io.TextIOWrapper):
    """What is printed, by somebody who takes it for a terminal."""

    def isatty(self) -> bool:
        return True


def on_a_terminal(*arguments: str) -> str:
    out, err = (Terminal(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        run_here([*arguments, "--color", "never"])
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return "".join(texts).replace("\r\n", "\n")


ASKED = [
    ("check",),
    ("check", "--one-line"),
    ("check", "--json"),
    ("explain",),
    ("readings",),
    ("explore",),
    ("explore", "--json"),
    ("step",),
    ("graph",),
    ("graph", "--format", "dot"),
    ("graph", "--format", "svg"),
    ("graph", "--format", "json"),
    ("graph", "--format", "aut"),
    ("graph", "--format", "graphml"),
    ("format",),
    ("export", "--to", "latex"),
    ("export", "--to", "pnml"),
    ("export", "--to", "dot"),
    ("net", "report", "-o", "-"),
    ("net", "draw"),
    ("net", "draw", "--format", "dot"),
    ("solve",),
]


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("char", ["\u202e", "\x1b]0;title\x07"], ids=["turning", "escape"])
def test_no_command_sends_it_to_a_terminal(
    tmp_path: Path, asked: tuple[str, ...], name: str, char: str
) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name].format(char), "utf-8")
    at = 2 if asked[0] == "net" else 1
    more = ("1",) if asked[0] == "step" else ()

    shown = on_a_terminal(*asked[:at], str(path), *more, *asked[at:])

    found = RAW.search(shown)
    assert found is None, repr(shown[max(found.start() - 60, 0) : found.end() + 20])


TYPED = "moves\nstate\nhelp\nrules\nreadings\n1\nwhy 1\nhistory\nno{0}thing\nsave no{0}/where\n"


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("command", ["play", "repl"])
@pytest.mark.parametrize("char", ["\u202e", "\x1b[2J"], ids=["turning", "escape"])
def test_no_answer_at_a_prompt_has_it(tmp_path: Path, command: str, name: str, char: str) -> None:
    path = tmp_path / name
    path.write_text(DOCUMENTS[name].format(char), "utf-8")
    typed = TYPED.format(char) + f'currentState\n"a{char}b"\nFree{char}\n{{a{char}b}}\nquit\n'

    ran = run(command, str(path), typed=typed)

    found = RAW.search(ran.out + ran.err)
    assert found is None, repr((ran.out + ran.err)[max(found.start() - 60, 0) : found.end() + 20])


@pytest.mark.parametrize(
    "char", ["\u202e", "\u200b", "\x1b"], ids=["turning", "no width", "escape"]
)
def test_a_page_shows_it_written_out(char: str) -> None:
    game = zermelo.load_text(PROGRAM.format(char), name=f"mine{char}.led")
    page = Session(model_of(game).stage(None), game.source)

    everything = page.everything()
    # What is given back to the server to go on from is the state as a text of LED, nothing shown.
    assert everything.pop("source") == f'"a{char}b"'
    told = json.dumps(everything, ensure_ascii=False)

    assert RAW.search(told) is None
    assert f'"text": "a⟨U+{ord(char):04X}⟩b"' in told
    assert f'"state": "a⟨U+{ord(char):04X}⟩b"' in told


@pytest.mark.parametrize("char", ["\u202e", "\u200b", "\x07"], ids=["turning", "no width", "bell"])
def test_pictures_show_it_written_out(char: str) -> None:
    def pictures(text: str) -> dict[str, bytes]:
        game = zermelo.load_text(PROGRAM.format(text), name="mine.led")
        stage = model_of(game).stage(None)
        return dict(stage.pictures(stage.present))

    assert pictures(char) == pictures(f"⟨U+{ord(char):04X}⟩")
    assert pictures(char)[".png"] != pictures("")[".png"]


def test_what_is_wrong_with_a_frame_is_written_out_in_pictures() -> None:
    assert banner(["`a\u202eb` is no\nimage"]) == ["`a⟨U+202E⟩b` is no image"]


def test_json_keeps_the_text_and_escapes_it() -> None:
    data = {"a\u202e": ["\x9b1", "\U000e0041", "می\u200cخواهم"]}

    text = json_text(data)

    assert json.loads(text) == data
    assert text == '{"a\\u202e": ["\\u009b1", "\\udb40\\udc41", "می\u200cخواهم"]}'


def test_a_document_that_is_written_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(SECTIONS.format("\u202e"), "utf-8")

    ran = run("format", str(path))

    assert "// a remark\u202e on this" in ran.out
