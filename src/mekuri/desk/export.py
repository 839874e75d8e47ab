"""The export of everything stored about a person. Only listed fields are exported, so that no data of others is in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import msgspec
from msgspec import structs

from mekuri.desk.news import Subscription
from mekuri.desk.stores import Mistake, Person, Stores
from mekuri.protocol import guests as wire

# The fields that are exported of each kind of row.
_OWN = {
    "make": ("game", "version", "options", "match_options", "seats", "public", "seating", "first_dealer", "window", "term"),
    "sit": ("cut",),
    "ready": ("enough",),
    "wish": ("stop",),
    "say": ("said",),
    "play": ("action",),
    "answer": ("action",),
    "take-back": ("to",),
    "rematch": ("table",),
}


async def export(store: Stores, person: Person, pushes: Sequence[Subscription]) -> AsyncIterator[bytes]:
    """Return a `wire.Export` as chunks of JSON, match by match, so that a long one is never in memory as a whole."""
    devices = [device_of(device.id, device.made_at, device.seen_at, person) for device in await store.devices(person.id)]
    brought = [result.played() for result in await store.brought(person.id)]
    mistakes = [_mistake(one) for one in await store.mistakes(person.id)]
    daily = [
        wire.ExportedDaily(day=one.day, game=one.game, table=one.match, over=one.over, points=one.points)
        for one in await store.own_daily_tries(person.id)
    ]
    empty = wire.Export(
        mekuri_guest=1,
        id=person.id,
        name=person.name,
        made_at=person.made_at,
        devices=devices,
        banned_until=person.banned_until,
        banned_why=person.banned_why,
        brought=brought,
        mistakes=mistakes,
        daily=daily,
        daily_cuts=await store.own_daily_cuts(person.id),
        pushes=[wire.ExportedPush(endpoint=one.endpoint, lang=one.lang) for one in pushes],
        matches=[],
    )
    return _written(store, person, empty, await store.all_of_person(person.id))


def device_of(id: int, made_at: int, seen_at: int, person: Person) -> wire.Device:
    """Return a device as it is sent."""
    return wire.Device(made_at=made_at, seen_at=seen_at, here=id == person.device)


def _mistake(one: Mistake) -> wire.ExportedMistake:
    return wire.ExportedMistake(
        table=one.match,
        round=one.round,
        seat=one.seat,
        number=one.number,
        due=one.due,
        tries=one.tries,
        state=msgspec.json.decode(one.state),
    )


async def _written(store: Stores, person: Person, empty: wire.Export, matches: list[str]) -> AsyncIterator[bytes]:
    yield msgspec.json.encode(empty).removesuffix(b"]}")
    for number, id in enumerate(matches):
        yield (b"," if number else b"") + msgspec.json.encode(await _match(store, person, id))
    yield b"]}"


async def _match(store: Stores, person: Person, id: str) -> wire.ExportedMatch:
    (_, game, state, made_at, maker), rows = await store.own_rows(person.id, id)
    own = []
    for kind, at, seat, body in rows:
        fields = msgspec.json.decode(body)
        given = {key: fields[key] for key in _OWN.get(kind, ()) if key in fields}
        own.append(wire.ExportedRow(kind=kind, at=at, seat=seat, body=given))
    match = wire.ExportedMatch(table=id, game=game, state=state, made_at=made_at, maker=maker == person.id, rows=own)
    if state != "over":
        return match
    result, record = await store.with_record(person.id, id, game)
    outcome = result.outcome
    return structs.replace(
        match,
        ended_at=result.at or None,
        why=outcome.why,
        seat=outcome.seat if outcome.rounds else None,
        counted=outcome.rounds,
        record=msgspec.json.decode(record) if record else None,
    )
