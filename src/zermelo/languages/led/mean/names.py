"""The names of a program, and what is said of those that nothing explains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.languages.led.run.built_ins import BUILTINS, ENVIRONMENT, GAME_NAMES
from zermelo.text import codes
from zermelo.text.budget import similar
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Diagnostic, Label, Report
from zermelo.text.errors import SimilarNames, nearest
from zermelo.text.source import NOWHERE, Span

_PLACES = 4
"""Places of one cause that are shown besides the first."""


@dataclass(frozen=True, slots=True)
class DefinedNames:
    """What a program defines: each name with the number of its parameters, and its place."""

    arities: Mapping[str, int]
    is_game: bool
    places: Mapping[str, Span] = field(default_factory=dict)
    damaged: frozenset[str] = frozenset()
    """Names with a definition that is not understood, which was said."""

    def meant(self, name: str) -> str:
        """*name* without the underscore that the translator puts behind the engine's names."""
        plain = name.removesuffix("_")
        is_engine = plain in GAME_NAMES or (plain in BUILTINS and plain not in ENVIRONMENT)
        is_known = plain in self.arities or plain in BUILTINS
        if name != plain and name not in self.arities and self.is_game and is_engine and is_known:
            return plain
        return name

    def is_new(self, name: str) -> bool:
        """Whether *name* may be bound by a sentence, since it means nothing yet."""
        if name in self.arities or name in self.damaged:
            return False
        return not (self.is_game and name in ENVIRONMENT)

    def known(self) -> tuple[str, ...]:
        return (*self.arities, *BUILTINS)


class UnknownNames:
    """Names that nothing explains, gathered so that each is complained about once."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, bool], list[Span]] = {}
        self._local: dict[str, set[str]] = {}
        self._hints: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        """With how many arguments functions are called first."""

    def name(self, name: str, span: Span, *, local: Iterable[str], hint: str | None) -> None:
        """*name* is used at *span*, where the names *local* could have been meant."""
        if hint is not None:
            self._hints.setdefault(name, hint)
        self._places.setdefault((name, False), []).append(span)
        self._local.setdefault(name, set()).update(local)

    def function(self, name: str, span: Span, *, arguments: int) -> None:
        self._counts.setdefault(name, arguments)
        self._places.setdefault((name, True), []).append(span)

    def tell(self, names: DefinedNames, report: Report) -> None:
        arities = [(each.name, each.arity) for each in BUILTINS.values()]
        arities += names.arities.items()
        known = {
            is_function: SimilarNames(each for each, arity in arities if (arity > 0) is is_function)
            for is_function in (False, True)
        }
        for (name, is_function), spans in self._places.items():
            if name in names.damaged:
                continue
            hint = _wished(name, self._counts[name]) if is_function else self._hints.get(name)
            near = () if hint else similar(name, known[is_function])
            if not hint and (local := self._local.get(name)):
                # The nearest of all are among the nearest of these and the nearest of those.
                near = nearest(name, (*near, *similar(name, local)))
            # Single letters are near to each other and mean nothing by it.
            near = tuple(
                each
                for each in near
                if min(len(each), len(name)) > 1 or each.lower() == name.lower()
            )
            said = _unknown(name, spans, near, names=names, is_function=is_function)
            report.say(said if hint is None else replace(said, help=hint))


def _unknown(
    name: str, spans: list[Span], near: tuple[str, ...], *, names: DefinedNames, is_function: bool
) -> Diagnostic:
    elsewhere = tuple(Label(span, "here too") for span in spans[1 : _PLACES + 1])
    place = names.places.get(near[0], NOWHERE) if near else NOWHERE
    if place != NOWHERE:
        elsewhere = (Label(place, "a name like it"), *elsewhere)
    shown = f"{name}(…)" if is_function else name
    return Diagnostic(
        codes.LED_UNKNOWN_FUNCTION if is_function else codes.LED_UNKNOWN_NAME,
        f"`{name}` is called here, and nothing defines it"
        if is_function
        else f"`{name}` is used here, and nothing defines or binds it",
        Label(spans[0], "not defined"),
        secondary=elsewhere,
        help=f"write `{near[0]}`, or define `{shown} := …`" if near else f"define `{shown} := …`",
    )


@dataclass(slots=True)
class Remark:
    """The places of one kind of remark, told as one diagnostic."""

    code: Code
    message: str
    label: str
    help: str | None = None
    spans: list[Span] = field(default_factory=list)

    def tell(self, report: Report) -> None:
        spans = sorted(set(self.spans))
        if not spans:
            return
        more = len(spans) - 1 - _PLACES
        report.say(
            Diagnostic(
                self.code,
                self.message,
                Label(spans[0], self.label),
                secondary=tuple(Label(span, "here too") for span in spans[1 : _PLACES + 1]),
                notes=(f"and in {more} more places",) if more > 0 else (),
                help=self.help,
            )
        )


# Functions that people expect, and how LED says the same

_WISHES: Final[Mapping[str, str]] = {
    "not": "write `~(p)` for not",
    **dict.fromkeys(
        ("abs", "len", "length", "size", "card", "count"),
        "write `|x|` for the size of a number, a set or a tuple",
    ),
    "sum": "write `Sum[x in S] x` for the sum of a set",
    **dict.fromkeys(("prod", "product"), "write `Prod[x in S] x` for the product of a set"),
    "round": "write `floor(x + 1/2)`",
    "sqrt": "numbers are exact fractions, and most roots are none; `x^n` needs a whole `n`",
    **dict.fromkeys(("trunc", "int"), "write `floor(x)`"),
    **dict.fromkeys(("pow", "power"), "write `x^n` for a power, and `Pow(S)` for all subsets"),
    "powerset": "write `Pow(S)` for all subsets",
    "range": "write `{m..n}` for whole numbers",
    "union": "write `A U B`, and `U[x in S] f(x)` for many sets",
    "intersection": "write `A sec B`, and `Sec[x in S] f(x)` for many sets",
    "intersect": "write `A sec B`",
    "choose": "define it: `choose(A) := x where x in A`",
    "forall": "write `all x in S. p(x)`",
    "exists": "write `some x in S. p(x)`",
}


def _wished(name: str, arguments: int) -> str | None:
    """How to get what a function *name* of so many *arguments* does elsewhere.

    >>> _wished("abs", 1)
    'write `|x|` for the size of a number, a set or a tuple'
    """
    word = name.lower()
    sign = {"max": ">=", "min": "<="}.get(word)
    if sign is None:
        return _WISHES.get(word)
    if arguments == 1:
        return f"define it: `{name}(A) := m where m in A & (all x in A. m {sign} x)`"
    return f"define it: `{name}(x, y) := x if x {sign} y; y otherwise`"
