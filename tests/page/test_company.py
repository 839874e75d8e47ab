"""Two people and a spectator at one table, which was made with one click and is reached by its link."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from mekuri import games
from mekuri.protocol.library import game_info
from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.hands import CARDS, CHOSEN, ONWARD, WORDS, Finger, Hands, Mouse, act, opened
from tests.helpers.page.staging import call, match_over, play_until, round_over, seated
from tests.helpers.page.tour import FACES, of_shape
from tests.helpers.server.child import Child
from tests.page.conftest import CUT, Open

GAME = FACES
PUBLIC = ".field li, .offer li, .pile li, .captured li"


async def public(page: Page) -> dict[str, list[str]]:
    """Return the public cards by their places."""
    return dict(
        await page.evaluate(
            """public => {
              const zones = {};
              for (const card of document.querySelectorAll(public)) {
                (zones[card.closest("[data-zone]").dataset.zone] ??= []).push(card.dataset.card);
              }
              for (const cards of Object.values(zones)) cards.sort();
              return zones;
            }""",
            PUBLIC,
        )
    )


async def hand(page: Page) -> set[str]:
    """The cards of one's own hand."""
    return {str(await card.get_attribute("data-card")) for card in await page.locator(".mine.hand li").all()}


async def shown(page: Page) -> tuple[str, dict[str, list[str]]]:
    """Return the number of cards in the stock, and the public cards."""
    return await page.locator(".stock h2 .count").inner_text(), await public(page)


async def alike(pages: list[Page]) -> None:
    """Wait until all see the same. Each page shows what happened at its own pace, so all are asked again until they agree."""
    while True:
        first, *others = [await shown(page) for page in pages]
        if all(other == first for other in others):
            return
        await asyncio.sleep(0.02)


async def without_secrets(spectator: Page, players: list[Page]) -> None:
    """No text, attribute or drawing in a spectator's page may reveal a card in a hand."""
    # Goals show their missing cards wherever these lie: tests that compare views of two worlds show that they reveal nothing else.
    whole = await spectator.evaluate(
        """() => {
          const copy = document.documentElement.cloneNode(true);
          copy.querySelectorAll(".goals").forEach((goals) => goals.remove());
          return copy.outerHTML;
        }"""
    )
    secret = set.union(*[await hand(page) for page in players])
    assert secret
    for card in secret:
        assert f'data-card="{card}"' not in whole
        assert not re.search(rf"#{card}\b", whole), f"the drawing of {card} is in the spectator's page"
    names = [
        str(await each.get_attribute("aria-label")).split(",")[0]
        for page in players
        for each in await page.locator(".mine.hand button").all()
    ]
    seen = {
        str(await each.get_attribute("aria-label")).split(",")[0] for each in await spectator.locator(".board .card-button").all()
    }
    board = await spectator.locator(".board .table").inner_html()
    for name in names:
        assert name in seen or f'"{name},' not in board


async def on_turn(pages: list[Page]) -> Page | None:
    """Return the page whose player has to act; None once the round is over for all."""
    while True:
        for page in pages:
            if await page.locator(f"{CARDS}, {WORDS}").count():
                return page
        if all([await page.locator(".result").count() for page in pages]):
            return None
        await asyncio.sleep(0.02)  # the page of the next player has not received it yet


async def test_link_brings_people_to_one_table(open_page: Open) -> None:
    first = await open_page("/", screen=DESKTOP)
    second, spectator = await open_page(None, screen=PHONE), await open_page(None, lang="ja")
    hands: dict[Page, Hands] = {first: Mouse(), second: Finger()}

    # One click makes the table and takes the first seat of it. Its link is there to be sent.
    await (await opened(first, GAME)).locator("button.friends").click()
    await first.wait_for_url("**/t/*")
    link = await first.locator("main input[readonly]").input_value()
    assert link == first.url
    table = link.rpartition("/")[2]
    await second.goto(link)
    await second.locator(".open").wait_for()
    await second.get_by_label(re.compile("name", re.IGNORECASE)).fill("<b>Haru</b>")
    await second.locator(".open li button").click()
    await spectator.goto(link)

    # The round begins for all, and each sees what is his.
    for page in (first, second, spectator):
        await page.locator(".board").first.wait_for()
    whole = await call(first.context, "GET", f"/api/tables/{table}")
    assert [whole["you"], (await call(second.context, "GET", f"/api/tables/{table}"))["you"]] == [0, 1]
    assert (await call(spectator.context, "GET", f"/api/tables/{table}"))["you"] is None
    await expect(first.locator(".plate").first).to_contain_text("<b>Haru</b>")  # a name is text, never markup
    assert await spectator.locator(f"{CARDS}, {WORDS}, .mine").count() == 0

    people = [first, second]
    for _ in range(4):
        playing = await on_turn(people)
        assert playing
        await act(playing, hands[playing])
        await alike([first, second, spectator])
        await without_secrets(spectator, people)

    # One goes away: the others are told, with the time until a bot takes over. He comes back, and all is as before.
    held = await hand(second)
    address = second.url
    await second.goto("about:blank")
    await expect(first.locator(".plate .note").first).to_contain_text(re.compile(r"\d+"))
    await expect(spectator.locator(".plate .note", has_text=re.compile(r"\d+"))).to_have_count(1)
    await second.goto(address)
    await second.locator(".mine.hand button").first.wait_for()
    assert await hand(second) == held
    await expect(first.locator(".plate .note").first).not_to_contain_text(re.compile(r"\d+"))

    # To the end, and on to the next round as soon as both want it.
    await asyncio.gather(*(play_until(page.context, table, round_over) for page in people))
    for page in (first, second, spectator):
        await page.locator(".result .whole").click()
    lines = [await page.locator(".result .sheet .points").all_inner_texts() for page in (first, second, spectator)]
    assert lines[0] == lines[1] == lines[2]
    await hands[first].do(first, first.locator(ONWARD))
    await first.locator(".result .go [role=status]").wait_for()
    assert await second.locator(ONWARD).count() == 1
    await hands[second].do(second, second.locator(ONWARD))
    for page in (first, second, spectator):
        await page.locator(".board .table").wait_for()
    assert (await call(first.context, "GET", f"/api/tables/{table}"))["head"]["round"] == 2


async def after_a_round(open_page: Open) -> tuple[str, Page, Page]:
    """Return a table of two people, Aki and Ben, whose first round is over, and their pages."""
    aki, ben = await open_page(None, screen=PHONE), await open_page(None, screen=DESKTOP)
    await call(aki.context, "POST", "/api/guests", {"name": "Aki"})
    table = await seated(aki.context, GAME, ["person", "person"], match_options={"rounds": "6"})
    await call(ben.context, "POST", "/api/guests", {"name": "Ben"})
    await call(ben.context, "POST", f"/api/tables/{table}/seat", {"cut": "kame"})
    await asyncio.gather(*(play_until(page.context, table, round_over) for page in (aki, ben)))
    for page in (aki, ben):
        await page.goto(f"/t/{table}")
        await page.locator(".result").wait_for()
    return table, aki, ben


QUESTION = "Ben would like to stop here: end it, or play on?"


async def test_match_ends_early_only_after_asking_the_others(open_page: Open) -> None:
    table, aki, ben = await after_a_round(open_page)
    finger, mouse = Finger(), Mouse()
    await finger.do(aki, aki.locator(ONWARD))
    await mouse.do(ben, ben.get_by_role("button", name="End the match here"))
    asked = aki.locator(".result .go .wish")
    await expect(asked).to_contain_text(QUESTION)
    await expect(asked.get_by_role("button", name="Play on")).to_be_focused()
    await expect(asked.get_by_role("button", name="Play on")).to_have_accessible_description(QUESTION)
    await expect(aki.get_by_role("log")).to_contain_text("Ben would like to stop here.")
    await expect(aki.locator(ONWARD)).to_have_count(0)
    await expect(ben.locator(".result .go")).to_contain_text("You would like to stop here.")
    await expect(ben.locator(".result .go [role=status]")).to_have_text("Waiting for Aki")
    assert (await call(aki.context, "GET", f"/api/tables/{table}"))["head"]["round"] == 1

    # It is asked at the table, too.
    await finger.do(aki, aki.locator(".result").get_by_role("button", name="Table"))
    asked = aki.locator(".strip .wish")
    await expect(asked).to_contain_text(QUESTION)
    await expect(aki.locator(".seat:not(.near) .note")).to_have_text("would end here")
    await finger.do(aki, asked.get_by_role("button", name="Play on"))
    await expect(asked).not_to_contain_text(QUESTION)

    # The wish is gone. The next round begins when Ben is ready as well.
    await expect(ben.locator(".result .go")).to_contain_text("Aki would like to play on.")
    await expect(ben.get_by_role("log")).to_contain_text("Aki would like to play on.")
    await expect(ben.get_by_role("button", name="End the match here")).to_have_count(0)
    assert (await call(aki.context, "GET", f"/api/tables/{table}"))["head"]["round"] == 1
    await mouse.do(ben, ben.locator(ONWARD))
    for page in (aki, ben):
        await page.locator(".board .table").wait_for()
    assert (await call(aki.context, "GET", f"/api/tables/{table}"))["head"]["round"] == 2


async def test_match_ends_early_when_all_agree(open_page: Open) -> None:
    table, aki, ben = await after_a_round(open_page)
    spectator = await open_page(f"/t/{table}", lang="ja")
    await ben.get_by_role("button", name="End the match here").click()
    await expect(spectator.locator(".result .go")).to_contain_text("Benがここで終わることを希望。")
    await expect(spectator.locator(".result .go button", has_text="終わる")).to_have_count(0)

    # Ben takes it back, and has it again.
    await ben.get_by_role("button", name="Play on after all").click()
    await expect(aki.locator(".result .go")).to_contain_text("Ben would like to play on.")
    await aki.reload()  # what is asked does not depend on who was there
    await aki.get_by_role("button", name="End the match here").wait_for(state="detached")
    await expect(aki.locator(ONWARD)).to_be_visible()
    await call(ben.context, "POST", f"/api/tables/{table}/ready", {"round": 1, "enough": True})
    await expect(aki.locator(".result .go")).to_contain_text(QUESTION)
    await aki.reload()
    await expect(aki.locator(".result .go")).to_contain_text(QUESTION)
    await aki.get_by_role("button", name="End it").click()
    for page in (aki, ben):
        await expect(page.locator(".result header")).to_contain_text("The match is over")
    head = (await call(aki.context, "GET", f"/api/tables/{table}"))["head"]
    assert (head["why"], head["round"]) == ("agreed", 1)


async def test_chosen_card_stays_chosen_while_others_decide(open_page: Open) -> None:
    """A tap chooses, the next one plays: an event of another player in between takes nothing back."""
    first = await open_page(None, screen=PHONE)
    second, banker = await open_page(None), await open_page(None)
    table = await seated(first.context, of_shape("bank"), ["person"] * 3, first_dealer=2)
    for other in (second, banker):
        await call(other.context, "POST", "/api/guests", {})
        await call(other.context, "POST", f"/api/tables/{table}/seat", {"cut": "kame"})
    await play_until(banker.context, table, lambda whole: bool(whole["view"] and not whole["view"]["legal"]))
    for page in (second, first):
        await page.goto(f"/t/{table}")
        await page.locator(CARDS).first.wait_for()
    card = first.locator(CARDS).first
    await card.tap()
    await expect(first.locator(CHOSEN)).to_have_count(1)
    await play_until(second.context, table, lambda whole: not whole["view"]["legal"])
    await expect(first.locator(".note").get_by_text("is ready")).to_have_count(1)
    await expect(first.locator(CHOSEN)).to_have_count(1)
    async with first.expect_response(lambda answer: answer.url.endswith("/actions")):
        await card.tap()


@pytest.mark.every_days(4)
async def test_rematch_brings_friends_to_one_table(open_page: Open) -> None:
    first, second = await open_page(None, screen=DESKTOP), await open_page(None, screen=PHONE)
    spectator = await open_page(None, lang="ja")
    hands: dict[Page, Hands] = {first: Mouse(), second: Finger()}
    table = await seated(first.context, GAME, ["person", "person"], match_options={"rounds": "1"})
    await call(second.context, "POST", "/api/guests", {"name": "Haru"})
    await call(second.context, "POST", f"/api/tables/{table}/seat", {"cut": "kame"})
    await asyncio.gather(*(play_until(page.context, table, match_over) for page in (first, second)))
    for page in (first, second, spectator):
        await page.goto(f"/t/{table}")
        await page.locator(".result").wait_for()

    # The first press makes the table, and says for whom it waits.
    await hands[second].do(second, second.locator(ONWARD))
    await second.wait_for_url(re.compile(rf"/t/(?!{table})"))
    await second.locator(".open h2").wait_for()
    await expect(second.locator(".open li.kept")).to_have_count(1)

    # All others see who would play again, and come to the same table by one press.
    await expect(first.locator(".result .go [role=status]")).to_have_text("Haru would like to play again.")
    await hands[first].do(first, first.locator(ONWARD))
    await spectator.locator(".result .go a.first").click()
    for page in (first, second, spectator):
        await page.locator(".board .table").wait_for()
        assert page.url == second.url
    following = second.url.rpartition("/")[2]
    assert [(await call(page.context, "GET", f"/api/tables/{following}"))["you"] for page in (first, second)] == [0, 1]


async def test_visitor_sees_the_game_and_its_rules_before_sitting_down(open_page: Open) -> None:
    """The game, how long it lasts, and the rule that is not the usual one."""
    info = game_info(games.find(GAME))
    option = next(each for each in info.options if 1 < len(each.values) <= 4)
    value = next(each for each in option.values if each != option.default)
    maker = await open_page("/")
    chosen = {"options": {option.name: value}, "match_options": {"rounds": "3"}}
    table = await seated(maker.context, GAME, ["person", "person"], **chosen)
    joiner = await open_page(f"/t/{table}")
    played = joiner.locator(".played")
    await expect(played.locator("h3")).to_have_text(info.name["en"])
    await expect(played.locator(".length")).to_contain_text("3 rounds")
    text = option.value_texts.get(value, {"en": value})["en"]
    await expect(played.locator(f'[data-option="{option.name}"] dd')).to_have_text(text)
    await expect(played.locator("dt")).to_have_count(1)


async def test_invitation_has_a_qr_code(open_page: Open) -> None:
    """It is loaded when it is wanted."""
    maker = await open_page("/")
    table = await seated(maker.context, GAME, ["person", "person"])
    await maker.goto(f"/t/{table}")
    button = maker.get_by_role("button", name="QR code")
    await expect(button).to_have_attribute("aria-expanded", "false")
    async with maker.expect_response(re.compile(rf"/t/{table}/qr$")) as heard:
        await button.click()
    assert (await heard.value).status == 200
    drawn = maker.get_by_role("img", name="The link as a QR code")
    await expect(drawn).to_be_visible()
    assert await drawn.evaluate("image => image.decode().then(() => image.naturalWidth)") > 25


@pytest.mark.every_days(4)
async def test_stamp_is_shown_read_aloud_and_muted(open_page: Open) -> None:
    """It appears at its sender's name, in the log, and for screen readers; a muted player's stamp does not."""
    first, second = await open_page("/"), await open_page("/", PHONE, lang="ja")
    table = await seated(first.context, GAME, ["person", "person"])
    await second.goto(f"/t/{table}")
    await second.locator("main ul button.first").first.click()
    await first.goto(f"/t/{table}")
    for page in (first, second):
        await page.locator(".board .seat").first.wait_for()

    async def talk(page: Page) -> None:
        if await page.locator(".bar .more").is_visible():
            await page.locator(".bar .more").click()
        await page.locator(".bar nav button", has_text=re.compile("Say something|声をかける")).click()

    async def send(page: Page, words: str) -> None:
        await talk(page)
        await page.locator("dialog li button", has_text=words).click()
        await expect(page.locator("dialog")).to_have_count(0)

    await send(first, "Well played!")
    said = second.locator(".seat:not(.near) .said")
    await expect(said.locator(".stamp")).to_have_text("妙")
    await expect(said.locator(".words")).to_have_text("お見事！")
    await expect(second.get_by_role("log")).to_contain_text("「お見事！」")
    await expect(first.locator(".seat.near .said .stamp")).to_be_visible()

    await talk(first)
    await first.get_by_role("group", name="Who you hear").get_by_role("checkbox").last.uncheck()
    await first.keyboard.press("Escape")
    await send(second, "お茶を一口")
    await expect(second.locator(".seat.near .said")).to_have_text(re.compile("茶"))
    await send(first, "Sorry!")
    await first.locator(".lately").click()
    await expect(first.locator("dialog .log")).to_contain_text("Sorry!")
    await expect(first.locator("dialog .log")).not_to_contain_text("A sip of tea")
    await expect(first.locator(".seat:not(.near) .said")).to_have_count(0)


@pytest.mark.every_days(4)
async def test_stalled_player_is_replaced_until_they_return(open_page: Open, tmp_path: Path) -> None:
    open_page.allowed.append(CUT)  # the server ends before the pages
    child = Child(tmp_path / "mekuri.db", more=("--stalled", "4"))
    await child.start()
    try:
        first, second = await open_page(None, PHONE, child.address), await open_page(None, DESKTOP, child.address)
        table = await seated(first.context, GAME, ["person", "person"])
        await call(second.context, "POST", "/api/guests", {"name": "Haru"})
        await call(second.context, "POST", f"/api/tables/{table}/seat", {"cut": "kame"})
        for page in (first, second):
            await page.goto(f"/t/{table}")
            await page.locator(".board .table").wait_for()
        views = [(await call(page.context, "GET", f"/api/tables/{table}"))["view"] for page in (first, second)]
        slow, waits = (first, second) if views[0]["legal"] else (second, first)
        hands: dict[Page, Hands] = {first: Finger(), second: Mouse()}

        # Both see it coming, and the player who waits decides.
        await expect(slow.get_by_text(re.compile("A bot may play for you in"))).to_be_visible()
        asked = waits.locator(".slow")
        await expect(asked).to_contain_text("not moved for a long time")
        await hands[waits].do(waits, asked.get_by_role("button", name="End the match"))
        await hands[waits].do(waits, waits.get_by_role("dialog").get_by_role("button", name="Keep waiting"))
        await hands[waits].do(waits, asked.get_by_role("button", name="Let a bot play"))
        await expect(asked).to_have_count(0)

        # It is for the player to come back, though the page was there all the time.
        await hands[slow].do(slow, slow.get_by_role("button", name="Take your seat back"))
        await expect(slow.get_by_role("button", name="Take your seat back")).to_have_count(0)
        events = (await call(waits.context, "GET", f"/api/tables/{table}/events"))["events"]
        assert [event["kind"] for event in events if event["kind"] in ("hold", "back")] == ["hold", "back"]

        # It does not matter which of the two does not move now: the waiting player ends the match, and both are notified.
        while not await first.locator(".slow").count() and not await second.locator(".slow").count():
            await asyncio.sleep(0.05)
        ending = first if await first.locator(".slow").count() else second
        await hands[ending].do(ending, ending.locator(".slow").get_by_role("button", name="End the match"))
        await hands[ending].do(ending, ending.get_by_role("dialog").get_by_role("button", name="End the match"))
        for page in (first, second):
            await expect(page.get_by_text("It counts for nobody.").first).to_be_visible()
    finally:
        await child.kill()
