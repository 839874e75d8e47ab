"""Tables of a game's text files while they are looked through: what stands in them, and what is found lacking or wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from mekuri.cards import NotationError, parse_row
from mekuri.engine.rulebook import LANGUAGES

_TEXT = "{ " + ", ".join(f'{lang} = "..."' for lang in LANGUAGES) + " }"


class Table:
    """A table of a file. One that is not there is empty, and that is told once, not again for all that it should hold.

    Attributes:
        rows: its keys and values.
    """

    def __init__(self, told: Callable[[str], None], name: str, rows: Mapping[str, Any] | None) -> None:
        self.rows = rows or {}
        self._told = told
        self._name = name
        self._there = rows is not None

    def wrong(self, what: str) -> None:
        """Tell what is wrong with this table."""
        if self._there:
            self._told(f"{self._name} {what}".strip())

    def string(self, key: str, blank: bool = False) -> str:
        """The string of a key; empty where there is none. `blank` says whether nothing may stand in it."""
        value = self.rows.get(key)
        if isinstance(value, str) and (blank or value.strip()):
            return value
        self.wrong(f'{"has no string for" if key in self.rows else "lacks"} {key}: write {key} = "..."')
        return ""

    def strings(self, *keys: str) -> None:
        """Every one of these keys has a string."""
        for key in keys:
            self.string(key)

    def text(self, key: str) -> Table:
        """The text of a key, in every language."""
        found = self.table(key, _TEXT)
        found.strings(*LANGUAGES)
        return found

    def texts(self, key: str, needed: Iterable[str] = ()) -> list[Table]:
        """The texts in the table of a key, those that are needed among them."""
        found = self.table(key)
        return [found.text(one) for one in dict.fromkeys([*needed, *found.rows])]

    def table(self, key: str, written: str = "") -> Table:
        """The table of a key, which may be `written` in one line."""
        value, name = self.rows.get(key), f"[{key}]" if not self._name else f"{self._name[:-1]}.{key}]"
        if isinstance(value, Mapping):
            return self.within(name, value)
        lacks = "has no table for" if key in self.rows else "lacks"
        self.wrong(f"{lacks} {key}: write {key} = {written}" if written else f"{lacks} {key}: write {name}")
        return Table(self._told, "", None)

    def array(self, key: str) -> list[Table]:
        """The tables in the array of a key, each called by its id."""
        rows = self.rows.get(key)
        if not isinstance(rows, list):
            self.wrong(f"lacks [[{key}]]: write {key} = [] where there are none")
            return []
        return [self.within(f"[{key} {row.get('id', number)}]", row) for number, row in enumerate(self.listed(key, dict), 1)]

    def within(self, name: str, rows: Mapping[str, Any]) -> Table:
        """A table that stands in this one."""
        return Table(self._told, name, rows)

    def listed(self, key: str, kind: type) -> list[Any]:
        """What a key lists, which is all of one kind; nothing where the key is not there."""
        values = self.rows.get(key, [])
        if isinstance(values, list) and all(isinstance(value, kind) for value in values):
            return values
        self.wrong(f"has no list of {kind.__name__} for {key}: write {key} = [...]")
        return []

    def only(self, keys: Iterable[str]) -> None:
        """Nothing but these keys stands here: another may be a slip of the pen."""
        for key in self.rows.keys() - set(keys):
            self.wrong(f"has {key}, which says nothing there: there are {', '.join(sorted(keys))}")

    def cited(self, known: Collection[str]) -> None:
        """At least one clause is cited, and all that are cited are there."""
        cited = self.listed("clauses", str)
        if not cited:
            self.wrong('cites no clause: write clauses = ["..."]')
        for clause in cited:
            if clause not in known:
                self.wrong(f"cites a clause {clause} that is not there")

    def cards(self, key: str) -> None:
        """What stands in a key, if it is there, is a row of cards."""
        if key not in self.rows:
            return
        try:
            parse_row(self.string(key))
        except NotationError as error:
            self.wrong(f"has {key} = {self.rows[key]!r}: {error}")
