"""The plan of the source stays easy to learn: `tools/measure.py` defines each of these measures.

How many modules and lines there are is no rule; these are, since each only grows by accident.
"""

import pytest

from tests.support.project import ROOT
from tools import measure

LARGEST_FOLDER = 20
# The server of the page has routes, which ask the store, which asks the library, which compares
# games by engines that may choose a device.
DEEPEST = 26
AT_IMPORT = 60
AFTER_LOADING = 141


@pytest.fixture(scope="module")
def source() -> measure.Source:
    return measure.read(ROOT)


def test_no_folder_has_more_modules_than_one_can_look_over(source: measure.Source) -> None:
    large = {
        name: count for name, count in measure.folders(source).items() if count > LARGEST_FOLDER
    }

    assert not large


def test_nobody_outside_a_language_asks_which_it_is(source: measure.Source) -> None:
    assert not measure.questions(source)


def test_chains_of_imports_are_short(source: measure.Source) -> None:
    chain = measure.longest_chain(source)

    assert len(chain) <= DEEPEST, " → ".join(chain)


def test_importing_loads_few_modules() -> None:
    modules = measure.loaded(ROOT, "import zermelo")

    assert "zermelo" in modules
    assert len(modules) <= AT_IMPORT, "\n".join(modules)


def test_loading_a_document_loads_what_reads_it() -> None:
    modules = measure.loaded(ROOT, "import zermelo; zermelo.load('tic-tac-toe')")

    assert "zermelo.languages.sections.language" in modules
    assert len(modules) <= AFTER_LOADING, "\n".join(modules)
