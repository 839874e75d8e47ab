"""Tenshu: the readings of the play that may be chosen, and the seldom cases, in positions by hand."""

from typing import Any

import pytest

import mekuri
from mekuri import IllegalAction
from mekuri.cards import cards_text, parse_cards
from mekuri.engine.contract import Text
from mekuri.games.tenshu.state import TenshuState
from tests.helpers.tables import with_options


def game(seats: int = 4, **options: Any) -> mekuri.Game:
    return with_options("tenshu", options, seats)


def state(round: mekuri.Round) -> TenshuState:
    s = round._state
    assert isinstance(s, TenshuState)
    return s


def after(start: mekuri.Game, position: str, *actions: str) -> mekuri.Round:
    round = start.position(position)
    for action in actions:
        round.play(action)
    return round


def captured(round: mekuri.Round, seat: int) -> set[str]:
    return set(cards_text(state(round).captured[seat]).replace("-", "").split())


def on_field(round: mekuri.Round) -> set[str]:
    return set(cards_text(state(round).field).replace("-", "").split())


class TestOnifudaAndThree:
    """The onifuda meets a set of three and one other card."""

    POSITION = "phase play; hand G 1K / 2K 2I / 1O / 1I; field 7H 7I 7K 9O"

    @pytest.mark.clause("tenshu.oni.from-hand")
    def test_onifuda_takes_one_of_three(self) -> None:
        round = after(game(), self.POSITION, "G")
        assert round.legal == ("7H", "7I", "7K", "9O")
        round.play("7I")
        assert (captured(round, 0), on_field(round)) == ({"G", "7I"}, {"7H", "7K", "9O"})

    def test_onifuda_takes_all_of_three(self) -> None:
        round = after(game(onifuda_and_three="all"), self.POSITION, "G", "7I")
        assert (captured(round, 0), on_field(round)) == ({"G", "7H", "7I", "7K"}, {"9O"})

    def test_onifuda_takes_none_of_three(self) -> None:
        round = after(game(onifuda_and_three="none"), self.POSITION, "G")
        assert (captured(round, 0), on_field(round)) == ({"G", "9O"}, {"7H", "7I", "7K"})

    def test_onifuda_cannot_take_from_the_three(self) -> None:
        round = after(game(onifuda_and_three="none"), self.POSITION.replace("9O", "9O 10K"), "G")
        assert round.legal == ("9O", "10K")
        with pytest.raises(IllegalAction, match=r"tenshu\.oni\.from-hand"):
            round.play("7I")


@pytest.mark.clause("tenshu.oni.empty-field")
class TestEmptyField:
    POSITION = "phase play; hand G 1K / 2K 2I / 1O / 1I; field -"

    def test_onifuda_on_an_empty_field_is_taken_alone(self) -> None:
        round = after(game(), self.POSITION, "G")
        assert (captured(round, 0), on_field(round)) == ({"G"}, set())

    def test_onifuda_on_an_empty_field_stays(self) -> None:
        """The next player takes it with any card."""
        round = after(game(onifuda_alone="stays"), self.POSITION, "G")
        assert (captured(round, 0), on_field(round)) == (set(), {"G"})
        round.play("2K")
        assert (captured(round, 1), on_field(round)) == ({"G", "2K"}, set())

    def test_onifuda_as_the_last_card_is_awarded(self) -> None:
        round = after(game(onifuda_alone="stays"), "phase play; turn 3; hand - / - / - / G; field -", "G")
        assert (round.over, captured(round, 3)) == (True, {"G"})
        assert round.events()[-1].action == "award"

    def test_onifuda_with_nothing_to_take(self) -> None:
        """Only a set of three, and the option that it takes none of those: the set's fourth card may choose."""
        position = self.POSITION.replace("field -", "field 7H 7I 7K").replace("2K", "7O")
        assert captured(after(game(onifuda_and_three="none"), position, "G"), 0) == {"G"}
        stays = game(onifuda_and_three="none", onifuda_alone="stays")
        round = after(stays, position, "G", "7O")
        assert round.legal == ("7H", "7I", "7K", "G")
        assert captured(after(stays, round.position, "7K"), 1) == {"7H", "7I", "7K", "7O"}
        assert captured(after(stays, round.position, "G"), 1) == {"G", "7O"}


@pytest.mark.clause("tenshu.deal.onifuda-on-field")
class TestOnifudaOnField:
    TWO_PILES = "pile 1K; right_pile 2K; hand - / 2I / 3I / 4I"

    def test_dealer_chooses_the_card_of_the_onifuda(self) -> None:
        round = game().position(f"phase onifuda; field G 2O 7H 7I 7K; {self.TWO_PILES}")
        assert (round.waiting, round.legal) == ((0,), ("2O", "7H", "7I", "7K"))
        round.play("7H")
        assert (captured(round, 0), round.waiting) == ({"G", "7H"}, (1, 2, 3))

    def test_any_card_can_take_the_onifuda(self) -> None:
        """And while it lies there none may merely be laid."""
        start = game(onifuda_on_field="any-card")
        position = "phase play; hand 9I 7I 2O / 2I 1K / 3I / 4I; field G 7H 2H 2K"
        assert captured(after(start, position, "9I"), 0) == {"9I", "G"}
        round = after(start, position, "7I")
        assert round.legal == ("7H", "G")
        round = after(start, position, "2O")
        assert round.legal == ("2H", "2K", "G")
        round.play("G")
        assert (captured(round, 0), on_field(round)) == ({"2O", "G"}, {"7H", "2H", "2K"})

    def test_onifuda_is_taken_instead_of_three(self) -> None:
        """The three cannot be taken any more: in the end they are the taker's."""
        start = game(onifuda_on_field="any-card")
        position = "phase play; turn 3; hand - / - / - / 7O; field G 7H 7I 7K"
        round = after(start, position, "7O")
        assert round.legal == ("7H", "7I", "7K", "G")
        assert captured(after(start, position, "7O", "7I"), 3) == {"7O", "7H", "7I", "7K"}
        round.play("G")
        assert (round.over, captured(round, 3), on_field(round)) == (True, {"7O", "G", "7H", "7I", "7K"}, set())

    def test_taker_of_the_onifuda_gets_the_rest(self) -> None:
        start = game(onifuda_on_field="any-card")
        round = after(start, "phase play; turn 3; hand - / - / - / 9I; field G 7H", "9I")
        assert (captured(round, 3), on_field(round)) == ({"9I", "G", "7H"}, set())
        # Nobody used one that still lies where it was dealt, and what is left then is nobody's.
        round = after(start, "phase play; turn 3; hand - / - / - / 7I; field G 7H", "7I", "7H")
        assert (captured(round, 3), on_field(round), round.over) == ({"7I", "7H"}, {"G"}, True)

    def test_dealer_takes_the_onifuda_alone(self) -> None:
        round = game(onifuda_on_field="dealer-alone").position(f"phase take-onifuda; field G 2O; {self.TWO_PILES}")
        assert (captured(round, 0), on_field(round)) == ({"G"}, {"2O"})

    def test_onifuda_on_the_field_can_cause_a_redeal(self) -> None:
        round = game(onifuda_on_field="redeal").position("phase gather; cause onifuda-on-field; field G 2O")
        assert state(round).redeals[1] >= 1
        assert not state(round).field >> 48


@pytest.mark.clause("tenshu.deal.four-on-field")
class TestFourOnField:
    FIELD = f"field 3H 3I 3O 3K 2O; {TestOnifudaOnField.TWO_PILES.replace('3I', '6I')}"

    def test_four_on_the_field_cause_a_redeal(self) -> None:
        round = game(seats=5).position("phase gather; cause four-on-field; field 3H 3I 3O 3K; hand - / - / - / - / 1K")
        assert state(round).redeals[0] >= 1
        assert state(round).served == 1
        assert round.events()[1].action == "cut"  # the servant finds another card

    def test_dealer_takes_four_on_the_field(self) -> None:
        round = game(four_on_field="dealer-takes").position(f"phase take-four; {self.FIELD}")
        assert (captured(round, 0), on_field(round)) == ({"3H", "3I", "3O", "3K"}, {"2O"})
        assert [line.clause for line in round.score_sheet().lines if line.points == 60] == ["tenshu.yaku.san"]

    def test_dealer_can_have_taikosan_before_play(self) -> None:
        round = game(four_on_field="dealer-takes").position(f"phase take-four; {self.FIELD.replace('2O', 'G')}; captured 2O")
        assert (round.over, round.ending, round.returns) == (True, "taikosan", (300, -100, -100, -100))

    def test_four_on_the_field_can_be_set_aside(self) -> None:
        """Set aside, so that not even the onifuda takes them."""
        round = game(four_on_field="dead").position(f"phase set-aside; {self.FIELD.replace('2O', '2O G')}")
        assert (state(round).dead, round.legal) == (parse_cards("3H 3I 3O 3K"), ("2O",))
        assert [zone.cards for zone in round.view().zones if zone.id == "dead"] == [(8, 9, 10, 11)]


@pytest.mark.clause("tenshu.deal.three-on-field")
class TestThreeOnField:
    """Option: the dealer takes one junk card and one other of the three, and chooses what stays."""

    @pytest.mark.parametrize(
        ("three", "may_stay"),
        [
            ("9H 9I 9K", "9I 9K"),  # the Blue 9 is the only one that is not junk
            ("10H 10I 10K", "10H 10I"),
            ("9I 9O 9K", "9I 9O 9K"),  # nothing but junk: any
        ],
    )
    def test_dealer_chooses_the_card_that_stays(self, three: str, may_stay: str) -> None:
        start = game(three_on_field="nara")
        for card in may_stay.split():
            round = start.position(f"phase triple; field {three} 2O; pile 1K; right_pile 2K; hand - / 2I / 3I / 4I")
            assert " ".join(round.legal) == may_stay
            round.play(card)
            assert (captured(round, 0), on_field(round)) == ({*three.split()} - {card}, {card, "2O"})

    def test_other_choices_of_three_are_refused(self) -> None:
        round = game(three_on_field="nara").position(
            "phase triple; field 9H 9I 9K 2O; pile 1K; right_pile 2K; hand - / 2I / 3I / 4I"
        )
        for card in ("9H", "2O"):
            with pytest.raises(IllegalAction, match=r"tenshu\.deal\.three-on-field"):
                round.play(card)

    def test_dealer_chooses_from_every_set_of_three(self) -> None:
        round = game(three_on_field="nara").position(
            "phase triple; field 9H 9I 9K 10H 10I 10K; pile 1K; right_pile 2K; hand - / 2I / 3I / 4I"
        )
        round.play("9I")
        assert round.legal == ("10H", "10I")


@pytest.mark.clause("tenshu.play.turn")
@pytest.mark.parametrize(("hand", "pile", "prompt"), [("1K", "9I", "play"), ("1K", "?", "play-hand"), ("-", "9I", "play-pile")])
def test_prompt_matches_the_playable_cards(hand: str, pile: str, prompt: str) -> None:
    """A player is only asked for cards that exist."""
    round = game().position(f"phase play; hand {hand} / 2K / 1O / 1I; pile {pile}; field 12O")
    assert round.view(0).prompt == Text(f"prompts.{prompt}", {})


class TestServant:
    @pytest.mark.clause("tenshu.play.servant-turn")
    def test_servant_plays_after_the_fourth_player(self) -> None:
        position = "phase play; dealer 1; turn 4; hand - / 1I 2I / 3I / 4I / 6I 9I; pile ? / ? / ? / ? / ? / 8I; field 12O"
        round = after(game(5), position.replace("hand -", "hand 12K"), "6I")
        assert (round.waiting, round.legal) == ((0,), ("12K", "pass"))
        round.play("pass")
        assert round.waiting == (1,)

    @pytest.mark.clause("tenshu.play.servant-last")
    def test_servant_passes_at_most_nine_times(self) -> None:
        """In a whole round: a player who passes at every chance does so nine times."""
        round, asked = game(5).deal(seed=1), 0
        while not round.over:
            asked += round.waiting == (4,)
            round.play("pass" if "pass" in round.legal else round.legal[0])
        assert round.ending == "settled"
        assert [event.action for event in round.events() if event.seat == 4].count("pass") == 9
        assert (asked, state(round).hand[4], state(round).turns) == (10, 0, 41)

    @pytest.mark.clause("tenshu.play.servant-last")
    def test_servant_must_play_in_the_last_rotation(self) -> None:
        position = "phase play; turn 3; hand - / - / - / 6I / 12K; captured G 9I; field 12O 9H"
        round = after(game(5), position, "6I")
        assert round.legal == ("12K",)
        with pytest.raises(IllegalAction, match=r"tenshu\.play\.servant-last"):
            round.play("pass")
        round.play("12K")
        assert (round.over, captured(round, 4), captured(round, 0)) == (True, {"12O", "12K"}, {"G", "9I", "9H", "6I"})

    def test_declining_servant_keeps_the_card(self) -> None:
        position = "phase play; turn 3; hand - / - / - / 6I / 12K; captured G 9I; field 12O 9H"
        round = after(game(5, servant_declines="yes"), position, "6I", "pass")
        assert (round.over, state(round).hand[4], round.returns[4]) == (True, parse_cards("12K"), 0)
        assert "12O" in captured(round, 0)

    def test_servant_turn_counts_when_played(self) -> None:
        position = "phase servant; turns 7; hand 1I / 2I / 3I / 4I / 12K; field 12O"
        assert state(after(game(5), position, "pass")).turns == 8
        assert state(after(game(5), position, "12K")).turns == 9


class TestLeftover:
    POSITION = "phase play; turn 3; hand - / - / - / 6I; captured 3H 3I 3O 2O G / - / - / 6H; field 3K 6K"

    @pytest.mark.clause("tenshu.end.leftover-counts")
    def test_leftover_completes_taikosan(self) -> None:
        round = after(game(), self.POSITION, "6I")
        assert (round.ending, round.returns, round.next_dealer) == ("taikosan", (300, -100, -100, -100), 0)

    def test_leftover_counts_points_only(self) -> None:
        round = after(game(leftover="points-only"), self.POSITION, "6I")
        assert round.ending == "settled"
        assert round.returns[0] == 3 + 1 + 1 + 1 + 10 + 10 - 43

    @pytest.mark.clause("tenshu.end.leftover")
    def test_leftover_goes_to_the_servant_with_the_onifuda(self) -> None:
        position = "phase play; turn 3; hand - / - / - / 6I; captured - / - / - / - / G 1H; field 1K 6K"
        round = after(game(5, servant_onifuda="yes"), position, "6I")
        assert (captured(round, 4), round.returns[4]) == ({"G", "1H", "1K"}, 21)


@pytest.mark.clause("tenshu.score.three-yaku")
class TestVoid:
    THREE = "3H 3I 3O 3K / 4H 4I 4O 4K / 5H 5I 5O 5K / 12H"
    TWO_AND_ONE = "3H 3I 3O 3K 4H 4I 4O 4K / 5H 5I 5O 5K / - / 12H"

    def test_three_yaku_per_player_void_the_round(self) -> None:
        own = game(three_yaku="per-player")
        assert own.position(f"phase over; captured {self.TWO_AND_ONE}").ending == "settled"
        one = "3H 3I 3O 3K 4H 4I 4O 4K 5H 5I 5O 5K / - / - / 12H"
        assert own.position(f"phase over; captured {one}").ending == "void"
        assert game().position(f"phase over; captured {self.TWO_AND_ONE}").ending == "void"

    def test_void_round_can_be_dealt_again(self) -> None:
        position = f"phase play; turn 3; hand - / - / - / 12K; captured {self.THREE}; field 12O"
        round = after(game(void_round="replay"), position, "12K")
        assert (round.over, state(round).redeals[2], state(round).turns) == (False, 1, 0)
        assert after(game(), position, "12K").ending == "void"

    def test_taikosan_and_fuke_come_first(self) -> None:
        taikosan = "2O 3H 3I 3O 3K 7I 8I 9I / 4H 4I 4O 4K / 5H 5I 5O 5K / 12H"
        assert game().position(f"phase over; captured {taikosan}").ending == "taikosan"
        fuke = self.THREE.replace("12H", "12O 12K 11O 11K")
        assert game().position(f"phase over; captured {fuke}").ending == "fuke"


@pytest.mark.clause("tenshu.end.fuke")
class TestFuke:
    @pytest.mark.parametrize(
        ("cards", "exactly", "fewer"),
        [
            ("1K 1O 2K 2I", True, True),
            ("1K 1O 2K 3H", False, False),  # 6 points
            ("1K 1O 2K", False, True),
            ("-", False, True),
            ("1K 1O 2K 2I 4I", False, False),  # five cards
        ],
    )
    def test_fuke_needs_its_number_of_cards(self, cards: str, exactly: bool, fewer: bool) -> None:
        for how, fuke in (("exactly-four", exactly), ("at-most-four", fewer)):
            round = game(fuke=how).position(f"phase over; captured {cards} / 9H 9I 9O 9K 12H / 8H 8I 8O 8K 11H / 7H 7I 7O 7K 6H")
            assert (round.ending == "fuke") == fuke
            assert not fuke or round.returns == (60, -20, -20, -20)

    def test_servant_has_no_fuke(self) -> None:
        others = "9H 9I 9O 9K 12H / 8H 8I 8O 8K 11H / 7H 7I 7O 7K 6H / 10H"
        assert game(5).position(f"phase over; captured {others} / 1K 1O 2K 2I").ending == "settled"
