"""The match rules of Tenshu: stones, who deals next, and when a match ends. Stones are counted in points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mekuri.engine.compiled import bit, has
from mekuri.games.tenshu import rules
from mekuri.games.tenshu.options import NextDealer, Rounds, Stones, TenshuMatch, VoidDealer
from mekuri.games.tenshu.scoring import most_points, returns
from mekuri.games.tenshu.state import ACTIVE, Ending, TenshuState

# tenshu.match.stones: 19 white stones of 10 points and 10 black stones of 1
LOAN = 19 * 10 + 10


# tenshu.match.stones
def opening(options: TenshuMatch, seats: int, dealer: int) -> list[dict[str, int]]:
    """Every seat's stones before the first round, in points, which are its own and no loan."""
    return [{"stones": LOAN, "loans": 0} for _ in range(seats)]


def tally(s: TenshuState, seat: int) -> Mapping[str, int]:
    """The points a seat wins or loses in the round."""
    return {"stones": returns(s, seat)}


# tenshu.score.kitty
def accounts(s: TenshuState) -> Mapping[str, int]:
    """The points that no seat wins, in an account `kitty`; negative where the seats win more than they pay."""
    return {"kitty": -sum(returns(s, seat) for seat in range(s.seats))}


# tenshu.match.loans
def refill(options: TenshuMatch, s: TenshuState, accounts: Sequence[dict[str, int]]) -> None:
    """Lend each seat that cannot pay 19 white and 10 black stones, as often as it needs them."""
    if options.stones == Stones.LENT:
        for account in accounts:
            while account["stones"] < 0:
                account["stones"] += LOAN
                account["loans"] += LOAN


# tenshu.match.loans, option stones
def carry(s: TenshuState, options: TenshuMatch, accounts: Sequence[Mapping[str, int]], last: TenshuState | None) -> None:
    """Where nothing is lent, write the seats that are out of the match, and the points of the others, into a new round."""
    if options.stones == Stones.ELIMINATION:
        s.elimination = 1
        for seat, account in enumerate(accounts):
            s.stones[seat] = max(0, account["stones"])
            s.out |= bit(seat) if account["stones"] < 0 else 0
        rules.deal(s)  # again, with the seats that are left


def next_dealer(s: TenshuState) -> int:
    """The winner of the round, or the dealer again where there is none; in turn order the next who is still in the match."""
    # tenshu.match.winner-deals, tenshu.match.next-dealer, tenshu.score.three-yaku
    first = s.winner - 1 if s.winner else s.dealer
    if s.ending == Ending.VOID and s.void_dealer == VoidDealer.MOST_POINTS:
        first = most_points(s)
    if s.deals_next == NextDealer.IN_TURN:
        first = s.dealer + 1
    order = [(first + i) % s.seats for i in range(s.seats)]
    return next((seat for seat in order if _stays(s, seat)), s.dealer)


def _stays(s: TenshuState, seat: int) -> bool:
    return not has(s.out, seat) and (not s.elimination or s.stones[seat] + returns(s, seat) >= 0)


def length(options: TenshuMatch, seats: int) -> int:
    """The most rounds that a match can have."""
    # tenshu.match.rounds
    return seats if options.rounds == Rounds.CIRCUIT else options.rounds


def match_over(options: TenshuMatch, rounds: int, accounts: Sequence[Mapping[str, int]]) -> bool:
    """Whether all rounds of the match are played, or too few seats are left to go on."""
    playing = sum(account["stones"] >= 0 for account in accounts)
    return rounds >= length(options, len(accounts)) or playing < ACTIVE


def ranking(account: Mapping[str, int]) -> tuple[int, ...]:
    """The points of a seat's stones once its loans are paid back, by which seats are ranked."""
    # tenshu.match.result
    return (account["stones"] - account["loans"],)
