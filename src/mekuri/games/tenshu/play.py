"""The play of Tenshu: turns, captures, the servant's turn, and the cards left at the end."""

from __future__ import annotations

from mekuri.cards import EXTRA
from mekuri.engine.compiled import bit, count, rule, shared_rule
from mekuri.games.dealing import hand_size
from mekuri.games.fishing import groups, same_number, take
from mekuri.games.tenshu.options import OnifudaAlone, OnifudaAndThree
from mekuri.games.tenshu.scoring import TAIKOSAN, has_yaku, settle
from mekuri.games.tenshu.seats import is_active, next_active
from mekuri.games.tenshu.state import PILE, Ending, Phase, TenshuState, Word

ONIFUDA = bit(EXTRA)


# tenshu.play.order
@rule
def begin(s: TenshuState) -> None:
    s.turn = s.dealer
    s.turns = 1
    s.phase = Phase.PLAY


@rule
def left_to_play(s: TenshuState, seat: int) -> int:
    """The number of cards in a seat's hand and pile together."""
    return hand_size(s, seat) + s.pile_size[seat]


# tenshu.play.turn
@rule
def play_card(s: TenshuState, card: int) -> None:
    s.hand[s.turn] &= ~bit(card)
    s.shown &= ~bit(card)
    lay(s, card)


# tenshu.play.pile-card
@rule
def turn_up(s: TenshuState) -> None:
    s.pile_size[s.turn] -= 1
    place = s.turn * PILE + s.pile_size[s.turn]
    card = s.pile[place]
    s.pile[place] = -1
    lay(s, card)


# --- Captures ---


# tenshu.play.match, tenshu.oni.from-hand, tenshu.oni.from-pile. While the onifuda lies on the field every card may take it.
@rule
def targets(s: TenshuState, card: int) -> int:
    """The set of the cards of the field that a card may take."""
    if card != EXTRA:
        return s.field & (same_number(card) | ONIFUDA)
    cards = s.field & ~ONIFUDA
    return cards & ~groups(cards, 3) if s.onifuda_and_three == OnifudaAndThree.NONE else cards


@rule
def taken_with(s: TenshuState, card: int, chosen: int) -> int:
    """The set of the cards that a card takes when its player chooses a card of the field, which may be all of a set of three."""
    same = s.field & same_number(chosen)
    if count(same) == 3 and (card != EXTRA or s.onifuda_and_three == OnifudaAndThree.ALL):
        return same
    return bit(chosen)


@shared_rule
def lay(s: TenshuState, card: int) -> None:
    matches = targets(s, card)
    if matches == 0:
        stay_or_keep(s, card)
    elif count(matches) == 1 or (card != EXTRA and groups(matches, 3) == matches):
        # tenshu.play.three-matches
        capture(s, s.turn, bit(card) | matches)
    else:
        # tenshu.play.two-matches
        s.laid = card
        s.phase = Phase.CHOOSE
        return
    go_on(s)


# tenshu.play.no-match, tenshu.oni.empty-field
@rule
def stay_or_keep(s: TenshuState, card: int) -> None:
    if card != EXTRA:
        s.field |= bit(card)
    elif s.onifuda_alone == OnifudaAlone.TAKEN:
        capture(s, s.turn, ONIFUDA)
    else:
        s.field |= ONIFUDA
        s.laid_by = s.turn + 1


# tenshu.end.taikosan
@rule
def capture(s: TenshuState, seat: int, cards: int) -> None:
    take(s, seat, cards)
    if has_yaku(s, seat, TAIKOSAN):
        s.winner = seat + 1
        s.ending = Ending.TAIKOSAN
        s.phase = Phase.OVER


# --- The turn ---


@shared_rule
def go_on(s: TenshuState) -> None:
    """Pass the turn on. The servant comes after the fourth player, as long as there is a card to play."""
    if s.phase == Phase.OVER:
        return
    after = next_active(s, s.turn)
    # tenshu.play.servant-turn
    if after == s.dealer and is_active(s, s.turn) and servant_is_asked(s):
        s.turn = s.servant - 1
        s.phase = Phase.SERVANT
        return
    # tenshu.play.order
    s.turn = after
    if left_to_play(s, after):
        s.turns += 1
        s.phase = Phase.PLAY
    else:
        finish(s)


# tenshu.play.servant-turn
@rule
def servant_is_asked(s: TenshuState) -> bool:
    return s.servant > 0 and hand_size(s, s.servant - 1) > 0 and s.forfeited == 0


# tenshu.play.servant-last
@rule
def servant_may_pass(s: TenshuState) -> bool:
    return s.servant_declines != 0 or left_to_play(s, s.dealer) > 0


# tenshu.play.servant-turn
@rule
def servant_plays(s: TenshuState, action: int) -> None:
    if action == Word.PASS:
        s.forfeited = s.pass_forfeits
        go_on(s)
    else:
        s.turns += 1
        play_card(s, action)


# --- The end ---


@rule
def onifuda_user(s: TenshuState) -> int:
    """1 + the seat that used the onifuda; 0 if nobody did."""
    for seat in range(s.seats):
        if s.captured[seat] & ONIFUDA:
            return seat + 1
    return s.laid_by


# tenshu.end.when
@rule
def finish(s: TenshuState) -> None:
    if s.field and onifuda_user(s):
        s.phase = Phase.AWARD
    else:
        settle(s)


# tenshu.end.leftover
@rule
def award(s: TenshuState) -> None:
    s.awarded = s.field
    capture(s, onifuda_user(s) - 1, s.field)
    if s.phase != Phase.OVER:
        settle(s)
