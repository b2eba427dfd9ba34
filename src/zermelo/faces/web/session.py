"""The game of one page: what the page says is done, and what changed is told to it.

There is no clock and no connection in here, so that everything can be tried step by step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from zermelo.core.stage import FRAMES_PER_SECOND, Stage, StageFrame
from zermelo.faces.web.limits import MOST_CLICKS
from zermelo.faces.web.messages import (
    Click,
    Cursor,
    Go,
    Message,
    Pause,
    Play,
    Press,
    Release,
    Restart,
    Speed,
    Step,
    Wish,
)
from zermelo.text import render
from zermelo.text.diagnostic import Json
from zermelo.text.source import Source, visible

MOST_LETTERS: Final = 20_000
"""How much of a state is shown."""
MOST_CHANGES: Final = 20_000
"""How many changes are remembered for the marks over the slider."""
MOST_FAULTS: Final = 8
"""How many faults of a frame are shown."""


class Session:
    """A stage with somebody in front of it."""

    def __init__(
        self, stage: Stage, source: Source, *, frames_per_second: float = FRAMES_PER_SECOND
    ) -> None:
        self._stage = stage
        self._source = source
        self._rate = frames_per_second
        self._speed = 1.0
        self._sounds: list[str] = []
        self._changes: list[int] = []
        self._fresh: list[Json] = []
        """The frames with changes of which the page has not heard."""
        self._told: dict[str, Json] = {}
        """What the page knows."""
        self._shown: StageFrame | None = None
        """The frame that the page knows."""

    @property
    def period(self) -> float | None:
        """Seconds from one frame to the next; ``None`` while time stands still."""
        return None if self._stage.is_paused else 1 / (self._rate * self._speed)

    def everything(self) -> dict[str, Json]:
        """What a page must know that knows nothing yet; nobody holds a key there."""
        self._stage.release_all()
        self._told = {}
        self._shown = None
        self._sounds.clear()
        self._fresh.clear()
        return {"title": visible(self._stage.name), **self._news(), "changes": [*self._changes]}

    def advance(self, messages: Iterable[Message], *, is_due: bool) -> dict[str, Json]:
        """Do what *messages* say in their order, then the next frame if it is due; what is new."""
        for message in messages:
            self._do(message)
        if is_due and not self._stage.is_paused:
            self._frame()
        return self._news()

    def _do(self, message: Message) -> None:
        stage = self._stage
        match message:
            case Click(x, y):
                # Nobody clicks so often; who does gets no more of them.
                if stage.waiting < MOST_CLICKS:
                    stage.click(x, y)
            case Cursor(x, y):
                stage.move(x, y)
            case Press(key):
                stage.press(key)
            case Release(key):
                stage.release(key)
            case Pause() | Play() | Step() | Go() | Restart() | Speed():
                self._steer(message)
            case _:
                assert_never(message)

    def _steer(self, wish: Wish) -> None:
        stage = self._stage
        match wish:
            case Pause():
                stage.pause()
            case Play():
                stage.resume()
            case Step():
                self._step()
            case Go(frame):
                stage.pause()
                stage.go(min(max(frame, stage.first), stage.last))
            case Restart():
                self._restart()
            case Speed(speed):
                self._speed = speed
            case _:
                assert_never(wish)

    def _step(self) -> None:
        """In the past one frame forward is what was, unless there is a click to be played."""
        stage = self._stage
        stage.pause()
        if stage.number < stage.last and not stage.waiting:
            stage.go(stage.number + 1)
        else:
            self._frame()

    def _restart(self) -> None:
        # Who begins anew after a fault that stopped the program wants to see it run.
        if self._stage.present.faults:
            self._stage.resume()
        self._stage.restart()
        self._changes.clear()
        self._fresh.clear()
        self._sounds.clear()
        self._told.pop("changes", None)

    def _frame(self) -> None:
        stage = self._stage
        before = stage.state
        while self._changes and self._changes[-1] > stage.number:
            self._changes.pop()
        frame = stage.frame()
        self._sounds.extend(frame.sounds)
        if frame.state is not before and frame.state != before:
            self._changes.append(frame.number)
            self._fresh.append(frame.number)
            if len(self._changes) > MOST_CHANGES:
                del self._changes[: MOST_CHANGES // 4]

    # What is new

    def _news(self) -> dict[str, Json]:
        stage = self._stage
        now: dict[str, Json] = {
            "frame": stage.number,
            "first": stage.first,
            "last": stage.last,
            "playing": not stage.is_paused,
            "waiting": stage.waiting,
            "speed": self._speed,
            **self._seen(stage.present),
        }
        news = {name: value for name, value in now.items() if self._is_new(name, value)}
        self._told.update(news)
        if "changes" not in self._told:
            news["changes"] = self._told["changes"] = []
        if self._fresh:
            news["changed"] = [*self._fresh]
            self._fresh.clear()
        if self._sounds:
            news["sounds"] = [*self._sounds]
            self._sounds.clear()
        return news

    def _is_new(self, name: str, value: Json) -> bool:
        return name not in self._told or self._told[name] != value

    def _seen(self, frame: StageFrame) -> dict[str, Json]:
        """What there is to see in *frame*, as far as it may differ from what the page knows."""
        known, self._shown = self._shown, frame
        seen: dict[str, Json] = {}
        if known is None or known.images is not frame.images:
            seen["drawing"] = self._stage.drawing(frame)
        if known is None or known.state is not frame.state:
            seen["state"] = shortened(visible(self._stage.state_text(frame.state)))
        if known is None or known.input != frame.input:
            seen["input"] = self._stage.input_json()
        if known is None or known.faults != frame.faults:
            seen["faults"] = self._faults(frame)
        return seen

    def _faults(self, frame: StageFrame) -> list[Json]:
        shown = frame.faults[:MOST_FAULTS]
        texts: list[Json] = [render.full([each], self._source) for each in shown]
        more = len(frame.faults) - len(shown)
        return [*texts, f"and {more:,} more"] if more else texts


def shortened(text: str) -> str:
    """The *text* of a state; of a long one only the beginning, and how much there is."""
    if len(text) <= MOST_LETTERS:
        return text
    return f"{text[:MOST_LETTERS]} …\n\n({len(text) - MOST_LETTERS:,} more characters)"
