"""XML as a tree with places, read so that a document can do no harm; faults of its elements.

A document type, and with it every entity and every reference to another file, is
refused before it means anything. What is not well-formed is said at its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from zermelo.text import budget, codes
from zermelo.text.codes import Code
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.source import NOWHERE, Source, Span

MOST_DEEP: Final = 5_000
"""Elements inside each other; sums of two by two need two for each summand."""
MOST_LETTERS: Final = 10_000
"""Of the name of something, and of an attribute: whatever is said of a net quotes them."""
_STEPS_AN_ELEMENT: Final = 10
"""What reading an element counts for, and all that is made of it,"""
_STEPS_AN_ATTRIBUTE: Final = 2
"""and each of its attributes."""
_SHOWN: Final = 40
"""Characters that are pointed at of a name that is too long."""
MOST_NESTED: Final = 100
"""Terms inside each other, and sorts; what is read by a call for each level stops there."""


@dataclass(slots=True)
class Element:
    """An element: its name without prefix, its attributes, what is in it, and where it begins."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    text: str = ""
    start: int | None = None
    end: int = 0

    @property
    def span(self) -> Span:
        return NOWHERE if self.start is None else Span(self.start, self.end)

    def all(self, *tags: str) -> Iterator[Element]:
        return (child for child in self.children if child.tag in tags)

    def find(self, *path: str) -> Element | None:
        """The first child called ``path[0]``, in it the first called ``path[1]``, and so on."""
        found: Element | None = self
        for tag in path:
            found = None if found is None else next(found.all(tag), None)
        return found

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def words(self, *path: str) -> str:
        found = self.find(*path)
        return "" if found is None else found.text.strip()


class PnmlFault(Exception):
    """A text or a part of a net that cannot be read; the diagnostic says why."""

    def __init__(
        self,
        code: Code,
        message: str,
        span: Span,
        label: str = "",
        *,
        help_: str | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, Label(span, label), secondary, help=help_)


def read(source: Source) -> Checked[Element]:
    try:
        return Checked(_XmlReader(source).root())
    except PnmlFault as refused:
        return Checked(None, (refused.diagnostic,))


class _XmlReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._data = source.text.encode("utf-8", "surrogatepass")
        self._is_ascii = len(self._data) == len(source.text)
        self._reached = (0, 0)
        """A byte of the text, and how many characters come before it."""
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._root: Element | None = None
        # The text is decoded already, whatever encoding it says it has.
        self._parser = expat.ParserCreate("utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.EntityDeclHandler = self._doctype
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def root(self) -> Element:
        try:
            self._parser.Parse(self._data, True)  # noqa: FBT003 - expat's way to say it is all
        except expat.ExpatError as error:
            raise self._not_well_formed(error) from error
        assert self._root is not None, "a text without an element is not well-formed"
        return self._root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= MOST_DEEP:
            raise PnmlFault(
                codes.TOO_DEEP,
                f"elements are nested more than {MOST_DEEP:,} deep",
                self._here(name),
                help_="operators may have more than two operands: write them side by side",
            )
        steps = _STEPS_AN_ELEMENT + _STEPS_AN_ATTRIBUTE * len(attributes)
        budget.spend(steps, "reading the elements")
        here = self._here(name)
        for text in (name, *attributes, *attributes.values()):
            self._check_length(text, here)
        if any(":" in key for key in attributes):
            attributes = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        made = Element(name.rpartition(":")[2], attributes, [], "", here.start, here.end)
        if self._open:
            self._open[-1].children.append(made)
        else:
            self._root = made
        self._open.append(made)
        self._texts.append([])

    def _end(self, _: str) -> None:
        ended = self._open.pop()
        ended.text = "".join(self._texts.pop())
        if self._open and self._open[-1].tag == "name":
            self._check_length(ended.text, ended.span)

    def _check_length(self, name: str, span: Span) -> None:
        if len(name) > MOST_LETTERS:
            raise PnmlFault(
                codes.TOO_LARGE,
                f"this name has {len(name):,} characters, and at most {MOST_LETTERS:,} are read",
                Span(span.start, min(span.end, span.start + _SHOWN)),
                help_="give it a shorter name",
            )

    def _characters(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)

    def _doctype(self, *_: object) -> None:
        raise PnmlFault(
            codes.XML_DOCTYPE,
            "the document declares a document type, which nets do not need",
            self._here("!DOCTYPE"),
            "entities and other files are never read",
            help_="delete the line that begins with `<!DOCTYPE`",
        )

    def _here(self, name: str) -> Span:
        start = self._offset(self._parser.CurrentByteIndex)
        return Span(start, min(start + len(name) + 1, len(self._source.text)))

    def _offset(self, byte: int) -> int:
        if self._is_ascii:
            return byte
        # Places come in order, so that only what lies between two of them is counted.
        known, offset = self._reached if byte >= self._reached[0] else (0, 0)
        offset += len(self._data[known:byte].decode("utf-8", "replace"))
        self._reached = (byte, offset)
        return offset

    def _not_well_formed(self, error: expat.ExpatError) -> PnmlFault:
        at = min(self._offset(max(0, self._parser.ErrorByteIndex)), len(self._source.text))
        said = expat.errors.messages.get(error.code, str(error))
        inside, opened = "", list[Label]()
        if self._open:
            around = self._open[-1]
            inside = f"inside `<{around.tag}>`"
            if around.span.start < at:
                opened.append(Label(around.span, "begins here"))
        return PnmlFault(
            codes.XML_NOT_WELL_FORMED,
            f"this is not well-formed XML: {said}",
            Span(at, min(at + 1, len(self._source.text))),
            inside,
            secondary=tuple(opened),
            help_="repair the text there, or write the net again with the program that made it",
        )


WRITE_AGAIN: Final = "add it, or write the net again with the program that made it"


def missing(element: Element, what: str) -> PnmlFault:
    shown = f"`{what}`" if what.isidentifier() and what.islower() and len(what) <= 12 else what
    message = f"`<{element.tag}>` lacks {shown}"
    return PnmlFault(codes.PNML_MISSING, message, element.span, help_=WRITE_AGAIN)


def not_understood(element: Element, what: str) -> PnmlFault:
    message = f"`<{element.tag}>` is not understood here"
    return PnmlFault(codes.PNML_UNKNOWN, message, element.span, f"{what} are not read")


def too_deep(element: Element) -> PnmlFault:
    return PnmlFault(
        codes.TOO_DEEP,
        f"`<{element.tag}>` is nested too deeply",
        element.span,
        help_=f"at most {MOST_NESTED} may stand inside each other; `add`, `and` and `or` may have "
        "many operands",
    )


def not_there(element: Element, name: str, what: str, known: Iterable[str]) -> PnmlFault:
    near = nearest(name, known)
    help_ = f"did you mean `{near[0]}`?" if near else f"declare a {what} with this id"
    return PnmlFault(
        codes.PNML_NOTHING_THERE, f"there is no {what} `{name}`", element.span, help_=help_
    )
