"""A bot as Python uses it."""

from __future__ import annotations

import secrets

from mekuri.bots.choose import GREEDY, NAMES, choose
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import count, first
from mekuri.engine.contract import Contract, legal
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState


class UnknownBot(MekuriError):
    """No bot has this name."""


class Bot:
    """A bot by its name. It is given what its seat may know and nothing else.

    Args:
        name: of the bot.
        seed: from which its chance comes; unforeseeable if left out.
        contract: of the game, where the bot is one of the game's own.

    Raises UnknownBot where there is none of that name.
    """

    def __init__(self, name: str, seed: Seed | None = None, contract: Contract | None = None) -> None:
        self.name = name
        self._number = bot_number(name, contract)
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


def names_for(contract: Contract | None) -> tuple[str, ...]:
    """The bots that play a game: those that play every game, then the game's own."""
    return (*NAMES, *(contract.bots if contract else ()))


def usual(contract: Contract) -> str:
    """The bot that plays a game where nobody says which: the first of its own, if it has any."""
    return contract.bots[0] if contract.bots else NAMES[GREEDY]


def bot_number(name: str, contract: Contract | None = None) -> int:
    """The number of a bot. Raises UnknownBot where there is none of that name."""
    known = names_for(contract)
    if name not in known:
        raise UnknownBot(f"there is no bot {name}: there are {', '.join(known)}")
    return known.index(name)
