"""How a play ended, and for whom, told from the value of the result and from who is stuck."""

from __future__ import annotations

from zermelo.core.machine import Ending, Outcome
from zermelo.core.values import UNSET, Value
from zermelo.languages.sections.ir import Player, Stuck, System


def outcome_of_result(system: System, result: Value) -> Outcome:
    """The outcome of a play that is over and has this *result*."""
    if not is_known(result):
        return Outcome(Ending.OVER)
    words = _words(result)
    winners = tuple(p.name for p in system.players if words & frozenset(p.wins))
    losers = tuple(p.name for p in system.players if words & frozenset(p.loses))
    everybody = len(system.players) > 1 and len(winners) == len(system.players)
    if words & frozenset(system.draws) or everybody:
        return Outcome(Ending.DRAW, result=result)
    if winners:
        return _won(system, winners, result)
    if losers:
        return _lost(system, losers, result)
    return Outcome(Ending.OVER, result=result)


def outcome_of_stuck(system: System, player: Player | None, result: Value) -> Outcome:
    """The outcome where *player* is not over and has no move."""
    known = result if is_known(result) else None
    if system.stuck is Stuck.DRAWS:
        return Outcome(Ending.DRAW, result=known)
    if system.stuck is Stuck.LOSES and player is not None:
        return _lost(system, (player.name,), known)
    return Outcome(Ending.STUCK, result=known)


def is_known(result: Value) -> bool:
    """Whether a result says something: it is set, and if it is a set, not empty."""
    return result is not UNSET and result != frozenset()


def _words(result: Value) -> frozenset[Value]:
    return result | {result} if isinstance(result, frozenset) else frozenset({result})


def _won(system: System, winners: tuple[str, ...], result: Value) -> Outcome:
    losers = tuple(p.name for p in system.players if p.name not in winners)
    return Outcome(Ending.WIN, winners, losers, result)


def _lost(system: System, losers: tuple[str, ...], result: Value | None) -> Outcome:
    """Who loses against one other player makes that player win."""
    others = tuple(p.name for p in system.players if p.name not in losers)
    if len(system.players) == 2 and len(others) == 1:
        return Outcome(Ending.WIN, others, losers, result)
    return Outcome(Ending.LOSS, (), losers, result)
