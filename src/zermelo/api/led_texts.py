"""Texts about LED programs: expressions that are typed, and sessions that documents show."""

from __future__ import annotations

from zermelo.api.game import Game
from zermelo.languages.led import ir
from zermelo.text.diagnostic import Checked
from zermelo.text.errors import DocumentNotUsable
from zermelo.text.source import Source


def led_expression(game: Game, text: str) -> Checked[ir.Expr]:
    """The expression that *text* writes, in the names of the program; places are in *text*.

    Where there is an error, there is no expression.
    """
    # As for reading a document: other dialects do not need it.
    from zermelo.languages.led.mean import elaborate  # noqa: PLC0415
    from zermelo.languages.led.read import parser  # noqa: PLC0415

    program = game.program
    if program is None:
        raise DocumentNotUsable(f"{game.source.name} is no LED program")
    source = Source("typed", text)
    found = parser.expression(source).then(lambda tree: elaborate.expression(tree, program, source))
    has_error = any(each.is_error for each in found.diagnostics)
    return Checked(None if has_error else found.value, found.diagnostics)
