"""The match rules of Isuri: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.isuri.options import IsuriMatch
from mekuri.games.isuri.scoring import returns
from mekuri.games.isuri.state import IsuriState


def next_dealer(s: IsuriState) -> int:
    """The seat that was rid of its cards first."""
    # isuri.match.next-dealer
    return s.turn


def tally(s: IsuriState, seat: int) -> Mapping[str, int]:
    """The seat's points of the round."""
    return {"points": returns(s, seat)}


def length(options: IsuriMatch, seats: int) -> int:
    """The number of rounds of a match."""
    # isuri.match.length
    return options.rounds


def match_over(options: IsuriMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played."""
    return rounds >= options.rounds


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points, by which seats are ranked."""
    # isuri.match.result
    return (account["points"],)
