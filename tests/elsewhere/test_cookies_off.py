"""A browser without cookies shows the page, and a plain message about the needed permission."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from mekuri.server.http.routes.page import FOLDER
from tests.helpers.folders import CHECKOUT, DOCS
from tests.helpers.page import hands
from tests.helpers.page.browser import ARGUMENTS, NO_PAGE, find_chromium
from tests.helpers.page.firefox import run_stories
from tests.helpers.page.tour import FACES
from tests.helpers.patience import PATIENCE
from tests.helpers.server.child import Child

TOLD = "This server does not know who you are. In a browser, allow cookies"
BLOCKED = {"profile": {"default_content_setting_values": {"cookies": 2}}}  # in Chromium; storage is blocked with them
FOR_PROGRAMS = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HTTP)\b|/api\b|/guests\b")


async def in_chromium(house: Child, tmp_path: Path) -> None:
    path = find_chromium()
    if path is None or not (FOLDER / "index.html").exists():
        pytest.skip(NO_PAGE)
    settings = tmp_path / "Default" / "Preferences"
    settings.parent.mkdir()
    settings.write_text(json.dumps(BLOCKED))
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            tmp_path, executable_path=path, args=ARGUMENTS, locale="en-US"
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.pages[0]
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(house.address)}"))
        await page.goto(house.address)
        for _ in range(2):
            await hands.deal_button(page, FACES).click()
            await expect(page.get_by_role("alert").filter(has_text=TOLD)).to_be_visible()
        assert "POST /api/guests" not in asked, "no guest is made whom nobody can be"
        await page.goto(f"{house.address}/rules/{FACES}")
        await expect(page.locator("h1")).to_be_visible()
        await context.close()


async def in_firefox(house: Child, _: Path) -> None:
    saying = "() => document.querySelector('[role=alert]:not(:empty)')?.textContent.trim()"
    steps = [("", "go", house.address), ("", "wait", hands.deal_of(FACES)), ("", "click", hands.deal_of(FACES))]
    steps += [("", "until", saying), ("", "run", saying)]
    found = await run_stories({"no cookies": steps}, {"network.cookie.cookieBehavior": 2})
    said, faults = found["no cookies"]
    assert faults == []
    assert said.startswith(TOLD)


@pytest.mark.in_turn(2)
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("shown", [in_chromium, in_firefox])
async def test_page_says_which_storage_to_allow(
    house: Child, tmp_path: Path, shown: Callable[[Child, Path], Awaitable[None]]
) -> None:
    await shown(house, tmp_path)


def test_texts_name_no_technical_term(subtests: pytest.Subtests) -> None:
    sources = [*(CHECKOUT / "src").rglob("*texts.toml"), *(CHECKOUT / "src").rglob("previews.toml")]
    sources += [*(CHECKOUT / "web/src/lang").glob("*.json"), DOCS / "privacy.md"]
    assert len(sources) >= 7
    for source in sources:
        with subtests.test(source=source.name):
            lines = source.read_text("utf-8").splitlines()
            found = [line for line in lines if FOR_PROGRAMS.search(line) and not line.startswith("#")]
            assert found == []
