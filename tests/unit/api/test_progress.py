"""How far a question is: a bar in a notebook, a line of a stream, and nothing elsewhere."""

import io
import sys
from types import SimpleNamespace

import pytest

from zermelo.api.progress import NotebookBar, TerminalLine, bar, share_of, shown, text_of
from zermelo.core.limits import Estimate, Listener, Progress


def at(seconds: float, states: int = 10, estimate: Estimate | None = None) -> Progress:
    return Progress(depth=2, states=states, frontier=4, seconds=seconds, estimate=estimate)


class Notebook:
    """The part of IPython that is used, remembering what each display shows."""

    def __init__(self, *, has_kernel: bool = True) -> None:
        self.outputs: list[dict[str, str]] = []
        self.updates = 0
        self.display = SimpleNamespace(display=self._display)
        self._shell = SimpleNamespace(kernel=object()) if has_kernel else SimpleNamespace()

    def get_ipython(self) -> object:
        return self._shell

    def _display(self, shown: dict[str, str], *, raw: bool, display_id: bool) -> object:
        assert raw
        assert display_id
        self.outputs.append(shown)
        return SimpleNamespace(update=self._update)

    def _update(self, shown: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.updates += 1
        self.outputs[-1] = shown


def tell(listener: Listener | None, *told: Progress) -> list[bool | None]:
    return [] if listener is None else [listener(each) for each in told]


def test_a_notebook_has_one_bar_that_is_written_anew_and_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notebook = Notebook()
    monkeypatch.setitem(sys.modules, "IPython", notebook)

    with shown(None, wanted=True) as listener:
        tell(listener, at(0.1), at(0.6, 20, Estimate(3.0, 80)), at(0.7, 30), at(0.9, 40))
        assert notebook.outputs == [
            {
                "text/plain": "exploring: 40 states, 2 moves deep",
                "text/html": '<progress max="1"></progress> exploring: 40 states, 2 moves deep',
            }
        ]
        assert notebook.updates == 1
    assert notebook.outputs == [{"text/plain": "", "text/html": ""}]


def test_what_is_answered_soon_shows_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook()
    monkeypatch.setitem(sys.modules, "IPython", notebook)

    with shown(None, wanted=True) as listener:
        tell(listener, at(0.1), at(0.3))

    assert notebook.outputs == []


def test_a_bar_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", Notebook())

    with shown(None, wanted=False) as listener:
        assert listener is None


@pytest.mark.parametrize("wanted", [True, False])
def test_a_script_shows_nothing_unless_it_says_where(
    monkeypatch: pytest.MonkeyPatch, *, wanted: bool
) -> None:
    monkeypatch.setitem(sys.modules, "IPython", Notebook(has_kernel=False))

    with shown(None, wanted=wanted) as listener:
        assert listener is None


def test_a_stream_has_a_line_that_is_written_over_and_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.delitem(sys.modules, "IPython", raising=False)

    with shown(None, wanted=stream) as listener:
        tell(listener, at(1.0), at(2.0, 20))

    assert stream.getvalue().split("\r\x1b[K") == [
        "",
        "exploring: 10 states, 2 moves deep",
        "exploring: 20 states, 2 moves deep",
        "",
    ]


def test_a_line_is_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = io.StringIO()

    TerminalLine(stream).show(at(1.0))

    assert stream.getvalue() == "\r\x1b[Kexploring: 10 state"


def test_a_listener_is_told_everything_and_may_stop_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "IPython", Notebook())
    heard: list[float] = []

    def listener(progress: Progress, /) -> bool:
        heard.append(progress.seconds)
        return progress.seconds > 0.5

    with shown(listener, wanted=True) as both:
        assert tell(both, at(0.1), at(0.6)) == [False, True]
    assert heard == [0.1, 0.6]


def test_a_bar_is_as_full_as_the_estimate_says() -> None:
    told = at(2.0, 20, Estimate(3.4, 80))

    assert share_of(told) == 0.25
    assert text_of(told) == "exploring: 20 states, 2 moves deep, about 0:00:03 left"
    assert bar(told).startswith('<progress max="1" value="0.250"></progress> exploring: 20')
    assert share_of(at(2.0, 200, Estimate(3.4, 80))) == 1.0


def test_a_bar_that_was_never_shown_leaves_nothing() -> None:
    notebook = Notebook()

    NotebookBar(notebook).clear()  # type: ignore[arg-type]  # what is used of a module

    assert notebook.outputs == []
