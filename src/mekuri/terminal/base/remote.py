"""A match at a table on a server or of a desk in this process: events arrive as a stream, and actions are sent as requests."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Self

import msgspec
from httpx_sse import ServerSentEvent

from mekuri import games
from mekuri.engine.contract import DRIVER, Contract, Text, Worth
from mekuri.engine.errors import UnknownGame
from mekuri.match.view import Happening, View
from mekuri.protocol import table as wire
from mekuri.protocol.analysis import Analysis, Why
from mekuri.terminal.base.finished import Finished, FinishedThere
from mekuri.terminal.base.line import Line, LineError, ServerRefusal
from mekuri.terminal.base.play import Play, Stage
from mekuri.terminal.base.texts import TableTexts
from mekuri.terminal.base.translate import Translator, printable

_FAREWELL = 2.0  # seconds that the request to leave may take

News = wire.Table | wire.Event | Exception


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


class RemotePlay(Play):
    """A match at a table on a server, played or watched.

    The events arrive as a stream, and the player's actions are sent as requests.

    Attributes:
        id: the table's id.
        left: whether the player has stood up.
        commitment: the server's commitment to its deals before the player's cut; empty if the player joined later.
        next: the match with the same players that was played after it; None if there was none.
    """

    def __init__(self, line: Line, table: wire.Table, pace: float, before: wire.Table | None = None) -> None:
        """Prepare to show a match.

        Args:
            line: the connection.
            table: the table.
            pace: seconds between two events shown.
            before: the table before the player sat down, if the match is to be shown from its beginning.
        """
        super().__init__(known_game(table), table.head, table.you, pace, table.length, line.time)
        self.id = table.id
        self.book = TableTexts(self.contract, table.entry)
        self.first_dealer = table.first_dealer
        self.link = f"{line.public_url}/t/{table.id}" if line.public_url else ""
        self.left = False
        self.commitment = before.head.commitment if before else ""
        self.next: RemotePlay | None = None
        self._line = line
        self._news: deque[News] = deque()
        self._something = asyncio.Event()  # set while there are news
        self._answered = 0  # the version after the player's last answer to the question for the next round
        self._after = "0" if before else ""  # the id of the message after which the stream begins
        self._presence = table.presence
        self._turn_by_turn = table.term is not None
        self._announced: dict[str, str] = {}  # the notice of the server's operator, by language
        self._version = -1  # the version of the last message
        self._errands: set[asyncio.Task[None]] = set()
        self._returning = False  # whether the player's seat is being taken back
        self._met: set[int] = set()  # seats whose players have been connected
        self._gone: set[int] = set()  # those of them whose absence stands in the log

    @classmethod
    async def sit_down(cls, line: Line, table: wire.Table, seat: int | None, pace: float) -> Self:
        """Sit down at a table with a random cut, and return the match.

        A match that has not begun yet is then shown from its beginning.

        Args:
            line: the open connection, signed in.
            table: the table.
            seat: the number of the seat; None for the one that is kept for the player, or for any.
            pace: seconds between two events shown.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        # A player who takes a seat back has sent a cut before, which stays.
        asked = wire.AskSeat(seat=seat, cut=secrets.token_hex(8))
        sat = await line.ask("POST", f"/api/tables/{table.id}/seat", wire.Table, asked)
        return cls(line, sat, pace, table if table.head.state == "open" else None)

    @property
    def server(self) -> str:
        """The server's address."""
        return self._line.server

    def absent(self, seat: int) -> bool:
        """Return whether the player of a seat is disconnected from the server. Nobody is absent where a move may take days."""
        return not self._turn_by_turn and super().absent(seat)

    @property
    def talks(self) -> bool:
        """Whether the player sits at this table together with other people."""
        return self.you is not None and not self.left and bool(self.people)

    def trouble(self, translator: Translator) -> str:
        """Return that the connection is lost; else the notice of the server's operator and the players who are away."""
        if self._line.lost:
            return translator.say("line.lost")
        announced = self._announced.get(translator.lang) or next(iter(self._announced.values()), "")
        parts = [printable(announced)] if announced else []
        for seat in self._head.seats if self._head.state == "running" else ():
            name = translator.player(seat.seat)
            if seat.kind == "person" and seat.bot:
                bot = translator.text(Text(f"bots.{seat.bot}", {}))
                held = "line.replaced" if seat.seat == self.you and self.replaced else "line.held"
                parts.append(translator.say(held, name=name, bot=bot))
            elif seat.seat in self.slow:
                parts.append(translator.say("line.slow", name=name))
            elif self.absent(seat.seat) and seat.seat != self.you:
                parts.append(translator.say("line.away", name=name))
        return " · ".join(parts)

    def _now(self) -> int:
        return self._line.now()

    # --- What the player does ---

    async def _send(self, place: str, asked: msgspec.Struct | None = None) -> wire.Table:
        """Send a request about the table once.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return await self._line.ask("POST", self._path(place), wire.Table, asked)

    async def _act(self, asked: wire.AskAction | wire.AskTakeBack) -> None:
        try:
            if isinstance(asked, wire.AskAction):
                await self._line.insist("POST", self._path("actions"), wire.Answer, asked)
            else:
                await self._line.insist("POST", self._path("take-back"), wire.Table, asked)
        except ServerRefusal:
            raise
        except LineError as error:
            self._put(error)

    async def hint(self) -> Analysis:
        """Ask the server for the analysis of the player's decision.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return await self._line.ask("GET", self._path("analysis"), Analysis)

    async def why(self) -> Why:
        """Ask the server for the reasons of another seat's last move.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return await self._line.ask("GET", self._path("why"), Why)

    async def worths(self) -> Mapping[str, Worth]:
        """Ask the server what every card in play counts.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return (await self._line.ask("GET", self._path("cards"), wire.Worths)).cards

    def finished(self, number: int) -> Finished | None:
        """Return a finished round; None for a spectator."""
        if self.you is None:
            return None
        return FinishedThere(self._line, self.id, self.seen, self.contract, number, self.you, len(self.seats))

    async def _go_on(self, asked: wire.AskReady) -> wire.Table | None:
        try:
            return await self._line.insist("POST", self._path("ready"), wire.Table, asked)
        except ServerRefusal as refused:
            # The match may have ended meanwhile, or another player would play on: the stream reports that next.
            if not self.over and refused.problem.error != "plays-on":
                raise
            return None

    async def play_on(self) -> None:
        """Take back the player's wish to end the match after the finished round."""
        await self._send("ready", wire.AskReady(round=self._number, enough=False))

    async def play_again(self) -> RemotePlay:
        """Ask for a rematch and sit down at its table. The first player who asks creates the table."""
        async with self._line.again() as line:
            table = await line.ask("POST", self._path("rematch"), wire.Table)
            free = table.you is None and table.head.state == "open"
            here = type(self)
            self.next = await here.sit_down(line, table, None, self.pace) if free else here(line, table, self.pace)
        return self.next

    async def say(self, said: str) -> None:
        """Send a message to the other players."""
        await self._send("say", wire.AskSay(version=self._version, said=said))

    async def free(self, seat: int, keep_out: bool) -> None:
        """Ask the server to free a seat."""
        await self._send("free", wire.AskFree(seat=seat, version=self._version, keep_out=keep_out))

    async def settle(self, end: bool) -> None:
        """Have bots play for players who do not act, or ask to end the match."""
        await self._send("break-off" if end else "stand-in")

    async def return_to_seat(self) -> None:
        """Take the player's seat back from a bot."""
        try:
            await self._line.insist("POST", self._path("seat"), wire.Table, wire.AskSeat())
        finally:
            self._returning = False

    async def leave(self) -> None:
        """Notify the server that the player leaves, if it answers within two seconds."""
        self.left = True
        if self.you is not None and not self.over:
            try:
                await asyncio.wait_for(self._line.ask("DELETE", self._path("seat"), wire.Table), _FAREWELL)
            except (LineError, TimeoutError):
                return  # a bot takes the seat after a while

    async def record(self) -> bytes:
        """Return the record of the match as JSON, when the match is over.

        Raises:
            LineError: the match is not over, or the server cannot be reached.
        """
        async with self._line.again() as line:
            return await line.fetch("GET", self._path("record"))

    def _path(self, place: str) -> str:
        return f"/api/tables/{self.id}/{place}"

    # --- Receiving what happens ---

    async def run(self, stage: Stage) -> None:
        """Follow the table and show the match until it is over."""
        self._stage = stage
        async with self._line:
            following = asyncio.create_task(self._follow())
            try:
                await self._show_all()
            except LineError as error:
                stage.break_off(str(error))
            finally:
                for task in (following, *self._errands):
                    task.cancel()

    async def _follow(self) -> None:
        self._stage.show_news()
        try:
            async for message in self._line.follow(self.id, self._after, self._stage.show_news):
                self._receive(message)
        except LineError as error:
            self._put(error)

    def _receive(self, message: ServerSentEvent) -> None:
        """Handle a message of the stream: apply at once who is present, and queue what happened until it is shown."""
        if message.event == "table":
            table = self._line.understand(message.data, wire.Table)
            self._version, self._head, self._presence = table.version, table.head, table.presence
            self._met |= {presence.seat for presence in table.presence if presence.here}
            self._put(table)
        elif message.event == "event":
            event = self._line.understand(message.data, wire.Event)
            if event.version <= self._version:
                return
            self._version = event.version
            self._put(event)
            if event.seat == self.you and event.kind in ("leave", "back"):
                self.left = event.kind == "leave"  # perhaps from another terminal or the page
            if event.head is None:
                return
            self._head = event.head
        elif message.event == "presence":
            self._note_presence(self._line.understand(message.data, wire.TablePresence).presence)
        elif message.event == "notice":
            self._announced = self._line.understand(message.data, wire.Notice).texts
            self._stage.show_news()
            return
        else:
            return
        self._keep_seat()
        self._stage.show_news()

    def _note_presence(self, present: list[wire.Presence]) -> None:
        """Add to the log which players have gone away or come back, if the table waits for them."""
        self._presence = present
        for presence in present:
            seat = self._head.seats[presence.seat]
            if presence.here:
                self._met.add(presence.seat)
                # If a bot has the seat, its player takes it back, and that is an event of its own.
                if presence.seat in self._gone and not seat.bot:
                    self._stage.note(Text("table.back", {"name": seat.name}))
                self._gone.discard(presence.seat)
            elif presence.bot_at is not None and presence.seat in self._met - self._gone:
                self._gone.add(presence.seat)
                seconds = max(0, round((presence.bot_at - self._now()) / 1000))
                self._stage.note(Text("table.away", {"name": seat.name, "seconds": seconds}))

    def _keep_seat(self) -> None:
        """Take the player's seat back from the bot that got it while the connection was lost."""
        mine = self._head.seats[self.you] if self.you is not None else None
        if mine and mine.bot and self._head.state == "running" and not (self.left or mine.stalled or self._returning):
            self._returning = True
            self._send_for(self.return_to_seat())

    def _send_for(self, errand: Coroutine[None, None, None]) -> None:
        """Run a request in a task of its own. Its result arrives by the stream, and a refusal is ignored."""

        async def run() -> None:
            with suppress(LineError):
                await errand

        task = asyncio.create_task(run())
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    # --- Showing it ---

    def _put(self, news: News) -> None:
        """Queue a piece of news until it is shown. An exception is raised when its turn comes."""
        self._news.append(news)
        self._something.set()

    async def _show_all(self) -> None:
        """Show the news in order until the match is over."""
        while not await self._show(await self._next()):
            pass
        self._showing = False
        await self._stage.end_match()

    async def _next(self) -> wire.Table | wire.Event:
        if not self._news:
            self._showing = False
            if self.you is None or (self._view and self._view.legal):
                self._hurry.clear()
            self._something.clear()
            self._all_shown()
            await self._something.wait()
        self._showing = True
        news = self._news.popleft()
        if isinstance(news, Exception):
            raise news
        return news

    def _all_shown(self) -> None:
        """Called when all news so far has been shown."""

    async def _show(self, news: wire.Table | wire.Event) -> bool:
        """Show the next piece of news. Returns whether it was the last."""
        if isinstance(news, wire.Event):
            await self._show_event(news)
            return news.kind == "end"
        await self._show_table(news)
        return news.head.state == "over"

    async def _show_event(self, event: wire.Event) -> None:
        if event.kind == "round":
            self._number = event.head.round if event.head else self._number + 1
            self._stage.begin_round()
        if event.kind == "say" and event.seat != self.you and not self.hears:
            return
        if event.view is None:
            self._stage.note(event.text)
            return
        if event.kind == "play" and event.seat != self.you:
            await self._pause()
        shown = [self.seen(event)]
        while self._at_once and self._news and isinstance(news := self._news[0], wire.Event) and news.kind == "play":
            shown.append(self.seen(news))
            self._news.popleft()
        self._set_view(shown[-1].view)
        self._stage.show_events(shown, shown[-1].view)
        again = event.kind == "ready" and event.head and event.version > self._answered and self._has_to_answer(event.head)
        if event.kind == "open" or (again and self._has_to_answer(self._head)):
            await self._end_round(shown[-1].view)

    @property
    def _at_once(self) -> bool:
        """Whether all remaining events are shown without pauses."""
        return self.pace <= 0 or self._hurry.is_set()

    def _set_view(self, view: View | None) -> None:
        """Keep the view that is shown, and until when the table waits in it: seconds for a window, or days."""
        self._view = view
        self._due = view.due if view else None
        self._closes = view.closes if view and view.due is None else None

    async def _end_round(self, view: View) -> None:
        """Show the result of the round, then ask for the next one. If the server needs another answer, show it again."""
        number = self._number
        result = self._note_result(number, view)
        self._showing = False
        while True:
            await self._stage.end_round(result)
            if self.you is None or self.over:
                return
            asked = wire.AskReady(round=number, enough=self.enough)
            self.enough = None
            table = await self._go_on(asked)
            if table and not self._has_to_answer(table.head):
                self._answered = table.version
                return

    async def _show_table(self, table: wire.Table) -> None:
        """Show the table as it is now, with the events of the round that the server still has."""
        lots, past = await self._past(table) if table.view else ([], [])
        view = table.view
        self.you, self._number, self._sent = table.you, table.head.round, None
        self._set_view(view)
        self._stage.begin_round()
        for text in lots:
            self._stage.note(text)
        if view is None:
            self._stage.show_news()
            return
        self._stage.show_events(past, view)
        missed = [number for number in range(1, table.head.round + 1) if number not in self._results]
        if table.head.state == "over":
            await self._learn(missed)
            return
        self._send_for(self._learn([number for number in missed if number < table.head.round]))
        if view.over and (self.you is None or not table.head.seats[self.you].ready):
            await self._end_round(view)

    async def _past(self, table: wire.Table) -> tuple[list[Text], list[Happening]]:
        """Return the text of a draw by lot before the round, and the events of the round; both empty if fetching fails."""
        since = max(0, table.version - wire.MOST_EVENTS)
        try:
            events = (await self._line.ask("GET", self._path(f"events?since={since}"), wire.Events)).events
        except LineError:
            return [], []
        begins = max((at for at, event in enumerate(events) if event.kind == "round"), default=0)
        lots = [event.text for event in events[max(0, begins - 1) : begins] if event.text.id == "table.drawn"]
        return lots, [self.seen(event) for event in events[begins:] if event.view and event.version <= table.version]

    def seen(self, event: wire.Event) -> Happening:
        """Return an event of the wire as an event of the match.

        Raises:
            LineError: the event has no view, or cannot be understood.
        """
        if event.view is None:
            raise self._line.strange()
        seat = DRIVER if event.seat is None else event.seat
        return Happening(seat, event.action, event.text, event.view)

    async def _learn(self, numbers: Sequence[int]) -> None:
        """Fetch the results of rounds that have not been seen. Rounds that cannot be fetched are left out."""
        seat = "" if self.you is None else f"?seat={self.you}"
        with suppress(LineError):
            for number in numbers:
                replay = await self._line.insist("GET", self._path(f"rounds/{number}{seat}"), wire.Replay)
                view = replay.events[-1].view if replay.events else None
                if view:
                    self._note_result(number, view)
        self._stage.show_news()
