"""Every command says of the library's games what was recorded; ``tools/recordings.py`` has more."""

import pytest

from tests.support.project import place
from tools.recordings import FOLDER, Part, differences, parts

PARTS = [part for part in parts() if part.is_library]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_commands_say_what_was_recorded(part: Part, *, update_golden: bool) -> None:
    if update_golden:
        part.update()
        return

    found = part.compared()

    if found:
        told = "\n\n".join(found)
        pytest.fail(f"{told}\n\n{place(part.file())}: {len(found)} differ", pytrace=False)


def test_every_document_has_a_recording_and_every_recording_a_document() -> None:
    recorded = set(FOLDER.rglob("*.txt"))

    assert recorded == {part.file() for part in parts()}


def test_a_difference_names_the_command_and_shows_both_answers() -> None:
    recorded = "$ zermelo a\nexit 0\none\n\n$ zermelo b\n< typed\nexit 0\ntwo\n"
    said = "$ zermelo a\nexit 0\none\n\n$ zermelo b\n< typed\nexit 1\ntwo\n"

    (found,) = differences(recorded, said)

    assert found.startswith("$ zermelo b\n< typed\n")
    assert "-exit 0\n+exit 1\n" in found


def test_a_command_that_is_gone_is_a_difference() -> None:
    (found,) = differences("$ zermelo a\nexit 0\none\n", "")

    assert "-one" in found
