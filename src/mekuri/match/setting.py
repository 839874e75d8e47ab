"""The class `Setting`: a game, its options and its number of seats, as rounds and matches need them."""

from __future__ import annotations

from typing import Generic

from mekuri.cards.given import Whole, whole
from mekuri.engine.contract import Contract, O_co, S_co
from mekuri.engine.errors import OptionError
from mekuri.engine.observe import Layout, layout
from mekuri.engine.options import all_texts, differing, parse
from mekuri.engine.phases import driver_words
from mekuri.engine.rulebook import Rulebook, rulebook
from mekuri.engine.setup import new_state
from mekuri.engine.sides import sides


class Setting(Generic[S_co, O_co]):
    """A game and the options it is played with.

    Attributes:
        contract: the game's contract.
        options: its options, frozen.
        seats: how many play.
        sides: the side of each seat; seats of one side are partners.
        preset: the name of the preset that gives a match its options where no others are given.

    Raises:
        OptionError: the options make no sense together, or the game cannot be played by so many.
    """

    def __init__(self, contract: Contract[S_co, O_co], options: O_co, seats: Whole, preset: str = "default") -> None:
        contract.rules.check(options)
        number = whole(seats)
        if number is None or number not in contract.seats:
            raise OptionError(f"{contract.id} is played by {' or '.join(map(str, contract.seats))}, not {seats}")
        self.contract = contract
        self.options = options
        self.seats = number
        self.preset = preset
        self.sides = sides(self.new_state(0))
        if min(self.sides) < 0:
            raise OptionError(f"{contract.id} has no such sides for {number} players")

    @property
    def id(self) -> str:
        """The game's name."""
        return self.contract.id

    @property
    def version(self) -> int:
        """The version of the game's ruleset, from 1."""
        return self.contract.version

    @property
    def actions(self) -> tuple[int, ...]:
        """The actions that seats can have, as numbers in ascending order: the cards in play, and all words but the driver's."""
        driver = {int(word) for word in driver_words(self.contract.state).values()}
        return tuple(sorted({*self.contract.rules.pack(self.options), *map(int, self.contract.words)} - driver))

    @property
    def layout(self) -> Layout:
        """The layout of what `Round.observation` and `mekuri.vector` write, and its encoder."""
        return layout(self.contract, self.options, self.seats)

    @property
    def rulebook(self) -> Rulebook:
        """The rule book, in every language."""
        return rulebook(self.contract)

    def new_state(self, dealer: Whole) -> S_co:
        """Return the state at the start of a round, before the deal.

        Args:
            dealer: the seat that deals.
        """
        return new_state(self.contract, self.options, self.seats, dealer)

    def __repr__(self) -> str:
        """Return the Python expression that makes the game again."""
        chosen: dict[str, object] = {"seats": self.seats} if self.seats != self.contract.seats[0] else {}
        of_round, of_match = self.contract.preset(self.preset)
        if of_match:
            usual = all_texts(parse(self.contract.options, of_round, self.id))
            chosen |= {"preset": self.preset}
            chosen |= {name: value for name, value in all_texts(self.options).items() if value != usual[name]}
        else:
            chosen |= differing(self.options)
        options = "".join(f", {name}={value!r}" for name, value in chosen.items())
        return f"mekuri.game({self.id!r}{options})"
