"""A marking in very little room, as in a box of a drawn graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zermelo.core.commentary import CHANGED, Change, Commentary, change_text, short
from zermelo.core.machine import Turn
from zermelo.core.picture import Sketch
from zermelo.core.space import Space
from zermelo.core.state import Move, State
from zermelo.languages.nets import firings
from zermelo.languages.nets.ir import Arc, Net, Place, Transition, Variable
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.bounds import bounds, invariants
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.languages.nets.words import Words, bag_in, bag_text, token_text
from zermelo.text.prose import BLANK, Line, Piece, Tone, count, heading, line, listing
from zermelo.text.source import width

MOST_LINES: Final = 6
WIDEST: Final = 36
"""Letters of a line."""


def sketch(words: Words, state: State) -> tuple[str, ...]:
    """The places that are marked; nothing where they have no room."""
    if words.net.is_plain:
        lines = _filled(_terms(words, state))
    else:
        lines = [
            f"{place.name}: {bag_text(bag, place)}"
            for at, place in enumerate(words.net.places)
            if len(bag := bag_in(state, at))
        ]
    if not lines:
        return ("no tokens",)
    has_room = len(lines) <= MOST_LINES and all(width(line) <= WIDEST for line in lines)
    return tuple(lines) if has_room else (_size(state),)


def _terms(words: Words, state: State) -> list[str]:
    """Of a net with black tokens each marked place, with the number of its tokens."""
    found = []
    for at, place in enumerate(words.net.places):
        size = len(bag_in(state, at))
        if size:
            found.append(place.name if size == 1 else f"{size} {place.name}")
    return found


def _filled(terms: list[str]) -> list[str]:
    """*terms* as a sum, in lines."""
    lines: list[str] = []
    for term in terms:
        if lines and width(lines[-1]) + 3 + width(term) <= WIDEST:
            lines[-1] += f" + {term}"
        else:
            lines.append(term)
    return [f"{each} +" if each is not lines[-1] else each for each in lines]


def _size(state: State) -> str:
    held = sum(len(bag_in(state, at)) for at in range(len(state.values)))
    return "1 token" if held == 1 else f"{held:,} tokens"


MOST_PLACES: Final = 24
"""Of more places only those that hold tokens, or have changed, are shown."""
MOST_FIRINGS: Final = 30
"""Firings that are listed."""
FORMS: Final = (
    ("N", "fire the firing with this number"),
    ("TRANSITION [VALUES]", "fire it, as in `left`, `left 3`, `left p=3`"),
)
"""How firings are typed."""


def opening_line(machine: TokenGame, first: Move | None, *, is_film: bool) -> Line:
    """The size of the net and, unless it is a film, what can be typed, with the *first* firing."""
    net = machine.net
    size = f"{count(len(net.places), 'place')} and {count(len(net.transitions), 'transition')}."
    if is_film:
        return line(size)
    such = "" if first is None else f", as in `{Words(net).firing(first)}`"
    return line(
        f"{size} Type the number of a firing, or a transition with its values{such}; "
        "`random N` fires by lot, and `help` lists what else there is.",
    )


def marking_lines(machine: TokenGame, state: State, before: State | None) -> Iterator[Line]:
    """What lies where; what is different from *before* stands out."""
    places = machine.net.places
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


def enabled_lines(machine: TokenGame, state: State) -> Iterator[Line]:
    """What is enabled, numbered, and what a fault stops."""
    words, enabled = Words(machine.net), machine.legal(state)
    for move, fault in machine.faults(state).items():
        said = f"{words.firing(move)} cannot fire: {fault.message}"
        yield line(Piece(said, Tone.BAD), indent=2, hang=2)
    if not enabled:
        yield line(Piece("Nothing is enabled.", Tone.STRONG))
        return
    yield line(f"{count(len(enabled), 'firing')} enabled:")
    for number, move in enumerate(enabled[:MOST_FIRINGS], 1):
        yield line(f"{number:3}  ", Piece(words.firing(move), Tone.FORMULA), indent=1, hang=5)
    if len(enabled) > MOST_FIRINGS:
        yield line(f"and {len(enabled) - MOST_LISTED:,} more", indent=6)


def changed_lines(machine: TokenGame, before: State, after: State) -> Iterator[Line]:
    """The places that a firing changes."""
    for at, place in enumerate(machine.net.places):
        old, new = bag_in(before, at), bag_in(after, at)
        if old != new:
            yield _place_line(place, old, new, size=len(place.name))


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
    """What came and what went."""
    before, after = dict(old), dict(new)
    tokens = sorted(before.keys() | after.keys())
    came = Bag.of({t: max(0, after.get(t, 0) - before.get(t, 0)) for t in tokens})
    went = Bag.of({t: max(0, before.get(t, 0) - after.get(t, 0)) for t in tokens})
    parts = [f"{bag_text(came, place)} came"] if len(came) else []
    parts += [f"{bag_text(went, place)} went"] if len(went) else []
    return f"({', '.join(parts)})"


MOST_LISTED: Final = 40
"""Of more places, transitions or invariants only so many are told."""
LONGEST: Final = 200
"""Letters of a gate that are shown."""
MOST_TOGETHER: Final = 8
"""An invariant with more places is not told."""


class NetCommentary(Commentary):
    """The words of nets."""

    def __init__(self, game: TokenGame) -> None:
        self._game = game
        self._words = Words(game.net)

    @property
    def machine(self) -> TokenGame:
        return self._game

    def explain(self) -> tuple[Line, ...]:
        return explain_net(self._game)

    def steps(self, turn: Turn) -> Iterator[Line]:
        """The values of the variables, and the places that changed."""
        if turn.after is None:
            return
        fired = next((t for t in self._game.net.transitions if t.name == turn.move.name), None)
        names = () if fired is None else tuple(each.name for each in fired.variables)
        if names:
            pairs = zip(names, turn.move.arguments, strict=True)
            bound = ", ".join(f"{name} = {short(value)}" for name, value in pairs)
            yield line(Piece(bound, Tone.FAINT), hang=2)
        for (name, before), after in zip(turn.before.items(), turn.after.values, strict=True):
            if before != after:
                text = change_text(Change(name, before, after))
                yield line(Piece(f"{CHANGED} {text}", Tone.CHANGED), hang=4)

    def checked(self, space: Space, *, in_spite: bool) -> tuple[Line, ...]:
        return tuple(checked_lines(self._game.net, space, is_in_spite=in_spite))

    def read_move(self, text: str, state: State) -> Move:
        return firings.find(text, self._game, state)

    def short_move(self, move: Move) -> str:
        return self._words.short(move)

    def sketch(self, state: State) -> Sketch:
        return (), sketch(self._words, state)

    # At a prompt

    runs_by_itself = True
    forms = FORMS

    def opening(self, legal: Sequence[Move], *, is_film: bool) -> Line:
        first = legal[0] if legal else None
        return opening_line(self._game, first, is_film=is_film)

    def move_text(self, move: Move) -> str:
        return self._words.firing(move)

    def made(self, turn: Turn, number: int) -> Line:
        is_idle = turn.after == turn.before
        return line(
            f"{number}. ",
            Piece(self._words.firing(turn.move), Tone.FORMULA),
            "  (the marking stays as it is)" if is_idle else "",
        )

    def can_be_made(self, turn: Turn, shown: str) -> Line:  # noqa: ARG002 - shown with its values
        firing = self._words.firing(turn.move)
        return line(Piece(firing, Tone.FORMULA), " is enabled; it would make")

    def why(self, turn: Turn) -> Iterator[Line]:
        if turn.after is not None:
            yield from changed_lines(self._game, turn.before, turn.after)

    def state_in_lines(self, state: State, before: State | None = None) -> tuple[Line, ...]:
        return tuple(marking_lines(self._game, state, before))

    def moves_in_lines(self, state: State) -> tuple[Line, ...]:
        return tuple(enabled_lines(self._game, state))


def explain_net(machine: TokenGame) -> tuple[Line, ...]:
    """The net of *machine* in plain words."""
    net = machine.net
    found: list[Line] = []
    for part in (_title(net), _places(net), _transitions(net), _always(net), _play(machine)):
        lines = list(part)
        if lines and found:
            found.append(BLANK)
        found.extend(lines)
    return tuple(found)


def checked_lines(net: Net, space: Space, *, is_in_spite: bool) -> Iterator[Line]:
    """What was understood of *net*, and what the token game showed."""
    yield heading("What was understood")
    has_names = any(names for place in net.places for names in place.colours)
    coloured = f"tokens that are tuples of {'colours' if has_names else 'numbers'}"
    kind = "black tokens" if net.is_plain else coloured
    yield line(
        f"{count(len(net.places), 'place')} and {count(len(net.transitions), 'transition')}, "
        f"with {kind}.",
        indent=2,
        hang=4,
    )
    yield BLANK
    yield heading("What the token game shows")
    if is_in_spite:
        yield line(
            "Played in spite of the errors above, so what follows may be due to them.", indent=2
        )
    size = f"{count(space.states, 'marking')} and {count(space.moves, 'firing')}"
    if space.is_complete:
        yield line(f"{size}, all that can be reached.", indent=2, hang=4)
    else:
        yield line(
            f"{size}, not all: {space.cut}; up to {count(space.full_depth, 'firing')} deep all.",
            indent=2,
            hang=4,
        )
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
    extra = [
        count(len(net.functions), "C function") if net.functions else "",
        count(len(net.tables), "table") if net.tables else "",
    ]
    parts = [
        count(len(net.places), "place"),
        count(len(net.transitions), "transition"),
        *(each for each in extra if each),
    ]
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
    what = "numbers" if place.arity == 1 else f"tuples of {place.arity} numbers"
    if any(names is not None for names in place.colours):
        what = "colours" if place.arity == 1 else f"tuples of {place.arity} colours"
    within = ""
    if place.low is not None and place.high is not None:
        ends = (token_text(place.low, place), token_text(place.high, place))
        within = f" from {ends[0]} to {ends[1]}"
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
        for gate in each.gates:
            yield line("only if ", Piece(_clipped(expr_text(gate)), Tone.FORMULA), indent=4, hang=2)
    yield from _more(len(net.transitions), "transition")


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} …"


def _does(transition: Transition) -> str:
    parts = []
    chosen = [_variable(each) for each in transition.variables]
    for let in transition.lets:
        names = ", ".join(let.names)
        parts.append(f"lets <.{names}.> be one of {terms_text(let.terms)}")
    taken, put = _moved(transition.inputs), _moved(transition.outputs)
    if taken:
        parts.append(f"takes {listing(f'{text} from {name}' for name, text in taken)}")
    if put:
        parts.append(f"puts {listing(f'{text} into {name}' for name, text in put)}")
    does = ", and ".join(parts) if len(parts) < 3 else f"{'; '.join(parts[:-1])}; and {parts[-1]}"
    for_all = f"for any {listing(chosen)} " if chosen else ""
    return f"{for_all}{does or 'changes nothing'}"


def _variable(variable: Variable) -> str:
    if variable.low is None or variable.high is None:
        return variable.name
    if variable.names:
        return f"{variable.name} among {variable.names[0]} … {variable.names[-1]}"
    return f"{variable.name} in {variable.low}..{variable.high}"


def _moved(arcs: Sequence[Arc]) -> list[tuple[str, str]]:
    return [(arc.place, terms_text(arc.terms)) for arc in arcs]


def _always(net: Net) -> Iterator[Line]:
    """What no firing changes, and so how many tokens a place can hold."""
    known = invariants(net)
    found = [(weights, total) for weights, total in known if len(weights) <= MOST_TOGETHER]
    yield heading("What the form of the net tells")
    bounded = bounds(net)
    if len(bounded) == len(net.places):
        yield line("The net is bounded: no place can get ever more tokens.", indent=2)
    else:
        open_ = [place.name for place in net.places if place.name not in bounded]
        shown = listing([f"`{name}`" for name in open_[:MOST_TOGETHER]])
        rest = len(open_) - MOST_TOGETHER
        more = f" and {rest} more places" if rest > 0 else ""
        yield line(
            f"The form does not show that {shown}{more} cannot get ever more tokens; "
            "`zermelo check` looks for that.",
            indent=2,
            hang=2,
        )
    for weights, total in found[:MOST_LISTED]:
        yield line(f"{_weighed(weights)} = {total} in every marking.", indent=2, hang=4)
    if len(found) > MOST_LISTED:
        yield line(f"and {len(found) - MOST_LISTED} more of that kind", indent=2)


def _weighed(weights: Mapping[str, int]) -> str:
    return " + ".join(
        f"|{name}|" if weight == 1 else f"{weight}·|{name}|" for name, weight in weights.items()
    )


def _play(machine: TokenGame) -> Iterator[Line]:
    yield heading("How it runs")
    enabled = machine.legal(machine.initial)
    yield line(
        "A firing is a transition with values for its variables; it is enabled when all it takes "
        "is there. Nothing is ever over; where nothing is enabled, the net is stuck. "
        f"At first {count(len(enabled), 'firing')} "
        f"{'is' if len(enabled) == 1 else 'are'} enabled.",
        indent=2,
        hang=2,
    )


def _more(number: int, noun: str) -> Iterator[Line]:
    if number > MOST_LISTED:
        yield line(f"and {count(number - MOST_LISTED, f'{noun} more', f'{noun}s more')}", indent=2)
