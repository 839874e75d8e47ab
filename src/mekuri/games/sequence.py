"""The sequence games for two, with one pile on which each card counts one more than the card beneath it.

Here are the options, the state, the order of numbers, the ghosts and the hidden states; `sequence_play` has the deal and the turns,
`sequence_zones` the texts and the zones. These three files are all of Hiyoko but its pack and its points. Isuri adds sets and
payments. Numbers are kept as the set of all cards that have them, so that one shift gives the numbers that follow.
"""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.cards import ALL, CLUBS, COINS, CUPS, SWORDS, whole_number
from mekuri.cards import card as card_of
from mekuri.engine.chance import pick, shuffle
from mekuri.engine.compiled import bit, count, first, has, rule
from mekuri.engine.fields import card, cards, choice, option
from mekuri.engine.fields import count as amount
from mekuri.engine.fields import seat as place
from mekuri.engine.options import Choice, Options, one_of
from mekuri.games.dealing import DealtState, hand_size

HAND = 6  # the cards of a hand as it is dealt
GHOST_KINDS = 6  # how many kinds of ghosts a game may have
ONES, TWOS = whole_number(1), whole_number(2)
NAMES = sum(bit(card_of(number, CLUBS)) for number in range(1, 13))  # a number is named by its card of clubs


class WhoDraws(Choice):
    """Who turns up a card when neither seat discards, and how many."""

    LAST_DISCARDER = 0
    FIRST_PASSER = 1
    DRAW_UNTIL_PLAYABLE = 2


class MustPlay(Choice):
    """Whether a seat that holds a card that follows must play it."""

    FIRST_CARD = 0
    ALL = 1
    FREE = 2


class Ghost(Choice):
    """The numbers that a ghost on the pile counts as: all of its range, or the one it was played as."""

    FLEXIBLE = 0
    FIXED = 1


class OneTwo(Choice):
    """When a seat that holds a 2 may lay a 1 on a 1.

    On a printed 1, or on any card that counts as 1; in both cases the 2 must follow. Or on a printed 1, and the 2 need not follow.
    """

    PRINTED = 0
    COUNTS_AS = 1
    LAX = 2


class Renew(Choice):
    """When a new stock is made of the pile: for a card that is needed, or as soon as the old one is empty."""

    WHEN_NEEDED = 0
    AT_ONCE = 1


@dataclass(frozen=True)
class SequenceOptions(Options):
    """Options of a round in every sequence game."""

    who_draws: WhoDraws = WhoDraws.LAST_DISCARDER
    must_play: MustPlay = MustPlay.FIRST_CARD
    ghost: Ghost = Ghost.FLEXIBLE
    two_of_swords: int = one_of(11, 10)
    one_two: OneTwo = OneTwo.PRINTED
    renew: Renew = Renew.WHEN_NEEDED


class Word(Choice):
    """Actions that are not cards."""

    PASS = 49
    DONE = 50
    DRAW = 51
    DEAL = 58
    GATHER = 59
    RECYCLE = 60
    TURN_UP = 61


class Phase(Choice):
    """The phases of a round: which action comes next."""

    PLAY = 0  # a seat plays a card, passes, or ends its turn
    TWO = 1  # it has laid a 1 on a 1: a 2 follows
    NAME = 2  # it has laid a ghost that may stand for several numbers: it names one
    TURN_UP = 3, Word.TURN_UP  # the driver turns up the next card of the stock
    RECYCLE = 4, Word.RECYCLE  # the driver makes a new stock of the pile
    DEAL = 5, Word.DEAL
    GATHER = 6, Word.GATHER  # a void round is thrown in
    OVER = 7


class Ending(Choice):
    """The endings of a round: a hand was played out over several turns, or all at once."""

    OUT = 0
    ALL_OUT = 1


@dataclass(slots=True)
class SequenceState(DealtState):
    """Base of the states of sequence games.

    Attributes:
        phase: what happens next.
        ghost_cards: the ghosts, kind by kind; no card is of two kinds.
        ghost_numbers: the numbers that each kind counts as, as the set of all cards that have them.
        ghost_drawn: 1 for a kind that counts only where it has been turned up.
        pile: the discard pile.
        top: the card on its top.
        top_drawn: 1 if that card came from the stock, 0 if it came from a hand.
        stands_for: the number that a ghost on the top stands for; 0 while that is open, and where ghosts are flexible.
        beneath: the card beneath the top; NONE where there is none, or where a position does not say.
        third: the card beneath that one, likewise.
        turn: the seat whose turn it is.
        discards: the cards it has discarded in this turn.
        turn_draws: the cards turned up in this turn.
        drawn: the cards turned up since the last discard.
        passes: the turns without a discard since the last discard.
        drawer: the seat for which a card is turned up when the turn comes to it and nobody discards.
        absent: the cards that play has proved not to be in a hand.
        two_kept: 1 for a hand that play has proved to hold a printed 2.
    """

    phase: int = choice(Phase, public=True)
    ending: int = choice(Ending, public=True)
    ghost_cards: list[int] = cards(GHOST_KINDS, public=True, fixed=True)
    ghost_numbers: list[int] = cards(GHOST_KINDS, public=True, fixed=True)
    ghost_drawn: list[int] = amount(1, GHOST_KINDS, public=True, fixed=True)
    pile: int = cards(public=True)
    top: int = card(public=True)
    top_drawn: int = amount(1, public=True)
    stands_for: int = amount(12, public=True)
    beneath: int = card(public=True)
    third: int = card(public=True)
    turn: int = place(public=True)
    discards: int = amount(48, public=True)
    turn_draws: int = amount(48, public=True)
    drawn: int = amount(96, public=True)
    passes: int = amount(200, public=True)
    drawer: int = place(public=True)
    absent: list[int] = cards(each_seat=2, public=True)
    two_kept: list[int] = amount(1, each_seat=2, public=True)

    who_draws: int = option()
    must_play: int = option()
    ghost: int = option()
    two_of_swords: int = option()
    one_two: int = option()
    renew: int = option()


# Sets of cards that only note where cards lie.
NOTES = ("absent",)
# The fields that a bot may forget: the cards under the pile's top, and the cards that play has proved a hand to hold or to lack.
REMEMBERED = ("pile", "absent", "two_kept")


# --- Numbers and ghosts ---


def numbers_from(least: int, most: int) -> int:
    """The numbers from `least` to `most`, as the set of all cards that have them."""
    return bit(4 * most) - bit(4 * (least - 1))


@rule
def whole(number: int) -> int:
    """A number 1..12, as the set of the four cards that have it."""
    return 15 << 4 * (number - 1)


@rule
def printed(card: int) -> int:
    """The number printed on a card, as the set of the four cards that have it."""
    return 15 << (card & ~3)


@rule
def add_ghosts(s: SequenceState, kind: int, ghosts: int, numbers: int, drawn: int) -> None:
    """Declare a kind of ghosts.

    Args:
        s: the state.
        kind: the index of the kind, below `GHOST_KINDS`.
        ghosts: the set of its cards; cards that are not in play are left out.
        numbers: the numbers that they count as.
        drawn: 1 if they count so only where they have been turned up from the stock, else 0.
    """
    s.ghost_cards[kind] = ghosts & s.deck
    s.ghost_numbers[kind] = numbers
    s.ghost_drawn[kind] = drawn


# hiyoko.ghosts.ends, isuri.ghosts.ends
ONE_TO_TEN, TWO_TO_TEN, TWO_TO_ELEVEN = numbers_from(1, 10), numbers_from(2, 10), numbers_from(2, 11)
ONE_OF_CLUBS, TWO_OF_CLUBS, KING_OF_CLUBS = (bit(card_of(number, CLUBS)) for number in (1, 2, 12))
ONE_OF_SWORDS, TWO_OF_SWORDS, THREE_OF_SWORDS = (bit(card_of(number, SWORDS)) for number in (1, 2, 3))
ONE_WHEN_DRAWN = (
    bit(card_of(6, CLUBS)) | bit(card_of(6, SWORDS)) | bit(card_of(12, SWORDS)) | bit(card_of(12, COINS)) | bit(card_of(12, CUPS))
)
# The cards that are ghosts in a hand.
ISE_GHOSTS = ONE_OF_CLUBS | ONE_OF_SWORDS | TWO_OF_CLUBS | TWO_OF_SWORDS | THREE_OF_SWORDS


# hiyoko.ghosts.ten, isuri.ghosts.eleven
@rule
def add_ise_ghosts(s: SequenceState) -> None:
    """Declare the ghosts of the games with an Ise pack. The last two kinds are ghosts only where they have been turned up."""
    # hiyoko.ghosts.ones, isuri.ghosts.ones
    add_ghosts(s, 0, ONE_OF_CLUBS | ONE_OF_SWORDS, ONE_TO_TEN, 0)
    # hiyoko.ghosts.twos, isuri.ghosts.twos
    add_ghosts(s, 1, TWO_OF_CLUBS, TWO_TO_ELEVEN, 0)
    # hiyoko.ghosts.twos, isuri.ghosts.twos
    add_ghosts(s, 2, TWO_OF_SWORDS, TWO_TO_TEN if s.two_of_swords == 10 else TWO_TO_ELEVEN, 0)
    # hiyoko.ghosts.three, isuri.ghosts.three
    add_ghosts(s, 3, THREE_OF_SWORDS, ALL, 0)
    # hiyoko.ghosts.drawn-ones, isuri.ghosts.drawn-ones, isuri.ghosts.six-of-swords
    add_ghosts(s, 4, ONE_WHEN_DRAWN, ONES, 1)
    # hiyoko.ghosts.drawn-king, isuri.ghosts.drawn-king
    add_ghosts(s, 5, KING_OF_CLUBS, ALL, 1)


@rule
def numbers_of(s: SequenceState, card: int, drawn: int) -> int:
    """The numbers that a card counts as; `drawn` is 1 if it was turned up from the stock, 0 if it is in a hand or came from one."""
    for kind in range(GHOST_KINDS):
        if has(s.ghost_cards[kind], card) and s.ghost_drawn[kind] <= drawn:
            # hiyoko.ghosts.anywhere, hiyoko.ghosts.drawn-flexible, isuri.ghosts.anywhere, isuri.ghosts.drawn-flexible
            return s.ghost_numbers[kind]
    # hiyoko.ghosts.drawn-only, isuri.ghosts.drawn-only
    return printed(card)


@rule
def is_ghost(s: SequenceState, card: int) -> bool:
    """Whether a card counts as other numbers than its own in a hand."""
    return has(ISE_GHOSTS, card) == 1


# hiyoko.ghosts.follow, isuri.ghosts.follow
@rule
def top_numbers(s: SequenceState) -> int:
    """The numbers that the top of the pile counts as."""
    return whole(s.stands_for) if s.stands_for else numbers_of(s, s.top, s.top_drawn)


# hiyoko.play.wrap, isuri.play.wrap
@rule
def next_numbers(numbers: int) -> int:
    """The numbers that follow some numbers; after 12, the king, comes 1, the dragon."""
    return (numbers << 4 | numbers >> 44) & ALL


@rule
def counting_as(s: SequenceState, numbers: int) -> int:
    """The cards in play that count, in a hand, as one of some numbers."""
    cards = numbers & s.deck
    for kind in range(GHOST_KINDS):
        if s.ghost_drawn[kind] == 0:
            cards &= ~s.ghost_cards[kind]
            if s.ghost_numbers[kind] & numbers:
                cards |= s.ghost_cards[kind]
    return cards


def tabulate_followers(two_of_swords: int) -> list[int]:
    """The cards that follow each card: first the 48 cards as they come from a hand, then the 48 as they come from the stock."""
    s = SequenceState(deck=ALL, two_of_swords=two_of_swords)
    add_ise_ghosts(s)
    return [counting_as(s, next_numbers(numbers_of(s, card, drawn))) for drawn in range(2) for card in range(48)]


# Rules ask for followers at every action, so they look them up. The second half is for a 2 of swords that counts as 2 to 10.
FOLLOWERS = (*tabulate_followers(11), *tabulate_followers(10))


@rule
def followers(s: SequenceState) -> int:
    """The cards in play that follow the top of the pile by their number."""
    if s.stands_for:
        return counting_as(s, next_numbers(whole(s.stands_for)))
    return FOLLOWERS[96 * (s.two_of_swords == 10) + 48 * s.top_drawn + s.top] & s.deck


@rule
def possible_numbers(s: SequenceState, card: int) -> int:
    """The numbers as which a card follows the top of the pile."""
    return numbers_of(s, card, 0) & next_numbers(top_numbers(s))


# --- Hidden states ---


@rule
def hide(s: SequenceState, seat: int, into: SequenceState) -> None:
    """Copy a seat's own hand into its hidden state; of any other hand only the number of its cards."""
    for other in range(2):
        if other == seat:
            into.hand[other] = s.hand[other]
        else:
            into.held[other] = hand_size(s, other)


@rule
def fill_pack(s: SequenceState, stock: int) -> None:
    """Make the stock of a set of cards, lowest first; the other cards in play stand above it in the pack's row."""
    others, n = s.deck & ~stock, 0
    s.stock = count(stock)
    while stock:
        s.pack[n] = first(stock)
        stock &= stock - 1
        n += 1
    while others:
        s.pack[n] = first(others)
        others &= others - 1
        n += 1


@rule
def unseen_cards(h: SequenceState) -> int:
    """The cards of a hidden state that lie in the stock or in a hidden hand."""
    return h.deck & ~(h.pile | h.hand[0] | h.hand[1])


@rule
def guess_hands(h: SequenceState, unseen: int, chance: list[int]) -> bool:
    """Fill each hidden hand at random with cards that it may hold.

    A caller that calls this again until it returns true gets each possible pair of hands with the same chance.

    Returns:
        Whether both hands can be held at once.
    """
    fits = True
    for seat in range(2):
        if h.held[seat]:
            h.hand[seat] = some(unseen & ~h.absent[seat], h.held[seat], chance)
        if h.two_kept[seat] and h.hand[seat] & TWOS == 0:
            fits = False
    return fits and h.hand[0] & h.hand[1] == 0


@rule
def some(cards: int, n: int, chance: list[int]) -> int:
    """The set of n random cards of a set."""
    chosen = 0
    for left in range(count(cards), count(cards) - n, -1):
        chosen |= bit(pick(cards & ~chosen, left, chance))
    return chosen


@rule
def redeal(h: SequenceState, seat: int, chance: list[int]) -> None:
    """Fill a hidden state with a random world that agrees with it."""
    unseen = unseen_cards(h)
    while not guess_hands(h, unseen, chance):
        continue
    redeal_stock(h, unseen, chance)


@rule
def redeal_stock(h: SequenceState, unseen: int, chance: list[int]) -> None:
    """Put the cards that are in no hand in random order; the stock is the first of them."""
    stock = h.stock
    fill_pack(h, unseen & ~(h.hand[0] | h.hand[1]))
    shuffle(h.pack, h.stock, chance)
    h.stock = stock
    h.held[0] = h.held[1] = 0
