"""The luck of a seat in a round: where it was best or worst, and which events brought it."""

from __future__ import annotations

from collections.abc import Mapping

from mekuri.bots.ours import greedy
from mekuri.bots.review.decisions import Decision
from mekuri.bots.search.flat import HONEST, WHOLE
from mekuri.bots.search.think import Trial
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine.bot import Happened, Seen
from mekuri.match.round import Chronicle, Round


def parts_of_luck(
    round: Round, one: Decision, until: int, worth: float, after: float, changes: Mapping[int, float], worlds: int
) -> tuple[float, ...]:
    """Find by how much luck changed a seat's expected return with each event between two of its decisions.

    The expectation after an event is estimated from what the seat had seen by then. Changes by others' decisions are no luck, and a
    seat's own action brings no luck. The seat must have seen another event.

    Args:
        round: the round, which must be over.
        one: the decision at the beginning.
        until: the step of the seat's next decision, or the number of steps of the round.
        worth: the expected return of the action that was chosen.
        after: the expected return at the next decision, or the result of the round.
        changes: by how much others' decisions changed the expected return, by their steps.
        worlds: in how many worlds an expectation is estimated.

    Returns:
        A part for each event that the seat saw, in order.
    """
    seat, chance, chronicle = one.seat, one.chance("luck"), Chronicle(round)
    past, events, value, changed = list[Happened](), list[tuple[Seen, float] | None](), worth, 0.0
    for step, (actor, action) in enumerate(round.history[:until]):
        version, done = chronicle.versions[seat], chronicle.see()
        changed += changes.get(step, 0.0)
        if chronicle.versions[seat] == version:
            continue  # another seat's hidden commitment
        past.append(Happened(actor, action if done.is_seen_by(seat) else None, chronicle.hidden(seat)))
        if step >= one.step and actor == seat:
            events.append(None)
        elif step >= one.step:
            events.append((Seen(past[-1].hidden, seat, tuple(past)), changed))
            changed = 0.0
    parts, last = [0.0] * len(events), max(number for number, event in enumerate(events) if event)
    for number, event in enumerate(events[:last]):
        if event:
            now = expected(event[0], worlds, chance)
            parts[number] = now - value - event[1]
            value = now
    parts[last] = after - worth - sum(changes.values()) - sum(parts)
    return tuple(parts)


def expected(seen: Seen, worlds: int, chance: list[int]) -> float:
    """Return the expected return of a seat from what it has seen, whose turn it may be.

    Args:
        seen: what the seat has seen.
        worlds: in how many worlds the round is played on.
        chance: four words; they are advanced.
    """
    trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen), worlds)
    trial.more(0, worlds)
    chance[:] = trial.chance
    return trial.tried(0).mean
