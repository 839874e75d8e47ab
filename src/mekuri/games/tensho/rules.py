"""The rules of Tensho, in the order of the rule book."""

from __future__ import annotations

from mekuri.cards import CLUBS, card
from mekuri.engine.compiled import bit, count, has, rule, shared_rule
from mekuri.games.dealing import hand_size, next_card, open_pack
from mekuri.games.fishing import gather, groups, same_number, take
from mekuri.games.kabu_pot import four
from mekuri.games.tensho.deal import lay_out_pack
from mekuri.games.tensho.options import FourOnField, FourthCard, LastStock, SixOnField, Tie, TriplePick, Triples, YakuSet
from mekuri.games.tensho.scoring import card_points, chaff_cards, instant_win, yaku_points
from mekuri.games.tensho.side_games import decided, leave_out, settle_bet, show_hands, stakes, take_bet, take_stake, turn_up_middle
from mekuri.games.tensho.state import Ending, Phase, TenshoState, Word

SIX = card(6, CLUBS)  # the only six in the pack


@rule
def deal(s: TenshoState) -> None:
    open_pack(s)
    gather(s)
    s.set = s.yaku_set
    s.phase = Phase.VOTE if s.yaku_set == YakuSet.VOTE else Phase.DEAL


@rule
def waiting(s: TenshoState) -> int:
    if s.phase == Phase.VOTE:
        return 3 & ~s.voted
    if s.phase == Phase.STACK or s.phase == Phase.TRIPLE or s.phase == Phase.TRIPLE_SECOND:
        return bit(s.dealer)
    if s.phase == Phase.BET:
        return bit(1 - s.dealer)
    if s.phase == Phase.STAKE:
        return 3 & ~s.spoken
    return bit(s.turn)


@rule
def legal(s: TenshoState, seat: int) -> int:
    if s.phase == Phase.PLAY:
        return s.hand[seat]
    if s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        return s.field & same_number(s.laid)
    if s.phase == Phase.VOTE:
        return bit(Word.ONE) | bit(Word.TWO)
    if s.phase == Phase.STACK:
        return bit(Word.LEFT) | bit(Word.RIGHT)
    if s.phase == Phase.TRIPLE:
        return groups(s.field, 3) | bit(Word.DECLINE)
    if s.phase == Phase.TRIPLE_SECOND:
        return seconds(s)
    if s.phase == Phase.BET:
        return bit(Word.NAKA) | bit(Word.OTO) | bit(Word.DECLINE)
    if s.phase == Phase.STAKE:
        return stakes(s)
    return four(s, seat)


@rule
def play(s: TenshoState, seat: int, action: int) -> None:
    if s.phase == Phase.PLAY:
        s.hand[seat] &= ~bit(action)
        lay(s, action)
    elif s.phase == Phase.TURN_UP:
        lay(s, next_card(s))
    elif s.phase == Phase.CHOOSE or s.phase == Phase.CHOOSE_TURNED:
        capture(s, bit(s.laid) | bit(action))
        go_on(s)
    elif s.phase == Phase.VOTE:
        vote(s, seat, action)
    elif s.phase == Phase.DEAL:
        lay_out(s)
    elif s.phase == Phase.STACK:
        choose_stack(s, 1 if action == Word.RIGHT else 0)
    elif s.phase == Phase.REVEAL:
        reveal(s)
    elif s.phase == Phase.GATHER:
        throw_in(s)
    elif s.phase == Phase.TAKE_FOUR:
        dealer_takes(s, groups(s.field, 4))
    elif s.phase == Phase.TAKE_SIX:
        take_from_field(s, bit(SIX))
    elif s.phase == Phase.TRIPLE:
        take_of_triple(s, action)
    elif s.phase == Phase.TRIPLE_SECOND:
        s.pairs_taken += 1
        dealer_takes(s, bit(s.laid) | bit(action))
    else:
        play_side_game(s, seat, action)


@rule
def play_side_game(s: TenshoState, seat: int, action: int) -> None:
    if s.phase == Phase.BET:
        take_bet(s, action)
    elif s.phase == Phase.SETTLE:
        settle_bet(s)
        put_rows_together(s)
    elif s.phase == Phase.DEAL_DEAD:
        s.phase = Phase.STAKE  # from now on each sees two of the dead cards; see `hide`
    elif s.phase == Phase.STAKE:
        take_stake(s, seat, action)
    elif s.phase == Phase.MIDDLE:
        turn_up_middle(s)
    elif s.phase == Phase.LEAVE_OUT:
        leave_out(s, seat, action)
    elif s.phase == Phase.SHOW:
        show_hands(s)
    elif s.phase == Phase.PAY:
        s.phase = Phase.OVER


# --- The yaku set ---


# tensho.vote.sets
@rule
def vote(s: TenshoState, seat: int, action: int) -> None:
    s.vote[seat] = 2 if action == Word.TWO else 1
    s.voted |= bit(seat)
    if s.voted == 3:
        s.phase = Phase.DEAL


# tensho.vote.dealer-decides
@rule
def count_votes(s: TenshoState) -> None:
    s.set = s.vote[s.dealer]
    s.overruled = 1 if s.vote[0] != s.vote[1] else 0


# --- The deal ---


@rule
def lay_out(s: TenshoState) -> None:
    if s.set == 0:
        count_votes(s)
    lay_out_pack(s)
    s.phase = Phase.STACK


# tensho.deal.choose-stack
@rule
def choose_stack(s: TenshoState, chosen: int) -> None:
    s.hand[s.dealer] = s.stack[chosen]
    s.hand[1 - s.dealer] = s.stack[1 - chosen]
    s.stack[0] = s.stack[1] = 0
    s.phase = Phase.BET if s.shoniban else Phase.REVEAL


# tensho.deal.field-up
@rule
def reveal(s: TenshoState) -> None:
    s.field = s.face_down
    s.face_down = 0
    if s.bet:
        s.phase = Phase.SETTLE  # first the rows are compared
    else:
        put_rows_together(s)


@rule
def put_rows_together(s: TenshoState) -> None:
    s.field |= s.naka | s.oto
    s.naka = s.oto = 0
    s.turn = s.dealer  # all captures before play are the dealer's
    settle_field(s)


@rule
def settle_field(s: TenshoState) -> None:
    four = groups(s.field, 4)
    # tensho.deal.four-of-a-number
    if four and s.four_on_field == FourOnField.REDEAL:
        s.phase = Phase.GATHER
    elif four and s.four_on_field == FourOnField.DEALER_TAKES:
        s.phase = Phase.TAKE_FOUR
    # tensho.deal.six-on-field
    elif has(s.field, SIX) and s.six_on_field == SixOnField.DEALER_TAKES:
        s.phase = Phase.TAKE_SIX
    # tensho.deal.three-of-a-number
    elif groups(s.field, 3) and (s.pairs_taken == 0 or s.triples == Triples.BOTH):
        s.phase = Phase.TRIPLE
    else:
        begin(s)


@rule
def throw_in(s: TenshoState) -> None:
    gather(s)
    s.dead = s.middle = 0
    s.two[0] = s.two[1] = 0
    s.bet = 0  # tensho.shoniban.redeal: the chips that it has won stay
    s.redeals[0] += 1
    s.phase = Phase.DEAL


@rule
def dealer_takes(s: TenshoState, cards: int) -> None:
    s.plays_second = 1
    take_from_field(s, cards)


# tensho.end.instant-win: before play, too
@rule
def take_from_field(s: TenshoState, cards: int) -> None:
    capture(s, cards)
    if not decided(s):
        settle_field(s)


@rule
def take_of_triple(s: TenshoState, action: int) -> None:
    if action == Word.DECLINE:
        begin(s)
    else:
        s.laid = action
        s.phase = Phase.TRIPLE_SECOND


# tensho.deal.three-of-a-number, option triple_pick
@rule
def seconds(s: TenshoState) -> int:
    others = s.field & same_number(s.laid) & ~bit(s.laid)
    if s.triple_pick == TriplePick.NARA:
        chaff = chaff_cards(s)
        unlike = others & ~chaff if has(chaff, s.laid) else others & chaff
        if unlike:
            return unlike
    return others


# --- Play ---


# tensho.play.dealer-first
@rule
def begin(s: TenshoState) -> None:
    s.turn = 1 - s.dealer if s.plays_second else s.dealer
    s.turns = 1
    s.phase = Phase.PLAY


# tensho.play.match, tensho.play.two-matches, tensho.play.three-matches, tensho.play.no-match
@rule
def lay(s: TenshoState, card: int) -> None:
    matches = s.field & same_number(card)
    if card == SIX:
        # tensho.play.six-of-clubs
        capture(s, bit(SIX))
    elif count(matches) == 2 or (count(matches) == 3 and s.fourth_card == FourthCard.TAKES_ONE):
        s.laid = card
        s.phase = Phase.CHOOSE if s.phase == Phase.PLAY else Phase.CHOOSE_TURNED
        return
    elif matches:
        capture(s, bit(card) | matches)
    else:
        s.field |= bit(card)
    go_on(s)


# tensho.end.instant-win
@rule
def capture(s: TenshoState, cards: int) -> None:
    take(s, s.turn, cards)
    if instant_win(s, s.turn):
        s.winner = s.turn + 1
        s.ending = Ending.INSTANT_WIN
        finish(s)


# tensho.play.turn, tensho.play.drawn-card: a card from the hand, then a card from the stock
@rule
def go_on(s: TenshoState) -> None:
    if decided(s):
        return
    if s.stock and (s.phase == Phase.PLAY or s.phase == Phase.CHOOSE):
        s.phase = Phase.TURN_UP
        return
    s.turn = 1 - s.turn
    if hand_size(s, s.turn):
        s.turns += 1
        s.phase = Phase.PLAY
    # tensho.end.hands-out
    elif s.stock and s.last_stock == LastStock.EMPTY_STOCK:
        s.turns += 1
        s.phase = Phase.TURN_UP
    else:
        settle(s)


# --- The end ---


# tensho.tokotoko.dead
@rule
def finish(s: TenshoState) -> None:
    """End the round, or go on to Tokotoko if it is played, now that the round is decided."""
    s.phase = Phase.DEAL_DEAD if s.tokotoko else Phase.OVER


@shared_rule
def settle(s: TenshoState) -> None:
    """Set the winner by the first of yaku points, chaff and card points in which the seats differ."""
    finish(s)
    for ending in (Ending.YAKU, Ending.CHAFF, Ending.CARD_POINTS):
        if ending == Ending.YAKU:
            lead = yaku_points(s, 0) - yaku_points(s, 1)
        elif ending == Ending.CHAFF:
            lead = count(s.captured[0] & chaff_cards(s)) - count(s.captured[1] & chaff_cards(s))
        else:
            lead = card_points(s, 0) - card_points(s, 1)
        if lead:
            s.ending = ending
            s.winner = 1 if lead > 0 else 2
            return
    # tensho.score.tie
    s.ending = Ending.TIE
    if s.tie == Tie.DEALER:
        s.winner = s.dealer + 1
    elif s.tie == Tie.NON_DEALER:
        s.winner = 2 - s.dealer
