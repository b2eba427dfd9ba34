"""A play at a table: somebody types moves and questions, and the board answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.core.machine import Turn
from zermelo.faces.cli import words
from zermelo.faces.cli.board import draw
from zermelo.faces.cli.progress import Stopper, stopper
from zermelo.faces.cli.screen import Screen
from zermelo.faces.cli.typed import typed_lines
from zermelo.languages.sections.explain import why as reasons
from zermelo.languages.sections.explain.document import readings
from zermelo.languages.sections.explain.log import log, state_lines
from zermelo.play import notation, record
from zermelo.play.advice import Advised, Adviser
from zermelo.play.layout import layout
from zermelo.play.opponents import Opponent
from zermelo.play.picture import picture
from zermelo.play.session import Session
from zermelo.text.errors import MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import Line, Piece, Tone, count, line
from zermelo.text.suggest import nearest


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be typed besides a move."""

    usage: str
    summary: str


COMMANDS: Final[Mapping[str, Command]] = {
    "moves": Command("moves", "the moves that are possible"),
    "hint": Command("hint", "the best move that is known, and what it is worth"),
    "values": Command("values", "every move, and what it is worth"),
    "why": Command("why MOVE", "why a move can or cannot be made"),
    "log": Command("log", "every rule that was tried last, also for a refused move"),
    "state": Command("state", "the values of all variables and facts"),
    "board": Command("board", "the board again"),
    "undo": Command("undo", "take the last move back"),
    "redo": Command("redo", "make it again"),
    "readings": Command("readings", "what was decided where the document is open"),
    "save": Command("save FILE", "write the play to a file"),
    "load": Command("load FILE", "go on with a play from a file"),
    "help": Command("help", "this"),
    "quit": Command("quit", "leave; so does the end of input"),
}
_OTHER_NAMES: Final = {"exit": "quit", "q": "quit", "?": "help", "h": "help", "b": "board"}


class Table:
    """A session, the screen it is shown on, and who sits where."""

    def __init__(
        self,
        session: Session,
        screen: Screen,
        *,
        opponents: Mapping[str, Opponent] | None = None,
        adviser: Callable[[], Adviser] | None = None,
        shows_board: bool = True,
    ) -> None:
        self.session = session
        self.screen = screen
        self._opponents = opponents or {}
        self._adviser = adviser
        """Whom to ask for a hint; made when somebody asks."""
        self._shows_board = shows_board
        self._plan = layout(session.machine)
        self._is_left = False
        self._refused: Turn | None = None
        """What was tried last, if it was refused."""

    # The play

    def sit_down(self) -> None:
        """Play until somebody leaves or the input ends."""
        system = self.session.machine.system
        self.screen.say(Piece(system.name, Tone.HEADING))
        self.screen.show([words.readings_line(system, self.screen)])
        self.screen.show([words.how_to_move(self.session)])
        self._others_move()
        self.show_position()
        for text in typed_lines(self.screen, self._prompt):
            if text:
                self.answer(text)
            if self._is_left:
                return

    def answer(self, text: str) -> None:
        """Do what *text* asks for: a command, or a move."""
        first, _, rest = text.removeprefix(":").partition(" ")
        name = _OTHER_NAMES.get(first.lower(), first.lower())
        is_move_name = any(m.name.lower() == name for m in self.session.machine.system.moves)
        if name in COMMANDS and (text.startswith(":") or not is_move_name):
            self._handlers()[name](rest.strip())
        else:
            self.move(text)

    def move(self, text: str) -> None:
        """Make the move that *text* means, and let the others answer."""
        session = self.session
        try:
            move = notation.from_text(text, session.machine, session.state)
        except MoveNotUnderstood as error:
            self._not_understood(text, error)
            return
        who = session.player
        try:
            turn = session.make(move)
        except MoveNotAllowed as error:
            self._refused = session.attempt(move)
            self.screen.show([words.refused(session, move, reason=str(error))])
            return
        self._refused = None
        self._made(turn, who)
        self._others_move()
        self.show_position()

    def show_position(self) -> None:
        """The board, and whose turn it is or how the play ended."""
        session = self.session
        if self._shows_board:
            self.screen.write()
            self._draw()
            self.screen.write()
        outcome = session.outcome
        if outcome is None:
            self.screen.show([words.whose_turn(session)])
        else:
            self.screen.show(words.outcome_lines(session, outcome))

    def _draw(self) -> None:
        drawn = picture(
            self.session.machine, self.session.state, last=self.session.last, plan=self._plan
        )
        for row in draw(drawn, self.screen):
            self.screen.write(row)

    def _prompt(self) -> str:
        return "over" if self.session.outcome is not None else self.session.player or "move"

    def _made(self, turn: Turn, who: str | None) -> None:
        opponent = self._opponents.get(who or "")
        name = f"{who} ({opponent.name})" if opponent is not None else who
        self.screen.show([words.move_line(turn, self.session, who=name)])

    def _others_move(self) -> None:
        """Let opponents move until it is the turn of a person."""
        while (opponent := self._opponents.get(self.session.player or "")) is not None:
            if self.session.outcome is not None or not self.session.legal:
                return
            who = self.session.player
            with stopper() as listener:
                move = opponent.choose(self.session, listener=listener)
            self._made(self.session.make(move), who)

    def _not_understood(self, text: str, error: MoveNotUnderstood) -> None:
        near = nearest(text.partition(" ")[0].lower(), COMMANDS)
        hint = f" If it was a command, did you mean `{near[0]}`?" if near else ""
        self.screen.say(Piece(f"{error}.", Tone.BAD), hint)

    # The commands

    def _handlers(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "moves": self._moves,
            "hint": self._hint,
            "values": self._values,
            "why": self._why,
            "log": self._log,
            "state": self._state,
            "board": lambda _: self._draw(),
            "undo": self._undo,
            "redo": self._redo,
            "readings": self._readings,
            "save": self._save,
            "load": self._load,
            "help": self._help,
            "quit": self._quit,
        }

    def _moves(self, _: str) -> None:
        for row in words.moves_list(self.session.legal, self.session, self.screen):
            self.screen.write(row)

    def _hint(self, _: str) -> None:
        self._advise(lambda adviser, listener: adviser.hint(self.session.state, listener=listener))

    def _values(self, _: str) -> None:
        self._advise(
            lambda adviser, listener: adviser.values(self.session.state, listener=listener)
        )

    def _advise(self, ask: Callable[[Adviser, Stopper], Advised]) -> None:
        """Ask for advice, which Ctrl-C cuts short, and show it."""
        if self._adviser is None or not self.session.legal:
            self.screen.say("There is no move to make.")
            return
        with stopper() as listener:
            advised = ask(self._adviser(), listener)
        self.screen.show(words.advice_lines(advised, self.session, self.screen))

    def _why(self, text: str) -> None:
        if not text:
            self.screen.say("Say which move: `why MOVE`.")
            return
        session = self.session
        try:
            move = notation.from_text(text, session.machine, session.state)
        except MoveNotUnderstood as error:
            self.screen.say(Piece(f"{error}.", Tone.BAD))
            return
        self.screen.show(reasons.lines(reasons.why(session.machine, session.state, move)))

    def _log(self, _: str) -> None:
        last = self._refused or self.session.last
        if last is None:
            self.screen.say("No move has been made yet.")
        else:
            self.screen.show(log(self.session.machine, last))

    def _state(self, _: str) -> None:
        self.screen.show(state_lines(self.session.machine, self.session.state, indent=0))

    def _undo(self, _: str) -> None:
        turn = self.session.undo()
        if turn is None:
            self.screen.say("There is no move to take back.")
            return
        self._refused = None
        # Against opponents, one's own last move is meant, not their answer.
        while turn is not None and self._is_opponents_turn():
            turn = self.session.undo()
        self._others_move()
        self.show_position()

    def _redo(self, _: str) -> None:
        turn = self.session.redo()
        if turn is None:
            self.screen.say("There is no move to make again.")
            return
        self._refused = None
        while turn is not None and self._is_opponents_turn():
            turn = self.session.redo()
        self.show_position()

    def _is_opponents_turn(self) -> bool:
        return (self.session.player or "") in self._opponents

    def _readings(self, _: str) -> None:
        lines = list(readings(self.session.machine.system))
        self.screen.show(lines or [line("The document leaves nothing open.")])

    def _save(self, name: str) -> None:
        if not name:
            self.screen.say("Say where: `save FILE`.")
            return
        path = Path(name).expanduser()
        try:
            if path.exists() and not path.read_text("utf-8").startswith(record.FIRST_LINE):
                self.screen.say(f"{name} exists and is no saved play; it was left alone.")
                return
            path.write_text(record.to_text(record.record(self.session)), encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            self.screen.say(Piece(f"{name} could not be written: {_reason(error)}.", Tone.BAD))
            return
        self.screen.say(f"Saved {count(len(self.session.turns), 'move')} in {name}.")

    def _load(self, name: str) -> None:
        if not name:
            self.screen.say("Say from where: `load FILE`.")
            return
        try:
            saved = record.from_text(Path(name).expanduser().read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            self.screen.say(Piece(f"{name} could not be read: {_reason(error)}.", Tone.BAD))
            return
        except UsageError as error:
            self.screen.say(Piece(f"{name}: {error}.", Tone.BAD))
            return
        self._refused = None
        replayed = record.replay(saved, self.session.machine)
        self.session = replayed.session
        for warning in replayed.warnings:
            self.screen.say(Piece(f"{name}: {warning}.", Tone.BAD))
        self.screen.say(f"Went on from {name}, after {count(len(self.session.turns), 'move')}.")
        self._others_move()
        self.show_position()

    def _help(self, _: str) -> None:
        self.screen.show([words.how_to_move(self.session)])
        size = max(len(command.usage) for command in COMMANDS.values())
        self.screen.show(
            Line(
                (Piece(f"{command.usage:{size}}", Tone.STRONG), Piece(f"  {command.summary}")),
                indent=2,
                hang=size + 2,
            )
            for command in COMMANDS.values()
        )

    def _quit(self, _: str) -> None:
        self._is_left = True


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return (error.strerror or str(error)).lower()
