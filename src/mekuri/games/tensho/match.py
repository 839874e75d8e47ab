"""The match rules of Tensho: who deals next, what a round changes in the ledger, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.tensho.options import Score, TenshoMatch
from mekuri.games.tensho.scoring import returns, yaku_points, yaku_points_count
from mekuri.games.tensho.side_games import side_returns
from mekuri.games.tensho.state import TenshoState


def next_dealer(s: TenshoState) -> int:
    """The winner; after a drawn round the dealer stays."""
    # tensho.match.next-dealer
    return s.winner - 1 if s.winner else s.dealer


def tally(s: TenshoState, seat: int) -> Mapping[str, int]:
    """The seat's rounds won and yaku points, or its points where rounds are scored by points; and its chips in side games."""
    # tensho.shoniban.pay, tensho.tokotoko.pot
    chips = {"chips": side_returns(s, seat)} if s.shoniban or s.tokotoko else {}
    # tensho.match.score
    if s.score == Score.POINTS:
        return {"points": returns(s, seat), **chips}
    return {"rounds": int(s.winner == seat + 1), "yaku": yaku_points(s, seat) if yaku_points_count(s) else 0, **chips}


def length(options: TenshoMatch, seats: int) -> int:
    """The most rounds that a match can have."""
    # tensho.match.length
    return options.rounds


def match_over(options: TenshoMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played."""
    return rounds >= options.rounds


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The rounds won and then the yaku points, or the points, by which seats are ranked. Chips do not count."""
    # tensho.match.result
    return tuple(amount for name, amount in account.items() if name != "chips")
