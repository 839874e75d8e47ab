"""A whole round of a game with its side games before a real browser: what is staked is chosen, seen, paid and told in its account."""

import pytest

from tests.helpers.page.browser import DESKTOP, PHONE, Screen, screen_name
from tests.helpers.page.hands import RESULT, Finger, Hands, Mouse, play_round
from tests.helpers.page.staging import call, play_until, seated
from tests.page.conftest import Open

SIDE_GAMES = {"shoniban": "hon-bana", "tokotoko": "choose", "yaku_set": "one"}


@pytest.mark.parametrize(("screen", "hands"), [(PHONE, Finger()), (DESKTOP, Mouse())], ids=screen_name)
async def test_a_round_with_both(open_page: Open, screen: Screen, hands: Hands) -> None:
    page = await open_page(screen=screen)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=SIDE_GAMES)
    await play_until(page.context, table, lambda whole: bool(whole["view"] and whole["view"]["legal"]))
    await page.goto(f"/t/{table}")
    assert await play_round(page, hands) > 0

    view = (await call(page.context, "GET", f"/api/tables/{table}"))["view"]
    chips = [account["chips"] for account in view["brings"]]
    assert sum(chips) == 0
    sheet = page.locator(f"{RESULT} .sheet table:not(.ledger)")
    for seat, changed in enumerate(chips):
        if any(chips):
            told = await sheet.nth(seat).locator("tfoot td").last.inner_text()
            assert int(told.replace("−", "-").replace("+", "")) == changed
    lines = {line["clause"] for line in view["score"]}
    assert "tensho.tokotoko.pot" in lines
