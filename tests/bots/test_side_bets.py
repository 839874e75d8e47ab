"""Side bets of an unknown game are weighed by their own gain, and other actions by the result of the round."""

from dataclasses import dataclass

import pytest

from mekuri.bots import Budget, Seen
from mekuri.bots.levels import choose
from mekuri.bots.ours import flat, greedy
from mekuri.bots.review.decisions import decisions
from mekuri.bots.search.think import think
from mekuri.cards import parse_cards
from mekuri.engine.chance import stream
from mekuri.engine.level import Level
from mekuri.match.game import Game
from mekuri.plugin import (
    DRIVER,
    Choice,
    Contract,
    DealtState,
    bit,
    each,
    fields,
    functions,
    hide_hands,
    in_hands,
    lay_unseen,
    next_card,
    open_pack,
    packet,
    rule,
)


class Word(Choice):
    """A seat guesses whether its opponent's card is low or high; the table deals."""

    LOW = 49
    HIGH = 50
    DEAL = 62


@dataclass(slots=True)
class GuessState(DealtState):
    """Two cards for seat 0, one for seat 1. Seat 0 guesses for a chip, and then plays a card: the higher card wins."""

    guess: int = fields.count(2, public=True)
    played: int = fields.cards(public=True)


def pack(options: object) -> list[int]:
    return list(each(parse_cards("1H 2H 3H 4H 11H 12H")))


@rule
def deal(s: GuessState) -> None:
    open_pack(s)
    s.gathered = s.stock


@rule
def waiting(s: GuessState) -> int:
    return bit(DRIVER) if s.turns == 0 else 0 if over(s) else bit(0)


@rule
def legal(s: GuessState, seat: int) -> int:
    if not waiting(s) >> seat & 1:
        return 0
    return bit(Word.DEAL) if seat == DRIVER else s.hand[0] if s.guess else bit(Word.LOW) | bit(Word.HIGH)


@rule
def play(s: GuessState, seat: int, action: int) -> None:
    if action == Word.DEAL:
        s.hand[0] = packet(s, 2)
        s.hand[1] = bit(next_card(s))
        s.turns = 1
    elif s.guess == 0:
        s.guess = 1 if action == Word.LOW else 2
    else:
        s.hand[0] &= ~bit(action)
        s.played = bit(action)


@rule
def over(s: GuessState) -> bool:
    return s.played != 0


@rule
def returns(s: GuessState, seat: int) -> int:
    won = 1 if s.played > s.hand[1] else -1
    return won if seat == 0 else -won


@rule
def side_bet(s: GuessState, seat: int) -> bool:
    return s.turns > 0 and s.guess == 0


@rule
def side_returns(s: GuessState, seat: int) -> int:
    right = (s.hand[1] > bit(6 * 4)) == (s.guess == 2)
    won = 100 if right else -100
    return won if seat == 0 else -won


@rule
def hide(s: GuessState, seat: int, into: GuessState) -> None:
    hide_hands(s, seat, into, 0)


@rule
def redeal(h: GuessState, seat: int, chance: list[int]) -> None:
    lay_unseen(h, h.deck & ~(in_hands(h) | h.played), chance)


contract = Contract(id="guess", seats=(2,), words=Word, state=GuessState, **functions(__name__))


def seen(hand: str, guess: int = 0) -> Seen:
    s = GuessState()
    s.deck, s.seats, s.turns, s.guess = sum(bit(card) for card in pack(None)), 2, 1, guess
    s.hand[0], s.held[1], s.stock = parse_cards(hand), 1, 3
    return Seen(s, 0)


@pytest.mark.parametrize("hand", ["11H 12H", "1H 12H"])
def test_search_weighs_a_side_bet_by_its_gain(hand: str) -> None:
    """All remaining cards are low, or three of four. The result of the round is the same for both words."""
    means = {one.action: one.mean for one in think(seen(hand), stream(1), Budget(400), greedy.bot)}
    assert means[Word.LOW] > 1 > means[Word.HIGH]  # no round brings more
    assert flat.bot.choose(seen(hand), stream(2), Budget(400)) == Word.LOW
    assert choose(seen(hand), stream(3), Budget(400), "kakuo") == Word.LOW


def test_other_actions_are_weighed_by_the_round() -> None:
    """A player certain to have lost the chip still wins the round with the higher card."""
    means = {one.action: one.mean for one in think(seen("1H 12H", guess=2), stream(1), Budget(200), greedy.bot)}
    assert set(means.values()) == {1.0, -1.0}


def test_short_sighted_bot_sees_the_gain_of_a_side_bet() -> None:
    level = Level(who="suzu", sight=0, playouts=60)
    tries = think(seen("11H 12H"), stream(4), Budget(level.playouts), greedy.bot, sight=0, learns=False)
    assert {one.action: one.mean for one in tries} == {Word.LOW: 100, Word.HIGH: -100}


def test_review_skips_side_bets() -> None:
    game = Game(contract, contract.options(), 2)
    round = game.deal(seed=3)
    round.play("high")
    round.play(round.legal[0])
    assert [one.action for one in decisions(round)] == [round.actions[1][1]]
