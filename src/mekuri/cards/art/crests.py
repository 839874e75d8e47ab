"""The crests of characters, drawn in `parts/crests.svg`: SVG path data in two colours, ink over red, in a square of 48 units.

The paper shows through overlaps of shapes of one colour (fill rule `evenodd`).
"""

from __future__ import annotations

from mekuri.cards.art.drawings import sheet


def crest(name: str) -> tuple[str, str]:
    """Return a crest by its name, as SVG path data: the path in ink, and the path in red that lies under it.

    Raises:
        LookupError: no crest has this name.
    """
    named = sheet("crests").named
    if name not in named:
        raise LookupError(f"no crest called {name} is drawn; there are {', '.join(named)}")
    data = {path.get("class"): path.attrib["d"] for path in named[name] if "d" in path.attrib}
    return data["ink"], data["red"]
