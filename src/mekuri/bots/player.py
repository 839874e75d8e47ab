"""A bot as Python uses it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from mekuri.bots.registry import find
from mekuri.engine.bot import Budget, Happened, Seen
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import Contract, legal
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState


class Player:
    """A bot by its name, with chance of its own. It is given what its seat may know and nothing else.

    Args:
        name: of the bot.
        seed: from which its chance comes; unforeseeable if left out.
        contract: of the game, where the bot is one of the game's own.
        budget: how much it may think about one action.

    Raises UnknownBot where there is none of that name.
    """

    def __init__(self, name: str, seed: Seed | None = None, contract: Contract | None = None, budget: Budget | None = None) -> None:
        self.name = name
        self._bot = find(name, contract)
        self._chance = stream(secrets.token_bytes(32) if seed is None else seed, "bot")
        self._budget = budget or Budget()

    def choose(self, hidden: RoundState, seat: int, past: Iterable[Happened] = ()) -> int:
        """The action of the bot in a seat that sees `hidden`. Raises MekuriError where the seat is not waited for."""
        choices = legal(hidden, seat)
        if not choices:
            raise MekuriError(f"seat {seat} is not waited for: it has nothing to choose")
        if count(choices) == 1:
            return first(choices)
        return self._bot.choose(Seen(hidden, seat, tuple(past)), self._chance, self._budget)
