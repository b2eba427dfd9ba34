"""Whether the kernel of a net does what the token game does, which says what nets mean."""

from __future__ import annotations

from collections import Counter, deque

from zermelo.core.expander import TooNarrow, outcome_of, player_of
from zermelo.core.state import State
from zermelo.languages.nets import ir
from zermelo.languages.nets.compile.kernel import NetKernel, kernel
from zermelo.languages.nets.game.rules import NO_RULES, NetRules
from zermelo.languages.nets.run.bags import Bag
from zermelo.languages.nets.run.machine import TokenGame

STATES = 8


def states_of(machine: TokenGame, most: int) -> list[State]:
    """The first markings that are reached."""
    found = {machine.initial: None}
    waiting = deque(found)
    while waiting and len(found) < most:
        state = waiting.popleft()
        for move in machine.legal(state):
            after = machine.after(state, move)
            if after not in found:
                found[after] = None
                waiting.append(after)
    return list(found)[:most]


def agree(
    net: ir.Net,
    rules: NetRules = NO_RULES,
    *,
    compiled: bool = False,
    most: int = STATES,
    tally: Counter[str] | None = None,
) -> bool:
    """Compare all that follows the first markings; whether there was a kernel to compare.

    What was compared is counted in *tally*.
    """
    tally = Counter() if tally is None else tally
    machine = TokenGame(net, rules)
    made = kernel(net, rules, compiled=compiled)
    if isinstance(made, str):
        return False
    for state in states_of(machine, most):
        made = check(made, machine, state)
        tally["markings"] += 1
        tally["firings"] += len(machine.legal(state))
        tally["markings that end a play"] += machine.is_over(state)
        tally["markings with faults"] += bool(machine.faults(state))
    return True


def check(made: NetKernel, machine: TokenGame, state: State) -> NetKernel:
    """Compare what follows *state*; gives the kernel that has room for it."""
    while True:
        try:
            row = made.pack(state)
            expansion = made.expand(row.reshape(1, -1))
            break
        except TooNarrow as narrow:
            wider = narrow.wider()
            assert isinstance(wider, NetKernel)
            made = wider
    assert made.unpack(row) == state
    theirs = {move: machine.after(state, move) for move in machine.legal(state)}
    pairs = zip(expansion.moves, expansion.states, strict=True)
    ours = [(made.move(int(code)), made.unpack(after)) for code, after in pairs]
    assert dict(ours) == theirs
    assert len(ours) == len(theirs), "a binding was found twice"
    assert bool(len(expansion.faulty)) == bool(machine.faults(state))
    judged = made.judge(row.reshape(1, -1))
    assert expansion.verdicts.tolist() == judged.tolist()
    ends = [made.outcomes[at] if at >= 0 else None for at in outcome_of(judged).tolist()]
    assert ends == [machine.outcome(state) if machine.is_over(state) else None]
    names = [each.name for each in machine.signature.players]
    in_turn = [names[at] if at >= 0 else None for at in player_of(judged).tolist()]
    player = machine.player(state)
    assert in_turn == [None if player is None else player.name]
    sizes = [len(bag) for bag in state.values if isinstance(bag, Bag)]
    assert made.tokens(row.reshape(1, -1)).tolist() == [sizes]
    assert made.most_tokens(row.reshape(1, -1)) == (max(sizes, default=0), sum(sizes))
    return made
