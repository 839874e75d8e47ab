"""Solve a reduced Tensho by CFR+, and state exactly how much each bot loses to its best opponent.

    python examples/equilibrium.py --fields 1        # the deals with one card on the field: half a minute
    python examples/equilibrium.py                   # all of them

The pack has the numbers 1, 2 and 6 (nine cards), each hand two cards, the field one. Every deal is played out by the rules, so the
game tree is whole: the value of a policy, and of the best response to it, is exact but for rounding.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import combinations, permutations
from time import process_time
from typing import Any

import numpy as np

import mekuri
from mekuri.bots import Budget, find
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.compiled import available
from mekuri.games import tensho
from mekuri.games.tensho.options import TenshoOptions
from mekuri.games.tensho.state import TenshoState
from mekuri.match.game import Game
from mekuri.match.round import Round

GAME: dict[str, Any] = {"yaku_set": "one", "deck": "1,2,6", "hand": 2, "field": 1}
STREAMS = 8  # a bot that tosses coins is asked so often at each information set
BUDGET = Budget(100)


def deals(game: Game[TenshoState, TenshoOptions], fields: int | None = None) -> Iterator[Round]:
    """Yield a round for each deal that differs in more than the order of a hand or of the field, all equally likely.

    Args:
        game: a Tensho whose deal nobody votes on.
        fields: how many of the cards on the field to take; all if None.
    """
    start = game.undealt()
    order = list(start.unshuffled)
    trial = start.copy()
    trial.shuffled(order)
    trial.play(trial.choices(0)[0], 0)  # the dealer takes one of two stacks unseen, and then all hands are dealt
    seen = [trial.hidden(seat) for seat in range(2)]
    places = [[order.index(card) for card in each(cards)] for cards in (seen[0].field, seen[0].hand[0], seen[1].hand[1])]
    rest = [place for place in range(len(order)) if not any(place in some for some in places)]
    for field in list(combinations(sorted(order), len(places[0])))[:fields]:
        left = [card for card in order if card not in field]
        for first in combinations(left, len(places[1])):
            others = [card for card in left if card not in first]
            for second in combinations(others, len(places[2])):
                stock = [card for card in others if card not in second]
                for last in permutations(stock):
                    for some, cards in zip((*places, rest), (field, first, second, last), strict=True):
                        for place, card in zip(some, cards, strict=True):
                            order[place] = card
                    round = start.copy()
                    round.shuffled(order)
                    yield round


class Tree:
    """A game tree of two seats and zero sum, as arrays with a place for each node; forced actions are no nodes.

    A *slot* is an action at an information set. All slots of an information set stand together.

    Attributes:
        roots: how many deals there are, all equally likely.
        seats: for each slot the seat that chooses.
        sets: for each slot its information set.
        asked: for each information set a round that stands there, its seat and its actions.
    """

    def __init__(self, rounds: Iterator[Round]) -> None:
        """Play every round in all ways."""
        self._parents: list[int] = []
        self._slots: list[int] = []
        self._depths: list[int] = []
        self._values: list[int] = []
        self._first: dict[tuple[int, bytes], int] = {}
        self.asked: list[tuple[Round, int, tuple[int, ...]]] = []
        self._levels: list[int] = []
        seats: list[int] = []
        sets: list[int] = []
        self.roots = self._count = 0
        for round in rounds:
            self.roots += 1
            self._grow(round, -1, -1, 0, [0, 0])
        for number, (_, seat, actions) in enumerate(self.asked):
            seats += [seat] * len(actions)
            sets += [number] * len(actions)
        self.seats, self.sets = np.array(seats), np.array(sets)
        self._starts = np.flatnonzero(np.diff(self.sets, prepend=-1))
        parents, slots, depths = np.array(self._parents), np.array(self._slots), np.array(self._depths)
        self._leaves = np.array(self._values, np.float64)
        self._at_roots = np.flatnonzero(depths == 0)
        at = [np.flatnonzero(depths == depth) for depth in range(1, max(depths) + 1)]
        self._steps = [(nodes, parents[nodes], slots[nodes], self.seats[slots[nodes]]) for nodes in at]
        self._own = [np.array(self._levels)[self.sets] * 2 + self.seats == level for level in range(2 * max(self._levels) + 2)]

    def _grow(self, round: Round, parent: int, slot: int, depth: int, decided: list[int]) -> None:
        choices: tuple[int, ...] = ()
        while not round.over and len(choices := round.choices(seat := round.waiting[0], undo=False)) == 1:
            round.play(choices[0], seat)
        place = len(self._parents)
        self._parents.append(parent)
        self._slots.append(slot)
        self._depths.append(depth)
        self._values.append(round.returns[0] if round.over else 0)
        if round.over:
            return
        key = seat, round.information(seat)
        if key not in self._first:
            self._first[key] = self._count
            self._count += len(choices)
            self.asked.append((round.copy(), seat, choices))
            self._levels.append(decided[seat])
        deeper = [decided[0] + (seat == 0), decided[1] + (seat == 1)]
        for number, action in enumerate(choices):
            after = round.copy()
            after.play(action, seat)
            self._grow(after, place, self._first[key] + number, depth + 1, deeper)

    def uniform(self) -> Any:
        """Return the policy that takes every legal action equally often: for each slot the share of its action."""
        return 1 / np.bincount(self.sets)[self.sets]

    def normal(self, weights: Any) -> Any:
        """Return a policy in proportion to weights; uniform where all weights of an information set are 0."""
        total = np.add.reduceat(weights, self._starts)[self.sets]
        return np.where(total > 0, weights / np.where(total > 0, total, 1), self.uniform())

    def values(self, policy: Any, seat: int) -> tuple[float, Any, Any]:
        """Play a policy against itself.

        Returns:
            The seat's mean return; for each slot the seat's return after the action, weighted by the chance that the deal and the
            other seat lead there; and for each slot the chance with which the seat's own actions lead to the information set.
        """
        value = self._leaves * (1 if seat == 0 else -1)
        others, own = np.full(len(value), 1 / self.roots), np.ones(len(value))
        for nodes, parents, slots, seats in self._steps:
            share = policy[slots]
            others[nodes] = others[parents] * np.where(seats == seat, 1, share)
            own[nodes] = own[parents] * np.where(seats == seat, share, 1)
        gains, leads = np.zeros(len(policy)), np.zeros(len(policy))
        for nodes, parents, slots, seats in reversed(self._steps):
            mine = seats == seat
            gains += np.bincount(slots[mine], others[parents[mine]] * value[nodes[mine]], len(policy))
            leads[slots[mine]] = own[parents[mine]]  # the same at every node of an information set
            value += np.bincount(parents, policy[slots] * value[nodes], len(value))
        return float(value[self._at_roots].mean()), gains, leads

    def best_response(self, policy: Any, seat: int) -> float:
        """Return what a seat wins a round with the best response to a policy, exactly."""
        best = policy.copy()
        for level in range(len(self._own) - 2 + seat, -1, -2):  # its last decisions first
            _, gains, _ = self.values(best, seat)
            slots = self._own[level]
            top = np.maximum.reduceat(np.where(slots, gains, -np.inf), self._starts)[self.sets]
            best = np.where(slots, self.normal((gains == top) * slots), best)
        return self.values(best, seat)[0]

    def exploitability(self, policy: Any) -> float:
        """Return how much a policy loses a round to its best opponent, on average over both seats: 0 for an equilibrium."""
        return sum(self.best_response(policy, seat) for seat in range(2)) / 2

    def of_bot(self, name: str) -> Any:
        """Return the policy of a bot, asked at every information set."""
        bot, policy = find(name), np.zeros(len(self.sets))
        if bot.prepare and available():
            bot.prepare(self.asked[0][0].contract)
        place = 0
        for number, (round, seat, actions) in enumerate(self.asked):
            seen = round.seen(seat)
            for one in range(STREAMS if bot.compiled else 1):
                chosen = bot.choose(seen, stream(0, "ask", number, one), BUDGET)
                policy[place + actions.index(chosen)] += 1
            place += len(actions)
        return self.normal(policy)


def cfr_plus(tree: Tree, iterations: int) -> Iterator[tuple[int, Any]]:
    """Run CFR+ (Tammelin, 2014), and yield the number of iterations and the average policy, whenever the number has doubled."""
    regrets, total, policy = np.zeros(len(tree.sets)), np.zeros(len(tree.sets)), tree.uniform()
    for n in range(1, iterations + 1):
        for seat in range(2):
            _, gains, leads = tree.values(policy, seat)
            mine = tree.seats == seat
            mean = np.bincount(tree.sets, policy * gains)[tree.sets]
            regrets = np.where(mine, np.maximum(regrets + gains - mean, 0), regrets)
            total += np.where(mine, n * leads * policy, 0)
            policy = np.where(mine, tree.normal(regrets), policy)
        if n & (n - 1) == 0 or n == iterations:
            yield n, tree.normal(total)


def solve(fields: int | None, iterations: int, bots: tuple[str, ...]) -> dict[str, Any]:
    """Solve the game, and return the figures."""
    begun = process_time()
    tree = Tree(deals(mekuri.game(tensho.contract, **GAME), fields))
    found: dict[str, Any] = {"deals": tree.roots, "nodes": len(tree._leaves), "information sets": len(tree.asked)}
    found["grown, s"] = round(process_time() - begun, 1)
    found["CFR+"] = {}
    for n, policy in cfr_plus(tree, iterations):
        found["CFR+"][n] = tree.exploitability(policy)
        found["value"] = tree.values(policy, 0)[0]
    found["bots"] = {"random": tree.exploitability(tree.uniform())}
    found["bots"] |= {name: tree.exploitability(tree.of_bot(name)) for name in bots}
    found["processor s"] = round(process_time() - begun, 1)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", type=int, default=None)
    parser.add_argument("--iterations", type=int, default=512)
    parser.add_argument("--bots", nargs="*", default=["greedy", "flat"])
    given = parser.parse_args()
    print(json.dumps(solve(given.fields, given.iterations, tuple(given.bots)), indent=1))
