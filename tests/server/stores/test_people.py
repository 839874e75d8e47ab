"""People, devices and codes in every store."""

import pytest

from mekuri.desk.stores import Device, Gone, Person, Stores
from mekuri.table.log import Conflict
from tests.helpers.server.stores import add, sat

NOBODY = "nobody"


async def test_person_is_found_by_token(store: Stores) -> None:
    await store.add_person("p", "hash", "Ō 遊び")
    assert await store.person_by_token("hash") == Person("p", "Ō 遊び", 1000, 1, 1000)
    assert await store.person_by_token("other") is None
    await store.rename("p", "Ann")
    assert await store.person_by_token("hash") == Person("p", "Ann", 1000, 1, 1000)
    assert await store.names(["p", NOBODY]) == {"p": "Ann"}


async def test_id_and_token_are_used_once(store: Stores) -> None:
    await store.add_person("p", "hash", "Ann")
    for id, token_hash in [("p", "else"), ("q", "hash")]:
        with pytest.raises(Conflict, match="such a person"):
            await store.add_person(id, token_hash, "Ben")
    with pytest.raises(Gone, match="there is no person q"):
        await store.rename("q", "Ben")


async def test_code_adds_a_device_once(store: Stores) -> None:
    await store.add_person("p", "hash", "Ann")
    until = await store.add_code("p", "first", 60_000)
    assert await store.add_code("p", "code", 60_000) > until
    assert not await store.use_code("first", "t"), "the second code replaces the first"
    assert not await store.use_code("code", "hash"), "the token is in use"
    assert await store.use_code("code", "second")
    assert not await store.use_code("code", "third")
    found = await store.person_by_token("second")
    assert found
    assert found.id == "p"
    assert [device.id for device in await store.devices("p")] == [1, found.device]


async def test_code_expires_and_belongs_to_one_person(store: Stores) -> None:
    await store.add_person("p", "hash", "Ann")
    await store.add_person("q", "other", "Ben")
    await store.add_code("p", "code", 60_000)
    with pytest.raises(Conflict, match="such a code"):
        await store.add_code("q", "code", 60_000)
    await store.add_code("p", "code", 1)
    assert not await store.use_code("code", "late")
    with pytest.raises(Gone):
        await store.add_code(NOBODY, "code", 60_000)


async def test_devices_are_signed_out(store: Stores) -> None:
    await store.add_person("p", "t1", "Ann")
    for n in (2, 3):
        await store.add_code("p", "code", 60_000)
        assert await store.use_code("code", f"t{n}")
    await store.see_device(2)
    await store.see_device(99)
    first, second, _ = await store.devices("p")
    assert first == Device(1, 1000, 1000)
    assert second.seen_at > second.made_at
    await store.sign_out_device("p", 1)
    await store.add_code("p", "code", 60_000)
    await store.sign_out("p", but=2)
    assert [device.id for device in await store.devices("p")] == [2]
    assert not await store.use_code("code", "t4"), "the code is deleted, too"
    await store.sign_out("p")
    assert await store.devices("p") == []
    assert await store.person_by_token("t2") is None


async def test_deleted_person_leaves_rows_of_matches(store: Stores) -> None:
    await store.add_person("p", "hash", "Ann")
    await add(store, "m", sat(0, "p"))
    await store.forget_person("p")
    await store.forget_person(NOBODY)
    assert await store.person_by_token("hash") is None
    assert await store.names(["p"]) == {}
    assert [row.person for row in await store.rows("m")] == ["p"]
    await store.add_person("p", "hash", "Ann")


async def test_store_has_one_id(store: Stores) -> None:
    assert await store.site_id()
    assert await store.site_id() == await store.site_id()
