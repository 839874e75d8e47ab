"""The match rules of Mekuri: who deals next, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.mekuri.options import MekuriMatch, Target
from mekuri.games.mekuri.scoring import returns, winner
from mekuri.games.mekuri.state import MekuriState


def next_dealer(s: MekuriState) -> int:
    """The player with the most points in the round."""
    # mekuri.match.winner-deals, mekuri.match.sat-out
    return winner(s)


def tally(s: MekuriState, seat: int) -> Mapping[str, int]:
    """The points that a seat wins or loses in the round."""
    return {"points": returns(s, seat)}


def length(options: MekuriMatch, seats: int) -> int:
    """The most rounds that a match can have."""
    # mekuri.match.length
    return options.rounds


def match_over(options: MekuriMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played, or a seat has reached the target."""
    reached = options.target != Target.OFF and max(account["points"] for account in accounts) >= options.target
    return rounds >= options.rounds or reached


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points, by which seats are ranked."""
    # mekuri.match.result
    return (account["points"],)
