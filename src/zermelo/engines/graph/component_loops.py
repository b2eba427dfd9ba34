"""Loops over the arcs of a large graph, written for the compiler: whole numbers and addresses only.

Components are found by Tarjan's algorithm (1972) in the form that Pearce gave it (A space-efficient
algorithm for finding strongly connected components, 2016): one number for each node, and one array
for both stacks. A call does a bounded part of the work, so that Python can be asked between calls
whether to stop.
"""

from functools import lru_cache

from zermelo.fast import jit
from zermelo.fast.bits import load, load32, prefetch, store, store8, store32
from zermelo.fast.jit import Compiled

# Bound anew for each unit: how many bytes the number of a node has.
SIZE = 4

ROOT, CLOCK, LEFT, DEPTH, TOP = 0, 1, 2, 3, 4
"""Where the words of a search are: the next node to begin at, the next time, the next component
(counted downwards), and the ends of the two stacks."""
WORDS = 5
AHEAD = 16
"""How many targets of a node are enterd when it is entered."""


def at(numbers: int, place: int) -> int:
    """The number of a node at this place of *numbers*."""
    if SIZE == 4:
        return load32(numbers, place)
    return load(numbers, place)


def put(numbers: int, place: int, number: int) -> int:
    """Write the number of a node to this place of *numbers*."""
    if SIZE == 4:
        store32(numbers, place, number)
    else:
        store(numbers, place, number)
    return 0


def enter(
    offsets: int,
    targets: int,
    index: int,
    cursors: int,
    stack: int,
    depth: int,
    node: int,
    clock: int,
) -> int:
    """Put *node* onto the path; the time after that."""
    put(index, node, clock)
    put(stack, depth, node)
    first = load(offsets, node)
    store(cursors, depth, 2 * first + 1)
    # What is known of its targets is wanted next.
    for arc in range(first, min(load(offsets, node + 1), first + AHEAD)):
        prefetch(index + at(targets, arc) * SIZE, 0)
    return clock + 1


def next_root(index: int, root: int, nodes: int) -> int:
    """The first node from *root* on that was never entered; *nodes* if there is none."""
    while root < nodes and at(index, root) != 0:
        root += 1
    return root


def close(index: int, stack: int, top: int, nodes: int, least: int, component: int) -> int:
    """Give the finished nodes that were entered since *least* their component; the new top."""
    while top < nodes and at(index, at(stack, top)) >= least:
        put(index, at(stack, top), component)
        top += 1
    return top


def search(
    offsets: int,
    targets: int,
    nodes: int,
    index: int,
    cursors: int,
    stack: int,
    words: int,
    budget: int,
) -> int:
    """Go on with a search for about *budget* arcs; 1 when all components are found.

    *index* has for each node 0 before it is entered, then the time of the earliest node that it
    is known to reach, and in the end the number of its component: these are greater than any time
    that is still needed. *stack* has from below the nodes of the path that is being followed, with
    the next arc of each in *cursors*, and from above the finished nodes without a component.
    """
    root, clock, left = load(words, ROOT), load(words, CLOCK), load(words, LEFT)
    depth, top = load(words, DEPTH), load(words, TOP)
    while budget > 0:
        if depth == 0:
            root = next_root(index, root, nodes)
            if root == nodes:
                break
            clock = enter(offsets, targets, index, cursors, stack, 0, root, clock)
            depth = 1
        node = at(stack, depth - 1)
        cursor = load(cursors, depth - 1)
        # The lowest bit says that the node is, as far as is known, the first of its component.
        is_first = cursor & 1
        arc, end = cursor >> 1, load(offsets, node + 1)
        least = at(index, node)
        budget -= 1
        while arc < end:
            time = at(index, at(targets, arc))
            if time == 0:
                break
            if time < least:
                least = time
                is_first = 0
            arc += 1
            budget -= 1
        put(index, node, least)
        store(cursors, depth - 1, 2 * arc + is_first)
        if arc < end:
            target = at(targets, arc)
            clock = enter(offsets, targets, index, cursors, stack, depth, target, clock)
            depth += 1
            continue
        depth -= 1
        if is_first:
            before = top
            top = close(index, stack, top, nodes, least, left)
            clock -= top - before + 1
            put(index, node, left)
            left -= 1
        else:
            top -= 1
            put(stack, top, node)
    store(words, ROOT, root)
    store(words, CLOCK, clock)
    store(words, LEFT, left)
    store(words, DEPTH, depth)
    store(words, TOP, top)
    return depth == 0 and root == nodes


def number(index: int, nodes: int, known: int, labels: int) -> int:
    """Number the components that *index* tells apart in the order in which they begin; how many.

    *known*, zeros, has a place for each of them.
    """
    count = 0
    for node in range(nodes):
        place = at(index, node) - 1
        label = at(known, place)
        if label == 0:
            count += 1
            label = count
            put(known, place, label)
        store(labels, node, label - 1)
    return count


def survey(
    offsets: int, targets: int, labels: int, first: int, last: int, inside: int, leaving: int
) -> int:
    """Note for the components of nodes *first* to *last* − 1 whether arcs stay inside or leave.

    Gives the number of arcs from a node to itself.
    """
    loops = 0
    for node in range(first, last):
        own = load(labels, node)
        for arc in range(load(offsets, node), load(offsets, node + 1)):
            target = at(targets, arc)
            loops += target == node
            if load(labels, target) == own:
                store8(inside, own, 1)
            else:
                store8(leaving, own, 1)
    return loops


def tally(targets: int, first: int, last: int, counts: int) -> int:
    """Add to *counts* how many of the arcs *first* to *last* − 1 lead to each node."""
    for arc in range(first, last):
        target = at(targets, arc)
        store(counts, target, load(counts, target) + 1)
    return last - first


def turn(offsets: int, targets: int, first: int, last: int, places: int, sources: int) -> int:
    """Write the nodes from *first* to *last* − 1 where their arcs lead to.

    *places* has for each node where in *sources* the next arc to it goes.
    """
    for node in range(first, last):
        for arc in range(load(offsets, node), load(offsets, node + 1)):
            target = at(targets, arc)
            place = load(places, target)
            put(sources, place, node)
            store(places, target, place + 1)
    return last - first


@lru_cache(maxsize=2)
def unit(size: int) -> jit.Unit:
    """The loops for nodes whose numbers have *size* bytes, as a unit that can be compiled."""
    words = {"ROOT": ROOT, "CLOCK": CLOCK, "LEFT": LEFT, "DEPTH": DEPTH, "TOP": TOP}
    return jit.unit_of(
        "component-loops",
        (at, put, enter, next_root, close, search, number, survey, tally, turn),
        exports=("search", "number", "survey", "tally", "turn"),
        constants={**words, "AHEAD": AHEAD, "SIZE": size},
        inline=("at", "put", "enter", "next_root", "close"),
    )


def loop(name: str, size: int, *, native: bool = True) -> Compiled:
    """The loop with this *name*, ready to run."""
    return jit.load(unit(size), native=native)[name]
