"""The worked examples of a rule book, played."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from mekuri.engine.contract import DRIVER, Contract, Zone
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import IllegalAction
from mekuri.engine.fields import RoundState
from mekuri.engine.rulebook import Example
from mekuri.match.game import make_game
from mekuri.match.round import Round


@dataclass(frozen=True)
class Played:
    """An example as it was played.

    Attributes:
        round: the round, as it stands after what was allowed.
        refusal: what was said of the last action, where it was refused.
        before: what lay on the table before anything happened. All cards are seen but those that were still to be shuffled, and the
            stock lies in the order in which it will come. What the position does not name is left out, and so are places where
            nothing lay.
        after: the same after it; empty where the last action was refused. Cards that were shuffled meanwhile lie there as
            spectators see them, for they might be any.
    """

    round: Round
    refusal: IllegalAction | None
    before: tuple[Zone, ...]
    after: tuple[Zone, ...]


def play_example(contract: Contract, example: Example) -> Played:
    """Play an example's actions from its position.

    Raises PositionError, OptionError or NotationError where the example is not written as the game needs it, and IllegalAction
    where another action than the last is forbidden.
    """
    round = make_game(contract.id, "default", example.seats, example.options).position(example.position)
    before = _table(contract, round._beginning, shuffled=False)
    actions, refusal = example.action.split(), None
    for number, action in enumerate(actions, 1):
        try:
            play_told(round, action)
        except IllegalAction as error:
            if number < len(actions):
                raise
            refusal = error
    after = () if refusal else _table(contract, round._state, shuffled=bool(round.packs))
    return Played(round, refusal, before, after)


def play_told(round: Round, action: str) -> None:
    """An action, or `seat:action` where several seats are waited for, or a seat plays out of turn."""
    seat, colon, told = action.rpartition(":")
    round.play(told, int(seat) if colon else None)


def _table(contract: Contract, s: RoundState, *, shuffled: bool) -> tuple[Zone, ...]:
    """The places at which something lies. Where no order of the cards was given, they lie as spectators see them."""
    zones = contract.zones(hidden_state(s, DRIVER)) if shuffled or s.gathered else _open(contract, s)
    return tuple(zone for zone in zones if zone.cards)


def _open(contract: Contract, s: RoundState) -> Iterator[Zone]:
    """The places of a full state with every card that lies there. One that is not known is none of the position's."""
    for zone in contract.zones(s):
        lying = s.pack[: s.stock][::-1] if zone.kind == "stock" else zone.cards
        yield dataclasses.replace(zone, cards=tuple(card for card in lying if card is not None))
