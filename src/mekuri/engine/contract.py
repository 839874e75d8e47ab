"""The contract of a game: what a game's folder says, and the generic functions that find it.

A game's rules are small functions over its state. They never allocate, do I/O, read a clock or draw chance, so they run plain
and compiled (see `compiled`). Everything else a game says is plain Python. `docs/contract.md` is the guide.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from mekuri.engine import compiled, defaults
from mekuri.engine.bot import Bot
from mekuri.engine.compiled import generic, rule
from mekuri.engine.errors import OptionError, OutdatedGame
from mekuri.engine.fields import MOST_ENDINGS, MOST_REDEALS, MOST_SEATS, MOST_YAKU, RoundState, fields
from mekuri.engine.level import Level
from mekuri.engine.options import Choice, Options, info
from mekuri.engine.presentation import (
    Counted,
    Goal,
    Near,
    Refusal,
    SheetLine,
    Text,
    Worth,
    Zone,
    face_down,
    within_reach,
    yaku_goal,
)

__all__ = [
    "DRIVER",
    "FIRST_WORD",
    "LAST_WORD",
    "Contract",
    "Counted",
    "Goal",
    "Near",
    "O_co",
    "Refusal",
    "Rule",
    "S_co",
    "Shape",
    "SheetLine",
    "Text",
    "Worth",
    "Zone",
    "deal",
    "face_down",
    "functions",
    "hand_size",
    "hide",
    "legal",
    "outlook",
    "over",
    "play",
    "prospect",
    "recall",
    "redeal",
    "returns",
    "side_bet",
    "side_returns",
    "undoing",
    "waiting",
    "within_reach",
    "yaku_goal",
    "yaku_of",
]

if TYPE_CHECKING:
    import typing_extensions  # which type checkers know without its being installed

    # A game's class of states and its class of options. Where they are not named, nothing more is known of them.
    S_co = typing_extensions.TypeVar("S_co", bound=RoundState, default=RoundState, covariant=True)
    O_co = typing_extensions.TypeVar("O_co", bound=Options, default=Options, covariant=True)
else:
    S_co, O_co = TypeVar("S_co"), TypeVar("O_co")

DRIVER = 16  # the seat that deals, turns over, awards and settles; it never has more than one legal action
FIRST_WORD, LAST_WORD = 49, 62  # actions below are cards
HARDEST = 3  # marks
MOST = 1 << 40  # more than any round has turns, or brings a seat
API, OLDEST_API = 2, 1  # the version of the contract itself, and the oldest by which a game may still be written; docs/versions.md


RENAMED = {
    "standing": "outlook",
    "near": "goals",
    "house": "accounts",
}  # members of the first version, as they are called since the second

Rule = Callable[..., Any]
Shape = Literal["faces", "ring", "bank", "pile"]  # of a table


# The rules of a game that leaves them out. All else that a game may leave out is in `usual`.


@rule
def _as_it_ends(s: RoundState, seat: int) -> int:
    """Nobody stands better before the end."""
    return returns(s, seat) if over(s) else 0


@rule
def _no_yaku(s: RoundState, seat: int) -> int:
    """There are none."""
    return 0


@rule
def _nothing_promised(h: RoundState, seat: int) -> int:
    """A seat has what it has."""
    return 0


@rule
def _nothing_undone(s: RoundState, seat: int) -> int:
    """What is done is done."""
    return 0


@rule
def _not_counted(s: RoundState, seat: int) -> int:
    """Nobody is seen to hold fewer cards than before."""
    return 0


@rule
def _not_recalled(h: RoundState, seat: int, now: RoundState, played: int) -> None:
    """What a seat held stays unknown."""


@rule
def _no_side_bet(s: RoundState, seat: int) -> bool:
    """Whatever is decided may change returns."""
    return False


@rule
def _nothing_beside(s: RoundState, seat: int) -> int:
    """A round brings its returns, and nothing else."""
    return 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Contract(Generic[S_co, O_co]):
    """A game. The functions are described in `docs/contract.md`; `s` is a state, `h` a hidden state.

    What has no value here a game must have. Everything else adds what it says, and may be left out.

    Attributes:
        id: the game's name, and its folder's.
        seats: the numbers of seats it can have, the usual one first.
        state, options, match_options: its dataclasses.
        words: its actions that are not cards.
        driver_from: the first of them that is the driver's, as are those with greater numbers.
        version: of the ruleset; raised when a mended fault changes what a record replays to.
        older: for each ruleset before the present one, the values of options that it did not have yet: what it did.
        folder: with its text files; that of the module of its state if left out.
        presets: for each preset the options that differ from the defaults, those of a round and those of a match.
        yaku: ids, in the order of the bits of the state's `yaku`.
        endings: ids, in the order of the state's `ending`; its values if left out, where the state declares it as a choice.
        redeals: for each kind of redeal the clause that asks for it.
        shape: of its table.
        side: whether it is a side game, short and mostly of chance: it is listed after the others.
        hard: how hard it is to begin with, in marks from 1 to `HARDEST`; 0 where nothing is said.
        minutes: that a round takes, about; 0 where nothing is said.
        capture_groups: of captured cards, in the order in which they lie: names among the rule book's `groups`, and their cards.
        by_number: whether the game turns on the numbers of its cards, so that a screen shows them beside the picture.
        longest: turns of the longest round, whatever the options; `MOST` where that is not known.
        returns_range: least and greatest return of a seat, whatever the options, likewise.
        notes: sets of cards in the state that only note cards lying elsewhere, or of which several packs are in play.
        bots: the game's own bots, beside those that play every game.
        levels: how well which characters play it, the weakest first; None for what suits most games, () for none.
        remembered: fields that hold what has gone or been proved, and what whoever forgets may leave out of his hidden state:
            `redeal` then thinks it possible again.
        api: the version of the contract that the game was written by.
    """

    id: str
    seats: tuple[int, ...]
    state: type[S_co]
    options: type[O_co] = Options  # type: ignore[assignment]  # what O_co is where no options are named
    match_options: type[Options] = defaults.Rounds
    words: type[Choice] = Choice
    driver_from: int = LAST_WORD + 1
    version: int = 1
    older: Mapping[int, Mapping[str, str]] = dataclasses.field(default_factory=dict)
    folder: Path = Path()
    presets: Mapping[str, Mapping[str, object]] = dataclasses.field(default_factory=lambda: {"default": {}})
    yaku: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    redeals: tuple[str, ...] = ()
    shape: Shape = "ring"
    side: bool = False
    hard: int = 0
    minutes: int = 0
    capture_groups: Mapping[str, int] = dataclasses.field(default_factory=dict)
    by_number: bool = False
    longest: int = MOST
    returns_range: tuple[int, int] = (-MOST, MOST)
    notes: tuple[str, ...] = ()
    bots: tuple[Bot, ...] = ()
    levels: tuple[Level, ...] | None = None
    remembered: tuple[str, ...] = ()
    api: int = 1  # what is said where nothing is, whatever the present version

    # Rules: plain and compiled.
    deal: Rule
    waiting: Rule
    legal: Rule
    play: Rule
    over: Rule
    returns: Rule
    hide: Rule
    redeal: Rule
    outlook: Rule = _as_it_ends
    prospect: Rule = _nothing_promised
    yaku_of: Rule = _no_yaku
    undoing: Rule = _nothing_undone
    hand_size: Rule = _not_counted
    recall: Rule = _not_recalled
    side_bet: Rule = _no_side_bet
    side_returns: Rule = _nothing_beside

    # Plain.
    pack: Callable[[Any], list[int]]  # options -> the cards in play
    check: Callable[[Any], None] = defaults.all_go_together  # options -> raises OptionError where they make no sense together
    complete: Callable[[Any], None] = defaults.as_written  # a position's state -> what it left out, worked out
    why: Callable[[Any, int, int], Refusal | None] = defaults.no_reason  # s, seat, action -> None where the engine's reason will do
    prompt: Callable[[Any, int], Text] = defaults.prompt  # h, seat
    event: Callable[[Any, Any, int, int], Text] = defaults.event  # h before, h after, seat, action
    zones: Callable[[Any], list[Zone]] = defaults.zones  # h
    secret: Callable[[Any], bool] = defaults.secret  # s -> whether what seats do now stays hidden until all have done it
    goals: Callable[[Any, int], list[Goal]] = defaults.no_goals  # h, seat -> what it works towards
    scored: Callable[[Any, int], Counted | None] = defaults.no_score  # h, seat -> what it has counted up
    score_sheet: Callable[[Any], list[SheetLine]] = defaults.score_sheet  # s
    worth: Callable[[Any, int], Worth] = defaults.no_worth  # s, of which the options alone are looked at, card
    middle: Callable[[Any], Mapping[str, int]] = defaults.nothing_in_the_middle  # h -> amounts such as a pot, by places
    window: Callable[[Any], int] = defaults.no_window  # s -> the word that silence means while a table waits; else NONE
    unspoken: Callable[[Any], bool] = defaults.spoken  # s -> whether that word is said by silence alone while a table waits

    # The match.
    next_dealer: Callable[[Any], int] = defaults.next_dealer  # s
    tally: Callable[[Any, int], Mapping[str, int]] = defaults.tally  # s, seat -> what the round changes in the seat's accounts
    accounts: Callable[[Any], Mapping[str, int]] = defaults.no_accounts  # s -> what the round changes in accounts that are nobody's
    length: Callable[[Any, int], int] = defaults.length  # match options, seats -> how many rounds at most; 0 if not known
    match_over: Callable[[Any, int, Any], bool] = defaults.match_over  # match options, rounds played, accounts
    ranking: Callable[[Any], tuple[int, ...]] = defaults.ranking  # one seat's accounts -> what places are decided by, best greatest
    opening: Callable[[Any, int, int], list[dict[str, int]]] = defaults.empty_accounts  # match options, seats, dealer -> accounts
    carry: Callable[[Any, Any, Any, Any], None] = defaults.nothing_carried  # s, match options, accounts, last round's state or None
    refill: Callable[[Any, Any, Any], None] = defaults.nothing_lent  # match options, s, accounts with the round in them -> lends

    def __post_init__(self) -> None:
        """Make the game known to the generic functions.

        Raises TypeError where it has more of something than there is room for, or the state of another game, or is harder
        than there are marks.
        """
        if self.folder == Path():
            object.__setattr__(self, "folder", Path(str(sys.modules[self.state.__module__].__file__)).parent)
        if not self.endings:
            object.__setattr__(self, "endings", _endings(self.state))
        limits = ((self.redeals, MOST_REDEALS), (self.endings, MOST_ENDINGS), (self.yaku, MOST_YAKU))
        if max(self.seats) > MOST_SEATS or any(len(row) > most for row, most in limits):
            most = f"{MOST_SEATS} seats, {MOST_REDEALS} redeals, {MOST_ENDINGS} endings and {MOST_YAKU} yaku"
            raise TypeError(f"{self.id}: there is room for {most}")
        if not 0 <= self.hard <= HARDEST or self.minutes < 0:
            raise TypeError(f"{self.id}: how hard it is has 1 to {HARDEST} marks, and a round takes some minutes")
        known: Contract | None = vars(self.state).get("contract")
        if known and known.id != self.id:
            raise TypeError(f"{self.id}: {self.state.__name__} is the state of {known.id}, and a game has one of its own")
        self.state.contract = self
        compiled.contracts.append(self)

    @property
    def measured(self) -> bool:
        """Whether a seat is seen to stand better or worse before the end."""
        return self.outlook is not _as_it_ends

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


def _endings(state: type[RoundState]) -> tuple[str, ...]:
    """How a round can end: the values of the state's `ending`, or `over` where it has none of its own."""
    names = next((field.names for field in fields(state) if field.name == "ending"), None)
    return tuple(ending.text for ending in names if isinstance(ending, Choice)) if names else ("over",)


def functions(*modules: object) -> dict[str, Any]:
    """The functions that a contract asks for, by name, out of a game's modules; one may be named, as by its own `__name__`.

    Raises OutdatedGame where a module has one by the name that it had in the first version of the contract.
    """
    wanted = {field.name for field in dataclasses.fields(Contract)}
    read = [sys.modules[module] if isinstance(module, str) else module for module in modules]
    here = {name for module in read for name, value in vars(module).items() if callable(value)}
    for old, new in RENAMED.items():
        if old in here and new not in here:
            raise OutdatedGame(f"its {old} is called {new} since version 2 of the contract (docs/versions.md): update the game")
    found = [(name, value) for module in read for name, value in vars(module).items() if name in wanted and callable(value)]
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
def outlook(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """How a seat stands, for all that everybody can see: what it would have if the round ended now, in units of `returns`.

    More is better. Where a game counts nothing before the end, or decides by more than points, it is any number that is greater the
    better a seat stands; the game's own docstring says so.
    """


@generic
def prospect(h: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """What a seat may hope for by what it knows, beyond its `outlook`, in hundredths of a unit of that."""


@generic
def yaku_of(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of yaku a seat has now, by their places in the contract's `yaku`."""


@generic
def hand_size(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """How many cards a seat holds, as everybody may know."""


@generic
def recall(h: RoundState, seat: int, now: RoundState, played: int) -> None:
    """Put into an earlier hidden state the hand that a seat had then: what it holds now, and what it has played since."""


@generic
def hide(s: RoundState, seat: int, into: RoundState) -> None:
    """Copy what a seat may know, beyond the public fields, into a state that holds those. Call `see` instead."""


@generic
def redeal(h: RoundState, seat: int, chance: list[int]) -> None:
    """Fill a hidden state with one world, uniform among those consistent with what the seat has seen and play has proved."""


@generic
def side_bet(s: RoundState, seat: int) -> bool:  # type: ignore[empty-body]
    """Whether what a seat is asked now changes only what the round brings it beside its returns, whichever it chooses."""


@generic
def side_returns(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """What a finished round brings a seat beside its returns, in an account of its own."""
