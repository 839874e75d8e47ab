"""The deal of the day before a browser: played from the page by keys on a phone, compared, shared; cut for tomorrow; sealed."""

import hashlib

import pytest
from playwright.async_api import Route, expect

from tests.helpers.page.browser import PHONE
from tests.helpers.page.dailies import compared, tried
from tests.helpers.page.staging import Json, call, match_over, play_until
from tests.helpers.page.tour import FACES
from tests.page.conftest import Open

TITLE = "Deal of the day"
PLACE = "8th of 14"  # among the results that the tests make up
FAR = 4_000_000_000_000  # a time that does not come soon, in milliseconds since 1970


def digest(cut: str) -> str:
    return hashlib.sha256(cut.encode()).hexdigest()


async def test_daily_is_played_compared_and_shared_by_keys(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    await page.get_by_role("link", name=TITLE).press("Enter")
    await expect(page.get_by_role("heading", name=TITLE)).to_be_visible()
    deals = page.locator("main article")
    await expect(deals.first).to_be_visible()
    assert await page.evaluate('localStorage.getItem("mekuri-guest")') is None, "nobody becomes a guest by looking"
    own = deals.filter(has=page.get_by_role("heading", name="Mushi"))
    await own.get_by_role("button", name="Play Mushi", exact=True).press("Enter")
    await expect(page.locator(".bar [role=status]")).to_have_text(TITLE)
    await expect(page.locator(".board .card-button").first).to_be_visible()
    await expect(page.get_by_role("button", name="Hint")).to_have_count(0)

    table = page.url.rpartition("/")[2]
    await page.goto("/daily")
    await expect(own.get_by_text("You are still playing it.")).to_be_visible()
    await play_until(page.context, table, match_over)
    await own.get_by_role("link", name="Continue").press("Enter")
    await expect(page.locator(".result")).to_contain_text("Deal checked")
    away = page.locator(".go").get_by_role("link", name=TITLE)
    await expect(away).to_be_focused()
    points = await compared(page, FACES)
    await away.press("Enter")
    await expect(own).to_contain_text(PLACE)
    await expect(own.locator("figcaption")).to_contain_text("14 tries: worst")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await own.get_by_role("button", name="Copy a line to share").press("Enter")
    await expect(own.get_by_role("status").filter(has_text="The line is copied")).to_have_count(1)
    line = await page.evaluate("navigator.clipboard.readText()")
    assert line.startswith("Mushi, deal of the day, ")
    assert f"{points:+d}".replace("-", "−") in line or points == 0
    assert line.endswith("/daily")
    assert f", {PLACE}." in line


async def test_cut_for_tomorrow_is_sent_by_keys(open_page: Open) -> None:
    """The test sets the time at which cuts close, so it runs at any hour."""
    page = await open_page("/", lang="ja", screen=PHONE)
    cuts: list[Json] = []

    async def answer(route: Route) -> None:
        if route.request.method == "POST":
            cuts.append(route.request.post_data_json or {})
        body = await (await route.fetch(method="GET", post_data=None)).json()
        body["tomorrow"] |= {"closes_at": FAR, "yours": digest(cuts[-1]["cut"]) if cuts else None, "cuts": len(cuts[:1])}
        await route.fulfill(json=body["tomorrow"] if route.request.method == "POST" else body)

    await page.route("**/api/daily", answer)
    await page.goto("/daily")
    field = page.get_by_label("明日のカット")
    await field.fill("鶴")
    await field.press("Enter")
    await expect(page.get_by_role("status").filter(has_text="カットを受け取りました")).to_be_visible()
    await expect(field).to_have_value("")
    day = (await call(page.context, "GET", "/api/daily"))["tomorrow"]["day"]
    assert cuts == [{"day": day, "cut": "鶴"}]
    await page.locator("summary").press("Enter")
    await expect(page.locator("dd code").last).to_have_text(digest("鶴"))
    await page.reload()
    await expect(page.get_by_role("button", name="切り直す")).to_be_visible()


async def test_cuts_close_before_the_day_begins(open_page: Open) -> None:
    page = await open_page("/")

    async def answer(route: Route) -> None:
        body = await (await route.fetch()).json()
        body["tomorrow"] |= {"closes_at": 0}
        await route.fulfill(json=body)

    await page.route("**/api/daily", answer)
    await page.goto("/daily")
    await expect(page.get_by_text("Cuts for tomorrow are closed")).to_be_visible()
    await expect(page.get_by_label("Your cut for tomorrow")).to_have_count(0)


@pytest.mark.every_days(4)
async def test_deal_that_breaks_its_commitment_is_reported(open_page: Open) -> None:
    page = await open_page("/daily")
    day = await call(page.context, "GET", "/api/daily")
    await expect(page.locator("main article").first).to_be_visible()
    deal = day["deals"][0]
    promised = {day["day"]: {each["game"]: each["commitment"] for each in day["deals"]} | {deal["game"]: "0" * 64}}
    await page.evaluate("promise => localStorage.setItem('mekuri-daily', JSON.stringify(promise))", promised)
    await page.reload()
    await expect(page.get_by_text("does not match the commitment")).to_have_count(1)
    await page.locator("main article").first.get_by_role("button").click()
    await page.locator(".board .card-button").first.wait_for()
    await play_until(page.context, page.url.rpartition("/")[2], match_over)
    await expect(page.locator(".result")).to_contain_text("does not match its commitment")


async def test_other_viewers_are_refused_during_the_day(open_page: Open) -> None:
    aki, ben = await open_page("/daily"), await open_page("/daily", lang="ja")
    table = await tried(aki, FACES)
    open_page.allowed += ["status of 403"]
    for place in ("", "/rounds/1", "/rounds/1/review?seat=0"):
        await ben.goto(f"/t/{table}{place}")
        await expect(ben.locator("main")).to_contain_text("零時" if not place else "")
        await expect(ben.locator("main svg.card, .board .card-button")).to_have_count(0)
