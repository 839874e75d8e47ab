"""A bot as a Python object that remembers its stream of chance and its budget."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from operator import index

from mekuri.bots.registry import find
from mekuri.cards.given import Whole
from mekuri.engine.bot import Budget, Happened, Seen
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import Contract, legal
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState


class Player:
    """A bot, found by its name, with a stream of chance of its own. It is given what its seat may know and nothing else.

    Args:
        name: the bot's name, as in `mekuri.bots.NAMES`.
        seed: the seed of its chance; equal seeds give equal play. Random if left out.
        contract: the game's contract; needed where the bot is one of the game's own.
        budget: how much it may think about one action; unlimited milliseconds and the usual play-outs if left out.

    Raises:
        UnknownBot: there is no bot of that name.
    """

    def __init__(self, name: str, seed: Seed | None = None, contract: Contract | None = None, budget: Budget | None = None) -> None:
        self.name = name
        self._bot = find(name, contract)
        self._chance = stream(secrets.token_bytes(32) if seed is None else seed, "bot")
        self._budget = budget or Budget()

    def choose(self, hidden: RoundState, seat: Whole, past: Iterable[Happened] = ()) -> int:
        """Return the action that the bot chooses. An only choice is returned without asking the bot.

        Args:
            hidden: the hidden state of the seat.
            seat: the seat that is to act.
            past: all that the seat has seen happen in the round, in order; some bots infer from it what others hold.

        Returns:
            A legal action, as a number.

        Raises:
            MekuriError: the seat is not to act.
        """
        seat = index(seat)
        choices = legal(hidden, seat)
        if not choices:
            raise MekuriError(f"seat {seat} is not waited for: it has nothing to choose")
        if count(choices) == 1:
            return first(choices)
        return self._bot.choose(Seen(hidden, seat, tuple(past)), self._chance, self._budget)
