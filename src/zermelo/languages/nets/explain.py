"""Nets in plain words: what one is, what lies where, what is enabled, and what a firing does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from zermelo.core.commentary import (
    CHANGED,
    Aim,
    Change,
    Commentary,
    Goal,
    change_text,
    readings_lines,
    short,
)
from zermelo.core.machine import Ending, FaultKind, Turn, unlisted
from zermelo.core.picture import Diagram, Picture, Sketch, sketched
from zermelo.core.signature import Stuck
from zermelo.core.space import Space
from zermelo.core.state import Move, State
from zermelo.languages.nets import firings
from zermelo.languages.nets.drawing import diagram_in_rows, marked
from zermelo.languages.nets.game.board import NO_BOARD, BoardView, drawn
from zermelo.languages.nets.game.rules import DRAW, LOSES, WINS, NetRules
from zermelo.languages.nets.ir import Net, Place, Transition, Variable
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.bounds import bounds, invariants
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words, bag_in, bag_text, token_text
from zermelo.text.budget import listing_within
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing
from zermelo.text.source import width

MOST_LINES: Final = 6
WIDEST: Final = 36


def sketch(words: Words, state: State) -> tuple[str, ...]:
    """The places that are marked; nothing where they have no room."""
    sizes = [len(bag_in(state, at)) for at in range(len(state.values))]
    if words.net.is_plain:
        held = zip(words.net.places, sizes, strict=True)
        lines = _filled([p.name if n == 1 else f"{n} {p.name}" for p, n in held if n])
    else:
        marked = words.places(state, is_marked=True)
        lines = [f"{place.name}: {bag}" for place, bag in marked]
    if not lines:
        return ("no tokens",)
    has_room = len(lines) <= MOST_LINES and all(width(line) <= WIDEST for line in lines)
    return tuple(lines) if has_room else (count(sum(sizes), "token"),)


def _filled(terms: list[str]) -> list[str]:
    lines: list[str] = []
    for term in terms:
        if lines and width(lines[-1]) + 3 + width(term) <= WIDEST:
            lines[-1] += f" + {term}"
        else:
            lines.append(term)
    return [f"{each} +" if each is not lines[-1] else each for each in lines]


MOST_PLACES: Final = 24
"""Of more places only those that hold tokens, or have changed, are shown."""
MOST_FIRINGS: Final = 30
FORMS: Final = (
    ("N", "fire the firing with this number"),
    ("TRANSITION [VALUES]", "fire it, as in `left`, `left 3`, `left p=3`"),
)


def _size(net: Net) -> str:
    return f"{count(len(net.places), 'place')} and {count(len(net.transitions), 'transition')}"


def _marking_lines(places: Sequence[Place], state: State, before: State | None) -> Iterator[Line]:
    """What lies where; what is different from *before* stands out."""
    size = max((len(place.name) for place in places), default=0)
    hidden = 0
    for at, place in enumerate(places):
        bag = bag_in(state, at)
        old = bag if before is None else bag_in(before, at)
        if len(places) > MOST_PLACES and not len(bag) and bag == old:
            hidden += 1
            continue
        yield _place_line(place, old, bag, size=min(size, 30))
    if hidden:
        yield line(Piece(f"{count(hidden, 'place')} empty", Tone.FAINT), indent=2)


def _enabled_lines(machine: TokenGame, state: State) -> Iterator[Line]:
    words, enabled = Words(machine.net), machine.legal(state)
    for move, fault in machine.faults(state).items():
        is_list = fault.kind is FaultKind.UNLISTED
        why = f"The firings of {move.name} cannot be listed: {fault.message}; each can be typed."
        said = why if is_list else f"{words.firing(move)} cannot fire: {fault.message}"
        yield line(Piece(said, Tone.BAD), indent=2, hang=2)
    if not enabled:
        if unlisted(machine.faults(state)) is None:
            yield line(Piece("Nothing is enabled.", Tone.STRONG))
        return
    yield line(f"{count(len(enabled), 'firing')} enabled:")
    for number, firing in enumerate(words.among(enabled)[:MOST_FIRINGS], 1):
        yield line(f"{number:3}  ", Piece(firing, Tone.FORMULA), indent=1, hang=5)
    if len(enabled) > MOST_FIRINGS:
        yield line(f"and {len(enabled) - MOST_FIRINGS:,} more", indent=6)


def _place_line(place: Place, old: Bag, new: Bag, *, size: int) -> Line:
    name = f"{place.name:{size}}  "
    held = bag_text(new, place)
    if old == new:
        tone = Tone.FAINT if not len(new) else Tone.PLAIN
        return line(f"  {name}", Piece(held, tone), indent=2, hang=size + 4)
    return line(
        Piece(f"▸ {name}", Tone.CHANGED),
        Piece(held, Tone.CHANGED),
        Piece(f"   {_difference(place, old, new)}", Tone.FAINT),
        indent=2,
        hang=size + 4,
    )


def _difference(place: Place, old: Bag, new: Bag) -> str:
    before, after = Counter(dict(old)), Counter(dict(new))
    changes = ((Bag.of(after - before), "came"), (Bag.of(before - after), "went"))
    parts = [f"{bag_text(bag, place)} {verb}" for bag, verb in changes if len(bag)]
    return f"({', '.join(parts)})"


MOST_LISTED: Final = 40
LONGEST: Final = 200
MOST_TOGETHER: Final = 8
"""An invariant with more places is not told."""


def aim(rules: NetRules) -> Aim:
    """How one wins by *rules*: the conditions as they were given, and what it means to be stuck."""
    conditions: dict[tuple[Ending, tuple[str, ...]], list[str]] = {}
    given = {each.name: each.choice for each in rules.readings}
    for player in rules.turns:
        for word, ending in ((WINS, Ending.WIN), (LOSES, Ending.LOSS)):
            if (when := given.get(f"{player.name}{word}")) is not None:
                conditions.setdefault((ending, (player.name,)), []).append(when)
    if DRAW in given:
        conditions[Ending.DRAW, ()] = [given[DRAW]]
    names = [player.name for player in rules.turns]
    if rules.stuck is Stuck.DRAWS:
        conditions.setdefault((Ending.DRAW, ()), []).append("nothing can fire")
    elif rules.stuck is Stuck.LOSES and len(names) == 2:
        for name, other in zip(names, reversed(names), strict=True):
            when = f"it is {other}'s turn and nothing can fire"
            conditions.setdefault((Ending.WIN, (name,)), []).append(when)
    elif rules.stuck is Stuck.LOSES:
        for name in names:
            when = "nothing can fire" if len(names) == 1 else "nothing can fire in that turn"
            conditions.setdefault((Ending.LOSS, (name,)), []).append(when)
    return Aim(tuple(Goal(*end, tuple(when)) for end, when in conditions.items()))


class NetCommentary(Commentary):
    """The words of nets."""

    def __init__(self, game: TokenGame, view: BoardView = NO_BOARD) -> None:
        self._game = game
        self._view = view
        self._words = Words(game.net)
        self.runs_by_itself = not game.rules.turns

    @property
    def machine(self) -> TokenGame:
        return self._game

    def explain(self) -> tuple[Line, ...]:
        return explain_net(self._game)

    def aim(self) -> Aim:
        return aim(self._game.rules)

    def steps(self, turn: Turn) -> Iterator[Line]:
        if turn.after is None:
            return
        fired = self._game.net.transition(turn.move.name)
        if fired is not None and fired.variables:
            pairs = zip(fired.variables, turn.move.arguments, strict=True)
            bound = ", ".join(f"{variable.name} = {short(value)}" for variable, value in pairs)
            yield line(Piece(bound, Tone.FAINT), hang=2)
        for (name, before), after in zip(turn.before.items(), turn.after.values, strict=True):
            if before != after:
                text = change_text(Change(name, before, after))
                yield line(Piece(f"{CHANGED} {text}", Tone.CHANGED), hang=4)

    def checked(self, space: Space, *, in_spite: bool) -> tuple[Line, ...] | None:
        if not self.runs_by_itself:
            return None
        return tuple(checked_lines(self._game.net, space, is_in_spite=in_spite))

    def read_move(self, text: str, state: State) -> Move:
        return firings.find(text, self._game, state)

    @cached_property
    def _diagram(self) -> Diagram:
        return diagram_in_rows(self._game.net)

    def diagram(self, state: State) -> Diagram:
        marking = {name: bag for name, bag in state.items() if isinstance(bag, Bag)}
        return marked(self._diagram, self._game.net, marking)

    def short_move(self, move: Move) -> str:
        kind = self._game.signature.kind(move.name)
        return move.name if kind is not None and kind.name_suffices else self._words.short(move)

    def picture(self, state: State, *, last: Turn | None = None) -> Picture:
        before = None if last is None else last.before
        return drawn(self._game.net, self._view, state, before=before)

    def sketch(self, state: State) -> Sketch:
        if self._view.has_board:
            return sketched(self.picture(state), told=())
        return (), sketch(self._words, state)

    # At a prompt

    marks_terminal_nodes = True
    forms = FORMS

    def opening(self, legal: Sequence[Move], *, is_film: bool) -> Line:
        size = f"{_size(self._game.net)}."
        if not self.runs_by_itself:
            such = f", as in `{self.move_text(legal[0])}`" if legal else ""
            return line(
                f"Type a transition with its values{such}; what is clear may be left out, and "
                "`help` lists what else there is."
            )
        if is_film:
            return line(size)
        such = f", as in `{self._words.among(legal)[0]}`" if legal else ""
        return line(
            f"{size} Type the number of a firing, or a transition with its values{such}; "
            "`random N` fires by lot, and `help` lists what else there is.",
        )

    def move_text(self, move: Move) -> str:
        kind = self._game.signature.kind(move.name)
        is_short = kind is not None and kind.name_suffices
        return move.name if is_short else self._words.firing(move)

    def made(self, turn: Turn, number: int) -> Line | None:
        if not self.runs_by_itself:
            return None
        idle = "  (the marking stays as it is)" if turn.after == turn.before else ""
        return line(f"{number}. ", Piece(self._words.firing(turn.move), Tone.FORMULA), idle)

    def can_be_made(self, turn: Turn, shown: str) -> Line:  # noqa: ARG002 - shown with its values
        firing = self._words.firing(turn.move)
        return line(Piece(firing, Tone.FORMULA), " is enabled; it would make")

    def why(self, turn: Turn) -> Iterator[Line]:
        if turn.after is None:
            return
        for at, place in enumerate(self._game.net.places):
            old, new = bag_in(turn.before, at), bag_in(turn.after, at)
            if old != new:
                yield _place_line(place, old, new, size=len(place.name))

    def state_in_lines(self, state: State, before: State | None = None) -> tuple[Line, ...] | None:
        if self._view.has_board:
            return None
        return tuple(_marking_lines(self._game.net.places, state, before))

    def moves_in_lines(self, state: State) -> tuple[Line, ...] | None:
        if not self.runs_by_itself:
            return None
        return tuple(_enabled_lines(self._game, state))


def explain_net(machine: TokenGame) -> tuple[Line, ...]:
    net = machine.net
    found: list[Line] = []
    parts = (_title(net), _places(net), _transitions(net), _always(net), _play(machine))
    for part in (*parts, readings_lines(machine.signature)):
        lines = list(part)
        if lines and found:
            found.append(BLANK)
        found.extend(lines)
    return tuple(found)


def checked_lines(net: Net, space: Space, *, is_in_spite: bool) -> Iterator[Line]:
    yield heading("What was understood")
    has_names = any(names for place in net.places for names in place.colours)
    coloured = f"tokens that are tuples of {'colours' if has_names else 'numbers'}"
    kind = "black tokens" if net.is_plain else coloured
    yield line(f"{_size(net)}, with {kind}.", indent=2, hang=4)
    yield BLANK
    yield heading("What the token game shows")
    if is_in_spite:
        yield line(
            "Played in spite of the errors above, so what follows may be due to them.", indent=2
        )
    size = f"{count(space.states, 'marking')} and {count(space.moves, 'firing')}"
    how = "all that can be reached"
    if not space.is_complete:
        how = f"not all: {space.cut}; up to {count(space.full_depth, 'firing')} deep all"
    yield line(f"{size}, {how}.", indent=2, hang=4)
    if space.stuck is not None:
        words = Words(net)
        first = ", ".join(words.firing(move) for move in space.stuck.play[:MOST_TOGETHER])
        more = " …" if len(space.stuck.play) > MOST_TOGETHER else ""
        yield line(
            f"In {count(space.stuck.count, 'marking')} nothing is enabled; the first comes after "
            f"{count(len(space.stuck.play), 'firing')}{': ' if first else ''}",
            Piece(f"{first}{more}", Tone.FORMULA),
            indent=2,
            hang=4,
        )
    elif space.is_complete:
        yield line("In every marking something is enabled.", indent=2)
    for found in space.faults:
        yield line(Piece(found.fault.message, Tone.BAD), indent=2, hang=4)


def _title(net: Net) -> Iterator[Line]:
    yield line(Piece(net.name, Tone.HEADING), " in plain words")
    kind = "place/transition net" if net.is_plain else "high-level net"
    tokens = sum(len(place.initial) for place in net.places)
    parts = [count(len(net.places), "place"), count(len(net.transitions), "transition")]
    if net.functions:
        parts.append(count(len(net.functions), "C function"))
    if net.tables:
        parts.append(count(len(net.tables), "table"))
    yield line(f"A {kind}: {listing(parts)}; {count(tokens, 'token')} at first.", indent=2, hang=2)


def _places(net: Net) -> Iterator[Line]:
    yield heading("Places")
    for place in net.places[:MOST_LISTED]:
        yield line(Piece(place.name, Tone.STRONG), f"{_kind(place)}.", indent=2, hang=4)
    yield from _more(len(net.places), "place")


def _kind(place: Place) -> str:
    called = f" ({place.label})" if place.label and place.label != place.name else ""
    if not place.arity:
        count_text = count(len(place.initial), "token") if len(place.initial) else "empty"
        return f"{called}: black tokens; at first {count_text}"
    what = "colours" if any(names is not None for names in place.colours) else "numbers"
    if place.arity > 1:
        what = f"tuples of {place.arity} {what}"
    within = ""
    if place.low is not None and place.high is not None:
        within = f" from {token_text(place.low, place)} to {token_text(place.high, place)}"
    return f"{called}: {what}{within}; at first {_short(place.initial, place)}"


def _short(bag: Bag, place: Place) -> str:
    most = 12
    if len(bag.counts) <= most:
        return bag_text(bag, place)
    first = bag_text(Bag(bag.counts[:most]), place)
    return f"{first} and {len(bag.counts) - most} kinds of tokens more"


def _transitions(net: Net) -> Iterator[Line]:
    yield heading("Transitions")
    for each in net.transitions[:MOST_LISTED]:
        yield line(Piece(each.name, Tone.STRONG), f" {_does(each)}.", indent=2, hang=4)
        for gate in map(expr_text, each.gates):
            shown = gate if len(gate) <= LONGEST else f"{gate[:LONGEST].rstrip()} …"
            yield line("only if ", Piece(shown, Tone.FORMULA), indent=4, hang=2)
    yield from _more(len(net.transitions), "transition")


def _does(transition: Transition) -> str:
    parts = [
        f"lets <.{', '.join(let.names)}.> be one of {terms_text(let.terms)}"
        for let in transition.lets
    ]
    taken = listing(f"{terms_text(arc.terms)} from {arc.place}" for arc in transition.inputs)
    put = listing(f"{terms_text(arc.terms)} into {arc.place}" for arc in transition.outputs)
    parts += [f"takes {taken}"] if taken else []
    parts += [f"puts {put}"] if put else []
    does = ", and ".join(parts) if len(parts) < 3 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"
    chosen = listing(map(_variable, transition.variables))
    for_all = f"for any {chosen} " if chosen else ""
    return f"{for_all}{does or 'changes nothing'}"


def _variable(variable: Variable) -> str:
    if variable.low is None or variable.high is None:
        return variable.name
    if variable.names:
        return f"{variable.name} among {variable.names[0]} … {variable.names[-1]}"
    return f"{variable.name} in {variable.low}..{variable.high}"


def _always(net: Net) -> Iterator[Line]:
    """What no firing changes, and so how many tokens a place can hold."""
    found = [each for each in invariants(net) if len(each[0]) <= MOST_TOGETHER]
    yield heading("What the form of the net tells")
    bounded = bounds(net)
    if len(bounded) == len(net.places):
        yield line("The net is bounded: no place can get ever more tokens.", indent=2)
    else:
        open_ = [place.name for place in net.places if place.name not in bounded]
        shown = listing(f"`{name}`" for name in open_[:MOST_TOGETHER])
        rest = len(open_) - MOST_TOGETHER
        more = f" and {rest} more places" if rest > 0 else ""
        yield line(
            f"The form does not show that {shown}{more} cannot get ever more tokens; "
            "`zermelo check` looks for that.",
            indent=2,
            hang=2,
        )
    for weights, total in found[:MOST_LISTED]:
        terms = (f"|{name}|" if w == 1 else f"{w}·|{name}|" for name, w in weights.items())
        yield line(f"{' + '.join(terms)} = {total} in every marking.", indent=2, hang=4)
    if len(found) > MOST_LISTED:
        yield line(f"and {len(found) - MOST_LISTED} more of that kind", indent=2)


def _play(machine: TokenGame) -> Iterator[Line]:
    yield heading("How it runs")
    with listing_within():
        enabled, fault = machine.legal(machine.initial), unlisted(machine.faults(machine.initial))
    are = "is" if len(enabled) == 1 else "are"
    first = f"At first {count(len(enabled), 'firing')} {are} enabled."
    if fault is not None:
        first = f"What is enabled at first was not listed: {fault.message}."
    end = "Nothing is ever over; where nothing is enabled, the net is stuck. "
    if machine.rules.turns:
        end = "Who plays, and when a play is over, is said from outside. "
    yield line(
        "A firing is a transition with values for its variables; it is enabled when all it takes "
        f"is there. {end}{first}",
        indent=2,
        hang=2,
    )


def _more(number: int, noun: str) -> Iterator[Line]:
    if number > MOST_LISTED:
        yield line(f"and {count(number - MOST_LISTED, f'{noun} more', f'{noun}s more')}", indent=2)
