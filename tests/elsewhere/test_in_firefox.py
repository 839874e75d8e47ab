"""Conditions of the page in Firefox: the step back, and a clock that is wrong. One browser runs all."""

from typing import Any

import pytest

from tests.elsewhere.test_clock_of_the_client import HOUR, SHIFTED, now
from tests.elsewhere.test_many_tabs import SEAT
from tests.helpers.page.firefox import Step, told
from tests.helpers.page.tour import FACES
from tests.helpers.server.child import Child

NOTHING_OVER = "() => !document.querySelector('dialog, nav:popover-open')"
TO_TABLE = "() => void setTimeout(() => location.assign(`/t/${localStorage.table}`))"
# When cuts for tomorrow close.
CLOSES = """{
  const { fetch } = globalThis;
  globalThis.fetch = async (what, ...how) => {
    const answer = await fetch(what, ...how);
    if (what !== "/api/daily") return answer;
    const told = await answer.json();
    return new Response(JSON.stringify({ ...told, tomorrow: { ...told.tomorrow, closes_at: %d } }), { headers: answer.headers });
  };
}"""


def back(address: str) -> list[Step]:
    path: Step = ("", "run", "() => location.pathname.slice(0, 3)")
    closed: Step = ("", "until", NOTHING_OVER)
    return [
        ("", "go", f"{address}/"),
        ("", "run", f"async (game) => {{ localStorage.table = await ({SEAT})(game); }}", [FACES]),
        ("", "run", TO_TABLE),
        ("", "wait", ".board .card-button.legal"),
        ("", "click", ".bar .more"),
        ("", "wait", "nav:popover-open"),
        ("", "back"),
        closed,
        path,
        ("", "press", "?"),
        ("", "wait", "dialog[open]"),
        ("", "back"),
        closed,
        path,
        ("", "press", "?"),
        ("", "wait", "dialog[open]"),
        ("", "press", "Escape"),
        closed,
        path,
        ("", "back"),
        ("", "until", "() => location.pathname === '/'"),
    ]


def clock(address: str, ahead: int, closes: int) -> list[Step]:
    return [
        ("", "before", SHIFTED % (ahead, ahead)),
        ("", "before", CLOSES % closes),
        ("", "go", f"{address}/daily"),
        ("", "wait", "main section"),
        ("", "run", "() => document.querySelector('#daily-cut') !== null"),
    ]


@pytest.mark.asyncio(loop_scope="session")
async def test_the_conditions_of_the_page(house: Child, subtests: pytest.Subtests) -> None:
    found: dict[str, list[Any]] = await told(
        {
            "back": back(house.address),
            "a clock ahead": clock(house.address, 26 * HOUR, now() + HOUR),
            "a clock behind": clock(house.address, -26 * HOUR, now() - HOUR),
        }
    )
    wanted: dict[str, list[Any]] = {"back": [None, None, "/t/", "/t/", "/t/"], "a clock ahead": [True], "a clock behind": [False]}
    for story, results in wanted.items():
        with subtests.test(story):
            assert found[story] == [*results, []]
