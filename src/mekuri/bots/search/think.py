"""The search of `flat`: try each action of a seat in worlds that it may be in, and drop the weaker half as more is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import monotonic

from mekuri.bots.search import machine_code
from mekuri.bots.search.clear import BATCH, Batches
from mekuri.bots.search.flat import COUNTED, HONEST, SEEN, SQUARES, STATES, SUM, TRIED, WHOLE, WON, try_out
from mekuri.bots.search.later import memory
from mekuri.bots.search.worlds import Done, done_by_others
from mekuri.cards import each
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.contract import LAST_WORD, Contract
from mekuri.engine.executor import PLAIN
from mekuri.engine.fields import RoundState

PLAYOUTS = 1000  # the default: more bring little (docs/bots.md)
_CHUNK = 256  # play-outs between two looks at the clock: a millisecond of machine code
_PLAIN = 0.2  # the share of its time that a search in plain Python takes, because it holds up all other threads of the process


@dataclass(frozen=True)
class Tried:
    """The result of an action's play-outs.

    A seat wins its return in a play-out. For a side bet, it wins what the bet brings beside that. If the play-out stops before the
    end of the round, it wins the lead of its `outlook` over the best other side's.

    Attributes:
        action: the action.
        worlds: in how many worlds it was tried. Of two actions, the one tried in fewer was tried in the first of the other's.
        mean: the mean of what the seat won.
        error: the standard error of `mean`.
        won: in how many of the worlds the seat won more than 0.
    """

    action: int
    worlds: int
    mean: float
    error: float
    won: int


@dataclass
class Notes:
    """The results of play-outs world by world, from which reasons are found.

    Attributes:
        worlds: the worlds, in order. They are dealt from what the seat has seen, and hold nothing else that is hidden from it.
        won: for each action what the seat won with it in each world, from the first; shorter for an action that was dropped.
        finals: likewise the state at the end of each play-out.
        states: whether worlds and finals are noted, which takes most of the time; else only what was won.
    """

    worlds: list[RoundState] = field(default_factory=list)
    won: dict[int, list[int]] = field(default_factory=dict)
    finals: dict[int, list[RoundState]] = field(default_factory=dict)
    states: bool = True


def think(
    seen: Seen,
    chance: list[int],
    budget: Budget,
    bot: Bot,
    open_cards: int = HONEST,
    sight: int = WHOLE,
    notes: Notes | None = None,
    learns: bool = True,
    until_clear: bool = False,
    among: int | None = None,
) -> list[Tried]:
    """Try each action of a seat in worlds that it may be in, and return the results, best first.

    Actions that were tried longer come before actions that were dropped earlier. Equal chance and play-outs give equal results,
    plain and compiled, with notes and without. A limit of milliseconds only cuts the search short, and never before every action
    has been tried once.

    Args:
        seen: what the seat has seen.
        chance: four words, from which the worlds are drawn; they are advanced.
        budget: how many rounds may be played out, and for how long.
        bot: the bot that plays rounds out; its choice must be rules text.
        open_cards: HONEST, HANDS_OPEN or OPEN (see `flat`).
        sight: after how many of the seat's own turns a play-out stops; WHOLE for the end of the round (see `flat`).
        notes: notes to which the results of each world are added; that takes longer.
        learns: whether the seat plays its own later turns by its `prospect`, or, where the game has none, by what has won most in
            earlier play-outs (see `later`); else it plays them as the bot does.
        until_clear: whether actions are dropped as soon as it is clear (99.9 %) that they are not the best, from some 16,000
            play-outs on; the search ends when one remains.
        among: the set of the actions that are tried, at least one; every choice of the seat if left out.
    """
    done = done_by_others(seen) if open_cards == HONEST else ()
    trial = Trial(seen.hidden, seen.seat, chance, bot, open_cards, sight, done, playouts(budget) if learns else None)
    late = deadline(seen.hidden.contract, bot, budget)
    alive = choices_of(seen.hidden, seen.seat) if among is None else among
    # With too few play-outs to try each action twice, none can be dropped.
    stages = max(1, (count(alive) - 1).bit_length()) if count(alive) < playouts(budget) else 1
    each_stage = max(1, playouts(budget) // stages)
    ranked: list[int] = []  # the dropped actions, best first
    batches = Batches() if until_clear else None
    for stage in range(stages):
        left_out = trial.compare(alive, max(1, each_stage // count(alive)), late, notes, batches)
        alive &= ~sum(1 << action for action in left_out)
        in_order = sorted(each(alive), key=lambda action: -trial.tried(action).mean)
        kept = len(in_order) if stage == stages - 1 else (len(in_order) + 1) // 2
        ranked = [*in_order[kept:], *left_out, *ranked]
        alive = sum(1 << action for action in in_order[:kept])
        if count(alive) == 1 or (late is not None and monotonic() > late):
            break
    chance[:] = trial.chance
    return [trial.tried(action) for action in [*in_order[:kept], *ranked]]


def promises(contract: Contract) -> bool:
    """Return whether a game has a `prospect` function of its own."""
    return contract.has("prospect")


def playouts(budget: Budget) -> int:
    """Return how many rounds a budget allows to play out; `PLAYOUTS` where it sets no limit."""
    return PLAYOUTS if budget.playouts is None else budget.playouts


def deadline(contract: Contract, bot: Bot, budget: Budget) -> float | None:
    """Return when a search that begins now must end, in seconds of `time.monotonic`; None where the budget has no time limit."""
    if budget.milliseconds is None:
        return None
    share = _PLAIN if machine_code.executor(contract, bot) is PLAIN else 1.0
    return monotonic() + budget.milliseconds / 1000 * share


class Trial:
    """The states and counts of one search, as its executor has them."""

    def __init__(
        self,
        hidden: RoundState,
        seat: int,
        chance: list[int],
        bot: Bot,
        open_cards: int,
        sight: int = WHOLE,
        done: Sequence[Done] = (),
        learns: int | None = None,
    ) -> None:
        self._seat, self._how = seat, (open_cards, sight)
        self._kind = type(hidden)
        self._run = run = machine_code.executor(hidden.contract, bot)
        self._states = run.states(hidden.contract, STATES + bot.states)
        run.write(self._states, SEEN, hidden)
        self._past = run.states(hidden.contract, len(done))
        for i, one in enumerate(done):
            run.write(self._past, i, one.before)
        self._done = run.words(part for one in done for part in (one.seat, one.action, one.played))
        self._chance, self._luck, self._tally = run.words(chance), run.zeros(8), run.zeros(COUNTED * (LAST_WORD + 1))
        self._kept = run.words([] if learns is None else memory(0 if promises(hidden.contract) else learns))
        self._bot = run.bot(bot)

    @property
    def chance(self) -> list[int]:
        """The four words from which the next world would be drawn."""
        return [int(word) for word in self._chance]

    def more(self, actions: int, worlds: int, late: float | None = None, notes: Notes | None = None) -> None:
        """Try actions in more worlds.

        Args:
            actions: the set of the actions.
            worlds: in how many worlds each is tried.
            late: when to stop even before that, in seconds of `time.monotonic`; None for never.
            notes: notes to which the results of each world are added.
        """
        all_at_once = late is None and notes is None
        most = worlds if all_at_once else 1 if self._run is PLAIN else max(1, _CHUNK // max(1, count(actions)))
        now = most if notes is None else 1  # to take notes lasts longer than to play: the first look comes early
        while worlds > 0:
            self._try(actions, min(now, worlds), notes)
            worlds, now = worlds - now, min(2 * now, most)
            if late is not None and monotonic() > late:
                return

    def compare(
        self, actions: int, worlds: int, late: float | None = None, notes: Notes | None = None, batches: Batches | None = None
    ) -> list[int]:
        """Try actions in more worlds as `more` does; with `batches`, drop actions that are clearly not the best.

        Returns the dropped actions, best first.
        """
        if batches is None:
            self.more(actions, worlds, late, notes)
            return []
        left, out, goes_on = actions, list[int](), True
        while goes_on:
            now, before = min(worlds, max(1, BATCH // count(left))), {action: self._sum(action) for action in each(left)}
            self.more(left, now, late, notes)
            worlds -= now
            in_order = sorted(each(left), key=lambda action: -self.tried(action).mean)
            goes_on = worlds > 0 and (late is None or monotonic() <= late)
            if goes_on:
                batches.add({action: (self._sum(action) - before[action]) / now for action in in_order})
                behind = batches.behind(in_order, in_order[0])
                out = [*behind, *out]
                left &= ~sum(1 << action for action in behind)
                goes_on = count(left) > 1
        return out

    def _sum(self, action: int) -> int:
        return int(self._tally[action * COUNTED + SUM])

    def _try(self, actions: int, worlds: int, notes: Notes | None) -> None:
        """Try actions in more worlds in one go."""
        n = max(1, count(actions))
        brought = self._run.zeros(worlds * n if notes else 0)
        ends = self._run.states(self._kind.contract, worlds * (n + 1) if notes and notes.states else 0)
        rows = self._chance, self._luck, self._bot, self._tally, self._past, self._done, self._kept, brought, ends
        self._run.call(try_out, self._states, self._seat, actions, *self._how, worlds, *rows)
        if notes:
            for i, action in enumerate(each(actions)):
                notes.won.setdefault(action, []).extend(int(won) for won in brought[i::n])
                notes.finals.setdefault(action, []).extend(self._run.read(ends[i + 1 :: n + 1], self._kind))
            notes.worlds.extend(self._run.read(ends[:: n + 1], self._kind))

    def tried(self, action: int) -> Tried:
        """Return the result of an action so far; it must have been tried."""
        row = [int(counted) for counted in self._tally[action * COUNTED : (action + 1) * COUNTED]]
        n, mean = row[TRIED], row[SUM] / row[TRIED]
        spread = max(0.0, row[SQUARES] / n - mean * mean)
        return Tried(action, n, mean, sqrt(spread / max(1, n - 1)), row[WON])
