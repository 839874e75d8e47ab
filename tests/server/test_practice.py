"""Practice at a server: mistakes come from reviews of one's own rounds, are asked, graded once, and come back."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from mekuri.bots.review import review
from mekuri.bots.review.version import JUDGE
from mekuri.desk import reviewers
from mekuri.desk.routes import practice
from mekuri.match.replay import replay
from mekuri.protocol.coding import to_builtins
from mekuri.table import reviewing
from mekuri.table.errors import ProblemError
from tests.helpers.machine_code import without_machine_code
from tests.helpers.server import databases
from tests.helpers.server.gathering import guests, pair
from tests.helpers.server.serving import Guest, Json, Serving, play_out, refused
from tests.helpers.server.stores import read_through, sql
from tests.helpers.tables import seats_for
from tests.helpers.time import FakeTime, moment

Patch = pytest.MonkeyPatch
FEW = (8, 100)
MANY = "mushi"
DAY = 86_400_000


@pytest.fixture(autouse=True)
def briefly(monkeypatch: Patch) -> None:
    """Little is played out, and no machine code is made."""
    monkeypatch.setattr(reviewing, "FEW", FEW)
    without_machine_code(monkeypatch)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


async def played(aki: Guest, seed: int = 0) -> str:
    """A table at which a match of a round of many decisions is over, with a bot."""
    table = await aki.make(MANY, seats=seats_for(MANY, "person", "random"), match_options={"rounds": "1"})
    await aki.sit(table, seat=0, cut=f"cut {seed}")
    await play_out(table, [aki], seed)
    return table


async def planted(server: Serving, aki: Guest, table: str, seat: int = 0, mistakes: int = 1, judge: str = JUDGE) -> list[Json]:
    """The review of a round is there, and in it the seat's first decisions were mistakes; these moments."""
    record = (await aki.http.get(f"/api/tables/{table}/record")).text
    found = json.loads(json.dumps(to_builtins(review(replay(record).finished[0], seat, *FEW))))
    for n, each in enumerate(found["moments"]):
        other = next(choice["action"] for choice in each["choices"] if choice["action"] != each["action"])
        each.update({"label": "mistake", "best": other} if n < mistakes else {"label": "fine"})
    await server.desk.store.keep_review(table, 1, seat, msgspec.json.encode(found | {"version": judge}))
    return list(found["moments"][:mistakes])


async def with_mistakes(server: Serving, aki: Guest, mistakes: int = 1) -> tuple[str, list[Json]]:
    table = await played(aki)
    moments = await planted(server, aki, table, mistakes=mistakes)
    assert await search(aki) == standing(due=mistakes, kept=mistakes)
    return table, moments


def standing(**more: Any) -> Json:
    return {"due": 0, "kept": 0, "next": None, "rounds": 0, "done": 0, "total": 0} | more


def rows(server: Serving, statement: str) -> list[Any]:
    return sql(server.desk.settings.database or "", statement)


async def search(guest: Guest) -> Json:
    return dict(await guest.call("POST", "/api/practice"))


async def question(guest: Guest) -> Any:
    return (await guest.call("GET", "/api/practice/question"))["question"]


def sent(asked: Json, action: str | None, **more: Any) -> Json:
    return {name: asked[name] for name in ("table", "round", "number", "tries")} | {"action": action} | more


async def attempt(guest: Guest, asked: Json, action: str | None, **more: Any) -> Json:
    return dict(await guest.call("POST", "/api/practice/tries", sent(asked, action, **more)))


async def test_rounds_are_reviewed_newest_first(server: Serving, aki: Guest, time: FakeTime) -> None:
    assert await search(aki) == standing()
    tables = []
    for seed in range(2):
        time.move(1)
        tables.append(await played(aki, seed))
    assert await aki.call("GET", "/api/practice") == standing(rounds=2), "whoever only looks has nothing reviewed"
    while (progress := await search(aki))["rounds"]:
        assert progress["done"] <= progress["total"] or progress["total"] == 0
        await moment()
    assert rows(server, 'select "match" from reviews order by at') == [(table,) for table in reversed(tables)]
    labels = [moment["label"] for (body,) in rows(server, "select body from reviews") for moment in json.loads(body)["moments"]]
    assert progress == standing(due=len(labels) - labels.count("fine"), kept=len(labels) - labels.count("fine"))


@pytest.mark.alone
async def test_mistake_that_a_review_finds_is_asked_and_answered(aki: Guest) -> None:
    seed, found = 0, standing()
    while not found["due"]:
        table = await played(aki, seed := seed + 1)
        while (found := await search(aki))["rounds"]:
            await moment()
    asked = await question(aki)
    assert (asked["game"], asked["seat"], asked["tries"]) == (MANY, 0, 0)
    replayed = await aki.call("GET", f"/api/tables/{table}/rounds/1?seat=0")
    assert asked["event"] in replayed["events"]
    for tries, over in enumerate((False, True)):
        tried = await attempt(aki, asked, None, tries=tries)
        assert (tried["right"], tried["over"], tried["tries"]) == (False, over, tries + 1)
        assert await attempt(aki, asked, None, tries=tries) == tried, "it is counted once"
    assert tried["moment"]["number"] == asked["number"]
    assert await refused(attempt(aki, asked, None, tries=2)) == (409, "answered-already")
    assert (await aki.call("GET", "/api/practice"))["due"] == found["due"] - 1


async def test_question_shows_only_the_view_of_the_seat(server: Serving, aki: Guest) -> None:
    table, [moment] = await with_mistakes(server, aki)
    asked = await question(aki)
    replayed = await aki.call("GET", f"/api/tables/{table}/rounds/1?seat=0")
    seen = [event for event in replayed["events"] if event["kind"] == "play"]
    assert asked["event"] == seen[moment["seen"] - 1]
    assert asked == {
        "table": table,
        "game": MANY,
        "round": 1,
        "seat": 0,
        "number": 1,
        "tries": 0,
        "choices": moment["choices"],
        "event": asked["event"],
        "hint": None,
    }
    assert {choice["action"] for choice in moment["choices"]} <= {legal["action"] for legal in asked["event"]["view"]["legal"]}


async def test_better_answer_returns_later(server: Serving, aki: Guest, time: FakeTime) -> None:
    _, moments = await with_mistakes(server, aki, 3)
    asked = [await question(aki)]
    good = await attempt(aki, asked[0], moments[0]["best"])
    assert (good["right"], good["over"], good["moment"]) == (True, True, moments[0])
    asked.append(await question(aki))
    first = await attempt(aki, asked[1], moments[1]["action"])
    assert (first["right"], first["over"], first["moment"], first["days"]) == (False, False, None, None)
    assert first["hint"] == [] == (await question(aki))["hint"], "nothing names the best choice before the second try is over"
    hard = await attempt(aki, asked[1], moments[1]["best"], tries=first["tries"])
    assert (hard["right"], hard["over"]) == (True, True)
    asked.append(await question(aki))
    await attempt(aki, asked[2], None)
    again = await attempt(aki, asked[2], None, tries=1)
    assert (again["right"], again["over"], again["days"], again["moment"]) == (False, True, 1, moments[2])
    assert good["days"] > hard["days"] >= again["days"]

    assert await question(aki) is None
    left = await aki.call("GET", "/api/practice")
    assert (left["due"], left["kept"]) == (0, 3)
    time.move_to(left["next"] - 10)
    assert await question(aki) is None
    time.move_to(left["next"])
    assert (await question(aki))["number"] in (2, 3)
    time.move((30 * DAY) / 1000)
    assert (await aki.call("GET", "/api/practice"))["due"] == 3
    back = await question(aki)
    assert back["hint"] is None, "it begins anew"
    assert (await attempt(aki, back, moments[back["number"] - 1]["best"]))["days"] > 1


async def test_mistakes_of_an_older_judge_are_judged_again(server: Serving, aki: Guest) -> None:
    table = await played(aki)
    await planted(server, aki, table, mistakes=2, judge="1")
    assert await search(aki) == standing(due=2, kept=2, rounds=1)
    assert await question(aki) is None
    while (progress := await search(aki))["rounds"]:
        assert progress["kept"] == 2
        await moment()
    [(body,)] = rows(server, "select body from reviews")
    assert json.loads(body)["version"] == JUDGE

    [sure] = await planted(server, aki, table, mistakes=1)
    asked = await question(aki)
    assert asked["number"] == 1
    assert (await attempt(aki, asked, sure["best"]))["right"]
    assert await question(aki) is None
    assert (await aki.call("GET", "/api/practice"))["kept"] == 1


async def test_mistakes_without_a_new_judgement_are_kept(server: Serving, aki: Guest, monkeypatch: Patch) -> None:
    table = await played(aki)
    await planted(server, aki, table, mistakes=2, judge="1")
    await search(aki)
    monkeypatch.setattr(reviewers, "reviewed", None)
    while (progress := await search(aki))["rounds"]:
        await moment()
    assert progress == standing(due=2, kept=2)
    assert (await question(aki))["number"] == 1


async def test_repeated_attempt_is_counted_once(server: Serving, aki: Guest) -> None:
    _, [moment] = await with_mistakes(server, aki)
    asked = await question(aki)
    wrong = await attempt(aki, asked, moment["action"])
    assert await attempt(aki, asked, moment["action"]) == wrong
    assert await refused(attempt(aki, asked, moment["best"])) == (409, "answered-already")
    both = await asyncio.gather(*[attempt(aki, asked, moment["best"], tries=1) for _ in range(4)])
    assert all(each == both[0] for each in both)
    assert rows(server, "select tries from mistakes") == [(2,)]
    for tries in (0, 2, 7):
        assert await refused(attempt(aki, asked, moment["best"], tries=tries)) == (409, "answered-already")


async def test_forged_attempt_is_refused(server: Serving, aki: Guest) -> None:
    _, [moment] = await with_mistakes(server, aki)
    asked, unknown = await question(aki), (404, "no-such-question")
    async with guests(server, "Ben") as [ben]:
        assert await question(ben) is None
        assert await refused(attempt(ben, asked, moment["best"])) == unknown
    for forged in ({"table": "nothing"}, {"round": 2}, {"number": 2}, {"number": 1 << 52}):
        assert await refused(attempt(aki, asked, moment["best"], **forged)) == unknown
    for action in ("nothing", "", "G"):
        assert await refused(attempt(aki, asked, action)) == (400, "action")
    faults: list[Json] = [{"table": ""}, {"round": 0}, {"number": -1}, {"tries": 1 << 60}, {"more": 1}]
    for wrong in faults:
        assert await refused(attempt(aki, asked, moment["best"], **wrong)) == (400, "malformed")
    assert await refused(attempt(aki, asked, "7" * 99)) == (400, "malformed")
    nobody = Guest(server.address)
    for method, path in (("GET", ""), ("POST", ""), ("GET", "/question")):
        assert await refused(nobody.call(method, f"/api/practice{path}")) == (401, "not-signed-in")
    assert await refused(attempt(nobody, asked, None)) == (401, "not-signed-in")
    await nobody.close()
    assert rows(server, "select tries, told from mistakes") == [(0, None)]


async def test_only_the_own_seat_is_reviewed(server: Serving, aki: Guest) -> None:
    async with guests(server, "Ben") as [ben]:
        table = await aki.make(MANY, **pair(MANY), match_options={"rounds": "1"})
        for seat, guest in enumerate((aki, ben)):
            await guest.sit(table, seat=seat)
        assert await search(aki) == standing(), "a match that goes on is not looked at"
        await play_out(table, [aki, ben])
        await planted(server, aki, table, seat=1)
        assert (await search(ben))["due"] == 1
        assert (await question(ben))["seat"] == 1
        assert (await search(aki))["due"] == 0
        assert await question(aki) is None


async def test_number_of_mistakes_is_limited(server: Serving, aki: Guest, monkeypatch: Patch) -> None:
    monkeypatch.setattr(practice, "MOST", 2)
    table = await played(aki)
    await planted(server, aki, table, mistakes=3)
    assert await search(aki) == standing(due=2, kept=2)
    await played(aki, 1)
    assert await search(aki) == standing(due=2, kept=2)
    monkeypatch.setattr(practice, "_ROUNDS", 0)
    monkeypatch.setattr(practice, "MOST", 9)
    assert await search(aki) == standing(due=2, kept=2), "of what was played long ago only what has been reviewed is looked at"


async def test_failed_review_does_not_block_the_others(server: Serving, aki: Guest, monkeypatch: Patch) -> None:
    await played(aki)
    errors = ["reviewing", "server"]

    async def fail(*_: object) -> None:
        raise ProblemError(errors.pop(0))

    monkeypatch.setattr(reviewers.Reviewers, "progress", fail)
    assert await search(aki) == standing(rounds=1), "another review is waited for"
    assert await search(aki) == standing()
    assert errors == []


async def test_mistakes_are_deleted_with_match_and_guest(server: Serving, aki: Guest) -> None:
    table, _ = await with_mistakes(server, aki)
    asked = await question(aki)
    export = (await aki.http.get("/api/guests/export")).json()
    [mistake] = export["mistakes"]
    assert (mistake["table"], mistake["round"], mistake["seat"], mistake["number"], mistake["tries"]) == (table, 1, 0, 1, 0)
    assert mistake["state"]["last_review"] is None
    await server.desk.store.remove(table)
    assert await refused(attempt(aki, asked, None)) == (404, "no-such-question")
    assert rows(server, "select * from mistakes") == rows(server, "select * from searched") == []
    await with_mistakes(server, aki)
    await aki.call("DELETE", "/api/guests/me")
    assert rows(server, "select * from mistakes") == rows(server, "select * from searched") == []


async def test_practice_queries_use_an_index(server: Serving) -> None:
    for wanted in ("person = 'a' and due <= 1 order by due", "person = 'a'", "\"match\" = 'a'"):
        asked = f"select * from mistakes where {wanted}"
        assert not read_through(server.desk.settings.database or "", asked)
        if not databases.running:
            assert "TEMP" not in str(rows(server, f"explain query plan {asked}"))
