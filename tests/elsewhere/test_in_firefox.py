"""Conditions of the page in Firefox, in one browser: keys, tabs, the step back, a wrong clock, names, two servers on one host."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.elsewhere.test_clock_of_the_client import HOUR, SHIFTED, now
from tests.elsewhere.test_keyboards import DIALOGS, FIFTH, PRESSED, RECORDED, expected
from tests.elsewhere.test_keyboards import arguments as pressed
from tests.elsewhere.test_many_tabs import COUNT, HAND, SEAT, TABS, running
from tests.elsewhere.test_names import FAMILY, NAMES
from tests.helpers.page.firefox import Step, run_stories
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child

Turn = Callable[[Sequence[Any], int], Sequence[Any]]

NAME = "main .name input"
KEPT = "main .name [role=status]"
ME = "() => fetch('/api/guests/me').then((reply) => reply.json()).then((reply) => reply.name)"
NOTHING_OVER = "() => !document.querySelector('dialog, nav:popover-open')"
TO_TABLE = "() => void setTimeout(() => location.assign(`/t/${localStorage.table}`))"
# When cuts for tomorrow close.
CLOSES = """{
  const { fetch } = globalThis;
  globalThis.fetch = async (what, ...how) => {
    const answer = await fetch(what, ...how);
    if (what !== "/api/daily") return answer;
    const body = await answer.json();
    return new Response(JSON.stringify({ ...body, tomorrow: { ...body.tomorrow, closes_at: %d } }), { headers: answer.headers });
  };
}"""


def at_table(address: str) -> list[Step]:
    """Sit down at a table, and wait until a card is to be played."""
    return [
        ("", "go", f"{address}/"),
        ("", "run", f"async (game) => {{ localStorage.table = await ({SEAT})(game); }}", [FACES]),
        ("", "run", TO_TABLE),
        ("", "wait", ".board .card-button.legal"),
    ]


def keyboards(address: str) -> list[Step]:
    """Press each recorded key, and close the dialog that it opens."""
    steps: list[Step] = [*at_table(address), ("", "wait", FIFTH)]
    for press in RECORDED:
        steps.append(("", "run", PRESSED, pressed(press)))
        if press.does in DIALOGS:
            steps += [("", "wait", DIALOGS[str(press.does)]), ("", "press", "Escape"), ("", "until", NOTHING_OVER)]
    return steps


def tabs(address: str) -> list[Step]:
    """Open tabs at one table one after the other. Gives back at last how many lines each has opened."""
    steps: list[Step] = [("0", "before", COUNT), *(("0", *step) for _, *step in at_table(address))]
    for tab in map(str, range(1, TABS)):
        steps += [(tab, "before", COUNT), (tab, "go", f"{address}/"), (tab, "run", TO_TABLE), (tab, "wait", HAND)]
    return [*steps, *((str(tab), "run", "() => lines") for tab in range(TABS))]


def back(address: str) -> list[Step]:
    path = ("", "run", "() => location.pathname.slice(0, 3)")
    return [
        *at_table(address),
        *(("", "click", ".bar .more"), ("", "wait", "nav:popover-open"), ("", "back"), ("", "until", NOTHING_OVER), path),
        *(("", "press", "?"), ("", "wait", "dialog[open]"), ("", "back"), ("", "until", NOTHING_OVER), path),
        *(("", "press", "?"), ("", "wait", "dialog[open]"), ("", "press", "Escape"), ("", "until", NOTHING_OVER), path),
        *(("", "back"), ("", "until", "() => location.pathname === '/'")),
    ]


def clock(address: str, ahead: int, closes: int) -> list[Step]:
    return [
        ("", "before", SHIFTED % (ahead, ahead)),
        ("", "before", CLOSES % closes),
        ("", "go", f"{address}/daily"),
        ("", "wait", "main section"),
        ("", "run", "() => document.querySelector('#daily-cut') !== null"),
    ]


def named(address: str, name: str) -> list[Step]:
    """Become a guest of a name at a server. Gives back the name as the field shows it before it is sent."""
    return [
        ("", "go", f"{address}/settings"),
        ("", "fill", NAME, name),
        ("", "run", "(what) => document.querySelector(what).value", NAME),
        ("", "press", "Enter"),
        ("", "until", f"() => document.querySelector({KEPT!r})?.textContent.trim() === 'Kept.'"),
    ]


def who(address: str) -> list[Step]:
    return [("", "go", f"{address}/settings"), ("", "run", ME)]


def two_servers(first: str, second: str) -> list[list[Step]]:
    return [named(first, "Aki"), named(second, "Ben"), who(first), who(second)]


@pytest.mark.every_days(4)
@pytest.mark.asyncio(loop_scope="session")
async def test_page_works_in_firefox(
    house: Child, other: Child, tmp_path: Path, days_turn: Turn, subtests: pytest.Subtests
) -> None:
    async with running(tmp_path / "named.db") as by_name:
        stories: dict[str, tuple[list[Step], list[Any]]] = {
            "keyboards": (keyboards(house.address), [None, None, *map(expected, RECORDED)]),
            "tabs": (tabs(by_name), [None] * (1 + TABS) + [1] + [0] * (TABS - 1)),
            "back": (back(house.address), [None, None, "/t/", "/t/", "/t/"]),
            "a clock ahead": (clock(house.address, 26 * HOUR, now() + HOUR), [True]),
            "a clock behind": (clock(house.address, -26 * HOUR, now() - HOUR), [False]),
            "names": ([*named(house.address, NAMES[-1] + FAMILY), ("", "run", ME)], [NAMES[-1], NAMES[-1]]),
            "two servers": (
                [step for steps in two_servers(house.address, other.address) for step in steps],
                ["Aki", "Ben", "Aki", "Ben"],
            ),
        }
        todays = days_turn(list(stories), 3)
        found = await run_stories({story: stories[story][0] for story in todays})
    for story in todays:
        with subtests.test(story):
            assert found[story] == [*stories[story][1], []]
