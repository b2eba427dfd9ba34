"""How the board of a net looks, as a View from outside says it, and a marking drawn on it.

    board: 3 × 3
    piece x: board = 1
    piece o: board = 2

A piece is where a component of the one token of a place has a value (cells in rows, from the first
component on), where a place has a token that names the cell, or where one of the places that are
listed, one for each cell, has a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from zermelo.core import picture
from zermelo.core.picture import Board, Entry, Mark, Picture
from zermelo.core.state import State
from zermelo.languages.nets.ir import Net, Place
from zermelo.languages.nets.words import bag_in, bag_text, colours
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Checked, Diagnostic, label_at
from zermelo.text.errors import nearest
from zermelo.text.lines import Setting
from zermelo.text.prose import count

MOST_ACROSS: Final = 100
"""Rows and columns that a board may have."""
_SIZE: Final = re.compile(r"(?P<rows>\d{1,3})\s*(?:×|x|X|by)\s*(?P<columns>\d{1,3})")
_PIECE: Final = re.compile(r"piece\s+(?P<mark>\S.*)", re.IGNORECASE)
_NAMES: Final = re.compile(r'"([^"]*)"|([^\s,]+)')
_KEYS: Final = ("board", "rows", "piece", "hide")
_FORMS: Final = "`board`, `rows`, `piece MARK` and `hide`"
_PIECE_FORMS: Final = (
    "write `PLACE = NUMBER` for components of the one token of a place, `PLACE` for tokens that "
    "name their cells, or a place for each cell"
)


@dataclass(frozen=True, slots=True)
class Components:
    """The cells whose component of the one token of a place has this value."""

    place: int
    value: int


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells that the tokens of a place name: row and column, or their number."""

    place: int
    first: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """A place for each cell, in rows; ``None`` where there is none."""

    places: tuple[int | None, ...]


Where: TypeAlias = Components | Cells | Places


@dataclass(frozen=True, slots=True)
class Piece:
    """A mark, and where it stands."""

    mark: str
    where: Where


@dataclass(frozen=True, slots=True)
class BoardView:
    """How markings are drawn; without columns there is no board."""

    rows: int = 0
    columns: int = 0
    is_up: bool = False
    """Whether the first row stands at the bottom."""
    pieces: tuple[Piece, ...] = ()
    hidden: tuple[int, ...] = ()

    @property
    def has_board(self) -> bool:
        return bool(self.columns and self.pieces)


NO_BOARD: Final = BoardView()


def view(net: Net, settings: Iterable[Setting]) -> Checked[BoardView]:
    """The view that *settings* describe; lines that cannot be used are said and left out."""
    maker = _ViewMaker(net)
    said: list[Diagnostic] = []
    # How large the board is decides what a piece may be.
    for setting in sorted(settings, key=lambda each: _key(each) != "board"):
        try:
            maker.add(setting)
        except _Wrong as wrong:
            said.append(wrong.said)
    return Checked(maker.made, tuple(said))


def _key(setting: Setting) -> str:
    return setting.key.strip().casefold()


class _Wrong(Exception):
    """A line that cannot be used, and what there is to say of it."""

    def __init__(self, setting: Setting, message: str, *, help_: str | None, code: Code) -> None:
        super().__init__(message)
        label = label_at(setting.value_span.or_else(setting.span), "left out")
        self.said = Diagnostic(code, message, label, help=help_)


class _ViewMaker:
    def __init__(self, net: Net) -> None:
        self.made = NO_BOARD
        self._net = net
        self._places = {place.name: at for at, place in enumerate(net.places)}

    def add(self, setting: Setting) -> None:
        key, value = _key(setting), setting.value.strip()
        piece = _PIECE.fullmatch(setting.key.strip())
        if key == "board":
            self._size(setting, value)
        elif key == "rows" and value.casefold() in {"up", "down"}:
            self.made = replace(self.made, is_up=value.casefold() == "up")
        elif key == "rows":
            help_ = "write `rows: up` if the first row stands at the bottom"
            raise _Wrong(
                setting,
                f"rows go `up` or `down`, not `{value}`",
                help_=help_,
                code=codes.VIEW_NOT_USABLE,
            )
        elif key in {"hide", "hidden"}:
            hidden = [self._place(name, setting) for name in _names(value)]
            self.made = replace(self.made, hidden=(*self.made.hidden, *hidden))
        elif piece is not None:
            made = Piece(piece["mark"].strip("`'\"“”"), self._where(setting, value))
            self.made = replace(self.made, pieces=(*self.made.pieces, made))
        else:
            raise self._unknown(setting)

    def _size(self, setting: Setting, value: str) -> None:
        found = _SIZE.fullmatch(value)
        rows, columns = (int(found[1]), int(found[2])) if found else (0, 0)
        if not (1 <= rows <= MOST_ACROSS and 1 <= columns <= MOST_ACROSS):
            raise _Wrong(
                setting,
                f"`{value}` is no size of a board",
                help_=f"write rows and columns, up to {MOST_ACROSS}, as in `board: 3 × 3`",
                code=codes.VIEW_NOT_USABLE,
            )
        self.made = replace(self.made, rows=rows, columns=columns)

    def _where(self, setting: Setting, value: str) -> Where:
        if not self.made.columns:
            raise _Wrong(
                setting,
                "a piece stands on a board, and there is no board",
                help_="write how large it is, as in `board: 3 × 3`",
                code=codes.VIEW_NOT_USABLE,
            )
        name, equals, number = value.partition("=")
        if equals:
            return self._components(setting, name.strip(), number.strip("= "))
        names = _names(value)
        if len(names) == 1:
            return self._cells(setting, self._place(names[0], setting))
        if len(names) != self._size_of_board:
            raise self._unfit(setting, f"{count(len(names), 'place')} are listed")
        places = [None if each == "-" else self._place(each, setting) for each in names]
        return Places(tuple(places))

    @property
    def _size_of_board(self) -> int:
        return self.made.rows * self.made.columns

    def _components(self, setting: Setting, name: str, number: str) -> Components:
        at = self._place(name.strip('"'), setting)
        place = self._net.places[at]
        if place.arity != self._size_of_board:
            raise self._unfit(
                setting,
                f"tokens of `{place.name}` have {count(place.arity, 'component')}",
            )
        names, low = colours(place, 0)
        if names is not None and number in names:
            return Components(at, low + names.index(number))
        if not re.fullmatch(r"-?\d{1,18}", number):
            raise _Wrong(
                setting,
                f"`{number}` is no value of a component of `{place.name}`",
                help_="write a whole number, or the name of a colour",
                code=codes.VIEW_NOT_USABLE,
            )
        return Components(at, int(number))

    def _cells(self, setting: Setting, at: int) -> Cells:
        place = self._net.places[at]
        if place.arity not in {1, 2}:
            raise self._unfit(
                setting, f"tokens of `{place.name}` have {count(place.arity, 'component')}"
            )
        return Cells(at, place.low or (1,) * place.arity)

    def _place(self, name: str, setting: Setting) -> int:
        if name in self._places:
            return self._places[name]
        near = nearest(name, self._places)
        raise _Wrong(
            setting,
            f"the net has no place `{name}`",
            help_=f"write `{near[0]}`" if near else None,
            code=codes.VIEW_OF_NOTHING,
        )

    def _unfit(self, setting: Setting, found: str) -> _Wrong:
        size = f"{self.made.rows} × {self.made.columns} = {count(self._size_of_board, 'cell')}"
        message = f"{found}, and the board has {size}"
        return _Wrong(setting, message, help_=_PIECE_FORMS, code=codes.VIEW_NOT_USABLE)

    def _unknown(self, setting: Setting) -> _Wrong:
        near = nearest(_key(setting).split()[0], _KEYS)
        return _Wrong(
            setting,
            f"`{setting.key.strip()}` says nothing about the view that is understood; the lines of "
            f"a view of a net are {_FORMS}",
            help_=f"write `{near[0]}`" if near else None,
            code=codes.UNKNOWN_VIEW,
        )


def _names(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in _NAMES.findall(text)]


# Markings on it


def drawn(net: Net, seen: BoardView, state: State, *, before: State | None) -> Picture:
    """*state* as *seen*; cells that are different from *before* are marked.

    What lies elsewhere than on the board is listed, unless it is hidden.
    """
    if not seen.has_board:
        return Picture(entries=tuple(_entries(net, state, hidden=set(seen.hidden))))
    layers = [cells_of(piece.where, seen, state) for piece in seen.pieces]
    old = layers if before is None else [cells_of(p.where, seen, before) for p in seen.pieces]
    marks = [Mark(piece.mark, at) for at, piece in enumerate(seen.pieces)]
    cells = []
    for row in range(seen.rows):
        numbers = range(row * seen.columns, (row + 1) * seen.columns)
        cells.append(tuple(_cell(number, marks, layers, old) for number in numbers))
    labels = tuple(str(row) for row in range(1, seen.rows + 1))
    board = Board(
        "board",
        labels[::-1] if seen.is_up else labels,
        tuple(str(column) for column in range(1, seen.columns + 1)),
        tuple(cells[::-1] if seen.is_up else cells),
    )
    shown = {at for piece in seen.pieces for at in _shown_on_it(piece.where, seen, state)}
    return Picture(
        boards=(board,),
        entries=tuple(_entries(net, state, hidden=shown | set(seen.hidden))),
    )


def _cell(
    number: int,
    marks: Sequence[Mark],
    layers: Sequence[frozenset[int]],
    old: Sequence[frozenset[int]],
) -> picture.Cell:
    here = tuple(mark for mark, cells in zip(marks, layers, strict=True) if number in cells)
    changed = any(
        (number in now) != (number in then) for now, then in zip(layers, old, strict=True)
    )
    return picture.Cell(here, is_last=changed)


def cells_of(where: Where, seen: BoardView, state: State) -> frozenset[int]:
    """The numbers of the cells, row by row, that a piece which stands *where* is in."""
    match where:
        case Components(at, value):
            tokens = bag_in(state, at).counts
            if len(tokens) != 1:
                return frozenset()
            return frozenset(n for n, each in enumerate(tokens[0][0]) if each == value)
        case Cells(at, first):
            numbers = (_number(token, first, seen) for token, _ in bag_in(state, at))
            return frozenset(number for number in numbers if number is not None)
        case Places(places):
            return frozenset(
                n for n, at in enumerate(places) if at is not None and len(bag_in(state, at))
            )


def _number(token: Sequence[int], first: Sequence[int], seen: BoardView) -> int | None:
    """The number of the cell that *token* names, if it is on the board."""
    at = [each - low for each, low in zip(token, first, strict=True)]
    if len(at) == 1:
        return at[0] if 0 <= at[0] < seen.rows * seen.columns else None
    row, column = at
    is_inside = 0 <= row < seen.rows and 0 <= column < seen.columns
    return row * seen.columns + column if is_inside else None


def _shown_on_it(where: Where, seen: BoardView, state: State) -> Iterator[int]:
    """The places of which the board shows everything."""
    match where:
        case Components(at, _):
            if len(bag_in(state, at)) == 1:
                yield at
        case Cells(at, first):
            if all(
                _number(token, first, seen) is not None and n == 1 for token, n in bag_in(state, at)
            ):
                yield at
        case Places(places):
            yield from (at for at in places if at is not None and len(bag_in(state, at)) <= 1)


def _entries(net: Net, state: State, *, hidden: set[int]) -> Iterator[Entry]:
    """The places that hold something, with what lies there."""
    for at, place in enumerate(net.places):
        bag = bag_in(state, at)
        if at not in hidden and len(bag):
            yield Entry(place.name, _held(bag_text(bag, place), place, len(bag)))


def _held(text: str, place: Place, size: int) -> str:
    """Black tokens are counted: they are all alike."""
    return text if place.arity else str(size)
