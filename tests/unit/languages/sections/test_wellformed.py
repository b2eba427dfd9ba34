"""What every system satisfies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.systems import (
    NATURAL,
    TRUE,
    countdown,
    defined,
    end,
    eq,
    flags,
    helper,
    let,
    lit,
    loc,
    move,
    named_set,
    numbers,
    parameters,
    plus,
    ref,
    rule,
    set_,
    some,
    squares,
    stored,
    system,
)
from tests.support.wellformed import flaws
from zermelo.languages.sections.ir import Apply, Call, Function, PlayerRule, System

N = stored("n", NATURAL, lit(0))


@pytest.mark.parametrize("good", [countdown(), squares(), flags(), system()])
def test_a_good_system_has_no_flaw(good: System) -> None:
    assert flaws(good) == ()


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (system(named_set("n", numbers(1, 2)), N), "the name n is there 2 times"),
        (
            system(stored("n", ref("M"), None)),
            "the variable n names M, which is no set and no variable",
        ),
        (system(defined("a", ref("b")), defined("b", ref("a"))), "a is defined by itself"),
        (
            system(replace(defined("a", TRUE), definition=None)),
            "the variable a is defined, and has no definition",
        ),
        (
            system(replace(defined("a", TRUE), initial=TRUE)),
            "the variable a is defined, and has a first value",
        ),
        (
            system(defined("a", TRUE), move("Go", (), set_("a", TRUE))),
            "the procedure Go assigns a, which is defined",
        ),
        (
            system(move("Go", (), set_("a", TRUE))),
            "the procedure Go assigns a, which is no variable",
        ),
        (
            system(N, move("Go", (), set_("n", loc("k")))),
            "the procedure Go uses the local k, which has no value there",
        ),
        (
            system(N, move("Go", (), rule("1", TRUE), rule("1", TRUE))),
            "the rule 1 of the procedure Go is there 2 times",
        ),
        (
            system(N, move("Go", (), set_("n", Apply("f", ())))),
            "the procedure Go applies f, which is no value function",
        ),
        (
            system(N, defined("m", Apply("f", ())), Function("f", parameters(x=NATURAL), loc("x"))),
            "the variable m applies f to 0 arguments",
        ),
        (system(move("Go", (), Call("H", ()))), "the procedure Go calls H, which is no procedure"),
        (
            system(move("Go", (), Call("Come", ())), move("Come", ())),
            "the procedure Go calls Come, which is no helper",
        ),
        (
            system(move("Go", (), Call("H", ())), helper("H", parameters(x=NATURAL))),
            "the procedure Go calls H with 0 arguments",
        ),
        (system(helper("H", ())), "nobody calls the helper H"),
        (system(end(), end()), "there are 2 ends"),
        (system(result="r"), "the result is r, which is no variable"),
        (
            system(PlayerRule("A", ref("turn"))),
            "the player A names turn, which is no set and no variable",
        ),
        (
            system(over=some("x", numbers(1, 2), eq(loc("y"), loc("x")))),
            "the end of play uses the local y, which has no value there",
        ),
    ],
)
def test_each_flaw_is_a_sentence(bad: System, sentence: str) -> None:
    assert sentence in flaws(bad)


def test_a_local_is_known_everywhere_in_its_procedure() -> None:
    body = (let("k", plus(ref("n"), lit(1))), rule("1", TRUE, set_("n", loc("k"))))

    assert flaws(system(N, move("Go", (), *body))) == ()
