"""Bots against each other: the same deals in every seating, so that what the deal brought cancels out.

A *pair* is one deal, played once for each seat that the first bot can have; the second has all other seats. What the first wins in
these rounds, less what a seat wins in them on average, decides the pair; where that is nothing the pair is a tie. Most of what a
round brings comes from its deal, so pairs tell in hundreds what rounds tell in tens of thousands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, islice
from math import sqrt
from typing import Any

from mekuri.bots import Bot, Budget, find
from mekuri.bots.ours import greedy
from mekuri.bots.ours.flat import bot as FLAT
from mekuri.bots.search.flat import HANDS_OPEN, OPEN
from mekuri.bots.search.think import think
from mekuri.engine.bot import Seen
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import available, count
from mekuri.engine.contract import legal, undoing
from mekuri.engine.errors import MekuriError
from mekuri.match.game import Game
from mekuri.match.round import Round

_Z = 1.959964  # 95 %
_CLEAR = 3.290527  # 99.9 %: looked at often, a rule that stops needs more
_LOOK = 50  # decided pairs between two looks at whether it is clear

CEILINGS = {"open-cards": OPEN, "hands-open": HANDS_OPEN}
"""What is measured beside bots: the search of `flat` where all cards are open, and where all but the order of the stock is."""


@dataclass
class Score:
    """What came of the pairs of two bots.

    Attributes:
        first, second: the bots.
        won, lost, tied: pairs, as the first bot sees them.
        total, squares: of what pairs brought the first bot a round, less what a seat had on average.
    """

    first: str
    second: str
    won: int = 0
    lost: int = 0
    tied: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def pairs(self) -> int:
        """How many were played."""
        return self.won + self.lost + self.tied

    @property
    def share(self) -> float | None:
        """The share of decided pairs that the first has won; None where none is decided."""
        decided = self.won + self.lost
        return self.won / decided if decided else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share (Wilson, 1927)."""
        return wilson(self.won, self.won + self.lost, _Z)

    @property
    def mean(self) -> float:
        """What the first wins a round, less what a seat wins on average: where what one wins another loses, what it wins."""
        return self.total / self.pairs if self.pairs else 0.0

    @property
    def error(self) -> float:
        """Half of the 95 % interval of that."""
        n = self.pairs
        return _Z * sqrt(max(0.0, self.squares / n - self.mean**2) / (n - 1)) if n > 1 else 0.0

    @property
    def clear(self) -> bool:
        """Whether it is beyond doubt which is the stronger."""
        least, most = wilson(self.won, self.won + self.lost, _CLEAR)
        return least > 0.5 or most < 0.5

    def add(self, brought: float) -> None:
        """Count a pair."""
        self.total += brought
        self.squares += brought * brought
        if brought > 0:
            self.won += 1
        elif brought < 0:
            self.lost += 1
        else:
            self.tied += 1

    def to_dict(self) -> dict[str, Any]:
        """The figures as one object, ready for JSON."""
        least, most = self.interval
        counts = {"won": self.won, "lost": self.lost, "tied": self.tied, "share": self.share, "share_95": [least, most]}
        return {"first": self.first, "second": self.second, "pairs": self.pairs, **counts, "mean": self.mean, "mean_95": self.error}


@dataclass(frozen=True)
class Arena:
    """Bots that play each other.

    Attributes:
        game: the game and its options.
        bots: their names; a ceiling's too.
        pairs: of deals, for each two bots.
        seed: of the deals; the bots' chance comes from it as well.
        budget: what a bot may think about one action.
        until_clear: whether two bots stop as soon as it is beyond doubt which is the stronger.
    """

    game: Game
    bots: tuple[str, ...]
    pairs: int
    seed: Seed = 0
    budget: Budget = field(default=Budget())
    until_clear: bool = False

    def __post_init__(self) -> None:
        """Raises MekuriError for bots that there are not, or fewer than two, or no pairs."""
        if len(set(self.bots)) < 2 or len(set(self.bots)) < len(self.bots):
            raise MekuriError("an arena is for two bots or more, each of them named once")
        if not 1 <= self.pairs <= 1 << 30:
            raise MekuriError(f"pairs is 1 to {1 << 30}, not {self.pairs}")
        for name in self.bots:
            if name not in CEILINGS:
                find(name, self.game.contract)

    def prepare(self) -> None:
        """Compile what searches need, or load it from the cache. Where Numba is missing they run plain."""
        for name in self.bots if available() else ():
            prepare = FLAT.prepare if name in CEILINGS else find(name, self.game.contract).prepare
            if prepare:
                prepare(self.game.contract)

    def play(self, progress: Callable[[int], object] | None = None) -> list[Score]:
        """Play every two bots, and say what came of it. Equal seeds and play-outs give equal scores, on however many cores."""
        scores = []
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for first, second in combinations(self.bots, 2):
                score = Score(first, second)
                for brought in _in_order(pool, partial(self.pair, first, second), self.pairs):
                    score.add(brought)
                    if progress:
                        progress(1)
                    if self.until_clear and (score.won + score.lost) % _LOOK == 0 and score.won + score.lost and score.clear:
                        break
                scores.append(score)
        return scores

    def pair(self, first: str, second: str, number: int) -> float:
        """What a pair brings the first bot a round, less what a seat wins on average."""
        rounds = [self._round(first, second, number, own).returns for own in range(self.game.seats)]
        return sum(won[own] - sum(won) / len(won) for own, won in enumerate(rounds)) / len(rounds)

    def _round(self, first: str, second: str, number: int, own: int) -> Round:
        round = self.game.deal(seed=self.seed, number=number)
        while not round.over:
            for seat in round.waiting_in_turn:
                choices = legal(round._state, seat) & ~undoing(round._state, seat)
                if not choices:
                    continue  # somebody else's answer has settled it
                if count(choices) == 1:
                    action = choices.bit_length() - 1
                else:
                    chance = stream(self.seed, "arena", number, own, len(round.actions))
                    action = self._choose(first if seat == own else second, round, seat, chance)
                round.play(action, seat)
        return round

    def _choose(self, name: str, round: Round, seat: int, chance: list[int]) -> int:
        if name in CEILINGS:
            return think(Seen(round._state, seat), chance, self.budget, greedy.bot, CEILINGS[name])[0].action
        bot: Bot = find(name, round.contract)
        seen = Seen(round.hidden(seat), seat) if bot.compiled else round.seen(seat)
        return bot.choose(seen, chance, self.budget)


def _in_order(pool: ThreadPoolExecutor, play: Callable[[int], float], pairs: int) -> Iterator[float]:
    """What pairs bring, in order; a few are played ahead of the one that is waited for."""
    numbers = iter(range(pairs))
    waiting = [pool.submit(play, number) for number in islice(numbers, 2 * (os.cpu_count() or 1))]
    try:
        while waiting:
            yield waiting.pop(0).result()
            waiting += [pool.submit(play, number) for number in islice(numbers, 1)]
    finally:
        for future in waiting:
            future.cancel()


def wilson(won: int, of: int, z: float) -> tuple[float, float]:
    """The interval of a share by Wilson's score; from 0 to 1 where nothing is known."""
    if of == 0:
        return 0.0, 1.0
    middle = won / of + z * z / (2 * of)
    half = z * sqrt(won / of * (1 - won / of) / of + z * z / (4 * of * of))
    return (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)
