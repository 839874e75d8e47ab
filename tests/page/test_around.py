"""The others sit in playing order, however many they are: from right to left on a phone, from the top down in a rail."""

import pytest

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

# The seats in reading order: row by row, and in a row from left to right.
SEATS = """() => [...document.querySelectorAll(".table > .others [data-purse]")].map((seat) => {
  const { left, top } = seat.getBoundingClientRect();
  return [Math.round(top), Math.round(left), Number(seat.dataset.purse)];
}).sort(([top, left], [other, beside]) => top - other || left - beside).map(([, , seat]) => seat)"""


@pytest.mark.parametrize(("game", "seats"), AROUND)
async def test_seats_lie_in_turn_order(open_page: Open, game: str, seats: int) -> None:
    page = await open_page(None)
    # The dealer plays first, and is waited for; in side games another player.
    dealer = int(games.find(game).side)
    table = await seated(page.context, game, ["person"] + ["greedy"] * (seats - 1), first_dealer=dealer)
    await page.goto(f"/t/{table}")
    await page.wait_for_selector(".table .seat")
    for (width, height), others in zip(WINDOWS, (range(seats - 1, 0, -1), range(1, seats)), strict=True):
        await page.set_viewport_size({"width": width, "height": height})
        await settled(page)
        assert await page.evaluate(SEATS) == list(others), f"{width}x{height}"
