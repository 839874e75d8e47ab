"""A player's matches in a browser: none yet, then an album and a list; exported as a file, and imported by another guest."""

import json
import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.helpers.page.staging import call, match_over, play_until, seated
from tests.helpers.page.tour import FACES, fewest, short
from tests.page.conftest import Open


async def test_album_is_filled_and_imported_elsewhere(open_page: Open, tmp_path: Path) -> None:
    aki, other = await open_page("/matches"), await open_page()
    await expect(aki.get_by_text("Your finished matches will appear here")).to_be_visible()
    await expect(aki.get_by_role("link", name="Save it as a file")).to_have_count(0)
    assert await aki.evaluate('localStorage.getItem("mekuri-guest")') is None, "nobody becomes a guest by looking"

    table = await seated(aki.context, FACES, fewest(FACES), match_options=short(FACES))
    await play_until(aki.context, table, match_over)
    await aki.evaluate('localStorage.setItem("mekuri-guest", "known")')
    await aki.goto("/")
    await aki.get_by_role("link", name="Your matches").click()
    row = aki.locator("main li:has(> .head)")
    await expect(row).to_have_count(1)
    await row.locator("summary").press("Enter")
    link = row.get_by_role("link", name="Round 1")
    assert await link.get_attribute("href") == f"/t/{table}/rounds/1?seat=0"
    await aki.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await row.get_by_role("button", name="Copy a link to share").click()
    assert (await aki.evaluate("navigator.clipboard.readText()")).endswith(f"/t/{table}/rounds/1?seat=0")
    await expect(row.get_by_role("status").filter(has_text="The link is copied")).to_have_count(1)

    matches = await call(aki.context, "GET", "/api/guests/matches")
    stamps = aki.locator(".album li.made")
    await expect(stamps).to_have_count(len(matches["games"][0]["yaku"]))
    await expect(stamps.locator("svg[aria-hidden]:not([translate=no] > svg)")).to_have_count(0)  # a drawing may have a number in it
    async with aki.expect_download() as begun:
        await aki.get_by_role("link", name="Save it as a file").click()
    file = tmp_path / "mekuri-guest.json"
    await (await begun.value).save_as(file)

    await other.goto("/matches")
    await bring(other, file)
    await expect(other.get_by_text("1 added, 0 already here, 0 rejected")).to_be_visible()
    await expect(other.locator("main li:has(> .head)").filter(has_text="from a file")).to_have_count(1)
    await expect(other.locator("main li:has(> .head) summary")).to_have_count(0)
    await bring(other, file)
    await expect(other.get_by_text("0 added, 1 already here, 0 rejected")).to_be_visible()

    forged = json.loads(file.read_text("utf-8"))
    forged["matches"][0] |= {"table": "another"}
    forged["matches"][0]["record"]["rounds"][0]["returns"][0] += 1
    file.write_text(json.dumps(forged), encoding="utf-8")
    open_page.allowed += ["status of 422"]
    await bring(other, file)
    await expect(other.get_by_text("0 added, 0 already here, 1 rejected")).to_be_visible()
    file.write_text("{", encoding="utf-8")
    await bring(other, file)
    await expect(other.get_by_role("alert").filter(has_text="This is not a file of your data")).to_be_visible()


async def bring(page: Page, file: Path) -> None:
    """Choose a file, as soon as one may."""
    box = page.locator("input[type=file]")
    await expect(box).to_be_enabled()
    await box.set_input_files(file)


async def test_next_character_is_proposed_after_a_match(open_page: Open) -> None:
    page = await open_page("/rules")
    table = await seated(page.context, FACES, ["person", "kiku"], match_options=short(FACES))
    await play_until(page.context, table, match_over)
    await page.goto(f"/t/{table}")
    offer = page.get_by_role("button", name=re.compile("^Play .* next$"))
    name = (await offer.inner_text()).removeprefix("Play ").removesuffix(" next")
    await offer.click()
    await page.wait_for_url(lambda address: "/t/" in address and table not in address)
    await expect(page.get_by_text(name).first).to_be_visible()
    await page.goto("/")
    await expect(page.get_by_role("link", name=f"Continue against {name}", exact=True)).to_be_visible()
