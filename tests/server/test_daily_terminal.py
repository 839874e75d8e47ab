"""`mekuri daily`: the deals of the day of a server, listed, cut for and played in a terminal."""

import hashlib

import pytest

from mekuri.bots import Budget
from mekuri.cli.daily import _how
from mekuri.desk.daily import games_of_skill
from mekuri.match.daily import DAY_MS, begins
from mekuri.protocol.daily import Daily, DailyDeal, DailyPoints, DailyTry
from mekuri.table import turns
from mekuri.table.time import Time
from mekuri.terminal.base.kept import keep_token
from mekuri.terminal.base.online import daily_deals, play_daily
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from tests.helpers.commands import Said
from tests.helpers.screens import on_screen, play_through, screen_text, until_asked
from tests.helpers.server.serving import Serving
from tests.helpers.time import Counting, until

GAME = "isuri"  # whose rounds are short


@pytest.fixture
def time() -> Time:
    """It begins at noon."""
    return Counting(begins("2027-01-15") + DAY_MS // 2)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys, "daily", "--lang", "en")


@pytest.mark.every_days(4)
async def test_daily_command_lists_plays_and_cuts(server: Serving, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_OF_THE_DAY", Budget(2))
    here = ("--server", server.address)
    listed = await said(*here)
    assert listed.count("nobody has finished it yet") == len(games_of_skill())
    assert "The server was offline the day before" in listed
    assert f"mekuri daily --cut TEXT --server {server.address}" in listed
    assert (await server.desk.store.listed_people(9)) == [], "nobody becomes a guest by looking"

    play = await play_daily(server.address, GAME, "Aki", "", 0)
    assert play.commitment
    assert "you are still playing it" in await said(*here)
    async with on_screen(play) as (app, pilot):
        assert await until_asked(pilot)
        await pilot.press("a")
        await until(lambda: "without help" in screen_text(app))
        await play_through(pilot)
        assert isinstance(app.screen, SheetScreen)
        await until(lambda: play.over)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultScreen))
    again = await play_daily(server.address, GAME, "", "", 0)
    assert (again.id, again.over, again.commitment) == (play.id, True, "")
    points = next(deal.yours.points for deal in (await deals(server)).deals if deal.game == GAME and deal.yours)
    assert f"{points:+d}, the first to finish" in await said(*here)

    cut = await said(*here, "--cut", "tsuru")
    assert f"SHA-256 of your cut: {hashlib.sha256(b'tsuru').hexdigest()}" in cut
    assert "1 person has cut so far" in cut
    assert "64" in await said(*here, "--cut", "x" * 65)


async def deals(server: Serving) -> Daily:
    return await daily_deals(server.address, None)


async def test_unknown_token_still_lists_the_deals(server: Serving, said: Said) -> None:
    keep_token(server.address, "long gone")
    assert "nobody has finished it yet" in await said("--server", server.address)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "--server"),
        (("isuri", "--cut", "x", "--server", "http://localhost:1"), "leave the game out"),
        (("isuri", "--server", "http://localhost:1"), "needs a terminal"),
        (("--name", "Aki", "--server", "http://localhost:1"), "name its game"),
        (("--server", "http://localhost:1"), "does not answer"),
    ],
)
async def test_invalid_arguments_are_refused(words: tuple[str, ...], why: str, said: Said) -> None:
    assert why in await said(*words)


@pytest.mark.parametrize(("points", "text"), [(12, "+12, rank 1 of 5"), (4, "+4, tied for rank 2 of 5"), (-3, "-3, rank 5 of 5")])
def test_equal_results_share_a_rank(points: int, text: str) -> None:
    spread = [DailyPoints(points=one, times=times) for one, times in ((-3, 1), (1, 1), (4, 2), (12, 1))]
    deal = DailyDeal(
        game=GAME,
        day="2027-01-15",
        commitment="",
        committed_at=0,
        in_time=True,
        cuts=0,
        cut="",
        secret=None,
        tries=5,
        yours=DailyTry(table="t", over=True, points=points),
        better=None,
        spread=spread,
    )
    assert _how(deal, "en").replace("−", "-") == text
