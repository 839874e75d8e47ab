"""Mutsu-ichi: the possible worlds of a seat, and that it learns nothing else."""

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

import mekuri
from mekuri.cards import each
from mekuri.engine.chance import stream
from mekuri.engine.compiled import first
from mekuri.engine.errors import PositionError
from mekuri.engine.position import parse_position, position_text
from mekuri.games.mutsuichi.rules import bettors
from mekuri.games.mutsuichi.state import MutsuIchiState, Phase
from mekuri.testing.chances import LEAST_LIKELY, equally_likely
from mekuri.testing.settings import random_games
from mekuri.testing.states import start
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import Viewer, act, beside, random_round, redealt, seen, steps, values, viewers
from tests.helpers.tables import in_turn

World = tuple[int, ...]  # the number under the cloth, then what each bettor has laid


def position(game: mekuri.Game, text: str) -> MutsuIchiState:
    s = start(game)
    assert isinstance(s, MutsuIchiState)
    parse_position(s, text)
    return s


def as_world(s: MutsuIchiState) -> World:
    assert all(s.hand[seat] | s.bet[seat] == six_cards(s, seat) for seat in each(bettors(s)))
    return (first(s.cloth) // 4 + 1, *(s.bet[seat] for seat in range(s.seats)))


def six_cards(s: MutsuIchiState, seat: int) -> int:
    return sum(1 << n * 4 + seat % 4 for n in range(6))


def worlds(s: MutsuIchiState, viewer: Viewer, fewest: list[int], most: list[int]) -> list[World]:
    """Return every possible world of a viewer. `most` is the limit of each seat's cards, `fewest` the number it needs to finish."""
    numbers = range(1, 7) if viewer != s.dealer else [first(s.cloth) // 4 + 1]
    bets: list[list[int]] = []
    for seat in range(s.seats):
        if seat in (viewer, s.dealer):
            bets.append([s.bet[seat]])
        else:
            sizes = range(fewest[seat] if s.done >> seat & 1 else 0, most[seat] + 1)
            sets = (laid for size in sizes for laid in combinations(each(six_cards(s, seat)), size))
            bets.append([sum(1 << card for card in laid) for laid in sets])
    return list(product(numbers, *bets))


class TestRedeal:
    @pytest.mark.parametrize("viewer", [0, 1, 2, None])
    @pytest.mark.parametrize(
        ("options", "text", "fewest", "most"),
        in_turn(
            [
                ({"most_cards": 1}, "phase bet; cloth 3H; bet - / 2I; done 4", [0, 0, 0], [0, 1, 1]),
                ({"most_cards": 1, "least_cards": 1}, "phase bet; cloth 3H; bet - / - / 5O; done 4", [0, 1, 1], [0, 1, 1]),
                ({"most_cards": 2}, "phase bet; dealer 2; cloth 3O; bet 1H; done 1; stack 20 / 10 / 100", [0, 0, 0], [2, 1, 0]),
                ({"most_cards": 2, "least_cards": 1}, "phase bet; cloth 6H; done 2; stack 100 / 9 / 20", [0, 0, 1], [0, 0, 2]),
            ],
            0,
            2,
        ),
        ids=["at-most-one", "just-one", "as-far-as-chips-go", "no-chips"],
    )
    def test_redeal_is_uniform(
        self, options: dict[str, Any], text: str, fewest: list[int], most: list[int], viewer: Viewer
    ) -> None:
        s = position(mekuri.game("mutsuichi", seats=3, **options), text)
        possible = worlds(s, viewer, fewest, most)
        counts = Counter(dict.fromkeys(possible, 0))
        h, chance = seen(s, viewer), stream(text)
        for _ in range(20 * len(possible)):
            world = redealt(h, viewer, chance)
            assert isinstance(world, MutsuIchiState)
            counts[as_world(world)] += 1
        assert set(counts) == set(possible)
        assert equally_likely([*counts.values()]) > LEAST_LIKELY

    def test_number_of_worlds_matches_the_count_by_hand(self) -> None:
        """By hand: six numbers, and for each bettor no card or one of six, or, once it is done where it must bet, one of six."""
        s = position(mekuri.game("mutsuichi", seats=3), "phase bet; cloth 3H; done 4")
        assert [len(worlds(s, viewer, [0, 1, 1], [0, 1, 1])) for viewer in (0, 1, 2, None)] == [42, 36, 42, 252]

    def test_one_world_is_left_after_the_showdown(self) -> None:
        s = position(mekuri.game("mutsuichi"), "phase pay; cloth 3H; bet - / 3I")
        for viewer in (0, 1, 2, 3, None):
            assert values(redealt(seen(s, viewer), viewer, stream(1))) == values(s)


class TestLeaks:
    def test_two_worlds_look_the_same(self, in_full: bool) -> None:
        """At every step of a round, the driver's too, whatever the others have chosen, laid or not laid."""
        for number, game in enumerate([mekuri.game("mutsuichi", seats=2), *random_games("mutsuichi", 8 if in_full else 1)]):
            chance, bits = random.Random(number), stream(number)
            for now in steps(random_round(game, number)):
                for viewer in chance.sample(viewers(game), min(3, game.seats)):
                    world = redealt(now.hidden(viewer), viewer, bits)
                    assert differences(visible(now, viewer), visible(beside(now, world), viewer)) == {}

    def test_histories_of_two_worlds_are_identical(self) -> None:
        """Another number under the cloth, and other or more bets: a spectator sees exactly the same."""
        game, seen = mekuri.game("mutsuichi"), set()
        for cloth, laid in product("135", ((), ("1I",), ("2I", "6I", "4I"))):
            round = game.deal(seed=1)
            round.play(f"{cloth}H")
            for card in laid:
                round.play(card, 1)
            for seat in (2, 1):
                round.play("done", seat)
            seen.add(repr((round.events(), round.view(), round.version(), round.events(3), round.view(3), round.version(3))))
        assert len(seen) == 1

    def test_two_worlds_differ_at_the_end(self) -> None:
        game, seen = mekuri.game("mutsuichi"), set()
        for cloth in "13":
            round = game.deal(seed=1)
            round.play(f"{cloth}H")
            for seat in (2, 1, 3):
                round.play("done", seat)
            seen.add(repr(round.view()))
        assert len(seen) == 2


@pytest.mark.clause("mutsuichi.bet.unseen")
class TestBetsShown:
    """Backs and chips are visible when laid and taken back, and nothing else."""

    GAME = mekuri.game("mutsuichi", bets_shown=True)

    def shown(self, cloth: str, actions: str, viewer: Viewer) -> str:
        """Return everything that a viewer gets from a round until its showdown, and what the viewer may learn then."""
        round = self.GAME.deal(seed=1)
        round.play(cloth)
        for action in actions.split():
            seat, _, done = action.partition(":")
            round.play(done, int(seat))
        return repr((round.events(viewer), visible(round, viewer)))

    @pytest.mark.parametrize("viewer", [2, 3, None])
    def test_shown_bets_hide_their_cards(self, viewer: Viewer) -> None:
        """Other numbers under the cloth, other cards laid and taken back: the same bytes."""
        worlds = [
            self.shown("1H", "1:1I 1:2I 1:2I 2:6O 1:4I 1:done", viewer),
            self.shown("6H", "1:5I 1:3I 1:5I 2:6O 1:2I 1:done", viewer),
            self.shown("3H", "1:3I 1:4I 1:3I 2:6O 1:3I 1:done", viewer),
        ]
        assert len(set(worlds)) == 1

    def test_shown_bets_reveal_number_and_order(self) -> None:
        """How many, in which order, and whether any were taken back."""
        ways = ("1:1I", "1:1I 1:2I", "1:1I 1:2I 1:2I", "1:1I 1:done", "2:1O 1:1I", "1:1I 2:1O")
        assert len({self.shown("1H", way, None) for way in ways}) == len(ways)

    def test_shown_bets_are_events_as_laid(self) -> None:
        round = self.GAME.deal(seed=1)
        round.play("1H")
        for action, laid, text in (("1I", 1, "lay"), ("4I", 2, "lay"), ("1I", 1, "take-back"), ("2I", 2, "lay")):
            version = round.version(3)
            round.play(action, 1)
            assert round.version(3) == version + 1
            event = round.events(3)[-1]
            assert (event.seat, event.action, event.text.id) == (1, None, f"events.{text}-unseen")
            zones = {zone.id: zone for zone in event.view.zones}
            assert (zones["bet-1"].cards, zones["bet-1"].stake, zones["bet-1"].hidden) == ((None,) * laid, 10 * laid, False)
            assert zones["hand-1"].cards == (None,) * (6 - laid)

    def test_redeal_with_shown_bets_is_uniform(self) -> None:
        """Each set of as many cards as lie there is as likely as any other."""
        s = position(self.GAME, "phase bet; cloth 3H; bet - / 1I 2I / 5O")
        h, chance = seen(s, 3), stream("shown")
        counts = Counter(as_world(redealt(h, 3, chance)) for _ in range(20 * 6 * 15 * 6))  # type: ignore[arg-type]
        assert {(sum(1 for _ in each(one)), sum(1 for _ in each(two))) for _, _, one, two, _ in counts} == {(2, 1)}
        assert len(counts) == 6 * 15 * 6
        assert equally_likely([*counts.values()]) > LEAST_LIKELY

    def test_order_of_bettors_changes_events_only(self) -> None:
        """The order of two bettors changes only the order of events."""
        ends = []
        for order in ("1:3I 2:4O 1:5I 2:done 3:done 1:done", "2:4O 2:done 1:3I 1:5I 1:done 3:done"):
            round = self.GAME.deal(seed=1)
            round.play("3H")
            for action in order.split():
                seat, _, done = action.partition(":")
                round.play(done, int(seat))
            ends.append(values(round._state))
        assert ends[0] == ends[1]


class TestPositions:
    def test_every_state_reads_back(self) -> None:
        for number, game in enumerate(random_games("mutsuichi", 20)):
            chance = random.Random(number)
            round = game.deal(seed=number, dealer=number % game.seats)
            for phase in (Phase.CHOOSE, Phase.BET, Phase.OVER):
                while round._state.phase < phase:  # type: ignore[attr-defined]
                    act(round, chance)
                if phase == Phase.BET:
                    for _ in range(chance.randrange(game.seats)):
                        if round._state.phase == Phase.BET:  # type: ignore[attr-defined]
                            act(round, chance)
                again = position(game, position_text(round._state))
                assert values(again) == values(round._state)

    @pytest.mark.parametrize(
        ("text", "ending"),
        [
            ("bet -", "no-bets"),
            ("bet - / 4I", "all-lost"),
            ("bet - / 3I; paid 0 / 50", "paid"),
            ("bet - / 3I; paid 0 / 50; stack 50 / 500 / 500 / 500", "bank-broke"),
        ],
    )
    def test_ending_is_derived_from_the_position(self, text: str, ending: str) -> None:
        assert mekuri.game("mutsuichi").position(f"phase over; cloth 3H; {text}").ending == ending

    @pytest.mark.parametrize(
        "text",
        [
            "phase choose; cloth 3H",
            "phase bet",
            "phase bet; cloth 3I",
            "phase bet; cloth 7H",
            "phase bet; cloth 3H; bet 1H",
            "phase bet; cloth 3H; bet - / 3O",
            "phase bet; cloth 3H; hand - / 1I; bet - / 2I",
            "phase bet; cloth 3H; bet - / 1I 2I 3I 4I 5I",
            "phase bet; cloth 3H; done 1",
            "phase bet; cloth 3H; done 14",
            "phase bet; cloth 3H; done 16",
            "phase bet; cloth 3H; stack 2000 / 9; bet - / 1I",
            "phase bet; cloth 3H; bet - / - / - / - / 1H",
            "phase bet; cloth 3H; stack 1 / 1 / 1 / 1 / 1",
            "phase bet; cloth 3H; stock 1H",
            "phase bet; cloth 3H; bet - / 1I; backs 0 / 1",
            "phase bet; cloth 3H; done 2; taken_back 0 / 1",
            "phase bet; cloth 3H; taken_back 1",
            "phase showdown; cloth 3H; taken_back 0 / 1",
            "phase choose; bet - / 1I",
            "phase showdown; cloth 3H; done 2",
            "phase showdown; cloth 3H; paid 0 / 50; bet - / 3I",
            "phase collect; cloth 3H; bet - / 3I",
            "phase pay; cloth 3H; bet - / 4I",
            "phase pay; cloth 3H; bet - / 4I 3I; paid 0 / 50",
            "phase pay; cloth 3H; bet - / 3I / 3O; paid 0 / 0 / 50",
            "phase pay; cloth 3H; bet - / 3I / 3O; paid 0 / 40",
            "phase over; cloth 3H; bet - / 3I / 3O; paid 0 / 50",
            "phase over; cloth 3H; bet - / 3I; paid 0 / 60",
            "phase over; cloth 3H; bet - / 4I; paid 0 / 50",
            "phase choose; past_number 3 / 0 / 4",
            "phase choose; past_number 3; past_dealer 4",
            "phase choose; past_number 3; past_dealer 1 / 1",
            "phase choose; past_number 3; past_bets 1 / 1 / 1 / 1 / 1 / 1 / 1",
            "phase choose; past_number 3; past_bets 4",
            "phase choose; bank_rounds 6; bank_played 6",
        ],
    )
    def test_impossible_position_is_refused(self, text: str) -> None:
        with pytest.raises(PositionError):
            mekuri.game("mutsuichi").position(text)
