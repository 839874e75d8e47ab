"""The log in every store: rows are read as they were written, once."""

import asyncio

import msgspec
import pytest

from mekuri.desk.stores import Stores
from mekuri.engine.errors import MekuriError
from mekuri.table.log import Conflict, LogError, MatchRow, NewMatch, Row
from tests.helpers.server.stores import ROOT, add, append, numbers, played, sat


class TestMatches:
    async def test_match_reads_back_as_added(self, store: Stores) -> None:
        rows = [
            Row(0, "made", None, {}, at=5),
            Row(1, "sit", 0, {"name": "Ō 遊び 🎴 \x00 \"'", "deep": [{"a": [None, True, 1.5, -(2**53)]}]}, at=6, person="ann"),
            Row(2, "play", 0, {"action": "7I"}, at=1 << 41, decision=0, person="ann"),
        ]
        await add(store, "m", *rows, state="open", public=True, bot_due=True)
        assert await store.match("m") == MatchRow("m", "tensho", "open", True, ROOT, 1000, 1000, True)
        assert await store.rows("m") == rows
        assert await store.rows("m", since=2) == rows[2:]
        assert await store.rows("m", since=3) == []

    async def test_stored_body_ignores_later_mutation(self, store: Stores) -> None:
        """The row also stays if the writer or a reader changes the objects it was made of."""
        names = ["Aki"]
        await add(store, "m", Row(0, "sit", 0, {"names": names, "pair": ("a", "b")}, at=1))
        names.append("Ben")
        (found,) = await store.rows("m")
        assert found.body == {"names": ["Aki"], "pair": ["a", "b"]}
        found.body.clear()
        assert [row.body["names"] for row in await store.rows("m")] == [["Aki"]]

    async def test_unknown_match_is_none_and_takes_no_rows(self, store: Stores) -> None:
        assert await store.match("m") is None
        assert await store.rows("m") == []
        for rows in ([], [played(0)]):
            with pytest.raises(LogError, match="there is no match m"):
                await append(store, "m", *rows)

    async def test_match_id_is_used_once(self, store: Stores) -> None:
        await add(store, "m", played(0))
        with pytest.raises(Conflict, match="m is already there"):
            await add(store, "m", played(1), state="open")
        assert await numbers(store, "m") == [0]
        found = await store.match("m")
        assert found
        assert found.state == "running"

    async def test_append_changes_the_match(self, store: Stores) -> None:
        await add(store, "m", state="open")
        await store.append("m", [played(0)], "running", bot_due=True)
        assert await store.match("m") == MatchRow("m", "tensho", "running", True, ROOT, 1000, 1001, True)
        await store.append("m", [], "over", bot_due=False)
        assert await store.match("m") == MatchRow("m", "tensho", "over", True, ROOT, 1000, 1002, False)
        assert await numbers(store, "m") == [0]

    async def test_rows_are_ordered_by_number(self, store: Stores) -> None:
        await add(store, "m", played(2), played(0))
        await append(store, "m", played(1))
        assert await numbers(store, "m") == [0, 1, 2]

    async def test_secret_is_not_printed(self, store: Stores) -> None:
        await add(store, "m")
        match = await store.match("m")
        assert match is not None
        assert match.root == ROOT
        assert "m" in str(match)
        assert "root" not in f"{match} {match!r}"


class TestNextMatch:
    """A match that comes with the rows that name it."""

    FOUNDED = NewMatch("next", "tensho", ROOT, "ann", False, [played(0)], "open")

    async def test_next_match_is_added_with_the_rows(self, store: Stores) -> None:
        await add(store, "m")
        await store.append("m", [played(0)], "over", False, self.FOUNDED)
        assert await numbers(store, "m") == await numbers(store, "next") == [0]
        found = await store.match("next")
        assert found
        assert found.state == "open"
        assert await store.unfinished("ann") == 1

    @pytest.mark.parametrize("fault", ["the rows", "the id", "its own rows"])
    async def test_failed_append_adds_neither_match_nor_rows(self, store: Stores, fault: str) -> None:
        await add(store, "m", played(0))
        founded = self.FOUNDED
        if fault == "the id":
            await add(store, "next", played(7))
        elif fault == "its own rows":
            founded = msgspec.structs.replace(founded, rows=[played(0), played(0)])
        before = [await store.rows("m"), await store.rows("next"), await store.match("m"), await store.match("next")]
        with pytest.raises(Conflict):
            await store.append("m", [played(0 if fault == "the rows" else 1)], "over", False, founded)
        assert [await store.rows("m"), await store.rows("next"), await store.match("m"), await store.match("next")] == before


class TestMatchesOfPerson:
    async def test_of_person_lists_matches_with_their_seat(self, store: Stores) -> None:
        await add(store, "first", sat(0, "ann"), sat(1, "ben"))
        await add(store, "other", sat(0, "ben"), sat(1, "ann", kind="leave"))
        await add(store, "over", sat(0, "ann"), state="over")
        await add(store, "twice", sat(0, "ann"), sat(1, "ann", kind="leave"), sat(2, "ann"), state="open")
        assert await store.of_person("ann", ["open", "running", "over"], 10) == ["twice", "over", "first"]
        assert await store.of_person("ann", ["open", "running"], 10) == ["twice", "first"]
        assert await store.of_person("ann", ["open", "running"], 1) == ["twice"]
        assert await store.of_person("ann", [], 10) == []
        assert await store.of_person("eve", ["running"], 10) == []

    async def test_unfinished_matches_of_a_maker_are_counted(self, store: Stores) -> None:
        for id, maker in (("one", "ann"), ("two", "ann"), ("three", "ben"), ("four", None)):
            await store.add_match(NewMatch(id, "tensho", ROOT, maker, True, [], "open"))
        assert await store.unfinished("ann") == 2
        assert sorted(await store.made_open("ann")) == ["one", "two"]
        await store.append("one", [sat(0, "ben")], "running", False)
        assert await store.unfinished("ann") == 2
        assert await store.made_open("ann") == ["two"]
        assert sorted(await store.all_of_person("ben")) == ["one", "three"]
        await store.append("one", [], "over", False)
        assert await store.unfinished("ann") == 1


class TestConflict:
    async def test_row_number_is_written_once(self, store: Stores) -> None:
        await add(store, "m", played(0), played(1))
        with pytest.raises(Conflict, match="read its rows"):
            await store.append("m", [played(2), played(1, by="other")], "over", bot_due=True)
        assert [row.body for row in await store.rows("m")] == [{}, {}]
        match = await store.match("m")
        assert match is not None
        assert (match.state, match.bot_due) == ("running", False)

    async def test_decision_is_recorded_once(self, store: Stores) -> None:
        await add(store, "m", played(0, decision=0))
        await add(store, "another")
        with pytest.raises(Conflict):
            await append(store, "m", played(1, decision=0))
        with pytest.raises(Conflict):
            await append(store, "m", played(1, decision=1), played(2, decision=1))
        await append(store, "m", played(1, decision=0, seat=1), played(2, decision=1))
        await append(store, "another", played(0, decision=0))
        assert await numbers(store, "m") == [0, 1, 2]

    async def test_rows_of_the_driver_take_no_decision(self, store: Stores) -> None:
        driven = [played(0, seat=16), played(1, seat=16)]
        await add(store, "m", *driven, Row(2, "made", None, {}, at=1), Row(3, "made", None, {}, at=1))
        assert await numbers(store, "m") == [0, 1, 2, 3]

    async def test_concurrent_appends_at_one_number_keep_one(self, store: Stores) -> None:
        await add(store, "m")
        results = await asyncio.gather(*(append(store, "m", played(0, by=i)) for i in range(20)), return_exceptions=True)
        won = [i for i, result in enumerate(results) if result is None]
        assert len(won) == 1
        assert {type(result) for result in results} == {type(None), Conflict}
        assert [row.body for row in await store.rows("m")] == [{"by": won[0]}]

    def test_conflict_is_not_a_log_error(self) -> None:
        assert issubclass(Conflict, MekuriError)
        assert issubclass(LogError, MekuriError)
        assert not issubclass(Conflict, LogError)
