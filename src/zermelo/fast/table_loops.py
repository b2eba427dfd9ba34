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
    load32,
    load_any,
    mul,
    pause,
    peek32,
    prefetch,
    publish32,
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
BUSY = 0xFFFFFFFF
"""A slot whose state is being written. No state has this number, since an index is never full."""

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
    """The same for a state of the table."""
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
    """Where the state with this number is."""
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


def approach(table: int, batch: int, n: int, scratch: int) -> int:
    """Bring what *n* states of *batch* need into the caches.

    For each of them *scratch* gets where to look first, and the bits of its hash. Gives a
    number other than 0 if some state has bits for which there is no room.
    """
    beyond = 0
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = BUSY ^ mask
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
        while slot != 0 and (slot == BUSY or (slot & others) != mark):
            if slot == BUSY:
                break
            at = (at + 1) & mask
            slot = load32(index, at)
        if slot != 0 and slot != BUSY:
            prefetch(row(directory, (slot & mask) - 1), 0)
        store(scratch, 2 * j, at)
    return beyond


def insert(table: int, batch: int, n: int, ids: int, before: int, scratch: int) -> int:
    """Add the *n* states of *batch*; how many were new. *ids*, unless 0, gets their numbers.

    The last word of *scratch* gets how many of the numbers are less than *before*. Gives −1 if
    there is no room for all bits of some state.
    """
    store(scratch, GROUP * 3, 0)
    new = 0
    start = 0
    while start < n:
        size = min(GROUP, n - start)
        there = 0
        if ids != 0:
            there = ids + start * 8
        if approach(table, batch + start * WORDS * 8, size, scratch) != 0:
            return -1
        if SHARED:
            new += insert_shared(table, batch + start * WORDS * 8, size, there, before, scratch)
        else:
            new += insert_alone(table, batch + start * WORDS * 8, size, there, before, scratch)
        start += size
    return new


def insert_alone(table: int, batch: int, n: int, ids: int, before: int, scratch: int) -> int:
    """A group, approached already, while no other thread inserts."""
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = BUSY ^ mask
    count = load(table, COUNT)
    first = count
    earlier = load(scratch, GROUP * 3)
    for j in range(n):
        state = batch + j * WORDS * 8
        at, mark = load(scratch, 2 * j), load(scratch, 2 * j + 1)
        number = -1
        while number < 0:
            slot = load32(index, at)
            if slot == 0:
                number = count
                count += 1
                copy(row(directory, number), state)
                store32(index, at, mark | (number + 1))
            elif (slot & others) == mark and same(row(directory, (slot & mask) - 1), state):
                number = (slot & mask) - 1
            else:
                at = (at + 1) & mask
        earlier += number < before
        if ids != 0:
            store(ids, j, number)
    store(table, COUNT, count)
    store(scratch, GROUP * 3, earlier)
    return count - first


def insert_shared(table: int, batch: int, n: int, ids: int, before: int, scratch: int) -> int:
    """A group, approached already, while other threads insert too.

    A slot is claimed by marking it busy. The numbers for all claimed slots are taken at once, at
    the end or when a busy slot is met: whoever waits has no claim open, so nobody waits for ever.
    """
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = BUSY ^ mask
    claims = scratch + GROUP * 16
    open_claims = 0
    new = 0
    earlier = load(scratch, GROUP * 3)
    for j in range(n):
        state = batch + j * WORDS * 8
        at, mark = load(scratch, 2 * j), load(scratch, 2 * j + 1)
        going = 1
        while going:
            slot = peek32(index, at)
            if slot == 0:
                slot = cas32(index, at, 0, BUSY)
                if slot == 0:
                    store(scratch, 2 * j, at)
                    store(claims, open_claims, j)
                    open_claims += 1
                    new += 1
                    break
            if slot == BUSY:
                settle(table, batch, ids, scratch, open_claims)
                open_claims = 0
                while slot == BUSY:
                    pause()
                    slot = peek32(index, at)
            if (slot & others) == mark and same(row(directory, (slot & mask) - 1), state):
                earlier += (slot & mask) <= before
                if ids != 0:
                    store(ids, j, (slot & mask) - 1)
                going = 0
            else:
                at = (at + 1) & mask
    settle(table, batch, ids, scratch, open_claims)
    store(scratch, GROUP * 3, earlier)
    return new


def settle(table: int, batch: int, ids: int, scratch: int, n: int) -> int:
    """Write the states of the *n* open claims, and say so in the index."""
    if n == 0:
        return 0
    index, directory = load(table, INDEX), load(table, DIRECTORY)
    claims = scratch + GROUP * 16
    number = fetch_add(table, COUNT, n)
    for k in range(n):
        j = load(claims, k)
        copy(row(directory, number + k), batch + j * WORDS * 8)
        mark = load(scratch, 2 * j + 1)
        publish32(index, load(scratch, 2 * j), mark | (number + k + 1))
        if ids != 0:
            store(ids, j, number + k)
    return n


def find(table: int, batch: int, n: int, ids: int, scratch: int) -> int:
    """Write the numbers of the *n* states of *batch* to *ids*, −1 for the absent; how many are."""
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = BUSY ^ mask
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
                elif slot == BUSY:
                    pause()
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
    """Write the states with the *n* *numbers* to *rows*."""
    directory = load(table, DIRECTORY)
    for j in range(n):
        there = row(directory, load(numbers, j))
        for w in range(WORDS):
            store(rows, j * WORDS + w, kept(there, w))
    return 0


def rehash(table: int, first: int, last: int, scratch: int) -> int:
    """Enter the states with numbers *first* to *last* − 1, all different, into a new index.

    Several threads may do so at the same time for different numbers.
    """
    index, mask = load(table, INDEX), load(table, MASK)
    directory = load(table, DIRECTORY)
    others = BUSY ^ mask
    start = first
    while start < last:
        size = min(GROUP, last - start)
        for j in range(size):
            h = mixed_again(row(directory, start + j))
            prefetch(index + (h & mask) * 4, 0)
            store(scratch, j, h)
        for j in range(size):
            h = load(scratch, j)
            at = h & mask
            slot = (shr(h, 32) & others) | (start + j + 1)
            if SHARED:
                while cas32(index, at, 0, slot) != 0:
                    at = (at + 1) & mask
            else:
                while load32(index, at) != 0:
                    at = (at + 1) & mask
                store32(index, at, slot)
        start += size
    return last - first
