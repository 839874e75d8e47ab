"""Conversion of what older versions sent."""

from typing import Any


def counted(score: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the score lines of a running round without those of the points from which a seat wins.

    Older versions sent these as lines of the score; now they are sent with the scores.
    """
    return [line for line in score if not line["clause"].endswith(".par")]


def renamed(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view of version 1 of the wire as it is now: with other names, the steps to each yaku, and piles in no order."""
    names = {"house": "accounts", "table": "shape"}
    near = [yaku | {"steps": len(yaku["missing"])} for yaku in view.get("near", [])]
    return unordered({names.get(key, key): value for key, value in view.items()} | ({"near": near} if near else {}))


def unordered(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view with the face-up cards of its piles in the order of their names: they had no order once."""
    zones = [
        zone | {"cards": sorted(zone["cards"])} if zone["kind"] == "pile" and None not in zone["cards"] else zone
        for zone in view.get("zones", [])
    ]
    return view | ({"zones": zones} if zones else {})
