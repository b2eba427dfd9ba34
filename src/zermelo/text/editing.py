"""What an editor asks about a text: tokens, symbols to type, places, and the text as mathematics.

All of it is data. Formulas are trees of MathML: whoever shows one makes one element of each node.
Texts are texts, whatever characters they have; only the tags listed here are ever there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from zermelo.text.diagnostic import Json
from zermelo.text.render import shown_in_xml
from zermelo.text.source import Span, visible


class Highlight(Enum):
    """What a token is, for whoever shows it in colours."""

    HEADING = "heading"
    PROSE = "prose"
    COMMENT = "comment"
    SET = "set"
    VARIABLE = "variable"
    PROCEDURE = "procedure"
    """A procedure, a function, a transition."""
    LOCAL = "local"
    """A parameter, or a name that is bound where it stands."""
    WORD = "word"
    """A name that nothing declares: a value, or words of a description."""
    CONSTANT = "constant"
    NUMBER = "number"
    TEXT = "text"
    OPERATOR = "operator"
    KEYWORD = "keyword"
    BRACKET = "bracket"
    KEY = "key"
    """The name of a setting, or a directive."""
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class SourceToken:
    """A stretch of a text, and what it is."""

    kind: Highlight
    span: Span

    def to_json(self) -> list[Json]:
        """As short as it can be: there are thousands of them."""
        return [self.span.start, self.span.end, self.kind.value]


def in_row(tokens: Iterable[SourceToken]) -> tuple[SourceToken, ...]:
    """*tokens* by their places, without empty ones and those that overlap an earlier one."""
    found: list[SourceToken] = []
    for each in sorted(tokens, key=lambda token: (token.span.start, -token.span.end)):
        is_free = not found or each.span.start >= found[-1].span.end
        if is_free and each.span.start < each.span.end:
            found.append(each)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class TypedSymbol:
    r"""A sign that few keyboards have, and how it may be typed."""

    text: str
    commands: tuple[str, ...] = ()
    r"""What is typed behind a backslash, as ``in`` or ``subseteq``."""
    spellings: tuple[str, ...] = ()
    """What else is read as it."""

    def to_json(self) -> dict[str, Json]:
        return {
            "text": self.text,
            "commands": list(self.commands),
            "spellings": list(self.spellings),
        }


@dataclass(frozen=True, slots=True)
class BoundName:
    """A name that has no value of its own in a state, and what it stands for."""

    name: str
    role: str
    """As in ``each member of P`` or ``a parameter of Move, from P``."""


@dataclass(frozen=True, slots=True)
class ExpressionAt:
    """The expression at a place of a document."""

    text: str
    """As it could be typed."""
    span: Span
    bound: tuple[BoundName, ...] = ()
    """Those of its names that are bound around it."""


# Mathematics


class MathTag(Enum):
    """The elements of MathML that are used; the first five have text, the others children."""

    NAME = "mi"
    NUMBER = "mn"
    OPERATOR = "mo"
    WORDS = "mtext"
    ROW = "mrow"
    SUPERSCRIPT = "msup"
    SUBSCRIPT = "msub"
    UNDER = "munder"
    TABLE = "mtable"
    TABLE_ROW = "mtr"
    TABLE_CELL = "mtd"


class Form(Enum):
    """How an operator stands, where its place in the row would not tell."""

    PREFIX = "prefix"
    INFIX = "infix"
    POSTFIX = "postfix"


@dataclass(frozen=True, slots=True)
class MathNode:
    """An element: a text, or others in it."""

    tag: MathTag
    text: str = ""
    children: tuple[MathNode, ...] = ()
    span: Span | None = None
    """What of the document it shows, if that is an expression or a name."""
    form: Form | None = None

    @property
    def content(self) -> str:
        """All its text, one piece behind the other."""
        return self.text + "".join(child.content for child in self.children)

    def nodes(self) -> Iterator[MathNode]:
        """Itself and everything inside, outermost first."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def to_json(self) -> dict[str, Json]:
        made: dict[str, Json] = {"tag": self.tag.value}
        if self.span is not None:
            made["span"] = [self.span.start, self.span.end]
        if self.form is not None:
            made["form"] = self.form.value
        if self.children:
            made["children"] = [child.to_json() for child in self.children]
        else:
            made["text"] = visible(self.text)
        return made

    def to_xml(self) -> str:
        """The element as text of MathML, inside of ``math``."""
        form = "" if self.form is None else f' form="{self.form.value}"'
        inside = shown_in_xml(self.text) + "".join(child.to_xml() for child in self.children)
        return f"<{self.tag.value}{form}>{inside}</{self.tag.value}>"


class BlockKind(Enum):
    """What a block of a document is."""

    TITLE = "title"
    HEADING = "heading"
    PROSE = "prose"
    FORMULA = "formula"
    SETTING = "setting"
    SOURCE = "source"
    """What was not understood, as it stands in the document."""


@dataclass(frozen=True, slots=True)
class MathBlock:
    """A heading, a paragraph or a formula of a document."""

    kind: BlockKind
    span: Span
    text: str = ""
    """Its words; of a formula none."""
    math: MathNode | None = None
    note: str = ""
    """Words that stand behind it."""
    level: int = 0
    """How far it is indented: what belongs to a procedure stands below its head."""

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind.value,
            "span": [self.span.start, self.span.end],
            "level": self.level,
            "text": visible(self.text),
            "math": None if self.math is None else self.math.to_json(),
            "note": visible(self.note),
        }
