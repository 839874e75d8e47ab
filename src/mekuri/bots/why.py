"""Explain why another seat may have done its last action, from what the seat that asks can know.

Only the hidden states of the asking seat and worlds dealt from them are used, so the answer reveals no card of the other seat.
"""

from __future__ import annotations

from math import hypot

from mekuri.bots.figures import Z
from mekuri.bots.ours import greedy
from mekuri.bots.search.think import think
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.contract import Text, legal, redeal, within_reach, yaku_of
from mekuri.engine.driver import hidden_state
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.sides import sides, speakers

_WORLDS = 8  # worlds in which the action is weighed
_FEW = 0.25  # the part of these worlds up to which what holds in them is improbable
_TRIES = 12  # worlds dealt for each of them at most: in most of these the other seat does not hold the card


def why(
    before: RoundState, after: RoundState, asker: int, seat: int, action: int, budget: Budget, chance: list[int]
) -> tuple[Text, ...]:
    """Return reasons for an action of another seat, as texts of the table `facts`; where none are found, one text that says so.

    Args:
        before: the hidden state of the asking seat just before the action.
        after: the hidden state of the asking seat just after it.
        asker: the seat that asks.
        seat: the seat that acted.
        action: its action.
        budget: how much may be played out in all worlds together.
        chance: four words from which the worlds are drawn; they are advanced.
    """
    found = [*open_reasons(before, after, seat), *_weighed(before, asker, seat, action, budget, chance)]
    return tuple(found) or (Text("facts.why-hidden", {"seat": seat}),)


def open_reasons(before: RoundState, after: RoundState, seat: int) -> list[Text]:
    """Return which yaku a seat's action completed, brought within reach or denied, by what the viewer saw before and after it."""
    contract = before.contract
    made = int(yaku_of(after, seat)) & ~int(yaku_of(before, seat))
    makes = [id for i, id in enumerate(contract.yaku) if made >> i & 1]
    reasons = [Text("facts.why-makes", {"seat": seat, "yaku": id}) for id in makes]
    for who in (seat, *(other for other in speakers(sides(before), seat) if other != seat)):
        was, now = ({one.yaku: None for one in within_reach(contract.table.goals(h, who))} for h in (before, after))
        reasons += [Text("facts.why-near", {"seat": who, "yaku": id}) for id in now if id not in was]
        if who != seat:
            reasons += [Text("facts.why-denies", {"seat": who, "yaku": id}) for id in was if id not in now]
    return reasons


def _weighed(before: RoundState, asker: int, seat: int, action: int, budget: Budget, chance: list[int]) -> list[Text]:
    """Weigh the action in worlds that the asking seat cannot rule out, each analysed from the view of the seat that acted.

    Returns one text that says whether the seat had a choice, and probably a better one; no text where no world was found in which
    the action was legal.
    """
    each = Budget(budget.playouts and budget.playouts // _WORLDS, budget.milliseconds and budget.milliseconds // _WORLDS)
    costs: list[bool] = []  # whether another action was clearly better
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
            continue  # the action takes back what the seat itself has done, so it is not weighed
        forced += len(tried) == 1
        costs.append(tried[0].mean - own.mean > Z * hypot(tried[0].error, own.error))
    if not costs:
        return []
    dear = sum(costs) / len(costs)
    id = "forced" if forced == len(costs) else "good" if dear <= _FEW else "poor" if dear >= 1 - _FEW else "depends"
    return [Text(f"facts.why-{id}", {"seat": seat})]
