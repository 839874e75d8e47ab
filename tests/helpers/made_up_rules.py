"""The rules of a made-up game. `tests/helpers/made_up.py` copies this file and changes the constants: each choice is another game.

The table deals. All seats may vote at once, face down. Then each plays its hand, in turn or all at once, or draws from the stock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from mekuri.engine import defaults
from mekuri.engine.chance import below
from mekuri.engine.contract import Shape
from mekuri.engine.presentation import Layout
from mekuri.plugin import (
    DRIVER,
    Choice,
    Contract,
    DealtState,
    Goal,
    Options,
    RoundState,
    Zone,
    between,
    bit,
    count,
    each,
    fields,
    functions,
    hand_size,
    has,
    hide_hands,
    in_hands,
    lay_unseen,
    next_card,
    nth,
    open_pack,
    packet,
    rule,
    yaku_goal,
)

NAME = "made_up"
SEATS = 2
CARDS = 0xFFF  # the set of the cards in play
HAND = 3  # cards dealt to each seat; with 0 the seats draw from the stock instead
FIELD = 0  # cards dealt to the middle
TO_FIELD = False  # whether played cards lie in the middle, not before their seats
TURN_OVER = False  # whether the table turns over a card of the stock after each card played in turn
TOGETHER = False  # whether all seats play at once, face down
VOTES = 0  # words that each seat chooses from before the first card; 0 for no vote
YAKU = 0  # how many yaku there are
POT = False  # whether an amount lies in the middle
LAYOUT = ""  # how cards before a seat are laid out, where no empty place is in the middle; empty for the engine's own zones
SHAPE = "ring"

LEAST_YAKU = 4  # cards of a yaku


class Word(Choice):
    """The votes, and the words of the table."""

    VOTE_1 = 49
    VOTE_2 = 50
    VOTE_3 = 51
    VOTE_4 = 52
    VOTE_5 = 53
    VOTE_6 = 54
    VOTE_7 = 55
    VOTE_8 = 56
    VOTE_9 = 57
    VOTE_10 = 58
    DRAW = 59
    REVEAL = 60
    TURN_UP = 61
    DEAL = 62


@dataclass(frozen=True)
class MadeUpOptions(Options):
    """Options that change nothing, to be shown."""

    an_option_that_changes_nothing_at_all_but_has_a_long_name: bool = False
    number_of_nothings: int = between(3, 1, 9)


@dataclass(slots=True)
class MadeUpState(DealtState):
    """Who is next, what was voted and laid, and where all cards lie."""

    hand: list[int] = fields.cards(each_seat=SEATS)
    held: list[int] = fields.count(49, each_seat=SEATS)
    laid: list[int] = fields.cards(each_seat=SEATS)  # face down, until all have laid
    said: list[int] = fields.count(10, each_seat=SEATS)  # the vote; 0 for none, or one that is not seen yet
    voted: list[int] = fields.count(10, each_seat=SEATS, public=True)
    taken: list[int] = fields.cards(each_seat=SEATS, public=True)
    field: int = fields.cards(public=True)
    ready: int = fields.seats(public=True)  # the seats that have voted, or laid a card
    turn: int = fields.seat(public=True)
    due: int = fields.count(1, public=True)  # whether the table turns over a card now
    an_option_that_changes_nothing_at_all_but_has_a_long_name: int = fields.option()
    number_of_nothings: int = fields.option()


def pack(options: object) -> list[int]:
    """Return the cards in play."""
    return list(each(CARDS))


@rule
def deal(s: MadeUpState) -> None:
    open_pack(s)
    s.gathered = s.stock


@rule
def everybody() -> int:
    return (1 << SEATS) - 1


@rule
def voting(s: MadeUpState) -> bool:
    return VOTES > 0 and s.turns > 0 and s.voted[0] == 0


@rule
def waiting(s: MadeUpState) -> int:
    if s.turns == 0 or s.due or s.ready == everybody():
        return bit(DRIVER)
    if over(s):
        return 0
    if voting(s) or TOGETHER:
        return everybody() & ~s.ready
    return bit(s.turn)


@rule
def legal(s: MadeUpState, seat: int) -> int:
    if not has(waiting(s), seat):
        return 0
    if seat == DRIVER:
        return bit(Word.TURN_UP if s.due else Word.DEAL if s.turns == 0 else Word.REVEAL)
    if voting(s):
        return (bit(VOTES) - 1) << Word.VOTE_1
    return s.hand[seat] if HAND else bit(Word.DRAW)


@rule
def play(s: MadeUpState, seat: int, action: int) -> None:
    s.turns += 1
    if action == Word.DEAL:
        for other in range(SEATS):
            s.hand[other] = packet(s, HAND)
        s.field = packet(s, FIELD)
        s.turn = (s.dealer + 1) % SEATS
    elif action == Word.REVEAL:
        reveal(s)
    elif action == Word.DRAW:
        s.due = 1
    elif action == Word.TURN_UP:
        s.due = 0
        if HAND:
            s.field |= bit(next_card(s))
        else:
            put(s, s.turn, next_card(s))
            s.turn = (s.turn + 1) % SEATS
    elif action >= Word.VOTE_1:
        s.said[seat] = action - Word.VOTE_1 + 1
        s.ready |= bit(seat)
    elif TOGETHER:
        s.hand[seat] &= ~bit(action)
        s.laid[seat] = bit(action)
        s.ready |= bit(seat)
    else:
        s.hand[seat] &= ~bit(action)
        put(s, seat, action)
        s.turn = (s.turn + 1) % SEATS
        s.due = 1 if TURN_OVER and s.stock > 0 else 0


@rule
def reveal(s: MadeUpState) -> None:
    """Show what all have voted, or laid."""
    s.ready = 0
    if voting(s):
        for seat in range(SEATS):
            s.voted[seat] = s.said[seat]
            s.said[seat] = 0
    else:
        for seat in range(SEATS):
            put(s, seat, nth(s.laid[seat], 0))
            s.laid[seat] = 0


@rule
def put(s: MadeUpState, seat: int, card: int) -> None:
    """Put a card where played cards lie."""
    if TO_FIELD:
        s.field |= bit(card)
    else:
        s.taken[seat] |= bit(card)


@rule
def over(s: MadeUpState) -> bool:
    if s.turns == 0 or s.due or voting(s) or s.ready:
        return False
    for seat in range(SEATS):
        if hand_size(s, seat) > 0:
            return False
    return HAND > 0 or s.stock == 0


@rule
def returns(s: MadeUpState, seat: int) -> int:
    """Return the cards that a seat has more than the dealer, and its vote."""
    return count(s.taken[seat]) * 100 - count(s.taken[s.dealer]) * 100 + s.voted[seat]


@rule
def yaku_cards(yaku: int) -> int:
    """Return the set of the cards of a yaku."""
    cards, rest = 0, CARDS
    for n in range(LEAST_YAKU * (yaku + 1)):
        if rest:
            cards |= rest & -rest if n >= LEAST_YAKU * yaku else 0
            rest &= rest - 1
    return cards


@rule
def yaku_of(s: MadeUpState, seat: int) -> int:
    found = 0
    for yaku in range(YAKU):
        if yaku_cards(yaku) & ~s.taken[seat] == 0:
            found |= bit(yaku)
    return found


@rule
def hide(s: MadeUpState, seat: int, into: MadeUpState) -> None:
    hide_hands(s, seat, into, 0)
    for other in range(SEATS):
        if other == seat:
            into.laid[other] = s.laid[other]
            into.said[other] = s.said[other]


@rule
def redeal(h: MadeUpState, seat: int, chance: list[int]) -> None:
    seen = in_hands(h) | h.field
    for other in range(SEATS):
        seen |= h.taken[other] | h.laid[other]
        if TOGETHER and not voting(h) and has(h.ready, other) and h.laid[other] == 0:
            h.held[other] += 1
    lay_unseen(h, h.deck & ~seen, chance)
    for other in range(SEATS):
        if has(h.ready, other) and voting(h) and h.said[other] == 0:
            h.said[other] = 1 + below(chance, VOTES)
        if has(h.ready, other) and not voting(h) and h.laid[other] == 0:
            h.laid[other] = bit(nth(h.hand[other], below(chance, count(h.hand[other]))))
            h.hand[other] &= ~h.laid[other]


def secret(s: MadeUpState) -> bool:
    """Return whether what seats do now stays hidden until all have done it."""
    return s.turns > 0 and s.ready != everybody() and not over(s) and (voting(s) or TOGETHER)


def middle(h: MadeUpState) -> Mapping[str, int]:
    """Return the amount in the middle, which grows."""
    return {"pot": h.turns * 1234} if POT else {}


def goals(h: MadeUpState, seat: int) -> list[Goal]:
    """Return each yaku as a goal."""
    found = []
    for yaku in range(YAKU):
        cards, others = yaku_cards(yaku), sum(h.taken[other] for other in range(SEATS) if other != seat)
        made = cards & h.taken[seat]
        found.append(yaku_goal(seat, f"yaku-{yaku}", 100 + yaku, made, cards & ~made, bool(cards & others)))
    return found


def zones(h: RoundState) -> list[Zone]:
    """Return the engine's own zones without empty ones in the middle, and with another layout of the cards before a seat."""
    layout = cast("Layout", LAYOUT)
    found = [zone for zone in defaults.zones(h) if zone.cards or zone.owner is not None]
    return [replace(zone, layout=layout) if zone.id.startswith("taken-") else zone for zone in found]


found = functions(__name__)
if not LAYOUT:
    del found["zones"]  # then the engine names the places, too

contract = Contract(
    id=NAME,
    api=3,
    seats=(SEATS,),
    words=Word,
    driver_from=Word.REVEAL,
    state=MadeUpState,
    options=MadeUpOptions,
    yaku=tuple(f"yaku-{yaku}" for yaku in range(YAKU)),
    shape=cast("Shape", SHAPE),
    **found,
)
