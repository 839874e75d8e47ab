"""The public names for games of other distributions, gathered in one module. `docs/contract.md` is the guide.

`fields` declares the fields of a state: `hand: list[int] = fields.cards(2)`.
"""

from mekuri.cards import (
    ALL,
    CLUBS,
    COINS,
    CUPS,
    EXTRA,
    NONE,
    SWORDS,
    NotationError,
    card,
    card_text,
    cards_text,
    each,
    number,
    parse_card,
    parse_cards,
    parse_row,
    suit,
    whole_number,
)
from mekuri.engine import fields
from mekuri.engine.bot import Crest, rule_bot
from mekuri.engine.chance import below, pick, shuffle
from mekuri.engine.compiled import bit, count, first, has, nth, rule, shared_rule, wrap
from mekuri.engine.contract import (
    DRIVER,
    FIRST_WORD,
    LAST_WORD,
    Contract,
    Counted,
    Goal,
    Refusal,
    SheetLine,
    Text,
    Worth,
    Zone,
    face_down,
    functions,
    yaku_goal,
)
from mekuri.engine.errors import MekuriError, OptionError, OutdatedGame, PositionError
from mekuri.engine.fields import RoundState
from mekuri.engine.level import Level
from mekuri.engine.options import Choice, Options, between, numbers, one_of
from mekuri.engine.position import need
from mekuri.games.dealing import (
    DealtState,
    hand_size,
    hide_hand,
    hide_hands,
    in_hands,
    lay_unseen,
    next_card,
    open_pack,
    packet,
    recall,
)

__all__ = [
    "ALL",
    "CLUBS",
    "COINS",
    "CUPS",
    "DRIVER",
    "EXTRA",
    "FIRST_WORD",
    "LAST_WORD",
    "NONE",
    "SWORDS",
    "Choice",
    "Contract",
    "Counted",
    "Crest",
    "DealtState",
    "Goal",
    "Level",
    "MekuriError",
    "NotationError",
    "OptionError",
    "Options",
    "PositionError",
    "Refusal",
    "RoundState",
    "SheetLine",
    "Text",
    "Worth",
    "Zone",
    "below",
    "between",
    "bit",
    "card",
    "card_text",
    "cards_text",
    "count",
    "each",
    "face_down",
    "fields",
    "first",
    "functions",
    "hand_size",
    "has",
    "hide_hand",
    "hide_hands",
    "in_hands",
    "lay_unseen",
    "need",
    "next_card",
    "nth",
    "number",
    "numbers",
    "one_of",
    "open_pack",
    "packet",
    "parse_card",
    "parse_cards",
    "parse_row",
    "pick",
    "recall",
    "rule",
    "rule_bot",
    "shared_rule",
    "shuffle",
    "suit",
    "whole_number",
    "wrap",
    "yaku_goal",
]

_GONE = {"Near": "Goal", "within_reach": "yaku_goal"}  # since version 2 of the contract


def __getattr__(name: str) -> object:
    """Refuse a name that this module lacks.

    Raises:
        OutdatedGame: if the name was here in version 1 of the contract.
        AttributeError: for any other name.
    """
    if name in _GONE:
        raise OutdatedGame(
            f"{name} is gone since version 2 of the contract: say goals instead, with {_GONE[name]} (docs/versions.md)"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
