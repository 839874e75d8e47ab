"""The worked examples as pictures: what is shown before and after is the position and what it leads to."""

import dataclasses
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.cards import NONE, card_text, each
from mekuri.engine.contract import Contract, Zone
from mekuri.engine.fields import fields
from mekuri.engine.position import parse_values
from mekuri.engine.rulebook import Example, rulebook
from mekuri.match.example import Played, play_example
from tests.examples import run_example
from tests.worlds import deck

EXAMPLES = [
    (f"{clause.id}-{number}", contract, example)
    for contract in map(games.find, games.names())
    for clause in rulebook(contract).clauses.values()
    for number, example in enumerate(clause.examples, 1)
]
REFUSED = [(contract, example) for _, contract, example in EXAMPLES if example.refused]
each_example = pytest.mark.parametrize(("contract", "example"), [pytest.param(*rest, id=id) for id, *rest in EXAMPLES])


def named(contract: Contract, values: dict[str, Any]) -> set[int]:
    """The cards among the fields of a position."""
    found: set[int] = set()
    for field in fields(contract.state):
        if field.name in values and field.kind == "cards" and field.name not in contract.notes:
            value = values[field.name]
            found |= {card for cards in (value if field.length else [value]) for card in each(cards)}
        elif field.name in values and field.kind == "card":
            found |= set(values[field.name]) if field.length else {values[field.name]}
    return (found | set(values.get("stock", ()))) - {NONE}


def shown(zones: tuple[Zone, ...]) -> list[int | None]:
    """The cards that lie somewhere. A board only tells of cards."""
    return [card for zone in zones if zone.kind != "board" for card in zone.cards]


def lying(zones: tuple[Zone, ...], kind: str, owner: int | None = None) -> list[int | None]:
    """The cards in the zones of a kind."""
    return [card for zone in zones if (zone.kind, zone.owner) == (kind, owner) for card in zone.cards]


def check_after(contract: Contract, played: Played, result: dict[str, Any]) -> None:
    """Fail where what lies on the table afterwards is not what the result says, as far as it may be seen."""
    wanted: list[tuple[str, int | None, list[int]]] = []
    sets = {field.name for field in fields(contract.state) if field.kind == "cards"}
    result = {name: value for name, value in result.items() if name in sets or name == "stock"}
    for name in ("hand", "captured"):
        wanted += [(name, seat, list(each(cards))) for seat, cards in enumerate(result.get(name, ()))]
    for name, kind in (("field", "field"), ("face_down", "field"), ("dead", "dead")):
        wanted += [(kind, None, list(each(result[name])))] if result.get(name) else []
    wanted += [("offer", None, [card for cards in result["stack"] for card in each(cards)])] if any(result.get("stack", ())) else []
    wanted += [("stock", None, result["stock"])] if "stock" in result else []
    for kind, owner, cards in wanted:
        there = lying(played.after, kind, owner)
        if None in there:
            assert played.round.packs
            assert len(there) == len(cards)
        else:
            # The card that waits for its player to choose lies on the field too.
            assert [card for card in there if card in cards or card != getattr(played.round._state, "laid", NONE)] == cards, kind


@each_example
def test_before_is_the_position(contract: Contract, example: Example) -> None:
    played, wanted = play_example(contract, example), named(contract, parse_values(contract, example.position))
    gathered = played.round._beginning.gathered
    if gathered:
        assert len(shown(played.before)) == gathered
        assert set(shown(played.before)) == {None}
    else:
        there = shown(played.before)
        assert wanted <= set(there)
        if deck(played.round.game):  # where several packs are in play, hands that are left out are whole
            assert len(there) == len(wanted)


@each_example
def test_after_is_what_it_leads_to(contract: Contract, example: Example) -> None:
    played = play_example(contract, example)
    if example.refused:
        assert played.after == ()
        return
    if not played.round.packs:
        assert sorted(map(str, shown(played.after))) == sorted(map(str, shown(played.before)))
    check_after(contract, played, parse_values(contract, example.result))


@each_example
def test_nothing_lies_twice_and_no_place_is_empty(contract: Contract, example: Example) -> None:
    played = play_example(contract, example)
    for zones in (played.before, played.after):
        seen = [card for card in shown(zones) if card is not None]
        assert len(seen) == len(set(seen)) or played.round.game.seats > 4  # a second pack is in play then
        assert all(zone.count for zone in zones)


def test_something_is_shown_face_down_only_where_it_was_shuffled() -> None:
    plays = [play_example(contract, example) for _, contract, example in EXAMPLES]
    hidden = [played for played in plays if None in shown(played.after)]
    assert hidden
    assert all(played.round.packs or played.round._state.gathered for played in hidden)


# --- The checks can fail ---


def test_result_that_is_not_so_is_found() -> None:
    contract, example = next((contract, example) for _, contract, example in EXAMPLES if not example.refused)
    with pytest.raises(AssertionError):
        run_example(contract, dataclasses.replace(example, result="turns 1000"))
    with pytest.raises(AssertionError):
        run_example(contract, dataclasses.replace(example, refused="some.other.clause"))


def test_refusal_that_does_not_come_is_found() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(AssertionError):
        run_example(contract, dataclasses.replace(example, refused=""))


def test_an_action_before_the_last_is_allowed() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(mekuri.IllegalAction):
        play_example(contract, dataclasses.replace(example, action=f"{example.action} {card_text(0)}"))
