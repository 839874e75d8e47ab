"""Goals beside every name: the score, the winning number, and the goals begun."""

import pytest
from playwright.async_api import expect

from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.fixtures import TURN, stage, staged
from tests.helpers.page.staging import Json, brought, call, drawn, to_play
from tests.helpers.page.tour import FACES, usual
from tests.page.conftest import Open


def sought(view: Json, seat: int) -> list[Json]:
    """The goals that a seat has begun and may still reach, else the nearest that it may reach, else the nearest lost one."""
    ahead = [goal for goal in view["goals"] if goal["seat"] == seat and goal["has"] < goal["needs"]]
    possible = [goal for goal in ahead if not goal["lost"]]
    return [goal for goal in possible if goal["has"]][:3] or (possible or ahead)[:1]


async def test_bar_has_scores_and_strips_have_goals(open_page: Open) -> None:
    page = await open_page(None, screen=DESKTOP)
    table = await brought(page.context, FACES, usual(FACES), to_play)
    await page.goto(f"/t/{table}")
    plates = page.locator(".board .seat.strip")
    await plates.nth(1).wait_for()
    whole = await call(page.context, "GET", f"/api/tables/{table}")
    view, plates_text = whole["view"], [await plate.inner_text() for plate in await plates.all()]
    scores = view["scores"]
    assert all(scores)
    assert all(score["points"] >= 0 for score in scores), "nobody is greeted with less than nothing"
    for seat, score in enumerate(scores):
        (plate,) = [one for one in plates_text if ("You" in one) == (seat == view["you"])]
        stands = page.locator(".bar .standings li").nth((seat - view["you"]) % len(scores))
        await expect(stands.locator(".score")).to_contain_text(str(score["points"]))
        goals = sought(view, seat)
        assert plate.count("●") == sum(goal["has"] for goal in goals)
        assert plate.count("○") == sum(goal["needs"] - goal["has"] for goal in goals)


async def test_phone_shows_the_nearest_goals(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    table = await brought(page.context, FACES, usual(FACES), to_play)
    await page.goto(f"/t/{table}")
    await page.locator(".bar .standings").wait_for()
    view = (await call(page.context, "GET", f"/api/tables/{table}"))["view"]
    first = page.locator(".board .goals > .goal:first-child")
    assert await first.count() == sum(bool(sought(view, seat)) for seat in range(2))
    for goal in await first.all():
        assert await goal.is_visible()


# Whether the pips of the nearest goal of each strip are seen whole: circles of 10 pixels in the middle of their line.
PIPS = """() => [...document.querySelectorAll(".strip .goal:first-child .pips")].map((each) => {
  const [pips, goals] = [each, each.closest(".goals")].map((one) => one.getBoundingClientRect());
  const middle = (pips.top + pips.bottom) / 2;
  return middle - 5 >= goals.top && middle + 5 <= goals.bottom + 1 && pips.right <= goals.right + 1;
})"""


@pytest.mark.parametrize("game", ["mushi", "koikoi"])
async def test_phone_shows_how_far_goals_are_however_many_captures_lie_beside_them(open_page: Open, game: str) -> None:
    page = await open_page(None, screen=PHONE)
    (late,) = [each for each in staged(game, 2) if each.name == f"{TURN}, late"]
    await page.goto(await stage(page.context, late))
    await page.locator(".strip .pips").first.wait_for()
    await drawn(page)
    seen = await page.evaluate(PIPS)
    assert seen
    assert all(seen), seen
