"""A round gone through again, one thing after the other, to tell what each viewer saw of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mekuri.engine.fields import RoundState
from mekuri.match.view import Event, View, make_view

if TYPE_CHECKING:
    from mekuri.match.round import Round


class Chronicle:
    """What has happened in a round, told step by step. It may be kept while the round is played on, and told on from there."""

    def __init__(self, round: Round) -> None:
        self._round = round
        self._again = round._beginning_again()
        self._seen: dict[int | None, RoundState] = {}  # the hidden states of those who were told the last thing

    @property
    def behind(self) -> bool:
        """Whether something has happened in the round that has not been told yet."""
        return len(self._again.history) < len(self._round.history)

    @property
    def silence(self) -> str | None:
        """What silence meant at this point: see `Round.silence`."""
        return self._again.silence

    @property
    def unspoken(self) -> bool:
        """Whether silence alone meant it at this point: see `Round.unspoken`."""
        return self._again.unspoken

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that owed an action at this point."""
        return self._again.waiting

    def version(self, viewer: int | None) -> int:
        """How many things a viewer, a seat or None for a spectator, has seen happen so far."""
        return self._again.version(viewer)

    def view(self, viewer: int | None) -> View:
        """What a viewer saw of the round at this point."""
        return self._again.view(viewer)

    def step(self, viewers: Iterable[int | None] = ()) -> dict[int | None, Event]:
        """Go one thing further, and tell it as these viewers saw it; those who saw nothing are left out."""
        again, contract = self._again, self._round.contract
        seat, action = self._round.history[len(again.history)]
        before = {viewer: (again.version(viewer), self._seen.get(viewer) or again.hidden(viewer)) for viewer in viewers}
        secret = bool(before) and contract.secret(again._state)
        self._seen = {}
        # It may have been shuffled again since.
        again._given = [*self._round.packs[len(again.packs) :]]
        again._step(seat, action)
        told: dict[int | None, Event] = {}
        for viewer, (version, was) in before.items():
            if again.version(viewer) > version:
                now = self._seen[viewer] = again.hidden(viewer)
                text = contract.event(was, now, seat, action)
                shown = None if secret and viewer != seat else again.action_text(action)
                told[viewer] = Event(seat, shown, text, make_view(contract, now, again.version(viewer), viewer))
        return told
