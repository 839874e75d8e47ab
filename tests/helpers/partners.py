"""Partners: the game of `pairs` by a contract that knows the partners, with a count of what each pair has laid face up."""

from dataclasses import dataclass

from mekuri.engine.contract import Counted, SheetLine, Text, Zone
from mekuri.plugin import Contract, count, each, fields, functions, rule
from tests.helpers import pairs
from tests.helpers.pairs import SEATS, PairsState, Word


@dataclass(slots=True)
class PartnersState(PairsState):
    """The rows and seats of `pairs`, declared as such."""

    hand: list[int] = fields.cards(each_seat=SEATS)
    held: list[int] = fields.count(4, each_seat=SEATS)
    down: list[int] = fields.cards(each_seat=SEATS)
    down_held: list[int] = fields.count(4, each_seat=SEATS)
    up: list[int] = fields.cards(each_seat=SEATS, public=True)
    attacker: int = fields.seat(public=True)
    turn: int = fields.seat(public=True)


@rule
def side_of(s: PartnersState, seat: int) -> int:
    return seat % 2


@rule
def outlook(s: PartnersState, seat: int) -> int:
    return count(s.up[seat] | s.up[(seat + 2) % SEATS])


def scored(h: PartnersState, seat: int) -> Counted:
    return Counted(outlook(h, seat), None)


def score_sheet(s: PartnersState) -> list[SheetLine]:
    return [SheetLine(seat, Text("lines.return", {}), 0, outlook(s, seat), "") for seat in range(SEATS)]


def zones(h: PartnersState) -> list[Zone]:
    hands = [Zone(f"hand-{seat}", seat, "hand", "fan", (*each(h.hand[seat]), *[None] * h.held[seat])) for seat in range(SEATS)]
    down = [Zone(f"down-{seat}", seat, "pile", "row", (*each(h.down[seat]), *[None] * h.down_held[seat])) for seat in range(SEATS)]
    return [*hands, *down, *(Zone(f"up-{seat}", seat, "captured", "row", each(h.up[seat])) for seat in range(SEATS))]


contract = Contract(
    id="partners", api=3, seats=(SEATS,), words=Word, state=PartnersState, **(functions(pairs) | functions(__name__))
)
