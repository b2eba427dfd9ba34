"""Amounts of memory and time, as they are typed and as they are told."""

import click
import pytest

from zermelo.faces.cli import progress


@click.command()
@progress.budgets
def command(*, memory: int | None, seconds: float | None) -> int | None:
    """Give back the memory."""
    assert seconds is None
    return memory


def memory(text: str | None) -> int | None:
    """What ``--memory`` understands."""
    arguments = [] if text is None else ["--memory", text]
    found = command.main(arguments, standalone_mode=False)
    assert found is None or isinstance(found, int)
    return found


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1000", 1000),
        ("2G", 2_000_000_000),
        ("2 GB", 2_000_000_000),
        ("1.5GiB", 3 << 29),
        ("64m", 64_000_000),
        ("64MiB", 64 << 20),
        ("3k", 3000),
    ],
)
def test_an_amount_of_memory_may_have_a_unit(text: str, size: int) -> None:
    assert memory(text) == size


@pytest.mark.parametrize("text", ["", "many", "-1", "2X", "G", "1e9"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is no amount of memory"):
        memory(text)


def test_without_a_word_some_of_the_free_memory_is_taken() -> None:
    usual = memory(None)

    assert usual is None or usual > 0


def test_there_is_a_core() -> None:
    assert progress.cores() >= 1
