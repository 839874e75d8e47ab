"""A bot of another distribution, `examples/lookahead`: found when installed beside Mekuri, which does not name it."""

import json
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mekuri import bots, games
from tests.helpers.folders import CHECKOUT, EXAMPLES
from tests.helpers.installing import installed_beside
from tests.helpers.running import python_prints
from tests.helpers.server.child import Child
from tests.helpers.server.serving import Guest, play_out
from tests.helpers.tables import USUAL

BOT = "lookahead"


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config) -> Path:
    """Where the distribution lies that `pip install` has put beside Mekuri."""
    return installed_beside(pytestconfig, EXAMPLES / BOT)


def mekuri(*words: str) -> str:
    return python_prints("-m", "mekuri", *words, cwd=CHECKOUT)


def test_mekuri_does_not_name_the_example_bot() -> None:
    assert bots.known(BOT) is None
    search = subprocess.run(["git", "grep", "-il", "mekuri_lookahead"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if search.returncode > 1:
        pytest.skip("this is no clone of the repository")
    allowed = re.compile(r"examples/lookahead/|tests/test_other_bot\.py|pyproject\.toml|docs/|[A-Z]+\.md")
    assert [file for file in search.stdout.split() if not allowed.match(file)] == []


@pytest.mark.usefixtures("installed")
class TestInstalled:
    def test_example_bot_is_listed(self) -> None:
        listed = mekuri("bots", "--lang", "en").splitlines()
        own = [bot.id for name in games.names() for bot in games.find(name).bots]
        assert [line.split()[0] for line in listed] == [*(bot.id for bot in bots.CHARACTERS), *own, BOT, *bots.NAMES]
        assert any(line.startswith("lookahead    Lookahead: Tries every action") for line in listed)

    def test_example_bot_is_simulated(self) -> None:
        words = ("simulate", USUAL, "--rounds", "2", "--bot", BOT, "--seed", "7", "--playouts", "6", "--json")
        figures = [json.loads(mekuri(*words, *more)) for more in ([], ["--threads", "1"])]
        assert figures[0]["checksum"] == figures[1]["checksum"]
        assert figures[0]["decisions"] > 0

    @pytest.mark.every_days(4)
    def test_own_tests_of_the_example_bot_pass(self) -> None:
        words = ["-m", "pytest", "-c", "pyproject.toml", "-q", "-p", "no:cacheprovider"]
        assert re.search(r"(\d+) passed", python_prints(*words, f"examples/{BOT}/tests", cwd=CHECKOUT))


@pytest.fixture
async def house(installed: None, tmp_path: Path) -> AsyncIterator[Child]:
    """A server with the bot."""
    child = Child(tmp_path / "mekuri.db", true=True)
    await child.start()
    yield child
    await child.kill()


@pytest.mark.every_days(4)
async def test_example_bot_plays_at_a_table(house: Child) -> None:
    guest = await Guest(house.address).arrive()
    try:
        listed = {bot["id"]: bot for bot in (await guest.call("GET", "/api/games"))["bots"]}
        assert listed.keys() == {*bots.NAMES, BOT}
        assert listed[BOT]["name"] == {"en": "Lookahead", "ja": "先読み"}
        table = await guest.make(USUAL, seats=["person", BOT], match_options={"rounds": "1"})
        await guest.sit(table)
        assert (await play_out(table, [guest]))["head"]["why"] == "played"
        events = await guest.events(table)
        assert "lapse" not in {event["kind"] for event in events}
        assert [event for event in events if event["kind"] == "play" and event["seat"] == 1]
    finally:
        await guest.close()
