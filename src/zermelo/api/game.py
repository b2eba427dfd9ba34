"""A game as an object: its first state, its moves, and everything that can be asked of it.

What one asks most:

    game = zermelo.load("mine.md")
    state = game.play("1 1", (2, 2))  # moves as they are typed, as tuples, or as ``Move``
    game.moves(state), game.player(state), game.outcome(state)
    game.explore(), game.solve(), game.graph(), game.check()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeAlias, overload

from zermelo.api import questions
from zermelo.api.loaded import Loaded, model_of, playable_model
from zermelo.api.questions import Report
from zermelo.core.commentary import Commentary, Verdict
from zermelo.core.graph import (
    Component,
    Graph,
    GraphFormat,
    Link,
    Node,
    Overview,
    in_lines,
    summary,
)
from zermelo.core.limits import CHECK_LIMITS, Limits, Listener
from zermelo.core.machine import Fault, Outcome, Turn
from zermelo.core.picture import Picture
from zermelo.core.signature import Reading, Signature
from zermelo.core.space import ExploreOptions, Space
from zermelo.core.state import Move, State
from zermelo.core.values import Value
from zermelo.engines.compare.comparison import Comparison
from zermelo.engines.solve.values import Solved
from zermelo.play import notation
from zermelo.play.session import attempted, move_text, player_to_move, refusal
from zermelo.text.budget import STEPS_OF_AN_ANSWER, budget
from zermelo.text.codes import Severity
from zermelo.text.errors import MoveError, MoveNotAllowed, MoveNotUnderstood, UsageError
from zermelo.text.prose import Line, count, line, listing, plain_text
from zermelo.text.render import html_table

GivenValue: TypeAlias = (
    "str | int | Fraction | tuple[GivenValue, ...] | AbstractSet[GivenValue] | Value"
)
GivenMove: TypeAlias = "Move | GivenValue"
"""A move as it is typed, as its argument or the tuple of its arguments, or as it is."""

_MOST_SHOWN = 8


class Readings(tuple[Reading, ...]):
    """What a document leaves open and how it is read, in the order in which it is listed."""

    __slots__ = ()

    def __str__(self) -> str:
        """A line for each, with who decided it and why."""
        return "\n".join(
            f"{each.name}: {each.choice} (by {each.decided_by}"
            f"{': ' if each.reason else ''}{each.reason})"
            for each in self
        )

    def __repr__(self) -> str:
        shown = "; ".join(f"{each.name}: {each.choice}" for each in self)
        return f"<{count(len(self), 'reading')}{': ' if shown else ''}{shown}>"

    def _repr_html_(self) -> str:
        rows = (
            (each.name, each.choice, ", ".join(each.choices), each.decided_by, each.reason)
            for each in self
        )
        return html_table(("reading", "choice", "choices", "decided by", "why"), rows)


class Words(str):
    """A text of several lines, which is shown at a prompt as it is printed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class Game(Loaded):
    """A document, what was made of it, and everything that can be asked of it."""

    reread: Callable[[Mapping[str, str]], Game] = field(kw_only=True, compare=False)
    """Reads the same document with other readings."""

    def __str__(self) -> str:
        return f"{self.name}: {'; '.join(_said_of(self))}"

    def __repr__(self) -> str:
        return f"<Game {self}>"

    def __copy__(self) -> Game:
        # Nothing changes it, so that one is enough.
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"{self.name} is a game, which cannot be pickled, nor can its states: load it where it "
            "is needed, and send the moves that lead to a state"
        )

    @property
    def readings(self) -> Readings:
        """What the document leaves open, and how it is read."""
        return Readings(super().readings)

    # One state at a time

    @property
    def initial(self) -> GameState:
        """The first state."""
        return self.known(self.machine.initial)

    def moves(self, state: State | None = None) -> LegalMoves:
        """The moves that can be made in *state*, or at the beginning."""
        return LegalMoves(self, self.initial if state is None else self.known(state))

    def move(self, given: GivenMove, state: State | None = None) -> Move:
        """The move that *given* is in *state*, or at the beginning.

        Raises ``MoveNotUnderstood`` where it is none, and ``MoveAmbiguous`` where it could be
        several; whether it can be made is another matter.
        """
        if isinstance(given, Move):
            return given
        return notation.from_text(_as_typed(given), self._words, state or self.machine.initial)

    def after(self, state: State, *moves: GivenMove) -> GameState:
        """The state after *moves* have been made in *state*.

        Raises ``MoveNotAllowed`` for one that cannot be made, with what it lacked.
        """
        for given in moves:
            turn = attempted(self.machine, state, self.move(given, state))
            if turn.after is None:
                said = self._words.refused(turn, refusal(self.machine, turn))
                raise MoveNotAllowed(line(*said).text)
            state = turn.after
        return self.known(state)

    def play(self, *moves: GivenMove) -> GameState:
        """The state after *moves* have been made from the beginning."""
        return self.after(self.machine.initial, *moves)

    def player(self, state: State | None = None) -> str | None:
        """Who is to move in *state*, or at the beginning; ``None`` where that is nobody."""
        return player_to_move(self.machine, state or self.machine.initial)

    def outcome(self, state: State) -> Outcome | None:
        """How the play ended, if it is over in *state* or somebody is stuck there."""
        return self.machine.outcome(state)

    def value(self, text: str, state: State | None = None) -> Value | Fault:
        """The value in *state*, or at the beginning, of the expression that *text* writes."""
        typed = self._words.expression(text)
        if typed.value is None:
            said = [each.message for each in typed.diagnostics]
            raise UsageError("; ".join(said) or f"{self.name} has no expressions of its own")
        return typed.value.value(state or self.machine.initial)

    def why(self, state: State, move: GivenMove) -> Words:
        """Why *move* can or cannot be made in *state*, rule by rule."""
        from zermelo.play import lines  # noqa: PLC0415 - as below

        return _words(lines.why(self._words, state, self.move(move, state)))

    def verdict(self, *moves: GivenMove) -> Verdict:
        """What decided the play of *moves* from the beginning: the rule, its witnesses, the end."""
        turns = self.turns(*moves)
        end = turns[-1].after if turns else None
        return self._words.verdict(turns, end or self.machine.initial)

    def turns(self, *moves: GivenMove) -> tuple[Turn, ...]:
        """What each of *moves* did, from the beginning; see ``after``."""
        turns: list[Turn] = []
        state: State = self.machine.initial
        for given in moves:
            turns.append(attempted(self.machine, state, self.move(given, state)))
            # What cannot be made is said as everywhere.
            state = turns[-1].after or self.after(state, given)
        return tuple(turns)

    def step(self, state: State, move: GivenMove) -> Words:
        """What *move* does in *state*: every rule that is tried, and the state after it."""
        from zermelo.play import lines  # noqa: PLC0415 - as below

        return _words(
            lines.log(self._words, attempted(self.machine, state, self.move(move, state)))
        )

    def picture(self, state: State | None = None) -> Picture:
        """*state*, or the first one, as boards with pieces: data for whoever draws it."""
        return self._words.picture(state or self.machine.initial)

    def board(self, state: State | None = None) -> Words:
        """*state*, or the first one, drawn in letters and lines."""
        # What draws is imported when it is used: playing needs none of it.
        from zermelo.draw import text_board  # noqa: PLC0415

        return Words("\n".join(text_board.draw(self.picture(state), text_board.PlainPen())))

    def svg(self, state: State | None = None) -> str:
        """*state*, or the first one, drawn as SVG."""
        from zermelo.draw import sheet, sheet_svg  # noqa: PLC0415 - as above

        shown = state or self.machine.initial
        title = f"{self.name}: {shown}"
        return "\n".join(sheet_svg.lines(sheet.sheet(self.picture(shown), title)))

    def drawing(
        self,
        *moves: GivenMove,
        to: str = "svg",
        strip: bool = False,
        coordinates: bool = False,
    ) -> bytes:
        """The position after *moves* as the content of a file: svg, png, pdf or latex.

        A *strip* has every position of the play; *coordinates* name rows and columns.
        """
        from zermelo.api import pictures  # noqa: PLC0415 - as above

        known = [each.value for each in pictures.PictureFormat]
        if to not in known:
            raise UsageError(f"a picture is written as {listing(known)}, and not as `{to}`")
        turns = self.turns(*moves)
        sheet = pictures.sheet_of(self, turns, is_strip=strip, has_coordinates=coordinates)
        return pictures.written(sheet, pictures.PictureFormat(to))

    # All states

    def explore(
        self,
        *,
        states: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        symmetry: str | None = None,
        progress: bool | TextIO = True,
        listener: Listener | None = None,
        wishes: ExploreOptions | None = None,
        device: str = "cpu",
    ) -> Space:
        """Everything that can be reached, counted; see ``zermelo.explore``.

        In a notebook a bar shows its *progress*, unless that is ``False``; a stream, as
        ``sys.stderr``, has a line for it elsewhere. That holds for all questions below.
        """
        with _shown(listener, wanted=progress) as heard:
            return questions.explore(
                self,
                limits=Limits(states=states, depth=depth, seconds=seconds),
                threads=threads,
                symmetry=symmetry,
                listener=heard,
                wishes=wishes or ExploreOptions(),
                device=device,
            )

    def graph(
        self,
        *,
        states: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        symmetry: str | None = None,
        progress: bool | TextIO = True,
        listener: Listener | None = None,
    ) -> GameGraph:
        """The states, and the moves between them; see ``zermelo.graph``.

        With *symmetry*, as in ``"turn"``, one node stands for all states that are alike.
        """
        limits = Limits(states=states, depth=depth, seconds=seconds)
        with _shown(listener, wanted=progress) as heard:
            made = questions.graph(self, limits=limits, listener=heard, symmetry=symmetry)
            return GameGraph(self, made)

    def solve(
        self,
        *,
        states: int | None = None,
        seconds: float | None = None,
        threads: int | None = None,
        progress: bool | TextIO = True,
        listener: Listener | None = None,
    ) -> Solved:
        """The value of every state under perfect play; see ``zermelo.solve``."""
        limits = Limits(states=states, seconds=seconds)
        with _shown(listener, wanted=progress) as heard:
            return questions.solve(self, limits=limits, threads=threads, listener=heard)

    def check(
        self,
        *,
        properties: Sequence[str] = (),
        seconds: float | None = None,
        progress: bool | TextIO = True,
        listener: Listener | None = None,
    ) -> Report:
        """Everything there is to say about the document, what playing it shows included.

        *properties*, as ``never stuck``, are decided beside those that the document asks for.
        """
        limits = CHECK_LIMITS if seconds is None else Limits(seconds=seconds)
        with _shown(listener, wanted=progress) as heard:
            return questions.check(self, limits=limits, listener=heard, properties=properties)

    def compare(
        self,
        other: Loaded,
        *,
        mapping: str | Path | Mapping[str, object] | None = None,
        moves_only: bool = False,
        states: int | None = None,
        seconds: float | None = None,
        progress: bool | TextIO = True,
        listener: Listener | None = None,
    ) -> Comparison:
        """Whether *other* is the same game, or which play tells them apart; see ``compare``."""
        from zermelo.api import comparing  # noqa: PLC0415 - who only reads a document needs none

        limits = Limits(states=states, seconds=seconds)
        with _shown(listener, wanted=progress) as heard:
            return comparing.compare(
                self,
                other,
                mapping=mapping,
                moves_only=moves_only,
                limits=limits,
                listener=heard,
            )

    def explain(self) -> Words:
        """What the document says, in plain words."""
        with budget(steps=STEPS_OF_AN_ANSWER):
            return _words(model_of(self).words.explain())

    # Other ways to read it

    def with_reading(self, readings: Mapping[str, str] | None = None, /, **named: str) -> Game:
        """The same document, read in another way: ``game.with_reading(order="at once")``.

        A blank in the name of a reading is written as ``_``, or the readings are given as a
        mapping. Raises ``UsageError`` for a reading or a choice that there is not.
        """
        chosen = {name.replace("_", " "): choice for name, choice in named.items()}
        return self.reread({**self.given, **(readings or {}), **chosen})

    def reading(self, name: str) -> Reading:
        """The reading called *name*; raises ``UsageError`` if the document leaves no such open."""
        found = next((each for each in self.readings if each.name == name), None)
        if found is None:
            named = listing([f"`{each.name}`" for each in self.readings]) or "none"
            raise UsageError(f"{self.source.name} has no reading `{name}`; it has {named}")
        return found

    @property
    def _words(self) -> Commentary:
        return playable_model(self).words

    def known(self, state: State) -> GameState:
        """*state* as one that knows this game."""
        if isinstance(state, GameState):
            return state
        return GameState(state.values, state.names, state.show, game=self)


@dataclass(frozen=True, slots=True, eq=False)
class GameState(State):
    """A state that knows its game: it can be asked, and shows its board in a notebook."""

    game: Game = field(kw_only=True, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.values == other.values

    def __hash__(self) -> int:
        return State.__hash__(self)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {self}>"

    def __getitem__(self, name: str) -> Value:
        """The value of a variable, whether it is stored or follows from the facts."""
        known = dict(self.items())
        if name not in known:
            facts = self.game.machine.facts(self)
            known |= {fact: value for fact, value in facts if not isinstance(value, Fault)}
        if name not in known:
            raise UsageError(f"{self.game.name} has no variable `{name}`; it has {listing(known)}")
        return known[name]

    @property
    def moves(self) -> LegalMoves:
        """The moves that can be made."""
        return self.game.moves(self)

    @property
    def player(self) -> str | None:
        """Who is to move; ``None`` where that is nobody."""
        return self.game.player(self)

    @property
    def outcome(self) -> Outcome | None:
        """How the play ended, if it is over or somebody is stuck."""
        return self.game.outcome(self)

    @property
    def is_over(self) -> bool:
        """Whether no more moves are made."""
        return self.game.machine.is_over(self)

    def after(self, *moves: GivenMove) -> GameState:
        """The state after *moves*."""
        return self.game.after(self, *moves)

    def why(self, move: GivenMove) -> Words:
        """Why *move* can or cannot be made, rule by rule."""
        return self.game.why(self, move)

    def step(self, move: GivenMove) -> Words:
        """What *move* does: every rule that is tried, and the state after it."""
        return self.game.step(self, move)

    def value(self, text: str) -> Value | Fault:
        """The value of the expression that *text* writes."""
        return self.game.value(text, self)

    @property
    def board(self) -> Words:
        """The state drawn in letters and lines."""
        return self.game.board(self)

    def _repr_svg_(self) -> str:
        return self.game.svg(self)


class LegalMoves:
    """The moves that can be made in a state: a sequence that may be asked for texts and tuples."""

    def __init__(self, game: Game, state: GameState) -> None:
        self._game = game
        self._state = state
        self._moves = game.machine.legal(state)

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    @overload
    def __getitem__(self, at: int) -> Move: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Move]: ...

    def __getitem__(self, at: int | slice) -> Move | Sequence[Move]:
        return self._moves[at]

    def __contains__(self, given: object) -> bool:
        """Whether the move can be made, given as a text, a tuple or a ``Move``."""
        try:
            return self._game.move(given, self._state) in self._moves  # type: ignore[arg-type]  # what is no move is told below
        except MoveError:
            return False

    def __str__(self) -> str:
        return ", ".join(self._texts(self._moves))

    def __repr__(self) -> str:
        more = ", …" if len(self) > _MOST_SHOWN else ""
        shown = ", ".join(self._texts(self._moves[:_MOST_SHOWN]))
        return f"<{count(len(self), 'move')}{': ' if shown else ''}{shown}{more}>"

    def _texts(self, moves: Iterable[Move]) -> Iterator[str]:
        words = playable_model(self._game).words
        return (move_text(move, words) for move in moves)


@dataclass(frozen=True, slots=True)
class GameNode(Node):
    """A node of a graph, with a state that knows its game."""

    state: GameState


@dataclass(frozen=True, repr=False)
class GameGraph:
    """The reachability graph of a game; in a notebook it is drawn, unless it is too large."""

    game: Game
    graph: Graph
    """The same, without its game."""

    @property
    def signature(self) -> Signature:
        return self.graph.signature

    @property
    def overview(self) -> Overview:
        """The graph in numbers."""
        return self.graph.overview

    def __len__(self) -> int:
        return self.overview.nodes

    def __iter__(self) -> Iterator[GameNode]:
        return (self.node(number) for number in range(len(self)))

    def node(self, number: int) -> GameNode:
        """The node of that number, whose state knows its game."""
        found = self.graph.node(number)
        return GameNode(
            number=found.number,
            state=self.game.known(found.state),
            depth=found.depth,
            player=found.player,
            outcome=found.outcome,
            is_open=found.is_open,
            component=found.component,
            alike=found.alike,
        )

    def steps(self, number: int) -> Iterator[tuple[Move, int]]:
        """Each arc that leaves the node: its move and the node it leads to."""
        return self.graph.steps(number)

    def play(self, number: int) -> tuple[Move, ...]:
        """The shortest play to the node."""
        return self.graph.play(number)

    def open_nodes(self) -> list[int]:
        """The nodes after which something is missing, where the graph was cut short."""
        return self.graph.open_nodes()

    def component(self, number: int) -> Component:
        """The strongly connected component of that number."""
        return self.graph.component(number)

    def links(self) -> Iterator[Link]:
        """What leads from one component into another."""
        return self.graph.links()

    def lines(self, written_as: GraphFormat, *, of_components: bool = False) -> Iterator[str]:
        """The lines of a file with the graph; see ``zermelo.graph_lines``."""
        return questions.graph_lines(self.game, self.graph, written_as, of_components=of_components)

    def to_pandas(self) -> Any:  # noqa: ANN401 - a DataFrame, of a library that may be missing
        """A row for each arc: the node it leaves, its move, and the node it leads to."""
        # What computes with tables is imported when it is used.
        from zermelo.engines.graph.tables import arcs_table  # noqa: PLC0415

        return arcs_table(self.graph)

    def nodes_to_pandas(self) -> Any:  # noqa: ANN401 - as above
        """A row for each node: its depth, who is to move, how it ends, and its variables."""
        from zermelo.engines.graph.tables import positions_table  # noqa: PLC0415 - as above

        return positions_table(self.graph)

    def to_networkx(self) -> Any:  # noqa: ANN401 - a MultiDiGraph, of a library that may be missing
        """The same graph for networkx: nodes with their states, and arcs with their moves."""
        from zermelo.engines.graph.tables import network  # noqa: PLC0415 - as above

        return network(self)

    def __str__(self) -> str:
        """How much there is and how it ends, a line for each way, with the shortest play to it."""
        return in_lines(self.graph)

    def __repr__(self) -> str:
        return f"<Graph: {summary(self.graph)}>"

    def _repr_svg_(self) -> str | None:
        try:
            return "\n".join(self.lines(GraphFormat.SVG))
        except UsageError:  # It is too large to be drawn; a notebook then shows it in a line.
            return None


def _as_typed(given: GivenValue) -> str:
    """*given* as somebody would type it.

    >>> _as_typed((5, (1, 1))), _as_typed("6 2 2"), _as_typed(frozenset({2, 1}))
    ('5 (1, 1)', '6 2 2', '{1, 2}')
    """
    return " ".join(map(_typed, given)) if isinstance(given, tuple) else _typed(given)


def _typed(given: GivenValue) -> str:
    match given:
        case bool():
            return "true" if given else "false"
        case tuple():
            return f"({', '.join(map(_typed, given))})"
        case AbstractSet():
            return f"{{{', '.join(sorted(map(_typed, given)))}}}"
        case str() | int() | Fraction():
            return str(given)
        case _:
            raise MoveNotUnderstood(
                f"a move is a text, a tuple of its arguments or a `Move`, and not {given!r}"
            )


def _shown(
    listener: Listener | None, *, wanted: bool | TextIO
) -> AbstractContextManager[Listener | None]:
    """A listener that shows how far a question is, if it is wanted, and tells *listener*."""
    from zermelo.api.progress import shown  # noqa: PLC0415 - as above

    return shown(listener, wanted=wanted)


def _words(said: Iterable[Line]) -> Words:
    return Words(plain_text(said))


def _said_of(game: Game) -> Iterator[str]:
    """What a game is, who plays it, and how much there is to say about it."""
    if game.model is None:
        yield "nothing to play could be made of it"
    elif not game.is_loaded:
        yield "understood, but nothing to play"
    else:
        yield _played_by(game.players)
    for severity, noun in ((Severity.ERROR, "error"), (Severity.WARNING, "warning")):
        found = sum(each.level is severity for each in game.diagnostics)
        if found:
            yield count(found, noun)


def _played_by(players: Sequence[str]) -> str:
    match players:
        case []:
            return "a system without players"
        case [_]:
            return "for one player"
        case [one, two]:
            return f"{one} against {two}"
        case _:
            return f"for {listing(players)}"
