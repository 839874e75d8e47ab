"""Why another seat may have done what it has just done, for all that whoever asks can know.

It is made of what the asker saw before and after it, and of worlds dealt from that, so it tells nothing of what that seat holds.
"""

from __future__ import annotations

from mekuri.bots.figures import figure
from mekuri.bots.ours import greedy
from mekuri.bots.search.think import think
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.contract import Text, legal, redeal, within_reach, yaku_of
from mekuri.engine.driver import hidden_state
from mekuri.engine.fields import RoundState, copy

_WORLDS = 8  # that are looked at
_TRIES = 12  # deals for each of them: in most the other does not hold the card


def why(
    before: RoundState, after: RoundState, asker: int, seat: int, action: int, budget: Budget, chance: list[int]
) -> tuple[Text, ...]:
    """What can be said of it, as texts of the table `facts`.

    Args:
        before: the hidden state of whoever asks, when the seat did it.
        after: the same when it was done.
        asker: the seat that asks.
        seat: the seat that did it.
        action: what it did.
        budget: how much may be played out, in all worlds together.
        chance: four words, from which the worlds come, and which go on.
    """
    found = [*open_reasons(before, after, seat), *_weighed(before, asker, seat, action, budget, chance)]
    return tuple(found) or (Text("facts.why-hidden", {"seat": seat}),)


def open_reasons(before: RoundState, after: RoundState, seat: int) -> list[Text]:
    """What a seat has made, brought within reach or denied, by what lies open before and after."""
    contract = before.contract
    made = int(yaku_of(after, seat)) & ~int(yaku_of(before, seat))
    makes = [id for i, id in enumerate(contract.yaku) if made >> i & 1]
    told = [Text("facts.why-makes", {"seat": seat, "yaku": id}) for id in makes]
    for who in (seat, *(other for other in range(before.seats) if other != seat)):
        was, now = ({one.yaku: None for one in within_reach(contract.goals(h, who))} for h in (before, after))
        told += [Text("facts.why-near", {"seat": who, "yaku": id}) for id in now if id not in was]
        if who != seat:
            told += [Text("facts.why-denies", {"seat": who, "yaku": id}) for id in was if id not in now]
    return told


def _weighed(before: RoundState, asker: int, seat: int, action: int, budget: Budget, chance: list[int]) -> list[Text]:
    """How good it was in worlds that the asker could not rule out, each as the other would have seen it there."""
    each = Budget(budget.playouts and budget.playouts // _WORLDS, budget.milliseconds and budget.milliseconds // _WORLDS)
    costs: list[float] = []
    forced = 0
    for _ in range(_WORLDS * _TRIES):
        if len(costs) == _WORLDS:
            break
        world = before.contract.state()
        copy(world, before)
        redeal(world, asker, chance)
        if not legal(world, seat) >> action & 1:
            continue
        tried = think(Seen(hidden_state(world, seat), seat), chance, each, greedy.bot)
        own = next((one for one in tried if one.action == action), None)
        if own is None:
            continue  # it takes back what the seat itself has done
        forced += len(tried) == 1
        costs.append(tried[0].mean - own.mean)
    if not costs:
        return []
    numbers = {"seat": seat, "worlds": len(costs)}
    if forced == len(costs):
        return [Text("facts.why-forced", numbers)]
    best = sum(cost <= 0 for cost in costs)
    return [Text("facts.why-weighed", {**numbers, "best": best, "cost": figure(max(0.0, sum(costs) / len(costs)))})]
