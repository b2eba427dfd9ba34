"""Whatever is typed is a move or is answered; nothing else happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.boards import picks, rows, steps
from tests.support.models import words
from zermelo.core.commentary import Commentary
from zermelo.core.state import Move
from zermelo.core.values import Value
from zermelo.play.notation import from_text, to_text
from zermelo.play.session import SavedPlay
from zermelo.play.session import read_saved as record_from_text
from zermelo.play.session import saved_text as record_to_text
from zermelo.text.errors import MoveError

COMMENTARIES = [words(system) for system in (rows(), steps(), picks())]
SIGNS = st.text(st.sampled_from("0123456789 ,;:()[]{}-−→>tofplace\"'∅"), max_size=40)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), min_size=1, max_size=12)


@given(st.sampled_from(COMMENTARIES), SIGNS | st.text(max_size=60))
def test_any_text_is_a_move_or_is_answered(said: Commentary, text: str) -> None:
    try:
        move = from_text(text, said, said.machine.initial)
    except MoveError:
        return
    assert move.name in {kind.name for kind in said.machine.signature.moves}


# Far more than it needs, so that a busy machine is no fault, and far less than a search would take.
@settings(max_examples=20, deadline=10_000)
@given(st.integers(min_value=1, max_value=400))
def test_long_texts_are_answered_soon(length: int) -> None:
    for text in ("{" + "1-1 " * length, "(" * length, "1-" * length, "a b " * length):
        for said in COMMENTARIES:
            try:
                from_text(text, said, said.machine.initial)
            except MoveError:
                continue


@given(st.tuples(st.integers(), st.integers()), st.tuples(st.integers(), st.integers()))
def test_a_step_that_is_shown_is_understood(old: Value, new: Value) -> None:
    said = COMMENTARIES[1]
    move = Move("Step", (old, new))

    machine = said.machine
    assert from_text(to_text(move, machine.signature), said, machine.initial) == move


NAMES = WORDS.map(str.strip).filter(lambda name: name and not name.startswith("#"))
MOVES = NAMES.filter(lambda text: text != "moves:" and len(text.splitlines()) == 1)
ONE_LINE = NAMES.filter(lambda name: len(name.splitlines()) == 1 and " = " not in name)


@given(ONE_LINE, st.lists(st.tuples(ONE_LINE, ONE_LINE), max_size=3), st.lists(MOVES, max_size=5))
def test_a_record_is_read_back(
    document: str, readings: list[tuple[str, str]], moves: list[str]
) -> None:
    play = SavedPlay(document, "0123", tuple(readings), tuple(moves))

    assert record_from_text(record_to_text(play)) == play
