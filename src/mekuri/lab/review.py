"""The review of a record's rounds as a run in shards: each is one decision, judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from operator import index
from typing import Any

import msgspec

from mekuri.bots import find, prepare_solver
from mekuri.bots.figures import Mean
from mekuri.bots.review import PLAYOUTS, Hindsight, Known, Reviewing, Verdict
from mekuri.cards.given import whole_in
from mekuri.engine.compiled import available
from mekuri.engine.contract import Contract
from mekuri.engine.errors import MekuriError
from mekuri.lab.shards import Done, Executor, Row, Store, Threads, about_game, play_shards
from mekuri.match.match import Match
from mekuri.match.replay import replay
from mekuri.protocol.coding import decode, encoded


@dataclass(frozen=True)
class ReviewRun:
    """The review of rounds of a record for one seat, as a run in shards.

    Attributes:
        record: the record, as JSON.
        seat: the seat.
        rounds: the numbers of the rounds, from 1; they must be over.
        playouts: how many rounds are played out for each decision.
        plain: whether the rules run uncompiled, to the same review.
    """

    record: bytes
    seat: int = 0
    rounds: tuple[int, ...] = (1,)
    playouts: int = PLAYOUTS
    plain: bool = False

    def __post_init__(self) -> None:
        """Raise MekuriError if the record is broken, or has no such seat or finished round, or there are too few play-outs."""
        over = len(self.match.finished)
        for number in self.rounds:
            if whole_in(number, 1, over) is None:
                raise MekuriError(f"the record has rounds 1 to {over} that are over, not {number}")
        object.__setattr__(self, "rounds", tuple(map(index, self.rounds)))
        self.reviewing  # noqa: B018 - refuses a seat, or play-outs

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the fields alone: the receiver replays the record."""
        return ReviewRun, (self.record, self.seat, self.rounds, self.playouts, self.plain)

    @cached_property
    def match(self) -> Match:
        """The match of the record."""
        return replay(self.record)

    @cached_property
    def reviewing(self) -> dict[int, Reviewing]:
        """The reviews of the rounds, by their numbers; `play` finishes them."""
        return {n: Reviewing(self.match.finished[n - 1], self.seat, self.playouts) for n in self.rounds}

    @cached_property
    def _decisions(self) -> list[tuple[int, int]]:
        """For each shard the round and the number of the decision in it."""
        return [(n, decision) for n, one in self.reviewing.items() for decision in range(one.total)]

    @property
    def shards(self) -> int:
        """How many decisions there are, the others' too."""
        return len(self._decisions)

    @property
    def threads(self) -> int:
        """The most threads that are of use: one, as a review at a table has."""
        return 1

    def about(self) -> dict[str, Any]:
        """Return what the verdicts follow from; see `mekuri.lab.shards.Run`."""
        settings = {"record": sha256(self.record).hexdigest(), "seat": self.seat, "rounds": list(self.rounds)}
        return about_game("review", self.match.game) | settings | {"playouts": self.playouts}

    def units(self, number: int) -> int:
        """Return 1: progress is counted in decisions."""
        return 1

    def prepare(self) -> None:
        """Compile what judges, or load it from the cache."""
        if not self.plain and available():
            prepare(self.match.game.contract)

    def worker(self) -> _Judge:
        """Return a worker that judges in one thread."""
        return _Judge(self)

    def verdict(self, number: int) -> Row:
        """Return the row of a shard: the round and the decision in it, from 1, and the verdicts as JSON."""
        round, decision = self._decisions[number]
        found = self.reviewing[round].judge(decision)
        verdicts = {"known": _exact(found.known), "hindsight": _exact(found.hindsight)}
        digest = sha256("\n".join(verdicts.values()).encode()).digest()
        return {"round": round, "decision": decision + 1, **verdicts, "checksum": int.from_bytes(digest[:8], "little", signed=True)}

    def play(
        self,
        executor: Executor | None = None,
        results: Store | None = None,
        progress: Done | None = None,
    ) -> dict[int, Reviewing]:
        """Judge all decisions.

        Args:
            executor: the executor of the judge; None for this process.
            results: the store of verdicts; a decision that it has is not judged again.
            progress: called with the number of decisions just judged.

        Returns:
            The finished reviews, by the numbers of their rounds.

        Raises:
            MekuriError: as for `mekuri.lab.shards.play_shards`.
        """
        for number, row in play_shards(self, executor or Threads(), results, progress):
            round, decision = self._decisions[number]
            self.reviewing[round].take(decision, _verdict(row))
        return self.reviewing


class _Judge:
    """A worker of a review."""

    def __init__(self, run: ReviewRun) -> None:
        self._run = run

    def play(self, number: int, done: Done) -> Row:
        """Judge the decision of a shard; see `mekuri.lab.shards.Worker`."""
        row = self._run.verdict(number)
        done(1)
        return row

    def close(self) -> None:
        """End nothing: nothing has been started."""


def prepare(contract: Contract) -> None:
    """Compile the search and the solver that judge decisions in a game."""
    prepare_search = find("flat", contract).prepare
    assert prepare_search
    prepare_search(contract)
    prepare_solver(contract)


def _exact(verdict: object) -> str:
    """Return a verdict as JSON, with all decimal places of its means."""
    return msgspec.json.encode(verdict, enc_hook=lambda one: float(one) if isinstance(one, Mean) else encoded(one)).decode()


def _verdict(row: Row) -> Verdict:
    """Return the verdict of a row."""
    hindsight: Hindsight | None = decode(row["hindsight"], Hindsight | None)  # type: ignore[arg-type]
    return Verdict(decode(row["known"], Known), hindsight)
