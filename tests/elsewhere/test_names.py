"""Names of people from everywhere on the page: characters are counted as people count them, without splitting any."""

import pytest
from playwright.async_api import expect

from tests.helpers.page.opening import Open
from tests.helpers.page.staging import call, seated
from tests.helpers.page.tour import FACES

pytestmark = pytest.mark.asyncio(loop_scope="session")
FAMILY = "👩\u200d👩\u200d👧\u200d👦"
NAMES = ("می\u200cخواهم", f"Ōta {FAMILY}", "क्षितिज", FAMILY * 24)


async def test_names_are_counted_and_kept_whole_in_chromium(open_page: Open, subtests: pytest.Subtests) -> None:
    page = await open_page("/settings")
    field = page.get_by_label("Your name")
    for name in NAMES:
        with subtests.test(name=name[:12]):
            await field.fill(name + FAMILY if name == NAMES[-1] else name)
            await field.press("Enter")
            await expect(page.get_by_text("Kept.")).to_be_visible()
            assert (await call(page.context, "GET", "/api/guests/me"))["name"] == name == await field.input_value()
    table = await seated(page.context, FACES, ["person", "person"])
    await page.goto(f"/t/{table}")
    await expect(page.get_by_text(f"{NAMES[-1]} (you)")).to_be_visible()


async def test_invalid_name_shows_a_sentence(open_page: Open) -> None:
    open_page.allowed += ["status of 400"]
    page = await open_page("/settings")
    await page.get_by_label("Your name").fill("A\u200dki")
    await page.get_by_label("Your name").press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="A name cannot contain characters that are invisible")).to_be_visible()
