"""The contract of a game: what a game's folder says, and the generic functions that find it.

A game's rules are small functions over its state. They never allocate, do I/O, read a clock or draw chance, so they run plain
and compiled (see `compiled`). Everything else a game says is plain Python. `docs/contract.md` is the guide.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from mekuri.cards import NONE, each
from mekuri.engine import compiled
from mekuri.engine.compiled import generic, rule
from mekuri.engine.errors import OptionError
from mekuri.engine.fields import MOST_ENDINGS, MOST_REDEALS, MOST_SEATS, MOST_YAKU, RoundState
from mekuri.engine.options import Choice, Options, info

if TYPE_CHECKING:
    import typing_extensions  # which type checkers know without its being installed

    # A game's class of states and its class of options. Where they are not named, nothing more is known of them.
    S_co = typing_extensions.TypeVar("S_co", bound=RoundState, default=RoundState, covariant=True)
    O_co = typing_extensions.TypeVar("O_co", bound=Options, default=Options, covariant=True)
else:
    S_co, O_co = TypeVar("S_co"), TypeVar("O_co")

DRIVER = 16  # the seat that deals, turns over, awards and settles; it never has more than one legal action
FIRST_WORD, LAST_WORD = 49, 62  # actions below are cards
API, OLDEST_API = 1, 1  # the version of the contract itself, and the oldest by which a game may still be written; docs/versions.md


@dataclass(frozen=True)
class Text:
    """A text to be rendered in a reader's language: an id of the game's rule book, such as `events.deal`, and its arguments."""

    id: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Zone:
    """A place on the table and what lies there. A card that the viewer may not see is None.

    What lies in the layout `cloth` lies face up under a cloth. `stake` is what is staked on the cards. A `hidden` place does not
    show even how many cards lie there.
    """

    id: str
    owner: int | None
    kind: Literal["hand", "pile", "stock", "field", "captured", "dead", "offer", "bet", "board"]
    layout: Literal["fan", "grid", "row", "stack", "mats", "cloth"]
    cards: tuple[int | None, ...]
    stake: int = 0
    hidden: bool = False

    @property
    def count(self) -> int | None:
        """How many cards lie here; None where that is hidden."""
        return None if self.hidden else len(self.cards)


def face_down(seen: int, unseen: int) -> tuple[int | None, ...]:
    """What lies face down: the cards of it that may be seen, as all may in a full state, then those that may not."""
    return (*each(seen), *[None] * unseen)


@dataclass(frozen=True)
class SheetLine:
    """A line of a score sheet: what a seat has, with which cards, what it counts, and the clause that says so.

    In place of a seat may stand an account that is nobody's, such as a kitty.
    """

    seat: int | str
    text: Text
    cards: int
    points: int
    clause: str


@dataclass(frozen=True)
class Near:
    """A yaku within a seat's reach: the cards it still lacks."""

    yaku: str
    missing: int


@dataclass(frozen=True)
class Worth:
    """What a card counts under a table's options.

    Attributes:
        points: what it counts by itself; None where the game gives cards no points.
        yaku: the ids of those it can be part of.
    """

    points: int | None
    yaku: tuple[str, ...]


@dataclass(frozen=True)
class Refusal:
    """Why an action is forbidden: an id among the rule book's refusals, which name the clause."""

    id: str
    args: Mapping[str, Any]


Rule = Callable[..., Any]
Shape = Literal["faces", "ring", "bank", "pile"]  # of a table


# What a contract says where its game leaves a function out.


def _no_window(s: Any) -> int:
    """A table waits as long as it takes."""
    return NONE


def _spoken(s: Any) -> bool:
    """Whatever silence means may be said, too."""
    return False


def _as_long_as_it_takes(options: Any, seats: int) -> int:
    """A match has no number of rounds that is known before it."""
    return 0


def _empty_accounts(options: Any, seats: int, dealer: int) -> list[dict[str, int]]:
    """Nobody has anything at the start of a match."""
    return [{} for _ in range(seats)]


def _nothing_carried(s: Any, options: Any, ledger: Any, last: Any) -> None:
    """Every round begins alike."""


def _nothing_in_the_middle(h: Any) -> Mapping[str, int]:
    """Only cards lie on the table."""
    return {}


def _no_house(s: Any) -> Mapping[str, int]:
    """Everything goes from seat to seat."""
    return {}


def _nothing_lent(options: Any, s: Any, ledger: Any) -> None:
    """Accounts may fall below zero."""


@rule
def _nothing_undone(s: RoundState, seat: int) -> int:
    """What is done is done."""
    return 0


@rule
def _no_advice(s: RoundState, bot: int, seat: int, chance: list[int]) -> int:
    """A game without bots of its own is never asked for their choice."""
    return NONE


@dataclass(frozen=True, eq=False)
class Contract(Generic[S_co, O_co]):
    """A game. The functions are described in `docs/contract.md`; `s` is a state, `h` a hidden state.

    Attributes:
        id: the game's name, and its folder's.
        version: of the ruleset; raised when a mended fault changes what a record replays to.
        seats: the numbers of seats it can have, the usual one first.
        state, options, match_options: its dataclasses.
        presets: for each preset the options that differ from the defaults, those of a round and those of a match.
        words: its actions that are not cards.
        yaku: ids, in the order of the bits of the state's `yaku`.
        endings: ids, in the order of the state's `ending`.
        redeals: for each kind of redeal the clause that asks for it.
        shape: of its table.
        longest: turns of the longest round, whatever the options.
        returns_range: least and greatest return of a seat, whatever the options.
        notes: sets of cards in the state that only note cards lying elsewhere, or of which several packs are in play.
        bots: the names of the game's own bots, beside those that play every game; their texts stand in its rule book.
        api: the version of the contract that the game was written by.
        older: for each ruleset before the present one, the values of options that it did not have yet: what it did.
    """

    id: str
    version: int
    folder: Path
    seats: tuple[int, ...]
    state: type[S_co]
    options: type[O_co]
    match_options: type[Options]
    presets: Mapping[str, Mapping[str, object]]
    words: type[Choice]
    yaku: tuple[str, ...]
    endings: tuple[str, ...]
    redeals: tuple[str, ...]
    shape: Shape
    longest: int
    returns_range: tuple[int, int]
    notes: tuple[str, ...]

    # Rules: plain and compiled.
    deal: Rule
    waiting: Rule
    legal: Rule
    play: Rule
    over: Rule
    returns: Rule
    standing: Rule
    yaku_of: Rule
    hide: Rule
    redeal: Rule

    # Plain.
    pack: Callable[[Any], list[int]]  # options -> the cards in play
    check: Callable[[Any], None]  # options -> raises OptionError where they make no sense together
    complete: Callable[[Any], None]  # a position's state -> what it left out, worked out
    why: Callable[[Any, int, int], Refusal]  # s, seat, action
    prompt: Callable[[Any, int], Text]  # h, seat
    event: Callable[[Any, Any, int, int], Text]  # h before, h after, seat, action
    zones: Callable[[Any], list[Zone]]  # h
    secret: Callable[[Any], bool]  # s -> whether what seats do now stays hidden until all have done it
    near: Callable[[Any, int], list[Near]]  # h, seat
    score_sheet: Callable[[Any], list[SheetLine]]  # s
    worth: Callable[[Any, int], Worth]  # s, of which the options alone are looked at, card

    # The match.
    next_dealer: Callable[[Any], int]  # s
    tally: Callable[[Any, int], Mapping[str, int]]  # s, seat -> what the round changes in the seat's accounts
    match_over: Callable[[Any, int, Any], bool]  # match options, rounds played, accounts
    ranking: Callable[[Any], tuple[int, ...]]  # one seat's accounts -> what places are decided by, best greatest

    # What a game may leave out.
    window: Callable[[Any], int] = _no_window  # s -> the word that silence means while a table waits only so long; else NONE
    unspoken: Callable[[Any], bool] = _spoken  # s -> whether that word is said by silence alone while a table waits
    length: Callable[[Any, int], int] = _as_long_as_it_takes  # match options, seats -> how many rounds at most; 0 if not known
    opening: Callable[[Any, int, int], list[dict[str, int]]] = _empty_accounts  # match options, seats, dealer -> accounts
    carry: Callable[[Any, Any, Any, Any], None] = _nothing_carried  # s, match options, accounts, last round's state or None
    middle: Callable[[Any], Mapping[str, int]] = _nothing_in_the_middle  # h -> amounts on the table, such as a pot, by their places
    house: Callable[[Any], Mapping[str, int]] = _no_house  # s -> what the round changes in accounts that are nobody's
    refill: Callable[[Any, Any, Any], None] = _nothing_lent  # match options, s, accounts with the round in them -> lends what lacks
    undoing: Rule = _nothing_undone
    bots: tuple[str, ...] = ()
    advise: Rule = _no_advice
    api: int = 1  # what is said where nothing is, whatever the present version
    older: Mapping[int, Mapping[str, str]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the game known to the generic functions.

        Raises TypeError where it has more of something than there is room for, or the state of another game.
        """
        limits = ((self.redeals, MOST_REDEALS), (self.endings, MOST_ENDINGS), (self.yaku, MOST_YAKU))
        if max(self.seats) > MOST_SEATS or any(len(row) > most for row, most in limits):
            most = f"{MOST_SEATS} seats, {MOST_REDEALS} redeals, {MOST_ENDINGS} endings and {MOST_YAKU} yaku"
            raise TypeError(f"{self.id}: there is room for {most}")
        known: Contract | None = vars(self.state).get("contract")
        if known and known.id != self.id:
            raise TypeError(f"{self.id}: {self.state.__name__} is the state of {known.id}, and a game has one of its own")
        self.state.contract = self
        compiled.contracts.append(self)

    def preset(self, id: str) -> tuple[dict[str, object], dict[str, object]]:
        """What a preset chooses: options of a round, and options of a match. Raises OptionError where there is no such preset."""
        if id not in self.presets:
            raise OptionError(f"{self.id} has no preset {id}: it has {', '.join(self.presets)}")
        chosen, of_match = self.presets[id], {option.name for option in info(self.match_options)}
        of_round = {name: value for name, value in chosen.items() if name not in of_match}
        return of_round, {name: value for name, value in chosen.items() if name in of_match}

    def as_given(self, version: int, options: Mapping[str, str]) -> dict[str, str]:
        """Options as they were given under a version of the ruleset, with those that came later as it did without them."""
        later = {name: value for ruleset in range(version, self.version) for name, value in self.older.get(ruleset, {}).items()}
        return {**later, **options}


def functions(*modules: object) -> dict[str, Any]:
    """The functions that a contract asks for, by name, out of a game's modules."""
    wanted = {field.name for field in dataclasses.fields(Contract)}
    found = [(name, value) for module in modules for name, value in vars(module).items() if name in wanted and callable(value)]
    # A module may import a function of another under its own name; that is the same function.
    clash = [name for name, value in found if any(name == other and value is not theirs for other, theirs in found)]
    if clash:
        raise TypeError(f"two functions are called {clash[0]}")
    return dict(found)


@generic
def deal(s: RoundState) -> None:
    """Put `s` at the start of its round. Its pack is gathered, unshuffled; the first thing to happen waits."""


@generic
def waiting(s: RoundState) -> int:  # type: ignore[empty-body]
    """The set of seats that owe an action now; the driver's bit when nobody chooses; 0 when the round is over."""


@generic
def legal(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of actions that a seat may do now; 0 when it is not waited for."""


@generic
def undoing(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """Those of a seat's legal actions that only take back what it has done itself: no bot needs them."""


@generic
def play(s: RoundState, seat: int, action: int) -> None:
    """Do a legal action."""


@generic
def over(s: RoundState) -> bool:  # type: ignore[empty-body]
    """Whether the round is done."""


@generic
def returns(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """What a finished round changes in the ledger for a seat."""


@generic
def standing(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """A public running measure of how a seat stands; more is better."""


@generic
def yaku_of(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of yaku a seat has now, by their places in the contract's `yaku`."""


@generic
def advise(h: RoundState, bot: int, seat: int, chance: list[int]) -> int:  # type: ignore[empty-body]
    """What one of the game's own bots, by its place in the contract's `bots`, does in a seat that sees `h`."""


@generic
def hide(s: RoundState, seat: int, into: RoundState) -> None:
    """Copy what a seat may know, beyond the public fields, into a state that holds those. Call `see` instead."""


@generic
def redeal(h: RoundState, seat: int, chance: list[int]) -> None:
    """Fill a hidden state with one world, uniform among those consistent with what the seat has seen and play has proved."""
