from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Rows: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int64]
Integers: TypeAlias = npt.NDArray[np.signedinteger[Any]]
Truths: TypeAlias = npt.NDArray[np.bool_]
Piece: TypeAlias = tuple[int, int]
