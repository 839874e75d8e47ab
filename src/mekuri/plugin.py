"""Everything that a game of another distribution needs, in one place. `docs/contract.md` is the guide.

`fields` declares what a state holds: `hand: list[int] = fields.cards(2)`.
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
from mekuri.engine.chance import below, pick, shuffle
from mekuri.engine.compiled import count, first, nth, rule, shared_rule, wrap
from mekuri.engine.contract import (
    DRIVER,
    FIRST_WORD,
    LAST_WORD,
    Contract,
    Near,
    Refusal,
    SheetLine,
    Text,
    Worth,
    Zone,
    face_down,
    functions,
)
from mekuri.engine.errors import MekuriError, OptionError, PositionError
from mekuri.engine.fields import RoundState
from mekuri.engine.options import Choice, Options, between, numbers, one_of
from mekuri.engine.position import need

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
    "MekuriError",
    "Near",
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
    "card",
    "card_text",
    "cards_text",
    "count",
    "each",
    "face_down",
    "fields",
    "first",
    "functions",
    "need",
    "nth",
    "number",
    "numbers",
    "one_of",
    "parse_card",
    "parse_cards",
    "parse_row",
    "pick",
    "rule",
    "shared_rule",
    "shuffle",
    "suit",
    "whole_number",
    "wrap",
]
