"""What `--help` promises in numbers is kept, and a new promise has to be tried here too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest

from tests.support.browser import Server
from tests.support.command import Ran, zermelo
from tests.support.project import ROOT
from tests.support.small_documents import heap_text
from zermelo.api import language_commands, loading, mutating, questions
from zermelo.api.loaded import playable_model
from zermelo.core import stage
from zermelo.core.limits import Limits
from zermelo.core.observation import Checkup
from zermelo.engines.check import wide
from zermelo.faces.cli import progress, readings
from zermelo.faces.cli.main import COMMANDS, cli
from zermelo.faces.web import server
from zermelo.text import budget

NET: Final = str(ROOT / "tests/documents/nets/buffer.net")
LED: Final = str(ROOT / "games/tic-tac-toe-led/tic-tac-toe-led.led")
TIME_OVER: Final = 124
FREE: Final = 8_000_000_000
"""The bytes of memory that are free in these tests."""

LAMPS = """\
Applicable Sets
  N : {1..17}
System Variables
  on ⊆ N
System Initialization
  on = ∅
System States and Behavior
Light(n ∈ N)
  n ∉ on → on = on ∪ {n}
"""
"""2^17 = 131,072 states."""
BROKEN = """\
Applicable Sets
  N : {1..3}
System Variables
  a ∈ N
System Initialization
  a = 1
System States and Behavior
Go(n ∈ N)
  n ≠ a → a = n
  n ∈ Nowhere → a = 2
"""
UNREADABLE = "System States and Behavior\nGo(n ∈ )\n"
MARKER = """\
/$
ledGame
initialState := {}
newState := currentState U {(mouseX, mouseY)} if mouseClicked;
            currentState otherwise
images := {disc(point(x, y), 10 - x, dRed) | (x, y) in currentState}
$/
"""
PUMP = "#place p mk(<..>)\n#trans t\nin { p: <..>; }  out { p: 2<..>; }\n#endtr\n"


# What is promised

_COUNTED: Final = re.compile(
    r"\d|\bhalf\b|\bquarters?\b|\bas many\b|\ball cores\b|How many seconds"
)
_RANGES: Final = re.compile(r"\s*\[(?:default: (?P<default>[^;\]]+))?[^\]]*\]$")


def commands() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        yield name, found
        if isinstance(found, click.Group):
            yield from ((f"{name} {inner}", each) for inner, each in found.commands.items())


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.) (?=[A-Z`-])", " ".join(text.split()))


def promises() -> dict[str, list[str]]:
    """Each sentence of a help with a number in it, and the commands whose help has it."""
    found: dict[str, list[str]] = {}
    for name, command in commands():
        said = sentences(command.help or "")
        for option in command.params:
            record = option.get_help_record(click.Context(command))
            if not isinstance(option, click.Option) or record is None:
                continue
            text = " ".join(record[1].split())
            usual = _RANGES.search(text)
            said += sentences(_RANGES.sub("", text))
            if usual is not None and usual["default"] is not None:
                said.append(f"{option.opts[0]}: {usual['default']} if not given")
        for each in said:
            if _COUNTED.search(each):
                found.setdefault(each, []).append(name)
    return found


# What is tried of each


class Tries:
    """What a promise is tried with: small documents, and eyes on what a command asks for."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self.patch = patch
        patch.setattr(progress, "_free_memory", lambda: FREE)
        patch.setattr(progress, "_group_memory", lambda: None)

    def written(self, name: str, text: str) -> str:
        path = self._folder / name
        path.write_text(text, "utf-8")
        return str(path)

    @property
    def heap(self) -> str:
        return self.written("heap.md", heap_text(6))

    def run(self, command: str, *arguments: str) -> Ran:
        return zermelo(*command.split(), *arguments, "--no-cache")

    def on_heap(self, command: str, *more: str) -> Ran:
        """Run *command* on what it can be run on."""
        given = [NET] if command.startswith("net") else [self.heap]
        given += [self.heap] if command == "compare" else []
        given += ["--output", "-"] if command == "net report" else []
        return self.run(command, *given, *more)


def seconds_are_kept(tries: Tries, command: str) -> None:
    assert tries.on_heap(command, "--seconds", "60").code == 0
    ran = tries.on_heap(command, "--seconds", "0")

    assert ran.code == TIME_OVER
    assert "the 0 seconds were over" in ran.err


def memory_is_a_share(share: float) -> Callable[[Tries, str], None]:
    def check(tries: Tries, command: str) -> None:
        asked: list[int] = []
        given = budget.room_for

        def room_for(size: int) -> budget.Room:
            asked.append(size)
            return given(size)

        tries.patch.setattr(budget, "room_for", room_for)
        if command == "check":
            tries.run(command, tries.written("lamps.md", LAMPS))
        else:
            more = ["--exhaustive"] if command == "readings" else []
            tries.on_heap(command, *more)
            tries.on_heap(command, *more, "--memory", "2G")
            assert 2_000_000_000 in asked
        assert FREE * share in asked

    return check


def all_cores_work(tries: Tries, command: str) -> None:
    tries.patch.setattr("os.sched_getaffinity", lambda _: range(13), raising=False)
    tries.patch.setattr("os.cpu_count", lambda: 13)
    if command == "net states":
        seen: list[object] = []
        given = language_commands.answer

        def answer(*arguments: Any, threads: int, **named: Any) -> Any:  # noqa: ANN401
            seen.append(threads)
            return given(*arguments, threads=threads, **named)

        tries.patch.setattr(language_commands, "answer", answer)
        assert tries.on_heap(command).code == 0
        assert seen == [13]
        return
    found = dict(commands())[command]
    (threads,) = (each for each in found.params if each.name == "threads")
    assert threads.get_default(click.Context(found)) == 13


def limits_of(tries: Tries, owner: object, name: str, *arguments: str) -> Limits:
    """The limits that a command hands to the function *name* of *owner*."""
    seen: list[Limits] = []

    class SeenError(Exception):
        pass

    def spy(*_: object, limits: Limits, **__: object) -> None:
        seen.append(limits)
        raise SeenError

    tries.patch.setattr(owner, name, spy)
    with pytest.raises(SeenError):
        cli.main(list(arguments), standalone_mode=False)
    return seen[0]


def a_check_goes_wide(tries: Tries, _: str) -> None:
    found: list[Limits] = []

    def look_wide(_: object, checkup: Checkup, *, limits: Limits, **__: object) -> Checkup:
        found.append(limits)
        return checkup

    tries.patch.setattr(wide, "look_wide", look_wide)
    lamps = tries.written("lamps.md", LAMPS)

    assert tries.run("check", lamps).code == 0
    assert [(each.seconds, each.memory) for each in found] == [(20.0, FREE // 2)]


def a_hundred_are_shown(tries: Tries, _: str) -> None:
    wrong = "".join(f"  n ∈ Nowhere{at} → a = 2\n" for at in range(150))
    path = tries.written("wrong.md", BROKEN.replace("  n ∈ Nowhere → a = 2\n", wrong))

    def shown(*more: str) -> int:
        out = tries.run("check", path, *more).out
        return len(re.findall(r"^(?:wrong\.md:[\d: ]*)?(?:error|warning|note)\[Z", out, re.M))

    assert shown() == 100
    assert shown("--all") == shown("--one-line") > 150


def a_graph_has_a_hundred_thousand(tries: Tries, _: str) -> None:
    lamps = tries.written("lamps.md", LAMPS)

    found = tries.run("graph", lamps, "--json").json
    assert (found["nodes"], found["cut"]) == (100_000, "stopped at 100,000 states")
    # 1 + 17 + 136 sets of at most two lamps.
    assert tries.run("graph", lamps, "--json", "--depth", "2").json["nodes"] == 154


def to_prepare_takes_ten_seconds(tries: Tries, _: str) -> None:
    ends: list[float | None] = []

    def within_time(_: object, what: str) -> None:
        ends.append(budget.end())
        raise budget.OutOfTime(what)

    tries.patch.setattr(budget, "within_time", within_time)
    tries.patch.setattr(budget, "now", lambda: 1000.0)
    questions._expander_soon(playable_model(loading.load(tries.heap)))  # noqa: SLF001

    assert ends == [1010.0]


def a_move_is_thought_about_for_two_seconds(tries: Tries, _: str) -> None:
    seen: list[object] = []
    given = questions.adviser

    def adviser(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        seen.append(named.get("seconds"))
        return given(*arguments, **named)

    tries.patch.setattr(questions, "adviser", adviser)
    zermelo("play", tries.heap, "--opponent", "search", typed="1\nquit\n")

    assert seen[:1] == [2.0]


def moves_may_be_typed_in_any_form(_: Tries, __: str) -> None:
    def history(game: str, typed: str) -> str:
        return zermelo("play", game, typed=f"{typed}\nhistory\nquit\n").out.splitlines()[-1].strip()

    assert {history("tic-tac-toe", each) for each in ("3 2", "(3,2)")} == {"1. (3, 2)"}
    found = {history("pawns", each) for each in ("6,2 5,2", "(6,2)->(5,2)", "6 2 5 2")}
    assert found == {"1. (6, 2) → (5, 2)"}


def a_hundred_firings_are_shown(tries: Tries, _: str) -> None:
    def firings(*more: str) -> int:
        shown = tries.run("play", NET, "--animate", "0", *more).out
        return len(re.findall(r"^\d+\. \w+$", shown, re.M))

    assert (firings(), firings("--steps", "7")) == (100, 7)


def plays_are_counted_by_length(tries: Tries, _: str) -> None:
    # Of six one or two are taken: after two moves two or more are left.
    found = tries.run("explore", tries.heap, "--plays", "3", "--json").json

    assert found["plays"] == [2, 4, 8]


def it_listens_here_alone(_: Tries, command: str) -> None:
    arguments = ["--no-open", "--data", "off"] if command == "serve" else [LED, "--no-browser"]
    running = Server(command, *arguments)
    try:
        assert running.root.startswith("http://127.0.0.1:")
        assert running.port > 0
    finally:
        running.close()


def it_runs_at_thirty_frames(tries: Tries, _: str) -> None:
    seen: list[object] = []
    tries.patch.setattr(server, "serve", lambda *_, **named: seen.append(named))
    tries.run("easel", LED, "--no-browser")

    (given,) = seen
    assert isinstance(given, dict)
    assert given.get("frames_per_second", stage.FRAMES_PER_SECOND) == 30


def exit_codes_of_check(tries: Tries, _: str) -> None:
    assert tries.run("check", tries.heap).code == 0
    assert tries.run("check", tries.written("broken.md", BROKEN)).code == 1
    assert tries.run("check", tries.written("none.md", UNREADABLE)).code == 2


def exit_codes_of_solve(tries: Tries, _: str) -> None:
    assert tries.run("solve", tries.heap).code == 0
    wrong = heap_text(6).replace("GameOver(over)", "  n ∈ Nowhere → heap = 0\nGameOver(over)")
    assert tries.run("solve", tries.written("wrong.md", wrong)).code == 1
    assert tries.run("solve", tries.written("none.md", UNREADABLE)).code == 2


def exit_codes_of_easel(tries: Tries, _: str) -> None:
    marker = tries.written("mark.led", MARKER)

    def code(inputs: str) -> int:
        return tries.run("easel", marker, "--script", tries.written("inputs.txt", inputs)).code

    # The radius of the disc is ten less the place.
    assert (code("click 5 400\n"), code("click 12 1\n"), code("dance 1 2\n")) == (0, 1, 2)


def inputs_of_easel(tries: Tries, _: str) -> None:
    script = tries.written(
        "inputs.txt",
        "click 150 650\nkey A\nframe 30 # thirty\nmove 10 20\nhold A\nrelease A\nsnapshot one\n",
    )
    found = tries.run("easel", LED, "--script", script, "--json")

    assert found.code == 0
    assert found.json["frames"] == 32


def exit_codes_of_a_transcript(tries: Tries, _: str) -> None:
    program = str(ROOT / "tests/documents/led/primes.led")
    asked = ROOT / "tests/documents/led/primes.txt"
    assert tries.run("repl", program, "--transcript", str(asked)).code == 0
    text = asked.read_text("utf-8")
    answered = next(line for line in text.splitlines() if line and "cmd" not in line)
    wrong = tries.written("wrong.txt", text.replace(answered, "no such answer", 1))
    assert tries.run("repl", program, "--transcript", wrong).code == 1


def exit_codes_of_nets(tries: Tries, command: str) -> None:
    assert tries.on_heap(command).code == 0
    grows = tries.written("pump.net", PUMP)
    more = ["--output", "-"] if command == "net report" else []
    assert tries.run(command, grows, *more, "--states", "50").code == 1


def exit_code_of_a_shape(tries: Tries, command: str) -> None:
    folder = ROOT / "games/tic-tac-toe-net"

    def code(rules: str) -> int:
        asked = ["--game", str(folder / rules), "--mapping", str(folder / "board.toml")]
        return tries.run(command, str(folder / "tic-tac-toe-net.net"), *asked).code

    assert (code("rules-as-written.md"), code("rules-with-diagonal.md")) == (0, 1)


def states_of_readings(tries: Tries, _: str) -> None:
    found = limits_of(tries, readings, "every_reading", "readings", tries.heap, "--exhaustive")
    assert found.states == 1_000_000


def states_of_mutants(tries: Tries, _: str) -> None:
    found = limits_of(tries, mutating, "mutants", "mutants", tries.heap)
    assert found.states == 100_000


CHECKS: dict[str, Callable[[Tries, str], None]] = {
    "--host: 127.0.0.1 if not given": it_listens_here_alone,
    "The port to listen at; 0, the default, takes a free one.": it_listens_here_alone,
    "Type moves in any natural form: 3 4, (3,4), 6,2 5,2 or (7,1)->(6,2).": (
        moves_may_be_typed_in_any_form
    ),
    "To prepare for the first one takes up to 10 seconds more.": to_prepare_takes_ten_seconds,
    "--seconds: 2.0 if not given": a_move_is_thought_about_for_two_seconds,
    "How many threads work; as many as there are cores if not given.": all_cores_work,
    "How many threads; all cores.": all_cores_work,
    "--steps: 100 if not given": a_hundred_firings_are_shown,
    "Of a larger one the states near the start and some plays to the end are looked at, and then "
    "compiled code goes through all states, for at most 20 seconds and half of the free memory.": (
        a_check_goes_wide
    ),
    "Exit codes: 0 there is no error, 1 there is one or a property fails, 2 there is no system at "
    "all.": exit_codes_of_check,
    "Show every diagnostic, not only the 100 most severe.": a_hundred_are_shown,
    "How much memory states may take, as in 2G; half of what is free if not given.": (
        memory_is_a_share(0.5)
    ),
    "How much memory states may take, as in 2G; three quarters of what is free if not given.": (
        memory_is_a_share(0.75)
    ),
    "How many seconds it may take, from reading the document to the answer.": seconds_are_kept,
    "With --exhaustive every choice is compared with the one taken over all positions, or as many "
    "as --states allows, and not only as far as trial plays go.": states_of_readings,
    "--states: 1000000 if not given": states_of_readings,
    "--states: 100000 if not given": states_of_mutants,
    "Count complete plays; with N behind it, plays of 1, 2, … N moves.": (
        plays_are_counted_by_length
    ),
    "How many states to take in; 100,000 if neither this nor --depth is given.": (
        a_graph_has_a_hundred_thousand
    ),
    "Exit codes: 0 all is well, 1 --verify found something wrong or a part of the document had an "
    "error, 2 there is no system.": exit_codes_of_solve,
    "A list of inputs has one a line: `click 150 650` and `key A` make a frame, `frame 30` makes "
    "thirty, `move 10 20` moves the cursor, `hold A` and `release A` hold a key, `snapshot NAME` "
    "keeps a picture, and what follows a # is a comment.": inputs_of_easel,
    "Exit codes: 0 all is well, 1 a frame had a fault, 2 the program or the list cannot be used.": (
        exit_codes_of_easel
    ),
    "--frames-per-second: 30 if not given": it_runs_at_thirty_frames,
    "Exit code 1 if the net is unbounded, or a fault stops a firing; what is counted of a graph "
    "that is not complete is the part that was looked at.": exit_codes_of_nets,
    "Exit code 1 if the net is unbounded, or a fault stops a firing.": exit_codes_of_nets,
    "Asked for are: as many components as nodes; terminal nodes and won boards one to one; "
    "nontrivial terminal components and drawn boards one to one.": exit_code_of_a_shape,
    "Exit code 1 if one fails.": exit_code_of_a_shape,
    "Exit codes with --transcript: 0 all answers are the same, 1 one is not.": (
        exit_codes_of_a_transcript
    ),
}


@pytest.mark.parametrize("promise", promises())
def test_a_number_that_a_help_promises_is_kept(
    promise: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = CHECKS.get(promise)
    assert check is not None, "try what this help promises: add it to CHECKS"

    for command in promises()[promise]:
        check(Tries(tmp_path, monkeypatch), command)


def test_nothing_is_tried_that_no_help_promises() -> None:
    assert CHECKS.keys() == promises().keys()


RANGES = [
    (name, option.opts[0], beyond)
    for name, command in commands()
    for option in command.params
    if isinstance(option.type, click.IntRange | click.FloatRange)
    for beyond in (
        *(() if option.type.min is None else (option.type.min - 1,)),
        *(() if option.type.max is None else (option.type.max + 1,)),
    )
]


@pytest.mark.parametrize(("command", "option", "beyond"), RANGES)
def test_a_number_beyond_what_a_help_allows_is_refused(
    command: str, option: str, beyond: float
) -> None:
    ran = zermelo(*command.split(), "tic-tac-toe", option, f"{beyond:g}")

    assert ran.code == 2
    assert option in ran.err
