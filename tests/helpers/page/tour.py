"""Every screen of the page, and how to get there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import Page

from mekuri import games
from mekuri.engine.puzzles import puzzles
from mekuri.protocol.library import game_info
from tests.helpers.page.dailies import compared, tried
from tests.helpers.page.hands import CARDS, WORDS
from tests.helpers.page.reviewing import asked_again, reviewed
from tests.helpers.page.staging import (
    Json,
    brought,
    call,
    match_over,
    play_until,
    round_over,
    seated,
    settled,
    to_answer,
    to_choose,
    to_play,
)
from tests.helpers.tables import USUAL

Go = Callable[[Page, str], Awaitable[str]]


@dataclass(frozen=True)
class Station:
    """A screen of the page.

    Attributes:
        name: its name.
        go: brings about what the screen shows for a game, and returns the path.
        ready: a selector of what is there when the screen is complete.
        each: whether every game has a screen of its own.
        pictured: whether every game has a picture of its own.
    """

    name: str
    go: Go
    ready: str
    each: bool = True
    pictured: bool = False


def short(game: str) -> dict[str, str]:
    """Return the options of the shortest match."""
    return {option.name: str(option.least) for option in game_info(games.find(game)).match_options if not option.values}


def usual(game: str) -> list[str]:
    """Return a person and as many random bots as the game has seats usually."""
    return ["person"] + ["random"] * (games.find(game).seats[0] - 1)


def fewest(game: str) -> list[str]:
    """Return a person and as few random bots as the game allows."""
    return ["person"] + ["random"] * (min(games.find(game).seats) - 1)


def of_shape(shape: str) -> str:
    """Return a game whose table has this shape."""
    return next(game for game in games.names() if games.find(game).shape == shape)


SHAPES = sorted({games.find(game).shape for game in games.names()})
# For tests of the page and not of a game: two seats face to face, with hands, a field and captured cards.
FACES = USUAL


def at(path: str) -> Go:
    async def go(page: Page, game: str) -> str:
        return path.format(game=game)

    return go


async def remembered(page: Page) -> None:
    """Let the browser know that it has a guest."""
    await page.goto("/rules")
    await page.evaluate('localStorage.setItem("mekuri-guest", "known")')


async def home(page: Page, game: str) -> str:
    """Begin a game as a guest, and make a public table that waits for people."""
    await turn(page, game)
    await remembered(page)
    await call(page.context, "POST", "/api/tables", {"game": game, "seats": ["person"] * len(fewest(game)), "public": True})
    return "/"


async def home_three(page: Page, game: str) -> str:
    """Begin three games as a guest."""
    for name in [game, *(name for name in games.names() if name != game)][:3]:
        await turn(page, name)
    await remembered(page)
    return "/"


async def yourself(page: Page, game: str) -> str:
    """Become a guest with a second device."""
    await call(page.context, "POST", "/api/guests", {"name": "Aki"})
    code = (await call(page.context, "POST", "/api/guests/code"))["code"]
    await call(page.context, "POST", "/api/guests/devices", {"code": code, "replace": True})
    await remembered(page)
    return "/you"


async def nothing_played(page: Page, game: str) -> str:
    """Become a guest who has finished no match."""
    await call(page.context, "POST", "/api/guests", {"name": "Aki"})
    return "/matches"


async def played(page: Page, game: str) -> str:
    """Become a guest with finished matches."""
    await match_end(page, game)
    await match_end(page, game)
    await remembered(page)
    return "/matches"


async def with_friends(page: Page, game: str) -> str:
    return f"/t/{await seated(page.context, game, ['person'] * len(usual(game)))}"


async def turn(page: Page, game: str) -> str:
    """Play to the person's turn some way into the round, or to any turn in a side game, in which only words are played."""
    wanted = to_answer if games.find(game).side else to_play
    return f"/t/{await brought(page.context, game, usual(game), wanted)}"


async def choice(page: Page, game: str) -> str:
    return f"/t/{await brought(page.context, game, usual(game), to_choose)}"


async def round_end(page: Page, game: str) -> str:
    table = await seated(page.context, game, usual(game))
    await play_until(page.context, table, round_over)
    return f"/t/{table}"


async def match_end(page: Page, game: str) -> str:
    table = await seated(page.context, game, fewest(game), match_options=short(game))
    await play_until(page.context, table, match_over)
    return f"/t/{table}"


async def replay(page: Page, game: str) -> str:
    """Play a round, and show it at a moment when the seat has cards in hand, where it ever has any."""
    table = await seated(page.context, game, fewest(game))
    await play_until(page.context, table, round_over)
    replayed = await call(page.context, "GET", f"/api/tables/{table}/rounds/1?seat=0")
    moments = range(1, len(replayed["events"]) + 1)
    held = [n for n, event in zip(moments, replayed["events"], strict=True) if any(map(in_hand, event["view"]["zones"]))] or moments
    return f"/t/{table}/rounds/1?seat=0#{held[len(held) // 3]}"


def in_hand(zone: Json) -> bool:
    """Return whether a zone is the first seat's hand, with cards in it."""
    return zone["owner"] == 0 and zone["kind"] == "hand" and bool(zone["cards"])


async def review(page: Page, game: str) -> str:
    """Play a match, and show the summary of a review, after its questions."""
    return f"{await reviewed(page, await match_end(page, game))}#told"


async def questions(page: Page, game: str) -> str:
    """Play a match, and show the first question of a review."""
    return await reviewed(page, await match_end(page, game))


async def practice(page: Page, game: str) -> str:
    """Play a match, and show a mistake that is asked again."""
    address = await asked_again(page, await match_end(page, game))
    await remembered(page)
    return address


async def puzzle(page: Page, game: str) -> str:
    """Show the easiest puzzle of a game."""
    found = puzzles(games.find(game))
    assert found
    return f"/puzzles/{game}#{found.puzzles[0].id}"


async def daily(page: Page, game: str) -> str:
    """Show the deals of the day, one of them played by the user and others, and one begun."""
    await tried(page, game)
    await compared(page, game)
    begun = next(name for name in games.names() if name != game and games.find(name).levels != ())
    await call(page.context, "POST", f"/api/daily/{begun}")
    return "/daily"


TOUR = (
    Station("home", home, "main article + *, main li article", each=False),
    Station("home-new", at("/"), ".deal-in", each=False),
    Station("home-three", home_three, "[role=tab]", each=False),
    Station("new", at("/new/{game}"), "main form fieldset"),
    Station("friends", with_friends, "main input[readonly]", each=False),
    Station("table", turn, f"{CARDS}, {WORDS}", pictured=True),
    Station("choice", choice, ".board .card-button[aria-disabled]"),
    Station("round", round_end, ".result .sheet", pictured=True),
    Station("match", match_end, ".result .sheet", each=False),
    Station("replay", replay, ".replay .steps"),
    Station("review", review, "main dl", each=False),
    Station("question", questions, ".moment .board .legal, .moment .board .words button", each=False),
    Station("practice", practice, ".moment .board .legal, .moment .board .words button", each=False),
    Station("puzzles", at("/puzzles/{game}"), "main ol a", each=False),
    Station("puzzle", puzzle, ".moment .board .legal, .moment .board .words button", each=False),
    Station("daily", daily, "main article svg", each=False),
    Station("rules", at("/rules"), "main li h2", each=False),
    Station("book", at("/rules/{game}"), "main article"),
    Station("presets", at("/rules/{game}/presets"), "main table", each=False),
    Station("learn", at("/learn/{game}"), ".lesson .question", each=False),
    Station("settings", at("/settings"), "main fieldset", each=False),
    Station("you", yourself, "main section li", each=False),
    Station("matches", played, "main section li .head", each=False),
    Station("no-matches", nothing_played, "main .empty", each=False),
    Station("missing", at("/nowhere"), "main a.button", each=False),
)
STOPS = [
    (station, name)
    for station in TOUR
    for name in (games.names() if station.each else [FACES])
    if station.go is not choice or not games.find(name).side  # side games have no cards to play, and so none that is not legal
]


async def show(page: Page, station: Station, game: str) -> None:
    """Open a screen, and wait until it is complete."""
    await page.goto(await station.go(page, game))
    await whole(page, station)


async def whole(page: Page, station: Station) -> None:
    """Wait until a screen is complete."""
    await page.locator(station.ready).first.wait_for(state="attached")
    await settled(page)
