"""What a seat thinks of its actions: each tried in worlds it may be in, the weaker half left out as more is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from time import monotonic
from typing import Any

from mekuri.bots.search import machine_code
from mekuri.bots.search.clear import BATCH, Batches
from mekuri.bots.search.flat import COUNTED, HONEST, SQUARES, STATES, SUM, TRIAL, TRIED, WHOLE, WON, WORLD, try_out
from mekuri.bots.search.later import memory
from mekuri.bots.search.worlds import Done, done_by_others
from mekuri.bots.workspace import workspace
from mekuri.cards import each
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.contract import LAST_WORD, Contract, over, returns, yaku_of
from mekuri.engine.fields import RoundState, copy

PLAYOUTS = 1000  # where nobody says otherwise: more bring little (docs/bots.md)
_CHUNK = 256  # play-outs between two looks at the clock: a millisecond of machine code
_PLAIN = 0.2  # of the time it may take: plain Python holds up whatever else this process does


@dataclass(frozen=True)
class Tried:
    """What came of an action.

    Attributes:
        action: the action.
        worlds: in how many worlds it was tried. Of two actions, the one tried in fewer was tried in the first of the other's.
        mean: what the seat won with it, on average.
        error: the standard error of that.
        won: in how many of the worlds the seat won something.
    """

    action: int
    worlds: int
    mean: float
    error: float
    won: int


@dataclass
class Notes:
    """What was found world by world, for whoever asks why.

    Attributes:
        worlds: the worlds, in order. They hold what the seat may think possible, and nothing that it may not know.
        won: for each action what the seat won with it, in each of the first worlds.
        ends: likewise what every seat won; nothing where play-outs end before the round does.
        yaku: likewise the yaku that each seat had when the round was played out, as sets; empty where the game has none.
    """

    worlds: list[RoundState] = field(default_factory=list)
    won: dict[int, list[int]] = field(default_factory=dict)
    ends: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    yaku: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)


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
) -> list[Tried]:
    """What comes of each action of a seat, best first: those tried longest before those left out earlier.

    With equal chance and play-outs it is the same, plain and compiled, noted or not. Milliseconds only cut it short, and never
    before every action has been tried once.

    Args:
        seen: what the seat has seen.
        chance: four words. They go on as worlds are drawn from them.
        budget: how much may be played out.
        bot: by whom rounds are played out, one of rules text.
        open_cards, sight: as in `flat`.
        notes: to which is added what each world brings; that takes longer.
        learns: whether in its own seat it goes on by what is promised (`prospect`), or where a game promises nothing with what has
            brought most there (`later`), and not only as the bot does.
        until_clear: whether actions are left out as soon as 99.9 % says that they are not the best, which is looked at from some
            16,000 play-outs on; where one remains, it ends.
    """
    done = done_by_others(seen) if open_cards == HONEST else ()
    trial = Trial(seen.hidden, seen.seat, chance, bot, open_cards, sight, done, playouts(budget) if learns else None)
    late = deadline(seen.hidden.contract, bot, budget)
    alive = choices_of(seen.hidden, seen.seat)
    # Who may try no action twice has nothing to leave any of them out by.
    stages = max(1, (count(alive) - 1).bit_length()) if count(alive) < playouts(budget) else 1
    each_stage = max(1, playouts(budget) // stages)
    ranked: list[int] = []  # those left out, best first
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
    """Whether a game says what a seat may hope for."""
    return contract.prospect is not Contract.prospect


def playouts(budget: Budget) -> int:
    """How many rounds a budget lets play out."""
    return PLAYOUTS if budget.playouts is None else budget.playouts


def deadline(contract: Contract, bot: Bot, budget: Budget) -> float | None:
    """When a thought that begins now ends, by the monotonic clock; None for never."""
    if budget.milliseconds is None:
        return None
    share = _PLAIN if machine_code.ready(contract, bot) is None else 1.0
    return monotonic() + budget.milliseconds / 1000 * share


class Trial:
    """The states and counts of one thought, plain or as arrays of machine code."""

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
        self._run = machine_code.ready(hidden.contract, bot)
        self._states: Any = workspace(hidden.contract, STATES + bot.states, compiled=self._run is not None)
        self._past: Any = workspace(hidden.contract, len(done), compiled=self._run is not None)
        self._done: Any = [told for one in done for told in (one.seat, one.action, one.played)]
        self._chance: Any = chance
        self._luck: Any = [0] * 8
        self._tally: Any = [0] * COUNTED * (LAST_WORD + 1)
        self._kept: Any = [] if learns is None else memory(0 if promises(hidden.contract) else learns)
        self._bot: Any = bot
        if self._run is None:
            copy(self._states[0], hidden)
            for state, one in zip(self._past, done, strict=True):
                copy(state, one.before)
        else:
            import numpy as np

            from mekuri.engine import numba_backend

            numba_backend.to_record(hidden, self._states[0])
            for i, one in enumerate(done):
                numba_backend.to_record(one.before, self._past[i])
            self._done = np.array(self._done, np.int64)
            self._chance, self._luck, self._tally = np.array(chance), np.array(self._luck), np.array(self._tally)
            self._kept = np.array(self._kept, np.int64)
            self._bot = numba_backend.bot_record(bot)

    @property
    def chance(self) -> list[int]:
        """The words from which the next world would be drawn."""
        return [int(word) for word in self._chance]

    def more(self, actions: int, worlds: int, late: float | None = None, notes: Notes | None = None) -> None:
        """Try some actions in more worlds, or in fewer where it gets late."""
        slow = self._run is None or notes is not None
        chunk = worlds if late is None else 1 if slow else max(1, _CHUNK // count(actions))
        for done in range(0, worlds, chunk):
            now = min(chunk, worlds - done)
            if notes is None:
                self._try(actions, now)
            else:
                for _ in range(now):
                    self._note(actions, notes)
            if late is not None and monotonic() > late:
                return

    def compare(
        self, actions: int, worlds: int, late: float | None = None, notes: Notes | None = None, batches: Batches | None = None
    ) -> list[int]:
        """Try some actions in more worlds, leaving out those that are clearly not the best. Returns these, the best first."""
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

    def _try(self, actions: int, worlds: int) -> None:
        rows = self._chance, self._luck, self._bot, self._tally, self._past, self._done, self._kept
        (self._run or try_out)(self._states, self._seat, actions, *self._how, worlds, *rows)

    def _note(self, actions: int, notes: Notes) -> None:
        """Try some actions in one world more, one after the other, so that it is seen what each of them comes to."""
        drawn = self.chance
        for action in each(actions):
            self._chance[:] = drawn
            before = self._sum(action)
            self._try(1 << action, 1)
            notes.won.setdefault(action, []).append(self._sum(action) - before)
            end = self._plain(TRIAL)
            if over(end):
                notes.ends.setdefault(action, []).append(tuple(int(returns(end, seat)) for seat in range(end.seats)))
            if self._kind.contract.yaku:
                notes.yaku.setdefault(action, []).append(tuple(int(yaku_of(end, seat)) for seat in range(end.seats)))
        notes.worlds.append(self._plain(WORLD))

    def _plain(self, which: int) -> RoundState:
        """One of the states that are worked in, as a state of its own."""
        state = self._kind()
        if self._run is None:
            copy(state, self._states[which])
        else:
            from mekuri.engine import numba_backend

            numba_backend.from_record(self._states[which], state)
        return state

    def tried(self, action: int) -> Tried:
        """What has come of an action so far."""
        row = [int(counted) for counted in self._tally[action * COUNTED : (action + 1) * COUNTED]]
        n, mean = row[TRIED], row[SUM] / row[TRIED]
        spread = max(0.0, row[SQUARES] / n - mean * mean)
        return Tried(action, n, mean, sqrt(spread / max(1, n - 1)), row[WON])
