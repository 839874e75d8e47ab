"""A browser that translates the page, and what the page then shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from difflib import unified_diff

from playwright.async_api import Page

from tests.helpers.page.staging import OFTEN
from tests.helpers.patience import PATIENCE

# Translate a page as browsers do: after every change each text is replaced by two <font> elements, unless it is marked to be left.
# Nothing is put into other words, so that the text can be compared. Browsers without a window do not translate.
TRANSLATE = """
new MutationObserver(() => {
  const walk = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const text of texts) {
    const kept = text.parentElement.closest("font, script, style, noscript, textarea, [translate]");
    if (!text.data.trim() || (kept && !(kept.getAttribute("translate") === "yes"))) continue;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.append(text.data);
    outer.append(inner);
    text.replaceWith(outer);
  }
}).observe(document, { childList: true, characterData: true, subtree: true });
"""

# The visible texts of a page, an element a line, except in some places. Texts for screen readers depend on when they came. A card
# with the focus describes its action, and a question moves the focus whenever it comes: nothing keeps it.
SHOWN = r"""(except) => {
  document.activeElement?.blur();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [];
  for (let last; walk.nextNode();) {
    const place = walk.currentNode.parentElement.closest(":not(font)");
    if (place.closest(`.spoken, .notice.turn, script, style, noscript${except}`)) continue;
    if (!place.checkVisibility({ visibilityProperty: true })) continue;
    if (place !== last) lines.push("");
    lines[lines.length - 1] += walk.currentNode.data;
    last = place;
  }
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean).join("\n");
}"""

# Texts that must not be translated: numbers, and these names. Each with its place.
MISTAKEN = r"""(names) => [...document.querySelectorAll("font > font")].flatMap((each) => {
  const word = each.textContent.trim();
  const place = each.closest(":not(font)");
  return /^[-+−±/]?\s*\d[\d\s.,/]*%?$/.test(word) || names.includes(word) ? [`${word} in ${place.outerHTML}`] : [];
})"""

# Places in which a page that has followed the round rightly shows more than a new one: the seats that have decided already.
NOTE = ".note"
# Elements that have grown since the viewer played: a page that is loaded anew has not seen it.
GROWN = ".groups em"
# The events before the question: as many sentences as fitted when it was asked, or when the pointer was elsewhere.
DETAIL = ".detail"

FONTS = "() => document.querySelectorAll('font').length"


def excepted(*places: str) -> str:
    """Return the argument of `SHOWN` for places that it leaves out."""
    return "".join(f", {place}" for place in places)


async def shown(page: Page, *but: str) -> str:
    """Return what can be seen of a page, except in some places."""
    return str(await page.evaluate(SHOWN, excepted(*but)))


async def alike(translated: Page, plain: Page, *but: str, ordered: bool = True) -> None:
    """Wait until a translated page shows what an untranslated one shows, except in some places."""
    await _same(translated, lambda: shown(plain, *but), but, ordered)


async def shows(translated: Page, text: str, *but: str) -> None:
    """Wait until a translated page shows a text, except in some places."""

    async def wanted() -> str:
        return text

    await _same(translated, wanted, but)


async def _same(translated: Page, wanted: Callable[[], Awaitable[str]], but: tuple[str, ...], ordered: bool = True) -> None:
    here, there = [""], ["not yet"]
    try:
        async with asyncio.timeout(PATIENCE):
            while here != there:
                await asyncio.sleep(OFTEN / 1000 if here[0] else 0)
                here, there = (await shown(translated, *but)).splitlines(), (await wanted()).splitlines()
                if not ordered:
                    here, there = sorted(here), sorted(there)
    except TimeoutError:
        changes = unified_diff(there, here, "untranslated", "translated", lineterm="", n=1)
        raise AssertionError("\n".join([translated.url, *changes])) from None
