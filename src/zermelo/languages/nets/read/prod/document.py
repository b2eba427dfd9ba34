"""Nets in PROD's language: texts become a net as it was written, directive by directive.

A part that is not understood is said and left out; reading goes on at the next directive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_parser import declarations
from zermelo.languages.nets.read.prod.expressions import ExpressionReader, NotUnderstood, shown
from zermelo.languages.nets.read.prod.lexer import NetToken, TokenKind
from zermelo.languages.nets.read.prod.preprocessor import Preprocessor
from zermelo.languages.nets.read.prod.sources import DocumentFiles, FileNotRead, NetTexts
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.source import Source, Span

_DIRECTIVE: Final = re.compile(r"^[ \t]*#[ \t]*[a-z]+", re.MULTILINE)
_PROSE: Final = re.compile(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+")
_DIRECTIVES: Final = ("place", "trans", "endtr", "enum")
_PREPARED: Final = ("define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif")
_CLAUSES: Final = ("in", "out", "let", "gate")
_ATTRIBUTES: Final = ("lo", "hi", "mk")
_PLACE_FORM: Final = "a place is written as `#place NAME lo(<.0.>) hi(<.9.>) mk(<.1.>)`"
# Chapters of the reference manual, and what relatives of the program call such things.
_FORM_NOT_KNOWN: Final = {
    "prec": "precedences of transitions",
    "prio": "precedences of transitions",
    "synonym": "synonyms",
    "test": "testers",
    "reject": "testers",
    "ltl": "formulas in temporal logic",
    "ctl": "formulas in temporal logic",
    "verif": "verification on the fly",
    "dead": "verification on the fly",
    "infinite": "verification on the fly",
    "visib": "verification on the fly",
    "stub": "stubborn sets",
    "fair": "fairness",
    "strong": "fairness",
    "weak": "fairness",
    "monitor": "verification on the fly",
}


@dataclass(frozen=True, slots=True)
class WrittenNet:
    """A net as it was written, and all the texts it is written in."""

    document: tree.NetDocument
    texts: NetTexts


def parse(source: Source, path: Path | None = None) -> Checked[WrittenNet]:
    """The net in *source*; where that is a file, *path* is its place.

    What is said has its places in the row of ``Written.texts``, and
    ``Texts.located`` moves them into the document.
    """
    if not _DIRECTIVE.search(source.text) and _PROSE.search(source.text):
        return Checked(None, (_only_words(source),))
    said: list[Diagnostic] = []
    texts, files = NetTexts(), DocumentFiles(path, source)
    preprocessor = Preprocessor(texts, files, said)
    tokens = preprocessor.run(texts.add(source))
    if preprocessor.macros.is_too_much:
        # What was left out because of that is missing everywhere else.
        too_much = [each for each in said if each.code is codes.MACROS_WITHOUT_BOUND]
        return Checked(None, texts.located(too_much))
    parts = _DirectiveParser(tokens, said).run()
    declared = [*declarations(parts.c, said)]
    for name in files.c_sources():
        declared.extend(_beside(name, texts, files, said))
    if not parts.places and not parts.transitions and not said:
        said.append(_nothing(source))
    name = source.name.rpartition("/")[2].rpartition(".")[0] or source.name
    document = tree.NetDocument(
        name,
        tuple(parts.places),
        tuple(parts.transitions),
        tuple(parts.constants),
        tuple(declared),
        preprocessor.macros.names,
        preprocessor.macros.leading_back,
        files.folder,
    )
    return Checked(WrittenNet(document, texts), tuple(_once(said)))


def _beside(
    name: str, texts: NetTexts, files: DocumentFiles, said: list[Diagnostic]
) -> tuple[tree.Declaration, ...]:
    """What the C file called *name* declares."""
    found = files.read(name, beside="")
    if isinstance(found, FileNotRead):
        code = codes.FILE_OUTSIDE if found.is_outside else codes.FILE_NOT_INCLUDED
        said.append(Diagnostic(code, f"`{name}` cannot be read: {found.reason}", help=found.help))
        return ()
    tokens = Preprocessor(texts, files, said).run(texts.add(found))
    return declarations(tokens, said)


def _once(said: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """*said* with only the first word on how numbers are read."""
    is_said = False
    for each in said:
        if each.code is not codes.UNSIGNED_AS_SIGNED or not is_said:
            yield each
        is_said = is_said or each.code is codes.UNSIGNED_AS_SIGNED


def _only_words(source: Source) -> Diagnostic:
    first = len(source.text) - len(source.text.lstrip())
    end = source.text.find("\n", first)
    return Diagnostic(
        codes.NO_NET,
        "this text speaks of a net, and none is written in it",
        primary=Label(Span(first, end if end >= 0 else len(source.text))),
        notes=("no line begins with `#place` or `#trans`",),
        help="write the net in PROD's language, with lines such as `#place p mk(<..>)`; "
        "`zermelo games` names a net to look at",
    )


def _nothing(source: Source) -> Diagnostic:
    return Diagnostic(
        codes.NO_NET,
        "there is no place and no transition in this net",
        primary=Label(Span(0, min(1, len(source.text)))),
        help="write `#place NAME mk(<..>)` and `#trans NAME … #endtr`, each on lines of its own",
    )


@dataclass(slots=True)
class NetParts:
    """The parts of a net, as they are found."""

    places: list[tree.PlaceDirective] = field(default_factory=list)
    transitions: list[tree.TransitionDirective] = field(default_factory=list)
    constants: list[tree.EnumConstant] = field(default_factory=list)
    c: list[NetToken] = field(default_factory=list)
    """What stands between the directives: C."""


@dataclass(slots=True)
class _TransitionClauses:
    """The clauses of one transition."""

    inputs: list[tree.Arc] = field(default_factory=list)
    outputs: list[tree.Arc] = field(default_factory=list)
    lets: list[tree.LetClause] = field(default_factory=list)
    gates: list[ir.Expr] = field(default_factory=list)


class _DirectiveParser:
    def __init__(self, tokens: Sequence[NetToken], said: list[Diagnostic]) -> None:
        self._cursor = ExpressionReader(tokens)
        self._said = said
        self._parts = NetParts()

    def run(self) -> NetParts:
        while self._cursor.now.kind is not TokenKind.END:
            if self._cursor.now.kind is not TokenKind.DIRECTIVE:
                self._parts.c.append(self._cursor.take())
                continue
            directive = self._cursor.take()
            try:
                self._directive(directive)
            except NotUnderstood as fault:
                self._said.append(fault.said)
                self._skip(directive)
        return self._parts

    def _directive(self, directive: NetToken) -> None:
        match directive.text:
            case "place":
                self._parts.places.append(self._place(directive))
            case "trans":
                self._parts.transitions.append(self._transition(directive))
            case "enum":
                self._enum()
            case "endtr":
                raise _at(
                    directive,
                    "there is no `#trans` that this `#endtr` belongs to",
                    "leave it out, or write `#trans NAME` where the transition begins",
                )
            case _:
                raise _unknown(directive)

    def _skip(self, directive: NetToken) -> None:
        """Go on behind what *directive* began."""
        cursor = self._cursor
        if directive.text != "trans":
            while not cursor.is_at_line_end and cursor.now.kind is not TokenKind.DIRECTIVE:
                cursor.take()
            return
        while cursor.now.kind is not TokenKind.END and not cursor.now.is_directive(*_DIRECTIVES):
            cursor.take()
        if cursor.now.is_directive("endtr"):
            cursor.take()

    # Places

    def _place(self, directive: NetToken) -> tree.PlaceDirective:
        cursor = self._cursor
        self._level(directive)
        name = cursor.name("a place")
        parts: dict[str, tree.Tuple | tree.Marking] = {}
        while cursor.now.kind is TokenKind.NAME and (
            not cursor.is_at_line_end or cursor.now.text in _ATTRIBUTES
        ):
            word = cursor.now
            if word.text in ("cp", "queue", "loss"):
                raise _extension(word, f"`{word.text}`", "a place has no capacity in PROD")
            if word.text not in _ATTRIBUTES:
                raise cursor.fault(
                    f"`{word.text}` says nothing about a place; `lo`, `hi` and `mk` do",
                    "not understood",
                    help_=_PLACE_FORM,
                )
            cursor.take()
            if word.text in parts:
                raise _at(word, f"`{word.text}` is said a second time", "leave one of them out")
            cursor.expect("(", after=f"behind `{word.text}`")
            parts[word.text] = self._marking() if word.text == "mk" else self._tuple()
            cursor.expect(")", after=f"at the end of `{word.text}`")
        if not cursor.is_at_line_end and cursor.now.kind is not TokenKind.DIRECTIVE:
            raise cursor.fault(
                f"{shown(cursor.now)} says nothing about a place",
                "`lo`, `hi` or `mk` belongs here",
                help_=_PLACE_FORM,
            )
        low, high, initial = parts.get("lo"), parts.get("hi"), parts.get("mk", ())
        return tree.PlaceDirective(
            name.text,
            low if isinstance(low, tree.Tuple) else None,
            high if isinstance(high, tree.Tuple) else None,
            initial if isinstance(initial, tuple) else (),
            span=name.span,
        )

    def _level(self, directive: NetToken) -> None:
        """A level in brackets before the name, which LIP6's tools write."""
        cursor = self._cursor
        if not cursor.now.is_sign("("):
            return
        start = cursor.take()
        cursor.expression()
        end = cursor.expect(")", after="behind the level of a place")
        self._said.append(
            Diagnostic(
                codes.LEVEL_IGNORED,
                f"the level that `#{directive.text}` is given here is passed over",
                primary=Label(start.span.to(end.span), "a hint of LIP6's tools, no part of PROD"),
            )
        )

    # Constants

    def _enum(self) -> None:
        cursor = self._cursor
        while True:
            name = cursor.name("a constant")
            self._parts.constants.append(tree.EnumConstant(name.text, span=name.span))
            if cursor.is_at_line_end:
                return
            cursor.takes(",")

    # Transitions

    def _transition(self, directive: NetToken) -> tree.TransitionDirective:
        cursor = self._cursor
        self._level(directive)
        name = cursor.name("a transition")
        clauses = _TransitionClauses()
        while not cursor.now.is_directive("endtr"):
            token = cursor.now
            if token.kind in (TokenKind.END, TokenKind.DIRECTIVE):
                raise _not_closed(name, token)
            cursor.take()
            if token.is_sign(";"):
                continue
            self._clause(token, clauses)
        cursor.take()
        return tree.TransitionDirective(
            name.text,
            tuple(clauses.inputs),
            tuple(clauses.outputs),
            tuple(clauses.lets),
            tuple(clauses.gates),
            span=name.span,
        )

    def _clause(self, word: NetToken, clauses: _TransitionClauses) -> None:
        cursor = self._cursor
        match word.text:
            case "in":
                clauses.inputs.extend(self._arcs("in"))
            case "out":
                clauses.outputs.extend(self._arcs("out"))
            case "let":
                clauses.lets.append(self._let(word))
            case "gate":
                clauses.gates.append(cursor.expression())
                cursor.check_comma("write `&&` where both must hold")
                cursor.expect(";", after="behind the gate")
            case "loss" | "cp" | "queue":
                raise _extension(word, f"`{word.text}`", "a transition of PROD has no such clause")
            case _:
                raise _no_clause(word)

    def _arcs(self, clause: str) -> list[tree.Arc]:
        cursor = self._cursor
        cursor.expect("{", after=f"behind `{clause}`")
        arcs: list[tree.Arc] = []
        while not cursor.takes("}"):
            if cursor.takes(";"):
                continue
            word = cursor.now.text
            if word in {"in", "out"} and cursor.peek().is_sign("{"):
                raise cursor.fault(
                    f"`}}` is missing before `{word}`", f"the arcs of `{clause}` end before this"
                )
            arcs.append(self._arc())
            if not cursor.now.is_sign("}"):
                cursor.expect(";", after="behind this arc")
        return arcs

    def _arc(self) -> tree.Arc:
        cursor = self._cursor
        name = cursor.name("a place")
        if cursor.now.is_sign("<", "<=", ">", ">="):
            raise _extension(name, "an inhibitor arc", "test the tokens in a `gate` instead")
        cursor.expect(":", after=f"behind `{name.text}`")
        if cursor.now.kind is TokenKind.NAME and cursor.peek().is_sign(";", "}"):
            if cursor.now.text == "reset":
                raise _extension(cursor.now, "an arc that empties a place", None)
            raise _extension(
                cursor.now, "an arc that depends on the marking of another place", None
            )
        marking = self._marking()
        return tree.Arc(name.text, marking, span=name.span.to(cursor.before.span))

    def _let(self, word: NetToken) -> tree.LetClause:
        cursor = self._cursor
        names = self._tuple()
        cursor.expect("<=", after="in `let <. … .> <= …`")
        marking = self._marking()
        end = cursor.expect(";", after="behind the `let`")
        return tree.LetClause(names, marking, span=word.span.to(end.span))

    # Markings

    def _marking(self) -> tree.Marking:
        terms = [self._term()]
        while self._cursor.takes("+"):
            terms.append(self._term())
        if self._cursor.now.is_sign("-"):
            raise self._cursor.fault(
                "tokens cannot be subtracted in a sum",
                "only `+` stands between tuples",
                help_="a transition takes tokens in its `in`",
            )
        return tuple(terms)

    def _term(self) -> tree.TupleTerm:
        cursor = self._cursor
        start = cursor.now
        multiplicity: ir.Expr | None = None
        if start.is_sign("<"):
            raise cursor.fault(
                "a tuple `<. … .>` is missing here",
                "written with `<.` and `.>`",
                help_="write `<.1.>`, and `<..>` for the black token",
            )
        if not start.is_sign("<."):
            multiplicity = cursor.product()
            cursor.takes("*")
            if not cursor.now.is_sign("<."):
                raise cursor.fault(
                    "a tuple `<. … .>` is missing here",
                    f"{shown(cursor.now)} begins none",
                    help_="write the token's numbers between `<.` and `.>`, as in `<.1, x.>`",
                )
        found = self._tuple()
        return tree.TupleTerm(found, multiplicity, span=start.span.to(found.span))

    def _tuple(self) -> tree.Tuple:
        cursor = self._cursor
        start = cursor.expect("<.", after="at the beginning of a tuple")
        components: list[tree.Component] = []
        while not cursor.now.is_sign(".>"):
            components.append(self._component())
            if not cursor.takes(","):
                break
            if cursor.now.is_sign(".>"):
                raise cursor.fault("a component is missing behind the comma", "the tuple ends here")
        end = cursor.expect(".>", after="at the end of the tuple")
        return tree.Tuple(tuple(components), span=start.span.to(end.span))

    def _component(self) -> tree.Component:
        low = self._cursor.expression()
        if not self._cursor.takes(".."):
            return low
        high = self._cursor.expression()
        return ir.Interval(low, high, span=low.span.to(high.span))


def _at(token: NetToken, message: str, help_: str) -> NotUnderstood:
    label = Label(token.span, "here")
    return NotUnderstood(Diagnostic(codes.NET_NOT_UNDERSTOOD, message, primary=label, help=help_))


def _no_clause(word: NetToken) -> NotUnderstood:
    if word.kind is not TokenKind.NAME:
        return _at(
            word,
            f"{shown(word)} begins no clause; `in`, `out`, `let` and `gate` do",
            f"leave {shown(word)} out, or write one of these words before it",
        )
    near = nearest(word.text, _CLAUSES)
    return NotUnderstood(
        Diagnostic(
            codes.NET_NOT_UNDERSTOOD,
            f"`{word.text}` begins no clause of a transition",
            primary=Label(word.span, "`in`, `out`, `let` or `gate` belongs here"),
            help=f"is `{near[0]}` meant?" if near else None,
        )
    )


def _not_closed(name: NetToken, found: NetToken) -> NotUnderstood:
    return NotUnderstood(
        Diagnostic(
            codes.TRANSITION_NOT_CLOSED,
            f"the transition `{name.text}` has no `#endtr`",
            primary=Label(name.span, "it begins here"),
            notes=(f"{shown(found)} comes before one",),
            help="write `#endtr` behind its last clause",
        )
    )


def _extension(token: NetToken, what: str, help_: str | None) -> NotUnderstood:
    return NotUnderstood(
        Diagnostic(
            codes.OTHER_EXTENSION,
            f"{what} is an extension of LIP6's tools, and no part of PROD's language",
            primary=Label(token.span, "not read"),
            help=help_,
        )
    )


def _unknown(directive: NetToken) -> NotUnderstood:
    word = directive.text
    if word == "queue":
        return _extension(directive, "`#queue`", None)
    for start, what in _FORM_NOT_KNOWN.items():
        if word.lower().startswith(start):
            return NotUnderstood(
                Diagnostic(
                    codes.FORM_NOT_KNOWN,
                    f"PROD has {what}, but the form of `#{word}` is not known here",
                    primary=Label(directive.span, "so this is not read"),
                    notes=("the chapter of the reference manual about it could not be had",),
                    help="leave it out if the plain reachability graph is wanted",
                )
            )
    near = nearest(word, (*_DIRECTIVES, *_PREPARED))
    return NotUnderstood(
        Diagnostic(
            codes.UNKNOWN_DIRECTIVE,
            f"`#{word}` is no directive that is known here",
            primary=Label(directive.span, "not known"),
            help=f"is `#{near[0]}` meant?" if near else None,
        )
    )
