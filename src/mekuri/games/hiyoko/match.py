"""The match rules of Hiyoko: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.hiyoko.options import HiyokoMatch, Rounds
from mekuri.games.hiyoko.scoring import returns
from mekuri.games.hiyoko.state import HiyokoState


def next_dealer(s: HiyokoState) -> int:
    """The winner of the round."""
    # hiyoko.match.next-dealer
    return s.turn


def tally(s: HiyokoState, seat: int) -> Mapping[str, int]:
    """The winner's points; the other seat loses none."""
    return {"points": max(0, returns(s, seat))}


def length(options: HiyokoMatch, seats: int) -> int:
    """The most rounds that a match can have, as each brings one seat at least one of the points that win."""
    most = 2 * options.target - 1
    return most if options.rounds == Rounds.OPEN else min(most, options.rounds)


def match_over(options: HiyokoMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether a seat has the points that win, or all rounds are played, if their number is limited."""
    # hiyoko.match.three-points
    played = options.rounds != Rounds.OPEN and rounds >= options.rounds
    return played or any(account["points"] >= options.target for account in accounts)


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points, by which seats are ranked."""
    return (account["points"],)
