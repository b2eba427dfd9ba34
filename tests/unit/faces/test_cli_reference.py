"""The reference of the command line is made from the commands' help."""

from tools.cli_reference import PAGE, page
from zermelo.faces.cli.main import COMMANDS, cli


def test_the_page_is_current(*, update_golden: bool) -> None:
    text = page()

    if update_golden:
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "run python tools/cli_reference.py"


def test_the_list_of_commands_says_what_their_help_says() -> None:
    for name, entry in COMMANDS.items():
        command = cli.get_command(cli.make_context("zermelo", ["games"]), name)

        assert command is not None
        first = (command.help or "").splitlines()[0]
        assert first == entry.summary, name


def test_every_command_has_examples() -> None:
    for name in COMMANDS:
        command = cli.get_command(cli.make_context("zermelo", ["games"]), name)

        assert command is not None
        assert f"zermelo {name}" in (command.epilog or ""), name
