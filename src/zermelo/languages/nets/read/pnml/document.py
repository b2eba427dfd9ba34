"""What a PNML document means: pages, places, transitions and arcs become a net.

Place/transition nets and symmetric nets are read, as the Model Checking Contest uses
them. A part that cannot be used makes the whole net unusable, for a net without it is
another net; everything else that is wrong is said too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import Const, Interval, Net
from zermelo.languages.nets.read.pnml.sorts import DOT, Declarations, Named, Sort, agree, sort_text
from zermelo.languages.nets.read.pnml.terms import (
    Summand,
    Terms,
    black_tokens,
    no_text_alone,
    parts_of,
    term_in,
)
from zermelo.languages.nets.read.pnml.xml import (
    Element,
    PnmlFault,
    missing,
    not_there,
    not_understood,
)
from zermelo.languages.nets.run.bags import Bag, Token
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.source import Source

T = TypeVar("T")
_KINDS: Final = {"ptnet", "symmetricnet", "pt-hlpng"}
"""Of those that the standard names, the kinds whose nets are all understood."""
_ARC_KINDS: Final = {"type", "arctype", "arcType"}
"""Elements in which programs say of which kind an arc is."""
MOST_TOKENS: Final = 2**62
MOST_COLOURS: Final = 1_000_000
"""Colours that the first marking of one place may list."""
PARTS: Final = frozenset(
    {"place", "transition", "arc", "page", "referencePlace", "referenceTransition"}
)
_ANYWHERE: Final = frozenset({"name", "graphics", "toolspecific"})
_PAGE: Final = PARTS | _ANYWHERE | {"declaration"}
_TERM: Final = frozenset({"text", "structure", "graphics", "toolspecific"})
_NUMBER: Final = frozenset({"text", "graphics", "toolspecific"})
_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "pnml": frozenset({"net", "toolspecific"}),
    "net": _PAGE,
    "page": _PAGE,
    "place": _ANYWHERE | {"initialMarking", "type", "hlinitialMarking"},
    "transition": _ANYWHERE | {"condition"},
    "arc": _ANYWHERE | {"inscription", "hlinscription", "type", "arctype", "arcType"},
    "referencePlace": _ANYWHERE,
    "referenceTransition": _ANYWHERE,
    "initialMarking": _NUMBER,
    "inscription": _NUMBER,
    "hlinitialMarking": _TERM,
    "hlinscription": _TERM,
    "condition": _TERM,
    "type": _TERM,
    "declaration": _TERM,
}


def elaborate(root: Element, source: Source) -> Checked[Net]:
    """The net in the document whose root element is *root*."""
    if root.tag != "pnml":
        return Checked(None, (_not_a_net(root),))
    nets = list(root.all("net"))
    if not nets:
        return Checked(None, (_not_a_net(root),))
    said: list[Diagnostic] = []
    if len(nets) > 1:
        said.append(
            Diagnostic(
                codes.PNML_SECOND_NET,
                f"the document holds {len(nets)} nets; the first is taken",
                primary=Label(nets[1].span, "this one is left out"),
            )
        )
    kind = _kind(nets[0])
    if kind and kind not in _KINDS:
        said.append(
            Diagnostic(
                codes.PNML_OTHER_KIND,
                f"`{kind}` is a kind of net that is not read",
                primary=Label(nets[0].span),
                help="place/transition nets (`ptnet`) and symmetric nets (`symmetricnet`) are read",
            )
        )
        return Checked(None, tuple(said))
    reader = _NetReader(nets[0])
    net = reader.net(hashlib.sha256(source.text.encode("utf-8", "replace")).hexdigest())
    said += reader.said
    said += ignored_elements(root, source)
    is_whole = not any(each.is_error for each in said)
    return Checked(net if is_whole else None, tuple(said))


def _kind(net: Element) -> str:
    """The kind of *net*: the last part of the address by which the standard names it."""
    named = net.get("type").strip()
    return named.rpartition("/")[2] or named if "://" in named else named


def _not_a_net(root: Element) -> Diagnostic:
    return Diagnostic(
        codes.PNML_NOT_A_NET,
        f"the document is XML, but holds no net: its root is `<{root.tag}>`",
        primary=Label(root.span),
        help="a net stands in `<pnml><net>…</net></pnml>`",
    )


@dataclass(slots=True)
class _Ends:
    """The arcs of a transition while they are collected: terms by place."""

    inputs: dict[str, list[ir.Term]] = field(default_factory=dict)
    outputs: dict[str, list[ir.Term]] = field(default_factory=dict)
    names: dict[tuple[str, bool], str] = field(default_factory=dict)
    """The id of the first arc from a place, or to it."""

    def arcs(self, *, is_input: bool) -> tuple[ir.Arc, ...]:
        """The arcs from places, or to them."""
        found = self.inputs if is_input else self.outputs
        return tuple(
            ir.Arc(place, tuple(terms), label=self.names.get((place, is_input)))
            for place, terms in found.items()
        )


class _NetReader:
    """One net while it is read."""

    def __init__(self, net: Element) -> None:
        self._net = net
        self.said: list[Diagnostic] = []
        self._parts: dict[str, Element] = {}
        for element in _parts_in(net):
            self._note(element)
        self._declarations = self._tried(lambda: Declarations(_declared(net))) or Declarations(
            iter(())
        )
        self._sorts: dict[str, Sort] = {}
        self._tables: dict[str, ir.Table] = {}
        self._variables_known: dict[str, ir.Variable] | None = None

    def net(self, fingerprint: str) -> Net:
        places = [self._place(each) for each in self._all("place")]
        ends = {each.get("id"): _Ends() for each in self._all("transition")}
        readers: dict[str, Terms] = {name: self._terms() for name in ends}
        for arc in self._all("arc"):
            self._tried(lambda: self._arc(arc, ends, readers))  # noqa: B023 - called at once
        transitions = [
            self._transition(each, ends[each.get("id")], readers[each.get("id")])
            for each in self._all("transition")
        ]
        return Net(
            name=self._net.words("name", "text") or self._net.get("id") or "net",
            label=self._net.get("id") or None,
            places=tuple(each for each in places if each is not None),
            transitions=tuple(each for each in transitions if each is not None),
            tables=tuple(self._tables.values()),
            fingerprint=fingerprint,
        )

    def _tried(self, action: Callable[[], T]) -> T | None:
        try:
            return action()
        except PnmlFault as wrong:
            self.said.append(wrong.diagnostic)
            return None

    def _note(self, element: Element) -> None:
        name = element.get("id")
        if not name and element.tag != "arc":
            self.said.append(missing(element, "id").diagnostic)
        elif name in self._parts:
            self.said.append(
                Diagnostic(
                    codes.PNML_DECLARED_TWICE,
                    f"two parts of the net have the id `{name}`",
                    primary=Label(element.span, "the second one"),
                    secondary=(Label(self._parts[name].span, "the first one"),),
                )
            )
        self._parts.setdefault(name or f"arc at {element.span.start}", element)

    def _all(self, tag: str) -> list[Element]:
        return [each for each in self._parts.values() if each.tag == tag]

    # Places

    def _place(self, element: Element) -> ir.Place | None:
        return self._tried(lambda: self._made_place(element))

    def _made_place(self, element: Element) -> ir.Place:
        name = element.get("id")
        sort = self._place_sort(element)
        self._sorts[name] = sort
        initial = self._first_marking(element, sort)
        label = element.words("name", "text")
        return ir.Place(
            name,
            len(sort),
            initial,
            low=tuple(base.low for base in sort) or None,
            high=tuple(base.high for base in sort) or None,
            colours=tuple(base.names for base in sort),
            label=label if label and label != name else None,
            span=element.span,
        )

    def _place_sort(self, place: Element) -> Sort:
        kind = term_in(place, "type")
        if kind is not None:
            return self._declarations.sort(kind)
        no_text_alone(place, "type", "dot", "Dot")
        return DOT

    def _first_marking(self, place: Element, sort: Sort) -> Bag:
        term = term_in(place, "hlinitialMarking")
        if term is not None:
            return self._initial(term, sort, place)
        count = self._count(place.find("initialMarking"), default=0)
        if sort != DOT:
            no_text_alone(place, "hlinitialMarking")
            if count:
                raise _black_tokens_in(place, sort)
        count = black_tokens(place, "hlinitialMarking") or count
        return Bag((((), count),) if count else ())

    def _initial(self, term: Element, sort: Sort, place: Element) -> Bag:
        counts: dict[Token, int] = {}
        for summand in self._terms().bag(term):
            _check_sort(summand, sort, term, place)
            for token in _tokens(summand, term):
                if not all(b.low <= n <= b.high for n, b in zip(token, sort, strict=True)):
                    raise not_understood(term, "colours of another sort than that of the place")
                counts[token] = counts.get(token, 0) + summand.count
        for token, count in counts.items():
            if count < 0:
                raise _less_than_none(term, place, token, sort)
        if sum(counts.values()) > MOST_TOKENS:
            raise _not_a_count(term, f"{sum(counts.values())} tokens")
        return Bag.of(counts)

    def _count(self, element: Element | None, *, default: int) -> int:
        """The number of black tokens that the text of *element* gives."""
        text = "" if element is None else element.words("text") or element.text.strip()
        if element is None or not text:
            return default
        try:
            count = int(text.split(",")[-1])
        except ValueError:
            raise _not_a_count(element, f"`{text[:40]}`") from None
        if not 0 <= count <= MOST_TOKENS:
            raise _not_a_count(element, f"`{text[:40]}`")
        return count

    # Arcs and transitions

    def _terms(self) -> Terms:
        return Terms(self._declarations, self._tables)

    def _resolved(self, element: Element, attribute: str) -> Element:
        """What the end of an arc is, references followed."""
        name, seen = element.get(attribute), list[str]()
        while True:
            found = self._parts.get(name)
            if name in seen:
                raise _circle(element, seen[seen.index(name) :])
            if found is None:
                known = [name for name, each in self._parts.items() if each.tag != "arc"]
                raise not_there(element, name, "place or transition", known)
            if found.tag not in {"referencePlace", "referenceTransition"}:
                return found
            seen.append(name)
            name = found.get("ref")

    def _arc(self, arc: Element, ends: dict[str, _Ends], readers: dict[str, Terms]) -> None:
        source, target = self._resolved(arc, "source"), self._resolved(arc, "target")
        _check_kind(arc)
        tags = (source.tag, target.tag)
        if tags not in {("place", "transition"), ("transition", "place")}:
            raise PnmlFault(
                Diagnostic(
                    codes.PNML_UNKNOWN,
                    f"an arc leads from a {source.tag} to a {target.tag}",
                    primary=Label(arc.span),
                    help="arcs lead from a place to a transition, or back",
                )
            )
        is_input = source.tag == "place"
        place, transition = (source, target) if is_input else (target, source)
        end = ends[transition.get("id")]
        if arc.get("id"):
            end.names.setdefault((place.get("id"), is_input), arc.get("id"))
        terms = (end.inputs if is_input else end.outputs).setdefault(place.get("id"), [])
        terms += self._inscription(arc, place, readers[transition.get("id")])

    def _inscription(self, arc: Element, place: Element, reader: Terms) -> Iterator[ir.Term]:
        term, sort = term_in(arc, "hlinscription"), self._sorts.get(place.get("id"))
        if term is not None:
            for summand in reader.bag(term):
                _check_sort(summand, sort, term, place)
                if abs(summand.count) > MOST_TOKENS:
                    raise _not_a_count(term, f"{summand.count}")
                yield ir.Term(Const(summand.count), summand.components, span=arc.span)
            return
        if sort:
            no_text_alone(arc, "hlinscription")
            raise missing(arc, "an inscription")
        written = black_tokens(arc, "hlinscription")
        count = self._count(arc.find("inscription"), default=1) if written is None else written
        yield ir.Term(Const(count, span=arc.span), (), span=arc.span)

    def _transition(self, element: Element, ends: _Ends, reader: Terms) -> ir.Transition | None:
        condition = self._tried(lambda: self._condition(element, reader))
        gates = () if condition is None else (condition,)
        used = _variables(gates, ends)
        variables = self._tried(lambda: self._variables(used))
        name, label = element.get("id"), element.words("name", "text")
        return ir.Transition(
            name,
            variables=variables or (),
            inputs=ends.arcs(is_input=True),
            outputs=ends.arcs(is_input=False),
            gates=gates,
            label=label if label and label != name else None,
            span=element.span,
        )

    def _condition(self, transition: Element, reader: Terms) -> ir.Expr | None:
        term = term_in(transition, "condition")
        if term is not None:
            return reader.condition(term)
        no_text_alone(transition, "condition")
        return None

    def _variables(self, used: list[str]) -> tuple[ir.Variable, ...]:
        """Those of the declared variables that are *used*, each with its sort."""
        if not used:
            return ()
        if self._variables_known is None:
            self._variables_known = self._all_variables()
        known = self._variables_known
        return tuple(known[name] for name in used if name in known)

    def _all_variables(self) -> dict[str, ir.Variable]:
        known: dict[str, ir.Variable] = {}
        for named in self._named():
            parts = parts_of(named.name, named.sort)
            for name, base in zip(parts, named.sort, strict=True):
                known[name] = ir.Variable(
                    name, base.low, base.high, base.names, span=named.element.span
                )
        return known

    def _named(self) -> Iterator[Named]:
        for element in _declared(self._net):
            if element.tag == "variabledecl":
                asked = Element("variable", {"refvariable": element.get("id")}, span=element.span)
                yield self._declarations.variable(asked)


def _parts_in(element: Element) -> Iterator[Element]:
    """Places, transitions and arcs, on pages within pages too."""
    return (child for child in _in_pages(element) if child.tag in PARTS)


def _in_pages(element: Element) -> Iterator[Element]:
    """What stands in *element*, and instead of pages what stands in them, in order."""
    waiting = element.children[::-1]
    while waiting:
        child = waiting.pop()
        if child.tag == "page":
            waiting += reversed(child.children)
        else:
            yield child


def _declared(element: Element) -> Iterator[Element]:
    """The declarations of the net and of its pages."""
    for child in _in_pages(element):
        if child.tag == "declaration":
            found = child.find("structure", "declarations") or child.find("structure")
            yield from [] if found is None else found.children


def _variables(gates: tuple[ir.Expr, ...], ends: _Ends) -> list[str]:
    """The variables that a transition uses, each once, inputs first."""
    found: dict[str, None] = {}
    arcs = [*ends.inputs.values(), *ends.outputs.values()]
    for terms in arcs:
        for term in terms:
            for part in term.components:
                if not isinstance(part, Interval):
                    _note_variables(part, found)
    for gate in gates:
        _note_variables(gate, found)
    return list(found)


def _note_variables(expr: ir.Expr, found: dict[str, None]) -> None:
    match expr:
        case ir.Var(name):
            found[name] = None
        case ir.Unary(_, operand):
            _note_variables(operand, found)
        case ir.Binary(_, left, right):
            _note_variables(left, found)
            _note_variables(right, found)
        case ir.Element(_, indexes):
            for index in indexes:
                _note_variables(index, found)
        case _:
            return


def _check_sort(summand: Summand, sort: Sort | None, term: Element, place: Element) -> None:
    """That the colours of a term may lie in *place*; nobody knows if it has no *sort*."""
    if sort is None or agree(summand.sort, sort):
        return
    found, name = sort_text(summand.sort), place.get("id")
    if place.find("type") is None:
        raise PnmlFault(
            Diagnostic(
                codes.PNML_MISSING,
                f"the place `{name}` has no `<type>`, and a term of sort `{found}` is for it",
                primary=Label(term.span),
                secondary=(Label(place.span, "the place"),),
                help="give it a `<type>`; without one its tokens are black",
            )
        )
    raise PnmlFault(
        Diagnostic(
            codes.PNML_SORTS,
            f"the term is of sort `{found}`, and the place `{name}` of sort `{sort_text(sort)}`",
            primary=Label(term.span),
            secondary=(Label(place.span, "the place"),),
        )
    )


def _check_kind(arc: Element) -> None:
    """That *arc* is no inhibitor arc, nor of another kind that some program has."""
    said = [(arc, arc.get("type"))]
    said += [(each, each.get("value") or each.words("text")) for each in arc.all(*_ARC_KINDS)]
    for element, kind in said:
        if kind not in {"", "normal"}:
            raise not_understood(element, f"{kind[:40]} arcs")


def _circle(element: Element, names: list[str]) -> PnmlFault:
    shown = [f"`{name}`" for name in (*names[:5], *(names[:1] if len(names) <= 5 else ()))]
    return PnmlFault(
        Diagnostic(
            codes.PNML_NOTHING_THERE,
            f"the references {' → '.join(shown)}{'' if len(names) <= 5 else ' → …'} go in a circle",
            primary=Label(element.span),
            help="let one of them refer to a place or a transition",
        )
    )


def _black_tokens_in(place: Element, sort: Sort) -> PnmlFault:
    part = place.find("initialMarking") or place
    return PnmlFault(
        Diagnostic(
            codes.PNML_SORTS,
            f"black tokens are put into the place `{place.get('id')}` of sort `{sort_text(sort)}`",
            primary=Label(part.span),
            help="say in an `<hlinitialMarking>` of which colours they are",
        )
    )


def _less_than_none(term: Element, place: Element, token: Token, sort: Sort) -> PnmlFault:
    parts = zip(token, sort, strict=True)
    shown = (str(n) if base.names is None else base.names[n - base.low] for n, base in parts)
    return PnmlFault(
        Diagnostic(
            codes.PNML_NUMBER,
            f"the first marking of `{place.get('id')}` has less than none of <.{','.join(shown)}.>",
            primary=Label(term.span),
            help="take off only what is there",
        )
    )


def _tokens(summand: Summand, element: Element) -> list[Token]:
    """The colours that a summand of a first marking stands for."""
    found: list[Token] = [()]
    values: Sequence[int]
    for part in summand.components:
        match part:
            case Const(value):
                values = [value]
            case Interval(Const(low), Const(high)):
                values = range(low, high + 1)
            case _:
                raise not_understood(element, "first markings with variables")
        if len(found) * len(values) > MOST_COLOURS:
            raise not_understood(element, f"first markings of more than {MOST_COLOURS:,} colours")
        found = [(*token, value) for token in found for value in values]
    return found


def _not_a_count(element: Element, what: str) -> PnmlFault:
    return PnmlFault(
        Diagnostic(
            codes.PNML_NUMBER,
            f"{what} is not a number of tokens",
            primary=Label(element.span),
            help="write a whole number from 0 on",
        )
    )


def ignored_elements(root: Element, source: Source) -> Iterator[Diagnostic]:
    """A warning for each kind of element that stands where it means nothing, at its first place.

    Arcs by another name are not understood, for a net without them is another net.
    """
    found: dict[str, list[tuple[Element, Element]]] = {}
    for parent, child in _strangers(root):
        found.setdefault(_written(child, source), []).append((parent, child))
    for name, places in found.items():
        parent, first = places[0]
        if first.get("source") and first.get("target"):
            yield not_understood(first, "arcs of this kind").diagnostic
            continue
        near = nearest(first.tag, sorted(_INSIDE[parent.tag]))
        yield Diagnostic(
            codes.PNML_PASSED_OVER,
            f"`<{name}>` has no meaning inside `<{parent.tag}>`, and is passed over",
            primary=Label(
                first.span, f"and {len(places) - 1} more of this kind" if len(places) > 1 else ""
            ),
            help=f"did you mean `<{near[0]}>`?"
            if near
            else "what only one program needs stands in `<toolspecific>`",
        )


def _strangers(root: Element) -> Iterator[tuple[Element, Element]]:
    """What stands in an element that does not have it, on pages within pages too."""
    waiting = [(root, child) for child in reversed(root.children)]
    while waiting:
        parent, child = waiting.pop()
        if child.tag not in _INSIDE[parent.tag]:
            yield parent, child
        elif child.tag in _INSIDE:
            waiting += [(child, inner) for inner in reversed(child.children)]


def _written(element: Element, source: Source) -> str:
    """The name of *element* as the document has it, with its prefix."""
    return source.text[element.span.start + 1 : element.span.end]
