"""``zermelo play`` on nets: the token game, by hand, by lot, or as an animation."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from zermelo.core.machine import Turn
from zermelo.faces.cli.screen import Screen, is_interactive
from zermelo.faces.cli.typed import typed_lines
from zermelo.languages.nets.game import Player
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.play import record
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import Line, Piece, Tone, count

HELP: Final[Mapping[str, str]] = {
    "N": "fire the firing with this number",
    "TRANSITION [VALUES]": "fire it, as in `left`, `left 3`, `left p=3`",
    "random [N]": "fire by lot, N times; each step is shown",
    "undo [N]": "take the last firing back, or the last N",
    "redo [N]": "fire it again",
    "why TRANSITION": "whether it is enabled, and what it would change",
    "state": "the marking and what is enabled",
    "history": "the firings so far",
    "restart": "back to the first marking",
    "save FILE": "write the play to a file",
    "load FILE": "go on with a play from a file",
    "help": "this",
    "quit": "leave; so does the end of input",
}
CLEAR: Final = "\033[H\033[2J"
_MOST_AT_ONCE: Final = 100_000


class Table:
    """A player at a screen."""

    def __init__(
        self, machine: TokenGame, screen: Screen, *, seed: int = 0, seconds: float | None = None
    ) -> None:
        self._machine = machine
        self._screen = screen
        self._seed = seed
        self._seconds = seconds
        """How long each step of an animation stands."""
        self._player = Player(machine, seed=seed)
        self._is_left = False

    def sit_down(self) -> None:
        """Play until somebody leaves or the input ends."""
        self._screen.show(self._player.title())
        self._show(None)
        for text in typed_lines(self._screen, self._prompt):
            if text and not text.startswith("#"):
                self.answer(text)
            if self._is_left:
                return

    def animate(self, steps: int) -> None:
        """Show firings drawn by lot, one after the other."""
        self._screen.show(self._player.title(is_film=True))
        self._show(None)
        self._draw(steps)

    def answer(self, text: str) -> None:
        """Do what *text* asks for: a command, or a firing."""
        word, _, rest = text.removeprefix(":").partition(" ")
        handler = self._handlers().get(word.lower())
        is_transition = self._machine.net.transition(word) is not None
        try:
            if handler is not None and (text.startswith(":") or not is_transition):
                handler(rest.strip())
            else:
                self._fired(self._player.fire(text))
        except (MoveNotUnderstood, MoveNotAllowed) as error:
            said = str(error)
            self._screen.say(Piece(said if said.endswith("?") else f"{said}.", Tone.BAD))

    def _handlers(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "random": lambda rest: self._draw(_number(rest)),
            "undo": self._undo,
            "redo": self._redo,
            "why": self._why,
            "state": lambda _: self._show(None),
            "moves": lambda _: self._show(None),
            "board": lambda _: self._show(None),
            "history": lambda _: self._screen.show(self._player.history()),
            "log": lambda _: self._screen.show(self._player.history()),
            "restart": self._restart,
            "save": self._save,
            "load": self._load,
            "help": self._help,
            "?": self._help,
            "quit": self._quit,
            "exit": self._quit,
            "q": self._quit,
        }

    def _prompt(self) -> str:
        return str(self._player.fired)

    def _show(self, turn: Turn | None) -> None:
        self._screen.write()
        self._screen.show(self._player.position(turn))

    def _fired(self, turn: Turn) -> None:
        self._screen.show([self._player.firing(turn)])
        self._show(turn)

    def _draw(self, steps: int) -> None:
        """Fire by lot, and show every step; in a terminal each is written over the one before."""
        is_film = self._seconds is not None and is_interactive()
        try:
            for step in range(steps):
                turn = self._player.drawn()
                if turn is None:
                    self._screen.say(Piece("Nothing is enabled.", Tone.STRONG))
                    return
                if is_film:
                    click.echo(CLEAR, nl=False)
                self._screen.show([self._player.firing(turn)])
                self._screen.show(self._player.marking(turn.before))
                if self._seconds is not None and step < steps - 1:
                    time.sleep(self._seconds)
        except KeyboardInterrupt:
            self._screen.write()
        self._screen.show(self._player.enabled(self._player.session.state))

    def _undo(self, rest: str) -> None:
        wanted, before = _number(rest), self._player.fired
        for _ in range(min(wanted, before)):
            self._player.session.undo()
        taken = before - self._player.fired
        if taken < wanted:
            said = f"Took back {count(taken, 'firing')}; there were no more."
            self._screen.say(said if taken else "There is nothing to take back.")
        self._show(None)

    def _redo(self, rest: str) -> None:
        wanted, turns = _number(rest), list[Turn]()
        while len(turns) < wanted and (turn := self._player.session.redo()) is not None:
            turns.append(turn)
        if len(turns) < wanted:
            said = f"Fired {count(len(turns), 'firing')} again; there were no more."
            self._screen.say(said if turns else "There is nothing to fire again.")
        self._show(turns[-1] if turns else None)

    def _why(self, rest: str) -> None:
        if not rest:
            raise MoveNotUnderstood("say which transition: `why TRANSITION`")
        self._screen.show(self._player.why(rest))

    def _restart(self, _: str) -> None:
        self._player = Player(self._machine, seed=self._seed)
        self._show(None)

    def _save(self, name: str) -> None:
        if not name:
            raise MoveNotUnderstood("say where: `save FILE`")
        path = Path(name).expanduser()
        try:
            if path.exists() and not path.read_text("utf-8").startswith(record.FIRST_LINE):
                self._screen.say(f"{name} exists and is no saved play; it was left alone.")
                return
            path.write_text(record.to_text(record.record(self._player.session)), encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self._screen.say(Piece(f"{name} could not be written: {_reason(error)}.", Tone.BAD))
            return
        self._screen.say(f"Saved {count(self._player.fired, 'firing')} in {name}.")

    def _load(self, name: str) -> None:
        try:
            saved = record.from_text(Path(name).expanduser().read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            self._screen.say(Piece(f"{name} could not be read: {_reason(error)}.", Tone.BAD))
            return
        except UsageError as error:
            self._screen.say(Piece(f"{name}: {error}.", Tone.BAD))
            return
        replayed = record.replay(saved, self._machine)
        self._player.session = replayed.session
        for warning in replayed.warnings:
            self._screen.say(Piece(f"{name}: {warning}.", Tone.BAD))
        self._show(None)

    def _help(self, _: str) -> None:
        size = max(map(len, HELP))
        self._screen.show(
            Line((Piece(f"{usage:{size}}", Tone.STRONG), Piece(f"  {said}")), 2, size + 2)
            for usage, said in HELP.items()
        )

    def _quit(self, _: str) -> None:
        self._is_left = True


def show_played(
    machine: TokenGame, texts: Sequence[str], refused: Mapping[int, str], screen: Screen
) -> None:
    """The firings of a list, what was *refused* of it, and the last marking."""
    player = Player(machine)
    last: Turn | None = None
    for index, text in enumerate(texts):
        if index in refused:
            screen.say(f"{index + 1:3}. ", Piece(f"{refused[index]}.", Tone.BAD))
        else:
            last = player.fire(text)
            screen.say(f"{index + 1:3}. ", Piece(player.named(last), Tone.FORMULA))
    screen.write()
    screen.show(player.position(last))


def _number(rest: str) -> int:
    if not rest:
        return 1
    if not rest.isdecimal() or int(rest[:9]) > _MOST_AT_ONCE:
        raise MoveNotUnderstood(f"`{rest}` is no number of firings")
    return int(rest[:9])


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return (error.strerror or str(error)).lower()
