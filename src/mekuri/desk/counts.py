"""Counts of what happens at a desk, for its operator."""

from __future__ import annotations


class Counts:
    """Counts nothing. A server's subclass sets its metrics."""

    def guest(self) -> None:
        """Count a new guest."""

    def move(self) -> None:
        """Count an action of a person."""

    def message(self, kind: str) -> None:
        """Count a message that was put on a stream."""
