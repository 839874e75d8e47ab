"""Rounds in Firefox, as Debian has it, over WebDriver BiDi. Playwright drives Firefox only as it builds it itself."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from pprint import pformat

import pytest

from mekuri import games
from mekuri.protocol.coding import encode
from tests.helpers.page import hands
from tests.helpers.page.firefox import driven
from tests.helpers.page.fixtures import SILENCE, address, answers, staged
from tests.helpers.page.translating import DETAIL, NOTE, SHOWN, TRANSLATE, excepted
from tests.helpers.patience import PATIENCE
from tests.helpers.server.child import Child
from tests.helpers.tables import HELD
from tests.page.test_fixtures import HIDDEN, LARGE, LARGE_IN, SEATED, SIZES

Screen = tuple[str, str, str]  # width, height, and what one plays with
DESKTOP, PHONE, KEYS = ("1920", "1080", "mouse"), ("360", "740", "finger"), ("1280", "800", "keys")
GAMES = list(games.names())
ROUNDS = [(game, *how) for how in ((DESKTOP,), (PHONE,), (DESKTOP, "translated")) for game in GAMES]


async def faults(at: Child | str, game: str, screen: Screen, *ways: str, stop: Callable[[], None] | None = None) -> list[str]:
    """Return the errors of a round at a server, or at an address. If the script asks for it, restart the server, or stop it."""
    legal = f"{hands.CARDS}, {hands.WORDS}"
    places = {
        "deal": hands.deal_of(game),
        "legal": legal,
        "chosen": hands.CHOSEN,
        "hand": hands.HAND if game in HELD else "",
        "result": hands.RESULT,
        "onward": hands.ONWARD,
    }
    places |= {"digit": hands.NUMBER, "nearer": hands.WAY}
    places |= {"translate": TRANSLATE, "shown": SHOWN, "except": excepted(NOTE, DETAIL)}
    command = [*driven("round.js"), at if isinstance(at, str) else at.address, *screen, json.dumps(places), *ways]
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    try:
        async with asyncio.timeout(2 * PATIENCE):
            line = await process.stdout.readline()
            if line == b"restart\n":
                if isinstance(at, Child):
                    await at.kill()
                    await at.start()
                else:
                    assert stop
                    stop()
                process.stdin.write(b"done\n")
                line = await process.stdout.readline()
            await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()  # Puppeteer closes the browser
            await process.wait()
    found: list[str] = json.loads(line)
    return found


@pytest.mark.in_turn(len(ROUNDS))
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("how", ROUNDS, ids=lambda how: "-".join([how[0], "x".join(how[1][:2]), *how[2:]]))
async def test_round_is_played_in_firefox(house: Child, how: tuple[str, Screen, *tuple[str, ...]]) -> None:
    """Some rounds are played on a page that is translated meanwhile."""
    assert await faults(house, *how) == []


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("game", GAMES)
async def test_round_is_played_in_firefox_by_keys(house: Child, game: str) -> None:
    assert await faults(house, game, KEYS) == []


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_round_is_played_in_firefox_with_motion(house: Child) -> None:
    # Everything takes its time, and where the first thing that may be done can be taken back, a round need not end.
    final = [game for game in HELD if not games.find(game).has("undoing")]
    shortest = min(final, key=lambda game: games.find(game).longest)
    assert await faults(house, shortest, ("1280", "800", "mouse"), "motion") == []


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_killed_server_resumes_the_same_round(tmp_path: Path) -> None:
    child = Child(tmp_path / "mekuri.db")
    await child.start()
    assert await faults(child, GAMES[0], PHONE, "restart") == []
    await child.kill()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(("game", "seats"), SEATED)
async def test_table_fits_the_window(house: Child, game: str, seats: int) -> None:
    """Also in Firefox: `test_fixtures.py` says what."""
    tables = [each for each in staged(game, seats) if each.table.view and each.table.view.legal]
    request = {
        "tables": [{"name": each.name, "path": address(each), "bodies": answers(each)} for each in tables],
        "silence": SILENCE,
        "hidden": HIDDEN,
        "sizes": {"100": SIZES, str(LARGE): LARGE_IN},
    }
    process = await asyncio.create_subprocess_exec(
        *driven("tables.js"), house.address, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(2 * PATIENCE):
            printed, _ = await process.communicate(encode(request))
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
    found = json.loads(printed)
    if found:
        pytest.fail(pformat(found, width=160), pytrace=False)
