"""The names of arrays in annotations.

Their types are in ``arrays.pyi``, where type checkers find them: whoever only reads a
document does not import what computes with arrays.
"""

from __future__ import annotations

from typing import TypeAlias

Rows: TypeAlias = object
"""Packed states, one a row."""
Numbers: TypeAlias = object
"""Whole numbers of 64 bits."""
Integers: TypeAlias = object
"""Whole numbers of any size."""
Truths: TypeAlias = object
Piece: TypeAlias = tuple[int, int]
"""Some of many states: from the first number to before the second."""
