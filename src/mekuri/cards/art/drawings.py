"""Reads drawings from the SVG files in `parts/`, which an artist can edit, and writes them as a page may show them.

A page with a strict policy takes shapes with plain attributes only. So classes and styles become attributes, a `use` becomes the
part that it shows, and names, captions and the data of an editor are left out.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from mekuri.cards.art.svg import element

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"


@cache
def drawing(file: str, id: str) -> str:
    """Return what a named group of a file draws, as SVG.

    The attributes of the group itself, such as its place on the sheet, are no part of the drawing.
    """
    return sheet(file).drawing(id)


@cache
def sheet(file: str) -> Sheet:
    """Return a file of `parts/`, by its name without the suffix."""
    return Sheet((files("mekuri.cards.art") / "parts" / f"{file}.svg").read_text(encoding="utf-8"))


class Sheet:
    """An SVG document of drawings.

    Attributes:
        named: its elements with an id, by it.
        classes: the attributes that each class of its style sheet stands for, by the class.
    """

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        self.named = {node.attrib["id"]: node for node in root.iter() if "id" in node.attrib}
        css = "".join(style.text or "" for style in root.iter(f"{_SVG}style"))
        self.classes = {name: _declarations(body) for name, body in re.findall(r"\.([\w-]+)\s*\{([^}]*)\}", css)}

    def drawing(self, id: str) -> str:
        """Return what the element with an id contains, as SVG."""
        return "".join(map(self._drawn, self.named[id]))

    def _drawn(self, node: ElementTree.Element) -> str:
        tag = node.tag.removeprefix(_SVG)
        if tag.startswith("{") or tag in ("title", "desc"):
            return ""
        attributes = self._attributes(node)
        if tag == "use":
            tag, inner = "g", self._drawn(self.named[_target(node)])
        else:
            inner = "".join(map(self._drawn, node))
        if tag == "g" and not (attributes and inner):
            return inner
        return element(tag, *filter(None, [inner]), **attributes)

    def _attributes(self, node: ElementTree.Element) -> dict[str, str]:
        """Return the attributes to write. As in CSS, a style overrides a class, and a class an attribute."""
        styled: dict[str, str] = {}
        for name in node.get("class", "").split():
            styled |= self.classes.get(name, {})
        styled |= _declarations(node.get("style", ""))
        found: dict[str, str] = {}
        for name, value in node.attrib.items():
            if name in ("class", "style"):
                found |= styled
            elif name not in ("id", "href") and not name.startswith("{"):
                found.setdefault(name, value)
        return found


def _target(use: ElementTree.Element) -> str:
    """Return the id of the part that a `use` shows. Older editors know `xlink:href` only, newer ones write `href`."""
    return (use.get(_LINK) or use.attrib["href"]).removeprefix("#")


def _declarations(css: str) -> dict[str, str]:
    """Return declarations of CSS by property, without the properties of editors, such as `-inkscape-stroke`."""
    pairs = (declaration.split(":", 1) for declaration in css.split(";") if ":" in declaration)
    return {name.strip(): value.strip() for name, value in pairs if not name.strip().startswith("-")}
