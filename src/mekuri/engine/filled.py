"""Fills in the tables that a game's rule book leaves out, with the texts of `texts.toml` and the names under `cards/names/`.

A game's own entries win. An entry may also add a key to a default text, such as the clause of a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import tomli

from mekuri.cards import EXTRA, card_text
from mekuri.cards.names import pack_names
from mekuri.engine import defaults
from mekuri.engine.contract import Contract
from mekuri.engine.options import OptionInfo, info
from mekuri.engine.presentation import LANGUAGES

# The packs of a game that names none. The first shows suits, which flowers do not, and has the extra card.
_PACKS = ("ise", "hanafuda-calendar")
_SUITED = "ise"  # a pack without names shows the same four suits
_IN_PLAY = (
    "prompts",
    "events",
    "refusals",
    "facts",
    "goals",
    "lines",
    "results",
    "counted",
    "zones",
)  # the tables of `texts.toml` that every game has in full


@cache
def usual_texts() -> dict[str, Any]:
    """The parsed `texts.toml`."""
    return tomli.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def filled(contract: Contract, written: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a rule book with all defaults.

    Args:
        contract: the game.
        written: the parsed `rulebook.toml`.
    """
    texts = usual_texts()
    described = [*info(contract.options), *info(contract.match_options)]
    accounts = {} if contract.has("tally") else texts["accounts"]
    usually: dict[str, Any] = {
        "name": _same(defaults.spelt(contract.id)),
        "summary": texts["summary"],
        "also": [],
        "entries": [],
        "face": card_text(contract.rules.pack(contract.options())[0]),
        "versions": {str(n): _version(n) for n in range(1, contract.version + 1)},
        "chapters": _spelt(_chapters(written)),
        "clauses": [],
        "options": {option.name: _over(texts["options"].get(option.name, {}), _option(option)) for option in described},
        "presets": {**_spelt(contract.presets), "default": texts["presets"]["default"]},
        "preset-names": {preset: texts["preset-names"].get(preset, _same(defaults.spelt(preset))) for preset in contract.presets},
        "words": _words(contract),
        **{table: texts[table] for table in _IN_PLAY},
        "groups": _spelt(contract.capture_groups),
        "accounts": accounts,
        "amounts": _amounts(_over(written.get("accounts", {}), accounts)),
        "habits": {},
        "meanings": {},
        "waits": {},
        "endings": {ending: texts["endings"].get(ending, _same(defaults.spelt(ending))) for ending in contract.endings},
    }
    if not contract.has("zones"):
        usually["zones"] = {**_spelt(defaults.place_names(contract.state)), **texts["zones"]}
    return {**_over(written, usually), "yaku": _yaku(contract, written), "names": _names(contract, written)}


def _over(own: Any, usually: Any) -> Any:
    """A game's own entries over the defaults, table by table. A text with any language of its own takes none from the default."""
    if not (isinstance(own, Mapping) and isinstance(usually, Mapping)):
        return own
    missing = {key: value for key, value in usually.items() if key not in own}
    if not own.keys().isdisjoint(LANGUAGES):
        missing = {}
    return {key: _over(value, usually[key]) if key in usually else value for key, value in own.items()} | missing


def _same(text: str) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES, text)


def _spelt(ids: Iterable[str]) -> dict[str, dict[str, str]]:
    """Default texts for ids, made of the ids themselves."""
    return {id: _same(defaults.spelt(id)) for id in ids}


def _version(number: int) -> dict[str, str]:
    texts: dict[str, str] = usual_texts()["versions"]["first" if number == 1 else "later"]
    return {lang: text.format(number=number) for lang, text in texts.items()}


def _chapters(written: Mapping[str, Any]) -> list[str]:
    ids = [str(row.get("id", "")) for row in _rows(written, "clauses")]
    return [id.split(".")[1] for id in ids if id.count(".") > 1]


def _rows(written: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    rows = written.get(key)
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _option(option: OptionInfo) -> dict[str, Any]:
    words = [value for value in (*option.values, *option.offered) if not value.isdecimal()]
    named = {} if words == ["no", "yes"] else {"values": _spelt(words)}
    return {"title": _same(defaults.spelt(option.name)), "help": _same(defaults.spelt(option.name)), **named}


def _amounts(accounts: Any) -> dict[str, Any]:
    """The text of an amount in each account, such as "3 points"."""
    usually, named = usual_texts()["amounts"], usual_texts()["accounts"]
    if not isinstance(accounts, Mapping):
        return {}
    return {
        id: usually[id]
        if name == named.get(id)
        else {lang: usually["any"][lang].replace("{account}", str(name.get(lang, id))) for lang in LANGUAGES}
        for id, name in accounts.items()
        if isinstance(name, Mapping)
    }


def _words(contract: Contract) -> dict[str, Any]:
    taken_back = {"take-back": usual_texts()["words"]["take-back"]} if contract.has("undoing") else {}
    return _spelt(word.text for word in contract.words) | taken_back


def _yaku(contract: Contract, written: Mapping[str, Any]) -> Any:
    """The yaku that the game has written, each with defaults, followed by the yaku that it has not."""
    if not isinstance(written.get("yaku", []), list):
        return written["yaku"]
    usually = {id: _usual_yaku(id) for id in contract.yaku}
    rows = [_over(row, usually.pop(str(row.get("id")), {})) for row in _rows(written, "yaku")]
    return [*rows, *usually.values()]


def _usual_yaku(id: str) -> dict[str, Any]:
    name = defaults.spelt(id)
    return {"id": id, "name": _same(name), "kana": name, "reading": name, "cards": "-", "clause": ""}


def _names(contract: Contract, written: Mapping[str, Any]) -> Any:
    """The game's sets of card names, each with the names of its pack as defaults."""
    ghost = EXTRA in contract.rules.pack(contract.options())
    packs = [pack for pack in _PACKS if not ghost or card_text(EXTRA) in pack_names(pack)["cards"]]
    own = written.get("names") or {pack.partition("-")[0]: {"pack": pack} for pack in packs}
    if not isinstance(own, Mapping):
        return own
    return {id: _set_of_names(id, row, ghost) if isinstance(row, Mapping) else row for id, row in own.items()}


def _set_of_names(id: str, row: Mapping[str, Any], ghost: bool) -> Any:
    pack = row.get("pack", id)
    shared = pack_names(str(pack))
    cards = {card: name for card, name in shared["cards"].items() if ghost or card != card_text(EXTRA)}
    like = shared if shared["cards"] else pack_names(_SUITED)
    title = shared["title"] or _same(defaults.spelt(id))
    return _over(row, {"pack": pack, "title": title, "cards": cards, "numbers": like["numbers"], "plain": like["plain"]})
