"""Where an exploration runs is what was asked for, and it is said why it does not."""

import pytest

from tests.support.devices import told
from zermelo.api import questions
from zermelo.api.loading import load
from zermelo.core.limits import Limits
from zermelo.core.space import ExploreOptions, Space
from zermelo.engines.space import device_choice, staged
from zermelo.fast import cuda
from zermelo.fast.cuda import NoGpu
from zermelo.fast.device import HostDevice
from zermelo.text.errors import UsageError


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a GPU, and let few states be worth it."""
    found = device_choice.explored_somewhere

    def elsewhere(*arguments: object, **named: object) -> Space:
        named["find"] = lambda: HostDevice(threads=50)
        return found(*arguments, **named)  # type: ignore[arg-type] # as they came

    monkeypatch.setattr(staged, "explored_somewhere", elsewhere)
    monkeypatch.setattr(device_choice, "WORTH_IT", 3)


def explored(device: str, **named: object) -> Space:
    return questions.explore(load("tic-tac-toe"), device=device, **named)  # type: ignore[arg-type]


@pytest.mark.usefixtures("simulated")
def test_a_gpu_that_is_asked_for_explores() -> None:
    space = explored("gpu")

    assert space.run is not None
    assert space.run.machine == "compiled code on 50 simulated threads, as asked for"
    assert space.run.not_on_gpu is None
    assert told(space) == told(explored("cpu"))


@pytest.mark.usefixtures("simulated")
def test_a_gpu_explores_where_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # So that compiled code is there before the interpreter is done.
    monkeypatch.setattr(staged, "UNBOUNDED_COMPILE_DELAY", 0.0)
    monkeypatch.setattr(staged, "LOAD_DELAY", 0.0)
    monkeypatch.setattr(staged, "COMPILER_ALONE", 60.0)

    space = explored("auto")

    assert space.run is not None
    assert space.run.machine == (
        "compiled code on 50 simulated threads, as there are more than 3 states"
    )


def test_without_a_gpu_the_processor_does_it_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cuda, "_standard", lambda: NoGpu("there is no driver here"))

    space = explored("gpu")

    assert space.states == 5478
    assert space.run is not None
    assert space.run.not_on_gpu == "there is no driver here"


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"limits": Limits(depth=3)}, "a limit of states or of depth was given"),
        ({"symmetry": "turn"}, "symmetries are used"),
        ({"wishes": ExploreOptions(complete_plays=True)}, "complete plays are to be counted"),
    ],
)
def test_what_no_gpu_does_the_processor_does(named: dict[str, object], why: str) -> None:
    space = explored("gpu", **named)

    assert space.run is not None
    assert space.run.not_on_gpu == why


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no device `tpu`: it is cpu, gpu or auto"):
        explored("tpu")
