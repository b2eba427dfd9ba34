"""A process that answers questions: what is worked out from a document stays out of the server.

It reads lines of JSON from its standard input and writes lines to its standard output:

    ← {"id": 3, "ask": "judge", "question": {…}, "document": {"name": …, "text": …, "path": …}}
    → {"id": 3, "progress": {"phase": "exploring", "states": 9000, "seconds": 0.4, "left": 2.5}}
    → {"id": 3, "answer": {…}}            or {"id": 3, "refused": "a sentence"}
    ← {"give up": 3}

It ends when nobody writes to it any more, so that it never outlives the server.
"""

from __future__ import annotations

import json
import os
import resource
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, TextIO

from zermelo.core.limits import Progress
from zermelo.faces.web.page.answers import Answers
from zermelo.faces.web.page.requests import LONG, SHORT, Document, record, sentence
from zermelo.text.errors import ZermeloError

BETWEEN: Final = 0.2
"""Seconds between two words on how far something has come."""
MOST_MEMORY: Final = 8 << 30
"""Bytes of addresses; a document that wants more ends its process, and no other."""
_PATHS: Final = ("path", "reading_file")
OUR_FAULT: Final = "The program made a mistake here; the document is not to blame."
TOO_LARGE: Final = "This takes more memory than there is for it."


class Analyst:
    """Answers one question after the other; what was given up is answered at once."""

    def __init__(self, said: TextIO, told: TextIO) -> None:
        self._said = said
        self._told = told
        self._answers = Answers()
        self._given_up: set[int] = set()
        self._questions: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._last = 0.0

    def run(self) -> None:
        """Answer until nobody asks any more."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            self._answer(self._questions.get())

    def _listen(self) -> None:
        for text in self._said:
            message = json.loads(text)
            if "give up" in message:
                self._given_up.add(message["give up"])
            else:
                self._questions.put(message)
        # Whoever asked is gone, whatever is being worked out.
        os._exit(0)

    def _answer(self, message: dict[str, Any]) -> None:
        number = message["id"]
        kinds = {**SHORT, **LONG}
        about = message["document"]
        path, beside = (None if about[key] is None else Path(about[key]) for key in _PATHS)
        document = Document(about["name"], about["text"], path, beside, about["title"])

        def listen(progress: Progress) -> bool:
            self._tell_progress(number, progress)
            return number in self._given_up

        try:
            question = record(kinds[message["ask"]], message["question"])
            answer = self._answers.answer(question, document, listen)
        except ZermeloError as error:
            self._tell({"id": number, "refused": sentence(error)})
        except MemoryError:
            self._tell({"id": number, "refused": TOO_LARGE})
        except Exception as error:  # noqa: BLE001 - the one place where a fault of ours ends here
            where = f"{type(error).__name__}: {error}"
            self._tell({"id": number, "refused": f"{OUR_FAULT} ({where})"})
        else:
            self._tell({"id": number, "answer": answer})

    def _tell_progress(self, number: int, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._last < BETWEEN:
            return
        self._last = now
        left = None if progress.estimate is None else progress.estimate.seconds_left
        told = {"phase": progress.phase, "states": progress.states, "seconds": progress.seconds}
        self._tell({"id": number, "progress": {**told, "left": left}})

    def _tell(self, message: dict[str, Any]) -> None:
        self._told.write(json.dumps(message, ensure_ascii=False) + "\n")
        self._told.flush()


def main() -> None:
    """Answer what is asked on standard input."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What anything prints must not be taken for an answer.
    os.dup2(2, 1)
    Analyst(os.fdopen(0, encoding="utf-8"), told).run()


if __name__ == "__main__":
    main()
