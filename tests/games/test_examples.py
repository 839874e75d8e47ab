"""The worked examples of the rule books: what they say comes of them, and what is shown before and after is just that."""

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
from tests.helpers.worlds import deck

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


def check_zones(contract: Contract, played: Played, result: dict[str, Any]) -> None:
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
        if kind == "captured":
            there.sort(key=lambda card: NONE if card is None else card)  # captures lie in the order that suits the game
        if None in there:
            assert played.round.packs
            assert len(there) == len(cards)
        else:
            # The card that waits for its player to choose lies on the field too.
            assert [card for card in there if card in cards or card != getattr(played.round._state, "laid", NONE)] == cards, kind


def check_result(contract: Contract, example: Example, played: Played) -> None:
    """Fail where the example does not lead to what it says: the fields that its result names, or the refusal it names."""
    assert (played.refusal.clause if played.refusal else "") == example.refused
    if played.refusal:
        return
    round = played.round
    assert example.result or example.returns is not None or example.next_dealer is not None or example.sheet
    if example.returns is not None:
        assert round.returns == example.returns
    if example.next_dealer is not None:
        assert round.next_dealer == example.next_dealer
    assert set(example.sheet) <= {line.clause for line in round.score_sheet().lines}
    wanted = parse_values(contract, example.result)
    found = {name: getattr(round._state, name) for name in wanted}
    if "stock" in wanted:
        found["stock"] = round._state.pack[: round._state.stock][::-1]
    assert found == wanted


def check_before(contract: Contract, example: Example, played: Played) -> None:
    """Fail where what lies on the table at first is not the position."""
    there, gathered = shown(played.before), played.round._beginning.gathered
    if gathered:
        assert len(there) == gathered
        assert set(there) == {None}
        return
    wanted = named(contract, parse_values(contract, example.position))
    assert wanted <= set(there)
    if deck(played.round.game):  # where several packs are in play, hands that are left out are whole
        assert len(there) == len(wanted)


def check_after(contract: Contract, example: Example, played: Played) -> None:
    """Fail where what lies on the table afterwards is not what the example leads to."""
    if example.refused:
        assert played.after == ()
        return
    if not played.round.packs and not played.round._state.gathered:
        assert sorted(map(str, shown(played.after))) == sorted(map(str, shown(played.before)))
    if None in shown(played.after):
        assert played.round.packs or played.round._state.gathered, "something lies face down that was not shuffled"
    check_zones(contract, played, parse_values(contract, example.result))


def check_places(played: Played) -> None:
    """Fail where a card lies twice, or a place is empty."""
    for zones in (played.before, played.after):
        seen = [card for card in shown(zones) if card is not None]
        assert len(seen) == len(set(seen)) or played.round.game.seats > 4  # a second pack is in play then
        assert all(zone.count for zone in zones)


@each_example
def test_example(contract: Contract, example: Example) -> None:
    """It is true, and is shown as it is played."""
    played = play_example(contract, example)
    check_result(contract, example, played)
    check_before(contract, example, played)
    check_after(contract, example, played)
    check_places(played)


def test_some_are_shown_face_down() -> None:
    assert any(None in shown(play_example(contract, example).after) for _, contract, example in EXAMPLES)


# --- The checks can fail ---


def check(contract: Contract, example: Example) -> None:
    check_result(contract, example, play_example(contract, example))


def test_result_that_is_not_so_is_found() -> None:
    contract, example = next((contract, example) for _, contract, example in EXAMPLES if not example.refused)
    check(contract, example)
    for wrong in (dataclasses.replace(example, result="turns 1000"), dataclasses.replace(example, refused="some.other.clause")):
        with pytest.raises(AssertionError):
            check(contract, wrong)


def test_refusal_that_does_not_come_is_found() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(AssertionError):
        check(contract, dataclasses.replace(example, refused=""))


def test_an_action_before_the_last_is_allowed() -> None:
    contract, example = REFUSED[0]
    with pytest.raises(mekuri.IllegalAction):
        play_example(contract, dataclasses.replace(example, action=f"{example.action} {card_text(0)}"))
