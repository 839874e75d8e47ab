"""Beside every name stands what is played for: what is counted up, from how much it wins, and the goals begun."""

from tests.helpers.page.browser import DESKTOP, PHONE
from tests.helpers.page.staging import brought, call, to_play
from tests.helpers.page.tour import FACES, usual
from tests.page.conftest import Open


async def test_how_it_stands_and_what_is_built(open_page: Open) -> None:
    page = await open_page(None, screen=DESKTOP)
    table = await brought(page.context, FACES, usual(FACES), to_play)
    await page.goto(f"/t/{table}")
    plates = page.locator(".board .seat .plate")
    await plates.nth(1).wait_for()
    whole = await call(page.context, "GET", f"/api/tables/{table}")
    view, told = whole["view"], [await plate.inner_text() for plate in await plates.all()]
    scores = view["scores"]
    assert all(scores)
    assert all(score["points"] >= 0 for score in scores), "nobody is greeted with less than nothing"
    for seat, score in enumerate(scores):
        (plate,) = [one for one in told if ("You" in one) == (seat == view["you"])]
        assert f"{score['points']} wins from {score['wins_from']}" in " ".join(plate.split())
        begun = [goal for goal in view["goals"] if goal["seat"] == seat and 0 < goal["has"] < goal["needs"]][:2]
        assert plate.count("●") == sum(goal["has"] for goal in begun)
        assert plate.count("○") == sum(goal["needs"] - goal["has"] for goal in begun)


async def test_a_phone_shows_the_count_alone(open_page: Open) -> None:
    page = await open_page(None, screen=PHONE)
    table = await brought(page.context, FACES, usual(FACES), to_play)
    await page.goto(f"/t/{table}")
    await page.locator(".board .seat .points").nth(1).wait_for()
    assert not await page.locator(".board .goal:visible").count()
