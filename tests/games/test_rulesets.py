"""What was legal under a released ruleset version stays legal, and nothing else becomes so: else the version is raised.

A file in tests/golden holds positions of rounds played at random, and what each seat that is asked may do there. It is written
once, when the version is new (`pytest --golden-write`), and then kept as it is.
"""

from contextlib import suppress
from pathlib import Path

import pytest

import mekuri
from mekuri import games
from mekuri.engine.errors import OptionError
from mekuri.match.game import Game, make_game
from mekuri.testing.worlds import random_round, steps
from tests.conftest import GOLDEN
from tests.helpers.tables import GAMES

RULESETS = [(name, version) for name in GAMES for version in range(1, games.find(name).version + 1)]
ROUNDS, MOST = 2, 32  # rounds of each preset, and positions of a file


def file(name: str, version: int) -> Path:
    return GOLDEN / f"{name}-rules-{version}.txt"


def played(name: str, version: int, preset: str, seats: int) -> Game:
    contract = games.find(name)
    given = contract.as_given(version, {}) if version < contract.version else {}
    return make_game(name, preset, seats, given)


def numbers(name: str, version: int, preset: str) -> list[int]:
    """The least and the greatest number of seats; the usual one where a preset, as with partners, can have neither."""
    contract, found = games.find(name), list[int]()
    for seats in sorted({min(contract.seats), max(contract.seats)}):
        with suppress(OptionError):
            found.append(played(name, version, preset, seats).seats)
    return found or [contract.seats[0]]


def legal(round: mekuri.Round) -> str:
    return "; ".join(f"{seat}: {' '.join(sorted(round.legal_for(seat)))}" for seat in round.waiting if seat < round.game.seats)


def lines(name: str, version: int) -> list[str]:
    contract = games.find(name)
    found = [
        f"{preset} {seats} | {now.position} | {legal(now)}\n"
        for preset in (contract.presets if version == contract.version else ("default",))
        for seats in numbers(name, version, preset)
        for seed in range(ROUNDS)
        for now in steps(random_round(played(name, version, preset, seats), seed))
        if any(len(now.legal_for(seat)) > 1 for seat in now.waiting if seat < seats)
    ]
    return found[:: -(-len(found) // MOST)]


@pytest.mark.parametrize(("name", "version"), RULESETS, ids=str)
def test_legal_actions_of_a_ruleset_stay_legal(name: str, version: int, request: pytest.FixtureRequest) -> None:
    pinned = file(name, version)
    if request.config.getoption("--golden-write") and not pinned.exists():
        pinned.write_text("".join(lines(name, version)), encoding="utf-8")
    assert pinned.exists(), f"version {version} of {name} is new: pin what is legal under it with pytest --golden-write"
    found = pinned.read_text(encoding="utf-8").splitlines()
    assert len(found) >= 8
    for line in found:
        setting, position, then = line.split(" | ")
        preset, seats = setting.split()
        now = legal(played(name, version, preset, int(seats)).position(position))
        assert now == then, f"{position}\nThis was released as version {version} of {name}. Raise the version where it must change."


def test_every_released_version_is_pinned() -> None:
    assert {path.name for path in GOLDEN.glob("*-rules-*.txt")} == {file(*ruleset).name for ruleset in RULESETS}
