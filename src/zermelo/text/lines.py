r"""A text as lines without their dress, and the settings ``key: value`` on them.

What is left of each line keeps its place. A line of the text gives several here where it
has line breaks of its own (``\\``, ``<br>``) or several bullets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from zermelo.text import codes
from zermelo.text.budget import spend
from zermelo.text.codes import Severity
from zermelo.text.diagnostic import Diagnostic, Label
from zermelo.text.headings import SectionKind
from zermelo.text.source import NOWHERE, Source, Span, width


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """What stands on one line, or on a part of it."""

    number: int
    span: Span
    """The content, without bullet, dress and comment."""
    whole: Span
    """The content with its bullet, which is a minus if the line before is unfinished."""
    margin: int
    """The cell in which the line begins, its bullet included."""
    column: int
    """The cell in which its content begins."""
    bullet: str = ""
    is_after_blank: bool = False
    display: int = 0
    """The number of the displayed formula that it is a part of; 0 for none."""
    is_ended: bool = False
    """Whether a line break of LaTeX or HTML stands behind it."""
    comment: str = ""
    comment_span: Span | None = None

    @property
    def is_empty(self) -> bool:
        return self.span.start >= self.span.end


@dataclass(frozen=True, slots=True)
class Setting:
    """``key: value`` in a Reading, View or Properties section, with an optional reason.

    A property may do without the colon.
    """

    key: str
    value: str
    reason: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    key_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    value_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


_STEPS_OF_A_LINE: Final = 100
# Documents come from anybody: what repeats gives nothing back (`*+`) where two neighbours could
# match the same characters, as otherwise a long line is tried in every way to share them out.
_FENCE: Final = re.compile(r"\s*+(?:`{3,}+|~{3,}+)\s*+[\w+-]*+\s*+$")
_RULE: Final = re.compile(r"\s*+([-=_*])(?:[ \t]*+\1){2,}+\s*+$")
_TABLE: Final = re.compile(r"\s*+\|?(?:\s*+:?-{2,}+:?\s*+\|)++\s*+:?-*+:?\s*+$")
_TEX: Final = re.compile(r"\\(?:documentclass|begin\s*\{document\}|usepackage|section\*?\s*\{)")
# Commands that only arrange things: the line is as if it were not there.
_SETUP: Final = re.compile(
    r"\s*\\(?:documentclass|usepackage|maketitle|newpage|clearpage|pagebreak|vspace|hrule|centering"
    r"|noindent|bigskip|medskip|smallskip|setlength|pagestyle|newcommand|renewcommand|geometry"
    r"|date|hline|toprule|midrule|bottomrule|tableofcontents|raggedright|small|large|par)\b"
    r"\*?(?:\[[^\]]*\]|\{[^{}]*\})*\s*$"
)
_ENVIRONMENT: Final = re.compile(
    r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}(?:\[[^\]\n]{0,200}\])?(?:\{[lcr|@ .]*\})?"
)
_DISPLAYED: Final = re.compile(
    "(?:align|aligned|equation|gather|gathered|displaymath|math|multline|eqnarray)[*]*"
)
_BREAK: Final = re.compile(r"\\\\(?:\[[^\]]{0,12}\])?(?![A-Za-z{|])|<br\s*/?>", re.IGNORECASE)
_BLANK: Final = (
    r"(?:[\s\u200b\u2060\ufeff]|&(?:emsp|ensp|nbsp|thinsp);|\\q?quad\b|\\(?:hspace|hskip)\*?\{[^{}]*\}"
    r"|\\[\[ ,;:!]|\\noindent\b|\\hfill\b|~(?=\s))"
)
_INDENT: Final = re.compile(rf"(?:{_BLANK}|\$+(?={_BLANK}))*")
_TITLED: Final = re.compile(r"\\(?:(?:sub){0,2}section|(?:sub)?paragraph|chapter)\*?\s*\{")
_BULLET: Final = re.compile(
    r"""(?:
      \\item\b(?:\[[^\](]*\])?
    | [•▪◦‣●○∙·►]
    | [-–—*+](?=\s)
    | [-–—](?=[^\s\d>\-–—.=])
    | >(?=\s+[^\s\d])
    | \#{1,6}(?=\s)
    | (?:\d{1,3}(?:\.\d{1,2})*[.)]|[ivx]{1,4}[.)]|[A-Za-z][.)])(?=\s)
    | \((?:\d{1,2}|[ivx]{1,4}|[a-z])\)(?=\s+[\w$\\*(|¬∃∀~!])
      (?!\s+(?:(?:and|or|in|mod|implies|iff)\b|[xXUV]\s+[\w({\\$]))
      (?!\s+\\(?:wedge|vee|land|lor|rightarrow|to|cup|cap|leftrightarrow|in|leq?|geq?|neq|Rightarrow)\b)
      (?!\s+\||\s+~|\s+\\/|\s+!=)
    )""",
    re.VERBOSE,
)
_SLASHES: Final = re.compile(r"(?:^|(?<=\s))//+[ \t]?(.*)$")
_OTHER_MARKS: Final = re.compile(
    r"(?:(?:^|(?<=\s))--|(?<=\S[ \t])[ \t]++\#)[ \t]++(?!(?:and|or|then)\b)(?=[^\W_]|[(\"'“])(.*)$"
)
"""Words behind ``--``, as in SQL, or a ``#`` that stands apart, as in Python.

Behind ``x --`` a conclusion may go on, and a ``#`` at the beginning opens a heading.
"""
_REMARK: Final = re.compile(r"(?:\\quad\s*+)?\\remark\{(.*)\}\s*$")
"""A remark in a LaTeX file that Zermelo has written."""
_PERCENT: Final = re.compile(r"(?<!\\)%+[ \t]?(.*)$")
_INNER_BULLET: Final = re.compile(r"(?<=\s)[•▪‣●](?=\s)")
_QUOTED: Final = re.compile(r"[\"“][^\"“”\n]*[\"”]")


def lines(source: Source) -> tuple[DocumentLine, ...]:
    return tuple(_Undressing(source).lines())


def is_latex(source: Source) -> bool:
    """Whether *source* is a LaTeX file, in which ``%`` begins a comment."""
    return source.name.endswith(".tex") or bool(_TEX.search(source.text))


def is_table_rule(text: str) -> bool:
    """Whether *text* is the line between the header of a Markdown table and its rows."""
    return bool(_TABLE.match(text))


class _Undressing:
    """One walk over the lines of a text; displayed formulas and comments span several."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._is_latex = is_latex(source)
        self._is_display = False
        self._display = 0
        self._is_commented = False

    def lines(self) -> Iterator[DocumentLine]:
        is_after_blank = False
        for number in range(1, self._source.line_count + 1):
            found = list(self._parts(number))
            # A line with markup only is no blank line either.
            if not found and not self._source.line(number).strip():
                is_after_blank = True
            for each in found:
                yield replace(each, is_after_blank=is_after_blank)
                is_after_blank = False

    def _parts(self, number: int) -> Iterator[DocumentLine]:
        bounds = self._source.line_span(number)
        text = self._source.slice(bounds)
        spend(_STEPS_OF_A_LINE + len(text), "looking at lines", bounds)
        if _FENCE.match(text) or _RULE.match(text) or _TABLE.match(text) or _SETUP.match(text):
            return
        text = self._without_remarks(text)
        comment, comment_span, text = self._comment(text, bounds.start)
        is_display_before = self._is_display
        text = self._without_environments(text)
        breaks = list(_BREAK.finditer(text))
        starts = [0, *(found.end() for found in breaks)]
        ends = [*(found.start() for found in breaks), len(text)]
        cuts = [
            (part, end < len(text))
            for start, end in zip(starts, ends, strict=True)
            for part in _at_bullets(text, start, end)
        ]
        is_display = is_display_before or self._is_display
        margin: int | None = None
        for (start, end), is_ended in cuts:
            line = self._line(text, number, Span(start, end), margin=margin)
            if line is None:
                continue
            margin = line.margin if margin is None else margin
            line = replace(line, is_ended=is_ended, display=self._display if is_display else 0)
            if comment_span:
                line = replace(line, comment=comment, comment_span=comment_span)
                comment_span = None
            yield line
        if comment_span and comment:
            nothing = Span(comment_span.start, comment_span.start)
            column = width(self._source.text[bounds.start : nothing.start])
            line = DocumentLine(number, nothing, nothing, column, column)
            yield replace(line, comment=comment, comment_span=comment_span)

    def _without_remarks(self, text: str) -> str:
        """*text* with the remarks of HTML blanked out; they may span lines."""
        kept: list[str] = []
        at = 0
        while at < len(text):
            mark = "-->" if self._is_commented else "<!--"
            place = text.find(mark, at)
            end = len(text) if place < 0 else place + (3 if self._is_commented else 0)
            kept.append(" " * (end - at) if self._is_commented else text[at:end])
            if place < 0:
                break
            self._is_commented = not self._is_commented
            at = end
        return "".join(kept)

    def _comment(self, text: str, start: int) -> tuple[str, Span | None, str]:
        hidden = _QUOTED.sub(lambda found: "q" * len(found.group()), text)
        found = _SLASHES.search(hidden) or _OTHER_MARKS.search(hidden)
        if not found and self._is_latex:
            found = _REMARK.search(hidden) or _PERCENT.search(hidden)
        if not found:
            return "", None, text
        words = text[found.start(1) : found.end(1)].strip()
        if found.re is _REMARK:
            # Imported where a document has one: few are written in LaTeX.
            from zermelo.text.latex import unescaped  # noqa: PLC0415

            words = unescaped(words)
        span = Span(start + found.start(), start + len(text.rstrip()))
        return words, span, text[: found.start()]

    def _without_environments(self, text: str) -> str:
        def blank(found: re.Match[str]) -> str:
            if _DISPLAYED.fullmatch(found[2]):
                self._is_display = found[1] == "begin"
                self._display += self._is_display
            return " " * len(found.group())

        text = _ENVIRONMENT.sub(blank, text)
        for mark in re.findall(r"\$\$|\\\[|\\\]", text):
            self._is_display = mark == "\\[" or (mark == "$$" and not self._is_display)
            self._display += self._is_display
        return text

    def _line(
        self, text: str, number: int, part: Span, *, margin: int | None
    ) -> DocumentLine | None:
        """The content of *part*; *margin* is that of the part before it on its line."""
        base = self._source.line_span(number).start
        begin = _skip_blanks(text, part.start, part.end)
        at, bullet = begin, ""
        while found := _BULLET.match(text, at, part.end):
            bullet = bullet or found.group()
            at = _skip_blanks(text, found.end(), part.end)
        stop = _end(text, at, part.end)
        titled = _TITLED.match(text, at, stop)
        if titled and text[stop - 1] == "}":
            at, stop = titled.end(), _end(text, titled.end(), stop - 1)
        if not text[at:stop].strip("$ \t\\&{}[]" if self._is_latex else "$ \t\\&"):
            return None
        cells = _cells(text[part.start : begin])
        if margin is not None:
            # Behind a line break the blank that follows it is no indentation.
            cells = margin + max(0, cells - 1)
        return DocumentLine(
            number,
            Span(base + at, base + stop),
            Span(base + begin, base + stop),
            cells,
            cells + _cells(text[begin:at]),
            bullet,
        )


def _at_bullets(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of *text* from *start* to *end*, each but the first behind a bullet."""
    cuts = [match.start() for match in _INNER_BULLET.finditer(text, start, end)]
    while cuts and not text[start : cuts[0]].strip():
        cuts.pop(0)
    return list(zip([start, *cuts], [*cuts, end], strict=True))


def _skip_blanks(text: str, at: int, end: int) -> int:
    found = _INDENT.match(text, at, end)
    return found.end() if found else at


def _end(text: str, at: int, end: int) -> int:
    """Where the content ends: behind it may be blanks and a Markdown line break."""
    stop = at + len(text[at:end].rstrip())
    if text.endswith("\\]", at, stop):
        stop = at + len(text[at : stop - 2].rstrip())
    if text.endswith("\\", at, stop) and not text.endswith("\\\\", at, stop):
        stop = at + len(text[at : stop - 1].rstrip())
    return stop


def _cells(text: str) -> int:
    """The cells that leading *text* takes on the page, where `&emsp;` is a blank too."""
    text = re.sub(r"&(?:emsp|ensp);|\\q?quad\b|\\(?:hspace|hskip)\*?\{[^{}]*\}", "    ", text)
    text = re.sub(r"&(?:nbsp|thinsp);|\\[ ,;:!]", " ", text)
    return width(text.replace("$", ""))


_EXAMPLES: Final = {
    SectionKind.READING: "write a setting such as `order: in order` or `end: when over`",
    SectionKind.VIEW: "write a setting such as `board: P` or `rows: up`",
    SectionKind.PROPERTIES: "write `always`, `sometimes` or `never`, and a formula",
}
_ASKED: Final = re.compile(r"\W*(always|sometimes|never)\b[\s*_:：]*", re.IGNORECASE)


def setting(source: Source, line: DocumentLine, kind: SectionKind) -> Setting | Diagnostic:
    text = source.slice(line.span)
    if kind is SectionKind.PROPERTIES:
        return _property(line, text)
    colon = _colon(text)
    key = text[: max(colon, 0)].strip(" *_`")
    value = text[colon + 1 :].strip(" *_`") if colon >= 0 else ""
    if not key or not value:
        return Diagnostic(
            codes.SETTING_NOT_UNDERSTOOD,
            f"this line of the {kind.value} section is no setting",
            primary=Label(line.span, "looked for: a name, a colon, a choice"),
            help=_EXAMPLES.get(kind),
        )
    key_start = line.span.start + text.index(key)
    value_start = line.span.start + text.index(value, colon + 1)
    return Setting(
        " ".join(key.split()),
        " ".join(value.split()),
        line.comment,
        key_span=Span(key_start, key_start + len(key)),
        value_span=Span(value_start, value_start + len(value)),
        span=line.span,
    )


def _property(line: DocumentLine, text: str) -> Setting | Diagnostic:
    found = _ASKED.match(text)
    formula = "" if found is None else text[found.end() :].strip(" *_`")
    if found is None or not formula:
        return Diagnostic(
            codes.SETTING_NOT_UNDERSTOOD,
            f"this line of the {SectionKind.PROPERTIES.value} section is no property",
            primary=Label(line.span, "looked for: always, sometimes or never, and a formula"),
            help=_EXAMPLES[SectionKind.PROPERTIES],
            severity=Severity.WARNING,
        )
    start = line.span.start + text.index(formula, found.end())
    return Setting(
        found[1].casefold(),
        " ".join(formula.split()),
        line.comment,
        key_span=Span(line.span.start + found.start(1), line.span.start + found.end(1)),
        value_span=Span(start, start + len(formula)),
        span=line.span,
    )


def _colon(text: str) -> int:
    """The place of the first colon outside brackets and quotation marks; -1 if there is none."""
    level = 0
    is_quoted = False
    for place, char in enumerate(text):
        if char in '"“”':
            is_quoted = not is_quoted
        elif char in "([{":
            level += 1
        elif char in ")]}":
            level -= 1
        elif char in ":：" and level <= 0 and not is_quoted:
            return place
    return -1
