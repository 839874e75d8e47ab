"""Puzzles in a browser, against the real server: by keys on a phone, by the mouse, and the stored progress."""

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.engine.puzzles import Puzzle, puzzles
from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.hands import opened
from tests.helpers.tables import GAMES
from tests.page.conftest import Open

PUZZLED = [name for name in GAMES if puzzles(games.find(name))]
GAME = PUZZLED[0]
LACKING = next(name for name in GAMES if name not in PUZZLED)
CHOICES = ".moment .board .card-button.legal, .moment .board .words button"


def of(name: str = GAME) -> tuple[Puzzle, ...]:
    found = puzzles(games.find(name))
    assert found
    return found.puzzles


def card_of(puzzle: Puzzle, second: bool = False) -> bool:
    """Whether all its choices are cards, more than two, so that there is a second try, and another tempts than the answer."""
    return (
        puzzle.tempts != puzzle.best
        and all(action[:1].isdigit() for action in (puzzle.best, *puzzle.costs))
        and (len(puzzle.costs) > 1 or not second)
    )


async def do(page: Page, action: str) -> None:
    await page.locator(f'.moment .board li[data-card="{action}"] button').first.press("Enter")


async def test_two_tries_by_keys_on_a_phone_are_stored(open_page: Open) -> None:
    page = await open_page(f"/puzzles/{GAME}", screen=PHONE)
    number, puzzle = next((n, one) for n, one in enumerate(of(), 1) if card_of(one, second=True))
    await expect(page.get_by_text(f"0 of {len(of())} solved")).to_be_visible()
    await page.get_by_role("link", name=f"Puzzle {number}", exact=True).press("Enter")
    await expect(page.locator(".lead h2")).to_be_focused()
    await expect(page.locator(".lead strong")).to_have_count(0)  # no verdict before an answer
    says = page.locator(".lead .says")
    await do(page, puzzle.tempts)
    await expect(says).to_contain_text("you have a second try")
    await expect(page.locator(".lead strong")).to_have_count(0)
    await do(page, puzzle.best)
    await expect(says).to_contain_text("correct")
    await says.get_by_text("Details").press("Enter")
    await expect(says).to_contain_text(f"in {puzzle.sure} of")
    onward = page.get_by_role("button", name="Next puzzle")
    await onward.press("Enter")
    await expect(page.locator(".lead h2")).to_be_focused()
    await expect(page.get_by_text(f"{number + 1} of {len(of())}")).to_be_visible()
    await page.go_back()
    await page.go_back()
    await expect(page.get_by_text(f"1 of {len(of())} solved")).to_be_visible()
    await page.reload()
    await expect(page.get_by_role("link", name=f"Puzzle {number}, solved")).to_be_visible()
    assert await page.evaluate('localStorage.getItem("mekuri-guest")') is None, "nobody becomes a guest by it"


async def test_giving_up_shows_the_answer_and_solves_nothing(open_page: Open) -> None:
    page = await open_page("/", screen=DESKTOP)
    strip = await opened(page, GAME)
    await strip.get_by_role("link", name=f"Puzzles of {games.find(GAME).id.capitalize()}").click()
    puzzle = next(one for one in of() if card_of(one, second=True))
    await page.goto(f"/puzzles/{GAME}#{puzzle.id}")
    await page.locator(CHOICES).first.wait_for()
    unknown = page.get_by_role("button", name="I don’t know")
    await unknown.click()
    await expect(page.locator(".lead .says")).to_contain_text("Look again")
    await unknown.click()
    await expect(page.locator(".lead .says strong").first).to_contain_text("is clearly the best")
    await page.get_by_role("link", name="All puzzles").click()
    await expect(page.get_by_text(f"0 of {len(of())} solved")).to_be_visible()


async def test_wrong_answer_shows_its_cost(open_page: Open) -> None:
    page = await open_page("/rules")
    puzzle = next(one for one in of() if card_of(one, second=True))
    await page.goto(f"/puzzles/{GAME}#{puzzle.id}")
    await page.locator(CHOICES).first.wait_for()
    await do(page, puzzle.tempts)
    await expect(page.locator(".lead .says")).to_contain_text("Look again")
    await page.locator(CHOICES).first.wait_for()
    await do(page, puzzle.tempts)
    await expect(page.locator(".lead .says strong")).to_have_count(2)
    await expect(page.locator(".lead .says")).to_contain_text("costs")


async def test_last_puzzle_leads_back_to_the_list(open_page: Open) -> None:
    page = await open_page("/rules")
    last = next(one for one in reversed(of()) if card_of(one))
    others = [one.id for one in of() if one is not last]
    await page.evaluate("kept => localStorage.setItem('mekuri-puzzles', JSON.stringify(kept))", {GAME: others})
    await page.goto(f"/puzzles/{GAME}")
    await page.get_by_role("link", name="Continue", exact=True).click()
    await page.locator(CHOICES).first.wait_for()
    await do(page, last.best)
    await page.get_by_role("button", name="That was the last").click()
    await expect(page.get_by_text(f"{len(of())} of {len(of())} solved")).to_be_visible()
    await expect(page.locator("h1")).to_be_focused()
    await expect(page.get_by_role("link", name="Start over")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (f"/puzzles/{LACKING}", "This game has no puzzles."),
        (f"/puzzles/{GAME}#nothing", "That puzzle is no longer here"),
    ],
)
async def test_missing_puzzle_is_reported(open_page: Open, address: str, says: str) -> None:
    page = await open_page("/rules")
    open_page.allowed.append("status of 404")
    await page.goto(address)
    await expect(page.get_by_text(says)).to_be_visible()


async def test_lesson_ends_with_a_link_to_puzzles(open_page: Open) -> None:
    page = await open_page(f"/learn/{GAME}")
    await page.get_by_role("button", name="Skip").click()
    await expect(page.get_by_role("link", name="Puzzles")).to_have_attribute("href", f"/puzzles/{GAME}")


async def test_removed_puzzle_leads_to_the_list_and_still_counts(open_page: Open) -> None:
    page = await open_page("/rules")
    await page.evaluate("kept => localStorage.setItem('mekuri-puzzles', JSON.stringify(kept))", {GAME: ["953c8406", of()[0].id]})
    open_page.allowed.append("404")
    await page.goto(f"/puzzles/{GAME}#953c8406")
    await expect(page.get_by_text("That puzzle is no longer here")).to_be_visible()
    assert page.url.endswith(f"/puzzles/{GAME}")
    await expect(page.get_by_text(f"2 of {len(of()) + 1} solved")).to_be_visible()
    await page.get_by_role("link", name="Continue", exact=True).click()
    await page.locator(CHOICES).first.wait_for()
    await page.get_by_role("link", name="All puzzles").click()
    await expect(page.get_by_text("That puzzle is no longer here")).to_have_count(0)
