"""Accounts that no seat owns, such as a pot, a kitty or a box: their sum with the seats is constant at every end."""

import pytest

import mekuri
from mekuri.testing import ledgers
from mekuri.testing.failure import LeftOut
from mekuri.testing.settings import FEW_SEATS, random_games
from tests.helpers.tables import GAMES

KEPT = [name for name in GAMES if mekuri.game(name).contract.has("accounts")]


@pytest.mark.parametrize("name", KEPT)
def test_accounts_keep_their_sum(name: str, in_full: bool) -> None:
    for seed, game in enumerate(random_games(name, 30 if in_full else 8, FEW_SEATS)):
        ledgers.sums(game, seed)


def test_game_without_such_accounts_is_left_out() -> None:
    for name in set(GAMES) - set(KEPT):
        with pytest.raises(LeftOut):
            ledgers.sums(mekuri.game(name))
