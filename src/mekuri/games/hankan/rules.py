"""The rules of Hankan, in the order of the rule book."""

from __future__ import annotations

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, has, rule
from mekuri.games.dealing import from_pack, open_pack, packet, shuffle_unseen
from mekuri.games.hankan.options import TiePoints
from mekuri.games.hankan.state import DEALS, MOST_UNITS, UNIT, Ending, HankanState, Phase, Word
from mekuri.games.kabu import HON_BANA, ROW, better


# hankan.cards.forty-five
@rule
def deal(s: HankanState) -> None:
    open_pack(s)
    s.gathered = s.stock
    s.phase = Phase.DEAL


@rule
def waiting(s: HankanState) -> int:
    return bettors(s) & ~s.done


# hankan.players.dealer
@rule
def bettors(s: HankanState) -> int:
    return bit(s.seats) - 1 & ~bit(s.dealer)


# hankan.bet.units, hankan.bet.pass
@rule
def legal(s: HankanState, seat: int) -> int:
    return (bit(2 * MOST_UNITS + 1) - 1) << Word.PASS


@rule
def play(s: HankanState, seat: int, action: int) -> None:
    if s.phase == Phase.BET:
        take_bet(s, seat, 1 + action - Word.PASS)
    elif s.phase == Phase.DEAL:
        deal_rows(s)
    elif s.phase == Phase.SHOWDOWN:
        # hankan.showdown.both: from now on everybody sees the rows; see `hide`.
        if bets_on(s, 1) + bets_on(s, 2):
            s.phase = Phase.PAY
        else:
            next_deal(s)
    elif s.phase == Phase.PAY:
        settle(s)


# --- The rows ---


# hankan.deal.first-row, hankan.deal.two-rows
@rule
def deal_rows(s: HankanState) -> None:
    s.past |= s.shi | s.naka | s.oto
    s.shi = packet(s, ROW)
    s.naka = packet(s, ROW)
    s.oto = packet(s, ROW)
    for seat in range(s.seats):
        s.bet[seat] = 0
    s.done = 0
    s.turns += 1
    s.phase = Phase.BET


# --- The bets ---


@rule
def row_of(bet: int) -> int:
    """The row of a bet, coded as in `HankanState.bet`: 1 for the second, 2 for the third, 0 for none."""
    return 0 if bet < 2 else 1 if bet < 2 + MOST_UNITS else 2


# hankan.bet.units
@rule
def chips_of(bet: int) -> int:
    """The chips of a bet, coded as in `HankanState.bet`."""
    return 0 if bet < 2 else UNIT * ((bet - 2) % MOST_UNITS + 1)


# hankan.bet.secret
@rule
def take_bet(s: HankanState, seat: int, bet: int) -> None:
    s.bet[seat] = bet
    s.done |= bit(seat)
    if s.done == bettors(s):
        s.phase = Phase.SHOWDOWN


@rule
def bets_on(s: HankanState, row: int) -> int:
    """The chips that are bet on a row, 1 or 2. The two rows may have different amounts."""
    chips = 0
    for seat in range(s.seats):
        if row_of(s.bet[seat]) == row:
            chips += chips_of(s.bet[seat])
    return chips


# --- Which row is better, and what that pays ---


# hankan.rank.arashi, hankan.rank.tsuke, hankan.rank.digit, hankan.rank.card-points
@rule
def better_row(s: HankanState) -> int:
    """The better row: 1 for the second, 2 for the third, 0 if they are equal."""
    # The first reading of Tensho's table stands for it.
    lead = better(s.naka, s.oto, HON_BANA if s.tie_points == TiePoints.HON_BANA else 0)
    return 1 if lead > 0 else 2 if lead < 0 else 0


# hankan.pay.half, hankan.pay.lost, hankan.pay.tie
@rule
def settle(s: HankanState) -> None:
    s.staked = 1
    best = better_row(s)
    for seat in range(s.seats):
        row, chips = row_of(s.bet[seat]), chips_of(s.bet[seat])
        if row and best:
            if row == best:
                s.won[seat] += chips * s.pays // 100
                s.lost[s.dealer] += chips * s.pays // 100
            else:
                s.lost[seat] += chips
                s.won[s.dealer] += chips
    next_deal(s)


# hankan.deal.five
@rule
def next_deal(s: HankanState) -> None:
    s.phase = Phase.DEAL if s.turns < DEALS and s.stock >= 3 * ROW else Phase.OVER
    if s.phase == Phase.OVER and s.staked:
        s.ending = Ending.PLAYED


@rule
def returns(s: HankanState, seat: int) -> int:
    return s.won[seat] - s.lost[seat]


@rule
def outlook(s: HankanState, seat: int) -> int:
    return returns(s, seat)


# --- Hidden states ---


@rule
def face_down(s: HankanState) -> bool:
    """Whether the second and the third row lie on the table, face down."""
    return s.phase == Phase.BET or s.phase == Phase.SHOWDOWN


@rule
def hide(s: HankanState, seat: int, into: HankanState) -> None:
    # hankan.bet.secret
    for other in range(s.seats):
        if other == seat or not face_down(s):
            into.bet[other] = s.bet[other]
    if not face_down(s):
        into.naka = s.naka
        into.oto = s.oto


@rule
def redeal(h: HankanState, seat: int, chance: list[int]) -> None:
    shuffle_unseen(h, h.deck & ~(h.shi | h.naka | h.oto | h.past), chance)
    if face_down(h):
        h.naka = from_pack(h, h.stock, ROW)
        h.oto = from_pack(h, h.stock + ROW, ROW)
    for other in range(h.seats):
        if has(h.done, other) and h.bet[other] == 0:
            h.bet[other] = 1 + below(chance, 2 * MOST_UNITS + 1)
