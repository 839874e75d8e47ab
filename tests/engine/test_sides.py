"""Partners: who leads, who wins, what a view shows of a side, and what bots take partners for."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import mekuri
from mekuri.bots import Budget, find
from mekuri.bots.decisive import CAPTURED, Event, Reason, speaks_for
from mekuri.bots.search.solve import solve_state
from mekuri.engine.called import lead
from mekuri.engine.chance import Seed, stream
from mekuri.engine.compiled import rule
from mekuri.engine.contract import legal, outlook, over, play, returns, waiting
from mekuri.engine.driver import drive
from mekuri.engine.errors import OptionError
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.presentation import SheetLine, Text
from mekuri.engine.rulebook import rulebook
from mekuri.engine.sides import named, partners, speakers
from mekuri.lab import arena
from mekuri.lab.bot_rounds import Seated, play_together
from mekuri.match.game import Game
from mekuri.match.result import match_result, result
from mekuri.match.round import Round
from mekuri.match.setting import Setting
from mekuri.testing import seats as seats_checks
from mekuri.testing.worlds import act
from tests.helpers.partners import contract

GAME: Game = mekuri.game(contract)
SIDES = (0, 1, 0, 1)
THREE = (0, 1, 2, 0, 1, 2)  # three sides of two


def played(seed: int, steps: int = 1000) -> Round:
    """A round of partners, played so many steps at random."""
    round, chance = GAME.deal(seed=seed), Random(seed)
    for _ in range(steps):
        if round.over:
            break
        act(round, chance)
    return round


def test_a_side_is_known_by_its_seats() -> None:
    assert GAME.sides == SIDES
    assert mekuri.game("mushi").sides == (0, 1)
    assert partners(THREE, 4) == (1, 4)
    assert speakers(THREE) == (0, 1, 2)
    assert speakers(THREE, viewer=4) == (0, 2, 4)


def test_a_number_of_seats_without_sides_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    @rule
    def nowhere(s: RoundState, seat: int) -> int:
        return -1

    monkeypatch.setitem(contract.rules.__dict__, "side_of", nowhere)
    with pytest.raises(OptionError, match="no such sides for 4 players"):
        Setting(contract, contract.options(), 4)


def test_a_partner_is_no_rival() -> None:
    s = played(3, 9)._state
    ahead = outlook(s, 0) - outlook(s, 1)
    assert ahead
    assert [lead(s, seat) for seat in range(4)] == [ahead, -ahead, ahead, -ahead]


def test_partners_win_together() -> None:
    match = GAME.match(seed=4, rounds=1)
    while not match.round.over:
        act(match.round, Random(4))
    match.next_round()
    assert match.winners in ((0, 2), (1, 3))
    view = match.view()
    assert view.result
    assert view.result.id.startswith("results.side-won")
    assert view.result.args["seat"] == match.winners[0]
    names = rulebook(contract).render(match_result(contract.match, match.ledger, GAME.sides), "en", "ABCD", you=match.winners[1])
    assert names.startswith(f"{'ABCD'[match.winners[0]]} and you win the match with ")


def test_sides_that_are_equal_are_even() -> None:
    lines = [SheetLine(seat, Text("lines.return", {}), 0, 5, "") for seat in range(6)]
    assert result(lines, [5, 5, 3, 5, 5, 3], sides=THREE).id == "results.even"
    text = result(lines, [9, 5, 3, 9, 5, 3], sides=THREE)
    assert rulebook(contract).render(text.args["side"], "en", "ABCDEF") == "A and D"
    assert match_result(contract.match, [{"points": n} for n in (1, 4, 4, 1, 4, 4)], THREE).id == "results.match-even"
    three = result(lines, [9, 5] * 3, sides=(0, 1) * 3).args["side"]
    assert rulebook(contract).render(three, "ja", "ABCDEF") == "A、CとE"


def test_the_reader_is_named_with_a_capital_letter_only_at_the_beginning_of_a_sentence() -> None:
    book, seats = rulebook(contract), (0, 2, 4)
    names = [book.render(named(seats, begins), "en", "ABCDEF", you=you) for begins in (True, False) for you in (0, 2)]
    assert names == ["You, C and E", "A, you and E", "you, C and E", "A, you and E"]


def test_a_sheet_that_adds_up_to_an_account_gives_its_amounts() -> None:
    """The returns may be a lead, while the sheet and the account count points."""
    lines = [SheetLine(seat, Text("lines.return", {}), 0, (80, 5)[seat % 2], "") for seat in range(4)]
    text = result(lines, [75, -75] * 2, [{"points": one.points} for one in lines], SIDES)
    assert (text.id, text.args["points"]) == ("results.side-won", Text("amounts.points", {"n": "80"}))


def test_a_view_shows_one_pile_and_one_sheet_for_a_side() -> None:
    round = played(5)
    spectator, own = round.view(), round.view(2)
    assert spectator.sides == own.sides == SIDES
    for view, owners in ((spectator, [0, 1]), (own, [1, 2])):
        piles = [zone for zone in view.zones if zone.kind == "captured"]
        assert sorted(zone.owner for zone in piles if zone.owner is not None) == owners
        assert sorted({line.seat for line in view.score}) == owners
        assert sum(len(zone.cards) for zone in piles) == sum(len(zone.cards) for zone in contract.table.zones(round._state)[8:])
    assert mekuri.game("mushi").deal(seed=1).view(0).sides == ()


def test_an_analysis_does_not_take_a_partner_for_a_rival() -> None:
    more = Reason(Event(CAPTURED, 2, 5), here=0.8, there=0.1, share=1.0, error=0.0, certain=9.0)
    assert speaks_for(more, partners(SIDES, 0))
    assert not speaks_for(more, partners(SIDES, 1))


def best(s: RoundState, seat: int) -> int:
    """The return of a seat whose side plays against the other, by trying everything."""
    while waiting(s) == 1 << 16:
        drive(s, stream(0))
    if over(s):
        return returns(s, seat)
    asked = waiting(s).bit_length() - 1
    found = []
    for action in range(63):
        if legal(s, asked) >> action & 1:
            after = type(s)()
            copy(after, s)
            play(after, asked, action)
            found.append(best(after, seat))
    return max(found) if SIDES[asked] == SIDES[seat] else min(found)


@pytest.mark.parametrize("seed", range(8))
def test_the_solver_takes_partners_to_play_together(seed: int) -> None:
    steps = len(played(seed).actions)
    s = played(seed, max(1, steps - 6))._state
    seat = waiting(s).bit_length() - 1
    found = solve_state(s, seat)
    assert found.solved
    for action, value in found.values.items():
        after = type(s)()
        copy(after, s)
        play(after, seat, action)
        assert value == best(after, seat)


def test_a_pair_of_the_arena_is_played_once_for_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    seats: list[Sequence[str]] = []

    def noted(game: Game, seed: Seed, dealer: int, seated: Sequence[Seated], *more: Any) -> list[Round]:
        seats.extend(one.bots for one in seated)
        return play_together(game, seed, dealer, seated, *more)

    monkeypatch.setattr(arena, "play_together", noted)
    arena.Arena(GAME, ("greedy", "random"), 1).play()
    assert seats == [["greedy", "random"] * 2, ["random", "greedy"] * 2]


def test_bots_search_a_game_of_partners() -> None:
    round = played(6, 6)
    seat = round.waiting[0]
    assert find("flat", contract).choose(round.seen(seat), stream(1), Budget(60)) in range(63)


def test_the_checks_of_a_game_hold_partners_against_each_other() -> None:
    seats_checks.round_the_table(GAME, 1)
