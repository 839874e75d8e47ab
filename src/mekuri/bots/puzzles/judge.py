"""Judge whether a decision is a puzzle: one choice is clearly the best in nearly all worlds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import sub

from mekuri.bots.analysis import Weighed, weigh
from mekuri.bots.facts import that_decide
from mekuri.bots.figures import Estimate, estimate
from mekuri.bots.hint import part
from mekuri.bots.ours import greedy
from mekuri.bots.review import MISTAKE, PLAYOUTS
from mekuri.bots.review.confirm import SHARE, cost_of_playing_on
from mekuri.bots.search.flat import HANDS_OPEN, HONEST, WHOLE
from mekuri.bots.search.solve import solve_state
from mekuri.bots.search.think import Notes, Trial, Tried
from mekuri.bots.search.worlds import done_by_others
from mekuri.cards import each
from mekuri.engine.bot import Budget, Seen
from mekuri.engine.called import at_once, choices_of
from mekuri.engine.compiled import bit, count
from mekuri.engine.contract import Text
from mekuri.engine.fields import RoundState
from mekuri.engine.sides import sides
from mekuri.match.deed import action_text

WORLDS = 1000  # worlds in which every choice is tried
CLEAR = MISTAKE  # the least certain cost of every other choice, as a share of the round's spread: a review would call it a mistake
DEALS = 100  # worlds in each of which, with the others' hands fixed, it is tested whether another choice is clearly better
NEARLY_ALL = 0.9  # the least share of these worlds in which none is
_EACH = 40  # play-outs for each choice in each of these worlds
MORE = 20  # times the worlds in which the answer must be the best as well
PLAYED_ON = 400  # worlds in which every other choice must clearly cost something when it is played on
EXACT_DEALS = 40  # how many of these worlds the solver is asked about
MOSTLY = 0.75  # the least share of the solved worlds in which none is; the solver sees cards that no player could know
NODES = 200_000  # positions that the solver may look at in each of these worlds


@dataclass(frozen=True)
class Verdict:
    """The worth of each choice of a decision, by what its seat can know, tried in the same worlds with the same luck.

    Attributes:
        best: the choice that wins most on average, an action.
        brings: its mean return.
        costs: for every other choice, by action, how much less it brings on average.
        tried: the result of each choice, best first.
        notes: the results world by world.
    """

    best: int
    brings: Estimate
    costs: Mapping[int, Estimate]
    tried: tuple[Tried, ...]
    notes: Notes

    @property
    def least(self) -> float:
        """The least cost that any other choice has for certain: the smallest lower end of a 95 % interval."""
        return min(cost.interval[0] for cost in self.costs.values())


@dataclass(frozen=True)
class Exact:
    """The verdict of the solver, which sees all cards, on a choice in several worlds.

    Attributes:
        solved: how many of the worlds could be solved.
        agree: in how many of those no other choice is better.
        best: whether no other choice is better in their sum.
    """

    solved: int
    agree: int
    best: bool

    @property
    def confirms(self) -> bool:
        """Whether the solver does not contradict the choice; true where no world could be solved."""
        return self.best and self.agree >= MOSTLY * self.solved


def greedy_choices(seen: Seen) -> int:
    """Return the actions among which `greedy` chooses, the best ones at once, as a set (bit a = action a)."""
    hidden, seat = seen.hidden, seen.seat
    one, two = hidden.contract.state(), hidden.contract.state()
    values = {action: at_once(hidden, seat, action, False, one, two) for action in each(choices_of(hidden, seat))}
    most = max(values.values())
    return sum(bit(action) for action, value in values.items() if value == most)


def judge(seen: Seen, chance: list[int], worlds: int = WORLDS, noted: bool = True) -> Verdict:
    """Estimate the worth of each choice of a decision, from nothing but what its seat has seen.

    Args:
        seen: what the seat has seen.
        chance: four words, from which the worlds are drawn.
        worlds: in how many worlds every choice is tried.
        noted: whether worlds, ends and yaku are noted, too, which `reasons` needs; that takes longer.
    """
    hidden, seat = seen.hidden, seen.seat
    choices, notes = choices_of(hidden, seat), Notes(states=noted)
    trial = Trial(hidden, seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen), worlds * count(choices))
    trial.more(choices, worlds, notes=notes)
    tried = tuple(sorted(map(trial.tried, each(choices)), key=lambda one: -one.mean))
    first, *others = tried
    costs = {one.action: estimate([*map(sub, notes.won[first.action], notes.won[one.action])]) for one in others}
    return Verdict(first.action, Estimate(first.mean, first.error), costs, tried, notes)


def is_clear(found: Verdict, open: float) -> bool:
    """Return whether one choice is clearly the best.

    Args:
        found: the verdict.
        open: how much was open at the seat's first decision of the round: the standard deviation of its return.
    """
    return found.least >= CLEAR * open > 0


def holds(seen: Seen, found: Verdict, open: float, worlds: int, chance: list[int]) -> bool:
    """Return whether the answer stands in `MORE` times the worlds, and when the choices are played on with a search.

    Args:
        seen: what the seat has seen.
        found: the verdict.
        open: as in `is_clear`.
        worlds: in how many worlds the verdict was found.
        chance: four words; they are advanced.
    """
    again = judge(seen, chance, MORE * worlds, noted=False)
    if again.best != found.best or not is_clear(again, open):
        return False
    search = Budget(PLAYOUTS // SHARE)
    return all(cost_of_playing_on(seen, found.best, one, PLAYED_ON, search, chance).interval[0] > 0 for one in found.costs)


def deals(seen: Seen, chance: list[int]) -> list[RoundState]:
    """Return `DEALS` worlds that a seat may be in."""
    notes, action = Notes(), bit(each(choices_of(seen.hidden, seen.seat))[0])
    trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen))
    trial.more(action, DEALS, notes=notes)
    return notes.worlds


def sure(worlds: Sequence[RoundState], seat: int, action: int, open: float, chance: list[int]) -> int:
    """Return in how many of some worlds no other choice is clearly better, where the others' hands are as in that world.

    In each world the stock is shuffled many times.

    Args:
        worlds: the worlds.
        seat: the seat that decides.
        action: the choice that should be the best.
        open: as in `is_clear`; a choice is clearly better if it brings more than `CLEAR` of this more.
        chance: four words; they are advanced.
    """
    held = 0
    for world in worlds:
        choices = choices_of(world, seat)
        trial = Trial(world, seat, chance, greedy.bot, HANDS_OPEN, WHOLE, (), _EACH * count(choices))
        trial.more(choices, _EACH)
        chance[:] = trial.chance
        most = max(trial.tried(one).mean for one in each(choices))
        held += most - trial.tried(action).mean <= CLEAR * open
    return held


def exactly(worlds: Sequence[RoundState], seat: int, action: int, nodes: int = NODES) -> Exact:
    """Ask the solver about a choice in worlds that its seat may be in, where everybody sees all cards and plays perfectly.

    In a single world, a choice that profits from seeing hidden cards looks better than it is. The sum over all worlds evens that
    out. If more than half of the worlds take too many positions, nothing is concluded (`Exact(0, 0, True)`).

    Args:
        worlds: the worlds.
        seat: the seat that decides.
        action: the choice that should be the best.
        nodes: how many positions the solver may look at in each world.
    """
    solved = agree = 0
    total: dict[int, int] = {}
    for n, world in enumerate(worlds):
        found = solve_state(world, seat, others="against" if len(set(sides(world))) == 2 else "own", nodes=nodes)
        if found.solved:
            solved += 1
            agree += found.values[action] == found.value
            total = {one: total.get(one, 0) + value for one, value in found.values.items()}
        elif 2 * (n + 1 - solved) > len(worlds):
            return Exact(0, 0, True)
    return Exact(solved, agree, not total or total[action] == max(total.values()))


def reasons(seen: Seen, found: Verdict, tempts: int) -> tuple[Text, tuple[Text, ...]]:
    """Return a hint and the reasons for a puzzle, as texts of the table `facts`.

    Args:
        seen: what the seat has seen.
        found: the verdict, with its notes.
        tempts: the tempting choice: the greedy one.

    Returns:
        The kind of the best choice, and why it is better than the tempting one; than the second best, where it tempts itself.
    """
    weighed = weigh(seen, found.tried, found.notes)
    first, tempting = weighed[0], next(one for one in weighed[1:] if tempts in (one.action, weighed[0].action))
    return _hint(seen, weighed, tempts), tuple(that_decide(seen, (first, tempting), found.notes))


def _hint(seen: Seen, weighed: Sequence[Weighed], tempts: int) -> Text:
    """Return the kind of the best choice; where every choice is of that kind, a text that it is one of two named choices.

    The second of these is not the tempting one, where there is a third.
    """
    hint = part(seen, weighed)
    kinds = [part(seen, (one, *(other for other in weighed if other is not one))) for one in weighed[1:]]
    if any(kind != hint for kind in kinds):
        return hint
    other = next((one.action for one in weighed[1:] if one.action != tempts), tempts)
    one, two = (action_text(seen.hidden.contract, action) for action in sorted((weighed[0].action, other)))
    return Text("facts.part-either", {"one": one, "other": two})
