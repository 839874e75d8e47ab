"""The side games of Tensho: Shoniban before the field is turned up, Tokotoko with the dead cards once the round is decided."""

from __future__ import annotations

from mekuri.engine.compiled import bit, rule
from mekuri.games.kabu import HON_BANA, better
from mekuri.games.kabu_pot import MOST_UNITS, UNIT, name_stake, put_up, share
from mekuri.games.tensho.options import Shoniban, Tokotoko
from mekuri.games.tensho.state import Phase, TenshoState, Word

# --- Both side games ---


# tensho.shoniban.pay, tensho.tokotoko.pot
@rule
def side_returns(s: TenshoState, seat: int) -> int:
    """The chips that a seat has won or lost in the side games of this round, which are no part of its `returns`."""
    chips = s.won[seat] - s.won[1 - seat]
    if s.phase == Phase.OVER and s.stake:
        chips += share(s, seat, 0, 0) - UNIT * s.stake
    return chips


@rule
def side_bet(s: TenshoState, seat: int) -> bool:
    """Whether the choice that a seat has now can change nothing but chips."""
    return s.phase == Phase.BET or s.phase == Phase.STAKE or s.phase == Phase.LEAVE_OUT


# --- Shoniban ---


# tensho.shoniban.bet
@rule
def take_bet(s: TenshoState, action: int) -> None:
    """Note the row on which the dealer's opponent bets, or that it bets on none."""
    s.bet = 1 if action == Word.NAKA else 2 if action == Word.OTO else 0
    s.phase = Phase.REVEAL


# tensho.shoniban.rank, tensho.shoniban.card-points
@rule
def better_row(s: TenshoState) -> int:
    """The better row: 1 for the second, 2 for the third, 0 if they are equal."""
    # Of Tensho's own tables the one that the round is played with.
    lead = better(s.naka, s.oto, HON_BANA if s.shoniban == Shoniban.HON_BANA else s.card_points)
    return 1 if lead > 0 else 2 if lead < 0 else 0


# tensho.shoniban.pay, tensho.shoniban.tie
@rule
def settle_bet(s: TenshoState) -> None:
    """Pay the stake to the seat with the better row: the bettor for the row it bet on, the dealer for the other."""
    best = better_row(s)
    if best:
        s.won[1 - s.dealer if best == s.bet else s.dealer] += s.shoniban_stake


@rule
def rows_lie(s: TenshoState) -> bool:
    """Whether the field lies in the rows of Shoniban, face down."""
    return s.shoniban != Shoniban.NONE and (s.phase == Phase.STACK or s.phase == Phase.BET or s.phase == Phase.REVEAL)


# --- Tokotoko ---


@rule
def decided(s: TenshoState) -> bool:
    """Whether the winner of the round is settled, so that everything that follows is for chips alone."""
    return s.phase >= Phase.DEAL_DEAD


# tensho.tokotoko.stake, tensho.tokotoko.free
@rule
def stakes(s: TenshoState) -> int:
    """The set of words by which a stake may be named."""
    units = (bit(MOST_UNITS) - 1) << Word.TEN
    return units | bit(Word.DECLINE) if s.tokotoko_free else units


@rule
def least_units(s: TenshoState) -> int:
    """The fewest units that may be named."""
    return 0 if s.tokotoko_free else 1


# tensho.tokotoko.stake
@rule
def take_stake(s: TenshoState, seat: int, action: int) -> None:
    """Note the stake that a seat names."""
    if name_stake(s, seat, 0 if action == Word.DECLINE else 1 + action - Word.TEN):
        s.phase = Phase.MIDDLE


# tensho.tokotoko.middle: from now on both see what was named, and the middle; see `hide`.
@rule
def turn_up_middle(s: TenshoState) -> None:
    """Turn up the middle, and set the stake that both put up: the lesser of the two that were named."""
    put_up(s)
    s.turn = 1 - s.dealer
    s.phase = Phase.LEAVE_OUT if s.tokotoko == Tokotoko.CHOOSE and s.stake else Phase.SHOW


# tensho.tokotoko.hand
@rule
def leave_out(s: TenshoState, seat: int, card: int) -> None:
    """Note the one of its four cards that a seat leaves out, and go on to the other seat or to the payment."""
    s.out[seat] = bit(card)
    s.turn = 1 - seat
    if seat == s.dealer:
        s.phase = Phase.PAY  # both have chosen, and shown their cards


# tensho.tokotoko.free
@rule
def show_hands(s: TenshoState) -> None:
    """Show both hands: the pot is paid next, or, where nothing is staked, the round is over."""
    s.phase = Phase.PAY if s.stake else Phase.OVER


@rule
def middle_up(s: TenshoState) -> bool:
    """Whether the two cards in the middle lie open."""
    return s.phase >= Phase.LEAVE_OUT
