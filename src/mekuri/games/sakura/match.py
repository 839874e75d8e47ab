"""The match rules of Sakura: who deals next, what a round counts, and when a match ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.games.sakura.options import Result, Rounds, SakuraMatch
from mekuri.games.sakura.rules import side_of
from mekuri.games.sakura.scoring import outlook, returns, wins
from mekuri.games.sakura.state import SakuraState

FEWEST = 4  # rounds of a match, where the number of players gives them


def next_dealer(s: SakuraState) -> int:
    """The best seat, in a side the first after the dealer; of equal sides the dealer's, else the nearest after it."""
    # sakura.match.next-dealer, sakura.match.tie, sakura.match.side-deals
    after = [(s.dealer + step) % s.seats for step in range(1, s.seats + 1)]
    nearest = [s.dealer, *after]
    best = next(seat for seat in nearest if returns(s, seat) >= 0)
    return next(seat for seat in after if side_of(s, seat) == side_of(s, best))


def tally(s: SakuraState, seat: int) -> Mapping[str, int]:
    """The score of the round; where rounds won count, these first."""
    # sakura.match.points
    points = {"points": outlook(s, seat)}
    return points if s.result == Result.POINTS else {"wins": wins(s, seat), **points}


def length(options: SakuraMatch, seats: int) -> int:
    """The number of rounds."""
    # sakura.match.length
    return max(FEWEST, seats) if options.rounds == Rounds.PLAYERS else options.rounds


def match_over(options: SakuraMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played."""
    return rounds >= length(options, len(accounts))


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The wins where they count, else the points, by which seats are ranked."""
    # sakura.match.result
    return (account["wins"] if "wins" in account else account.get("points", 0),)
