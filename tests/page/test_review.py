"""Reviews on the page: asked and answered by keys alone on a phone, and by mouse; from the end of a round and back."""

import asyncio
import re
import struct

import pytest
from playwright.async_api import Route, expect

from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.reviewing import reviewed, verdict
from tests.helpers.page.tour import FACES, match_end
from tests.page.conftest import Open

CHOICES = ".moment .board .card-button.legal, .moment .board .words button"
# Everything that can be pressed lies in the window's width and under nothing else.
COVERED = """() => [...document.querySelectorAll(".lead button, .moment .board .card-button.legal")].filter((each) => {
  const { left, top, width, height, right } = each.getBoundingClientRect();
  if (top + height > innerHeight) return false; // one scrolls to it
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  const own = each.contains(found) || found?.contains(each) || found?.closest("li") === each.closest("li");
  return left < 0 || right > innerWidth + 1 || !own;
}).map((each) => each.outerHTML.slice(0, 120))"""


async def test_review_questions_are_answered_by_keys(open_page: Open) -> None:
    page = await open_page("/rules", screen=PHONE)
    table = await match_end(page, FACES)
    gate = asyncio.Semaphore(1)  # the page shows one answer until the test lets the next one through
    await reviewed(page, table, first=({"done": 0, "total": 0}, {"done": 3, "total": 9}), gate=gate)
    await page.goto(table)
    offer = page.locator(".result").get_by_role("link", name=re.compile("Review the round"))
    await offer.press("Enter")
    await expect(page.get_by_text("The judge is getting ready.")).to_be_visible()
    gate.release()
    bar = page.locator("progress")
    await expect(bar).to_have_attribute("max", "9")
    assert await bar.evaluate("bar => bar.value") == 3
    gate.release()
    last = len((await verdict(page, table.rpartition("/")[2]))["first"])
    for number in range(1, last + 1):
        await expect(page.get_by_text(f"Question {number} of {last}")).to_be_visible()
        assert await page.evaluate(COVERED) == []
        await expect(page.locator(".lead strong")).to_have_count(0)  # no verdict before an answer
        choice = page.locator(CHOICES).first
        await choice.press("Enter")
        await expect(page.locator(".lead strong")).to_have_text(re.compile("sound|small loss|mistake|blunder"))
        await expect(page.locator(CHOICES)).to_have_count(0)
        assert await page.evaluate(COVERED) == []
        await expect(page.locator(".lead .button.first")).to_be_focused()
        await page.keyboard.press("Enter")
    await expect(page.locator("dl > div")).to_have_count(5)
    assert page.url.endswith("#told")


@pytest.mark.every_days(4)
async def test_going_back_right_after_stepping_does_not_reopen_the_replay(open_page: Open) -> None:
    """The address follows the steps with a delay, but not once the next screen is requested."""
    page, arrived = await open_page("/rules", once=True), asyncio.Event()
    table = await match_end(page, FACES)
    address = await reviewed(page, table)

    async def late(route: Route) -> None:
        await arrived.wait()
        await route.continue_()

    await page.route("**/assets/Review-*.js", late)
    await page.clock.install()
    await page.goto(f"{table}/rounds/1?seat=0")
    await page.locator(".replay .steps").wait_for()
    await page.keyboard.press("ArrowRight")
    await page.get_by_role("link", name="Review this round").click()
    await page.clock.fast_forward(1000)
    arrived.set()
    await page.get_by_role("button", name="Skip the questions").wait_for()
    assert page.url.endswith(address)


@pytest.mark.every_days(4)
async def test_each_decision_leads_to_the_round_and_back(open_page: Open) -> None:
    page = await open_page("/rules", screen=DESKTOP)
    table = await match_end(page, FACES)
    address = await reviewed(page, table)
    await page.goto(address)
    await page.get_by_role("button", name="Skip the questions").click()
    rows = page.locator("ol > li")
    names = [await row.locator("p").first.inner_text() for row in await rows.all()]
    assert len(names) == await page.locator("svg circle").count() - 1
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy link").click()
    assert (await page.evaluate("navigator.clipboard.readText()")).endswith(address)  # its reader is asked first
    async with page.expect_download() as begun:
        await page.get_by_role("button", name="Save as a picture").click()
    picture = (await (await begun.value).path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    await rows.nth(1).get_by_role("link").click()
    await page.locator(".replay .steps").wait_for()
    # The next thing that happens is what was decided.
    await page.keyboard.press("ArrowRight")
    played = re.sub(r" (sound|mistake|blunder)$", "", names[1])
    await expect(page.locator(".replay")).to_contain_text(played)
    await page.get_by_role("button", name="Why?").press("Enter")
    await expect(page.locator(".why")).to_contain_text(re.compile("As far as|nothing else"))
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".why p")).to_have_count(0)
    await page.go_back()
    await expect(page.locator("dl > div")).to_have_count(5)
    await page.get_by_role("button", name="Repeat the questions").click()
    questions = len((await verdict(page, table.rpartition("/")[2]))["first"])
    await expect(page.get_by_text(f"Question 1 of {questions}")).to_be_visible()


@pytest.mark.every_days(4)
async def test_round_played_differently_is_compared_with_the_original(open_page: Open) -> None:
    page = await open_page("/rules", screen=PHONE)
    await page.goto(await reviewed(page, await match_end(page, FACES)))
    await page.locator(CHOICES).first.press("Enter")
    await page.get_by_role("button", name="Try it from here").press("Enter")
    await expect(page.get_by_role("heading", name="with the same cards")).to_be_focused()
    result = page.get_by_role("status").filter(has_text="This time")
    while not await result.count():
        if await page.locator(CHOICES).count():
            await page.locator(CHOICES).first.press("Enter")
    assert await page.evaluate(COVERED) == []
    await expect(page.locator(".lead .sheet")).to_be_visible()
    await expect(page.get_by_role("button", name="Retry from here")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(CHOICES).first).to_be_visible()
    await page.get_by_role("button", name="Back to the review").click()
    await expect(page.locator(".lead strong")).to_have_count(1)  # answered it stays
    await page.get_by_role("button", name="Skip the questions").click()
    await page.get_by_role("button", name="Try it from here (decision 2)").click()
    await expect(page.locator(CHOICES).first).to_be_visible()


async def test_unreviewable_round_is_reported(open_page: Open) -> None:
    page = await open_page("/rules")
    table = (await match_end(page, FACES)).rpartition("/")[2]
    open_page.allowed += ["status of 404", "status of 400"]
    await page.goto(f"/t/{table}/rounds/9/review?seat=0")
    await expect(page.get_by_text("no such round")).to_be_visible()
    await page.goto(f"/t/{table}/rounds/1/review?seat=9")
    await expect(page.get_by_text("no such seat")).to_be_visible()


async def test_review_of_an_older_judge_can_be_remade(open_page: Open) -> None:
    page = await open_page("/rules", screen=PHONE)
    address = await reviewed(page, await match_end(page, FACES), older=True)
    await page.goto(f"{address}#told")
    note = page.get_by_text("An earlier version of the judge made this review.")
    await expect(note).to_be_visible()
    await page.get_by_role("button", name="Review it again").press("Enter")
    await expect(page.locator("dl > div")).to_have_count(5)
    await expect(note).to_have_count(0)
