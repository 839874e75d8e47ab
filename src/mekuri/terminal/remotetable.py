"""The state of a table on a server: who is present, which seats are free, and what is wrong with the connection."""

from __future__ import annotations

from mekuri import games
from mekuri.engine.contract import Contract, Text
from mekuri.engine.errors import UnknownGame
from mekuri.match.view import Event
from mekuri.protocol import table as wire
from mekuri.terminal.follower import Follower
from mekuri.terminal.line import Line, LineError
from mekuri.terminal.translate import Translator, printable


def known_game(table: wire.Table) -> Contract:
    """Return the contract of a table's game.

    Raises:
        LineError: this Mekuri does not have the game, or has another ruleset version of it.
    """
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


class RemoteTable(Follower):
    """Base class of a match at a table on a server."""

    def __init__(self, line: Line, table: wire.Table, pace: float) -> None:
        super().__init__(known_game(table), table, pace)
        self.link = f"{line.public_url}/t/{table.id}"
        self._line = line
        self._presence = table.presence  # who is connected, as the server has said last
        self._turn_by_turn = table.term is not None
        self._announced: dict[str, str] = {}  # the notice of the server's operator, by language

    # --- What goes on around it ---

    @property
    def server(self) -> str:
        """The server's address."""
        return self._line.server

    def absent(self, seat: int) -> bool:
        """Return whether the person of a seat is disconnected from the server. Where a move may take days, nobody is absent."""
        return not self._turn_by_turn and any(told.seat == seat and not told.here for told in self._presence)

    @property
    def slow(self) -> tuple[int, ...]:
        """The seats for which the person waits and has waited so long that a bot may be called."""
        if self.you is None or self._head.state != "running" or self._head.seats[self.you].bot or self._owes:
            return ()
        return tuple(told.seat for told in self._presence if told.stalled and told.seat != self.you)

    @property
    def _owes(self) -> bool:
        """Whether the person has to act, or to be ready for the next round."""
        if self._view is None or self._view.over:
            return self.you is not None and not self._head.seats[self.you].ready
        return bool(self._view.legal)

    @property
    def replaced(self) -> bool:
        """Whether a bot plays for the person because the person did not act for a long time."""
        return self._head.state == "running" and self.you is not None and self._head.seats[self.you].stalled

    def kept_for(self, seat: int) -> str:
        """Return the name of the person for whom a free seat is kept; empty for nobody."""
        return self._head.seats[seat].kept_for or ""

    def by_lot(self, seat: int) -> bool:
        """Return whether a seat is still to be drawn by lot."""
        return self._head.seats[seat].by_lot

    def frees(self, seat: int) -> bool:
        """Return whether the person has made the table, sits there, and may free a seat before the match begins."""
        mine = self._head.state == "open" and self.you is not None and self._head.maker == self.you
        return mine and seat != self.you and seat < len(self._head.seats) and self._head.seats[seat].name is not None

    @property
    def wishes(self) -> int | None:
        """The seat that was the first to ask for another match; None while none has."""
        return self._head.rematch.seat if self._head.rematch else None

    @property
    def leaving(self) -> str:
        """The id of the question before leaving. In a running match the question says what becomes of the seat."""
        return "quit.seat" if self._head.state == "running" and self.you is not None else "quit.table"

    def trouble(self, translator: Translator) -> str:
        """Return that the connection is lost; else the notice of the server's operator and the people who are away."""
        if self._line.lost:
            return translator.say("line.lost")
        announced = self._announced.get(translator.lang) or next(iter(self._announced.values()), "")
        told = [printable(announced)] if announced else []
        for seat in self._head.seats if self._head.state == "running" else ():
            if seat.kind == "person" and seat.bot:
                bot = translator.text(Text(f"bots.{seat.bot}", {}))
                held = "line.replaced" if seat.seat == self.you and self.replaced else "line.held"
                told.append(translator.say(held, name=translator.player(seat.seat), bot=bot))
            elif seat.seat in self.slow:
                told.append(translator.say("line.slow", name=translator.player(seat.seat)))
            elif self.absent(seat.seat) and seat.seat != self.you:
                told.append(translator.say("line.away", name=translator.player(seat.seat)))
        return " · ".join(told)

    def _now(self) -> int:
        return self._line.now()

    # --- Understanding the server ---

    def _seen(self, event: wire.Event) -> Event:
        """Return an event of the wire as an event of the match.

        Raises:
            LineError: the event has no view, or cannot be understood.
        """
        if event.view is None:
            raise self._line.strange()
        return super()._seen(event)
