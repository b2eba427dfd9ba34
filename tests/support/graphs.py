"""Documents whose graphs have cycles and dead ends, and graphs of small systems."""

from tests.support.systems import (
    FALSE,
    TRUE,
    TRUTHS,
    both,
    braces,
    eq,
    lit,
    loc,
    lt,
    minus,
    move,
    ne,
    no,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    stored,
    system,
    word,
)
from zermelo.core.adapter import MachineExpander
from zermelo.core.limits import UNLIMITED, Limits
from zermelo.core.values import Atom
from zermelo.engines.graph.build import graph_of
from zermelo.engines.graph.reachability import Reachability
from zermelo.languages.sections.ir import PlayerRule, System
from zermelo.languages.sections.run.interpreter import Interpreter

CORRIDOR = """\
Applicable Sets
  N : {0..4}
  B : {true, false}
System Variables
  at ∈ N
  lit, trapped ∈ B
System Initialization
  at = 1
  lit = false
  trapped = false
System States and Behavior
Left()
  ¬trapped ∧ at > 0 → at = at − 1
Right()
  ¬trapped ∧ at < 3 → at = at + 1
Drop()
  ¬trapped ∧ at = 3 → at = 4 ∧ trapped = true
Switch()
  trapped → lit = ¬lit
"""
"""Four places to walk between, and a cellar with a lamp that nobody leaves: six states.

Between 0, 1, 2 and 3 six steps lead; one leads down, two switch the lamp: nine arcs.
"""

NASTY = 'say "no" \\N <b> & &lt; ]]> -- ${x} `'
"""A word with everything that some format takes for its own."""


def corridor() -> System:
    """The same, made by hand."""
    is_free = no(ref("trapped"))
    return system(
        stored("at", numbers(0, 4), lit(1)),
        stored("lit", TRUTHS, FALSE),
        stored("trapped", TRUTHS, FALSE),
        move(
            "Left",
            (),
            rule("1", both(is_free, lt(lit(0), ref("at"))), set_("at", minus(ref("at"), lit(1)))),
        ),
        move(
            "Right",
            (),
            rule("1", both(is_free, lt(ref("at"), lit(3))), set_("at", plus(ref("at"), lit(1)))),
        ),
        move(
            "Drop",
            (),
            rule(
                "1",
                both(is_free, eq(ref("at"), lit(3))),
                set_("at", lit(4)),
                set_("trapped", TRUE),
            ),
        ),
        move("Switch", (), rule("1", ref("trapped"), set_("lit", no(ref("lit"))))),
    )


def nasty() -> System:
    """Two steps through words that other programs could take for their syntax."""
    words = braces(word("start"), word(NASTY), word("end"))
    to = loc("to")
    return system(
        stored("now", words, word("start")),
        move(
            "Go",
            parameters(to=words),
            rule(
                "1",
                both(ne(ref("now"), word("end")), ne(to, word("start")), ne(to, ref("now"))),
                set_("now", to),
            ),
        ),
        PlayerRule(NASTY, TRUE, wins=(Atom("end"),)),
        over=eq(ref("now"), word("end")),
        result="now",
    )


def graph(of: System, limits: Limits = UNLIMITED) -> Reachability:
    """The graph of a system, built with the interpreter."""
    machine = Interpreter(of)
    return graph_of(MachineExpander(machine), machine.initial, limits=limits)
