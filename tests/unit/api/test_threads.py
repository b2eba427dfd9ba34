"""Documents of all languages run in many threads at once."""

import subprocess
import sys

from tests.support.project import ROOT, SOURCE


def test_deep_and_shallow_documents_answer_as_one_after_the_other() -> None:
    """In a process of its own: a stack that overflows would end it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.in_threads"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": f"{SOURCE}:{ROOT}", "PYTHONUTF8": "1"},
    )

    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "12 threads, wrong: []\n"
