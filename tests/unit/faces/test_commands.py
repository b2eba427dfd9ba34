"""What the commands print, and how they end."""

import errno
import os
import re
from pathlib import Path

import pytest

from tests.support.command import zermelo

WON = "1 1\n2 1\n1 2\n2 2\n1 3\n"

LOST = """\
Applicable Sets
  P : {1, 2, 3}
  B : {true, false}
System Variables
  A ⊆ P
  over ∈ B
System Facts
  over ↔ (A f = ∅)
System Initialization
  A = ∅
System States and Behavior
Take(n ∈ P)
  n ∉ A → A = A ∪ {n}
GameOver(over)
  result ∈ {won}
  over → result = won
"""

BROKEN = """\
Applicable Sets
  P : {1, 2
System Variables
  a ∈ P
"""


@pytest.fixture
def document(tmp_path: Path) -> str:
    path = tmp_path / "mine.md"
    assert zermelo("new", str(path)).code == 0
    return str(path)


def moves(folder: Path, text: str) -> str:
    path = folder / "moves.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


# new


def test_the_template_is_never_written_over_a_file(document: str) -> None:
    ran = zermelo("new", document)

    assert ran.code == 2
    assert "exists already, and was left alone" in ran.err.replace("\n", " ")


def test_the_template_checks_without_a_warning(document: str) -> None:
    ran = zermelo("check", document, "--strict", "--states", "10000")

    assert ran.code == 0
    assert "Moves: Place(pos)." in ran.out
    assert "Players: Cross and Nought." in ran.out
    assert "5,478 states, all that can be reached." in ran.out
    assert "warning" not in ran.out


def test_a_template_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    ran = zermelo("new", str(tmp_path / "nowhere" / "mine.md"))

    assert ran.code == 2
    assert "could not be written" in ran.err


# check


def test_check_as_json_has_the_promised_keys(document: str) -> None:
    report = zermelo("check", document, "--json", "--states", "100").json

    assert report["loaded"] is True
    assert isinstance(report["diagnostics"], list)
    assert report["players"] == ["Cross", "Nought"]
    assert report["moves"] == [{"name": "Place", "parameters": ["pos"]}]
    assert {"name", "choice", "choices", "reason"} <= set(report["readings"][0])


def test_a_document_without_a_system_ends_with_2_and_is_still_json() -> None:
    ran = zermelo("check", "-", "--json", typed="hello\n")

    assert ran.code == 2
    assert ran.json["loaded"] is False
    assert ran.json["diagnostics"][0]["severity"] == "error"


def test_diagnostics_in_one_line_begin_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "broken.md"
    path.write_text(BROKEN, encoding="utf-8")

    ran = zermelo("check", str(path), "--one-line")

    assert ran.out.splitlines()[0].startswith("broken.md:2:")


def test_fixes_are_written_into_the_file_and_told(tmp_path: Path) -> None:
    path = tmp_path / "lost.md"
    path.write_bytes(LOST.replace("\n", "\r\n").encode())

    ran = zermelo("check", str(path), "--fix", "--one-line", "--states", "50")

    assert path.read_bytes().decode() == LOST.replace("A f = ", "A ≠ ").replace("\n", "\r\n")
    assert ran.err.startswith("Made 1 fix in")
    assert "`f =` is read as `≠`" in ran.err
    assert "Z108" not in ran.out


def test_fixes_are_written_only_into_files_of_ones_own() -> None:
    ran = zermelo("check", "-", "--fix", typed="hello")

    assert ran.code == 2
    assert "--fix writes into a file of yours" in ran.err.replace("\n", " ")


# play


def test_a_list_of_moves_is_played_and_its_outcome_printed(document: str, tmp_path: Path) -> None:
    ran = zermelo("play", document, "--moves", moves(tmp_path, WON))

    assert ran.code == 0
    assert "  1. Cross: (1, 1)\n  2. Nought: (2, 1)\n" in ran.out
    assert "The play is over: Cross wins.\n" in ran.out
    assert "Decided by rule 1 of GameOver:" in ran.out


def test_a_list_of_moves_as_json_tells_outcome_refusals_and_state(
    document: str, tmp_path: Path
) -> None:
    played = zermelo(
        "play",
        document,
        "--moves",
        moves(tmp_path, f"# a comment\n1 1\n1 1\n{WON[4:]}3 3\n"),
        "--json",
    ).json

    assert played["outcome"] == "Cross wins"
    assert played["over"] is True
    assert played["refused"] == [1, 6]
    assert played["state"]["Cross"] == [[1, 1], [1, 2], [1, 3]]
    assert played["state"]["turn"] is False
    assert played["facts"]["over"] is True


def test_an_unfinished_list_has_no_outcome(document: str, tmp_path: Path) -> None:
    played = zermelo("play", document, "--moves", moves(tmp_path, "2 2\nx\n"), "--json").json

    assert played["outcome"] is None
    assert played["over"] is False
    assert played["refused"] == [1]
    assert played["player"] == "Nought"


def test_moves_may_come_from_standard_input(document: str) -> None:
    played = zermelo("play", document, "--moves", "-", "--json", typed=WON).json

    assert played["outcome"] == "Cross wins"


def test_through_a_pipe_there_is_no_prompt(document: str) -> None:
    ran = zermelo("play", document, typed="1 1\nwhy 1 1\nundo\nquit\n2 2\n")

    assert ran.code == 0
    assert ">" not in ran.out
    assert "Cross: (1, 1)" in ran.out
    assert "Rule 2 of Place is nearest:" in ran.out
    assert "(2, 2)" not in ran.out.partition("Cross to move.")[2].partition("Cross to move.")[2]


def test_the_end_of_input_ends_a_play(document: str) -> None:
    ran = zermelo("play", document, typed="")

    assert ran.code == 0
    assert ran.out.endswith("Cross to move.\n")


def test_against_a_random_player_the_seed_decides(document: str) -> None:
    first = zermelo("play", document, "--against", "random", "--seed", "7", typed="1 1\n")
    again = zermelo("play", document, "--against", "random", "--seed", "7", typed="1 1\n")

    assert "Nought (random player, seed 7): " in first.out
    assert first.out == again.out


def test_without_a_seed_a_random_player_has_one_of_its_own(document: str) -> None:
    ran = [zermelo("play", document, "--against", "random", typed="1 1\n").out for _ in range(4)]
    seeds = {re.search(r"random player, seed (\d+)", each)[1] for each in ran}  # type: ignore[index]

    assert len(seeds) > 1
    again = zermelo("play", document, "--against", "random", "--seed", seeds.pop(), typed="1 1\n")
    assert again.out in ran


def test_one_can_play_the_second_player(document: str) -> None:
    ran = zermelo("play", document, "--against", "random", "--as", "nought")

    assert "Cross (random player, seed " in ran.out
    assert ran.out.endswith("Nought to move.\n")


def test_nobody_of_that_name_plays(document: str) -> None:
    ran = zermelo("play", document, "--against", "random", "--as", "Zed")

    assert ran.code == 2
    assert "there is no player `Zed`; the players are Cross and Nought" in ran.err


def test_a_play_is_saved_and_goes_on(document: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "one.play")

    first = zermelo("play", document, typed=f"1 1\nsave {saved}\n")
    second = zermelo("play", document, typed=f"load {saved}\nstate\n")

    assert "Saved 1 move in" in first.out
    assert "after 1 move." in second.out.replace("\n", " ")
    assert "Cross = {(1, 1)}" in second.out


def test_a_changed_document_is_noticed_when_a_play_goes_on(document: str, tmp_path: Path) -> None:
    saved = str(tmp_path / "one.play")
    zermelo("play", document, typed=f"1 1\nsave {saved}\n")
    path = Path(document)
    path.write_text(path.read_text("utf-8") + "\n// changed\n", encoding="utf-8")

    ran = zermelo("play", document, typed=f"load {saved}\nlog\n")
    anyway = zermelo("play", document, typed=f"load {saved} anyway\nlog\n")

    assert f"has changed since this play was saved; `load {saved} anyway`" in " ".join(
        ran.out.split()
    )
    assert "Went on from" not in ran.out
    assert "after 1 move." in anyway.out.replace("\n", " ")
    assert "has changed since this play was saved." in anyway.out.replace("\n", " ")


def test_a_play_that_was_edited_is_refused(document: str, tmp_path: Path) -> None:
    saved = tmp_path / "one.play"
    zermelo("play", document, typed=f"1 1\nsave {saved}\n")
    saved.write_text(saved.read_text("utf-8").replace("(1, 1)", "(2, 2)"), "utf-8")

    typed = zermelo("play", document, typed=f"load {saved} anyway\n")
    given = zermelo("play", document, "--moves", str(saved))

    assert "this saved play was changed after it was saved" in typed.out.replace("\n", " ")
    assert given.code == 2
    assert "keep only the lines after `moves:`" in " ".join(given.err.split())


def test_a_fault_while_saving_leaves_the_old_play(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "one.play"
    zermelo("play", document, typed=f"1 1\nsave {saved}\n")
    before = saved.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = zermelo("play", document, typed=f"1 1\n2 2\nsave {saved}\n")

    assert "could not be written: no space left on device" in ran.out.replace("\n", " ")
    assert saved.read_bytes() == before


def test_saving_leaves_other_files_alone(document: str) -> None:
    before = Path(document).read_text("utf-8")

    ran = zermelo("play", document, typed=f"save {document}\n")

    assert "is no saved play; it was left alone." in ran.out.replace("\n", " ")
    assert Path(document).read_text("utf-8") == before


def test_in_ascii_nothing_else_is_printed(document: str) -> None:
    ran = zermelo("play", document, "--ascii", typed="1 1\nwhy 1 1\nlog\nreadings\nhelp\n")

    assert ran.out.isascii()
    assert "| X |" in ran.out.replace("[X]", " X ")


# step, explain, readings, explore, format, repl, games


def test_step_logs_each_move_and_goes_on_after_a_refusal(document: str) -> None:
    ran = zermelo("step", document, "1 1", "1 1", "2 2")

    assert ran.code == 0
    assert "Move 1: Place((1, 1))\n" in ran.out
    assert "No effect: no rule changed anything" in ran.out
    assert "Move 3: Place((2, 2))\n" in ran.out
    assert "Free, line and over are facts" in ran.out


def test_step_without_moves_shows_the_first_state(document: str) -> None:
    assert "  Cross = ∅\n" in zermelo("step", document).out


def test_a_move_that_is_not_understood_ends_step_with_a_sentence(document: str) -> None:
    ran = zermelo("step", document, "hello")

    assert ran.code == 2
    assert "`hello` is no move here" in ran.err


def test_explain_tells_the_document_in_plain_words(document: str) -> None:
    ran = zermelo("explain", document)

    assert ran.code == 0
    assert "If turn is true and pos is in Free" in ran.out
    assert "Cross moves when turn is true" in ran.out


def test_explain_prints_the_page_of_a_code() -> None:
    ran = zermelo("explain", "z301")

    assert ran.code == 0
    assert ran.out.startswith("Z301: ")


def test_a_code_that_does_not_exist_is_a_sentence() -> None:
    ran = zermelo("explain", "Z000")

    assert ran.code == 2
    assert "there is no diagnostic with the code `Z000`" in ran.err


def test_readings_lists_every_order_and_the_one_taken(document: str) -> None:
    rows = zermelo("readings", document, "--json").json

    orders = [row["choices"]["order"] for row in rows if "order" in row["choices"]]
    assert orders[:3] == ["in order", "facts frozen", "at once"]
    assert [row["taken"] for row in rows].count(True) == 1
    assert all({"choices", "playable", "why", "taken"} <= set(row) for row in rows)


def test_readings_are_shown_in_words(document: str) -> None:
    ran = zermelo("readings", document)

    assert ran.code == 0
    assert "order: in order" in ran.out
    assert "playable, taken" in ran.out.replace("\n", " ")


def test_explore_counts_states_by_depth(document: str) -> None:
    ran = zermelo("explore", document, "--depth", "2", "--json")

    assert ran.json["by_depth"] == [1, 9, 72]


def test_explore_counts_plays_by_length(document: str) -> None:
    ran = zermelo("explore", document, "--plays", "3")

    assert "      1      9\n      2     72\n      3    504\n" in ran.out


def test_explore_says_what_it_did_not_see(document: str) -> None:
    ran = zermelo("explore", document, "--states", "50")

    assert "not all" in ran.out


def test_formatting_twice_changes_nothing(document: str, tmp_path: Path) -> None:
    once = zermelo("format", document).out
    path = tmp_path / "again.md"
    path.write_text(once, encoding="utf-8")

    assert zermelo("format", str(path)).out == once


def test_format_writes_into_the_file_when_asked(document: str) -> None:
    wanted = zermelo("format", document, "--to", "ascii").out

    ran = zermelo("format", document, "--to", "ascii", "--write")

    assert ran.code == 0
    assert Path(document).read_text("utf-8") == wanted


def test_the_repl_answers_in_the_documents_notation(document: str) -> None:
    typed = "|Free|\n1 1\n|Free|\nCross\n(1, 1) ∈ Cross\nPlace((2, 2))\n:undo\nP − Free\n"

    ran = zermelo("repl", document, typed=typed)

    answers = [row for row in ran.out.splitlines() if row and not row.startswith(" ")]
    assert answers[:6] == ["9", "Cross: (1, 1)", "8", "{(1, 1)}", "true", "Nought: (2, 2)"]
    assert answers[-1] == "{(1, 1)}"


def test_what_the_repl_prints_can_be_typed_again(document: str) -> None:
    first = zermelo("repl", document, typed="P × {turn}\n").out

    assert zermelo("repl", document, typed=first).out == first


def test_the_repl_says_what_it_does_not_understand(document: str) -> None:
    ran = zermelo("repl", document, typed="|Free\n:nothing\n")

    assert ran.code == 0
    assert "error[Z" in ran.out
    assert "There is no command `:nothing`; see `:help`." in ran.out


def test_games_lists_the_library() -> None:
    ran = zermelo("games", "--json")

    assert all(game["title"] for game in ran.json)
    assert [game["name"] for game in ran.json if not game["players"]] == ["tic-tac-toe-net"]
    assert zermelo("games").code == 0


def test_the_log_of_a_refused_move_is_shown_too(document: str) -> None:
    ran = zermelo("play", document, typed="1 1\n1 1\nlog\n")

    assert "No effect: no rule changed anything, so (1, 1) is refused." in ran.out
    assert "and GameOver is not called" in ran.out.replace("\n", " ")


def test_after_undo_the_log_is_that_of_the_last_move(document: str) -> None:
    ran = zermelo("play", document, typed="1 1\n2 2\n2 2\nundo\nlog\n")

    assert "Place is called with pos = (1, 1)." in ran.out
    assert "No effect" not in ran.out


def test_undo_against_a_random_player_takes_back_ones_own_move(document: str) -> None:
    ran = zermelo("play", document, "--against", "random", typed="1 1\nundo\nstate\n")

    assert "Cross = ∅" in ran.out
    assert ran.out.count("Cross to move.") == 3


FAULTY = """
Applicable Sets
  H : {1..2}
  V : {true, false}
System Variables
  n ∈ H
  over ∈ V
System Facts
  over ↔ n > 5
System Initialization
  n = 1
System States and Behavior
Up()
  n < 9 → n = n + 1
GameOver(over)
  result ∈ {done}
  over → result = done
"""


def test_a_move_that_a_fault_stops_says_which_and_where(tmp_path: Path) -> None:
    file = tmp_path / "faulty.md"
    file.write_text(f"{FAULTY}Reading\n  values of n: stop\n", encoding="utf-8")

    played = zermelo("play", str(file), typed="Up\nUp\n")

    said = " ".join(played.out.split())
    assert "Up cannot be carried out: `n` is 3, which is not in H (Up, rule 1)" in said


def test_what_lies_behind_a_move_that_goes_wrong_is_not_called_reached(tmp_path: Path) -> None:
    file = tmp_path / "faulty.md"
    without = FAULTY.replace("{1..2}", "{1..9}")
    file.write_text(without.replace("n < 9 →", "1/(n − 3) ≠ 0 →"), encoding="utf-8")

    said = {
        command: " ".join(zermelo(command, str(file)).out.split())
        for command in ("explore", "graph", "solve")
    }

    wrong = "all that can be reached without what goes wrong."
    assert f"3 states, {wrong}" in said["explore"]
    assert f"3 nodes and 2 arcs, {wrong}" in said["graph"]
    assert "in 1 state something goes wrong with a move" in said["solve"]
    assert "where it would lead to is not counted" in said["solve"]


def test_a_move_that_begins_like_a_command_is_a_move(tmp_path: Path) -> None:
    file = tmp_path / "letters.md"
    letters = FAULTY.replace("Up()\n  n < 9", "Up(c ∈ {b, d}, k ∈ {1..2})\n  n < 2 ∧ c = b")
    file.write_text(letters, encoding="utf-8")

    played = zermelo("play", str(file), typed="b 1\nstate\n")

    assert "n = 2" in played.out


def test_format_does_not_write_over_a_document_with_errors(tmp_path: Path) -> None:
    file = tmp_path / "torn.md"
    text = FAULTY.replace("n < 9 →", "n < →")
    file.write_text(text, encoding="utf-8")

    done = zermelo("format", str(file), "--write")

    assert done.code == 1
    assert "Nothing was written" in done.err
    assert file.read_text(encoding="utf-8") == text


def test_moves_from_a_saved_play_of_a_changed_document_are_noticed(tmp_path: Path) -> None:
    file, saved = tmp_path / "mine.md", tmp_path / "saved.txt"
    file.write_text(FAULTY, encoding="utf-8")
    zermelo("play", str(file), typed=f"Up\nsave {saved}\nquit\n")
    file.write_text(FAULTY.replace("{1..2}", "{1..3}"), encoding="utf-8")

    done = zermelo("play", str(file), "--moves", str(saved))
    anyway = zermelo("play", str(file), "--moves", str(saved), "--anyway")

    said = "has changed since this play was saved"
    assert done.code == 2
    assert f"{said}; --anyway makes its moves here" in " ".join(done.err.split())
    assert anyway.code != 2
    assert said in " ".join(anyway.err.split())
