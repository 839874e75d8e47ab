"""A least-recently-used cache with a limit of bytes, shared by all tables."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

_APART = 300  # bytes of overhead for each value


class SizedCache:
    """A least-recently-used cache of values by section and key.

    Args:
        most: the limit of all values together, in bytes.
        lock: taken for each use, where threads share the cache; it may be left out elsewhere.

    Attributes:
        most: the limit of all values together, in bytes.
        held: the size of all values together, in bytes.
    """

    def __init__(self, most: int, lock: AbstractContextManager[object] | None = None) -> None:
        self.most = most
        self.held = 0
        self._things: OrderedDict[tuple[object, Hashable], tuple[Any, int]] = OrderedDict()
        self._sections: dict[object, set[Hashable]] = {}
        self._lock = lock or nullcontext()

    def find(self, section: object, key: Hashable) -> Any:
        """Return a value; None where it is not cached."""
        with self._lock:
            found = self._things.get((section, key))
            if found is None:
                return None
            self._things.move_to_end((section, key))
            return found[0]

    def keep(self, section: object, key: Hashable, thing: Any, size: int) -> None:
        """Cache a value of `size` bytes, evicting the least recently used ones. A value larger than the cache is not cached."""
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
        """Remove all values of a section."""
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
