"""Games as OpenSpiel games, in which every shuffled card is a chance node."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np
import pyspiel

from mekuri.engine.chance import stream
from mekuri.engine.contract import LAST_WORD
from mekuri.engine.options import differing
from mekuri.match.game import Game
from mekuri.match.game import game as game_of
from mekuri.match.round import Round
from mekuri.match.worlds import another_world

_DEALS = 20  # deals of a round that the game's bounds allow for: the rules can throw in a deal, which is dealt anew
_games: dict[str, type[pyspiel.Game]] = {}


def load(game: str | Game, dealer: int | None = None) -> pyspiel.Game:
    """Return a game as an OpenSpiel game, and register it there under its short name, such as `mekuri_mushi_2`.

    Player k sits in seat k, and the players get their returns at the end of the round. Actions are numbered as everywhere in
    Mekuri. The first chance node draws the dealer, unless one is given. All others say which of the cards that are being shuffled
    comes next, from the first that is dealt. Seats that act at the same time act one after the other, and do not see what the
    others have done.

    Args:
        game: a game, or the name of one with its usual options.
        dealer: the seat that deals; None to draw it at a chance node.

    Raises:
        OptionError: there is no such seat.
    """
    chosen = game if isinstance(game, Game) else game_of(game)
    name = f"mekuri_{chosen.id}_{chosen.seats}"
    if options := differing(chosen.options):
        name += f"_{sha256(repr(options).encode()).hexdigest()[:8]}"
    if dealer is not None:
        name += f"_dealer_{chosen.undealt(dealer).dealer}"
    if name not in _games:
        _games[name] = _registered(name, chosen, dealer)
    return _games[name]()


def _registered(name: str, game: Game, dealer: int | None) -> type[pyspiel.Game]:
    contract, deck = game.contract, game.contract.rules.pack(game.options)
    utility = pyspiel.GameType.Utility
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"Mekuri: {game.id}, version {game.version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if contract.zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats,
        min_num_players=game.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )
    least, most = contract.returns_range
    info = pyspiel.GameInfo(
        num_distinct_actions=LAST_WORD + 1,
        max_chance_outcomes=max(*deck, game.seats - 1) + 1,
        num_players=game.seats,
        min_utility=float(least),
        max_utility=float(most),
        utility_sum=0.0 if contract.zero_sum else None,
        max_game_length=_DEALS * contract.most_actions,
    )

    class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
        """A game of Mekuri, as OpenSpiel needs it."""

        def __init__(self, params: Any = None) -> None:
            super().__init__(kind, info, params or {})
            self.mekuri = game
            self.starts = [game.undealt(seat) for seat in (range(game.seats) if dealer is None else [dealer])]

        def new_initial_state(self) -> State:
            """Return a round before its dealer is drawn, or before its first shuffle."""
            return State(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            """Return the writer of what a player sees."""
            return Observer(game, iig_obs_type, params)

        def max_chance_nodes_in_history(self) -> int:
            """Return the bound on the cards that are shuffled in a round, and one for the dealer."""
            return _DEALS * len(deck) + 1

    pyspiel.register_game(kind, OpenSpielGame)
    return OpenSpielGame


class State(pyspiel.State):  # type: ignore[misc]
    """A round.

    Attributes:
        round: the round, without the cards of the current shuffle that are known so far.
        shuffled: these; the first is dealt first.
        drawn: whether the dealer is known; until then the round is that of the first seat.
    """

    def __init__(self, game: pyspiel.Game) -> None:
        """Stand before the draw of the dealer, or the first shuffle."""
        super().__init__(game)
        self.round: Round = game.starts[0].copy()
        self.shuffled: list[int] = []
        self.drawn = len(game.starts) == 1
        self._look()

    def _look(self) -> None:
        """Note who is next, and the cards that may be, since OpenSpiel asks often."""
        self._left = sorted(self.round.unshuffled) if self.drawn else [*range(self.num_players())]
        waiting = self.round.waiting
        self._next = int(pyspiel.PlayerId.CHANCE if self._left else waiting[0] if waiting else pyspiel.PlayerId.TERMINAL)

    def current_player(self) -> int:
        """Return the player who acts, or the number that stands for chance or the end."""
        return self._next

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return self.round.choices(player, undo=False)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that may be the next, or the seats that may deal, each with its probability."""
        share = 1 / len(self._left)
        return [(card, share) for card in self._left]

    def _apply_action(self, action: int) -> None:
        if not self._left:
            self.round.play(action, self._next)
        elif not self.drawn:
            self.round, self.drawn = self.get_game().starts[action].copy(), True
        else:
            self._left.remove(action)
            self.shuffled.append(action)
            if self._left:
                return
            self.round.shuffled(self.shuffled[::-1])
            self.shuffled = []
        self._look()

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.round.action_text(action)) if self.drawn else f"seat {action} deals"

    def is_terminal(self) -> bool:
        """Return whether the round is over."""
        return self._next == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return the players' returns; 0 before the end."""
        return [float(value) for value in self.round.returns] if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> State:
        """Return a state that the player cannot tell from this one, its history included: each is equally likely.

        Args:
            player: the player.
            probability_sampler: a function that returns a random number from 0 to 1.
        """
        other = another_world(self.round, player, stream(int(probability_sampler() * (1 << 53))))
        state: State = self.get_game().new_initial_state()
        outcomes = [card for pack in other.packs for card in reversed(pack)]
        if not state.drawn:
            outcomes.insert(0, other.dealer)
        actions = [[action for seat, action in other.actions if seat == who] for who in range(self.num_players())]
        while (who := state.current_player()) != player or actions[player]:
            if state.is_chance_node():
                action = outcomes.pop(0)
            elif actions[who]:
                action = actions[who].pop(0)
            else:  # this seat acts before the player, who does not know whether it has
                legal = state.legal_actions()
                action = legal[int(probability_sampler() * len(legal))]
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        """Return the position with all hidden cards, and the cards of the current shuffle that are known."""
        if not self.drawn:
            return "the dealer is not drawn"
        return f"{self.round.position} {' '.join(map(self.round.action_text, self.shuffled))}".rstrip()


class Observer:
    """Writes what a player sees: the bytes of `Round.observation` as a tensor, and as a string, or with perfect recall a key.

    Attributes:
        tensor: the last observation.
        dict: the same by name.
    """

    def __init__(self, game: Game, iig_obs_type: Any, params: Any) -> None:
        """Make the arrays. Raises ValueError for observations other than a single player's."""
        if params or (iig_obs_type and iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER):
            raise ValueError("Mekuri's games have observations of a single player, without parameters")
        self._recall = bool(iig_obs_type and iig_obs_type.perfect_recall)
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Write what a player sees."""
        self.tensor[:] = np.frombuffer(state.round.observation(player), np.uint8)

    def string_from(self, state: State, player: int) -> str:
        """Return what a player sees now, or has seen, as a string."""
        return (state.round.information(player) if self._recall else state.round.observation(player)).hex()
