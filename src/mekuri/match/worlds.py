"""Rounds as they may have been dealt, for all that a seat knows."""

from __future__ import annotations

from collections.abc import Iterator

from mekuri.cards import NONE, each
from mekuri.cards.given import Whole
from mekuri.engine.compiled import count
from mekuri.engine.contract import DRIVER, S_co, legal, play, redeal, waiting
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import MOST_SEATS, RoundState, copied, copy, fields
from mekuri.match.round import Chronicle, Round

_TRIES = 200  # worlds that are drawn for one in which everything can have happened as the seat saw it


def another_world(round: Round[S_co], seat: Whole, chance: list[int]) -> Round[S_co]:
    """Return a round that a seat cannot tell from this one, with its whole past: other cards may lie wherever the seat cannot see.

    The cards that lie there now come from the game's `redeal`, so every world is as likely as another that explains what has
    happened. They are exchanged in the packs, and the round is replayed.

    Args:
        round: the round.
        seat: the seat.
        chance: four words, from which the world is drawn; they are advanced.

    Raises:
        MekuriError: there is no such seat, or no world was found, as where other seats have acted unseen.
    """
    who = round._seat(seat)
    known, hidden = round.information(who), round.hidden(who)
    for _ in range(_TRIES):
        world = round.contract.state()
        copy(world, hidden)
        redeal(world, who, chance)
        other = _replayed(round, who, world)
        if other and other.information(who) == known and not (round.secret and _differences(other._state, world)):
            return other
    raise MekuriError(f"no other world of this round of {round.game.id} explains all that seat {seat} has seen")


def _exchanged(state: RoundState, world: RoundState) -> Iterator[tuple[int, int]]:
    """Pair the cards of a round with the cards in their places in a world. All sets of a seat are one place."""
    held = [0] * MOST_SEATS, [0] * MOST_SEATS
    for field in fields(type(state)):
        mine, others = getattr(state, field.name), getattr(world, field.name)
        if field.kind == "cards" and field.each_seat:
            for seat in range(state.seats):
                for sets, row in zip(held, (mine, others), strict=True):
                    for cards in field.of_seat(row, seat):
                        sets[seat] |= cards
        elif field.kind == "cards":
            for one, other in zip(mine, others, strict=True) if field.length else [(mine, others)]:
                yield from zip(each(one & ~other), each(other & ~one), strict=False)
        elif field.kind == "card" and field.length:
            row = range(state.stock if field.name == "pack" else field.length)
            yield from ((mine[i], others[i]) for i in row if NONE not in (mine[i], others[i]))
    for one, other in zip(*held, strict=True):
        yield from zip(each(one & ~other), each(other & ~one), strict=False)


def _replayed(round: Round[S_co], seat: int, world: RoundState) -> Round[S_co] | None:
    """Return the round with the packs of a world, as far as it has been played; None where its actions are not legal then.

    Other seats' actions that are hidden until all have acted are the actions that the world has.
    """
    exchanged = dict(_exchanged(round._state, world))
    if exchanged.keys() != {*exchanged.values()}:
        return None
    packs = [[exchanged.get(card, card) for card in pack] for pack in round.packs]
    other = round._beginning_again()
    other._given = [*packs]
    opened = _opened(round)
    last = {who: step for step, (who, _) in enumerate(round.history)}  # the step at which others may have seen that it was done
    for step, (who, action) in enumerate(round.history):
        if step >= opened and who != seat:
            if step == last[who]:
                _commit(other, who, world)
            continue
        if not waiting(other._state) >> who & 1 or (who != DRIVER and not legal(other._state, who) >> action & 1):
            return None
        other._step(who, action)
    if opened < len(round.history) or round.secret:
        for who in range(round.game.seats):
            _commit(other, who, world)
    other._chance = round._chance[:]
    return other


def _opened(round: Round) -> int:
    """Return the first of the steps that are still hidden; the number of all steps if none is."""
    again, opened = Chronicle(round), len(round.history)
    for step in range(len(round.history) if round.secret else 0):
        opened = min(opened, step) if again._again.secret else len(round.history)
        again.go()
    return opened


def _commit(round: Round, seat: int, world: RoundState) -> None:
    """Do those actions of a seat that make the round equal to a world."""
    left = _differences(round._state, world)
    while left and waiting(round._state) >> seat & 1:
        found = {_differences(after_action(round._state, seat, one), world): one for one in each(legal(round._state, seat))}
        if min(found) >= left:
            return
        left = min(found)
        round._step(seat, found[left])


def after_action(state: RoundState, seat: int, action: int) -> RoundState:
    """Return a copy of a state in which a seat has done an action."""
    after = copied(state)
    play(after, seat, action)
    return after


def _differences(state: RoundState, world: RoundState) -> int:
    """Return in how many values, cards and members of sets two states differ, except for the order of the pack."""
    found = 0
    for field in fields(type(state)):
        if field.name != "pack":
            mine, others = getattr(state, field.name), getattr(world, field.name)
            pairs = zip(mine, others, strict=True) if field.length else [(mine, others)]
            found += sum(count(one ^ other) if field.kind in ("cards", "seats") else one != other for one, other in pairs)
    return found
