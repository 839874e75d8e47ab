"""The deals of the day in every store."""

import msgspec
import pytest

from mekuri.desk.stores import Drawn, Gone, Stores, Try
from mekuri.table.log import Conflict, NewMatch
from tests.helpers.server.matches import ENDED, finished, with_person
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import USUAL

DAY, LATER = "2026-11-24", "2026-11-25"


async def test_deal_is_drawn_once(store: Stores) -> None:
    assert await store.daily_deals(DAY) == []
    await store.draw_daily(DAY, USUAL, ROOT)
    await store.draw_daily(DAY, USUAL, bytes(32))
    await store.draw_daily(DAY, "another", bytes(32))
    await store.draw_daily(LATER, USUAL, bytes(32))
    found = {one.game: one for one in await store.daily_deals(DAY)}
    assert found.keys() == {USUAL, "another"}
    assert found[USUAL] == Drawn(USUAL, ROOT, 1000)
    assert "root" not in repr(found[USUAL])


async def test_person_cuts_once_and_can_change_it(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    with pytest.raises(Conflict, match="not cut yet"):
        await store.change_daily_cut(DAY, "ann", "b")
    await store.add_daily_cut(DAY, "ann", "b")
    with pytest.raises(Conflict, match="cut already"):
        await store.add_daily_cut(DAY, "ann", "c")
    with pytest.raises(Gone):
        await store.add_daily_cut(DAY, "nobody", "c")
    await store.add_daily_cut(DAY, "ben", "a")
    await store.add_daily_cut(LATER, "ann", "d")
    assert await store.daily_digests(DAY) == ["a", "b"]
    await store.change_daily_cut(DAY, "ann", "c")
    assert await store.daily_digests(DAY) == ["a", "c"]
    assert await store.daily_cuts_count(DAY) == 2
    assert await store.own_daily_cuts("ann") == {DAY: "c", LATER: "d"}


async def test_cut_of_a_deleted_person_is_kept(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    for person in ("ann", "ben"):
        await store.add_daily_cut(DAY, person, "same")
        await store.forget_person(person)
    assert await store.daily_digests(DAY) == ["same", "same"]
    assert await store.own_daily_cuts("ann") == {}


async def test_deal_is_played_once(store: Stores) -> None:
    await with_person(store, "ann")
    await store.add_daily_try(finished("m", "ann", 3), DAY, "ann")
    with pytest.raises(Conflict, match="plays the deal"):
        await store.add_daily_try(finished("n", "ann", 9), DAY, "ann")
    assert await store.match("n") is None
    with pytest.raises(Gone):
        await store.add_daily_try(finished("n", "nobody", 9), DAY, "nobody")
    with pytest.raises(Conflict):
        await store.add_daily_try(finished("m", "ann", 9), LATER, "ann")
    await store.add_daily_try(finished("n", "ann", 9), LATER, "ann")
    assert [(one.day, one.match) for one in await store.own_daily_tries("ann")] == [(DAY, "m"), (LATER, "n")]
    assert await store.own_daily_tries("ann", DAY) == [Try(DAY, USUAL, "ann", "m", False, None)]
    assert await store.own_daily_tries("ben") == []


async def test_tries_are_counted_when_their_matches_are_over(store: Stores) -> None:
    points = {"ann": 3, "ben": 3, "chie": -1}
    await with_person(store, *points, "dan", "eiko")
    for person, brought in points.items():
        await store.add_daily_try(finished(f"m of {person}", person, brought), DAY, person)
    await store.add_daily_try(finished("late", "dan", 9, at=ENDED + 1), DAY, "dan")
    running: NewMatch = msgspec.structs.replace(finished("running", "eiko", 9), rows=[], state="running")
    await store.add_daily_try(running, DAY, "eiko")
    assert await store.daily_spread(DAY) == {}
    await store.count_daily_tries(DAY, ENDED + 1)
    assert await store.daily_spread(DAY) == {USUAL: [(-1, 1), (3, 2)]}
    assert await store.own_daily_tries("ann") == [Try(DAY, USUAL, "ann", "m of ann", True, 3)]
    assert await store.own_daily_tries("dan") == [Try(DAY, USUAL, "dan", "late", True, None)]
    assert await store.own_daily_tries("eiko") == [Try(DAY, USUAL, "eiko", "running", False, None)]
    await store.forget_person("ann")
    assert await store.own_daily_tries("ann") == []
    assert await store.daily_spread(DAY) == {USUAL: [(-1, 1), (3, 1)]}


async def test_old_days_are_deleted(store: Stores) -> None:
    await with_person(store, "ann")
    for day in (DAY, LATER):
        await store.draw_daily(day, USUAL, ROOT)
        await store.add_daily_cut(day, "ann", "a")
        await store.add_daily_try(finished(f"m of {day}", "ann", 3), day, "ann")
    await store.forget_dailies(LATER)
    assert await store.daily_deals(DAY) == []
    assert len(await store.daily_deals(LATER)) == 1
    assert await store.own_daily_cuts("ann") == {LATER: "a"}
    assert [one.day for one in await store.own_daily_tries("ann")] == [LATER]
    assert await store.match(f"m of {DAY}") is not None
    assert await store.ago(10) < store.time.now() - 9
