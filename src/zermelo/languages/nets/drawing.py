"""A net as a diagram: places as circles with their tokens, transitions as boxes.

Rows of places and of transitions take turns, and most arcs lead down. An arc that leads
both ways asks for neighbouring rows only, whichever of them is the upper one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from zermelo.core.picture import Diagram, DiagramArc, DiagramNode, NodePaint, NodeShape, clipped
from zermelo.languages.nets.ir import Arc, Const, Net, Place, Transition
from zermelo.languages.nets.printer import expr_text, terms_text
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.words import bag_text
from zermelo.text.errors import UsageError
from zermelo.text.prose import count
from zermelo.text.source import width

MOST_NODES: Final = 150
MOST_ARCS: Final = 500
LONGEST: Final = 28
"""Letters of a name or of tokens that are shown; the tooltips have them all."""
LONGEST_INSCRIPTION: Final = 36
MOST_GATES: Final = 2
ROUNDS: Final = 6
LOPSIDED: Final = 4
"""With so many more transitions below a row of places than above it some move up."""

Ends: TypeAlias = tuple[int, int]
"""The numbers of the nodes that an arc leads from and to; places come first."""

_BLACK: Final = "<..>"
_TRANSITION: Final = NodePaint(fill="#eceff2")


def diagram(net: Net) -> Diagram:
    """*net* as a diagram in one row, for programs that lay it out themselves."""
    summary = f"{count(len(net.places), 'place')}, {count(len(net.transitions), 'transition')}"
    return Diagram(
        title=net.name,
        summary=summary,
        description=summary,
        nodes=(
            *(_place(place, f"p{at}") for at, place in enumerate(net.places)),
            *(_transition(transition, f"t{at}") for at, transition in enumerate(net.transitions)),
        ),
        arcs=tuple(_arcs(net)),
    )


def diagram_in_rows(net: Net) -> Diagram:
    """*net* as a diagram; ``UsageError`` if it is too large to be looked at."""
    arcs = sum(len(each.inputs) + len(each.outputs) for each in net.transitions)
    if len(net.places) + len(net.transitions) > MOST_NODES or arcs > MOST_ARCS:
        raise UsageError(
            f"a net of {len(net.places):,} places, {len(net.transitions):,} transitions and "
            f"{arcs:,} arcs is too large for this drawing, which has at most {MOST_NODES} of the "
            f"first two together and {MOST_ARCS} arcs; --format dot leaves it to Graphviz"
        )
    found = diagram(net)
    rows = node_rows(_joined(found))
    nodes = [replace(node, row=row) for node, row in zip(found.nodes, rows, strict=True)]
    return replace(found, nodes=tuple(nodes))


def marked(found: Diagram, net: Net, marking: Mapping[str, Bag]) -> Diagram:
    """*found*, a diagram of *net*, with the tokens of *marking* in its places."""
    nodes = [
        replace(_place(place, node.key, marking[place.name]), row=node.row)
        for node, place in zip(found.nodes, net.places, strict=False)
    ]
    return replace(found, nodes=(*nodes, *found.nodes[len(nodes) :]))


def _place(place: Place, key: str, bag: Bag | None = None) -> DiagramNode:
    """A place with what is in *bag*, or in the beginning."""
    bag = place.initial if bag is None else bag
    tokens = bag_text(bag, place)
    label = place.label or place.name
    return DiagramNode(
        key=key,
        shape=NodeShape.CIRCLE,
        label=label,
        lines=(clipped(label, LONGEST),),
        notes=(clipped_sum(tokens),) if place.arity and len(bag) else (),
        tooltip=(f"{place.name}: {tokens}",),
        tokens=len(bag),
    )


def _transition(transition: Transition, key: str) -> DiagramNode:
    """Gates are written only where they fit whole."""
    gates = tuple(map(expr_text, transition.gates))
    are_shown = len(gates) <= MOST_GATES and all(width(each) <= LONGEST for each in gates)
    label = transition.label or transition.name
    return DiagramNode(
        key=key,
        label=label,
        lines=(clipped(label, LONGEST),),
        notes=gates if are_shown else ("gate …",),
        tooltip=(transition.name, f"gate {' && '.join(gates)}") if gates else (transition.name,),
        paint=_TRANSITION,
    )


def clipped_sum(text: str, longest: int = LONGEST) -> str:
    """*text*, cut after one of its summands where it would be too long.

    >>> clipped_sum("<.1,1.> + <.2,2.> + <.3,3.> + <.4,4.>")
    '<.1,1.> + <.2,2.> + …'
    """
    if width(text) <= longest:
        return text
    end = text.rfind(" + ", 0, longest - 1)
    while end > 0 and text[:end].count("(") != text[:end].count(")"):
        end = text.rfind(" + ", 0, end)
    return f"{text[:end]} + …" if end > 0 and text[:end].endswith(".>") else clipped(text, longest)


def _arcs(net: Net) -> Iterator[DiagramArc]:
    """One arc a direction between two nodes; one that takes what it puts back has two heads."""
    number = {place.name: at for at, place in enumerate(net.places)}
    for at, transition in enumerate(net.transitions, len(net.places)):
        taken, put = _by_place(transition.inputs), _by_place(transition.outputs)
        both = taken.keys() & put.keys()
        tests = {name for name in both if _inscription(taken[name]) == _inscription(put[name])}
        for name, arcs in taken.items():
            said = f"{name} to {transition.name}{', and back' if name in tests else ''}"
            yield _arc((number[name], at), arcs, said, is_test=name in tests)
        for name, arcs in put.items():
            if name not in tests:
                yield _arc((at, number[name]), arcs, f"{transition.name} to {name}")


def _arc(ends: Ends, arcs: Sequence[Arc], said: str, *, is_test: bool = False) -> DiagramArc:
    inscription = _inscription(arcs)
    texts = (terms_text(arc.terms) for arc in arcs)
    return DiagramArc(
        source=ends[0],
        target=ends[1],
        label=clipped_sum(inscription, LONGEST_INSCRIPTION),
        texts=tuple("" if text == _BLACK else text for text in texts),
        tooltip=f"{said}: {inscription or _BLACK}",
        has_two_heads=is_test,
        is_label_at_target=ends[0] < ends[1],
    )


def _by_place(arcs: Iterable[Arc]) -> dict[str, list[Arc]]:
    found: dict[str, list[Arc]] = {}
    for arc in arcs:
        found.setdefault(arc.place, []).append(arc)
    return found


def _inscription(arcs: Iterable[Arc]) -> str:
    """The sum of what *arcs* say: a number for black tokens, and nothing for one."""
    terms = [term for arc in arcs for term in arc.terms]
    counts = [term.multiplicity for term in terms if isinstance(term.multiplicity, Const)]
    if len(counts) < len(terms) or any(term.components for term in terms):
        return terms_text(terms)
    total = sum(each.value for each in counts)
    return "" if total == 1 else str(total)


# Rows


@dataclass(frozen=True, slots=True)
class JoinedNodes:
    """Which nodes of a net are joined; they are numbered, the places first."""

    nodes: int
    places: int
    one_way: tuple[Ends, ...]
    both_ways: tuple[Ends, ...]
    first: tuple[int, ...] = ()
    """The nodes from which arcs are followed first."""

    def roots(self) -> list[int]:
        return list(dict.fromkeys((*self.first, *range(self.nodes))))


def _joined(found: Diagram) -> JoinedNodes:
    arcs = {(arc.source, arc.target): arc for arc in found.arcs}
    tests = {ends for ends, arc in arcs.items() if arc.has_two_heads}
    shapes = [node.shape for node in found.nodes]
    return JoinedNodes(
        nodes=len(shapes),
        places=shapes.count(NodeShape.CIRCLE),
        one_way=tuple(ends for ends in arcs if ends not in tests and ends[::-1] not in arcs),
        both_ways=tuple(
            ends for ends in arcs if ends in tests or (ends[::-1] in arcs and ends[0] < ends[1])
        ),
        first=tuple(at for at, node in enumerate(found.nodes) if node.tokens),
    )


def node_rows(joined: JoinedNodes) -> list[int]:
    """The row of each node, from the top, where it is 0."""
    arcs = [*joined.one_way, *_hung(joined)]
    order, forward = _without_circles(joined, arcs)
    found = [0 if node < joined.places else 1 for node in range(joined.nodes)]
    for node in order:
        for other in forward[node]:
            found[other] = max(found[other], found[node] + 1)
    _tightened(found, forward)
    _balanced(found, joined)
    least = min(found, default=0)
    return [layer - least for layer in found]


def _hung(joined: JoinedNodes) -> Iterable[Ends]:
    """The arcs that lead both ways, each pointing away from where it was first met."""
    beside = _beside(joined.nodes, joined.both_ways)
    far = [-1] * joined.nodes
    for root in joined.roots():
        if far[root] >= 0:
            continue
        far[root] = 0
        queue = [root]
        for node in queue:
            for other in beside[node]:
                if far[other] < 0:
                    far[other] = far[node] + 1
                    queue.append(other)
    return [(a, b) if far[a] < far[b] else (b, a) for a, b in joined.both_ways]


def _beside(count: int, pairs: Iterable[Ends]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for one, other in pairs:
        found[one].append(other)
        found[other].append(one)
    return found


def _without_circles(
    joined: JoinedNodes, arcs: Iterable[Ends]
) -> tuple[list[int], list[list[int]]]:
    """An order of the nodes in which all arcs lead on, and the arcs, some of them turned round."""
    follows: list[list[int]] = [[] for _ in range(joined.nodes)]
    for source, target in arcs:
        follows[source].append(target)
    seen = [0] * joined.nodes
    """1 while a node is on the way that is being followed, 2 when it is done."""
    forward: list[list[int]] = [[] for _ in range(joined.nodes)]
    done: list[int] = []
    for root in joined.roots():
        if seen[root]:
            continue
        seen[root] = 1
        way = [(root, iter(follows[root]))]
        while way:
            node, rest = way[-1]
            other = next(rest, None)
            if other is None:
                way.pop()
                seen[node] = 2
                done.append(node)
            elif seen[other] == 1:
                forward[other].append(node)
            else:
                forward[node].append(other)
                if not seen[other]:
                    seen[other] = 1
                    way.append((other, iter(follows[other])))
    return done[::-1], forward


def _tightened(found: list[int], forward: Sequence[Sequence[int]]) -> None:
    """Move nodes up and down between their neighbours to where their arcs are shortest."""
    back: list[list[int]] = [[] for _ in found]
    for node, others in enumerate(forward):
        for other in others:
            back[other].append(node)
    for _ in range(ROUNDS):
        for node, layer in enumerate(found):
            above = [found[other] for other in back[node]]
            below = [found[other] for other in forward[node]]
            if not above and not below:
                continue
            lowest = min(below) - 1 if below else max(above) + 1
            highest = max(above) + 1 if above else min(below) - 1
            # Rows of places and of transitions take turns, so moves are by two.
            found[node] = min(
                range(highest, lowest + 1, 2),
                key=lambda at: (sum(abs(at - each) for each in (*above, *below)), abs(at - layer)),
            )


def _balanced(found: list[int], joined: JoinedNodes) -> None:
    """Of the transitions that only lead there and back some stand above their places."""
    one_way = _beside(joined.nodes, joined.one_way)
    both_ways = _beside(joined.nodes, joined.both_ways)
    for row in sorted(set(found[: joined.places])):
        hanging = [
            node
            for node in range(joined.places, joined.nodes)
            if found[node] == row + 1
            and not one_way[node]
            and both_ways[node]
            and all(found[other] == row for other in both_ways[node])
        ]
        more = found[joined.places :].count(row + 1) - found[joined.places :].count(row - 1)
        if more >= LOPSIDED:
            for node in hanging[: more // 2]:
                found[node] = row - 1
