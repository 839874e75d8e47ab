"""Actions: how they are named and written, and who has seen which one was done."""

from __future__ import annotations

from mekuri.cards import card_text
from mekuri.engine.compiled import has
from mekuri.engine.contract import DRIVER, FIRST_WORD, Contract, Text
from mekuri.engine.defaults import moved, shown_to
from mekuri.engine.fields import RoundState


class Action(int):
    """An action: its number, which prints as notation. In arithmetic it is a plain int."""

    _text: str

    @classmethod
    def of(cls, contract: Contract, number: int) -> Action:
        """Return an action of a game."""
        return cls.named(notation(contract, number), number)

    @classmethod
    def named(cls, text: str, number: int = -1) -> Action:
        """Return an action by its notation. Its number is -1 if the game is not known, as when a message is decoded."""
        found = cls(number)
        found._text = text
        return found

    def __str__(self) -> str:
        """Return the action in notation."""
        return self._text


def action_text(contract: Contract, action: int) -> Text:
    """Return the name of an action: a card's name, or a word's text."""
    if action < FIRST_WORD:
        return Text("card", {"card": action})
    return Text(f"words.{contract.words(action).text}", {})


def notation(contract: Contract, action: int) -> str:
    """Return an action in notation."""
    return contract.words(action).text if action >= FIRST_WORD else card_text(action)


class Deed:
    """An action that has been done, and the viewers who have seen it.

    Args:
        before: the whole state before the action; for the driver's action, with its cards shuffled.
        after: the whole state after it; it may be played on once `moves_card` has been asked for.
        seat: the seat that has acted; 16 is the driver.
        action: the action, as a number.
    """

    def __init__(self, before: RoundState, after: RoundState, seat: int, action: int) -> None:
        self.seat = seat
        self.action = action
        self._before = before
        self._after = after
        self._contract: Contract = before.contract
        self._secret = self._contract.table.secret(before)
        self._seers = 0 if self._secret else _seers(before, after, seat, action)

    @property
    def moves_card(self) -> bool:
        """Whether the action is a card that lies elsewhere now, not a word or a card that was only named."""
        return bool(moved(self._before, self._after, self.action))

    def is_seen_by(self, viewer: int | None) -> bool:
        """Return whether a viewer (a seat, or None for a spectator) has seen which action it was."""
        return viewer == self.seat or bool(has(self._seers, DRIVER if viewer is None else viewer))

    def text(self, viewer: int | None, was: RoundState, now: RoundState) -> Text:
        """Return the line of the log for a viewer, given its hidden states before and after the action."""
        # A game that brings its own event texts words secret actions itself.
        if self.is_seen_by(viewer) or (self._secret and self._contract.has("event")):
            return self._contract.table.event(was, now, self.seat, self.action)
        if self.seat == DRIVER:
            return Text("events.table-unseen", {})
        return Text("events.seat-chosen" if self._secret else "events.seat-unseen", {"seat": self.seat})


def _seers(before: RoundState, after: RoundState, seat: int, action: int) -> int:
    """Return the set of seats that see an action; the driver's bit stands for spectators, who see what every seat sees."""
    contract = before.contract
    if not contract.has("seen_by"):
        return shown_to(before, after, seat, action)
    seats = (1 << before.seats) - 1
    seen: int = (contract.table.seen_by(before, seat, action) | 1 << seat) & seats
    return seen | 1 << DRIVER if seen == seats else seen
