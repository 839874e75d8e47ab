"""The seam for bots: what a seat has seen, chance and a budget in, an action out. `docs/bots.md` is the guide.

A bot whose choice is rules text (see `compiled`) runs plain and compiled; any other is plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mekuri.engine.fields import RoundState


@dataclass(frozen=True)
class Happened:
    """Something that has happened in a round, as one seat saw it.

    Attributes:
        seat: who did it; 16 is the driver.
        action: what was done; None where others may not know it yet.
        hidden: what the seat that saw it saw after it.
    """

    seat: int
    action: int | None
    hidden: RoundState


@dataclass(frozen=True)
class Seen:
    """What a bot is given of a round: what its seat may know, and nothing else.

    Attributes:
        hidden: the hidden state of its seat.
        seat: its seat.
        past: all that this seat has seen happen in the round, in order. Bots of rules text are not told it: they look at `hidden`.
    """

    hidden: RoundState
    seat: int
    past: tuple[Happened, ...] = ()


@dataclass(frozen=True)
class Budget:
    """How much a bot may think. Equal chance and equal play-outs give the same action; milliseconds only cut it short.

    Attributes:
        playouts: how many rounds it may play out in its thoughts; None for as many as it likes.
        milliseconds: how long it may take; None for as long as it likes.
    """

    playouts: int | None = None
    milliseconds: int | None = None


Choose = Callable[[Seen, list[int], Budget], int]
Choice = Callable[[Any, int, Any, Any], int]  # rules text: hidden state, seat, chance, states to think in -> action


@dataclass(frozen=True)
class Crest:
    """A drawing that a character is known by, within a square of 48 units, as SVG path data.

    Attributes:
        ink: what is brushed in ink. Where its shapes lie on each other the paper is left free.
        red: what was brushed in red before it.
    """

    ink: str
    red: str


@dataclass(frozen=True, eq=False, kw_only=True)
class About:
    """What is told of a bot.

    Attributes:
        id: its name, as a seat is given to it: lower-case letters, figures and hyphens.
        name: what it is called, in every language.
        help: how it plays, in one line; of a character its temper.
        games: the games it plays, by their names; None for all.
        strength: its place in lists, which tell weaker ones first: random has 0, greedy 20.
        compiled: whether its choice is rules text, which loops of machine code can run.
        crest: what a character is known by. Who has none is there to be studied, and is offered after those who have.
    """

    id: str
    name: Mapping[str, str]
    help: Mapping[str, str]
    games: tuple[str, ...] | None = None
    strength: int = 50
    compiled: bool = False
    crest: Crest | None = None

    def plays(self, game: str) -> bool:
        """Whether it plays a game."""
        return self.games is None or game in self.games


@dataclass(frozen=True, eq=False, kw_only=True)
class Bot(About):
    """A bot.

    Attributes:
        choose: what it does: from what a seat has seen, the four words of a stream of chance and a budget to a legal action.
        rule: the same as rules text, where it is that.
        states: how many states the rule thinks in.
        blind: whether it plays any legal action alike, so that a loop need not show it anything.
        looks_back: whether it asks what has happened in the round, where it is one of ours: to tell that takes a while.
        prepare: what makes its machine code for a game, which may take a while; None where it has none of its own.
    """

    choose: Choose
    rule: Choice | None = None
    states: int = 0
    blind: bool = False
    looks_back: bool = False
    prepare: Callable[[Any], None] | None = None


def rule_bot(rule: Choice, *, states: int = 0, blind: bool = False, **about: Any) -> Bot:
    """A bot whose choice is rules text.

    Args:
        rule: a function marked `@rule`, which takes the hidden state, the seat, the chance, and a row of states to think in.
        states: how many of those it needs; their contents do not matter.
        blind: as in `Bot`.
        about: as in `About`.
    """

    def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
        return rule(seen.hidden, seen.seat, chance, [type(seen.hidden)() for _ in range(states)])

    return Bot(choose=choose, rule=rule, states=states, blind=blind, compiled=True, **about)


# Loops that run plain and compiled ask a bot so. Compiled, `bot` is a record whose type is the bot's own (`machine.bot_record`).


def ask(bot: Any, h: RoundState, seat: int, chance: Any, states: Any) -> int:
    """What a bot of rules text does in a seat that sees `h`."""
    return int(bot.rule(h, seat, chance, states))


def is_blind(bot: Any) -> bool:
    """Whether a bot need not be shown anything."""
    return bool(bot.blind)
