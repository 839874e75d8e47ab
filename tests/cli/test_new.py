"""A game that `mekuri new` has written can be installed, passes the checks of every game, and is played at any table."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mekuri import games
from mekuri.cli.new import NameRefused, write_game
from tests.helpers.installing import installed_beside
from tests.helpers.new_games import arrived, child_at, play_match, round_on_the_page
from tests.helpers.running import python_prints
from tests.helpers.server.child import Child
from tests.helpers.tutorials import PLAY_BY_ENTER

NAME = "two_by_two"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(NAME, tmp_path_factory.mktemp("new") / "game")


@pytest.fixture(scope="module")
def site(written: Path, pytestconfig: pytest.Config) -> Path:
    return installed_beside(pytestconfig, written)


def test_new_game_is_small(written: Path) -> None:
    files = [path for path in written.rglob("*") if path.is_file()]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 150
    assert [path.read_text(encoding="utf-8").count("\ndef test_") for path in files if path.parent.name == "tests"] == [1]


@pytest.mark.usefixtures("installed")
class TestInstalled:
    @pytest.mark.slow
    def test_own_test_of_new_game_passes(self, written: Path) -> None:
        """It runs the checks that every game must pass."""
        words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(written), str(written / "tests"))
        assert "1 passed" in python_prints(*words)

    @pytest.mark.slow  # another new game is, in tests/games/test_small.py
    def test_new_game_is_played_in_terminal(self) -> None:
        assert python_prints("-c", PLAY_BY_ENTER, NAME) == "played\n"


@pytest.fixture
async def house(installed: None, tmp_path: Path) -> AsyncIterator[Child]:
    """A server with the game."""
    async with child_at(tmp_path) as child:
        yield child


class TestServed:
    @pytest.mark.every_days(4)
    async def test_new_game_is_played_at_table(self, house: Child) -> None:
        async with arrived(house.address) as guest:
            whole = await play_match(guest, NAME, ["random"], rounds=2)
            assert sum(account["points"] for account in whole["view"]["ledger"]) == 0

    @pytest.mark.slow  # another new game is, in tests/games/test_small.py
    async def test_new_game_is_played_on_page(self, house: Child) -> None:
        async with round_on_the_page(house.address, NAME):
            pass


@pytest.mark.parametrize("name", ["Hana", "1st", "class", "ha na", "ha-na", "花", "", "_hana"])
def test_invalid_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(NameRefused, match=r"not .*: try another"):
        write_game(name, tmp_path / "game")
    assert list(tmp_path.iterdir()) == []


def test_taken_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NameRefused, match="call yours otherwise"):
        write_game(games.names()[0], tmp_path / "game")


def test_existing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NameRefused, match="name another folder with --at"):
        write_game(NAME, tmp_path)
