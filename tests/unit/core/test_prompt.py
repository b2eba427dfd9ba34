"""The one prompt: commands, names of the document, and what is neither."""

from collections.abc import Iterable

import pytest

from zermelo.core.prompt import Prompt, PromptCommand, Shown, shared_command
from zermelo.text.errors import MoveNotUnderstood, UsageError
from zermelo.text.prose import Line, line


class Echo:
    """Says what it is told; ``state`` and ``sum`` are names of its document."""

    prompt = "echo> "
    forms = (("TEXT", "the same text"),)

    @property
    def commands(self) -> tuple[PromptCommand, ...]:
        return (
            shared_command("state", lambda rest: (line(f"the state {rest}"),)),
            shared_command("undo", self._undo),
        )

    def greeting(self, *, invites: bool) -> Iterable[Shown]:
        return (line("hello"),) if invites else ()

    def claims(self, text: str) -> bool:
        return text.split(maxsplit=1)[0] == "state"

    def completions(self) -> tuple[str, ...]:
        return ("sum", "state of things")

    def answer(self, text: str) -> tuple[Line, ...] | None:
        if text == "nonsense":
            raise MoveNotUnderstood("`nonsense` is nothing")
        if text == "undi":
            raise MoveNotUnderstood("`undi` is nothing")
        return None if text in {"what", "und"} else (line(f"said {text}"),)

    def _undo(self, rest: str) -> tuple[Line, ...]:
        raise UsageError(f"not {rest}" if rest else "what?")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("hello", "said hello"),
        (" two words ", "said two words"),
        ("state", "said state"),
        (":state", "the state "),
        (":STATE of things", "the state of things"),
        ("undo this", "not this."),
        (":undo", "what?"),
        ("what", "There is no command `what`; see `help`."),
        ("und", "There is no command `und`; did you mean `undo`?"),
        (":und 2", "There is no command `:und`; did you mean `:undo`?"),
        (":", "There is no command `:`; see `:help`."),
        ("nonsense", "`nonsense` is nothing."),
        ("undi", "`undi` is nothing. If it was a command, did you mean `undo`?"),
        ("# a comment", ""),
        ("", ""),
    ],
)
def test_a_line_is_a_command_or_speaks_of_the_document(typed: str, said: str) -> None:
    assert Prompt(Echo()).ask(typed) == said


@pytest.mark.parametrize("typed", ["help", ":help", "?", ":?", "h", "HELP"])
def test_help_lists_what_can_be_typed(typed: str) -> None:
    rows = Prompt(Echo()).ask(typed).splitlines()

    assert rows[:3] == [
        "  TEXT      the same text",
        "  state     the present state in full",
        "  undo [N]  take the last move back, or the last N",
    ]
    assert [row.split()[0] for row in rows[3:5]] == ["help", "quit"]


@pytest.mark.parametrize("typed", ["quit", ":quit", "q", "exit", ":exit"])
def test_quit_leaves(typed: str) -> None:
    prompt = Prompt(Echo())
    prompt.ask("hello")
    assert not prompt.is_left

    prompt.ask(typed)

    assert prompt.is_left


def test_a_line_is_completed_to_commands_and_names_of_the_document() -> None:
    prompt = Prompt(Echo())

    assert prompt.completions("st") == ["state", "state of things"]
    assert prompt.completions("S") == ["state", "sum", "state of things"]
    assert prompt.completions("x") == []
