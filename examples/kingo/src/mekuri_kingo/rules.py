"""The rules of Kingo, in the order of the rule book."""

from __future__ import annotations

from mekuri.plugin import bit, count, first, pick, rule, rule_bot, shuffle, whole_number
from mekuri_kingo.scoring import FIFTEEN, KINGO, best_rank, is_bareta, rank, value
from mekuri_kingo.state import Ending, KingoState, Phase, Word

# kingo.cards.forty: the months January to October
FORTY = sum(whole_number(month) for month in range(1, 11))


# --- The functions of the contract ---


@rule
def deal(s: KingoState) -> None:
    """Write the state before the deal."""
    gather(s)


@rule
def waiting(s: KingoState) -> int:
    """Return the seat whose turn it is."""
    return bit(s.turn)


@rule
def legal(s: KingoState, seat: int) -> int:
    """Return the legal actions of a waiting seat."""
    # kingo.play.draw-on, kingo.play.stand. (In a round that has been dealt the stock never runs out.)
    return bit(Word.STAND) | (bit(Word.DRAW) if s.stock else 0)


@rule
def play(s: KingoState, seat: int, action: int) -> None:
    """Apply an action."""
    if action == Word.DRAW:
        s.phase = Phase.GIVE
    elif action == Word.STAND:
        end_turn(s)
    elif action == Word.GIVE:
        give(s)
    elif action == Word.DEAL:
        lay_out(s)
    elif action == Word.GATHER:
        s.redeals[0] += 1
        gather(s)
    elif action == Word.SHOWDOWN:
        show_down(s)


# --- The deal ---


@rule
def gather(s: KingoState) -> None:
    """Put the whole pack together, to be shuffled. (Cards that have left the stock stay in its row, above it.)"""
    s.stock = s.gathered = count(FORTY)
    for seat in range(s.seats):
        s.held[seat] = s.unseen[seat] = 0
    s.turns = 0
    s.phase = Phase.DEAL


# kingo.deal.one-each
@rule
def lay_out(s: KingoState) -> None:
    """Deal one card to every seat, from the dealer's right round to the dealer."""
    for i in range(1, s.seats + 1):
        next_card(s, (s.dealer + i) % s.seats)
    # kingo.play.dealer-first
    begin_turn(s, s.dealer)


@rule
def next_card(s: KingoState, seat: int) -> None:
    """Give a seat the next card of the stock."""
    s.stock -= 1
    s.held[seat] |= bit(s.pack[s.stock])


# --- The turns ---


# kingo.play.must-draw
@rule
def begin_turn(s: KingoState, seat: int) -> None:
    """Begin a seat's turn, in which a card is drawn for it."""
    s.turn = seat
    s.turns += 1
    s.phase = Phase.GIVE if s.stock else Phase.PLAY


@rule
def give(s: KingoState) -> None:
    """Give the seat whose turn it is a further card."""
    next_card(s, s.turn)
    s.phase = Phase.PLAY
    # kingo.bareta.loses
    if is_bareta(s, s.turn):
        end_turn(s)


# kingo.play.round-the-table
@rule
def end_turn(s: KingoState) -> None:
    """Begin the next seat's turn, until every seat has had one."""
    if s.turns < s.seats:
        begin_turn(s, (s.turn + 1) % s.seats)
    else:
        # kingo.bareta.all
        s.phase = Phase.GATHER if all_bareta(s) else Phase.SHOWDOWN


@rule
def all_bareta(s: KingoState) -> bool:
    """Return whether no seat can win any more."""
    bareta = 0
    for seat in range(s.seats):
        bareta += is_bareta(s, seat)
    return bareta == s.seats


# kingo.showdown.when
@rule
def show_down(s: KingoState) -> None:
    """Show all hands, and pay the pot."""
    s.phase = Phase.OVER
    best, winners = best_rank(s), 0
    for seat in range(s.seats):
        winners += rank(s, seat) == best
    if best > FIFTEEN:
        s.ending = Ending.KINGO if best == FIFTEEN + 1 + KINGO else Ending.SHIGORO
    else:
        s.ending = Ending.EQUAL if winners > 1 else Ending.HIGHEST


# --- Hidden information ---


# kingo.play.hidden
@rule
def hide(s: KingoState, seat: int, into: KingoState) -> None:
    """Hide what a seat may not see: hands of other seats before the showdown, except bareta ones. Their sizes stay."""
    for other in range(s.seats):
        if other == seat or s.phase == Phase.OVER or is_bareta(s, other):
            into.held[other] = s.held[other]
        else:
            into.unseen[other] = count(s.held[other]) + s.unseen[other]


@rule
def redeal(h: KingoState, seat: int, chance: list[int]) -> None:
    """Deal the hidden cards: any of them into hidden hands that count no more than fifteen, the rest by shuffling."""
    seen = 0
    for other in range(h.seats):
        seen |= h.held[other]
    # A hand of more than one card has been played or is being played: a bareta hand would have been shown.
    guessed = -1
    while guessed < 0:
        guessed = guess_hands(h, FORTY & ~seen, chance)
    # In the pack's row the hidden cards come first, beginning with the stock, then all others.
    hidden = FORTY & ~(seen | guessed)
    write_pack(h, hidden, 0)
    write_pack(h, FORTY & ~hidden, count(hidden))
    shuffle(h.pack, count(hidden), chance)
    at = h.stock
    for other in range(h.seats):
        if h.unseen[other] == 1:
            h.held[other] = bit(h.pack[at])
            at += 1
        h.unseen[other] = 0


@rule
def write_pack(h: KingoState, cards: int, n: int) -> None:
    """Write cards into the pack's row from index n on."""
    while cards:
        h.pack[n] = first(cards)
        cards &= cards - 1
        n += 1


@rule
def guess_hands(h: KingoState, hidden: int, chance: list[int]) -> int:
    """Fill the hidden hands of more than one card, each by itself. Return their cards, or -1 if two hands share one.

    Guessed again until they share none, all ways to fill them are equally likely.
    """
    guessed = 0
    for other in range(h.seats):
        if h.unseen[other] > 1:
            h.held[other] = guess_hand(hidden, h.unseen[other], chance)
            if h.held[other] & guessed:
                return -1
            guessed |= h.held[other]
    return guessed


@rule
def guess_hand(hidden: int, n: int, chance: list[int]) -> int:
    """Return n random cards that count no more than fifteen, all such hands equally likely."""
    # A card fits if it counts no more than the n - 1 lowest cards leave.
    lowest, left = hidden, FIFTEEN
    for _ in range(n - 1):
        left -= value(lowest & -lowest)
        lowest &= lowest - 1
    fitting = hidden & bit(4 * min(left, 10)) - 1
    while True:
        cards = 0
        while count(cards) < n and value(cards) <= FIFTEEN:
            cards |= bit(pick(fitting & ~cards, count(fitting & ~cards), chance))
        if value(cards) <= FIFTEEN:
            return cards


# --- A bot ---

ENOUGH = 11
DRAW, STAND = int(Word.DRAW), int(Word.STAND)


@rule
def play_carefully(h: KingoState, seat: int, chance: list[int], states: list[KingoState]) -> int:
    """Stand when the hand of the seat is high enough."""
    return STAND if value(h.held[seat]) >= ENOUGH or h.stock == 0 else DRAW


careful = rule_bot(
    play_carefully,
    id="careful",
    name={"en": "Careful", "ja": "用心"},
    help={
        "en": "Looks at its own hand only: draws until it counts eleven, and then stands.",
        "ja": "自分の手札だけを見て、11になるまで引き、そこで止める。",
    },
    games=("kingo",),
)
