"""Records: a match as JSON, with all that is needed to replay it exactly, and its results as they were when it was played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from mekuri.cards import NotationError, card_text, parse_row
from mekuri.engine.errors import OptionError, RecordError
from mekuri.match.fair import MOST_ROUNDS, Fair, check_cuts

FORMAT = 1  # the version of the JSON format; raised when its shape changes
_MOST_ACTIONS, _MOST_PACKS = 10_000, 1000
_HASH = re.compile("[0-9a-f]{64}")

T = TypeVar("T")


@dataclass(frozen=True)
class RoundRecord:
    """A round of a record.

    Attributes:
        dealer: the seat that dealt.
        packs: for each shuffle the shuffled cards in order; they are dealt from the end of the row.
        actions: every `(seat, action)` of the seats in order, the action in notation.
        ending: how the round ended, an id from the contract's `endings`; "" for an unfinished round.
        returns: what the round changed in each seat's account; empty for an unfinished round.
        sheet: the lines of the score sheet as JSON objects; empty for an unfinished round.
    """

    dealer: int
    packs: tuple[tuple[int, ...], ...]
    actions: tuple[tuple[int, str], ...]
    ending: str
    returns: tuple[int, ...]
    sheet: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Record:
    """The record of a match, finished or not.

    Attributes:
        game: the game's name.
        version: the version of the ruleset that the match was played under, from 1.
        options: the game's options that differ from their defaults, by name.
        match_options: the match's options that differ from their defaults, by name.
        players: the name of each seat.
        rounds: its rounds in order; the last one may be unfinished.
        fair: commitment, cuts and opened secrets, which `mekuri verify` needs; None for a match that was dealt from a seed.
        drawn: the seats for which lots were drawn, in ascending order; None where none were.
        first_dealer: the seat that dealt first, where one was named or the deal passed on from an earlier match; None for a lot.
        practice: whether an action was taken back, so that a player may have known cards that were still to come.
    """

    game: str
    version: int
    options: Mapping[str, str]
    match_options: Mapping[str, str]
    players: tuple[str, ...]
    rounds: tuple[RoundRecord, ...]
    fair: Fair | None = None
    first_dealer: int | None = None
    drawn: tuple[int, ...] | None = None
    practice: bool = False

    def to_json(self) -> str:
        """Return the record as JSON, with cards in notation."""
        data = {"mekuri": FORMAT, **asdict(self)}
        for name in ("fair", "first_dealer", "drawn"):
            if data[name] is None:
                del data[name]
        if not self.practice:
            del data["practice"]
        for row in data["rounds"]:
            row["packs"] = [" ".join(map(card_text, pack)) for pack in row["packs"]]
            row["actions"] = actions_text(row["actions"])
        return json.dumps(data, ensure_ascii=False, indent=1)

    @staticmethod
    def from_json(text: str | bytes) -> Record:
        """Read a record from its JSON.

        Raises:
            RecordError: the JSON is broken, truncated, no record, or made by a newer Mekuri.
        """
        try:
            data = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"this is no record, or only a part of one: {error}") from None
        if not isinstance(data, dict) or "mekuri" not in data:
            raise RecordError("this is no record of Mekuri: it is JSON, but has no field mekuri")
        if _get(data, "mekuri", int) > FORMAT:
            raise RecordError(
                f"this record was made by a newer Mekuri (format {data['mekuri']}; this one reads {FORMAT}): update to read it"
            )
        if data["mekuri"] < 1:
            raise RecordError(f"there is no format {data['mekuri']} of records")
        rounds = _get(data, "rounds", list)
        if len(rounds) > MOST_ROUNDS:
            raise RecordError(f"a record holds at most {MOST_ROUNDS} rounds")
        record = Record(
            game=_get(data, "game", str),
            version=_get(data, "version", int),
            options=_texts(data, "options"),
            match_options=_texts(data, "match_options"),
            players=tuple(_all(_get(data, "players", list), str, "players")),
            rounds=tuple(_read_round(row, number) for number, row in enumerate(rounds, 1)),
            fair=_read_fair(_get(data, "fair", dict)) if "fair" in data else None,
            first_dealer=_get(data, "first_dealer", int) if "first_dealer" in data else None,
            drawn=tuple(_all(_get(data, "drawn", list), int, "seats drawn for")) if "drawn" in data else None,
            practice="practice" in data,
        )
        if data.get("practice", True) is not True:
            raise RecordError("practice is true, or is left out")
        if record.version < 1:
            raise RecordError(f"there is no version {record.version} of a ruleset")
        if not record.players:
            raise RecordError("the record names no players")
        if record.fair and len(record.fair.cuts) != len(record.players):
            raise RecordError(
                f"the record has {len(record.fair.cuts)} cuts for {len(record.players)} players: one each, empty for none"
            )
        if record.drawn is not None and list(record.drawn) != [seat for seat in range(len(record.players)) if seat in record.drawn]:
            raise RecordError("drawn holds the seats for which lots were drawn, in ascending order")
        if record.fair and len(record.fair.secrets) > len(record.rounds):
            raise RecordError(
                f"the record has {len(record.fair.secrets)} secrets and {len(record.rounds)} rounds: one each at most"
            )
        try:
            record.to_json().encode()
        except UnicodeEncodeError as error:
            raise RecordError(f"the record holds a text that cannot be written: {error}") from None
        return record

    def __str__(self) -> str:
        """Return the record as JSON, like `to_json`."""
        return self.to_json()


def _read_round(data: Any, number: int) -> RoundRecord:
    place = f"round {number}"
    if not isinstance(data, dict):
        raise RecordError(f"{place} is no JSON object")
    packs = _all(_get(data, "packs", list, place), str, f"packs of {place}")
    actions = _get(data, "actions", str, place).split()
    if len(packs) > _MOST_PACKS or len(actions) > _MOST_ACTIONS:
        raise RecordError(f"{place} is longer than any round can be")
    return RoundRecord(
        dealer=_get(data, "dealer", int, place),
        packs=tuple(_read_pack(pack, place) for pack in packs),
        actions=read_actions(" ".join(actions), place),
        ending=_get(data, "ending", str, place),
        returns=tuple(_all(_get(data, "returns", list, place), int, f"returns of {place}")),
        sheet=tuple(_read_line(line, place) for line in _get(data, "sheet", list, place)),
    )


def _read_fair(data: Mapping[str, Any]) -> Fair:
    place = "fair"
    names = [field.name for field in fields(Fair)]
    if sorted(data) != sorted(names):
        raise RecordError(f"{place} holds {', '.join(names)}, and nothing else")
    secrets = _all(_get(data, "secrets", list, place), str, f"secrets of {place}")
    commitment = _get(data, "commitment", str, place)
    for text in (commitment, *secrets):
        if not _HASH.fullmatch(text):
            raise RecordError(f"{place}: a commitment and a secret are 64 hexadecimal digits each, in small letters")
    try:
        return Fair(commitment, check_cuts(_get(data, "cuts", list, place)), tuple(secrets))
    except OptionError as error:
        raise RecordError(f"{place}: {error}") from None


_LINE: dict[str, Any] = {"seat": int | str, "text": str, "args": dict, "cards": str, "points": int, "clause": str}


def _read_line(data: Any, place: str) -> dict[str, Any]:
    where = f"the sheet of {place}"
    if not isinstance(data, dict) or data.keys() != _LINE.keys():
        raise RecordError(f"{where}: a line has {', '.join(_LINE)}")
    for name, kind in _LINE.items():
        _get(data, name, kind, where)
    for value in data["args"].values():
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise RecordError(f"{where}: args are texts and numbers")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _read_pack(text: str, place: str) -> tuple[int, ...]:
    try:
        return tuple(parse_row(text))
    except NotationError as error:
        raise RecordError(f"a pack of {place}: {error}") from None


def actions_text(actions: Iterable[tuple[int, str]]) -> str:
    """Return actions as the text that a record keeps, such as `0:7I 1:pass`.

    Args:
        actions: pairs of a seat and its action in notation.
    """
    return " ".join(f"{seat}:{action}" for seat, action in actions)


def read_actions(text: str, place: str) -> tuple[tuple[int, str], ...]:
    """Read actions from the text that `actions_text` makes.

    Args:
        text: the text.
        place: where the text stands in the record, for the error message.

    Returns:
        Pairs of a seat and its action in notation.

    Raises:
        RecordError: the text is not of that form.
    """
    return tuple(_read_action(action, place) for action in text.split())


def _read_action(text: str, place: str) -> tuple[int, str]:
    seat, _, action = text.partition(":")
    if not (seat.isascii() and seat.isdecimal() and len(seat) < 3 and action):
        raise RecordError(f"{place}: {text!r} is no action, such as 0:7I")
    return int(seat), action


def _get(data: Mapping[str, Any], name: str, kind: type[T], place: str = "the record") -> T:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(f"{place} is broken or truncated: {name} should be {getattr(kind, '__name__', kind)}")
    return value


def _all(values: Sequence[Any], kind: type[T], name: str) -> list[T]:
    if not all(isinstance(value, kind) and not isinstance(value, bool) for value in values):
        raise RecordError(f"the {name} should each be {kind.__name__}")
    return list(values)


def _texts(data: Mapping[str, Any], name: str) -> dict[str, str]:
    table = _get(data, name, dict)
    _all(list(table.values()), str, name)
    return dict(table)
