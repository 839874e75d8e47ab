"""The class `Game`, a game with its options, from which rounds and matches are made; and the function `game` that makes one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, TypeVar, overload

from mekuri import games
from mekuri.cards.given import Whole, whole_in
from mekuri.engine.chance import Seed, round_stream
from mekuri.engine.contract import Contract, O_co, S_co
from mekuri.engine.errors import OptionError, PositionError
from mekuri.engine.options import Options, all_texts, parse
from mekuri.engine.position import parse_position
from mekuri.match.deals import SeedDeals
from mekuri.match.match import Match, seat_of
from mekuri.match.round import Round
from mekuri.match.setting import Setting

T = TypeVar("T", bound=Options)

_MOST_ROUNDS = 1 << 40  # rounds that may be dealt from one seed


class Game(Setting[S_co, O_co]):
    """A game and the options it is played with. Its methods make rounds and matches."""

    def deal(self, seed: Seed | None = None, dealer: Whole = 0, number: Whole = 0) -> Round[S_co]:
        """Return a new round, dealt up to the first action of a seat.

        Args:
            seed: a number, a text or bytes; equal seeds give equal deals. Random if left out.
            dealer: the seat that deals.
            number: which of the rounds that come from the seed, from 0.

        Raises:
            OptionError: there is no such seat or no such number.
        """
        deals, which = self._dealing(dealer), whole_in(number, 0, _MOST_ROUNDS - 1)
        if which is None:
            raise OptionError(f"number is 0 to {_MOST_ROUNDS - 1}, not {number!r}")
        return Round(self, self.new_state(deals), round_stream(secrets.token_bytes(32) if seed is None else seed, which))

    def undealt(self, dealer: Whole = 0) -> Round[S_co]:
        """Return a new round that waits at each shuffle for the order of the cards, for callers who enumerate or choose it.

        Its `unshuffled` cards are dealt by `shuffled`.

        Args:
            dealer: the seat that deals.

        Raises:
            OptionError: there is no such seat.
        """
        return Round(self, self.new_state(self._dealing(dealer)), [])

    def position(self, text: str, seed: Seed = 0) -> Round[S_co]:
        """Return a round that stands at a position (see `docs/position.md`).

        Args:
            text: the position.
            seed: the seed of every shuffle that is still to come.

        Raises:
            PositionError: the text is no position of this game, or one from which the rules cannot go on.
        """
        if not isinstance(text, str):
            raise PositionError(f"a position is a text, not {type(text).__name__}")
        state = self.new_state(0)
        parse_position(state, text)
        try:
            round = Round(self, state, round_stream(seed, 0))
            # The driver has acted: every seat that is to act now must have a legal action.
            stuck = [seat for seat in round.waiting if not round.legal_for(seat)]
        except (ValueError, LookupError) as error:
            # A game without `complete` does not check positions, so its rules may meet a state that never occurs in play.
            raise PositionError(f"the rules cannot go on from here ({error}): write down all that the phase needs") from error
        if stuck:
            raise PositionError(f"seat {stuck[0]} is to act, and has nothing that it may do")
        return round

    def match(
        self, seed: Seed | None = None, players: tuple[str, ...] = (), first_dealer: Whole | None = None, **options: object
    ) -> Match[S_co, O_co]:
        """Return a new match with its first round dealt. For fair deals instead of those of a seed, make a `Match`.

        Args:
            seed: a number, a text or bytes; equal seeds give equal deals. Random if left out.
            players: the name of each seat; `Seat 0` and so on if left out.
            first_dealer: the seat that deals first; a lot is drawn if left out.
            options: the game's match options, such as `rounds`; they override the preset's.

        Raises:
            OptionError: the game has no such option, value or seat, or the names are not one for each seat.
        """
        deals = SeedDeals(secrets.token_bytes(32) if seed is None else seed)
        return Match(self, self.match_options(options), deals, players, first_dealer=first_dealer)

    def _dealing(self, dealer: Whole) -> int:
        seat = seat_of(dealer, self.seats)
        if seat is None:
            raise OptionError(f"the dealer is a seat from 0 to {self.seats - 1}, not {dealer!r}")
        return seat

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name, preset, seats and options: the receiver makes the game as it is installed there."""
        return make_game, (self.id, self.preset, self.seats, all_texts(self.options))

    def match_options(self, given: Mapping[str, object]) -> Options:
        """Return the match options: those in `given`, else those of the preset, else the defaults.

        Raises:
            OptionError: the game has no such option or value.
        """
        return _parse(self.contract.match_options, self.contract.preset(self.preset)[1], given, f"a match of {self.id}")


@overload
def game(name: str, preset: str = "default", seats: Whole | None = None, **options: object) -> Game: ...
@overload
def game(
    name: Contract[S_co, O_co], preset: str = "default", seats: Whole | None = None, **options: object
) -> Game[S_co, O_co]: ...
def game(name: str | Contract[S_co, O_co], preset: str = "default", seats: Whole | None = None, **options: object) -> Any:
    """Return a game with the options of a preset and those given.

    Args:
        name: a name that `mekuri.games.look_up` finds, such as any of `mekuri.games.names()`; or the contract of a game, such as
            `mekuri.games.tensho.contract`, by which a type checker knows the game's options and what its states hold.
        preset: a named set of options, those of a match among them; the options given beside it override it.
        seats: how many play; the usual number if left out.
        options: the game's options, as texts or values.

    Raises:
        UnknownGame: there is no such game.
        OptionError: the game has no such preset, option or value, or they make no sense together.
    """
    return make_game(name, preset, seats, options)


def make_game(name: str | Contract, preset: str, seats: Whole | None, options: Mapping[str, object]) -> Game:
    """Return a game like `game`, with the options in a mapping: so an option may be called `name` or `preset`, too."""
    contract, entry = (name, None) if isinstance(name, Contract) else games.look_up(name)
    usual = {**contract.preset(preset)[0], **(entry.options if entry else {})}
    chosen = _parse(contract.options, usual, options, contract.id)
    return Game(contract, chosen, contract.seats[0] if seats is None else seats, preset)


def _parse(kind: type[T], preset: Mapping[str, object], given: Mapping[str, object], game: str) -> T:
    """Return the options of a preset, overridden by those given. Hyphens in the given names stand for underscores."""
    return parse(kind, {**preset, **{name.replace("-", "_"): value for name, value in given.items()}}, game)
