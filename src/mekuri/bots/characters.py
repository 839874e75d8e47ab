"""The characters that people play against: bots with a name and a temper, the same in every game (how well they play: `levels`)."""

from __future__ import annotations

from functools import partial

from mekuri.bots.levels import STRONGEST, choose
from mekuri.engine.bot import Bot


def _person(id: str, crest: str, strength: int, en: tuple[str, str], ja: tuple[str, str], looks_back: bool = False) -> Bot:
    return Bot(
        id=id,
        name={"en": en[0], "ja": ja[0]},
        help={"en": en[1], "ja": ja[1]},
        choose=partial(choose, who=id),
        prepare=STRONGEST.prepare,
        looks_back=looks_back,
        strength=strength,
        crest=crest,
    )


CHARACTERS = (
    _person(
        "suzu",
        "bell",
        30,
        ("O-Suzu", "The errand girl. Snatches whatever glitters and forgets what is gone."),
        ("お鈴", "使いの小娘。光るものにすぐ手が出て、過ぎたことは忘れる。"),
    ),
    _person(
        "sankichi",
        "kite",
        32,
        ("Sankichi", "The kite maker's boy. Dreams of one great deal, and plays as if it were always this one."),
        ("三吉", "凧屋の小僧。夢に見るひと配りがあり、いつもそれが来たつもりで打つ。"),
    ),
    _person(
        "heita",
        "gourd",
        35,
        ("Heita", "The ferryman. Cheerful and quick: goes by the first thing that comes to mind."),
        ("平太", "渡し守。陽気でせっかち。最初に思いついた手で勝負する。"),
    ),
    _person(
        "kiku",
        "chrysanthemum",
        40,
        ("O-Kiku", "The seamstress. Careful: thinks twice before she gives anything away."),
        ("お菊", "仕立屋。用心ぶかく、手放す前に二度考える。"),
    ),
    _person(
        "genan",
        "moon",
        45,
        ("Gen'an", "The physician. Patient: weighs what you may hold, and waits for his moment."),
        ("玄庵", "医者。気長に相手の手を量り、時を待つ。"),
    ),
    _person(
        "kakuo",
        "crane",
        55,
        ("Kakuō", "The old card maker. Knows every card he ever cut, and what is left of them."),
        ("鶴翁", "老いた札師。自分の彫った札はみな覚えていて、残りも読む。"),
        looks_back=True,
    ),
)
"""Weakest first."""
