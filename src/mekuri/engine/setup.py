"""Makes the state at the start of a round from a game's options and pack."""

from __future__ import annotations

from operator import index

from mekuri.cards.given import Whole
from mekuri.engine.contract import Contract, S_co, deal
from mekuri.engine.options import Options, state_values


def new_state(contract: Contract[S_co], options: Options, seats: Whole, dealer: Whole = 0, state: type[S_co] | None = None) -> S_co:
    """A new state at the start of a round, before the first shuffle.

    Args:
        contract: the game.
        options: the options of the round.
        seats: the number of seats.
        dealer: the seat that deals.
        state: the class to use instead of the contract's own, for tests.
    """
    s = (state or contract.state)()
    s.seats = index(seats)
    for name, value in state_values(options).items():
        setattr(s, name, value)
    cards = contract.rules.pack(options)
    s.pack[: len(cards)] = cards
    s.stock = len(cards)
    s.dealer = index(dealer)
    deal(s)
    return s
