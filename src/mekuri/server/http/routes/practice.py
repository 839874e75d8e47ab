"""Routes of practice: questions about one's own mistakes."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post

from mekuri.protocol import practice as wire
from mekuri.server.http.routes.dependencies import Visiting, body, refusals

NewTry = Annotated[wire.AskTry, body(wire.AskTry(table="b7Zk2QxWm0Ra", round=1, number=2, tries=0, action="7I"))]


@get("/", summary="The state of my practice", operation_id="practice", responses=refusals())
async def show_practice(visitor: Visiting) -> wire.Practice:
    """Return how many of your mistakes are due as questions now, and when the next one will be."""
    return await visitor.tables.practice.standing(visitor.guest.id)


@post("/", summary="Look for my mistakes", operation_id="search_mistakes", responses=refusals(), status_code=200)
async def search_mistakes(visitor: Visiting) -> wire.Practice:
    """Search your finished rounds for mistakes, the newest first. A round that has not been reviewed is reviewed first.

    Reviews are made in the background, one round after the other, from your budget of processor time: repeat the request after a
    moment, until `rounds` is 0.
    """
    return await visitor.tables.practice.search(visitor.guest.id)


@get("/question", summary="The next question", operation_id="question", responses=refusals())
async def show_question(visitor: Visiting) -> wire.NextQuestion:
    """Return the question that has been due for longest: the decision, and the table as your seat saw it then."""
    return await visitor.tables.practice.question(visitor.guest.id)


@post("/tries", summary="Answer a question", operation_id="try_question", responses=refusals(404, 409, body=True), status_code=200)
async def try_question(data: NewTry, visitor: Visiting) -> wire.Tried:
    """Answer a question. After a wrong first answer there is a hint and a second try.

    The answer decides when the question comes back. The same request sent again gets the same response, and counts once.
    """
    return await visitor.tables.practice.attempt(visitor.guest.id, data)


router = Router("/api/practice", route_handlers=[show_practice, search_mistakes, show_question, try_question], tags=["practice"])
