"""What there is to say about a game, as a record."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.api.consequences import has_lost_something
from zermelo.api.game import Game
from zermelo.engines.as_json import space_json
from zermelo.engines.check.check import Checkup
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.render import Json


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a game, what playing it showed included."""

    game: Game
    diagnostics: tuple[Diagnostic, ...]
    checkup: Checkup | None
    """What playing showed; ``None`` when there is no system."""

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was looked at."""
        return self.checkup is not None and self.checkup.is_complete

    @property
    def is_in_spite_of_errors(self) -> bool:
        """Whether a part of the document could not be used, so that playing shows less of it.

        What may be a mere consequence of that, as a rule that never fired, is not said.
        """
        return self.checkup is not None and has_lost_something(self.diagnostics)

    def to_json(self) -> dict[str, Json]:
        """The report as JSON values."""
        said = [render.as_json(each, self.game.source) for each in self.diagnostics]
        space = None if self.checkup is None else space_json(self.checkup.space)
        return {**self.game.to_json(), "diagnostics": said, "space": space}
