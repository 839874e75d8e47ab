"""A bot as Python uses it."""

from __future__ import annotations

import secrets

from mekuri.bots.choose import NAMES, choose
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import legal
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState


class UnknownBot(MekuriError):
    """No bot has this name."""


class Bot:
    """A bot by its name. It is given what its seat may know and nothing else."""

    def __init__(self, name: str, seed: Seed | None = None) -> None:
        self.name = name
        self._number = bot_number(name)
        self._chance = stream(secrets.token_bytes(32) if seed is None else seed, "bot")

    def choose(self, hidden: RoundState, seat: int) -> int:
        """The action of the bot in a seat that sees `hidden`. Raises MekuriError where the seat is not waited for."""
        choices = legal(hidden, seat)
        if not choices:
            raise MekuriError(f"seat {seat} is not waited for: it has nothing to choose")
        if count(choices) == 1:
            return first(choices)
        one, two = type(hidden)(), type(hidden)()
        return choose(self._number, hidden, seat, self._chance, one, two)


def bot_number(name: str) -> int:
    """The number of a bot. Raises UnknownBot where there is none of that name."""
    if name not in NAMES:
        raise UnknownBot(f"there is no bot {name}: there are {', '.join(NAMES)}")
    return NAMES.index(name)
