"""Whether a decision is a puzzle: one choice clearly the best in nearly all worlds, and not the one that is best at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from mekuri.bots.analysis import Weighed, weigh
from mekuri.bots.facts import action_text, that_decide
from mekuri.bots.hint import part
from mekuri.bots.ours import greedy
from mekuri.bots.review import MISTAKE, Estimate
from mekuri.bots.search.flat import HANDS_OPEN, HONEST, WHOLE
from mekuri.bots.search.solve import solve_state
from mekuri.bots.search.think import Notes, Trial, Tried
from mekuri.bots.search.worlds import done_by_others
from mekuri.cards import each
from mekuri.engine.bot import Seen
from mekuri.engine.called import at_once, choices_of
from mekuri.engine.compiled import bit, count
from mekuri.engine.contract import Text
from mekuri.engine.fields import RoundState

WORLDS = 1000  # in which every choice is tried
CLEAR = MISTAKE  # what every other choice costs for certain, as a share of what was open: a review would call each a mistake
DEALS = 100  # worlds in which it is seen, with the others' cards lying so, whether another choice is better
NEARLY_ALL = 0.9  # of them: in which none is
_EACH = 40  # play-outs for each choice in each of them
EXACT_DEALS = 40  # of them: that are worked out exactly, where that takes few enough positions
MOSTLY = 0.75  # of those: in which nothing is better; with all cards open, much is better that nobody could know
NODES = 200_000  # positions that may be looked at for each of them


@dataclass(frozen=True)
class Verdict:
    """What the choices of a decision are worth for all that its seat can know, tried in the same worlds with the same luck.

    Attributes:
        best: what brings most.
        brings: how much.
        costs: how much less every other choice brings.
        tried: what came of each, best first.
        notes: what each world brought.
    """

    best: int
    brings: Estimate
    costs: Mapping[int, Estimate]
    tried: tuple[Tried, ...]
    notes: Notes

    @property
    def least(self) -> float:
        """What the next best costs, at the lower end of its interval."""
        return min(cost.interval[0] for cost in self.costs.values())


@dataclass(frozen=True)
class Exact:
    """What the solver says of some worlds, in each of which it sees all cards.

    Attributes:
        solved: how many could be worked out.
        agree: in how many of them nothing is better than what is asked about.
        best: whether nothing is better over all of them together.
    """

    solved: int
    agree: int
    best: bool

    @property
    def confirms(self) -> bool:
        """Whether it says the same; where nothing could be worked out, it says nothing else."""
        return self.best and self.agree >= MOSTLY * self.solved


def greedy_choices(seen: Seen) -> int:
    """The set of what is best at once: what `greedy` chooses among."""
    hidden, seat = seen.hidden, seen.seat
    one, two = hidden.contract.state(), hidden.contract.state()
    values = {action: at_once(hidden, seat, action, False, one, two) for action in each(choices_of(hidden, seat))}
    most = max(values.values())
    return sum(bit(action) for action, value in values.items() if value == most)


def judge(seen: Seen, chance: list[int], worlds: int = WORLDS, noted: bool = True) -> Verdict:
    """What a decision's choices are worth. It is given what the seat has seen, and nothing else.

    Args:
        seen: what the seat has seen.
        chance: four words, from which the worlds come.
        worlds: in how many worlds every choice is tried.
        noted: whether it is noted what came of each world, for whoever asks why; that takes longer.
    """
    hidden, seat = seen.hidden, seen.seat
    choices, notes = choices_of(hidden, seat), Notes()
    trial = Trial(hidden, seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen), worlds * count(choices))
    if noted:
        trial.more(choices, worlds, notes=notes)
    else:
        notes.won = _won(trial, choices, worlds)
    tried = tuple(sorted(map(trial.tried, each(choices)), key=lambda one: -one.mean))
    first, *others = tried
    costs = {one.action: _paired(notes.won[first.action], notes.won[one.action]) for one in others}
    return Verdict(first.action, Estimate(first.mean, first.error), costs, tried, notes)


def _won(trial: Trial, choices: int, worlds: int) -> dict[int, list[int]]:
    """What each of some choices brings in each of so many worlds."""
    won: dict[int, list[int]] = {action: [] for action in each(choices)}
    before = dict.fromkeys(won, 0)
    for _ in range(worlds):
        trial.more(choices, 1)
        for action, brought in won.items():
            told = trial.tried(action)
            total = round(told.mean * told.worlds)
            brought.append(total - before[action])
            before[action] = total
    return won


def is_clear(found: Verdict, open: float) -> bool:
    """Whether one choice is clearly the best, where so much was open in the round."""
    return found.least >= CLEAR * open > 0


def deals(seen: Seen, chance: list[int]) -> list[RoundState]:
    """DEALS worlds that a seat may be in."""
    notes, action = Notes(), bit(each(choices_of(seen.hidden, seen.seat))[0])
    trial = Trial(seen.hidden, seen.seat, chance, greedy.bot, HONEST, WHOLE, done_by_others(seen))
    trial.more(action, DEALS, notes=notes)
    return notes.worlds


def sure(worlds: Sequence[RoundState], seat: int, action: int, open: float, chance: list[int]) -> int:
    """In how many of some worlds no other choice is better by what is a mistake, with the others' cards lying so.

    What still comes from the stock is played out in many ways in each of them.
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
    """What the solver says of a choice in worlds that its seat may be in, everybody playing as well as can be.

    In a world every card lies open, so a choice that only pays for knowing where cards lie looks better there than it is: over
    all worlds together nothing may be better all the same. Where more than half take too many positions it is no ending, and
    nothing is said.
    """
    solved = agree = 0
    total: dict[int, int] = {}
    for n, world in enumerate(worlds):
        found = solve_state(world, seat, others="against" if world.seats == 2 else "own", nodes=nodes)
        if found.solved:
            solved += 1
            agree += found.values[action] == found.value
            total = {one: total.get(one, 0) + value for one, value in found.values.items()}
        elif 2 * (n + 1 - solved) > len(worlds):
            return Exact(0, 0, True)
    return Exact(solved, agree, not total or total[action] == max(total.values()))


def reasons(seen: Seen, found: Verdict, tempts: int) -> tuple[Text, tuple[Text, ...]]:
    """Of what kind the best is, and why it is better than what tempts, as texts of the table `facts`."""
    told = weigh(seen, found.tried, found.notes)
    first, tempting = told[0], next(one for one in told if one.action == tempts)
    return _hint(seen, told, tempts), tuple(that_decide(seen, (first, tempting), found.notes))


def _hint(seen: Seen, told: Sequence[Weighed], tempts: int) -> Text:
    """Of what kind the best is. Where every choice is of that kind, it is one of two: not what tempts, where there is another."""
    hint = part(seen, told)
    kinds = [part(seen, (one, *(other for other in told if other is not one))) for one in told[1:]]
    if any(kind != hint for kind in kinds):
        return hint
    other = next((one.action for one in told[1:] if one.action != tempts), tempts)
    one, two = (action_text(seen.hidden.contract, action) for action in sorted((told[0].action, other)))
    return Text("facts.part-either", {"one": one, "other": two})


def _paired(one: Sequence[int], other: Sequence[int]) -> Estimate:
    """By how much one choice brings more than another in the same worlds."""
    ahead = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    n = len(ahead)
    mean = sum(ahead) / n
    return Estimate(mean, sqrt(sum((each - mean) ** 2 for each in ahead) / (n * max(1, n - 1))))
