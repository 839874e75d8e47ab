"""The worked examples of a rule book as a Rich renderable: the table drawn as cards, the actions, and their results."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from mekuri.cards import NotationError
from mekuri.engine.contract import FIRST_WORD, Contract, Zone
from mekuri.engine.errors import MekuriError
from mekuri.engine.rulebook import Example, Lang, rulebook
from mekuri.match.example import Played, play_example
from mekuri.match.round import Round
from mekuri.terminal.base.cards import BACK, Face, Look, draw_back, draw_card, join, shorten
from mekuri.terminal.base.texts import say
from mekuri.terminal.base.translate import Translator, sign

CARD, ROWS = 10, 4  # width and height of a drawn card in cells
LABEL = 18  # cells of the name of a place, beside its cards
_PLAIN = Look.PLAIN


class Cards:
    """A Rich renderable of a place on the table: its name, and its cards side by side, in as many rows as they need."""

    def __init__(self, label: str, faces: list[Face]) -> None:
        self.label, self.faces = label, faces

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rows for the width of the console."""
        label = min(LABEL, options.max_width // 4)
        each = max(1, (options.max_width - label - 1) // CARD)
        for at in range(0, len(self.faces), each):
            drawn = [_drawn(face) for face in self.faces[at : at + each]]
            for y, row in enumerate(join(drawn, 0, _PLAIN.ground)):
                name = shorten(self.label, label) if at == 0 and y == 1 else ""
                yield Text(name + " " * (label + 1 - cell_len(name)), "bold", end="").append_text(row)
                yield Text("\n", end="")


def _drawn(face: Face) -> list[Text]:
    draw = draw_back if face.card is None else draw_card
    return draw(face, CARD, ROWS, _PLAIN, False)


def example_drawing(contract: Contract, example: Example, lang: Lang) -> RenderableType:
    """Return a worked example: the table before it, its actions, and the places that are different after it, or why it is refused.

    Raises:
        MekuriError, NotationError: the example cannot be played.
    """
    played = play_example(contract, example)
    seats = tuple(say("gather.seat", lang, n=seat + 1) for seat in range(played.round.game.seats))
    translator = Translator(rulebook(contract), lang, seats, people=frozenset(range(len(seats))))
    parts: list[RenderableType] = list(_table(played.before, translator))
    if example.action:
        actions = " · ".join(_action(played.round, action, translator) for action in example.action.split())
        parts.append(Text(f"{say('rules.action', lang)} ").append(actions, "bold"))
    if played.refusal:
        parts.append(Text(f"× {_refusal(played, example, translator)}", "bold"))
    was = {_key(zone): zone.cards for zone in played.before}
    changed = [zone for zone in played.after if was.get(_key(zone)) != zone.cards]
    if changed:
        parts.append(Text("↓"))
        parts += _table(changed, translator)
    return Group(*parts)


def _key(zone: Zone) -> tuple[str, int | None]:
    return zone.id, zone.owner


def _table(zones: list[Zone] | tuple[Zone, ...], translator: Translator) -> Iterator[RenderableType]:
    for zone in zones:
        faces = [Face(None, BACK * 2, "") if card is None else Face(card, sign(card), translator.card(card)) for card in zone.cards]
        yield Cards(translator.owned_place(zone), faces)


def _action(round: Round, written: str, translator: Translator) -> str:
    """Return an action in words, with its seat if the example names it."""
    seat, colon, action = written.rpartition(":")
    number = round.parse_action(action)
    is_card = number < FIRST_WORD
    named = translator.drawn(number) if is_card else translator.table("words", action, action)
    return f"{translator.player(int(seat))}: {named}" if colon else named


def _refusal(played: Played, example: Example, translator: Translator) -> str:
    error = played.refusal
    assert error
    last = example.action.split()[-1]
    seat, colon, action = last.rpartition(":")
    found = played.round.refusal(action, int(seat) if colon else None)
    return translator.text(found[0]) if found else error.message


def can_draw(contract: Contract, example: Example, lang: Lang) -> RenderableType | None:
    """Return the drawing of an example; None if it cannot be played, as in an unfinished game."""
    try:
        return example_drawing(contract, example, lang)
    except (MekuriError, NotationError, LookupError):
        return None
