"""Random messages to the server: true ones, nearly true ones, and nonsense."""

import json
from random import Random

_TRUE: list[dict[str, object]] = [
    {"do": "click", "x": 1, "y": 1},
    {"do": "cursor", "x": 999, "y": 800},
    {"do": "press", "key": "A"},
    {"do": "release", "key": "LEFT"},
    {"do": "pause"},
    {"do": "play"},
    {"do": "step"},
    {"do": "go", "frame": 3},
    {"do": "restart"},
    {"do": "speed", "speed": 0.5},
]
_NAMES = ["do", "x", "y", "key", "frame", "speed", "", "__class__", "x" * 300, "\ud800"]
_RAW = ["NaN", "Infinity", "-Infinity", "1e999", "-0", "1E-999", "9" * 400, "9" * 5000, "\x00"]
_HOLE = "\x01hole"


def random_message(random: Random) -> str:
    """A text that a page might send, or somebody who wants to do harm."""
    said = dict(random.choice(_TRUE))
    for _ in range(random.choice((0, 0, 1, 1, 1, 2, 3))):
        match random.randrange(4):
            case 0:
                said[random.choice([*said, "do"])] = _value(random, 3)
            case 1:
                said[random.choice(_NAMES)] = _value(random, 2)
            case 2 if said:
                del said[random.choice([*said])]
            case _:
                said[random.choice([*said, "x"])] = _HOLE
    text = json.dumps(said, ensure_ascii=random.random() < 0.5)
    text = text.replace(json.dumps(_HOLE), random.choice(_RAW))
    return _spoiled(random, text) if random.random() < 0.2 else text


def _value(random: Random, depth: int) -> object:
    match random.randrange(9 if depth else 7):
        case 0:
            return random.choice((-1, 0, 1, 2, 8, 799, 800, 801, 999, 1000, 2**53, 2**53 + 1))
        case 1:
            return random.choice((True, False, None))
        case 2:
            return random.choice((0.5, 1 / 64, 8.0, 8.5, -1.5, 1e308, float("inf"), float("nan")))
        case 3:
            return random.choice(("A", "a", "LEFT", "", "\ud83d\ude00", "\ud800", "\n", "x" * 2000))
        case 4:
            return random.choice([str(each["do"]) for each in _TRUE])
        case 5:
            return 10 ** random.randrange(1, 4000)
        case 6:
            return chr(random.randrange(0xD7FF))
        case 7:
            return [_value(random, depth - 1) for _ in range(random.randrange(3))]
        case _:
            return {random.choice(_NAMES): _value(random, depth - 1)}


def _spoiled(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    match random.randrange(5):
        case 0:
            return text[:at]
        case 1:
            return text[:at] + chr(random.randrange(1, 0x300)) + text[at:]
        case 2:
            return text[:at] + text[at + 1 :]
        case 3:
            return text + text
        case _:
            return random.choice("[{") * random.randrange(1, 1024) + text
