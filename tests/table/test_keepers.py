"""Logs, whoever keeps them: what is written is what is read, once."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from mekuri.engine.errors import MekuriError
from mekuri.server.store import Store
from mekuri.table.log import Conflict, Log, LogError, MatchRow, NewMatch, Row
from mekuri.table.memory import MemoryLog
from tests.helpers.server.databases import ready
from tests.helpers.server.stores import ROOT, add, append, numbers, played, sat
from tests.helpers.time import Counting


@pytest.fixture(params=["memory", "sql"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Log]:
    """Its clock says 1000 the first time it is asked, then 1001."""
    time = Counting(1000)
    if request.param == "memory":
        yield MemoryLog(time)
        return
    store = await Store.open(ready(tmp_path / "mekuri.db"), time)
    yield store
    await store.close()


class TestMatches:
    async def test_is_as_it_was_added(self, log: Log) -> None:
        rows = [
            Row(0, "made", None, {}, at=5),
            Row(1, "sit", 0, {"name": "Ō 遊び 🎴 \x00 \"'", "deep": [{"a": [None, True, 1.5, -(2**53)]}]}, at=6, person="ann"),
            Row(2, "play", 0, {"action": "7I"}, at=1 << 41, decision=0, person="ann"),
        ]
        await add(log, "m", *rows, state="open", public=True, bot_due=True)
        assert await log.match("m") == MatchRow("m", "tensho", "open", True, ROOT, 1000, 1000, True)
        assert await log.rows("m") == rows
        assert await log.rows("m", since=2) == rows[2:]
        assert await log.rows("m", since=3) == []

    async def test_what_is_written_stays(self, log: Log) -> None:
        """Also where whoever wrote it, or has read it, changes what it was made of."""
        names = ["Aki"]
        await add(log, "m", Row(0, "sit", 0, {"names": names, "pair": ("a", "b")}, at=1))
        names.append("Ben")
        (found,) = await log.rows("m")
        assert found.body == {"names": ["Aki"], "pair": ["a", "b"]}
        found.body.clear()
        assert [row.body["names"] for row in await log.rows("m")] == [["Aki"]]

    async def test_one_that_is_not_there(self, log: Log) -> None:
        assert await log.match("m") is None
        assert await log.rows("m") == []
        for rows in ([], [played(0)]):
            with pytest.raises(LogError, match="there is no match m"):
                await append(log, "m", *rows)

    async def test_an_id_is_used_once(self, log: Log) -> None:
        await add(log, "m", played(0))
        with pytest.raises(Conflict, match="m is already there"):
            await add(log, "m", played(1), state="open")
        assert await numbers(log, "m") == [0]
        assert await log.ids("running") == ["m"]

    async def test_an_append_changes_the_match(self, log: Log) -> None:
        await add(log, "m", state="open")
        await log.append("m", [played(0)], "running", bot_due=True)
        assert await log.match("m") == MatchRow("m", "tensho", "running", True, ROOT, 1000, 1001, True)
        await log.append("m", [], "over", bot_due=False)
        assert await log.match("m") == MatchRow("m", "tensho", "over", True, ROOT, 1000, 1002, False)
        assert await numbers(log, "m") == [0]

    async def test_rows_come_in_order_of_their_places(self, log: Log) -> None:
        await add(log, "m", played(2), played(0))
        await append(log, "m", played(1))
        assert await numbers(log, "m") == [0, 1, 2]

    async def test_the_secret_is_not_printed(self, log: Log) -> None:
        await add(log, "m")
        match = await log.match("m")
        assert match is not None
        assert match.root == ROOT
        assert "m" in str(match)
        assert "root" not in f"{match} {match!r}"


class TestFounded:
    """A match that comes with the rows that name it."""

    FOUNDED = NewMatch("next", "tensho", ROOT, "ann", False, [played(0)], "open")

    async def test_is_there_with_them(self, log: Log) -> None:
        await add(log, "m")
        await log.append("m", [played(0)], "over", False, self.FOUNDED)
        assert await numbers(log, "m") == await numbers(log, "next") == [0]
        assert await log.ids("open") == ["next"]
        assert await log.unfinished("ann") == 1

    @pytest.mark.parametrize("fault", ["the rows", "the id", "its own rows"])
    async def test_or_neither_is(self, log: Log, fault: str) -> None:
        await add(log, "m", played(0))
        founded = self.FOUNDED
        if fault == "the id":
            await add(log, "next", played(7))
        elif fault == "its own rows":
            founded = msgspec.structs.replace(founded, rows=[played(0), played(0)])
        before = [await log.rows("m"), await log.rows("next"), await log.match("m"), await log.match("next")]
        with pytest.raises(Conflict):
            await log.append("m", [played(0 if fault == "the rows" else 1)], "over", False, founded)
        assert [await log.rows("m"), await log.rows("next"), await log.match("m"), await log.match("next")] == before


class TestWhichMatches:
    async def test_in_a_state(self, log: Log) -> None:
        await add(log, "c", state="open")
        await add(log, "b")
        await add(log, "a")
        await add(log, "d", state="over")
        assert await log.ids("running") == ["b", "a"]
        assert await log.ids("open") == ["c"]
        assert await log.ids("over") == ["d"]

    async def test_in_which_nothing_happens(self, log: Log) -> None:
        for id in ("first", "second", "third"):
            await add(log, id)  # at 1000, 1001, 1002
        await add(log, "open", state="open")
        assert await log.unchanged("running", 1002, ["tensho", "mushi"], 10) == ["first", "second"]
        assert await log.unchanged("running", 1002, ["tensho"], 1) == ["first"]
        assert await log.unchanged("running", 1002, ["mushi"], 10) == []
        await append(log, "first")
        assert await log.unchanged("running", 1004, ["tensho"], 10) == ["second", "third"]

    async def test_of_people_who_play_alone(self, log: Log) -> None:
        for id, lone in (("first", True), ("second", False), ("third", True)):  # at 1000, 1001, 1002
            await log.add_match(NewMatch(id, "tensho", ROOT, None, True, [], "running", lone=lone))
        assert await log.lone(1000, ["tensho"], 10) == []
        assert await log.lone(2000, ["tensho", "mushi"], 10) == ["first", "third"]
        assert await log.lone(2000, ["tensho"], 1) == ["first"]
        assert await log.lone(2000, ["mushi"], 10) == []
        await log.append("first", [], "running", False, lone=True)
        await log.append("second", [], "running", False, lone=True)
        await log.append("third", [], "over", False)
        assert await log.lone(1004, ["tensho"], 10) == ["first"]

    async def test_bots_due(self, log: Log) -> None:
        await add(log, "early", bot_due=True)  # at 1000
        await add(log, "person", bot_due=False)
        await add(log, "later", bot_due=True)  # at 1002
        assert await log.bots_due(1000) == []
        assert await log.bots_due(1001) == ["early"]
        assert await log.bots_due(2000) == ["early", "later"]
        await log.append("early", [], "running", bot_due=True)
        assert await log.bots_due(2000) == ["later", "early"]
        await log.append("later", [], "running", bot_due=False)
        assert await log.bots_due(2000) == ["early"]

    async def test_public_ones(self, log: Log) -> None:
        await add(log, "first", state="open")
        await add(log, "private", state="open", public=False)
        await add(log, "running")
        await add(log, "last", state="open")
        assert await log.public_open(10, 10, {}) == ["last", "first"]
        assert await log.public_open(1, 10, {}) == ["last"]

    async def test_few_of_one_maker_and_of_one_household(self, log: Log) -> None:
        made = [("old", "ben", "h"), *((f"ann-{n}", "ann", "h") for n in range(4)), *((f"of {who}", who, "h") for who in "cde")]
        for id, maker, household in made:
            await log.add_match(NewMatch(id, "tensho", ROOT, maker, True, [], "open", household=household))
        assert await log.public_open(10, 2, {}) == ["of e", "of d", "of c", "ann-3"]
        assert await log.public_open(10, 3, {}) == ["of e", "of d", "of c", "ann-3", "ann-2", "ann-1"]
        # Those first whose makers are there, whoever else is.
        attended = {"old": {"ben"}, "ann-0": {"ann", "x"}, "of c": {"ann"}, "nowhere": {"ann"}}
        assert await log.public_open(10, 2, attended) == ["ann-0", "old", "of e", "of d"]

    async def test_public_ones_at_which_nobody_is(self, log: Log) -> None:
        for id in ("first", "second"):  # at 1000, 1001
            await add(log, id, state="open")
        await add(log, "private", state="open", public=False)
        await add(log, "running")
        assert await log.unattended(1001, ["tensho"], 10) == ["first"]
        assert await log.unattended(2000, ["tensho"], 10) == ["first", "second"]
        assert await log.unattended(2000, ["mushi"], 10) == []
        await log.attend(["first", "running", "nowhere"])  # at 1004
        assert await log.unattended(1004, ["tensho"], 10) == ["second"]
        found = await log.match("running")
        assert found
        assert found.changed_at == 1003

    async def test_of_a_person(self, log: Log) -> None:
        await add(log, "first", sat(0, "ann"), sat(1, "ben"))
        await add(log, "other", sat(0, "ben"), sat(1, "ann", kind="leave"))
        await add(log, "over", sat(0, "ann"), state="over")
        await add(log, "twice", sat(0, "ann"), sat(1, "ann", kind="leave"), sat(2, "ann"), state="open")
        assert await log.of_person("ann", ["open", "running", "over"], 10) == ["twice", "over", "first"]
        assert await log.of_person("ann", ["open", "running"], 10) == ["twice", "first"]
        assert await log.of_person("ann", ["open", "running"], 1) == ["twice"]
        assert await log.of_person("ann", [], 10) == []
        assert await log.of_person("eve", ["running"], 10) == []

    async def test_that_somebody_has_made(self, log: Log) -> None:
        for id, maker in (("one", "ann"), ("two", "ann"), ("three", "ben"), ("four", None)):
            await log.add_match(NewMatch(id, "tensho", ROOT, maker, True, [], "open"))
        assert await log.unfinished("ann") == 2
        await log.append("one", [], "running", False)
        assert await log.unfinished("ann") == 2
        await log.append("one", [], "over", False)
        assert await log.unfinished("ann") == 1


class TestConflict:
    async def test_a_place_is_written_once(self, log: Log) -> None:
        await add(log, "m", played(0), played(1))
        with pytest.raises(Conflict, match="read its rows"):
            await log.append("m", [played(2), played(1, by="other")], "over", bot_due=True)
        assert [row.body for row in await log.rows("m")] == [{}, {}]
        match = await log.match("m")
        assert match is not None
        assert (match.state, match.bot_due) == ("running", False)

    async def test_a_decision_is_taken_once(self, log: Log) -> None:
        await add(log, "m", played(0, decision=0))
        await add(log, "another")
        with pytest.raises(Conflict):
            await append(log, "m", played(1, decision=0))
        with pytest.raises(Conflict):
            await append(log, "m", played(1, decision=1), played(2, decision=1))
        await append(log, "m", played(1, decision=0, seat=1), played(2, decision=1))
        await append(log, "another", played(0, decision=0))
        assert await numbers(log, "m") == [0, 1, 2]

    async def test_the_driver_decides_nothing(self, log: Log) -> None:
        driven = [played(0, seat=16), played(1, seat=16)]
        await add(log, "m", *driven, Row(2, "made", None, {}, at=1), Row(3, "made", None, {}, at=1))
        assert await numbers(log, "m") == [0, 1, 2, 3]

    async def test_many_at_one_place(self, log: Log) -> None:
        await add(log, "m")
        results = await asyncio.gather(*(append(log, "m", played(0, by=i)) for i in range(20)), return_exceptions=True)
        won = [i for i, result in enumerate(results) if result is None]
        assert len(won) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        assert [row.body for row in await log.rows("m")] == [{"by": won[0]}]

    def test_is_told_from_other_trouble(self) -> None:
        assert issubclass(Conflict, MekuriError)
        assert issubclass(LogError, MekuriError)
        assert not issubclass(Conflict, LogError)
