"""Find the decisions of a finished round, each with the state at which it was made."""

from __future__ import annotations

from dataclasses import dataclass

from mekuri.engine.bot import Happened, Seen
from mekuri.engine.called import choices_of
from mekuri.engine.chance import stream
from mekuri.engine.compiled import count, has
from mekuri.engine.contract import DRIVER, Zone, play, side_bet, undoing
from mekuri.engine.driver import hidden_state
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy
from mekuri.match.round import Chronicle, Round


@dataclass(frozen=True)
class Decision:
    """An action that a seat chose from two or more, and did not take back.

    Attributes:
        step: its place in the round's history, from 0; the driver's actions count, too.
        version: the version of the seat's view when it decided.
        seen: what the seat had seen.
        action: the action that it chose.
        whole: the whole state when it decided, which the seat could not see.
    """

    step: int
    version: int
    seen: Seen
    action: int
    whole: RoundState

    @property
    def seat(self) -> int:
        """The seat that decided."""
        return self.seen.seat

    def chance(self, kind: str) -> list[int]:
        """Return the four words of chance for one kind of verdict. They depend on nothing that the seat could not see."""
        return stream("review", self.whole.contract.id, kind, self.seat, self.version)


def decisions(round: Round) -> list[Decision]:
    """Return all decisions of a finished round, in order. Side bets, which change no returns, are left out.

    Raises:
        MekuriError: the round is not over; decisions hold hidden cards.
    """
    if not round.over:
        raise MekuriError("the round is not over: only a finished round is reviewed")
    chronicle, seats = Chronicle(round), range(round.game.seats)
    found: list[Decision] = []
    past: dict[int, list[Happened]] = {seat: [] for seat in seats}
    for step, (seat, action) in enumerate(round.history):
        whole, versions = chronicle.whole(), chronicle.versions
        if seat != DRIVER:
            if has(undoing(whole, seat), action):
                found = _taken_back(round, found, whole, seat, action)
            elif count(choices_of(whole, seat)) > 1 and not side_bet(whole, seat):
                seen = Seen(chronicle.hidden(seat), seat, tuple(past[seat]))
                found.append(Decision(step, versions[seat], seen, action, whole))
        done = chronicle.see()
        for viewer in seats:
            if chronicle.versions[viewer] > versions[viewer]:
                shown = action if done.is_seen_by(viewer) else None
                past[viewer].append(Happened(seat, shown, chronicle.hidden(viewer)))
    return found


def _taken_back(round: Round, found: list[Decision], whole: RoundState, seat: int, action: int) -> list[Decision]:
    """Return the decisions found so far, except the decisions that a seat takes back with an action.

    It takes back all its decisions since the one at which its own zones held the same cards as after the action. Only its own zones
    are compared, because other seats may have acted meanwhile, and the game may count actions that are taken back.
    """
    after = round.contract.state()
    copy(after, whole)
    play(after, seat, action)
    now = _own(hidden_state(after, seat), seat)
    since = next((one.step for one in reversed(found) if one.seat == seat and _own(one.seen.hidden, seat) == now), None)
    return found if since is None else [one for one in found if one.seat != seat or one.step < since]


def _own(hidden: RoundState, seat: int) -> list[Zone]:
    """Return a seat's own zones, with the cards in them."""
    return [zone for zone in hidden.contract.table.zones(hidden) if zone.owner == seat]
