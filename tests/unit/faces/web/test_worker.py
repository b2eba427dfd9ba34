"""Work is done in its order, somewhere else."""

import asyncio
import threading

import pytest

from zermelo.faces.web.worker import Worker


def test_work_is_done_in_its_order_in_another_thread() -> None:
    done: list[int] = []

    async def main() -> list[str]:
        worker = Worker()
        names = await asyncio.gather(*(worker.ask(lambda n=n: _note(done, n)) for n in range(5)))  # type: ignore[misc]  # mypy gives lambdas with a default no type
        worker.close()
        return names

    names = asyncio.run(main())

    assert done == [0, 1, 2, 3, 4]
    assert set(names) == {"engine"}


def test_what_goes_wrong_is_raised_where_it_was_asked_for() -> None:
    async def main() -> None:
        await Worker().ask(lambda: int("x"))

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(main())


def _note(done: list[int], number: int) -> str:
    done.append(number)
    return threading.current_thread().name
