"""The match rules of Kingo: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri_kingo.options import KingoMatch
from mekuri_kingo.scoring import first_winner, returns
from mekuri_kingo.state import KingoState


def next_dealer(s: KingoState) -> int:
    """Who has won; of several the nearest to the dealer's right."""
    # kingo.match.next-dealer, kingo.showdown.nearest
    return first_winner(s)


def tally(s: KingoState, seat: int) -> Mapping[str, int]:
    """The stones that a seat has won or lost in the round."""
    return {"stones": returns(s, seat)}


def length(options: KingoMatch, seats: int) -> int:
    """How many rounds a match has."""
    # kingo.match.length
    return options.rounds


def match_over(options: KingoMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether the rounds are played."""
    return rounds >= options.rounds


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """Places go by stones."""
    # kingo.match.result
    return (account["stones"],)
