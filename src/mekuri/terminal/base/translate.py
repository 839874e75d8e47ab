"""The names of players, cards and zones at a table, and the texts of its game, in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.cells import cell_len

from mekuri.cards import EXTRA, card_text, each, number, suit
from mekuri.engine.contract import Text, Zone
from mekuri.engine.errors import OptionError
from mekuri.engine.rulebook import JOINT, Lang, Rulebook
from mekuri.engine.sides import partners, speakers
from mekuri.match.draw import zone_key
from mekuri.table.graphemes import is_line
from mekuri.terminal.base.cards import shorten
from mekuri.terminal.base.texts import all_texts, called, say

YOU = "you"
SUIT_SIGNS = "♣♠●♥"
SIDES = "●▲■◇"  # the marks of the sides
EXTRA_SIGN = "★"
FEW = 3  # most cards, or players, that are named in one line
MOST_NAME = 999  # cells; no name is cut


def sign(card: int) -> str:
    """Return a card as number and suit sign, such as `7♠`."""
    return EXTRA_SIGN if card == EXTRA else f"{number(card)}{SUIT_SIGNS[suit(card)]}"


def signs(cards: int | Iterable[int]) -> str:
    """Return the signs of a set of cards, or of several cards, with spaces between them."""
    return " ".join(map(sign, each(cards) if isinstance(cards, int) else cards))


def printable(text: str) -> str:
    """Return a text with control characters replaced by spaces: names from other people must not control the terminal."""
    return "".join(letter if is_line(letter) else " " for letter in text)


def check_names(game: str, book: Rulebook, names: str) -> None:
    """Check that a game has a set of card names; an empty name always passes.

    Raises:
        OptionError: the game has no such set.
    """
    if names and names not in book.names:
        raise OptionError(f"{game} has no card names {names}: it has {', '.join(book.names)}")


@dataclass(frozen=True)
class Translator:
    """The texts and names of a table in one language.

    Attributes:
        book: the texts of the game or table.
        lang: the language.
        seats: the players in seat order: `you`, a bot's name, `open` for a free seat, or a player's name.
        names: the set of card names; empty for plain names.
        people: the seats of people, whose names are shown as they are.
        signed: whether texts show a card's sign before a name without number and suit (`8♠ Susuki with geese`), because
            several cards can share a name.
        sides: for each seat its side; empty if each seat plays for itself.
    """

    book: Rulebook
    lang: Lang
    seats: tuple[str, ...]
    names: str = ""
    people: frozenset[int] = frozenset()
    signed: bool = False
    sides: tuple[int, ...] = ()

    def say(self, id: str, **args: object) -> str:
        """Return one of the terminal's own texts, such as `table.round`, with its placeholders filled in."""
        return say(id, self.lang, **args)

    def player(self, seat: int, most: int = MOST_NAME) -> str:
        """Return the name of a seat's player in at most `most` cells. Players of one name get numbers, which are never cut."""
        name = self._labels[seat]
        same = [other for other, label in enumerate(self._labels) if label == name]
        if len(same) == 1:
            return shorten(name, most)
        number = self.say("players.numbered", name="", n=same.index(seat) + 1)
        return f"{shorten(name, most - cell_len(number))}{number}"

    def party(self, seat: int | str) -> str:
        """Return the names of a seat's player and partners, or the name of an account that belongs to no seat."""
        if isinstance(seat, str):
            return self.table("accounts", seat)
        return JOINT[self.lang].join(map(self.player, partners(self.sides, seat) if self.sides else (seat,)))

    @property
    def speakers(self) -> tuple[int, ...]:
        """One seat of each side: the player's own seat, and the first seat of every other side."""
        you = next(filter(self.is_you, range(len(self.seats))), None)
        return speakers(self.sides or range(len(self.seats)), you)

    def players(self, seats: Sequence[int]) -> str:
        """Return the names of several players; of more than `FEW` the first, and how many others there are."""
        if len(seats) > FEW:
            return self.say("players.and-others", name=self.player(seats[0]), n=len(seats) - 1)
        return JOINT[self.lang].join(map(self.player, seats))

    @cached_property
    def _labels(self) -> Sequence[str]:
        seats = enumerate(self.seats)
        return [printable(who) if seat in self.people else called(who, self.lang) for seat, who in seats]

    @cached_property
    def _players(self) -> tuple[str, ...]:
        return tuple(map(self.player, range(len(self.seats))))

    def is_you(self, seat: int) -> bool:
        """Return whether the player sits in a seat."""
        return self.seats[seat] == YOU and seat not in self.people

    def is_bot(self, seat: int) -> bool:
        """Return whether a bot sits in a seat."""
        return seat not in self.people and self.seats[seat] not in all_texts()["players"]

    def tagged(self, seat: int, most: int) -> str:
        """Return the name of a player in at most `most` cells, with the mark of its side; if other people play, bots are marked."""
        side = f"{SIDES[self.sides[seat]]} " if self.sides else ""
        bot = self.say("players.bot", name="") if self.people and self.is_bot(seat) else ""
        return f"{side}{self.player(seat, most - cell_len(side) - cell_len(bot))}{bot}"

    def text(self, text: Text) -> str:
        """Return a text of the game with its placeholders filled in."""
        you = next(filter(self.is_you, range(len(self.seats))), None)
        call = self.drawn if self.signed else None
        return printable(self.book.render(text, self.lang, self._players, self.names, you, call))

    def card(self, card: int) -> str:
        """Return the name of a card."""
        return self.book.card(card, self.lang, self.names)

    def cards(self, cards: int) -> str:
        """Return the signs of a set of cards, with names where there are at most `FEW` cards."""
        if cards.bit_count() > FEW:
            return signs(cards)
        return JOINT[self.lang].join(map(self.drawn, each(cards)))

    def drawn(self, card: int) -> str:
        """Return the name of a card, after its sign unless the name has number and suit."""
        plain = not self.names and card_text(card) in self.book.tables["names"][self.book.names[0]]["plain"]
        return self.card(card) if plain else f"{sign(card)} {self.card(card)}"

    def table(self, table: str, key: str, otherwise: str = "") -> str:
        """Return a text of a table of the rule book; if it is missing, `otherwise`, or the key if that is empty."""
        found = self.book.tables.get(table, {}).get(key, {})
        return str(found.get(self.lang, otherwise or key))

    def game(self) -> str:
        """Return the name of the game."""
        return str(self.book.tables["name"][self.lang])

    def place(self, zone: Zone) -> str:
        """Return the name of a zone."""
        return self.table("zones", zone_key(zone, self.book.tables["zones"]))

    def owned_place(self, zone: Zone) -> str:
        """Return the name of a zone, after the name of its player if it has one."""
        return self.place(zone) if zone.owner is None else f"{self.player(zone.owner)}: {self.place(zone)}"

    def account(self, accounts: Mapping[str, int]) -> str:
        """Return a seat's accounts as names and numbers; `0` where it has none."""
        return " · ".join(f"{self.table('accounts', name)} {value}" for name, value in accounts.items()) or "0"
