"""The lobby: chooses which open tables are listed, fairly among their makers."""

from __future__ import annotations

import secrets
from collections import OrderedDict

from mekuri.desk.limits import neighbourhood_of
from mekuri.desk.options import Options
from mekuri.desk.stores import Stores
from mekuri.desk.tables import Tables

_KEPT = 10_000  # addresses in memory
_LISTED = 20  # tables


class Lobby:
    """The list of open tables."""

    def __init__(self, store: Stores, tables: Tables, options: Options) -> None:
        self._store = store
        self._tables = tables
        self._each = options.lobby
        self._households: OrderedDict[str, str] = OrderedDict()

    def household(self, address: str) -> str:
        """Return the random key under which tables made from one address are counted. It tells nobody what the address is.

        The key is known to this process only, and forgotten with it.
        """
        place = neighbourhood_of(address)
        found = self._households.setdefault(place, secrets.token_hex(8))
        self._households.move_to_end(place)
        if len(self._households) > _KEPT:
            self._households.popitem(last=False)
        return found

    async def listed(self) -> list[str]:
        """Return the open tables to list: tables of makers who are present, then the newest; few of one maker or address."""
        return await self._store.public_open(_LISTED, self._each, self._tables.attended())
