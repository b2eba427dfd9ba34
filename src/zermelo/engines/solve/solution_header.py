"""The header of a solution file: what it says is used only if all of it can be.

A header with the right digest may still be made by somebody else, or by a fault of ours. Whoever
reads it relies on every number: how much memory is taken, where is looked, how long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from zermelo.engines.solve.state_keys import BitRun, StateKeys
from zermelo.engines.solve.values import ValueKind

SECTIONS: Final = ("fences", "starts", "sums", "data")
"""In the order in which they are in a file."""
_ALIGNED: Final = 64
_MOST_STATES: Final = 1 << 40
_MOST_WORDS: Final = 4096
_MOST_PLAYERS: Final = 255
_MOST_DIGITS: Final = 2000
_MOST_PACKED: Final = 1040
"""Nothing is packed more densely by zlib than so many bytes in one."""
_SCORINGS: Final = ("loses", "wins", "draws")
_KINDS: Final = frozenset(kind.value for kind in ValueKind)


class WrongHeader(ValueError):
    """A header that cannot be right; the text names what of it."""


def aligned(at: int) -> int:
    return -(-at // _ALIGNED) * _ALIGNED


def keys_in(header: Mapping[str, Any]) -> StateKeys:
    runs = tuple(BitRun(*run) for run in header["key"]["runs"])
    return StateKeys(runs, tuple(header["key"]["fixed"]))


def checked_header(text: bytes) -> Mapping[str, Any]:
    """The header in *text*; raises ``WrongHeader`` if something in it cannot be."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongHeader("its form") from error
    _hold(isinstance(header, dict), "its form")
    try:
        _check_texts(header)
        _check_sizes(header)
        _check_key(header)
        _check_values(header)
        _check_room(header)
    except (KeyError, TypeError, AttributeError) as error:
        missing = f"`{error.args[0]}`" if isinstance(error, KeyError) else "the kinds of its values"
        raise WrongHeader(missing) from error
    return dict(header)


def _check_texts(header: Mapping[str, Any]) -> None:
    for name in ("name", "fingerprint", "identity", "symmetry", "method"):
        _hold(isinstance(header[name], str), name)
    _hold(isinstance(header["layout"], list), "layout")
    _hold(_are_texts(header["notes"]), "notes")
    readings = header["readings"]
    _hold(isinstance(readings, dict) and _are_texts(list(readings.values())), "readings")
    digests = header["digests"]
    _hold(
        isinstance(digests, dict)
        and digests.keys() == set(SECTIONS) - {"data"}
        and _are_texts(list(digests.values())),
        "digests",
    )


def _check_sizes(header: Mapping[str, Any]) -> None:
    _hold(_is_whole(header["states"], 1, _MOST_STATES), "states")
    _hold(header["value_bytes"] in (1, 2, 4), "value_bytes")
    _hold(_is_whole(header["value_bytes"], 1, 4), "value_bytes")
    sections = header["sections"]
    _hold(
        isinstance(sections, dict)
        and tuple(sections) == SECTIONS
        and all(_is_whole(size, 1, 1 << 62) for size in sections.values()),
        "sections",
    )


def _check_key(header: Mapping[str, Any]) -> None:
    runs, fixed = header["key"]["runs"], header["key"]["fixed"]
    _hold(isinstance(runs, list) and isinstance(fixed, list), "key")
    _hold(1 <= len(fixed) <= _MOST_WORDS and len(runs) <= 64 * len(fixed), "key")
    _hold(all(_is_whole(word, 0, (1 << 64) - 1) for word in fixed), "key")
    before = 0
    for run in runs:
        _hold(isinstance(run, list) and len(run) == 3, "key")
        word, shift, width = run
        _hold(_is_whole(word, 0, len(fixed) - 1), "key")
        _hold(_is_whole(shift, 0, 63) and _is_whole(width, 1, 64 - shift), "key")
        # One behind the other, and nothing of a run is fixed.
        _hold(word * 64 + shift >= before and not fixed[word] >> shift & ((1 << width) - 1), "key")
        before = word * 64 + shift + width
    bits = sum(width for _, _, width in runs)
    _hold(bits >= 40 or header["states"] <= 1 << bits, "states")


def _check_values(header: Mapping[str, Any]) -> None:
    players, seekers = header["players"], header["seekers"]
    _hold(_are_texts(players) and 1 <= len(players) <= _MOST_PLAYERS, "players")
    _hold(len(set(players)) == len(players), "players")
    _hold(isinstance(seekers, list) and 1 <= len(seekers) <= 2 * len(players), "seekers")
    for seeker in seekers:
        _hold(isinstance(seeker, list) and len(seeker) == 2, "seekers")
        _hold(_is_whole(seeker[0], 0, len(players) - 1) and seeker[1] in _SCORINGS, "seekers")
    _hold(len({tuple(seeker) for seeker in seekers}) == len(seekers), "seekers")
    positions, symmetries = _count(header["positions"], "positions"), header["symmetries"]
    _hold(positions >= header["states"], "positions")
    _hold(_count(symmetries, "symmetries") >= 1, "symmetries")
    _hold(symmetries != "1" or positions == header["states"], "positions")
    _hold(_is_whole(header["stuck"], 0, positions), "stuck")
    ways = len({scoring for _, scoring in seekers})
    counted = header["counted"]
    _hold(isinstance(counted, list) and len(counted) == (1 if ways == 1 else 3), "counted")
    for each in counted:
        by_kind, by_winner = each["by_kind"], each["by_winner"]
        _hold(isinstance(by_kind, dict) and by_kind.keys() <= _KINDS, "counted")
        _hold(sum(_count(one, "counted") for one in by_kind.values()) == positions, "counted")
        _hold(isinstance(by_winner, dict) and by_winner.keys() == set(players), "counted")
        _hold(all(_count(won, "counted") <= positions for won in by_winner.values()), "counted")


def _check_room(header: Mapping[str, Any]) -> None:
    """Make sure that there are not more states than the data can hold."""
    size = keys_in(header).length + header["value_bytes"] * len(header["seekers"])
    _hold(header["states"] * size <= _MOST_PACKED * header["sections"]["data"], "states")


def _hold(is_right: bool, what: str) -> None:  # noqa: FBT001 - as an assertion
    if not is_right:
        raise WrongHeader(what)


def _is_whole(value: object, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _count(value: object, what: str) -> int:
    """A number that may be larger than a word, which is written as a text."""
    is_number = isinstance(value, str) and value.isascii() and value.isdecimal()
    if not isinstance(value, str) or not is_number or len(value) > _MOST_DIGITS:
        raise WrongHeader(what)
    return int(value)
