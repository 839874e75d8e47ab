"""Checks that a game's rules know seats by what its state declares alone: turned round the table, they do the same."""

from __future__ import annotations

import random
from typing import Any

from mekuri.cards import each
from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import DRIVER, legal, outlook, over, play, returns, side_bet, undoing, waiting, yaku_of
from mekuri.engine.driver import shuffle_gathered
from mekuri.engine.fields import SEATS_SINCE, Field, RoundState, fields, turned
from mekuri.engine.sides import partners, sides, speakers
from mekuri.match.game import Game
from mekuri.testing.failure import CheckFailure, LeftOut, check, difference, same
from mekuri.testing.settings import match_of, random_match
from mekuri.testing.states import as_values
from mekuri.testing.worlds import act, as_seat, kept, seen, viewers

SAY = """The rules tell seats apart by more than the state declares. Say each_seat= for a row with a value for each seat, and \
fields.seat() or fields.seats() in place of fields.count() for a number that is a seat or a set of seats. Look at: {}"""


def need_seats(game: Game) -> None:
    """Raise LeftOut where the game is of a contract whose fields do not say what they hold of seats."""
    if game.contract.api < SEATS_SINCE:
        declare = f"declare which fields hold seats, with fields.seat(), fields.seats() and each_seat=, and say api={SEATS_SINCE}"
        raise LeftOut(f"its contract is of version {game.contract.api}: {declare}")


@check
def round_the_table(game: Game, seed: Seed = 0) -> None:
    """Check that the rules do the same, at every step of a round, where each seat has become the next one."""
    need_seats(game)
    chance, words = random.Random(str(seed)), stream(seed)
    s = game.new_state(chance.randrange(game.seats))
    while not over(s):
        shuffle_gathered(s, words)
        t = turned(s)
        _same(game, s, t)
        seat = chance.choice(each(waiting(s)))
        action = chance.choice(each(legal(s, seat)))
        before = kept(s)
        play(s, seat, action)
        play(t, _next(game, seat), action)
        if s.stock == before.stock:  # in a deal any seat may be the first
            _equal(turned(s), t, f"after {action} of seat {seat}", before)
    _same(game, s, turned(s))


@check
def carried_on(game: Game, seed: Seed = 0) -> None:
    """Check that what a match brings to its next round is the same where each seat has become the next one."""
    need_seats(game)
    chance = random.Random(str(seed))
    match, carry = game.match(seed=seed, **(match_of(game, 3) | random_match(game.contract, chance))), game.contract.match.carry
    for _ in range(2):
        while not match.round.over:
            act(match.round, chance)
        last = match.round._state
        if match.next_round() is None:
            return
        s = game.new_state(match.dealer)
        t = turned(s)
        carry(s, match.options, match.ledger, last)
        carry(t, match.options, [match.ledger[seat - 1] for seat in range(game.seats)], turned(last))
        _equal(turned(s), t, "in a new round", last)


def _next(game: Game, seat: int) -> int:
    return seat if seat == DRIVER else (seat + 1) % game.seats


def _same(game: Game, s: RoundState, t: RoundState) -> None:
    """Check that all that is asked of a state is the same in the state `t`, in which each seat has become the next one."""
    contract, seats = game.contract, range(game.seats)
    _equal(sorted(_next(game, seat) for seat in each(waiting(s))), sorted(each(waiting(t))), "seats that owe an action", s)
    for seat in seats:
        later = sorted(_next(game, partner) for partner in partners(sides(s), seat))
        _equal(later, list(partners(sides(t), _next(game, seat))), f"partners of seat {seat}", s)
    asked: list[Any] = [legal, undoing, outlook, yaku_of, side_bet]
    ended = over(s)
    for rule in (*asked, *((returns, contract.match.tally) if ended else ())):
        _equal([rule(s, seat) for seat in seats], [rule(t, _next(game, seat)) for seat in seats], rule.__name__, s)
    for viewer in viewers(game):
        seat = as_seat(viewer)
        _equal(turned(seen(s, seat)), seen(t, _next(game, seat)), f"hidden state of {seat}", s)
    for rule in (outlook, yaku_of, *((returns, contract.match.tally) if ended else ())):
        for speaker in speakers(sides(s)):
            alike = [rule(s, seat) for seat in partners(sides(s), speaker)]
            same(alike, alike[:1] * len(alike), f"partners have another {rule.__name__}", s)
    if ended:
        _equal(_next(game, contract.match.next_dealer(s)), contract.match.next_dealer(t), "the next dealer", s)
        _equal(contract.match.accounts(s), contract.match.accounts(t), "accounts of no seat", s)


def _equal(turned_later: object, turned_before: object, what: str, s: RoundState) -> None:
    if turned_later == turned_before:
        return
    unsaid = [field.name for field in fields(type(s)) if _may_hold_seats(field, max(s.contract.seats))]
    where = difference(_parts(turned_before), _parts(turned_later))
    raise CheckFailure(f"{what}: {where}. {SAY.format(', '.join(unsaid))}")


def _parts(value: object) -> object:
    return as_values(value) if isinstance(value, RoundState) else value


def _may_hold_seats(field: Field, seats: int) -> bool:
    """Return whether a field is an amount that could be a seat or a set of them, or a row that could have values for each."""
    if field.fixed or field.each_seat or field.kind in ("choice", "seat", "seats") or field.name in ("pack", "redeals"):
        return False
    return field.length >= seats or (field.kind == "count" and field.most < 1 << seats)
