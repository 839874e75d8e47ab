"""Messages: everything that a match sends matches its schema, reads back unchanged, and can be rendered."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import pytest
from jsonschema_rs import Draft202012Validator

import mekuri
from mekuri.engine.contract import Contract
from mekuri.engine.options import differing
from mekuri.engine.rulebook import LANGUAGES
from mekuri.match.view import View, public_part
from mekuri.protocol import guests as guest_wire
from mekuri.protocol import library
from mekuri.protocol import table as wire
from mekuri.protocol.coding import convert, decode, encode
from mekuri.protocol.schema import STREAM, components
from mekuri.table.table import Table
from mekuri.testing.worlds import random_round, steps, viewers
from tests.helpers.server.gathering import choosing
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, play_out
from tests.helpers.server.templates import in_number
from tests.helpers.tables import HELD, PRESETS, USUAL, each_played, games_in_turn, in_turn, with_options


@cache
def schema_of(struct: type) -> Draft202012Validator:
    """What holds a struct's JSON against its schema, in which no field may be added."""
    (root,), parts = components([struct])
    for component in parts.values():
        if component.get("type") == "object" and "properties" in component:
            component["additionalProperties"] = False
    schema = {**root, "$defs": parts}
    jsonschema_rs.meta.validate(schema)
    return Draft202012Validator(schema)


def check(struct: type, sent: Any) -> None:
    """Fail if JSON does not match the schema, or does not survive decoding and encoding."""
    schema_of(struct).validate(sent)
    read: object = convert(sent, struct)
    assert json.loads(encode(read)) == sent


def texts(node: Any) -> Iterator[Json]:
    """Every text in an answer, those within others too."""
    if isinstance(node, dict):
        if node.keys() == {"id", "args"}:
            yield node
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from texts(part)


def check_texts(contract: Contract, sent: Any) -> int:
    """Fail if a text cannot be rendered in every language; return the number of texts."""
    found = list(texts(sent))
    for text in found:
        for lang in LANGUAGES:
            catalogue = library.catalogue(contract, lang)
            key, _, rest = text["id"].partition(".")
            if text["id"] == "card":
                assert all(text["args"]["card"] in names.cards for names in catalogue.names.values())
            else:
                in_number(catalogue.texts[key][rest], text["args"]).format_map(text["args"])
    return len(found)


# --- A match, in everything it sends ---


@pytest.mark.alone
@games_in_turn(0)
async def test_every_message_matches_the_schema(server: Serving, name: str) -> None:
    """A person, a bot and two spectators, one of them a guest: whole tables, events, streams, replays, answers and problems."""
    aki, watcher, nobody = await Guest(server.address).arrive(), await Guest(server.address).arrive("Uta"), Guest(server.address)
    check(guest_wire.Guest, await nobody.call("POST", "/api/guests", {}))
    nobody.http.cookies.clear()
    table = await aki.make(name, match_options={"rounds": "2"})
    check(wire.Tables, await aki.call("GET", "/api/tables"))
    check(wire.Table, await aki.look(table))
    contract = mekuri.game(name).contract
    count = 0
    async with nobody.stream(table) as stream:
        check(wire.Table, await aki.sit(table, cut="1"))
        answers = await _first_answers(aki, table)
        await play_out(table, [aki])
        async for message in stream:
            if not message.data:  # how soon to reconnect
                continue
            sent = json.loads(message.data)
            check(STREAM[message.event], sent)
            count += check_texts(contract, sent)
            if message.event == "event" and sent["kind"] == "end":
                break
    check(wire.Answer, answers[0])
    for problem in answers[1:]:
        check(wire.Problem, problem)
        count += check_texts(contract, problem)
    sent = json.loads(encode(library.worths(table, mekuri.game(name))))
    for guest, seat in ((aki, ""), (watcher, "?seat=0"), (nobody, "?seat=1")):
        cards = await guest.call("GET", f"/api/tables/{table}/cards")
        check(wire.Worths, cards)
        assert cards == sent
        last = (await guest.look(table))["version"]
        since = max(0, last - wire.MOST_EVENTS)
        whole = await guest.call("GET", f"/api/tables/{table}/events?since={since}")
        check(wire.Events, whole)
        check_versions([event["version"] for event in whole["events"]], since, last)
        replay = await guest.call("GET", f"/api/tables/{table}/rounds/1{seat}")
        check(wire.Replay, replay)
        count += check_texts(contract, whole) + check_texts(contract, replay)
        await guest.close()
    assert count > 100


async def test_list_of_open_tables_matches_the_schema(server: Serving) -> None:
    aki, nobody = await Guest(server.address).arrive(), Guest(server.address)
    table = await aki.make(USUAL, public=True)
    found = await nobody.call("GET", "/api/tables")
    check(wire.Tables, found)
    assert [each["id"] for each in found["open"]] == [table]


async def _first_answers(guest: Guest, table: str) -> list[Json]:
    """What an action is answered, and some that are refused."""
    _, view = await choosing(table, [guest])
    version, action = view["version"], view["legal"][0]["action"]
    tried = [(version, "nothing"), (version + 1000, action)]
    tried += [(version, text) for text in (f"{n}H" for n in range(1, 13)) if text not in {each["action"] for each in view["legal"]}]
    refused = []
    for at, text in tried:
        with pytest.raises(Refusal) as refusal:
            await guest.play(table, at, text)
        refused.append(refusal.value.problem)
    return [await guest.play(table, version, action), *refused]


def check_versions(versions: list[int], since: int, last: int) -> None:
    """Versions count a viewer's events without a gap."""
    assert versions == list(range(since + 1, last + 1))


async def test_log_position_instead_of_version_is_found(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row numbers in place of versions would be found."""
    name, preset = PRESETS[0]
    monkeypatch.setattr(Table, "version", lambda self, viewer: self.rows)
    aki = await Guest(server.address).arrive()
    table = await aki.make(name, preset=preset)
    await aki.sit(table)
    whole = await aki.call("GET", f"/api/tables/{table}/events")
    with pytest.raises(AssertionError):
        check_versions([event["version"] for event in whole["events"]], 0, whole["table"]["version"])


@pytest.mark.alone
@pytest.mark.parametrize("name", in_turn(HELD, 1))
async def test_refusal_in_the_view_equals_refusal_of_the_play(server: Serving, name: str) -> None:
    """A card of the hand that a view says may not be played now is refused in the same words."""
    aki, tried = await Guest(server.address).arrive(), 0
    while not tried:
        table = await aki.make(name)
        await aki.sit(table)
        while not tried:
            view = (await aki.look(table))["view"]
            if view["over"]:
                break
            for refused in view["refused"]:
                with pytest.raises(Refusal) as refusal:
                    await aki.play(table, view["version"], refused["card"])
                problem = refusal.value.problem
                assert (problem["error"], problem["text"], problem["clause"]) == ("illegal", refused["text"], refused["clause"])
                tried += 1
            if view["legal"]:
                await aki.play(table, view["version"], view["legal"][0]["action"])
        await aki.leave(table)


# --- Views ---


@each_played
def test_view_reads_back_unchanged(game: mekuri.Game) -> None:
    for now in steps(random_round(game, 0)):
        for viewer in viewers(game):
            view = now.view(viewer)
            sent = encode(view)
            assert decode(sent, View) == view
            check(View, json.loads(sent))
            check_texts(game.contract, json.loads(sent))


@each_played
def test_public_part_is_the_same_for_every_viewer(game: mekuri.Game) -> None:
    """So it may be found once for all viewers, from a spectator's."""
    for now in steps(random_round(game, 0)):
        public = public_part(game.contract, now.hidden())
        for viewer in viewers(game):
            assert public_part(game.contract, now.hidden(viewer)) == public


def test_options_of_every_preset_read_back() -> None:
    """Options are sent as texts, without defaults."""
    for name, preset in PRESETS:
        game = mekuri.game(name, preset)
        assert with_options(name, differing(game.options)).options == game.options


# --- The checks can fail ---


def test_schema_violation_is_found() -> None:
    true = json.loads(encode(wire.Answer(table="t", action="7I", version=3)))
    check(wire.Answer, true)
    for change in ({"version": None}, {"version": "3"}, {"more": 1}):
        with pytest.raises(jsonschema_rs.ValidationError, match=r'null|"3"|more'):
            check(wire.Answer, true | change)
    with pytest.raises(jsonschema_rs.ValidationError, match="version"):
        check(wire.Answer, {key: value for key, value in true.items() if key != "version"})


def test_text_that_cannot_be_rendered_is_found() -> None:
    contract = mekuri.game(PRESETS[0][0]).contract
    for text in ({"id": "events.nothing", "args": {}}, {"id": "table.sit", "args": {}}):
        with pytest.raises(KeyError):
            check_texts(contract, {"within": [text]})
