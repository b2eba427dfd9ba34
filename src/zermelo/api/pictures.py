"""Positions and plays as pictures in a file: SVG, PNG, PDF and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, assert_never

from zermelo.api.loaded import Loaded, playable_model
from zermelo.core.machine import Turn
from zermelo.core.picture import Picture
from zermelo.core.state import State
from zermelo.draw import sheet as sheets
from zermelo.draw.sheet import Sheet
from zermelo.play.session import move_text
from zermelo.text.errors import UsageError
from zermelo.text.prose import count
from zermelo.text.source import visible

MOST_IN_A_STRIP: Final = 200


class PictureFormat(Enum):
    """What a picture can be written as."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    LATEX = "latex"


def sheet_of(
    game: Loaded, turns: Sequence[Turn], *, is_strip: bool, has_coordinates: bool
) -> Sheet:
    """The position after *turns*, or every position on the way in a strip."""
    words = playable_model(game).words
    machine = words.machine
    state: State = machine.initial
    shown: list[tuple[str, Picture]] = [("start", words.picture(state))]
    for number, turn in enumerate(turns, 1):
        assert turn.after is not None, "only moves that can be made are turns of a play"
        player = machine.player(state)
        who = "" if player is None else f"{player.name}: "
        state = turn.after
        caption = visible(f"{number}. {who}{move_text(turn.move, words)}")
        shown.append((caption, words.picture(state, last=turn)))
    title = visible(f"{game.name}: {state}")
    if not is_strip:
        return sheets.sheet(shown[-1][1], title, has_coordinates=has_coordinates)
    if len(shown) > MOST_IN_A_STRIP:
        raise UsageError(
            f"a strip has at most {MOST_IN_A_STRIP} positions, and this play has "
            f"{count(len(shown), 'position')}"
        )
    return sheets.strip(shown, title, has_coordinates=has_coordinates)


def written(sheet: Sheet, to: PictureFormat) -> bytes:
    """*sheet* as the content of a file."""
    # Each writer is imported when it is asked for: most need none of them.
    match to:
        case PictureFormat.SVG:
            from zermelo.draw import sheet_svg  # noqa: PLC0415

            return ("\n".join(sheet_svg.lines(sheet)) + "\n").encode()
        case PictureFormat.PNG:
            from zermelo.draw import sheet_png  # noqa: PLC0415

            try:
                return sheet_png.to_png(sheet)
            except sheet_png.SheetTooLarge as error:
                raise UsageError(
                    f"this picture would have {error}; write it as svg or pdf"
                ) from error
        case PictureFormat.PDF:
            from zermelo.draw import sheet_pdf  # noqa: PLC0415

            return sheet_pdf.to_pdf(sheet)
        case PictureFormat.LATEX:
            from zermelo.draw import sheet_tikz  # noqa: PLC0415

            return sheet_tikz.to_latex(sheet).encode()
        case _:
            assert_never(to)


def not_shown(sheet: Sheet, to: PictureFormat) -> str:
    """The characters of *sheet* that *to* has no letters for."""
    if to is not PictureFormat.PDF:
        return ""
    from zermelo.draw import sheet_pdf  # noqa: PLC0415 - as above

    return sheet_pdf.not_shown(sheet)
