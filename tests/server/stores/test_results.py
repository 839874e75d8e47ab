"""Results of finished matches in every store."""

import msgspec
import pytest

from mekuri.desk.stores import Gone, Stores
from mekuri.table.log import Conflict
from mekuri.table.results import Result, SeatOutcome
from tests.helpers.server.matches import ENDED, finished, with_person
from tests.helpers.server.stores import add, sat
from tests.helpers.tables import USUAL


def imported(match: str, at: int = 1, digest: str | None = None, rounds: int = 1) -> Result:
    outcome = SeatOutcome(rounds=[*range(1, rounds + 1)], returns=[1] * rounds)
    return Result(match, USUAL, at, True, digest, msgspec.json.encode(outcome).decode())


async def test_finished_matches_are_counted_once(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    await store.add_match(finished("m", "ann", 3, -1))
    await store.add_match(finished("n", "ann", 7, at=ENDED + 1))
    await add(store, "running", sat(0, "ann"))
    assert await store.results("ann") == []
    assert not await store.count_results("ann")
    found = await store.results("ann")
    assert [(one.match, one.at, one.outcome.returns) for one in found] == [("m", ENDED, [3, -1]), ("n", ENDED + 1, [7])]
    assert [one.imported for one in found] == [False, False]
    before = await store.results_fingerprint("ann")
    assert not await store.count_results("ann")
    assert await store.results("ann") == found
    assert await store.results_fingerprint("ann") == before
    assert await store.results("ben") == []
    assert found[0].points(ENDED + 1) == 3
    assert found[0].points(ENDED) is None


async def test_match_without_counted_round_is_not_listed(store: Stores) -> None:
    await with_person(store, "ann")
    await store.add_match(finished("m", "ann"))
    assert not await store.count_results("ann")
    assert await store.results("ann") == await store.some_results("ann", 0, 9) == []
    assert await store.same_result("ann", "m") is not None


async def test_pages_begin_with_the_newest(store: Stores) -> None:
    await with_person(store, "ann")
    for at in range(5):
        await store.add_result("ann", imported(f"m{at}", at))
    assert [one.match for one in await store.some_results("ann", 0, 2)] == ["m4", "m3"]
    assert [one.match for one in await store.some_results("ann", 3, 2)] == ["m1", "m0"]
    assert [one.match for one in await store.brought("ann")] == [f"m{at}" for at in range(5)]
    assert await store.brought_count("ann") == 5


async def test_match_is_imported_once(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    before = await store.results_fingerprint("ann")
    await store.add_result("ann", imported("m", digest="cards"))
    assert await store.results_fingerprint("ann") != before
    for other in (imported("m", digest="others"), imported("another", digest="cards")):
        with pytest.raises(Conflict, match="here already"):
            await store.add_result("ann", other)
    await store.add_result("ben", imported("m", digest="cards"))
    await store.add_result("ann", imported("n"))
    await store.add_result("ann", imported("o"))
    assert await store.same_result("ann", "m") == await store.same_result("ann", "x", "cards") == imported("m", digest="cards")
    assert await store.same_result("ann", "x") is None
    with pytest.raises(Gone):
        await store.add_result("nobody", imported("m"))


async def test_results_are_deleted_with_their_person(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    for person in ("ann", "ben"):
        await store.add_result(person, imported("m"))
    await store.forget_person("ann")
    assert await store.results("ann") == []
    assert await store.results("ben") == [imported("m")]
    await store.add_match(finished("n", "ann", 1))
    assert not await store.count_results("ann")
    assert await store.same_result("ann", "n") is None, "nothing is stored of a deleted person"


async def test_record_is_returned_with_its_result(store: Stores) -> None:
    await store.add_match(finished("m", "ann", 3))
    result, record = await store.with_record("ann", "m", USUAL)
    assert result.outcome.returns == [3]
    assert record
    assert msgspec.json.decode(record)["players"] == ["person", "random"]
    assert (await store.with_record("ben", "m", USUAL))[0].outcome == SeatOutcome()
    match, rows = await store.own_rows("ann", "m")
    assert tuple(match)[:3] == ("m", USUAL, "over")
    assert [tuple(row) for row in rows] == [("sit", 1, 0, "{}")]
