"""The question, its answers and the cards can be pressed at once: nothing covers them.

In large letters not all of a table fits into a window. The table scrolls to the question when it is asked; on a phone on its side
its first line is seen. An answer can be pressed once it is focused, and so can 24 pixels of a card. A question need not stay in
view: at 740x360 the smallest pile of Isuri, its longest question and the hand are 520 pixels high.

Whole matches are played for it, so it takes minutes; the tables of `test_fixtures`, looked at in the same windows, are staged.
"""

from pprint import pformat
from typing import Any

import pytest
from playwright.async_api import Page

from mekuri import games
from tests.helpers.page.staging import TABLES, Json, match_over, play_until, seated
from tests.page.conftest import Open
from tests.page.test_fixtures import LARGE, SIZES

WINDOWS = [(width, height, size) for width, height in SIZES for size in (100, LARGE)]
WINDOWS += [(844, 390, 100)]  # a phone on its side that is as wide as a desktop's table
MOST_SEATS = 7
ROUNDS = 1  # after which no more kinds of questions are looked for
SEATED = [(game, seats) for game in games.names() for seats in sorted(games.find(game).seats) if seats <= MOST_SEATS]

# Whether the page shows all that may be done now.
SHOWN = """(legal) => {
  return document.querySelectorAll(".table :is(.card-button.legal, .deck, .words button)").length === legal;
}"""

# The elements that cannot be pressed at their centre, and the elements that cover them, at a text size.
COVERED = """async ([width, size]) => {
  const board = document.querySelector(".at-table > .board");
  const found = [];
  const press = (where, each, below = 0) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, below ? top + below : (top + bottom) / 2);
    const what = each.closest("[data-card]")?.dataset.card ?? each.textContent.trim();
    if (!each.contains(hit)) found.push([where, what, Math.round(top), Math.round(bottom), hit?.closest("[class]")?.className]);
  };
  const all = (what) => document.querySelectorAll(`.table :is(${what})`);
  document.documentElement.style.fontSize = `${size}%`;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  if (innerWidth !== width) found.push("the window is not as wide");
  const low = size > 100 && innerHeight < innerWidth;
  for (const each of all(".prompt")) press("at first", each, low ? 12 : 0);
  for (const each of all(".words button")) {
    if (size > 100) each.focus();
    press("at first", each);
  }
  for (const each of all(".card-button.legal, .deck, .middle .card-button:not(.board *)")) {
    if (size > 100) each.focus();
    press("card", each, size > 100 ? 12 : 0);
  }
  document.activeElement.blur();
  board.scrollTop = 0;
  document.documentElement.style.fontSize = "";
  return found;
}"""


def kind(view: Json) -> tuple[str, ...]:
    """Return the kind of a question: its text, and the places of its answers."""
    legal = {each["action"] for each in view["legal"]}
    where = {zone["kind"] for zone in view["zones"] if legal & set(zone["cards"])}
    return (str(view["prompt"] and view["prompt"]["id"]), *sorted(where))


def in_window(view: Json) -> bool:
    """Whether one is asked for so many seconds only."""
    return bool(view["legal"] and view["closes"])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), SEATED)
async def test_question_is_never_covered(open_page: Open, game: str, seats: int) -> None:
    page = await open_page(None)
    seen = set[tuple[str, ...]]()
    hurried = not games.find(game).has("window")  # nobody is ever hurried there: then nobody need be
    faults: dict[str, Any] = {}

    def new(whole: Json) -> bool:
        view = whole["view"]
        return bool(view["legal"]) and kind(view) not in seen

    def enough(whole: Json) -> bool:
        return match_over(whole) or (hurried and whole["head"]["round"] > ROUNDS)

    for _ in range(TABLES):
        table = await seated(page.context, game, ["person"] + ["random"] * (seats - 1))
        await page.goto(f"/t/{table}")
        while not enough(whole := await play_until(page.context, table, lambda whole: new(whole) or enough(whole))):
            view = whole["view"]
            seen.add(kind(view))
            hurried = hurried or in_window(view)
            await page.wait_for_function(SHOWN, arg=len(view["legal"]))
            faults |= {f"{' '.join(kind(view))}, {where}": found for where, found in (await covered(page)).items()}
        if hurried and seen:  # a round may be over before one is asked anything
            break
    assert seen
    assert hurried, "nobody was asked in a window"
    if faults:
        pytest.fail(f"{page.url}\n{pformat(faults, width=160)}", pytrace=False)


async def covered(page: Page) -> dict[str, Any]:
    """What cannot be pressed, by window and size of the letters."""
    faults: dict[str, Any] = {}
    for width, height, size in WINDOWS:
        await page.set_viewport_size({"width": width, "height": height})
        faults[f"{width}x{height}, {size} %"] = await page.evaluate(COVERED, [width, size])
    return {where: found for where, found in faults.items() if found}
