"""The interface of bots: a bot gets all that its seat has seen, chance and a budget, and returns an action; see `docs/bots.md`.

A bot whose choice is a rule (see `compiled`), or "rules text", runs plain and compiled; any other is plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from mekuri.cards.given import whole
from mekuri.engine.fields import RoundState
from mekuri.engine.presentation import LANGUAGES


@dataclass(frozen=True)
class Happened:
    """An action of a round as one seat, the viewer, saw it.

    Attributes:
        seat: the seat that acted; 16 is the driver.
        action: the action; None where the viewer has not seen which it was.
        hidden: the viewer's hidden state after the action.
    """

    seat: int
    action: int | None
    hidden: RoundState


@dataclass(frozen=True)
class Seen:
    """All that a bot is given of a round, which is no more than its seat may know.

    Attributes:
        hidden: the hidden state of its seat.
        seat: its seat.
        past: all actions of the round as this seat has seen them, in order. Bots of rules text are not given it.
    """

    hidden: RoundState
    seat: int
    past: tuple[Happened, ...] = ()

    def __post_init__(self) -> None:
        """Make an int of a seat that is a whole number of another library."""
        if type(self.seat) is not int:
            object.__setattr__(self, "seat", index(self.seat))


@dataclass(frozen=True)
class Budget:
    """The limits of a bot's search. Equal chance and equal play-outs give the same action, unless time runs out.

    Attributes:
        playouts: the most rounds that it may play out; None for no limit.
        milliseconds: the longest time that it may take; None for no limit.
    """

    playouts: int | None = None
    milliseconds: int | None = None

    def __post_init__(self) -> None:
        """Make ints of whole numbers of other libraries."""
        object.__setattr__(self, "playouts", whole(self.playouts))
        object.__setattr__(self, "milliseconds", whole(self.milliseconds))


Choose = Callable[[Seen, list[int], Budget], int]
ChooseMany = Callable[[Sequence[Seen], Sequence[list[int]], Budget], Sequence[int]]
Choice = Callable[[Any, int, Any, Any], int]  # rules text: hidden state, seat, chance, states to work in -> action


@dataclass(frozen=True)
class Crest:
    """A drawing in two colours, within a square of 48 units, as SVG path data.

    Attributes:
        ink: the path that is filled with the colour of the text, by the rule `evenodd`.
        red: the path beneath it that is filled with red, by the same rule.
    """

    ink: str
    red: str


@dataclass(frozen=True, eq=False, kw_only=True)
class About:
    """The description of a bot.

    Attributes:
        id: the name by which a seat is given to it: lower-case letters, figures and hyphens, at most 31.
        name: its name for readers, by language; the English one where a language is left out.
        help: one line about how it plays, likewise; of a character, its temper.
        games: the ids of the games that it plays; None for all.
        strength: its place in lists, where weaker bots stand first: random has 0, greedy 20.
        compiled: whether its choice is rules text, which loops of machine code can run.
        crest: the emblem of a character, or the name of one in `cards/art/parts/crests.svg`; None for a bot that is made for study,
            which lists offer after the characters.
        weights: the version of what the bot has learned, such as `2026-11` or a digest; empty for a bot that has learned nothing.
    """

    id: str
    name: Mapping[str, str]
    help: Mapping[str, str]
    games: tuple[str, ...] | None = None
    strength: int = 50
    compiled: bool = False
    crest: Crest | str | None = None
    weights: str = ""

    def __post_init__(self) -> None:
        """Let the English texts stand for those of languages that are left out."""
        for attribute in ("name", "help"):
            texts = getattr(self, attribute)
            if isinstance(texts, Mapping) and "en" in texts:
                object.__setattr__(self, attribute, {**dict.fromkeys(LANGUAGES, texts["en"]), **texts})

    def plays(self, game: str) -> bool:
        """Whether the bot plays the game with this id."""
        return self.games is None or game in self.games

    def emblem(self) -> Crest | None:
        """Return the crest. One that is given by its name is read now, as a terminal shows none."""
        if not isinstance(self.crest, str):
            return self.crest
        from mekuri.cards.art.crests import crest

        return Crest(*crest(self.crest))


@dataclass(frozen=True, eq=False, kw_only=True)
class Bot(About):
    """A bot: its description and the function by which it chooses.

    Attributes:
        choose: the function that returns a legal action, given what the seat has seen, a stream of chance (four words), a budget.
        choose_many: a function that returns an action for each of several seats of different rounds, given what each has seen, a
            stream for each, and the budget of each action; None for a bot that gains nothing by it. It chooses as `choose` does.
        rule: the same choice as rules text; None for a bot that is plain Python.
        states: the number of states that the rule needs to work in.
        blind: whether it chooses among legal actions without looking at the state, so that a loop need not fill one in for it.
        looks_back: whether a bot of Mekuri's own reads `Seen.past`, which takes time to make.
        prepare: a function that compiles its machine code for a game, which may take a while; None where it has none.
    """

    choose: Choose
    choose_many: ChooseMany | None = None
    rule: Choice | None = None
    states: int = 0
    blind: bool = False
    looks_back: bool = False
    prepare: Callable[[Any], None] | None = None

    def choose_each(self, seen: Sequence[Seen], chances: Sequence[list[int]], budget: Budget) -> list[int]:
        """Return an action for each of several seats: at once if the bot can, else one after the other.

        Args:
            seen: what each seat has seen.
            chances: a stream of chance for each.
            budget: how much the bot may think about each action.

        Raises:
            ValueError: the bot's `choose_many` has not returned as many actions.
        """
        if self.choose_many is None:
            return [self.choose(one, chance, budget) for one, chance in zip(seen, chances, strict=True)]
        actions = [*self.choose_many(seen, chances, budget)]
        if len(actions) != len(seen):
            raise ValueError(f"the bot {self.id} has chosen {len(actions)} actions where {len(seen)} were asked for")
        return actions


def rule_bot(rule: Choice, *, states: int = 0, blind: bool = False, **about: Any) -> Bot:
    """Make a bot whose choice is rules text.

    Args:
        rule: a function marked `@rule`, which takes the hidden state, the seat, the chance, and a row of states to work in, and
            returns a legal action.
        states: the number of states in that row; what they hold at first does not matter.
        blind: as in `Bot`.
        about: the attributes of `About`, but for `compiled`.
    """

    def choose(seen: Seen, chance: list[int], budget: Budget) -> int:
        return rule(seen.hidden, seen.seat, chance, [type(seen.hidden)() for _ in range(states)])

    return Bot(choose=choose, rule=rule, states=states, blind=blind, compiled=True, **about)


# Loops that run plain and compiled call a bot by these functions. Compiled, `bot` is a record whose type is unique to the bot
# (`numba_backend.bot_record`).


def ask(bot: Any, h: RoundState, seat: int, chance: Any, states: Any) -> int:
    """The action that a bot of rules text chooses in a seat whose hidden state is `h`.

    Args:
        bot: the bot.
        h: the hidden state.
        seat: the seat.
        chance: the stream to choose by.
        states: as many states to work in as the bot needs.
    """
    return int(bot.rule(h, seat, chance, states))


def is_blind(bot: Any) -> bool:
    """Whether a bot chooses without looking at the state; see `Bot.blind`."""
    return bool(bot.blind)
