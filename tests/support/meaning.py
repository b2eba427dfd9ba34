"""Documents for tests of meaning: parsed, elaborated, played a little."""

from collections.abc import Mapping

from zermelo.core.state import Move, State
from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import players, readings
from zermelo.languages.sections.mean.document import elaborate
from zermelo.languages.sections.read import document as sections
from zermelo.languages.sections.read.grammar.tree import SectionsDocument
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.headings import SectionKind
from zermelo.text.lines import Setting
from zermelo.text.source import Source

MOST_TURNS = 300


def parsed(text: str) -> SectionsDocument:
    """The tree of *text*."""
    document = sections.parse(Source("document.md", text)).value
    assert document is not None
    return document


def meant(text: str, choices: Mapping[str, str] | None = None) -> System:
    """The system that *text* describes, with the caller's *choices*."""
    given = readings.FromCaller(choices or {}, "").choices
    source = Source("document.md", text)
    checked = elaborate(parsed(text), source, choices=given)
    assert checked.value is not None, [d.message for d in checked.diagnostics]
    return checked.value


def turns(system: System) -> list[tuple[State, Move, State]]:
    """The first turns of *system*, all of a state before those of the next."""
    machine = Interpreter(system)
    waiting, seen = [machine.initial], {machine.initial}
    found: list[tuple[State, Move, State]] = []
    while waiting and len(found) < MOST_TURNS:
        state = waiting.pop(0)
        for move in machine.legal(state):
            after = machine.after(state, move)
            found.append((state, move, after))
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def with_players(text: str, choices: Mapping[str, str] | None = None) -> Checked[System]:
    """The system that *text* describes, with its players found by playing."""
    system = meant(text, choices)
    caller = readings.FromCaller(choices or {}, "").choices
    document = readings.from_settings(settings(text, SectionKind.READING)).value or {}
    return players.with_players(system, turns(system), given=readings.merged(document, caller))


def settings(text: str, kind: SectionKind) -> list[Setting]:
    """The settings in the sections of this *kind*."""
    return [
        item
        for section in parsed(text).sections
        if section.kind is kind
        for item in section.items
        if isinstance(item, Setting)
    ]


def codes_of(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """The codes of what was said."""
    return [diagnostic.code.id for diagnostic in diagnostics]
