"""Games as PettingZoo environments, in which agents act one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mekuri.engine.contract import over
from mekuri.engine.env import MASK
from mekuri.engine.errors import IllegalAction
from mekuri.lab.vector import vector
from mekuri.match.game import Game
from mekuri.match.game import game as game_of
from mekuri.match.view import make_view


def env(game: str | Game, seed: int = 0, render_mode: str | None = None, plain: bool = False, dealer: int | None = None) -> AECEnv:
    """Return a round of a game as a PettingZoo environment, with its usual wrappers.

    Args:
        game: a game, or the name of one with its usual options.
        seed: the seed of the rounds until `reset` names one.
        render_mode: `ansi` to render the table as text, with all hands open.
        plain: whether the rules run uncompiled, which saves the compilation for a few rounds.
        dealer: the seat that deals every round; None to draw it for each round, by the seed.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(game, seed, render_mode, plain, dealer)))


class raw_env(AECEnv):  # type: ignore[misc]  # the name that PettingZoo gives it
    """A round of a game. Agent `seat_0` sits in seat 0. Each agent's reward is its return, at the end of the round."""

    def __init__(
        self, game: str | Game, seed: int = 0, render_mode: str | None = None, plain: bool = False, dealer: int | None = None
    ) -> None:
        """Deal the first round; see `env`."""
        super().__init__()
        self.game = game if isinstance(game, Game) else game_of(game)
        settings: dict[str, Any] = {"learners": range(self.game.seats), "skip_forced": False, "auto_reset": False}
        self._tables = vector(self.game, 1, **settings, seed=seed, dealer=dealer, plain=plain)
        self.render_mode = render_mode
        self.metadata = {"name": f"{self.game.id}_v{self.game.version}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        one = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (self._tables.layout.size,), np.uint8),
                "action_mask": spaces.Box(0, 1, (MASK,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, one)
        self.action_spaces = {agent: spaces.Discrete(MASK) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Deal the next round; with a seed, the first round of that seed."""
        self._tables.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[int(self._tables.seats[0])]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know, and its legal actions: none unless it is to act."""
        tables, seat = self._tables, self._seats[agent]
        if tables.seats[0] == seat:
            return {"observation": tables.observations[0].copy(), "action_mask": tables.masks[0].astype(np.int8)}
        row = tables.layout.observe(tables.whole(0), seat)
        return {"observation": np.frombuffer(row, np.uint8).copy(), "action_mask": np.zeros(MASK, np.int8)}

    def step(self, action: Any) -> None:
        """Do the action of the selected agent. Raises IllegalAction if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            _, _, seats, rewards, done = self._tables.step([int(action)])
        except IllegalAction:
            raise IllegalAction(f"action {action} is illegal for {agent}", "") from None
        self._cumulative_rewards[agent] = 0
        if done[0]:
            self.rewards = {agent: float(rewards[0, seat]) for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[int(seats[0])]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the table as text, with all hands open; None without a render mode."""
        if self.render_mode is None:
            return None
        state = self._tables.whole(0)
        return f"{make_view(self.game.contract, state, 0, None)}{' (over)' if over(state) else ''}"

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
