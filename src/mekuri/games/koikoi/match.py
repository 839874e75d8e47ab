"""The match rules of Koi-Koi: months, who deals next, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.koikoi.options import DrawDealer, KoikoiMatch, Ledger, Month, Stake, Target
from mekuri.games.koikoi.scoring import returns
from mekuri.games.koikoi.state import KoikoiState

YEAR = 12  # rounds of a match in which each is a month


def next_dealer(s: KoikoiState) -> int:
    """The winner of the round; where nobody has won, the same dealer or the other seat."""
    # koikoi.match.winner-deals
    if s.winner:
        return s.winner - 1
    # koikoi.match.draw-dealer
    return s.dealer if s.draw_dealer == DrawDealer.STAYS else 1 - s.dealer


def carry(s: KoikoiState, options: KoikoiMatch, accounts: Sequence[Mapping[str, int]], last: KoikoiState | None) -> None:
    """Write the month of a new round into it, and what each seat can pay."""
    # koikoi.match.month, koikoi.yaku.month
    s.month = last.month % YEAR + 1 if last else 1
    s.month_counts = int(s.month_yaku == Month.ON or (s.month_yaku == Month.AUTO and options.rounds == YEAR))
    if options.stake != Stake.OFF:
        for seat, account in enumerate(accounts):
            s.stack[seat] = max(0, account["points"])


def opening(options: KoikoiMatch, seats: int, dealer: int) -> list[dict[str, int]]:
    """Every seat's points before the first round: its stake, if there is one."""
    # koikoi.score.stake
    return [{"points": options.stake} for _ in range(seats)]


def tally(s: KoikoiState, seat: int) -> Mapping[str, int]:
    """The winner's points; the other seat loses as many where it pays, and else none."""
    # koikoi.score.ledger
    return {"points": returns(s, seat) if s.ledger == Ledger.ZERO_SUM else max(0, returns(s, seat))}


def length(options: KoikoiMatch, seats: int) -> int:
    """The most rounds that a match can have."""
    # koikoi.match.length
    return options.rounds


def match_over(options: KoikoiMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played, a seat has reached the target, or a stake is lost."""
    points = [account["points"] for account in accounts]
    reached = options.target != Target.OFF and max(points) >= options.target
    return rounds >= options.rounds or reached or (options.stake != Stake.OFF and min(points) <= 0)


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points, by which seats are ranked."""
    # koikoi.match.result
    return (account["points"],)
