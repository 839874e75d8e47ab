"""Rounds of bots that cannot be compiled with the rules: bots that search, and bots in other processes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from mekuri.bots import Budget, Seen, here
from mekuri.bots.apart import Apart, Failed
from mekuri.engine.chance import Seed, fold, stream
from mekuri.engine.compiled import wrap
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.lab.playout import ACTIONS, CHECKSUM, DECISIONS, ROUND_RETURNS, count_end, keep_round
from mekuri.match.game import Game
from mekuri.match.round import Round

Chooser = Callable[[Sequence[Seen], Sequence[list[int]]], list[int]]
"""A bot's choices: from what several seats have seen, and four words of chance for each, to an action for each."""

Decided = Callable[[int, Round, int, int], object]
"""A function that is called before each decision is played, with the number of the round, the round, the seat and the action."""


def chooser(bot: str, contract: Contract, budget: Budget, apart: Apart) -> Chooser:
    """Return how to ask a bot: in this process if it is trusted to run here, else in processes of its own."""
    ours = here(bot, contract)
    return partial(ours.choose_each, budget=budget) if ours else partial(apart.choose_each, bot, budget=budget)


def play_together(
    game: Game,
    seed: Seed,
    dealer: int,
    numbers: Sequence[int],
    seated: Callable[[int, int], str],
    choosers: Mapping[str, Chooser],
    decided: Decided,
) -> list[Round]:
    """Play rounds side by side to their ends. A bot is asked about all rounds that wait for it at once.

    The actions of a round follow from the seed and its number, whatever the other rounds are.

    Args:
        game: the game and its options.
        seed: the seed of the deals and of the bots' chance.
        dealer: the seat that deals every round.
        numbers: the numbers of the rounds.
        seated: the name of the bot that plays in a round, given by its number, in a seat.
        choosers: the choices of each bot.
        decided: a function that is given every choice between two or more actions.

    Raises:
        MekuriError: a bot has failed. No other bot takes its place, because the rounds would not be its own.
    """
    rounds = [game.deal(seed, dealer, number) for number in numbers]
    while any(not round.over for round in rounds):
        asking: defaultdict[str, list[tuple[int, Round, int]]] = defaultdict(list)
        for number, round in zip(numbers, rounds, strict=True):
            if not round.over:
                seat = round.waiting[0]
                choices = round.choices(seat, undo=False)
                if len(choices) == 1:
                    round.play(choices[0], seat)
                else:
                    asking[seated(number, seat)].append((number, round, seat))
        for bot, asked in asking.items():
            chances = [stream(seed, "bot", number, len(round.actions)) for number, round, _ in asked]
            try:
                actions = choosers[bot]([round.seen(seat) for _, round, seat in asked], chances)
            except Failed as failed:
                first, last = asked[0], asked[-1]
                where = f"round {first[0]}, seat {first[2]}" if first is last else f"rounds {first[0]} to {last[0]}"
                raise MekuriError(f"{where}: the bot {bot} {failed}") from None
            for (number, round, seat), action in zip(asked, actions, strict=True):
                decided(number, round, seat, action)
                round.play(action, seat)
    return rounds


def play_rounds(
    game: Game,
    seed: Seed,
    dealer: int,
    first_round: int,
    rounds: int,
    bots: Sequence[str],
    choosers: Mapping[str, Chooser],
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
        choosers: the choices of each bot.
        counts: a row of `playout.COUNTS` ints.
        each: a row for the single rounds, as in `playout.play_rounds`.

    Raises:
        MekuriError: a bot has failed.
    """
    decisions: Counter[int] = Counter()

    def decided(number: int, round: Round, seat: int, action: int) -> None:
        decisions[number] += 1

    numbers = range(first_round, first_round + rounds)
    played = play_together(game, seed, dealer, numbers, lambda number, seat: bots[seat], choosers, decided)
    for number, round in zip(numbers, played, strict=True):
        checksum = fold(0, number)
        for seat, action in round.history:
            checksum = fold(checksum, seat << 6 | action)
        finished, actions = round._finished(), len(round.history)
        counts[ACTIONS] += actions
        counts[DECISIONS] += decisions[number]
        counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(finished, checksum, counts))
        if each:
            keep_round(finished, actions, decisions[number], each, (number - first_round) * (ROUND_RETURNS + game.seats))
