"""Rounds played by bots that think in other processes."""

from __future__ import annotations

from typing import Any

from mekuri.bots import Budget
from mekuri.bots.apart import Apart, Failed
from mekuri.engine.chance import Seed, fold, stream
from mekuri.engine.compiled import count, wrap
from mekuri.engine.contract import legal, undoing
from mekuri.engine.errors import MekuriError
from mekuri.lab.playout import ACTIONS, CHECKSUM, DECISIONS, count_end
from mekuri.match.game import Game


def play_rounds_apart(
    game: Game, seed: Seed, first_round: int, rounds: int, bot: str, apart: Apart, budget: Budget, counts: Any
) -> None:
    """Play rounds with the same bot in every seat, and add to `counts` as `playout.play_rounds` does.

    Raises MekuriError where the bot fails: nobody plays for it here, or it would not be its rounds that are counted.
    """
    for number in range(first_round, first_round + rounds):
        round = game.deal(seed=seed, number=number)
        while not round.over:
            seat = round.waiting[0]
            seen = round.seen(seat)
            counts[DECISIONS] += count(legal(seen.hidden, seat) & ~undoing(seen.hidden, seat)) > 1
            try:
                action = apart.choose(bot, seen, stream(seed, "bot", number, len(round.actions)), budget)
            except Failed as failed:
                raise MekuriError(f"round {number}, seat {seat}: the bot {bot} {failed}") from None
            round.play(action, seat)
        checksum = fold(0, number)
        for seat, action in round.history:
            checksum = fold(checksum, seat << 6 | action)
        counts[ACTIONS] += len(round.history)
        counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(round._finished(), checksum, counts))
