"""Matches with provably fair deals, and deals that only pretend to be fair."""

import json
import random
from collections.abc import Sequence
from functools import cache

import mekuri
from mekuri.match.fair import FairDeals
from mekuri.match.match import Match
from mekuri.testing.records import play
from tests.helpers.records import Json

ROOT = bytes(range(32))
CUTS = ("tsuru", "鶴 🎴\n\x1b[2J")


class Arranged(FairDeals):
    """Deals with a pack, or a dealer, that the dealing side chose after it had seen the cuts."""

    def __init__(self, game: mekuri.Game, arranged: int | None, chosen: bytes = bytes(32)) -> None:
        super().__init__(ROOT, cuts_of(game))
        self._arranged = arranged  # the number of the arranged round; None for the first dealer
        self._chosen = FairDeals(chosen, self.cuts)

    def lot(self) -> list[int]:
        return self._chosen.lot() if self._arranged is None else super().lot()

    def round(self, number: int) -> list[int]:
        return self._chosen.round(number) if number == self._arranged else super().round(number)


def cuts_of(game: mekuri.Game) -> tuple[str, ...]:
    """Return a cut for every seat of a game."""
    return (CUTS * game.seats)[: game.seats]


def fair_match(game: mekuri.Game, rounds: int = 2, root: bytes = ROOT, cuts: Sequence[str] | None = None) -> mekuri.Match:
    """Return a match with fair deals, before any action."""
    return dealt_by(FairDeals(root, cuts_of(game) if cuts is None else cuts), game, rounds)


def dealt_by(deals: FairDeals, game: mekuri.Game, rounds: int = 2) -> mekuri.Match:
    return Match(game, game.match_options({"rounds": rounds}), deals)


def fair_record(name: str) -> Json:
    """Return the record of a finished match of two rounds with fair deals, as parsed JSON."""
    return json.loads(_fair_text(name))


@cache
def _fair_text(name: str) -> str:
    return play(fair_match(mekuri.game(name)), random.Random(0)).record().to_json()
