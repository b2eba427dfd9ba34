"""The notebooks of the documentation run from top to bottom, and show what they say.

A notebook has the texts of its outputs; of pictures and tables it has the kinds only, so that it
stays small. `--update-golden` writes both.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.support.project import DOCS, SOURCE, place

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
SECONDS = 240
"""What a cell may take, on a machine with other work."""


def test_there_are_two_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["a-faulty-document", "solving-and-plotting"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Runs a notebook, in a home and a folder of its own."""
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    resources = {"metadata": {"path": str(tmp_path)}}
    # What one cell prints may arrive in any number of pieces.
    return lambda notebook: NotebookClient(
        notebook, timeout=SECONDS, resources=resources, coalesce_streams=True
    ).execute()


# Libraries of notebooks warn of each other, which is not about us.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[place(path) for path in NOTEBOOKS])
def test_a_notebook_shows_what_it_says(
    path: Path, run: Callable[[Any], None], *, update_golden: bool
) -> None:
    notebook = nbformat.read(path, as_version=4)
    metadata = dict(notebook.metadata)  # Running adds which Python it was, which says nothing.
    expected = [told(cell) for cell in notebook.cells]

    run(notebook)

    for cell in notebook.cells:
        shorten(cell)
    if update_golden:
        notebook.metadata = metadata
        nbformat.write(notebook, path)
        return
    assert [told(cell) for cell in notebook.cells] == expected


BAR = """
from zermelo import Progress
from zermelo.api.progress import shown

with shown(None, wanted=True) as listener:
    for states in (10, 20):
        listener(Progress(depth=1, states=states, frontier=0, seconds=states / 10))
    {at_last}
"""


@pytest.mark.filterwarnings("default")
def test_a_bar_is_one_output_that_is_written_anew_and_taken_away(
    run: Callable[[Any], None],
) -> None:
    # The second bar is kept from being taken away, so that it can be seen.
    cells = [nbformat.v4.new_code_cell(BAR.format(at_last="pass"))]
    seen = 'listener._place.clear = lambda: print("over")'
    cells.append(nbformat.v4.new_code_cell(BAR.replace("{at_last}", seen)))
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}

    run(notebook)

    gone, left = (cell.outputs for cell in notebook.cells)
    assert [text_of(each).strip() for each in gone] == [""]
    assert [text_of(each).strip() for each in left] == [
        "exploring: 20 states, 1 move deep",
        "over",
    ]
    assert left[0].data["text/html"].startswith("<progress ")


def told(cell: Any) -> tuple[str, list[str]]:  # noqa: ANN401 - a cell, of a library without types
    """The text that a cell shows, and of what kinds its outputs are besides."""
    if cell.cell_type != "code":
        return "", []
    # A bar that was taken away leaves an empty output, where a busy machine made it appear.
    texts = [text for text in map(text_of, cell.outputs) if text.strip()]
    return "".join(texts), list(cell.metadata.get("shows", []))


def text_of(output: Any) -> str:  # noqa: ANN401 - as above
    """The text of one output, without what is different in every run."""
    text = str(output["text"] if output.output_type == "stream" else output.data["text/plain"])
    return f"{text.rstrip()}\n"


def shorten(cell: Any) -> None:  # noqa: ANN401 - as above
    """Leave the texts of its outputs in *cell*, and the names of the other kinds."""
    cell.metadata.pop("execution", None)
    if cell.cell_type != "code":
        return
    shown = [each for each in cell.outputs if text_of(each).strip()]
    kinds = [kind for each in shown for kind in each.get("data", {})]
    cell.metadata["shows"] = sorted(set(kinds) - {"text/plain"})
    for output in cell.outputs:
        if "data" in output:
            output.data = {"text/plain": output.data["text/plain"]}
