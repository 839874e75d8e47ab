"""Bots of other distributions at a server's tables: bots that play, and bots that fail."""

import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from mekuri import bots, games
from tests.helpers.foreign import DEEDS, install, looked_for_anew, site_of
from tests.helpers.patience import PATIENCE
from tests.helpers.server.gathering import at, begun, guests, hearing
from tests.helpers.server.serving import Guest, Json, Refusal, Serving, act, play_out, serving
from tests.helpers.tables import USUAL, in_turn
from tests.helpers.time import until

SETTINGS = {"thinking": PATIENCE}


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with site_of(tmp_path_factory.mktemp("site"), *DEEDS) as site:
        yield site


def lapses(events: list[Json]) -> list[Json]:
    return [event for event in events if event["kind"] == "lapse"]


@pytest.mark.every_days(4)
async def test_foreign_bot_is_listed_and_plays_a_match(aki: Guest) -> None:
    info = await aki.call("GET", "/api/games")
    listed = {bot["id"]: bot for bot in info["bots"]}
    assert listed["honest"] == {
        "id": "honest",
        "name": {"en": "honest", "ja": "honest"},
        "help": {"en": "For tests.", "ja": "試し。"},
        "level": None,
        "crest": None,
    }
    assert {game["usual"] for game in info["games"]}.isdisjoint(DEEDS)
    assert (await aki.call("GET", f"/api/games/{USUAL}/texts/en"))["texts"]["bots"]["honest"] == "honest"
    table = await begun([aki], USUAL, rounds=1, bots=["honest"])
    assert (await play_out(table, [aki]))["head"]["why"] == "played"
    assert not lapses(await aki.events(table))


@pytest.mark.every_days(4)
async def test_broken_foreign_bot_is_logged_at_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with site_of(tmp_path) as site:
        install(site, "broken", before="import nowhere")
        async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
            (line,) = [record.getMessage() for record in caplog.records if "the bot broken is left out" in record.getMessage()]
            assert "bot_broken.py, line 4" in line
            assert "broken" not in {bot["id"] for bot in (await aki.call("GET", "/api/games"))["bots"]}
            with pytest.raises(Refusal, match="nobody called broken can sit here"):
                await aki.make(USUAL, seats=["person", "broken"])


@pytest.mark.parametrize("name", in_turn(["raises", "illegal", "dies"]))
async def test_failing_foreign_bot_is_replaced_and_replayed(tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    """To the usual bot: all see it, it is in the log, and it is the same to the last byte after a start."""
    async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
        table = await begun([aki], USUAL, rounds=1, bots=[name])
        assert (await play_out(table, [aki]))["head"]["why"] == "played"
        events = await aki.events(table)
        rows = await server.desk.store.rows(table)
        replayed = await aki.call("GET", f"/api/tables/{table}/rounds/1?seat=0")
    lost, usual = lapses(events), bots.usual(games.find(USUAL))
    assert lost
    for event in lost:
        assert event["seat"] == 1
        assert event["text"] == {
            "id": "table.lapse",
            "args": {"bot": {"id": f"bots.{name}", "args": {}}, "other": {"id": f"bots.{usual}", "args": {}}},
        }
        after = events[events.index(event) + 1]
        assert (after["kind"], after["seat"]) == ("play", 1)
    assert [row.body for row in rows if row.kind == "lapse"] == [{"bot": name, "by": usual}] * len(lost)
    logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(logged) == len(lost)
    assert all(f"The bot {name} loses its turn" in line and "State(" not in line for line in logged)
    async with serving(tmp_path / "mekuri.db") as server:
        again = at(server, aki)
        assert await again.events(table) == events
        assert await again.call("GET", f"/api/tables/{table}/rounds/1?seat=0") == replayed


async def test_hanging_foreign_bot_delays_no_other_table(server: Serving, aki: Guest) -> None:
    """Its table can be looked at; other tables play on, with bots of other distributions too; and the server closes at once."""
    stuck = await begun([aki], USUAL, rounds=1, bots=["hangs"])
    while await act(aki, stuck, Random(0)):
        pass
    processes = server.desk._bot_pool._apart
    await until(lambda: [process for process in processes._all if process._name == "hangs"])
    before = await aki.look(stuck)
    for other in ("honest", "greedy"):
        table = await begun([aki], USUAL, rounds=1, bots=[other])
        assert (await play_out(table, [aki]))["head"]["why"] == "played"
    assert await aki.look(stuck) == before
    (hanging,) = [process for process in processes._all if process._name == "hangs"]
    async with hearing(aki, stuck, last=str(before["version"])) as heard:
        hanging._kill()  # as the server does when its time is over
        assert (await heard.some("event", lambda event: event["kind"] == "lapse"))["seat"] == 1


@pytest.mark.every_days(4)
async def test_slow_foreign_bot_lapses(tmp_path: Path) -> None:
    async with serving(tmp_path / "mekuri.db", thinking=0.2) as server, guests(server, "Aki") as (aki,):
        table = await begun([aki], USUAL, rounds=1, bots=["sleeps"])
        assert (await play_out(table, [aki]))["head"]["why"] == "played"
        assert lapses(await aki.events(table))


@pytest.mark.every_days(4)
async def test_match_with_an_uninstalled_bot_goes_on(tmp_path: Path, site: Path) -> None:
    """A match begun with it continues, and its log can be read."""
    async with serving(tmp_path / "mekuri.db") as server, guests(server, "Aki") as (aki,):
        table = await begun([aki], USUAL, rounds=1, bots=["honest"])
        before = await aki.events(table)
    (site / "bots_honest-1.dist-info").rename(site / "away")
    try:
        with looked_for_anew():
            async with serving(tmp_path / "mekuri.db") as server:
                again = at(server, aki)
                assert (await again.events(table))[: len(before)] == before
                assert (await play_out(table, [again]))["head"]["why"] == "played"
                lost = lapses(await again.events(table))
                assert {event["text"]["args"]["bot"] for event in lost} == {"honest"}
    finally:
        (site / "away").rename(site / "bots_honest-1.dist-info")
