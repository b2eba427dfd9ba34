"""Any text whatever is read, and says what is wrong with it."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.prod import BUFFER, PHILOSOPHERS
from zermelo.api import loading
from zermelo.text import render

WORDS = (
    "#place #trans #endtr #define #undef #if #ifdef #else #elif #endif #enum #include <. .> <..> "
    ".. ( ) { } [ ] ; : , + - * / % ? && || << >> <= == = ! ~ # ## /* */ // ' \" @ é 0x 1e5 "
    "99999999999999999999 in out let gate lo hi mk p n x 1 0 f(1) 1/0 1<<64 defined int return "
    "goto while(1) switch case struct"
)
PIECES = WORDS.split()
C = """\
int t[3] = {1, 2, 0};
int f(int a) {
  int i, s = 0;
  for (i = 0; i < a; i++) { if (i == 2) continue; s += t[i]; }
  return s;
}
#place p lo(<.0.>) hi(<.9.>) mk(<.2.>)
#trans u
let <.y.> <= <.0..1.>;
in { p: <.x.>; }  out { p: <.f(x) + y.>; }
gate x < 3 ? 1 : 0;
#endtr
"""


def tried(text: str) -> None:
    """Load *text*, say all there is to say, and play a little."""
    game = loading.load_text(text, name="document.net")
    render.full(game.diagnostics, game.source)
    assert game.is_loaded or any(each.is_error for each in game.diagnostics)
    if game.is_loaded:
        machine = game.machine
        state = machine.initial
        for move in machine.legal(state)[:1]:
            machine.legal(machine.after(state, move))
        machine.faults(state)


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from([" ", "\n"]))
@settings(max_examples=150, deadline=None)
def test_any_row_of_pieces_is_read(pieces: list[str], between: str) -> None:
    tried("#place p\n" + between.join(pieces))


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read(text: str) -> None:
    tried(text)


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_net_is_read(seed: int) -> None:
    chosen = random.Random(seed)
    text = chosen.choice([BUFFER, PHILOSOPHERS, C])
    for _ in range(chosen.randint(1, 4)):
        at = chosen.randrange(len(text))
        end = at + chosen.randrange(12)
        text = text[:at] + chosen.choice(["", chosen.choice(PIECES)]) + text[end:]

    tried(text)


def test_a_net_has_the_name_of_its_file() -> None:
    assert loading.load_text(BUFFER, name="some/buffer.net").name == "buffer"
