"""The rules of Mutsu-ichi, in the order of the rule book."""

from __future__ import annotations

from mekuri.engine.chance import below
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.games.mutsuichi.state import MOST_TAKEN_BACK, NUMBERS, Ending, MutsuIchiState, Phase, Word

# mutsuichi.chips.stacks
BETTORS_CHIPS, BANKS_CHIPS = 500, 2000
# mutsuichi.pay.right-card: what the bank pays, in tenths of the bet. An option sets how much of it the bettor gets.
BANK_PAYS = 50


# mutsuichi.cards.six-each, mutsuichi.cards.packs: one suit for each seat, the fifth seat's from a further pack
@rule
def six_cards(seat: int) -> int:
    """The set of the six cards that belong to a seat."""
    return cards_of(seat, bit(NUMBERS) - 1)


@rule
def cards_of(seat: int, numbers: int) -> int:
    """The set of a seat's own cards of some numbers, where bit 0 of `numbers` stands for the number 1."""
    cards = 0
    for i in range(NUMBERS):
        cards |= has(numbers, i) << i * 4 + seat % 4
    return cards


@rule
def deal(s: MutsuIchiState) -> None:
    s.stock = 0
    for seat in range(s.seats):
        s.hand[seat] = six_cards(seat)
        s.stack[seat] = BANKS_CHIPS if seat == s.dealer else BETTORS_CHIPS
    s.turns = 1
    s.phase = Phase.CHOOSE


# mutsuichi.bet.together
@rule
def waiting(s: MutsuIchiState) -> int:
    return bit(s.dealer) if s.phase == Phase.CHOOSE else bettors(s) & ~s.done


# mutsuichi.players.bank
@rule
def bettors(s: MutsuIchiState) -> int:
    return bit(s.seats) - 1 & ~bit(s.dealer)


@rule
def legal(s: MutsuIchiState, seat: int) -> int:
    if s.phase == Phase.CHOOSE:
        # mutsuichi.choose.any-card
        return s.hand[seat]
    return may_lay(s, seat) | may_take_back(s, seat) | (bit(Word.DONE) if may_finish(s, seat) else 0)


@rule
def play(s: MutsuIchiState, seat: int, action: int) -> None:
    if s.phase == Phase.CHOOSE:
        lay_under_cloth(s, action)
    elif s.phase == Phase.BET:
        if action == Word.DONE:
            finish(s, seat)
        elif has(s.bet[seat], action):
            take_back(s, seat, action)
        else:
            lay(s, seat, action)
    elif s.phase == Phase.SHOWDOWN:
        # mutsuichi.showdown.cloth: from now on everybody sees all cards; see `hide`.
        s.phase = Phase.COLLECT if lost_bets(s) else Phase.PAY
        go_on(s)
    elif s.phase == Phase.COLLECT:
        s.phase = Phase.PAY
        go_on(s)
    elif s.phase == Phase.PAY:
        pay(s)


# --- The dealer's choice ---


# mutsuichi.choose.kamishita
@rule
def lay_under_cloth(s: MutsuIchiState, card: int) -> None:
    s.hand[s.dealer] &= ~bit(card)
    s.cloth = bit(card)
    s.turns = 2
    s.phase = Phase.BET


# --- The bets ---


# mutsuichi.bet.limit, mutsuichi.bet.cover, mutsuichi.bet.equal, mutsuichi.chips.bet-size
@rule
def most_bets(s: MutsuIchiState, seat: int) -> int:
    """The most cards on which a bettor may bet in this round."""
    return min(s.most_cards, s.stack[seat] // s.bet_size)


# mutsuichi.bet.sit-out: who cannot cover one bet may sit out whatever was agreed on
@rule
def least_bets(s: MutsuIchiState, seat: int) -> int:
    """The fewest cards on which a bettor must bet in this round."""
    return min(s.least_cards, most_bets(s, seat))


# mutsuichi.bet.face-down
@rule
def may_lay(s: MutsuIchiState, seat: int) -> int:
    return s.hand[seat] if count(s.bet[seat]) < most_bets(s, seat) else 0


@rule
def may_finish(s: MutsuIchiState, seat: int) -> bool:
    return count(s.bet[seat]) >= least_bets(s, seat)


@rule
def lay(s: MutsuIchiState, seat: int, card: int) -> None:
    s.hand[seat] &= ~bit(card)
    s.bet[seat] |= bit(card)
    show_bets(s, seat)


# mutsuichi.bet.take-back
@rule
def may_take_back(s: MutsuIchiState, seat: int) -> int:
    return s.bet[seat] if s.taken_back[seat] < MOST_TAKEN_BACK else 0


@rule
def undoing(s: MutsuIchiState, seat: int) -> int:
    return may_take_back(s, seat) if s.phase == Phase.BET and has(s.done, seat) == 0 else 0


@rule
def take_back(s: MutsuIchiState, seat: int, card: int) -> None:
    s.bet[seat] &= ~bit(card)
    s.hand[seat] |= bit(card)
    s.taken_back[seat] += 1
    show_bets(s, seat)


# mutsuichi.bet.unseen
@rule
def show_bets(s: MutsuIchiState, seat: int) -> None:
    """Make the number of cards that a bettor has laid public, where bets are shown."""
    if s.bets_shown:
        s.backs[seat] = count(s.bet[seat])


# mutsuichi.bet.together
@rule
def finish(s: MutsuIchiState, seat: int) -> None:
    s.done |= bit(seat)
    s.taken_back[seat] = 0  # the bets stand, so the number no longer matters
    if s.done == bettors(s):
        # mutsuichi.choose.no-guess
        s.phase = Phase.SHOWDOWN


# --- The payments ---


# mutsuichi.cards.number-only
@rule
def right_number(s: MutsuIchiState) -> int:
    """The four cards of the number that lies under the cloth."""
    return 15 << (first(s.cloth) & ~3)


# mutsuichi.pay.wrong-card
@rule
def wrong_cards(s: MutsuIchiState, seat: int) -> int:
    return s.bet[seat] & ~right_number(s)


@rule
def right_card(s: MutsuIchiState, seat: int) -> int:
    return s.bet[seat] & right_number(s)


@rule
def lost_bets(s: MutsuIchiState) -> int:
    """The number of bets on wrong cards."""
    lost = 0
    for seat in range(s.seats):
        lost += count(wrong_cards(s, seat))
    return lost


@rule
def taken(s: MutsuIchiState, seat: int) -> int:
    """The chips that the bank has taken from a bettor so far, for its bets on wrong cards."""
    return s.bet_size * count(wrong_cards(s, seat)) if s.phase >= Phase.PAY else 0


@rule
def won(s: MutsuIchiState, seat: int) -> int:
    """The chips that a bettor has won so far. They come first out of the bank's payment, and the terazen gets the rest."""
    return min(s.paid[seat], s.bet_size * s.payout // 10)


# mutsuichi.pay.terazen
@rule
def box(s: MutsuIchiState) -> int:
    """The chips that have gone to the box, the terazen, so far."""
    chips = 0
    for seat in range(s.seats):
        chips += s.paid[seat] - won(s, seat)
    return chips


# mutsuichi.pay.order: the wrong bets have been taken before
@rule
def next_paid(s: MutsuIchiState) -> int:
    """The first bettor after the bank who has bet on the right card and is not yet paid; -1 for nobody."""
    for i in range(1, s.seats):
        seat = (s.dealer + i) % s.seats
        if right_card(s, seat) and s.paid[seat] == 0:
            return seat
    return -1


@rule
def banks_chips(s: MutsuIchiState) -> int:
    return s.stack[s.dealer] + returns(s, s.dealer)


# mutsuichi.pay.right-card, mutsuichi.pay.bank-broke
@rule
def pay(s: MutsuIchiState) -> None:
    s.paid[next_paid(s)] = min(s.bet_size * BANK_PAYS // 10, banks_chips(s))
    go_on(s)


# mutsuichi.pay.round-over
@rule
def go_on(s: MutsuIchiState) -> None:
    if s.phase == Phase.PAY and (next_paid(s) < 0 or banks_chips(s) == 0):
        s.ending = how_it_ended(s)
        s.phase = Phase.OVER


@rule
def how_it_ended(s: MutsuIchiState) -> int:
    if banks_chips(s) == 0:
        return Ending.BANK_BROKE
    for seat in range(s.seats):
        if s.paid[seat]:
            return Ending.PAID
    return Ending.ALL_LOST if lost_bets(s) else Ending.NO_BETS


@rule
def returns(s: MutsuIchiState, seat: int) -> int:
    if seat != s.dealer:
        return won(s, seat) - taken(s, seat)
    chips = 0
    for bettor in range(s.seats):
        chips += taken(s, bettor) - s.paid[bettor]
    return chips


@rule
def outlook(s: MutsuIchiState, seat: int) -> int:
    return returns(s, seat)


@rule
def yaku_of(s: MutsuIchiState, seat: int) -> int:
    return 0


# --- Hidden states ---


@rule
def hide(s: MutsuIchiState, seat: int, into: MutsuIchiState) -> None:
    for owner in range(s.seats):
        # mutsuichi.bet.unseen
        if owner == seat or s.bets_shown:
            into.taken_back[owner] = s.taken_back[owner]
        if owner == seat or s.phase > Phase.SHOWDOWN:
            into.hand[owner] = s.hand[owner]
            into.bet[owner] = s.bet[owner]
    if seat == s.dealer or s.phase > Phase.SHOWDOWN:
        into.cloth = s.cloth


@rule
def redeal(h: MutsuIchiState, seat: int, chance: list[int]) -> None:
    if h.phase > Phase.SHOWDOWN:
        return
    for owner in range(h.seats):
        if owner == seat:
            continue
        h.hand[owner] = six_cards(owner)
        if h.phase == Phase.CHOOSE:
            continue
        if owner == h.dealer:
            h.cloth = cards_of(owner, bit(below(chance, NUMBERS)))
            h.hand[owner] &= ~h.cloth
        else:
            h.bet[owner] = any_bet(h, owner, chance)
            h.hand[owner] &= ~h.bet[owner]


@rule
def any_bet(h: MutsuIchiState, seat: int, chance: list[int]) -> int:
    """A random set of cards that a bettor may have laid, each as likely as any other. Cards taken back do not change that."""
    least, most = least_bets(h, seat) if has(h.done, seat) else 0, most_bets(h, seat)
    if h.bets_shown:
        least = most = h.backs[seat]
    while True:
        numbers = below(chance, bit(NUMBERS))
        if least <= count(numbers) <= most:
            return cards_of(seat, numbers)
