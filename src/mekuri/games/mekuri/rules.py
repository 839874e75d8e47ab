"""The rules of Mekuri, in the order of the rule book."""

from __future__ import annotations

from mekuri.engine.chance import shuffle
from mekuri.engine.compiled import bit, count, has, rule
from mekuri.games.dealing import hand_size, hide_hands, lay_unseen, next_card, open_pack, packet
from mekuri.games.fishing import gather, groups, lands, same_number, take, visible
from mekuri.games.mekuri.options import FieldFour, HandFour
from mekuri.games.mekuri.scoring import COUNT, YAKU_CARDS, half_yaku, yaku_in
from mekuri.games.mekuri.seats import MOST_PLAYERS, first_player, next_active, players
from mekuri.games.mekuri.state import Cause, MekuriState, Phase, Word


@rule
def deal(s: MekuriState) -> None:
    open_pack(s)
    collect(s)


@rule
def collect(s: MekuriState) -> None:
    """Put the whole pack together for a deal, and clear the table."""
    gather(s)
    s.turns = s.out = s.forced = s.payment = s.shown = s.returned = 0
    s.turn = s.dealer
    s.phase = Phase.DEAL


@rule
def waiting(s: MekuriState) -> int:
    return bit(s.turn)


@rule
def legal(s: MekuriState, seat: int) -> int:
    shows = bit(Word.DECLARE) if may_declare(s, seat) else 0
    if s.phase == Phase.PLAY:
        return s.hand[seat] | shows
    if s.phase == Phase.WHO:
        return bit(Word.IN) | bit(Word.OUT) | shows
    return s.field & same_number(s.laid)


@rule
def play(s: MekuriState, seat: int, action: int) -> None:
    if action == Word.DECLARE:
        declare(s, seat)
    elif s.phase == Phase.PLAY:
        s.hand[seat] &= ~bit(action)
        lay(s, action)
    elif s.phase == Phase.TURN_UP:
        lay(s, next_card(s))
    elif s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        take(s, s.turn, bit(s.laid) | bit(action))
        go_on(s)
    elif s.phase == Phase.WHO:
        answer(s, action)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.PUT_BACK:
        put_back(s)
    elif s.phase == Phase.SHUFFLE:
        begin(s)
    elif s.phase == Phase.DEALER_TAKES:
        dealer_takes(s)
    elif s.phase == Phase.GATHER:
        s.redeals[s.cause] += 1
        collect(s)


# --- The deal ---


# mekuri.players.two
@rule
def hand_cards(s: MekuriState) -> int:
    """How many cards each seat is dealt."""
    return s.two_hands if s.seats == 2 else 7


@rule
def field_cards(s: MekuriState) -> int:
    """How many cards are dealt to the field."""
    return 8 if hand_cards(s) == 10 else 6


# mekuri.deal.packets
@rule
def lay_out(s: MekuriState) -> None:
    for part in range(2):
        seat = s.dealer
        for _ in range(s.seats):
            seat = (seat + 1) % s.seats
            s.hand[seat] |= packet(s, (hand_cards(s) + 1 - part) // 2)
        s.field |= packet(s, field_cards(s) // 2)
    # mekuri.deal.four-on-field
    if s.field_four == FieldFour.REDEAL and groups(s.field, 4):
        s.cause = Cause.FOUR_ON_FIELD
        s.phase = Phase.GATHER
    elif s.seats > MOST_PLAYERS:
        s.phase = Phase.WHO
    else:
        begin(s)


# mekuri.deal.four-in-hand
@rule
def may_declare(s: MekuriState, seat: int) -> bool:
    return s.hand_four == HandFour.REDEAL and s.turns <= players(s) and groups(s.hand[seat], 4) != 0


@rule
def declare(s: MekuriState, seat: int) -> None:
    s.shown |= groups(s.hand[seat], 4)
    s.cause = Cause.FOUR_IN_HAND
    s.phase = Phase.GATHER


# --- Who plays ---


# mekuri.who.asked, mekuri.who.out, mekuri.who.forced
@rule
def answer(s: MekuriState, word: int) -> None:
    after = (s.turn + 1) % s.seats
    if word == Word.OUT:
        s.out = s.turn + 1
        s.phase = Phase.PUT_BACK
    elif (after + 1) % s.seats == s.dealer:
        s.out = after + 1
        s.forced = 1
        s.phase = Phase.PUT_BACK
    else:
        s.turn = after


# mekuri.who.put-back
@rule
def put_back(s: MekuriState) -> None:
    """Lay the cards of the seat that sits out on the stock, which is then shuffled."""
    seat = s.out - 1
    if s.forced:
        compensate(s, s.hand[seat])
    s.returned = s.hand[seat]
    s.hand[seat] = s.held[seat] = 0
    for place in range(s.stock, count(s.deck)):
        if has(s.returned, s.pack[place]):
            s.pack[place], s.pack[s.stock] = s.pack[s.stock], s.pack[place]
            s.stock += 1
    s.gathered = s.stock
    s.phase = Phase.SHUFFLE


# mekuri.who.forced-payment
@rule
def compensate(s: MekuriState, hand: int) -> None:
    s.payment = half_yaku(s, hand)
    if s.payment:
        for yaku in range(COUNT):
            if has(yaku_in(s, hand), yaku):
                s.shown |= YAKU_CARDS[yaku]


# --- Play ---


# mekuri.play.order, mekuri.who.dealer-out
@rule
def begin(s: MekuriState) -> None:
    s.turn = first_player(s)
    if groups(s.field, 4):
        s.phase = Phase.DEALER_TAKES
    else:
        s.turns = 1
        s.phase = Phase.PLAY


# mekuri.deal.four-on-field, option dealer-takes
@rule
def dealer_takes(s: MekuriState) -> None:
    four = groups(s.field, 4)
    take(s, s.turn, four)
    s.field |= packet(s, min(s.stock, count(four)))
    begin(s)


# mekuri.play.match, mekuri.play.two-matches, mekuri.play.three-matches, mekuri.play.no-match
@rule
def lay(s: MekuriState, card: int) -> None:
    if lands(s, card):
        go_on(s)
    else:
        s.phase = Phase.CHOOSE if s.phase == Phase.PLAY else Phase.CHOOSE_TURNED


# mekuri.play.turn, mekuri.play.stock-card
@rule
def go_on(s: MekuriState) -> None:
    if s.stock and (s.phase == Phase.PLAY or s.phase == Phase.CHOOSE):
        s.phase = Phase.TURN_UP
        return
    s.turn = next_active(s, s.turn)
    if hand_size(s, s.turn):
        s.turns += 1
        s.phase = Phase.PLAY
    else:
        # mekuri.end.when
        s.phase = Phase.OVER


# --- Hidden states ---


@rule
def hide(s: MekuriState, seat: int, into: MekuriState) -> None:
    hide_hands(s, seat, into, s.shown)
    if s.out == seat + 1:
        into.returned = s.returned


@rule
def redeal(h: MekuriState, seat: int, chance: list[int]) -> None:
    unseen = h.deck & ~visible(h)
    in_stock = unseen & (h.shown | h.returned)
    h.stock -= count(in_stock)
    lay_unseen(h, unseen & ~in_stock, chance)
    if in_stock:
        add_to_stock(h, in_stock, chance)


@rule
def add_to_stock(h: MekuriState, cards: int, chance: list[int]) -> None:
    """Add cards of the pack that are known to lie in the stock to it, in random places."""
    for place in range(h.stock, count(h.deck)):
        if has(cards, h.pack[place]):
            h.pack[place], h.pack[h.stock] = h.pack[h.stock], h.pack[place]
            h.stock += 1
    shuffle(h.pack, h.stock, chance)
