"""Routes of tables: to make one, list them, sit down and play."""

from __future__ import annotations

from msgspec.structs import replace

from mekuri.desk.desk import Desk
from mekuri.desk.homes import at_home
from mekuri.desk.route import Route, Visitor, param
from mekuri.desk.routes.lists import list_tables
from mekuri.desk.tables import id_for, new_id
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.commands import seat_of
from mekuri.table.errors import ProblemError
from mekuri.table.events import UNTIMED_MS
from mekuri.table.log import Conflict
from mekuri.table.seating import PERSON
from mekuri.table.session import new_match
from mekuri.table.table import Table

# --- Making a table, and looking at one ---


async def make_table(desk: Desk, who: Visitor, asked: wire.AskTable, idempotency_key: str | None = None) -> bytes:
    """Make a table. Its id is the invitation: all who have it may watch, and sit down where a seat is free.

    The commitment in its head binds every shuffle of the match before any player has cut. The maker has no seat yet: sit down next.
    """
    person, key = who.guest.id, idempotency_key
    if desk.alone and (asked.public or asked.term):
        raise ProblemError("needs-server")
    id = id_for(person, asked, key) if key else new_id()
    if key and await desk.store.match(id):
        return await show_table(desk, id, who)
    async with desk.room(person):
        window, pace = (round(seconds * 1000) for seconds in (desk.options.window, desk.options.pace))
        if desk.alone and (asked.seats or []).count(PERSON) > 1:
            window = UNTIMED_MS  # each has to take the device first
        root, at = desk.draw_root(), desk.time.now()
        table = commands.make(id, root, asked, person, at, window=window, deals=desk.deals(root), pace=pace)
        if not desk.bots_alone and all(sitter.kind != PERSON for sitter in table.seats):
            raise ProblemError("no-person")  # a match without people would never end
        new = replace(new_match(table), household=desk.lobby.household(who.address) if asked.public else None)
        try:
            await desk.store.add_match(new)
        except Conflict:  # the same request has been faster, here or at another process
            if not key:
                raise
    return await show_table(desk, id, who)


@at_home
async def show_table(desk: Desk, id: str, who: Visitor) -> bytes:
    """Return the table as you see it: from your seat, or as a spectator."""
    return await desk.tables.read(id, lambda live, table: live.whole(seat_of(table, who.id)), who.id)


# --- Sitting and playing ---


@at_home
async def sit_down(desk: Desk, id: str, who: Visitor, asked: wire.AskSeat) -> bytes:
    """Take a free seat, or take yours back from the bot that held it. When the last seat is taken, the match begins."""
    person, name = who.guest.id, who.guest.name
    await desk.tables.do(id, person, commands.sit, name, asked)
    # The guest may have been renamed since the request began.
    if await desk.store.names([person]) != {person: name}:
        await desk.tables.rename({person})
    return await show_table(desk, id, who)


@at_home
async def free_seat(desk: Desk, id: str, who: Visitor, asked: wire.AskFree) -> bytes:
    """Free the seat of another person at a table that you have made, before the match begins; optionally keep that person out.

    All people at the table are notified. Once the match has begun, a bot plays for an absent person, and no seat can be freed.
    The same request sent again changes nothing.
    """
    await desk.tables.do(id, who.guest.id, commands.free, asked)
    return await show_table(desk, id, who)


@at_home
async def leave_seat(desk: Desk, id: str, who: Visitor) -> bytes:
    """Leave your seat. A bot plays on if other people play with you; otherwise the match is abandoned."""
    await desk.tables.do(id, who.guest.id, commands.leave)
    return await show_table(desk, id, who)


@at_home
async def play_action(desk: Desk, id: str, who: Visitor, asked: wire.AskAction) -> wire.Answer:
    """Do one of the view's legal actions. The same action sent again gets the same response, and is done once.

    `version` is that of the view it responds to. A different action for the same decision is answered 409.
    """
    answer = await desk.tables.do(id, who.guest.id, commands.play, asked)
    desk.counts.move()
    return answer


@at_home
async def ask_next(desk: Desk, id: str, who: Visitor, asked: wire.AskReady) -> bytes:
    """Ask for the next round, or for the end of the match. Either happens when all players who are present have asked for it."""
    await desk.tables.do(id, who.guest.id, commands.ready, asked)
    return await show_table(desk, id, who)


@at_home
async def take_back(desk: Desk, id: str, who: Visitor, asked: wire.AskTakeBack) -> bytes:
    """Undo your last choice in the round, where all other seats are bots; the same cards come again.

    From then on the match is `practice` and counts in no statistics. Up to 99 times a table; a request sent again with the same
    version counts once.
    """
    await desk.tables.do(id, who.guest.id, commands.take_back, asked)
    return await show_table(desk, id, who)


@at_home
async def let_bot_play(desk: Desk, id: str, who: Visitor) -> bytes:
    """Have a bot play for each player who has let you wait for too long (`stalled_at` of the presence), until that player acts.

    It is refused at tables that are played turn by turn, and where you have to act yourself.
    """
    person = who.guest.id
    asked = await desk.tables.read(id, lambda live, table: live.need_stalled(person), person)
    if asked is not None:
        await desk.tables.do(id, person, commands.stand_in, asked)
    return await show_table(desk, id, who)


@at_home
async def ask_break_off(desk: Desk, id: str, who: Visitor) -> bytes:
    """Ask to end the match without a result, because another player has let you wait for too long.

    It ends when all players who wait have asked for it (`ends` of the presence), and then counts for nobody. It is refused as
    `stand-in` is.
    """
    person = who.guest.id
    asked = await desk.tables.read(id, lambda live, table: live.ask_end(person), person)
    if asked is not None:
        await desk.tables.run(id, lambda table, at: commands.break_off(table, asked, at), person)
    return await show_table(desk, id, who)


@at_home
async def say_something(desk: Desk, id: str, who: Visitor, asked: wire.AskSay) -> bytes:
    """Say one of the catalogue's `stamps` or `phrases` to everybody at the table, from your seat.

    Up to three times in 15 seconds, and 99 times a table. A request sent again with the same version is said once.
    """
    await desk.tables.do(id, who.guest.id, commands.say, asked)
    return await show_table(desk, id, who)


@at_home
async def ask_rematch(desk: Desk, id: str, who: Visitor) -> bytes:
    """Return the rematch of a finished match. The first request of a player makes the table; later ones return the same table.

    It has the same rules and seats, which are kept for their people for as long as an absent person is waited for; the deal passes
    on as after a round. All people at the table are notified (`rematch` of the head). Sit down there next.
    """
    person = who.guest.id

    def founded(table: Table, person: str, at: int) -> wire.Rematch:
        root = desk.draw_root()
        commands.rematch(table, person, at, new_id(), root, int(desk.options.grace * 1000), desk.deals(root))
        assert table.rematch, "there is one, or it has been refused"
        return table.rematch

    found = await desk.tables.read(id, lambda live, table: table.rematch, person)
    if found is None:
        async with desk.room(person):
            found = await desk.tables.do(id, person, founded)
    return await show_table(desk, found.table, who)


_KEY = param(
    "idempotency_key",
    str | None,
    "16 to 64 random letters and digits: the same request with the same key, sent again, makes no other table.",
    "8e03978e-40d5-43dd",
    None,
    "Idempotency-Key",
    pattern=r'^"?[0-9A-Za-z_-]{16,64}"?$',
)
_NEW = wire.AskTable(game="", seats=["person", "greedy"])
_SEAT, _ACTION = wire.AskSeat(seat=0, cut="1f0a6c2e9b"), wire.AskAction(version=3, action="7I")
_SAYING = wire.AskSay(version=3, said="stamps.thanks")
_STAND_IN, _BREAK_OFF = "Have a bot play for a player who does not act", "Ask to end a match in which a player does not act"
ROUTES = (
    Route("POST", "/api/tables", "make_table", "Make a table", make_table, wire.Table, _NEW, (404,), (_KEY,), status=201),
    Route("GET", "/api/tables", "tables", "The lists of tables", list_tables, wire.Tables),
    Route("GET", "/api/tables/{id}", "table", "A table", show_table, wire.Table),
    Route("POST", "/api/tables/{id}/seat", "sit", "Sit down", sit_down, wire.Table, _SEAT, (409,)),
    Route("POST", "/api/tables/{id}/free", "free", "Free a seat", free_seat, wire.Table, wire.AskFree(seat=1, version=2), (409,)),
    Route("DELETE", "/api/tables/{id}/seat", "leave", "Leave", leave_seat, wire.Table),
    Route("POST", "/api/tables/{id}/actions", "play", "Play", play_action, wire.Answer, _ACTION, (409, 422)),
    Route("POST", "/api/tables/{id}/ready", "ready", "Go on", ask_next, wire.Table, wire.AskReady(round=1), (409,)),
    Route(
        "POST", "/api/tables/{id}/take-back", "take_back", "Take back", take_back, wire.Table, wire.AskTakeBack(version=3), (409,)
    ),
    Route("POST", "/api/tables/{id}/stand-in", "stand_in", _STAND_IN, let_bot_play, wire.Table, refused=(409,)),
    Route("POST", "/api/tables/{id}/break-off", "break_off", _BREAK_OFF, ask_break_off, wire.Table, refused=(409,)),
    Route("POST", "/api/tables/{id}/say", "say", "Say something", say_something, wire.Table, _SAYING, (409,)),
    Route("POST", "/api/tables/{id}/rematch", "rematch", "Play again", ask_rematch, wire.Table, refused=(409,)),
)
