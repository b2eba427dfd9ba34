"""What results mean where they name nobody, are computed, or belong to several."""

import pytest

from tests.support.meaning import with_players
from tests.unit.languages.sections.mean.test_infer import HEAP, TWO, found, table
from zermelo.core.values import to_text as shown


def test_a_plain_word_for_the_end_is_a_draw_if_everybody_has_another_and_it_is_said() -> None:
    checked = with_players(TWO.replace("draw", "board full"))

    assert checked.value is not None
    assert [shown(value) for value in checked.value.draws] == ["board full"]
    (asked,) = checked.diagnostics
    assert asked.message == "what `board full` means is not said"
    assert asked.help == "add to the Reading section `result board full: draw`"
    assert checked.value.unsaid is None


@pytest.mark.parametrize("value", ["3 − turn", "1 + turn mod 2"])
def test_a_result_may_be_computed_from_the_number_of_the_turn(value: str) -> None:
    text = HEAP.replace("turn, over ∈ B", "turn ∈ {1, 2}\n  over ∈ B")
    text = text.replace("turn = true", "turn = 1").replace("turn = ¬turn", "turn = 3 − turn")
    text = text[: text.index("  result ∈")] + "  result ∈ {1, 2}\n"
    text += f"  over → result = {value}\n"

    assert table(found(text)) == {
        "Player 1": ("turn = 1", "1", ""),
        "Player 2": ("turn = 2", "2", ""),
    }


@pytest.mark.parametrize(
    ("line", "winners", "losers"),
    [
        ("ex and oh win", ["ex", "oh"], []),
        ("both win", ["ex", "oh"], []),
        ("ex wins, oh loses", ["ex"], ["oh"]),
        ("ex, oh lose", [], ["ex", "oh"]),
        ("everybody loses", [], ["ex", "oh"]),
    ],
)
def test_several_may_win_or_lose_with_a_word(
    line: str, winners: list[str], losers: list[str]
) -> None:
    system = found(TWO.replace("draw", "peace"), {"result peace": line})

    wins = [p.name for p in system.players if "peace" in map(shown, p.wins)]
    loses = [p.name for p in system.players if "peace" in map(shown, p.loses)]
    assert (wins, loses) == (winners, losers)
