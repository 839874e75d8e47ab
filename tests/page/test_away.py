"""A card shows returning players what they missed, and new spectators the last turn; it can be shown again."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from mekuri.engine.rulebook import LANGUAGES
from tests.helpers.folders import CHECKOUT
from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.hands import CARDS, WORDS, Finger, act
from tests.helpers.page.staging import Json, call, play_until, round_over, seated, settled
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child
from tests.page.conftest import CUT, Open
from tests.page.test_company import without_secrets
from tests.page.test_turns import faults

GRACE = ("--grace", "0.2")  # seconds until a bot plays for a player who is away
SMALL = ".deeds .small"  # a card in the line of a turn
ROWS = 6  # that a card has at most: five turns or rounds that ended, and how many turns there were before
HIDDEN = "Object.defineProperty(document, 'hidden', { value: true })"  # the tab is behind others


@pytest_asyncio.fixture(loop_scope="session")
async def hasty(tmp_path: Path) -> AsyncIterator[Child]:
    """A server whose bots take the seats of absent players at once."""
    child = Child(tmp_path / "mekuri.db", more=GRACE)
    await child.start()
    yield child
    await child.kill()


async def begun(first: Page, second: Page, **asked: object) -> str:
    """Return a table of two people, in the middle of a round, after one action of each."""
    table = await seated(first.context, FACES, ["person", "person"], **asked)
    await call(second.context, "POST", "/api/guests", {"name": "Haru"})
    await call(second.context, "POST", f"/api/tables/{table}/seat", {"cut": "kame"})
    await both(first, second, table, lambda events: min(acts(events)) >= 1)
    return table


def acts(events: list[Json]) -> list[int]:
    """Return how often each of two seats has acted."""
    return [sum(event["kind"] == "play" and event["seat"] == seat for event in events) for seat in (0, 1)]


def answered(events: list[Json]) -> bool:
    """Return whether the second seat has acted after the first, which is asked now."""
    people = [event["seat"] for event in events if event["kind"] == "play" and event["seat"] in (0, 1)]
    return bool(people[-1] == 1 and events[-1]["view"]["waiting"] == [0])


async def happened(page: Page, table: str) -> list[Json]:
    """Return all events of a table that a viewer has seen."""
    return list((await call(page.context, "GET", f"/api/tables/{table}/events?since=0"))["events"])


async def both(first: Page, second: Page, table: str, reached: Callable[[list[Json]], bool]) -> None:
    """Let both play until a state is reached, by all events so far."""
    while not reached(await happened(first, table)):
        if not await move(first, table) and not await move(second, table):
            await asyncio.sleep(0.01)


async def move(page: Page, table: str) -> bool:
    """Play the first legal action. Returns whether there was one."""
    view = (await call(page.context, "GET", f"/api/tables/{table}"))["view"]
    if not view["legal"]:
        return False
    first = {"version": view["version"], "action": view["legal"][0]["action"]}
    await call(page.context, "POST", f"/api/tables/{table}/actions", first)
    return True


async def replaced(first: Page, table: str) -> None:
    """Wait until a bot has taken the second seat and played, and the first is asked."""
    before = None
    while True:
        whole = await call(first.context, "GET", f"/api/tables/{table}")
        done = acts(await happened(first, table))[1]
        if before is None and whole["head"]["seats"][1]["bot"]:
            before = done
        if before is not None and whole["view"]["legal"] and done > before:
            return
        if before is None or not await move(first, table):
            await asyncio.sleep(0.01)


async def at_the_table(table: str, *pages: Page) -> None:
    """Go to a table, and wait for its board."""
    for page in pages:
        await page.goto(f"/t/{table}")
        await page.locator(".board .table").first.wait_for()


async def own_hand(page: Page) -> list[str | None]:
    """Return the cards of the viewer's hand, as the page draws them."""
    return [await card.get_attribute("data-card") for card in await page.locator(".near.hand li").all()]


async def without_scrolling(page: Page) -> None:
    """Check that a phone shows the whole card, and the hand below it."""
    await page.set_viewport_size({"width": 360, "height": 740})
    await settled(page)
    high, room = await page.locator(".away").evaluate("card => [card.scrollHeight, card.clientHeight]")
    assert high <= room
    card, hand = await page.locator(".away").bounding_box(), await page.locator(".hands").bounding_box()
    assert card
    assert hand
    assert card["y"] + card["height"] <= hand["y"]


KEYS = ["away.title", "away.for-you", "away.now", "board.show-again", "table.close", "table.come-back"]


def page_texts(lang: str) -> list[str]:
    """Return texts of the page: the card's titles, the label beside the name of a bot, and the buttons."""
    texts = json.loads((CHECKOUT / "web" / "src" / "lang" / f"{lang}.json").read_text(encoding="utf-8"))
    return [texts[key].replace("{bot}", "").strip() for key in KEYS]


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_returning_player_sees_the_moves_of_the_bot(open_page: Open, lang: str) -> None:
    title, name, now, again, close, back = page_texts(lang)
    first, second = await open_page(None, DESKTOP, lang=lang), await open_page(None, PHONE, lang=lang, motion=True)
    table = await begun(first, second)
    await at_the_table(table, first, second)
    await expect(second.locator(".away")).to_be_attached()
    await expect(second.locator(".away section")).to_have_count(0)  # nobody was away

    await call(second.context, "DELETE", f"/api/tables/{table}/seat")
    await replaced(first, table)
    await second.get_by_role("button", name=back).click()
    card = second.get_by_role("region", name=title)
    whole = await happened(second, table)
    start = next(n for n, event in enumerate(whole) if event["kind"] == "leave")
    bots = [event for event in whole[start:] if event["kind"] == "play" and event["seat"] == 1]
    await expect(card.locator("p").first).to_contain_text(re.compile(r"\d"))  # how many turns they were
    await expect(card).to_contain_text("お菊" if lang == "ja" else "O-Kiku")
    row = card.get_by_role("listitem").filter(has_text=name).first
    assert bots
    await expect(row.locator(SMALL).first).to_be_visible()
    await expect(row.locator(".spoken")).to_contain_text(name)
    await expect(card.get_by_role("listitem").filter(has_not_text=name).first).to_be_visible()
    assert await second.evaluate("document.activeElement === document.body")  # it takes the focus from nothing
    assert await faults(second) == []
    await without_scrolling(second)

    # It is there again after a reload, with the same cards in the hand, and shown again on the table.
    hand, stock = await own_hand(second), second.locator(".stock h2 .count")
    left = await stock.inner_text()
    await second.reload()
    await card.get_by_role("button", name=again).click()
    await expect(card).to_have_count(0)
    await expect(stock).not_to_have_text(left)
    await expect(stock).to_have_text(left)
    await expect(second.locator(".away section")).to_have_count(0)
    assert await own_hand(second) == hand
    await second.reload()
    await card.get_by_role("button", name=close).click()
    await expect(card).to_have_count(0)

    # The first move puts it away, and is the new beginning.
    await second.reload()
    await card.wait_for()
    while not (await call(second.context, "GET", f"/api/tables/{table}"))["view"]["legal"]:
        await move(first, table)
    await second.locator(f"{CARDS}, {WORDS}").first.wait_for()
    await act(second, Finger())
    await expect(card).to_have_count(0)
    await second.reload()
    await second.locator(".board .table").first.wait_for()
    await expect(second.locator(".away")).to_be_attached()
    await expect(card).to_have_count(0)

    # A new spectator sees the last events, and no card of a player's hand.
    spectator = await open_page(None, PHONE, lang=lang)
    await at_the_table(table, spectator)
    seen = spectator.get_by_role("region", name=now)
    await expect(seen.get_by_role("listitem").first).to_be_visible()
    await without_secrets(spectator, [first, second])
    await without_scrolling(spectator)
    await seen.get_by_role("button", name=again).click()
    await expect(seen).to_have_count(0)


async def test_round_that_ended_meanwhile_is_reported(open_page: Open, hasty: Child) -> None:
    open_page.allowed.append(CUT)
    first, second = await open_page(None, DESKTOP, hasty.address), await open_page(None, PHONE, hasty.address)
    table = await begun(first, second)
    await at_the_table(table, second, first)
    await second.goto("about:blank")
    await replaced(first, table)
    over = await play_until(first.context, table, round_over)
    await play_until(first.context, table, lambda whole: whole["head"]["round"] > 1 and bool(whole["view"]["legal"]))
    await at_the_table(table, second)
    card = second.get_by_role("region", name="While you were away")
    won = abs(over["view"]["returns"][0])
    await expect(card.locator(".ended").last).to_have_text(re.compile(str(won or "Nobody")))
    await expect(card).to_contain_text("Before that")
    assert await card.get_by_role("listitem").count() <= ROWS
    await without_scrolling(second)


async def test_turn_by_turn_shows_events_since_the_last_turn(open_page: Open) -> None:
    first, second = await open_page("/", PHONE), await open_page("/", DESKTOP)
    table = await begun(first, second, term={"days": 3})
    # The first comes back after the second has played: the tab was closed in between.
    await both(first, second, table, answered)
    await first.goto(f"/t/{table}")
    await first.locator(".board .table").first.wait_for()
    card = first.get_by_role("region", name="Since your last turn")
    await expect(card.get_by_role("listitem").filter(has_text="Haru")).to_be_visible()
    await without_scrolling(first)
    assert await faults(first) == []
    await act(first, Finger())
    await expect(card).to_have_count(0)

    # A tab that stays open behind others tells the same as soon as it is seen.
    await first.evaluate(HIDDEN)
    await both(first, second, table, answered)
    await expect(card.get_by_role("listitem").filter(has_text="Haru")).to_be_visible()
