"""A round with side games in a real browser: stakes are chosen, shown, paid and accounted."""

from pprint import pformat

import pytest

from tests.helpers.page.browser import DESKTOP, PHONE, Screen, screen_name
from tests.helpers.page.fixtures import staged
from tests.helpers.page.hands import RESULT, Finger, Hands, Mouse, play_round, play_shortly
from tests.helpers.page.staging import call, play_until, seated, to_answer
from tests.page.conftest import Open
from tests.page.test_fixtures import hidden

SIDE_GAMES = {"shoniban": "hon-bana", "tokotoko": "choose", "yaku_set": "one"}


@pytest.mark.every_days(4)
@pytest.mark.parametrize(("screen", "hands"), [(PHONE, Finger()), (DESKTOP, Mouse())], ids=screen_name)
async def test_round_with_side_games_is_played(open_page: Open, screen: Screen, hands: Hands, in_full: bool) -> None:
    page = await open_page(screen=screen)
    table = await seated(page.context, "tensho", ["person", "greedy"], options=SIDE_GAMES)
    await play_until(page.context, table, to_answer)
    await page.goto(f"/t/{table}")
    assert await (play_round if in_full else play_shortly)(page, hands) > 0

    view = (await call(page.context, "GET", f"/api/tables/{table}"))["view"]
    assert "tensho.tokotoko.pot" in {line["clause"] for line in view["score"]}
    chips = [account["chips"] for account in view["brings"]]
    assert sum(chips) == 0
    if any(chips):
        await page.locator(f"{RESULT} .whole").click()
        sheet = page.locator(f"{RESULT} .sheet table:not(.ledger)")
        for seat, changed in enumerate(chips):
            total = await sheet.nth(seat).locator("tfoot td").last.inner_text()
            assert int(total.replace("−", "-").replace("+", "")) == changed


@pytest.mark.every_days(4)
async def test_side_game_fits_the_window(open_page: Open, in_full: bool) -> None:
    tables = staged("tensho", 2, "side-games")
    assert {"prompts.bet", "prompts.stake"} <= {each.name.split()[0] for each in tables}
    faults = await hidden(open_page, tables, in_full)
    if faults:
        pytest.fail(pformat(faults, width=160), pytrace=False)
