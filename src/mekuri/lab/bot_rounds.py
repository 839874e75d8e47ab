"""Simulated rounds of bots that cannot be compiled with the rules: bots that search, and bots in other processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mekuri.bots import Seen
from mekuri.bots.apart import Failed
from mekuri.engine.chance import Seed, fold, stream
from mekuri.engine.compiled import count, wrap
from mekuri.engine.contract import legal, undoing
from mekuri.engine.errors import MekuriError
from mekuri.lab.playout import ACTIONS, CHECKSUM, DECISIONS, count_end
from mekuri.match.game import Game


def play_rounds(
    game: Game, seed: Seed, first_round: int, rounds: int, bot: str, choose: Callable[[Seen, list[int]], int], counts: Any
) -> None:
    """Play rounds with the same bot in every seat, and add to `counts` as `playout.play_rounds` does.

    Args:
        game: the game and its options.
        seed: the seed of the deals and of the bot's chance.
        first_round: the number of the first round.
        rounds: how many rounds are played.
        bot: the bot's name, for error messages.
        choose: the bot's choice: from what a seat has seen and four words of chance to an action.
        counts: a row of `playout.COUNTS` ints.

    Raises:
        MekuriError: the bot has failed. No other bot takes its place, because the counts would not be its own.
    """
    for number in range(first_round, first_round + rounds):
        round = game.deal(seed=seed, number=number)
        while not round.over:
            seat = round.waiting[0]
            seen = round.seen(seat)
            counts[DECISIONS] += count(legal(seen.hidden, seat) & ~undoing(seen.hidden, seat)) > 1
            try:
                action = choose(seen, stream(seed, "bot", number, len(round.actions)))
            except Failed as failed:
                raise MekuriError(f"round {number}, seat {seat}: the bot {bot} {failed}") from None
            round.play(action, seat)
        checksum = fold(0, number)
        for seat, action in round.history:
            checksum = fold(checksum, seat << 6 | action)
        counts[ACTIONS] += len(round.history)
        counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(round._finished(), checksum, counts))
