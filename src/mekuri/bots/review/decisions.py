"""The decisions of a round that is over, each as it stood when it was made."""

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
        step: how many things had happened in the round, the driver's among them.
        version: of the seat's view.
        seen: what the seat had seen.
        action: what it did.
        whole: the whole state, which it had not seen.
    """

    step: int
    version: int
    seen: Seen
    action: int
    whole: RoundState

    @property
    def seat(self) -> int:
        """Whose decision it was."""
        return self.seen.seat

    def chance(self, kind: str) -> list[int]:
        """The words by which it is judged in one way: they hang on nothing that the seat does not see."""
        return stream("review", self.whole.contract.id, kind, self.seat, self.version)


def decisions(round: Round) -> list[Decision]:
    """All decisions of a round that may change its returns, in order: side bets are none.

    Raises MekuriError while it is being played: they tell what is hidden.
    """
    if not round.over:
        raise MekuriError("the round is not over: only a finished round is reviewed")
    chronicle, seats = Chronicle(round), range(round.game.seats)
    found: list[Decision] = []
    past: dict[int, list[Happened]] = {seat: [] for seat in seats}
    for step, (seat, action) in enumerate(round.history):
        whole, versions = chronicle.whole(), chronicle.versions
        secret = round.contract.secret(whole)
        if seat != DRIVER:
            if has(undoing(whole, seat), action):
                found = _taken_back(round, found, whole, seat, action)
            elif count(choices_of(whole, seat)) > 1 and not side_bet(whole, seat):
                seen = Seen(chronicle.hidden(seat), seat, tuple(past[seat]))
                found.append(Decision(step, versions[seat], seen, action, whole))
        chronicle.go()
        for viewer in seats:
            if chronicle.versions[viewer] > versions[viewer]:
                told = None if secret and viewer != seat else action
                past[viewer].append(Happened(seat, told, chronicle.hidden(viewer)))
    return found


def _taken_back(round: Round, found: list[Decision], whole: RoundState, seat: int, action: int) -> list[Decision]:
    """The decisions without those that a seat now takes back: what lies before it is again as it was before them.

    Others may have acted meanwhile, and a game may count what is taken back, so only the seat's own places are compared.
    """
    after = round.contract.state()
    copy(after, whole)
    play(after, seat, action)
    now = _own(hidden_state(after, seat), seat)
    since = next((one.step for one in reversed(found) if one.seat == seat and _own(one.seen.hidden, seat) == now), None)
    return found if since is None else [one for one in found if one.seat != seat or one.step < since]


def _own(hidden: RoundState, seat: int) -> list[Zone]:
    """What lies in a seat's own places."""
    return [zone for zone in hidden.contract.zones(hidden) if zone.owner == seat]
