"""The stage of a program as pages and lists of inputs use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zermelo.core import stage as core
from zermelo.core.values import Value
from zermelo.languages.led.easel import script
from zermelo.languages.led.easel.shapes import Shape, as_json
from zermelo.languages.led.easel.stage import Stage
from zermelo.languages.led.run.pretty import pp
from zermelo.text.diagnostic import Json


class Window(Stage):
    """A stage, and what it looks like from outside."""

    @property
    def name(self) -> str:
        return self.program.name

    def state_text(self, state: Value) -> str:
        return pp(state)

    def drawing(self, frame: core.StageFrame) -> list[Json]:
        return [as_json(shape) for shape in _shapes(frame)]

    def input_json(self) -> dict[str, Json]:
        told = self.input
        parts = {"x": pp(told.x), "y": pp(told.y), "keys": pp(told.keys)}
        return {"clicked": told.clicked, **parts}

    def pictures(self, frame: core.StageFrame) -> Mapping[str, bytes]:
        # The letters of pictures are heavy.
        from zermelo.languages.led.easel.png import to_png  # noqa: PLC0415
        from zermelo.languages.led.easel.svg import to_svg  # noqa: PLC0415

        shapes, remarks = _shapes(frame), [each.message for each in frame.faults]
        svg = to_svg(shapes, remarks=remarks, folder=self.folder)
        png = to_png(shapes, remarks=remarks, folder=self.folder)
        return {".svg": svg.encode(), ".png": png}

    def complaints(self, text: str) -> tuple[str, ...]:
        return script.parse(text).complaints

    def play_script(self, text: str) -> Iterator[core.ScriptStep]:
        return script.play(self, script.parse(text))


def _shapes(frame: core.StageFrame) -> tuple[Shape, ...]:
    return tuple(each for each in frame.images if isinstance(each, Shape))
