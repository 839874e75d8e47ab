"""Checks of ledgers: in a game with accounts that no seat owns, seats and these accounts always sum to the same."""

from __future__ import annotations

import random

from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.match.round import Round
from mekuri.testing.failure import LeftOut, check, hold, same
from mekuri.testing.settings import match_of
from mekuri.testing.worlds import act


def need_accounts(game: Game) -> None:
    """Raise LeftOut where the game has no accounts that no seat owns."""
    if not game.contract.has("accounts"):
        raise LeftOut("the game has no accounts that no seat owns")


@check
def sums(game: Game, seed: int = 1, rounds: int = 3) -> None:
    """Check that what a round brings sums to 0, and that the end of a match makes or loses nothing, after a round or amid one.

    Args:
        game: the game.
        seed: the seed of the match and of its play.
        rounds: how many rounds the match has.
    """
    need_accounts(game)
    for ends in range(1, 2 * rounds):
        match, chance = game.match(seed=seed, **match_of(game, rounds)), random.Random(seed)
        for _ in range(ends // 2):
            _play(match.round, chance)
            match.enter()
            _round_sums(match.round)
            if match.next_round() is None:
                break
        if not match.over and ends % 2:
            act(match.round, chance)  # it breaks off amid this round
        elif not match.over:
            _play(match.round, chance)
            match.enter()
        _settled(match)


def _play(round: Round, chance: random.Random) -> None:
    while not round.over:
        act(round, chance)


def _round_sums(round: Round) -> None:
    s, accounts = round._state, round.accounts
    same(sum(round.returns) + sum(accounts.values()), 0, "what seats win and what stays in accounts of no seat do not sum to 0", s)
    for name, change in accounts.items():
        amounts = [line.points for line in round.score_sheet().lines if line.seat == name]
        hold(not amounts or sum(amounts) == change, f"the lines of {name} sum to {sum(amounts)}, and it changes by {change}", s)


def _settled(match: Match) -> None:
    total = _total(match)
    leading = match.leading
    match.settle()
    s = match.round._state
    same(_total(match), total, "the end of a match makes chips or loses them", s)
    same(match.leading, leading, "the places are others once the accounts are settled", s)
    stands = ([dict(own) for own in match.ledger], dict(match.accounts))
    match.settle()
    same((match.ledger, match.accounts), stands, "the accounts are settled twice", s)


def _total(match: Match) -> int:
    return sum(sum(own.values()) for own in match.ledger) + sum(match.accounts.values())
