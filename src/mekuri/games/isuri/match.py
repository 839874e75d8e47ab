"""The match rules of Isuri: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.isuri.options import IsuriMatch
from mekuri.games.isuri.scoring import returns
from mekuri.games.isuri.state import IsuriState


def next_dealer(s: IsuriState) -> int:
    """Who was out."""
    # isuri.match.next-dealer
    return s.turn


def tally(s: IsuriState, seat: int) -> Mapping[str, int]:
    """A seat's points of the round."""
    return {"points": returns(s, seat)}


def length(options: IsuriMatch, seats: int) -> int:
    """How many rounds a match has."""
    # isuri.match.length
    return options.rounds


def match_over(options: IsuriMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether the rounds are played."""
    return rounds >= options.rounds


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """Places go by points."""
    # isuri.match.result
    return (account["points"],)
