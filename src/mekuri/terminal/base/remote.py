"""A match at a table on a server: events arrive as a stream, and actions are sent as requests."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress

import msgspec
from httpx_sse import ServerSentEvent

from mekuri import games
from mekuri.bots.review import Review
from mekuri.engine.contract import Contract, Text, Worth
from mekuri.engine.errors import UnknownGame
from mekuri.match.view import Happening
from mekuri.protocol import table as wire
from mekuri.protocol.analysis import Analysis, Why
from mekuri.protocol.review import AskRetry, Retried, Reviewed
from mekuri.terminal.base.finished import Finished, Progress
from mekuri.terminal.base.follower import Follower
from mekuri.terminal.base.line import Line, LineError, ServerRefusal
from mekuri.terminal.base.play import Stage
from mekuri.terminal.base.translate import Translator, printable

_FAREWELL = 2.0  # seconds that the request to leave may take
_LOOK = 0.5  # seconds between two requests for a review that is being made


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


async def sit_down(line: Line, table: wire.Table, seat: int | None, pace: float) -> RemotePlay:
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
    return RemotePlay(line, sat, pace, table.head.commitment if table.head.state == "open" else "")


class RemotePlay(Follower):
    """A match at a table on a server, played or watched.

    The events arrive as a stream, and the player's actions are sent as requests.

    Attributes:
        left: whether the player has stood up.
        commitment: the server's commitment to its deals before the player's cut; empty if the player joined later.
        next: the match with the same players that was played after it; None if there was none.
    """

    def __init__(self, line: Line, table: wire.Table, pace: float, commitment: str = "") -> None:
        super().__init__(known_game(table), table, pace)
        self.link = f"{line.public_url}/t/{table.id}"
        self.left = False
        self.commitment = commitment
        self.next: RemotePlay | None = None
        self._line = line
        self._presence = table.presence
        self._turn_by_turn = table.term is not None
        self._announced: dict[str, str] = {}  # the notice of the server's operator, by language
        self._version = -1  # the version of the last message
        self._errands: set[asyncio.Task[None]] = set()
        self._returning = False  # whether the player's seat is being taken back
        self._met: set[int] = set()  # seats whose players have been connected
        self._gone: set[int] = set()  # those of them whose absence stands in the log

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
        return None if self.you is None else FinishedThere(self, self._line, number, self.you)

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
        line = Line(self.server)
        async with line:
            line.token = self._line.token
            table = await line.ask("POST", self._path("rematch"), wire.Table)
            free = table.you is None and table.head.state == "open"
            self.next = await sit_down(line, table, None, self.pace) if free else RemotePlay(line, table, self.pace)
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
        # A player who sat down before the match began sees all of it.
        after = "0" if self.commitment else ""
        try:
            async for message in self._line.follow(self.id, after, self._stage.show_news):
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

    async def _show(self, news: wire.Table | wire.Event) -> bool:
        if isinstance(news, wire.Event):
            return await super()._show(news)
        await self._show_table(news)
        return news.head.state == "over"

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
        return super().seen(event)

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


class FinishedThere(Finished):
    """A finished round of a table on a server."""

    def __init__(self, play: RemotePlay, line: Line, number: int, seat: int) -> None:
        super().__init__(play.contract, number, seat, len(play.seats))
        self._play, self._line = play, line
        self._path = f"/api/tables/{play.id}/rounds/{number}"

    async def review(self, progress: Progress) -> Review:
        """Ask for the review until it has been made. A review by an earlier judge is made again.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        while True:
            reviewed = await self._line.insist("GET", f"{self._path}/review?seat={self.seat}&again=true", Reviewed)
            if reviewed.review:
                return reviewed.review
            progress(reviewed.done, reviewed.total)
            await asyncio.sleep(_LOOK)

    async def events(self) -> Sequence[Happening]:
        """Fetch the events of the round.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        replay = await self._line.insist("GET", f"{self._path}?seat={self.seat}", wire.Replay)
        return [self._play.seen(event) for event in replay.events if event.kind == "play"]

    async def worths(self) -> Mapping[str, Worth]:
        """Ask the server what every card in play counts.

        Raises:
            LineError: the server cannot be reached or refuses.
        """
        return await self._play.worths()

    async def retry(self, asked: AskRetry) -> Retried:
        """Ask the server to play on from a moment of the round with another action.

        Raises:
            LineError: the server refuses, or its answer cannot be understood.
        """
        return await self._line.insist("POST", f"{self._path}/retry", Retried, asked)
