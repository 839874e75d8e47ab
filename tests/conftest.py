"""Options and fixtures of the tests."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import date
from difflib import unified_diff
from functools import cache, wraps
from inspect import iscoroutinefunction
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

from mekuri.engine.entry import Entry
from mekuri.server.storage import sqlite
from mekuri.terminal.base import line
from tests.helpers.patience import PATIENCE

pytest_plugins = ["tests.helpers.order", "tests.helpers.prices", "tests.helpers.page.opening"]

CHECKS = "mekuri.testing."
GOLDEN = Path(__file__).parent / "golden"

# The person who runs the tests may have settings for a server. The servers of the tests must not read them.
os.environ["MEKURI_SETTINGS"] = os.devnull

# However slow a busy machine is, nothing is wrong with what is tried on it.
settings.register_profile("mekuri", deadline=None)
settings.load_profile("mekuri")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--postgresql", action="store_true", help="run the tests of the server on PostgreSQL, not on SQLite")
    parser.addoption("--golden-write", action="store_true", help="write the files of tests/golden anew instead of comparing")
    parser.addoption("--source-texts", type=Path, help="folder of the texts that the rule books cite, which are not part of Mekuri")


def pytest_configure() -> None:
    # A process started in the background may have inherited ignored interrupts. It would pass them on to every process that a test
    # starts and interrupts.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header(config: pytest.Config) -> str:
    left = [option for option in ("--slow", "--soak") if not (config.getoption(option) or config.getoption("--soak"))]
    turns = f"turns as with --day={config.getoption('--day')}"
    return f"left out: what runs with {' or '.join(left)} only; {turns}" if left else "nothing is left out"


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make no tests of the parameters that are left out: of many tests only a few of their many settings are run in short."""
    out = {name for name in ("slow", "soak") if not (metafunc.config.getoption(f"--{name}") or metafunc.config.getoption("--soak"))}
    for each in metafunc.definition.iter_markers("parametrize"):
        # Ids in a row would be too many: where there are such, all stay.
        rows = each.args[1] if len(each.args) > 1 and callable(each.kwargs.get("ids", str)) else None
        if isinstance(rows, list):
            rows[:] = [row for row in rows if out.isdisjoint(mark.name for mark in getattr(row, "marks", ()))] or rows


def pytest_itemcollected(item: pytest.Item) -> None:
    """End an asynchronous test that waits for an event that does not come. Its traceback names the place."""
    if isinstance(item, pytest.Function) and iscoroutinefunction(run := item.obj):

        @wraps(run)
        async def limited(*arguments: Any, **named: Any) -> None:
            async with asyncio.timeout(3 * PATIENCE):
                await run(*arguments, **named)

        item.obj = limited


@pytest.hookimpl(wrapper=True)
def pytest_assertrepr_compare(op: str, left: object, right: object) -> Generator[None, object, object]:
    """Name the first byte in which files differ. With `CI` set, pytest looks for all differences, which may take an hour."""
    if op == "==" and isinstance(left, bytes) and isinstance(right, bytes) and len(left) + len(right) > 5000:
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
        at = sum(1 for _ in shared)
        raise AssertionError(f"{len(left)} bytes and {len(right)} bytes differ at {at}: {left[at:][:20]!r}, {right[at:][:20]!r}")
    return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    soak, slow = config.getoption("--soak"), config.getoption("--slow") or config.getoption("--soak")
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        left_out: object = (item.get_closest_marker("soak") and not soak) or (item.get_closest_marker("slow") and not slow)
        left_out = left_out or item.get_closest_marker("sqlite" if config.getoption("--postgresql") else "postgresql")
        (left if left_out else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = sorted(kept, key=compiled_game)
    for item in items:
        if game := compiled_game(item):
            item.add_marker(pytest.mark.xdist_group(game))


def pytest_collection_finish() -> None:
    # So many tests are there from now on that to look for garbage among them takes a twentieth of the time.
    gc.freeze()


def compiled_game(item: pytest.Item) -> str:
    """The game whose rules a test runs compiled, for all tests of a module with entries; of others what comes before every name.

    To make machine code of a game's rules takes long, and happens once in a process, whatever runs them there: so one process runs
    all tests of a game, in a row.
    """
    if not isinstance(item, pytest.Function):
        return ""
    if not item.get_closest_marker("machine_code") and not _has_entries(item.module):
        return ""
    chosen = item.callspec.params if hasattr(item, "callspec") else {}
    game = chosen.get("game", chosen.get("name", item.path.stem.removeprefix("test_").split("_")[0]))
    return str(getattr(game, "id", game))


@cache
def _has_entries(module: ModuleType) -> bool:
    """Whether a module has entries, or calls checks that do."""
    of_checks = [value for value in vars(module).values() if isinstance(value, ModuleType) and value.__name__.startswith(CHECKS)]
    return any(isinstance(value, Entry) for one in (module, *of_checks) for value in vars(one).values())


@pytest.fixture(scope="session", autouse=True)
def _nothing_outlives_the_machine() -> Iterator[None]:
    """No database of a test needs to survive a loss of power: without waiting for the disk, tests take less time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "SYNCHRONOUS", "OFF")
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_answer_is_late() -> Iterator[None]:
    """Here a server and its client share a process. While it is busy, a late answer is no timeout."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line, "_PATIENCE", None)
        yield


@pytest.fixture
def in_full(request: pytest.FixtureRequest) -> bool:
    """Whether a test that can be long or short is to be long."""
    return bool(request.config.getoption("--slow") or request.config.getoption("--soak"))


@pytest.fixture
def days_turn(request: pytest.FixtureRequest, in_full: bool) -> Callable[[Sequence[Any], int], Sequence[Any]]:
    """Pick the parameters of this day, every `of`-th, or all with --slow: `of` days cover all of them."""
    day = date.fromisoformat(request.config.getoption("--day")).toordinal()
    if dear := request.node.get_closest_marker("every_days"):
        day //= dear.args[0]
    return lambda row, of: row if in_full else row[day % of :: of]


@pytest.fixture
def source_texts(request: pytest.FixtureRequest) -> Path:
    folder = request.config.getoption("--source-texts")
    if folder is None:
        pytest.skip("the source texts are not here: give their folder with --source-texts=DIR")
    assert isinstance(folder, Path)
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Hold a text against the file of a name in tests/golden, or write it there."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--golden-write"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"tests/golden/{name} is not there: write it with pytest --golden-write, and read it before you keep it")
        kept = path.read_text(encoding="utf-8")
        if kept != text:
            changes = list(
                unified_diff(kept.splitlines(), text.splitlines(), f"tests/golden/{name}", "as played now", lineterm="", n=2)
            )
            more = f"\n... and {len(changes) - 60} lines more" if len(changes) > 60 else ""
            pytest.fail(
                "\n".join(changes[:60]) + f"{more}\nIf this change is wanted: pytest --golden-write, and look at git diff.",
                pytrace=False,
            )

    return compare


@pytest.fixture(scope="session", autouse=True)
def _no_tokens(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The menu in the terminal asks the servers of stored tokens: tests must not ask those of the person who runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mekuri.terminal.base.kept.kept_file", lambda name: tmp_path_factory.getbasetemp() / "none" / name)
        yield


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every process that is started from here have the distribution in the folder `site`, a fixture of the module."""
    monkeypatch.setenv("PYTHONPATH", str(site))
    for name in [name for name in os.environ if name.startswith("PYTEST_")]:
        monkeypatch.delenv(name)
