"""Reviews and mistakes in every store."""

import asyncio

import pytest

from mekuri.desk.stores import Mistake, Stores
from mekuri.table.log import Conflict
from mekuri.table.schedule import new
from tests.helpers.server.matches import with_person
from tests.helpers.server.stores import add


async def test_review_replaces_an_older_one(store: Stores) -> None:
    await add(store, "m")
    assert await store.review("m", 1, 0) is None
    for body in (b'{"version":"1"}', b'{"version":"2"}'):
        await store.keep_review("m", 1, 0, body)
        assert await store.review("m", 1, 0) == body
    await store.keep_review("m", 2, 1, b"[]")
    await store.keep_review("deleted", 1, 0, b"[]")
    assert await store.review("deleted", 1, 0) is None
    assert await store.reviewed(["m", "deleted"]) == {("m", 1, 0), ("m", 2, 1)}
    assert await store.reviewed([]) == set()


async def test_round_is_searched_for_mistakes_once(store: Stores) -> None:
    await with_person(store, "ann")
    await add(store, "m")
    await store.keep_mistakes("ann", "m", 1, 0, [4, 2])
    await store.keep_mistakes("ann", "m", 1, 0, [7])
    await store.keep_mistakes("ann", "m", 2, 0, [])
    await store.keep_mistakes("ann", "deleted", 1, 0, [1])
    await store.keep_mistakes("nobody", "m", 1, 0, [1])
    assert await store.searched("ann", ["m", "deleted"]) == {("m", 1), ("m", 2)}
    assert await store.searched("ann", []) == await store.searched("nobody", ["m"]) == set()
    found = await store.mistakes("ann")
    due = found[0].due
    assert sorted(found, key=lambda one: one.number) == [Mistake("m", 1, 0, n, due, new(due), 0, None) for n in (2, 4)]
    assert await store.mistake("ann", "m", 1, 2) in found
    assert await store.mistake("ann", "m", 1, 7) is None
    assert await store.mistakes("nobody") == []


async def test_answer_is_recorded_once(store: Stores) -> None:
    await with_person(store, "ann")
    await add(store, "m")
    await store.keep_mistakes("ann", "m", 1, 0, [1, 2, 3])
    one, two, _ = await store.due_mistakes("ann", 9)
    assert await store.due_mistakes("ann", 1) == [one]
    assert await store.mistakes_count("ann") == (3, 3, None)
    await store.answer_mistake("ann", one, 1 << 50, "{}", '{"right":true}')
    assert await store.mistake("ann", "m", 1, 1) == Mistake("m", 1, 0, 1, 1 << 50, "{}", 1, '{"right":true}')
    assert await store.mistakes_count("ann") == (3, 2, 1 << 50)
    assert [mistake.number for mistake in await store.mistakes("ann")] == [2, 3, 1]
    answers = [store.answer_mistake("ann", one, 0, "{}", "{}"), *(store.answer_mistake("ann", two, 0, "{}", "{}") for _ in "ab")]
    assert [type(error) for error in await asyncio.gather(*answers, return_exceptions=True)] == [Conflict, type(None), Conflict]
    await store.drop_mistake("ann", two)
    with pytest.raises(Conflict, match="answered meanwhile"):
        await store.answer_mistake("ann", two, 0, "{}", "{}")
    assert [mistake.number for mistake in await store.mistakes("ann")] == [3, 1]


async def test_mistakes_are_deleted_with_their_person(store: Stores) -> None:
    await with_person(store, "ann", "ben")
    await add(store, "m")
    for person in ("ann", "ben"):
        await store.keep_mistakes(person, "m", 1, 0, [1])
    await store.forget_person("ann")
    assert await store.mistakes("ann") == []
    assert await store.searched("ann", ["m"]) == set()
    assert await store.mistakes_count("ben") == (1, 1, None)
