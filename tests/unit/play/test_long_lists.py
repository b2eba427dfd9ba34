"""Moves that take too long to be listed are said to be, and each is made if it is typed."""

from pathlib import Path

from tests.support.command import zermelo
from zermelo.api import loading
from zermelo.core.machine import FaultKind, unlisted
from zermelo.text.budget import listing_within

CUBE = """\
Applicable Sets
  K : {1..100}
System Variables
  x, y, z ∈ K
  first ∈ {true, false}
System Initialization
  x = 1
  y = 1
  z = 1
  first = true
System States and Behavior
Move(a ∈ K, b ∈ K, c ∈ K)
  first ∧ a + b + c < 250 → x = a ∧ y = b ∧ z = c ∧ first = false
Reset()
  ¬first → first = true
"""
NET = """\
#place p lo(<.0.>) hi(<.60.>) mk(<.1..50.>)
#place q lo(<.0.>) hi(<.60.>)
#trans t
in { p: <.a.> + <.b.> + <.c.> + <.d.> + <.e.> + <.f.>; }
out { q: <.a.>; }
gate a * b + c * d == e * f * 7 + 1003;
#endtr
"""
LONG_LIST = "cannot be listed: to try them takes more than 2,000,000 steps"


def played(path: Path, text: str, *typed: str) -> str:
    path.write_text(text, "utf-8")
    ran = zermelo("play", str(path), typed="\n".join([*typed, "quit", ""]))
    assert ran.code == 0, ran.err
    return " ".join(ran.out.split())


def test_a_document_with_a_million_possible_moves_is_played(tmp_path: Path) -> None:
    said = played(tmp_path / "cube.md", CUBE, "100 100 100", "hint", "moves", "Move 5 6 7")

    assert f"The moves Move {LONG_LIST}. Each can be made if it is typed." in said
    assert "x = 5 y = 6 z = 7" in said
    assert "Move(100, 100, 100) has no effect here, so it is refused: rule 1 needs" in said
    assert "There is no move to make" not in said


def test_a_net_with_very_many_values_to_try_is_played(tmp_path: Path) -> None:
    # 1·2 + 23·49 = 1129 = 3·6·7 + 1003
    said = played(tmp_path / "wide.net", NET, "t 1 2 3 4 5 6", "t 1 2 23 49 3 6", "t 1 2 23 49 3 6")

    assert f"The firings of t {LONG_LIST}; each can be typed." in said
    assert "`t 1 2 3 4 5 6` is not enabled" in said
    assert "▸ q <.1.> (<.1.> came)" in said
    # The tokens are gone.
    assert "`t 1 2 23 49 3 6` is not enabled" in said


def test_what_is_cut_short_for_a_prompt_is_listed_for_who_wants_all_of_it() -> None:
    machine = loading.load_text(CUBE.replace("100", "20")).machine
    with listing_within(20_000):
        assert machine.legal(machine.initial) == ()
        fault = unlisted(machine.faults(machine.initial))
        assert machine.outcome(machine.initial) is None
    assert fault is not None
    assert (fault.kind, fault.procedure) == (FaultKind.UNLISTED, "Move")

    assert len(machine.legal(machine.initial)) == 20**3
    with listing_within(20_000):
        assert len(machine.legal(machine.initial)) == 20**3


LONG_LET = """\
#place p lo(<.0.>) hi(<.9.>) mk(<.1.>)
#trans t
in { p: <.x.>; }
let <.y.> <= <.0..3000000.>;
#endtr
"""


def test_a_net_whose_firings_cannot_be_listed_is_neither_stuck_nor_complete() -> None:
    game = loading.load_text(LONG_LET, name="long.net")
    machine = game.machine

    assert machine.outcome(machine.initial) is None
    found = game.explore(states=10)
    assert not found.is_complete
    assert "cannot be listed" in str(found.cut)
    checked = game.check().checkup
    assert checked is not None
    assert not checked.is_complete
    assert "cannot be listed" in str(checked.space.cut)
