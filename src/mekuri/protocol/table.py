"""Messages of a table: its seats, its events, and the requests that clients send."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mekuri.engine.contract import Text, Worth
from mekuri.engine.fields import MOST_SEATS
from mekuri.match.fair import LONGEST_CUT
from mekuri.match.view import View

MOST_EVENTS = 200  # the most events that are sent again after a reconnection; a viewer who missed more gets the whole table

Cut = Annotated[
    str,
    Meta(
        description=f"A number or text of at most {LONGEST_CUT} characters, of your own choice, that goes into every shuffle, so "
        "that nobody can arrange the pack alone.",
        examples=["1f0a6c2e9b"],
    ),
]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS, examples=[0])]
Version = Annotated[int, Meta(ge=0, lt=1 << 53, description="Of the view that the action answers.", examples=[3])]
Texts = Annotated[dict[str, str], Meta(max_length=64)]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat at the table.

    Attributes:
        seat: the seat's number, from 0 in playing order.
        kind: whether it is for a person or a bot.
        name: the person's present name; null where nobody sits here.
        gone: whether that person's account has been deleted. `name` says so in English then, and the catalogue's `table.gone` in
            its language.
        bot: the id of the bot that plays it, for a bot's seat or while its person is away; null where a person plays.
        ready: whether it is ready for the next round.
        enough: whether its person wants the finished round to be the last. While a person does, everybody else who plays is asked,
            and not `ready` until they have answered.
        kept_for: the name of the person of the former match for whom the seat is kept; null where it is not, or is taken.
        by_lot: whether a lot is still to be drawn for it: when every seat is taken, its person may get another seat.
        stalled: whether its bot plays because the person did not act for a long time, and only until the person acts.
        plays_on: whether its person has answered, after this round, that the match should go on.
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
    stalled: bool = False
    plays_on: bool = False


class Presence(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the person of a seat is connected.

    Attributes:
        seat: the seat.
        here: whether the person has an open stream of the table now.
        bot_at: when a bot takes over the seat of an absent person, in milliseconds since 1970; null where none will.
        stalled_at: from when on the players who wait for this seat may have a bot play for it, in milliseconds since 1970. It is
            given in the last minute before that, and later; null otherwise.
        stalled: whether that time has come.
        ends: whether the person has asked to end the match without a result, because others do not act.
    """

    seat: int
    here: bool
    bot_at: int | None
    stalled_at: int | None = None
    stalled: bool = False
    ends: bool = False


Late = Literal["bot", "end"]
Days = Annotated[int, Meta(ge=1, le=14, examples=[3])]


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """The term of a table that is played turn by turn, with days a move. Nobody is absent there.

    Attributes:
        days: how many days each decision may take, from the moment it is asked for.
        late: what happens when the term passes without an answer: a `bot` plays that turn, or the match comes to its `end`.
        club: whether the club's own chat gets notices of turns, if the server's operator has set one up.
    """

    days: int
    late: Late = "bot"
    club: bool = False


class Owed(msgspec.Struct, frozen=True, kw_only=True):
    """What a table that is played turn by turn waits for from the viewer.

    Attributes:
        what: an `action`, an `answer` in an open window, or to be `ready` for the next round.
        until: when the term passes, in milliseconds since 1970.
    """

    what: Literal["action", "answer", "ready"]
    until: int


class Rematch(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a rematch after a finished match.

    Attributes:
        table: the id of the new table.
        seat: the seat, at the old table, whose person asked for it first.
    """

    table: str
    seat: int


Over = Literal["played", "agreed", "abandoned", "void", "restored", "closed", "late", "stalled"]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The public data of a table, except the round and its cards.

    Attributes:
        state: `open` until every seat is taken, then `running`, then `over`.
        why: the reason why it is over; null before. The match was `played` to its end, `agreed` to end after a round, `abandoned`
            by all people, or is void: it no longer replays (`void`), the server was set back to a backup from before its end
            (`restored`), the server's operator has closed it (`closed`), the term of a seat has passed (`late`), or a player did
            not act and all players who waited ended it without a result (`stalled`).
        round: the number of the present round, from 1; 0 while the table is open.
        seats: the seats in playing order.
        commitment: the SHA-256, in hex, of the secret from which the next round to be opened is dealt.
        secret: the secret opened last, in hex: that of the last finished round; null before.
        cuts: each seat's cut; empty while the table is open.
        winners: the seats in first place, when the match has been played or its end was agreed; null otherwise.
        rematch: the table of the rematch; null until a player has asked for one.
        maker: the seat of the person who made the table, who may free other seats until the match begins; null for no seat.
        practice: whether an action has been taken back, so that the match counts in no statistics.
        result: the winner of the match, and the margin, in one sentence; null where there is none.
        late: the seat whose term has passed, where the match has ended by that; null otherwise.
    """

    state: Literal["open", "running", "over"]
    why: Over | None
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
    late: int | None = None


Seating = Literal["order", "lot"]


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it. It is complete: it replaces all that a client had of the table.

    Attributes:
        id: the table's id in every address. Anyone who has it may watch, and sit down at a free seat.
        game: the game's name.
        entry: the id of the game's entry under whose name it is played; null for the game's own name.
        ruleset: the version of the ruleset.
        options, match_options: the values of the options that differ from the defaults.
        length: the largest number of rounds of the match; 0 where it is not known beforehand.
        public: whether it is listed while a seat is free.
        seating: `order` where people choose a free seat, `lot` where lots are drawn for the seats when all are taken.
        first_dealer: the seat that deals first, where one was named or follows from the former match; null for a lot.
        day: the day whose [deal of the day](daily.md) is played here, such as `2026-11-24`; null for any other deal.
        term: the term of each decision, where it is played turn by turn; null where people play at the same time.
        owed: what the table waits for from you, where it has a term; null for nothing.
        answer: the action that you have given in the open window, in notation; nobody else sees it before the window closes. Null
            for none.
        version: the number of events of this table that the viewer has got.
        you: the viewer's seat; null for a spectator.
        head: the seats, the state, and the commitment of the deals.
        presence: whether the person of each seat is connected; seats without a person are left out.
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
    term: Term | None = None
    owed: Owed | None = None
    answer: str | None = None
    version: int
    you: int | None
    head: Head
    presence: list[Presence]
    view: View | None
    entry: str | None = None


Kind = Literal[
    "sit",
    "leave",
    "hold",
    "back",
    "round",
    "play",
    "open",
    "ready",
    "lapse",
    "end",
    "take-back",
    "rematch",
    "say",
    "answer",
    "late",
    "clock",
    "settle",
]


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a table, as one viewer saw it.

    Attributes:
        table: the table's id.
        version: the viewer's version after it. The versions of one viewer have no gaps.
        kind: `play` for an action in the round; all other kinds are about the table itself. `say` is a phrase of a person: the
            text's `said` is one of the catalogue's `stamps` or `phrases`. `take-back` leads back to an earlier view of the round.
            `answer` goes to one seat alone: its answer in a window of a table with a term. `late`: a seat's term has passed.
            `clock`: the server's clock has leapt, and all deadlines have moved with it. `settle`: the match ends, and what was left
            in an account of no seat has been paid to a seat.
        seat: the seat that acted; 16 is the driver, which deals, turns over and settles; null where nobody acted.
        action: the action in notation; null where the viewer has not seen which it was, and for other kinds than `play`.
        text: a sentence that describes it.
        head: the table's head after it; null for `play`, which does not change it.
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
    """A change of who is connected to a table. It is no event, and has no version.

    Attributes:
        table: the table's id.
        presence: whether the person of each seat is connected; seats without a person are left out.
    """

    table: str
    presence: list[Presence]


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """An announcement of the server's operator to all clients.

    Attributes:
        texts: the announcement by language, `en` and `ja` or one of them; empty where there is none.
    """

    texts: dict[str, str]


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """The tables that a person can join or go back to.

    Attributes:
        open: public tables with a free seat: first the tables of connected makers, then the newest, with few of each maker.
        yours: open and running tables at which you sit: first the tables that wait for you, the most urgent before the others, then
            the newest.
        unanswered: how many of your tables have not answered in time, and are left out: ask again later.
    """

    open: list[Table]
    yours: list[Table]
    unanswered: int = 0


class Events(msgspec.Struct, frozen=True, kw_only=True):
    """A viewer's events since a version, and the whole table.

    Attributes:
        events: the events in order; empty where there is none, or they are more than 200.
        table: the table as it is now.
    """

    events: list[Event]
    table: Table


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round as one viewer saw it.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        you: the viewer's seat; null for spectators.
        seats: the names of the seats' people and bots, in playing order.
        events: all events of the round, from the deal to the settlement.
    """

    table: str
    round: int
    you: int | None
    seats: list[str]
    events: list[Event]


class Worths(msgspec.Struct, frozen=True, kw_only=True):
    """The worth of every card in play under the options of a table. It is the same for all viewers, and never changes.

    Attributes:
        table: the table's id.
        cards: the worth of each card, by its notation.
    """

    table: str
    cards: dict[str, Worth]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an action. The same action sent again gets the same answer.

    Attributes:
        table: the table's id.
        action: the action that was played, in notation.
        version: your version after it and all that followed at once.
    """

    table: str
    action: str
    version: int


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An error: the reason why a request was refused.

    Attributes:
        error: the error's key in the catalogue's table `errors`; or `illegal` where the rules forbid an action.
        message: a sentence in English.
        text: the same sentence as a text to be rendered in the reader's language.
        clause: the id of the clause of the rule book that forbids the action; null where there is none.
    """

    error: str
    message: str
    text: Text
    clause: str | None = None


# Requests that clients send.


class AskTerm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wish to play turn by turn, with days a move.

    Attributes:
        days: how many days each decision may take.
        late: what happens when that time passes: a `bot` plays the turn, or the match comes to its `end`.
        club: whether the club's own chat gets notices of turns, if the server's operator has set one up.
    """

    days: Days
    late: Late = "bot"
    club: bool = False


class AskTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to make a table.

    Attributes:
        game: the game's name, or that of an entry, whose options then take precedence over the preset's.
        preset: a named set of options, of a round and of a match.
        options, match_options: options as strings; they take precedence over the preset.
        seats: for each seat `person` or a bot's id; null for one person against bots.
        public: whether to list it while a seat is free. Otherwise only people who have its address find it.
        seating: `lot` if lots are to be drawn for all seats, those of bots too, when all are taken; then the order of `seats` is
            ignored.
        first_dealer: the seat that deals first; null to draw a lot for it. With the seating `lot`, it is drawn like the others.
        term: the term of each decision, to play turn by turn; at least two seats must be for people then. Null to play at once.
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
    term: AskTerm | None = None


class AskSeat(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to sit down at a table.

    Attributes:
        seat: the seat's number; null for the first free one. It must be null where lots are drawn for the seats.
        cut: your cut, which goes into every shuffle of the match.
    """

    seat: SeatNumber | None = None
    cut: Cut = ""


class AskFree(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to free another person's seat, at a table that you made and that waits for players.

    Attributes:
        seat: the seat's number.
        version: your version of the table: the request is refused if there has been an event since.
        keep_out: whether the person may not sit down at this table again.
    """

    seat: SeatNumber
    version: Version
    keep_out: bool = False


class AskAction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to play an action.

    Attributes:
        version: the version of the view that it answers.
        action: the `action` of one of that view's `legal`.
    """

    version: Version
    action: Annotated[str, Meta(max_length=32, examples=["7I"])]


class AskReady(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to go on after a finished round.

    Attributes:
        round: the number of the finished round, from 1.
        enough: whether it should be the last one. The match ends after it when all people who play want that, and no round begins
            while one of them has not answered. `false` answers that you would play on, which withdraws every such wish, your own
            too. Null is no answer.
    """

    round: Annotated[int, Meta(ge=1, lt=1 << 53, examples=[1])]
    enough: bool | None = None


class AskTakeBack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to go back to before your last choice in the round, where all others are bots. The same cards come again.

    Attributes:
        version: your version. The same request sent again takes back nothing more, as its version is older than the take-back.
    """

    version: Version


class AskSay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to say a stamp or a phrase to the table.

    Attributes:
        version: your version. The same request sent again says nothing new, as its version is older than the phrase.
        said: the id of one of the catalogue's `stamps` or `phrases`.
    """

    version: Version
    said: Annotated[str, Meta(max_length=32, examples=["stamps.thanks"])]
