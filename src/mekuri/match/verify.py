"""Verify that the deals of a recorded match were fair, by deriving every pack again from the opened secrets and the cuts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mekuri.engine.errors import RecordError
from mekuri.match.fair import Fair, draw_seats, hashed
from mekuri.match.record import Record
from mekuri.match.replay import as_record, play_again, replay


@dataclass(frozen=True)
class Verification:
    """The findings about a record that was verified without a fault.

    Attributes:
        commitment: the record's commitment, 64 hexadecimal digits.
        noted: whether it was compared with one that the verifier had noted; without that it may have been made after the match.
        players: the name of each seat.
        cuts: the cut of each seat, "" for a seat that gave none.
        rounds: how many rounds the record has.
        verified: how many of them, from the first, were derived again; an unfinished last one cannot be, its secret is not opened.
        first_dealer: the seat that dealt first, where one was named or the deal passed on from an earlier match; None for a lot.
        drawn: whether lots were drawn for the seats and verified.
    """

    commitment: str
    noted: bool
    players: tuple[str, ...]
    cuts: tuple[str, ...]
    rounds: int
    verified: int
    first_dealer: int | None = None
    drawn: bool = False

    def __str__(self) -> str:
        """Return the findings as a few lines of text, with all that a verifier must still compare."""
        noted = "the one you noted" if self.noted else "compare it with the one you noted (--commitment)"
        lines = [f"commitment {self.commitment}: {noted}"]
        if self.verified:
            counted = f"{self.verified} of {self.rounds} rounds"
            what = "the first dealer and every pack are those" if self.first_dealer is None else "every pack is the one"
            lines.append(f"{counted}: {what} that the secrets and the cuts give")
        if self.drawn:
            lines.append("lots were drawn for the seats, and are those that the first secret and the cuts give")
        if self.first_dealer is not None:
            dealt = self.players[self.first_dealer]
            lines.append(f"{dealt} dealt first, by no lot: named before the match, or because the deal passed on from another")
        if self.verified < self.rounds:
            lines.append(f"round {self.rounds} is not over and its secret not opened: it cannot be verified yet")
        # A cut is shown by its repr: it may hold characters that are invisible or move the cursor.
        lines += [
            f"cut of {name}: {cut!r}" if cut else f"no cut of {name}" for name, cut in zip(self.players, self.cuts, strict=True)
        ]
        if not any(self.cuts):
            lines.append("nobody cut: the server could choose the packs before the match, though not change them in it")
        return "\n".join(lines)


def verify(record: Record | str | bytes, commitment: str | None = None) -> Verification:
    """Derive the first dealer and the packs of every opened round again, and check a record against them.

    Args:
        record: a Record, or its JSON.
        commitment: the commitment that was published before the match, as the verifier noted it; not compared if left out.

    Raises:
        RecordError: the match was not dealt fairly, or the record is broken or forged; the message names the round.
        OlderVersion: the match was played under an older version of the ruleset and plays differently now.
        UnknownGame, OptionError: the record names a game or an option that this Mekuri does not have.
    """
    # A record is checked where its JSON is read, so a Record object is written and read again.
    record = Record.from_json(as_record(record).to_json())
    fair = record.fair
    if fair is None:
        raise RecordError("this match was dealt from a seed: there is nothing to verify")
    if commitment is not None and commitment.strip().lower() != fair.commitment:
        raise RecordError(f"the record's commitment is {fair.commitment}, not the one that you noted: these are other deals")
    _check_chain(fair)
    opened = record.rounds[: len(fair.secrets)]
    if opened:
        _check_seats(record.drawn, fair)
        play_again(replace(record, rounds=opened), fair)
    # The rounds that are not opened are replayed from the record's own packs.
    match = replay(record)
    if len(match.finished) > len(opened):
        raise RecordError(f"round {len(opened) + 1} is over, and its secret is not opened: its server owes it")
    return Verification(
        commitment=fair.commitment,
        noted=commitment is not None,
        players=record.players,
        cuts=fair.cuts,
        rounds=len(record.rounds),
        verified=len(opened),
        first_dealer=record.first_dealer,
        drawn=record.drawn is not None and bool(opened),
    )


def _check_seats(seats: tuple[int, ...] | None, fair: Fair) -> None:
    """Raise RecordError if the lots for the seats do not follow from the first secret and the cuts."""
    if seats is not None:
        waited = sorted(fair.cuts[seat] for seat in seats)
        if [fair.cuts[seat] for seat in draw_seats(seats, fair.seats())] != waited:
            raise RecordError("the lots drawn for the seats are not those that the secret and the cuts give")


def _check_chain(fair: Fair) -> None:
    known = fair.commitment
    for number, secret in enumerate(fair.secrets, 1):
        if hashed(secret) != known:
            before = "the commitment" if number == 1 else f"the secret of round {number - 1}"
            raise RecordError(f"round {number}: the hash of the secret is not {before}")
        known = secret
