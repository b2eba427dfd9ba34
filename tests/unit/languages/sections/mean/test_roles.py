"""What procedures are for, by what they do."""

from tests.support.meaning import codes_of, parsed
from zermelo.languages.sections.ir import ProcedureRole
from zermelo.languages.sections.mean import readings
from zermelo.languages.sections.mean.roles import Roles, roles
from zermelo.languages.sections.read.grammar.tree import SectionsDocument

SETS = """
Applicable Sets
  P : {1..9}
  B : {true, false}
System Variables
  mine, yours ⊆ P
  turn, over ∈ B
System Facts
  over ↔ (mine ∪ yours = P)
System Initialization
  mine, yours = ∅
  turn = true
System States and Behavior
"""

MOVE = """
Take(p ∈ P)
  turn ∧ p ∉ mine ∪ yours → mine = mine ∪ {p} ∧ turn = ¬turn
  ¬turn ∧ p ∉ mine ∪ yours → yours = yours ∪ {p} ∧ turn = ¬turn
"""

END = """
GameOver(over)
  result ∈ {mine wins, yours wins}
  over ∧ 5 ∈ mine → result = mine wins
  over ∧ 5 ∈ yours → result = yours wins
"""


def found(text: str, choices: dict[str, str] | None = None) -> Roles:
    given = readings.FromCaller(choices or {}, "").choices
    value = roles(parsed(text), given=given).value
    assert value is not None
    return value


def said(text: str) -> list[str]:
    return codes_of(roles(parsed(text), given={}).diagnostics)


def test_a_procedure_with_a_choice_is_a_move_and_the_one_that_judges_the_end() -> None:
    given = found(SETS + MOVE + END)

    assert given.procedures == {"Take": ProcedureRole.MOVE, "GameOver": ProcedureRole.END}
    assert (given.end, given.over, given.result) == ("GameOver", "over", "result")
    assert said(SETS + MOVE + END) == []


def test_names_of_procedures_do_not_matter() -> None:
    text = (SETS + MOVE + END).replace("GameOver", "Zig").replace("Take", "Endgame")

    given = found(text)

    assert given.procedures == {"Endgame": ProcedureRole.MOVE, "Zig": ProcedureRole.END}


def test_the_end_may_come_first() -> None:
    given = found(SETS + END + MOVE)

    assert (given.end, given.over) == ("GameOver", "over")


def test_an_end_without_parameter_is_known_by_the_result_it_declares() -> None:
    given = found(SETS + MOVE + END.replace("(over)", "()"))

    assert (given.end, given.over, given.result) == ("GameOver", "over", "result")


def test_a_pass_is_a_move() -> None:
    text = SETS + MOVE + "\nPass()\n  ¬over → turn = ¬turn\n" + END

    given = found(text)

    assert given.procedures["Pass"] is ProcedureRole.MOVE
    assert given.end == "GameOver"


def test_a_pass_beside_an_end_without_parameter_is_a_move() -> None:
    text = SETS + MOVE + "\nPass()\n  ¬over → turn = ¬turn\n" + END.replace("(over)", "()")

    given = found(text)

    assert given.procedures["Pass"] is ProcedureRole.MOVE
    assert given.end == "GameOver"


def test_procedures_that_others_call_are_helpers_recursion_included() -> None:
    text = (
        SETS
        + """
Take(p ∈ P)
  turn ∧ p ∉ mine ∪ yours → Spread(p)
Spread(p ∈ P)
  p ∉ mine → mine = mine ∪ {p} ∧ Back(p)
Back(p ∈ P)
  p < 9 → Spread(p + 1)
"""
        + END
    )

    given = found(text)

    assert given.procedures == {
        "Take": ProcedureRole.MOVE,
        "Spread": ProcedureRole.HELPER,
        "Back": ProcedureRole.HELPER,
        "GameOver": ProcedureRole.END,
    }


def test_a_move_that_calls_itself_is_a_move() -> None:
    text = SETS + "\nTake(p ∈ P)\n  p ∉ mine → mine = mine ∪ {p}\n  p < 9 → Take(p + 1)\n" + END

    assert found(text).procedures["Take"] is ProcedureRole.MOVE


def test_a_move_that_ends_the_play_itself_needs_no_end() -> None:
    text = """
Applicable Sets
  P : {1..9}
  B : {true, false}
System Variables
  mine ⊆ P
  over ∈ B
  result ∈ {solved, stuck}
System Initialization
  mine = ∅
  over = false
System States and Behavior
Take(p ∈ P)
  ¬over ∧ p ∉ mine → mine = mine ∪ {p}
  5 ∈ mine → over = true ∧ result = solved
"""

    given = found(text)

    assert given.procedures == {"Take": ProcedureRole.MOVE}
    assert (given.end, given.over, given.result) == (None, "over", "result")
    assert said(text) == []


def test_a_lone_procedure_without_parameters_is_a_move() -> None:
    text = """
System Variables
  n ∈ {0..9}
System Initialization
  n = 0
System States and Behavior
Tick()
  n < 9 → n = n + 1
"""

    assert found(text).procedures == {"Tick": ProcedureRole.MOVE}
    assert said(text) == ["Z536"]


def test_over_is_known_by_its_fact_even_under_another_name() -> None:
    text = (SETS + MOVE + END).replace("over", "filled").replace("(filled)", "()")

    assert found(text).over == "filled"


def test_over_is_a_truth_value_though_it_is_written_with_the_letters_of_truth_tables() -> None:
    letters = SETS.replace("{true, false}", "{T, F}").replace("over", "blocked")
    end = END.replace("over", "blocked").replace("GameOver(blocked)", "Judge(blocked)")

    given = found(letters + MOVE + end)

    assert (given.end, given.over, given.result) == ("Judge", "blocked", "result")


def test_letters_that_mean_something_else_are_no_truth_values() -> None:
    letters = SETS.replace("B : {true, false}", "T : {1, 2}\n  F : {3}\n  B : {T, F}")

    assert found(letters + MOVE + END.replace("GameOver(over)", "GameOver()")).over != "turn"


def test_a_turn_that_a_fact_defines_is_not_taken_for_over() -> None:
    text = """
Applicable Sets
  P : {1..9}
  B : {true, false}
System Variables
  x, o ⊆ P
  even, full ∈ B
System Facts
  even ↔ ((|x| + |o|) mod 2 = 0)
  full ↔ (x ∪ o = P)
System Initialization
  x, o = ∅
System States and Behavior
Take(p ∈ P)
  even ∧ p ∉ x ∪ o → x = x ∪ {p}
  ¬even ∧ p ∉ x ∪ o → o = o ∪ {p}
Judge()
  verdict ∈ {x wins, o wins}
  full ∧ even → verdict = x wins
  full ∧ ¬even → verdict = o wins
"""

    given = found(text)

    assert (given.end, given.over, given.result) == ("Judge", "full", "verdict")


def test_a_turn_in_words_that_the_end_passes_on_is_not_the_result() -> None:
    text = """
Applicable Sets
  P : {1..9}
  B : {true, false}
System Variables
  x, o ⊆ P
  turn ∈ {red, blue}
  over ∈ B
System Facts
  over ↔ (x ∪ o = P)
System Initialization
  x, o = ∅
  turn = red
System States and Behavior
Take(p ∈ P)
  turn = red ∧ p ∉ x ∪ o → x = x ∪ {p}
  turn = blue ∧ p ∉ x ∪ o → o = o ∪ {p}
GameOver(over)
  outcome ∈ {red wins, blue wins}
  over ∧ 5 ∈ x → outcome = red wins
  over ∧ 5 ∈ o → outcome = blue wins
  ¬over ∧ turn = red → turn = blue
"""

    assert found(text).result == "outcome"


def test_a_set_of_words_in_the_variables_may_be_the_result() -> None:
    text = """
Applicable Sets
  P : {1..9}
  B : {true, false}
System Variables
  x, o ⊆ P
  turn, over ∈ B
  result ⊆ {ex, oh, draw}
System Facts
  over ↔ (x ∪ o = P)
System Initialization
  x, o, result = ∅
  turn = true
System States and Behavior
Take(p ∈ P)
  turn ∧ p ∉ x ∪ o → x = x ∪ {p} ∧ turn = ¬turn
EndGame(over)
  5 ∈ x → result = result ∪ {ex}
  5 ∈ o → result = result ∪ {oh}
  over ∧ result = ∅ → result = {draw}
"""

    given = found(text)

    assert (given.end, given.over, given.result) == ("EndGame", "over", "result")


def test_a_result_may_be_a_number() -> None:
    text = (SETS + MOVE).replace("turn, over ∈ B", "turn, over ∈ B\n  winner ∈ {0, 1, 2}")
    text += """
GameOver(over)
  over ∧ 5 ∈ mine → winner = 1
  over ∧ 5 ∈ yours → winner = 2
"""

    assert found(text).result == "winner"


def test_a_document_with_nothing_but_an_end_has_no_move() -> None:
    assert said(SETS + END) == ["Z535"]
    assert found(SETS + END).end == "GameOver"


def test_a_document_without_behaviour_has_no_move() -> None:
    assert said(SETS) == ["Z535"]
    assert codes_of(roles(SectionsDocument((), ()), given={}).diagnostics) == ["Z535"]


def test_a_circle_of_calls_has_a_move_by_assumption() -> None:
    text = """
System Variables
  n ∈ {0..9}
System Initialization
  n = 0
System States and Behavior
Up(a ∈ {1, 2})
  n < 9 → n = n + 1
  a > 8 → Down(a)
Down(a ∈ {1, 2})
  n > 5 → n = n − 2
  a < 1 → Up(a)
"""

    given = found(text)

    assert given.procedures == {"Up": ProcedureRole.MOVE, "Down": ProcedureRole.HELPER}
    assert said(text) == ["Z537", "Z536"]


def test_a_second_end_is_told() -> None:
    text = SETS + MOVE + END + "\nAnnounce(over)\n  shown ∈ {yes, not yet}\n  over → shown = yes\n"

    assert found(text).end == "GameOver"
    assert said(text) == ["Z538"]


def test_an_end_that_a_move_calls_itself_is_a_helper() -> None:
    text = (
        SETS
        + """
Take(p ∈ P)
  turn ∧ p ∉ mine ∪ yours → mine = mine ∪ {p} ∧ turn = ¬turn
  GameOver(over)
"""
        + END
    )

    given = found(text)

    assert given.procedures["GameOver"] is ProcedureRole.HELPER
    assert (given.end, given.over, given.result) == (None, "over", "result")


LIGHTS = """
Applicable Sets
  C : {red, green}
System Variables
  light, other ∈ C
System Initialization
  light, other = red
System States and Behavior
Up()
  light = green
Tidy()
  light = red ∧ other = green
"""


def test_a_procedure_that_sets_a_word_is_not_the_end_for_that() -> None:
    given = found(LIGHTS)

    assert given.procedures == {"Up": ProcedureRole.MOVE, "Tidy": ProcedureRole.MOVE}
    assert given.result is None


def test_a_word_that_nothing_has_before_is_a_result() -> None:
    text = LIGHTS.replace("  light, other = red\n", "  light = red\n")

    assert found(text.replace("  light = red ∧ other", "  other")).result == "other"


def test_a_role_may_be_said() -> None:
    assert found(LIGHTS, {"Tidy": "end"}).end == "Tidy"
    assert found(LIGHTS, {"role of Tidy": "end"}).procedures["Up"] is ProcedureRole.MOVE
    assert found(LIGHTS, {"Up": "helper"}).procedures["Up"] is ProcedureRole.HELPER
    assert found(SETS + MOVE + END, {"GameOver": "move"}).end is None


def test_an_end_that_was_said_has_no_result_in_words_that_moves_set_too() -> None:
    assert found(LIGHTS, {"Tidy": "end"}).result == "other"
    assert found(LIGHTS.replace(" ∧ other = green", ""), {"Tidy": "end"}).result is None


WINNER = """
Applicable Sets
  P : {1..4}
System Variables
  A, D ⊆ P
  winner ∈ {nobody, A, D}
System Initialization
  A, D = ∅
  winner = nobody
System States and Behavior
Put(p ∈ P)
  winner = nobody ∧ p ∉ A ∪ D → A = A ∪ {p}
Look()
  |A| = 2 → winner = A
  |D| = 2 → winner = D
"""


def test_a_winner_that_stops_the_moves_is_still_the_result() -> None:
    given = found(WINNER)

    assert (given.end, given.result) == ("Look", "winner")


def test_a_mode_that_steers_the_moves_is_no_result() -> None:
    given = found(WINNER.replace("winner", "mode").replace("nobody", "calm"))

    assert (given.end, given.result) == (None, None)


BOILER = """
Applicable Sets
  T : {0..5}
System Variables
  heat ∈ T
  alarm ∈ {true, false}
System Facts
  alarm ↔ heat ≥ 4
System Initialization
  heat = 2
System States and Behavior
Warm()
  heat < 5 → heat = heat + 1
Cool()
  heat > 0 → heat = heat − 1
"""


def test_a_fact_that_nothing_asks_for_is_not_the_end_unless_it_is_said_or_called_so() -> None:
    assert found(BOILER).over is None
    assert found(BOILER.replace("alarm", "overheated")).over is None
    assert found(BOILER.replace("alarm", "isOver")).over == "isOver"
    assert found(BOILER, {"alarm": "end"}).over == "alarm"
    assert found(BOILER.replace("alarm", "over"), {"over": "variable"}).over is None


def test_a_fact_that_may_be_meant_as_the_end_is_told_with_the_line_to_add() -> None:
    (note,) = roles(parsed(BOILER), given={}).diagnostics

    assert note.notes == ("no rule asks for `alarm`, and nothing shows that play is over then",)
    assert note.help == "if that is meant, say so in a Reading section: `alarm: end`"


def test_what_forbids_every_move_is_the_end_and_what_forbids_some_is_not() -> None:
    some = BOILER.replace("heat < 5", "¬alarm ∧ heat < 5")

    assert found(some).over is None
    assert found(some.replace("heat > 0", "¬alarm ∧ heat > 0")).over == "alarm"


def test_what_only_keeps_itself_from_changing_is_not_the_end() -> None:
    text = """
Applicable Sets
  V : {true, false}
System Variables
  lit ∈ V
System Initialization
  lit = false
System States and Behavior
Light()
  ¬lit → lit = true
"""

    assert found(text).over is None


STATUS = """
Applicable Sets
  S : {idle, busy, lost}
System Variables
  call ∈ S
System Initialization
  call = idle
System States and Behavior
Dial()
  call = idle → call = busy
Drop()
  call = idle → call = lost
"""


def test_a_status_that_is_left_again_is_no_result() -> None:
    assert found(STATUS).result == "call"
    assert found(STATUS + "Wait()\n  call = busy → call = lost\n").result is None
    assert found(STATUS + "HangUp()\n  call = idle\n").result is None


def test_words_that_only_the_first_value_speaks_of_an_end_in_are_no_result() -> None:
    assert found(STATUS.replace("lost", "off").replace("idle", "tied")).result is None


def test_none_is_said_of_many_things_and_tells_no_end() -> None:
    assert found(STATUS.replace("lost", "none")).result is None


def test_a_word_without_a_first_value_that_a_choice_sets_is_no_result() -> None:
    text = STATUS.replace("  call = idle\nSystem States", "System States").replace("lost", "off")
    text = text[: text.index("Dial")] + "Press(s ∈ S)\n  s = busy → call = busy\n"

    assert found(text).result is None
