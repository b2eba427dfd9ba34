"""Code for subsets as bits: variables for them, their members one by one, and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from zermelo.languages.sections.compile.conditions import NO, YES
from zermelo.languages.sections.compile.lookup import Lookup
from zermelo.languages.sections.compile.reps import WORD, Bits, Truth, Universe, literal, words_of


class BitCode(Lookup):
    """Writes code for bits."""

    def empty_bits(self, values: Universe) -> Bits:
        """Variables for a subset of *values*, empty at first."""
        words = tuple(self.writer.name("m") for _ in words_of(0, len(values)))
        for word in words:
            self.writer.emit(f"{word} = 0")
        return Bits(words, values)

    def set_bit(self, bits: Bits, at: str) -> None:
        """Add the member with the number *at* to *bits*, which are variables."""
        if at.isdigit():
            which, bit = divmod(int(at), WORD)
            self.writer.emit(f"{bits.words[which]} |= {literal(1 << bit)}")
            return
        if len(bits.words) == 1:
            self.writer.emit(f"{bits.words[0]} |= bit({at})")
            return
        for number, word in enumerate(bits.words):
            head = "if" if number == 0 else "elif"
            with self.writer.block(f"{head} {at} < {WORD * (number + 1)}"):
                self.writer.emit(f"{word} |= bit({at} & 63)")

    def is_empty(self, bits: Bits) -> Truth:
        """Whether there is no member."""
        joined = " | ".join(bits.words)
        return Truth(f"(({joined}) == 0)")

    @contextmanager
    def each_bit(self, bits: Bits, unless: str = "") -> Iterator[str]:
        """Write what follows for the number of each member; stops where *unless* holds."""
        stop = f" and not {unless}" if unless else ""
        if len(bits.words) == 1:
            left, at = self.writer.name("m"), self.writer.name("i")
            self.writer.emit(f"{left} = {bits.words[0]}")
            with self.writer.block(f"while {left} != 0{stop}"):
                self.writer.emit(f"{at} = lowest({left})")
                self.writer.emit(f"{left} = rest({left})")
                yield at
            return
        which, left, at = (self.writer.name(kind) for kind in ("w", "m", "i"))
        self.writer.emit(f"{which} = 0")
        with self.writer.block(f"while {which} < {len(bits.words)}{stop}"):
            chosen = bits.words[-1]
            for number in range(len(bits.words) - 2, -1, -1):
                chosen = f"({bits.words[number]} if {which} == {number} else {chosen})"
            self.writer.emit(f"{left} = {chosen}")
            with self.writer.block(f"while {left} != 0{stop}"):
                self.writer.emit(f"{at} = lowest({left}) + {WORD} * {which}")
                self.writer.emit(f"{left} = rest({left})")
                yield at
            self.writer.emit(f"{which} = {which} + 1")

    # Conditions

    def kept(self, truth: Truth) -> Truth:
        """*truth* in a variable, so that it is computed once."""
        return truth if truth in (YES, NO) else Truth(self.writer.keep(truth.code))

    def guarded(self, first: Truth, second: Callable[[], Truth]) -> Truth:
        """``first and second``, where the code of the second may fail and is not always run."""
        if first == NO and not self.writer.may_fail:
            return NO
        found = self.writer.name("c")
        self.writer.emit(f"{found} = False")
        head = first.code
        if self.writer.may_fail:
            head = f"e == 0 and {first.code}"
        with self.writer.block(f"if {head}"):
            truth = second()
            self.writer.emit(f"{found} = {truth.code}")
        return Truth(found)
