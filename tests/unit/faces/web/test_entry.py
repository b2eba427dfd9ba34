"""Who has the token is let in, and nobody else."""

import re

import pytest

from zermelo.faces.web.entry import Answer, Keys
from zermelo.faces.web.limits import MOST_WRONG

HERE = "127.0.0.1:8000"


def test_every_run_has_secrets_of_its_own() -> None:
    one, other = Keys(), Keys()
    secrets = {one.token, one.single, other.token, other.single}
    secrets |= {_value(one.cookie(HERE)), _value(other.cookie(HERE))}

    assert len(secrets) == 6
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in secrets)


def test_the_token_lets_in_as_often_as_its_owner_likes() -> None:
    keys = Keys()

    assert {keys.enter(keys.token.encode()) for _ in range(100)} == {Answer.COME_IN}


def test_the_token_of_the_browser_that_is_started_lets_in_once() -> None:
    keys = Keys()

    answers = [keys.enter(keys.single.encode()) for _ in range(3)]

    assert answers == [Answer.COME_IN, Answer.USED, Answer.USED]


@pytest.mark.parametrize("token", [b"", b"0", b"\xff" * 64, "é".encode(), b"0" * 100_000])
def test_a_wrong_token_does_not(token: bytes) -> None:
    assert Keys().enter(token) is Answer.WRONG


def test_a_part_of_the_token_or_the_cookie_is_a_wrong_token() -> None:
    keys = Keys()
    for wrong in (keys.token[:-1], keys.token.upper() + "0", _value(keys.cookie(HERE))):
        assert keys.enter(wrong.encode()) is Answer.WRONG


def test_many_wrong_tokens_are_too_many_and_never_keep_out_the_right_one() -> None:
    now = 0.0
    keys = Keys(clock=lambda: now)

    answers = [keys.enter(b"wrong") for _ in range(MOST_WRONG + 2)]
    assert answers == [Answer.WRONG] * MOST_WRONG + [Answer.TOO_OFTEN] * 2
    assert keys.enter(keys.token.encode()) is Answer.COME_IN

    now = 1.0
    assert [keys.enter(b"wrong") for _ in range(2)] == [Answer.WRONG, Answer.TOO_OFTEN]


def test_the_cookie_is_for_this_server_and_for_no_script() -> None:
    cookie = Keys().cookie(HERE)

    assert re.fullmatch("zermelo-8000=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict", cookie)


@pytest.mark.parametrize(
    ("host", "name"),
    [("127.0.0.1:8000", "zermelo-8000"), ("[::1]:99", "zermelo-99"), ("localhost", "zermelo-80")],
)
def test_the_name_of_the_cookie_has_the_port_that_the_browser_sees(host: str, name: str) -> None:
    keys = Keys()

    assert keys.cookie(host).partition("=")[0] == name
    assert keys.is_known([keys.cookie(host)], host)
    assert not keys.is_known([keys.cookie(host)], "127.0.0.1:1")


def _value(cookie: str) -> str:
    return cookie.partition(";")[0].partition("=")[2]
