"""Positions of Tenshu: fill in the fields that a hand-written one leaves out, and refuse impossible positions. Plain Python."""

from __future__ import annotations

from mekuri.cards import EXTRA, NONE
from mekuri.engine.compiled import count, has
from mekuri.engine.position import need
from mekuri.games.dealing import in_hands
from mekuri.games.fishing import complete_stock, groups, need_laid
from mekuri.games.tenshu.deal import choosing, for_servants, may_stay
from mekuri.games.tenshu.options import ServantCard
from mekuri.games.tenshu.play import ONIFUDA, onifuda_user, targets
from mekuri.games.tenshu.scoring import TAIKOSAN, has_yaku, settle
from mekuri.games.tenshu.seats import is_active, is_servant, take_seats
from mekuri.games.tenshu.state import ACTIVE, MOST_SEATS, PILE, Ending, Phase, TenshuState

DEALING = (Phase.CUT, Phase.ACCEPT, Phase.DEAL)
# Phases between the deal and the choice of the hands, and those in which the dealer is asked.
BEFORE_HANDS = (Phase.TAKE_FOUR, Phase.SET_ASIDE, Phase.ONIFUDA, Phase.TAKE_ONIFUDA, Phase.TRIPLE, Phase.NOTTA, Phase.PILES)
OF_THE_DEALER = (*BEFORE_HANDS, Phase.EXCHANGE, Phase.SWAP)


def complete(s: TenshuState) -> None:
    """Fill in the active seats, the sizes of piles, and the ending, and refuse a position that cannot be played on."""
    _complete_seats(s)
    _complete_servant(s)
    _complete_piles(s)
    _complete_shouts(s)
    if s.phase in OF_THE_DEALER or s.phase in DEALING:
        s.turn = s.dealer
    if s.phase == Phase.SERVANT:
        s.turn = max(0, s.servant - 1)
    need(s.phase not in (Phase.PLAY, Phase.TURN_UP) or is_active(s, s.turn), "turn is an active seat")
    need(s.phase != Phase.CHOOSE or is_active(s, s.turn) or is_servant(s, s.turn), "turn is a seat that plays")
    complete_stock(s, s.phase in DEALING, 48 if s.served else 49, _servants_hand(s))
    need(s.phase in DEALING or s.stock == 0, "after the deal there is no stock")
    need_laid(s, s.phase == Phase.CHOOSE, on_field=False)
    need(s.laid == NONE or (s.laid not in s.pile + s.right_pile and not has(s.dead, s.laid)), "the card laid lies elsewhere")
    _need_for_phase(s)
    if s.phase == Phase.OVER and s.ending == Ending.SETTLED and s.winner == 0:
        _work_out_end(s)


def _complete_seats(s: TenshuState) -> None:
    given = s.active, s.servant
    take_seats(s)
    need(given in ((0, 0), (s.active, s.servant), (s.active, 0), (0, s.servant)), "active and servant follow from dealer and out")
    need(count(s.active) == ACTIVE and not has(s.out, s.dealer), "four seats are in the match, and the dealer is one of them")
    need(s.out >> s.seats == 0 and s.answered >> s.seats == 0, f"there are seats 0 to {s.seats - 1}")
    need(s.winner <= s.seats and s.laid_by <= s.seats, f"winner and laid_by are 0, or 1 + a seat from 0 to {s.seats - 1}")
    for seat in range(MOST_SEATS):
        may_play = seat < s.seats and (is_active(s, seat) or s.servant == seat + 1)
        need(may_play or s.hand[seat] == s.captured[seat] == 0, f"seat {seat} does not play: it has no cards")
        need(s.looked[seat] >> (s.seats if seat < s.seats else 0) == 0, "looked holds sets of seats that there are")
        need(seat < s.seats or s.stones[seat] == 0, "stones are for seats that there are")


def _complete_servant(s: TenshuState) -> None:
    hand = _servants_hand(s)
    if s.servant and (hand or s.captured[s.servant - 1]):
        s.served = 1
    if s.servant_card == ServantCard.SHOWN:
        s.shown |= hand
    need(not s.served or s.servant > 0, "with four at the table there is no servant")
    need(count(hand) <= 1 and hand & ~for_servants(s) == 0, "the servant has at most one card, and none that is passed over")
    need(s.phase != Phase.CUT or (s.servant > 0 and s.served == 0), "in the phase cut a servant waits for a card")
    need(s.phase != Phase.ACCEPT or hand != 0, "in the phase accept the servant has a card")
    need(s.phase != Phase.DEAL or count(hand) == s.served, "before the deal the servant has the card that was found")
    need(s.phase != Phase.SERVANT or hand != 0, "in the phase servant the servant has a card")
    need(not s.forfeited or hand != 0, "a servant who has passed for good keeps the card")
    need(s.phase != Phase.SERVANT or not s.forfeited, "in the phase servant the servant has not passed for good")
    need(s.shown & ~in_hands(s) == 0, "shown cards lie in hands")


def _servants_hand(s: TenshuState) -> int:
    """The set of the servant's card, which is no part of the deal; 0 for none."""
    return s.hand[s.servant - 1] if s.servant else 0


def _complete_piles(s: TenshuState) -> None:
    for row, size, name in ((s.pile, s.pile_size, "pile"), (s.right_pile, s.right_size, "right_pile")):
        for seat in range(MOST_SEATS):
            cards = [card != NONE for card in row[seat * PILE : (seat + 1) * PILE]]
            if size[seat] == 0:
                size[seat] = sum(cards)
            lying = size[seat] == sum(cards) == sum(cards[: size[seat]])
            need(lying, f"{name}: a pile lies in the first of its seat's five places")
            need(size[seat] == 0 or (seat < s.seats and is_active(s, seat)), f"{name}: only active seats have piles")


def _complete_shouts(s: TenshuState) -> None:
    if s.shouts == 0:
        s.shouts = sum(shout > 0 for shout in s.shouted)
    shouted = s.shouted[: s.shouts]
    need(all(shouted) and not any(s.shouted[s.shouts :]), "shouted names 1 + the seats that shouted, and shouts says how many")
    need(len(set(shouted)) == len(shouted), "a seat shouts once")
    need(all(is_active(s, shout - 1) and shout - 1 != s.dealer for shout in shouted), "active seats shout, and not the dealer")
    need(s.swaps <= s.shouts, "there are no more swaps than shouts")
    need(s.phase != Phase.SWAP or s.swaps < s.shouts, "in the phase swap a seat has shouted")


def _need_for_phase(s: TenshuState) -> None:
    phase = s.phase
    need(phase not in DEALING or s.dead == 0, "nothing is dead before the deal")
    need(phase not in DEALING or not any(s.pile_size), "before the deal there are no piles")
    early = phase in BEFORE_HANDS
    need(early or phase == Phase.GATHER or not choosing(s), "there are right piles before the choice of the hands only")
    need(not early or choosing(s) != 0, "before the choice of the hands a seat has two piles")
    for seat in range(s.seats):
        two_piles = s.pile_size[seat] > 0 and s.right_size[seat] > 0
        ready = two_piles != (s.hand[seat] > 0) and two_piles == (s.right_size[seat] > 0)
        asked = phase in OF_THE_DEALER and is_active(s, seat)
        need(not asked or ready, "before play active seats have two piles, or else a hand")
    need(phase != Phase.TURN_UP or s.pile_size[s.turn] > 0, "there is no pile to turn up a card from")
    need(phase != Phase.TAKE_FOUR or groups(s.field, 4) != 0, "there are no four of a number to take")
    need(phase != Phase.SET_ASIDE or groups(s.field, 4) != 0, "there are no four of a number to set aside")
    on_field = s.field & ONIFUDA != 0
    need(phase not in (Phase.ONIFUDA, Phase.TAKE_ONIFUDA, Phase.EXCHANGE) or on_field, "the onifuda is not on the field")
    need(phase != Phase.ONIFUDA or targets(s, EXTRA) != 0, "there is nothing that the onifuda could take")
    need(phase != Phase.TRIPLE or may_stay(s) != 0, "there are no three of a number")
    need(
        phase != Phase.AWARD or (s.field != 0 and onifuda_user(s) > 0), "there is nothing to award, or nobody who used the onifuda"
    )
    taikosan = phase == Phase.OVER and s.ending == Ending.TAIKOSAN
    need(phase != Phase.OVER or s.ending in (Ending.SETTLED, Ending.VOID) or s.winner > 0, "with this ending a seat has won")
    need(not s.winner or is_active(s, s.winner - 1), "the winner is an active seat")
    need(not taikosan or has_yaku(s, s.winner - 1, TAIKOSAN), "the winner has Taikosan")


def _work_out_end(s: TenshuState) -> None:
    """Set the ending and the winner that follow from the captures, for a finished position that does not name them."""
    settle(s)
    for seat in range(s.seats):
        if has_yaku(s, seat, TAIKOSAN):
            s.phase, s.ending, s.winner = Phase.OVER, Ending.TAIKOSAN, seat + 1
