"""Find actions that are equal by symmetry, such as playing one of two chaff of a flower, or taking one of two unseen stacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mekuri.engine.called import choices_of
from mekuri.engine.chance import pick, stream
from mekuri.engine.compiled import bit, count, first, has
from mekuri.engine.contract import DRIVER, FIRST_WORD, legal, outlook, over, play, redeal, returns, waiting, yaku_of
from mekuri.engine.driver import drive
from mekuri.engine.executor import workspace
from mekuri.engine.fields import RoundState, copy, fields

_ROUNDS = 4  # rounds that are played on to compare two cards


def groups(hidden: RoundState, seat: int, actions: Sequence[int]) -> list[list[int]]:
    """Group actions that are equal by symmetry.

    Args:
        hidden: the hidden state of the seat.
        seat: the seat.
        actions: legal actions of the seat.

    Returns:
        The groups, ordered by their first actions. In a group the order of the actions is kept.
    """
    found: list[list[int]] = []
    for action in actions:
        group = next((one for one in found if alike(hidden, seat, one[0], action)), None)
        if group:
            group.append(action)
        else:
            found.append([action])
    return found


def alike(hidden: RoundState, seat: int, one: int, other: int) -> bool:
    """Return whether two actions of a seat are equal by symmetry, as far as the seat can know.

    Either both lead to the same hidden state, or they play two cards that can be exchanged. Such cards are worth the same and
    belong to the same goals. Wherever they lie, every seat may do the same, and the same is scored: that is tried in some rounds
    that are played on at random.

    Args:
        hidden: the hidden state of the seat; not changed.
        seat: the seat.
        one: a legal action.
        other: another legal action.
    """
    after, otherwise = (_after(hidden, seat, action) for action in (one, other))
    if one == other or after == otherwise:
        return True
    if max(one, other) >= FIRST_WORD or exchanged(otherwise, one, other) != after:
        return False
    seats, contract = range(hidden.seats), hidden.contract
    worth, otherwise_worth = (contract.table.worth(hidden, card) for card in (one, other))
    if (worth.points, worth.wild) != (otherwise_worth.points, otherwise_worth.wild):
        return False
    if any(_aims(contract.table.goals(after, each)) != _aims(contract.table.goals(otherwise, each), one, other) for each in seats):
        return False
    chance = stream("alike")
    return all(_goes_alike(hidden, seat, one, other, chance) for _ in range(_ROUNDS))


def exchanged(s: RoundState, one: int, other: int) -> RoundState:
    """Return a copy of a state in which two cards have changed places."""
    found: RoundState = s.contract.state()
    copy(found, s)
    for field in fields(type(s)):
        if field.kind in ("card", "cards") and not field.fixed:
            change = _card if field.kind == "card" else _set
            value = getattr(s, field.name)
            setattr(found, field.name, [change(each, one, other) for each in value] if field.length else change(value, one, other))
    return found


def _card(card: int, one: int, other: int) -> int:
    return other if card == one else one if card == other else card


def _set(cards: int, one: int, other: int) -> int:
    return cards if has(cards, one) == has(cards, other) else cards ^ bit(one) ^ bit(other)


def _aims(goals: Sequence[Any], one: int = 0, other: int = 0) -> list[Any]:
    """Return the goals that can still be reached, in a form that can be compared, with two cards exchanged."""
    reached = [goal for goal in goals if not goal.lost]
    return [
        (repr(goal.text), goal.value, goal.needs, goal.has, _set(goal.made, one, other), _set(goal.lacks, one, other))
        for goal in reached
    ]


def _after(hidden: RoundState, seat: int, action: int) -> RoundState:
    found: RoundState = hidden.contract.state()
    copy(found, hidden)
    play(found, seat, action)
    return found


def _goes_alike(hidden: RoundState, seat: int, one: int, other: int, chance: list[int]) -> bool:
    """Play a round on at random with two cards as they lie, and with both exchanged, and return whether both go alike."""
    here, there = workspace(hidden.contract, 2)
    copy(here, hidden)
    redeal(here, seat, chance)
    copy(there, exchanged(here, one, other))
    actor, action = seat, one
    while True:
        play(here, actor, action)
        play(there, actor, _card(action, one, other))
        while waiting(here) == bit(DRIVER) and not here.gathered and here == exchanged(there, one, other):
            drive(here, chance)
            drive(there, chance)
        seats = range(here.seats)
        marks = [
            [(outlook(s, each), yaku_of(s, each), returns(s, each) if over(s) else 0) for each in seats] for s in (here, there)
        ]
        if marks[0] != marks[1] or here != exchanged(there, one, other):
            return False
        if over(here) or waiting(here) == bit(DRIVER):
            return True  # after a shuffle the two orders of the pack cannot be compared
        actor = first(waiting(here))
        choices = choices_of(here, actor)
        if legal(there, actor) != _set(legal(here, actor), one, other):
            return False
        if not choices:
            return True
        action = pick(choices, count(choices), chance)
