"""PNML documents for tests, written as short as they can be."""

from __future__ import annotations

from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.read.pnml import document as pnml
from zermelo.languages.nets.read.pnml import xml
from zermelo.text.diagnostic import Checked
from zermelo.text.source import Source

GRAMMAR = "http://www.pnml.org/version-2009/grammar"


def document(inside: str, kind: str = "ptnet") -> str:
    """A document whose net holds *inside*."""
    return (
        f'<?xml version="1.0"?><pnml xmlns="{GRAMMAR}/pnml">'
        f'<net id="net" type="{GRAMMAR}/{kind}">{inside}</net></pnml>'
    )


def place(name: str, tokens: int = 0) -> str:
    """A place with black tokens."""
    marking = f"<initialMarking><text>{tokens}</text></initialMarking>" if tokens else ""
    return f'<place id="{name}">{marking}</place>'


def arc(source: str, target: str, count: int = 1) -> str:
    """An arc for black tokens."""
    weight = f"<inscription><text>{count}</text></inscription>" if count != 1 else ""
    return f'<arc id="{source}-{target}" source="{source}" target="{target}">{weight}</arc>'


def coloured_place(name: str, sort: str, marking: str = "") -> str:
    """A place of *sort*, with a term as first marking."""
    first = f"<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>"
    kind = f"<type><structure>{user(sort)}</structure></type>"
    return f'<place id="{name}">{kind}{first if marking else ""}</place>'


def coloured_arc(source: str, target: str, term: str) -> str:
    """An arc with a term."""
    inscription = f"<hlinscription><structure>{term}</structure></hlinscription>"
    return f'<arc id="{source}-{target}" source="{source}" target="{target}">{inscription}</arc>'


def declared(*declarations: str) -> str:
    """The declarations of a net."""
    return (
        f"<declaration><structure><declarations>{''.join(declarations)}"
        "</declarations></structure></declaration>"
    )


def cyclic(name: str, *constants: str) -> str:
    """A sort with these colours, in a circle."""
    inner = "".join(f'<feconstant id="{each}" name="{each}"/>' for each in constants)
    return (
        f'<namedsort id="{name}" name="{name}">'
        f"<cyclicenumeration>{inner}</cyclicenumeration></namedsort>"
    )


def user(sort: str) -> str:
    """A sort by its name; ``dot`` is the one of black tokens."""
    return "<dot/>" if sort == "dot" else f'<usersort declaration="{sort}"/>'


def variable(name: str, sort: str) -> str:
    """The declaration of a variable."""
    return f'<variabledecl id="{name}" name="{name}">{user(sort)}</variabledecl>'


def term(tag: str, *operands: str) -> str:
    """An operator with its operands."""
    return f"<{tag}>{''.join(f'<subterm>{each}</subterm>' for each in operands)}</{tag}>"


def var(name: str) -> str:
    """A variable in a term."""
    return f'<variable refvariable="{name}"/>'


def colour(name: str) -> str:
    """A colour in a term."""
    return f'<useroperator declaration="{name}"/>'


def times(count: int, inner: str) -> str:
    """So many of a colour."""
    number = f'<numberconstant value="{count}"><positive/></numberconstant>'
    return term("numberof", number, inner)


def everything(sort: str) -> str:
    """All colours of a sort."""
    return f"<all>{user(sort)}</all>"


def read(text: str) -> Checked[Net]:
    """What *text* means."""
    source = Source("net.pnml", text)
    return xml.read(source).then(lambda root: pnml.elaborate(root, source))


def net(text: str) -> Net:
    """The net in *text*, in which nothing is wrong."""
    found = read(text)
    assert found.value is not None, [each.message for each in found.diagnostics]
    return found.value
