"""The seats lie around the table in playing order, counterclockwise, however many they are."""

from itertools import combinations
from typing import NamedTuple

import pytest
from playwright.async_api import Page

from mekuri import games
from tests.helpers.page.staging import seated, settled
from tests.page.conftest import Open

WINDOWS = [(360, 740), (1280, 800)]
AROUND = [
    pytest.param(game, seats, id=f"{game}-{seats}")
    for game in games.names()
    if games.find(game).shape in ("ring", "pile")
    for seats in sorted(games.find(game).seats)
    if seats > 2
]

# The centres of all seats in playing order, one's own first.
SEATS = """() => [".near", ".right", ".far", ".left"].flatMap((side) =>
  [...document.querySelectorAll(`.table .side${side} > .seat`)].map((seat) => {
    const { left, right, top, bottom } = seat.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  }))"""


class Point(NamedTuple):
    x: float
    y: float


def turns(a: Point, b: Point, c: Point) -> float:
    """More than 0 where the way from a by b to c turns counterclockwise. On a screen y grows downward."""
    return (b.y - a.y) * (c.x - b.x) - (b.x - a.x) * (c.y - b.y)


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the ways from a to b and from c to d cross."""
    return turns(a, b, c) * turns(a, b, d) < 0 and turns(c, d, a) * turns(c, d, b) < 0


def test_what_crosses() -> None:
    corners = [Point(0, 9), Point(9, 9), Point(9, 0), Point(0, 0)]
    assert turns(*corners[:3]) > 0
    assert cross(corners[0], corners[2], corners[1], corners[3])
    assert not cross(*corners)


async def seats_of(page: Page) -> list[Point]:
    return [Point(*centre) for centre in await page.evaluate(SEATS)]


@pytest.mark.parametrize(("game", "seats"), AROUND)
async def test_in_playing_order(open_page: Open, game: str, seats: int) -> None:
    page = await open_page(None)
    # Whoever deals plays, and is waited for; in side games whoever does not.
    dealer = int(games.find(game).side)
    table = await seated(page.context, game, ["person"] + ["greedy"] * (seats - 1), first_dealer=dealer)
    await page.goto(f"/t/{table}")
    await page.wait_for_selector(".table .seat")
    for width, height in WINDOWS:
        await page.set_viewport_size({"width": width, "height": height})
        await settled(page)
        around = await seats_of(page)
        assert len(around) == seats
        ways = [*zip(around, around[1:] + around[:1], strict=True)]
        assert not [pair for pair in combinations(ways, 2) if cross(*pair[0], *pair[1])], around
        area = sum(a.y * b.x - a.x * b.y for a, b in ways)
        assert area > 0, f"clockwise: {around}"
