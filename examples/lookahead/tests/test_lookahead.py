"""Tests of the bot alone: `pytest examples/lookahead/tests`."""

import sys
from pathlib import Path

import pytest

import mekuri
from mekuri import games
from mekuri.bots import Budget, Player, Seen
from mekuri.engine.chance import stream

sys.path.insert(0, str(Path(__file__).parents[1]))
from mekuri_lookahead import bot


@pytest.mark.parametrize("name", games.names())
def test_it_plays_every_game(name: str) -> None:
    """It plays legally, and repeats its choice with the same chance and budget."""
    round = mekuri.game(name).deal(seed=1)
    while not round.over:
        seat = round.waiting[0]
        same = [bot.choose(round.seen(seat), stream("chance"), Budget(playouts=4)) for _ in range(2)]
        assert same[0] == same[1]
        round.play(same[0], seat)


def test_it_needs_no_time() -> None:
    """It chooses a legal action even without any time."""
    round = mekuri.game("mushi").deal(seed=1)
    seat = round.waiting[0]
    assert bot.choose(Seen(round.hidden(seat), seat), stream("chance"), Budget(milliseconds=0)) in range(63)


def test_it_wins_from_random() -> None:
    """Each deal is played from either seat, and the two results are summed."""
    won = 0
    for deal in range(12):
        for seat in (0, 1):
            round, other = mekuri.game("mushi").deal(seed=deal), Player("random", seed=deal)
            while not round.over:
                asked = round.waiting[0]
                if asked == seat:
                    round.play(bot.choose(round.seen(seat), stream(deal, len(round.actions)), Budget(playouts=30)), seat)
                else:
                    round.play(other.choose(round.hidden(asked), asked), asked)
            won += round.returns[seat] - round.returns[1 - seat]
    assert won > 100
