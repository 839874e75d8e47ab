"""Best responses are exact: equal to those of a tree of all deals, no worse than the policy, no better than with open hands."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import pytest

import mekuri
from examples import last_turns
from examples.equilibrium import Tree
from examples.last_turns import positions
from mekuri.bots import Bot, Budget, Seen, find
from mekuri.cards import card_text, each
from mekuri.engine.chance import stream
from mekuri.engine.compiled import available
from mekuri.engine.contract import redeal
from mekuri.engine.errors import MekuriError
from mekuri.engine.fields import RoundState, copy, fingerprint
from mekuri.games import tensho
from mekuri.games.dealing import DealtState
from mekuri.games.tensho.state import TenshoState
from mekuri.lab.bestresponse import Against, _hands
from mekuri.lab.unfold import greedy_choices
from mekuri.match.round import Round
from mekuri.testing.chances import LEAST_LIKELY, equally_likely

# Nine cards. Two in each hand, one on the field, four in the stock: what all of them are differs in 360 worlds.
WHOLE_ROUND = "stock 1I 6H 2K 1O; turns 1; hand 1H 2I / 1K 2O; field 2H; phase play; set 1"
LATER = "stock 1I 6H 2K; turns 2; turn 1; hand 1H / 1K 2O; field 1O; captured 2H 2I; phase play; set 1"
WITH_DEAD = "stock 1I 2K; turns 1; hand 1H / 1K; field 2H 2I; captured 6H; phase play; set 1; dead 1O 2O"
SEARCH = Budget(20)

needs_numba = pytest.mark.skipif(not available(), reason="Numba is not installed")


def reduced(position: str) -> Round[TenshoState]:
    return mekuri.game(tensho.contract, yaku_set="one", deck="1,2,6", hand=2, field=1).position(position)


def worlds(round: Round[TenshoState], seat: int) -> Iterator[Round[TenshoState]]:
    """Every world that a seat may be in, as a round: all orders of the stock, all hands of the other seat."""
    s = round._state
    unseen = [*each(s.hand[1 - seat] | s.dead), *s.pack[: s.stock]]
    parts = dict(part.split(" ", 1) for part in round.position.split("; "))
    held, dead = s.hand[1 - seat].bit_count(), s.dead.bit_count()
    for hand in combinations(unseen, held):
        rest = [card for card in unseen if card not in hand]
        for aside in combinations(rest, dead):
            hands = {seat: each(s.hand[seat]), 1 - seat: hand}
            for stock in permutations(card for card in rest if card not in aside):
                parts["hand"] = " / ".join(" ".join(map(card_text, hands[one])) for one in range(2))
                parts["stock"] = " ".join(map(card_text, stock))
                if aside:
                    parts["dead"] = " ".join(map(card_text, aside))
                yield reduced("; ".join(f"{name} {value}" for name, value in parts.items()))


def policy_in(tree: Tree, bot: Bot, against: Against) -> Any:
    """A bot's policy at all information sets of a tree."""
    policy, place = tree.uniform(), 0
    for round, seat, actions in tree.asked:
        hidden = round.hidden(seat)
        if bot.id == "greedy":
            best = greedy_choices(hidden, seat, type(hidden)(), type(hidden)())
            policy[place : place + len(actions)] = [(best >> action & 1) / best.bit_count() for action in actions]
        elif not bot.blind:
            chosen = against.action(hidden, seat, fingerprint(hidden))
            policy[place : place + len(actions)] = [float(action == chosen) for action in actions]
        place += len(actions)
    return policy


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "position",
    [LATER, WITH_DEAD, pytest.param(WHOLE_ROUND, marks=pytest.mark.slow)],
    ids=["later", "with-dead", "whole-round"],
)
def test_best_response_equals_that_of_the_whole_tree(position: str, seat: int) -> None:
    round = reduced(position)
    tree = Tree(worlds(round, seat))
    for name in ("random", "greedy", "flat"):
        against = Against(find(name), SEARCH, plain=True)
        found, policy = against.respond(round, seat), policy_in(tree, find(name), against)
        assert found.own == pytest.approx(tree.values(policy, seat)[0], abs=1e-12)
        assert found.best == pytest.approx(tree.best_response(policy, seat), abs=1e-12)
        assert found.own - 1e-12 <= found.best <= found.ceiling + 1e-12


def test_open_hands_are_worth_something() -> None:
    round = positions("hiyoko")[1]
    found = Against(find("greedy"), plain=True).respond(round, round.waiting[0], turns=2)
    assert found.own < found.best < found.ceiling


def test_greedy_chooses_each_of_its_equal_actions_and_no_other() -> None:
    several = 0
    for round in positions("mushi")[:6]:
        hidden, seat, chance = round.hidden(round.waiting[0]), round.waiting[0], stream("coins")
        greedy, one, two = find("greedy"), type(hidden)(), type(hidden)()
        chosen = {greedy.choose(Seen(hidden, seat), chance, SEARCH) for _ in range(60)}
        assert chosen == {*each(greedy_choices(hidden, seat, one, two))}
        several += len(chosen) > 1
    assert several > 0


def test_redealing_gives_each_hand_equally_often() -> None:
    """In Hiyoko, where play has proved that some cards are not in the other hand."""
    round = next(one for one in positions("hiyoko") if 2 < len(_hands(one, one.waiting[0])) < 40)
    seat = round.waiting[0]
    dealt = [held(state, 1 - seat) for state, _ in _hands(round, seat)]
    counts, chance, world = dict.fromkeys(dealt, 0), stream("often"), type(round._state)()
    for _ in range(20 * len(dealt)):
        copy(world, round.hidden(seat))
        redeal(world, seat, chance)
        counts[held(world, 1 - seat)] += 1
    assert equally_likely([*counts.values()]) > LEAST_LIKELY


def held(state: RoundState, seat: int) -> int:
    assert isinstance(state, DealtState)
    return state.hand[seat]


def test_round_that_is_cut_off_brings_nothing() -> None:
    against, round = Against(find("greedy"), plain=True), reduced(LATER)
    cut, whole = against.respond(round, 1, turns=1), against.respond(round, 1)
    assert (cut.own, cut.best, cut.ceiling) == (0, 0, 0)
    assert against.respond(round, 1, turns=9) == whole


def test_unsuitable_positions_are_refused() -> None:
    against = Against(find("greedy"), plain=True)
    ended = mekuri.game("mushi").deal(seed=1)
    with pytest.raises(MekuriError, match="begin later"):
        against.respond(ended, 0)
    while not ended.over:
        ended.play(ended.legal[0])
    with pytest.raises(MekuriError, match="a seat is to act"):
        against.respond(ended, 0)
    hiyoko = mekuri.game("hiyoko")
    pile = " ".join(card_text(card) for card in hiyoko.undealt().unshuffled if card_text(card) not in ("5H", "9H", "9I"))
    with pytest.raises(MekuriError, match="cards are shuffled"):
        against.respond(hiyoko.position(f"stock 5H; turns 9; hand 9H / 9I; pile {pile}; top 12K; phase play"), 0)
    with pytest.raises(MekuriError, match="leaves out cards"):
        against.respond(hiyoko.position("stock 5H; turns 9; hand 9H / 9I; pile 12K; top 12K; phase play"), 0)


# For each of the first positions what the responder wins by the policy, and by the best response.
PINNED = (
    ("mushi", "greedy", [-34.3563492063, -18.6650793651], [-33.7452380952, -17.9759259259]),
    ("mushi", "kakuo", [-35.3716931217, -19.2138227513, -46.825462963], [-35.3005621693, -19.1831018519, -46.5095072751]),
    ("hiyoko", "greedy", [0.046969697, -0.2275462963, -0.1802469136], [0.046969697, -0.1277777778, -0.1037037037]),
    (
        "tensho",
        "kakuo",
        [1.0, -0.997985348, 0.9811355311, 0.8571428571, -0.9676739927],
        [1.0, -0.997985348, 0.9811355311, 0.8571428571, -0.9617216117],
    ),
)


@pytest.mark.slow
@needs_numba
def test_last_turns_are_as_stated() -> None:
    """See `docs/results/last-turns.md`: the first positions, whose figures do not depend on the machine."""
    for name, bot, own, best in PINNED:
        found = last_turns.respond(name, bot, len(own))
        assert [one.own for one in found] == pytest.approx(own, abs=1e-9)
        assert [one.best for one in found] == pytest.approx(best, abs=1e-9)
