"""The match rules of Mutsu-ichi: who holds the bank, the chips and loans of the seats, and when a match ends."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

from mekuri.cards import number
from mekuri.engine.compiled import count, first
from mekuri.games.mutsuichi.options import BankRounds, MutsuIchiMatch, Rounds
from mekuri.games.mutsuichi.rules import BANKS_CHIPS, BETTORS_CHIPS, returns
from mekuri.games.mutsuichi.state import NUMBERS, MutsuIchiState

Accounts = MutableMapping[str, int]


def opening(options: MutsuIchiMatch, seats: int, dealer: int) -> list[dict[str, int]]:
    """Every seat's chips and loans at the start: all own the same, and the bank has borrowed the chips that it needs besides."""
    # mutsuichi.chips.stacks
    accounts = [{"chips": BETTORS_CHIPS, "loans": 0} for _ in range(seats)]
    _open_bank(accounts[dealer])
    return accounts


def carry(s: MutsuIchiState, options: MutsuIchiMatch, accounts: Sequence[Accounts], last: MutsuIchiState | None) -> None:
    """Write each seat's chips, the rounds that the bank has lasted, and the numbers that have come into a new round."""
    for seat, account in enumerate(accounts):
        s.stack[seat] = account["chips"]
    s.bank_rounds = int(options.bank_rounds)
    if last is not None:
        s.bank_played = last.bank_played + 1 if last.dealer == s.dealer else 0
        # mutsuichi.board.history
        s.past_number[:] = [number(first(last.cloth)), *last.past_number[:-1]]
        s.past_dealer[:] = [last.dealer, *last.past_dealer[:-1]]
        s.past_bets[:] = [*_bets(last), *last.past_bets[:-NUMBERS]]


def _bets(s: MutsuIchiState) -> list[int]:
    """How many bettors have bet on each number, from 1 to 6."""
    return [sum(count(bet & 15 << i * 4) for bet in s.bet) for i in range(NUMBERS)]


def next_dealer(s: MutsuIchiState) -> int:
    """The seat that holds the bank next: the same one until its rounds are over, then the next seat."""
    # mutsuichi.match.bank-passes
    stays = s.bank_rounds == BankRounds.ALL or s.bank_played + 1 < s.bank_rounds
    return s.dealer if stays else (s.dealer + 1) % s.seats


def tally(s: MutsuIchiState, seat: int) -> dict[str, int]:
    """The chips that a seat has won or lost in the round."""
    return {"chips": returns(s, seat)}


def refill(options: MutsuIchiMatch, s: MutsuIchiState, accounts: Sequence[Accounts]) -> None:
    """Lend chips to seats that lack them for the next round. A bank that passes on pays back first. A broke bank ends the match."""
    # mutsuichi.match.loans
    bank, dealer = accounts[s.dealer], next_dealer(s)
    if _broke(bank):
        return
    if dealer != s.dealer:
        _lend(bank, -min(bank["chips"], bank["loans"]))
        _open_bank(accounts[dealer])
    for seat, account in enumerate(accounts):
        if seat != dealer and account["chips"] < s.bet_size:
            _lend(account, BETTORS_CHIPS)


def _open_bank(account: Accounts) -> None:
    _lend(account, max(0, BANKS_CHIPS - account["chips"]))


def _lend(account: Accounts, chips: int) -> None:
    account["chips"] += chips
    account["loans"] += chips


def _broke(account: Accounts) -> bool:
    return account["chips"] == 0


def length(options: MutsuIchiMatch, seats: int) -> int:
    """The number of rounds that was agreed on; 0 for a match without a limit."""
    # mutsuichi.match.length
    return 0 if options.rounds == Rounds.OPEN else options.rounds


def match_over(options: MutsuIchiMatch, rounds: int, accounts: Sequence[Accounts]) -> bool:
    """Whether all rounds that were agreed on are played, or the bank is broke. No other seat can be, as it is lent chips."""
    # mutsuichi.pay.bank-broke
    played = options.rounds != Rounds.OPEN and rounds >= options.rounds
    return played or any(map(_broke, accounts))


def ranking(account: Accounts) -> tuple[int, ...]:
    """The chips that a seat owns once its loans are paid back, by which seats are ranked."""
    # mutsuichi.match.result
    return (account["chips"] - account["loans"],)
