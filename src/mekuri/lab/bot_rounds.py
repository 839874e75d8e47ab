"""Rounds of bots that cannot be compiled with the rules: bots that search, and bots in other processes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, ClassVar

from mekuri.bots import Bot, Budget, Seen, here, look_up
from mekuri.bots.apart import Apart, Failed
from mekuri.cards.given import whole_in
from mekuri.engine.chance import Seed, fold, plain_seed, stream
from mekuri.engine.compiled import available, wrap
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.lab.playout import ACTIONS, CHECKSUM, DECISIONS, ROUND_RETURNS, count_end, keep_round
from mekuri.lab.shards import about_game, seed_text
from mekuri.match.game import Game
from mekuri.match.round import Round

BUDGET = Budget(100)
LIMIT = 60.0  # seconds
_MOST_ROUNDS = 1 << 40
_SHARDS = 32  # in so many a run is cut, unless they would be too short or too long

Chooser = Callable[[Sequence[tuple[Round, int]], Sequence[list[int]]], list[int]]
"""A bot's choices: from several rounds, each with the seat that is to act and four words of chance, to an action for each."""

Decided = Callable[[int, Round, int, int], object]
"""A function that is called before each decision is played, with the number of the round, the round, the seat and the action."""


@dataclass(frozen=True)
class Seated:
    """A round that is to be played.

    Attributes:
        number: the number of its deal.
        bots: the name of the bot in each seat.
        chance: the path of the streams of the bots' chance, before the number of actions.
    """

    number: int
    bots: Sequence[str]
    chance: tuple[int | str, ...]


@dataclass(frozen=True)
class RunOfBots:
    """Rounds that bots play, as a run in shards of as many rounds each. A subclass says what is kept of them.

    Attributes:
        game: the game and its options.
        rounds: how many rounds are played, from 1.
        seed: equal seeds give equal rounds, plain and compiled, with every executor.
        bots: the names of the bots.
        plain: whether the rules run uncompiled; without Numba they always do.
        budget: how much a bot that is not rules text may think about one action.
        limit: the most seconds that a bot of another package may take for one action; Mekuri's own are not limited.
    """

    verb: ClassVar[str]  # the name of the run, such as `simulate`
    shortest: ClassVar[Mapping[bool, int]]  # rounds of a shard: of bots of rules text (True), with one that searches (False)
    longest: ClassVar[Mapping[bool, int]]

    game: Game
    rounds: int
    seed: Seed = 0
    bots: tuple[str, ...] = ("random",)
    plain: bool = False
    budget: Budget = BUDGET
    limit: float = LIMIT

    def __post_init__(self) -> None:
        """Raise MekuriError if there is no such bot, or `rounds` or the seed is out of range."""
        rounds = whole_in(self.rounds, 1, _MOST_ROUNDS)
        if rounds is None:
            raise MekuriError(f"rounds is 1 to {_MOST_ROUNDS}, not {self.rounds}")
        for bot in self.bots:
            look_up(bot, self.game.contract)
        object.__setattr__(self, "rounds", rounds)
        object.__setattr__(self, "seed", plain_seed(self.seed))

    @property
    def of_rules(self) -> bool:
        """Whether all bots are rules text."""
        return all(look_up(bot, self.game.contract).compiled for bot in self.bots)

    @property
    def size(self) -> int:
        """How many rounds a shard has; the last may have fewer."""
        return min(self.longest[self.of_rules], max(self.shortest[self.of_rules], -(-self.rounds // _SHARDS)))

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return -(-self.rounds // self.size)

    def about(self) -> dict[str, Any]:
        """Return what the results follow from; see `mekuri.lab.shards.Run`."""
        return about_game(self.verb, self.game, self.bots) | {
            "seed": seed_text(self.seed),
            "rounds": self.rounds,
            "playouts": None if self.of_rules else self.budget.playouts,
            "milliseconds": None if self.of_rules else self.budget.milliseconds,
        }

    def units(self, number: int) -> int:
        """Return how many rounds a shard has."""
        return min(self.size, self.rounds - number * self.size)

    def prepare(self) -> None:
        """Compile what the run needs in this process, or load it from the cache."""
        if self.plain or not available():
            return
        if self.of_rules:
            self.prepare_rules()
            return
        for ours in filter(None, (here(bot, self.game.contract) for bot in self.bots)):
            if ours.prepare:
                ours.prepare(self.game.contract)

    def prepare_rules(self) -> None:
        """Compile the loop that plays with bots of rules text, or load it from the cache."""
        raise NotImplementedError


def chooser(bot: str, contract: Contract, budget: Budget, apart: Apart) -> Chooser:
    """Return how to ask a bot: in this process if it is trusted to run here, else in processes of its own."""
    ours = here(bot, contract)
    return asking(ours, contract, budget) if ours else _asking(partial(apart.choose_each, bot, budget=budget))


def asking(bot: Bot, contract: Contract, budget: Budget) -> Chooser:
    """Return how to ask a bot in this process."""
    # Most of Mekuri's own bots use only the hidden state, and listing what the seat has seen takes time.
    return _asking(partial(bot.choose_each, budget=budget), bot.looks_back or here(bot.id, contract) is not bot)


def _asking(choose_each: Callable[..., list[int]], past: bool = True) -> Chooser:
    return lambda asked, chances: choose_each(
        [round.seen(seat) if past else Seen(round.hidden(seat), seat) for round, seat in asked], chances
    )


def first_waiting(round: Round) -> Iterable[int]:
    """Return the first of the seats that are to act, as loops of rules text do."""
    return (round.waiting[0],)


def in_turn(round: Round) -> Iterator[int]:
    """Yield the seats that are to act in the order of bots at a table, each once those before it have acted."""
    # Another seat's action may have made this seat's unnecessary.
    return (seat for seat in round.waiting_in_turn if round.choices(seat, undo=False))


def play_together(
    game: Game,
    seed: Seed,
    dealer: int,
    seated: Sequence[Seated],
    choosers: Mapping[str, Chooser],
    decided: Decided,
    order: Callable[[Round], Iterable[int]] = first_waiting,
) -> list[Round]:
    """Play rounds side by side to their ends. A bot is asked about all rounds that wait for it at once.

    So no bot is asked more often than the longest round has decisions. The actions of a round follow from the seed and from how it
    is seated, whatever the other rounds are.

    Args:
        game: the game and its options.
        seed: the seed of the deals and of the bots' chance.
        dealer: the seat that deals every round.
        seated: the rounds.
        choosers: the choices of each bot.
        decided: a function that is given every choice between two or more actions.
        order: a function that returns which of the waiting seats of a round act next.

    Raises:
        MekuriError: a bot has failed. No other bot takes its place, because the rounds would not be its own.
    """
    rounds = [game.deal(seed, dealer, one.number) for one in seated]
    choices = [_choices(round, order) for round in rounds]
    while True:
        waiting: defaultdict[str, list[tuple[Seated, Round, int]]] = defaultdict(list)
        for one, round, seats in zip(seated, rounds, choices, strict=True):
            if (seat := next(seats, None)) is not None:
                waiting[one.bots[seat]].append((one, round, seat))
        if not waiting:
            return rounds
        for bot, asked in waiting.items():
            chances = [stream(seed, *one.chance, len(round.actions)) for one, round, _ in asked]
            try:
                actions = choosers[bot]([(round, seat) for _, round, seat in asked], chances)
            except Failed as failed:
                (first, _, seat), (last, *_) = asked[0], asked[-1]
                where = f"round {first.number}, seat {seat}" if first is last else f"rounds {first.number} to {last.number}"
                raise MekuriError(f"{where}: the bot {bot} {failed}") from None
            for (one, round, seat), action in zip(asked, actions, strict=True):
                decided(one.number, round, seat, action)
                round.play(action, seat)


def _choices(round: Round, order: Callable[[Round], Iterable[int]]) -> Iterator[int]:
    """Yield each seat that has a choice, until the round is over; the caller plays its action before it asks for the next."""
    while not round.over:
        for seat in order(round):
            choices = round.choices(seat, undo=False)
            if len(choices) == 1:
                round.play(choices[0], seat)
            else:
                yield seat


def history_checksum(checksum: int, round: Round) -> int:
    """Return a checksum with every action of a round added."""
    return reduce(fold, (seat << 6 | action for seat, action in round.history), checksum)


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
    seated = [Seated(number, bots, ("bot", number)) for number in numbers]
    for number, round in zip(numbers, play_together(game, seed, dealer, seated, choosers, decided), strict=True):
        checksum = history_checksum(fold(0, number), round)
        finished, actions = round._finished(), len(round.history)
        counts[ACTIONS] += actions
        counts[DECISIONS] += decisions[number]
        counts[CHECKSUM] = wrap(counts[CHECKSUM] + count_end(finished, checksum, counts))
        if each:
            keep_round(finished, actions, decisions[number], each, (number - first_round) * (ROUND_RETURNS + game.seats))
