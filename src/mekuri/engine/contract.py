"""The contract of a game: the dataclass that every game fills in, and the generic functions that call the rules of a state's game.

A game's rules are small functions over its state. They never allocate, do I/O, read a clock or draw chance, so they run plain
and compiled (see `compiled`). All other functions are plain Python. `docs/contract.md` is the guide.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar
from warnings import warn

from mekuri.engine import compiled, defaults
from mekuri.engine.bot import Bot
from mekuri.engine.compiled import generic, rule
from mekuri.engine.errors import OptionError, OutdatedGame
from mekuri.engine.fields import MOST_ENDINGS, MOST_REDEALS, MOST_SEATS, MOST_YAKU, RoundState, fields
from mekuri.engine.level import Level
from mekuri.engine.options import Choice, Options, info
from mekuri.engine.phases import DRIVER, driver_words, ends_in, with_driver
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
    "MatchRules",
    "Near",
    "O_co",
    "Refusal",
    "Rule",
    "Rules",
    "S_co",
    "Shape",
    "SheetLine",
    "TableRules",
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
    "side_of",
    "side_returns",
    "undoing",
    "waiting",
    "within_reach",
    "yaku_goal",
    "yaku_of",
]

if TYPE_CHECKING:
    import typing_extensions  # type checkers know it even where it is not installed

    # A game's class of states and its class of options. The defaults are the base classes.
    S_co = typing_extensions.TypeVar("S_co", bound=RoundState, default=RoundState, covariant=True)
    O_co = typing_extensions.TypeVar("O_co", bound=Options, default=Options, covariant=True)
else:
    S_co, O_co = TypeVar("S_co"), TypeVar("O_co")

FIRST_WORD, LAST_WORD = 49, 62  # actions below are cards
HARDEST = 3  # the greatest `hard` of a contract
MOST = 1 << 40  # a bound that neither the turns of a round nor its returns reach: it stands for "not known"
API, OLDEST_API = 3, 1  # the version of the contract itself, and the oldest by which a game may still be written; docs/versions.md


RENAMED = {
    "standing": "outlook",
    "near": "goals",
    "house": "accounts",
}  # members of the first version, as they are called since the second

Rule = Callable[..., Any]
Shape = Literal["faces", "ring", "bank", "pile"]  # of a table


# The rules of a game that leaves them out. All else that a game may leave out is in `defaults`.


@rule
def _nobody_asked(s: RoundState) -> bool:
    """The default `over` of a game without a phase OVER: whether nobody owes an action."""
    return waiting(s) == 0


@rule
def _as_it_ends(s: RoundState, seat: int) -> int:
    """The default `outlook`: the `returns` of a round that is over, and 0 before."""
    return returns(s, seat) if over(s) else 0


@rule
def _none(s: RoundState, seat: int) -> int:
    """The default of rules that return a set or an amount: the empty set, or 0."""
    return 0


@rule
def _not_recalled(h: RoundState, seat: int, now: RoundState, played: int) -> None:
    """The default `recall`: change nothing, so the earlier hand stays unknown."""


@rule
def _no_side_bet(s: RoundState, seat: int) -> bool:
    """The default `side_bet`: False, for any decision may change `returns`."""
    return False


@rule
def _for_itself(s: RoundState, seat: int) -> int:
    """The default `side_of`: the seat, for every seat plays for itself."""
    return seat


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules:
    """The rules of a round: compiled, but for the last three, and called by generic functions of the same names (see `deal`)."""

    deal: Rule
    waiting: Rule
    legal: Rule
    play: Rule
    over: Rule = _nobody_asked
    returns: Rule
    hide: Rule
    redeal: Rule
    outlook: Rule = _as_it_ends
    prospect: Rule = _none  # nothing beyond the `outlook`
    yaku_of: Rule = _none  # no yaku
    undoing: Rule = _none  # no action is ever taken back
    hand_size: Rule = _none  # 0 where the sizes of hands are not public
    recall: Rule = _not_recalled
    side_bet: Rule = _no_side_bet
    side_returns: Rule = _none  # a round has no side bets
    side_of: Rule = _for_itself

    # Plain.
    pack: Callable[[Any], list[int]]  # options -> the cards in play
    check: Callable[[Any], None] = defaults.nothing  # options -> raises OptionError where they make no sense together
    complete: Callable[[Any], None] = defaults.nothing  # a position's state -> fills in the fields that its text left out


@dataclass(frozen=True, eq=False, kw_only=True)
class TableRules:
    """The plain functions of what players see at a table, and of how long the table waits for them."""

    why: Callable[[Any, int, int], Refusal | None] = defaults.nothing  # s, seat, action -> None where the engine's reason will do
    prompt: Callable[[Any, int], Text] = defaults.prompt  # h, seat
    event: Callable[[Any, Any, int, int], Text] = defaults.event  # h before, h after, seat, action
    zones: Callable[[Any], list[Zone]] = defaults.zones  # h
    secret: Callable[[Any], bool] = defaults.secret  # s -> whether what seats do now stays hidden until all have done it
    seen_by: Callable[[Any, int, int], int] = defaults.seen_by  # s before, seat, action -> the set of seats that see the action
    goals: Callable[[Any, int], list[Goal]] = defaults.no_goals  # h, seat -> the yaku and other aims of the seat
    scored: Callable[[Any, int], Counted | None] = defaults.nothing  # h, seat -> points so far
    score_sheet: Callable[[Any], list[SheetLine]] = defaults.score_sheet  # s
    decision_sheet: Callable[[Any, int], list[SheetLine]] = defaults.no_lines  # h, seat -> what its decision brings now, and later
    worth: Callable[[Any, int], Worth] = defaults.no_worth  # s, of which only the options are read, card
    middle: Callable[[Any], Mapping[str, int]] = defaults.no_amounts  # h -> amounts such as a pot, by id of their place
    window: Callable[[Any], int] = defaults.no_window  # s -> the word that silence means while a table waits; else NONE
    unspoken: Callable[[Any], bool] = defaults.spoken  # s -> whether a waiting table takes that word from silence only


@dataclass(frozen=True, eq=False, kw_only=True)
class MatchRules:
    """The plain functions of a match: its accounts, its length and its ranking."""

    next_dealer: Callable[[Any], int] = defaults.next_dealer  # s
    tally: Callable[[Any, int], Mapping[str, int]] = defaults.tally  # s, seat -> what the round changes in the seat's accounts
    accounts: Callable[[Any], Mapping[str, int]] = defaults.no_amounts  # s -> the same of accounts that belong to no seat
    length: Callable[[Any, int], int] = defaults.length  # match options, seats -> how many rounds at most; 0 if not known
    match_over: Callable[[Any, int, Any], bool] = defaults.match_over  # match options, rounds played, accounts
    ranking: Callable[[Any], tuple[int, ...]] = defaults.ranking  # one seat's accounts -> its sort key, greatest first
    opening: Callable[[Any, int, int], list[dict[str, int]]] = defaults.empty_accounts  # match options, seats, dealer -> accounts
    carry: Callable[[Any, Any, Any, Any], None] = defaults.nothing  # s, match options, accounts, last round's state or None
    refill: Callable[[Any, Any, Any], None] = defaults.nothing  # match options, s, accounts with the round in them -> lends
    pay_out: Callable[[Any, Any, Any, Any], Text | None] = defaults.nothing  # match options, s, accounts, those of no seat


PARTS: Mapping[str, type] = {"rules": Rules, "table": TableRules, "match": MatchRules}
_PART_OF = {field.name: part for part, kind in PARTS.items() for field in dataclasses.fields(kind)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Contract(Generic[S_co, O_co]):
    """A game, as the engine knows it: its data, and its functions in three parts, `rules`, `table` and `match`.

    Members without a default value are required; all others may be left out. Members of the parts can be passed by their names, as
    `functions` finds them. `docs/contract.md` describes the functions: `s` is a state, `h` a hidden state.

    Attributes:
        id: the game's name, the same as its folder's or its entry point's.
        seats: the numbers of seats it can have, the usual one first.
        state: the dataclass of its states.
        options: the dataclass of the options of a round.
        match_options: the dataclass of the options of a match.
        words: the actions that are not cards, with values from `FIRST_WORD` to `LAST_WORD`.
        driver_from: the least word that is the driver's; all greater words are the driver's too. If left out, the least word that
            a phase declares.
        version: the ruleset version; raised when a mended fault changes what a record replays to.
        older: by earlier ruleset version, the options that came after it, with the values that play as it did without them.
        folder: the folder of its text files; if left out, the folder of the module of `state`.
        presets: by preset id, the options that differ from the defaults, those of a round and those of a match together.
        yaku: yaku ids; bit i of the set that `yaku_of` returns stands for `yaku[i]`.
        endings: ending ids, indexed by the state's `ending`; if left out, the values of the choice that the state declares it as.
        redeals: clause ids that ask for a redeal, indexed as the state's `redeals`.
        shape: the shape of its table on a screen.
        side: whether it is a side game, short and mostly of chance, which is listed after the others.
        door: whether people look for it by name, so that it is listed first among games for as many players.
        hard: how hard it is for a beginner, from 1 to `HARDEST`; 0 if not stated.
        minutes: about how many minutes a round takes; 0 if not stated.
        capture_groups: by id of a group in the rule book's `groups`, the set of its cards; captures are shown in this order.
        by_number: whether the numbers of cards matter in the game, so that a screen shows them beside the picture.
        longest: the most turns that a round can have under any options; `MOST` if not known.
        most_actions: the most actions of all seats together in a round under any options, counted anew from each redeal; `MOST` if
            not known.
        returns_range: the least and the greatest `returns` of a seat under any options; -`MOST` and `MOST` if not known.
        zero_sum: whether the `returns` of all seats sum to 0 under any options; accounts that belong to no seat do not count.
        notes: names of the state's sets of cards that only note cards lying elsewhere, or that can hold one card of several packs.
        bots: the game's own bots, beside the bots that play every game.
        levels: the characters that play it and how well, the weakest first; None for the three usual levels, () for none.
        calls: the words by which a seat goes on for more at the risk of a loss; a player's statistics count them.
        remembered: names of fields that hold cards that have gone, or facts that play has proved. A bot that forgets leaves some
            of this out of its hidden state, and `redeal` then takes it to be possible again.
        api: the version of the contract that the game is written by.
        rules: the rules of a round.
        table: the functions of what players see.
        match: the functions of a match.
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
    door: bool = False
    hard: int = 0
    minutes: int = 0
    capture_groups: Mapping[str, int] = dataclasses.field(default_factory=dict)
    by_number: bool = False
    longest: int = MOST
    most_actions: int = MOST
    returns_range: tuple[int, int] = (-MOST, MOST)
    zero_sum: bool = False
    notes: tuple[str, ...] = ()
    bots: tuple[Bot, ...] = ()
    levels: tuple[Level, ...] | None = None
    calls: tuple[Choice, ...] = ()
    remembered: tuple[str, ...] = ()
    api: int = 1  # stays 1 whatever the present version is, as games of version 1 do not state it

    rules: Rules
    table: TableRules = TableRules()
    match: MatchRules = MatchRules()

    def __post_init__(self) -> None:
        """Fill in what is left out, add the driver's turns to the rules, and register the game with the generic functions.

        Raises:
            TypeError: if the game has more seats, redeals, endings or yaku than a state has room for, if `hard` or `minutes` is
                out of range, or if `state` belongs to another game.
        """
        if self.folder == Path():
            object.__setattr__(self, "folder", Path(str(sys.modules[self.state.__module__].__file__)).parent)
        if not self.endings:
            object.__setattr__(self, "endings", _endings(self.state))
        rules, over = self.rules, self.rules.over
        if words := driver_words(self.state):
            waiting, legal = with_driver(self.state, rules.waiting, rules.legal)
            rules = dataclasses.replace(rules, waiting=waiting, legal=legal)
            object.__setattr__(self, "driver_from", min(self.driver_from, *words.values()))
        ended = ends_in(self.state) if over is _nobody_asked else None
        object.__setattr__(self, "rules", dataclasses.replace(rules, over=ended or over))
        limits = ((self.redeals, MOST_REDEALS), (self.endings, MOST_ENDINGS), (self.yaku, MOST_YAKU))
        if max(self.seats) > MOST_SEATS or any(len(row) > most for row, most in limits):
            most = f"{MOST_SEATS} seats, {MOST_REDEALS} redeals, {MOST_ENDINGS} endings and {MOST_YAKU} yaku"
            raise TypeError(f"{self.id}: there is room for {most}")
        if not 0 <= self.hard <= HARDEST or self.minutes < 0:
            raise TypeError(f"{self.id}: how hard it is has 1 to {HARDEST} marks, and a round takes some minutes")
        known: Contract | None = vars(self.state).get("contract")
        if known and known.id != self.id:
            raise TypeError(f"{self.id}: {self.state.__name__} is the state of {known.id}, and a game has one of its own")
        if OLDEST_API <= self.api < API:
            warn(
                f"{self.id} is written by version {self.api} of the contract: declare what its fields hold of seats, with "
                f"fields.seat(), fields.seats() and each_seat=, and say api={API} (docs/versions.md)",
                DeprecationWarning,
                stacklevel=4,
            )
        self.state.contract = self
        compiled.contracts.append(self)

    def has(self, name: str) -> bool:
        """Whether the game has its own function of this name in place of the default.

        With an `outlook` of its own, a game ranks seats before the end of a round.
        """
        part = getattr(self, _PART_OF[name])
        return getattr(part, name) is not getattr(type(part), name)

    if not TYPE_CHECKING:  # a type checker refuses these names

        def __getattr__(self, name: str) -> Any:
            """Read a member of a part by its name alone, with a warning, as games of other distributions may do."""
            if name not in _PART_OF:
                raise AttributeError(f"a contract has no {name}")
            part = _PART_OF[name]
            warn(f"read contract.{part}.{name} in place of contract.{name} (docs/versions.md)", DeprecationWarning, stacklevel=2)
            return getattr(getattr(self, part), name)

    def preset(self, id: str) -> tuple[dict[str, object], dict[str, object]]:
        """The options that a preset chooses: those of a round, then those of a match.

        Raises:
            OptionError: if the game has no such preset.
        """
        if id not in self.presets:
            raise OptionError(f"{self.id} has no preset {id}: it has {', '.join(self.presets)}")
        chosen, of_match = self.presets[id], {option.name for option in info(self.match_options)}
        of_round = {name: value for name, value in chosen.items() if name not in of_match}
        return of_round, {name: value for name, value in chosen.items() if name in of_match}

    def as_given(self, version: int, options: Mapping[str, str]) -> dict[str, str]:
        """Options that were given under ruleset `version`, with the options that came later at the values of `older`."""
        later = {name: value for ruleset in range(version, self.version) for name, value in self.older.get(ruleset, {}).items()}
        return {**later, **options}


_with_parts = Contract.__init__


@wraps(_with_parts)
def _with_keywords(self: Contract, **given: Any) -> None:
    """Make a contract whose parts, or members of them, are keywords: `functions` finds members."""
    for part, kind in PARTS.items():
        members = {name: given.pop(name) for name in [*given] if _PART_OF.get(name) == part}
        given[part] = dataclasses.replace(given[part], **members) if part in given else kind(**members)
    _with_parts(self, **given)


Contract.__init__ = _with_keywords  # type: ignore[method-assign]


def _endings(state: type[RoundState]) -> tuple[str, ...]:
    """The ids of the endings: the values of the choice that the state declares `ending` as, or `over` alone."""
    names = next((field.names for field in fields(state) if field.name == "ending"), None)
    return tuple(ending.text for ending in names if isinstance(ending, Choice)) if names else ("over",)


def functions(*modules: object) -> dict[str, Any]:
    """The functions of a game's modules that are members of `Contract`, by name.

    Args:
        modules: modules, or names of imported modules, such as `__name__`.

    Raises:
        OutdatedGame: if a module has a function under the name that it had in version 1 of the contract.
        TypeError: if two modules define different functions of one name.
    """
    read = [sys.modules[module] if isinstance(module, str) else module for module in modules]
    here = {name for module in read for name, value in vars(module).items() if callable(value)}
    for old, new in RENAMED.items():
        if old in here and new not in here:
            raise OutdatedGame(f"its {old} is called {new} since version 2 of the contract (docs/versions.md): update the game")
    found = [(name, value) for module in read for name, value in vars(module).items() if name in _PART_OF and callable(value)]
    # A module may import the generic function of a name, or a function of another module: that is the same function.
    found = [(name, value) for name, value in found if value not in compiled.generics]
    clash = [name for name, value in found if any(name == other and value is not theirs for other, theirs in found)]
    if clash:
        raise TypeError(f"two functions are called {clash[0]}")
    return dict(found)


@generic
def deal(s: RoundState) -> None:
    """Put `s` at the start of its round: the pack is gathered and not yet shuffled, and no action has been done."""


@generic
def waiting(s: RoundState) -> int:  # type: ignore[empty-body]
    """The set of seats that owe an action now (bit i = seat i); the bit of `DRIVER` when no player chooses; 0 after the round."""


@generic
def legal(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of actions that a seat may do now (bit a = action a); 0 when it owes none."""


@generic
def undoing(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of a seat's legal actions that only take back an action of its own. Bots leave them out."""


@generic
def play(s: RoundState, seat: int, action: int) -> None:
    """Do a legal action. Whether it is legal is not checked."""


@generic
def over(s: RoundState) -> bool:  # type: ignore[empty-body]
    """Whether the round is over."""


@generic
def returns(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The amount by which a finished round changes a seat's account, in the game's unit, such as points or chips."""


@generic
def outlook(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The value of a seat's position by public facts alone: what it would have if the round ended now, in units of `returns`.

    More is better. A game that counts nothing before the end, or decides by more than points, returns any number that rises as the
    seat stands better. The game's own docstring says so.
    """


@generic
def prospect(h: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The gain that a seat expects beyond its lead in `outlook`, from all that it knows, in hundredths of a unit of `outlook`."""


@generic
def yaku_of(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The set of yaku that a seat has now; bit i stands for the contract's `yaku[i]`."""


@generic
def hand_size(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The number of cards that a seat holds, which everybody may know; 0 in a game that does not tell it."""


@generic
def recall(h: RoundState, seat: int, now: RoundState, played: int) -> None:
    """Put into an earlier hidden state the hand that a seat had at that time.

    Args:
        h: the earlier hidden state, which is changed.
        seat: the seat whose hand it is.
        now: a later state of the same round, in which that seat's hand is seen.
        played: the set of cards that the seat has played between the two.
    """


@generic
def hide(s: RoundState, seat: int, into: RoundState) -> None:
    """Copy the private facts that a seat may know into `into`, which holds the public fields. Callers use `driver.see`."""


@generic
def redeal(h: RoundState, seat: int, chance: list[int]) -> None:
    """Fill a hidden state with one world, uniform among those consistent with what the seat has seen and play has proved."""


@generic
def side_bet(s: RoundState, seat: int) -> bool:  # type: ignore[empty-body]
    """Whether every choice that a seat has now changes only its `side_returns`, and never `returns`."""


@generic
def side_of(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The side of a seat, by options and the number of seats alone: seats of one side are partners, who win and lose together.

    -1 if the options cannot have so many seats.
    """


@generic
def side_returns(s: RoundState, seat: int) -> int:  # type: ignore[empty-body]
    """The amount that a finished round brings a seat in its side bets, which are an account of their own."""
