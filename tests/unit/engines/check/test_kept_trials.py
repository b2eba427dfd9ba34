"""What playing decided is kept and used again, and only while it is what was decided."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.project import ROOT
from zermelo.api import loading
from zermelo.api.game import Game
from zermelo.api.questions import readings_table
from zermelo.core.observation import Settlement, Verdict
from zermelo.core.state import Move, State
from zermelo.core.values import FALSE, TRUE, UNSET, Atom
from zermelo.engines.check import kept_trials
from zermelo.engines.check.kept_trials import KeptTrials
from zermelo.engines.check.trials import Trials
from zermelo.fast import cache
from zermelo.packing.json_values import Unfit, from_json, to_json

DOCUMENT = ROOT / "tests" / "documents" / "same-row.md"

KEY = "0" * 64


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own in which a test keeps what it keeps."""
    kept = cache.Cache(tmp_path / "kept", keeps_findings=True)
    monkeypatch.setattr(cache, "_standard", [kept])
    return tmp_path / "kept" / "v2"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Trials]:
    """The trials that were played."""
    found: list[Trials] = []
    settle = Trials.settle

    def noted(self: Trials, readings: object) -> Settlement:
        found.append(self)
        return settle(self, readings)  # type: ignore[arg-type]

    monkeypatch.setattr(Trials, "settle", noted)
    return found


def said(game: Game) -> object:
    """All that a game tells of how it is read."""
    return game.readings, game.players, game.diagnostics


def test_a_document_that_was_tried_before_is_read_as_it_was_and_not_played(
    played: list[Trials],
) -> None:
    first = loading.load(DOCUMENT)
    again = loading.load(DOCUMENT)

    assert len(played) == 1
    assert said(again) == said(first)
    assert any(each.decided_by == "play" for each in first.readings)


def test_the_table_of_readings_is_the_same_whether_trials_were_kept() -> None:
    first = readings_table(loading.load(DOCUMENT))

    assert readings_table(loading.load(DOCUMENT)) == first
    assert len(first) > 1


def test_another_text_and_other_choices_are_played_anew(
    played: list[Trials],
) -> None:
    text = DOCUMENT.read_text("utf-8")
    for changed, given in ((text, {}), (f"{text}\n", {}), (text, {"order": "at once"})):
        loading.load_text(changed, readings=given)

    assert len(played) == 3


def test_nothing_is_kept_where_findings_are_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_standard", [cache.Cache(folder.parent)])
    loading.load(DOCUMENT)

    assert not folder.exists()


def test_the_standard_cache_of_the_library_keeps_no_findings() -> None:
    cache.use(None)

    assert not cache.standard().keeps_findings


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b"{}", b"null", b'{"steps": 1}', b'"' + b"[" * 100_000],
    ids=["cut", "list", "empty", "null", "parts", "deep"],
)
def test_what_are_no_trials_is_played_anew(
    played: list[Trials], folder: Path, content: bytes
) -> None:
    first = loading.load(DOCUMENT)
    (path,) = folder.iterdir()
    cache.standard().put(path.name, content)

    assert said(loading.load(DOCUMENT)) == said(first)
    assert len(played) == 2


def test_what_is_kept_comes_back_as_it_was() -> None:
    values = (Atom("x"), 7, 1 << 70, Fraction(1, 3), TRUE, FALSE, UNSET, (1, (2,)), frozenset({3}))
    names = tuple(f"v{number}" for number in range(len(values)))
    state, other = State(values, names), State(values[::-1], names)
    turns = ((state, Move("Take", (1, Atom("x"))), other), (other, Move("Pass"), state))
    settlement = Settlement({"order": "at once"}, {}, Verdict((), (), None, 3), {}, turns)
    kept_trials.keep(KEY, KeptTrials(settlement, 12))

    found = kept_trials.kept(KEY)

    assert found is not None
    assert found == KeptTrials(settlement, 12)
    assert found.settlement.turns == turns


def test_a_turn_between_states_that_are_not_there_is_no_turn() -> None:
    state = State((1,), ("v",))
    turns = ((state, Move("Take"), state),)
    kept_trials.keep(KEY, KeptTrials(Settlement({}, {}, None, {}, turns), 1))
    data = cache.standard().get(KEY)
    assert data is not None
    cache.standard().put(KEY, data.replace(b'[[0, ["Take"], 0]]', b'[[0, ["Take"], 1]]'))

    assert b'[[0, ["Take"], 0]]' in data
    assert kept_trials.kept(KEY) is None


@pytest.mark.parametrize("data", [[], ["set", 1, 1], ["fraction", "0x2", "0x4"], 1.5, {}, ["x"]])
def test_data_that_is_no_value_is_refused(data: object) -> None:
    with pytest.raises(Unfit):
        from_json(data)  # type: ignore[arg-type]


def test_a_truth_value_and_a_number_stay_apart() -> None:
    assert [from_json(to_json(each)) is each for each in (TRUE, FALSE)] == [True, True]
    assert to_json(1) == 1
    assert to_json(TRUE) is True


def test_steps_that_were_taken_count_again(monkeypatch: pytest.MonkeyPatch) -> None:
    loading.load(DOCUMENT)
    monkeypatch.setattr(loading, "STEPS", 200_000)

    assert loading.load(DOCUMENT).model is None
