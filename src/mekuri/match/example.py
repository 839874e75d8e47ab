"""Play the worked examples of a rule book."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from mekuri.cards import Card
from mekuri.engine.contract import DRIVER, Contract, Zone
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import IllegalAction
from mekuri.engine.fields import RoundState
from mekuri.engine.rulebook import Example
from mekuri.match.game import make_game
from mekuri.match.round import Round


@dataclass(frozen=True)
class Played:
    """A worked example that has been played.

    Attributes:
        round: the round as it stands after the last legal action.
        refusal: the error of the last action, where it was illegal; None otherwise.
        before: the places on the table with their cards at the beginning. All cards are shown except cards that were yet to be
            shuffled, and the stock lies in the order in which it is drawn. Cards that the position does not name and empty places
            are left out.
        after: the same after the last action; empty where that was illegal. If cards were shuffled meanwhile, as a spectator sees
            the table, because their order is not the example's.
    """

    round: Round
    refusal: IllegalAction | None
    before: tuple[Zone, ...]
    after: tuple[Zone, ...]


def play_example(contract: Contract, example: Example) -> Played:
    """Play an example's actions from its position.

    Raises:
        PositionError, OptionError, NotationError: the example's position, options or actions cannot be read.
        IllegalAction: an action other than the last is illegal.
    """
    round = make_game(contract.id, "default", example.seats, example.options).position(example.position)
    before = _table(contract, round._beginning, shuffled=False)
    actions, refusal = example.action.split(), None
    for number, action in enumerate(actions, 1):
        try:
            play_as_written(round, action)
        except IllegalAction as error:
            if number < len(actions):
                raise
            refusal = error
    after = () if refusal else _table(contract, round._state, shuffled=bool(round.packs))
    return Played(round, refusal, before, after)


def play_as_written(round: Round, action: str) -> None:
    """Do an action that is written as in a rule book.

    Args:
        round: the round.
        action: the action in notation; or `seat:action`, where several seats are to act or a seat acts out of turn.
    """
    seat, colon, choice = action.rpartition(":")
    round.play(choice, int(seat) if colon else None)


def _table(contract: Contract, s: RoundState, *, shuffled: bool) -> tuple[Zone, ...]:
    """Return the places that are not empty: with all cards, or as a spectator sees them where cards are or were shuffled."""
    zones = contract.table.zones(hidden_state(s, DRIVER)) if shuffled or s.gathered else _open(contract, s)
    return tuple(zone for zone in zones if zone.cards)


def _open(contract: Contract, s: RoundState) -> Iterator[Zone]:
    """Yield the places of a whole state with all their cards except the cards that the position does not name."""
    for zone in contract.table.zones(s):
        lying = s.pack[: s.stock][::-1] if zone.kind == "stock" else zone.cards
        yield dataclasses.replace(zone, cards=tuple(Card(card) for card in lying if card is not None))
