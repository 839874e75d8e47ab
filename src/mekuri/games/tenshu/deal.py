"""The deal of Tenshu: the cut and the servant's card, piles and field, "Notta!", and the choice of the hand."""

from __future__ import annotations

from mekuri.cards import EXTRA
from mekuri.engine.compiled import bit, count, first, has, rule, shared_rule
from mekuri.games.dealing import next_card, packet
from mekuri.games.fishing import gather, groups, same_number
from mekuri.games.tenshu.options import DealOrder, FourOnField, Notta, OnifudaOnField, ServantCard, ThreeOnField
from mekuri.games.tenshu.play import ONIFUDA, begin, capture, targets
from mekuri.games.tenshu.scoring import DEKIYAKU_CARDS, SCORING
from mekuri.games.tenshu.seats import next_active
from mekuri.games.tenshu.state import ACTIVE, PILE, Cause, Phase, TenshuState, Word

# --- The cut, and the servant's card ---


# tenshu.deal.passed-over
@rule
def for_servants(s: TenshuState) -> int:
    """The set of the cards that a servant may have."""
    return s.deck & ~(DEKIYAKU_CARDS | (0 if s.servant_onifuda else ONIFUDA))


# tenshu.deal.servant-card: the first card from the bottom that is not passed over
@rule
def cut(s: TenshuState) -> None:
    servant = s.servant - 1
    for place in range(s.stock):
        card = s.pack[place]
        if has(for_servants(s), card):
            s.stock -= 1
            s.pack[place] = s.pack[s.stock]
            s.pack[s.stock] = card
            s.hand[servant] = bit(card)
            s.served = 1
            if s.servant_card == ServantCard.SHOWN:
                s.shown = bit(card)
            break
    # tenshu.deal.cut-again
    s.gathered = s.stock
    s.phase = Phase.ACCEPT if s.served and s.servant_refuses else Phase.DEAL


# tenshu.deal.servant-card, option servant_refuses
@rule
def accept(s: TenshuState, word: int) -> None:
    if word == Word.PASS:
        s.stock += 1  # the card still stands in the pack, above the others
        s.gathered = s.stock
        # tenshu.deal.no-servant-card
        s.hand[s.servant - 1] = s.held[s.servant - 1] = s.shown = s.served = 0
    s.phase = Phase.DEAL


# --- Piles and field ---


# tenshu.deal.packets, tenshu.deal.eight-on-field
@rule
def lay_out(s: TenshuState) -> None:
    if s.deal_order == DealOrder.NARA:
        s.field = packet(s, 3)
        deal_piles(s, 3)
        s.field |= packet(s, 3)
        deal_piles(s, 2)
    else:
        deal_piles(s, PILE)
    s.field |= packet(s, s.stock)
    settle_field(s)


# tenshu.deal.piles: the row of six in pairs from the dealer's right, the two by themselves to the dealer
@rule
def deal_piles(s: TenshuState, n: int) -> None:
    seat = s.dealer
    for _ in range(ACTIVE):
        seat = next_active(s, seat)
        for _ in range(n):
            s.pile[seat * PILE + s.pile_size[seat]] = next_card(s)
            s.pile_size[seat] += 1
        for _ in range(n):
            s.right_pile[seat * PILE + s.right_size[seat]] = next_card(s)
            s.right_size[seat] += 1


@rule
def throw_in(s: TenshuState) -> None:
    s.redeals[s.cause] += 1
    collect(s)


# tenshu.deal.shuffle
@rule
def collect(s: TenshuState) -> None:
    """Put the whole pack together for a deal, and clear the table."""
    gather(s)
    for seat in range(s.seats):
        s.pile_size[seat] = s.right_size[seat] = s.looked[seat] = 0
        for place in range(seat * PILE, (seat + 1) * PILE):
            s.pile[place] = s.right_pile[place] = -1
    for i in range(3):
        s.shouted[i] = 0
    s.served = s.forfeited = s.shown = s.dead = s.awarded = 0
    s.answered = s.shouts = s.swaps = s.laid_by = s.turns = 0
    s.laid = -1
    s.turn = s.dealer  # all captures before play are the dealer's
    s.phase = Phase.CUT if s.servant else Phase.DEAL


# --- The field ---


@shared_rule
def settle_field(s: TenshuState) -> None:
    """Go on to the phase that the cards on the field require before "Notta!" may be shouted."""
    four = groups(s.field, 4)
    # tenshu.deal.four-on-field
    if four and s.four_on_field == FourOnField.REDEAL:
        s.cause = Cause.FOUR_ON_FIELD
        s.phase = Phase.GATHER
    # tenshu.deal.onifuda-on-field
    elif s.field & ONIFUDA and s.onifuda_on_field == OnifudaOnField.REDEAL:
        s.cause = Cause.ONIFUDA_ON_FIELD
        s.phase = Phase.GATHER
    elif four:
        s.phase = Phase.SET_ASIDE if s.four_on_field == FourOnField.DEAD else Phase.TAKE_FOUR
    elif s.field & ONIFUDA and s.onifuda_on_field == OnifudaOnField.NARA:
        s.phase = Phase.ONIFUDA if targets(s, EXTRA) else Phase.TAKE_ONIFUDA
    elif s.field & ONIFUDA and s.onifuda_on_field == OnifudaOnField.DEALER_ALONE:
        s.phase = Phase.TAKE_ONIFUDA
    # tenshu.deal.three-on-field
    elif groups(s.field, 3) and s.three_on_field == ThreeOnField.NARA:
        s.phase = Phase.TRIPLE
    else:
        offer_notta(s)


# tenshu.deal.four-on-field, tenshu.deal.onifuda-on-field, tenshu.deal.three-on-field
@rule
def dealer_takes(s: TenshuState, cards: int) -> None:
    capture(s, s.dealer, cards)
    if s.phase != Phase.OVER:
        settle_field(s)


# tenshu.deal.four-on-field, option dead
@rule
def set_aside(s: TenshuState) -> None:
    s.dead |= groups(s.field, 4)
    s.field &= ~s.dead
    settle_field(s)


# tenshu.deal.three-on-field, option nara: of each three the dealer takes one junk card and one other, where that can be
@rule
def may_stay(s: TenshuState) -> int:
    """The cards of sets of three of which the dealer may let one stay, to take the two others."""
    found, rest = 0, groups(s.field, 3)
    while rest:
        three = rest & same_number(first(rest))
        scoring = three & SCORING
        found |= scoring if count(scoring) == 2 else three & ~scoring if count(scoring) == 1 else three
        rest &= ~three
    return found


# --- "Notta!" ---


# tenshu.deal.notta
@rule
def offer_notta(s: TenshuState) -> None:
    # By now the dealer may have taken the onifuda that lay on the field.
    on_field = (s.field | s.captured[s.dealer]) & ONIFUDA
    closed = s.notta == Notta.OFF or (s.notta == Notta.ONIFUDA_ON_FIELD and on_field == 0)
    s.phase = Phase.PILES if closed else Phase.NOTTA


@rule
def asked(s: TenshuState) -> int:
    """The set of the seats that have not answered yet."""
    return s.active & ~(bit(s.dealer) | s.answered)


# tenshu.deal.notta-first
@rule
def answer(s: TenshuState, seat: int, word: int) -> None:
    s.answered |= bit(seat)
    if word == Word.NOTTA:
        s.shouted[s.shouts] = seat + 1
        s.shouts += 1
    if asked(s) == 0 or (s.shouts and s.notta != Notta.CHAINED):
        s.phase = Phase.PILES


# --- The choice of the hand ---


@rule
def choosing(s: TenshuState) -> int:
    """The set of the seats that still have two piles."""
    seats = 0
    for seat in range(s.seats):
        if s.right_size[seat]:
            seats |= bit(seat)
    return seats


# tenshu.deal.choose-pile
@rule
def choose_pile(s: TenshuState, seat: int, word: int) -> None:
    size = s.pile_size[seat] if word == Word.LEFT else s.right_size[seat]
    for place in range(seat * PILE, (seat + 1) * PILE):
        card = s.right_pile[place]
        if word == Word.LEFT:
            card = s.pile[place]
            s.pile[place] = s.right_pile[place]
        s.right_pile[place] = -1
        if card >= 0:
            s.hand[seat] |= bit(card)
    s.held[seat] = size - count(s.hand[seat])
    if word == Word.LEFT:
        s.pile_size[seat] = s.right_size[seat]
    s.right_size[seat] = 0
    if choosing(s) == 0:
        if s.field & ONIFUDA and s.onifuda_on_field == OnifudaOnField.DEALER_HAND:
            s.phase = Phase.EXCHANGE
        else:
            swap_or_begin(s)


# tenshu.deal.onifuda-on-field, option dealer-hand
@rule
def may_exchange(s: TenshuState) -> int:
    """The cards that the dealer may lay for the onifuda: none that makes four of a number, if there is another."""
    fourth, rest = 0, groups(s.field, 3)
    while rest:
        fourth |= same_number(first(rest))
        rest &= ~fourth
    cards = s.hand[s.dealer]
    return cards & ~fourth if cards & ~fourth else cards


@rule
def exchange(s: TenshuState, card: int) -> None:
    s.hand[s.dealer] = s.hand[s.dealer] & ~bit(card) | ONIFUDA
    s.field = s.field & ~ONIFUDA | bit(card)
    s.shown |= ONIFUDA
    swap_or_begin(s)


@rule
def swap_or_begin(s: TenshuState) -> None:
    if s.swaps < s.shouts:
        s.phase = Phase.SWAP
    else:
        begin(s)


# tenshu.deal.swap: both have looked at what they give away, and know it in the other's hand
@rule
def swap(s: TenshuState) -> None:
    dealer, other = s.dealer, s.shouted[s.swaps] - 1
    hand, held, looked = s.hand[dealer], s.held[dealer], s.looked[dealer]
    s.hand[dealer], s.held[dealer], s.looked[dealer] = s.hand[other], s.held[other], s.looked[other] | bit(other)
    s.hand[other], s.held[other], s.looked[other] = hand, held, looked | bit(dealer)
    s.swaps += 1
    swap_or_begin(s)
