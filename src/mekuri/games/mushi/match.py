"""The match rules of Mushi: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.mushi.options import MushiMatch, Target
from mekuri.games.mushi.scoring import returns
from mekuri.games.mushi.state import MushiState


def next_dealer(s: MushiState) -> int:
    """The seat with more points, as the next elder hand; after a tie the same elder."""
    # mushi.match.next-elder, mushi.match.tie
    return s.dealer if returns(s, 0) == 0 else 0 if returns(s, 0) > 0 else 1


def tally(s: MushiState, seat: int) -> Mapping[str, int]:
    """The seat's points of the round."""
    return {"points": returns(s, seat)}


def length(options: MushiMatch, seats: int) -> int:
    """The most rounds that a match can have."""
    # mushi.match.length
    return options.rounds


def match_over(options: MushiMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played, or a seat has reached the target."""
    reached = options.target != Target.OFF and any(account["points"] >= options.target for account in accounts)
    return rounds >= options.rounds or reached


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points, by which seats are ranked."""
    # mushi.match.result
    return (account["points"],)
