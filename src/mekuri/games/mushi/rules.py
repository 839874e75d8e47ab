"""The rules of Mushi, in the order of the rule book."""

from __future__ import annotations

from mekuri.cards import CLUBS, COINS, CUPS, SWORDS, card, whole_number
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.games.dealing import hand_size, hide_hands, next_card, open_pack, packet
from mekuri.games.fishing import gather, groups, redeal_pack, same_number, take
from mekuri.games.mushi.options import LastOni, Misdeal, StockFourth
from mekuri.games.mushi.state import Cause, Ending, MushiState, Phase, Word

# mushi.cards.forty
FORTY = ((1 << 48) - 1) & ~(whole_number(7) | whole_number(11))
# mushi.cards.oni: the junk of rain. "Rain" in the rules is the other three.
ONI = card(2, CUPS)
RAIN = bit(card(2, CLUBS)) | bit(card(2, SWORDS)) | bit(card(2, COINS))


@rule
def deal(s: MushiState) -> None:
    open_pack(s)
    gather(s)
    s.phase = Phase.DEAL


@rule
def waiting(s: MushiState) -> int:
    return bit(s.turn)


@rule
def legal(s: MushiState, seat: int) -> int:
    if s.phase == Phase.PLAY:
        return s.hand[seat] | (bit(Word.DECLARE) if may_declare(s, seat) else 0)
    return targets(s, s.laid)


@rule
def play(s: MushiState, seat: int, action: int) -> None:
    if s.phase == Phase.PLAY:
        if action == Word.DECLARE:
            declare(s, seat)
        else:
            s.hand[seat] &= ~bit(action)
            lay(s, action)
    elif s.phase == Phase.TURN_UP:
        turn_up(s)
    elif s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        take(s, s.turn, bit(s.laid) | bit(action))
        go_on(s)
    elif s.phase == Phase.AWARD:
        award(s)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.ELDER_TAKES:
        take(s, s.dealer, groups(s.field, 4))
        begin(s)
    elif s.phase == Phase.GATHER:
        throw_in(s)


# --- The deal ---


# mushi.deal.packets
@rule
def lay_out(s: MushiState) -> None:
    for _ in range(2):
        s.hand[1 - s.dealer] |= packet(s, 4)
        s.hand[s.dealer] |= packet(s, 4)
        s.field |= packet(s, 4)
    # mushi.deal.four-on-table, mushi.deal.three-rain, mushi.deal.four-pairs
    if groups(s.field, 4):
        s.cause = Cause.FOUR_ON_TABLE
        s.phase = Phase.GATHER if s.misdeal == Misdeal.REDEAL else Phase.ELDER_TAKES
    elif s.field & RAIN == RAIN and s.misdeal == Misdeal.REDEAL:
        s.cause = Cause.THREE_RAIN
        s.phase = Phase.GATHER
    elif s.four_pairs and count(groups(s.field, 2)) == 8:
        s.cause = Cause.FOUR_PAIRS
        s.phase = Phase.GATHER
    else:
        begin(s)


# mushi.deal.four-in-hand
@rule
def may_declare(s: MushiState, seat: int) -> bool:
    return s.declare_four != 0 and s.turns <= 2 and groups(s.hand[seat], 4) != 0


@rule
def declare(s: MushiState, seat: int) -> None:
    s.shown = groups(s.hand[seat], 4)
    s.cause = Cause.FOUR_IN_HAND
    s.phase = Phase.GATHER


@rule
def throw_in(s: MushiState) -> None:
    gather(s)
    s.redeals[s.cause] += 1
    s.turns = s.shown = s.oni_laid_by = 0
    s.phase = Phase.DEAL


# --- Play ---


# mushi.play.elder-first
@rule
def begin(s: MushiState) -> None:
    s.turn = s.dealer
    s.turns = 1
    s.phase = Phase.PLAY


# mushi.play.match: the table's cards that a card may take. mushi.oni.from-hand, mushi.oni.from-stock, mushi.oni.on-table
@rule
def targets(s: MushiState, card: int) -> int:
    if card == ONI:
        return s.field & ~RAIN & ~groups(s.field, 3)
    return s.field & same_number(card) & ~bit(ONI)


# mushi.play.two-matches, mushi.play.three-matches, mushi.play.no-match
@rule
def lay(s: MushiState, card: int) -> None:
    matches = targets(s, card)
    if count(matches) == 2 or (card == ONI and count(matches) > 1):
        s.laid = card
        s.phase = Phase.CHOOSE if s.phase == Phase.PLAY else Phase.CHOOSE_TURNED
        return
    if matches:
        take(s, s.turn, bit(card) | matches)
    else:
        s.field |= bit(card)
        if card == ONI:
            s.oni_laid_by = s.turn + 1
    go_on(s)


# mushi.play.stock-card
@rule
def turn_up(s: MushiState) -> None:
    card = next_card(s)
    if card == ONI and s.stock == 0:
        # mushi.oni.last-card
        take(s, s.turn, bit(ONI) | (s.field & RAIN if s.last_oni == LastOni.TAKES_RAIN else 0))
        go_on(s)
    elif (
        has(s.field, ONI) and not has(RAIN, card) and not (s.stock_fourth == StockFourth.SET_FIRST and count(targets(s, card)) == 3)
    ):
        # mushi.oni.stock-takes, mushi.oni.rain-turned, mushi.oni.set-of-three
        take(s, s.turn, bit(card) | bit(ONI))
        go_on(s)
    else:
        lay(s, card)


# mushi.play.turn: a card from the hand, then a card from the stock. mushi.end.when
@rule
def go_on(s: MushiState) -> None:
    if s.stock and (s.phase == Phase.PLAY or s.phase == Phase.CHOOSE):
        s.phase = Phase.TURN_UP
        return
    s.turn = 1 - s.turn
    if hand_size(s, s.turn):
        s.turns += 1
        s.phase = Phase.PLAY
    else:
        s.ending = what_is_left(s)
        s.phase = Phase.AWARD if s.field else Phase.OVER


# --- The end ---


@rule
def what_is_left(s: MushiState) -> int:
    if s.field == 0:
        return Ending.NOTHING
    if count(s.field & RAIN) == 1:
        rest = s.field & ~RAIN
        if rest == bit(ONI):
            return Ending.RAIN_AND_ONI
        if count(rest) == 1:
            return Ending.RAIN_AND_UNPAIRED
        if rest == 0:
            return Ending.RAIN_ONLY
    return Ending.OTHER


@rule
def award(s: MushiState) -> None:
    if has(s.field, ONI):
        # mushi.end.oni-left
        take(s, s.oni_laid_by - 1 if s.oni_laid_by else s.dealer, bit(ONI))
    elif s.field & RAIN and s.field & RAIN != RAIN:
        # mushi.end.last-rain
        take(s, 0 if count(s.captured[0] & RAIN) > count(s.captured[1] & RAIN) else 1, s.field & RAIN)
    else:
        # mushi.end.unpaired, mushi.end.three-rain
        take(s, oni_owner(s), first_flower(s.field))
    if s.field == 0:
        s.phase = Phase.OVER


@rule
def first_flower(cards: int) -> int:
    """The cards of one flower among the cards that are left, which are given out together."""
    return cards & same_number(first(cards))


@rule
def oni_owner(s: MushiState) -> int:
    return has(s.captured[1], ONI)


# --- Hidden states ---


@rule
def hide(s: MushiState, seat: int, into: MushiState) -> None:
    hide_hands(s, seat, into, s.shown)


@rule
def redeal(h: MushiState, seat: int, chance: list[int]) -> None:
    redeal_pack(h, chance)
