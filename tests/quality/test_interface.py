"""Whatever is asked over HTTP, the answer is one that the description of the interface tells of."""

import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.support.browser import Server, served_page

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


def _cookie(server: Server) -> str:
    asked = Request(f"{server.root}enter", data=server.token.encode(), method="POST")
    with urlopen(asked, timeout=20) as answer:
        return str(answer.headers["set-cookie"]).partition(";")[0]


@pytest.mark.long
def test_questions_drawn_from_the_description_are_answered_as_it_says() -> None:
    program = Path(sys.executable).parent / "schemathesis"
    with served_page() as server:
        ran = subprocess.run(
            [
                *(str(program), "run", f"{server.root}api/openapi.json"),
                *("-H", f"Cookie: {_cookie(server)}"),
                *("--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing"),
                *("--max-examples", "8", "--seed", "1", "--generation-database", "none"),
                *("--request-timeout", "30", "--no-color"),
            ],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    assert ran.returncode == 0, ran.stdout[-4_000:]
    assert " generated, " in ran.stdout
