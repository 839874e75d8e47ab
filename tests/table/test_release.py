"""The release of bots' answers: waiting times reveal next to nothing about a bot's choices."""

from collections.abc import Callable
from pathlib import Path

import pytest

from mekuri import games
from mekuri.bots import usual
from mekuri.desk.memory import MemoryLog
from mekuri.engine.contract import DRIVER
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.commands import Answer, Turn
from mekuri.table.release import Release
from mekuri.table.rows import load
from mekuri.table.session import Context, Session, new_match
from mekuri.table.table import Table
from mekuri.table.tasks import Tasks
from tests.helpers.server.serving import serving
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import USUAL
from tests.helpers.time import Skipping, until

PACE, LIMIT = 0.3, 5.0
UNSEEN = "mutsuichi"  # in which a seat lays as many cards face down as it likes, and says when it has done so
ANN = "ann"
BEGIN = 1_000_000  # what the clock says at first, in milliseconds


Think = Callable[["Watched", Turn], Answer]


class Watched(Session):
    """A session that records the events of a spectator, with their times.

    Attributes:
        time: the clock.
        announced: the events of a spectator, with the times at which they were sent.
        asked: the turns of bots.
    """

    def __init__(self, think: Think, pace: float = PACE) -> None:
        self.time = Skipping(BEGIN)
        self.log = MemoryLog(self.time)
        self.announced: list[tuple[int, wire.Event]] = []
        self.asked: list[Turn] = []
        self.think = think
        context = Context(self.log, self.time, self._load, self._choose, Tasks(), pace, LIMIT)
        super().__init__("t", context)

    async def _load(self, id: str) -> Table:
        return load(id, ROOT, await self.log.rows(id))

    async def _choose(self, turn: Turn) -> Answer:
        self.asked.append(turn)
        return self.think(self, turn)

    def exchange(self, table: Table) -> None:
        super().exchange(table)
        table.history.watched = {None}

    def tell(self, table: Table) -> None:
        self.announced += [(self.time.now(), event) for _, event in table.history.pending]
        super().tell(table)

    async def begin(self, name: str, bots: int = 1) -> "Watched":
        """A match of a person in the first seat and so many bots."""
        seats = ["person", *["random"] * bots]
        asked = wire.AskTable(game=name, seats=seats, match_options={"rounds": "2"}, first_dealer=1)
        table = commands.make("t", ROOT, asked, ANN, self.time.now())
        commands.sit(table, ANN, "Ann", wire.AskSeat(), self.time.now())
        await self.log.add_match(new_match(table))
        await self.read(lambda table: None)
        return self

    async def act(self) -> None:
        """The person does the first thing that may be done, if anything, and the bots what follows."""
        await until(lambda: self.bots is None)

        def first(table: Table, at: int) -> None:
            if table.resting:
                commands.ready(table, ANN, wire.AskReady(round=table.rounds), at)
            elif legal := table.running.legal_for(0):
                commands.play(table, ANN, wire.AskAction(version=table.version(0), action=legal[-1]), at)

        await self.do(first)
        await until(lambda: self.bots is None)

    async def act_until(self, happened: Callable[[], object]) -> None:
        """Play until something is so."""
        for _ in range(300):
            if happened():
                return
            await self.act()
        raise AssertionError("that never happens")

    def all_have_bet(self) -> bool:
        """Whether the driver has gone on."""
        return any(event.seat == DRIVER for _, event in self.announced)

    def waits(self) -> list[int]:
        """For how long others waited for each answer of a bot, in milliseconds."""
        before, found = BEGIN, list[int]()
        for at, event in self.announced:
            if event.seat not in (None, 0, DRIVER) and event.kind in ("play", "lapse"):
                found.append(at - before)
            before = at
        return found


def taking(*seconds: float) -> Think:
    """A bot that thinks for so long about its turns, in order, and then no more."""
    left = list(seconds)

    def think(session: Watched, turn: Turn) -> Answer:
        session.time.move(left.pop(0) if left else 0)
        return Answer(commands.think(turn), turn.bot)

    return think


@pytest.mark.parametrize(
    ("took", "pause"),
    [(0, 0.3), (0.299, 0.3), (0.3, 0.3), (0.301, 0.6), (1, 1.2), (2.5, 4.8), (4.81, LIMIT), (LIMIT, LIMIT), (7, 7)],
)
async def test_answer_is_released_after_a_doubling_pace(took: float, pause: float) -> None:
    session = await Watched(taking(took)).begin(USUAL)
    await session.act_until(session.waits)
    assert session.waits()[0] == round(pause * 1000)


async def test_pace_of_a_seat_never_shrinks_in_a_round() -> None:
    session = await Watched(taking(0, 1, 0, 0.5)).begin(USUAL)
    await session.act_until(lambda: session.table and session.table.rounds == 2)
    first = len(session.waits())
    await session.act_until(lambda: len(session.waits()) > first)
    quick, *slow = session.waits()[: first - 1]
    assert (quick, set(slow)) == (300, {1200}), "however little it thinks about the others"
    assert session.waits()[first] == 300


async def test_lapse_is_released_at_once_and_slows_no_other() -> None:
    def think(session: Watched, turn: Turn) -> Answer:
        lost = len(session.asked) == 1
        session.time.move(LIMIT if lost else 0)
        return Answer(commands.think(turn), "greedy" if lost else turn.bot)

    session = await Watched(think).begin(USUAL)
    await session.act_until(lambda: len(session.waits()) >= 3)
    assert session.waits()[:3] == [5000, 0, 300]
    assert [event.kind for _, event in session.announced if event.seat == 1][:3] == ["lapse", "play", "play"]


async def test_pace_of_0_adds_no_wait() -> None:
    session = await Watched(taking(0.1, 0.7), pace=0).begin(USUAL)
    await session.act_until(lambda: len(session.waits()) >= 2)
    assert session.waits()[:2] == [100, 700]


def test_decided_turn_is_not_waited_for() -> None:
    """By another process, or by a person who has returned."""
    table = commands.make("t", ROOT, wire.AskTable(game=USUAL, seats=["random", "random"]), None, BEGIN)
    turn = commands.bot_turn(table, BEGIN)
    assert turn
    answer = Answer(commands.think(turn), turn.bot)
    assert commands.seen_by_others(table, turn, answer)
    commands.bot_answer(table, BEGIN, turn, answer.action)
    assert not commands.seen_by_others(table, turn, answer)


# --- While what seats do is hidden ---


def laying(cards: int, took: float) -> Think:
    """Bots that lay so many cards face down, if they can, think about each of them, and then say that this was all."""

    def think(session: Watched, turn: Turn) -> Answer:
        session.time.move(took)
        assert session.table
        round = session.table.running
        laid = [asked for asked in session.asked if asked.seat == turn.seat]
        may = round.legal_for(turn.seat)
        done = "done" in may and (len(laid) > cards or len(may) == 1)
        return Answer(round.parse_action("done" if done else may[0]), turn.bot)

    return think


async def bets(think: Think) -> tuple[list[tuple[object, ...]], int]:
    """Return a spectator's events until all seats have bet, with their times, and the number of bots' actions in the log."""
    session = await Watched(think).begin(UNSEEN, 3)
    await session.act_until(session.all_have_bet)
    rows = [row for row in await session.log.rows("t") if row.kind == "play" and row.seat in (1, 2, 3)]
    return [(at, event.kind, event.seat, event.version) for at, event in session.announced if event.seat != DRIVER], len(rows)


async def test_timing_hides_the_number_of_unseen_cards() -> None:
    few, one = await bets(laying(1, 0.05))
    many, several = await bets(laying(3, 0.05))
    assert several > one, "in the log they differ"
    assert few == many


async def test_bot_hanging_in_secret_is_asked_once() -> None:
    """Otherwise the duration would reveal the number of answers."""

    def hanging(session: Watched, turn: Turn) -> Answer:
        answer = laying(3, 0)(session, turn)
        if turn.bot != "random":
            return answer
        session.time.move(LIMIT)
        return Answer(answer.action, usual(games.find(UNSEEN)))

    session = await Watched(hanging).begin(UNSEEN, 3)
    await session.act_until(session.all_have_bet)
    asked = [turn.seat for turn in session.asked if turn.bot == "random"]
    assert len(asked) == len(set(asked)) == 3
    assert len(session.asked) > 6
    assert [event.seat for _, event in session.announced if event.kind == "lapse"] == asked


@pytest.mark.parametrize("leap", [-86_400, 86_400])
async def test_clock_leap_does_not_lengthen_the_pace(leap: int) -> None:
    time = Skipping(BEGIN)
    release = Release(time, PACE, LIMIT)
    release.begin(1, 1)
    time.leap(leap)
    await release.wait(0)
    assert time.slept == [PACE]


# --- A server ---


async def test_server_settings_set_the_pace(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", pace=0.7, thinking=3) as server:
        context = server.desk.tables._context
        assert (context.pace, context.thinking, context.time) == (0.7, 3, server.desk.time)
