"""Deals: the sources from which a match takes its chance."""

from __future__ import annotations

from typing import Protocol

from mekuri.engine.chance import Seed, round_stream, stream
from mekuri.match.fair import Fair


class Deals(Protocol):
    """A source of chance for a match: a stream for the lot that names the first dealer, and one for every round.

    A stream of chance is four words of 64 bits.
    """

    def lot(self) -> list[int]:
        """Return the stream from which the first dealer is drawn."""

    def round(self, number: int) -> list[int]:
        """Return the stream of a round, counted from 0."""

    def opened(self, rounds: int) -> Fair | None:
        """Return the public part of the deals with the secrets of the first so many rounds; None for deals from a seed."""


class SeedDeals:
    """Deals that all follow from one seed, a number below 2**256, a text or bytes. The seed reveals every pack of the match."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed

    def lot(self) -> list[int]:
        """Return the stream from which the first dealer is drawn. Raises SeedError for a seed that is not allowed."""
        return stream(self._seed, "dealer")

    def round(self, number: int) -> list[int]:
        """Return the stream of a round, counted from 0. Raises SeedError for a seed that is not allowed."""
        return round_stream(self._seed, number)

    def opened(self, rounds: int) -> Fair | None:
        """Return None: deals from a seed cannot be verified."""
        return None
