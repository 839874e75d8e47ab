"""The real worker of a page without a server, in Node.js: rounds, streams, restarts, and what it says where it cannot go on."""

import asyncio
import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mekuri import bots, games
from mekuri.desk.routes import ROUTES
from tests.helpers.pocket.browser import Browser
from tests.helpers.pocket.worker import Worker, make_site, working
from tests.helpers.server.addresses import example_of
from tests.helpers.tables import USUAL

NOTHING_THERE = ("no-such-table", "no-such-puzzle", "no-such-question", "no-such-daily", "no-such-game", "bad-record")
STRONGEST = max(map(bots.find, bots.NAMES), key=lambda bot: bot.strength).id


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("host") / "some" / "path")


@dataclass
class Table:
    """A table of one round at which a person plays, and the stream that follows it."""

    worker: Worker
    path: str
    stream: str

    @classmethod
    async def of(cls, worker: Worker, path: str) -> "Table":
        stream = worker.send("GET", f"/api/stream?table={path.rpartition('/')[2]}")
        assert await worker.next(stream) == {"kind": "begin", "id": stream, "status": 200, "media": "text/event-stream"}
        assert "event: table" in (await worker.next(stream))["bytes"]
        return cls(worker, path, stream)

    @classmethod
    async def made(cls, worker: Worker, game: str, bot: str) -> "Table":
        asked = {"game": game, "seats": ["person", *[bot] * (games.find(game).seats[0] - 1)], "match_options": {"rounds": "1"}}
        path = f"/api/tables/{(await worker.call('POST', '/api/tables', asked))['id']}"
        await worker.call("POST", f"{path}/seat", {"cut": "1f0a"})
        return await cls.of(worker, path)

    async def look(self) -> dict[str, Any]:
        """Return the table when the person has a choice, or the round is over."""
        while True:
            table: dict[str, Any] = await self.worker.call("GET", self.path)
            if table["view"]["legal"] or table["view"]["over"]:
                return table
            await self.worker.next(self.stream)

    async def act(self) -> bool:
        """Do the first legal action. Returns False where the round is over."""
        view = (await self.look())["view"]
        if view["over"]:
            return False
        asked = {"version": view["version"], "action": view["legal"][0]["action"]}
        await self.worker.call("POST", f"{self.path}/actions", asked)
        return True

    async def finish(self) -> None:
        """Play the round, and end the match."""
        while await self.act():
            pass
        await self.worker.call("POST", f"{self.path}/ready", {"round": 1})


async def finished(worker: Worker) -> Table:
    """Return a table whose round is over, of a worker that has kept a snapshot."""
    await worker.up()
    await worker.cached()
    await worker.call("POST", "/api/guests", {"name": "Aki"})
    table = await Table.made(worker, USUAL, "greedy")
    await table.finish()
    return table


async def review(worker: Worker, path: str, storage: Path) -> str:
    """Return the review of the first round for the first seat as it is stored, once it has been made."""
    while not (await worker.call("GET", f"{path}/rounds/1/review?seat=0"))["review"]:
        await asyncio.sleep(0.05)
    [stored] = [body for key, body in json.loads(storage.read_text()) if key.startswith('["review"')]
    return str(stored)


async def play_meanwhile(worker: Worker, path: str) -> str:
    """Request a review and an analysis while the second worker is busy, and begin a match. Returns the id of its table."""
    for _ in range(5):
        answer = await worker.call("GET", f"{path}/rounds/1/review?seat=0")
        assert (answer["review"], answer["done"], answer["total"]) == (None, 0, 0)
        assert (await worker.call("GET", "/api/guests/me"))["name"] == "Aki"
    table = await Table.made(worker, USUAL, "greedy")
    await table.look()
    weighing = asyncio.create_task(worker.call("GET", f"{table.path}/analysis"))
    await table.act()
    assert not weighing.done()
    weighing.cancel()
    return table.path.rpartition("/")[2]


async def test_round_goes_on_after_the_worker_is_killed(site: Path, tmp_path: Path) -> None:
    storage = tmp_path / "storage.json"
    async with working(site, str(storage)) as worker:
        assert (await worker.up())["kind"] == "up"
        assert await worker.call("GET", "/api/notice") == {"texts": {}}
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        table = await Table.made(worker, USUAL, "greedy")
        await table.act()
        before = await table.look()
        assert before["presence"][0]["here"]
        worker.tell({"kind": "leave", "id": table.stream})
        while (await worker.next(table.stream))["kind"] != "end":
            pass
        assert not (await table.look())["presence"][0]["here"]
    async with working(site, str(storage)) as worker:
        assert (await worker.up())["kind"] == "up"
        assert (await worker.call("GET", "/api/guests/me"))["name"] == "Aki"
        again = await Table.of(worker, table.path)
        assert (await again.look())["view"] == before["view"]
        await again.finish()
        [match] = (await worker.call("GET", "/api/guests/matches"))["matches"]
        assert table.path.endswith(match["table"])
        (tmp_path / "storage.json.held").touch()
        begun = await play_meanwhile(worker, table.path)
        (tmp_path / "storage.json.full").touch()
        status, refusal = await worker.ask("POST", "/api/tables", {"game": USUAL})
        assert (status, refusal["error"]) == (503, "not-kept")
        assert [table["id"] for table in (await worker.call("GET", "/api/tables"))["yours"]] == [begun]
        assert (await worker.call("GET", "/api/notice"))["texts"]["en"].startswith("This device seems to be full")
        (tmp_path / "storage.json.full").unlink()
        made = (await worker.call("POST", "/api/tables", {"game": USUAL}))["id"]
        assert await worker.call("GET", "/api/notice") == {"texts": {}}
    async with working(site, str(storage)) as worker:
        await worker.up()
        for id in (begun, made):
            assert (await worker.call("GET", f"/api/tables/{id}"))["id"] == id


async def test_worker_waits_while_another_one_answers(site: Path, tmp_path: Path) -> None:
    """A browser on a full device may give two tabs the same lock. The second worker leaves the requests to the first."""
    browser, storage = Browser(), tmp_path / "storage.json"
    storage.write_text("[]")
    (tmp_path / "storage.json.unopened").touch()
    async with working(site, str(storage)) as worker:
        await worker.there()
        refused = worker.send("POST", "/api/guests", {"name": "Ume"})
        for _ in range(5):
            worker.tell({"kind": "up", "worker": "another"})
            await worker.there()
        await browser.ask("POST", "/api/guests", {"name": "Aki"})
        storage.write_text(json.dumps([*browser.stored.items()]))
        (tmp_path / "storage.json.unopened").unlink()
        assert (await worker.up())["kind"] == "up"
        assert (await worker.call("GET", "/api/guests/me"))["name"] == "Aki"
        assert await worker.call("GET", "/api/notice") == {"texts": {}}
        assert worker.silent(refused)


SECRET = "Himitsu-no-namae"
ENCODINGS = ("utf-8", "utf-16-le", "utf-32-le")


def snapshots(storage: Path) -> list[Path]:
    return sorted(storage.with_name(f"{storage.name}.cache").iterdir())


async def test_start_from_a_snapshot(site: Path, tmp_path: Path) -> None:
    """It has nothing of the person who is stored when it is made. One that is none is replaced."""
    browser = Browser()
    await browser.ask("POST", "/api/guests", {"name": SECRET})
    _, daily = await browser.ask("POST", f"/api/daily/{USUAL}", {})
    storage = tmp_path / "storage.json"
    storage.write_text(json.dumps([*browser.stored.items()]))
    async with working(site, str(storage)) as worker:
        await worker.up()
        await worker.cached()
        table = await Table.made(worker, USUAL, STRONGEST)
        before = await table.look()
        assert (await worker.call("GET", "/api/guests/me"))["name"] == SECRET
    [kept] = snapshots(storage)
    memory = kept.read_bytes()
    secrets = {SECRET, *re.findall(r"[0-9a-f]{64}", storage.read_text()), daily["id"]}
    assert len(secrets) > 2
    assert not [(secret, encoding) for secret in secrets for encoding in ENCODINGS if secret.encode(encoding) in memory]
    assert not [secret for secret in secrets if re.fullmatch(r"[0-9a-f]{64}", secret) and bytes.fromhex(secret) in memory]
    async with working(site, str(storage)) as worker:
        assert (await worker.up())["kind"] == "up"
        assert snapshots(storage) == [kept]
        again = await Table.of(worker, table.path)
        assert (await again.look())["view"] == before["view"]
        analysis = await worker.call("GET", f"{table.path}/analysis")
        assert sum(action["worlds"] for action in analysis["actions"]) > 200
    kept.write_bytes(bytes(1000) + memory[1000:])
    async with working(site, str(storage)) as worker:
        assert (await worker.up())["kind"] == "up"
        assert snapshots(storage) == []
        await worker.cached()
        assert (await worker.call("GET", "/api/guests/me"))["name"] == SECRET
    assert kept.read_bytes()[4:12] == memory[4:12]  # the bytes before the memory, and of the memory


@pytest.mark.slow
@pytest.mark.parametrize("case", ["other", "short", "tried"])
async def test_snapshot_that_cannot_be_used_is_replaced(site: Path, tmp_path: Path, case: str) -> None:
    """As when it is of another version, or when the last start from it has not come to its end."""
    storage = tmp_path / "storage.json"
    async with working(site, str(storage)) as worker:
        await worker.up()
        await worker.cached()
    [kept] = snapshots(storage)
    if case == "other":
        kept.rename(kept.with_name(re.sub(r"[0-9a-f]{16}", "0" * 16, kept.name)))
    if case == "short":
        kept.write_bytes(kept.read_bytes()[: 1 << 20])
    if case == "tried":
        kept.with_name(kept.name.replace("snapshot", "trying")).touch()
    async with working(site, str(storage)) as worker:
        assert (await worker.up())["kind"] == "up"
        await worker.cached()
        await worker.call("POST", "/api/guests", {})
    assert snapshots(storage) == [kept]
    assert len(kept.read_bytes()) > 1 << 24


async def test_storage_of_a_newer_version_is_left_as_it_is(site: Path, tmp_path: Path) -> None:
    storage = tmp_path / "storage.json"
    storage.write_text("[]")
    (tmp_path / "storage.json.newer").touch()
    async with working(site, str(storage)) as worker:
        message = await worker.up()
    assert (message["kind"], message["newer"]) == ("failed", True)
    assert storage.read_text() == "[]"


async def test_bots_search_in_webassembly(site: Path, tmp_path: Path) -> None:
    """In the time that an analysis may take, plain Python plays some dozen rounds. Here there is no second worker."""
    (tmp_path / "storage.alone").touch()
    async with working(site, str(tmp_path / "storage")) as worker:
        await worker.up()
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        table = await Table.made(worker, USUAL, STRONGEST)
        await table.look()
        analysis = await worker.call("GET", f"{table.path}/analysis")
        assert sum(action["worlds"] for action in analysis["actions"]) > 200
        await table.finish()


@pytest.mark.parametrize("stored", [pytest.param(False, marks=pytest.mark.slow), True])
async def test_action_happens_once_if_the_worker_is_killed_before_it_answers(site: Path, tmp_path: Path, stored: bool) -> None:
    """The page does not know whether the action was stored, and sends it again."""
    storage = tmp_path / "storage.json"
    async with working(site, str(storage)) as worker:
        await worker.up()
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        table = await Table.made(worker, USUAL, "greedy")
        before = (await table.look())["view"]
        kept = storage.read_text()
        (tmp_path / "storage.json.dies").write_text("after" if stored else "before")
        asked = {"version": before["version"], "action": before["legal"][0]["action"]}
        sent = worker.send("POST", f"{table.path}/actions", asked)
        assert await worker.next(sent) == {"kind": "dead"}
    (tmp_path / "storage.json.dies").unlink()
    assert (storage.read_text() == kept) is not stored
    async with working(site, str(storage)) as worker:
        await worker.up()
        await worker.call("POST", f"{table.path}/actions", asked)
        events = (await worker.call("GET", f"{table.path}/events?since={before['version']}"))["events"]
        assert [event["version"] for event in events if event["action"] == asked["action"]] == [before["version"] + 1]


@pytest.mark.slow
async def test_first_worker_answers_while_a_second_one_reviews(site: Path, tmp_path: Path) -> None:
    """The review is the same as one that the first worker makes if there is no second one."""
    storage, alone, held = (tmp_path / name for name in ("storage", "alone", "storage.held"))
    async with working(site, str(storage)) as worker:
        table = await finished(worker)
        shutil.copy(storage, alone)
        shutil.copytree(f"{storage}.cache", f"{alone}.cache")
        held.touch()
        await play_meanwhile(worker, table.path)
        held.unlink()
        found = await review(worker, table.path, storage)
    (tmp_path / "alone.alone").touch()
    async with working(site, str(alone)) as worker:
        await worker.up()
        assert await review(worker, table.path, alone) == found


@pytest.mark.slow
async def test_second_worker_weighs_decisions_and_refuses(site: Path, tmp_path: Path) -> None:
    """The first one plays on meanwhile. After a refusal the second one goes on."""
    held = tmp_path / "storage.held"
    async with working(site, str(tmp_path / "storage")) as worker:
        await worker.up()
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        table = await Table.made(worker, USUAL, STRONGEST)
        await table.look()
        held.touch()
        weighing = asyncio.create_task(worker.call("GET", f"{table.path}/analysis"))
        await table.finish()
        assert not weighing.done()
        held.unlink()
        analysis = await weighing
        assert sum(action["worlds"] for action in analysis["actions"]) > 200
        past = f"{table.path}/rounds/1"
        events = (await worker.call("GET", f"{past}?seat=0"))["events"]
        last, moved = events[-1]["version"], next(event["version"] for event in events if event["seat"] == 1)
        status, refusal = await worker.ask("GET", f"{past}/analysis?seat=0&version={last}")
        assert (status, refusal["error"]) == (409, "nothing-to-weigh")
        held.touch()
        weighing = asyncio.create_task(worker.call("GET", f"{past}/why?seat=0&version={moved}"))
        assert (await worker.call("GET", "/api/guests/me"))["name"] == "Aki"
        assert not weighing.done()
        held.unlink()
        assert (await weighing)["reasons"]


@pytest.mark.slow
async def test_review_starts_again_after_the_worker_is_killed(site: Path, tmp_path: Path) -> None:
    storage, held = tmp_path / "storage", tmp_path / "storage.held"
    async with working(site, str(storage)) as worker:
        table = await finished(worker)
        held.touch()
        await play_meanwhile(worker, table.path)
    async with working(site, str(storage)) as worker:
        await worker.up()
        await play_meanwhile(worker, table.path)
        held.unlink()
        assert json.loads(await review(worker, table.path, storage))


async def test_every_route_answers_or_needs_a_server(site: Path) -> None:
    async with working(site, "memory") as worker:
        await worker.up()
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        for route in ROUTES:
            if route.id == "forget_me":
                continue
            status, answer = await worker.ask(*example_of(route))
            if not route.alone:
                assert (status, answer["error"]) == (403, "needs-server")
            else:
                assert status in (200, 201) or answer["error"] in NOTHING_THERE, route.id
        for asked in ({"public": True}, {"seats": ["person", "person"], "term": {"days": 1}}):
            status, answer = await worker.ask("POST", "/api/tables", {"game": USUAL, **asked})
            assert (status, answer["error"]) == (403, "needs-server")
        assert await worker.call("DELETE", "/api/guests/me") == {"devices": []}


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_round_of_every_game(site: Path, tmp_path: Path, game: str) -> None:
    async with working(site, "refused") as worker:
        await worker.up()
        assert (await worker.call("GET", "/api/notice"))["texts"]["en"]
        await worker.call("POST", "/api/guests", {"name": "Aki"})
        table = await Table.made(worker, game, "flat")
        await table.finish()
        assert (await worker.call("GET", f"{table.path}/record"))["game"] == game


async def test_site_without_its_files_says_so(site: Path, tmp_path: Path) -> None:
    broken = tmp_path / "site" / "pocket"
    broken.mkdir(parents=True)
    (broken / "worker.js").write_bytes((site / "pocket" / "worker.js").read_bytes())
    async with working(broken.parent, "refused") as worker:
        message = await worker.up()
        assert message["kind"] == "failed"
        assert "pyodide" in message["why"] or "zip" in message["why"]
