"""Measures Zermelo beside other programs and prints the ratios.

    python benchmarks/run.py                          everything, on the screen
    python benchmarks/run.py --only pegs --only spin  some of it
    python benchmarks/run.py --out benchmarks/README.md

Needs the packages that kernels need; g++, spin and OpenSpiel where they are to be had. What is
missing is named in the table and the rest is measured.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(root), str(root / "src")]
    # Only now is the package to be found: this file is started by its path.
    from benchmarks.runner import main

    sys.exit(main(sys.argv[1:]))
