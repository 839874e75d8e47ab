"""The modules that `import mekuri` loads, and its cost."""

import os
import subprocess
import sys

import pytest

import mekuri

# Imports the modules that `import mekuri` itself imported up to version 0.2.0.
ALL = f"from mekuri import {', '.join(mekuri.__all__)}; import importlib.metadata"


def cost(*lines: str) -> list[float]:
    """Return the least processor time that a new Python takes for each line, in seconds, beyond its start. They are run in turn."""
    spent: dict[str, list[float]] = {line: [] for line in ("pass", *lines)}
    for _ in range(5):
        for line, times in spent.items():
            process = subprocess.Popen([sys.executable, "-c", line])
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = status
            assert status == 0, line
            times.append(used.ru_utime + used.ru_stime)
    start, *least = map(min, spent.values())
    return [each - start for each in least]


def test_import_costs_at_most_half_of_the_former_cost() -> None:
    now, before = cost("import mekuri", ALL)
    assert now <= before / 2


def test_import_loads_no_other_module_of_mekuri() -> None:
    looked = "import mekuri, sys; print([name for name in sys.modules if name.startswith('mekuri.')])"
    assert subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_own_game_is_found_without_looking_at_other_distributions() -> None:
    looked = "import mekuri, sys; mekuri.game('tensho'); print('importlib.metadata' in sys.modules, 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True).stdout == "False False\n"


def test_public_names_are_listed_before_their_first_use() -> None:
    looked = "import mekuri; print(set(mekuri.__all__) - set(dir(mekuri)), mekuri.games.names()[0], mekuri.cards.ALL > 0)"
    assert (
        subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True).stdout == "set() hiyoko True\n"
    )


def test_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'mekuri' has no attribute 'poker'"):
        mekuri.poker  # type: ignore[attr-defined]  # noqa: B018
