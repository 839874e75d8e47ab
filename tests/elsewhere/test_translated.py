"""A page that the browser translates shows what the server says."""

import pytest
from playwright.async_api import Page

from mekuri import games
from tests.helpers.page.hands import ONWARD, Mouse, act, at_end, follow
from tests.helpers.page.opening import Open
from tests.helpers.page.staging import Json, choose, nearly_over, play_until, settled, to_answer
from tests.helpers.page.tour import FACES, TOUR, Station, whole
from tests.helpers.page.translating import DETAIL, FONTS, GROWN, MISTAKEN, NOTE, TRANSLATE, alike, shown, shows

BLUR = "document.activeElement.blur()"

pytestmark = [pytest.mark.in_turn(8), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("game", games.names())
async def test_translated_table_follows_the_rounds(open_page: Open, game: str, in_full: bool) -> None:
    """Compare with an untranslated tab of the same viewer after each action, and with a tab that is loaded anew.

    The tab that follows the round shows exactly the same. A new one lays the cards of the field otherwise: its texts are compared
    without their order. Loading is what costs: without --slow it is done at the first action, at the result and in the next round.
    """
    page = await open_page(None)
    await page.add_init_script(TRANSLATE)
    await page.goto("/")
    await Mouse().deal(page, game)
    await page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    await play_until(page.context, table, to_answer)  # a round may be over before one's own first turn
    await page.reload()
    plain, fresh = [await open_page.tab(page.context, page.url) for _ in range(2)]
    actions, followed = 0, False
    while not await same(page, plain, table, followed=followed):
        if in_full or actions < 2:
            await fresh.reload()
            await same(page, fresh, table, new=True)
        await act(page, Mouse())
        actions += 1
        # A bot may have decided between the loading of the two tabs. Once no note of that is left, both show the same.
        followed = followed or not await page.locator(NOTE).count()
        if not in_full and actions == 3:
            await play_until(page.context, table, nearly_over)
    assert actions

    await fresh.reload()
    await same(page, fresh, table, new=True)
    await page.locator(ONWARD).click()
    await page.locator(".board .table").first.wait_for()
    await same(page, plain, table)
    await fresh.reload()
    await same(page, fresh, table, new=True)


@pytest.mark.parametrize("station", [each for each in TOUR if each.name != "practice"], ids=lambda station: station.name)
async def test_translated_screen_changes_every_text(open_page: Open, station: Station) -> None:
    """In another language all texts of a screen change; on another screen all go. Compare with the same screens, untranslated.

    Left out is what is asked again in practice, which is another decision each time; its parts are those of a review.
    """
    open_page.allowed.append("404")  # one of the screens is missing
    page = await open_page(None)
    path = await station.go(page, FACES)
    await page.goto(path)
    await whole(page, station)
    texts = [await shown(page, DETAIL)]
    for lang in ("ja", "en"):
        await choose(page, lang=lang)
        texts.append(await shown(page, DETAIL))
    assert texts[0] == texts[2] != texts[1]

    await page.add_init_script(TRANSLATE)
    await page.goto("/rules")
    await page.goto(path)
    await whole(page, station)
    await shows(page, texts[0], DETAIL)
    assert await page.evaluate(FONTS) > 10, "nothing is translated"
    for lang, text in zip(("ja", "en"), texts[1:], strict=True):
        await choose(page, lang=lang)
        await shows(page, text, DETAIL)
        assert await page.evaluate(MISTAKEN, []) == []
    await page.evaluate("document.querySelector('a[href=\"/rules\"]').click()")
    await page.locator("main li h2").first.wait_for()
    await settled(page)
    there = await shown(page)
    await page.goto("/rules")
    await page.locator("main li h2").first.wait_for()
    await shows(page, there)


# Other ways to put a translation in the place of a text, and to take it back.
ONCE = """(way) => {
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) if (walk.currentNode.data.trim()) texts.push(walk.currentNode);
  const fonts = () => {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    outer.append(inner);
    return [outer, inner];
  };
  globalThis.taken = texts.map((text) => {
    const [outer, inner] = fonts();
    inner.append(text.data);
    if (way === "before") text.before(outer);
    if (way === "after") text.after(outer);
    if (way === "around") text.before(outer), inner.replaceChildren(text);
    else if (way === "within") text.replaceWith(outer), inner.replaceChildren(text);
    else if (way === "in-place") text.replaceWith(outer);
    else text.remove();
    return [text, outer];
  });
}"""
BACK = {
    "original": "() => taken.forEach(([text, outer]) => outer.replaceWith(text))",
    "copy": "() => taken.forEach(([, outer]) => outer.replaceWith(outer.textContent))",
    "another": "() => taken.forEach(([, outer]) => outer.replaceWith(outer.cloneNode(true)))",
}


async def test_other_translators_are_undone(open_page: Open, subtests: pytest.Subtests) -> None:
    page = await open_page("/settings")
    await page.locator("main fieldset").first.wait_for()
    await settled(page)
    texts = {}
    for lang in ("ja", "en"):
        await choose(page, lang=lang)
        texts[lang] = await shown(page)
    for way, back in [*((way, "") for way in ("before", "after", "around", "within")), *(("in-place", back) for back in BACK)]:
        with subtests.test(way=way, back=back):
            await page.evaluate(ONCE, way)
            if back:
                await page.evaluate(BACK[back])
            for lang in ("en", "ja", "en"):
                await choose(page, lang=lang)
                await shows(page, texts[lang])


async def same(page: Page, other: Page, table: str, new: bool = False, followed: bool = True) -> bool:
    """Compare a page with another, or a new one, when both show what the viewer is asked. Returns whether the round is over.

    Args:
        followed: whether both have followed the round since the action before.
    """
    whole = await play_until(page.context, table, asked)
    over = bool(whole["view"]["over"])
    for each in page, other:
        if over:
            assert await at_end(each)
        else:
            await follow(each, whole)
    await page.mouse.move(0, 0)  # a card that is pointed at says what it does
    await alike(page, other, DETAIL, GROWN, *([NOTE] if new or not followed else ()), ordered=not new)
    if not new:
        await end_alike(page, other)
    assert await page.evaluate(FONTS) > 20, "nothing is translated"
    names = [each["name"] for each in whole["head"]["seats"] if each["name"]]
    assert await page.evaluate(MISTAKEN, names) == []
    return over


async def end_alike(*pages: Page) -> None:
    """Wait until what happened before the question is the same on two pages, as far as there is room for it."""
    few, more = "not yet", ""
    try:
        while not more.endswith(few):
            for each in pages:
                await each.evaluate(BLUR)  # a card gets the focus when it is asked for
            few, more = sorted([" ".join(await each.locator(DETAIL).all_inner_texts()).strip() for each in pages], key=len)
    except TimeoutError:
        raise AssertionError(f"{pages[0].url}: {more!r} does not end with {few!r}") from None


def asked(table: Json) -> bool:
    """Return whether the viewer has something to do, or the round is over."""
    return bool(table["view"] and (table["view"]["legal"] or table["view"]["over"]))
