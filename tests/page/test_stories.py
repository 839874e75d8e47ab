"""What happens to people at tables: two tabs, a reload, a lost line, a server that is killed, and a card that may not be played."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import Page, Request, expect

from mekuri.table.errors import ProblemError
from tests.helpers.page.browser import DESKTOP, PHONE, Screen
from tests.helpers.page.hands import CARDS, Finger, Mouse, act, at_end, play_shortly, what_now
from tests.helpers.page.staging import brought, call, to_choose, to_play
from tests.helpers.page.tour import FACES, usual
from tests.helpers.server.child import Child
from tests.page.conftest import CUT, PART, Open

GAME = FACES
LOST = "p.urgent"

# Whether a part of the page has come, with its styles.
LOADED = """part => {
  const names = performance.getEntriesByType("resource").map(({ name }) => name);
  return [".js", ".css"].every((kind) => names.some((name) => name.includes(`/assets/${part}-`) && name.endsWith(kind)));
}"""


class Lines:
    """The lines to the server's stream that the tabs of a browser hold open."""

    def __init__(self, *pages: Page) -> None:
        self._open: dict[Page, set[Request]] = {page: set() for page in pages}
        for page in pages:
            page.on("request", self._begin)
            page.on("requestfinished", self._end)
            page.on("requestfailed", self._end)

    def _begin(self, asked: Request) -> None:
        if "/api/stream" in asked.url:
            self._open[asked.frame.page].add(asked)

    def _end(self, asked: Request) -> None:
        self._open[asked.frame.page].discard(asked)

    @property
    def holders(self) -> list[Page]:
        """Return the tab of each stream. The streams of a closed tab are closed."""
        return [page for page, lines in self._open.items() for _ in lines if not page.is_closed()]


async def hand(page: Page) -> list[str]:
    """The cards of one's own hand, in notation."""
    return [str(await card.get_attribute("data-card")) for card in await page.locator(".mine.hand li").all()]


async def same_hand(page: Page, cards: list[str]) -> None:
    """Wait until the hand is this one."""
    await page.wait_for_function(
        "cards => [...document.querySelectorAll('.mine.hand li')].map((card) => card.dataset.card).join() === cards",
        arg=",".join(cards),
    )


async def reload_where_reported(page: Page) -> None:
    """Reload the page if it reports a missing part after the connection was cut."""
    again = page.get_by_role("alert").get_by_role("button", name="Reload")
    if await again.is_visible():
        await again.click()
        await again.wait_for(state="detached")
        await page.locator(CARDS).first.wait_for()


async def at_turn(open_page: Open, address: str = "") -> tuple[Page, str]:
    """Return a player at a table against a bot, in mid-round, at their turn."""
    page = await open_page(None, address=address)
    table = await brought(page.context, GAME, usual(GAME), to_play)
    await page.goto(f"/t/{table}")
    await page.locator(CARDS).first.wait_for()
    return page, table


@pytest_asyncio.fixture(loop_scope="session")
async def victim(tmp_path: Path) -> AsyncIterator[Child]:
    """A server that will be killed."""
    child = Child(tmp_path / "mekuri.db")
    await child.start()
    yield child
    await child.kill()


@pytest.mark.every_days(4)
async def test_tabs_share_one_stream(open_page: Open) -> None:
    page, table = await at_turn(open_page)
    await page.close()
    one = await open_page.tab(page.context, None)
    other = await open_page.tab(page.context, None)
    lines = Lines(one, other)
    for tab in (one, other):
        await tab.goto(f"/t/{table}")
        await tab.locator(CARDS).first.wait_for()
    # Each follows what happens in the other.
    for mine, theirs in ((one, other), (other, one)):
        await mine.bring_to_front()
        await act(mine, Mouse())
        assert not await at_end(mine)
        await same_hand(theirs, await hand(mine))
    assert len(lines.holders) == 1
    # The one that leads is closed, and the other goes on.
    (leader,) = lines.holders
    rest = other if leader is one else one
    await leader.close()
    await rest.bring_to_front()
    await act(rest, Mouse())
    assert not await at_end(rest)
    assert lines.holders == [rest]


@pytest.mark.every_days(4)
async def test_reload_changes_nothing(open_page: Open) -> None:
    page, table = await at_turn(open_page)
    before = await hand(page)
    await page.reload()
    await page.locator(CARDS).first.wait_for()
    assert page.url.endswith(f"/t/{table}")
    assert await hand(page) == before
    await act(page, Mouse())


@pytest.mark.every_days(4)
async def test_lost_connection_is_reported_and_restored(open_page: Open) -> None:
    open_page.allowed += [CUT, PART]
    page, _ = await at_turn(open_page)
    before = await hand(page)
    await page.context.set_offline(True)
    # A card is played all the same: it is on its way until there is a line again, and is played once.
    card = page.locator(CARDS).first
    played = await card.evaluate("card => card.parentElement.dataset.card")
    await card.click()
    await page.locator(LOST).wait_for()
    await page.context.set_offline(False)
    await page.locator(LOST).wait_for(state="detached")
    await reload_where_reported(page)
    assert not await at_end(page)
    assert set(before) - set(await hand(page)) <= {played}
    await play_shortly(page, Mouse(), 1)


@pytest.mark.every_days(4)
async def test_killed_server_resumes_the_same_round(open_page: Open, victim: Child) -> None:
    open_page.allowed += [CUT, PART, "status of 50"]
    page, table = await at_turn(open_page, victim.address)
    before = await hand(page)
    await victim.kill()
    await page.locator(LOST).wait_for()
    await victim.start()
    await page.locator(LOST).wait_for(state="detached")
    await reload_where_reported(page)
    assert page.url.endswith(f"/t/{table}")
    assert await hand(page) == before
    await act(page, Mouse())
    await play_shortly(page, Mouse(), 1)
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["view"]["over"]


@pytest.mark.parametrize("kind", ["js", "css"])
async def test_missing_part_is_reported_until_reload(open_page: Open, kind: str) -> None:
    open_page.allowed += [CUT, PART]
    page = await open_page(None)
    table = await brought(page.context, GAME, usual(GAME), to_play)
    standings = re.compile(rf"/assets/Standings-[^/]*\.{kind}$")
    await page.route(standings, lambda route: route.abort())
    await page.goto(f"/t/{table}")
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("Part of this page did not load.")
    await act(page, Mouse())  # one may play on; nothing that is said meanwhile takes its place
    await expect(alert).to_contain_text("Part of this page did not load.")
    await page.unroute(standings)
    before = await hand(page)
    await alert.get_by_role("button", name="Reload").click()
    await page.locator(".standings li").first.wait_for()
    await expect(alert).not_to_contain_text("did not load")
    await same_hand(page, before)


async def test_lasting_refusal_is_explained_and_the_action_repeated(open_page: Open) -> None:
    """A server with a full disk refuses all actions until it has room again."""
    open_page.allowed += ["status of 503"]
    page = await open_page(None)
    table = await brought(page.context, GAME, usual(GAME), to_play)
    await page.goto(f"/t/{table}")
    problem = ProblemError("disk-full").problem
    await page.route("**/actions", lambda route: route.fulfill(status=503, body=msgspec.json.encode(problem)))
    await Mouse().do(page, await what_now(page))
    await expect(page.get_by_role("alert")).to_contain_text(problem.message)
    async with page.expect_response(lambda answer: answer.url.endswith("/actions") and answer.ok):
        await page.unroute("**/actions")


@pytest.mark.every_days(4)
async def test_end_of_a_round_is_preloaded(open_page: Open) -> None:
    """On a slow line there would be nothing for a while, and keys would have lost their place."""
    page = await open_page(None)
    table = await brought(page.context, GAME, usual(GAME), to_play)
    await page.goto(f"/t/{table}")
    await page.wait_for_function(LOADED, arg="over")
    await page.route(re.compile(r"/assets/(over|Result)-"), lambda route: route.abort())
    await play_shortly(page, Mouse(), 1)


@pytest.mark.every_days(4)
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=lambda screen: screen.name)
async def test_illegal_card_explains_itself(open_page: Open, screen: Screen) -> None:
    page = await open_page(None, screen=screen)
    table = await brought(page.context, GAME, usual(GAME), to_choose)
    (first, *_) = (await call(page.context, "GET", f"/api/tables/{table}"))["view"]["refused"]
    await page.goto(f"/t/{table}")
    refused = page.locator(f'.mine.hand [data-card="{first["card"]}"] button')
    await expect(refused).to_have_attribute("aria-disabled", "true")
    reason = await refused.evaluate("card => document.getElementById(card.getAttribute('aria-describedby')).textContent")
    # For Playwright what has `aria-disabled` cannot be acted on; for people it can.
    await (refused.tap(force=True) if screen is PHONE else refused.click(force=True))
    alert = page.get_by_role("alert")
    link = alert.get_by_role("link", name="Rule")
    await link.wait_for()
    assert reason in await alert.inner_text()
    # Nothing has been played, and the choice is still there.
    assert (await call(page.context, "GET", f"/api/tables/{table}"))["view"]["refused"][0] == first
    await link.click()
    await page.wait_for_url(re.compile(rf"/rules/{GAME}#{re.escape(first['clause'])}$"))
    clause = page.locator(f'[id="{first["clause"]}"]')
    await expect(clause).to_be_in_viewport()
    await page.go_back()
    await page.locator(CARDS).first.wait_for()
    await act(page, Finger() if screen is PHONE else Mouse())
