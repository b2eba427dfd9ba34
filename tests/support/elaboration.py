"""Documents for tests of the elaborator: what is said about them, and what comes out."""

from collections.abc import Mapping

from zermelo.languages.sections.ir import System
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.document import elaborate
from zermelo.languages.sections.printer import statement_to_text, to_text
from zermelo.languages.sections.read import document as sections
from zermelo.text.diagnostic import Checked, Diagnostic
from zermelo.text.source import Source


def game(
    *,
    sets: str = "",
    variables: str = "",
    facts: str = "",
    initial: str = "",
    rules: str = "pos ∈ Free → Mine = Mine ∪ {pos}",
    head: str = "Take(pos ∈ P)",
    more: str = "",
) -> str:
    """A small game of taking numbers, with lines added to its sections."""
    return "\n".join(
        [
            "Applicable Sets",
            *_lines("P : {1, 2, 3}", "B : {true, false}", sets),
            "System Variables",
            *_lines("Mine, Free ⊆ P", variables),
            "System Facts",
            *_lines("Free = P − Mine", facts),
            "System Initialization",
            *_lines("Mine = ∅", initial),
            "System States and Behavior",
            head,
            *_lines(rules),
            more,
            "",
        ]
    )


def _lines(*texts: str) -> list[str]:
    return [f"  {line}" for text in texts for line in text.splitlines()]


def elaborated(text: str, choices: Mapping[str, str] | None = None) -> Checked[System]:
    """What elaborating *text* gives, with the caller's *choices*."""
    source = Source("document.md", text)
    document = sections.parse(source).value
    assert document is not None
    given = readings.FromCaller(choices or {}, "").choices
    return elaborate(document, source, choices=given)


def system(text: str, choices: Mapping[str, str] | None = None) -> System:
    """The system that *text* describes."""
    value = elaborated(text, choices).value
    assert value is not None
    return value


def said(text: str, code: str) -> list[str]:
    """The messages with *code* about *text*."""
    return [d.message for d in elaborated(text).diagnostics if d.code.id == code]


def only(text: str, code: str) -> Diagnostic:
    """The one diagnostic with *code* about *text*."""
    (found,) = [d for d in elaborated(text).diagnostics if d.code.id == code]
    return found


def errors(text: str) -> list[str]:
    """The messages of the errors in *text*."""
    return [d.message for d in elaborated(text).diagnostics if d.is_error]


def set_text(described: System, name: str) -> str:
    """The definition of the set called *name*."""
    return next(to_text(s.value) for s in described.sets if s.name == name)


def definition(described: System, name: str) -> str | None:
    """What the variable called *name* is computed from."""
    variable = described.variable(name)
    assert variable is not None
    return None if variable.definition is None else to_text(variable.definition)


def start(described: System, name: str) -> str | None:
    """What the variable called *name* starts at."""
    variable = described.variable(name)
    assert variable is not None
    return None if variable.initial is None else to_text(variable.initial)


def body(described: System, name: str) -> list[str]:
    """The statements of the procedure called *name*."""
    procedure = described.procedure(name)
    assert procedure is not None
    return [statement_to_text(statement) for statement in procedure.body]


def choice(described: System, name: str) -> str | None:
    """What was chosen for the reading called *name*."""
    return next((r.choice for r in described.readings if r.name == name), None)
