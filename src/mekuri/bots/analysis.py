"""Estimate how much each action of a seat is worth, and why. Hints, reviews and puzzles are built on this.

Only what the seat has seen and worlds dealt from that are used, so an analysis tells nothing that the seat may not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mekuri.bots import facts, hint
from mekuri.bots.alike import groups
from mekuri.bots.figures import Estimate, Mean
from mekuri.bots.ours import greedy
from mekuri.bots.search import machine_code
from mekuri.bots.search.replies import Reply, best_replies
from mekuri.bots.search.think import Notes, Tried, deadline, playouts, think
from mekuri.cards import Cards, each
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.chance import stream
from mekuri.engine.contract import Contract, Text, legal, play, waiting, within_reach, yaku_of
from mekuri.engine.errors import MekuriError
from mekuri.engine.executor import PLAIN
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.rulebook import Lang, rulebook
from mekuri.engine.sides import sides, speakers
from mekuri.match.deed import Action, action_text
from mekuri.match.view import make_view

_REPLIES = 4  # the search for replies gets 1/4 of the budget's play-outs, on top of it


@dataclass(frozen=True)
class YakuOf:
    """A yaku of a seat.

    Attributes:
        seat: the seat.
        yaku: the yaku's id.
        worlds: the number of worlds in which the seat made it; None where that is not counted.
    """

    seat: int
    yaku: str
    worlds: int | None


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """A legal action of a seat, its expected value and its effects.

    Attributes:
        action: the action in notation, as it is sent to play it.
        text: the action's name.
        mean: the mean of the seat's returns after it.
        least, most: the bounds of the 95 % interval of that mean.
        worlds: the number of worlds in which it was tried: deals that agree with all that the seat has seen.
        won: the number of these worlds in which the seat's returns were above 0.
        takes: the cards that it captures at once.
        makes: the ids of the yaku that the seat makes with it.
        keeps: the ids of the yaku within the seat's reach after it.
        gives_up: the ids of the yaku that were within the seat's reach before it, and are not after it.
        denies: the yaku that were within another seat's reach before it, and are not after it.
        leaves: the yaku within another seat's reach after it.
        comes: the yaku that seats made until the end of the round, with the number of worlds.
        reply: the best reply of the next seat; None where no seat acts next, or none was searched for.
    """

    action: Action
    text: Text
    mean: Mean
    least: Mean
    most: Mean
    worlds: int
    won: int
    takes: Cards
    makes: tuple[str, ...]
    keeps: tuple[str, ...]
    gives_up: tuple[str, ...]
    denies: tuple[YakuOf, ...]
    leaves: tuple[YakuOf, ...]
    comes: tuple[YakuOf, ...]
    reply: Reply | None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `mean`, (low, high)."""
        return self.least, self.most


@dataclass(frozen=True)
class Analysis:
    """The actions of a seat, each with its estimated worth.

    Attributes:
        game: the game's contract.
        seat: the seat whose actions are analysed.
        actions: the seat's legal actions, best first, without actions that only take back what the seat has done.
        facts: the reasons why the best action is better than the second, at most three texts of the rule book's table `facts`.
        part: a hint: a text of the same table that says of which kind the best action is, but does not name it.
    """

    game: Contract
    seat: int
    actions: tuple[Weighed, ...]
    facts: tuple[Text, ...]
    part: Text

    @property
    def best(self) -> Action:
        """The action that is worth most."""
        return self.actions[0].action

    def text(self, lang: Lang = "en", players: Sequence[str] = ()) -> str:
        """Return the analysis as text: a line for each action with its mean, 95 % margin and worlds won, then the facts.

        Args:
            lang: the language.
            players: the name of each seat, for the texts that mention one.
        """
        book = rulebook(self.game)
        lines = []
        for weighed in self.actions:
            name, half = book.render(weighed.text, lang, players), (weighed.most - weighed.least) / 2
            lines.append(f"{name}: {weighed.mean:+.2f} ± {half:.2f} ({weighed.won}/{weighed.worlds})")
        return "\n".join([*lines, *(book.render(fact, lang, players) for fact in self.facts)])

    def __str__(self) -> str:
        """Return the analysis as text in English."""
        return self.text()


def analyse(seen: Seen, budget: Budget | None = None, chance: list[int] | None = None, bot: Bot = greedy.bot) -> Analysis:
    """Estimate how much each action of a seat is worth, and find what decides between the best two.

    Equal chance and equal play-outs give an equal analysis, plain and compiled. Its best action is the one that the bot `flat`
    chooses with the same chance and budget. It runs plain, some forty times as slowly, until `bots.find("flat").prepare(contract)`
    has made the game's machine code.

    Args:
        seen: what the seat has seen.
        budget: how many rounds may be played out, and for how long; the search for replies takes a quarter of the play-outs more.
        chance: four words from which the worlds are drawn; they are advanced. The same fixed ones on every call if left out.
        bot: the bot that plays rounds out; its choice must be rules text (see `rule_bot`).

    Raises:
        MekuriError: the seat is not to act.
    """
    budget, chance = budget or Budget(), stream("analysis") if chance is None else chance
    hidden, seat = seen.hidden, seen.seat
    if not waiting(hidden) >> seat & 1:
        raise MekuriError(f"seat {seat} is not waited for: it has nothing to weigh")
    late = deadline(hidden.contract, bot, budget)
    notes = Notes()
    tried = merged(seen, think(seen, chance, budget, bot, notes=notes), notes)
    replies = best_replies(seen, [one.action for one in tried], chance, playouts(budget) // _REPLIES, bot, late)
    actions = weigh(seen, tried, notes, replies)
    return Analysis(hidden.contract, seat, actions, tuple(facts.that_decide(seen, actions, notes)), hint.part(seen, actions, notes))


def merged(seen: Seen, tried: Sequence[Tried], notes: Notes) -> list[Tried]:
    """Give actions that are equal by symmetry the results of that one of them which comes first, and its place.

    Args:
        seen: what the seat has seen.
        tried: the actions with the results of their play-outs, best first.
        notes: the notes taken in those play-outs, which are merged, too.
    """
    results, found = {one.action: one for one in tried}, list[Tried]()
    for first, *others in groups(seen.hidden, seen.seat, [one.action for one in tried]):
        found.append(results[first])
        for action in others:
            found.append(replace(results[first], action=action))
            notes.won[action], notes.finals[action] = notes.won[first], notes.finals[first]
    return found


def weigh(
    seen: Seen, tried: Sequence[Tried], notes: Notes, replies: Mapping[int, Reply | None] | None = None
) -> tuple[Weighed, ...]:
    """Add to the result of each action's play-outs what the action takes and does to yaku.

    Args:
        seen: what the seat has seen.
        tried: the actions with the results of their play-outs.
        notes: the notes taken in those play-outs, for the yaku at their ends.
        replies: the best reply to each action, by action; may lack any.

    Returns:
        One `Weighed` for each of `tried`, in the same order.
    """
    hidden, seat = seen.hidden, seen.seat
    before, view = _reach(hidden), make_view(hidden.contract, hidden, 0, seat)
    takes = dict(zip(each(legal(hidden, seat)), (one.takes for one in view.legal), strict=True))
    return tuple(_weigh(seen, one, takes[one.action], notes, before, (replies or {}).get(one.action)) for one in tried)


def prepared(contract: Contract) -> bool:
    """Return whether the machine code for analysing a game is loaded, so that `analyse` uses it."""
    return machine_code.executor(contract, greedy.bot) is not PLAIN


class _Reach(NamedTuple):
    """The yaku that each seat has, and those within its reach.

    Attributes:
        made: for each seat its yaku, as a set of places in the contract's `yaku`.
        near: for each seat the ids of the yaku within its reach.
    """

    made: list[int]
    near: list[list[str]]


def _reach(h: RoundState) -> _Reach:
    seats = range(h.seats)
    near = [[one.yaku for one in within_reach(h.contract.table.goals(h, seat))] for seat in seats]
    return _Reach([int(yaku_of(h, seat)) for seat in seats], near)


def _weigh(seen: Seen, tried: Tried, takes: Cards, notes: Notes, before: _Reach, reply: Reply | None) -> Weighed:
    hidden, seat, contract = seen.hidden, seen.seat, seen.hidden.contract
    after = contract.state()
    copy(after, hidden)
    play(after, seat, tried.action)  # on a copy of the hidden state, so nothing hidden is revealed
    now, others = _reach(after), [other for other in speakers(sides(hidden), seat) if other != seat]
    made = now.made[seat] & ~before.made[seat]
    makes = tuple(id for i, id in enumerate(contract.yaku) if made >> i & 1)
    value = Estimate(tried.mean, tried.error)
    return Weighed(
        action=Action.of(contract, tried.action),
        text=action_text(contract, tried.action),
        mean=value.mean,
        least=value.least,
        most=value.most,
        worlds=tried.worlds,
        won=tried.won,
        takes=takes,
        makes=makes,
        keeps=tuple(now.near[seat]),
        gives_up=tuple(id for id in before.near[seat] if id not in (*now.near[seat], *makes)),
        denies=tuple(YakuOf(other, id, None) for other in others for id in before.near[other] if id not in now.near[other]),
        leaves=tuple(YakuOf(other, id, None) for other in others for id in now.near[other]),
        comes=_comes(contract.yaku, notes.finals.get(tried.action, [])),
        reply=reply,
    )


def _comes(yaku: Sequence[str], ends: Sequence[RoundState]) -> tuple[YakuOf, ...]:
    counts = (
        Counter((seat, i) for end in ends for seat in speakers(sides(end)) for i in each(int(yaku_of(end, seat)))) if yaku else {}
    )
    return tuple(YakuOf(seat, yaku[i], n) for (seat, i), n in sorted(counts.items()))
