"""All repairs of a printed program, in the order in which they build on each other."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.languages.led.ir import Program
from zermelo.languages.led.mean.elaborate import elaborate
from zermelo.languages.led.mean.repairs.brackets import with_brackets
from zermelo.languages.led.mean.repairs.literals import with_backquotes, with_blanks, with_siblings
from zermelo.languages.led.mean.repairs.lost import completed, with_doubtful, with_lost_equations
from zermelo.languages.led.mean.repairs.pictures import with_pictures, without_lost
from zermelo.languages.led.mean.repairs.rewriting import NameUses, lost_members, with_definitions
from zermelo.languages.led.read.tree import LiterateProgram
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.render import in_order
from zermelo.text.source import Source


def repaired(
    document: LiterateProgram, source: Source, *, as_written: bool = False
) -> Checked[LiterateProgram]:
    """*document* with what printing damaged repaired, and everything that was repaired.

    Programs in source form stay as they are. *as_written* makes only the repairs without
    which a formula would mean nothing at all, and none that changes what it means.
    """
    if not document.is_printed:
        return Checked(document)

    def program_of(each: LiterateProgram) -> Program | None:
        return elaborate(each, source).value

    def with_all_brackets(before: LiterateProgram) -> Checked[LiterateProgram]:
        # Members that are lost would leave nothing to look at, and have no brackets.
        whole = with_brackets(without_lost(before), program_of)
        return Checked(_with_members(before, whole.value), whole.diagnostics)

    stages: list[Callable[[LiterateProgram], Checked[LiterateProgram]]]
    stages = [with_backquotes, with_doubtful, with_lost_equations, completed]
    if not as_written:
        stages += [with_siblings, with_blanks, with_all_brackets]
        stages.append(lambda before: with_pictures(before, program_of))
    said: list[Diagnostic] = []
    for stage in stages:
        checked = stage(document)
        said += checked.diagnostics
        document = checked.value or document
    return Checked(document, tuple(in_order(said)))


def _with_members(before: LiterateProgram, whole: LiterateProgram | None) -> LiterateProgram:
    """*whole*, in which members were left out, with the sets that *before* lists."""
    if whole is None:
        return before
    names = NameUses(before)
    made = [
        old if lost_members(old, names) else new
        for old, new in zip(before.definitions, whole.definitions, strict=True)
    ]
    return with_definitions(before, made)
