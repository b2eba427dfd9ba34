"""The loops of `zermelo.fast.table`, written for the compiler: whole numbers and addresses only.

A table is described by four words: where its directory of blocks is, where its index is, the
index's mask, how many states there are. A slot of the index is 0 when free, otherwise the number of
a state plus 1 in the lower bits and, in the bits that no number needs, bits of the state's hash:
they spare most looks at other states, and never decide anything alone.
"""

from zermelo.fast.bits import (
    cas32,
    fetch_add,
    high,
    load,
    load8,
    load32,
    load_any,
    mul,
    peek32,
    prefetch,
    shr,
    store,
    store8,
    store32,
    store_any,
)

# Bound anew for each unit: words of a state, bytes of the last word that are kept (no state has
# more) and the bits they have, bits of a row's number in its block, and whether several threads
# insert at the same time.
WORDS = 1
LAST = 8
LAST_BITS = -1
SHIFT = 16
SHARED = 0

GROUP = 64
"""How many states are on their way through memory at the same time."""
HANDFUL = 64
"""How many numbers a thread takes at once."""
FREE, END, EARLIER = 2 * GROUP, 2 * GROUP + 1, 2 * GROUP + 2
"""Where in its scratch a thread has the numbers that are left of them, from one to before another,
and how many states it met that were there before."""
SCRATCH = 2 * GROUP + 16
"""How many words a scratch has, with nothing of another thread near those that count."""
SLOT = 0xFFFFFFFF

DIRECTORY, INDEX, MASK, COUNT = 0, 1, 2, 24
"""Where the words of a table's description are.

How many states there are changes all the time, the others hardly ever: they are so far apart
that no processor has to fetch the others again because another one has counted.
"""
DESCRIPTION = 48
"""How many words there are, with nothing else near the count."""

# Odd numbers without pattern: the first 64 binary places of √2 and √3, the last bit set.
FIRST = 0x6A09E667F3BCC909
SECOND = -0x4498517A7B3558C5


def mixed(state: int) -> int:
    """The hash of the state at this address: both halves of a product depend on every bit."""
    h = SECOND
    for w in range(WORDS):
        x = load(state, w) ^ h
        h = mul(x, FIRST) ^ high(x, FIRST)
    return mul(h, SECOND) ^ shr(h, 29)


def mixed_again(row: int) -> int:
    h = SECOND
    for w in range(WORDS):
        x = kept(row, w) ^ h
        h = mul(x, FIRST) ^ high(x, FIRST)
    return mul(h, SECOND) ^ shr(h, 29)


def kept(row: int, w: int) -> int:
    """Word *w* of a state of the table; behind the last one is always room for a whole word."""
    x = load_any(row, w * 8)
    if w == WORDS - 1:
        x = x & LAST_BITS
    return x


def row(directory: int, number: int) -> int:
    place = number & ((1 << SHIFT) - 1)
    return load(directory, number >> SHIFT) + place * ((WORDS - 1) * 8 + LAST)


def same(row: int, state: int) -> int:
    """1 if the state of the table at *row* is equal to *state*."""
    difference = 0
    for w in range(WORDS):
        difference |= kept(row, w) ^ load(state, w)
    return difference == 0


def copy(row: int, state: int) -> int:
    """Write *state* into the table, and nothing behind it."""
    for w in range(WORDS - 1):
        store_any(row, w * 8, load(state, w))
    last = load(state, WORDS - 1)
    if LAST == 8:
        store_any(row, (WORDS - 1) * 8, last)
    else:
        for k in range(LAST):
            store8(row, (WORDS - 1) * 8 + k, shr(last, 8 * k))
    return 0


def copy_again(row: int, there: int) -> int:
    for k in range((WORDS - 1) * 8 + LAST):
        store8(row, k, load8(there, k))
    return 0


def approach(table: int, batch: int, n: int, scratch: int) -> int:
    """Bring what *n* states of *batch* need into the caches.

    For each of them *scratch* gets where to look first, and the bits of its hash. Gives a
    number other than 0 if some state has bits for which there is no room.
    """
    beyond = 0
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = SLOT ^ mask
    for j in range(n):
        h = mixed(batch + j * WORDS * 8)
        beyond |= load(batch, (j + 1) * WORDS - 1) & ~LAST_BITS
        home = h & mask
        prefetch(index + home * 4, 0)
        store(scratch, 2 * j, home)
        store(scratch, 2 * j + 1, shr(h, 32) & others)
    for j in range(n):
        at, mark = load(scratch, 2 * j), load(scratch, 2 * j + 1)
        slot = load32(index, at)
        while slot != 0 and (slot & others) != mark:
            at = (at + 1) & mask
            slot = load32(index, at)
        if slot != 0:
            prefetch(row(directory, (slot & mask) - 1), 0)
        store(scratch, 2 * j, at)
    return beyond


def insert(table: int, batch: int, n: int, ids: int, before: int, scratch: int) -> int:
    """Add the *n* states of *batch*; how many were new. *ids*, unless 0, gets their numbers.

    *scratch* gets how many of the numbers are less than *before*. Gives −1 if there is no room
    for all bits of some state.
    """
    store(scratch, EARLIER, 0)
    if not SHARED:
        store(scratch, FREE, load(table, COUNT))
        store(scratch, END, load(table, COUNT) + n)
    new = 0
    start = 0
    while start < n and new >= 0:
        size = min(GROUP, n - start)
        group = batch + start * WORDS * 8
        there = 0
        if ids != 0:
            there = ids + start * 8
        if approach(table, group, size, scratch) != 0:
            new = -1
        else:
            new += insert_group(table, group, size, there, before, scratch)
        start += size
    if not SHARED:
        store(table, COUNT, load(scratch, FREE))
        store(scratch, END, load(scratch, FREE))
    return new


def insert_group(table: int, batch: int, n: int, ids: int, before: int, scratch: int) -> int:
    """A group that was approached already.

    Several threads write a state where no other one writes, and then only one of them gets it
    into the index. So they take numbers before they know whether they need them, and many at
    once: those of two threads should not lie side by side in memory.
    """
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = SLOT ^ mask
    free, end = load(scratch, FREE), load(scratch, END)
    new = 0
    earlier = 0
    for j in range(n):
        state = batch + j * WORDS * 8
        at, mark = load(scratch, 2 * j), load(scratch, 2 * j + 1)
        number = -1
        while number < 0:
            slot = peek32(index, at) if SHARED else load32(index, at)
            if slot == 0:
                if free == end:
                    free = fetch_add(table, COUNT, HANDFUL)
                    end = free + HANDFUL
                copy(row(directory, free), state)
                if SHARED:
                    slot = cas32(index, at, 0, mark | (free + 1))
                else:
                    store32(index, at, mark | (free + 1))
            if slot == 0:
                number = free
                free += 1
                new += 1
            elif (slot & others) == mark and same(row(directory, (slot & mask) - 1), state):
                number = (slot & mask) - 1
            else:
                at = (at + 1) & mask
        earlier += number < before
        if ids != 0:
            store(ids, j, number)
    store(scratch, FREE, free)
    store(scratch, END, end)
    store(scratch, EARLIER, load(scratch, EARLIER) + earlier)
    return new


def close_gaps(table: int, gaps: int, n: int) -> int:
    """Let the last states have the numbers that no state has; how many states there are.

    Those numbers are in *n* *gaps*, from one to before another, which go upwards and do not
    meet. No other thread does anything with the table.
    """
    count = load(table, COUNT)
    last = count
    top = n
    for k in range(n):
        count -= load(gaps, 2 * k + 1) - load(gaps, 2 * k)
    for k in range(n):
        free, end = load(gaps, 2 * k), min(load(gaps, 2 * k + 1), count)
        while free < end:
            while top > 0 and load(gaps, 2 * top - 1) == last:
                top -= 1
                last = load(gaps, 2 * top)
            last -= 1
            move(table, last, free)
            free += 1
    store(table, COUNT, count)
    return count


def move(table: int, number: int, free: int) -> int:
    index, mask = load(table, INDEX), load(table, MASK)
    there = row(load(table, DIRECTORY), number)
    at = mixed_again(there) & mask
    slot = load32(index, at)
    while (slot & mask) != number + 1:
        at = (at + 1) & mask
        slot = load32(index, at)
    store32(index, at, slot + free - number)
    copy_again(row(load(table, DIRECTORY), free), there)
    return free


def find(table: int, batch: int, n: int, ids: int, scratch: int) -> int:
    """Write the numbers of the *n* states of *batch* to *ids*, −1 for the absent; how many are."""
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = SLOT ^ mask
    found = 0
    start = 0
    while start < n:
        size = min(GROUP, n - start)
        approach(table, batch + start * WORDS * 8, size, scratch)
        for j in range(size):
            state = batch + (start + j) * WORDS * 8
            at, mark = load(scratch, 2 * j), load(scratch, 2 * j + 1)
            number = -2
            while number == -2:
                slot = peek32(index, at)
                if slot == 0:
                    number = -1
                elif (slot & others) == mark and same(row(directory, (slot & mask) - 1), state):
                    number = (slot & mask) - 1
                    found += 1
                else:
                    at = (at + 1) & mask
            store(ids, start + j, number)
        start += size
    return found


def read(table: int, first: int, last: int, rows: int) -> int:
    """Write the states with the numbers *first* to *last* − 1 to *rows*."""
    directory = load(table, DIRECTORY)
    for j in range(last - first):
        there = row(directory, first + j)
        for w in range(WORDS):
            store(rows, j * WORDS + w, kept(there, w))
    return 0


def read_each(table: int, numbers: int, n: int, rows: int) -> int:
    directory = load(table, DIRECTORY)
    for j in range(n):
        there = row(directory, load(numbers, j))
        for w in range(WORDS):
            store(rows, j * WORDS + w, kept(there, w))
    return 0


def rehash(table: int, low: int, high: int, scratch: int) -> int:
    """Enter all states whose slots should be *low* to *high* − 1 into a new index.

    Several threads may do so at the same time for different slots, which is why the states are
    shared out like this: hardly ever do two threads write to the same part of the memory. They do
    where the slots of one part run on into those of the next.
    """
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = SLOT ^ mask
    count = load(table, COUNT)
    entered = 0
    start = 0
    while start < count:
        size = min(GROUP, count - start)
        mine = 0
        for j in range(size):
            h = mixed_again(row(directory, start + j))
            store(scratch, 2 * mine, h & mask)
            store(scratch, 2 * mine + 1, (shr(h, 32) & others) | (start + j + 1))
            mine += (low <= (h & mask)) & ((h & mask) < high)
        for j in range(mine):
            prefetch(index + load(scratch, 2 * j) * 4, 0)
        for j in range(mine):
            at, slot = load(scratch, 2 * j), load(scratch, 2 * j + 1)
            if SHARED:
                while cas32(index, at, 0, slot) != 0:
                    at = (at + 1) & mask
            else:
                while load32(index, at) != 0:
                    at = (at + 1) & mask
                store32(index, at, slot)
        entered += mine
        start += size
    return entered
