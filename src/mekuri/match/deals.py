"""Deals: where the chance of a match comes from."""

from __future__ import annotations

from typing import Protocol

from mekuri.engine.chance import Seed, round_stream, stream
from mekuri.match.fair import Fair


class Deals(Protocol):
    """The chance of a match: a stream for the lot that names the first dealer, and one for every round."""

    def lot(self) -> list[int]:
        """The stream from which the first dealer is drawn."""

    def round(self, number: int) -> list[int]:
        """The stream of a round, counted from 0."""

    def opened(self, rounds: int) -> Fair | None:
        """What a record tells of the deals when the first so many rounds are opened; None where there is nothing to verify."""


class SeedDeals:
    """Deals that all follow from one seed. Whoever knows it knows every pack to come."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed

    def lot(self) -> list[int]:
        """The stream from which the first dealer is drawn. Raises SeedError where no chance can come from the seed."""
        return stream(self._seed, "dealer")

    def round(self, number: int) -> list[int]:
        """The stream of a round, counted from 0. Raises SeedError where no chance can come from the seed."""
        return round_stream(self._seed, number)

    def opened(self, rounds: int) -> Fair | None:
        """None: a seed is never opened, and nothing can be verified."""
        return None
