"""Train an agent for a game of two by self-play, with NumPy only, and measure it against the bot `greedy`.

    OPENBLAS_NUM_THREADS=1 python examples/learner.py mushi --rounds 100000

The agent values afterstates: what its seat knows right after each of its legal actions. It plays the action with the greatest value
and does not search. The network has two hidden layers. Its targets are lambda-returns: mostly the return of the round, partly the
value of the seat's next afterstate, which varies less.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from time import process_time
from typing import Any

import numpy as np

import mekuri
from mekuri.lab.arena import Score

TABLES, BATCH, RATE, EXPLORES, TRUST = 512, 512, 0.001, 0.05, 0.5  # TRUST is lambda
HIDDEN = (128, 32)

Rows = np.ndarray[Any, Any]


class Network:
    """A network that predicts the return of an afterstate, trained by Adam."""

    def __init__(self, inputs: int, chance: np.random.Generator) -> None:
        """Choose random weights."""
        sizes = (inputs, *HIDDEN, 1)
        self.weights: list[Rows] = []
        for before, after in pairwise(sizes):
            spread = np.sqrt(2 / before) * (1 if after > 1 else 0.1)
            self.weights += [(chance.normal(size=(before, after)) * spread).astype(np.float32), np.zeros(after, np.float32)]
        self.moments = [(np.zeros_like(weights), np.zeros_like(weights)) for weights in self.weights]
        self.updates = 0

    def layers(self, seen: Rows) -> list[Rows]:
        """Return the outputs of each layer, the last of which has the values."""
        outputs = [seen]
        for place in range(0, len(self.weights), 2):
            outputs.append(outputs[-1] @ self.weights[place])
            outputs[-1] += self.weights[place + 1]
            if place + 2 < len(self.weights):
                np.maximum(outputs[-1], 0, out=outputs[-1])
        return outputs

    def values(self, seen: Rows) -> Rows:
        """Return the value of each row."""
        return self.layers(seen)[-1][:, 0]

    def learn(self, seen: Rows, targets: Rows, rate: float) -> None:
        """Do one step of Adam towards the targets."""
        *layers, found = self.layers(seen)
        slope = (found - targets[:, None]) / len(seen)
        slopes: list[Rows] = []
        for place in range(len(layers) - 1, -1, -1):
            slopes[:0] = [layers[place].T @ slope, slope.sum(axis=0)]
            slope = slope @ self.weights[2 * place].T * (layers[place] > 0)
        self.updates += 1
        rate *= np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for place, gradient in enumerate(slopes):
            mean, square = self.moments[place]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            self.weights[place] -= rate * mean / (np.sqrt(square) + 1e-7)


class Agent:
    """A network, and the scales of its inputs and of its returns."""

    def __init__(self, game: str, seed: int = 0) -> None:
        """Play some rounds at random to see how large the inputs and the returns are."""
        self.game, self.chance = game, np.random.default_rng(seed)
        tables = mekuri.vector(game, TABLES, learners=(0, 1), auto_reset=False, seed="scale")
        least, most = tables.observations.min(axis=0), tables.observations.max(axis=0)
        while (tables.seats >= 0).any():
            _, _, seen = tables.afterstates()
            least, most = np.minimum(least, seen.min(axis=0)), np.maximum(most, seen.max(axis=0))
            tables.step(tables.sample())
        self.varied = np.flatnonzero(least < most)  # the others say nothing, and cost as much
        self.scale, self.unit = (1 / most[self.varied]).astype(np.float32), float(tables.rewards.std())
        self.network = Network(len(self.varied), self.chance)

    def choose(self, tables: mekuri.Vector, explores: float = 0.0) -> tuple[Rows, Rows, Rows, Rows]:
        """Choose an action at each table that waits for one.

        Args:
            tables: the tables.
            explores: the share of tables at which the action is a random one.

        Returns:
            The actions of all tables; and for each table that waits, its number, the afterstate and its value.
        """
        rows, actions, seen = tables.afterstates()
        inputs = seen.take(self.varied, axis=1) * self.scale
        values = self.network.values(inputs)
        wild = self.chance.random(tables.n) < explores
        liking = np.where(wild[rows], self.chance.random(len(rows)), values)
        order = np.lexsort((-liking, rows))
        best = order[np.flatnonzero(np.diff(rows, prepend=-1))]  # of each table the first in this order
        chosen = np.zeros(tables.n, np.int64)
        chosen[rows[best]] = actions[best]
        return chosen, rows[best], inputs[best], values[best]

    def train(self, rounds: int) -> None:
        """Play so many rounds against itself, and learn from them."""
        tables = mekuri.vector(self.game, TABLES, learners=(0, 1), auto_reset=False, seed="train")
        for played in range(0, rounds, TABLES):
            past = []
            while (tables.seats >= 0).any():
                seats = tables.seats.copy()
                actions, rows, inputs, values = self.choose(tables, EXPLORES)
                past.append((rows, seats[rows], inputs, values))
                tables.step(actions)
            ahead, targets = tables.rewards / self.unit, []  # what each seat has ahead of it, from the end of the round
            for rows, seat, _, values in reversed(past):
                targets.append(ahead[rows, seat])
                ahead[rows, seat] = TRUST * ahead[rows, seat] + (1 - TRUST) * values
            inputs, goals = np.concatenate([inputs for _, _, inputs, _ in reversed(past)]), np.concatenate(targets)
            order = self.chance.permutation(len(goals))
            for first in range(0, len(order) - BATCH + 1, BATCH):
                batch = order[first : first + BATCH]
                self.network.learn(inputs[batch], goals[batch], RATE * max(0.02, 1 - played / rounds))
            tables.reset()

    def measure(self, pairs: int) -> Score:
        """Play deals against `greedy`, each in both seatings."""
        return mekuri.evaluate(lambda tables: self.choose(tables)[0], self.game, opponents="greedy", pairs=pairs, seed="test")


def main() -> None:
    """Train and measure an agent as the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=4000)
    given = parser.parse_args()
    agent = Agent(given.game)
    begun = process_time()
    agent.train(given.rounds)
    spent = process_time() - begun
    score = agent.measure(given.pairs)
    least, most = score.interval
    print(f"{given.rounds:,} rounds in {spent:.0f} s of one processor")
    share = f"{score.share:.1%} [{least:.1%} to {most:.1%}] of {score.won + score.lost} decided pairs"
    print(f"against greedy: {share}, {score.mean:+.2f} a round")


if __name__ == "__main__":
    main()
