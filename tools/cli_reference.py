"""Writes docs/reference/cli.md from the help that the commands give.

    python tools/cli_reference.py

A test fails when the page is not what this would write.
"""

from pathlib import Path

import click

from zermelo.faces.cli.main import COMMANDS, cli
from zermelo.files.writing import replace

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"
WIDTH = 80

INTRODUCTION = """\
# The command line

This page is made from the commands' own help by `tools/cli_reference.py`.

Every command that reads a document takes a file, the name of a game in the library, or `-` for
standard input.

| exit code | meaning |
| --- | --- |
| 0 | all is well |
| 1 | there is a system, but something does not hold or a part had an error |
| 2 | there is no system, the command was not understood, or the answer cannot be written |
| 3 | our fault |
| 124 | the time of `--seconds` was over before there was an answer |
| 130 | interrupted |
| 141 | whoever read the output has gone |

| environment variable | meaning |
| --- | --- |
| `ZERMELO_CACHE` | the folder in which [compiled code and reports][kept] are kept, or `off` |
| `ZERMELO_REPORTS` | `off`: reports of `check` and trials of readings are not kept |
| `XDG_CACHE_HOME` | without `ZERMELO_CACHE`: the folder with `zermelo` in it, usually `~/.cache` |
| `NO_COLOR` | when it is set, nothing is in colour |

[kept]: ../explanation/kernels.md#what-is-made-once
"""


def page() -> str:
    """The page."""
    root = click.Context(cli, info_name="zermelo", terminal_width=WIDTH, **cli.context_settings)
    parts = [INTRODUCTION, _section("zermelo", cli.get_help(root))]
    for name in COMMANDS:
        command = cli.get_command(root, name)
        if command is None:
            raise LookupError(name)
        context = click.Context(command, root, name, terminal_width=WIDTH)
        parts.append(_section(f"zermelo {name}", command.get_help(context)))
        if isinstance(command, click.Group):
            parts += _subcommands(command, context)
    return "\n".join(parts)


def _subcommands(group: click.Group, context: click.Context) -> list[str]:
    """The commands of a command, each with its help."""
    found = []
    for name, command in group.commands.items():
        inner = click.Context(command, context, name, terminal_width=WIDTH)
        found.append(_section(inner.command_path, command.get_help(inner)))
    return found


def _section(title: str, text: str) -> str:
    rows = [row.rstrip() for row in text.splitlines()]
    return "\n".join([f"## {title}", "", "```text", *rows, "```", ""])


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    replace(PAGE, page().encode())
    print(f"wrote {PAGE.name}")
