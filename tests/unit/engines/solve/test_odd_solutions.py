"""Solution files that were made by hand: all digests are right, and something in them cannot be."""

import copy
import hashlib
import json
import os
import random
import zlib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.played_graphs import OnGraph, Played, Spot, spot_state
from zermelo.engines.solve.solution import opened, save
from zermelo.engines.solve.solution_file import BLOCK, MAGIC, START, NotASolution, SolutionFile
from zermelo.engines.solve.solve import solve
from zermelo.engines.solve.verify import verify
from zermelo.text.errors import UsageError

FIRST = np.array([0], dtype=np.int64)
SIZE = BLOCK + 3
"""States in two blocks."""
SECTIONS = ("fences", "starts", "sums", "data")


def expander() -> OnGraph:
    spots = [
        Spot(at % 2, tuple(x for x in (2 * at + 1, 2 * at + 2) if x < SIZE)) for at in range(SIZE)
    ]
    return OnGraph(Played(tuple(spots)))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "whole.solution"
    save(solve(expander(), FIRST, threads=1), path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "odd.solution"


def parts(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The header of a solution, and its sections."""
    end = START + int.from_bytes(data[20:24], "little")
    header = json.loads(data[START:end])
    found = {}
    for name in SECTIONS:
        start = -(-end // 64) * 64
        end = start + header["sections"][name]
        found[name] = data[start:end]
    return header, found


def made(header: object, sections: dict[str, bytes]) -> bytes:
    """A file of these, with the right digest of the header."""
    text = json.dumps(header, ensure_ascii=False).encode()
    first = MAGIC + (2).to_bytes(4, "little") + len(text).to_bytes(4, "little")
    data = first + hashlib.sha256(first + text).digest() + bytes(8) + text
    for name in SECTIONS:
        data += bytes(-len(data) % 64) + sections[name]
    return data


def with_tables(header: dict[str, Any], sections: dict[str, bytes]) -> bytes:
    """The same, with the right sizes and digests of the sections too."""
    header["sections"] = {name: len(sections[name]) for name in SECTIONS}
    tables = {name: sections[name] for name in SECTIONS if name != "data"}
    header["digests"] = {name: hashlib.sha256(each).hexdigest() for name, each in tables.items()}
    return made(header, sections)


def use(path: Path) -> None:
    """Do with a file whatever can be done with one."""
    game = expander()
    found = opened(path, game, spot_state(0))
    found.line()
    found.value(spot_state(SIZE - 1))
    verify(SolutionFile(path), game, FIRST)


def test_a_file_that_is_put_together_again_is_right(whole: bytes, path: Path) -> None:
    assert with_tables(*parts(whole)) == whole
    path.write_bytes(whole)

    use(path)


ODD: list[object] = [
    None, True, False, 0, 1, -1, 2, 3, 63, 64, 65, 1025, 1 << 31, 1 << 40, 1 << 63, 1 << 64,
    10**30, 1.5, float("inf"), float("nan"), "", "1", "-1", "0", "x", "9" * 5000, "\u0661", [],
    [0], [[]], [[0, 0, 1]], {}, {"a": 1}, [None], [1] * 2000, ["loses", 0], [0, "wins"],
]  # fmt: skip


def places(value: object) -> Iterator[tuple[Any, Any]]:
    """Every container in *value*, with every key of it."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])  # type: ignore[index]


def mutated(header: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    header = copy.deepcopy(header)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        container, key = chance.choice(list(places(header)))
        match chance.randrange(5):
            case 0:
                del container[key]
            case 1 if isinstance(container, list):
                container.insert(key, copy.deepcopy(chance.choice(ODD)))
            case 2 if type(container[key]) is int:
                container[key] += chance.choice((-1, 1, 64, -64, 1 << 32))
            case 3:
                other, place = chance.choice(list(places(header)))
                container[key] = copy.deepcopy(other[place])
            case _:
                container[key] = copy.deepcopy(chance.choice(ODD))
    return header


CASES = int(os.environ.get("ZERMELO_FUZZ_CASES", "600"))


def test_no_odd_header_leads_to_anything_but_a_sentence(whole: bytes, path: Path) -> None:
    header, sections = parts(whole)
    chance = random.Random(13)
    refused = 0
    for case in range(CASES):
        path.write_bytes(made(mutated(header, chance), sections))
        try:
            use(path)
        except UsageError as error:
            refused += 1
            assert str(path) in str(error), case  # noqa: PT017 - most are refused, not all
    assert refused > CASES * 0.8


def test_no_odd_section_leads_to_anything_but_a_sentence(whole: bytes, path: Path) -> None:
    header, sections = parts(whole)
    chance = random.Random(29)
    for _ in range(CASES // 2):
        name = chance.choice(SECTIONS)
        data = bytearray(sections[name])
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.3:
            data = data[: chance.randrange(len(data))] + bytes(chance.randrange(20))
        path.write_bytes(with_tables(copy.deepcopy(header), {**sections, name: bytes(data)}))
        if bytes(data) != sections[name]:
            with pytest.raises(NotASolution, match=str(path)):
                SolutionFile(path).check_all()


def packed(blocks: list[bytes]) -> dict[str, bytes]:
    starts = np.cumsum([0, *map(len, blocks)]).astype("<u8").tobytes()
    sums = b"".join(hashlib.sha256(block).digest()[:8] for block in blocks)
    return {"starts": starts, "sums": sums, "data": b"".join(blocks)}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda _: zlib.compress(bytes(100_000_000)), "not as many bytes as its states need"),
        (lambda block: block + b"more", "not as many bytes as its states need"),
        (lambda block: block[:-1], "not as many bytes as its states need"),
        (lambda block: zlib.compress(zlib.decompress(block)[:-1]), "not as many bytes as"),
        (lambda _: b"x" * 30, "is not packed as it should be"),
        (lambda block: zlib.compress(bytes(len(zlib.decompress(block)))), "are not in order"),
    ],
)
def test_a_block_unpacks_to_what_its_states_need(
    whole: bytes, path: Path, change: Callable[[bytes], bytes], why: str
) -> None:
    header, sections = parts(whole)
    starts = np.frombuffer(sections["starts"], dtype="<u8").tolist()
    blocks = [sections["data"][first:last] for first, last in pairwise(starts)]
    blocks[0] = change(blocks[0])
    path.write_bytes(with_tables(header, {**sections, **packed(blocks)}))

    with pytest.raises(NotASolution, match=why):
        SolutionFile(path).check_all()


def test_more_states_than_the_data_can_hold_are_refused(whole: bytes, path: Path) -> None:
    header, sections = parts(whole)
    header["states"] = 1 << 39
    header["positions"] = str(1 << 39)
    header["key"]["runs"] = [[0, 0, 40]]
    header["counted"][0]["by_kind"] = {"win": str(1 << 39)}
    path.write_bytes(made(header, sections))

    with pytest.raises(NotASolution, match="its header cannot be right, as to states"):
        SolutionFile(path)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(NotASolution, match="is no file"):
        SolutionFile(tmp_path / "pipe")


def test_values_of_others_than_those_who_play_are_refused(whole: bytes, path: Path) -> None:
    header, sections = parts(whole)
    header["seekers"][0][0] = 1
    path.write_bytes(made(header, sections))

    with pytest.raises(NotASolution, match="has not the values of those who play"):
        opened(path, expander(), spot_state(0))
