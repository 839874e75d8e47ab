"""The rules of Tenshu: the seats that owe an action, the legal actions, and the hidden states. `deal` and `play` do the actions."""

from __future__ import annotations

from mekuri.cards import EXTRA
from mekuri.engine.chance import pick
from mekuri.engine.compiled import bit, count, has, rule, shared_rule
from mekuri.games.dealing import hide_hand, lay_unseen, open_pack
from mekuri.games.fishing import groups, same_number, visible
from mekuri.games.tenshu.deal import (
    accept,
    answer,
    asked,
    choose_pile,
    choosing,
    collect,
    cut,
    dealer_takes,
    exchange,
    for_servants,
    lay_out,
    may_exchange,
    may_stay,
    set_aside,
    swap,
    throw_in,
)
from mekuri.games.tenshu.options import PileChoice
from mekuri.games.tenshu.play import (
    ONIFUDA,
    award,
    capture,
    go_on,
    play_card,
    servant_may_pass,
    servant_plays,
    taken_with,
    targets,
    turn_up,
)
from mekuri.games.tenshu.seats import take_seats
from mekuri.games.tenshu.state import PILE, Phase, TenshuState, Word


@rule
def deal(s: TenshuState) -> None:
    open_pack(s)
    take_seats(s)
    collect(s)


@rule
def waiting(s: TenshuState) -> int:
    if s.phase == Phase.PILES:
        return choosing(s)
    if s.phase == Phase.NOTTA:
        return asked(s)
    if s.phase == Phase.ONIFUDA or s.phase == Phase.TRIPLE or s.phase == Phase.EXCHANGE:
        return bit(s.dealer)
    return bit(s.servant - 1) if s.phase == Phase.ACCEPT else bit(s.turn)


@rule
def legal(s: TenshuState, seat: int) -> int:
    if s.phase == Phase.PLAY:
        return s.hand[seat] | (bit(Word.PILE) if s.pile_size[seat] else 0)
    if s.phase == Phase.CHOOSE:
        return targets(s, s.laid)
    if s.phase == Phase.SERVANT:
        return s.hand[seat] | (bit(Word.PASS) if servant_may_pass(s) else 0)
    if s.phase == Phase.PILES:
        return bit(Word.LEFT) | bit(Word.RIGHT)
    if s.phase == Phase.NOTTA:
        return bit(Word.NOTTA) | bit(Word.PASS)
    if s.phase == Phase.ONIFUDA:
        return targets(s, EXTRA)
    if s.phase == Phase.TRIPLE:
        return may_stay(s)
    if s.phase == Phase.EXCHANGE:
        return may_exchange(s)
    return bit(Word.ACCEPT) | bit(Word.PASS)


@rule
def play(s: TenshuState, seat: int, action: int) -> None:
    if s.phase == Phase.PLAY:
        if action == Word.PILE:
            s.phase = Phase.TURN_UP
        else:
            play_card(s, action)
    elif s.phase == Phase.TURN_UP:
        turn_up(s)
    elif s.phase == Phase.CHOOSE:
        capture(s, seat, bit(s.laid) | taken_with(s, s.laid, action))
        go_on(s)
    elif s.phase == Phase.SERVANT:
        servant_plays(s, action)
    elif s.phase == Phase.AWARD:
        award(s)
    else:
        before_play(s, seat, action)


@shared_rule
def before_play(s: TenshuState, seat: int, action: int) -> None:
    if s.phase == Phase.PILES:
        choose_pile(s, seat, action)
    elif s.phase == Phase.NOTTA:
        answer(s, seat, action)
    elif s.phase == Phase.CUT:
        cut(s)
    elif s.phase == Phase.ACCEPT:
        accept(s, action)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.GATHER:
        throw_in(s)
    elif s.phase == Phase.TAKE_FOUR:
        dealer_takes(s, groups(s.field, 4))
    elif s.phase == Phase.SET_ASIDE:
        set_aside(s)
    elif s.phase == Phase.ONIFUDA:
        dealer_takes(s, ONIFUDA | taken_with(s, EXTRA, action))
    elif s.phase == Phase.TAKE_ONIFUDA:
        dealer_takes(s, ONIFUDA)
    elif s.phase == Phase.TRIPLE:
        dealer_takes(s, s.field & same_number(action) & ~bit(action))
    elif s.phase == Phase.EXCHANGE:
        exchange(s, action)
    elif s.phase == Phase.SWAP:
        swap(s)


# --- Hidden states ---


@rule
def hide(s: TenshuState, seat: int, into: TenshuState) -> None:
    for other in range(len(s.hand)):
        known = -has(s.looked[other] | bit(other), seat)  # every bit, or none
        hide_hand(s, other, into, s.hand[other] & (s.shown | known))
    # tenshu.deal.choose-pile, option look-at-both. Piles are taken, and looked at, only when "Notta!" can no longer be called.
    if s.pile_choice == PileChoice.LOOK_AT_BOTH and seat < s.seats and (s.phase == Phase.PILES or s.right_size[seat] == 0):
        for place in range(seat * PILE, (seat + 1) * PILE):
            into.pile[place] = s.pile[place]
            into.right_pile[place] = s.right_pile[place]


@rule
def redeal(h: TenshuState, seat: int, chance: list[int]) -> None:
    unseen = h.deck & ~(visible(h) | h.dead | seen_in_piles(h))
    # A servant's card that is not shown is not among the cards that are passed over.
    if h.servant and h.held[h.servant - 1]:
        possible = unseen & for_servants(h)
        h.hand[h.servant - 1] = bit(pick(possible, count(possible), chance))
        h.held[h.servant - 1] = 0
        unseen &= ~h.hand[h.servant - 1]
    at = lay_unseen(h, unseen, chance)
    for other in range(h.seats):
        at = fill(h.pile, other * PILE, h.pile_size[other], h.pack, at)
        at = fill(h.right_pile, other * PILE, h.right_size[other], h.pack, at)


@rule
def seen_in_piles(h: TenshuState) -> int:
    cards = 0
    for place in range(h.seats * PILE):
        if h.pile[place] >= 0:
            cards |= bit(h.pile[place])
        if h.right_pile[place] >= 0:
            cards |= bit(h.right_pile[place])
    return cards


@rule
def fill(pile: list[int], start: int, size: int, pack: list[int], at: int) -> int:
    """Lay cards of the pack, from index `at` on, into the places of a pile whose cards are not known. Returns the next index."""
    for place in range(start, start + size):
        if pile[place] < 0:
            pile[place] = pack[at]
            at += 1
    return at
