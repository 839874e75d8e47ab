"""A table on a server as it stands: what the server has told last, and what of it is shown."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from math import ceil

from mekuri import games
from mekuri.engine.contract import Contract, Text
from mekuri.engine.errors import UnknownGame
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.terminal.housebook import HouseBook
from mekuri.terminal.line import Line, LineError
from mekuri.terminal.play import Play, RoundResult
from mekuri.terminal.voice import YOU, Voice

FREE = "open"  # a seat for somebody who has not come yet


def known_game(table: wire.Table) -> Contract:
    """The game of a table. Raises LineError where this Mekuri does not have it, or by other rules."""
    try:
        contract = games.find(table.game)
    except UnknownGame:
        raise LineError(
            f"the table plays {table.game!r}, a game that this Mekuri does not have: update it, or add the game"
        ) from None
    if contract.version != table.ruleset:
        raise LineError(
            f"the table plays version {table.ruleset} of {table.game}, and this Mekuri has version {contract.version}: "
            f"update {'this Mekuri' if contract.version < table.ruleset else 'the server'}"
        )
    return contract


class RemoteTable(Play):
    """A match at a table on a server.

    Attributes:
        id: the table's.
    """

    book: HouseBook

    def __init__(self, line: Line, table: wire.Table, pace: float) -> None:
        contract = known_game(table)
        super().__init__(contract, HouseBook(contract.folder), table.you, pace, table.length)
        self.id = table.id
        self.link = f"{line.server}/t/{table.id}"
        self.first_dealer = table.first_dealer
        self._line = line
        # What the server has told last. What is shown may be behind that.
        self._head = table.head
        self._presence = table.presence
        # What is shown.
        self._number = 0
        self._view: View | None = None
        self._results: dict[int, RoundResult] = {}
        self._closes: int | None = None  # when silence counts as an answer, in milliseconds since 1970
        self._sent: int | None = None  # the version that an action was sent for

    # --- The match as it stands ---

    @property
    def seats(self) -> tuple[str, ...]:
        """`you`, bots' names, `open`, and people's names."""
        return tuple(self._who(seat) for seat in self._head.seats)

    def _who(self, seat: wire.Seat) -> str:
        if seat.seat == self.you:
            return YOU
        return seat.name or seat.bot or FREE

    @property
    def server(self) -> str:
        """The server's address."""
        return self._line.server

    @property
    def people(self) -> frozenset[int]:
        """The seats of the others who are no bots."""
        return frozenset(seat.seat for seat in self._head.seats if seat.name and seat.seat != self.you)

    @property
    def number(self) -> int:
        """Of the round that is shown."""
        return self._number

    @property
    def results(self) -> Sequence[RoundResult]:
        """Of the rounds that have been seen, or asked for."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def ledger(self) -> Sequence[Mapping[str, int]]:
        """As the view has it."""
        return (self._view.ledger if self._view else None) or [{} for _ in self._head.seats]

    @property
    def house(self) -> Mapping[str, int]:
        """As the view has it."""
        return self._view.house if self._view else {}

    @property
    def over(self) -> bool:
        """Whether the server has told that the match is over."""
        return self._head.state == "over"

    @property
    def winners(self) -> tuple[int, ...]:
        """As the server has told."""
        return tuple(self._head.winners or ())

    @property
    def closed(self) -> Text | None:
        """Why nobody has won."""
        return Text(f"table.end-{self._head.why}", {}) if self.over and not self._head.winners else None

    # --- What goes on around it ---

    @property
    def sending(self) -> bool:
        """From the sending of an action until what came of it is shown."""
        return self._sent is not None and self._view is not None and self._view.version == self._sent

    @property
    def seconds_left(self) -> int | None:
        """Until the window closes that the view tells of."""
        return None if self._closes is None else max(0, ceil(self._closes / 1000 - time.time()))

    @property
    def awaited(self) -> tuple[int, ...]:
        """The people who have not asked for the next round, once one has asked oneself."""
        seats = self._head.seats
        if self._head.state != "running" or (self.you is not None and not seats[self.you].ready):
            return ()
        return tuple(seat.seat for seat in seats if not seat.ready)

    def absent(self, seat: int) -> bool:
        """Whether the server has lost the line to the person of a seat."""
        return any(told.seat == seat and not told.here for told in self._presence)

    def kept_for(self, seat: int) -> str:
        """As the server has told."""
        return self._head.seats[seat].kept_for or ""

    @property
    def can_go_on(self) -> bool:
        """For whoever sat there."""
        return self.over and self.you is not None

    @property
    def wishes(self) -> int | None:
        """As the server has told."""
        return self._head.rematch.seat if self._head.rematch else None

    @property
    def leaving(self) -> str:
        """A seat in a match is not left without consequences."""
        return "quit.seat" if self._head.state == "running" and self.you is not None else "quit.table"

    def trouble(self, voice: Voice) -> str:
        """The line that is lost, or the people who are away."""
        if self._line.lost:
            return voice.say("line.lost")
        told = []
        for seat in self._head.seats if self._head.state == "running" else ():
            if seat.kind == "person" and seat.bot:
                bot = voice.text(Text(f"bots.{seat.bot}", {}))
                told.append(voice.say("line.held", name=voice.player(seat.seat), bot=bot))
            elif self.absent(seat.seat) and seat.seat != self.you:
                told.append(voice.say("line.away", name=voice.player(seat.seat)))
        return " · ".join(told)
