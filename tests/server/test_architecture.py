"""What docs/architecture.md claims: the layers, the names, and the order of calls in a round that is played."""

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import resolve_name
from types import FrameType

from tests.helpers.folders import CHECKOUT, DOCS
from tests.helpers.server.gathering import begun, choosing, hearing, post
from tests.helpers.server.serving import Guest

TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")


def way(title: str) -> list[str]:
    """Return the functions that a chapter of the page names, in order."""
    return re.findall(r"`(mekuri\.[\w.]+)`", TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0])


@contextmanager
def calls() -> Iterator[list[str]]:
    """A context manager that gives a list of the functions of Mekuri, in the order of all their calls in this thread."""
    made: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__") or ""
        if event == "call" and module.startswith("mekuri."):
            made.append(f"{module}.{frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield made
    finally:
        sys.setprofile(before)


def check(title: str, made: list[str]) -> None:
    """Check that the functions of a chapter were called in its order."""
    wanted = way(title)
    assert len(wanted) > 5
    left = iter(made)
    for name in wanted:
        assert name in left, f"{title}: {name} is not called after what stands before it"


def test_layers_are_those_of_import_linter() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [layer for contract in settings["contracts"] if contract["type"] == "layers" for layer in contract["layers"]]
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == layers


def test_each_named_function_exists() -> None:
    names = re.findall(r"`(mekuri\.[\w.]+)`", TEXT)
    assert len(names) > 20
    for name in names:
        resolve_name(name)


async def test_call_order_matches_the_document(people: list[Guest]) -> None:
    with calls() as made:
        table = await begun(people, "mushi")
    check("A deal", made)
    with calls() as made:
        async with hearing(people[0], table) as heard:
            await heard.count("table", 1)
    check("A stream", made)
    async with hearing(people[0], table) as heard:
        await heard.count("table", 1)
        guest, view = await choosing(table, people)
        with calls() as made:
            assert (await post(guest, table, view["version"], view["legal"][0]["action"])).status_code == 200
            await heard.count("event", 1)
    check("An action", made)
