"""Reading takes little more than twice as long for twice as much, and comes to an end."""

import cProfile
import pstats
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.bombs import KINDS, LONGEST, bombs
from tests.support.growing import LED, PNML, PROD, SECTIONS, sections
from tests.support.project import ROOT, SOURCE
from tools.steps import DOCUMENTS
from zermelo.api import loading
from zermelo.core import values
from zermelo.languages.sections.run import operators
from zermelo.text.budget import OverBudget, TooDeep, budget, spend, timed

SIZE = 24
GROWTH = 2.3
"""Twice as much, and a little more."""
FEW = 3_000
"""So many calls more do not tell: something may be there only once it is large enough."""
STEPS_OF_A_CALL = {".md": 0.2, ".led": 0.2, ".net": 0.2, ".pnml": 0.08}
"""So many steps are counted at least for each call of a function: nothing is overlooked."""


def cost(text: str, name: str, steps: int | None = None) -> tuple[int, int]:
    """How many calls of functions, and how many *steps* at most, it takes to read *text*."""
    with timed(), budget(steps=steps) as spent:
        profile = cProfile.Profile()
        profile.enable()
        loading.load_text(text, name=name)
        profile.disable()
    return sum(row[1] for row in pstats.Stats(profile).stats.values()), spent.spent  # type: ignore[attr-defined]


def assert_grows_little(make: Callable[[int], str], name: str) -> None:
    cost(make(1), name)  # What is imported or made once is there.
    least, _ = cost(make(1), name)
    calls, _ = cost(make(SIZE), name)
    more_calls, more_steps = cost(make(2 * SIZE), name)

    assert more_calls - least < GROWTH * (calls - least) + FEW
    assert more_steps > STEPS_OF_A_CALL[Path(name).suffix] * more_calls


GROWING = {
    f"{language}, {grows}": (make, name)
    for language, table, name in (
        ("sections", SECTIONS, "document.md"),
        ("LED", LED, "program.led"),
        ("PROD", PROD, "net.net"),
        ("PNML", PNML, "net.pnml"),
    )
    for grows, make in table.items()
}


@pytest.mark.long
@pytest.mark.parametrize("grows", GROWING)
def test_a_document_twice_as_large_costs_little_more_than_twice(grows: str) -> None:
    assert_grows_little(*GROWING[grows])


@pytest.mark.long
@pytest.mark.parametrize("work", DOCUMENTS)
def test_whatever_a_document_does_often_is_counted(work: str) -> None:
    cost(sections(), "document.md")
    calls, steps = cost(DOCUMENTS[work], "document.md", steps=400_000)

    assert steps > STEPS_OF_A_CALL[".md"] * calls


def test_a_tuple_that_doubles_with_every_name_is_a_fault() -> None:
    names = "\n".join(f"  t{i + 1} = (t{i}, t{i})" for i in range(40))
    game = loading.load_text(sections(rules=f"  t0 = (p, n)\n{names}\n  t40 = t39 → n = 2"))

    faults = game.machine.faults(game.machine.initial).values()
    assert any("has more than 1,000 components" in each.message for each in faults)


def chain(name: str, first: str, form: str, count: int = 40) -> str:
    """Definitions of which each has what it stands for several times."""
    rows = (f"  {name}{i + 1} = {form.format(f'{name}{i}')}" for i in range(count))
    return "\n".join([f"  {name}0 = {first}", *rows])


@pytest.mark.parametrize("form", ["{{{0}, {{{0}}}}}", "{{({0}, {0})}}"])
def test_sets_that_double_with_every_name_are_a_fault(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To compare two of them would take longer than anybody can wait, in code of Python's own."""
    for module in (values, operators):
        monkeypatch.setattr(module, "MOST_PARTS", 2_000)
    rows = "\n".join(chain(name, "{p}", form) for name in "wv")
    game = loading.load_text(sections(rules=f"{rows}\n  w40 = v40 → n = 2"))

    faults = game.machine.faults(game.machine.initial).values()
    assert any("has more than 2,000 parts" in each.message for each in faults)


def test_sets_that_double_by_a_union_are_refused_with_their_steps() -> None:
    """Each name that has a value is compared with all others, so that the steps end it."""
    rows = "\n".join(chain(name, "{p}", "{0} ∪ {{{0}}}") for name in "wv")
    game = loading.load_text(sections(rules=f"{rows}\n  w40 = v40 → n = 2"))

    assert [each.code.id for each in game.diagnostics if each.is_error] == ["Z125"]


def test_products_of_single_tuples_end_with_the_longest_tuple() -> None:
    rows = "\n".join(f"  D{i + 1} : D{i} × D{i}" for i in range(40))
    game = loading.load_text(
        sections(sets=f"  D0 : {{1}}\n{rows}", rules="  ∃q ∈ D40: q = q → n = 2")
    )

    faults = game.machine.faults(game.machine.initial).values()
    assert any("has tuples with more than 1,000 components" in each.message for each in faults)


def said_of(text: str, name: str = "document.md") -> list[str]:
    return [each.message for each in loading.load_text(text, name=name).diagnostics]


def test_errata_that_double_a_word_are_not_applied_beyond_the_longest_line() -> None:
    errata = "\n".join(['  "n" → "n n": why'] * 16)
    said = said_of(sections(behind=f"Errata\n{errata}"))

    assert any("words and signs; at most 10,000 are read" in each for each in said)


def test_a_set_too_large_for_the_room_there_is_is_refused_before_it_is_made() -> None:
    text = sections(sets="  K : {1..1000}", rules="  t = {(a, b, c) | a ∈ K, b ∈ K, c ∈ K}")
    game = loading.load_text(text)

    with pytest.raises(OverBudget, match="steps or more"), budget(steps=1_000_000):
        game.machine.legal(game.machine.initial)


def test_names_that_stand_for_each_other_too_deeply_are_refused() -> None:
    chain = "\n".join(f"  S{i} : S{i + 1}" for i in range(1500))
    said = said_of(sections(sets=chain))

    assert any("nested too deeply" in each for each in said)


def test_a_state_that_is_put_into_itself_is_a_fault_of_the_program() -> None:
    code = "/$\nledGame\ninitialState := {}\nnewState := {currentState}\nimages := {}\n$/\n"
    game = loading.load_text(code, name="deep.led")
    machine = game.machine
    state = machine.initial
    while machine.legal(state):
        state = machine.after(state, machine.legal(state)[0])

    (fault,) = machine.faults(state).values()
    assert "more than 200 tuples or sets inside each other" in fault.message


def test_a_budget_that_is_spent_says_what_for_and_how_much() -> None:
    with budget(steps=10):
        spend(7, "reading")
        with pytest.raises(OverBudget) as raised:
            spend(7, "listing")

    assert (raised.value.needed, raised.value.allowed) == (14, 10)
    assert "listing" in str(raised.value)


def test_nesting_beyond_the_stack_is_said_where_steps_are_counted() -> None:
    def deeper() -> int:
        return 1 + deeper()

    with pytest.raises(TooDeep), budget(steps=10):
        deeper()


def test_of_a_file_without_end_only_a_part_is_read(tmp_path: Path) -> None:
    long = tmp_path / "long.md"
    with long.open("wb") as file:
        file.write(b"System Facts\n")
        file.truncate(3_000_000_000)

    (said,) = loading.load(long).diagnostics
    assert "3,000,000,000 bytes, and at most 1,000,000 are read" in said.message
    (endless,) = loading.load("/dev/zero").diagnostics
    assert "more than 1,000,000 bytes" in endless.message


def test_a_chain_of_equivalences_is_worked_out_once() -> None:
    chain = sections(facts=f"  t ↔ {' ↔ '.join(['full'] * 40)}")
    with budget() as spent:
        game = loading.load_text(chain)

    assert game.model is not None
    assert spent.spent < 200_000


def test_a_run_of_words_is_split_into_names_once_however_many_ways_there_are() -> None:
    names = "\n".join(f"  {'a' * (i + 1)} ∈ R" for i in range(9))
    run = " ".join("a" * 60)
    with budget() as spent:
        said = said_of(sections(variables=names, facts=f"  t ↔ n = {run} z"))

    assert said
    assert spent.spent < 1_000_000


MEMORY = 500 * 2**20
ADDRESSES = 2 << 30
"""More than the memory: where LED runs, room for deep calls is set aside, and hardly touched."""
SECONDS = 10
FEWER = 20
"""Each document gets a twentieth of the steps, so that hundreds of them can be tried."""

SCRIPT = f"""
import os, resource, signal, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, ({ADDRESSES}, {ADDRESSES}))
from tests.support.bombs import KINDS, bombs
from zermelo.api import loading, texts
from zermelo.api.loaded import model_of
from zermelo.play.session import Session
from zermelo.text import render
from zermelo.text.budget import OverBudget, budget
from zermelo.text.errors import UsageError
loading.STEPS //= {FEWER}

def answer(name, text):
    signal.setitimer(signal.ITIMER_PROF, {SECONDS})
    game = loading.load_text(text, name=name)
    render.full(game.diagnostics, game.source)
    asked = [
        texts.format_text,
        lambda game: list(model_of(game).words.explain()),
        lambda game: Session(model_of(game).words).legal,
    ]
    for ask in asked:
        try:
            with budget(steps=loading.STEPS):
                ask(game)
        except UsageError as refused:
            assert str(refused), name
    # What the system counts as the most includes whoever started this process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    most = int(status.partition("VmHWM:")[2].split()[0]) * 1024
    assert most < {MEMORY}, (name, most)
    print(name, game.model is not None, len(game.diagnostics), flush=True)

for name, text in bombs(int(sys.argv[1]) * len(KINDS), seed=1913):
    # A process each: freed memory that the system has not got back would count for the next one.
    child = os.fork()
    if child == 0:
        answer(name, text)
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended != 0:
        sys.exit(f"{{name}}: {{ended}}")
"""


def answered(times: int) -> int:
    """How many documents are answered within the memory and the time there is: all of them."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(times)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=1200,
        env={"PYTHONPATH": f"{SOURCE}:{ROOT}", "PYTHONUTF8": "1"},
    )
    assert done.returncode == 0, (done.stdout[-200:], done.stderr[-2000:])
    return len(done.stdout.splitlines())


def test_documents_of_many_kinds_that_ask_for_endless_work_are_answered() -> None:
    assert answered(1) == len(KINDS)


@pytest.mark.long
def test_documents_that_ask_for_endless_work_are_answered() -> None:
    assert answered(5) == 5 * len(KINDS)


def test_documents_that_ask_for_endless_work_are_small() -> None:
    made = list(bombs(2 * len(KINDS), seed=7))

    assert max(len(text) for _, text in made) <= LONGEST
    assert len({text for _, text in made}) > len(KINDS)
