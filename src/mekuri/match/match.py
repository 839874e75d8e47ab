"""A match: rounds one after the other, with a dealer that passes on, and the ledger of what each seat has won."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Generic
from unicodedata import category

from mekuri.cards import cards_text
from mekuri.cards.given import Whole, whole_in
from mekuri.engine.chance import below
from mekuri.engine.contract import O_co, S_co, Text
from mekuri.engine.errors import MekuriError, OptionError
from mekuri.engine.options import Options, differing
from mekuri.match.deals import Deals
from mekuri.match.record import Record, RoundRecord
from mekuri.match.round import Round
from mekuri.match.setting import Setting
from mekuri.match.view import View

Accounts = dict[str, int]
NOT_IN_NAMES = ("Cc", "Cs", "Zl", "Zp")  # Unicode categories: control characters, surrogates, line and paragraph separators


class Match(Generic[S_co, O_co]):
    """A match of a game. It begins with its first round dealt.

    Args:
        game: the game and its options.
        options: the match's own options.
        deals: the source of its chance.
        players: the name of each seat; `Seat 0` and so on if left out.
        replayed: the rounds of a record, for a replay: their packs are dealt instead of the packs of `deals`.
        first_dealer: the seat that deals first; None for a lot.
        drawn: the seats for which lots were drawn; only noted.

    Raises:
        OptionError: the players, the first dealer or the cuts do not fit the seats of the game.

    Attributes:
        game: the game and its options.
        options: the match's own options, such as its length.
        deals: the source of its chance.
        players: the name of each seat.
        first_dealer: the seat that deals first, where one was named or the deal passes on from an earlier match; None for a lot.
        drawn: the seats for which lots were drawn; None where none were.
        dealer: the seat that deals the present round.
        round: the present round, or the last one when the match is over.
        finished: the rounds that have been played and entered in the ledger.
        ledger: for each seat its accounts, by name; the game decides which accounts there are.
        accounts: the accounts that no seat owns, such as a kitty, by name.
        paid_out: the text that says who got what was left in an account of no seat when the match ended; None before, and where
            nothing was paid.
        practice: whether an action was taken back in the match.
    """

    def __init__(
        self,
        game: Setting[S_co, O_co],
        options: Options,
        deals: Deals,
        players: Sequence[str] = (),
        replayed: Sequence[RoundRecord] = (),
        first_dealer: Whole | None = None,
        drawn: tuple[int, ...] | None = None,
    ) -> None:
        if not isinstance(players, tuple | list):
            raise OptionError(f"players are a row of names, one for each of the {game.seats} seats")
        if players and len(players) != game.seats:
            raise OptionError(f"{game.id} has {game.seats} seats, and {len(players)} players were named")
        for name in players:
            if not isinstance(name, str) or any(category(sign) in NOT_IN_NAMES for sign in name):
                raise OptionError(f"a player's name is one line of text, not {name!r}")
        dealer = seat_of(first_dealer, game.seats)
        if first_dealer is not None and dealer is None:
            raise OptionError(f"{game.id} has {game.seats} seats, and seat {first_dealer!r} cannot deal first: seats count from 0")
        fair = deals.opened(0)
        if fair and len(fair.cuts) != game.seats:
            raise OptionError(f"{game.id} has {game.seats} seats, and {len(fair.cuts)} cuts were given: one a seat, empty for none")
        self.game = game
        self._rules = game.contract.match
        self.options = options
        self.deals = deals
        self.players = tuple(players) or tuple(f"Seat {seat}" for seat in range(game.seats))
        self.finished: list[Round[S_co]] = []
        self._replayed = replayed
        self._left_off = False
        self.practice = False
        self.first_dealer = dealer
        self.drawn = drawn
        if dealer is not None:
            self.dealer = dealer
        else:
            # By lot, from the match's own chance.
            self.dealer = replayed[0].dealer if replayed else below(deals.lot(), game.seats)
        self.ledger: list[Accounts] = self._rules.opening(options, game.seats, self.dealer)
        self.accounts: Accounts = {}
        self.paid_out: Text | None = None
        self._settled = False
        self.round = self._deal()

    @property
    def length(self) -> int:
        """The greatest number of rounds that the match can have; 0 where that cannot be known before it."""
        return self._rules.length(self.options, self.game.seats)

    @property
    def over(self) -> bool:
        """Whether the match is over: its last round is in the ledger, and the game asks for no other or `leave_off` ended it."""
        return bool(self.finished) and (self._left_off or self._ends())

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place, several if they are equal. Raises MekuriError while the match is being played."""
        if not self.over:
            raise MekuriError("the match is not over: nobody has won it yet")
        return self.leading

    @property
    def leading(self) -> tuple[int, ...]:
        """The seats in first place if the match ended now, several if they are equal."""
        ledger, _, _ = self._pay_out()
        ranks = [self._rules.ranking(accounts) for accounts in ledger]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    def leave_off(self, *, pays_out: bool = True) -> None:
        """End the match after the rounds that have been played; the places stand as they are.

        Args:
            pays_out: whether the accounts are settled, as by `settle`; False only for a match that ended before this was done.

        Raises:
            MekuriError: the present round is not over.
        """
        if not self.round.over:
            raise MekuriError("the round is not over: play it to its end first")
        self.enter()
        self._left_off = True
        if pays_out:
            self.settle()

    def settle(self) -> None:
        """Pay what is left in an account of no seat as the game's `pay_out` says. Does nothing the second time.

        `enter` does this after the last round, and `leave_off` does it. Call it for a match that is broken off amid a round.
        """
        self.ledger, self.accounts, paid_out = self._pay_out()
        self.paid_out, self._settled = self.paid_out or paid_out, True

    def _pay_out(self) -> tuple[list[Accounts], Accounts, Text | None]:
        """Return the ledger and the accounts as they stand if the match ends now, and the text that says what was paid."""
        ledger, accounts = [dict(own) for own in self.ledger], dict(self.accounts)
        if self._settled or not self.finished:
            return ledger, accounts, None
        return ledger, accounts, self._rules.pay_out(self.options, self.finished[-1]._finished(), ledger, accounts)

    @property
    def rounds(self) -> list[Round[S_co]]:
        """All rounds, with the one that is being played."""
        return self.finished if self._entered else [*self.finished, self.round]

    @property
    def _entered(self) -> bool:
        """Whether the round is in the ledger. Two rounds may be equal, so that is asked of this very one."""
        return bool(self.finished) and self.finished[-1] is self.round

    def next_round(self) -> Round[S_co] | None:
        """Enter the finished round in the ledger, and deal the next one.

        Returns:
            The new round; None when the finished one was the last.

        Raises:
            MekuriError: the present round is not over.
        """
        if not self.round.over:
            raise MekuriError("the round is not over: play it to its end first")
        self.enter()
        if self.over:
            return None
        self.dealer = self.round.next_dealer
        self.round = self._deal()
        return self.round

    def take_back(self, actions: Whole) -> Round[S_co]:
        """Replace the present round by one with the same cards in which only its first actions have been played.

        The old round object stays unchanged. The match is marked as practice.

        Args:
            actions: how many actions of the seats are kept.

        Returns:
            The new round.

        Raises:
            MekuriError: the round is in the ledger, or has no more actions than that.
        """
        done = self.round.actions
        kept = whole_in(actions, 0, len(done) - 1)
        if self._entered or kept is None:
            raise MekuriError("there is nothing to take back: the round is counted, or has not come so far")
        self.round, self.practice = self._deal(), True
        for seat, action in done[:kept]:
            self.round.play(action, seat)
        return self.round

    def enter(self) -> None:
        """Enter the finished round in the ledger. Does nothing where it is there already."""
        if self._entered:
            return
        self.finished.append(self.round)
        for accounts, changes in zip(self.ledger, self.round.tallies, strict=True):
            _add(accounts, changes)
        _add(self.accounts, self.round.accounts)
        self._rules.refill(self.options, self.round._finished(), self.ledger)
        if self._ends():
            self.settle()

    def view(self, seat: Whole | None = None) -> View:
        """Return the view that a seat has of the present round, with the match's ledger.

        The finished round is in the ledger only once it has been entered (see `enter`).

        Args:
            seat: the viewer's seat; None for a spectator.
        """
        return dataclasses.replace(self.round.view(seat), ledger=tuple(map(dict, self.ledger)), accounts=dict(self.accounts))

    def record(self, *, broken_off: bool = False) -> Record:
        """Return the record of the match: all that is needed to replay it exactly, and its results.

        With fair deals the record opens the secrets of the rounds that are over.

        Args:
            broken_off: whether the match will never be played on; then the secret of an unfinished round is opened as well.

        Raises:
            OptionError: the match has fair deals and more rounds than a record can hold.
        """
        rounds = self.rounds
        # The secret of a round that is being played is not opened: it reveals every card.
        opened = len(rounds) if self.round.over or broken_off else len(rounds) - 1
        return Record(
            game=self.game.id,
            version=self.game.version,
            options=differing(self.game.options),
            match_options=differing(self.options),
            players=self.players,
            rounds=tuple(_record_round(round) for round in rounds),
            fair=self.deals.opened(opened),
            first_dealer=self.first_dealer,
            drawn=self.drawn,
            practice=self.practice,
        )

    def _ends(self) -> bool:
        return bool(self._rules.match_over(self.options, len(self.finished), self.ledger))

    def _deal(self) -> Round[S_co]:
        number = len(self.finished)
        state = self.game.new_state(self.dealer)
        last = self.finished[-1]._finished() if self.finished else None
        self._rules.carry(state, self.options, self.ledger, last)
        packs = self._replayed[number].packs if number < len(self._replayed) else ()
        return Round(self.game, state, self.deals.round(number), packs)


def _record_round(round: Round) -> RoundRecord:
    return RoundRecord(
        dealer=round.dealer,
        packs=tuple(tuple(pack) for pack in round.packs),
        actions=tuple((seat, round.action_text(action)) for seat, action in round.actions),
        ending=round.ending if round.over else "",
        returns=round.returns if round.over else (),
        sheet=sheet_rows(round) if round.over else (),
    )


def sheet_rows(round: Round) -> tuple[dict[str, Any], ...]:
    """Return the score sheet of a round as a record keeps it: a JSON object for each line."""
    return tuple(
        {
            "seat": line.seat,
            "text": line.text.id,
            "args": dict(line.text.args),
            "cards": cards_text(line.cards),
            "points": line.points,
            "clause": line.clause,
        }
        for line in round.score_sheet().lines
    )


def seat_of(seat: object, seats: int) -> int | None:
    """Return the number of one of so many seats, counted from 0, as an int; None for everything else."""
    return None if isinstance(seat, bool) else whole_in(seat, 0, seats - 1)


def _add(accounts: Accounts, changes: Mapping[str, int]) -> None:
    for name, change in changes.items():
        accounts[name] = accounts.get(name, 0) + change
