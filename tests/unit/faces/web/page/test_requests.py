"""What a page may ask: exactly the records, with their names, kinds and bounds."""

import json

import pytest

from zermelo.faces.web.page.requests import (
    LONG,
    MOST_BYTES,
    SHORT,
    AskWhy,
    ChooseMove,
    NotAsked,
    ReadDocument,
    ShowPosition,
    ShowTrace,
    read,
    schema,
)


def test_a_question_is_read_with_what_is_usual_for_the_rest() -> None:
    said = '{"document": "pegs", "moves": ["a", "b"], "player": "random"}'

    assert read(ChooseMove, said) == ChooseMove(
        document="pegs", moves=("a", "b"), player="random", seconds=2, seed=0
    )


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        (ReadDocument, "", "a question is one object in JSON"),
        (ReadDocument, "[]", "a question is one object in JSON"),
        (ReadDocument, "[" * 100_000, "a question is one object in JSON"),
        (ReadDocument, b"\xff", "a question is one object in JSON"),
        (ReadDocument, '{"document": NaN}', "NaN is no number of JSON"),
        (ReadDocument, '{"document": "a", "document": "b"}', "a name stands twice in an object"),
        (ReadDocument, "{}", "`document` is missing"),
        (ReadDocument, '{"document": "a", "rm": 1}', "`rm` is no part of this question"),
        (ReadDocument, '{"document": 1}', "`document` is a text"),
        (ReadDocument, '{"document": "\\ud800"}', "`document` has a character that is none"),
        (ReadDocument, json.dumps({"document": "x" * 201}), "has at most 200 characters"),
        (ReadDocument, '{"document": "a", "readings": []}', "is an object of at most 200 texts"),
        (ReadDocument, '{"document": "a", "readings": {"a": 1}}', "`readings` is a text"),
        (ShowPosition, '{"document": "a", "moves": "a"}', "is a list of at most 5,000 texts"),
        (ShowPosition, '{"document": "a", "moves": [1]}', "`moves` is a text"),
        (ShowTrace, json.dumps({"document": "a", "pinned": ["a"] * 9}), "at most 8 texts"),
        (AskWhy, '{"document": "a"}', "`move` is missing"),
        (ChooseMove, '{"document": "a", "seconds": true}', "a whole number from 1 to 60"),
        (ChooseMove, '{"document": "a", "seconds": 61}', "a whole number from 1 to 60"),
        (ChooseMove, '{"document": "a", "player": "god"}', "is one of random, search, mcts"),
        (ReadDocument, " " * (MOST_BYTES + 1), "a question has at most 2,000,000 bytes"),
    ],
)
def test_whatever_is_no_question_is_refused_with_a_word(
    kind: type, said: str | bytes, why: str
) -> None:
    with pytest.raises(NotAsked, match=r".") as refused:
        read(kind, said)

    assert why in str(refused.value)


def test_the_description_is_made_of_the_same_bounds() -> None:
    described = schema(ChooseMove)

    assert described["required"] == ["document"]
    assert described["additionalProperties"] is False
    properties = described["properties"]
    assert isinstance(properties, dict)
    assert properties["seconds"] == {"type": "integer", "minimum": 1, "maximum": 60}
    assert properties["player"] == {
        "type": "string",
        "enum": ["random", "search", "mcts", "perfect"],
    }


def test_every_question_has_a_sentence_that_describes_it() -> None:
    assert all(str(schema(kind)["description"]).endswith(".") for kind in SHORT.values())
    assert all(str(schema(kind)["description"]).endswith(".") for kind in LONG.values())
