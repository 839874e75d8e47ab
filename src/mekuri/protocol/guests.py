"""Messages about guests: their names and devices, and all that a server keeps about them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mekuri.protocol.played import PlayedMatch
from mekuri.protocol.table import Over

LONGEST_NAME = 24  # characters as people count them

# The server itself checks names, and codes, so that what it says of a wrong one is a sentence.
Name = Annotated[str, Meta(description=f"One line of at most {LONGEST_NAME} characters, as people count them.", examples=["Aki"])]


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A guest: a person's account, which needs no sign-up.

    Attributes:
        id: the person's public id.
        name: the name that others see.
        token: the secret that authenticates you, sent once; null afterwards. Send it as `Authorization: Bearer ...`; a browser has
            it as a cookie.
    """

    id: str
    name: str
    token: str | None = None


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A device of a person, such as a browser, with a token of its own. Times are milliseconds since 1970.

    Attributes:
        made_at: when it was added.
        seen_at: when it last made a request, to within an hour.
        here: whether it is the device that makes this request.
    """

    made_at: int
    seen_at: int
    here: bool


class Devices(msgspec.Struct, frozen=True, kw_only=True):
    """The devices of a person.

    Attributes:
        devices: the devices, oldest first.
    """

    devices: list[Device]


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A code that signs you in on another device. It is valid once, for five minutes, and until you ask for another.

    Attributes:
        code: 18 digits.
        until: when it expires, in milliseconds since 1970.
        link: an address of the page with the code after the `#`, which a browser sends to no server.
        qr: the link as a QR code: for each row a string of `0` for light and `1` for dark, without the margin of four modules.
    """

    code: str
    until: int
    link: str
    qr: list[str]


class ExportedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table's log that records what a person did.

    Attributes:
        kind: the kind of row: `make` for the table, `sit`, `leave`, `back`, `ready`, `wish`, `play`, `answer`, `take-back`,
            `rematch`, `say`.
        at: when it was written, in milliseconds since 1970.
        seat: the seat that it concerns; null for the making of the table.
        body: the row's data, such as a cut, an action, or the options of a table.
    """

    kind: str
    at: int
    seat: int | None
    body: dict[str, Any]


class ExportedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A table that a person has made or sat at.

    Attributes:
        table: the table's id. The record of a match that is over is at `/api/tables/TABLE/record`.
        game: the game's name.
        state: as in `Head.state`.
        made_at: when it was made, in milliseconds since 1970.
        maker: whether the person made it.
        rows: all rows of the person there, in order.
        ended_at: when it ended, in milliseconds since 1970; null while it is not over.
        why: the reason why it ended, as in `Head.why`.
        seat: the person's last seat; null where no round counts for them.
        counted: the numbers, from 1, of the rounds that count for the person: those at whose end no bot held the seat.
        record: the record of a match that is over, without names; null where there is none. Another server can import it.
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
    """A mistake that a person is asked about in practice.

    Attributes:
        table: the table's id.
        round: the round's number, from 1.
        seat: the person's seat.
        number: the decision's number among those of the seat in the round, from 1.
        due: when it is due to be asked, in milliseconds since 1970.
        tries: the number of answers tried so far.
        state: the state of the question in the format of the library `fsrs`, which schedules it.
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
        day, game: the day and the game of the deal.
        table: the id of the table at which it was played.
        over: whether it is over, and counted.
        points: the returns of the person's seat; null where it does not count.
    """

    day: str
    game: str
    table: str
    over: bool
    points: int | None


class ExportedPush(msgspec.Struct, frozen=True, kw_only=True):
    """A device of a person that gets a web push notice when it is their turn.

    Attributes:
        endpoint: the address at the browser's push service.
        lang: the language of its notices.
    """

    endpoint: str
    lang: str


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """All that the server keeps about a person.

    Attributes:
        mekuri_guest: the version of this format: 1.
        id: the person's public id.
        name: the name that others see.
        made_at: when the guest was made, in milliseconds since 1970.
        devices: the person's devices, without the tokens, of which only hashes are stored.
        banned_until: until when the operator has banned the person, in milliseconds since 1970, even if that time has passed; null
            for a person who was never banned.
        banned_why: the reason of the ban; null for none.
        matches: the tables that the person has made, then those at which they have sat.
        brought: the matches that the person has imported from a file, as they are counted, without their records.
        mistakes: the mistakes that the person is asked about in practice.
        daily: the person's tries at deals of the day.
        daily_cuts: the SHA-256 of each cut for the deals of a day, by the day.
        pushes: the devices that get a web push notice when it is the person's turn, without their secrets.
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
    pushes: list[ExportedPush] = []
    matches: list[ExportedMatch]


class AskGuest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to become a guest, or to change the guest's name.

    Attributes:
        name: the wanted name; null for one that the server chooses, or for no change.
    """

    name: Name | None = None


class AskDevice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request to sign this device in as the person who is signed in on another.

    Attributes:
        code: the code that the other device shows. Blanks and hyphens in it are ignored.
        replace: whether the guest of this device may be given up. Without it, a device that has a guest is refused.
    """

    code: Annotated[str, Meta(examples=["482 109 375 526 771 904"])]
    replace: bool = False
