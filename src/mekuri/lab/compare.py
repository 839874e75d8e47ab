"""Compare the rules of a game: what each option value and preset changes, measured on the same deals.

Greedy bots play many deals, and the strongest character plays fewer. Each deal is played by the base rules and by every variant, so
the luck of the deal cancels out: the interval of a difference is far narrower than that of either mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from mekuri.bots import Budget, characters
from mekuri.bots.figures import Estimate, Z
from mekuri.bots.ours import greedy
from mekuri.cards.given import typed, whole_in
from mekuri.engine import executor as rules
from mekuri.engine.chance import Seed, plain_seed
from mekuri.engine.compiled import wrap
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.options import OptionInfo, all_texts, differing, info
from mekuri.lab import playout
from mekuri.lab.arena import Arena, Score
from mekuri.lab.shards import Done, Executor, Row, Store, Threads, about_game, play_shards, seed_text, summed
from mekuri.lab.simulate import Rounds, Simulating, estimate_of
from mekuri.match.game import Game, make_game

MEASURES = ("dealer", "points", "dealer_wins", "undecided", "actions", "decisions", "turns")
"""The measures of a round: the dealer's return, the greatest return, whether the dealer's side alone has it, whether no side alone
has it, and the numbers of actions, decisions and turns."""

BASE = "default"
BUDGET = Budget(200)
_MOST_VALUES = 8  # a number with a longer range is measured only at the values that are asked for
_SHARDS = {False: 32, True: 64}  # ranges of deals, of greedy bots and of the strongest character (True)
_SHORTEST = {False: 1000, True: 1}
_LONGEST = {False: 50_000, True: 10}
_SUFFIXES = ("", "_squares", "_difference", "_difference_squares")  # of the columns of a measure


@dataclass(frozen=True)
class Variant:
    """Rules that are measured.

    Attributes:
        names: its names: the base's `default`, `option=value`, or `preset name`; several if they come to the same options.
        game: the game with its options.
    """

    names: tuple[str, ...]
    game: Game


def variants(base: Game, only: Iterable[str] = ()) -> tuple[tuple[Variant, ...], dict[str, str]]:
    """Return the base rules and every variant of them, and why others are left out, by name.

    Args:
        base: the game and the options from which each variant differs.
        only: the options or presets to measure, each as `option`, `option=value` or a preset's name; all if empty.

    Raises:
        OptionError: the game has no such option, value or preset.
    """
    contract = base.contract
    wanted = [typed(word).strip() for word in only]
    named = {(name.replace("-", "_"), value) for name, _, value in (word.partition("=") for word in wanted)}
    usual = all_texts(base.options)
    asked: list[tuple[str, str, dict[str, Any]]] = []
    left_out: dict[str, str] = {}
    for option in info(contract.options):
        values = _values(option, named)
        if values is None:
            left_out[option.name] = (
                f"it takes any number from {option.least} to {option.most}: name one, such as {option.name}={option.most}"
            )
        asked += [(f"{option.name}={value}", base.preset, {**usual, option.name: value}) for value in values or ()]
    asked += [(f"preset {name}", name, {}) for name in contract.presets if name != base.preset and (not wanted or name in wanted)]
    for word in wanted:
        if word not in contract.presets and word.partition("=")[0].replace("-", "_") not in usual:
            raise OptionError(f"{base.id} has no option or preset {word}: it has {', '.join((*usual, *contract.presets))}")
    found: dict[Any, Variant] = {base.options: Variant((BASE,), base)}
    for name, preset, given in asked:
        try:
            game = make_game(base.id, preset, base.seats, given)
        except OptionError as error:
            left_out[name] = str(error)
            continue
        if game.options == base.options:
            if not given:
                left_out[name] = "its rounds are those of the base"
            continue
        known = found.get(game.options)
        found[game.options] = Variant((*known.names, name) if known else (name,), known.game if known else game)
    return tuple(found.values()), left_out


def _values(option: OptionInfo, named: set[tuple[str, str]]) -> Iterable[str] | None:
    """Return the values of an option that are measured; None if they must be named.

    Args:
        option: the option.
        named: the names that were given, each with a value or an empty text; all options are measured if there are none.
    """
    chosen = sorted(value for name, value in named if name == option.name and value)
    if chosen or (named and (option.name, "") not in named):
        return chosen
    if option.values or option.offered:
        return option.values or option.offered
    if not option.row and option.most - option.least < _MOST_VALUES:
        return map(str, range(option.least, option.most + 1))
    return None


def strongest(contract: Contract) -> str | None:
    """Return the name of the last of a game's characters, or of its own bots if it has some; None if it has neither."""
    found = characters(contract)
    return found[-1].id if found else None


@dataclass(frozen=True)
class Comparing:
    """A comparison, as a run in shards: each is one variant on a range of deals, by greedy bots or by the strongest character.

    Attributes:
        base: the game and the options from which each variant differs.
        variants: the base and the variants, as `variants` returns them.
        rounds: how many deals greedy bots play of each variant, from 1.
        pairs: the deals of the strongest character for each, with itself in all seats and against greedy bots in every seating.
        seed: the seed of the deals and of the bots' chance.
        budget: how much the strongest character may think about one action.
        plain: whether the rules run uncompiled; without Numba they always do.
    """

    base: Game
    variants: tuple[Variant, ...]
    rounds: int
    pairs: int
    seed: Seed = 0
    budget: Budget = BUDGET
    plain: bool = False

    def __post_init__(self) -> None:
        """Raise MekuriError if `rounds`, `pairs` or the seed is out of range."""
        for name, least in (("rounds", 1), ("pairs", 0)):
            number = whole_in(getattr(self, name), least, 1 << 30)
            if number is None:
                raise MekuriError(f"{name} is {least} to {1 << 30}, not {getattr(self, name)}")
            object.__setattr__(self, name, number)
        object.__setattr__(self, "seed", plain_seed(self.seed))

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """The bots that play: `greedy`, and the strongest character if it has deals to play."""
        best = strongest(self.base.contract) if self.pairs else None
        return (greedy.bot.id, best) if best else (greedy.bot.id,)

    @cached_property
    def runs(self) -> list[list[Simulating]]:
        """For each bot the simulation of each variant."""
        deals = (self.rounds, self.pairs)
        return [
            [Simulating(one.game, n, self.seed, (bot,), self.plain, self.budget) for one in self.variants]
            for bot, n in zip(self.bots, deals, strict=False)
        ]

    @cached_property
    def _parts(self) -> list[tuple[int, int, int, int]]:
        """For each shard the place of its bot and of its variant, and its first deal and the one after its last.

        All variants of a range follow each other, so a worker plays the base once for several of them.
        """
        found = []
        for bot, deals in zip(range(len(self.bots)), (self.rounds, self.pairs), strict=False):
            searches = bool(bot)
            size = min(_LONGEST[searches], max(_SHORTEST[searches], -(-deals // _SHARDS[searches])))
            for first in range(0, deals, size):
                found += [(bot, variant, first, min(first + size, deals)) for variant in range(len(self.variants))]
        return found

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return len(self._parts)

    @property
    def threads(self) -> int:
        """The most threads that are of use."""
        return max(self.runs[0][0].threads, self.shards if len(self.bots) > 1 else 1)

    def about(self) -> dict[str, Any]:
        """Return what the measures follow from; see `mekuri.lab.shards.Run`."""
        deals = {"seed": seed_text(self.seed), "rounds": self.rounds, "pairs": self.pairs, "playouts": self.budget.playouts}
        measured = {", ".join(one.names): differing(one.game.options) for one in self.variants}
        return about_game("lab", self.base, self.bots) | deals | {"milliseconds": self.budget.milliseconds, "variants": measured}

    def units(self, number: int) -> int:
        """Return 1: progress is counted in shards."""
        return 1

    def prepare(self) -> None:
        """Compile what the bots need in this process, or load it from the cache."""
        for of_bot in self.runs:
            of_bot[0].prepare()

    def worker(self) -> _Worker:
        """Return a worker that plays shards in one thread."""
        return _Worker(self)

    def play(self, progress: Done | None = None, executor: Executor | None = None, results: Store | None = None) -> Comparison:
        """Play all deals. Equal seeds and play-outs give equal measures with every executor.

        Args:
            progress: called with the number of shards just played.
            executor: the executor of the shards; None for threads of this process, one for each core.
            results: the store of finished shards; a shard that it has is not played again.

        Raises:
            MekuriError: as for `mekuri.lab.shards.play_shards`.
        """
        executor = executor or Threads()
        if isinstance(executor, Threads):
            self.prepare()
        rows = dict(play_shards(self, executor, results, progress))
        found: dict[tuple[int, int], list[Row]] = {}
        for number in sorted(rows):
            found.setdefault(self._parts[number][:2], []).append(rows[number])
        measured = {
            bot: tuple(self._measured(place, which, found[place, which]) for which in range(len(self.variants)))
            for place, bot in enumerate(self.bots)
        }
        return Comparison(self, measured, summed(rows.values()))

    def _measured(self, bot: int, which: int, rows: list[Row]) -> Measured:
        sums = {name: sum(row[name] for row in rows) for name, value in rows[0].items() if not isinstance(value, str)}
        run = self.runs[bot][which]
        counts = playout.add_counts([run.counts(row) for row in rows])
        return Measured(self.variants[which], self.bots[bot], sums, tuple(counts))


@dataclass(frozen=True)
class Measured:
    """What was measured of a variant with one bot.

    Attributes:
        variant: the variant.
        bot: the name of the bot.
        sums: the sums over all deals, by the names of the columns of a shard's row.
        counts: the statistics, at the places that `playout` names.
    """

    variant: Variant
    bot: str
    sums: Mapping[str, float]
    counts: tuple[int, ...]

    @property
    def rounds(self) -> int:
        """How many deals were played."""
        return int(self.sums["rounds"])

    def mean(self, measure: str) -> Estimate:
        """Return the mean of a measure."""
        return estimate_of(self.rounds, self.sums[measure], self.sums[f"{measure}_squares"])

    def difference(self, measure: str) -> Estimate:
        """Return the mean difference of a measure from the base on the same deals."""
        return self.mean(f"{measure}_difference")

    @property
    def deviation(self) -> float:
        """The standard deviation of the dealer's return."""
        return self.mean("dealer").error * sqrt(self.rounds)

    @property
    def changed(self) -> float:
        """The share of the deals that end with other returns than by the base rules."""
        return self.sums["changed"] / self.rounds

    @property
    def decided(self) -> float:
        """The share of the deals that another seat wins than by the base rules, or none, or where none did."""
        return self.sums["decided"] / self.rounds

    @property
    def score(self) -> Score | None:
        """The bot's score against greedy bots; None of greedy bots themselves."""
        if not self.sums["pairs"]:
            return None
        won, lost, tied = (int(self.sums[name]) for name in ("won", "lost", "tied"))
        return Score(self.bot, greedy.bot.id, won, lost, tied, self.sums["brought"], self.sums["brought_squares"])

    def shares(self) -> dict[str, dict[str, float]]:
        """Return the share of the rounds with each yaku and each ending, and how often each clause deals again in a round."""
        contract, n = self.variant.game.contract, self.rounds
        kinds = (("yaku", contract.yaku, playout.YAKU), ("endings", contract.endings, playout.ENDINGS))
        found = {kind: {id: self.counts[place + i] / n for i, id in enumerate(ids)} for kind, ids, place in kinds}
        return found | {"redeals": {id: self.counts[playout.REDEALS + i] / n for i, id in enumerate(contract.redeals)}}

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as a dict, ready for JSON. An estimate is its mean and half the width of its 95 % interval."""
        means = {measure: _pair(self.mean(measure)) for measure in MEASURES}
        differences = {measure: _pair(self.difference(measure)) for measure in MEASURES}
        found: dict[str, Any] = {"rounds": self.rounds, "means": means, "differences": differences, "deviation": self.deviation}
        found |= {"changed": self.changed, "decided": self.decided, **self.shares()}
        if score := self.score:
            found["skill"] = score.to_dict() | {"difference": _pair(estimate_of(score.pairs, *self._skill_sums()))}
        return found

    def _skill_sums(self) -> tuple[float, float]:
        return self.sums["brought_difference"], self.sums["brought_difference_squares"]


def _pair(one: Estimate) -> list[float]:
    return [float(one.mean), Z * one.error]


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        run: the run.
        measured: for each bot what was measured of each variant, the base first.
        checksum: a 64-bit checksum over every deal, signed.
    """

    run: Comparing
    measured: Mapping[str, tuple[Measured, ...]]
    checksum: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dict, ready for JSON."""
        about = {name: value for name, value in self.run.about().items() if name not in ("verb", "variants")}
        variants = [
            {"names": list(one.names), "options": differing(one.game.options)}
            | {"measured": {bot: found[place].to_dict() for bot, found in self.measured.items()}}
            for place, one in enumerate(self.run.variants)
        ]
        return about | {"variants": variants}

    def effects(self) -> dict[str, Any]:
        """Return the few figures that rule books show beside options, as `measured.json` in a game's folder holds them."""
        run = self.run
        found: dict[str, Any] = {"version": run.base.version, "seats": run.base.seats, "seed": str(run.seed)}
        found |= {"rounds": run.rounds, "pairs": run.pairs if len(run.bots) > 1 else 0, "playouts": run.budget.playouts}
        found["effects"] = {
            name: {bot: self._effect(rows[place]) for bot, rows in self.measured.items()}
            for place, one in enumerate(run.variants)
            for name in one.names
        }
        return found

    @staticmethod
    def _effect(one: Measured) -> dict[str, Any]:
        of_base = BASE in one.variant.names
        estimates = {measure: one.mean(measure) if of_base else one.difference(measure) for measure in ("dealer", "decisions")}
        found: dict[str, Any] = {measure: [_short(value) for value in _pair(estimate)] for measure, estimate in estimates.items()}
        found |= {} if of_base else {"changed": _short(one.changed), "decided": _short(one.decided)}
        if (score := one.score) and score.share is not None:
            found["skill"] = [_short(value) for value in (score.share, *score.interval)]
        return found


def _short(value: float) -> float:
    """Return a number with four significant digits."""
    return float(f"{value:.4g}")


class _Worker:
    """A worker of a comparison. It keeps the deals that it has last played by the base rules."""

    def __init__(self, run: Comparing) -> None:
        self._run = run
        self._players: dict[tuple[int, int], Rounds] = {}
        self._base: dict[int, tuple[int, _Deals]] = {}

    def play(self, number: int, done: Done) -> Row:
        """Play a variant on a range of deals; see `mekuri.lab.shards.Worker`."""
        run = self._run
        bot, which, first, last = run._parts[number]
        quiet: Callable[[int], object] = lambda _: done(0)  # noqa: E731 - ends the shard if the run has ended
        kept = self._base.get(bot)
        if kept and kept[0] == first:
            base = kept[1]
        else:
            base = self._deals(bot, 0, first, last, quiet)
            self._base[bot] = first, base
        deals = self._deals(bot, which, first, last, quiet) if which else base
        done(1)
        about = {"variant": ", ".join(run.variants[which].names), "bot": run.bots[bot], "first": first, "rounds": last - first}
        columns = {name: int(deals.counts[place]) for name, place in run.runs[bot][which].columns.items()}
        return about | columns | deals.compared(base) | {"checksum": deals.checksum}

    def close(self) -> None:
        """End what the bots have started."""
        for player in self._players.values():
            player.close()

    def _deals(self, bot: int, which: int, first: int, last: int, done: Done) -> _Deals:
        """Play a variant on a range of deals."""
        run = self._run
        player = self._players.setdefault((bot, which), run.runs[bot][which].worker())
        kept: list[Any] = []
        counts = [int(value) for value in player.played(first, last, done, kept)]
        game, brought, checksum = run.variants[which].game, [], counts[playout.CHECKSUM]
        if bot:
            arena = Arena(game, (run.bots[bot], greedy.bot.id), run.pairs, run.seed, run.budget)
            for won, paired in arena.played(run.bots[bot], greedy.bot.id, range(first, last), done):
                brought.append(won)
                checksum = wrap(checksum + paired)
        return _Deals(game.sides, kept, player.by, counts, brought, checksum)


@dataclass(frozen=True)
class _Deals:
    """A range of deals, played.

    Attributes:
        sides: the side of each seat.
        each: rows with the rounds, as `playout.play_rounds` writes them.
        by: the executor that has made the rows.
        counts: the statistics, at the places that `playout` names.
        brought: for each deal pair against greedy bots the bot's return per round above an average seat's; empty without them.
        checksum: the checksum over the deals.
    """

    sides: tuple[int, ...]
    each: list[Any]
    by: rules.Executor
    counts: list[int]
    brought: list[float]
    checksum: int

    def compared(self, base: _Deals) -> dict[str, Any]:
        """Return the sums of the measures of the deals, and of their differences from the base rules on the same deals."""
        sums, work = self.by.zeros(playout.SUMS), self.by.zeros(2 * playout.MEASURES)
        sides, base_sides = self.by.words(self.sides), self.by.words(base.sides)
        for each, other in zip(self.each, base.each, strict=True):
            rounds = len(each) // (playout.ROUND_RETURNS + len(self.sides))
            arguments = each, other, rounds, sides, base_sides, work, sums
            self.by.prepare(playout.compare_rounds, *arguments)
            self.by.call(playout.compare_rounds, *arguments)
        columns = [f"{measure}{suffix}" for measure in MEASURES for suffix in _SUFFIXES]
        found: dict[str, Any] = dict(zip((*columns, "changed", "decided"), map(int, sums), strict=True))
        brought, differences = self.brought, [one - other for one, other in zip(self.brought, base.brought, strict=True)]
        won, lost = sum(value > 0 for value in brought), sum(value < 0 for value in brought)
        found |= {"pairs": len(brought), "won": won, "lost": lost, "tied": len(brought) - won - lost}
        values = (brought, [one**2 for one in brought], differences, [one**2 for one in differences])
        return found | {f"brought{suffix}": float(sum(each)) for suffix, each in zip(_SUFFIXES, values, strict=True)}
