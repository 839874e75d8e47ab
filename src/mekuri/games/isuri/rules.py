"""The rules of Isuri: sets of one number. Deal, drawing and passing stand in `sequence_play`, ghosts in `sequence`."""

from __future__ import annotations

from mekuri.cards import ALL, CLUBS, SWORDS, card, whole_number
from mekuri.engine.compiled import bit, count, first, rule
from mekuri.engine.contract import FIRST_WORD
from mekuri.games.isuri.options import Sets
from mekuri.games.isuri.scoring import pay, pay_all_out, pay_back, pay_named, pays_to_end
from mekuri.games.isuri.state import IsuriState, SetStep, Word
from mekuri.games.sequence import (
    NAMES,
    Ghost,
    Phase,
    counting_as,
    followers,
    guess_hands,
    hide,
    is_ghost,
    next_numbers,
    redeal_stock,
    top_numbers,
    unseen_cards,
    whole,
)
from mekuri.games.sequence_play import deal, lay, waiting
from mekuri.games.sequence_play import legal as legal_singly
from mekuri.games.sequence_play import play as play_singly

__all__ = ["deal", "hide", "legal", "play", "redeal", "waiting"]

# isuri.cards.forty-six
FORTY_SIX = ALL & ~whole_number(6) | bit(card(6, CLUBS)) | bit(card(6, SWORDS))
# isuri.sets.at-once
LEAST_SET, MOST_SET = 3, 6


@rule
def legal(s: IsuriState, seat: int) -> int:
    if s.set_step == SetStep.NUMBER:
        return set_numbers(s, seat) & NAMES
    if s.set_step == SetStep.CARDS:
        # isuri.sets.order
        done = bit(Word.DONE) if s.set_laid >= LEAST_SET else 0
        return done | (s.hand[seat] & set_cards(s, whole(s.set_number)) if s.set_laid < MOST_SET else 0)
    sets = bit(Word.SET) if s.phase == Phase.PLAY and set_numbers(s, seat) else 0
    return legal_singly(s, seat) | sets


@rule
def play(s: IsuriState, seat: int, action: int) -> None:
    if action == Word.SET:
        open_set(s)
    elif s.set_step == SetStep.NUMBER:
        # isuri.sets.next-number
        s.set_number = action // 4 + 1
        s.set_step = SetStep.CARDS
    elif s.set_step == SetStep.CARDS:
        if action == Word.DONE:
            close_set(s)
        else:
            lay_in_set(s, seat, action)
    else:
        if s.phase == Phase.GATHER:
            # isuri.draw.void
            pay_back(s)
        elif s.phase == Phase.NAME:
            pay_named(s, seat, action)
        elif pays_to_end(s, action):
            # isuri.pay.pass
            s.stakes[seat] += 1
        elif action < FIRST_WORD:
            # isuri.pay.each-card, isuri.pay.drawn: the driver turns up a card by a word, so it is not paid for
            pay(s, seat, action)
        play_singly(s, seat, action)
    pay_all_out(s)


# --- Sets ---


# isuri.sets.ghosts
@rule
def set_cards(s: IsuriState, numbers: int) -> int:
    """The cards that may be part of a set of a number."""
    return numbers & s.deck if s.sets == Sets.NATURALS_ONLY else counting_as(s, numbers)


# isuri.sets.next-number
@rule
def open_numbers(s: IsuriState) -> int:
    """The numbers that a set may have, as far as the pile is concerned."""
    return ALL if s.sets == Sets.FREE_SET else next_numbers(top_numbers(s))


# isuri.sets.next-number
@rule
def open_cards(s: IsuriState) -> int:
    """The cards that may be part of a set, as far as the pile is concerned."""
    return s.deck if s.sets == Sets.FREE_SET else followers(s)


# isuri.sets.at-once
@rule
def set_numbers(s: IsuriState, seat: int) -> int:
    """The numbers of which a seat holds a set that it may discard."""
    found = 0
    # Few hands hold three cards that may be in a set at all.
    if count(s.hand[seat] & open_cards(s)) >= LEAST_SET:
        numbers = open_numbers(s)
        for number in range(1, 13):
            if numbers & whole(number) and count(s.hand[seat] & set_cards(s, whole(number))) >= LEAST_SET:
                found |= whole(number)
    return found


# isuri.sets.order
@rule
def open_set(s: IsuriState) -> None:
    """Announce a set. If everyone can see which number it has, its cards follow; else its number is named first."""
    numbers = open_numbers(s)
    if count(numbers) > 4:
        s.set_step = SetStep.NUMBER
    else:
        s.set_number = first(numbers) // 4 + 1
        s.set_step = SetStep.CARDS


# isuri.pay.set
@rule
def lay_in_set(s: IsuriState, seat: int, card: int) -> None:
    pay(s, seat, card)
    lay(s, seat, card, s.set_number if s.ghost == Ghost.FIXED and is_ghost(s, card) else 0)
    s.set_laid += 1
    if s.phase == Phase.OVER:
        close_set(s)


# isuri.sets.order
@rule
def close_set(s: IsuriState) -> None:
    s.set_step = SetStep.NONE
    s.set_number = s.set_laid = 0


# --- Hidden states ---


@rule
def redeal(h: IsuriState, seat: int, chance: list[int]) -> None:
    unseen = unseen_cards(h)
    while not (guess_hands(h, unseen, chance) and has_set(h)):
        continue
    redeal_stock(h, unseen, chance)


@rule
def has_set(h: IsuriState) -> bool:
    """Whether the hand that has announced a set holds the cards that complete it; true where no set is announced."""
    if h.set_step == SetStep.NUMBER:
        return set_numbers(h, h.turn) != 0
    if h.set_step == SetStep.CARDS:
        return h.set_laid + count(h.hand[h.turn] & set_cards(h, whole(h.set_number))) >= LEAST_SET
    return True
