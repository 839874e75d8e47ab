"""Random made-up games: from a seed a small game, with few or many seats, cards and words, and with long texts or none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import pytest

from mekuri import games
from mekuri.cards import EXTRA, card_text, each
from mekuri.engine.contract import Contract
from tests.helpers.unfinished import announce, looked_through_anew

RULES = Path(__file__).with_name("made_up_rules.py")
LENGTHS = ("none", "short", "long")  # of the texts that a game brings
# Words as long as they come, in half and full width. Short texts go without the first.
EN = ("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "Extraordinarily", "of", "the", "Oldest")
JA = (
    "寿限無寿限無五劫の擦り切れ海砂利水魚の水行末雲来末風来末",
    "とても長い名前の札",
    "ﾊﾝｶｸ",
    "Donaudampfschifffahrtsgesellschaft",
)
NAMES = ("ジュゲムジュゲムゴコウノスリキレ", "とてもながいなまえのふだ", "ふだ", "やま")  # of cards, read as they are written


@dataclass(frozen=True)
class MadeUp:
    """A made-up game: the constants of `made_up_rules.py`, and the texts it brings.

    Attributes:
        seed: what it was made from.
        texts: one of `LENGTHS`.
        values: the constants by their names in lower case; see `made_up_rules.py`.
    """

    seed: int
    texts: str
    name: str
    seats: int
    cards: int
    hand: int
    field: int
    to_field: bool
    turn_over: bool
    together: bool
    votes: int
    yaku: int
    pot: bool
    layout: str
    shape: str

    def __str__(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in asdict(self).items())


def made_up(seed: int) -> MadeUp:
    """Make up a game. The first seeds hold each kind of deal and texts, and the least and the most seats."""
    chance = Random(f"made up {seed}")
    seats = (2, 16, 4, 7, 3, 10)[seed] if seed < 6 else chance.choice((2, 2, 3, 4, 4, 5, 6, 8, 9, 12, 13, 16))
    kind = ("dealt", "stock", "turned", "field", "together", "field")[seed % 6 if seed < 6 else chance.randrange(6)]
    hand = 0 if kind == "stock" else min(48 // seats, chance.choice((1, 2, 3, 5, 8, 13, 24)) if seed else 8)
    field = 0 if kind in ("dealt", "stock", "together") else min(48 - seats * hand, chance.choice((0, 1, 6, 8, 12)))
    stock = {"dealt": 0, "stock": seats * chance.choice((1, 2, 3))}.get(kind, chance.randrange(16))
    cards = chance.sample(range(49), min(48, seats * hand + field + stock))
    turn_over, to_field = kind == "turned", kind in ("field", "turned") and chance.random() < 0.7
    yaku, votes = chance.choice((0, 0, 2, 5)), chance.choice((0, 0, 2, 3, 10))
    return MadeUp(
        seed=seed,
        texts=LENGTHS[seed % 3] if seed < 6 else chance.choice(LENGTHS),
        name=f"made_up_{seed}",
        seats=seats,
        cards=sum(1 << card for card in cards),
        hand=hand,
        field=field,
        to_field=to_field,
        turn_over=turn_over,
        together=kind == "together",
        votes=votes,
        yaku=min(yaku, len(cards) // 4),
        pot=chance.random() < 0.4,
        layout=chance.choice(("", "", "row", "stack", "mats", "grid")),
        shape=chance.choice(("faces", "ring", "bank", "pile")),
    )


def install(site: Path, many: Iterable[MadeUp]) -> None:
    """Write the packages of games into a folder, as `pip install` would."""
    for game in many:
        package = site / game.name
        package.mkdir(parents=True)
        rules = RULES.read_text(encoding="utf-8")
        for constant, value in asdict(game).items():
            rules = re.sub(rf"^{constant.upper()} = [^#\n]*", f"{constant.upper()} = {value!r}  ", rules, flags=re.MULTILINE)
        (package / "__init__.py").write_text(rules, encoding="utf-8")
        if game.texts != "none":
            (package / "rulebook.toml").write_text("\n".join(_rulebook(game)), encoding="utf-8")
        announce(site, game.name, f"{game.name}:contract")


@contextmanager
def installed_here(site: Path, many: Sequence[MadeUp]) -> Iterator[list[Contract]]:
    """Install games for this process, and yield their contracts."""
    install(site, many)
    with pytest.MonkeyPatch.context() as patch, looked_through_anew():
        patch.syspath_prepend(site)
        yield [games.find(game.name) for game in many]


def _rulebook(game: MadeUp) -> Iterator[str]:
    chance = Random(f"texts {game.seed}")
    short = game.texts == "short"

    def words(parts: tuple[str, ...], least: int, space: str) -> str:
        most = 2 if short else 9 if least > 1 else 3
        return space.join(chance.choices(parts[1:] if short else parts, k=chance.randint(least, most)))

    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    def name() -> str:
        ja = quoted(words(NAMES, 1, "・"))
        return f"{{ en = {quoted(words(EN, 1, ' '))}, ja = {ja}, kana = {ja}, latin = 'fuda' }}"

    def text(least: int = 1, args: str = "") -> str:
        """Return a name, or with two words at least a sentence."""
        return f"{{ en = {quoted(args + words(EN, least, ' '))}, ja = {quoted(args + words(JA, least, ''))} }}"

    yield f"name = {text()}"
    yield f"summary = {text(2)}"
    yield "[prompts]"
    yield f"turn = {text(2)}"
    yield "[words]"
    yield from (f"{word} = {text()}" for word in (*(f"vote-{n}" for n in range(1, 11)), "draw", "reveal", "turn-up", "deal"))
    yield "[events]"
    yield f"seat-card = {text(2, '{seat} {card} ')}"
    yield f"table-word = {text(2, '{word} ')}"
    yield "[lines]"
    yield f"return = {text(2)}"
    yield "[accounts]"
    yield f"points = {text()}"
    yield "[endings]"
    yield f"over = {text()}"
    yield "[zones]"
    yield from (f"{place} = {text()}" for place in ("taken", "laid", "field", "stock", "pot"))
    for option in ("an_option_that_changes_nothing_at_all_but_has_a_long_name", "number_of_nothings"):
        yield f"[options.{option}]"
        yield f"title = {text()}"
        yield f"help = {text(2)}"
    for yaku in range(game.yaku):
        yield "[[yaku]]"
        yield f'id = "yaku-{yaku}"'
        yield f"name = {text()}"
        yield 'kana = "やく"'
        yield 'reading = "yaku"'
        yield f'cards = "{card_text(each(game.cards)[0])}"'
    yield "[names.made-up]"
    yield f"title = {text()}"
    yield f'pack = "{"ise" if game.cards >> EXTRA else "hanafuda"}"'
    yield from (f"cards.{card_text(card)} = {name()}" for card in each(game.cards))
