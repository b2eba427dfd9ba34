"""Transcripts of a session."""

from zermelo.core.prompt import Exchange, differences, exchanges

PROMPT = "cmd:>"
TEXT = """\
#### 4 Test cases

------

TEST: INTERPRETER

------

```
cmd:>pp(initialState_)
"{}"
cmd:>pp(rows)
"{{1, 2}, {3}}"
```

cmd:>:click 150 650
_____
LED engine took: 43 secs.
  cmd:> pp(WHITE)
  "an Easel color"
"""


def test_everything_but_questions_and_answers_is_passed_over() -> None:
    assert exchanges(TEXT, PROMPT) == [
        Exchange(10, "pp(initialState_)", '"{}"'),
        Exchange(12, "pp(rows)", '"{{1, 2}, {3}}"'),
        Exchange(16, ":click 150 650", None),
        Exchange(19, "pp(WHITE)", '  "an Easel color"'),
    ]


def test_differences_come_in_order_and_questions_without_answer_are_asked_too() -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return '"{}"'

    found = list(differences(exchanges(TEXT, PROMPT), answer))

    assert [(each.exchange.line, each.answer) for each in found] == [(12, '"{}"'), (19, '"{}"')]
    assert asked == ["pp(initialState_)", "pp(rows)", ":click 150 650", "pp(WHITE)"]


def test_an_answer_may_have_several_lines() -> None:
    (found,) = exchanges("cmd:>why\nIt divides by 0.\n  needed by `half(3, 0)`\n\nprose\n", PROMPT)

    assert found.answer == "It divides by 0.\n  needed by `half(3, 0)`"


def test_a_text_without_a_session_has_no_exchanges() -> None:
    assert exchanges("nothing here\n", PROMPT) == []
