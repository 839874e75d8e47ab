"""The first page: the first move of a newcomer, and the tables of a returning player."""

import re

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.engine.rulebook import LANGUAGES
from mekuri.protocol.games import GameInfo
from mekuri.protocol.lesson import Lesson, lesson
from mekuri.protocol.library import all_games, game_info
from tests.helpers.page.browser import DESKTOP, PHONE, Screen, screen_name
from tests.helpers.page.hands import deal_button
from tests.helpers.page.staging import call, match_over, play_until, seated, to_answer
from tests.page.conftest import Open

INFOS = [game_info(games.find(name)) for name in games.names()]
WELCOMES = next(info for info in INFOS if info.welcome)
RANKED = [info for info in INFOS if any(bot.level for bot in info.bots)]
FIRST_SCREEN = 100 * 1000  # bytes, as they are sent, of all that a newcomer's phone needs to draw its first screen


def taught_first() -> Lesson:
    """Return the lesson with which the first page begins."""
    taught = lesson(games.find(WELCOMES.id))
    assert taught
    return taught


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=screen_name)
async def test_newcomer_takes_a_card_and_is_dealt_in(open_page: Open, screen: Screen) -> None:
    """Two presses: the capture follows from the rules, as in the lesson."""
    page = await open_page("/", screen=screen)
    taught = taught_first()
    assert taught.welcome
    beat = taught.beats[0]
    right = next(answer for answer in beat.answers if answer.right)
    mat = page.locator(".mat")
    await expect(mat.get_by_role("heading")).to_have_text(beat.asks["en"])
    await expect(mat.locator(".note")).to_have_text(taught.welcome.says["en"])
    await mat.locator(f'.hand [data-card="{right.answer}"] button').click()
    await expect(mat.get_by_role("heading")).to_have_text(f"That was a turn of {WELCOMES.name['en']}.")
    taken = next(zone for zone in right.events[-1].view.zones if zone.kind == "captured" and zone.owner == beat.view.you)
    assert len(taken.cards) == 4
    await expect(mat.locator(".captured li")).to_have_count(len(taken.cards))
    deal = page.get_by_role("button", name="Deal me in")
    await expect(deal).to_be_focused()
    await deal.click()
    await page.wait_for_url("**/t/*")
    table = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert (table["game"], table["length"]) == (WELCOMES.id, 1)


async def test_wrong_card_is_answered_and_lesson_goes_on_after_its_first_steps(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    taught = taught_first()
    wrong = next(answer for answer in taught.beats[0].answers if not answer.right)
    hand = page.locator(".mat .hand")
    await hand.locator(f'[data-card="{wrong.answer}"] button').click()
    await expect(page.locator(".mat .note")).to_have_text(wrong.says["en"])
    await hand.locator(".lit button").click()
    await page.get_by_role("button", name="Show me more").click()
    assert taught.welcome
    at = [beat.id for beat in taught.beats].index(taught.welcome.next) + 1
    await page.get_by_text(f"Step {at} of").wait_for(state="attached")


async def test_first_screen_is_small_and_still(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    await page.add_init_script("""
        globalThis.moved = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((one) => (moved += one.value)))
            .observe({ type: "layout-shift", buffered: true });
    """)
    # Requests in idle time for the next screen do not count.
    await page.route("**/*", lambda route: route.abort() if re.search("/table-", route.request.url, re.I) else route.continue_())
    open_page.allowed += ["ERR_FAILED", "Failed to fetch"]
    await page.goto("/")
    await page.locator(".mat .hand button").first.wait_for()
    await page.wait_for_load_state("networkidle")
    sent = await page.evaluate(
        """() => Object.fromEntries(performance.getEntries().filter(({ encodedBodySize }) => encodedBodySize)
            .map(({ name, encodedBodySize }) => [name, encodedBodySize]))"""
    )
    ahead = [name for name in sent if "/texts/" in name]  # the names of cards, for the ear, once the page is drawn
    assert len(ahead) == 1
    assert 0 < sum(size for name, size in sent.items() if name not in ahead) < FIRST_SCREEN, sent
    assert await page.evaluate("moved") == 0


async def returning(page: Page) -> None:
    """Make the page's user a guest known to the browser."""
    await page.goto("/")
    await page.evaluate("localStorage.setItem('mekuri-guest', 'known')")
    await call(page.context, "POST", "/api/guests", {"name": "Aki"})


async def test_unfinished_table_lies_on_the_mat(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    await returning(page)
    table = await seated(page.context, WELCOMES.id, ["person", WELCOMES.bots[0].id])
    whole = await play_until(page.context, table, to_answer)
    await page.goto("/")
    mat = page.locator(".mat")
    await expect(mat.get_by_role("heading")).to_have_text("Your turn, Aki")
    field = [card for zone in whole["view"]["zones"] if zone["kind"] == "field" for card in zone["cards"] if card]
    drawn = await mat.locator(".middle li").evaluate_all("cards => cards.map((card) => card.dataset.card)")
    assert drawn == field[:12]
    await expect(page.get_by_role("tab")).to_have_count(0)
    await mat.get_by_role("link", name=f"Continue against {WELCOMES.bots[0].name['en']}").click()
    await page.wait_for_url(f"**/t/{table}")


async def test_waiting_tables_are_tabs_and_from_four_on_a_list(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    await returning(page)
    fewest = {name: min(games.find(name).seats) for name in games.names()[:4]}
    made = [await seated(page.context, name, ["person"] + ["random"] * (seats - 1)) for name, seats in fewest.items()]
    await page.goto("/")
    tabs = page.get_by_role("tab")
    await expect(tabs).to_have_count(3)
    await expect(page.locator(".back > ul > li")).to_have_count(1)
    await tabs.first.focus()
    shown = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        await page.keyboard.press(key)
        chosen = page.get_by_role("tab", selected=True)
        await expect(chosen).to_be_focused()
        shown.append(str(await page.locator(".mat a.go").get_attribute("href")))
    assert len(set(shown)) == 3
    assert shown[2] == shown[4] != shown[3] == shown[5] == shown[1]
    assert {*shown, str(await page.locator(".back > ul a").get_attribute("href"))} == {f"/t/{table}" for table in made}


def ranked(info: GameInfo) -> list[str]:
    return [bot.id for bot in info.bots if bot.level]


async def test_beaten_characters_are_those_of_won_matches(open_page: Open) -> None:
    """In ink once a match has been won in which they sat; the next one is challenged from there. Games of chance have none."""
    page = await open_page(None, screen=DESKTOP)
    await returning(page)
    weakest = ranked(WELCOMES)[0]
    for _ in range(20):
        table = await seated(page.context, WELCOMES.id, ["person", weakest], match_options={"rounds": "1"})
        whole = await play_until(page.context, table, match_over)
        if whole["head"]["winners"] == [whole["you"]]:
            break
    else:
        pytest.fail("nobody loses twenty matches of one round")
    await page.goto("/")
    rows = page.locator(".beaten li")
    await expect(rows).to_have_count(len(RANKED))
    assert set(games.names()) > {info.id for info in RANKED}
    own = rows.filter(has_text=WELCOMES.name["en"])
    await expect(own.locator(".spoken")).to_have_text(f"Beaten: {WELCOMES.bots[0].name['en']}")
    await expect(own).to_contain_text(f"next: {WELCOMES.bots[1].name['en']}")
    await own.get_by_role("button", name=f"Play {WELCOMES.bots[1].name['en']} in {WELCOMES.name['en']}").click()
    await page.wait_for_url("**/t/*")
    made = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert [seat["bot"] for seat in made["head"]["seats"] if seat["kind"] == "bot"] == [ranked(WELCOMES)[1]]


async def test_first_play_is_a_short_match_that_offers_a_whole_one(open_page: Open) -> None:
    page = await open_page("/", screen=DESKTOP)
    await deal_button(page, WELCOMES.id).click()
    await page.wait_for_url("**/t/*")
    first = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert first["length"] == 1
    await play_until(page.context, first["id"], match_over)
    more = page.get_by_role("button", name="Play a whole match")
    await more.click()
    await page.wait_for_url(lambda address: "/t/" in address and first["id"] not in address)
    second = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert second["length"] > 1
    assert [seat["bot"] for seat in second["head"]["seats"]] == [seat["bot"] for seat in first["head"]["seats"]]


async def test_deal_of_the_day_and_next_puzzle_are_offered(open_page: Open) -> None:
    """Today's deal, which leads to all of them, and the first puzzle that has not been solved, with its cards."""
    page = await open_page(None, screen=PHONE)
    await returning(page)
    await seated(page.context, WELCOMES.id, ["person", "random"])
    await page.goto("/")
    today = page.locator(".today")
    await expect(today.locator('a[href="/daily"]')).to_contain_text("Today’s deal: ")
    puzzle = today.locator('a[href^="/puzzles/"]')
    await expect(puzzle.locator("svg")).not_to_have_count(0)
    await puzzle.click()
    await expect(page.get_by_text("What would you play?").first).to_be_visible()


# --- Finding a game, and the entries: variants under names of their own ---

ENTRIES = all_games().entries


async def listed(page: Page) -> list[str]:
    """Return the names of the games on the shelf and below it, in their order."""
    return await page.locator("article h2").all_inner_texts()


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_doors_stand_first_and_entries_beside_their_games(open_page: Open, lang: str) -> None:
    page = await open_page("/", screen=PHONE, lang=lang)
    await page.locator("article").first.wait_for()
    names = await listed(page)
    assert sorted(names) == sorted(info.name[lang] for info in (*INFOS, *ENTRIES))
    assert [name for name in names if name in {info.name[lang] for info in INFOS if info.door}] == names[
        : sum(info.door for info in INFOS)
    ]
    for entry in ENTRIES:
        family = page.locator(".families > div", has=page.locator(f'a[href="/new/{entry.id}"]'))
        await expect(family.locator(f'a[href="/new/{entry.of}"]')).to_have_count(1)


async def test_game_is_found_by_any_of_its_names(open_page: Open) -> None:
    page = await open_page("/", screen=PHONE)
    field, status = page.get_by_role("searchbox", name="Find a game"), page.locator(".sought")
    for info in (*INFOS, *ENTRIES):
        for name in (*info.name.values(), *info.also):
            await field.fill(name)
            assert info.name["en"] in await listed(page), name
            await expect(status).to_have_text(re.compile(r"^\s*\d+ games? found\s*$"))
    door = next(info for info in INFOS if info.door)
    await field.fill(door.name["en"].swapcase().replace("-", " "))
    assert await listed(page) == [door.name["en"]]
    await field.fill(f"{door.name['en']}k")
    assert (await listed(page))[0] == door.name["en"]
    await expect(status).to_contain_text(f"No game is called “{door.name['en']}k”. Similar names:")
    await field.fill("qqq")
    assert await listed(page) == []
    await expect(status).to_have_text("No game is called “qqq”.")
    await field.fill("")
    assert len(await listed(page)) == len(INFOS) + len(ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
async def test_entry_is_learned_read_and_played_with_its_cards(open_page: Open, entry: GameInfo) -> None:
    page = await open_page(None, screen=DESKTOP)
    pack = entry.packs[0].sprite
    for kind in ("learn", "rules", "new"):
        await page.goto(f"/{kind}/{entry.id}")
        await expect(page.get_by_role("heading", level=1)).to_contain_text(entry.name["en"])
    await page.goto(f"/learn/{entry.id}")
    await expect(page.locator(f'.board use[href^="{pack}"]').first).to_be_attached()
    await page.goto("/")
    await deal_button(page, entry.id).click()
    await page.wait_for_url("**/t/*")
    await expect(page.locator(f'.board use[href^="{pack}"]').first).to_be_attached()
    await expect(page.get_by_text(entry.name["en"], exact=True).first).to_be_visible()
    table = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert (table["game"], table["entry"]) == (entry.of, entry.id)
    await page.goto("/")
    await expect(page.locator(".mat")).to_contain_text(entry.name["en"])


@pytest.mark.parametrize("kind", ["learn", "rules", "new"])
async def test_unknown_game_leads_to_similar_names(open_page: Open, kind: str) -> None:
    open_page.allowed += ["status of 404"]
    page = await open_page(None, screen=PHONE)
    door = next(info for info in INFOS if info.door)
    await page.goto(f"/{kind}/{door.id}k")
    await expect(page.get_by_text("Similar names:")).to_be_visible()
    await page.get_by_role("main").get_by_role("link", name=door.name["en"], exact=True).click()
    await page.wait_for_url(f"**/{kind}/{door.id}")
