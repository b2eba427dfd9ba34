"""Nets in PROD's language, for tests: texts in, nets and their graphs out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.understood import net_of
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.machine import Machine
from zermelo.core.state import State
from zermelo.languages.nets.ir import Net
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame
from zermelo.text.diagnostic import Diagnostic

BUFFER = """\
#place free mk(3<..>)
#place full
#place p0 mk(<..>)
#place p1
#place c0 mk(<..>)
#place c1
#trans produce
in { p0: <..>; }  out { p1: <..>; }
#endtr
#trans put
in { p1: <..>; free: <..>; }  out { p0: <..>; full: <..>; }
#endtr
#trans get
in { c0: <..>; full: <..>; }  out { c1: <..>; free: <..>; }
#endtr
#trans consume
in { c1: <..>; }  out { c0: <..>; }
#endtr
"""

PHILOSOPHERS = """\
#define n 3
#define other(p) (p % n + 1)
#place thinking lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#place hungry   lo(<.1.>) hi(<.n.>)
#place eating   lo(<.1.>) hi(<.n.>)
#place fork     lo(<.1.>) hi(<.n.>) mk(<.1..n.>)
#trans left
in { thinking: <.p.>; fork: <.p.>; }  out { hungry: <.p.>; }
#endtr
#trans right
in { hungry: <.p.>; fork: <.other(p).>; }  out { eating: <.p.>; }
#endtr
#trans finish
in { eating: <.p.>; }  out { thinking: <.p.>; fork: <.p.> + <.other(p).>; }
#endtr
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How large a reachability graph is."""

    nodes: int
    arcs: int
    terminal: int
    self_loops: int


def net(text: str) -> Net:
    """The net that *text* writes, which has no error."""
    game = loading.load_text(text, name="document.net")
    return net_of(game)


def said(text: str) -> tuple[Diagnostic, ...]:
    """What there is to say about *text*."""
    return loading.load_text(text, name="document.net").diagnostics


def codes_of(text: str) -> list[str]:
    """The codes of what there is to say about *text*."""
    return [each.code.id for each in said(text)]


def written(folder: Path, files: Mapping[str, str]) -> Game:
    """The game of the first of *files*, all of which are written into *folder*."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return loading.load(folder / next(iter(files)))


def machine(text: str) -> TokenGame:
    """The token game of the net that *text* writes."""
    made = loading.load_text(text, name="document.net").machine
    assert isinstance(made, TokenGame)
    return made


def marking(state: State) -> dict[str, str]:
    """What lies in each place that is not empty, as it is printed."""
    return {name: str(bag) for name, bag in state.items() if isinstance(bag, Bag) and bag.counts}


def counts(game: Machine) -> Counts:
    """The size of the whole reachability graph."""
    seen, waiting = {game.initial}, [game.initial]
    arcs = terminal = loops = 0
    while waiting:
        state = waiting.pop()
        moves = game.legal(state)
        arcs += len(moves)
        terminal += not moves
        for move in moves:
            after = game.after(state, move)
            loops += after == state
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return Counts(len(seen), arcs, terminal, loops)


HEAP = """
#place heap mk(3<..>)
#place turn lo(<.1.>) hi(<.2.>) mk(<.1.>)
#trans one
in { heap: <..>; turn: <.t.>; }
out { turn: <.3-t.>; }
#endtr
#trans two
in { heap: 2<..>; turn: <.t.>; }
out { turn: <.3-t.>; }
#endtr
"""
"""Three tokens, of which two players take one or two in turn."""
