"""The packets of a deal match the dealt cards."""

import pytest

import mekuri

DEALT = ("hand", "offer", "field", "pile", "dead")


@pytest.mark.parametrize("name", ["mekuri", "mushi", "hiyoko", "isuri", "tensho", "tenshu"])
def test_packets_match_the_dealt_zones(name: str) -> None:
    round = mekuri.game(name).deal(seed=3)
    for seat in round.waiting if name == "tensho" else ():  # who vote before
        round.play("one", seat)
    event = next(event for event in round.events() if "packets" in event.text.args)
    counts: dict[str, int] = {}
    for packet in event.text.args["packets"].split():
        place, cards = packet.split(":")
        counts[place] = counts.get(place, 0) + int(cards)
    lie = {zone.id: zone.count for zone in event.view.zones if zone.kind in DEALT and zone.count}
    assert counts == lie
