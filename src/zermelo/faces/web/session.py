"""The game of one page: what the page says is done, and what changed is told to it.

There is no clock and no connection in here, so that everything can be tried step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Final, assert_never

from zermelo.core.prompt import Prompt
from zermelo.core.stage import FRAMES_PER_SECOND, Stage, StageFrame
from zermelo.faces.web.limits import MOST_CLICKS
from zermelo.faces.web.messages import (
    Ask,
    Change,
    Click,
    Cursor,
    Go,
    Make,
    Message,
    Outline,
    Pause,
    Play,
    Press,
    Question,
    ReadProgram,
    Release,
    Restart,
    Resume,
    Speed,
    Step,
    TakeLine,
    Watch,
    Wish,
)
from zermelo.text import render
from zermelo.text.diagnostic import Json
from zermelo.text.errors import UsageError
from zermelo.text.source import Source, visible

MOST_LETTERS: Final = 20_000
"""How much of a state is shown."""
MOST_FAULTS: Final = 8
"""How many faults of a frame are shown."""
MOST_ANSWERED: Final = 4_000
"""How much of an answer at the prompt is shown."""
MOST_WATCHED_LETTERS: Final = 400


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """Another text of a program; *stage* is ``None`` while it is broken, and *words* say why."""

    stage: Stage | None
    source: Source
    words: str = ""


class Session:
    """A stage with somebody in front of it.

    *read* gives another text of the program by its name, and *changed* says whether the file that
    it came from is another one since it was last asked; then it is read again.
    """

    def __init__(
        self,
        stage: Stage,
        source: Source,
        *,
        frames_per_second: float = FRAMES_PER_SECOND,
        read: Callable[[str], ReadAgain] | None = None,
        changed: Callable[[], bool] | None = None,
    ) -> None:
        self._stage = stage
        self._source = source
        self._rate = frames_per_second
        self._read = read
        self._changed = changed
        self._prompt = Prompt(stage.interaction())
        self._speed = 1.0
        self._sounds: list[str] = []
        self._answers: list[Json] = []
        self._said: Json = None
        """What came of reading the program again."""
        self._watched: tuple[str, ...] = ()
        self._is_outlined = False
        self._version = -1
        """Of the frames that the page knows, and"""
        self._last_change = -1
        """the last one in which it knows that the state changed."""
        self._told: dict[str, Json] = {}
        """What the page knows."""
        self._shown: StageFrame | None = None
        """The frame that the page knows."""

    @property
    def period(self) -> float | None:
        """Seconds from one frame to the next; ``None`` while time stands still."""
        return None if self._stage.is_paused else 1 / (self._rate * self._speed)

    @property
    def is_watching(self) -> bool:
        """Whether it looks at a file now and then, also while time stands still."""
        return self._changed is not None

    def everything(self) -> dict[str, Json]:
        """What a page must know that knows nothing yet; nobody holds a key there."""
        self._stage.release_all()
        self._forget_what_is_known()
        self._sounds.clear()
        return self._news()

    def _forget_what_is_known(self) -> None:
        self._told = {}
        self._shown = None
        self._version = -1

    def advance(self, messages: Iterable[Message], *, is_due: bool) -> dict[str, Json]:
        """Do what *messages* say in their order, then the next frame if it is due; what is new."""
        for message in messages:
            self._do(message)
        if self._changed is not None and self._changed():
            self._take_text("")
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
            case Ask() | Watch() | Outline():
                self._tell(message)
            case Make() | ReadProgram() | Resume():
                self._change(message)
            case Pause() | Play() | Step() | Go() | Restart() | Speed() | TakeLine():
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
            case TakeLine(number):
                stage.pause()
                if any(each.number == number for each in stage.lines):
                    stage.take_line(number)
            case Restart():
                self._restart()
            case Speed(speed):
                self._speed = speed
            case _:
                assert_never(wish)

    def _tell(self, question: Question) -> None:
        match question:
            case Ask(text):
                answer = shortened(visible(self._prompt.ask(text)), MOST_ANSWERED)
                self._answers.append({"typed": visible(text), "answer": answer})
                # It may have made frames, or gone back.
                self._shown = None
            case Watch(texts):
                self._watched = texts
                self._shown = None
            case Outline(is_on):
                self._is_outlined = is_on
                self._shown = None
            case _:
                assert_never(question)

    def _change(self, change: Change) -> None:
        match change:
            case Make(move):
                if not self._stage.make(move):
                    # Whoever chose it looked at another state; the page may ask again.
                    self._told.pop("state", None)
                    self._shown = None
            case ReadProgram(document):
                self._take_text(document)
            case Resume(state):
                value = self._stage.read_state(state)
                if value is not None and self._stage.begin_in(value):
                    self._said = {"resumed": True}
            case _:
                assert_never(change)

    def _take_text(self, document: str) -> None:
        """Run the text called *document*, or the file it came from as it is now."""
        if self._read is None:
            return
        found = self._read(document)
        about: dict[str, Json] = {"document": document, "loaded": found.stage is not None}
        if found.stage is None:
            self._said = {**about, "words": found.words}
            return
        state, is_paused = self._stage.state, self._stage.is_paused
        is_kept = found.stage.begin_in(state)
        if is_paused:
            found.stage.pause()
        self._stage, self._source = found.stage, found.source
        self._prompt = Prompt(found.stage.interaction())
        self._forget_what_is_known()
        self._said = {**about, "kept": is_kept}

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
        self._sounds.clear()

    def _frame(self) -> None:
        self._sounds.extend(self._stage.frame().sounds)

    # What is new

    def _news(self) -> dict[str, Json]:
        stage = self._stage
        now: dict[str, Json] = {
            "title": visible(stage.name),
            "names": [*stage.watchable()] if "names" not in self._told else self._told["names"],
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
        news.update(self._changes())
        if self._sounds:
            news["sounds"] = [*self._sounds]
            self._sounds.clear()
        if self._answers:
            news["answers"] = [*self._answers]
            self._answers.clear()
        if self._said is not None:
            news["program"] = self._said
            self._said = None
        return news

    def _changes(self) -> dict[str, Json]:
        """The frames with changes of which the page has not heard, and lines that were left."""
        stage = self._stage
        if self._version != stage.version:
            self._version = stage.version
            changes = stage.changes
            self._last_change = changes[-1] if changes else -1
            lines: list[Json] = [asdict(each) for each in stage.lines]
            return {"changes": [*changes], "lines": lines}
        fresh: list[Json] = [*stage.changes_after(self._last_change)]
        if not fresh:
            return {}
        self._last_change = stage.last_change
        return {"changed": fresh}

    def _is_new(self, name: str, value: Json) -> bool:
        return name not in self._told or self._told[name] != value

    def _seen(self, frame: StageFrame) -> dict[str, Json]:
        """What there is to see in *frame*, as far as it may differ from what the page knows."""
        known, self._shown = self._shown, frame
        seen: dict[str, Json] = {}
        if known is None or known.images is not frame.images:
            seen["drawing"] = self._stage.drawing(frame)
        is_other = known is None or known.state is not frame.state
        if is_other:
            seen["state"] = shortened(visible(self._stage.state_text(frame.state)))
            source = self._stage.state_source(frame.state)
            seen["source"] = source if len(source) <= MOST_LETTERS else None
            seen["outlined"] = self._outlined() if self._is_outlined else None
        if known is None or known.input != frame.input:
            seen["input"] = self._stage.input_json()
        if self._watched and (is_other or "input" in seen):
            seen["watched"] = [
                shortened(visible(self._stage.watched(each)), MOST_WATCHED_LETTERS)
                for each in self._watched
            ]
        if known is None or known.faults != frame.faults:
            seen["faults"] = self._faults(frame)
        return seen

    def _outlined(self) -> dict[str, Json]:
        try:
            found = self._stage.outlined()
        except UsageError as error:
            return {"words": f"{str(error)[:1].upper()}{str(error)[1:]}.", "inputs": []}
        inputs: list[Json] = [
            {"move": each.move, "words": each.words, "edges": [[*edge] for edge in each.edges]}
            for each in found
        ]
        return {"words": "" if inputs else "No input has an effect here.", "inputs": inputs}

    def _faults(self, frame: StageFrame) -> list[Json]:
        shown = frame.faults[:MOST_FAULTS]
        texts: list[Json] = [render.full([each], self._source) for each in shown]
        more = len(frame.faults) - len(shown)
        return [*texts, f"and {more:,} more"] if more else texts


def shortened(text: str, most: int = MOST_LETTERS) -> str:
    """The *text* of a state; of a long one only the beginning, and how much there is."""
    if len(text) <= most:
        return text
    return f"{text[:most]} …\n\n({len(text) - most:,} more characters)"
