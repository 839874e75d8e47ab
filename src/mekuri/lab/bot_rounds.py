"""Simulated rounds of bots that cannot be compiled with the rules: bots that search, and bots in other processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mekuri.bots import Seen
from mekuri.bots.apart import Failed
from mekuri.engine.chance import Seed, fold, stream
from mekuri.engine.compiled import count, wrap
from mekuri.engine.contract import legal, undoing
from mekuri.engine.errors import MekuriError
from mekuri.lab.playout import ACTIONS, CHECKSUM, DECISIONS, ROUND_RETURNS, count_end, keep_round
from mekuri.match.game import Game


def play_rounds(
    game: Game,
    seed: Seed,
    dealer: int,
    first_round: int,
    rounds: int,
    bots: Sequence[str],
    choose: Callable[[str, Seen, list[int]], int],
    counts: Any,
    each: Any = (),
) -> None:
    """Play rounds with a bot for each seat, and add to `counts` as `playout.play_rounds` does.

    Args:
        game: the game and its options.
        seed: the seed of the deals and of the bots' chance.
        dealer: the seat that deals every round.
        first_round: the number of the first round.
        rounds: how many rounds are played.
        bots: the name of the bot in each seat.
        choose: a bot's choice: from its name, what its seat has seen, and four words of chance to an action.
        counts: a row of `playout.COUNTS` ints.
        each: a row for the single rounds, as in `playout.play_rounds`.

    Raises:
        MekuriError: a bot has failed. No other bot takes its place, because the counts would not be its own.
    """
    for number in range(first_round, first_round + rounds):
        round, decisions = game.deal(seed, dealer, number), 0
        while not round.over:
            seat = round.waiting[0]
            seen = round.seen(seat)
            decisions += count(legal(seen.hidden, seat) & ~undoing(seen.hidden, seat)) > 1
            try:
                action = choose(bots[seat], seen, stream(seed, "bot", number, len(round.actions)))
            except Failed as failed:
                raise MekuriError(f"round {number}, seat {seat}: the bot {bots[seat]} {failed}") from None
            round.play(action, seat)
        checksum = fold(0, number)
        for seat, action in round.history:
            checksum = fold(checksum, seat << 6 | action)
        finished, actions = round._finished(), len(round.history)
        counts[ACTIONS] += actions
        counts[DECISIONS] += decisions
        counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(finished, checksum, counts))
        if each:
            keep_round(finished, actions, decisions, each, (number - first_round) * (ROUND_RETURNS + game.seats))
