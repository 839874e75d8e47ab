"""Tables of seeded deals at every kind of question, as a page receives them: the same in every run, and without a server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from playwright.async_api import BrowserContext

from mekuri import games
from mekuri.bots.player import Player
from mekuri.bots.registry import characters
from mekuri.engine.contract import Contract
from mekuri.match.deals import SeedDeals
from mekuri.match.view import View
from mekuri.protocol import table as wire
from mekuri.protocol.coding import encode
from mekuri.protocol.library import worths
from mekuri.table import commands
from mekuri.table.seating import PERSON
from mekuri.table.showing import show
from mekuri.table.table import Table

YOU, YOURS = "you", 0  # the person who looks, and their seat
TURN = "prompts.play hand"  # the most common kind of question
LOG = 40  # events that the page receives
MATCHES = 6  # matches that are played to find kinds of questions
ROUNDS = 2  # rounds of each match
STEPS = 4000  # steps after which a match is abandoned
STARTED = 1_700_000_000_000  # milliseconds since 1970

# A stream that stays open without messages. A mocked response would end at once, and on a slow machine might be missed.
SILENCE = """{
  const { fetch } = globalThis;
  globalThis.fetch = (what, ...how) =>
    String(what).startsWith("/api/stream") ? Promise.resolve(new Response(new ReadableStream())) : fetch(what, ...how);
}"""


# The server's answers by their paths, and a page that has come to the table's address. Nothing is caught on its way to the server:
# where it is, the browser keeps none of the page's scripts.
ANSWERED = """([bodies, path]) => {
  if (!location.protocol.startsWith("http")) return;
  history.replaceState(null, "", path);
  const { fetch } = globalThis;
  const headers = { "content-type": "application/json" };
  globalThis.fetch = (what, ...how) => {
    const body = bodies[new URL(what, location.origin).pathname];
    return body ? Promise.resolve(new Response(body, { headers })) : fetch(what, ...how);
  };
}"""


class Staged(NamedTuple):
    """A table to be shown.

    Attributes:
        name: the kind of its question, or `over` for a finished round.
        table: the table.
        events: the events of the round.
        worths: what its cards count.
    """

    name: str
    table: wire.Table
    events: list[wire.Event]
    worths: wire.Worths


def kind(view: View) -> str:
    """Return the kind of a question: its text, and the kinds of zones where its answers lie."""
    legal = {each.action for each in view.legal}
    where = sorted({zone.kind for zone in view.zones if legal.intersection(str(card) for card in zone.cards if card is not None)})
    return " ".join([view.prompt.id if view.prompt else "", *where])


def crowded(view: View) -> int:
    """Return how many cards lie in grids and in the viewer's hand, with the numbers of legal actions and of zones with cards."""
    played = [zone for zone in view.zones if zone.layout == "grid" or (zone.owner == view.you and zone.kind == "hand")]
    return sum(len(zone.cards) for zone in played) + len(view.legal) + sum(bool(zone.cards) for zone in view.zones)


def captured(view: View) -> int:
    """Return how many captured cards and cards with bets there are, where the viewer has a choice; else 0."""
    return sum(len(zone.cards) for zone in view.zones if zone.kind in ("captured", "bet")) if len(view.legal) > 1 else 0


@cache
def staged(game: str, seats: int, preset: str = "default") -> tuple[Staged, ...]:
    """Return the fullest table of every kind of question, one late in a round for turns, and a finished round."""
    found: dict[str, tuple[int, Staged]] = {}
    for table in (table for seed in range(MATCHES) for table in played(game, seats, seed, preset)):
        view = show(table, YOURS).view
        assert view, "a match that runs"
        asked = "over" if view.over else kind(view)
        late = captured(view) if asked == TURN else 0
        for name, fullness in ((asked, crowded(view)), (f"{asked}, late", late)):
            if fullness and (name not in found or fullness > found[name][0]):
                found[name] = fullness, as_staged(name, table)
    return tuple(one for _, (_, one) in sorted(found.items()))


def as_staged(name: str, table: Table) -> Staged:
    """Return a table as it is now."""
    whole = show(table, YOURS)
    events = table.history.events(YOURS, max(0, whole.version - LOG)) or []
    return Staged(name, _in_company(whole), events, worths(whole.id, table.game))


def _in_company(whole: wire.Table) -> wire.Table:
    """Return the table with the game's characters as its bots. If they played, they would think for too long."""
    who = [bot.id for bot in characters(games.find(whole.game))]
    seats = [replace(one, bot=who[one.seat % len(who)]) if one.bot else one for one in whole.head.seats]
    return replace(whole, head=replace(whole.head, seats=seats))


def played(game: str, seats: int, seed: int, preset: str = "default", person: str = "random") -> Iterator[Table]:
    """Yield the table whenever its person is asked for an action, and when a round is over.

    Args:
        game: the game.
        seats: the number of seats.
        seed: the seed of the deals.
        preset: the preset.
        person: the bot that acts for the person.
    """
    others = ["greedy"] * (seats - 1)
    asked = wire.AskTable(game=game, preset=preset, seats=[PERSON, *others], first_dealer=seed % seats)
    table = commands.make(f"staged{seed}", bytes(32), asked, YOU, STARTED, deals=SeedDeals(seed))
    commands.sit(table, YOU, "", wire.AskSeat(), STARTED)
    contract: Contract = games.find(game)
    player = Player(person, b"%d" % seed, contract)
    at = STARTED
    for _ in range(STEPS):
        at += 1
        if table.state != "running" or table.head.round > ROUNDS:
            return
        if table.running.over:
            yield table
            commands.ready(table, YOU, wire.AskReady(round=table.head.round), at)
        elif YOURS in table.running.waiting:
            yield table
            action = table.running.action_text(player.choose(table.running.hidden(YOURS), YOURS))
            commands.play(table, YOU, wire.AskAction(version=table.version(YOURS), action=action), at)
        else:
            turn = commands.bot_turn(table, at + 10**9)
            assert turn, "somebody owes a turn"
            commands.bot_answer(table, at + 10**9, turn, commands.think(turn))


async def stage(context: BrowserContext, each: Staged) -> str:
    """Make the pages of a browser context receive this table without further events. Returns the path at which it is shown."""
    await context.add_init_script(script_of(each))
    return "/"


def script_of(each: Staged) -> str:
    """Return the script, to run before those of the page at `/`, by which a page receives this table."""
    bodies = {path: encode(body).decode() for path, body in answers(each).items()}
    arguments = msgspec.json.encode([bodies, address(each)]).decode()
    return f"{SILENCE}\n({ANSWERED})({arguments})"


def address(each: Staged) -> str:
    """Return the path of the table's page."""
    return f"/t/{each.table.id}"


def answers(each: Staged) -> dict[str, msgspec.Struct]:
    """Return the server's answers about this table, by path."""
    here = f"/api/tables/{each.table.id}"
    return {here: each.table, f"{here}/events": wire.Events(events=each.events, table=each.table), f"{here}/cards": each.worths}
