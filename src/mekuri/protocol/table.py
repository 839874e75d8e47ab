"""A table as it travels: who sits where, how the match stands, what has happened; and what clients send."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mekuri.engine.fields import MOST_SEATS
from mekuri.match.fair import LONGEST_CUT
from mekuri.protocol.played import Over, PlayedMatch
from mekuri.protocol.view import Text, View

LONGEST_NAME = 24  # signs
MOST_EVENTS = 200  # that are told again to a viewer who was away; whoever missed more gets the table as it stands

Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, description="One line of text.", examples=["Aki"])]
Cut = Annotated[
    str,
    Meta(
        max_length=LONGEST_CUT,
        description="A number or text of your own choice that goes into every shuffle, so that nobody can arrange the pack alone.",
        examples=["1f0a6c2e9b"],
    ),
]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS, examples=[0])]
Version = Annotated[int, Meta(ge=0, lt=1 << 53, description="Of the view that the action answers.", examples=[3])]
Texts = Annotated[dict[str, str], Meta(max_length=64)]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at the table.

    Attributes:
        seat: its number.
        kind: who it is for. A person's seat in which nobody has sat down yet has no name.
        name: the name that the person has now; null where none sits.
        gone: whether that person has had everything deleted and is known here no more. `name` says so in English then, and the
            catalogue's `table.gone` in its language.
        bot: the bot that plays it: always for a bot's seat, and while its person is away.
        ready: whether it is ready to go on after a finished round.
        enough: whether it would have that round be the last.
        kept_for: the person of the match before for whom the seat is kept; null where it is not, or where somebody sits in it.
        by_lot: whether a lot is still to be drawn for it: when every seat is taken, whoever waits here may come to another.
    """

    seat: int
    kind: Literal["person", "bot"]
    name: str | None
    bot: str | None
    ready: bool
    enough: bool
    kept_for: str | None
    gone: bool = False
    by_lot: bool = False


class Presence(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the person of a seat is connected.

    Attributes:
        seat: the seat.
        here: whether the person follows the table now.
        bot_at: when a bot takes the seat of a person who has gone, in milliseconds since 1970; null where none will.
    """

    seat: int
    here: bool
    bot_at: int | None


class Rematch(msgspec.Struct, frozen=True, kw_only=True):
    """The table at which a match goes on that is over.

    Attributes:
        table: its id.
        seat: the seat, at the old table, that asked for it first.
    """

    table: str
    seat: int


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table beside the cards.

    Attributes:
        state: `open` until every seat is taken, then `running`, then `over`.
        why: why it is over: the match was `played` to its end, `agreed` to end after a round, `abandoned`, or is void: it no
            longer replays (`void`), or the server was set back to a backup made amid it (`restored`), or the server's
            keeper has closed it (`closed`).
        round: the number of the present round, from 1; 0 while the table is open.
        seats: the seats in playing order.
        commitment: the SHA-256, in hex, of the secret that the next round to be opened is dealt from.
        secret: the secret opened last, in hex. It belongs to the last finished round.
        cuts: what each seat has put into the shuffle; empty while the table is open.
        winners: the seats in the first place, when the match has been played or its end was agreed.
        rematch: where those who sat here play again; null until one of them has asked for it.
        maker: the seat of whoever has made the table, who may free others' until the match begins; null where they do not sit.
        practice: whether something has been taken back: the match counts in no statistics.
        result: who has won the match, and by how much, in one sentence; null where nobody has.
    """

    state: Literal["open", "running", "over"]
    why: Literal["played", "agreed", "abandoned", "void", "restored", "closed"] | None
    round: int
    seats: list[Seat]
    commitment: str
    secret: str | None
    cuts: list[str]
    winners: list[int] | None
    rematch: Rematch | None
    maker: int | None = None
    practice: bool = False
    result: Text | None = None


Seating = Literal["order", "lot"]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it: all there is to know, so whoever has it needs nothing that was before.

    Attributes:
        id: the table's name in every address. Whoever has it may watch, and sit down where a seat is free.
        game: the game's name.
        ruleset: the version of the rules.
        options, match_options: those that differ from the defaults.
        length: how many rounds the match has at most; 0 where that is not known before it.
        public: whether it is listed while a seat is free.
        seating: `order` where one sits down in a free seat of one's choice, `lot` where lots are drawn for the seats
            when all are taken.
        first_dealer: the seat that deals first, where one was named or the deal passes on from a match before; null for a lot.
        day: the day whose [deal of the day](daily.md) is played here, such as `2026-11-24`; null for any other deal.
        version: how many things the viewer has seen happen at this table.
        you: the viewer's seat; null for a spectator.
        head: seats, state, and what the deals are committed to.
        presence: who is connected, for each seat in which a person sits.
        view: the present round; null before the first.
    """

    id: str
    game: str
    ruleset: int
    options: dict[str, str]
    match_options: dict[str, str]
    length: int
    public: bool
    seating: Seating
    first_dealer: int | None
    day: str | None = None
    version: int
    you: int | None
    head: Head
    presence: list[Presence]
    view: View | None


Kind = Literal["sit", "leave", "hold", "back", "round", "play", "open", "ready", "lapse", "end", "take-back", "rematch", "say"]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that has happened at a table, as one viewer saw it.

    Attributes:
        table: the table's id.
        version: of the viewer's view after it. Versions of one viewer have no gaps.
        kind: `play` is an action on the table, all others are about the table itself. `say` is what a person says across it: the
            text's `said` is one of the catalogue's `stamps` or `phrases`. `take-back` leads back to an earlier view of the round.
        seat: who did it; 16 is the driver, who deals, turns over and settles; null where nobody did.
        action: what was played, in notation; null where the viewer may not know it yet, and for other kinds than `play`.
        text: what a log says of it.
        head: the table's head after it; null where that has not changed.
        view: the round after it; null before the first.
    """

    table: str
    version: int
    kind: Kind
    seat: int | None
    action: str | None
    text: Text
    head: Head | None
    view: View | None


class TablePresence(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's line was lost or has come back. It has no version: nothing has happened on the table."""

    table: str
    presence: list[Presence]


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What the keeper of the server tells everybody.

    Attributes:
        texts: the same in one language or several, by `en` and `ja`; empty where nothing is told.
    """

    texts: dict[str, str]


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """Tables to go to.

    Attributes:
        open: public tables with a free seat: those first whose makers are there, then the newest; few of one maker.
        yours: tables in progress at which you sit, newest first.
    """

    open: list[Table]
    yours: list[Table]


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """What has happened since a version; `table` as it stands now."""

    events: list[Event]
    table: Table


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round as one seat, or a spectator, saw it.

    Attributes:
        round: its number, from 1.
        you: the seat; null for what spectators saw.
        seats: the names in playing order.
        events: everything that happened, from the deal to the settlement.
    """

    table: str
    round: int
    you: int | None
    seats: list[str]
    events: list[Event]


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """What a card counts.

    Attributes:
        points: what it counts by itself; null where the game gives cards no points.
        yaku: the ids of those it can be part of, in the order of the catalogue.
        wild: whether it can stand for others.
    """

    points: int | None
    yaku: tuple[str, ...]
    wild: bool = False


class Worths(msgspec.Struct, frozen=True, kw_only=True):
    """What every card in play counts under the options of a table: the same for everybody, and for as long as the table is there.

    Attributes:
        table: the table's id.
        cards: by notation.
    """

    table: str
    cards: dict[str, Worth]


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A person, without sign-up.

    Attributes:
        id: the person's public name to the server.
        name: what others see.
        token: the secret that proves who you are, told once. Send it as `Authorization: Bearer ...`; a browser has it as a cookie.
    """

    id: str
    name: str
    token: str | None = None


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person comes with, such as a browser; it has a token of its own. Times in milliseconds since 1970.

    Attributes:
        made_at: since when.
        seen_at: when the person last came with it, to within an hour.
        here: whether it is the one that asks.
    """

    made_at: int
    seen_at: int
    here: bool


class Devices(msgspec.Struct, frozen=True, kw_only=True):
    """What a person may come with, oldest first."""

    devices: list[Device]


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """By which you become yourself on another device. It is good once, until you ask for another, and for a few minutes.

    Attributes:
        code: twelve digits.
        until: until when it is good, in milliseconds since 1970.
        link: an address of the page that brings it along. What follows the `#` is sent to no server by opening it.
        qr: the link as a QR code, row by row, each a text of `0` for light and `1` for dark, without the light margin of four.
    """

    code: str
    until: int
    link: str
    qr: list[str]


class ExportedRow(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a person has done at a table.

    Attributes:
        kind: `make` for the table, `sit`, `leave`, `back`, `ready`, `play`, `take-back`, `rematch`, `say`.
        at: when, in milliseconds since 1970.
        seat: in which seat; null for the making of the table.
        body: what the server noted of it: a cut, an action, the options of a table.
    """

    kind: str
    at: int
    seat: int | None
    body: dict[str, Any]


class ExportedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a person has made or sat at.

    Attributes:
        table: its id. The record of a match that is over is at `/api/tables/TABLE/record`.
        game: the game's name.
        state: as in the head.
        made_at: when it was made, in milliseconds since 1970.
        maker: whether the person made it.
        rows: all that the person has done there, in order.
        ended_at: when it ended, in milliseconds since 1970; null while it is not over.
        why: as in the head.
        seat: the seat that the person had at last; null where no round counts for them.
        counted: the rounds that count for the person, from 1: those at whose end nobody else held the seat.
        record: the record of a match that is over, without names; null where there is none. It can be brought to another server.
    """

    table: str
    game: str
    state: Literal["open", "running", "over"]
    made_at: int
    maker: bool
    rows: list[ExportedRow]
    ended_at: int | None = None
    why: Over | None = None
    seat: int | None = None
    counted: list[int] = []
    record: dict[str, Any] | None = None


class ExportedMistake(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake that comes back to a person as a question.

    Attributes:
        table: of which match.
        round: of which round there, from 1.
        seat: the person's seat.
        number: its place among the seat's decisions in the round, from 1.
        due: when it is to be asked, in milliseconds since 1970.
        tries: how often an answer has been tried.
        state: as the library that spaces questions has it.
    """

    table: str
    round: int
    seat: int
    number: int
    due: int
    tries: int
    state: dict[str, Any]


class ExportedDaily(msgspec.Struct, frozen=True, kw_only=True):
    """A person's try at the deal of a day.

    Attributes:
        day, game: at which.
        table: where it was played.
        over: whether it is over, and counted.
        points: what it brought; null where it does not count.
    """

    day: str
    game: str
    table: str
    over: bool
    points: int | None


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All that the server keeps about a person.

    Attributes:
        mekuri_guest: the version of this format: 1.
        id: the person's public name to the server.
        name: what others see.
        made_at: since when the person is a guest, in milliseconds since 1970.
        devices: what the person may come with, without the tokens, of which only hashes are kept.
        banned_until: until when the keeper has banned the person, in milliseconds since 1970, also where that is over; null for
            never.
        banned_why: why.
        matches: the tables that the person has made or sat at, those that the person has made first.
        brought: what is counted of matches that the person has brought from a file, without their records.
        mistakes: what comes back to the person as a question.
        daily: which deals of the day the person has played.
        daily_cuts: by the days for which the person has cut, the SHA-256 of the cut.
    """

    mekuri_guest: Literal[1]
    id: str
    name: str
    made_at: int
    devices: list[Device]
    banned_until: int | None
    banned_why: str | None
    brought: list[PlayedMatch] = []
    mistakes: list[ExportedMistake] = []
    daily: list[ExportedDaily] = []
    daily_cuts: dict[str, str] = {}
    matches: list[ExportedMatch]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an action. The same action sent again gets the same answer.

    Attributes:
        table: the table's id.
        action: the action that stands.
        version: of your view after it and what followed at once.
    """

    table: str
    action: str
    version: int


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was refused.

    Attributes:
        error: what went wrong, among the catalogue's `errors`; or `illegal` where the rules forbid an action.
        message: the same in English.
        text: the same as a text to be rendered in the reader's language.
        clause: the clause of the rule book that forbids the action; null where there is none.
    """

    error: str
    message: str
    text: Text
    clause: str | None = None


# What clients send.


class AskGuest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for a guest's place, or for another name."""

    name: Name | None = None


class AskDevice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Become on this device who you are on another.

    Attributes:
        code: the code that the other shows. Blanks and hyphens in it do not count.
        replace: whether you may give up who you are here. Without it, a guest is refused.
    """

    code: Annotated[str, Meta(min_length=1, max_length=64, examples=["4821 0937 5526"])]
    replace: bool = False


class AskTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a table.

    Attributes:
        game: a game's name.
        preset: a named set of options, a match's among them.
        options, match_options: options given beside it, as texts. They win over it.
        seats: for each seat `person` or a bot's name. Left out: a person against bots.
        public: whether to list it while a seat is free. Otherwise only whoever has the address finds it.
        seating: `lot` where lots are to be drawn for the seats when all are taken, the bots' too, however `seats` lists them.
        first_dealer: the seat that deals first; null where a lot is drawn for it. Where lots are drawn for the seats, it is whoever
            draws that seat.
    """

    game: Annotated[str, Meta(max_length=64)]
    preset: Annotated[str, Meta(max_length=64)] = "default"
    options: Texts = {}
    match_options: Texts = {}
    seats: (
        Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(max_length=MOST_SEATS, examples=[["person", "greedy"]])] | None
    ) = None
    public: bool = False
    seating: Seating = "order"
    first_dealer: SeatNumber | None = None


class AskSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sit down.

    Attributes:
        seat: which seat; the first free one if left out. Where lots are drawn, none may be named.
        cut: what you put into every shuffle of the match.
    """

    seat: SeatNumber | None = None
    cut: Cut = ""


class AskFree(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Free somebody else's seat at a table of yours that waits for players.

    Attributes:
        seat: which seat.
        version: of the table as you see it: where somebody has sat down or stood up since, nothing is done.
        keep_out: whether the person may not sit down at this table again.
    """

    seat: SeatNumber
    version: Version
    keep_out: bool = False


class AskAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Do something on the table.

    Attributes:
        version: of the view it answers.
        action: the `action` of one of its `legal`.
    """

    version: Version
    action: Annotated[str, Meta(max_length=32, examples=["7I"])]


class AskReady(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go on after a finished round.

    Attributes:
        round: the number of the round that is over.
        enough: whether it should be the last. The match ends there when everybody who is there would have it so.
    """

    round: Annotated[int, Meta(ge=1, lt=1 << 53, examples=[1])]
    enough: bool = False


class AskTakeBack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Go back to before the last thing that you have chosen in the round, where all others are bots. The same cards come again.

    Attributes:
        version: of your view. Who has not seen yet what they took back last takes back nothing more: so it may be sent again.
    """

    version: Version


class AskSay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say something across the table.

    Attributes:
        version: of your view. Who has not seen yet what they said last says nothing new: so it may be sent again.
        said: one of the catalogue's `stamps` or `phrases`.
    """

    version: Version
    said: Annotated[str, Meta(max_length=32, examples=["stamps.thanks"])]
