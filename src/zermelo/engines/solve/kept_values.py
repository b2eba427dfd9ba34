"""Values that were found so far, kept in the folder of the exploration whose states they have.

Each way of solving keeps what it needs to go on: some facts, and arrays by the numbers of the
states. They belong to the states in their order, so those of another exploration are not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo.engines.solve.codes import Objective
from zermelo.engines.space.checkpoint import ADVICE, KEEPING, Checkpoint, Pace
from zermelo.files.kept import Kept
from zermelo.files.sealed import Format, NotUsable
from zermelo.text import budget
from zermelo.text.errors import UsageError

FORMAT: Final = Format("values", 2, ADVICE)
NAME: Final = "values"
_AT_ONCE: Final = 1 << 22

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class FoundValues:
    """What was found until a run was stopped."""

    facts: Mapping[str, Any]
    arrays: Arrays


class KeptValues:
    """Keeps values beside an exploration that is complete."""

    def __init__(
        self, checkpoint: Checkpoint, objectives: Sequence[Objective], name: str = NAME
    ) -> None:
        self._objectives = objectives
        belongs = {
            **checkpoint.belongs_to,
            "set of players": ", ".join(f"{each.player} {each.stuck.value}" for each in objectives),
        }
        self._kept = Kept(checkpoint.folder, name, FORMAT, belongs)
        self._checkpoint = checkpoint
        self._order = checkpoint.levels_digest
        """Of the states, by which the arrays are ordered."""
        self._pace = Pace()

    def beside(self, name: str) -> KeptValues:
        """Something else that is found of the same states, kept in the same folder."""
        return KeptValues(self._checkpoint, self._objectives, name)

    def is_due(self) -> bool:
        return self._pace.is_due()

    def has(self, method: str) -> bool:
        """Whether what was kept was found by this *method*."""
        described = self._kept.read()
        return described is not None and described.content.get("method") == method

    def read(self, method: str) -> FoundValues | None:
        """What was kept by this *method* of the same states; ``None`` if nothing was."""
        described = self._kept.read()
        if described is None:
            return None
        content = described.content
        if content.get("method") != method or content.get("order") != self._order:
            return None
        try:
            arrays = {
                name: np.concatenate(
                    [
                        np.empty(0, dtype=content["types"][name]),
                        *(
                            np.frombuffer(part, dtype=content["types"][name])
                            for part in self._kept.chunks(file, _AT_ONCE)
                        ),
                    ]
                )
                for name, file in described.files.items()
            }
            return FoundValues(dict(content["facts"]), arrays)
        except (ValueError, KeyError, TypeError, SyntaxError) as error:
            raise self.damaged(
                "its arrays have not the types that they were written with"
            ) from error

    def keep(self, method: str, facts: Mapping[str, Any], arrays: Arrays) -> None:
        with budget.phase(KEEPING):
            self._keep(method, facts, arrays)

    def _keep(self, method: str, facts: Mapping[str, Any], arrays: Arrays) -> None:
        began = budget.now()
        try:
            files = {
                name: self._kept.write(name, (part.tobytes() for part in _parts(array)))
                for name, array in arrays.items()
            }
            types = {name: array.dtype.str for name, array in arrays.items()}
            content = {"method": method, "order": self._order, "facts": facts, "types": types}
            self._kept.describe(content, files)
        except OSError as error:
            raise UsageError(
                f"the values cannot be kept in {self._checkpoint.folder}: {error.strerror}; what "
                "was kept before is still there"
            ) from error
        self._pace.note(began)

    def announce(self, values: int) -> None:
        """Say that so many states have their values already."""
        before = self._checkpoint.resumed
        if before is not None and self._checkpoint.announce is not None:
            self._checkpoint.announce(replace(before, values=values))

    def damaged(self, how: str) -> NotUsable:
        return self._kept.damaged(how)


def _parts(array: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    return [array[at : at + _AT_ONCE] for at in range(0, len(array), _AT_ONCE)]
