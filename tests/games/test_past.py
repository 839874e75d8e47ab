"""What is past stays as it was: nothing that was handed out changes when play goes on, and replays tell what was seen."""

import copy
import random
from collections.abc import Sequence
from typing import Any

import mekuri
from mekuri import bots
from mekuri.engine.contract import DRIVER, FIRST_WORD
from mekuri.engine.fields import RoundState
from mekuri.match.setting import Setting
from mekuri.match.view import Event
from tests.helpers.worlds import Viewer, act, each_played, steps, viewers


class Watched(mekuri.Round):
    """A round that notes, as it is played, what each viewer sees happen."""

    def _set_up(self, game: Setting, state: RoundState, chance: list[int], packs: Sequence[Sequence[int]]) -> None:
        self.live: dict[Viewer, list[Event]] = {viewer: [] for viewer in viewers(game)}
        super()._set_up(game, state, chance, packs)

    def _step(self, seat: int, action: int = 0) -> None:
        before = {viewer: (self.hidden(viewer), self.version(viewer)) for viewer in self.live}
        super()._step(seat, action)
        done = self.history[-1][1]
        for viewer, events in self.live.items():
            if self.version(viewer) == before[viewer][1]:
                continue  # what is done unseen is nothing that has happened for others
            h = before[viewer][0]
            told = None if self.contract.secret(h) and viewer != seat else self.action_text(done)
            text = self.contract.event(h, self.hidden(viewer), seat, done)
            events.append(Event(seat, told, text, self.view(viewer)))


def watched(game: mekuri.Game, seed: int) -> Watched:
    dealt = game.deal(seed=seed, dealer=seed % game.seats)
    again = dealt._beginning_again()
    return Watched(game, again._state, [seed + 1, 2, 3, 4])


def kept(round: mekuri.Round) -> dict[str, Any]:
    """Everything that a round hands out."""
    return {
        "hidden": [round.hidden(viewer) for viewer in viewers(round.game)],
        "views": [round.view(viewer) for viewer in viewers(round.game)],
        # Events hold a view each, and TestEvents looks at all of them.
        "events": [round.events(viewer)[-2:] for viewer in viewers(round.game) if len(round.history) % 6 == 0],
        "sheet": round.score_sheet(),
        "legal": [round.legal, [round.legal_for(seat) for seat in range(round.game.seats)]],
        "waiting": round.waiting,
        "position": round.position,
        "end": (round.returns, round.accounts, round.ending, round.next_dealer) if round.over else None,
    }


class TestNothingPastMutates:
    @each_played
    def test_of_a_round(self, game: mekuri.Game) -> None:
        for seed in range(2):
            chance, round = random.Random(seed), game.deal(seed=seed)
            past: list[tuple[dict[str, Any], str]] = []
            while True:
                now = kept(round)
                past.append((now, repr(now)))
                if round.over:
                    break
                act(round, chance)
            assert all(repr(now) == told for now, told in past)

    @each_played
    def test_of_a_match(self, game: mekuri.Game) -> None:
        """Records, finished rounds and the ledger's past."""
        chance, match = random.Random(1), game.match(seed=1, rounds=3)
        records: list[tuple[mekuri.Record, str]] = []
        ended: list[tuple[mekuri.Round, str]] = []
        while not match.over:
            while not match.round.over:
                records.append((match.record(), match.record().to_json()))
                act(match.round, chance)
            ended.append((match.round, repr([kept(match.round), match.round.packs, match.round.history])))
            match.next_round()
        assert all(record.to_json() == told for record, told in records)
        assert all(repr([kept(round), round.packs, round.history]) == told for round, told in ended)
        assert [round for round, _ in ended] == match.finished

    @each_played
    def test_by_looking(self, game: mekuri.Game) -> None:
        """Asking changes nothing: neither the round, nor the chance that is still to come."""
        chance, round = random.Random(2), game.deal(seed=2)
        while not round.over:
            before = repr([round._state, round._chance, round.packs, round.actions, round.history])
            kept(round)
            str(round)
            for seat in range(game.seats):
                for action in [*range(FIRST_WORD), *map(int, game.contract.words)]:
                    round.refusal(action, seat)
            assert repr([round._state, round._chance, round.packs, round.actions, round.history]) == before
            act(round, chance)

    @each_played
    def test_by_refusals(self, game: mekuri.Game) -> None:
        chance, round = random.Random(3), game.deal(seed=3)
        while not round.over:
            before = repr([round._state, round._chance, round.packs, round.actions, round.history])
            for seat in range(game.seats):
                for action in [*range(FIRST_WORD), *map(int, game.contract.words)]:
                    if round.refusal(action, seat):
                        try:
                            round.play(action, seat)
                        except mekuri.IllegalAction:
                            continue
                        raise AssertionError(action)
            assert repr([round._state, round._chance, round.packs, round.actions, round.history]) == before
            act(round, chance)

    @each_played
    def test_by_bots(self, game: mekuri.Game) -> None:
        """A bot thinks on copies of what it is given."""
        played = [bots.bot(name, seed=1) for name in bots.NAMES]
        chance, round = random.Random(4), game.deal(seed=4)
        while not round.over:
            for seat in round.waiting:
                h = round.hidden(seat)
                before = repr(h)
                assert all(round.refusal(bot.choose(h, seat), seat) is None for bot in played)
                assert repr(h) == before
            act(round, chance)

    @each_played
    def test_by_those_who_hold_them(self, game: mekuri.Game) -> None:
        """Nobody can change a round through what it has handed out."""
        chance, round = random.Random(5), game.deal(seed=5)
        for _ in range(8):
            if not round.over:
                act(round, chance)
        before = repr([round._state, kept(round)])
        round.hidden(0).pack.clear()
        round.hidden(None).stock = 0
        for text in [event.text for event in round.events(0)] + [line.text for line in round.score_sheet().lines]:
            assert isinstance(text.args, dict)
            text.args.clear()
        round.events(None).clear()
        assert repr([round._state, kept(round)]) == before


class TestEvents:
    @each_played
    def test_replays_tell_what_was_seen_live(self, game: mekuri.Game) -> None:
        for seed in range(2):
            chance, round = random.Random(seed), watched(game, seed)
            while not round.over:
                act(round, chance)
            for viewer in viewers(game):
                assert round.events(viewer) == round.live[viewer]

    @each_played
    def test_the_past_is_told_the_same_later(self, game: mekuri.Game) -> None:
        """What was hidden when it was done stays hidden in the log; nothing else is added to it."""
        chance, round = random.Random(6), game.deal(seed=6)
        told: list[dict[Viewer, tuple[list[Event], str]]] = []
        while not round.over:
            told.append({viewer: (events := round.events(viewer), repr(events)) for viewer in viewers(game)})
            for _ in range(4):
                if not round.over:
                    act(round, chance)
        for viewer in viewers(game):
            last = round.events(viewer)
            for then in told:
                events, text = then[viewer]
                assert events == last[: len(events)]
                assert repr(events) == text

    @each_played
    def test_there_is_one_for_everything_that_happened(self, game: mekuri.Game) -> None:
        chance, round = random.Random(7), game.deal(seed=7)
        while not round.over:
            act(round, chance)
        whole = [seat for seat, _ in round.history]
        # What seats do unseen, others see as far as it shows: it may be nothing, and is no more than there was.
        secret = any(game.contract.secret(now._state) for now in steps(round))
        for viewer in viewers(game):
            events = round.events(viewer)
            seats = [event.seat for event in events]
            assert round.view(viewer).version == len(events)
            assert in_order(seats, whole) if secret else seats == whole
            own = [(event.seat, event.action) for event in events if event.seat == viewer]
            assert own == [(s, round.action_text(a)) for s, a in round.actions if s == viewer]
            assert seats.count(DRIVER) == whole.count(DRIVER)
        assert [(s, a) for s, a in round.history if s != DRIVER] == round.actions


def in_order(some: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether nothing but some things are left out of the whole."""
    rest = iter(whole)
    return all(seat in rest for seat in some)


@each_played
def test_copies_of_a_round_go_their_own_ways(game: mekuri.Game) -> None:
    round = game.deal(seed=8)
    for _ in range(4):
        act(round, random.Random(8))
    other, before = copy.deepcopy(round), repr(kept(round))
    while not other.over:
        act(other, random.Random(9))
    assert repr(kept(round)) == before
