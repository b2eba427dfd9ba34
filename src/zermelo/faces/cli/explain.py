"""``zermelo explain``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from zermelo.api import texts
from zermelo.api.loaded import model_of
from zermelo.faces.cli.loading import exit_code, is_understood_only, load, running, say_remarks
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.text.budget import STEPS_OF_AN_ANSWER, budget
from zermelo.text.prose import BLANK, Line, Piece, Tone, heading, line

_CODE = re.compile(r"[Zz]\d{3}")


@click.command(
    "explain",
    epilog=examples(
        "zermelo explain mine.md",
        "zermelo explain Z301",
    ),
)
@document
def command(*, name: str, settings: Settings) -> int:
    """Say in plain words what a document means.

    Its sets with their members, its variables, each rule as a sentence, the readings and the
    players. Given the code of a diagnostic, it says what that means and what to do.
    """
    if _CODE.fullmatch(name):
        settings.screen.show(page_lines(texts.page(name)))
        return 0
    game = load(name, settings)
    if not is_understood_only(game):
        running(game, name, settings)
    else:
        say_remarks(game, name, settings)
    with budget(steps=STEPS_OF_AN_ANSWER):
        said = list(model_of(game).words.explain())
    settings.screen.show(said)
    return exit_code(game, settings)


def page_lines(text: str) -> Iterator[Line]:
    """A page in Markdown as lines: headings stand out, blocks of code stay as they are."""
    paragraph: list[str] = []
    is_code = False
    for row in text.splitlines():
        if row.startswith("```"):
            yield from _paragraph(paragraph)
            is_code = not is_code
        elif is_code:
            yield line(Piece(row, Tone.FORMULA), indent=4, hang=4)
        elif row.startswith("#"):
            yield from _paragraph(paragraph)
            yield heading(row.lstrip("#").strip())
        elif not row.strip():
            yield from _paragraph(paragraph)
            yield BLANK
        elif row.startswith(("- ", "* ")):
            yield from _paragraph(paragraph)
            paragraph.append(row)
        else:
            paragraph.append(row.strip())
    yield from _paragraph(paragraph)


def _paragraph(rows: list[str]) -> Iterator[Line]:
    """The lines gathered so far as one, which the screen breaks anew."""
    if rows:
        hang = 2 if rows[0].startswith(("- ", "* ")) else 0
        yield line(" ".join(rows), hang=hang)
        rows.clear()
