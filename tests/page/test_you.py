"""Oneself, before a browser: on another device, signed out, given out as a file, deleted; and forgotten by the next test."""

import json
import re

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.helpers.page.browser import DESKTOP, PHONE, Place
from tests.helpers.page.staging import call, seated
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child
from tests.page.conftest import Open


async def named(page: Page, name: str) -> None:
    """Become a guest of a name."""
    await page.goto("/settings")
    await page.get_by_label("Your name").fill(name)
    await page.get_by_label("Your name").press("Enter")
    await expect(page.get_by_text("Kept.")).to_be_visible()


async def test_code_or_link_adds_a_device_to_the_guest(open_page: Open) -> None:
    desk, phone = await open_page(), await open_page(None, PHONE, lang="ja")
    await named(desk, "Aki")
    table = await seated(desk.context, FACES, ["person", "person"])
    await desk.locator('main a[href="/you"]').click()
    await desk.get_by_role("button", name="Show a code").click()
    code = await desk.locator("output.digits").inner_text()
    assert re.fullmatch(r"(\d{3} ){5}\d{3}", code)
    drawn = desk.get_by_role("img", name="The link as a QR code")
    assert (await drawn.locator("path").get_attribute("d") or "").count("M") > 100

    await phone.goto(f"/you#{code.replace(' ', '')}")
    await phone.locator("main form button").wait_for()
    assert "#" not in phone.url, "the code stays in no history"
    await phone.locator("main form button").click()
    await phone.locator("main section li").first.wait_for()
    assert (await call(phone.context, "GET", f"/api/tables/{table}"))["you"] == 0
    await expect(desk.get_by_role("status").filter(has_text="The other device is signed in.")).to_be_visible()
    await expect(desk.locator("output.digits")).to_have_count(0)

    # Signed out from the desk, the phone is nobody.
    await desk.get_by_role("button", name="Sign out everywhere else").click()
    await desk.get_by_role("group").get_by_role("button", name="Sign out everywhere else").click()
    await expect(desk.locator("main section li")).to_have_count(1)
    open_page.allowed += ["status of 401"]
    await phone.reload()
    await phone.locator("main form").wait_for()
    await expect(phone.locator("main section li")).to_have_count(0)


@pytest.mark.every_days(4)
async def test_guest_confirms_before_becoming_another(open_page: Open) -> None:
    aki, ben = await open_page(), await open_page()
    await named(aki, "Aki")
    await named(ben, "Ben")
    code = (await call(aki.context, "POST", "/api/guests/code"))["code"]
    await ben.goto("/you")
    await ben.get_by_label("A code from another device").fill(f"{int(code[0]) ^ 1}{code[1:]}")
    await ben.get_by_role("button", name="Use it here").click()
    question = ben.get_by_role("group")
    await expect(question).to_contain_text("This browser is signed in as Ben.")
    await question.get_by_role("button", name="No, leave it").click()
    await expect(question).to_have_count(0)
    open_page.allowed += ["status of 404"]
    await ben.get_by_role("button", name="Use it here").click()
    await question.get_by_role("button", name="Give up Ben here").click()
    await expect(ben.get_by_role("alert").filter(has_text="This code is wrong or ")).to_be_visible()
    await ben.get_by_label("A code from another device").fill(code)
    await question.get_by_role("button", name="Give up Ben here").click()
    await expect(ben.get_by_label("Your name")).to_have_value("Aki")
    assert len((await call(aki.context, "GET", "/api/guests/devices"))["devices"]) == 2


@pytest.mark.every_days(4)
async def test_guest_exports_and_deletes_the_data(open_page: Open) -> None:
    page, other = await open_page(), await open_page()
    await named(page, "Aki")
    await named(other, "Ben")
    table = await seated(page.context, FACES, ["person", "person"])
    await call(other.context, "POST", f"/api/tables/{table}/seat", {})
    await other.goto(f"/t/{table}")
    await expect(other.locator("main")).to_contain_text("Aki")
    await page.goto("/you")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Save it as a file").click()
    kept = json.loads((await (await download.value).path()).read_text("utf-8"))
    assert (kept["name"], [match["table"] for match in kept["matches"]]) == ("Aki", [table])
    await page.get_by_role("button", name="Delete me").click()
    await page.get_by_role("button", name="Delete me for good").click()
    await expect(page.get_by_text("You are not a guest yet")).to_be_visible()
    assert await page.evaluate('localStorage.getItem("mekuri-guest")') is None
    await expect(other.locator("main")).to_contain_text("A player who left")
    await expect(other.locator("main")).not_to_contain_text("Aki")


@pytest.mark.every_days(4)
@pytest.mark.asyncio(loop_scope="session")
async def test_next_guest_of_a_browser_sees_nothing_of_the_former(browser: Browser, house: Child) -> None:
    async def caught(route: Route) -> None:
        await route.fulfill(body="caught")

    place = await Place.made(browser, house.address, DESKTOP, "en", workers=True)
    page, context = place.page, place.page.context
    await place.sit_down(PHONE, "dark", True)
    await page.add_init_script("globalThis.left = 'by the page'")
    await context.add_init_script("globalThis.left = 'by the context'")
    await page.route("**/manifest.webmanifest", caught)
    await context.route("**/ready", caught)
    session = await context.new_cdp_session(page)
    await session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    await context.grant_permissions(["notifications"])
    await page.goto("/")
    await named(page, "Aki")
    await page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => {})")
    await page.evaluate("console.error('a fault')")
    await context.new_page()
    await context.set_offline(True)
    assert await place.get_up()

    await place.sit_down(DESKTOP, "light", False)
    assert context.pages == [page]
    assert await context.cookies() == []
    assert await page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert await page.evaluate("caches.keys()") == []
    await page.goto("/")
    await page.locator("h1").first.wait_for()
    assert place.heard == []
    assert await page.evaluate("typeof left") == "undefined"
    assert await page.evaluate("({...localStorage})") == {"mekuri": '{"pace":0}'}
    assert await page.evaluate("history.length") == 2  # where nobody was, and this
    assert await page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [DESKTOP.width, False]
    assert await page.evaluate("matchMedia('(prefers-reduced-motion)').matches")
    assert await page.evaluate("Notification.permission") != "granted"
    for path in ("/manifest.webmanifest", "/ready"):
        assert await page.evaluate("path => fetch(path).then((answer) => answer.text())", path) != "caught"
    await context.close()
