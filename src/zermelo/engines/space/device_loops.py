"""The loops of `device_store`, for a device with very many threads: whole numbers and addresses.

They are compiled together with the kernel of a document, whose ``legal`` and ``verdict`` they call.
A job is a block of words that the host writes before each launch and reads after it.

States lie in an open-addressing table, in slots of as many words as a state has. A slot whose last
word is ``EMPTY`` is free; a state with such a word is left to the host. A new state is put there by
one comparison and swap: of one word, of a pair of words where the device can do so, or else of the
last word alone, which stands as ``CLAIMED`` until the first word is written. Beside each slot is
the level of its state plus 1, and 0 for a state that has just come.

A level is followed in two steps that take turns. ``expand`` writes the states after some of its
states one after another, and ``insert`` puts them into the table: so all threads of a group do the
same, however many moves a state has. New states also go to the end of a queue, which is the next
level, in blocks of memory that a directory tells. Threads take places several at a time; those that
they do not need stay ``EMPTY``.
"""

from zermelo.fast.bits import (
    cas,
    cas128,
    fetch_add,
    load,
    load8,
    load32,
    lowest,
    peek,
    publish,
    rest,
    store,
    store8,
    store32,
)
from zermelo.fast.table_loops import mixed

# Bound anew for each unit: words of a state, the most moves of a state, how many kinds of verdict
# and how many rules are counted, how many players there are, and how many words each thread has of
# the kernel's tables, if it writes to them.
WORDS = 1
MOST = 1
BUCKETS = 1
RULES = 0
PLAYERS = 0
TABLE_STRIDE = 0
OVER = 1 << 8
FAULT = 1 << 40

EMPTY = -1
CLAIMED = -2
HANDFUL = 4
"""How many places of the queue a thread takes at once."""
CHUNK = 64
"""How many places for states that follow others it takes at once, or more if one has more moves."""
BLOCK_BITS = 22
"""A block has 2 to the power of this places."""
COPIES = 64
"""So many copies of each count there are, so that threads do not wait for each other."""

(TABLE, LEVELS, IS_WIDE, MASK, FRONT, COUNT, QUEUE, LIMIT, MADE, MADE_LIMIT) = range(10)
(TABLES, LEVEL, IS_GRADED, IS_FRESH, PROGRESS, BUDGET, ONLY_JUDGES) = range(10, 17)
(IS_FRESH_INSERT, INSERT_PROGRESS, FAULTY_ROWS, FAULTY_ROOM) = range(17, 21)
(OLD_TABLE, OLD_LEVELS, OLD_SLOTS, BATCH, IDS) = range(21, 26)
"""What the host writes."""
TAKEN, FAULTY, MADE_TAKEN = 32, 40, 48
"""How many places of the queue are taken, in how many states a fault stops a move, and how many
places for states that follow others are taken."""
COUNTS = 56
"""Where the counts begin."""
(MOVES, EARLIER, FOLLOWED, NEW, LEFT, LEFT_TO_INSERT, IS_FULL, IS_UNSURE, IS_ODD) = range(9)
TALLIES = 9
"""What is counted: among others the threads that are not done, that found no room, that met a state
which only the host can follow, or one that has no place in the table."""


def verdict(tab: int, row: int) -> int:
    """The kernel's own stands here."""
    raise NotImplementedError


def legal(tab: int, row: int, states: int, moves: int, fires: int) -> int:
    """The kernel's own stands here; it does not write *moves*."""
    raise NotImplementedError


def marked(levels: int, is_wide: int, slot: int) -> int:
    return load32(levels, slot) if is_wide else load8(levels, slot)


def mark(levels: int, is_wide: int, slot: int, level: int) -> int:
    if is_wide:
        store32(levels, slot, level)
    else:
        store8(levels, slot, level)
    return 0


def is_odd(state: int) -> int:
    """Whether *state* has a word that means something else in a slot."""
    last = load(state, WORDS - 1)
    if WORDS == 1:
        return last == EMPTY
    return (last == EMPTY) | (last == CLAIMED) | (load(state, 0) == EMPTY)


def enter(table: int, mask: int, state: int) -> int:
    """The slot of *state*; −1 less that number if it was put there now.

    One of the three functions below stands here.
    """
    raise NotImplementedError


def enter_word(table: int, mask: int, state: int) -> int:
    """``enter`` for states of one word."""
    word = load(state, 0)
    at = mixed(state) & mask
    found = load(table, at)
    while found != word:
        if found == EMPTY:
            # What is read may be old, but never what was swapped.
            found = cas(table, at, EMPTY, word)
            if found == EMPTY:
                return -1 - at
        if found != word:
            at = (at + 1) & mask
            found = load(table, at)
    return at


def enter_pair(table: int, mask: int, state: int) -> int:
    """``enter`` for states of two words, where two can be swapped in one step."""
    first, last = load(state, 0), load(state, 1)
    at = mixed(state) & mask
    found, found_last = load(table, 2 * at), load(table, 2 * at + 1)
    while found != first or found_last != last:
        if found == EMPTY or found_last == EMPTY:
            if cas128(table, at, EMPTY, EMPTY, first, last):
                return -1 - at
            found_last = peek(table, 2 * at + 1)
            found = peek(table, 2 * at)
        if found != first or found_last != last:
            at = (at + 1) & mask
            found, found_last = load(table, 2 * at), load(table, 2 * at + 1)
    return at


def enter_by_claim(table: int, mask: int, state: int) -> int:
    """``enter`` for states of two words, elsewhere."""
    first, last = load(state, 0), load(state, 1)
    at = mixed(state) & mask
    while True:
        found = peek(table, 2 * at + 1)
        if found == EMPTY:
            found = cas(table, 2 * at + 1, EMPTY, CLAIMED)
            if found == EMPTY:
                store(table, 2 * at, first)
                publish(table, 2 * at + 1, last)
                return -1 - at
        while found == CLAIMED:
            found = peek(table, 2 * at + 1)
        if found == last and load(table, 2 * at) == first:
            return at
        at = (at + 1) & mask


def place_of(directory: int, number: int) -> int:
    """Where the place with this *number* of a level is."""
    block = load(directory, number >> BLOCK_BITS)
    return block + (number & ((1 << BLOCK_BITS) - 1)) * WORDS * 8


def copy_state(target: int, source: int) -> int:
    for w in range(WORDS):
        store(target, w, load(source, w))
    return 0


def expand(job: int, thread: int, threads: int, own: int) -> int:
    """Follow states of the level at hand: every so many-th of them, from this thread's on."""
    tab = load(job, TABLES) + thread * TABLE_STRIDE * 8
    made, limit = load(job, MADE), load(job, MADE_LIMIT)
    front, count = load(job, FRONT), load(job, COUNT)
    only_judges = load(job, ONLY_JUDGES)
    tally = own + MOST * WORDS * 8
    fires = tally + (BUCKETS + RULES) * 8 if RULES else 0
    clear(tally)
    at = thread if load(job, IS_FRESH) else load(load(job, PROGRESS), thread)
    end = min(count, at + load(job, BUDGET) * threads)
    free, last, moves, followed, stop = 0, 0, 0, 0, 0
    while at < end and stop == 0:
        row = place_of(front, at)
        if load(row, WORDS - 1) != EMPTY:
            judged = verdict(tab, row)
            found = 0
            if judged < OVER and only_judges == 0:
                found = legal(tab, row, own, 0, fires)
            # A number of moves with a fault among them is FAULT and more.
            n = found & (FAULT - 1)
            if found < 0:
                stop = IS_UNSURE
            elif n > last - free:
                blank(made, free, last)
                free = take(job, made, limit, max(CHUNK, n))
                last = free + max(CHUNK, n) * (free > 0)
                stop = LEFT * (free == 0)
            if stop == 0:
                for w in range(n * WORDS):
                    store(made + free * WORDS * 8, w, load(own, w))
                free += n
                moves += n
                followed += only_judges == 0
                count_end(tally, judged, n, only_judges)
                count_fired(tally + BUCKETS * 8, fires, n)
                if found >= FAULT:
                    note_fault(job, row)
        at += threads * (stop == 0)
    blank(made, free, last)
    store(load(job, PROGRESS), thread, at)
    counts = counts_of(job, thread)
    count_some(counts, MOVES, moves)
    count_some(counts, FOLLOWED, followed)
    count_some(counts, LEFT, at < count)
    count_some(counts, IS_UNSURE, stop == IS_UNSURE)
    return count_tally(counts, tally)


def take(job: int, made: int, limit: int, places: int) -> int:
    """The first of so many *places* for states that follow others, or 0 if there are no more.

    Place 0 is nobody's.
    """
    free = 1 + fetch_add(job, MADE_TAKEN, places)
    if free + places > limit:
        blank(made, free, limit)
        return 0
    return free


def blank(made: int, free: int, last: int) -> int:
    """Leave the places from *free* to before *last* empty."""
    for place in range(free, last):
        store(made, (place + 1) * WORDS - 1, EMPTY)
    return 0


def clear(tally: int) -> int:
    for k in range(BUCKETS + RULES):
        store(tally, k, 0)
    return 0


def count_tally(counts: int, tally: int) -> int:
    for k in range(BUCKETS + RULES):
        count_some(counts, TALLIES + k, load(tally, k))
    return 0


def count_end(tally: int, judged: int, n: int, only_judges: int) -> int:
    """Count a state without a move; of those that are only *judged*, one that is over."""
    if n == 0 and only_judges <= (judged >= OVER):
        bucket = (judged >> 8) * (PLAYERS + 1) + (judged & 255)
        store(tally, bucket, load(tally, bucket) + 1)
    return 0


def count_fired(tally: int, fires: int, n: int) -> int:
    """Count the rules that fired in *n* moves, if that is wanted."""
    for j in range(n * (RULES > 0)):
        marks = load(fires, j)
        while marks:
            rule = lowest(marks)
            marks = rest(marks)
            store(tally, rule, load(tally, rule) + 1)
    return 0


def note_fault(job: int, row: int) -> int:
    """Keep the state at *row*, in which a fault stops a move."""
    place = fetch_add(job, FAULTY, 1)
    if place < load(job, FAULTY_ROOM):
        copy_state(load(job, FAULTY_ROWS) + place * WORDS * 8, row)
    return 0


def insert(job: int, thread: int, threads: int, own: int) -> int:  # noqa: ARG001 - as all of them
    """Put the states that ``expand`` has written into the table, and new ones into the queue."""
    table, mask = load(job, TABLE), load(job, MASK)
    levels, is_wide, level = load(job, LEVELS), load(job, IS_WIDE), load(job, LEVEL)
    queue, limit = load(job, QUEUE), load(job, LIMIT)
    is_graded = load(job, IS_GRADED)
    made, count = load(job, MADE), min(1 + load(job, MADE_TAKEN), load(job, MADE_LIMIT))
    at = 1 + thread if load(job, IS_FRESH_INSERT) else load(load(job, INSERT_PROGRESS), thread)
    free, last, earlier, new, stop = 0, 0, 0, 0, 0
    while at < count and stop == 0:
        state = made + at * WORDS * 8
        if load(state, WORDS - 1) != EMPTY:
            if free == last:
                free = fetch_add(job, TAKEN, HANDFUL)
                last = free + HANDFUL
                if last > limit:
                    free, last, stop = 0, 0, IS_FULL
            if is_odd(state):
                stop = IS_ODD
            if stop == 0:
                slot = enter(table, mask, state)
                if slot < 0:
                    mark(levels, is_wide, -1 - slot, level)
                    copy_state(place_of(queue, free), state)
                    free += 1
                    new += 1
                elif is_graded:
                    seen = marked(levels, is_wide, slot)
                    earlier += (seen != 0) & (seen != level)
        at += threads * (stop == 0)
    while free < last:
        store(place_of(queue, free), WORDS - 1, EMPTY)
        free += 1
    store(load(job, INSERT_PROGRESS), thread, at)
    counts = counts_of(job, thread)
    count_some(counts, EARLIER, earlier)
    count_some(counts, NEW, new)
    count_some(counts, LEFT_TO_INSERT, at < count)
    count_some(counts, IS_FULL, stop == IS_FULL)
    count_some(counts, IS_ODD, stop == IS_ODD)
    return 0


def counts_of(job: int, thread: int) -> int:
    """Where this thread counts."""
    return job + (COUNTS + (thread & (COPIES - 1)) * (TALLIES + BUCKETS + RULES)) * 8


def count_some(counts: int, which: int, number: int) -> int:
    if number:
        fetch_add(counts, which, number)
    return 0


def rehash(job: int, thread: int, threads: int, own: int) -> int:  # noqa: ARG001 - as all of them
    """Put the states of an old table into the new one."""
    table, mask = load(job, TABLE), load(job, MASK)
    levels, is_wide = load(job, LEVELS), load(job, IS_WIDE)
    old, old_levels = load(job, OLD_TABLE), load(job, OLD_LEVELS)
    slot = thread
    while slot < load(job, OLD_SLOTS):
        if load(old, (slot + 1) * WORDS - 1) != EMPTY:
            place = enter(table, mask, old + slot * WORDS * 8)
            mark(levels, is_wide, -1 - place, marked(old_levels, is_wide, slot))
        slot += threads
    return 0


def widen(job: int, thread: int, threads: int, own: int) -> int:  # noqa: ARG001 - as above
    """Copy levels that were kept in a byte each to where they have four."""
    old_levels, levels, slot = load(job, OLD_LEVELS), load(job, LEVELS), thread
    while slot <= load(job, MASK):
        store32(levels, slot, load8(old_levels, slot))
        slot += threads
    return 0


def find(job: int, thread: int, threads: int, own: int) -> int:  # noqa: ARG001 - as above
    """Write the slots and levels of the states of a batch, −1 for those that are not there."""
    table, mask, batch, ids = load(job, TABLE), load(job, MASK), load(job, BATCH), load(job, IDS)
    j = thread
    while j < load(job, COUNT):
        state = batch + j * WORDS * 8
        at = mixed(state) & mask
        slot = -2
        while slot == -2:
            there = table + at * WORDS * 8
            if load(there, WORDS - 1) == EMPTY:
                slot = -1
            elif load(there, WORDS - 1) == load(state, WORDS - 1) and load(there, 0) == load(
                state, 0
            ):
                slot = at
            at = (at + 1) & mask
        store(ids, 2 * j, slot)
        store(ids, 2 * j + 1, -1)
        if slot >= 0:
            store(ids, 2 * j + 1, marked(load(job, LEVELS), load(job, IS_WIDE), slot) - 1)
        j += threads
    return 0


def read_slots(job: int, thread: int, threads: int, own: int) -> int:  # noqa: ARG001 - as above
    """Write the states in the slots of a list to a batch."""
    table, batch, ids = load(job, TABLE), load(job, BATCH), load(job, IDS)
    j = thread
    while j < load(job, COUNT):
        copy_state(batch + j * WORDS * 8, table + load(ids, j) * WORDS * 8)
        j += threads
    return 0
