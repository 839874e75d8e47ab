"""One seat of a game as a Gymnasium environment, with a bot in all other seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mekuri.engine.bot import Bot
from mekuri.engine.driver import hidden_state
from mekuri.engine.env import MASK, Vector
from mekuri.lab.vector import vector
from mekuri.match.game import Game
from mekuri.match.game import game as game_of
from mekuri.match.view import make_view

_MOST_SEED = 1 << 31


def _spaces(tables: Vector) -> tuple[spaces.Dict, spaces.Discrete]:
    seen: dict[str, spaces.Space[Any]] = {"observation": spaces.Box(0, 255, (tables.layout.size,), np.uint8)}
    seen["action_mask"] = spaces.Box(0, 1, (MASK,), np.int8)
    if tables.events.size:
        seen["events"] = spaces.Box(0, 255, tables.events.shape[2:], np.uint8)
    return spaces.Dict(seen), spaces.Discrete(MASK)


class OneSeat(gymnasium.Env):
    """A seat of a game. The reward is the seat's return, at the end of the round.

    The observation has `observation`, as `Game.layout` describes it, and `action_mask`. An illegal action ends the round with the
    worst return of the game, and `illegal` in the information: sample with `action_space.sample(observation["action_mask"])`.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: str | Game,
        seat: int = 0,
        opponents: str | Bot = "greedy",
        dealer: int | None = None,
        render_mode: str | None = None,
        plain: bool = False,
    ) -> None:
        """Make the environment.

        Args:
            game: a game, or the name of one with its usual options.
            seat: the seat that the agent plays.
            opponents: the bot in all other seats, or its name; its choice must be rules text.
            dealer: the seat that deals every round; None to draw it for each round, by the seed.
            render_mode: `ansi` to render the seat's view of the table as text.
            plain: whether the rules run uncompiled, which saves the compilation for a few rounds.
        """
        self.game, self.seat, self.render_mode = game if isinstance(game, Game) else game_of(game), seat, render_mode
        self._tables = vector(self.game, 1, learners=(seat,), opponents=opponents, auto_reset=False, dealer=dealer, plain=plain)
        self.observation_space, self.action_space = _spaces(self._tables)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a round, up to the agent's first choice; a round without one is passed over."""
        super().reset(seed=seed)
        self._tables.reset(int(self.np_random.integers(_MOST_SEED)))
        while self._tables.seats[0] < 0:
            self._tables.reset()
        return self._seen(), {}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do an action, and play on to the agent's next choice or the end of the round."""
        if not self._tables.masks[0, int(action)]:
            return self._seen(), float(self.game.contract.returns_range[0]), True, False, {"illegal": True}
        _, _, _, rewards, done = self._tables.step([int(action)])
        return self._seen(), float(rewards[0, self.seat]), bool(done[0]), False, {}

    def render(self) -> str | None:
        """Return the seat's view of the table as text; None without a render mode."""
        if self.render_mode is None:
            return None
        hidden = hidden_state(self._tables.whole(0), self.seat)
        return str(make_view(self.game.contract, hidden, 0, self.seat))

    def _seen(self) -> dict[str, Any]:
        tables = self._tables
        row = tables.observations[0].copy()
        if tables.seats[0] < 0:  # the row is seat 0's once the round is over
            row = np.frombuffer(tables.layout.observe(tables.whole(0), self.seat), np.uint8).copy()
        return {"observation": row, "action_mask": tables.masks[0].astype(np.int8)}


class ManyTables(VectorEnv):
    """`mekuri.vector` with one learner as a vector environment of Gymnasium, which begins the next round in the same step."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, game: str | Game, num_envs: int, seat: int = 0, opponents: str | Bot = "greedy", **settings: Any) -> None:
        """Make the environment. All other arguments are those of `mekuri.vector`."""
        self.seat, self.num_envs = seat, num_envs
        self.tables = vector(game, num_envs, learners=(seat,), opponents=opponents, **settings)
        self.single_observation_space, self.single_action_space = _spaces(self.tables)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a round at every table; with a seed, the first round of that seed."""
        self.tables.reset(seed)
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Do an action at each table. Raises IllegalAction if one is illegal."""
        _, _, _, rewards, done = self.tables.step(actions)
        return self._seen(), rewards[:, self.seat].astype(np.float64), done.copy(), np.zeros(self.num_envs, np.bool_), {}

    def _seen(self) -> dict[str, Any]:
        seen = {"observation": self.tables.observations.copy(), "action_mask": self.tables.masks.astype(np.int8)}
        return {**seen, "events": self.tables.events[:, self.seat].copy()} if self.tables.events.size else seen
