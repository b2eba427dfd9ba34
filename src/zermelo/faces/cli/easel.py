"""``zermelo easel``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.api.loaded import model_of
from zermelo.core.stage import FRAMES_PER_SECOND, NoWindow, ScriptStep, Stage, StageFrame
from zermelo.faces.cli.loading import (
    NO_SYSTEM,
    NOT_FINE,
    load,
    say_remarks,
    show_all,
    text_in,
    write,
)
from zermelo.faces.cli.options import Settings, document, examples
from zermelo.faces.cli.screen import MOST_SHOWN, print_json, show_diagnostics, summary
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic, Json
from zermelo.text.prose import Piece, Tone, count

STATE: Final = "state.txt"


@click.command(
    "easel",
    epilog=examples(
        "zermelo easel mine.led",
        "zermelo easel mine.led --no-browser --port 8080",
        "zermelo easel mine.led --script clicks.txt --output frames",
    ),
)
@click.option("--script", "inputs", metavar="FILE", help="Play the inputs in this file instead.")
@click.option(
    "-o",
    "--output",
    "--out",
    "out",
    metavar="DIR",
    help="With --script: write frames and the last state into this folder.",
)
@click.option("--json", "is_json", is_flag=True, help="With --script: print one JSON object.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; who can reach it and has the token can play.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="The port to listen at; 0, the default, takes a free one.",
)
@click.option(
    "--no-browser", is_flag=True, help="Open no browser; open the printed address yourself."
)
@click.option(
    "--frames-per-second",
    type=click.FloatRange(0.5, 240),
    default=FRAMES_PER_SECOND,
    show_default=True,
    help="How fast the program runs in the browser.",
)
@document
def command(
    *,
    name: str,
    inputs: str | None,
    out: str | None,
    is_json: bool,
    host: str,
    port: int,
    no_browser: bool,
    frames_per_second: float,
    settings: Settings,
) -> int:
    """Run an LED program in Easel.

    It opens in the browser, or runs without a window from a list of inputs.

    In the browser one plays with the mouse and the keyboard, stops time, and goes back in it.
    Only who opens the printed address, with the token behind its #, is let in.

    A list of inputs has one a line: `click 150 650` and `key A` make a frame, `frame 30` makes
    thirty, `move 10 20` moves the cursor, `hold A` and `release A` hold a key, `snapshot NAME`
    keeps a picture, and what follows a # is a comment. The window after each line is written as
    SVG and PNG, and the last state as state.txt; the same inputs give the same bytes.

    Exit codes: 0 all is well, 1 a frame had a fault, 2 the program or the list cannot be used.
    """
    if inputs is None and (out is not None or is_json):
        raise click.UsageError("--output and --json go with --script")
    game = _loaded(name, settings)
    try:
        stage = model_of(game).stage(game.folder)
    except NoWindow as error:
        raise click.UsageError(f"{name} is no LED program, and Easel runs no others") from error
    if inputs is not None:
        text = _script(inputs, stage)
        return _play(_ScriptRun(game, stage, text, settings), out, is_json=is_json)
    from zermelo.faces.web.server import serve  # noqa: PLC0415 (a server is heavy)

    serve(
        game,
        host=host,
        port=port,
        open_browser=not no_browser,
        path=None if game.folder is None else game.folder.absolute() / _file_name(name),
        reading_file=settings.reading_file,
        frames_per_second=frames_per_second,
    )
    return 0


def _file_name(name: str) -> str:
    """The name of the file that the document called *name* is in."""
    return Path(name).name if loading.is_readable(Path(name)) else loading.find(name).path.name


def _loaded(name: str, settings: Settings) -> Game:
    """The document called *name*; ends the command if nothing could be made of it."""
    game = load(name, settings, plays=False)
    if game.model is None:
        show_diagnostics(game.diagnostics, game.source, settings.errors, rest=show_all(name))
        settings.errors.write()
        settings.errors.say(f"zermelo: {name} gives no program: {summary(game.diagnostics)}")
        raise click.exceptions.Exit(NO_SYSTEM)
    say_remarks(game, name, settings)
    return game


def _script(name: str, stage: Stage) -> str:
    """The inputs in the file *name*, all of them understood."""
    text = text_in(name)
    complaints = stage.complaints(text)
    if complaints:
        shown = [f"{name}, {each}" for each in complaints[:MOST_SHOWN]]
        more = len(complaints) - len(shown)
        raise click.UsageError("; ".join([*shown, *([f"and {more:,} more"] if more else [])]))
    return text


@dataclass(frozen=True, slots=True)
class _ScriptRun:
    """A list of inputs that is to be played."""

    game: Game
    stage: Stage
    inputs: str
    settings: Settings


def _play(run: _ScriptRun, out: str | None, *, is_json: bool) -> int:
    files = None if out is None else _Files(out, run.stage)
    played: list[ScriptStep] = []
    written: list[list[str]] = []
    for each in run.stage.play_script(run.inputs):
        played.append(each)
        written.append([] if files is None else files.keep(each))
    last = run.stage.present
    if files is not None:
        written[-1] += files.keep_state(last)
    if is_json:
        print_json(_as_json(run, played, written))
    else:
        _say(run, played, files)
    has_fault = any(each.is_error for part in played for f in part.frames for each in f.faults)
    return NOT_FINE if has_fault else 0


def _say(run: _ScriptRun, played: Sequence[ScriptStep], files: _Files | None) -> None:
    screen = run.settings.screen
    faults = list(_first_faults(played))
    for each, number in faults[:MOST_SHOWN]:
        screen.say(Piece(f"frame {number}: {render.one_line(each, run.game.source)}", Tone.BAD))
    if len(faults) > MOST_SHOWN:
        screen.say(Piece(f"and {len(faults) - MOST_SHOWN:,} more; --json has all", Tone.BAD))
    last = run.stage.present
    screen.say(f"{count(last.number, 'frame')}. The last state:")
    screen.write(screen.spelled(run.stage.state_text(last.state)))
    if files is not None:
        screen.say(f"Wrote {count(files.pictures, 'picture')} and {STATE} into {files.folder}.")


def _first_faults(played: Sequence[ScriptStep]) -> Iterator[tuple[Diagnostic, int]]:
    """Each fault with the number of the frame in which it came first."""
    known: set[str] = set()
    for frame in (frame for each in played for frame in each.frames):
        for fault in frame.faults:
            if fault.message not in known:
                known.add(fault.message)
                yield fault, frame.number


def _as_json(
    run: _ScriptRun, played: Sequence[ScriptStep], written: Sequence[list[str]]
) -> dict[str, Json]:
    last = run.stage.present
    return {
        "name": run.stage.name,
        "frames": last.number,
        "state": run.stage.state_text(last.state),
        "steps": [
            {
                "line": each.line,
                "input": each.text,
                **_shown(each.frames, run),
                "sounds": [*each.sounds],
                "files": [*files],
            }
            for each, files in zip(played, written, strict=True)
        ],
    }


def _shown(frames: Sequence[StageFrame], run: _ScriptRun) -> dict[str, Json]:
    if not frames:
        return {"frame": None, "state": None, "faults": []}
    last = frames[-1]
    faults = dict.fromkeys(fault for frame in frames for fault in frame.faults)
    return {
        "frame": last.number,
        "state": run.stage.state_text(last.state),
        "faults": [render.as_json(fault, run.game.source) for fault in faults],
    }


class _Files:
    """The files that a run writes."""

    def __init__(self, folder: str, stage: Stage) -> None:
        self.folder = folder
        self.pictures = 0
        self._stage = stage
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise click.UsageError(f"there can be no folder `{folder}`") from error

    def keep(self, played: ScriptStep) -> list[str]:
        """Write what *played* leaves to be seen; the names of the files."""
        if played.snapshot is not None:
            return self._window(played.snapshot, self._stage.present)
        if not played.frames:
            return []
        last = played.frames[-1]
        return self._window(f"frame-{last.number:05}", last)

    def keep_state(self, frame: StageFrame) -> list[str]:
        """Write the state of *frame*."""
        return [self._write(STATE, f"{self._stage.state_text(frame.state)}\n".encode())]

    def _window(self, name: str, frame: StageFrame) -> list[str]:
        files = self._stage.pictures(frame)
        self.pictures += len(files)
        return [self._write(f"{name}{ending}", data) for ending, data in files.items()]

    def _write(self, name: str, data: bytes) -> str:
        path = Path(self.folder) / name
        write(str(path), data)
        return name
