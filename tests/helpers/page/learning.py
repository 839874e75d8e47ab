"""A lesson on the page, and how its questions are answered."""

from __future__ import annotations

from playwright.async_api import Page

from mekuri.match.lesson import Beat
from tests.helpers.page.hands import Keys, Mouse


def is_card(action: str) -> bool:
    """Return whether an answer is a card in notation; else it is a word."""
    return action == "G" or action[-1] in "HIOK"


def right_answer(beat: Beat) -> str | None:
    """Return the right answer of a beat; None where the beat asks nothing."""
    return next((each.answer for each in beat.answers if each.right), None)


async def press(page: Page, beat: Beat, answer: str, hands: Keys | Mouse) -> None:
    """Give an answer: a number, a card or a word."""
    if beat.kind == "count":
        await hands.do(page, page.locator("button.number", has_text=answer).first)
        return
    card = page.locator(f'.board li[data-card="{answer}"] .card-button').first
    await hands.do(page, card if await card.count() else page.locator(f'.board [data-action="{answer}"]'))
