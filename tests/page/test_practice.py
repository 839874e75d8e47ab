"""Practice before a browser, against the real server: two tries by keys on a phone, what comes of it, and the end of it."""

import json
import time

from playwright.async_api import Page, expect

from tests.helpers.page.browser import PHONE
from tests.helpers.page.reviewing import verdict
from tests.helpers.page.staging import Json, call
from tests.helpers.page.tour import FACES, match_end
from tests.helpers.server.child import Child
from tests.helpers.server.stores import write
from tests.page.conftest import Open

CHOICES = ".moment .board .card-button.legal, .moment .board .words button"


async def mistaken(page: Page, house: Child, mistakes: int) -> tuple[str, list[Json]]:
    """A match that is over, and reviewed with so many mistakes in it; its table, and these moments."""
    table = (await match_end(page, FACES)).rpartition("/")[2]
    found = await verdict(page, table, mistakes=mistakes)
    for moment in found["moments"][mistakes:]:
        moment["label"] = "fine"
    values = (table, 1, 0, time.time_ns() // 1_000_000, json.dumps(found))
    await write(house.database, "insert into reviews values (?, ?, ?, ?, ?)", values)
    await page.evaluate('localStorage.setItem("mekuri-guest", "known")')
    return table, found["moments"][:mistakes]


async def do(page: Page, action: str) -> None:
    """Play a card, or say a word, of a question."""
    card = page.locator(f'.moment .board li[data-card="{action}"] button')
    await card.first.press("Enter")


async def test_two_questions_are_answered_by_keys(open_page: Open, house: Child) -> None:
    page = await open_page("/rules", screen=PHONE)
    _, moments = await mistaken(page, house, 2)
    await page.goto("/matches")
    await page.get_by_role("link", name="Learn from your mistakes").press("Enter")
    await expect(page.get_by_text("1 still due")).to_be_visible()
    await expect(page.locator(".lead strong")).to_have_count(0)  # no verdict before an answer

    await do(page, moments[0]["action"])
    says = page.locator(".lead .says")
    await expect(says).to_contain_text("you have a second try")
    await expect(page.locator(".lead strong")).to_have_count(0)
    await do(page, moments[0]["best"])
    await expect(page.locator(".lead strong")).to_have_text("mistake")
    await expect(says).to_contain_text("the judge agrees")
    await expect(says).to_contain_text("This comes back in 1 day.")
    await expect(page.get_by_role("button", name="Next question")).to_be_focused()

    await page.keyboard.press("Enter")
    await expect(page.get_by_text("last one for now")).to_be_visible()
    await expect(page.locator(".lead h2")).to_be_focused()
    unknown = page.get_by_role("button", name="I don’t know")
    await unknown.press("Enter")
    await expect(says).to_contain_text("second try")
    await unknown.press("Enter")
    await expect(says).to_contain_text("This comes back in 1 day.")
    await page.get_by_role("button", name="That is all for now").press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Nothing is due")).to_be_visible()
    await expect(page.get_by_role("heading", name="Practice")).to_be_focused()
    assert (await call(page.context, "GET", "/api/practice"))["kept"] == 2
    await page.goto("/matches")
    await expect(page.get_by_role("link", name="Learn from your mistakes", exact=True)).to_be_visible()


async def test_question_answered_elsewhere_is_replaced_by_the_next(open_page: Open, house: Child) -> None:
    page = await open_page("/rules")
    table, moments = await mistaken(page, house, 2)
    await page.goto("/practice")
    await page.locator(CHOICES).first.wait_for()
    answered = {"table": table, "round": 1, "number": 1, "tries": 0, "action": moments[0]["best"]}
    await call(page.context, "POST", "/api/practice/tries", answered)
    open_page.allowed.append("status of 409")
    await do(page, moments[0]["action"])
    await expect(page.get_by_text("This question has been answered")).to_be_visible()
    await expect(page.get_by_text("last one for now")).to_be_visible()
    await do(page, moments[1]["best"])
    await expect(page.get_by_text("the judge agrees")).to_be_visible()


async def test_visitor_without_matches_becomes_no_guest(open_page: Open) -> None:
    page = await open_page("/practice")
    await expect(page.get_by_text("Finish a match")).to_be_visible()
    assert await page.evaluate('localStorage.getItem("mekuri-guest")') is None
    await page.get_by_role("link", name="Play a game").click()
    await expect(page.locator("main article").first).to_be_visible()
