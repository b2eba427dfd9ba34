"""The programs that are measured: how each is made ready and called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks.measure import Measured, Missing, measured, run, told

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "benchmarks"
DOCUMENTS = HERE / "documents"

OPEN_SPIEL = "open_spiel==2.0.2"
SNAKES = "snakes==0.9.33"
FLAGS = ("-O3", "-march=native", "-std=c++17")
SPIN_FLAGS = ("-O2", "-DSAFETY", "-DNOREDUCE")


@dataclass(frozen=True)
class Tools:
    """Ways to run ours and the others."""

    build: Path
    """A folder for what is compiled and installed."""
    open_spiel: Path | None = None
    """A Python that has OpenSpiel; without one it is installed into *build*."""
    snakes_python: Path | None = None
    """A Python that has SNAKES; without one it is installed into *build*."""
    runs: int = 3
    """How often short programs are run; the fastest run counts."""
    home: Path = field(default_factory=Path.home)
    """The home of ours, where kernels are kept."""

    is_busy: bool = False
    """Whether others use the machine: then processor time counts, not time on the wall."""

    def _counted(self, found: Measured) -> Measured:
        return found.without_waiting() if self.is_busy else found

    # Ours

    def ours(self, *words: str | Path, home: Path | None = None, limit: float = 1200) -> Measured:
        """``zermelo`` with these *words* and ``--json``."""
        command = [sys.executable, "-m", "zermelo", *words, "--json"]
        return self._counted(measured(command, environment=self._environment(home), limit=limit))

    def inside(self, task: str, *words: str | Path, home: Path | None = None) -> Measured:
        """A *task* of `ours.py`, in a process of its own: what the command line does not offer."""
        command = [sys.executable, "-m", "benchmarks.ours", task, *words]
        return self._counted(measured(command, environment=self._environment(home), folder=ROOT))

    def processor(self, *words: str, home: Path) -> float:
        """The processor time of a Python with these *words*, its modules compiled below *home*."""
        own = {
            "PYTHONPYCACHEPREFIX": str(home / "modules"),
            "PYTHONDONTWRITEBYTECODE": "",
            "ZERMELO_CACHE": str(home / "kept"),
            "ZERMELO_REPORTS": "",
        }
        environment = {**self._environment(home), **own}
        return run([sys.executable, *words], environment=environment, limit=600).processor

    def _environment(self, home: Path | None) -> dict[str, str]:
        return {
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
            "HOME": str(home or self.home),
            "NO_COLOR": "1",
        }

    # Theirs

    def baseline(self, name: str, *words: str) -> Measured:
        """The baseline *name* with these *words*, compiled if it is not yet."""
        return self._counted(measured([self.compiled(name), *words]))

    def compiled(self, name: str) -> Path:
        """The program made from a file of `baselines/`."""
        compiler = shutil.which("g++")
        if compiler is None:
            raise Missing("g++ is not installed")
        source = HERE / "baselines" / f"{name}.cpp"
        program = self.build / name
        newest = max(each.stat().st_mtime for each in source.parent.iterdir())
        if not program.exists() or program.stat().st_mtime < newest:
            self.build.mkdir(parents=True, exist_ok=True)
            _make([compiler, *FLAGS, str(source), "-o", str(program)])
        return program

    def spin(self, model: str, *words: str, flags: Sequence[str] = SPIN_FLAGS) -> Measured:
        """What SPIN's verifier of a *model* of `spin/` finds, by exhaustive search."""
        if shutil.which("spin") is None or shutil.which("gcc") is None:
            raise Missing("spin or gcc is not installed")
        folder = self.build / "spin"
        folder.mkdir(parents=True, exist_ok=True)
        _make(["spin", "-a", str(HERE / "spin" / f"{model}.pml")], folder)
        _make(["gcc", *flags, "-w", "-o", "pan", "pan.c"], folder)
        ended = run([folder / "pan", *words], limit=1200, folder=folder)
        said = ended.said
        answer = {
            "states": int(_number(r"(\d+) states, stored", said)),
            "seconds": _number(r"elapsed time ([\d.e+]+) seconds", said),
            "bytes": int(_number(r"([\d.]+)\s+total actual memory usage", said) * 2**20),
        }
        return self._counted(told(ended, answer))

    def spiel(self, script: str, *words: str) -> Measured:
        """A *script* of `openspiel/`, run by a Python that has OpenSpiel."""
        program = HERE / "openspiel" / f"{script}.py"
        return self._counted(measured([self._python_with_spiel, program, *words]))

    def snakes(self, *words: str) -> Measured:
        """The script of `snakes/` with these *words*, run by a Python that has SNAKES."""
        program = HERE / "snakes" / "explore.py"
        return self._counted(measured([self._python_with_snakes, program, *words]))

    @cached_property
    def _python_with_spiel(self) -> Path:
        return self.open_spiel or self._python_with("openspiel", OPEN_SPIEL)

    @cached_property
    def _python_with_snakes(self) -> Path:
        return self.snakes_python or self._python_with("snakes", SNAKES)

    def _python_with(self, folder: str, package: str) -> Path:
        """A Python of its own that has *package*."""
        python = self.build / folder / "bin" / "python"
        if not python.exists():
            _make([sys.executable, "-m", "venv", str(self.build / folder)])
        _make([str(python), "-m", "pip", "install", "--quiet", package])
        return python

    # What they are

    def versions(self) -> list[str]:
        """The compilers and programs that are here, with their versions."""
        asked = (
            ("g++", ["g++", "-dumpfullversion"]),
            ("SPIN", ["spin", "-V"]),
            ("llvmlite", [sys.executable, "-c", "import llvmlite; print(llvmlite.__version__)"]),
        )
        found = [f"Python {sys.version.split()[0]}"]
        for name, command in asked:
            if shutil.which(command[0]):
                said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
                number = re.search(r"\d+(\.\d+)+", said)
                if number is not None:
                    found.append(f"{name} {number[0]}")
        return [
            *found,
            OPEN_SPIEL.replace("open_spiel==", "OpenSpiel "),
            SNAKES.replace("snakes==", "SNAKES "),
        ]


def _make(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["-"]
        raise Missing(f"`{Path(command[0]).name}` stopped: {last[0]}")


def _number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise Missing(f"SPIN said nothing like {pattern}")
    return float(found[1])
