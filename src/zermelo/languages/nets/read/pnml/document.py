"""What a PNML document means: pages, places, transitions and arcs become a net.

Place/transition nets and symmetric nets are read, as the Model Checking Contest uses
them. A part that cannot be used makes the whole net unusable, for a net without it is
another net; everything else that is wrong is said too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Final, TypeVar

from zermelo.languages.nets import ir
from zermelo.languages.nets.ir import Const, Interval, Net
from zermelo.languages.nets.read.pnml.sorts import DOT, Declarations, Sort, agree, sort_text
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
from zermelo.languages.nets.run.evaluate import variables_in_order
from zermelo.languages.nets.words import number_text
from zermelo.text import codes
from zermelo.text.diagnostic import Checked, Diagnostic, Label
from zermelo.text.errors import nearest
from zermelo.text.source import Source

T = TypeVar("T")
_KINDS: Final = {"ptnet", "symmetricnet", "pt-hlpng"}
_REFERENCES: Final = frozenset({"referencePlace", "referenceTransition"})
_MOST_LIKENED: Final = 20
"""Of more names that are not there it is not said which others they are like."""
_ARC_KINDS: Final = {"type", "arctype", "arcType"}
MOST_TOKENS: Final = 2**62
MOST_COLOURS: Final = 1_000_000
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
    nets = list(root.all("net")) if root.tag == "pnml" else []
    if not nets:
        said_of_root = Diagnostic(
            codes.PNML_NOT_A_NET,
            f"the document is XML, but holds no net: its root is `<{root.tag}>`",
            primary=Label(root.span),
            help="a net stands in `<pnml><net>…</net></pnml>`",
        )
        return Checked(None, (said_of_root,))
    said: list[Diagnostic] = []
    if len(nets) > 1:
        said.append(
            Diagnostic(
                codes.PNML_SECOND_NET,
                f"the document holds {len(nets)} nets; the first is taken",
                primary=Label(nets[1].span, "this one is left out"),
            )
        )
    # The standard names the kinds by addresses, of which the last part tells them apart.
    named = nets[0].get("type").strip()
    kind = named.rpartition("/")[2] or named if "://" in named else named
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
    said += [*reader.said, *ignored_elements(root, source)]
    is_whole = not any(each.is_error for each in said)
    return Checked(net if is_whole else None, tuple(said))


@dataclass(slots=True)
class _Ends:
    """The arcs of a transition while they are collected, by place and whether they are inputs."""

    terms: dict[tuple[str, bool], list[ir.Term]] = field(default_factory=dict)
    names: dict[tuple[str, bool], str] = field(default_factory=dict)

    def arcs(self, *, is_input: bool) -> tuple[ir.Arc, ...]:
        return tuple(
            ir.Arc(key[0], tuple(terms), label=self.names.get(key))
            for key, terms in self.terms.items()
            if key[1] == is_input
        )


class _NetReader:
    def __init__(self, net: Element) -> None:
        self._net = net
        self.said: list[Diagnostic] = []
        self._parts: dict[str, Element] = {}
        for element in _in_pages(net):
            if element.tag in PARTS:
                self._note(element)
        declared = self._tried(lambda: Declarations(_declared(net)))
        self._declarations = declared or Declarations(iter(()))
        self._sorts: dict[str, Sort] = {}
        self._tables: dict[str, ir.Table] = {}
        self._terms = Terms(self._declarations, self._tables)
        self._referred: dict[str, Element] = {}
        """What references lead to in the end."""
        self._missing = 0

    def net(self, fingerprint: str) -> Net:
        places = [self._tried(partial(self._place, each)) for each in self._all("place")]
        ends = {each.get("id"): _Ends() for each in self._all("transition")}
        for arc in self._all("arc"):
            self._tried(partial(self._arc, arc, ends))
        transitions = self._all("transition")
        return Net(
            name=self._net.words("name", "text") or self._net.get("id") or "net",
            label=self._net.get("id") or None,
            places=tuple(each for each in places if each is not None),
            transitions=tuple(self._transition(t, ends[t.get("id")]) for t in transitions),
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

    def _place(self, element: Element) -> ir.Place:
        kind, sort = term_in(element, "type"), DOT
        if kind is not None:
            sort = self._declarations.sort(kind)
        else:
            no_text_alone(element, "type", "dot", "Dot")
        self._sorts[element.get("id")] = sort
        return ir.Place(
            element.get("id"),
            len(sort),
            self._first_marking(element, sort),
            low=tuple(base.low for base in sort) or None,
            high=tuple(base.high for base in sort) or None,
            colours=tuple(base.names for base in sort),
            label=_label(element),
            span=element.span,
        )

    def _first_marking(self, place: Element, sort: Sort) -> Bag:
        term = term_in(place, "hlinitialMarking")
        if term is not None:
            return self._initial(term, sort, place)
        count = _count(place.find("initialMarking"), default=0)
        if sort != DOT:
            no_text_alone(place, "hlinitialMarking")
            if count:
                what = f"the place `{place.get('id')}` of sort `{sort_text(sort)}`"
                raise PnmlFault(
                    codes.PNML_SORTS,
                    f"black tokens are put into {what}",
                    (place.find("initialMarking") or place).span,
                    help_="say in an `<hlinitialMarking>` of which colours they are",
                )
        count = black_tokens(place, "hlinitialMarking") or count
        return Bag((((), count),) if count else ())

    def _initial(self, term: Element, sort: Sort, place: Element) -> Bag:
        counts: dict[Token, int] = {}
        for summand in self._terms.bag(term):
            _check_sort(summand, sort, term, place)
            for token in _tokens(summand, term):
                if not all(b.low <= n <= b.high for n, b in zip(token, sort, strict=True)):
                    raise not_understood(term, "colours of another sort than that of the place")
                counts[token] = counts.get(token, 0) + summand.count
        for token, count in counts.items():
            if count < 0:
                parts = zip(token, sort, strict=True)
                shown = ",".join(number_text(n, base.names, base.low) for n, base in parts)
                raise PnmlFault(
                    codes.PNML_NUMBER,
                    f"the first marking of `{place.get('id')}` has less than none of <.{shown}.>",
                    term.span,
                    help_="take off only what is there",
                )
        if sum(counts.values()) > MOST_TOKENS:
            raise _not_a_count(term, f"{sum(counts.values())} tokens")
        return Bag.of(counts)

    def _resolved(self, element: Element, attribute: str) -> Element:
        """The place or transition that *attribute* names, or refers to over others."""
        name = element.get(attribute)
        found = self._parts.get(name)
        if found is not None and found.tag not in _REFERENCES:
            return found
        seen: dict[str, None] = {}
        while name not in self._referred:
            found = self._parts.get(name)
            if name in seen:
                names = list(seen)
                names = names[names.index(name) :]
                shown = " → ".join(f"`{each}`" for each in names[:5])
                shown += " → …" if len(names) > 5 else f" → `{name}`"
                raise PnmlFault(
                    codes.PNML_NOTHING_THERE,
                    f"the references {shown} go in a circle",
                    element.span,
                    help_="let one of them refer to a place or a transition",
                )
            if found is None:
                raise not_there(element, name, "place or transition", self._near())
            if found.tag not in _REFERENCES:
                self._referred[name] = found
                break
            seen[name] = None
            name = found.get("ref")
        end = self._referred[name]
        # Each is followed once, however long the way is.
        self._referred.update(dict.fromkeys(seen, end))
        return end

    def _near(self) -> Iterable[str]:
        """The names that may be meant by one which is not there."""
        self._missing += 1
        if self._missing > _MOST_LIKENED:
            return ()
        return [name for name, each in self._parts.items() if each.tag != "arc"]

    def _arc(self, arc: Element, ends: dict[str, _Ends]) -> None:
        source, target = self._resolved(arc, "source"), self._resolved(arc, "target")
        _check_kind(arc)
        tags = (source.tag, target.tag)
        if tags not in {("place", "transition"), ("transition", "place")}:
            raise PnmlFault(
                codes.PNML_UNKNOWN,
                f"an arc leads from a {source.tag} to a {target.tag}",
                arc.span,
                help_="arcs lead from a place to a transition, or back",
            )
        is_input = source.tag == "place"
        place, transition = (source, target) if is_input else (target, source)
        end, key = ends[transition.get("id")], (place.get("id"), is_input)
        if arc.get("id"):
            end.names.setdefault(key, arc.get("id"))
        terms = end.terms.setdefault(key, [])
        terms += self._inscription(arc, place)

    def _inscription(self, arc: Element, place: Element) -> Iterator[ir.Term]:
        term, sort = term_in(arc, "hlinscription"), self._sorts.get(place.get("id"))
        if term is not None:
            for summand in self._terms.bag(term):
                _check_sort(summand, sort, term, place)
                if abs(summand.count) > MOST_TOKENS:
                    raise _not_a_count(term, f"{summand.count}")
                yield ir.Term(Const(summand.count), summand.components, span=arc.span)
            return
        if sort:
            no_text_alone(arc, "hlinscription")
            raise missing(arc, "an inscription")
        written = black_tokens(arc, "hlinscription")
        count = _count(arc.find("inscription"), default=1) if written is None else written
        yield ir.Term(Const(count, span=arc.span), (), span=arc.span)

    def _transition(self, element: Element, ends: _Ends) -> ir.Transition:
        condition = self._tried(lambda: self._condition(element))
        gates = () if condition is None else (condition,)
        inputs, outputs = ends.arcs(is_input=True), ends.arcs(is_input=False)
        tokens = [part for arc in (*inputs, *outputs) for t in arc.terms for part in t.components]
        values = (part for part in tokens if not isinstance(part, Interval))
        used = dict.fromkeys(chain.from_iterable(map(variables_in_order, chain(values, gates))))
        return ir.Transition(
            element.get("id"),
            variables=self._tried(lambda: self._sorted(used)) or (),
            inputs=inputs,
            outputs=outputs,
            gates=gates,
            label=_label(element),
            span=element.span,
        )

    def _condition(self, transition: Element) -> ir.Expr | None:
        term = term_in(transition, "condition")
        if term is not None:
            return self._terms.condition(term)
        no_text_alone(transition, "condition")
        return None

    def _sorted(self, used: Iterable[str]) -> tuple[ir.Variable, ...]:
        return tuple(self._variables[name] for name in used if name in self._variables)

    @cached_property
    def _variables(self) -> dict[str, ir.Variable]:
        return {
            name: ir.Variable(name, base.low, base.high, base.names, span=named.element.span)
            for named in self._declarations.variables()
            for name, base in zip(parts_of(named.name, named.sort), named.sort, strict=True)
        }


def _label(element: Element) -> str | None:
    """What the document calls a node, if that is not its id."""
    label = element.words("name", "text")
    return label if label and label != element.get("id") else None


def _count(element: Element | None, *, default: int) -> int:
    text = "" if element is None else element.words("text") or element.text.strip()
    if element is None or not text:
        return default
    try:
        count = int(text.split(",")[-1])
    except ValueError:
        count = -1
    if not 0 <= count <= MOST_TOKENS:
        raise _not_a_count(element, f"`{text[:40]}`")
    return count


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
    for child in _in_pages(element):
        if child.tag == "declaration":
            found = child.find("structure", "declarations") or child.find("structure")
            yield from [] if found is None else found.children


def _check_sort(summand: Summand, sort: Sort | None, term: Element, place: Element) -> None:
    """That the colours of a term may lie in *place*; nobody knows if it has no *sort*."""
    if sort is None or agree(summand.sort, sort):
        return
    found, name = sort_text(summand.sort), place.get("id")
    code, help_ = codes.PNML_SORTS, None
    message = f"the term is of sort `{found}`, and the place `{name}` of sort `{sort_text(sort)}`"
    if place.find("type") is None:
        code, help_ = codes.PNML_MISSING, "give it a `<type>`; without one its tokens are black"
        message = f"the place `{name}` has no `<type>`, and a term of sort `{found}` is for it"
    where = (Label(place.span, "the place"),)
    raise PnmlFault(code, message, term.span, help_=help_, secondary=where)


def _check_kind(arc: Element) -> None:
    said = [(arc, arc.get("type"))]
    said += [(each, each.get("value") or each.words("text")) for each in arc.all(*_ARC_KINDS)]
    for element, kind in said:
        if kind not in {"", "normal"}:
            raise not_understood(element, f"{kind[:40]} arcs")


def _tokens(summand: Summand, element: Element) -> list[Token]:
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
    message, help_ = (
        f"{what} is not a number of tokens",
        f"write a whole number from 0 to {MOST_TOKENS}",
    )
    return PnmlFault(codes.PNML_NUMBER, message, element.span, help_=help_)


def ignored_elements(root: Element, source: Source) -> Iterator[Diagnostic]:
    """A warning for each kind of element that stands where it means nothing, at its first place.

    Arcs by another name are not understood, for a net without them is another net.
    """
    found: dict[str, list[tuple[Element, Element]]] = {}
    for parent, child in _strangers(root):
        # The name as the document has it, with its prefix.
        name = source.text[child.span.start + 1 : child.span.end]
        found.setdefault(name, []).append((parent, child))
    for name, places in found.items():
        parent, first = places[0]
        if first.get("source") and first.get("target"):
            yield not_understood(first, "arcs of this kind").diagnostic
            continue
        near = nearest(first.tag, _INSIDE[parent.tag])
        more = f"and {len(places) - 1} more of this kind" if len(places) > 1 else ""
        yield Diagnostic(
            codes.PNML_PASSED_OVER,
            f"`<{name}>` has no meaning inside `<{parent.tag}>`, and is passed over",
            primary=Label(first.span, more),
            help=f"did you mean `<{near[0]}>`?"
            if near
            else "what only one program needs stands in `<toolspecific>`",
        )


def _strangers(root: Element) -> Iterator[tuple[Element, Element]]:
    waiting = [(root, child) for child in reversed(root.children)]
    while waiting:
        parent, child = waiting.pop()
        if child.tag not in _INSIDE[parent.tag]:
            yield parent, child
        elif child.tag in _INSIDE:
            waiting += [(child, inner) for inner in reversed(child.children)]
