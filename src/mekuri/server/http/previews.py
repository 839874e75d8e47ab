"""Link previews (Open Graph): title, description and picture of each page, from what everybody may see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import tomli

from mekuri import games
from mekuri.bots import about
from mekuri.cards import parse_card
from mekuri.cards.art import Pack, find_pack
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import JOINT, LANGUAGES, Lang, rulebook
from mekuri.engine.worded import worded
from mekuri.match.view import View
from mekuri.server.base.responses import Asked
from mekuri.table.seating import PERSON
from mekuri.table.showing import finished
from mekuri.table.table import Table

_SPREAD = 5  # cards in the picture of a game
USUAL = "/icon-512.png"  # the picture of pages without one of their own


@dataclass(frozen=True)
class Preview:
    """The link preview of a page.

    Attributes:
        title, text: in the language of the request.
        picture: the path of its picture.
        large: whether the picture is shown large, and not as an icon.
        listed: whether search engines may index the page.
        query: the query string of the page's canonical address, with its `?`.
    """

    title: str
    text: str
    picture: str = USUAL
    large: bool = False
    listed: bool = False
    query: str = ""


def language(request: Asked) -> Lang:
    """Return the language of a response: that of the `lang` parameter, or else the browser's first that is supported."""
    accepted = [(1.0, request.query_params.get("lang", ""))]
    for part in request.headers.get("accept-language", "").split(","):
        tag, _, weight = part.partition(";")
        accepted.append((_weight(weight), tag))
    asked = [tag.strip().lower()[:2] for weight, tag in [accepted[0], *sorted(accepted[1:], key=lambda one: -one[0])] if weight]
    return next((lang for tag in asked for lang in LANGUAGES if lang == tag), LANGUAGES[0])


def _weight(weight: str) -> float:
    """Return a weight such as `q=0.8`; 1 where it is missing or not valid."""
    found = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", weight)
    return float(found[1]) if found else 1.0


def picture_of(contract: Contract) -> str:
    """Return the path of a game's picture."""
    return f"/pictures/{contract.id}"


def plain(kind: str, lang: Lang, listed: bool = True, pictured: bool = False) -> Preview:
    """Return the preview of a page that is about no game and no table, with the picture of the first game or the icon."""
    picture = picture_of(games.find(games.names()[0])) if pictured else USUAL
    return Preview(*_words(kind, lang), picture, large=pictured, listed=listed)


def of_game(kind: str, contract: Contract, lang: Lang, entry: str | None = None) -> Preview:
    """Return the preview of a page about a game or an entry of it. `kind` is `book`, `learn`, `puzzles` or `new`."""
    return Preview(*_words(kind, lang, **_about(contract, lang, entry)), picture_of(contract), large=True, listed=True)


def of_table(table: Table, lang: Lang) -> Preview:
    """Return the preview of a table: who sits there, and how far the match has come."""
    contract, names = table.game.contract, _players(table, lang)
    free = sum(not sitter.taken for sitter in table.seats)
    kind: str = table.state
    if table.state == "open" and free == len(table.seats):
        kind = "empty"
    elif table.state == "over" and table.head.winners:
        kind = "won"
    words = _about(contract, lang, table.entry) | {
        "names": _joined((name for name, sitter in zip(names, table.seats, strict=True) if sitter.taken), lang),
        "winners": _joined((names[seat] for seat in table.head.winners or ()), lang),
        "free": free,
        "round": table.rounds,
    }
    return Preview(*_words(kind, lang, **words), picture_of(contract), large=True)


def of_round(table: Table, number: int, lang: Lang, reviewed: int | None = None) -> Preview:
    """Return the preview of a finished round: its result, or only its players for a review of a seat.

    The verdict of a review is left out, as the page first asks its reader to judge.

    Args:
        table: the table.
        number: the round, from 1.
        lang: the language.
        reviewed: the seat whose review the page shows; None for the round itself.

    Raises:
        ProblemError: there is no such finished round.
    """
    contract, names = table.game.contract, _players(table, lang)
    result = finished(table, number).view().result
    said = rulebook(contract).render(result, lang, names) if result else ""
    words = _about(contract, lang) | {"round": number, "result": said, "names": _joined(names, lang)}
    kind, query = "round", ""
    if reviewed is not None and reviewed < len(names):
        kind, query, words["name"] = "review", f"?seat={reviewed}", names[reviewed]
    return Preview(*_words(kind, lang, **words), f"/t/{table.id}/rounds/{number}/picture", large=True, query=query)


def cards_of_game(contract: Contract) -> tuple[Pack, tuple[int, ...]]:
    """Return the pack and cards of a game's picture: its own card in the middle, and others from all over the pack."""
    tables = rulebook(contract).tables
    pack = find_pack(next(iter(tables["names"].values()))["pack"])
    face = parse_card(tables["face"])
    others = [card for card in sorted(set(pack.cards)) if card != face]
    step = len(others) // (_SPREAD - 1)
    some = others[step // 2 :: step][: _SPREAD - 1]
    half = len(some) // 2
    return pack, (*some[:half], face, *some[half:])


def cards_of_round(table: Table, number: int) -> tuple[Pack, tuple[int, ...]]:
    """Return the pack and the open cards at the end of a finished round, those captured by the winner first.

    Raises:
        ProblemError: there is no such finished round.
    """
    view = finished(table, number).view()
    pack, usual = cards_of_game(table.game.contract)
    return pack, tuple(card for card in dict.fromkeys(_open_cards(view)) if card in pack.cards) or usual


def _open_cards(view: View) -> list[int]:
    returns = view.returns or ()

    def rank(owner: int | None) -> int:
        return -returns[owner] if owner is not None and owner < len(returns) else 1 << 30

    zones = sorted(view.zones, key=lambda zone: (zone.kind != "captured", rank(zone.owner)))
    return [card for zone in zones for card in zone.cards if card is not None]


def _about(contract: Contract, lang: Lang, entry: str | None = None) -> dict[str, Any]:
    tables = rulebook(contract, entry).tables
    return {"game": tables["name"][lang], "summary": tables["summary"][lang]}


def _players(table: Table, lang: Lang) -> list[str]:
    """Return the names of all seats in a language."""
    bots = {bot.id: bot.name[lang] for bot in about(table.game.contract)}
    labels = [table.label(seat) for seat in range(len(table.seats))]
    return [
        label if sitter.kind == PERSON else bots.get(sitter.kind, label) for label, sitter in zip(labels, table.seats, strict=True)
    ]


def _joined(names: Iterable[str], lang: Lang) -> str:
    return JOINT[lang].join(names)


@cache
def _texts() -> dict[str, dict[str, dict[str, str]]]:
    return tomli.loads(Path(__file__).with_name("previews.toml").read_text(encoding="utf-8"))


def _words(kind: str, lang: Lang, **words: Any) -> tuple[str, str]:
    texts = _texts()[kind]
    return worded(texts["title"][lang], words), worded(texts["text"][lang], words)


# --- In a page ---

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_DESCRIPTION = re.compile(r'\s*<meta name="description"[^>]*>')
_LANG = re.compile(r'(<html\b[^>]*\blang=")[^"]*')


def with_preview(page: str, preview: Preview, lang: Lang, here: str, path: str) -> str:
    """Return the page's HTML with a preview in its head, in the place of its title and description.

    Args:
        page: the HTML of the page.
        preview: the preview.
        lang: the language of the page.
        here: the public URL of the server, without a slash at its end.
        path: the path of the page.
    """

    def meta(name: str, content: str, key: str = "property") -> str:
        return f'<meta {key}="{name}" content="{escape(content)}" />'

    tags = [
        f"<title>{escape(preview.title)}</title>",
        meta("description", preview.text, "name"),
        meta("og:site_name", "Mekuri"),
        meta("og:type", "website"),
        meta("og:title", preview.title),
        meta("og:description", preview.text),
        meta("og:url", here + path + preview.query),
        meta("og:image", here + preview.picture),
        meta("og:locale", {"en": "en_US", "ja": "ja_JP"}.get(lang, lang)),
        meta("twitter:card", "summary_large_image" if preview.large else "summary", "name"),
        *([] if preview.listed else [meta("robots", "noindex", "name")]),
    ]
    # A function, so that backslashes in names are not read as references to groups.
    found = _TITLE.sub(lambda _: "\n    ".join(tags), _DESCRIPTION.sub("", page), count=1)
    return _LANG.sub(lambda match: match[1] + lang, found, count=1)


def find_game(name: str) -> tuple[Contract, str | None] | None:
    """Return the game of an id, and the id again if it is that of an entry; None where there is none."""
    if name in games.entries():
        return games.entries()[name][0], name
    return (games.find(name), None) if name in games.names() else None
