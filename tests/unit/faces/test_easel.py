"""``zermelo easel`` without a window, and ``zermelo repl`` on LED programs."""

from pathlib import Path

import pytest

from tests.support.command import zermelo
from tests.support.project import ROOT

PROGRAM = """\
A marker that is clicked from place to place, and a trace of where it was.

/$
ledGame
initialState := {}
newState := currentState U {(mouseX, mouseY)} if mouseClicked;
            {} if "C" in keys;
            currentState otherwise
images := {disc(point(x, y), 10 - x, dRed) | (x, y) in currentState}
$/
"""
INPUTS = """\
# two places that can be drawn
click 5 400
move 10 10
frame 3
snapshot first
click 9 300
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program and a list of inputs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mark.led").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "inputs.txt").write_text(INPUTS, encoding="utf-8")
    return tmp_path


def write(home: Path, name: str, text: str) -> str:
    """A file in *home*; its name."""
    (home / name).write_text(text, encoding="utf-8")
    return name


def test_a_list_of_inputs_is_played_and_the_last_state_shown(home: Path) -> None:
    ran = zermelo("easel", "mark.led", "--script", "inputs.txt")

    assert ran.code == 0, ran.err
    assert ran.out == "5 frames. The last state:\n{(5, 400), (9, 300)}\n"
    assert sorted(path.name for path in home.iterdir()) == ["inputs.txt", "mark.led"]


def test_frames_snapshots_and_the_state_are_written(home: Path) -> None:
    ran = zermelo("easel", "mark.led", "--script", "inputs.txt", "--out", "made/frames")

    assert ran.code == 0, ran.err
    assert ran.out.endswith("Wrote 10 pictures and state.txt into made/frames.\n")
    folder = home / "made" / "frames"
    assert sorted(path.name for path in folder.glob("*.svg")) == [
        "first.svg",
        "frame-00000.svg",
        "frame-00001.svg",
        "frame-00004.svg",
        "frame-00005.svg",
    ]
    assert len(list(folder.glob("*.png"))) == 5
    assert (folder / "state.txt").read_text("utf-8") == "{(5, 400), (9, 300)}\n"
    assert (folder / "first.svg").read_bytes() == (folder / "frame-00004.svg").read_bytes()


def test_the_same_inputs_give_the_same_bytes(home: Path) -> None:
    for folder in ("one", "two"):
        zermelo("easel", "mark.led", "--script", "inputs.txt", "--out", folder)

    one = {path.name: path.read_bytes() for path in (home / "one").iterdir()}
    two = {path.name: path.read_bytes() for path in (home / "two").iterdir()}
    assert one == two
    assert len(one) == 11


def test_json_tells_every_step(home: Path) -> None:
    ran = zermelo("easel", "mark.led", "--script", "inputs.txt", "--out", "f", "--json")

    steps = ran.json["steps"]
    assert (ran.json["frames"], ran.json["state"]) == (5, "{(5, 400), (9, 300)}")
    assert [(step["line"], step["frame"], step["sounds"]) for step in steps] == [
        (None, 0, []),
        (2, 1, ["ding"]),
        (3, None, []),
        (4, 4, []),
        (5, None, []),
        (6, 5, ["ding"]),
    ]
    assert steps[4]["files"] == ["first.svg", "first.png"]
    assert steps[5]["files"] == ["frame-00005.svg", "frame-00005.png", "state.txt"]
    assert (home / "f" / "first.png").is_file()


def test_a_frame_with_a_fault_is_said_and_the_exit_code_is_1(home: Path) -> None:
    name = write(home, "far.txt", "click 12 1\nframe 2\n")

    ran = zermelo("easel", "mark.led", "--script", name)

    assert ran.code == 1
    assert "frame 1: mark.led:9:1: error[Z635]: image 1 makes no sense: radius is -2" in ran.out
    assert ran.out.count("makes no sense") == 1


def test_keys_reach_the_program(home: Path) -> None:
    name = write(home, "keys.txt", "click 5 5\nkey c\n")

    assert zermelo("easel", "mark.led", "--script", name).out.endswith("\n{}\n")


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ("click 1\n", "bad.txt, line 1: `click 1`: `click` needs two whole numbers"),
        ("frame\nclik 1 2\n", "line 2: `clik 1 2`: there is no input `clik`; did you mean `click`"),
    ],
)
def test_a_bad_line_is_said_with_its_number(home: Path, inputs: str, sentence: str) -> None:
    ran = zermelo("easel", "mark.led", "--script", write(home, "bad.txt", inputs), "--out", "no")

    assert ran.code == 2
    assert sentence in " ".join(ran.err.split())
    assert not (home / "no").exists()


def test_what_cannot_be_read_or_written_is_said(home: Path) -> None:
    write(home, "taken", "")
    (home / "bytes.txt").write_bytes(b"\xff\xfe\x00")

    assert zermelo("easel", "mark.led", "--script", "none.txt").code == 2
    assert zermelo("easel", "mark.led", "--script", "bytes.txt").code == 2
    assert zermelo("easel", "mark.led", "--script", "inputs.txt", "--out", "taken").code == 2
    assert zermelo("easel", "mark.led", "--out", "x").code == 2


def test_a_document_that_is_no_game_is_said(home: Path) -> None:
    plain = write(home, "plain.led", "/$ a := 1 $/")

    ran = zermelo("easel", plain, "--script", "inputs.txt")
    other = zermelo("easel", "pegs", "--script", "inputs.txt")

    assert ran.code == 2
    assert "cannot run in Easel, because it does not define" in ran.err
    assert other.code == 2
    assert "pegs is no LED program" in other.err


# The session


@pytest.mark.usefixtures("home")
def test_lines_from_a_pipe_are_answered() -> None:
    typed = "pp(initialState_)\n\n:click 5 400\n|currentState|\n1/0\nwhy\n:quit\nnever\n"

    ran = zermelo("repl", "mark.led", typed=typed)

    assert ran.code == 0, ran.err
    assert ran.out.splitlines() == [
        '"{}"',
        "frame 1: {(5, 400)}",
        '"1"',
        '"ERRONEOUS VALUE"',
        "1 is divided by 0.",
    ]


def test_a_transcript_that_agrees_is_counted(home: Path) -> None:
    name = write(home, "t.txt", 'prose\ncmd:>1 + 1\n"2"\ncmd:>:click 5 6\ncmd:>pps\n"{(5, 6)}"\n')

    ran = zermelo("repl", "mark.led", "--transcript", name)

    assert (ran.code, ran.out) == (0, "2 answers, all as in t.txt.\n")


def test_the_first_difference_is_shown_with_both_answers(home: Path) -> None:
    name = write(home, "t.txt", 'cmd:>1\n"1"\n\ncmd:>1 + 1\n"3"\ncmd:>2\n"5"\n')

    ran = zermelo("repl", "mark.led", "--transcript", name)

    assert ran.code == 1
    assert ran.out.splitlines() == [
        "t.txt, line 4: another answer to `1 + 1`",
        '  expected  "3"',
        '  got       "2"',
    ]


def test_a_transcript_needs_an_led_program_and_a_session(home: Path) -> None:
    name = write(home, "t.txt", "no session here\n")

    assert zermelo("repl", "mark.led", "--transcript", name).code == 2
    assert zermelo("repl", "pegs", "--transcript", name).code == 2


SEEDED = ROOT / "games" / "tic-tac-toe-led" / "transcript.txt"


def test_the_transcript_of_the_library_gives_the_answers_it_shows() -> None:
    ran = zermelo("repl", "tic-tac-toe-led", "--transcript", str(SEEDED))

    assert ran.code == 0, ran.out
    # The constants of the program; the translator lists one question for each.
    assert ran.out.startswith("21 answers, all as in ")


def test_an_answer_that_was_damaged_in_printing_is_found(home: Path) -> None:
    image = "an Easel image"
    sound = f'"{{{image}, {image}, {image}, {image}}}"'
    damaged = f'"{{{image}, {image}, {image}," {image}}}"'
    name = write(home, "t.txt", SEEDED.read_text("utf-8").replace(sound, damaged))

    ran = zermelo("repl", "tic-tac-toe-led", "--transcript", name)

    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [f"  expected  {damaged}", f"  got       {sound}"]


WINNING = """\
click 250 550
click 150 650
click 200 600   # a line of the grid hits nothing
click 150 550
click 250 650
snapshot turn
click 350 550
click 350 650   # after the end only the restart counts
snapshot end
click 450 750
"""


def test_a_game_of_the_library_is_played_and_drawn(home: Path) -> None:
    name = write(home, "winning.txt", WINNING)

    ran = zermelo("easel", "tic-tac-toe-led", "--script", name, "--out", "out", "--json")

    assert ran.code == 0, ran.err
    assert [step["state"] for step in ran.json["steps"] if step["frame"] in {3, 7, 8}] == [
        "{(`x, 5), (`o, 1)}",
        "{(`x, 5), (`o, 1), (`x, 4), (`o, 2), (`x, 6)}",
        "{}",
    ]
    turn = (home / "out" / "turn.svg").read_text("utf-8")
    end = (home / "out" / "end.svg").read_text("utf-8")
    assert ">x's turn</text>" in turn
    assert ">x's turn</text>" not in end
    assert 'fill="#0000ff">x won</text>' in end
    assert end.count(">x</text>") == 3
    assert end.count("<line ") == 8
