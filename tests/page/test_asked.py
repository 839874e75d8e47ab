"""A question in a real browser: the meaning of a vote, the questions to others, and the focus."""

import pytest
from playwright.async_api import expect

from mekuri import games
from mekuri.engine.rulebook import rulebook
from mekuri.protocol.library import catalogue
from tests.helpers.page.browser import DESKTOP, PHONE, Screen
from tests.helpers.page.fixtures import stage, staged
from tests.helpers.page.staging import call, play_until, seated, settled, to_answer
from tests.helpers.tables import in_turn
from tests.page.conftest import Open

# Presses of a key that does nothing, while the page is loaded.
PRESSED = """setInterval(() => document.body?.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true })), 5);"""
# Whether the focus is on a card that may be played, or, where there is none, on a word.
LED = """() => {
  const cards = [...document.querySelectorAll(".table :is(.card-button.legal, .deck)")];
  const words = [...document.querySelectorAll(".table .words [data-action]")];
  return (cards.length ? cards : words).includes(document.activeElement);
}"""
ASKED = [(game, seats) for game in games.names() for seats in sorted({min(games.find(game).seats), max(games.find(game).seats)})]
PRESETS = {"tensho": ("default", "side-games")}


@pytest.mark.parametrize(("screen", "lang"), [(PHONE, "en"), (DESKTOP, "ja")], ids=["phone-en", "desktop-ja"])
async def test_vote_shows_the_meaning_of_each_word(open_page: Open, screen: Screen, lang: str) -> None:
    texts = catalogue(games.find("tensho"), "ja" if lang == "ja" else "en")
    page = await open_page(None, screen=screen, lang=lang)
    table = await seated(page.context, "tensho", ["person", "greedy"])
    await page.goto(f"/t/{table}")
    await expect(page.locator(".prompt.asked")).to_have_text(texts.texts["prompts"]["vote"])
    panels = page.locator(".meanings section")
    await expect(panels).to_have_count(2)
    for panel, word in zip(await panels.all(), texts.meanings, strict=True):
        await expect(panel.get_by_role("heading", name=texts.texts["words"][word])).to_be_visible()
        await expect(panel).to_contain_text(texts.texts["meanings"][word])
        for yaku in texts.meanings[word]:
            await expect(panel).to_contain_text(texts.yaku[yaku].name)
        await expect(panel.locator(".card")).to_have_count(sum(len(texts.yaku[yaku].cards) for yaku in texts.meanings[word]))
        button = page.locator(f".words [data-action={word}]")
        await expect(button).to_have_accessible_description(texts.texts["meanings"][word])
    await page.locator(".words [data-action=one]").click()
    await expect(panels).to_have_count(0)


async def test_both_voters_learn_why_the_table_waits(open_page: Open) -> None:
    waits = rulebook(games.find("tensho")).tables["waits"]["vote"]["en"]
    ann = await open_page(None)
    table = await seated(ann.context, "tensho", ["person", "person"])
    ben, cleo = await open_page(None, screen=PHONE), await open_page(None)
    await call(ben.context, "POST", "/api/guests", {})
    await call(ben.context, "POST", f"/api/tables/{table}/seat", {"cut": "tsuru"})
    for page in (ann, ben, cleo):
        await page.goto(f"/t/{table}")
    for page in (ann, ben):
        await page.locator(".words [data-action=one]").wait_for()
        await expect(page.locator(".others .note")).to_have_text("is to choose")
    await expect(cleo.locator(".prompt")).to_contain_text(waits)  # who only watches
    await ann.locator(".words [data-action=one]").click()
    await expect(ann.locator(".table")).to_contain_text(f"{waits} Waiting for ")
    await expect(ben.locator(".others .note")).not_to_have_text("is to choose")


@pytest.mark.parametrize(("game", "seats"), in_turn(ASKED, 0, 2))
async def test_focus_moves_to_the_question(open_page: Open, game: str, seats: int) -> None:
    page = await open_page(None)
    await page.add_init_script(PRESSED)
    lost = []
    for each in (one for preset in PRESETS.get(game, ("default",)) for one in staged(game, seats, preset)):
        if each.table.view and each.table.view.legal:
            await page.goto(await stage(page.context, each))
            await page.locator(".table .prompt.asked").wait_for()
            await settled(page)
            if not await page.evaluate(LED):
                lost.append((each.name, await page.evaluate("document.activeElement.outerHTML.slice(0, 200)")))
    assert lost == []


async def test_focus_stays_when_a_mouse_is_used(open_page: Open) -> None:
    page = await open_page(None)
    table = await seated(page.context, "tensho", ["person", "greedy"], options={"yaku_set": "one"})
    await play_until(page.context, table, to_answer)
    await page.goto(f"/t/{table}")
    await page.locator(".table .prompt.asked").wait_for()
    assert await page.evaluate("document.activeElement === document.body")


async def test_deal_by_keys_focuses_its_question(open_page: Open) -> None:
    page = await open_page("/")
    await page.locator("article button.deal").first.focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/t/*")
    await page.locator(".table .prompt.asked").wait_for()
    await page.wait_for_function(LED)


async def test_key_list_has_the_confirming_keys(open_page: Open) -> None:
    page = await open_page(None)
    table = await seated(page.context, "tensho", ["person", "greedy"])
    await page.goto(f"/t/{table}")
    await page.locator(".table .prompt.asked").wait_for()
    await page.keyboard.press("?")
    row = page.get_by_role("dialog", name="Keys").locator("div").filter(has_text="where nothing else may be done").last
    await expect(row.locator("kbd")).to_have_text(["Enter", "Space"])
