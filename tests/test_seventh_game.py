"""A game of another distribution, `examples/kingo`: found when it is installed beside Mekuri, which does not know it otherwise."""

import json
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mekuri import games
from tests.helpers.folders import CHECKOUT, EXAMPLES
from tests.helpers.installing import installed_beside
from tests.helpers.new_games import arrived, child_at, play_match, round_on_the_page
from tests.helpers.running import python_prints
from tests.helpers.server.child import Child

GAME = "kingo"

OWN = "examples/kingo/tests"  # what no check of every game can know of it


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config) -> Path:
    """Where the distribution lies that `pip install` has put beside Mekuri."""
    return installed_beside(pytestconfig, EXAMPLES / GAME)


def mekuri(*words: str) -> str:
    return python_prints("-m", "mekuri", *words, cwd=CHECKOUT)


def test_mekuri_does_not_name_the_example_game() -> None:
    assert GAME not in games.names()
    assert GAME not in mekuri("games")
    search = subprocess.run(["git", "grep", "-il", GAME], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if search.returncode > 1:
        pytest.skip("this is no clone of the repository")
    allowed = re.compile(
        r"examples/kingo/|tests/(test_seventh_game|helpers/unfinished|pocket/test_site)\.py|(pyproject|zensical)\.toml|docs/|[A-Z]+\.md"
    )
    assert [file for file in search.stdout.split() if not allowed.match(file)] == []


@pytest.mark.usefixtures("installed")
class TestInstalled:
    def test_example_game_is_listed(self) -> None:
        listed = [line.split()[0] for line in mekuri("games").splitlines() if line.split()[0] not in games.entries()]
        side = [name for name in games.names() if games.find(name).side]
        assert listed == [*sorted({*games.names(), GAME} - set(side)), *side]

    def test_rule_book_of_the_example_game_is_printed(self) -> None:
        written = (CHECKOUT / "examples/kingo/src/mekuri_kingo/rulebook.toml").read_text(encoding="utf-8")
        clauses = re.findall(r'^id = "(kingo\..+)"', written, re.M)
        assert len(clauses) > 20
        for lang, word in (("en", "irises"), ("ja", "菖蒲")):
            book = mekuri("rules", GAME, "--lang", lang, "--sources")
            assert word in book
            assert [id for id in clauses if id not in book] == []

    def test_example_game_is_simulated_plain_and_compiled(self) -> None:
        words = ("simulate", GAME, "--rounds", "500", "--seed", "7", "--json")
        plain, compiled = (json.loads(mekuri(*words, *more)) for more in (["--plain"], []))
        assert plain["checksum"] == compiled["checksum"]
        assert plain["yaku"].keys() == {"shigoro", "kingo"}

    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("how", ["--quick", pytest.param("--slow", marks=pytest.mark.slow)])
    def test_example_game_passes_every_check(self, how: str) -> None:
        results = [line.split()[0] for line in mekuri("check", GAME, how).splitlines()]
        assert len(results) > 12
        assert set(results) == {"ok", "left"}

    @pytest.mark.slow
    def test_own_tests_of_the_example_game_pass(self) -> None:
        output = python_prints("-m", "pytest", "-c", "pyproject.toml", "-q", "-p", "no:cacheprovider", OWN, cwd=CHECKOUT)
        passed = re.search(r"(\d+) passed", output)
        assert passed
        assert int(passed[1]) > 8


@pytest.fixture
async def house(installed: None, tmp_path: Path) -> AsyncIterator[Child]:
    """A server with the game."""
    async with child_at(tmp_path) as child:
        yield child


class TestServed:
    @pytest.mark.every_days(4)
    async def test_example_game_is_played_at_a_table(self, house: Child) -> None:
        async with arrived(house.address) as guest:
            listed = {game["id"]: game for game in (await guest.call("GET", "/api/games"))["games"]}
            assert listed.keys() == {*games.names(), GAME}
            assert listed[GAME]["seats"] == [4, 2, 3, 5, 6, 7]
            whole = await play_match(guest, GAME, ["careful", "greedy", "random"], rounds=3)
            assert sum(account["stones"] for account in whole["view"]["ledger"]) == 0

    @pytest.mark.every_days(4)
    async def test_example_game_is_played_on_the_page(self, house: Child) -> None:
        async with round_on_the_page(house.address, GAME) as page:
            await page.locator(".result").get_by_role("button", name="Cards and rules").click()
            assert await page.locator('.result .sheet a.rule[href*="kingo.deal.wager"]').count() == 4
            await page.goto(f"/rules/{GAME}")
            await page.get_by_text("Kingo is a hand of three irises").first.wait_for()
