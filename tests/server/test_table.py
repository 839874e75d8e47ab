"""Tables over HTTP: made, joined, played, watched, left, and looked back at."""

import json

import pytest

from mekuri import replay
from mekuri.match.verify import verify
from tests.helpers.server.gathering import full
from tests.helpers.server.serving import Guest, Serving, data, play_out
from tests.helpers.tables import games_in_turn


@pytest.mark.alone
@games_in_turn(0)
async def test_match_against_a_bot_is_played_and_verified(aki: Guest, name: str) -> None:
    table = await aki.make(name, match_options={"rounds": "2"})
    commitment = (await aki.look(table))["head"]["commitment"]
    await aki.sit(table, cut="my own")
    whole = await play_out(table, [aki])
    assert (whole["head"]["why"], whole["head"]["round"]) == ("played", 2)
    record = await aki.http.get(f"/api/tables/{table}/record")
    assert verify(record.text, commitment=commitment).rounds == 2
    match = replay(record.text)
    assert [dict(accounts) for accounts in match.ledger] == whole["view"]["ledger"]
    assert list(match.winners) == whole["head"]["winners"]


@pytest.mark.alone
@games_in_turn(1)
async def test_stream_events_and_replay_agree_for_each_viewer(server: Serving, people: list[Guest], name: str) -> None:
    """Live streams, requested events and replays agree for each viewer."""
    watcher = Guest(server.address)
    table = await people[0].make(name, **full(name, match_options={"rounds": "2"}))
    for guest in people:
        await guest.sit(table)
    await play_out(table, people)
    for guest in (*people, watcher):
        async with guest.stream(table, last="0") as stream:
            whole = await guest.look(table)
            seen = []
            async for message in stream:
                if message.event == "event":
                    seen.append(message.data)
                    if data(message)["version"] == whole["version"]:
                        break
        assert [json.loads(text) for text in seen] == await guest.events(table)
        assert [json.loads(text)["version"] for text in seen] == list(range(1, whole["version"] + 1))
        seat = "" if whole["you"] is None else f"?seat={whole['you']}"
        for number in (1, 2):
            replayed = (await watcher.call("GET", f"/api/tables/{table}/rounds/{number}{seat}"))["events"]
            assert replayed == [event for event in map(json.loads, seen) if event in replayed]
            assert [event["kind"] for event in replayed[:2]] == ["round", "play"]
