"""Explorations on devices beside those on the host."""

from typing import Final

from tests.support.project import TESTS
from zermelo.api.loading import load
from zermelo.core.limits import UNLIMITED, Limits, Listener
from zermelo.core.space import ExploreOptions, Space, space_json
from zermelo.engines.space.device_exploration import OnDevice, explore_on_device
from zermelo.text.diagnostic import Json

DOCUMENTS: Final = (
    "tic-tac-toe",
    "tic-tac-toe-net",
    str(TESTS / "support" / "two-words.md"),
    str(TESTS / "documents" / "chomp.tex"),
    str(TESTS / "documents" / "missionaries.txt"),
    str(TESTS / "documents" / "empty-hand.md"),
    str(TESTS / "documents" / "kayles.md"),
)
"""Games and nets that are explored soon."""
_HOW: Final = ("seconds", "phases", "threads", "machine", "store", "bytes", "estimate")


def explored(
    document: str,
    on: OnDevice,
    wishes: ExploreOptions,
    *,
    limits: Limits = UNLIMITED,
    listener: Listener | None = None,
) -> Space:
    """What *document* leads to, explored on a device."""
    model = load(document).model
    assert model is not None, f"{document} is understood"
    expander = model.expander()
    start = expander.pack(model.machine().initial)
    return explore_on_device(
        expander, on, start=start, limits=limits, listener=listener, wishes=wishes
    )


def told(space: Space) -> dict[str, Json]:
    """All that is said of *space* but how it was explored."""
    data = space_json(space)
    end = set() if space.end is None else set(space.end.data)
    return {name: value for name, value in data.items() if name not in {*_HOW, *end}}
