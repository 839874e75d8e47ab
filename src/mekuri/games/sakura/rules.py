"""The rules of Sakura, in the order of the rule book."""

from __future__ import annotations

from mekuri.cards import CUPS, card
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.games.dealing import hand_size, hide_hands, next_card, open_pack, packet
from mekuri.games.fishing import gather, groups, redeal_pack, same_number, take
from mekuri.games.sakura.options import End, FieldFour, GajiField, GajiRest, GajiStock, Hiki, Teams
from mekuri.games.sakura.state import Ending, Phase, SakuraState, Word

# sakura.cards.gaji: the lightning of the willow
GAJI = card(11, CUPS)

# sakura.deal.table: cards of a hand and of the field, by the number of seats
HANDS = (0, 0, 8, 7, 5, 4, 3, 3)
FIELDS = (0, 0, 8, 6, 8, 8, 12, 6)
NO_FOUR = 0  # the only kind of redeal


# sakura.setup.sides
@rule
def side_of(s: SakuraState, seat: int) -> int:
    if s.teams == Teams.NONE:
        return seat
    if s.seats % 2 or s.seats // s.teams < 2:
        return -1
    return seat % s.teams


@rule
def deal(s: SakuraState) -> None:
    open_pack(s)
    gather(s)
    s.phase = Phase.DEAL


@rule
def waiting(s: SakuraState) -> int:
    return bit(s.turn)


@rule
def legal(s: SakuraState, seat: int) -> int:
    if s.phase == Phase.PLAY:
        return s.hand[seat] | (bit(Word.HIKI) if hikis(s, seat) else 0)
    if s.phase == Phase.HIKI:
        return hikis(s, seat) & s.hand[seat]
    return targets(s, s.laid)


@rule
def play(s: SakuraState, seat: int, action: int) -> None:
    if s.phase == Phase.PLAY:
        if action == Word.HIKI:
            call_hiki(s, seat)
        else:
            s.hand[seat] &= ~bit(action)
            s.shown &= ~bit(action)
            lay(s, action)
    elif s.phase == Phase.TURN_UP:
        lay(s, next_card(s))
    elif s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        capture(s, s.laid, bit(action))
        go_on(s)
    elif s.phase == Phase.HIKI:
        take_month(s, seat, same_number(action))
    elif s.phase == Phase.AWARD:
        take(s, s.gaji_by - 1, left_for_gaji(s))
        s.phase = Phase.OVER
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.SET_ASIDE:
        s.field &= ~bit(GAJI)
        s.dead |= bit(GAJI)
        look_for_four(s)
    elif s.phase == Phase.DEALER_TAKES:
        take(s, s.dealer, groups(s.field, 4))
        begin(s)
    elif s.phase == Phase.GATHER:
        throw_in(s)


# --- The deal ---


# sakura.deal.table
@rule
def lay_out(s: SakuraState) -> None:
    for step in range(s.seats):
        s.hand[(s.dealer + 1 + step) % s.seats] = packet(s, HANDS[s.seats])
    s.field = packet(s, FIELDS[s.seats])
    # sakura.deal.gaji-on-field
    if s.gaji_field == GajiField.DISCARD and has(s.field, GAJI):
        s.phase = Phase.SET_ASIDE
    else:
        look_for_four(s)


# sakura.deal.four-on-field
@rule
def look_for_four(s: SakuraState) -> None:
    if groups(s.field, 4) == 0:
        begin(s)
    else:
        s.phase = Phase.GATHER if s.field_four == FieldFour.REDEAL else Phase.DEALER_TAKES


@rule
def throw_in(s: SakuraState) -> None:
    gather(s)
    s.dead = 0
    s.redeals[NO_FOUR] += 1
    s.phase = Phase.DEAL


# --- Play ---


# sakura.play.dealer-first
@rule
def begin(s: SakuraState) -> None:
    s.turn = s.dealer
    s.turns = 1
    s.phase = Phase.PLAY


# sakura.play.match: the cards of the field that a card may take. sakura.gaji.wild, sakura.gaji.turned, sakura.gaji.on-field
@rule
def targets(s: SakuraState, card: int) -> int:
    if card == GAJI and is_wild(s):
        return s.field
    return s.field & same_number(card)


# sakura.gaji.turned
@rule
def is_wild(s: SakuraState) -> bool:
    return s.phase == Phase.PLAY or s.phase == Phase.CHOOSE or s.gaji_stock == GajiStock.WILD


# sakura.play.two, sakura.play.three, sakura.play.none, sakura.gaji.one
@rule
def lay(s: SakuraState, card: int) -> None:
    matches = targets(s, card)
    wild = card == GAJI and is_wild(s)
    if count(matches) == 2 or (wild and count(matches) > 1):
        s.laid = card
        s.phase = Phase.CHOOSE if s.phase == Phase.PLAY else Phase.CHOOSE_TURNED
        return
    if matches:
        capture(s, card, matches)
    else:
        s.field |= bit(card)
    go_on(s)


@rule
def capture(s: SakuraState, card: int, matches: int) -> None:
    if card == GAJI and is_wild(s):
        s.gaji_by = s.turn + 1
        s.gaji_month = first(matches) // 4 + 1
    take(s, s.turn, bit(card) | matches)


# sakura.play.turn, sakura.play.stock-card, sakura.play.no-cards. sakura.end.when
@rule
def go_on(s: SakuraState) -> None:
    if s.phase == Phase.PLAY or s.phase == Phase.CHOOSE or s.phase == Phase.HIKI:
        s.phase = Phase.TURN_UP
    elif s.stock == 0 or (s.end == End.HANDS and are_out(s)):
        s.ending = Ending.STOCK_EMPTY if s.stock == 0 else Ending.HANDS_EMPTY
        s.phase = Phase.AWARD if left_for_gaji(s) else Phase.OVER
    else:
        s.turn = (s.turn + 1) % s.seats
        s.turns += 1
        s.phase = Phase.PLAY if hand_size(s, s.turn) else Phase.TURN_UP


@rule
def are_out(s: SakuraState) -> bool:
    left = 0
    for seat in range(s.seats):
        left += hand_size(s, seat)
    return left == 0


# --- Hiki ---


# sakura.hiki.when
@rule
def hikis(s: SakuraState, seat: int) -> int:
    """The cards of the months of which a seat sees all four in its hand and on the field."""
    if s.hiki == Hiki.OFF:
        return 0
    found = 0
    months = groups(s.hand[seat] | s.field, 4)
    while months:
        month = same_number(first(months))
        held = count(s.hand[seat] & month)
        if held == 1 or held == 3 or (held and s.hiki == Hiki.ANY):
            found |= month
        months &= ~month
    return found


# sakura.hiki.takes, sakura.hiki.several
@rule
def call_hiki(s: SakuraState, seat: int) -> None:
    months = hikis(s, seat)
    if count(months) == 4:
        take_month(s, seat, months)
    else:
        s.shown |= months & s.hand[seat]
        s.phase = Phase.HIKI


@rule
def take_month(s: SakuraState, seat: int, month: int) -> None:
    s.hand[seat] &= ~month
    s.shown &= ~month
    take(s, seat, month)
    s.phase = Phase.TURN_UP


# --- The end ---


# sakura.end.mate, sakura.end.dead
@rule
def left_for_gaji(s: SakuraState) -> int:
    """The cards left on the field that the player who used the gaji gets."""
    if s.gaji_by == 0:
        return 0
    return s.field if s.gaji_rest == GajiRest.ALL else s.field & same_number(4 * (s.gaji_month - 1))


# --- Hidden states ---


@rule
def hide(s: SakuraState, seat: int, into: SakuraState) -> None:
    hide_hands(s, seat, into, s.shown)


@rule
def redeal(h: SakuraState, seat: int, chance: list[int]) -> None:
    redeal_pack(h, chance)
