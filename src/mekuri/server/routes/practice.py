"""Practice: one's own mistakes as questions."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post

from mekuri.protocol import practice as wire
from mekuri.server.routes.dependencies import Visiting, body, refusals

NewTry = Annotated[wire.AskTry, body(wire.AskTry(table="b7Zk2QxWm0Ra", round=1, number=2, tries=0, action="7I"))]


@get("/", summary="How my practice stands", operation_id="practice", responses=refusals())
async def show_practice(visitor: Visiting) -> wire.Practice:
    """How many of your own mistakes are to be asked now, and when the next one is."""
    return await visitor.tables.practice.standing(visitor.guest.id)


@post("/", summary="Look for my mistakes", operation_id="search_mistakes", responses=refusals(), status_code=200)
async def search_mistakes(visitor: Visiting) -> wire.Practice:
    """Look for mistakes in the rounds that you have played, the newest first. Where one has not been reviewed, it is.

    That is done in the background, out of your budget of processor time, one round after the other: ask again after a moment,
    until `rounds` is 0.
    """
    return await visitor.tables.practice.search(visitor.guest.id)


@get("/question", summary="The next question", operation_id="question", responses=refusals())
async def show_question(visitor: Visiting) -> wire.NextQuestion:
    """The mistake that has been due for longest, as your seat saw the table then."""
    return await visitor.tables.practice.question(visitor.guest.id)


@post("/tries", summary="Answer a question", operation_id="try_question", responses=refusals(404, 409, body=True), status_code=200)
async def try_question(data: NewTry, visitor: Visiting) -> wire.Tried:
    """Say what you would do. After a first try that is wrong there is a hint and a second one.

    How soon the question comes back hangs on how it was answered. The same try sent again gets the same answer, and counts once.
    """
    return await visitor.tables.practice.attempt(visitor.guest.id, data)


router = Router("/api/practice", route_handlers=[show_practice, search_mistakes, show_question, try_question], tags=["practice"])
