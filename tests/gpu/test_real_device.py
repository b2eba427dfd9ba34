"""Whole explorations on a GPU, beside those of the processor: `pytest tests/gpu -m gpu`.

Needs numpy, llvmlite, click and pytest alone. What it found last is in `tests/gpu/last-result.md`.
"""

from pathlib import Path

import pytest

from tests.support.devices import DOCUMENTS, explored, told
from zermelo.api import questions
from zermelo.api.loading import load
from zermelo.core.space import ExploreOptions
from zermelo.engines.space.device_exploration import OnDevice
from zermelo.fast import cuda
from zermelo.fast.cuda import Gpu, NoGpu

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "documents"
pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def gpu() -> Gpu:
    found = cuda.gpu()
    assert not isinstance(found, NoGpu), found.reason
    return found


class Claiming(Gpu):
    """The same GPU, as if it could not swap pairs of words."""

    swaps_pairs = False


def test_a_gpu_gives_the_right_answer_to_a_small_program() -> None:
    assert cuda.trial() is None


LARGER = (
    "pegs",
    str(BENCHMARKS / "connect-four-4x5.md"),
    str(BENCHMARKS / "kanban.net"),
)


@pytest.mark.parametrize("document", [*DOCUMENTS, *LARGER])
@pytest.mark.parametrize("slots", [1 << 12, 1 << 25], ids=["growing", "large"])
def test_a_gpu_counts_what_the_processor_counts(gpu: Gpu, document: str, slots: int) -> None:
    wishes = ExploreOptions(rules=True)

    found = explored(document, OnDevice(gpu, "as a test asks", slots=slots), wishes)

    assert told(found) == told(questions.explore(load(document), wishes=wishes, threads=8))


@pytest.mark.parametrize("document", ["pegs"])
def test_pairs_of_words_are_claimed_where_they_cannot_be_swapped(gpu: Gpu, document: str) -> None:
    claiming = Claiming(gpu.driver, gpu.chip)

    found = explored(document, OnDevice(claiming, "as a test asks"), ExploreOptions())

    assert told(found) == told(questions.explore(load(document), threads=8))


def test_the_command_line_explores_on_a_gpu() -> None:
    space = questions.explore(load("pegs"), device="auto", threads=2)

    assert space.states == 16_183_522
    assert space.run is not None
    assert "as there are more than 2,000,000 states" in space.run.machine
