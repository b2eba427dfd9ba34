"""Nets in PROD's language: texts become a net as it was written, directive by directive.

A part that is not understood is said and left out; reading goes on at the next directive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from zermelo.languages.nets import ir
from zermelo.languages.nets.read.prod import tree
from zermelo.languages.nets.read.prod.c_parser import declarations
from zermelo.languages.nets.read.prod.expressions import (
    ExpressionReader,
    NotUnderstood,
    meant,
    shown,
)
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
    "precedences of transitions": ("prec", "prio"),
    "synonyms": ("synonym",),
    "testers": ("test", "reject"),
    "formulas in temporal logic": ("ltl", "ctl"),
    "verification on the fly": ("verif", "dead", "infinite", "visib", "monitor"),
    "stubborn sets": ("stub",),
    "fairness": ("fair", "strong", "weak"),
}


@dataclass(frozen=True, slots=True)
class ProdDocument:
    """A net as it was written, and all the texts it is written in."""

    document: tree.NetDocument
    texts: NetTexts


def parse(source: Source, path: Path | None = None) -> Checked[ProdDocument]:
    """The net in *source*; where that is a file, *path* is its place.

    What is said has its places in the row of ``WrittenNet.texts``, whose ``located`` moves
    them into the document.
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
    parts = _DirectiveParser(tokens, said)
    parts.run()
    declared = [*declarations(parts.c, said)]
    for name in files.c_sources():
        declared.extend(_beside(name, texts, files, said))
    if not parts.places and not parts.transitions and not said:
        said.append(
            Diagnostic(
                codes.NO_NET,
                "there is no place and no transition in this net",
                primary=Label(Span(0, min(1, len(source.text)))),
                help="write `#place NAME mk(<..>)` and `#trans NAME … #endtr`, "
                "each on lines of its own",
            )
        )
    name = source.name.rpartition("/")[2].rpartition(".")[0] or source.name
    document = tree.NetDocument(
        name,
        tuple(parts.places),
        tuple(parts.transitions),
        tuple(parts.constants),
        tuple(declared),
        tuple(preprocessor.macros.names),
        tuple(preprocessor.macros.leading_back),
        files.folder,
    )
    return Checked(ProdDocument(document, texts), tuple(_once(said)))


def _beside(
    name: str, texts: NetTexts, files: DocumentFiles, said: list[Diagnostic]
) -> tuple[tree.Declaration, ...]:
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


class _DirectiveParser:
    def __init__(self, tokens: Sequence[NetToken], said: list[Diagnostic]) -> None:
        self._cursor = ExpressionReader(tokens)
        self._said = said
        self.places: list[tree.PlaceDirective] = []
        self.transitions: list[tree.TransitionDirective] = []
        self.constants: list[tree.EnumConstant] = []
        self.c: list[NetToken] = []
        """What stands between the directives: C."""

    def run(self) -> None:
        while self._cursor.now.kind is not TokenKind.END:
            if self._cursor.now.kind is not TokenKind.DIRECTIVE:
                self.c.append(self._cursor.take())
                continue
            directive = self._cursor.take()
            try:
                self._directive(directive)
            except NotUnderstood as fault:
                self._said.append(fault.said)
                self._skip(directive)

    def _directive(self, directive: NetToken) -> None:
        match directive.text:
            case "place":
                self.places.append(self._place(directive))
            case "trans":
                self.transitions.append(self._transition(directive))
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
        cursor = self._cursor
        if directive.text != "trans":
            while not cursor.is_at_line_end and cursor.now.kind is not TokenKind.DIRECTIVE:
                cursor.take()
            return
        while cursor.now.kind is not TokenKind.END and not cursor.now.is_directive(*_DIRECTIVES):
            cursor.take()
        if cursor.now.is_directive("endtr"):
            cursor.take()

    def _place(self, directive: NetToken) -> tree.PlaceDirective:
        cursor = self._cursor
        self._level(directive)
        name = cursor.name("a place")
        bounds: dict[str, tree.Tuple] = {}
        initial: tree.Marking | None = None
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
            if word.text in bounds or (word.text == "mk" and initial is not None):
                raise _at(word, f"`{word.text}` is said a second time", "leave one of them out")
            cursor.expect("(", after=f"behind `{word.text}`")
            if word.text == "mk":
                initial = self._marking()
            else:
                bounds[word.text] = self._tuple()
            cursor.expect(")", after=f"at the end of `{word.text}`")
        if not cursor.is_at_line_end and cursor.now.kind is not TokenKind.DIRECTIVE:
            raise cursor.fault(
                f"{shown(cursor.now)} says nothing about a place",
                "`lo`, `hi` or `mk` belongs here",
                help_=_PLACE_FORM,
            )
        return tree.PlaceDirective(
            name.text, bounds.get("lo"), bounds.get("hi"), initial or (), span=name.span
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

    def _enum(self) -> None:
        cursor = self._cursor
        while True:
            name = cursor.name("a constant")
            self.constants.append(tree.EnumConstant(name.text, span=name.span))
            if cursor.is_at_line_end:
                return
            cursor.takes(",")

    def _transition(self, directive: NetToken) -> tree.TransitionDirective:
        cursor = self._cursor
        self._level(directive)
        name = cursor.name("a transition")
        inputs: list[tree.Arc] = []
        outputs: list[tree.Arc] = []
        lets: list[tree.LetClause] = []
        gates: list[ir.Expr] = []
        while not cursor.now.is_directive("endtr"):
            word = cursor.now
            if word.kind in (TokenKind.END, TokenKind.DIRECTIVE):
                raise _not_closed(name, word)
            cursor.take()
            match word.text:
                case "in" | "out" as clause:
                    (inputs if clause == "in" else outputs).extend(self._arcs(clause))
                case "let":
                    lets.append(self._let(word))
                case "gate":
                    gates.append(cursor.expression())
                    cursor.check_comma("write `&&` where both must hold")
                    cursor.expect(";", after="behind the gate")
                case "loss" | "cp" | "queue" as clause:
                    raise _extension(word, f"`{clause}`", "a transition of PROD has no such clause")
                case ";":
                    pass
                case _:
                    raise _no_clause(word)
        cursor.take()
        return tree.TransitionDirective(
            name.text, tuple(inputs), tuple(outputs), tuple(lets), tuple(gates), span=name.span
        )

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
            does = "depends on the marking of another place"
            if cursor.now.text == "reset":
                does = "empties a place"
            raise _extension(cursor.now, f"an arc that {does}", None)
        marking = self._marking()
        return tree.Arc(name.text, marking, span=name.span.to(cursor.before.span))

    def _let(self, word: NetToken) -> tree.LetClause:
        cursor = self._cursor
        names = self._tuple()
        cursor.expect("<=", after="in `let <. … .> <= …`")
        marking = self._marking()
        end = cursor.expect(";", after="behind the `let`")
        return tree.LetClause(names, marking, span=word.span.to(end.span))

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
        components: list[ir.Component] = []
        while not cursor.now.is_sign(".>"):
            components.append(self._component())
            if not cursor.takes(","):
                break
            if cursor.now.is_sign(".>"):
                raise cursor.fault("a component is missing behind the comma", "the tuple ends here")
        end = cursor.expect(".>", after="at the end of the tuple")
        return tree.Tuple(tuple(components), span=start.span.to(end.span))

    def _component(self) -> ir.Component:
        low = self._cursor.expression()
        if not self._cursor.takes(".."):
            return low
        high = self._cursor.expression()
        return ir.Interval(low, high, span=low.span.to(high.span))


def _at(token: NetToken, message: str, help_: str) -> NotUnderstood:
    return NotUnderstood(codes.NET_NOT_UNDERSTOOD, message, token.span, "here", help_)


def _no_clause(word: NetToken) -> NotUnderstood:
    if word.kind is not TokenKind.NAME:
        return _at(
            word,
            f"{shown(word)} begins no clause; `in`, `out`, `let` and `gate` do",
            f"leave {shown(word)} out, or write one of these words before it",
        )
    return NotUnderstood(
        codes.NET_NOT_UNDERSTOOD,
        f"`{word.text}` begins no clause of a transition",
        word.span,
        "`in`, `out`, `let` or `gate` belongs here",
        meant(word.text, _CLAUSES),
    )


def _not_closed(name: NetToken, found: NetToken) -> NotUnderstood:
    return NotUnderstood(
        codes.TRANSITION_NOT_CLOSED,
        f"the transition `{name.text}` has no `#endtr`",
        name.span,
        "it begins here",
        "write `#endtr` behind its last clause",
        notes=(f"{shown(found)} comes before one",),
    )


def _extension(token: NetToken, what: str, help_: str | None) -> NotUnderstood:
    message = f"{what} is an extension of LIP6's tools, and no part of PROD's language"
    return NotUnderstood(codes.OTHER_EXTENSION, message, token.span, "not read", help_)


def _unknown(directive: NetToken) -> NotUnderstood:
    word = directive.text
    if word == "queue":
        return _extension(directive, "`#queue`", None)
    for what, starts in _FORM_NOT_KNOWN.items():
        if word.lower().startswith(starts):
            return NotUnderstood(
                codes.FORM_NOT_KNOWN,
                f"PROD has {what}, but the form of `#{word}` is not known here",
                directive.span,
                "so this is not read",
                "leave it out if the plain reachability graph is wanted",
                notes=("the chapter of the reference manual about it could not be had",),
            )
    message = f"`#{word}` is no directive that is known here"
    near = nearest(word, (*_DIRECTIVES, *_PREPARED))
    help_ = f"is `#{near[0]}` meant?" if near else None
    return NotUnderstood(codes.UNKNOWN_DIRECTIVE, message, directive.span, "not known", help_)
