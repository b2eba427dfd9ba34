"""Units become PTX, which the assembler of NVIDIA takes for all chips, where it is installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.devices import DOCUMENTS
from zermelo.api.loading import load
from zermelo.engines.space.device_store import device_code
from zermelo.fast import jit
from zermelo.fast.cache import Cache
from zermelo.fast.translate import NotAUnit

CHIPS = (75, 80, 86, 89, 90, 100)


def made(document: str, chip: int) -> str:
    model = load(document).model
    assert model is not None
    code = device_code(model.expander(), pairs=chip >= 90, rules=True)
    return jit.ptx(code.unit, chip, own=code.own, threads=128, cache=Cache(None))


@pytest.mark.parametrize("document", ["tic-tac-toe", "pegs", "tic-tac-toe-net"])
def test_names_in_ptx_are_letters_digits_and_underscores(document: str) -> None:
    text = made(document, 90)

    names = re.findall(r"\.(?:entry|func)(?:\s*\([^)]*\))?\s+([^\s(]+)", text)
    assert names
    assert all(re.fullmatch(r"\w+", name) for name in names)
    assert ".target sm_90" in text


def test_pairs_are_swapped_in_one_step_from_one_chip_on() -> None:
    assert "cas.b128" in made("pegs", 90)
    assert "b128" not in made("pegs", 89)


def test_a_gpu_calls_nothing_by_address() -> None:
    unit = jit.Unit(
        name="calls",
        source="def f(a, thread, threads, own):\n    call2(a, 1, 2)",
        exports=("f",),
    )

    with pytest.raises(NotAUnit, match="a GPU has no call2"):
        jit.ptx(unit, 90, own=0, threads=128, cache=Cache(None))


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("document", [*DOCUMENTS, "pegs"])
def test_the_assembler_takes_it(document: str, chip: int, tmp_path: Path) -> None:
    path = tmp_path / "made.ptx"
    path.write_text(made(document, chip))

    ended = subprocess.run(
        ["ptxas", f"-arch=sm_{chip}", str(path), "-o", str(tmp_path / "made.cubin")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
