"""Checks of a round's past: objects that a round has returned do not change when play goes on, and events are as they were seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from mekuri import bots
from mekuri.engine.contract import DRIVER, FIRST_WORD
from mekuri.engine.errors import IllegalAction
from mekuri.engine.fields import RoundState
from mekuri.match.deed import Deed
from mekuri.match.game import Game
from mekuri.match.record import Record
from mekuri.match.round import Round
from mekuri.match.setting import Setting
from mekuri.match.view import Happening
from mekuri.testing.failure import CheckFailure, check, hold, same
from mekuri.testing.settings import match_of
from mekuri.testing.worlds import Viewer, act, named, steps, viewers
from mekuri.testing.worlds import kept as all_of


class Watched(Round):
    """A round that keeps each viewer's events as they happen.

    Attributes:
        live: the events that each viewer has seen so far.
    """

    def _set_up(self, game: Setting, state: RoundState, chance: list[int], packs: Sequence[Sequence[int]]) -> None:
        self.live: dict[Viewer, list[Happening]] = {viewer: [] for viewer in viewers(game)}
        super()._set_up(game, state, chance, packs)

    def _step(self, seat: int, action: int = 0) -> None:
        before = {viewer: (self.hidden(viewer), self.version(viewer)) for viewer in self.live}
        if seat == DRIVER and self._state.gathered:
            self._shuffle()
        whole = all_of(self._state)
        super()._step(seat, action)
        done = Deed(whole, self._state, *self.history[-1])
        for viewer, events in self.live.items():
            if self.version(viewer) == before[viewer][1]:
                continue  # this viewer sees nothing of the action
            h = before[viewer][0]
            text = self.action_text(done.action) if done.is_seen_by(viewer) else None
            events.append(Happening(seat, text, done.text(viewer, h, self.hidden(viewer)), self.view(viewer)))


def watched(game: Game, seed: int) -> Watched:
    """Return a new watched round."""
    again = game.deal(seed=seed, dealer=seed % game.seats)._beginning_again()
    return Watched(game, again._state, [seed + 1, 2, 3, 4])


def kept(round: Round) -> dict[str, Any]:
    """Return everything that the public methods of a round return."""
    return {
        "hidden": [round.hidden(viewer) for viewer in viewers(round.game)],
        "views": [round.view(viewer) for viewer in viewers(round.game)],
        # Only the last two: each event holds a view, and other checks compare all events.
        "events": [round.events(viewer)[-2:] for viewer in viewers(round.game) if len(round.history) % 6 == 0],
        "sheet": round.score_sheet(),
        "legal": [round.legal, [round.legal_for(seat) for seat in range(round.game.seats)]],
        "waiting": round.waiting,
        "position": round.position,
        "end": (round.returns, round.tallies, round.ending, round.next_dealer) if round.over else None,
    }


# --- Nothing past mutates ---


@check
def of_a_round(game: Game, seed: int = 0) -> None:
    """Check that objects that a round has returned do not change while it is played on."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    past: list[tuple[dict[str, Any], str]] = []
    while True:
        now = kept(round)
        past.append((now, repr(now)))
        if round.over:
            break
        act(round, chance)
    for now, text in past:
        same(repr(now), text, "what a round handed out has changed while it was played on")


@check
def of_a_match(game: Game, seed: int = 1) -> None:
    """Check that records and finished rounds of a match do not change while it is played on."""
    chance, match = random.Random(seed), game.match(seed=seed, **match_of(game, 3))
    records: list[tuple[Record, str]] = []
    ended: list[tuple[Round, str]] = []
    while not match.over:
        while not match.round.over:
            records.append((match.record(), match.record().to_json()))
            act(match.round, chance)
        ended.append((match.round, repr([kept(match.round), match.round.packs, match.round.history])))
        match.next_round()
    hold(all(record.to_json() == text for record, text in records), "a record has changed while the match was played on")
    unchanged = all(repr([kept(round), round.packs, round.history]) == text for round, text in ended)
    hold(unchanged, "a finished round has changed while the match was played on")
    hold([round for round, _ in ended] == match.finished, "a finished round is no longer in the match")


def _all_of(round: Round) -> str:
    return repr([round._state, round._chance, round.packs, round.actions, round.history])


def _tried(game: Game) -> list[int]:
    return [*range(FIRST_WORD), *map(int, game.contract.words)]


@check
def by_looking(game: Game, seed: int = 2) -> None:
    """Check that the public methods of a round, but `play`, change neither the round nor the chance that is still to come."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    while not round.over:
        before = _all_of(round)
        kept(round)
        str(round)
        for seat in range(game.seats):
            for action in _tried(game):
                round.refusal(action, seat)
        same(_all_of(round), before, "looking at a round has changed it", round._state)
        act(round, chance)


@check
def by_refusals(game: Game, seed: int = 3) -> None:
    """Check that an illegal action is refused when it is played, and changes nothing."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    while not round.over:
        before = _all_of(round)
        for seat in range(game.seats):
            for action in _tried(game):
                if round.refusal(action, seat):
                    try:
                        round.play(action, seat)
                    except IllegalAction:
                        continue
                    raise CheckFailure(f"{round.action_text(action)} is refused, and played all the same", round.position)
        same(_all_of(round), before, "what was refused has changed the round", round._state)
        act(round, chance)


@check
def by_bots(game: Game, seed: int = 4) -> None:
    """Check that bots of rules text choose legal actions, and do not change the hidden state that they are given."""
    played = [bots.bot(name, seed=1) for name in bots.OF_RULES]
    chance, round = random.Random(seed), game.deal(seed=seed)
    while not round.over:
        for seat in round.waiting:
            h = round.hidden(seat)
            before = repr(h)
            allowed = all(round.refusal(bot.choose(h, seat), seat) is None for bot in played)
            hold(allowed, "a bot does what it may not", round._state)
            same(repr(h), before, "a bot has changed what it was given", round._state)
        act(round, chance)


@check
def by_those_who_hold_them(game: Game, seed: int = 5) -> None:
    """Check that changing the objects that a round has returned does not change the round."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    for _ in range(8):
        if not round.over:
            act(round, chance)
    before = repr([round._state, kept(round)])
    round.hidden(0).pack.clear()
    round.hidden(None).stock = 0
    for amounts in (round.view().middle, *round.view().brings):
        dict.clear(amounts)  # type: ignore[arg-type]
    for text in [event.text for event in round.events(0)] + [line.text for line in round.score_sheet().lines]:
        hold(isinstance(text.args, dict), f"the arguments of the text {text.id} are no dict of their own", round._state)
        dict.clear(text.args)  # type: ignore[arg-type]
    round.events(None).clear()
    same(repr([round._state, kept(round)]), before, "a round was changed through what it has handed out", round._state)


@check
def copies(game: Game, seed: int = 8) -> None:
    """Check that a round does not change when a copy of it is played."""
    round = game.deal(seed=seed)
    for _ in range(4):
        if not round.over:
            act(round, random.Random(seed))
    other, before = round.copy(), repr(kept(round))
    while not other.over:
        act(other, random.Random(seed + 1))
    same(repr(kept(round)), before, "a round has changed while its copy was played", round._state)


# --- Events ---


@check
def events_as_seen(game: Game, seed: int = 0) -> None:
    """Check that the events of a finished round are the events that each viewer saw while it was played."""
    chance, round = random.Random(seed), watched(game, seed)
    while not round.over:
        act(round, chance)
    for viewer in viewers(game):
        same(round.events(viewer), round.live[viewer], f"{named(viewer)} gets other events later than it saw", round._beginning)


@check
def events_the_same_later(game: Game, seed: int = 6) -> None:
    """Check that events do not change later: new ones are only added at the end, and hidden actions stay hidden in old ones."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    moments: list[dict[Viewer, tuple[list[Happening], str]]] = []
    while not round.over:
        moments.append({viewer: (events := round.events(viewer), repr(events)) for viewer in viewers(game)})
        for _ in range(4):
            if not round.over:
                act(round, chance)
    for viewer in viewers(game):
        last = round.events(viewer)
        for then in moments:
            events, text = then[viewer]
            hold(events == last[: len(events)], f"{named(viewer)} gets another past later", round._beginning)
            same(repr(events), text, f"events of {named(viewer)} have changed", round._beginning)


@check
def one_for_everything(game: Game, seed: int = 7) -> None:
    """Check that each viewer has an event for every action, in order, and for nothing else."""
    chance, round = random.Random(seed), game.deal(seed=seed)
    while not round.over:
        act(round, chance)
    whole, s = [seat for seat, _ in round.history], round._beginning
    # With hidden actions, a viewer may miss events of other seats, but sees no others than there were.
    secret = any(now.secret for now in steps(round))
    for viewer in viewers(game):
        events = round.events(viewer)
        seats = [event.seat for event in events]
        same(round.view(viewer).version, len(events), f"the version of {named(viewer)} is not its count of events", s)
        ordered = in_order(seats, whole) if secret else seats == whole
        hold(ordered, f"{named(viewer)} does not get the events in order", s)
        own = [(event.seat, event.action) for event in events if event.seat == viewer]
        done = [(seat, round.action_text(action)) for seat, action in round.actions if seat == viewer]
        same(own, done, f"{named(viewer)} does not get its own actions", s)
        same(seats.count(DRIVER), whole.count(DRIVER), f"{named(viewer)} does not get all actions of the driver", s)
    same([(seat, action) for seat, action in round.history if seat != DRIVER], round.actions, "history and actions differ", s)


def in_order(some: Sequence[int], whole: Sequence[int]) -> bool:
    """Return whether one sequence is a subsequence of another."""
    rest = iter(whole)
    return all(seat in rest for seat in some)
