"""The rules of a table in a real browser: one line wherever a match is seen, and the rule book with the table's options."""

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.protocol.library import game_info
from tests.helpers.page.browser import DESKTOP, PHONE, Screen, screen_name
from tests.helpers.page.staging import play_until, round_over, seated
from tests.page.conftest import Open

OPTIONS = {"yaku_set": "two", "shoniban": "hon-bana"}


def line(lang: str) -> str:
    """The rules of a table of Tensho with these options, in one line."""
    info = game_info(games.find("tensho"))
    colon = ": " if lang == "en" else "："
    changed = (option for option in info.options if option.name in OPTIONS)
    texts = (option.title[lang] + colon + option.value_texts[OPTIONS[option.name]][lang] for option in changed)
    return " · ".join([info.presets[0].name[lang], *texts])


async def shows_the_differences(page: Page, lang: str) -> None:
    """Open the line, look at the differences, and close them."""
    await page.locator(".house:visible").click()
    dialog = page.get_by_role("dialog").filter(has=page.locator("[data-option]")).last
    await expect(dialog.locator("[data-option]")).to_have_count(len(OPTIONS))
    for option in game_info(games.find("tensho")).options:
        if option.name in OPTIONS:
            row = dialog.locator(f"[data-option={option.name}]")
            await expect(row).to_contain_text(option.title[lang])
            await expect(row).to_contain_text(option.value_texts[OPTIONS[option.name]][lang])
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)


@pytest.mark.parametrize(("screen", "lang"), [(PHONE, "en"), (DESKTOP, "ja")], ids=screen_name)
async def test_rules_stand_in_one_line_on_every_screen_of_a_match(open_page: Open, screen: Screen, lang: str) -> None:
    page = await open_page(None, screen=screen, lang=lang)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=OPTIONS, match_options={"rounds": "1"})
    await page.goto(f"/t/{table}")
    await page.locator(".table .prompt.asked").wait_for()
    await expect(page.locator(".house:visible")).to_be_in_viewport()
    await expect(page.locator(".house:visible")).to_have_text(line(lang))
    await shows_the_differences(page, lang)

    await play_until(page.context, table, round_over)
    await page.goto(f"/t/{table}")
    await page.locator(".result").wait_for()
    await shows_the_differences(page, lang)
    await page.goto(f"/t/{table}/rounds/1")
    await shows_the_differences(page, lang)


async def test_score_sheet_has_the_tag_of_house_rules(open_page: Open) -> None:
    page = await open_page(None)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=OPTIONS)
    await page.goto(f"/t/{table}")
    await page.get_by_role("button", name="Score", exact=True).click()
    await expect(page.get_by_role("dialog").locator(".house")).to_have_text(line("en"))


async def test_phone_has_the_standard_rules_in_the_menu(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    table = await seated(page.context, "tensho", ["person", "greedy"], match_options={"rounds": "1"})
    await page.goto(f"/t/{table}")
    await page.locator(".table .prompt.asked").wait_for()
    await expect(page.locator(".house:visible")).to_have_count(0)
    await page.locator(".bar .more").click()
    await page.locator("nav .house").click()
    dialog = page.get_by_role("dialog", name="Your rules")
    await expect(dialog).to_contain_text("Standard rules")
    await expect(dialog.locator("[data-option]")).to_have_count(0)
    await dialog.get_by_role("link").click()
    await page.wait_for_url("**/rules/tensho?rounds=1")


async def test_link_to_a_clause_has_the_options_of_the_table(open_page: Open) -> None:
    page = await open_page(None)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=OPTIONS)
    await page.goto(f"/t/{table}")
    await page.get_by_role("button", name="Log", exact=True).click()
    await page.get_by_role("dialog").locator("a[href*='#']").first.click()
    await page.wait_for_url("**/rules/tensho?*yaku_set=two*#tensho.*")


async def test_rules_open_with_the_options_of_the_table(open_page: Open) -> None:
    page = await open_page(None)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=OPTIONS, match_options={"rounds": "3"})
    await page.goto(f"/t/{table}")
    await page.locator("nav a[href^='/rules/tensho']").click()
    await page.wait_for_url("**/rules/tensho?*")
    top = page.locator("section.applied")
    for name in (*OPTIONS, "rounds"):
        await expect(top.locator(f"[data-option={name}]")).to_have_count(1)
    info = game_info(games.find("tensho"))
    for option in info.options:
        chosen = page.locator(f"#option-{option.name} .values .chosen")
        value = OPTIONS.get(option.name)
        if value:
            await expect(chosen).to_contain_text(option.value_texts[value]["en"])
            await expect(chosen).to_contain_text("this table")
            for clause in option.clauses:
                await expect(page.locator(f"[id='{clause}'] [data-option={option.name}]")).to_have_count(1)
        else:
            await expect(chosen).to_contain_text("default")
    await page.get_by_role("link", name="Show the usual rules").click()
    await expect(page.locator("[data-option]")).to_have_count(0)
