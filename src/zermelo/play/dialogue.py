"""A play at a prompt: moves that are typed, questions about the position, opponents, advice.

Where a prompt *evaluates*, a line may also be an expression of the document's language, and
what it stands for in the present state is the answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias

from zermelo.core.commentary import readings_lines
from zermelo.core.limits import Listener, Progress
from zermelo.core.machine import Fault, Turn
from zermelo.core.prompt import (
    FilmStep,
    PromptCommand,
    Shown,
    SideBySide,
    TypedRemarks,
    Verbatim,
    number_typed,
    shared_command,
)
from zermelo.core.state import State
from zermelo.core.values import to_text
from zermelo.files import writing
from zermelo.play import notation
from zermelo.play import session as plays
from zermelo.play.advice import Adviser, Opponent
from zermelo.play.lines import (
    advice_lines,
    aim_lines,
    log,
    made_line,
    outcome_lines,
    refused_line,
    state_lines,
    unlisted_words,
    whose_turn,
    why,
)
from zermelo.play.session import Session, move_text
from zermelo.text.budget import SEARCHING, listing_within
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.errors import MoveError, MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import BLANK, Line, Piece, Tone, capital, heading, line, listing
from zermelo.text.source import Source

MOST_MOVES: Final = 200
"""More legal moves than this are not listed."""
_OF_GAMES: Final = ("hint", "values", "readings")
"""Commands that make sense where somebody plays."""
_ANYWAY: Final = " anyway"
"""Behind the name of a saved play: make its moves though something is not as it was."""

Listening: TypeAlias = Callable[[], AbstractContextManager[Listener | None]]
"""What lets somebody watch what takes long, and stop it."""


class PlayDialogue:
    """The interaction with a play in progress."""

    def __init__(
        self,
        session: Session,
        *,
        opponents: Mapping[str, Opponent] | None = None,
        adviser: Callable[[], Adviser] | None = None,
        preface: Iterable[Line] = (),
        evaluates: bool = False,
        seed: int = 0,
        listening: Listening = nullcontext,
    ) -> None:
        """Let the *opponents* move, each for the player of that name.

        The *adviser* is made when somebody asks for a hint; the *preface* follows the name of
        the game; the *seed* is that of moves by lot.
        """
        self.session = session
        self._words = session.words
        self._signature = session.machine.signature
        self._opponents = opponents or {}
        self._adviser = adviser
        self._preface = tuple(preface)
        self._evaluates = evaluates
        self._seed = seed
        self._chance = random.Random(seed)
        self._listening = listening
        self._refused: Turn | None = None
        """What was tried last, if it was refused."""

    # The interaction

    @property
    def prompt(self) -> str:
        session = self.session
        if self._evaluates:
            return "zermelo> "
        if self._words.runs_by_itself:
            return f"{len(session.turns)}> "
        return "over> " if session.outcome is not None else f"{session.player or 'move'}> "

    @property
    def forms(self) -> tuple[tuple[str, str], ...]:
        moves = self._words.forms or (
            (self._signature.nouns.move.upper(), f"make it; typed as {self._typed_as()}"),
        )
        if not self._evaluates:
            return moves
        value = "its value in the present state, as in `|Free|` or `∃x ∈ P: x ∉ Free`"
        return (("EXPRESSION", value), *moves)

    @property
    def commands(self) -> tuple[PromptCommand, ...]:
        handlers: Mapping[str, Callable[[str], Iterable[Shown]]] = {
            "moves": lambda _: self._moves(),
            "hint": lambda _: self._advise(is_hint=True),
            "values": lambda _: self._advise(is_hint=False),
            "why": self._why,
            "log": lambda _: self._log(),
            "history": lambda _: self._history(),
            "state": lambda _: self._state(),
            "board": lambda _: self._board(),
            "undo": self._undo,
            "redo": self._redo,
            "random": self._random,
            "restart": lambda _: self._restart(),
            "rules": lambda _: self._words.explain(),
            "readings": lambda _: self._readings(),
            "save": self._save,
            "load": self._load,
        }
        nouns, left_out = self._signature.nouns, _OF_GAMES if self._words.runs_by_itself else ()
        return tuple(
            shared_command(name, run, nouns=nouns)
            for name, run in handlers.items()
            if name not in left_out
        )

    def greeting(self, *, invites: bool) -> Iterator[Shown]:
        if self._evaluates:
            yield from self._preface
            if invites:
                yield line("Type an expression, a move, or `help`.")
            return
        yield heading(self._signature.name)
        opening = self._words.opening(self.session.legal, is_film=False)
        if not self._words.runs_by_itself:
            yield from self._preface
            yield from aim_lines(self._words.aim(), person=self._person)
        yield self._how_to_move() if opening is None else opening
        yield from self._others_move()
        yield from self.position()

    @property
    def _person(self) -> str | None:
        """Who types the moves, where opponents make those of all others."""
        names = [p.name for p in self._signature.players if p.name not in self._opponents]
        return names[0] if self._opponents and len(names) == 1 else None

    def claims(self, text: str) -> bool:
        word = text.partition(" ")[0]
        if any(move.name.lower() == word.lower() for move in self._signature.moves):
            return True
        if not self._evaluates:
            # The name of a command alone is that command.
            return " " in text and self._can_be_made(text)
        # Some words in a row are a value of their own; the first alone tells what is declared.
        return self._words.evaluate(word, self.session.state).value is not None

    def _can_be_made(self, text: str) -> bool:
        """Whether *text* is a move that can be made here, also one that begins like a command."""
        try:
            move = notation.from_text(text, self._words, self.session.state)
        except MoveError:
            return False
        if move in self.session.legal:
            return True
        return self.session.unlisted is not None and self.session.attempt(move).after is not None

    def completions(self) -> Iterable[str]:
        legal = self.session.legal[:MOST_MOVES]
        moves = [move_text(move, self._words) for move in legal]
        return [*moves, *(f"why {each}" for each in moves)]

    def answer(self, text: str) -> Iterator[Shown]:
        if not self._evaluates or self._is_named_move(text):
            return self._move(text)
        return self._expression(text)

    # Moves

    def _move(self, text: str) -> Iterator[Shown]:
        session = self.session
        move = notation.from_text(text, self._words, session.state)
        who = session.player
        try:
            turn = session.make(move)
        except MoveNotAllowed as error:
            self._refused = session.attempt(move)
            yield refused_line(session, move, reason=str(error))
            return
        self._refused = None
        yield made_line(turn, session, who=who)
        yield from self._others_move()
        if not self._evaluates:
            yield from self.position(turn.before)
        elif session.outcome is not None:
            yield from outcome_lines(session, session.outcome)

    def _others_move(self) -> Iterator[Shown]:
        """Let opponents move until it is the turn of a person."""
        while (opponent := self._opponents.get(self.session.player or "")) is not None:
            if self.session.outcome is not None or not self.session.legal:
                return
            who = f"{self.session.player} ({opponent.name})"
            with self._listening() as listener, listing_within(None):
                thinks = _named(listener, f"{self.session.player} is thinking")
                move = opponent.choose(self.session, listener=thinks)
            yield made_line(self.session.make(move), self.session, who=who)

    def _is_opponents_turn(self) -> bool:
        return (self.session.player or "") in self._opponents

    def position(self, before: State | None = None) -> Iterator[Shown]:
        """What the position looks like, and whose turn it is or how the play ended.

        What is different from *before* is marked, where the position is told in lines.
        """
        session = self.session
        told = self._words.state_in_lines(session.state, before)
        if told is not None:
            yield from (BLANK, *told)
        elif not self._evaluates:
            yield from (BLANK, self._words.picture(session.state, last=session.last), BLANK)
        yield from self._what_next()

    def _what_next(self) -> Iterable[Shown]:
        session = self.session
        moves = self._words.moves_in_lines(session.state)
        if moves is not None:
            return moves
        outcome = session.outcome
        return (whose_turn(session),) if outcome is None else outcome_lines(session, outcome)

    # Expressions

    def _is_named_move(self, text: str) -> bool:
        names = {move.name.lower() for move in self._signature.moves}
        return text.partition("(")[0].strip().lower() in names

    def _expression(self, text: str) -> Iterator[Shown]:
        """The value of *text*; what is no expression may be a move."""
        checked = self._words.evaluate(text, self.session.state)
        value = checked.value
        if value is None:
            yield from self._move_or(text, checked.diagnostics)
        elif isinstance(value, Fault):
            yield line(Piece(f"No value: {value.message}.", Tone.BAD))
        else:
            yield Verbatim(to_text(value))

    def _move_or(self, text: str, diagnostics: tuple[Diagnostic, ...]) -> Iterator[Shown]:
        try:
            yield from self._move(text)
        except MoveNotUnderstood:
            if not diagnostics:
                raise
            yield TypedRemarks(diagnostics, Source("typed", text))

    # Questions

    def _moves(self) -> Iterable[Shown]:
        told = self._words.moves_in_lines(self.session.state)
        return self._listed_moves() if told is None else told

    def _listed_moves(self) -> Iterator[Shown]:
        legal, more = self.session.legal, unlisted_words(self.session).lstrip()
        if more:
            yield line(more)
        if not legal:
            if not more:
                yield line("No move is possible.")
            return
        yield line(f"{self._signature.nouns.counted_moves(len(legal))}:")
        yield SideBySide(tuple(move_text(move, self.session.words) for move in legal[:MOST_MOVES]))
        if len(legal) > MOST_MOVES:
            yield line(f"and {len(legal) - MOST_MOVES:,} more", indent=2)

    def _advise(self, *, is_hint: bool) -> Iterator[Shown]:
        """Ask for advice, which can be cut short."""
        if self._adviser is None or not self.session.legal:
            yield line(unlisted_words(self.session).lstrip() or "There is no move to make.")
            return
        adviser = self._adviser()
        if adviser.preparation:
            yield line(Piece(f"{capital(adviser.preparation)} …", Tone.FAINT))
        ask = adviser.hint if is_hint else adviser.values
        with self._listening() as listener, listing_within(None):
            advised = ask(self.session.state, listener=_named(listener, "thinking"))
        yield from advice_lines(advised, self._signature)

    def _why(self, text: str) -> Iterable[Shown]:
        if not text:
            raise UsageError(f"say which {self._signature.nouns.move}: `why MOVE`")
        move = notation.from_text(text, self._words, self.session.state)
        return why(self._words, self.session.state, move)

    def _log(self) -> Iterable[Shown]:
        last = self._refused or self.session.last
        return (self._none_yet(),) if last is None else log(self._words, last)

    def _history(self) -> Iterator[Shown]:
        if not self.session.turns:
            yield self._none_yet()
        for number, turn in enumerate(self.session.turns, 1):
            shown = Piece(move_text(turn.move, self.session.words), Tone.FORMULA)
            yield line(f"{number:4}. ", shown, hang=6)

    def _none_yet(self) -> Line:
        return line(f"No {self._signature.nouns.move} has been made yet.")

    def _state(self) -> Iterable[Shown]:
        told = self._words.state_in_lines(self.session.state)
        if told is not None:
            return told
        return state_lines(self.session.machine, self.session.state, indent=0)

    def _board(self) -> Iterable[Shown]:
        told = self._words.state_in_lines(self.session.state)
        if told is not None:
            return told
        return (self._words.picture(self.session.state, last=self.session.last),)

    def _readings(self) -> Iterable[Shown]:
        lines = tuple(readings_lines(self._signature))
        return lines or (line("The document leaves nothing open."),)

    # Back and forth

    def _undo(self, text: str) -> Iterator[Shown]:
        wanted = number_typed(text)
        taken = self._steps(self.session.undo, wanted)
        if not taken:
            yield line("There is nothing to take back.")
            return
        if taken < wanted:
            counted = self._signature.nouns.counted_moves(taken)
            yield line(f"Took back {counted}; there were no more.")
        yield from self._others_move()
        yield from self.position()

    def _redo(self, text: str) -> Iterator[Shown]:
        wanted = number_typed(text)
        made = self._steps(self.session.redo, wanted)
        if not made:
            yield line("There is nothing to make again.")
            return
        if made < wanted:
            counted = self._signature.nouns.counted_moves(made)
            yield line(f"Made {counted} again; there were no more.")
        last = self.session.last
        yield from self.position(None if last is None else last.before)

    def _steps(self, step: Callable[[], Turn | None], wanted: int) -> int:
        """Go *wanted* steps if there are so many; against opponents, one's own moves are meant."""
        gone = 0
        while gone < wanted and (turn := step()) is not None:
            gone += 1
            while turn is not None and self._is_opponents_turn():
                turn = step()
        if gone:
            self._refused = None
        return gone

    def _restart(self) -> Iterator[Shown]:
        self.session = Session(self._words)
        self._chance = random.Random(self._seed)
        self._refused = None
        yield from self._others_move()
        yield from self.position()

    # Moves by lot

    def film(self, steps: int) -> Iterator[Shown]:
        """The game, and so many moves that are drawn by lot."""
        yield heading(self._signature.name)
        opening = self._words.opening(self.session.legal, is_film=True)
        yield from self._preface if opening is None else (opening,)
        yield from self.position()
        yield from self._by_lot(steps)

    def _random(self, text: str) -> Iterator[Shown]:
        return self._by_lot(number_typed(text))

    def _by_lot(self, steps: int) -> Iterator[Shown]:
        self._refused = None
        for step in range(1, steps + 1):
            session = self.session
            if session.outcome is not None or not session.legal:
                break
            who = session.player
            turn = session.make(self._chance.choice(session.legal))
            made = made_line(turn, session, who=who)
            others = tuple(self._others_move())
            told: tuple[Shown, ...] | None = self._words.state_in_lines(session.state, turn.before)
            if told is None:
                told = (BLANK, self._words.picture(session.state, last=session.last), BLANK)
            yield FilmStep((made, *others, *told), step == steps)
        yield from self._what_next()

    # Files

    def _save(self, name: str) -> Iterator[Shown]:
        if not name:
            raise UsageError("say where: `save FILE`")
        path = _path(name)
        try:
            if path.exists() and not plays.is_saved(_text(path, len(plays.FIRST_LINE) + 10)):
                yield line(f"{name} exists and is no saved play; it was left alone.")
                return
            writing.replace(path, plays.saved_text(plays.saved_play(self.session)).encode())
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{name} could not be written: {_reason(error)}") from error
        counted = self._signature.nouns.counted_moves(len(self.session.turns))
        yield line(f"Saved {counted} in {name}.")

    def _load(self, name: str) -> Iterator[Shown]:
        if not name:
            raise UsageError("say from where: `load FILE`")
        is_anyway = name.endswith(_ANYWAY) and not _is_there(_path(name))
        name = name.removesuffix(_ANYWAY).rstrip() if is_anyway else name
        try:
            saved = plays.read_saved(_text(_path(name), plays.LARGEST_SAVED + 1))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{name} could not be read: {_reason(error)}") from error
        except UsageError as error:
            raise UsageError(f"{name}: {error}") from error
        changed = plays.why_not_here(saved, self._words.machine)
        if changed is not None and not is_anyway:
            how = f"`load {name} anyway` makes its moves here, as far as they go"
            raise UsageError(f"{name}: {changed}; {how}")
        self._refused = None
        replayed = plays.replay(saved, self._words)
        self.session = replayed.session
        for warning in (*([changed] if changed else []), *replayed.warnings):
            yield line(Piece(f"{name}: {warning}.", Tone.BAD))
        counted = self._signature.nouns.counted_moves(len(self.session.turns))
        yield line(f"Went on from {name}, after {counted}.")
        yield from self._others_move()
        yield from self.position()

    # How moves are typed

    def _how_to_move(self) -> Line:
        return line(f"A move is typed as {self._typed_as()}; `help` shows what else you can type.")

    def _typed_as(self) -> str:
        forms = listing([f"`{form}`" for form in notation.forms(self._signature)], last="or")
        legal = self.session.legal
        example = notation.to_text(legal[0], self._signature) if legal else ""
        return f"{forms}, for example `{example}`" if example else forms


def _named(listener: Listener | None, doing: str) -> Listener | None:
    """*listener*, told that somebody is *doing* this where a search is told of, and no more."""
    if listener is None:
        return None

    def named(progress: Progress, /) -> bool | None:
        is_search = progress.phase == SEARCHING
        return listener(replace(progress, phase=doing) if is_search else progress)

    return named


def _path(name: str) -> Path:
    """The file that somebody calls *name*; ``UsageError`` where there can be none."""
    if "\0" in name:
        raise UsageError("there is a character in this name that no file can have")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{name} could not be found: there is no such user") from error


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # Too long a name: what is not there cannot be meant.
        return False


def _text(path: Path, size: int) -> str:
    """The first *size* characters of a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read(size)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return (error.strerror or str(error)).lower()
