"""Compare bots: they play the same deals in every seating, so that the luck of the deal cancels out.

A *deal pair* is one deal, played once for each side that the first bot can have; the second bot has all other sides. The first bot
wins the pair if its return in these rounds is above that of an average seat, and loses it if it is below; else the pair is a tie.
Most of a round's result comes from its deal, so hundreds of pairs say as much as tens of thousands of single rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from math import sqrt
from typing import Any

from mekuri.bots import Bot, Budget, UnknownBot, find
from mekuri.bots.figures import Z
from mekuri.bots.ours import greedy
from mekuri.bots.ours.flat import bot as FLAT
from mekuri.bots.search.flat import HANDS_OPEN, OPEN
from mekuri.bots.search.think import think
from mekuri.cards.given import whole_in
from mekuri.engine.bot import Seen
from mekuri.engine.chance import Seed, fold, plain_seed
from mekuri.engine.compiled import available, wrap
from mekuri.engine.errors import MekuriError
from mekuri.engine.sides import speakers
from mekuri.engine.validation import bot_fault
from mekuri.lab.bot_rounds import Chooser, Seated, asking, history_checksum, in_turn, play_together
from mekuri.lab.shards import Done, Executor, Row, Store, Threads, about_game, checksum_text, play_shards, seed_text
from mekuri.match.game import Game

_CLEAR = 3.290527  # 99.9 %: a test that is repeated until it succeeds needs a stricter level
_LOOK = 50  # decided pairs between two tests of whether the result is clear
_SHARDS = 64  # shards for the pairs of two bots, unless they would be too long
_LONGEST = 10  # pairs of a shard

CEILINGS = {"open-cards": OPEN, "hands-open": HANDS_OPEN}
"""What is measured beside bots: the search of `flat` with all cards open, and with all but the order of the stock open."""


@dataclass
class Score:
    """The result of the deal pairs between two bots.

    Attributes:
        first: the name of the first bot.
        second: the name of the second bot.
        won: how many pairs the first bot won.
        lost: how many pairs it lost.
        tied: how many pairs were tied.
        total: the sum over all pairs of the first bot's return per round above an average seat's.
        squares: the sum of the squares of the same.
        checksum: a 64-bit checksum over every pair, seat, action and return, signed.
    """

    first: str
    second: str
    won: int = 0
    lost: int = 0
    tied: int = 0
    total: float = 0.0
    squares: float = 0.0
    checksum: int = 0

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return self.won + self.lost + self.tied

    @property
    def share(self) -> float | None:
        """The share, 0 to 1, of the pairs without ties that the first bot has won; None if all are ties."""
        decided = self.won + self.lost
        return self.won / decided if decided else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `share`, (low, high) (Wilson, 1927)."""
        return wilson(self.won, self.won + self.lost, Z)

    @property
    def mean(self) -> float:
        """The first bot's mean return per round above an average seat's; in a zero-sum game, simply its mean return."""
        return self.total / self.pairs if self.pairs else 0.0

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of `mean`; 0 with fewer than two pairs."""
        n = self.pairs
        return Z * sqrt(max(0.0, self.squares / n - self.mean**2) / (n - 1)) if n > 1 else 0.0

    @property
    def clear(self) -> bool:
        """Whether it is clear which bot is the stronger: the 99.9 % interval of `share` does not contain one half."""
        least, most = wilson(self.won, self.won + self.lost, _CLEAR)
        return least > 0.5 or most < 0.5

    def add(self, brought: float, checksum: int = 0) -> None:
        """Count a pair.

        Args:
            brought: the first bot's return per round above an average seat's.
            checksum: the pair's checksum.
        """
        self.checksum = wrap(self.checksum + checksum)
        self.total += brought
        self.squares += brought * brought
        if brought > 0:
            self.won += 1
        elif brought < 0:
            self.lost += 1
        else:
            self.tied += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as a dict, ready for JSON."""
        least, most = self.interval
        counts = {"won": self.won, "lost": self.lost, "tied": self.tied, "share": self.share, "share_95": [least, most]}
        sums = {"mean": self.mean, "mean_95": self.error, "checksum": checksum_text(self.checksum)}
        return {"first": self.first, "second": self.second, "pairs": self.pairs, **counts, **sums}


@dataclass(frozen=True)
class Arena:
    """A tournament in which every two of several bots play each other. It is a run in shards, each of a few pairs of two bots.

    Attributes:
        game: the game and its options.
        bots: the bots, or their names; those of `CEILINGS` are allowed, too. A bot that can be found by its name is kept as that.
        pairs: how many deal pairs every two bots play.
        seed: the seed of the deals and of the bots' chance.
        budget: how much a bot may think about one action.
        until_clear: whether two bots stop as soon as it is clear which is the stronger. The score then flatters that one.
    """

    game: Game
    bots: tuple[str | Bot, ...]
    pairs: int
    seed: Seed = 0
    budget: Budget = field(default=Budget())
    until_clear: bool = False

    def __post_init__(self) -> None:
        """Raise MekuriError if a bot does not exist or is named twice, there are fewer than two, or `pairs` is out of range."""
        object.__setattr__(self, "bots", tuple(self._checked(bot) for bot in self.bots))
        if len(set(self.names)) < 2 or len(set(self.names)) < len(self.names):
            raise MekuriError("an arena is for two bots or more, each of them named once")
        pairs = whole_in(self.pairs, 1, 1 << 30)
        if pairs is None:
            raise MekuriError(f"pairs is 1 to {1 << 30}, not {self.pairs}")
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "seed", plain_seed(self.seed))

    def _checked(self, bot: str | Bot) -> str | Bot:
        """Return a bot, by its name if it has one here. Raise MekuriError if it does not exist, or another bot has its name."""
        if not isinstance(bot, str) and (fault := bot_fault(bot)):
            raise MekuriError(f"the bot {getattr(bot, 'id', bot)} {fault}")
        name = bot if isinstance(bot, str) else bot.id
        try:
            found = None if name in CEILINGS else find(name, self.game.contract)
        except UnknownBot:
            if bot is name:
                raise
            return bot
        if bot not in (name, found):
            raise MekuriError(f"there is another bot {name}: give yours another name")
        return name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bots."""
        return tuple(bot if isinstance(bot, str) else bot.id for bot in self.bots)

    @property
    def size(self) -> int:
        """How many pairs a shard has; the last of two bots may have fewer."""
        return min(_LONGEST, -(-self.pairs // _SHARDS))

    @property
    def shards(self) -> int:
        """How many shards there are, of every two bots as many."""
        return self._each * len(self._contests)

    @property
    def threads(self) -> int:
        """The most threads that are of use."""
        return self.shards

    def about(self) -> dict[str, Any]:
        """Return what the scores follow from; see `mekuri.lab.shards.Run`. They follow from `until_clear` only in their number."""
        budget = {"playouts": self.budget.playouts, "milliseconds": self.budget.milliseconds}
        deals = {"seed": seed_text(self.seed), "pairs": self.pairs}
        return about_game("arena", self.game, self.bots) | deals | budget

    def units(self, number: int) -> int:
        """Return how many pairs a shard has."""
        return len(self._pairs(number))

    def prepare(self) -> None:
        """Compile the bots' machine code, or load it from the cache. Does nothing if Numba is not installed."""
        for name in self.names if available() else ():
            if prepare := (FLAT if name in CEILINGS else self._bot(name)).prepare:
                prepare(self.game.contract)

    def _bot(self, name: str) -> Bot:
        """Return a bot by its name."""
        given = (bot for bot in self.bots if isinstance(bot, Bot) and bot.id == name)
        return next(given, None) or find(name, self.game.contract)

    def worker(self) -> _Pairs:
        """Return a worker that plays shards in one thread."""
        return _Pairs(self)

    def play(
        self,
        progress: Callable[[int], object] | None = None,
        executor: Executor | None = None,
        results: Store | None = None,
    ) -> list[Score]:
        """Play all pairs of every two bots. Equal seeds and play-outs give equal scores with every executor.

        Args:
            progress: called with the number of pairs just played.
            executor: the executor of the pairs; None for threads of this process, one for each core.
            results: the store of finished shards; a shard that it has is not played again.

        Returns:
            A score for every two bots.

        Raises:
            MekuriError: as for `mekuri.lab.shards.play_shards`.
        """
        scores = [Score(first, second) for first, second in self._contests]
        following = [self._each * contest for contest in range(len(scores))]  # of each two bots the shard that is counted next
        early: dict[int, Row] = {}
        clear = [False] * len(scores)

        def wanted() -> Iterator[int]:
            for number in range(self.shards):
                if not clear[number // self._each]:
                    yield number

        for number, row in play_shards(self, executor or Threads(), results, progress, wanted()):
            early[number] = row
            contest = number // self._each
            while following[contest] in early and not clear[contest]:
                clear[contest] = self._count(scores[contest], early.pop(following[contest]))
                following[contest] += 1
        return scores

    def _count(self, score: Score, row: Row) -> bool:
        """Add the pairs of a shard to a score, and return whether they are enough."""
        for brought, checksum in zip(row["brought"], row["checksums"], strict=True):
            score.add(brought, checksum)
            if self.until_clear and (score.won + score.lost) % _LOOK == 0 and score.won + score.lost and score.clear:
                return True
        return False

    @property
    def _contests(self) -> list[tuple[str, str]]:
        """Every two bots."""
        return list(combinations(self.names, 2))

    @property
    def _each(self) -> int:
        """How many shards two bots have."""
        return -(-self.pairs // self.size)

    def _pairs(self, number: int) -> range:
        """Return the numbers of the deals of a shard."""
        first = number % self._each * self.size
        return range(first, min(first + self.size, self.pairs))

    def played(self, first: str, second: str, deals: Sequence[int], done: Done) -> list[tuple[float, int]]:
        """Play deal pairs side by side.

        Args:
            first: the name of the first bot.
            second: the name of the second bot.
            deals: the numbers of the deals, from 0.
            done: called with 0 at each decision; what it raises ends the play.

        Returns:
            For each pair the first bot's return per round above an average seat's, and the pair's checksum.
        """
        sides, owns = self.game.sides, speakers(self.game.sides)
        bots = {own: [first if side == sides[own] else second for side in sides] for own in owns}
        seated = [Seated(deal, bots[own], ("arena", deal, own)) for deal in deals for own in owns]
        choosers = {name: self._chooser(name) for name in (first, second)}
        rounds = play_together(self.game, self.seed, 0, seated, choosers, lambda *_: done(0), in_turn)
        found = []
        for place, deal in enumerate(deals):
            checksum, pair = fold(0, deal), rounds[place * len(owns) : (place + 1) * len(owns)]
            for round in pair:
                checksum = reduce(fold, round.returns, history_checksum(checksum, round))
            found.append((gain(owns, [round.returns for round in pair]), checksum))
        return found

    def _chooser(self, name: str) -> Chooser:
        """Return how to ask a bot, or a search that is shown the cards."""
        if name in CEILINGS:
            return lambda asked, chances: [
                think(Seen(round._state, seat), chance, self.budget, greedy.bot, CEILINGS[name])[0].action
                for (round, seat), chance in zip(asked, chances, strict=True)
            ]
        return asking(self._bot(name), self.game.contract, self.budget)


class _Pairs:
    """A worker of an arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    def play(self, number: int, done: Done) -> Row:
        """Play the pairs of a shard; see `mekuri.lab.shards.Worker`."""
        deals, (first, second) = self._arena._pairs(number), self._arena._contests[number // self._arena._each]
        brought, checksums = map(list, zip(*self._arena.played(first, second, deals, done), strict=True))
        done(len(deals))
        sums = {"brought": brought, "checksums": checksums, "checksum": wrap(sum(checksums))}
        return {"first": first, "second": second, "deal": deals[0], "pairs": len(deals), **sums}

    def close(self) -> None:
        """Do nothing: there is nothing to end."""


def gain(owns: Sequence[int], returns: Sequence[Sequence[float]]) -> float:
    """Return how much a bot has won in the rounds of one deal, per round above an average seat.

    Args:
        owns: the bot's seat in each round.
        returns: the returns of all seats in each round.
    """
    return sum(won[own] - sum(won) / len(won) for own, won in zip(owns, returns, strict=True)) / len(returns)


def wilson(won: int, of: int, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share, (low, high); (0, 1) if `of` is 0.

    Args:
        won: how many of the trials were won.
        of: how many trials there were.
        z: the quantile of the normal distribution, such as 1.96 for 95 %.
    """
    if of == 0:
        return 0.0, 1.0
    middle = won / of + z * z / (2 * of)
    half = z * sqrt(won / of * (1 - won / of) / of + z * z / (4 * of * of))
    return (middle - half) / (1 + z * z / of), (middle + half) / (1 + z * z / of)
