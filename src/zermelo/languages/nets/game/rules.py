"""Who plays a net, and who wins: what a net does not say, as its readings say it from outside.

    players: x when turn has <.1.>, o when turn has <.2.>
    x wins: |line| == 3
    draw: enabled rest
    stuck player: loses

A line comes from the file beside the net or from a caller, whose word counts first. Conditions are
those of the shell, as far as one marking alone decides them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from zermelo.core.signature import (
    BY_CALLER,
    BY_FILE,
    STUCK,
    Player,
    Reading,
    Stuck,
    WrongReading,
    no_such_choice,
    no_such_reading,
    not_a_choice,
)
from zermelo.core.values import Atom
from zermelo.languages.nets.game.conditions import Sets, of_graphs_only, parse
from zermelo.languages.nets.ir import Net
from zermelo.text import codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Checked, Diagnostic, Label, label_at
from zermelo.text.errors import UsageError, nearest
from zermelo.text.lines import Setting
from zermelo.text.source import Span

PLAYERS: Final = "players"
DRAW: Final = "draw"
WINS: Final = " wins"
LOSES: Final = " loses"
CONDITION: Final = "CONDITION"
MOST_PLAYERS: Final = 100
PLAYERS_FORM: Final = "NAME when CONDITION, NAME when CONDITION"
_STUCK_CHOICES: Final = tuple(each.value for each in Stuck if each is not Stuck.PASSES)
_NEXT_PLAYER: Final = re.compile(r",\s*+(?=[^,<>|]{1,200}?\swhen\s)")
_WHEN: Final = re.compile(r"(?P<name>\S(?:.{0,200}?\S)?)\s+when\s+(?P<when>.+)")
PLAYERS_HELP: Final = (
    "write `players: NAME when CONDITION, NAME when CONDITION` below the line `Reading` into a "
    "file beside the net that has its name and ends in `.reading`, or give it with `--reading`, "
    "and who wins likewise, as in `NAME wins: CONDITION` or `stuck player: loses`"
)

RESULTS_HELP: Final = (
    "write `NAME wins: CONDITION`, `draw: CONDITION` or `stuck player: loses` where it says who "
    "plays"
)


@dataclass(frozen=True, slots=True)
class Turns:
    """A player, and the markings in which it is their turn; ``None`` for all."""

    name: str
    when: Sets | None


@dataclass(frozen=True, slots=True)
class Result:
    """A word for how a play ended, and the markings in which it holds."""

    word: Atom
    when: Sets


@dataclass(frozen=True, slots=True)
class NetRules:
    """How a net is played; without players it is a token game, and nobody's."""

    turns: tuple[Turns, ...] = ()
    results: tuple[Result, ...] = ()
    stuck: Stuck = Stuck.REPORTED
    readings: tuple[Reading, ...] = ()

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(
            Player(
                each.name,
                wins=self._words(f"{each.name}{WINS}"),
                loses=self._words(f"{each.name}{LOSES}"),
            )
            for each in self.turns
        )

    @property
    def draws(self) -> tuple[Atom, ...]:
        return self._words(DRAW)

    def _words(self, word: str) -> tuple[Atom, ...]:
        return tuple(each.word for each in self.results if each.word.name == word)


NO_RULES: Final = NetRules()


@dataclass(frozen=True, slots=True)
class _Line:
    """A decision, and where it comes from."""

    key: str
    value: str
    reason: str
    by: str
    key_span: Span | None = None
    span: Span | None = None


class _Wrong(Exception):
    """A line that cannot be used, and what there is to say of it."""

    def __init__(self, said: Diagnostic) -> None:
        super().__init__(said.message)
        self.said = said


def rules(
    net: Net, settings: Iterable[Setting], given: Mapping[str, str], *, document: str
) -> Checked[NetRules]:
    """What the *settings* of the file beside *net* and a caller's *given* readings decide.

    A line of the file that cannot be used is said and left out; a caller is told at once.
    """
    said: list[Diagnostic] = []
    lines: dict[str, _Line] = {}
    for setting in settings:
        line = _Line(
            setting.key,
            setting.value,
            setting.reason,
            BY_FILE,
            setting.key_span.or_else(setting.span),
            setting.value_span.or_else(setting.span),
        )
        name = _name(line.key)
        if name in lines:
            said.append(_twice(line, lines[name]))
        lines[name] = line
    lines.update(
        (_name(key), _Line(key.strip(), value, "", BY_CALLER)) for key, value in given.items()
    )
    maker = _RulesMaker(net, document)
    # Who plays comes first: who wins is one of them.
    for name, line in sorted(lines.items(), key=lambda item: item[0] != PLAYERS):
        try:
            maker.add(name, line)
        except _Wrong as wrong:
            if line.by == BY_CALLER:
                raise maker.refused(name, line, wrong.said) from None
            said.append(wrong.said)
    made = maker.made
    if not made.turns and any(line.by == BY_FILE for line in lines.values()) and not said:
        said.append(_nobody(next(iter(lines.values()))))
    return Checked(made if made.turns else NO_RULES, tuple(said))


def refuse_unknown(given: Mapping[str, str], *, document: str) -> None:
    """Refuse readings that no net has; of a net that could not be read no more is known."""
    for key in given:
        if not (_name(key) in {PLAYERS, STUCK, DRAW} or _name(key).endswith((WINS, LOSES))):
            raise no_such_reading(key.strip(), document, _offers(["NAME"]))


class _RulesMaker:
    def __init__(self, net: Net, document: str) -> None:
        self.made = NO_RULES
        self._net = net
        self._document = document

    def add(self, name: str, line: _Line) -> None:
        if name == PLAYERS:
            turns = self._turns(line)
            self.made = replace(self.made, turns=turns)
            choice, choices = line.value.strip(), (PLAYERS_FORM,)
        elif name == STUCK:
            choice, choices = self._stuck(line), _STUCK_CHOICES
            self.made = replace(self.made, stuck=Stuck(choice))
        else:
            name = self._word(name, line)
            result = Result(Atom(name), self._condition(line.value, line))
            self.made = replace(self.made, results=(*self.made.results, result))
            choice, choices = line.value.strip(), (CONDITION,)
        reading = Reading(name, choice, choices, line.reason, line.by)
        self.made = replace(self.made, readings=(*self.made.readings, reading))

    def _turns(self, line: _Line) -> tuple[Turns, ...]:
        parts = _NEXT_PLAYER.split(line.value.strip())[: MOST_PLAYERS + 1]
        found = [_WHEN.fullmatch(part.strip()) for part in parts]
        alone = line.value.strip()
        if len(parts) == 1 and found[0] is None and re.fullmatch(r"[^\W\d][\w ]*", alone):
            return (Turns(alone, None),)
        turns = [
            Turns(each["name"], self._condition(each["when"], line))
            for each in found
            if each is not None
        ]
        names = [each.name for each in turns]
        if len(turns) < len(parts) or len(parts) > MOST_PLAYERS:
            raise _Wrong(_players_wrong(line, "this does not say who plays, and when"))
        if len(set(names)) < len(names):
            raise _Wrong(_players_wrong(line, "a player is named twice"))
        return tuple(turns)

    def _stuck(self, line: _Line) -> str:
        text = " ".join(line.value.split()).casefold()
        if text not in _STUCK_CHOICES:
            raise _Wrong(not_a_choice(STUCK, line.value, choices=_STUCK_CHOICES, span=line.span))
        return text

    def _word(self, name: str, line: _Line) -> str:
        """The word for a result, with the name of the player as it was given."""
        if name == DRAW:
            return DRAW
        for ending in (WINS, LOSES):
            if name.endswith(ending):
                who = name.removesuffix(ending)
                player = next((t.name for t in self.made.turns if _name(t.name) == who), None)
                if player is None:
                    raise _Wrong(self._nobody_called(line, ending))
                return f"{player}{ending}"
        known = list(self.offers())
        near = nearest(name, known)
        listed = ", ".join(f"`{each}`" for each in known)
        raise _Wrong(
            Diagnostic(
                codes.UNKNOWN_READING,
                f"there is no reading `{line.key}` of a net",
                label_at(line.key_span, "not a reading"),
                notes=(f"the readings of nets are {listed}",),
                help=f"write `{near[0]}`" if near else None,
            )
        )

    def _nobody_called(self, line: _Line, ending: str) -> Diagnostic:
        names = [each.name for each in self.made.turns]
        return Diagnostic(
            codes.RESULT_NOT_UNDERSTOOD,
            f"nobody is called `{line.key.strip()[: -len(ending)]}`",
            label_at(line.key_span, "whose result is this?"),
            notes=(f"the players are {', '.join(names) or 'not known'}",),
            help=f"write `{(nearest(line.key, names) or names)[0]}{ending}`"
            if names
            else f"write `players: {PLAYERS_FORM}` first",
        )

    def _condition(self, text: str, line: _Line) -> Sets:
        line = _part(line, text)
        try:
            found = parse(text, self._net)
        except UsageError as error:
            raise _Wrong(_no_condition(str(error), line)) from error
        only = of_graphs_only(found)
        if only is not None:
            reason = f"`{only}` is about a graph, and not about one marking"
            raise _Wrong(_no_condition(reason, line))
        return found

    def refused(self, name: str, line: _Line, said: Diagnostic) -> WrongReading:
        """What a caller is told of a *line* that cannot be used."""
        if said.code is codes.UNKNOWN_READING:
            return no_such_reading(line.key, self._document, self.offers())
        if said.code is codes.UNKNOWN_CHOICE:
            return no_such_choice(name, line.value, _STUCK_CHOICES)
        more = f"; {said.help}" if said.help else ""
        return WrongReading(f"the reading `{line.key}` of {self._document}: {said.message}{more}")

    def offers(self) -> Mapping[str, tuple[str, ...]]:
        return _offers([each.name for each in self.made.turns] or ["NAME"])


def _offers(names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """The readings of a net whose players have these *names*, and their choices."""
    return {
        PLAYERS: (PLAYERS_FORM,),
        STUCK: _STUCK_CHOICES,
        **{f"{name}{ending}": (CONDITION,) for name in names for ending in (WINS, LOSES)},
        DRAW: (CONDITION,),
    }


def _part(line: _Line, text: str) -> _Line:
    """*line* with the place of *text* in it, where every character is as it was written."""
    at, span = line.value.find(text), line.span
    if span is None or span.end - span.start != len(line.value):
        return line
    return replace(line, span=Span(span.start + at, span.start + at + len(text)))


def _name(key: str) -> str:
    return re.sub(r"[\s_-]+", " ", key.strip()).casefold()


def _players_wrong(line: _Line, message: str) -> Diagnostic:
    return _said(
        codes.PLAYERS_NOT_UNDERSTOOD,
        message,
        line,
        help_=f"write `players: {PLAYERS_FORM}`, or one name for a puzzle",
    )


def _no_condition(reason: str, line: _Line) -> Diagnostic:
    return _said(
        codes.CONDITION_NOT_UNDERSTOOD,
        f"this condition is not understood: {reason}",
        line,
        help_="write what lies in a place, as in `turn has <.1.>` or `|done| == 3`, or what can "
        "fire, as in `enabled t`",
    )


def _twice(line: _Line, before: _Line) -> Diagnostic:
    first = label_at(before.span, "chosen here first")
    return replace(
        _said(
            codes.READING_TWICE,
            f"the reading `{line.key}` is chosen twice; the last choice is taken",
            line,
            help_="remove one of the two lines",
        ),
        secondary=() if first is None else (first,),
    )


def _nobody(line: _Line) -> Diagnostic:
    return _said(
        codes.PLAYERS_NOT_UNDERSTOOD,
        "nothing says who plays, so nothing that stands here is used",
        line,
        help_=f"write `players: {PLAYERS_FORM}`, or one name for a puzzle",
    )


def _said(code: Code, message: str, line: _Line, *, help_: str) -> Diagnostic:
    label = None if line.span is None else Label(line.span, "not used")
    return Diagnostic(code, message, label, help=help_)
