"""A lesson, a puzzle and a review by keyboard alone in a page without a server, without a network, with axe on each screen."""

import gzip
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.async_api import Page

from mekuri import games
from mekuri.engine.puzzles import puzzles
from mekuri.protocol.coding import decode
from mekuri.protocol.lesson import Lesson
from tests.helpers.page.browser import PHONE, find_chromium, launched, listen, sit_down
from tests.helpers.page.hands import Keys, at_end, what_now
from tests.helpers.page.learning import press, right_answer
from tests.helpers.tables import USUAL
from tests.page.test_puzzles import card_of
from tests.page.test_review import CHOICES
from tests.page.test_screens import AXE, looked_at
from tests.pocket.test_offline import CONTROLLED, DEAL, hand

pytestmark = pytest.mark.slow


async def learn(page: Page, lesson: Lesson, keys: Keys) -> None:
    """Go through a lesson, answering right."""
    for number, beat in enumerate(lesson.beats, 1):
        await page.get_by_text(f"Step {number} of {len(lesson.beats)}").wait_for(state="attached")
        if right := right_answer(beat):
            await press(page, beat, right, keys)
            await page.locator(".says.right").wait_for()
        await keys.do(page, page.locator(".next"))


async def test_lesson_puzzle_and_review_by_keys_without_a_network(address: str) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip("NO CHROMIUM")
    async with launched(chromium) as browser:
        context = await sit_down(browser, address, PHONE, "en", "dark", workers=True)
        page = await context.new_page()
        errors, keys = listen(page), Keys()
        faults: dict[str, Any] = {}

        async def look(name: str) -> None:
            await page.evaluate(AXE.read_text(encoding="utf-8"))
            found = await looked_at(page, PHONE, "en", "dark")
            faults.update({f"{name}: {what}": fault for what, fault in found.items()})

        await page.goto(address)
        await page.locator(".announced").wait_for()
        await page.locator(".announced").wait_for(state="detached")
        await page.locator(DEAL).wait_for()
        await page.evaluate(CONTROLLED)
        with urlopen(f"{address}pocket/api/games/{USUAL}/lesson.bin") as packed:
            lesson = decode(gzip.decompress(packed.read()), Lesson)
        await context.set_offline(True)

        await page.goto(f"{address}?/learn/{USUAL}")
        await page.locator(".lesson .question").wait_for()
        await look("lesson")
        await learn(page, lesson, keys)
        await page.get_by_role("heading", name="You can play").wait_for()
        await look("end of the lesson")

        found = puzzles(games.find(USUAL))
        assert found
        number, puzzle = next((n, one) for n, one in enumerate(found.puzzles, 1) if card_of(one))
        await page.goto(f"{address}?/puzzles/{USUAL}")
        await keys.do(page, page.get_by_role("link", name=f"Puzzle {number}", exact=True))
        await page.locator(CHOICES).first.wait_for()
        await look("puzzle")
        await keys.do(page, page.locator(f'.moment .board li[data-card="{puzzle.best}"] button').first)
        await page.locator(".lead .says", has_text="correct").wait_for()
        await look("solved puzzle")

        await page.goto(address)
        await page.locator(DEAL).wait_for()
        await keys.deal(page, USUAL)
        await hand(page)
        while not await at_end(page):
            before = await page.evaluate("document.querySelector('main').innerText")
            await keys.do(page, await what_now(page))
            await page.wait_for_function("before => document.querySelector('main').innerText !== before", arg=before)
        await keys.do(page, page.locator("a[href*='/review?']"))
        answered = 0
        while True:
            await page.locator(f"{CHOICES}, dl > div").first.wait_for()
            if not await page.locator(CHOICES).count():
                break
            if not answered:
                await look("question")
            await keys.do(page, page.locator(CHOICES).first)
            await page.locator(".lead strong").wait_for()
            if not answered:
                await look("answer")
            answered += 1
            await keys.do(page, page.locator(".lead .button.first"))
        assert answered
        await look("review")
        assert faults == {}
        assert errors == []
