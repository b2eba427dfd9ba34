"""Documents as expanders: what engines that look at packed states are tested on."""

from tests.support.understood import system_of
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.core.adapter import MachineExpander
from zermelo.core.expander import Expander
from zermelo.languages.sections.compile.kernel import Kernel, kernel
from zermelo.languages.sections.run.interpreter import Interpreter


def interpreter(game: Game) -> Interpreter:
    """The interpreter of *game*."""
    return Interpreter(system_of(game))


def listed(game: Game) -> Expander:
    """The interpreter of *game* as an expander."""
    return MachineExpander(interpreter(game))


def compiled(game: Game, *, native: bool = True) -> Kernel:
    """The kernel of *game*; not *native*, its code runs as Python."""
    made = kernel(interpreter(game), compiled=native)
    assert isinstance(made, Kernel), made
    return made


HEAP = """
Applicable Sets
  H : {0..SIZE}
  B : {true, false}
System Variables
  heap ∈ H
  first, over ∈ B
System Facts
  over ↔ (heap = 0)
System Initialization
  heap = SIZE
  first = true
System States and Behavior
Take(n ∈ {1, 2})
  n ≤ heap → heap = heap − n ∧ first = ¬first
GameOver(over)
  result ∈ {First wins, Second wins}
  over ∧ first → result = Second wins
  over ∧ ¬first → result = First wins
Reading
  players: First when first, Second when ¬first
"""


def heap(size: int) -> Game:
    """Take one or two from a heap of *size*; whoever takes the last wins.

    Who moves at a multiple of 3 loses, for the other side can always make three of two turns.
    """
    game = loading.load_text(HEAP.replace("SIZE", str(size)))
    assert game.players == ("First", "Second"), game.diagnostics
    return game
