"""Commands that languages bring along as data, as the command line makes and runs them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Ran, zermelo
from zermelo.core.language import Answer, Call, Command, Option, OptionKind, OtherDocument
from zermelo.faces.cli import net
from zermelo.text.errors import UsageError
from zermelo.text.prose import line

OPTIONS = (
    Option("most", ("--most",), OptionKind.COUNT, "How many."),
    Option("least", ("--least",), OptionKind.NUMBER, "How few."),
    Option("seconds", ("--seconds",), OptionKind.SECONDS, "How long."),
    Option("word", ("-w", "--word"), OptionKind.TEXT, "What to say.", metavar="WORD"),
    Option("form", ("--form",), OptionKind.CHOICE, "In which form.", choices=("short", "long")),
    Option("file", ("--file",), OptionKind.EXISTING_FILE, "What to read."),
    Option("json", ("--json",), OptionKind.FLAG, "As JSON."),
)
Greet = Callable[..., Ran]


@pytest.fixture
def greet(monkeypatch: pytest.MonkeyPatch) -> Greet:
    """Makes a command ``greet`` of what answers, and runs it on a game of the library."""

    def ran(
        run: Callable[[Call], Answer], *arguments: str, options: tuple[Option, ...] = OPTIONS
    ) -> Ran:
        made = Command(
            "net", "greet", "Say hello.\n\n    At length.", ("zermelo net greet x",), run, options
        )
        monkeypatch.setitem(net.command.commands, "greet", net.click_command(made))
        return zermelo("net", "greet", "pegs", *arguments)

    return ran


def said(*texts: str) -> Callable[[Call], Answer]:
    return lambda _: Answer(tuple(map(line, texts)))


def test_a_command_is_told_which_document_and_what_its_options_are(
    greet: Greet, tmp_path: Path
) -> None:
    calls: list[Call] = []

    def run(call: Call) -> Answer:
        calls.append(call)
        return Answer()

    file = tmp_path / "some.txt"
    file.write_text("")
    # Reading the document counts, too, and a busy machine may take its time for that.
    numbers = ("--most", "3", "--least", "0", "--seconds", "300.5")
    others = ("-w", "hello", "--json", "--form", "long", "--file", str(file))
    ran = greet(run, *numbers, *others)
    assert ran.code == 0, ran.err

    (call,) = calls
    assert (call.document, call.source.name) == ("pegs", "pegs.md")
    assert call.model.signature.moves
    assert (call.number("most"), call.number("least")) == (3, 0)
    assert call.seconds("seconds") == 300.5
    assert (call.text("word"), call.text("form")) == ("hello", "long")
    assert call.options["file"] == file
    assert call.is_set("json")
    assert call.threads >= 1


def test_what_is_not_given_is_nothing(greet: Greet) -> None:
    def run(call: Call) -> Answer:
        assert not call.is_set("json")
        assert (call.number("most"), call.seconds("seconds"), call.text("word")) == (None,) * 3
        # A value of another kind is none of this one.
        assert (call.number("json"), call.text("json")) == (None, None)
        return Answer()

    assert greet(run).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--most 0", "--most"),
        ("--least -1", "--least"),
        ("--form wide", "--form"),
        ("--file no-such-file", "--file"),
        ("--wrong", "--wrong"),
    ],
)
def test_options_of_other_kinds_are_refused(greet: Greet, arguments: str, message: str) -> None:
    ran = greet(said("never"), *arguments.split())

    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_an_option_can_name_another_document(greet: Greet) -> None:
    other = Option(
        "game", ("--game",), OptionKind.DOCUMENT, "Which.", metavar="FILE|NAME", is_required=True
    )

    def run(call: Call) -> Answer:
        found = call.options["game"]
        assert isinstance(found, OtherDocument)
        return Answer((line(f"{found.file}: {found.model.signature.name} is {found.name}"),))

    ran = greet(run, "--game", "tic-tac-toe-net", options=(other,))
    assert ran.out == "tic-tac-toe-net.net: tic-tac-toe-net is tic-tac-toe-net\n"
    assert "--game" in greet(run, options=(other,)).err
    assert greet(run, "--game", "pegz", options=(other,)).code == 2


def test_lines_go_to_the_screen_and_notes_beside_it(greet: Greet) -> None:
    ran = greet(lambda _: Answer((line("Hello."),), notes=(line("Slowly."),)))

    assert (ran.code, ran.out) == (0, "Hello.\n")
    assert "Slowly." in ran.err


def test_json_and_texts_are_printed_as_they_are(greet: Greet) -> None:
    assert greet(lambda _: Answer((line("no"),), json={"hello": [1]})).json == {"hello": [1]}
    assert greet(lambda _: Answer((line("no"),), text="a  b\n\nc\n")).out == "a  b\n\nc\n"


def test_files_are_written_and_said(greet: Greet, tmp_path: Path) -> None:
    path = tmp_path / "hello.txt"

    ran = greet(lambda _: Answer((line("Hello."),), files={str(path): "hello\n"}))

    assert path.read_text() == "hello\n"
    assert ran.out.split()[:2] == ["Hello.", "Wrote"]
    ran = greet(lambda _: Answer(files={str(tmp_path): "a folder"}))
    assert ran.code == 2
    assert "could not be written" in " ".join(ran.err.split())


def test_what_does_not_hold_ends_with_1(greet: Greet) -> None:
    assert greet(lambda _: Answer((line("No."),), is_wrong=True)).code == 1


def test_a_refusal_ends_with_2_and_its_sentence(greet: Greet) -> None:
    def run(_: Call) -> Answer:
        raise UsageError("pegs does not greet")

    ran = greet(run)

    assert (ran.code, ran.out) == (2, "")
    assert "zermelo: pegs does not greet" in ran.err


def test_only_nets_are_drawn_as_documents(greet: Greet) -> None:
    ran = greet(lambda _: Answer(picture="svg"))

    assert ran.code == 2
    assert "pegs.md is not a net" in ran.err


def test_help_has_the_summary_the_options_and_the_examples(
    greet: Greet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = greet(said(), "--help").out

    assert "Say hello." in shown
    assert "At length." in shown
    assert "-w, --word WORD" in shown
    assert "zermelo net greet x" in shown
    assert shown.index("--most") < shown.index("--reading")
    assert "Say hello." in zermelo("net", "--help").out
