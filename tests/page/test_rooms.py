"""The screens beside the table: choices apply and are stored."""

import re

import pytest
from playwright.async_api import Route, expect

from mekuri import games
from mekuri.engine.fields import fields
from mekuri.protocol.library import catalogue, game_info, rule_book
from tests.helpers.page.browser import PHONE
from tests.helpers.page.hands import CARDS, game_card
from tests.helpers.page.staging import Json, brought, call
from tests.helpers.page.tour import FACES, match_end, replay, turn
from tests.helpers.tables import in_turn
from tests.page.conftest import Open

GAME = FACES
HAND = "[...document.querySelectorAll('.board .near.hand li')].map((card) => card.dataset.card)"
SIDE = "hankan"  # its clauses mention cards, and its first pack is of flowers
PILE = "hiyoko"
MANY = next(name for name in games.names() if min(games.find(name).seats) > 2)
HANDED = [name for name in games.names() if "hand" in {field.name for field in fields(games.find(name).state)}]
WITH_PACKS = next((name for name in games.names() if len(game_info(games.find(name)).packs) > 1), None)


def drawings(part: str) -> str:
    """A question to the page: how many drawings of the hand have an address that holds a text."""
    return f"[...document.querySelectorAll('.mine.hand use[href*=\"{part}\"]')].length"


@pytest.mark.every_days(4)
async def test_settings_apply_and_stay(open_page: Open) -> None:
    page = await open_page("/settings", motion=True)
    await page.locator('input[name="marks"]').nth(1).check()
    await page.locator('input[name="theme"]').nth(2).check()
    await page.locator("#pace").fill("0")
    await page.locator("#size").fill("120")
    await page.locator("label[lang=ja] input").check()
    await expect(page.locator("html")).to_have_attribute("lang", "ja")
    await expect(page.locator("h1")).to_have_text("設定")
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert await page.locator('input[name="marks"]').nth(1).is_checked()
    assert await page.locator('input[name="theme"]').nth(2).is_checked()
    assert await page.locator("#pace").input_value() == "0"
    await page.goto(await turn(page, GAME))
    await page.locator(CARDS).first.wait_for()
    assert await page.evaluate(drawings("#latin-")) == await page.locator(".mine.hand li").count()
    ground, ink, size = await page.evaluate(
        "(({ backgroundColor, color, fontSize }) => [backgroundColor, color, fontSize])(getComputedStyle(document.documentElement))"
    )
    assert sum(map(int, re.findall(r"\d+", ground)[:3])) < sum(map(int, re.findall(r"\d+", ink)[:3]))  # dark, with light ink
    assert size == "19.2px"


@pytest.mark.skipif(WITH_PACKS is None, reason="no game here has more than one pack")
async def test_chosen_pack_applies_to_all_tabs(open_page: Open) -> None:
    assert WITH_PACKS
    page = await open_page(None)
    await page.goto(await turn(page, WITH_PACKS))
    await page.locator(".mine.hand button").first.wait_for()
    info = game_info(games.find(WITH_PACKS))
    packs = info.packs
    other = next(pack for pack in packs if pack.drawn != packs[0].drawn)
    names = (await call(page.context, "GET", f"/api/games/{WITH_PACKS}/texts/en"))["names"]
    settings = await open_page.tab(page.context, "/settings")
    title = info.name["en"]
    await settings.locator("summary", has_text=re.compile(rf"\b{title}$")).click()
    await settings.get_by_role("group", name=re.compile(rf"\b{title}$")).locator(f'input[value="{other.id}"]').check()
    cards = await page.locator(".mine.hand li").count()
    await page.wait_for_function(f"() => {drawings(other.sprite)} === {cards}")

    async def are_called(called: dict[str, str]) -> None:
        for card in await page.locator(".mine.hand li").all():
            name = called[str(await card.get_attribute("data-card"))]
            assert str(await card.locator("button").get_attribute("aria-label")).startswith(name)

    await are_called(names[other.id]["cards"] | names[other.id]["plain"])

    # Cards that show number and suit are named by them, unless traditional names are on.
    suited = next(pack for pack in packs if names[pack.id]["plain"])
    await settings.get_by_role("group", name=re.compile(rf"\b{title}$")).locator(f'input[value="{suited.id}"]').check()
    await page.wait_for_function(f"() => {drawings(suited.sprite)} === {cards}")
    await are_called(names[suited.id]["plain"])
    await settings.get_by_label("Traditional names").check()
    first = page.locator(".mine.hand li").first
    name = names[suited.id]["cards"][await first.get_attribute("data-card")]
    await first.locator(f'button[aria-label^="{name}"]').wait_for()
    await are_called(names[suited.id]["cards"])


@pytest.mark.parametrize("game", in_turn(games.names(), 0))
async def test_new_table_is_played_by_its_options(open_page: Open, game: str) -> None:
    info = game_info(games.find(game))
    page = await open_page(f"/new/{game}")
    await page.locator("form").wait_for()
    assert await page.locator("form .option").count() == len(info.options) + len(info.match_options)

    # The first option that is chosen from a few values gets another than usual, by its label.
    option = next(each for each in info.options if 1 < len(each.values) <= 4)
    wanted = next(value for value in option.values if value != option.default)
    await page.locator("details.single > summary").click()
    box = page.locator(".option").filter(has=page.get_by_text(option.title["en"], exact=True)).first
    title = option.value_texts.get(wanted, {"en": wanted})["en"]  # a number is called by itself
    await box.get_by_label(title, exact=True).check()
    length = next(each for each in info.match_options if not each.values)
    rounds = next(str(number) for number in range(length.least, length.most) if str(number) not in length.offered)
    group = page.get_by_role("group", name=length.title["en"], exact=True)
    for value in length.offered:  # each has its name
        named = length.value_texts.get(value, {"en": value})["en"]
        await group.get_by_role("radio", name=re.compile(rf"^{named}\b")).check()
    await group.get_by_role("radio", name="Another number").check()
    await group.get_by_role("spinbutton", name="Another number").fill(rounds)
    await expect(page).to_have_url(re.compile(f"{option.name}={wanted}"))
    await page.reload()  # the address keeps it
    await page.locator("form .button.first").click()
    await page.wait_for_url("**/t/*")
    table = await call(page.context, "GET", f"/api/tables/{page.url.rpartition('/')[2]}")
    assert table["options"] == {option.name: wanted}
    assert table["match_options"] == {length.name: rounds}
    assert table["head"]["state"] == "running"
    await page.locator(".board .seat, .result").first.wait_for()


@pytest.mark.every_days(4)
@pytest.mark.parametrize("game", in_turn(HANDED, 1))
async def test_round_is_replayed_from_any_seat(open_page: Open, game: str) -> None:
    page = await open_page(None, screen=PHONE)
    address = await replay(page, game)
    await page.goto(address)
    slider = page.get_by_role("slider")
    await slider.wait_for()
    step = int(address.rpartition("#")[2])
    assert await slider.input_value() == str(step - 1)
    assert await page.locator(".board .near.hand button").count() > 0
    assert "your" not in (await page.locator(".board .table").inner_text()).lower()  # the viewer need not be the player
    sentence = await slider.get_attribute("aria-valuetext")
    await page.keyboard.press("ArrowRight")
    await expect(slider).to_have_value(str(step))
    assert await slider.get_attribute("aria-valuetext") != sentence
    await page.keyboard.press("ArrowLeft")
    await expect(slider).to_have_value(str(step - 1))
    assert await slider.get_attribute("aria-valuetext") == sentence
    await slider.focus()
    await page.keyboard.press("End")
    last = await slider.get_attribute("max")
    await expect(slider).to_have_value(str(last))
    await expect(page.locator(".sheet tfoot").first).to_be_visible()  # the round is over there
    await page.keyboard.press("Home")
    await page.keyboard.press("PageDown")
    far = min(10, int(str(last)))
    await expect(slider).to_have_value(str(far))
    await expect(page).to_have_url(re.compile(f"#{far + 1}$"))
    await page.goto(address)
    await slider.wait_for()

    # As the other seat sees it, and as spectators see it.
    own = await page.evaluate(HAND)
    await page.get_by_role("combobox").select_option("1")
    await expect(page).to_have_url(re.compile(r"\?seat=1#"))
    await page.wait_for_function(f"own => String({HAND}) !== String(own)", arg=own)
    await page.get_by_role("combobox").select_option("")
    await expect(page.locator(".board .hand li")).to_have_count(0)


@pytest.mark.parametrize("game", in_turn(games.names(), 2))
async def test_rules_are_shown_with_their_examples_as_cards(open_page: Open, game: str) -> None:
    page = await open_page("/rules")
    book = await call(page.context, "GET", f"/api/games/{game}/rules/en")
    clauses = [clause for chapter in book["chapters"] for clause in chapter["clauses"]]
    await page.locator(f'main a[href="/rules/{game}"]').click()
    articles = page.locator("main article[id]")
    await expect(articles).to_have_count(len(clauses))
    shown = next(clause for clause in clauses if any(example["before"] and example["after"] for example in clause["examples"]))
    example = next(example for example in shown["examples"] if example["before"] and example["after"])
    await page.goto(f"/rules/{game}#{shown['id']}")
    article = page.locator(f'article[id="{shown["id"]}"]')
    await expect(article).to_be_in_viewport()
    drawn = article.locator(".examples > li").nth(shown["examples"].index(example))
    wanted = [card for zone in example["before"] for card in zone["cards"] if card]
    for card in wanted:
        assert await drawn.locator(f'use[href$="#{card}"]').count() > 0
    for clause in clauses[:20]:
        entry = page.locator(f'article[id="{clause["id"]}"]')
        await expect(entry.locator(".text")).to_have_text(clause["text"])
        assert clause["status"] in str(await entry.locator(".head").inner_text()).lower()
    assert await page.locator("#yaku svg use").count() >= sum(len(yaku["cards"]) for yaku in book["yaku"])
    assert await page.locator("#sources li, #sources dt, #sources article").count() >= len(book["works"])


async def test_strip_shows_players_length_and_difficulty(open_page: Open) -> None:
    """For how many it is, how long, how hard; the easiest alone is proposed to start with."""
    page = await open_page("/", screen=PHONE)
    infos = [game_info(games.find(name)) for name in games.names()]
    for game in infos:
        card = game_card(page, game.id)
        await expect(card.locator("a.learn")).to_have_attribute("href", f"/learn/{game.id}")
        await expect(card.locator(".summary")).to_have_text(game.summary["en"])
        await expect(card.locator(".facts")).to_contain_text(f"{min(game.seats)} ")
        await expect(card.locator(".facts")).to_contain_text(f"{game.minutes} {'minute' if game.minutes == 1 else 'minutes'}")
        await expect(card.locator(".marks")).to_have_text("●" * game.hard + "○" * (3 - game.hard))
        await expect(card.get_by_role("button", name=f"Play {game.name['en']}", exact=True)).to_have_count(1)
    easiest = min(infos, key=lambda game: (game.hard, not game.door))
    await expect(page.locator("article", has=page.locator(".proposed")).locator("h2")).to_have_text([easiest.name["en"]])


@pytest.mark.every_days(4)
async def test_unfinished_table_can_be_continued_or_given_up(open_page: Open) -> None:
    """It is gone on with from there, or given up, which is asked once more."""
    page = await open_page("/")
    card = game_card(page, GAME)
    await card.locator("button.deal").click()
    await page.wait_for_url("**/t/*")
    table = page.url
    for _ in range(2):
        await page.goto("/")
        await page.locator("a.go").click()
        await page.wait_for_url(table)
    await page.goto("/")
    await expect(page.locator("a.go")).to_have_count(1)
    await page.locator(".give-up").click()
    await page.locator(".asked .first").click()
    await expect(page.locator("a.go")).to_have_count(0)
    assert (await call(page.context, "GET", f"/api/tables/{table.rpartition('/')[2]}"))["head"]["state"] == "over"


async def test_missing_pages_have_a_friendly_message(open_page: Open) -> None:
    open_page.allowed += ["status of 404"]
    page = await open_page(None)
    answer = await page.goto("/nowhere")
    assert answer
    assert answer.status == 404
    await page.get_by_role("heading", level=1).wait_for()
    await page.locator("main a[href='/']").click()
    await page.locator("article button.deal").first.wait_for()
    for path in ("/t/nothinghere0", "/t/nothinghere0/rounds/1", "/rules/nothing", "/new/nothing"):
        await page.goto(path)
        await page.locator("main a[href='/'], main a[href='/rules']").first.wait_for()
        assert await page.locator("main :is(h1, h2)").count() > 0


async def test_back_restores_the_scroll_position(open_page: Open) -> None:
    page = await open_page(f"/rules/{GAME}", PHONE)
    await page.locator("article").nth(12).scroll_into_view_if_needed()
    before = await page.evaluate("scrollY")
    assert before > 0
    await page.locator('header nav a[href="/settings"]').evaluate("link => link.click()")
    await page.locator('input[name="theme"]').first.wait_for()
    assert await page.evaluate("scrollY") == 0
    await page.go_back()
    await page.locator("article").nth(12).wait_for()
    await page.wait_for_function("before => Math.abs(scrollY - before) < 2", arg=before)


@pytest.mark.every_days(4)
async def test_first_dealer_is_chosen(open_page: Open) -> None:
    """A visitor by the link sees it."""
    first, second = await open_page(f"/new/{MANY}"), await open_page(None, screen=PHONE, lang="ja")
    await first.get_by_label("Who deals first", exact=True).select_option(label="Seat 2")
    await expect(first).to_have_url(re.compile(r"\?dealer=2$"))
    await first.locator(".seats select").nth(1).select_option("person")
    await first.locator("form button.first").click()
    await first.wait_for_url("**/t/*")
    await expect(first.locator(".open")).to_contain_text("Seat 2 deals first.")
    await second.goto(first.url)
    await expect(second.locator(".open")).to_contain_text("最初の親は2番の席です。")
    await second.locator(".open li button").first.click()
    for page in (first, second):
        await page.locator(".board").first.wait_for()
    whole = await call(first.context, "GET", f"/api/tables/{first.url.rpartition('/')[2]}")
    assert (whole["first_dealer"], whole["view"]["dealer"]) == (1, 1)


async def test_lots_are_drawn_for_the_seats(open_page: Open) -> None:
    """It is chosen when the table is made; a visitor by the link draws, and may not choose."""
    first, second = await open_page(f"/new/{MANY}?seating=lot"), await open_page(None, screen=PHONE, lang="ja")
    assert await first.locator('input[name="seating"]').nth(1).is_checked()
    await first.locator(".seats select").nth(1).select_option("person")
    await first.locator("form button.first").click()
    await first.wait_for_url("**/t/*")
    link = first.url
    await second.goto(link)
    draw = second.locator(".open li button")
    await expect(draw).to_have_count(1)
    await draw.click()
    for page in (first, second):
        await page.locator(".board").first.wait_for()
    table = link.rpartition("/")[2]
    tables = [await call(page.context, "GET", f"/api/tables/{table}") for page in (first, second)]
    assert {whole["seating"] for whole in tables} == {"lot"}
    seats = [whole["you"] for whole in tables]
    assert {seat for seat, sitter in enumerate(tables[0]["head"]["seats"]) if sitter["kind"] == "person"} == set(seats)
    assert len(set(seats)) == 2


async def test_maker_of_a_table_frees_a_seat(open_page: Open) -> None:
    open_page.allowed.append("403")  # who was kept out tries again
    first, second = await open_page(f"/new/{MANY}"), await open_page(None, screen=PHONE, lang="ja")
    for seat in (1, 2):
        await first.locator(".seats select").nth(seat).select_option("person")
    await first.locator("form button.first").click()
    await first.wait_for_url("**/t/*")
    await second.goto(first.url)
    keep_out = first.get_by_role("button", name="who may not sit here again")
    for button in (first.get_by_role("button", name=re.compile("^Free the seat of [^,]*$")), keep_out):
        await second.locator(".open li button").first.click()
        await expect(second.locator(".open li strong")).to_have_count(1)
        await button.click()
        await expect(second.locator(".open li strong")).to_have_count(0)
    await second.locator(".open li button").first.click()
    await expect(second.get_by_role("alert")).to_contain_text("断っています")


@pytest.mark.every_days(4)
async def test_announcement_is_above_every_screen(open_page: Open) -> None:
    """In the reader's language, on every screen; a table is no higher than its window for it."""
    for lang, text in (("en", "Closed at noon."), ("ja", "正午に閉める。")):
        page = await open_page(None, screen=PHONE, lang=lang)
        await page.route(
            "**/api/notice", lambda route: route.fulfill(json={"texts": {"en": "Closed at noon.", "ja": "正午に閉める。"}})
        )
        await page.goto("/")
        await expect(page.locator(".announced")).to_have_text(text)
        await page.goto(await turn(page, GAME))
        await page.locator(CARDS).first.wait_for()
        await expect(page.locator(".announced")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0


@pytest.mark.parametrize("path", ["actions", "stream"])
async def test_outdated_page_offers_a_reload(open_page: Open, path: str) -> None:
    """As one does that was opened before the server was renewed: it speaks another version."""
    open_page.allowed.append("426")
    page = await open_page(None)
    asked = re.compile(rf"/api/.*{path}")

    async def speak_otherwise(route: Route) -> None:
        await route.continue_(headers={**route.request.headers, "mekuri-api": "99"})

    await page.route(asked, speak_otherwise)
    await page.goto(await turn(page, GAME))
    await page.locator(CARDS).first.wait_for()
    if path == "actions":
        await page.locator(CARDS).first.click()
    await expect(page.get_by_role("alert")).to_contain_text("Reload this page to continue.")
    await page.unroute(asked)
    await page.get_by_role("button", name="Reload").click()
    await page.locator(CARDS).first.wait_for()
    await expect(page.get_by_role("alert")).to_be_empty()


async def test_rule_books_can_be_searched_and_compared(open_page: Open) -> None:
    """The short form is at the top; all books are searched at once; two presets are compared side by side."""
    page = await open_page(f"/rules/{GAME}", screen=PHONE)
    book = await call(page.context, "GET", f"/api/games/{GAME}/rules/en")
    await expect(page.locator("#short dt")).to_have_count(len(book["short"]))
    await page.get_by_role("link", name="What that means").click()
    await expect(page.locator("#trust")).to_be_in_viewport()

    await page.goto("/rules")
    clause = book["chapters"][0]["clauses"][0]
    await page.get_by_role("searchbox").fill(clause["id"])
    found = page.locator(".found a")
    await expect(found).to_have_count(1)
    await found.click()
    await expect(page.locator(f'article[id="{clause["id"]}"]')).to_be_in_viewport()

    await page.locator("#presets .beside").click()
    info = game_info(games.find(GAME))
    await page.locator(".presets select").last.select_option("first")
    await expect(page).to_have_url(re.compile(r"with=first$"))
    first = next(preset for preset in info.presets if preset.id == "first")
    differing = page.locator("table").first.locator("tbody tr:not(.help)")
    await expect(differing).to_have_count(len({**first.options, **first.match_options}))
    await page.locator(".presets select").last.select_option("default")
    await expect(page.get_by_role("status").first).to_have_text("No options differ.")


async def test_rule_book_uses_the_chosen_pack(open_page: Open) -> None:
    """At its head and in its clauses they are drawn and named as in that pack."""
    page = await open_page(f"/rules/{SIDE}", screen=PHONE)
    book = rule_book(games.find(SIDE), "en")
    clause = next(clause for chapter in book.chapters for clause in chapter.clauses if clause.cards)
    listed, drawn = page.locator(f'article[id="{clause.id}"] .cards li'), page.locator("#cards use[href*='#']")
    for pack in game_info(games.find(SIDE)).packs:
        await page.get_by_label("Cards shown as").select_option(pack.id)
        names = catalogue(games.find(SIDE), "en").names[pack.id]
        called = {card: ", ".join(filter(None, [names.plain.get(card), name])) for card, name in names.cards.items()}
        await expect(listed).to_have_text([called[card] for card in clause.cards])
        await expect(drawn.first).to_have_attribute("href", re.compile(f"^{re.escape(pack.sprite)}#"))
        assert [str(use).partition("#")[2] for use in await drawn.evaluate_all("all => all.map(x => x.getAttribute('href'))")] == [
            *book.worths
        ]
        titles = await page.locator("#cards [title]").evaluate_all("all => all.map(each => each.title)")
        assert titles == [called[card] for card in book.worths]
        for number, shows in book.numbers[pack.id].items():
            await expect(page.locator("#cards").get_by_text(f"{number} {shows}", exact=True)).to_have_count(1)
    await expect(page.locator("#cards .points")).to_have_text(
        ["" if worth.points is None else str(worth.points) for worth in book.worths.values()]
    )


async def test_printed_rule_book_is_complete(open_page: Open) -> None:
    """Sources are unfolded on paper, and what can only be pressed is not there."""
    page = await open_page(f"/rules/{GAME}", screen=PHONE)
    await page.locator("details.sources").first.wait_for()
    await page.emulate_media(media="print")
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert await page.locator("details.sources:not([open])").count() == 0
    for pressed in (page.get_by_role("searchbox"), page.locator(".beside"), page.locator("summary").first):
        await expect(pressed).to_be_hidden()
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert await page.locator("details.sources[open]").count() == 0


async def test_options_are_no_wider_than_a_phone(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    for name in games.names():
        await page.goto(f"/new/{name}")
        await page.locator("fieldset").first.wait_for()
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        wide = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], (name, wide)


async def test_measured_effect_stands_beside_its_rule(open_page: Open) -> None:
    _, [effect, *_] = next(one for one in rule_book(games.find(GAME), "en").measured.items() if "=" in one[0])
    for address in (f"/new/{GAME}", f"/rules/{GAME}"):
        page = await open_page(address)
        await page.locator("details").first.wait_for()
        await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        await page.get_by_text(effect).first.wait_for()


async def test_space_replays_a_round_from_the_players_own_seat(open_page: Open) -> None:
    page = await open_page(None)
    table = await match_end(page, GAME)
    await page.goto(table)
    await page.locator(".rounds a").first.press("Enter")
    await page.wait_for_url("**/rounds/1?seat=0#*")
    await page.locator(".steps").wait_for()
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("Space")
    await page.wait_for_function("() => Number(location.hash.slice(1)) > 1")


async def test_enter_takes_the_only_legal_action(open_page: Open) -> None:
    page = await open_page(None)
    context = page.context
    await call(context, "POST", "/api/guests", {})
    table = await brought(context, PILE, ["person", "random"], lone_word)
    whole = await call(context, "GET", f"/api/tables/{table}")
    await page.goto(f"/t/{table}")
    await page.locator(".words button").wait_for()
    await page.evaluate("document.activeElement.blur()")
    async with page.expect_request("**/actions") as asked:
        await page.keyboard.press("Enter")
    assert ((await asked.value).post_data_json or {})["action"] == whole["view"]["legal"][0]["action"]


def lone_word(table: Json) -> bool:
    """Return whether nothing may be done but one word, such as to pass."""
    return [each["text"]["id"].partition(".")[0] for each in table["view"]["legal"]] == ["words"]
