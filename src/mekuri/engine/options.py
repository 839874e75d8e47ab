"""Options: named choices between readings of a rule, kept in frozen typed dataclasses, and read and written as text."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self, TypeVar, get_type_hints

from mekuri.cards.given import typed
from mekuri.engine.errors import OptionError


class Choice(IntEnum):
    """Base of enums: the values of an option, or a game's phases, endings or words. `DEALER_TAKES` is written `dealer-takes`.

    A phase in which the driver acts declares its word beside its number: `DEAL = 4, Word.DEAL`.

    Attributes:
        word: of a phase, the driver's word; 0 where seats choose.
    """

    word: int

    def __new__(cls, value: int, word: int = 0) -> Self:
        """Make a member of a value, and of the driver's word if it is a phase."""
        made = int.__new__(cls, value)
        made._value_ = int(value)
        made.word = int(word)
        return made

    @property
    def text(self) -> str:
        """The value as it is written in options, records and positions."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Options:
    """Base of a game's option classes. Their fields are bools, Choices, whole numbers, or tuples of numbers."""


@dataclass(frozen=True)
class OptionInfo:
    """The description of an option: its default and the values that it takes.

    Attributes:
        name: the option's name.
        default: the default value.
        values: every value it can have; empty for a number within a range, or for a row of numbers.
        least, most: the range of a number, or of the numbers in a row.
        row: whether it is a row of numbers, written `1-5,7`.
        offered: for a number within a range the common values, and words that may stand in its place, such as `circuit`.
        older: the present word for each word that older records and addresses used.
    """

    name: str
    default: str
    values: tuple[str, ...]
    least: int
    most: int
    row: bool
    offered: tuple[str, ...]
    older: Mapping[str, str]


O = TypeVar("O", bound=Options)  # noqa: E741


def one_of(default: int, *others: int) -> Any:
    """Declare an option that is `default` or one of the `others`, all whole numbers."""
    return dataclasses.field(default=default, metadata={"values": (default, *others)})


def between(
    default: int, least: int, most: int, state: str = "", common: tuple[int, ...] = (), words: Iterable[Choice] = ()
) -> Any:
    """Declare an option that is a whole number from `least` to `most`, or a word in its place.

    Args:
        default: a number, or one of the words.
        least: the least number.
        most: the greatest number.
        state: the name of the state's field that keeps it; empty where that is the option's own name.
        common: the numbers that a screen offers first, the default among them.
        words: the words. The value of each is the number that older records wrote for it, which lies outside of the range.
    """
    metadata = {"least": least, "most": most, "state": state, "common": common, "words": tuple(words)}
    return dataclasses.field(default=default, metadata=metadata)


def numbers(default: tuple[int, ...], state: str = "") -> Any:
    """Declare an option that is a tuple of different whole numbers from `default`, in rising order. `state` is as in `between`."""
    return dataclasses.field(default=default, metadata={"numbers": default, "state": state})


def value_text(value: object) -> str:
    """An option's value as text: `yes` or `no`, the text of a Choice, a number, or numbers with commas."""
    if isinstance(value, Choice):
        return value.text
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def info(options: type[Options]) -> list[OptionInfo]:
    """A description of every option of a class, in the order of their declaration."""
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
    """The options that differ from the defaults, as text by name. Records and links keep only these."""
    pairs = ((f.name, getattr(options, f.name), f.default) for f in dataclasses.fields(options))
    return {name: value_text(value) for name, value, default in pairs if value != default}


def all_texts(options: Options) -> dict[str, str]:
    """Every option and its value, as text by name."""
    return {field.name: value_text(getattr(options, field.name)) for field in dataclasses.fields(options)}


def parse(options: type[O], given: Mapping[str, object], game: str) -> O:
    """Make an instance of an option class from named values, with defaults for the rest.

    Args:
        options: the class.
        given: values by option name, as text or of the option's own type.
        game: the game's name, for messages.

    Raises:
        OptionError: for a name or a value that the game does not have.
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
    text = typed(value_text(value)).strip().lower().replace("_", "-")
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
    """Parse a whole number, or a word in its place."""
    words: tuple[Choice, ...] = field.metadata.get("words", ())
    allowed = field.metadata.get("values")
    alternatives = "".join(f" or {word.text}" for word in words)
    try:
        number = int({word.text: word for word in words}.get(text, text))
    except ValueError:
        raise OptionError(f"{field.name} is a whole number{alternatives}, not {text}") from None
    if number in words:
        return words[words.index(number)]
    if allowed and number not in allowed:
        raise OptionError(f"{field.name} is one of {', '.join(map(str, allowed))}, not {number}")
    if not allowed and not field.metadata["least"] <= number <= field.metadata["most"]:
        raise OptionError(f"{field.name} is {field.metadata['least']} to {field.metadata['most']}{alternatives}, not {number}")
    return number


def _numbers(field: dataclasses.Field[Any], text: str) -> tuple[int, ...]:
    """Parse numbers and ranges such as `1-5,7`."""
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
    """Every option as an int, by the name of the state's field that keeps it; a tuple of numbers becomes the set of their bits."""
    values = {field.metadata.get("state") or field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    return {name: sum(1 << n for n in value) if isinstance(value, tuple) else int(value) for name, value in values.items()}
