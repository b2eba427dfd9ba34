"""The examples of the language reference mean what it says.

A block `spec` is a document that can be read; `spec says=Z301` one that gets that diagnostic as
well. Every line of a block `formulas` holds in the first state of the document above it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.markdown import Fence, fences
from tests.support.project import DOCS, place
from zermelo.api import loading, texts
from zermelo.api.game import Game
from zermelo.core.values import TRUE
from zermelo.text import render
from zermelo.text.diagnostic import Diagnostic
from zermelo.text.source import Source

PAGES = sorted((DOCS / "reference" / "language").glob("*.md"))


@dataclass(frozen=True, slots=True)
class Example:
    """A document of a page, and the formulas that follow it."""

    page: Path
    spec: Fence
    formulas: tuple[Fence, ...]

    @property
    def where(self) -> str:
        """Its place, as messages give it."""
        return f"{place(self.page)}:{self.spec.line}"


def examples(page: Path) -> list[Example]:
    """The documents of *page*, each with its formulas."""
    found: list[Example] = []
    for block in fences(page.read_text("utf-8")):
        if block.kind == "spec":
            found.append(Example(page, block, ()))
        elif block.kind == "formulas":
            last = found.pop()
            found.append(Example(page, last.spec, (*last.formulas, block)))
    return found


EXAMPLES = [example for page in PAGES for example in examples(page)]
WITH_FORMULAS = [example for example in EXAMPLES if example.formulas]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.where for example in EXAMPLES])
def test_a_document_of_the_reference_can_be_read(example: Example) -> None:
    game = loading.load_text(example.spec.body)

    assert game.is_loaded, shown(game.diagnostics, game.source)
    errors = [said for said in game.diagnostics if said.is_error]
    assert not errors, shown(errors, game.source)
    wanted = set(filter(None, example.spec.options.get("says", "").split(",")))
    assert wanted <= {said.code.id for said in game.diagnostics}


@pytest.mark.parametrize("example", WITH_FORMULAS, ids=[each.where for each in WITH_FORMULAS])
def test_the_formulas_of_the_reference_hold(example: Example) -> None:
    game = loading.load_text(example.spec.body)
    faults = [
        f"{place(example.page)}:{block.line + number}: {fault}"
        for block in example.formulas
        for number, formula in enumerate(block.lines, 1)
        if (fault := fault_of(formula, game)) is not None
    ]

    assert not faults, "\n".join(faults)


def fault_of(formula: str, game: Game) -> str | None:
    """Why *formula* does not hold in the first state of *game*; ``None`` if it does."""
    checked = texts.expression(game, formula)
    if checked.value is None:
        return f"{formula}\n{shown(checked.diagnostics, Source('expression', formula))}"
    value = checked.value.value(game.machine.initial)
    return None if value is TRUE else f"{formula}: {value}"


def shown(diagnostics: Sequence[Diagnostic], source: Source) -> str:
    """The *diagnostics* as a person sees them."""
    return render.full(diagnostics, source)
