"""Koi-Koi: its yaku against a plain second reading of the rules, its chances by counting, and what greedy players make of it."""

from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest

import mekuri
from mekuri.cards import each, parse_cards
from mekuri.games.koikoi.rules import is_lucky
from mekuri.games.koikoi.scoring import counted, has_four, has_pairs
from mekuri.games.koikoi.state import YAKU
from mekuri.games.koikoi.yaku import ANIMALS, BRIGHTS, CHAFF, RIBBONS, points_of
from mekuri.lab.simulate import simulate
from tests.helpers.tables import assert_share, with_options

ALL = (1 << 48) - 1
BRIGHT_ROWS = {
    "standard": (15, 8, 7, 6),
    "classic": (15, 10, 8, 6),
    "nintendo": (10, 8, 7, 5),
    "yakuza": (10, 8, 7, 6),
    "dojo": (12, 9, 8, 6),
}


def names(cards: str) -> set[int]:
    return set(each(parse_cards(cards)))


def expected(captured: int, brights: str, sets: str) -> dict[str, int]:
    """The yaku of captured cards with viewing on and the cup counted twice: the brief's tables, read a second time."""
    cards = set(each(captured))
    found: dict[str, int] = {}
    row = BRIGHT_ROWS[brights]
    light = cards & names("1H 3H 8H 11O 12H")
    dry = light - names("11O")
    if len(light) == 5:
        found["five-brights"] = row[0]
    elif len(dry) == 4:
        found["four-brights"] = row[1]
    elif len(light) == 4:
        found["rainy-four"] = row[2]
    elif len(dry) == 3 and len(light) == 3:
        found["three-brights"] = row[3]
    animals = len(cards & names("2H 4H 5H 6H 7H 8I 9H 10H 11H"))
    ribbons = len(cards & names("1I 2I 3I 4I 5I 6I 7I 9I 10I 11I"))
    boar = names("6H 7H 10H") <= cards
    poetry, blue = names("1I 2I 3I") <= cards, names("6I 9I 10I") <= cards
    grown = sets in ("grouped", "both", "grouped-6")
    set_points = 6 if sets in ("stack-6", "stack-6-6", "grouped-6") else 5
    if boar:
        found["boar-deer-butterflies"] = (6 if sets == "stack-6-6" else 5) + (animals - 3 if grown else 0)
    if animals >= 5 and not (boar and sets in ("grouped", "grouped-6")):
        found["animals"] = animals - 4
    if poetry and blue and grown:
        found["poetry-and-blue"] = (12 if sets == "grouped-6" else 10) + ribbons - 6
    else:
        for name, made in (("poetry", poetry), ("blue", blue)):
            if made:
                found[name] = set_points + (ribbons - 3 if grown else 0)
        if poetry and blue and sets == "overlay":
            found["poetry-and-blue"] = 10
    if ribbons >= 5 and not ((poetry or blue) and sets in ("grouped", "grouped-6")):
        found["ribbons"] = ribbons - 4
    if names("3H 9H") <= cards:
        found["flower-viewing"] = 5
    if names("8H 9H") <= cards:
        found["moon-viewing"] = 5
    chaff = len(cards - names("1H 3H 8H 11O 12H 2H 4H 5H 6H 7H 8I 10H 11H 1I 2I 3I 4I 5I 6I 7I 9I 10I 11I"))
    if chaff >= 10:
        found["chaff"] = chaff - 9
    return found


def state(captured: int = 0, **options: Any) -> Any:
    """A finished round in which seat 0 has captured some cards."""
    game = with_options("koikoi", options)
    s: Any = game.position("phase over; ending shobu; winner 1")._state
    s.captured[0] = captured
    return s


@pytest.mark.parametrize("sets", ["grouped", "both", "stack-5", "stack-6", "stack-6-6", "overlay", "grouped-6"])
def test_yaku_agree_with_a_second_reading(sets: str) -> None:
    random = Random(sets)
    for _ in range(2_000):
        brights = random.choice([*BRIGHT_ROWS])
        captured = sum(1 << card for card in random.sample(range(48), random.randint(4, 36)))
        s = state(captured, brights=brights, sets=sets)
        values = {name: points_of(s, 0, yaku, captured, s.cup) for yaku, name in enumerate(YAKU)}
        assert {name: points for name, points in values.items() if points} == expected(captured, brights, sets)


def test_all_cards_make_seventy_points_in_august() -> None:
    s = state(ALL, seven="no")
    s.month, s.month_counts = 8, 1
    # 15 brights, 5 + 6 animals, 10 + 4 ribbons, 5 + 5 viewing, 4 month, 1 + 15 chaff
    assert counted(s, 0) == 70


def test_kinds_partition_the_pack() -> None:
    kinds = (BRIGHTS, ANIMALS, RIBBONS, CHAFF)
    assert [kind.bit_count() for kind in kinds] == [5, 9, 10, 24]
    assert sum(kinds) == ALL


def test_one_hand_in_166_is_lucky() -> None:
    # By counting: four of a month and any four others, less the two ways in which two months are whole; four pairs.
    four = 12 * comb(44, 4) - comb(12, 2)
    pairs = comb(12, 4) * comb(4, 2) ** 4
    assert (four + pairs) / comb(48, 8) == pytest.approx(0.0060, abs=0.00005)
    # The rules find exactly these among the hands of five months, which can be listed.
    lucky = sum(is_lucky(sum(1 << card for card in hand)) for hand in combinations(range(20), 8))
    assert lucky == 5 * comb(16, 4) - comb(5, 2) + comb(5, 4) * comb(4, 2) ** 4


def test_four_of_a_month_are_two_pairs() -> None:
    both = parse_cards("1H 1I 1O 1K 2H 2I 3H 3I")
    assert has_four(both)
    assert has_pairs(both)
    assert not has_pairs(parse_cards("1H 1I 1O 2H 2I 3H 3I 4H"))


def test_figures_of_greedy_players_match_another_program() -> None:
    """Another program's simulation of such players: 2.0 % drawn and 9.9 turns, 3.4 % and 11.4 without the viewing yaku."""
    with_viewing, without = (
        simulate(mekuri.game("koikoi", viewing=viewing), rounds=40_000, bot="greedy", seed=1).to_dict() for viewing in ("on", "off")
    )
    assert_share(with_viewing["endings"]["exhausted"], 40_000, 0.0185)
    assert_share(without["endings"]["exhausted"], 40_000, 0.0315)
    assert with_viewing["turns"]["mean"] == pytest.approx(9.65, abs=0.1)
    assert without["turns"]["mean"] == pytest.approx(11.2, abs=0.1)


@pytest.mark.parametrize("preset", mekuri.game("koikoi").contract.presets)
def test_sheet_of_a_call_adds_up_to_what_its_question_says(preset: str) -> None:
    asked = 0
    random = Random(preset)
    for seed in range(12):
        round = mekuri.game("koikoi", preset=preset).deal(seed=seed)
        while not round.over:
            seat = round.waiting[0]
            view = round.view(seat)
            if view.prompt and view.prompt.id in ("prompts.call", "prompts.stop"):
                asked += 1
                assert (view.prompt.id == "prompts.stop") == (len(view.legal) == 1)  # what has no other answer is no question
                assert sum(line.points for line in view.decision) == view.prompt.args["points"]
                assert round.view(1 - seat).decision == round.view(None).decision == ()
            else:
                assert view.decision == ()
            round.play(random.choice(view.legal).action)
    assert asked > 5


@pytest.mark.parametrize(
    ("options", "later"),
    [
        ({}, [(0, "seven", 2), (1, "after-koi-koi", 2)]),
        ({"koi_multiplier": "caller"}, [(0, "seven", 2), (0, "after-koi-koi", 2)]),
        ({"koi_multiplier": "shared-count"}, [(0, "seven", 2), (0, "after-koi-koi", 2), (1, "after-koi-koi", 2)]),
        ({"koi_multiplier": "no", "seven": "no"}, []),
        ({"koi_multiplier": "anyone", "calls": "three-points"}, [(0, "seven", 2)]),
    ],
)
def test_sheet_of_a_call_says_what_multiplies_points_later(options: dict[str, Any], later: list[tuple[int, str, int]]) -> None:
    round = mekuri.game("koikoi", **options).position("phase call; hand 1O / 9K; captured 1I 4I 5I 7I 11I / 2O; stock 3O 4O")
    lines = round.view(0).decision
    assert [(line.text.id, line.points) for line in lines[:1]] == [("lines.yaku", 1)]
    assert [(line.seat, line.text.id.removeprefix("lines."), line.text.args["times"]) for line in lines[1:]] == later
