"""The rules of Koi-Koi, in the order of the rule book."""

from __future__ import annotations

from mekuri.engine.compiled import bit, count, rule
from mekuri.games.dealing import hand_size, hide_hands, next_card, open_pack, packet
from mekuri.games.fishing import gather, groups, lands, redeal_pack, same_number, take
from mekuri.games.koikoi.options import Calls, Draw, FieldFour, FieldMultiplier, FieldPairs, Finish, LastCall, Month, Teyaku
from mekuri.games.koikoi.scoring import counted, has_four, has_pairs
from mekuri.games.koikoi.state import Cause, Ending, KoikoiState, Phase, Word
from mekuri.games.koikoi.yaku import BRIGHTS, base, yaku_of


@rule
def deal(s: KoikoiState) -> None:
    open_pack(s)
    gather(s)
    s.month = 1
    s.month_counts = int(s.month_yaku == Month.ON)
    s.field_times = 1
    s.phase = Phase.DEAL


@rule
def waiting(s: KoikoiState) -> int:
    return bit(1 - s.turn if s.phase == Phase.ANSWER else s.turn)


@rule
def legal(s: KoikoiState, seat: int) -> int:
    if s.phase == Phase.PLAY:
        return s.hand[seat] | (bit(Word.DECLARE) if may_declare(s, seat) else 0)
    if s.phase == Phase.CALL:
        return bit(Word.SHOBU) | (bit(Word.KOI) if may_call(s) else 0)
    if s.phase == Phase.ANSWER:
        return bit(Word.PASS) | (bit(Word.DECLARE) if is_lucky(s.hand[seat]) else 0)
    return s.field & same_number(s.laid)


@rule
def play(s: KoikoiState, seat: int, action: int) -> None:
    if s.phase == Phase.PLAY:
        if action == Word.DECLARE:
            declare(s, seat)
        else:
            s.hand[seat] &= ~bit(action)
            lay(s, action)
    elif s.phase == Phase.TURN_UP:
        lay(s, next_card(s))
    elif s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        take(s, s.turn, bit(s.laid) | bit(action))
        go_on(s)
    elif s.phase == Phase.CALL:
        if action == Word.SHOBU:
            end(s, Ending.SHOBU, s.turn + 1)
        else:
            call(s)
    elif s.phase == Phase.ANSWER:
        answer(s, seat, action)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.DEALER_TAKES:
        dealer_takes(s)
    elif s.phase == Phase.GATHER:
        throw_in(s)


# --- The deal ---


# koikoi.deal.packets
@rule
def lay_out(s: KoikoiState) -> None:
    for _ in range(2):
        s.hand[1 - s.dealer] |= packet(s, s.hand_cards // 2)
        s.field |= packet(s, 4)
        s.hand[s.dealer] |= packet(s, s.hand_cards // 2)
    look_at_field(s)


# koikoi.deal.four-on-field, koikoi.deal.pairs-on-field
@rule
def look_at_field(s: KoikoiState) -> None:
    if has_four(s.field):
        if s.field_four == FieldFour.DEALER_WINS:
            end(s, Ending.FOUR_ON_FIELD, s.dealer + 1)
            return
        s.cause = Cause.FOUR_ON_FIELD
        s.phase = Phase.GATHER if s.field_four == FieldFour.REDEAL else Phase.DEALER_TAKES
    elif s.field_pairs == FieldPairs.REDEAL and has_pairs(s.field):
        s.cause = Cause.PAIRS_ON_FIELD
        s.phase = Phase.GATHER
    else:
        begin(s)


@rule
def dealer_takes(s: KoikoiState) -> None:
    four = groups(s.field, 4)
    take(s, s.dealer, four)
    s.field |= packet(s, min(count(four), s.stock))
    look_at_field(s)


@rule
def throw_in(s: KoikoiState) -> None:
    gather(s)
    s.redeals[s.cause] += 1
    s.turns = s.shown = 0
    s.field_times = 1
    s.phase = Phase.DEAL


# koikoi.deal.lucky-hand
@rule
def is_lucky(cards: int) -> bool:
    return has_four(cards) or has_pairs(cards)


@rule
def may_declare(s: KoikoiState, seat: int) -> bool:
    return s.teyaku != Teyaku.OFF and s.turns <= 2 and is_lucky(s.hand[seat])


@rule
def declare(s: KoikoiState, seat: int) -> None:
    s.shown |= groups(s.hand[seat], 4) | (groups(s.hand[seat], 2) if has_pairs(s.hand[seat]) else 0)
    if s.teyaku == Teyaku.MISDEAL:
        s.cause = Cause.LUCKY_HAND
        s.phase = Phase.GATHER
    elif s.turns == 1:
        s.phase = Phase.ANSWER
    else:
        end(s, Ending.LUCKY_HAND, seat + 1)


# koikoi.deal.both-lucky
@rule
def answer(s: KoikoiState, seat: int, action: int) -> None:
    if action == Word.PASS:
        end(s, Ending.LUCKY_HAND, 2 - seat)
        return
    s.shown |= groups(s.hand[seat], 4) | (groups(s.hand[seat], 2) if has_pairs(s.hand[seat]) else 0)
    end(s, Ending.BOTH_LUCKY, 0)


# --- Play ---


# koikoi.play.dealer-first, koikoi.score.field
@rule
def begin(s: KoikoiState) -> None:
    brights = count(s.field & BRIGHTS)
    if brights and s.field_multiplier != FieldMultiplier.NO:
        s.field_times = 2 if s.field_multiplier == FieldMultiplier.ANY_BRIGHT else 1 + brights
    s.turn = s.dealer
    s.turns = 1
    s.phase = Phase.PLAY


# koikoi.play.match, koikoi.play.two-matches, koikoi.play.three-matches, koikoi.play.no-match
@rule
def lay(s: KoikoiState, card: int) -> None:
    if lands(s, card):
        go_on(s)
    else:
        s.phase = Phase.CHOOSE if s.phase == Phase.PLAY else Phase.CHOOSE_TURNED


# koikoi.play.turn, koikoi.play.stock-card
@rule
def go_on(s: KoikoiState) -> None:
    if s.stock and (s.phase == Phase.PLAY or s.phase == Phase.CHOOSE):
        s.phase = Phase.TURN_UP
    elif is_asked(s):
        s.last = s.turn + 1
        s.phase = Phase.CALL
    else:
        pass_turn(s)


# koikoi.call.when
@rule
def is_asked(s: KoikoiState) -> bool:
    if base(s, s.turn) <= s.best[s.turn]:
        return False
    return s.calls != Calls.NEW_YAKU or yaku_of(s, s.turn) & ~s.known[s.turn] != 0


# koikoi.call.koi-koi
@rule
def may_call(s: KoikoiState) -> bool:
    if s.calls == Calls.ONCE and s.called[s.turn]:
        return False
    if s.calls == Calls.THREE_POINTS and counted(s, s.turn) < 3:
        return False
    return s.last_call == LastCall.ALWAYS or has_turn_left(s)


# koikoi.call.last-turn
@rule
def has_turn_left(s: KoikoiState) -> bool:
    """Whether the seat whose turn it is has another turn in this round."""
    if hand_size(s, s.turn):
        return True
    return s.finish == Finish.EMPTY_STOCK and s.stock >= 2


@rule
def call(s: KoikoiState) -> None:
    s.called[s.turn] += 1
    s.best[s.turn] = base(s, s.turn)
    s.known[s.turn] |= yaku_of(s, s.turn)
    pass_turn(s)


# koikoi.end.exhausted
@rule
def pass_turn(s: KoikoiState) -> None:
    s.turn = 1 - s.turn
    if hand_size(s, s.turn):
        s.turns += 1
        s.phase = Phase.PLAY
    elif s.finish == Finish.EMPTY_STOCK and s.stock:
        s.turns += 1
        s.phase = Phase.TURN_UP
    else:
        # koikoi.end.draw
        end(s, Ending.EXHAUSTED, s.last if s.draw == Draw.LAST_YAKU else 0)


# koikoi.call.shobu
@rule
def end(s: KoikoiState, ending: int, winner: int) -> None:
    s.ending = ending
    s.winner = winner
    s.phase = Phase.OVER


# --- Hidden states ---


@rule
def hide(s: KoikoiState, seat: int, into: KoikoiState) -> None:
    hide_hands(s, seat, into, s.shown)


@rule
def redeal(h: KoikoiState, seat: int, chance: list[int]) -> None:
    redeal_pack(h, chance)
