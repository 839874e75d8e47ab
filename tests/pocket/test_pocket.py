"""The desk inside a page: one guest or a few, and streams that end when the page leaves."""

import asyncio

import mekuri
from mekuri.pocket.pocket import PLAYER
from mekuri.table.acting import silent
from tests.helpers.pocket.browser import Browser
from tests.helpers.server.gathering import WINDOWS
from tests.helpers.tables import USUAL, seats_for
from tests.helpers.time import moment


async def test_the_only_guest_is_known_without_a_token(browser: Browser) -> None:
    browser.pocket = browser.start()
    assert (await browser.ask("GET", "/api/guests/me"))[1]["name"] == "Aki"
    assert (await browser.ask("POST", "/api/guests", {}))[0] == 200
    assert (await browser.ask("DELETE", "/api/guests/me"))[0] == 200
    assert (await browser.ask("GET", "/api/guests/me"))[0] == 401
    assert not any(key.startswith(('["person"', '["device"')) for key in browser.stored)


async def test_request_names_its_person(browser: Browser) -> None:
    """Two people at one browser are seated at a table, each sees their own cards only, and both are there while one looks."""
    for number, name in ((2, "Ben"), (2, "Beni"), (7, "Chiyo")):
        assert (await browser.ask("POST", "/api/guests", {"name": name}, **{PLAYER: str(number)}))[1]["name"] == name
    browser.pocket = browser.start()
    names = [await browser.ask("GET", "/api/guests/me", **{PLAYER: str(number)}) for number in range(5)]
    assert [(status, found.get("name")) for status, found in names] == [
        (401, None),
        (200, "Aki"),
        (200, "Beni"),
        (200, "Chiyo"),
        (401, None),
    ]
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "person"]})
    path = f"/api/tables/{table['id']}"
    for number in (1, 2):
        assert (await browser.ask("POST", f"{path}/seat", {}, **{PLAYER: str(number)}))[1]["you"] == number - 1
    seen = [(await browser.ask("GET", path, **{PLAYER: str(number)}))[1]["view"]["zones"] for number in range(4)]
    hands = [[zone["cards"] for zone in zones if zone["kind"] == "hand"] for zones in seen]
    assert [[any(hand) for hand in each] for each in hands] == [[False, False], [True, False], [False, True], [False, False]]
    begun = asyncio.Event()
    stream = browser.pocket.answer(
        "7", "GET", f"/api/stream?table={table['id']}", "", {PLAYER: "2"}, lambda *_: begun.set(), lambda _: None
    )
    streaming = asyncio.create_task(stream)
    await begun.wait()
    assert [seat["here"] for seat in (await browser.ask("GET", path))[1]["presence"]] == [True, True]
    browser.pocket.leave("7")
    await streaming
    assert [(seat["here"], seat["bot_at"]) for seat in (await browser.ask("GET", path))[1]["presence"]] == [(False, None)] * 2


async def test_people_at_one_screen_have_any_time_to_answer(browser: Browser) -> None:
    """Where silence is an answer elsewhere, they say it."""
    game = mekuri.game(WINDOWS[0])
    await browser.ask("POST", "/api/guests", {"name": "Ben"}, **{PLAYER: "2"})
    for seed in range(20):
        _, table = await browser.ask("POST", "/api/tables", {"game": game.id, "seats": seats_for(game.id, "person", "person")})
        path = f"/api/tables/{table['id']}"
        for number in (1, 2):
            await browser.ask("POST", f"{path}/seat", {"cut": f"{seed}"}, **{PLAYER: str(number)})
        live = browser.pocket.desk.tables.live_tables[table["id"]]
        while live.table and not live.table.running.over:
            for number in (1, 2):
                view = (await browser.ask("GET", path, **{PLAYER: str(number)}))[1]["view"]
                assert view["closes"] is None
                asked = {"version": view["version"], "action": next((one["action"] for one in view["legal"]), None)}
                if live.table.closes and number - 1 in silent(live.table):
                    asked["action"] = live.table.running.silence
                    assert asked["action"] in [one["action"] for one in view["legal"]]
                    assert (await browser.ask("POST", f"{path}/actions", asked, **{PLAYER: str(number)}))[0] == 200
                    return
                if asked["action"]:
                    await browser.ask("POST", f"{path}/actions", asked, **{PLAYER: str(number)})
            await moment()
    raise AssertionError("no window has opened")


async def test_deal_of_the_day_is_the_same_in_every_browser(browser: Browser) -> None:
    other = Browser()
    await other.ask("POST", "/api/guests", {})
    dealt = []
    for each in (browser, other):
        _, table = await each.ask("POST", f"/api/daily/{USUAL}", {})
        _, seen = await each.ask("GET", f"/api/tables/{table['id']}")
        assert seen["head"]["state"] == "running"
        dealt.append([zone["cards"] for zone in seen["view"]["zones"]])
    assert dealt[0] == dealt[1]
    _, daily = await browser.ask("GET", "/api/daily")
    commitments = [deal["commitment"] for deal in daily["deals"]]
    assert len(set(commitments)) == len(commitments)
    assert commitments == [deal["commitment"] for deal in (await other.ask("GET", "/api/daily"))[1]["deals"]]


async def test_drawn_cards_lie_beside_the_page() -> None:
    _, game = await Browser().ask("GET", f"/api/games/{USUAL}")
    assert game["packs"]
    assert all(pack[drawn].startswith("cards/") for pack in game["packs"] for drawn in ("sprite", "art"))


async def test_stream_ends_when_the_page_leaves(browser: Browser) -> None:
    _, table = await browser.ask("POST", "/api/tables", {"game": USUAL, "seats": ["person", "greedy"]})
    begun, sent = asyncio.Event(), asyncio.Event()
    url = f"/api/stream?table={table['id']}"
    answer = browser.pocket.answer("7", "GET", url, "", {}, lambda *_: begun.set(), lambda _: sent.set())
    streaming = asyncio.create_task(answer)
    await begun.wait()
    await sent.wait()
    assert browser.pocket.desk.streams.open
    browser.pocket.leave("7")
    browser.pocket.leave("8")
    await streaming
    assert not browser.pocket.desk.streams.open
