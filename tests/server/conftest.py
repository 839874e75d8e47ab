"""A separate log, server and guests for every test."""

import inspect
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from mekuri.server.storage.store import Store
from mekuri.table.time import Time
from mekuri.terminal.base import kept
from tests.helpers.pocket.worker import Wire, make_site, wired
from tests.helpers.server import databases
from tests.helpers.server.databases import ready
from tests.helpers.server.gathering import guests, party
from tests.helpers.server.serving import Guest, Serving, Shared, reached, serving
from tests.helpers.tables import USUAL
from tests.helpers.time import Counting


@pytest.fixture(scope="session", autouse=True)
def postgresql(request: pytest.FixtureRequest) -> Iterator[None]:
    """A PostgreSQL for all tests, where they are to run on one."""
    if not request.config.getoption("--postgresql"):
        yield
        return
    try:
        with databases.started() as databases.running:
            yield
    except FileNotFoundError as error:
        pytest.exit(f"no test was run on PostgreSQL: {error}", returncode=1)
    finally:
        databases.running = None


@pytest.fixture
def log_path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "for it" / "mekuri.db"


@pytest.fixture
async def store(log_path: Path) -> AsyncIterator[Store]:
    """Its clock says 1000 the first time it is asked, then 1001."""
    store = await Store.open(ready(log_path), time=Counting(1000))
    yield store
    await store.close()


@pytest.fixture
async def other(store: Store, log_path: Path) -> AsyncIterator[Store]:
    """A second one on the same file."""
    other = await Store.open(ready(log_path), store.time)
    yield other
    await other.close()


@pytest.fixture
def time() -> Time | None:
    """The time of the server: that of the event loop; a module may have its own."""
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `alone` over the worker of a page without a server, too, with --slow.

    The other tests ask for what such a page lacks: other devices, invitations and lists of open tables, limits by address, absence
    and turns by term, other processes, HTTP, the terminal. Or they reach into the process of the server, for its clock, database,
    cache or judge: most tests of practice, take-back, reviews that are made, windows, and the deals of the day.
    """
    if metafunc.definition.get_closest_marker("alone") and metafunc.config.getoption("--slow"):
        metafunc.parametrize("front", ["http", "worker"], indirect=True)


@pytest.fixture(scope="session")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """The worker of a page without a server, with every game."""
    with wired(make_site(tmp_path_factory.mktemp("site"))) as found:
        yield found


@pytest.fixture
def front(request: pytest.FixtureRequest) -> Wire | None:
    """The worker where a test runs over it; None for a server."""
    return request.getfixturevalue("wire") if getattr(request, "param", "http") == "worker" else None


@pytest.fixture
async def server(request: pytest.FixtureRequest, front: Wire | None, tmp_path: Path, time: Time | None) -> AsyncIterator[Shared]:
    """A server with the `SETTINGS` of the test's module, if it has any; or the worker of a page without a server."""
    if front:
        with reached(front) as address:
            yield Shared(address)
        return
    async with serving(tmp_path / "mekuri.db", time, **getattr(request.module, "SETTINGS", {})) as running:
        yield running


@pytest.fixture
async def _guests_leave() -> AsyncIterator[None]:
    before = set(Guest.open)
    yield
    for guest in Guest.open - before:
        await guest.close()


@pytest.fixture(autouse=True)
def _no_guest_stays(request: pytest.FixtureRequest) -> None:
    """Close the connections of all guests at the end of a test."""
    if inspect.iscoroutinefunction(request.function):
        request.getfixturevalue("_guests_leave")


@pytest.fixture
def name() -> str:
    """The game that is played; a test over several games has its own."""
    return USUAL


@pytest.fixture
async def people(server: Serving, name: str) -> AsyncIterator[list[Guest]]:
    """Two guests, or as many as the game needs."""
    async with guests(server, *party(name)) as found:
        yield found


@pytest.fixture
def aki(people: list[Guest]) -> Guest:
    return people[0]


@pytest.fixture
def ben(people: list[Guest]) -> Guest:
    return people[1]


@pytest.fixture(autouse=True)
def own_tokens(tmp_path: Path) -> Iterator[Path]:
    """The file of the terminal's tokens: the real file of the person who runs the tests is never touched."""
    file = tmp_path / "data" / "tokens.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "kept_file", file.with_name)
        yield file
