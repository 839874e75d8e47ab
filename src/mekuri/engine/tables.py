"""A table of a game's TOML files, with checked access to its keys that reports what is missing or wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import tomli

from mekuri.cards import NotationError, parse_row
from mekuri.engine.rulebook import LANGUAGES

_TEXT = "{ " + ", ".join(f'{lang} = "..."' for lang in LANGUAGES) + " }"


def written(path: Path) -> dict[str, Any] | None:
    """The parsed file; None where there is no file."""
    return tomli.loads(path.read_text(encoding="utf-8")) if path.exists() else None


class Table:
    """A table of a TOML file that reports faults in its keys instead of raising errors.

    A missing table is empty. It is reported once, and the keys that it should hold are not reported again.

    Attributes:
        rows: the keys and values of the table.
    """

    def __init__(self, report: Callable[[str], None], name: str, rows: Mapping[str, Any] | None) -> None:
        self.rows = rows or {}
        self._report = report
        self._name = name
        self._there = rows is not None

    def wrong(self, what: str) -> None:
        """Report a fault of this table. For a missing table nothing is reported.

        Args:
            what: the rest of a sentence that begins with the table's name.
        """
        if self._there:
            self._report(f"{self._name} {what}".strip())

    def string(self, key: str, blank: bool = False) -> str:
        """The string of a key; empty where there is none, which is reported. `blank` allows an empty string."""
        value = self.rows.get(key)
        if isinstance(value, str) and (blank or value.strip()):
            return value
        self.wrong(f'{"has no string for" if key in self.rows else "lacks"} {key}: write {key} = "..."')
        return ""

    def strings(self, *keys: str) -> None:
        """Check that each of these keys has a string."""
        for key in keys:
            self.string(key)

    def text(self, key: str) -> Table:
        """The text of a key, checked to have a string in every language."""
        found = self.table(key, _TEXT)
        found.strings(*LANGUAGES)
        return found

    def texts(self, key: str, needed: Iterable[str] = ()) -> list[Table]:
        """The texts in the table of a key, each checked; the ids in `needed` must be among them."""
        found = self.table(key)
        return [found.text(one) for one in dict.fromkeys([*needed, *found.rows])]

    def table(self, key: str, written: str = "") -> Table:
        """The table of a key; an empty one where there is none, which is reported. `written` is an example of it for the report."""
        value, name = self.rows.get(key), f"[{key}]" if not self._name else f"{self._name[:-1]}.{key}]"
        if isinstance(value, Mapping):
            return self.within(name, value)
        lacks = "has no table for" if key in self.rows else "lacks"
        self.wrong(f"{lacks} {key}: write {key} = {written}" if written else f"{lacks} {key}: write {name}")
        return Table(self._report, "", None)

    def array(self, key: str) -> list[Table]:
        """The tables in the array of a key, each named in reports by its `id`, or else by its number from 1."""
        rows = self.rows.get(key)
        if not isinstance(rows, list):
            self.wrong(f"lacks [[{key}]]: write {key} = [] where there are none")
            return []
        return [self.within(f"[{key} {row.get('id', number)}]", row) for number, row in enumerate(self.listed(key, dict), 1)]

    def different(self, key: str) -> list[Table]:
        """The tables in the array of a key, as `array`, whose ids must all be different."""
        found = self.array(key)
        ids = [one.string("id") for one in found]
        for number, one in enumerate(found):
            if ids[number] in ids[:number]:
                one.wrong(f"has the id of another {key.removesuffix('s')}")
        return found

    def within(self, name: str, rows: Mapping[str, Any]) -> Table:
        """A table within this one, with its own name in reports."""
        return Table(self._report, name, rows)

    def listed(self, key: str, kind: type) -> list[Any]:
        """The list of a key, whose values must all be of one type; an empty list where the key is missing."""
        values = self.rows.get(key, [])
        if isinstance(values, list) and all(isinstance(value, kind) for value in values):
            return values
        self.wrong(f"has no list of {kind.__name__} for {key}: write {key} = [...]")
        return []

    def only(self, keys: Iterable[str]) -> None:
        """Check that the table has no other keys than these, as another may be a typing error."""
        for key in self.rows.keys() - set(keys):
            self.wrong(f"has {key}, which says nothing there: there are {', '.join(sorted(keys))}")

    def cited(self, known: Collection[str]) -> None:
        """Check that the key `clauses` cites at least one clause, and only clauses that are known."""
        cited = self.listed("clauses", str)
        if not cited:
            self.wrong('cites no clause: write clauses = ["..."]')
        for clause in cited:
            if clause not in known:
                self.wrong(f"cites a clause {clause} that is not there")

    def cards(self, key: str) -> None:
        """Check that a key, if it is there, holds the notation of a row of cards."""
        if key not in self.rows:
            return
        try:
            parse_row(self.string(key))
        except NotationError as error:
            self.wrong(f"has {key} = {self.rows[key]!r}: {error}")
