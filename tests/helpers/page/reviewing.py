"""Reviews for the page, made with few play-outs: the page does not depend on the figures."""

from __future__ import annotations

import json
from asyncio import Semaphore

from playwright.async_api import Page, Route

from mekuri.bots.review import review
from mekuri.match.replay import replay
from mekuri.protocol.coding import to_builtins
from tests.helpers.page.staging import Json, call

FEW = (8, 100)  # play-outs and positions of hindsight for each decision


async def reviewed(
    page: Page,
    address: str,
    seat: int = 0,
    first: tuple[Json, ...] = (),
    older: bool = False,
    gate: Semaphore | None = None,
) -> str:
    """Make the page receive a review of the first round of a finished match. Returns the review's path.

    Args:
        page: the page.
        address: the address of the table.
        seat: the seat that is reviewed.
        first: answers before the review, each with how far the review is.
        older: whether an earlier judge made it, until it is made again.
        gate: a semaphore that each answer acquires; if left out, all answers arrive at once.
    """
    table = address.rpartition("/")[2]
    found = {"done": 0, "total": 0, "review": await verdict(page, table, seat)}
    answers = [*({"review": None, **one} for one in first), found]

    async def answer(route: Route) -> None:
        if gate:
            await gate.acquire()
        reply = answers.pop(0) if len(answers) > 1 else answers[0]
        again = "again=true" in route.request.url
        await route.fulfill(json={"table": table, "round": 1, "seat": seat, "older": older and not again, **reply})

    await page.route(f"**/api/tables/{table}/rounds/1/review?seat={seat}*", answer)
    return f"/t/{table}/rounds/1/review?seat={seat}"


async def verdict(page: Page, table: str, seat: int = 0, mistakes: int = 0) -> Json:
    """Return a review of the first round of a finished match, in which the first `mistakes` decisions are labelled as mistakes."""
    record = json.dumps(await call(page.context, "GET", f"/api/tables/{table}/record"))
    found: Json = json.loads(json.dumps(to_builtins(review(replay(record).finished[0], seat, *FEW))))
    for moment in found["moments"][:mistakes]:
        other = next(choice["action"] for choice in moment["choices"] if choice["action"] != moment["action"])
        moment.update(label="mistake", best=other, cost={"mean": 1.5, "least": 1, "most": 2})
    return found


async def asked_again(page: Page, address: str) -> str:
    """Make the page ask a decision of the first round of a finished match again. Returns the path of the question."""
    table = address.rpartition("/")[2]
    moment = (await verdict(page, table, mistakes=1))["moments"][0]
    replayed = await call(page.context, "GET", f"/api/tables/{table}/rounds/1?seat=0")
    event = [each for each in replayed["events"] if each["kind"] == "play"][moment["seen"] - 1]
    place = {"table": table, "game": (await call(page.context, "GET", f"/api/tables/{table}"))["game"], "round": 1, "seat": 0}
    question = {**place, "number": 1, "tries": 0, "choices": moment["choices"], "event": event, "hint": None}
    standing = {"due": 1, "kept": 1, "next": None, "rounds": 0, "done": 0, "total": 0}
    await page.route("**/api/practice", lambda route: route.fulfill(json=standing))
    await page.route("**/api/practice/question", lambda route: route.fulfill(json={"question": question}))
    return "/practice"
