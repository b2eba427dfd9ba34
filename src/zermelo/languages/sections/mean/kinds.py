"""The table of readings: what documents leave open, what may be chosen, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ORDER: Final = "order"
NO_EFFECT: Final = "input without effect"
END: Final = "end"
STUCK: Final = "stuck player"
QUANTIFIER: Final = "quantifier"
OUTSIDE: Final = "value outside"
PLAYERS: Final = "players"

WHEN_OVER: Final = "when over"
WHEN_RESULT: Final = "when a result is known"
FRESH: Final = "fresh"
KEPT: Final = "kept"
OVER_THE_SET: Final = "over the set"
AS_WRITTEN: Final = "as written"
OWN_VARIABLE: Final = "own variable"
WIDENED: Final = "widened"


@dataclass(frozen=True, slots=True)
class Kind:
    """A question that documents leave open."""

    name: str
    """Its name; ``NAME`` stands for a name of the document."""
    choices: tuple[str, ...]
    """The answers that are the same in every document; the first is the default."""
    form: str = ""
    """The form of answers that differ from document to document."""
    reason: str = ""
    """Why the default is the default."""

    @property
    def default(self) -> str | None:
        """The answer taken when nobody chose."""
        return self.choices[0] if self.choices else None


KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        ORDER,
        ("in order", "facts frozen", "at once"),
        reason="documents are written to be read from top to bottom, "
        "so each rule sees what the rules above it did",
    ),
    Kind(
        "order of NAME",
        ("in order", "facts frozen", "at once"),
        reason="the rules of one procedure may need another order than the rest",
    ),
    Kind(
        NO_EFFECT,
        ("refused", "costs the turn"),
        reason="an input that changes nothing is no move, so the turn does not pass",
    ),
    Kind(
        "flag NAME",
        (KEPT, FRESH),
        reason="it is kept from turn to turn like every variable, "
        "unless playing shows that it only guides the rules of one turn",
    ),
    Kind(
        END,
        (WHEN_OVER, WHEN_RESULT),
        reason="the document says with a variable when play is over",
    ),
    Kind(
        STUCK,
        ("reported", "loses", "draws", "passes"),
        reason="the document gives no result to a player who has no move",
    ),
    Kind(
        QUANTIFIER,
        (OVER_THE_SET, AS_WRITTEN),
        reason="∀w (w ∈ W ∧ φ) is false of everything outside W, so ∀w ∈ W: φ was probably meant",
    ),
    Kind(
        OUTSIDE,
        ("skip", "stop"),
        reason="rules and calls that use a value outside its set, "
        "as a cell beside the board, were probably meant not to apply",
    ),
    Kind(
        "undeclared NAME",
        (OWN_VARIABLE,),
        form="is OTHER, with the name of a declared variable",
        reason="the name is used and not declared",
    ),
    Kind(
        "NAME starts at",
        (),
        form="an expression",
        reason="the document does not say what the variable starts at",
    ),
    Kind(
        "domain of NAME",
        (WIDENED, AS_WRITTEN),
        reason="the variable starts outside the set it was declared with",
    ),
    Kind(
        PLAYERS,
        (),
        form="the players and when it is their turn, as in `A when turn, B when ¬turn`",
        reason="the document does not say who the players are",
    ),
    Kind(
        "result NAME",
        ("draw",),
        form="a player with `wins` or `loses`",
        reason="the document does not say whose result this is",
    ),
)

OTHER_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    END: {"over": WHEN_OVER, "result": WHEN_RESULT, "when a result": WHEN_RESULT},
    STUCK: {"unset": "reported", "draw": "draws", "lose": "loses", "pass": "passes"},
    NO_EFFECT: {"refuse": "refused"},
    ORDER: {"one by one": "in order", "frozen": "facts frozen", "simultaneous": "at once"},
    "flag NAME": {"keep": KEPT, "local": FRESH},
    "undeclared NAME": {"own": OWN_VARIABLE},
}
