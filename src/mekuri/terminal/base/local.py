"""A match in this process, between one player and bots or between bots only. The log of its table is kept in memory."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from mekuri.bots import company, weakest
from mekuri.desk.memory import MemoryLog
from mekuri.engine.chance import Seed, plain_seed
from mekuri.engine.contract import Worth
from mekuri.engine.errors import OptionError
from mekuri.engine.options import all_texts, differing
from mekuri.match.deals import SeedDeals
from mekuri.match.game import Game
from mekuri.match.match import Match
from mekuri.protocol import table as wire
from mekuri.protocol.analysis import Analysis, Why
from mekuri.protocol.library import worths
from mekuri.table import commands
from mekuri.table.bot_pool import BotPool
from mekuri.table.commands import Answer, Turn, seat_of
from mekuri.table.events import Viewer
from mekuri.table.reasons import last_move
from mekuri.table.rows import load
from mekuri.table.seating import PERSON
from mekuri.table.session import Context, Session, new_match
from mekuri.table.showing import finished, show
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks
from mekuri.table.time import REAL, Time
from mekuri.table.weighing import present
from mekuri.terminal.base.finished import Finished, FinishedHere
from mekuri.terminal.base.follower import Follower
from mekuri.terminal.base.play import Stage
from mekuri.terminal.base.translate import YOU

# The kinds of events that are shown if no other people play.
_SHOWN = ("round", "play", "lapse", "open", "take-back", "settle", "end")


def solo_table(
    game: Game,
    seats: Sequence[str],
    match_options: Mapping[str, object],
    seed: Seed | None = None,
    first_dealer: int | None = None,
    window: int | None = None,
    time: Time = REAL,
    entry: str | None = None,
) -> Table:
    """Make a table for one player and bots, or for bots only.

    Args:
        game: the game with its options.
        seats: the players in seat order: `you`, or a bot's name.
        match_options: match options that differ from the game's preset.
        seed: the seed of all deals, of lots and of the bots' choices; None for a random one.
        first_dealer: the seat that deals first; None for a lot.
        window: how long a window stays open, in milliseconds; None for the usual time.
        time: the clock, and the ways to wait for it.
        entry: the id of the entry under whose name the game is played; None for its own name.

    Raises:
        OptionError: the number of seats is wrong, `you` sits in several, or an option has no such value.
        ProblemError: the table is refused.
    """
    if len(seats) != game.seats:
        raise OptionError(f"{game.id} has {game.seats} seats, and {len(seats)} were named")
    if seats.count(YOU) > 1:
        raise OptionError("one person plays at a terminal: name one seat you, and bots for the others")
    asked = wire.AskTable(
        game=entry or game.id,
        options=all_texts(game.options),
        match_options=differing(game.match_options(match_options)),
        seats=[PERSON if player == YOU else player for player in seats],
        first_dealer=first_dealer,
    )
    person = YOU if YOU in seats else None
    id, root = _new_name()
    if seed is not None:
        seed = plain_seed(seed)
        root = sha256(repr(seed).encode()).digest()
    deals = SeedDeals(secrets.token_bytes(32) if seed is None else seed)
    table = commands.make(id, root, asked, person, time.now(), window=window, deals=deals)
    if person:
        commands.sit(table, person, person, wire.AskSeat(), time.now())
    return table


def seats_of(game: Game, opponent: str = "") -> tuple[str, ...]:
    """Return the players in seat order: `you`, then bots, first `opponent`, by default the weakest character."""
    return (YOU, *company(game.contract, game.seats - 1, opponent or weakest(game.contract)))


class LocalPlay(Follower):
    """A match in this process, for its player or for a spectator.

    Attributes:
        table: its table.
        next: the match that was played after it; None if there was none.
    """

    def __init__(self, table: Table, pace: float, time: Time = REAL, log: MemoryLog | None = None) -> None:
        viewer = seat_of(table, YOU)
        super().__init__(table.game.contract, show(table, viewer), pace, time)
        self.table = table
        self.next: LocalPlay | None = None
        self._log = log or MemoryLog(time)
        self._tasks = Tasks()
        self._bot_pool = BotPool()
        context = Context(self._log, time, self._load, self._choose_for, self._tasks)
        self._session = _Session(table, context, viewer, self._receive)
        self._seen_all = asyncio.Event()

    @property
    def match(self) -> Match:
        """The match of the table."""
        assert self.table.match, "it begins when every seat is taken"
        return self.table.match

    # --- What the player does ---

    async def run(self, stage: Stage) -> None:
        """Run the table and show the match to its end."""
        self._stage = stage
        if self.table.fresh:
            await self._log.add_match(new_match(self.table))
            self.table.fresh = []
        self._receive_round()
        self._session.wake(self.table)
        try:
            await self._show_all()
        finally:
            self._session.stop()
            self._bot_pool.close()

    async def _act(self, asked: wire.AskAction | wire.AskTakeBack) -> None:
        if isinstance(asked, wire.AskAction):
            await self._session.do(lambda table, at: commands.play(table, YOU, asked, at))
        else:
            await self._session.do(lambda table, at: commands.take_back(table, YOU, asked, at))

    async def hint(self) -> Analysis:
        """Return the analysis of the player's decision, made in a thread."""
        weighing = await self._session.read(lambda table: present(table, YOU))
        return await asyncio.to_thread(weighing.weigh)

    async def why(self) -> Why:
        """Return the reasons for another seat's last move, worked out in a thread."""
        reason = await self._session.read(lambda table: last_move(table, YOU))
        return await asyncio.to_thread(reason.weigh)

    async def worths(self) -> Mapping[str, Worth]:
        """Return what every card in play counts by the rules, by notation."""
        return worths(self.id, self.table.game).cards

    def finished(self, number: int) -> Finished | None:
        """Return a finished round; None for a spectator."""
        return None if self.you is None else FinishedHere(finished(self.table, number), number, self.you)

    async def _go_on(self, asked: wire.AskReady) -> wire.Table:
        await self._session.do(lambda table, at: commands.ready(table, YOU, asked, at))
        return show(self.table, self.you)

    async def play_again(self) -> LocalPlay:
        """Return the next match with the same bots, in which the deal passes on."""

        def again(table: Table, at: int) -> Table:
            deals = SeedDeals(secrets.token_bytes(32))
            commands.rematch(table, YOU, at, *_new_name(), 0, deals)
            assert table.founded, "a rematch founds a table"
            commands.sit(table.founded, YOU, YOU, wire.AskSeat(), at)
            return table.founded

        if self.next is None:
            table = await self._session.do(again)
            table.fresh = []
            self.next = LocalPlay(table, self.pace, self._time, self._log)
        return self.next

    # --- The table ---

    async def _load(self, id: str) -> Table:
        self.table = load(id, self.table.root, await self._log.rows(id), self.table.deals, self.table.names)
        return self.table

    async def _choose_for(self, turn: Turn) -> Answer:
        """Return the action that a bot chooses. The bot begins only when all earlier events have been shown."""
        await self._seen_all.wait()
        try:
            return await self._bot_pool.choose(turn)
        except Exception as error:
            self._put(error)
            raise

    # --- Receiving what happens ---

    def _receive(self, event: wire.Event) -> None:
        """Keep the newest state of the table, and queue an event until it is shown."""
        self._head = event.head or self._head
        if event.kind in _SHOWN:
            self._seen_all.clear()
            self._put(event)

    def _receive_round(self) -> None:
        """Receive the events of the current round so far. A round in progress is shown at once, as it stands."""
        version = self.table.version(self.you)
        since = max(self.table.history.chapters[-1].versions[self.you], version - wire.MOST_EVENTS)
        for event in self.table.history.events(self.you, since) or ():
            self._receive(event)
        self._number = self.table.rounds
        if self.match.round.actions:
            self._hurry.set()

    def _all_shown(self) -> None:
        self._seen_all.set()


class _Session(Session):
    """The session of a table whose events go to one viewer."""

    def __init__(self, table: Table, context: Context, viewer: Viewer, receive: Callable[[wire.Event], None]) -> None:
        super().__init__(table.id, context)
        self._viewer = viewer
        self._receive = receive
        self.exchange(table)

    def exchange(self, table: Table) -> None:
        super().exchange(table)
        table.history.watched = {self._viewer}

    def tell(self, table: Table) -> None:
        for _, event in table.history.pending:
            self._receive(event)
        super().tell(table)


def _new_name() -> tuple[str, bytes]:
    """Return a random id and a random root for a new table."""
    return secrets.token_hex(8), secrets.token_bytes(32)
