"""Pairs: a small game for two pairs in the manner of Goita. All cards are dealt, and some lie face down to the end of the round.

Four seats hold four cards each, and the seat opposite is one's partner. The seat that leads covers: it lays a card face down, then
attacks with another, face up. The next seat answers the attack with a card of its number and attacks in turn, or passes. If all the
others pass, the attacker leads again. The pair of the first empty hand wins, by the number of its last card.
"""

from dataclasses import dataclass

from mekuri.plugin import (
    DRIVER,
    Choice,
    Contract,
    DealtState,
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
    open_pack,
    packet,
    recall,
    rule,
    whole_number,
)

__all__ = ["contract", "hand_size", "recall"]  # the latter two are members of the contract as they are
SEATS = 4


class Word(Choice):
    PASS = 49
    DEAL = 62


class Phase(Choice):
    DEAL = 0
    COVER = 1
    ATTACK = 2
    ANSWER = 3
    OVER = 4


@dataclass(slots=True)
class PairsState(DealtState):
    """Return the hands, the cards before each seat, face down and face up, and the attack to be answered."""

    hand: list[int] = fields.cards(SEATS)
    held: list[int] = fields.count(4, SEATS)
    down: list[int] = fields.cards(SEATS)
    down_held: list[int] = fields.count(4, SEATS)
    up: list[int] = fields.cards(SEATS, public=True)
    attack: int = fields.card(public=True)
    attacker: int = fields.count(SEATS - 1, public=True)
    turn: int = fields.count(SEATS - 1, public=True)
    phase: int = fields.choice(Phase, public=True)


def pack(options: object) -> list[int]:
    return list(each(whole_number(1) | whole_number(2) | whole_number(3) | whole_number(4)))


@rule
def deal(s: PairsState) -> None:
    open_pack(s)
    s.gathered = s.stock


@rule
def waiting(s: PairsState) -> int:
    return bit(DRIVER) if s.phase == Phase.DEAL else 0 if over(s) else bit(s.turn)


@rule
def legal(s: PairsState, seat: int) -> int:
    if not has(waiting(s), seat):
        return 0
    if seat == DRIVER:
        return bit(Word.DEAL)
    if s.phase != Phase.ANSWER:
        return s.hand[seat]
    return s.hand[seat] & 15 << s.attack // 4 * 4 | bit(Word.PASS)


@rule
def play(s: PairsState, seat: int, action: int) -> None:
    s.turns += 1
    if action == Word.DEAL:
        for other in range(SEATS):
            s.hand[other] = packet(s, 4)
        s.turn = (s.dealer + 1) % SEATS
        s.phase = Phase.COVER
    elif action == Word.PASS:
        s.turn = (seat + 1) % SEATS
        if s.turn == s.attacker:
            s.phase = Phase.COVER
    else:
        s.hand[seat] &= ~bit(action)
        if s.phase == Phase.COVER:
            s.down[seat] |= bit(action)
            s.phase = Phase.ATTACK
        else:
            s.up[seat] |= bit(action)
            if s.phase == Phase.ANSWER:
                s.phase = Phase.ATTACK
            else:
                s.attack = action
                s.attacker = seat
                s.turn = (seat + 1) % SEATS
                s.phase = Phase.OVER if hand_size(s, seat) == 0 else Phase.ANSWER


@rule
def over(s: PairsState) -> bool:
    return s.phase == Phase.OVER


@rule
def returns(s: PairsState, seat: int) -> int:
    won = s.attack // 4 + 1
    return won if seat % 2 == s.attacker % 2 else -won


@rule
def hide(s: PairsState, seat: int, into: PairsState) -> None:
    hide_hands(s, seat, into, 0)
    for other in range(SEATS):
        into.down[other] = s.down[other] if other == seat else 0
        into.down_held[other] = 0 if other == seat else count(s.down[other]) + s.down_held[other]


@rule
def redeal(h: PairsState, seat: int, chance: list[int]) -> None:
    seen = in_hands(h)
    for other in range(SEATS):
        seen |= h.down[other] | h.up[other]
    at = lay_unseen(h, h.deck & ~seen, chance)
    for other in range(SEATS):
        for _ in range(h.down_held[other]):
            h.down[other] |= bit(h.pack[at])
            at += 1
        h.down_held[other] = 0


contract = Contract(id="pairs", seats=(SEATS,), words=Word, state=PairsState, **functions(__name__))
