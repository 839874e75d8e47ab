"""Options: named choices between readings, as frozen typed dataclasses, and their texts."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeVar, get_type_hints

from mekuri.engine.errors import OptionError


class Choice(IntEnum):
    """An option's values, or a game's phases or words. `DEALER_TAKES` is written `dealer-takes`."""

    @property
    def text(self) -> str:
        """The value as it is written in options, records and positions."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Options:
    """Base of a game's option classes. Fields are bools, Choices, whole numbers, or rows of numbers."""


@dataclass(frozen=True)
class OptionInfo:
    """What an option may be.

    Attributes:
        name: of the option.
        default: its default, as text.
        values: every value it can have, as text; empty for a number within a range.
        least, most: the range of a number, or of the numbers in a row.
        row: whether it is several numbers, written `1-5,7`.
        offered: of a number within a range those that are common, and the words that may stand in its place.
        older: what older records wrote for a word, and the word.
    """

    name: str
    default: str
    values: tuple[str, ...]
    least: int
    most: int
    row: bool = False
    offered: tuple[str, ...] = ()
    older: Mapping[str, str] = dataclasses.field(default_factory=dict)


O = TypeVar("O", bound=Options)  # noqa: E741


def one_of(default: int, *others: int) -> Any:
    """A whole number out of a few."""
    return dataclasses.field(default=default, metadata={"values": (default, *others)})


def between(
    default: int, least: int, most: int, state: str = "", common: tuple[int, ...] = (), words: Iterable[Choice] = ()
) -> Any:
    """A whole number from `least` to `most`, or a word in its place.

    Args:
        default: a number, or one of the words.
        least, most: the range of the number.
        state: the state's field for it, where that has another name.
        common: numbers that are offered before others, the default among them.
        words: the words. The value of each is the number that older records wrote for it; it lies outside of the range.
    """
    told = {"least": least, "most": most, "state": state, "common": common, "words": tuple(words)}
    return dataclasses.field(default=default, metadata=told)


def numbers(default: tuple[int, ...], state: str = "") -> Any:
    """A row of different whole numbers out of `default`, in rising order. `state` as for `between`."""
    return dataclasses.field(default=default, metadata={"numbers": default, "state": state})


def value_text(value: object) -> str:
    """An option's value as text."""
    if isinstance(value, Choice):
        return value.text
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def info(options: type[Options]) -> list[OptionInfo]:
    """Every option of a class, in order."""
    hints = get_type_hints(options)
    found = []
    for field in dataclasses.fields(options):
        kind, meta = hints[field.name], field.metadata
        values: tuple[str, ...] = tuple(map(str, meta.get("values", ())))
        if kind is bool:
            values = ("no", "yes")
        elif isinstance(kind, type) and issubclass(kind, Choice):
            values = tuple(choice.text for choice in kind)
        allowed = meta.get("numbers") or (meta.get("least", 0), meta.get("most", 0))
        default, words = value_text(field.default), meta.get("words", ())
        offered = tuple(map(value_text, (*meta.get("common", ()), *words)))
        older = {str(word.value): word.text for word in words}
        found.append(OptionInfo(field.name, default, values, min(allowed), max(allowed), "numbers" in meta, offered, older))
    return found


def differing(options: Options) -> dict[str, str]:
    """The options that differ from the defaults, as text: what a record or a link needs to keep."""
    pairs = ((f.name, getattr(options, f.name), f.default) for f in dataclasses.fields(options))
    return {name: value_text(value) for name, value, default in pairs if value != default}


def all_texts(options: Options) -> dict[str, str]:
    """Every option and its value, as text."""
    return {field.name: value_text(getattr(options, field.name)) for field in dataclasses.fields(options)}


def parse(options: type[O], given: Mapping[str, object], game: str) -> O:
    """The options that `given` names, defaults elsewhere. Values may be texts or of the option's own type.

    Raises OptionError for a name or a value that the game does not have.
    """
    fields = {field.name: field for field in dataclasses.fields(options)}
    hints = get_type_hints(options)
    values: dict[str, object] = {}
    for name, value in given.items():
        field = fields.get(name.replace("-", "_"))
        if field is None:
            close = difflib.get_close_matches(name, fields, 1)
            hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(fields)}"
            raise OptionError(f"{game} has no option {name}: {hint}")
        values[field.name] = _value(field, hints[field.name], value)
    return options(**values)


def _value(field: dataclasses.Field[Any], kind: Any, given: object) -> object:
    value = tuple(given) if isinstance(given, list) else given
    text = value_text(value).strip().lower().replace("_", "-")
    if "numbers" in field.metadata:
        return _numbers(field, text)
    if kind is bool:
        if text in ("yes", "true", "on", "1"):
            return True
        if text in ("no", "false", "off", "0"):
            return False
        raise OptionError(f"{field.name} is yes or no, not {text}")
    if isinstance(kind, type) and issubclass(kind, Choice):
        for choice in kind:
            if choice.text == text:
                return choice
        raise OptionError(f"{field.name} is one of {', '.join(c.text for c in kind)}, not {text}")
    return _number(field, "" if isinstance(value, tuple) else text)


def _number(field: dataclasses.Field[Any], text: str) -> int:
    """A whole number, or a word in its place."""
    words: tuple[Choice, ...] = field.metadata.get("words", ())
    allowed = field.metadata.get("values")
    told = "".join(f" or {word.text}" for word in words)
    try:
        number = int({word.text: word for word in words}.get(text, text))
    except ValueError:
        raise OptionError(f"{field.name} is a whole number{told}, not {text}") from None
    if number in words:
        return words[words.index(number)]
    if allowed and number not in allowed:
        raise OptionError(f"{field.name} is one of {', '.join(map(str, allowed))}, not {number}")
    if not allowed and not field.metadata["least"] <= number <= field.metadata["most"]:
        raise OptionError(f"{field.name} is {field.metadata['least']} to {field.metadata['most']}{told}, not {number}")
    return number


def _numbers(field: dataclasses.Field[Any], text: str) -> tuple[int, ...]:
    """Numbers and ranges such as `1-5,7`."""
    allowed = field.metadata["numbers"]
    found: set[int] = set()
    try:
        for part in text.split(","):
            least, _, most = part.partition("-")
            found.update(range(int(least), int(most or least) + 1) if int(most or least) < 100 else [100])
    except ValueError:
        raise OptionError(f"{field.name} is a list of numbers such as 1-5,7, not {text}") from None
    if not found or not found <= set(allowed):
        raise OptionError(f"{field.name} takes numbers from {allowed[0]} to {allowed[-1]}, not {text}")
    return tuple(sorted(found))


def state_values(options: Options) -> dict[str, int]:
    """Every option as a state keeps it: by the state's field, as an int; a row of numbers as the set of their bits."""
    values = {field.metadata.get("state") or field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    return {name: sum(1 << n for n in value) if isinstance(value, tuple) else int(value) for name, value in values.items()}
