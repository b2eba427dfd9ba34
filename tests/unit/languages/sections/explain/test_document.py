"""Documents in plain words."""

from tests.support.boards import rows, steps
from zermelo.languages.sections.explain.document import explain
from zermelo.languages.sections.run.interpreter import Interpreter
from zermelo.text.prose import plain_text


def test_a_system_is_told_in_plain_words() -> None:
    assert plain_text(explain(Interpreter(rows()))) == (
        "rows in plain words\n"
        "\n"
        "Sets\n"
        "  N is {1..3}, 3 members: 1, 2, 3.\n"
        "  P is N × N, 9 members: (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), "
        "(3, 3).\n"
        "  B is {true, false}.\n"
        "\n"
        "Variables\n"
        "  Cross is a subset of P; at first it is empty.\n"
        "  Nought is a subset of P; at first it is empty.\n"
        "  Free is a subset of P; it is a fact, computed from the others.\n"
        "  turn is true or false; at first it is true.\n"
        "  over is true or false; it is a fact, computed from the others.\n"
        "  result is in {Cross wins, Nought wins}; at first it has no value.\n"
        "\n"
        "Facts, which hold always\n"
        "  Free is always P − (Cross ∪ Nought).\n"
        "  over is true exactly when there is r in N such that {r} × N is a subset of Cross; "
        "or there is r in N such that {r} × N is a subset of Nought; or Free is empty.\n"
        "\n"
        "A turn\n"
        "  The player chooses pos from P, and Place is called.\n"
        "  If that changes something, the move counts, and GameOver is called; "
        "if it changes nothing, it is refused.\n"
        "\n"
        "Place(pos ∈ P): a move\n"
        "  Its rules are tried one after the other; each sees what the rules before it changed.\n"
        "  1. If turn is true and pos is in Free, then pos is added to Cross and turn becomes its "
        "opposite.\n"
        "       turn ∧ pos ∈ Free → Cross = Cross ∪ {pos} ∧ turn = ¬turn\n"
        "  2. If turn is false and pos is in Free, then pos is added to Nought and turn becomes "
        "its opposite.\n"
        "       ¬turn ∧ pos ∈ Free → Nought = Nought ∪ {pos} ∧ turn = ¬turn\n"
        "\n"
        "GameOver: the end of every turn\n"
        "  Its rules are tried one after the other; each sees what the rules before it changed.\n"
        "  1. If there is r in N such that {r} × N is a subset of Cross, then result becomes Cross "
        "wins.\n"
        "       ∃r ∈ N: {r} × N ⊆ Cross → result = Cross wins\n"
        "  2. If there is r in N such that {r} × N is a subset of Nought, then result becomes "
        "Nought wins.\n"
        "       ∃r ∈ N: {r} × N ⊆ Nought → result = Nought wins\n"
        "\n"
        "How a play ends\n"
        "  It is over when over is true.\n"
        "  A player who cannot move although the play is not over is stuck: it ends there, and the "
        "document does not say for whom.\n"
        "\n"
        "Players\n"
        "  Cross moves when turn is true and wins when result is Cross wins.\n"
        "  Nought moves when turn is false and wins when result is Nought wins.\n"
        "\n"
        "Readings, where the document leaves something open\n"
        "  order: in order (found by playing)\n"
        "      because after the first rule pos is no longer in Free\n"
        "      or: facts frozen, at once"
    )


def test_what_a_document_does_not_say_is_said() -> None:
    text = plain_text(explain(Interpreter(steps())))

    assert "  ok is true or false; it is a flag, which starts every turn afresh at false.\n" in text
    assert text.endswith("  It stops where nothing that can be called changes anything.")
    assert "layer" not in text
