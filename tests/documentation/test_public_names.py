"""Every public name of the package, and every method of its classes, has an example that is run.

The page has a heading for one or several names; the examples below it use each of them, and each
public method and property of those that are classes. That they do what they say is tested with
the other pages.
"""

import ast
import doctest
import inspect
import re
from collections.abc import Iterator

import pytest

import zermelo
from tests.support.project import DOCS

PAGE = DOCS / "reference" / "library-names.md"
FOR_ENGINES = {
    "Model": {
        "answered",
        "check_limits",
        "end_watch",
        "expander",
        "generated",
        "findings",
        "interaction",
        "readiness",
        "stage",
        "still_said",
        "suspecting",
        "unplayed_findings",
    }
}
"""What engines and faces ask a model for, with arguments that nobody else has."""


def examples() -> dict[str, ast.Module]:
    """The examples below the heading of each name."""
    found: dict[str, ast.Module] = {}
    for section in re.split(r"^### ", PAGE.read_text("utf-8"), flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        code = "".join(each.source for each in doctest.DocTestParser().get_examples(body))
        found.update(dict.fromkeys(re.findall(r"`(\w+)`", heading), ast.parse(code)))
    return found


EXAMPLES = examples()


def used(code: ast.Module) -> set[str]:
    """The attributes that *code* asks for."""
    return {each.attr for each in ast.walk(code) if isinstance(each, ast.Attribute)}


def members(name: str) -> Iterator[str]:
    """The public methods and properties of a public class, those of its bases in zermelo too."""
    kind = getattr(zermelo, name)
    for base in inspect.getmro(kind) if inspect.isclass(kind) else ():
        for member, value in vars(base).items():
            is_ours = base.__module__.startswith("zermelo.")
            is_asked = inspect.isfunction(value) or isinstance(
                value, (property, classmethod, staticmethod)
            )
            if is_ours and is_asked and not member.startswith("_"):
                yield member


def lacking(name: str, code: ast.Module) -> set[str]:
    """What of a public *name* the examples *code* do not use."""
    asked = {name, *members(name)} - FOR_ENGINES.get(name, set())
    return asked - used(code)


def test_the_page_has_every_public_name_and_no_other() -> None:
    assert set(EXAMPLES) == set(zermelo.__all__)


@pytest.mark.parametrize("name", zermelo.__all__)
def test_an_example_uses_a_name_and_its_methods(name: str) -> None:
    assert lacking(name, EXAMPLES[name]) == set()


def test_what_no_example_uses_is_found() -> None:
    code = ast.parse("zermelo.Report; report.is_complete")

    assert lacking("Report", code) == {"confirmed", "is_in_spite_of_errors", "to_json"}
    assert lacking("Report", ast.parse("report")) >= {"Report", "is_complete"}


def test_what_is_left_to_engines_is_there() -> None:
    assert all(left <= set(members(name)) for name, left in FOR_ENGINES.items())
