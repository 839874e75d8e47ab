"""What a seat thinks of its actions: each tried in worlds it may be in, the weaker half left out as more is known."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from time import monotonic
from typing import Any

from mekuri.bots.search import machine_code
from mekuri.bots.search.flat import COUNTED, HONEST, SQUARES, STATES, SUM, TRIED, WHOLE, WON, try_out
from mekuri.bots.workspace import workspace
from mekuri.cards import each
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.called import choices_of
from mekuri.engine.compiled import count
from mekuri.engine.contract import LAST_WORD
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


def think(seen: Seen, chance: list[int], budget: Budget, bot: Bot, open_cards: int = HONEST, sight: int = WHOLE) -> list[Tried]:
    """What comes of each action of a seat, best first: those tried longest before those left out earlier.

    With equal chance and play-outs it is the same, plain and compiled. Milliseconds only cut it short, and never before every
    action has been tried once.

    Args:
        seen: what the seat has seen.
        chance: four words. They go on as worlds are drawn from them.
        budget: how much may be played out.
        bot: by whom rounds are played out, one of rules text.
        open_cards, sight: as in `flat`.
    """
    trial = _Trial(seen.hidden, seen.seat, chance, bot, open_cards, sight)
    late = None if budget.milliseconds is None else monotonic() + budget.milliseconds / 1000 * trial.share
    alive = choices_of(seen.hidden, seen.seat)
    playouts = PLAYOUTS if budget.playouts is None else budget.playouts
    # Who may try no action twice has nothing to leave any of them out by.
    stages = max(1, (count(alive) - 1).bit_length()) if count(alive) < playouts else 1
    each_stage = max(1, playouts // stages)
    ranked: list[int] = []  # those left out, best first
    for stage in range(stages):
        trial.more(alive, max(1, each_stage // count(alive)), late)
        in_order = sorted(each(alive), key=lambda action: -trial.told(action).mean)
        kept = len(in_order) if stage == stages - 1 else (len(in_order) + 1) // 2
        ranked = in_order[kept:] + ranked
        alive = sum(1 << action for action in in_order[:kept])
        if late is not None and monotonic() > late:
            break
    chance[:] = trial.chance
    return [trial.told(action) for action in [*in_order[:kept], *ranked]]


class _Trial:
    """The states and counts of one thought, plain or as arrays of machine code.

    Attributes:
        share: how much of the time that it may take it takes.
    """

    def __init__(self, hidden: RoundState, seat: int, chance: list[int], bot: Bot, open_cards: int, sight: int) -> None:
        self._seat, self._open_cards, self._sight = seat, open_cards, sight
        self._run = machine_code.ready(hidden.contract, bot)
        self.share = _PLAIN if self._run is None else 1.0
        self._states: Any = workspace(hidden.contract, STATES + bot.states, compiled=self._run is not None)
        self._chance: Any = chance
        self._luck: Any = [0] * 8
        self._tally: Any = [0] * COUNTED * (LAST_WORD + 1)
        self._bot: Any = bot
        if self._run is None:
            copy(self._states[0], hidden)
        else:
            import numpy as np

            from mekuri.engine import machine

            machine.to_record(hidden, self._states[0])
            self._chance, self._luck, self._tally = np.array(chance), np.array(self._luck), np.array(self._tally)
            self._bot = machine.bot_record(bot)

    @property
    def chance(self) -> list[int]:
        """The words from which the next world would be drawn."""
        return [int(word) for word in self._chance]

    def more(self, actions: int, worlds: int, late: float | None) -> None:
        """Try some actions in more worlds, or in fewer where it gets late."""
        chunk = worlds if late is None else 1 if self._run is None else max(1, _CHUNK // count(actions))
        for done in range(0, worlds, chunk):
            run = self._run or try_out
            now = min(chunk, worlds - done)
            how = (self._open_cards, self._sight, now)
            run(self._states, self._seat, actions, *how, self._chance, self._luck, self._bot, self._tally)
            if late is not None and monotonic() > late:
                return

    def told(self, action: int) -> Tried:
        """What has come of an action so far."""
        row = [int(counted) for counted in self._tally[action * COUNTED : (action + 1) * COUNTED]]
        n, mean = row[TRIED], row[SUM] / row[TRIED]
        spread = max(0.0, row[SQUARES] / n - mean * mean)
        return Tried(action, n, mean, sqrt(spread / max(1, n - 1)), row[WON])
