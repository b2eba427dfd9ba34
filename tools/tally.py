"""Counts what `./check` ran: pytest's tests, from its JUnit file, and the steps beside them.

Comes in: the file, pytest's exit code, and how many other steps passed and failed.
Goes out: one line, `N passed, N failed, N skipped`, and exit code 1 if anything failed.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True, slots=True)
class Tally:
    """How many passed, failed and were skipped.

    >>> print(Tally(passed=2, failed=0, skipped=1) + Tally(passed=3, failed=1, skipped=0))
    5 passed, 1 failed, 1 skipped
    """

    passed: int
    failed: int
    skipped: int

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            passed=self.passed + other.passed,
            failed=self.failed + other.failed,
            skipped=self.skipped + other.skipped,
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def tally_of_tests(report: str) -> Tally:
    """The tests in a JUnit *report*; one that broke before, in or after its body has failed.

    >>> report = '''<testsuites><testsuite>
    ...   <testcase name="a"/>
    ...   <testcase name="b"><failure/><error/></testcase>
    ...   <testcase name="c"><error/></testcase>
    ...   <testcase name="d"><skipped/></testcase>
    ... </testsuite></testsuites>'''
    >>> print(tally_of_tests(report))
    1 passed, 2 failed, 1 skipped
    """
    verdicts = [_verdict(case) for case in ElementTree.fromstring(report).iter("testcase")]
    return Tally(
        passed=verdicts.count("passed"),
        failed=verdicts.count("failed"),
        skipped=verdicts.count("skipped"),
    )


def tally_of_run(report: str | None, *, pytest_exit: int) -> Tally:
    """The tests of a whole run, of which *report* may tell nothing: then the run itself failed.

    >>> print(tally_of_run(None, pytest_exit=4))
    0 passed, 1 failed, 0 skipped

    A run that ended badly without a failed test (an error in the settings, no test found, stopped
    by hand) is counted as one failure, so that the line never looks better than it was.

    >>> print(tally_of_run('<testsuite><testcase name="a"/></testsuite>', pytest_exit=2))
    1 passed, 1 failed, 0 skipped
    """
    tests = tally_of_tests(report) if report is not None else Tally(passed=0, failed=0, skipped=0)
    is_clean = report is not None and pytest_exit == 0
    if is_clean or tests.failed:
        return tests
    return tests + Tally(passed=0, failed=1, skipped=0)


def main() -> int:
    """Print the tally of one `./check`."""
    parser = argparse.ArgumentParser(description="Counts what ./check ran.")
    parser.add_argument("report", type=Path)
    parser.add_argument("--pytest-exit", type=int, required=True)
    parser.add_argument("--passed", type=int, required=True)
    parser.add_argument("--failed", type=int, required=True)
    options = parser.parse_args()
    steps = Tally(passed=options.passed, failed=options.failed, skipped=0)
    tally = steps + tally_of_run(_text(options.report), pytest_exit=options.pytest_exit)
    print(tally)
    return 1 if tally.failed else 0


def _verdict(case: ElementTree.Element) -> str:
    children = {child.tag for child in case}
    if children & {"failure", "error"}:
        return "failed"
    return "skipped" if "skipped" in children else "passed"


def _text(report: Path) -> str | None:
    # pytest writes the file at the very end, so a run that was cut short has none, or half of one.
    try:
        text = report.read_text(encoding="utf-8")
        ElementTree.fromstring(text)
    except (OSError, ElementTree.ParseError):
        return None
    return text


if __name__ == "__main__":
    sys.exit(main())
