"""Which lines are headings, however they are dressed up.

A heading is *canonical* when it has the usual words ("System Facts"), and *short* when
it has only their essence ("Facts"), whose worth depends on the rest of the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from zermelo.text.budget import spend
from zermelo.text.errors import distance

LONGEST: Final = 160
_STEPS_OF_A_HEADING: Final = 140


class SectionKind(Enum):
    """The sections of a document; the value is the canonical heading."""

    SETS = "Applicable Sets"
    VARIABLES = "System Variables"
    FACTS = "System Facts"
    INITIALISATION = "System Initialization"
    BEHAVIOUR = "System States and Behavior"
    READING = "Reading"
    ERRATA = "Errata"
    VIEW = "View"
    PROPERTIES = "Properties"


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that opens a section."""

    kind: SectionKind
    style: str
    """How it is dressed; headings of one document are dressed alike."""
    is_canonical: bool = True
    near: str = ""
    """The canonical words, where the line has them only nearly."""
    content: int | None = None
    """Where the first item begins, if it stands on the heading's own line."""


# One pattern over the words of a line for each kind; `[sz]` and `u?` are the two spellings.
_PHRASES: Final[tuple[tuple[SectionKind, str], ...]] = (
    (SectionKind.SETS, r"applicable sets?"),
    (SectionKind.VARIABLES, r"system variables?"),
    (SectionKind.FACTS, r"system facts?"),
    (SectionKind.INITIALISATION, r"system initiali[sz]ations?|system initial (?:states?|values?)"),
    (SectionKind.BEHAVIOUR, r"(?:system )?states? (?:and )?behaviou?rs?|system behaviou?rs?"),
)
_SHORT: Final[tuple[tuple[SectionKind, str], ...]] = (
    (SectionKind.SETS, r"sets?|definitions?|domains?|constants?"),
    (SectionKind.VARIABLES, r"variables?|declarations?"),
    (SectionKind.FACTS, r"facts?|invariants?|axioms?"),
    (
        SectionKind.INITIALISATION,
        r"initiali[sz]ations?|initial (?:states?|values?|conditions?|configuration|position)"
        r"|initially|start|starting (?:states?|values?|position)|set ?up",
    ),
    (
        SectionKind.BEHAVIOUR,
        r"behaviou?rs?|states|(?:state )?transitions?|procedures?|operations?|rules|moves|actions",
    ),
)
_OWN: Final[Mapping[str, SectionKind]] = {
    "reading": SectionKind.READING,
    "readings": SectionKind.READING,
    "errata": SectionKind.ERRATA,
    "erratum": SectionKind.ERRATA,
    "view": SectionKind.VIEW,
    "properties": SectionKind.PROPERTIES,
    "property": SectionKind.PROPERTIES,
}
_FILLER_TEXT: Final = """
a all an and applicable are as basic below by defined definition definitions facts following follows
for game given global here in initialization is list main of our part section sets specification
state system the these this to used variables with
"""
_FILLERS: Final = frozenset(_FILLER_TEXT.split())
_CANONICAL: Final[Mapping[str, SectionKind]] = {
    **{"".join(kind.value.casefold().split()): kind for kind, _ in _PHRASES},
    "systeminitialisation": SectionKind.INITIALISATION,
    "systemstatesandbehaviour": SectionKind.BEHAVIOUR,
}

_MARKS: Final = re.compile(
    r"""^(?P<indent>\s*)
    (?P<lead>(?:[-*+•–—▪◦‣·●○>]\s+|\\item\b(?:\[[^\]]*\])?\s*)*)
    (?P<hash>\#{1,6}(?!\#)\s*)?
    (?P<number>(?:\(?(?:\d{1,2}(?:\.\d{1,2})*|[IVXivx]{1,4}|[A-Za-z])[.):]+\s+|\d{1,2}(?:\.\d{1,2})*\s+)?)""",
    re.VERBOSE,
)
_NUMBER: Final = re.compile(r"^\(?(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}|[A-Z])[.):]+\s+")
_COMMANDS: Final = re.compile(
    r"\\(?:(?P<strong>(?:sub){0,2}section|paragraph|chapter|textbf|mathbf|underline|bf(?:series)?)"
    r"|text(?:it|sc|rm)?|emph|mathrm|mathit|noindent|item|large|Large|LARGE|huge|normalsize)\b\*?"
)
_TAGS: Final = re.compile(r"</?(?:h[1-6]|b|strong|u|em|i|p|center|span|div|br)\b[^<>]{0,40}>", re.I)
_DRESS: Final = re.compile(r"[*_`${}~\"“”]|&nbsp;|&emsp;|\\[,;: ]|\\\\\s*$")
_BRACKETED: Final = re.compile(r"\([^()]*\)\s*$")
_OPENING: Final = frozenset(
    {"sets", "variables", "facts", "initially", "initialisation", "initialization", "values"}
    | {"state", "conditions", "position"}
)
_HEAD: Final = re.compile(r"[^\W\d_]\([^()]*\)")
"""What can be called is no heading, though it be called ``Start()`` or ``Setup()``."""
_MATH: Final = re.compile(r"[=∈∉⊆∪∩×∧∨¬→↔∅∀∃≤≥≠|<>{}()\[\];+^/\\]|\d")
_INLINE: Final = re.compile(
    r"""^[\s\#*_>•–—▪◦‣·●○-]*(?:\(?\w{1,3}[.)]\s+)?(?:\\(?:textbf|(?:sub)*section\*?)\{)?[*_]*
    (?P<words>[A-Za-z]+(?:[ \t]+[A-Za-z]+){0,4})(?:[*_]*\}?[ \t]*:|\.[*_]+|\.\})[*_ \t]*(?=\S)""",
    re.VERBOSE,
)


def heading(line: str) -> Heading | None:
    """The heading that *line* is, or none.

    >>> heading("## 2. System Facts:").kind.name, heading("Sets T and M are rows") is None
    ('FACTS', True)
    """
    if len(line) > LONGEST or not line.strip():
        return None
    spend(_STEPS_OF_A_HEADING, "looking for headings")
    style, bare = _undressed(line)
    if _HEAD.search(line):
        return None
    if _MATH.search(bare):
        return _with_content(line, style)
    words = re.findall(r"[^\W\d_]+", bare)
    if not words or len(words) > 12:
        return None
    return (
        _canonical(words, style, bare)
        or _own(words, style)
        or _short(words, style, bare)
        or _torn(words, style)
    )


def title(line: str) -> tuple[str, str]:
    """How *line* is dressed, and its words if it can be a heading; else nothing.

    >>> title("## Start")[1], title("## x = 1")[1]
    ('Start', '')
    """
    if len(line) > LONGEST or not line.strip():
        return "", ""
    spend(_STEPS_OF_A_HEADING, "looking for headings")
    style, bare = _undressed(line)
    words = re.findall(r"[^\W\d_]+", bare)
    is_title = 0 < len(words) <= 8 and not _MATH.search(bare) and not bare.endswith((".", ",", ";"))
    return style, bare if is_title else ""


def chosen(found: Iterable[tuple[int, Heading]]) -> dict[int, Heading]:
    """The headings, by line, that count as such among all that were *found*.

    A short one is only the label of a few lines where the document has a
    canonical one for the same section, or opened the section in another dress.
    """
    pairs = list(found)
    canonical = {each.kind for _, each in pairs if each.is_canonical}
    styles: dict[SectionKind, str] = {}
    kept: dict[int, Heading] = {}
    for line, each in pairs:
        if not each.is_canonical:
            first = styles.setdefault(each.kind, each.style)
            if each.kind in canonical or each.style != first:
                continue
        kept[line] = each
    return kept


def _undressed(line: str) -> tuple[str, str]:
    marks = _MARKS.match(line)
    assert marks is not None  # every part of the pattern is optional
    bare = line[marks.end() :]
    strong = marks["hash"].strip() if marks["hash"] else ""
    commands = [found["strong"] for found in _COMMANDS.finditer(bare) if found["strong"]]
    if commands:
        strong = commands[0]
    elif _TAGS.search(bare):
        strong = strong or "tag"
    elif bare.startswith(("**", "__")) or bare.rstrip(" :").endswith("**"):
        strong = strong or "**"
    bare = _COMMANDS.sub(" ", bare)
    bare = _DRESS.sub(" ", _TAGS.sub(" ", bare)).strip()
    bare = _NUMBER.sub("", bare)
    bare = _BRACKETED.sub("", bare).rstrip()
    if bare.endswith((":", ":-", ":–")):
        bare = bare.rstrip(":-–").rstrip()
        strong = strong or ":"
    elif strong == "**":
        # `**Variables.**` opens a paragraph.
        bare = bare.removesuffix(".").rstrip()
    lead = marks["lead"].strip()[:1]
    indent = len(marks["indent"].expandtabs(4))
    return f"{strong or 'plain'} {lead}{'#' if marks['number'].strip() else ''} {indent}", bare


def _is_strong(style: str) -> bool:
    return not style.startswith(("plain ", ": "))


def _canonical(words: Sequence[str], style: str, bare: str) -> Heading | None:
    spoken = " ".join(words).casefold()
    for kind, pattern in _PHRASES:
        found = re.search(rf"\b(?:{pattern})\b", spoken)
        if not found:
            continue
        around = (spoken[: found.start()] + " " + spoken[found.end() :]).split()
        if not around:
            return Heading(kind, style)
        if bare.endswith((".", ",", ";", "?", "!")):
            return None
        at = len(spoken[: found.start()].split())
        phrase = words[at : at + len(found.group().split())]
        is_titled = all(word[0].isupper() or word in {"and"} for word in phrase)
        # Two of three signs suffice.
        signs = (_is_strong(style), is_titled, set(around) <= _FILLERS)
        return Heading(kind, style) if sum(signs) >= 2 else None
    return None


def _own(words: Sequence[str], style: str) -> Heading | None:
    kind = _OWN.get(words[0].casefold()) if len(words) == 1 else None
    is_titled = words[0][0].isupper() or _is_strong(style)
    return Heading(kind, style) if kind is not None and is_titled else None


def _short(words: Sequence[str], style: str, bare: str) -> Heading | None:
    is_titled = words[0][0].isupper() or style[0] != "p"
    if len(words) > 5 or not is_titled or bare.endswith((".", ",", ";", "?", "!")):
        return None
    spoken = " ".join(words).casefold()
    for kind, pattern in _SHORT:
        found = re.search(rf"\b(?:{pattern})\b", spoken)
        if not found:
            continue
        around = set((spoken[: found.start()] + " " + spoken[found.end() :]).split())
        if around <= _FILLERS:
            return Heading(kind, style, is_canonical=False)
    return None


def _torn(words: Sequence[str], style: str) -> Heading | None:
    letters = "".join(words).casefold()
    if not 8 <= len(letters) <= 30 or len(words) > 8:
        return None
    kind = _CANONICAL.get(letters)
    if kind is not None:
        return Heading(kind, style)
    for canonical, kind in _CANONICAL.items():
        # That all letters but two or so are shared is quicker to see than the distance.
        is_alike = (
            abs(len(canonical) - len(letters)) <= 2
            and (Counter(letters) - Counter(canonical)).total() <= 2
        )
        if is_alike and distance(letters, canonical, most=2) <= 2:
            return Heading(kind, style, near=kind.value)
    return None


def _with_content(line: str, style: str) -> Heading | None:
    found = _INLINE.match(line)
    if found is None:
        return None
    words = found["words"].split()
    kind = _CANONICAL.get("".join(words).casefold())
    if kind is not None:
        return Heading(kind, style, content=found.end())
    short = _short(words, ": ", "")
    if short is None or words[-1].casefold() not in _OPENING or not words[0][0].isupper():
        # `Start : {1, 2}` and `Moves : {1, 2}` are sets, and `Rules: …` is a label.
        return None
    return replace(short, content=found.end())
