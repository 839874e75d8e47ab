"""Lessons on the page: by keys alone on a phone, answered wrongly and rightly; nothing is covered, and progress is stored."""

import json
from urllib.request import urlopen

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.protocol.coding import decode
from mekuri.protocol.lesson import Lesson
from tests.helpers.page.browser import DESKTOP, PHONE, SCREENS, Screen, screen_name
from tests.helpers.page.hands import Keys, Mouse, deal_button, opened
from tests.helpers.page.learning import press, right_answer
from tests.helpers.tables import USUAL, in_turn
from tests.page.conftest import Open

BEATS = [(game, screen) for game in games.names() for screen in SCREENS]
# Everything that can be pressed in a lesson is seen in the window, whole and uncovered.
COVERED = """() => [
  ...document.querySelectorAll(".lesson > header button:not(.none), .board .card-button.legal, .board .words button")
].filter(each => {
  const { left, top, width, height, right, bottom } = each.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  const inside = left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  return !inside || !(each.contains(found) || found?.contains(each) || found?.closest("li") === each.closest("li"));
}).map(each => each.outerHTML.slice(0, 120))"""


def lesson_at(page: Page, game: str) -> Lesson:
    address = page.url.split("/learn")[0]
    with urlopen(f"{address}/api/games/{game}/lesson") as answer:
        return decode(answer.read(), Lesson)


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("game", "screen"), in_turn(BEATS, of=6), ids=screen_name)
async def test_lesson_is_played_to_its_end(open_page: Open, game: str, screen: Screen) -> None:
    page = await open_page(f"/learn/{game}", screen=screen)
    hands = Keys() if screen is PHONE else Mouse()
    lesson = lesson_at(page, game)
    for number, beat in enumerate(lesson.beats, 1):
        await page.get_by_text(f"Step {number} of {len(lesson.beats)}").wait_for(state="attached")
        assert await page.evaluate(COVERED) == [], beat.id
        right = right_answer(beat)
        wrong = next((answer.answer for answer in beat.answers if not answer.right), None)
        if wrong:
            await press(page, beat, wrong, hands)
            await page.locator(".says.wrong").wait_for()
            assert await page.locator(".next").count() == 0
        for refused in beat.view.refused[:1]:
            await page.locator(f'.board li[data-card="{refused.card}"] .card-button').press("Enter")
            await page.locator(".says.wrong").wait_for()
        if right:
            await press(page, beat, right, hands)
            await page.locator(".says.right").wait_for()
            assert await page.evaluate(COVERED) == [], beat.id
        assert await page.locator(".next").evaluate(
            "next => next === document.activeElement || !document.querySelector('.says.right')"
        )
        await hands.do(page, page.locator(".next"))
    await page.get_by_role("heading", name="You can play").wait_for()


async def test_progress_is_stored_and_the_end_deals_a_first_match(open_page: Open) -> None:
    page = await open_page("/", screen=DESKTOP)
    await (await opened(page, USUAL)).locator("a.learn").click()
    await page.locator(".lesson .question").wait_for()
    lesson = lesson_at(page, USUAL)
    right = right_answer(lesson.beats[0])
    assert right
    await press(page, lesson.beats[0], right, Mouse())
    await page.locator(".next").click()
    await page.get_by_text("Step 2 of").wait_for(state="attached")
    await page.reload()
    await page.get_by_text("Step 2 of").wait_for(state="attached")
    await page.get_by_role("button", name="Back").click()
    await page.get_by_text("Step 1 of").wait_for(state="attached")
    await page.get_by_role("button", name="Skip").click()
    await page.get_by_role("button", name="Play a first match").click()
    await page.wait_for_url("**/t/*")
    await page.locator(".bar").wait_for()
    with urlopen(page.url.replace("/t/", "/api/tables/")) as answer:
        table = json.load(answer)
    assert table["game"] == USUAL
    assert {seat["bot"] for seat in table["head"]["seats"][1:]} == {lesson.opponent}


async def test_rules_in_one_minute_are_offered_on_a_first_deal(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    await deal_button(page, USUAL).click()
    await page.get_by_role("button", name="Table", exact=True).click()
    await page.get_by_role("button", name="New here?").click()
    await page.locator("dialog .minute li").first.wait_for()
    await page.locator(f'dialog a[href="/learn/{USUAL}"]').click()
    await page.locator(".lesson .question").wait_for()
    await page.goto(f"/rules/{USUAL}")
    await expect(page.locator("section.minute .minute li")).to_have_count(4)
