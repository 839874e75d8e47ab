"""How a table is spoken of in one language: players, cards by their names and signs, places, and the texts of its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from mekuri.cards import EXTRA, each, number, suit
from mekuri.engine.contract import Text, Zone
from mekuri.engine.errors import OptionError
from mekuri.engine.rulebook import JOINT, Lang, Rulebook
from mekuri.match.draw import zone_key
from mekuri.terminal.cards import shorten
from mekuri.terminal.texts import all_texts, called, say

YOU = "you"
SUIT_SIGNS = "♣♠●♥"
EXTRA_SIGN = "★"
FEW = 3  # cards, or players, that are called by their names in one line
MOST_NAME = 999  # cells: no name is cut


def sign(card: int) -> str:
    """A card as number and suit sign, such as `7♠`."""
    return EXTRA_SIGN if card == EXTRA else f"{number(card)}{SUIT_SIGNS[suit(card)]}"


def signs(cards: int | Iterable[int]) -> str:
    """The signs of a set of cards."""
    return " ".join(map(sign, each(cards) if isinstance(cards, int) else cards))


def printable(text: str) -> str:
    """A text without what would command the terminal: names come from others."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def check_names(game: str, book: Rulebook, names: str) -> None:
    """Raises OptionError where a game has no such set of card names."""
    if names and names not in book.tables["names"]:
        raise OptionError(f"{game} has no card names {names}: it has {', '.join(book.tables['names'])}")


@dataclass(frozen=True)
class Translator:
    """What is said at a table.

    Attributes:
        book: the game's rule book.
        lang: the language.
        seats: who sits in each seat: `you`, a bot's name, `open` for nobody yet, or a player's name.
        names: the set of card names; the game's first if empty.
        people: the seats whose names are people's own, and stand as they are.
    """

    book: Rulebook
    lang: Lang
    seats: tuple[str, ...]
    names: str = ""
    people: frozenset[int] = frozenset()

    def say(self, id: str, **args: object) -> str:
        """One of the terminal's own texts."""
        return say(id, self.lang, **args)

    def player(self, seat: int, most: int = MOST_NAME) -> str:
        """What the one in a seat is called on the table, in at most so many cells: of several of one name the number is kept."""
        name = self._label(seat)
        same = [other for other in range(len(self.seats)) if self._label(other) == name]
        if len(same) == 1:
            return shorten(name, most)
        number = self.say("players.numbered", name="", n=same.index(seat) + 1)
        return f"{shorten(name, most - cell_len(number))}{number}"

    def party(self, seat: int | str) -> str:
        """Whom a part of a score sheet is about: a player, or an account that is nobody's."""
        return self.table("accounts", seat) if isinstance(seat, str) else self.player(seat)

    def players(self, seats: Sequence[int]) -> str:
        """The players of some seats; of more than a few the first, and how many more they are."""
        if len(seats) > FEW:
            return self.say("players.and-others", name=self.player(seats[0]), n=len(seats) - 1)
        return JOINT[self.lang].join(map(self.player, seats))

    def _label(self, seat: int) -> str:
        who = self.seats[seat]
        return printable(who) if seat in self.people else called(who, self.lang)

    def is_you(self, seat: int) -> bool:
        """Whether a seat is one's own."""
        return self.seats[seat] == YOU and seat not in self.people

    def is_bot(self, seat: int) -> bool:
        """Whether a bot sits in a seat."""
        return seat not in self.people and self.seats[seat] not in all_texts()["players"]

    def tagged(self, seat: int, most: int) -> str:
        """What stands beside a seat's cards, in at most so many cells: where other people play too, which are bots is said."""
        if not self.people or not self.is_bot(seat):
            return self.player(seat, most)
        bot = self.say("players.bot", name="")
        return f"{self.player(seat, most - cell_len(bot))}{bot}"

    def text(self, text: Text) -> str:
        """A text of the game."""
        told = tuple(map(self.player, range(len(self.seats))))
        you = next(filter(self.is_you, range(len(self.seats))), None)
        return printable(self.book.render(text, self.lang, told, self.names, you))

    def card(self, card: int) -> str:
        """The name of a card."""
        return self.book.card(card, self.lang, self.names)

    def cards(self, cards: int) -> str:
        """The cards of a set, each with its sign, and a few also with their names."""
        if cards.bit_count() > FEW:
            return signs(cards)
        return JOINT[self.lang].join(f"{sign(card)} {self.card(card)}" for card in each(cards))

    def table(self, table: str, key: str, otherwise: str = "") -> str:
        """A text of one of the rule book's tables, or `otherwise` where it has none."""
        found = self.book.tables.get(table, {}).get(key, {})
        return str(found.get(self.lang, otherwise or key))

    def game(self) -> str:
        """The name of the game."""
        return str(self.book.tables["name"][self.lang])

    def place(self, zone: Zone) -> str:
        """What a place on the table is called."""
        return self.table("zones", zone_key(zone, self.book.tables["zones"]))

    def account(self, accounts: Mapping[str, int]) -> str:
        """A seat's accounts in the ledger."""
        return " · ".join(f"{self.table('accounts', name)} {value}" for name, value in accounts.items()) or "0"
