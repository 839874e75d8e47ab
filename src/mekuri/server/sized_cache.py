"""What has been made once and may be sent again: kept as bytes, so many of them in all."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any

_APART = 300  # bytes that something takes beside its own


class SizedCache:
    """Things by the section they belong to and their key. What nobody has asked for longest makes room for what is new.

    Threads may use it at the same time.

    Attributes:
        most: how many bytes it holds at most.
        held: how many it holds.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0
        self._things: OrderedDict[tuple[object, Hashable], tuple[Any, int]] = OrderedDict()
        self._sections: dict[object, set[Hashable]] = {}
        self._lock = Lock()

    def find(self, section: object, key: Hashable) -> Any:
        """What is kept; None where nothing is."""
        with self._lock:
            found = self._things.get((section, key))
            if found is None:
                return None
            self._things.move_to_end((section, key))
            return found[0]

    def keep(self, section: object, key: Hashable, thing: Any, size: int) -> None:
        """Keep something of so many bytes. What is larger than the whole shelf is not kept."""
        size += _APART
        with self._lock:
            self._drop(section, key)
            if size > self.most:
                return
            self._things[section, key] = thing, size
            self._sections.setdefault(section, set()).add(key)
            self.held += size
            while self.held > self.most:
                self._drop(*next(iter(self._things)))

    def clear(self, section: object) -> None:
        """Keep nothing of a section any more."""
        with self._lock:
            for key in list(self._sections.get(section, ())):
                self._drop(section, key)

    def _drop(self, section: object, key: Hashable) -> None:
        dropped = self._things.pop((section, key), None)
        if dropped:
            self.held -= dropped[1]
            self._sections[section].discard(key)
            if not self._sections[section]:
                del self._sections[section]
