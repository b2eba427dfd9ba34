"""How tightly the operators of LED bind, for the parser and the printers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from zermelo.languages.led.read.tree import Sign


class Level(IntEnum):
    """The rungs of the ladder, loosest first.

    LED has one ladder for numbers, one for sets and one for truth values. Joined
    rung by rung they read every program as the three do, since an operand of one
    kind never holds a bare operator of a looser kind.
    """

    IFF = 1
    IMPLIES = 2
    OR = 3
    AND = 4
    NOT = 5
    RELATION = 6
    SUM = 7
    PRODUCT = 8
    PREFIX = 9
    POWER = 10
    PRIMARY = 11


LEVELS: Final[Mapping[Sign, Level]] = {
    Sign.IFF: Level.IFF,
    Sign.IMPLIES: Level.IMPLIES,
    Sign.OR: Level.OR,
    Sign.AND: Level.AND,
    Sign.EQ: Level.RELATION,
    Sign.NE: Level.RELATION,
    Sign.LT: Level.RELATION,
    Sign.GT: Level.RELATION,
    Sign.LE: Level.RELATION,
    Sign.GE: Level.RELATION,
    Sign.IN: Level.RELATION,
    Sign.SUBSET: Level.RELATION,
    Sign.PLUS: Level.SUM,
    Sign.MINUS: Level.SUM,
    Sign.UNION: Level.SUM,
    Sign.DIFFERENCE: Level.SUM,
    Sign.TIMES: Level.PRODUCT,
    Sign.DIVIDE: Level.PRODUCT,
    Sign.MOD: Level.PRODUCT,
    Sign.INTERSECTION: Level.PRODUCT,
    Sign.POWER: Level.POWER,
}

RIGHT: Final = frozenset((Level.IFF, Level.IMPLIES, Level.POWER))
"""Where operators group from the right: ``2^3^2`` is ``2^(3^2)``."""
