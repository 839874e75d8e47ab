"""Find exactly what the best response to a fixed policy wins from a position, over all worlds that the responder may be in.

The responder knows how the others play and sees only what its seat may see. Its information sets are the points at which all that
it has seen since the position is the same. The rules themselves are played in every world (see `unfold`).

The policy of all other seats is a bot. It is asked once for each hidden state, without a past, with chance that follows from that
state, so its action depends on nothing but what it sees there. `greedy` and blind bots are not asked: of the actions between which
they toss coins, all have equal shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any, NamedTuple

from mekuri.bots.ours import greedy
from mekuri.cards import each
from mekuri.cards.given import Whole
from mekuri.engine.bot import Bot, Budget, Seen
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import available, bit, count
from mekuri.engine.contract import redeal
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import MekuriError
from mekuri.engine.executor import MACHINE_CODE, PLAIN, Executor
from mekuri.engine.fields import RoundState, copied, copy, fields
from mekuri.lab.unfold import (
    ASK,
    BLIND,
    FULL,
    GREED,
    NOTHING,
    OPEN,
    POOL,
    ROW,
    SHUFFLED,
    TOO_WIDE,
    WHOLE,
    unfold,
)
from mekuri.match.round import Round

# How many points go into a call, come out of it, and are open within it.
_ROOM, _PLAIN_ROOM = (1 << 12, 1 << 14, 1 << 10), (1 << 6, 1 << 9, 1 << 8)
_MOST_HANDS = 20_000
_DRAWS = 64  # how often `redeal` is asked for each way to deal the hands: the chance that it hides one is e**-64


@dataclass(frozen=True)
class Response:
    """What a seat wins from a position against a fixed policy in all other seats, as means over all worlds that it may be in.

    Attributes:
        own: with the policy.
        best: with the best response.
        ceiling: with the best response of a seat that also sees all that the others see, such as their hands, but not the stock.
        hands: how many ways there are to deal the cards that the others hold.
        sets: the information sets at which the responder has a choice in the best response.
        asked: the hidden states in which the bot was asked, and had not been asked before.
    """

    own: float
    best: float
    ceiling: float
    hands: int
    sets: int
    asked: int


class _Points(NamedTuple):
    """Points of the tree, all in one row of states, with an action to do at each."""

    states: Any
    rows: Any
    places: list[int]  # in `states`
    actions: list[int]
    shares: list[float]  # of the whole, as the worlds, the stock and the policy lead there
    groups: list[int]  # the place in a list of sums to which each adds its returns

    def add(self, place: int, actions: Sequence[int], share: float, groups: Iterable[int]) -> None:
        """Add a state with some actions, each of a group of its own."""
        n = len(actions)
        self.places.extend([place] * n)
        self.actions.extend(actions)
        self.shares.extend([share] * n)
        self.groups.extend(groups)


_Found = tuple[float, int, int, int, int, int]


class Against:
    """A fixed policy, of which best responses are found.

    Args:
        bot: the bot that all other seats play by.
        budget: its budget for each action.
        seed: the seed of its chance.
        plain: whether the rules run uncompiled; without Numba they always do.
    """

    def __init__(self, bot: Bot, budget: Budget | None = None, seed: Seed = 0, plain: bool = False) -> None:
        self._bot, self._budget, self._seed = bot, budget or Budget(), seed
        self._run: Executor = PLAIN if plain or not available() else MACHINE_CODE
        self._policy = GREED if bot is greedy.bot else BLIND if bot.blind else ASK
        self._known: dict[tuple[int, int], int] = {}

    def respond(self, round: Round, seat: Whole, turns: int | None = None) -> Response:
        """Find the best response of a seat from where a round stands.

        Args:
            round: the round. All worlds are played that the game's `redeal` may draw for the seat.
            seat: the responder.
            turns: after how many turns, the present one among them, the round is cut off and brings nothing; None for never.

        Raises:
            MekuriError: there is no such seat, the round is over, the seats act in secret, cards are shuffled before the end, or
                there are too many worlds.
        """
        if round.over or round.secret:
            raise MekuriError("a best response begins where a seat is to act, and what the others do is seen")
        who, contract = round._seat(seat), round.contract
        if self._policy == ASK and self._bot.prepare and self._run is not PLAIN:
            self._bot.prepare(contract)
        dealt, asked = _hands(round, who), len(self._known)
        found = []
        for chooses, opened in ((0, 0), (1, 0), (1, 1)):
            tree = _Tree(self, contract.state, who, chooses, opened, round._state.turns + turns - 1 if turns else 1 << 40)
            found.append((tree.value(dealt), tree.sets))
        (own, _), (best, sets), (ceiling, _) = found
        return Response(own, best, ceiling, len(dealt), sets, len(self._known) - asked)

    def action(self, state: RoundState, seat: int, sees: int) -> int:
        """Return the action of the bot in a seat.

        Args:
            state: the state of the round.
            seat: the seat.
            sees: a hash of what the seat sees.
        """
        if (seat, sees) not in self._known:
            chance = stream(self._seed, "asked", seat, sees)
            self._known[seat, sees] = self._bot.choose(Seen(hidden_state(state, seat), seat), chance, self._budget)
        return self._known[seat, sees]


class _Tree:
    """All that can follow from a position, for one responder."""

    def __init__(self, against: Against, kind: type[RoundState], seat: int, chooses: int, opened: int, until: int) -> None:
        self._against, self._kind, self._run = against, kind, against._run
        self._how = seat, chooses, opened, against._policy, until
        self._seat, self._chooses = seat, chooses
        run = self._run
        self._inputs, self._found, most_open = _PLAIN_ROOM if run is PLAIN else _ROOM
        self._work = run.states(kind.contract, OPEN + most_open), run.zeros(most_open * ROW)
        self.sets = 0

    def value(self, dealt: list[tuple[RoundState, int]]) -> float:
        """Return the responder's mean return over ways to deal the hands, each with the cards that may then come from the stock."""
        states, rows = self._run.states(self._kind.contract, len(dealt)), self._run.zeros(len(dealt) * ROW)
        for i, (state, pool) in enumerate(dealt):
            self._run.write(states, i, state)
            rows[i * ROW + POOL] = pool
        n = len(dealt)
        return self._sums([_Points(states, rows, [*range(n)], [NOTHING] * n, [1 / n] * n, [0] * n)], 1)[0]

    def _sums(self, batches: list[_Points], groups: int) -> list[float]:
        """Return for each group the responder's returns from its points on, if it chooses best at all information sets after them.

        No two groups share an information set, as they differ in what the responder has seen or done.
        """
        sums = [0.0] * groups
        sets: dict[tuple[int, int], tuple[int, int]] = {}  # by group and past: the place of the first action's sum, and the choices
        asked, places = [], 0
        while batches:
            for states, rows, found in self._unfolded(batches.pop(), sums):
                theirs, own = _Points(states, rows, [], [], [], []), _Points(states, rows, [], [], [], [])
                for place, (share, group, past, who, choices, sees) in enumerate(found):
                    if who != self._seat or not self._chooses:
                        state = self._run.read(states[place : place + 1], self._kind)[0]
                        theirs.add(place, (self._against.action(state, who, sees),), share, (group,))
                        continue
                    actions = each(choices)
                    at, known = sets.setdefault((group, past), (places, choices))
                    assert known == choices, "a seat sees its choices"
                    if at == places:
                        places += len(actions)
                    own.add(place, actions, share, range(at, at + len(actions)))
                batches += [theirs] if theirs.places else []
                asked += [own] if own.places else []
        self.sets += len(sets)
        if sets:
            values = self._sums(asked, places)
            for (group, _), (at, choices) in sets.items():
                sums[group] += max(values[at : at + count(choices)])
        return sums

    def _unfolded(
        self, points: _Points, sums: list[float]
    ) -> Iterator[tuple[Any, Any, list[tuple[float, int, int, int, int, int]]]]:
        """Do the actions at points, add what the rounds that end bring to the sums, and yield the points at which a seat chooses.

        Yields:
            States and their rows, and for each of them its share of the whole, its group, and its PAST, ASKED, CHOICES and SEES.
        """
        run, begin = self._run, 0
        while begin < len(points.places):
            these = slice(begin, begin + self._inputs)
            places, actions, totals = run.words(points.places[these]), run.words(points.actions[these]), run.zeros(self._inputs)
            states, rows, sizes = run.states(self._kind.contract, self._found), run.zeros(self._found * ROW), run.zeros(1)
            given = points.states, points.rows, places, actions, 0, *self._how, *self._work, totals, states, rows, sizes
            run.prepare(unfold, *given)
            done = int(run.call(unfold, *given))
            if done < 0:
                raise MekuriError(_WHY[done])
            shares = [share / WHOLE for share in points.shares[begin : begin + done]]
            groups = points.groups[begin : begin + done]
            for share, group, total in zip(shares, groups, totals, strict=False):
                sums[group] += share * int(total)
            words = map(int, rows[: sizes[0] * ROW])
            found = [
                (shares[i] * part, groups[i], past, who, choices, sees)
                for i, part, past, _, _, who, choices, sees in zip(*[words] * ROW, strict=True)
            ]
            yield states, rows, found
            begin += done


_WHY = {
    FULL: "more points follow from one action than there is room for",
    SHUFFLED: "cards are shuffled before the round ends, in more orders than can be played: give a number of turns",
    TOO_WIDE: "more can come of one action than there is room for",
}


def _hands(round: Round, seat: int) -> list[tuple[RoundState, int]]:
    """Return a state for each way to deal the cards that a seat does not see to the others' hands, all equally likely.

    The stock of such a state is not laid: any card of the set that stands beside it may come next. Cards that lie face down
    elsewhere are of that set too, as the rules of a round do not read them.
    """
    true, h, sets, hands, rest = round._state, round.hidden(seat), [], [], 0
    empty = copied(true)
    for field in fields(type(true)):
        if field.kind == "cards" and not field.public:
            mine, shown = (getattr(s, field.name) if field.length else [getattr(s, field.name)] for s in (true, h))
            for i, cards in enumerate(one & ~other for one, other in zip(mine, shown, strict=True)):
                if cards and field.each_seat:
                    sets.append((field.name, i))
                    hands.append(cards)
                rest |= cards
                _put(empty, field.name, i if field.length else None, -cards)
    rest |= sum(map(bit, true.pack[: true.stock]))
    sizes = [count(cards) for cards in hands]
    most, found, world, chance = _ways(count(rest), sizes), set(), type(true)(), stream(0, "hands", round.position)
    if most > _MOST_HANDS:
        raise MekuriError(f"the hands that seat {seat} does not see may be dealt in {most} ways: begin later in the round")
    for _ in range(_DRAWS * most):
        copy(world, h)
        redeal(world, seat, chance)
        found.add(tuple(getattr(world, name)[i] & ~getattr(h, name)[i] for name, i in sets))
        if len(found) == most:
            break
    if any(sum(way) & ~rest for way in found):
        raise MekuriError("the position leaves out cards that may be in a hand: write down where all cards are")
    dealt = []
    for way in sorted(found):
        state = copied(empty)
        for (name, i), cards in zip(sets, way, strict=True):
            _put(state, name, i, cards)
        dealt.append((state, rest & ~sum(way)))
    return dealt


def _ways(cards: int, sizes: list[int]) -> int:
    return prod(comb(cards - sum(sizes[:i]), size) for i, size in enumerate(sizes))


def _put(s: RoundState, name: str, i: int | None, cards: int) -> None:
    """Add a set of cards to a place; a negative set removes them."""
    if i is None:
        setattr(s, name, getattr(s, name) + cards)
    else:
        getattr(s, name)[i] += cards
