"""Tenshu before the first card is played: the deal, the shouts, and the knowledge of each seat."""

import pytest

import mekuri
from mekuri import IllegalAction, OptionError
from mekuri.cards import card_text, each, parse_cards, parse_row
from mekuri.engine.contract import DRIVER
from mekuri.games.tenshu.state import PILE, Phase, TenshuState
from tests.helpers.tables import with_options

FOUR, FIVE = mekuri.game("tenshu"), mekuri.game("tenshu", seats=5)
# Every card once; dealt from the left.
ROW = [f"{number}{suit}" for suit in "HIOK" for number in range(1, 13)]


def state(round: mekuri.Round) -> TenshuState:
    s = round._state
    assert isinstance(s, TenshuState)
    return s


def pile(s: TenshuState, seat: int, row: list[int]) -> list[str]:
    return [card_text(card) for card in row[seat * PILE : (seat + 1) * PILE]]


def answered(round: mekuri.Round, *shouts: int) -> mekuri.Round:
    """Return the round after these seats have shouted in this order, and all have taken the left pile."""
    for seat in shouts:
        round.play("notta", seat)
    while state(round).phase == Phase.NOTTA:
        round.play("pass")
    while state(round).phase == Phase.PILES:
        round.play("left")
    return round


def dealt(game: mekuri.Game, dealer: int = 0, seed: int = 0) -> mekuri.Round:
    """A round without the onifuda on the field."""
    for number in range(seed, seed + 100):
        round = game.deal(seed=number, dealer=dealer)
        if state(round).phase == Phase.NOTTA and not state(round).field >> 48 and "captured G" not in round.position:
            return round
    raise AssertionError("a hundred deals with the onifuda on the field")


@pytest.mark.clause("tenshu.deal.packets", "tenshu.deal.piles")
class TestOrder:
    """Worked out by hand: the first card is the first of the row."""

    def test_default_deal_goes_by_threes_and_twos(self) -> None:
        row = [*ROW[:44], "G", *ROW[44:]]  # so that the onifuda lies in a pile
        s = state(FOUR.position(f"phase deal; dealer 1; stock {' '.join(row)}"))
        assert s.field == parse_cards(" ".join(row[:3] + row[27:30] + row[46:49]))
        # From the dealer's right: seats 2, 3 and 0 have the row of six, the dealer the two piles by themselves.
        for place, seat in enumerate((2, 3, 0, 1)):
            left, right = 3 + 6 * place, 30 + 4 * place
            assert pile(s, seat, s.pile) == row[left : left + 3] + row[right : right + 2]
            assert pile(s, seat, s.right_pile) == row[left + 3 : left + 6] + row[right + 2 : right + 4]
        assert s.stock == 0

    def test_simple_deal_goes_pile_by_pile(self) -> None:
        row = ["G", *ROW]
        s = state(with_options("tenshu", {"deal_order": "simple"}).position(f"phase deal; stock {' '.join(row)}"))
        assert pile(s, 1, s.pile) == row[:5]
        assert pile(s, 1, s.right_pile) == row[5:10]
        assert pile(s, 0, s.right_pile) == row[35:40]
        assert s.field == parse_cards(" ".join(row[40:]))

    @pytest.mark.clause("tenshu.deal.eight-on-field")
    def test_deal_with_a_servant_ends_with_two_cards(self) -> None:
        row = [*ROW[1:44], "G", *ROW[44:]]
        s = state(FIVE.position(f"phase deal; hand - / - / - / - / {ROW[0]}; stock {' '.join(row)}"))
        assert s.field == parse_cards(" ".join(row[:3] + row[27:30] + row[46:]))
        assert (s.served, s.servant, s.pile_size) == (1, 5, [5, 5, 5, 5, 0, 0, 0])


@pytest.mark.clause("tenshu.players.seats", "tenshu.players.first-servant")
@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_active_seats_follow_the_dealer(seats: int) -> None:
    for dealer in range(seats):
        s = state(mekuri.game("tenshu", seats=seats).deal(seed=1, dealer=dealer))
        assert list(each(s.active)) == sorted((dealer + i) % seats for i in range(4))
        assert s.servant == (0 if seats == 4 else (dealer + 4) % seats + 1)
        assert [seat for seat in range(seats) if s.hand[seat]] == ([s.servant - 1] if s.servant else [])


class TestServantCard:
    @pytest.mark.clause("tenshu.deal.servant-card", "tenshu.deal.passed-over")
    def test_servant_card_is_the_first_suitable_from_the_bottom(self) -> None:
        bottom = "3H G 7I 2O 5K 4O 9I 2K"  # seven that are passed over, and the Lips
        row = [card for card in ["G", *ROW] if card not in bottom.split()] + bottom.split()[::-1]
        round = FIVE.position(f"phase cut; stock {' '.join(row)}")
        assert state(round).hand[4] == parse_cards("2K")
        for seat in [*range(5), None]:
            zone = next(zone for zone in round.view(seat).zones if zone.id == "servant-4")
            assert zone.cards == (parse_row("2K")[0],)

    def test_servant_card_can_be_hidden(self) -> None:
        round = with_options("tenshu", {"servant_card": "hidden"}, 5).deal(seed=3)
        for seat in [*range(5), None]:
            zone = next(zone for zone in round.view(seat).zones if zone.id == "servant-4")
            assert (zone.cards[0] is None) == (seat != 4)
        texts = [event.text for event in round.events(0)]
        assert [text.id for text in texts[:2]] == ["events.servant-card-hidden", "events.deal"]
        assert texts[0].args["seat"] == 4
        assert not texts[0].args.keys() & {"card", "cards"}

    def test_servant_can_refuse_the_card(self) -> None:
        round = with_options("tenshu", {"servant_refuses": "yes"}, 5).deal(seed=3)
        assert (round.waiting, round.legal) == ((4,), ("pass", "accept"))
        round.play("pass")
        s = state(round)
        assert (s.served, s.hand[4], s.shown) == (0, 0, 0)
        assert sum(cards.bit_count() for cards in (s.field, *s.captured)) == 9

    def test_other_actions_are_refused_meanwhile(self) -> None:
        round = with_options("tenshu", {"servant_refuses": "yes"}, 5).deal(seed=3)
        with pytest.raises(IllegalAction, match=r"tenshu\.deal\.servant-card"):
            round.play("left", 4)


@pytest.mark.clause("tenshu.deal.notta")
class TestNotta:
    def test_three_other_players_are_asked(self) -> None:
        round = dealt(FOUR, dealer=2)
        assert (round.waiting, round.silence) == ((0, 1, 3), "pass")
        for seat in (3, 0, 1):
            round.play("pass", seat)
        assert (round.waiting, round.silence) == ((0, 1, 2, 3), None)
        assert "swap" not in [event.action for event in answered(round).events()]

    @pytest.mark.clause("tenshu.deal.notta-first")
    def test_first_shout_ends_the_window(self) -> None:
        round = dealt(FOUR)
        round.play("pass", 3)
        round.play("notta", 2)
        assert round.waiting == (0, 1, 2, 3)
        with pytest.raises(IllegalAction):
            round.play("notta", 1)
        assert [event.action for event in answered(round).events()].count("swap") == 1

    def test_notta_can_be_off(self) -> None:
        for seed in range(20):
            assert state(with_options("tenshu", {"notta": "off"}).deal(seed=seed)).phase in (Phase.PILES, Phase.ONIFUDA)

    @pytest.mark.parametrize("how", ["nara", "dealer-alone", "any-card", "dealer-hand"])
    def test_notta_can_need_the_onifuda_on_the_field(self, how: str) -> None:
        game = with_options("tenshu", {"notta": "onifuda-on-field", "onifuda_on_field": how})
        for seed in range(40):
            round = game.deal(seed=seed)
            if state(round).phase == Phase.ONIFUDA:
                round.play(round.legal[0])
            s = state(round)
            on_field = (s.field | s.captured[0]) >> 48 & 1 == 1
            assert s.phase == (Phase.NOTTA if on_field else Phase.PILES)

    def test_notta_contradicts_a_redeal(self) -> None:
        with pytest.raises(OptionError, match="notta"):
            with_options("tenshu", {"notta": "onifuda-on-field", "onifuda_on_field": "redeal"})


def known_hands(round: mekuri.Round, viewer: int | None) -> set[int]:
    """The seats whose hands a viewer sees."""
    zones = [zone for zone in round.view(viewer).zones if zone.kind == "hand"]
    assert all(zone.cards.count(None) in (0, zone.count) for zone in zones)
    return {zone.owner for zone in zones if zone.owner is not None and zone.count and None not in zone.cards}


@pytest.mark.clause("tenshu.deal.swap")
class TestSwap:
    def test_exchanged_hands_are_known_to_both_players(self) -> None:
        before = state(answered(dealt(FOUR, dealer=1)))
        round = answered(dealt(FOUR, dealer=1), 3)
        s = state(round)
        assert s.hand[:4] == [before.hand[seat] for seat in (0, 3, 2, 1)]
        assert s.pile == before.pile
        assert [known_hands(round, viewer) for viewer in (0, 1, 2, 3, None)] == [{0}, {1, 3}, {2}, {1, 3}, set()]
        # And they keep knowing what is left of it.
        round.play(card_text(each(s.hand[1])[0]), 1)
        while state(round).turn != 3:
            round.play("pile" if state(round).phase == Phase.PLAY else round.legal[0])
        assert known_hands(round, 3) == known_hands(round, 1) == {1, 3}
        assert state(round).hand[1].bit_count() == 4

    def test_each_player_knows_only_the_own_hand_without_a_shout(self) -> None:
        round = answered(dealt(FOUR))
        assert [known_hands(round, viewer) for viewer in (0, 1, 2, 3, None)] == [{0}, {1}, {2}, {3}, set()]

    def test_chained_shouts_exchange_in_turn(self) -> None:
        """Seats 2 and 1 shout. Seat 2 gets the dealer's hand; the dealer then gives seat 2's hand to seat 1."""
        game = with_options("tenshu", {"notta": "chained"})
        before = state(answered(dealt(game)))
        round = answered(dealt(game), 2, 1)
        assert state(round).hand[:4] == [before.hand[seat] for seat in (1, 2, 0, 3)]
        # Seat 2's old hand is known to seat 2 and to the dealer, who passed it on; seat 1's to seat 1 only.
        assert [known_hands(round, viewer) for viewer in (0, 1, 2, 3, None)] == [{0, 1, 2}, {0, 1}, {1, 2}, {3}, set()]


@pytest.mark.clause("tenshu.deal.choose-pile")
class TestPiles:
    def test_simultaneous_choices_become_public_events(self) -> None:
        round = answered(dealt(FOUR), 1)
        actions = [event.action for event in round.events(3) if event.seat != DRIVER]
        assert actions == ["notta", "left", "left", "left", "left"]

    @pytest.mark.parametrize("side", ["left", "right"])
    def test_chosen_pile_becomes_the_hand(self, side: str) -> None:
        round = dealt(FOUR)
        for seat in (1, 2, 3):
            round.play("pass", seat)
        s = state(round)
        piles = {"left": pile(s, 2, s.pile), "right": pile(s, 2, s.right_pile)}
        round.play(side, 2)
        assert s.hand[2] == parse_cards(" ".join(piles.pop(side)))
        assert pile(s, 2, s.pile) == piles.popitem()[1]
        with pytest.raises(IllegalAction, match=r"tenshu\.deal\.choose-pile"):
            round.play(side, 2)

    @pytest.mark.parametrize("look", ["blind", "look-at-both"])
    def test_piles_are_visible_by_option(self, look: str) -> None:
        round = dealt(with_options("tenshu", {"pile_choice": look}))

        def seen(viewer: int | None) -> set[str]:
            zones = [zone for zone in round.view(viewer).zones if zone.kind in ("pile", "offer")]
            return {zone.id for zone in zones if None not in zone.cards}

        both = look == "look-at-both"
        # "Notta!" is called unseen.
        assert [seen(viewer) for viewer in (0, 3, None)] == [set()] * 3
        for seat in (1, 2, 3):
            round.play("pass", seat)
        assert [seen(viewer) for viewer in (0, 3, None)] == (
            [{"left-0", "right-0"}, {"left-3", "right-3"}, set()] if both else [set()] * 3
        )
        answered(round)
        assert [seen(viewer) for viewer in (0, 3, None)] == ([{"pile-0"}, {"pile-3"}, set()] if both else [set()] * 3)


@pytest.mark.clause("tenshu.deal.onifuda-on-field")
class TestDealerHand:
    """Option: the dealer exchanges a card for the onifuda, and a player who shouted gets it."""

    GAME = with_options("tenshu", {"onifuda_on_field": "dealer-hand"})
    PILES = "phase piles; field G 7H 7I 7K 2O; pile 1O; right_pile 1K; hand - / 4H / 5H / 6H"

    def test_dealer_exchanges_a_card_for_the_onifuda(self) -> None:
        round = self.GAME.position(self.PILES)
        round.play("left", 0)
        assert (round.waiting, round.legal) == ((0,), ("1O",))
        round.play("1O")
        s = state(round)
        assert (s.hand[0], s.field) == (parse_cards("G"), parse_cards("7H 7I 7K 2O 1O"))
        assert known_hands(round, 2) == {0, 2}  # everyone has seen where it went

    def test_onifuda_goes_to_the_player_who_shouted(self) -> None:
        round = self.GAME.position(f"{self.PILES}; shouted 3")
        round.play("left", 0)
        round.play("1O")
        assert state(round).hand[:4] == [parse_cards(cards) for cards in ("5H", "4H", "G", "6H")]

    def test_fourth_of_a_number_cannot_be_exchanged(self) -> None:
        round = self.GAME.position("phase exchange; field G 7H 7I 7K 2O; hand 7O 1K / 4H / 5H / 6H; pile 1O")
        assert round.legal == ("1K",)
        with pytest.raises(IllegalAction, match=r"tenshu\.deal\.onifuda-on-field"):
            round.play("7O")


@pytest.mark.clause("tenshu.deal.notta")
def test_seat_on_the_right_of_the_dealer_answers_first() -> None:
    """The seat on the dealer's right, wherever the dealer sits."""
    round = with_options("tenshu", {"onifuda_on_field": "any-card"}, 7).deal(seed=1, dealer=5)
    assert round.waiting == (0, 1, 6)
    assert round.waiting_in_turn == (6, 0, 1)
