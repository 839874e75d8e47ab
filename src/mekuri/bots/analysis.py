"""What a seat's actions are worth, and why: what hints, reviews and levels are made of.

It is made of what the seat has seen and of worlds dealt from that, so it tells nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from mekuri.bots import facts, hint
from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code
from mekuri.bots.search.replies import Reply, best_replies
from mekuri.bots.search.think import Notes, Tried, deadline, playouts, think
from mekuri.cards import each
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract, Text, legal, play, waiting, within_reach, yaku_of
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.match.view import make_view

_Z = 1.959964  # 95 %
_REPLIES = 4  # a play-out in so many more is for replies


class Theirs(NamedTuple):
    """A yaku of another seat."""

    seat: int
    yaku: str


class Comes(NamedTuple):
    """In how many of the worlds a seat had a yaku in the end."""

    seat: int
    yaku: str
    worlds: int


@dataclass(frozen=True)
class Weighed(Tried):
    """An action, and what comes of it. To what `Tried` tells is added what the game itself tells of yaku, by their ids.

    Attributes:
        takes: the cards that it takes at once.
        makes: the yaku that the seat has by it.
        keeps: those that are within the seat's reach after it.
        gives_up: those that were, and are not after it.
        denies: those that were within another's reach, and are not after it.
        leaves: those that are within another's reach after it.
        comes: which yaku came to be in the end, whose, and in how many of the worlds.
        reply: what would best be answered; None where nobody is asked, or there was no budget to look.
    """

    takes: int
    makes: tuple[str, ...]
    keeps: tuple[str, ...]
    gives_up: tuple[str, ...]
    denies: tuple[Theirs, ...]
    leaves: tuple[Theirs, ...]
    comes: tuple[Comes, ...]
    reply: Reply | None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.mean - _Z * self.error, self.mean + _Z * self.error


@dataclass(frozen=True)
class Analysis:
    """What a seat's actions are worth.

    Attributes:
        game: the game's name.
        seat: the seat.
        actions: every action of it, but those that only take back what it has done: best first.
        facts: what decides between the best two, at most three texts of the table `facts`.
        part: of which kind the best action is, a text of the same table that does not name it.
    """

    game: Contract
    seat: int
    actions: tuple[Weighed, ...]
    facts: tuple[Text, ...]
    part: Text

    @property
    def best(self) -> int:
        """The action that is worth most."""
        return self.actions[0].action

    def text(self, lang: Lang = "en", players: Sequence[str] = ()) -> str:
        """It as text: a line for each action, and the facts. `players` are the seats' names."""
        book = rulebook(self.game)
        lines = []
        for weighed in self.actions:
            name = book.render(facts.action_text(self.game, weighed.action), lang, players)
            half = _Z * weighed.error
            lines.append(f"{name}: {weighed.mean:+.2f} ± {half:.2f} ({weighed.won}/{weighed.worlds})")
        return "\n".join([*lines, *(book.render(fact, lang, players) for fact in self.facts)])

    def __str__(self) -> str:
        """The same in English."""
        return self.text()


def analyse(seen: Seen, budget: Budget | None = None, chance: list[int] | None = None, bot: Bot = greedy.bot) -> Analysis:
    """What each action of a seat is worth, and what decides.

    With equal chance and play-outs it is the same, plain and compiled. Its best action is what `flat` chooses with them.

    Args:
        seen: what the seat has seen.
        budget: how much may be played out; for replies a quarter of that again.
        chance: four words, from which the worlds come, and which go on; always the same if left out.
        bot: by whom rounds are played out, one of rules text.

    Raises MekuriError where the seat is not waited for.
    """
    budget, chance = budget or Budget(), stream("analysis") if chance is None else chance
    hidden, seat = seen.hidden, seen.seat
    if not waiting(hidden) >> seat & 1:
        raise MekuriError(f"seat {seat} is not waited for: it has nothing to weigh")
    late = deadline(hidden.contract, bot, budget)
    notes = Notes()
    tried = think(seen, chance, budget, bot, notes=notes)
    replies = best_replies(seen, [one.action for one in tried], chance, playouts(budget) // _REPLIES, bot, late)
    actions = weigh(seen, tried, notes, replies)
    return Analysis(hidden.contract, seat, actions, tuple(facts.that_decide(seen, actions, notes)), hint.part(seen, actions))


def weigh(
    seen: Seen, tried: Sequence[Tried], notes: Notes, replies: Mapping[int, Reply | None] | None = None
) -> tuple[Weighed, ...]:
    """What has been found of some actions, and what the game itself tells of them, in the same order."""
    hidden, seat = seen.hidden, seen.seat
    before, view = _reach(hidden), make_view(hidden.contract, hidden, 0, seat)
    takes = dict(zip(each(legal(hidden, seat)), (one.takes for one in view.legal), strict=True))
    return tuple(_weigh(seen, one, takes[one.action], notes, before, (replies or {}).get(one.action)) for one in tried)


def prepared(contract: Contract) -> bool:
    """Whether a game's actions are weighed by machine code yet."""
    return machine_code.ready(contract, greedy.bot) is not None


class _Reach(NamedTuple):
    """Which yaku each seat has, and which are within its reach."""

    made: list[int]
    near: list[list[str]]


def _reach(h: RoundState) -> _Reach:
    seats = range(h.seats)
    near = [[one.yaku for one in within_reach(h.contract.goals(h, seat))] for seat in seats]
    return _Reach([int(yaku_of(h, seat)) for seat in seats], near)


def _weigh(seen: Seen, tried: Tried, takes: int, notes: Notes, before: _Reach, reply: Reply | None) -> Weighed:
    hidden, seat, contract = seen.hidden, seen.seat, seen.hidden.contract
    after = contract.state()
    copy(after, hidden)
    play(after, seat, tried.action)  # of what is hidden it tells nothing: it is done to what the seat sees
    now, others = _reach(after), [other for other in range(hidden.seats) if other != seat]
    made = now.made[seat] & ~before.made[seat]
    makes = tuple(id for i, id in enumerate(contract.yaku) if made >> i & 1)
    return Weighed(
        **asdict(tried),
        takes=takes,
        makes=makes,
        keeps=tuple(now.near[seat]),
        gives_up=tuple(id for id in before.near[seat] if id not in (*now.near[seat], *makes)),
        denies=tuple(Theirs(other, id) for other in others for id in before.near[other] if id not in now.near[other]),
        leaves=tuple(Theirs(other, id) for other in others for id in now.near[other]),
        comes=_comes(contract.yaku, notes.yaku.get(tried.action, [])),
        reply=reply,
    )


def _comes(yaku: Sequence[str], ends: Sequence[Sequence[int]]) -> tuple[Comes, ...]:
    counts: Mapping[tuple[int, int], int] = facts.counted(ends)
    return tuple(Comes(seat, yaku[i], n) for (seat, i), n in sorted(counts.items()))
