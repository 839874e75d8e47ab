"""The match rules of Mushi: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.mushi.options import MushiMatch, Target
from mekuri.games.mushi.scoring import returns
from mekuri.games.mushi.state import MushiState


def next_dealer(s: MushiState) -> int:
    """Who scores more is the next elder; after a tie the elder stays."""
    # mushi.match.next-elder, mushi.match.tie
    return s.dealer if returns(s, 0) == 0 else 0 if returns(s, 0) > 0 else 1


def tally(s: MushiState, seat: int) -> Mapping[str, int]:
    """A seat's points of the round."""
    return {"points": returns(s, seat)}


def length(options: MushiMatch, seats: int) -> int:
    """How many rounds a match has at most."""
    # mushi.match.length
    return options.rounds


def match_over(options: MushiMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether the rounds are played, or a seat has reached the target."""
    reached = options.target != Target.OFF and any(account["points"] >= options.target for account in accounts)
    return rounds >= options.rounds or reached


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """Places go by points."""
    # mushi.match.result
    return (account["points"],)
