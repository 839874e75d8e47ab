"""A round that is being played: its state, chance and history; and the chronicle, which goes through a round's history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Generic

from mekuri.cards import NONE, NotationError, each, parse_card
from mekuri.cards.given import Whole, typed, whole, whole_in
from mekuri.engine.bot import Happened, Seen
from mekuri.engine.chance import shuffle
from mekuri.engine.contract import DRIVER, FIRST_WORD, Contract, S_co, Text, legal, over, play, returns, undoing, waiting
from mekuri.engine.defaults import refusal
from mekuri.engine.driver import drive, hidden_state, pending, settle
from mekuri.engine.errors import IllegalAction, MekuriError, RecordError
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.options import Choice
from mekuri.engine.position import position_text
from mekuri.engine.rulebook import rulebook
from mekuri.match.deed import Deed, notation
from mekuri.match.setting import Setting
from mekuri.match.view import Happening, Sheet, View, make_view, public_part

Action = str | Whole
Packs = Sequence[Sequence[int]]


@cache
def _words(words: type[Choice]) -> dict[str, int]:
    """Return the actions of a game that are not cards, by their notation."""
    return {word.text: int(word) for word in words}


class Round(Generic[S_co]):
    """A round of a game.

    The driver's actions (dealing, turning over, settling) are done by themselves, before the first seat acts and after each action.

    Args:
        game: the game and its options.
        state: the state at which the round begins; it is used, not copied.
        chance: four words, from which all shuffles and draws come; they are advanced. If empty, the round waits at each shuffle.
        packs: for each shuffle, from the first, the order that the cards get instead of one by chance; for replays.

    Attributes:
        game: the game and its options.
        packs: for each shuffle the shuffled cards in order; they are dealt from the end of the list.
        actions: every `(seat, action)` of the seats in order, as numbers. Packs and actions suffice to replay the round.
        history: the same with the driver's actions, whose seat is 16.
    """

    def __init__(self, game: Setting[S_co], state: S_co, chance: list[int], packs: Packs = ()) -> None:
        self._set_up(game, state, chance, packs)
        self._drive()

    # Called once, when a round is made, so the state's type does not change.
    def _set_up(self, game: Setting[S_co], state: S_co, chance: list[int], packs: Packs) -> None:  # type: ignore[misc]
        self.game = game
        self.packs: list[list[int]] = []
        self.actions: list[tuple[int, int]] = []
        self.history: list[tuple[int, int]] = []
        self._state = state
        self._versions: dict[int | None, int] = dict.fromkeys([*range(self.game.seats), None], 0)
        self._public: tuple[int, dict[str, Any]] = -1, {}  # the number of steps done, and what all see of the round then
        self._heard: dict[int, tuple[Chronicle, list[tuple[int, int | None]]]] = {}  # by seat, as far as `happened` has been asked
        self._chance = chance
        self._given = list(packs)  # a replay's packs, used before chance is
        self._beginning = game.contract.state()
        copy(self._beginning, state)

    @property
    def contract(self) -> Contract[S_co]:
        """The contract of the game."""
        return self.game.contract

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that are to act now, in ascending order; empty when the round is over or cards are to be shuffled."""
        return () if self.unshuffled else each(waiting(self._state))

    @property
    def waiting_in_turn(self) -> tuple[int, ...]:
        """The seats that are to act now, in playing order after the dealer, who comes last: the order in which bots act."""
        return tuple(sorted(self.waiting, key=lambda seat: (seat - self.dealer - 1) % self.game.seats))

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal actions of the first of the waiting seats, in notation: cards such as `7I`, and words."""
        seats = self.waiting
        return self.legal_for(seats[0]) if seats else ()

    def legal_for(self, seat: Whole) -> tuple[str, ...]:
        """Return the legal actions of a seat, in notation; none when it is not to act. They reveal cards of the seat's hand."""
        return tuple(map(self.action_text, self.choices(seat)))

    def choices(self, seat: Whole, undo: bool = True) -> tuple[int, ...]:
        """Return the legal actions of a seat like `legal_for`, as numbers in ascending order.

        Args:
            seat: the seat.
            undo: whether actions that only take back another are among them.
        """
        who = self._seat(seat)
        return each(legal(self._state, who) & ~(0 if undo else undoing(self._state, who)))

    @property
    def unshuffled(self) -> tuple[int, ...]:
        """The cards that are to be shuffled, where a round without chance waits for `shuffled`; else empty."""
        return () if self._given or self._chance else tuple(pending(self._state))

    def shuffled(self, order: Sequence[int]) -> None:
        """Put the cards of `unshuffled` in an order, and go on to the next seat's choice or the next shuffle.

        Args:
            order: the cards; the last is dealt first.

        Raises:
            MekuriError: nothing is to be shuffled, or other cards are.
        """
        if not self.unshuffled:
            raise MekuriError("nothing is to be shuffled")
        self._given = [list(order)]
        try:
            self._drive()
        finally:
            self._given = []

    def mask(self, seat: Whole) -> int:
        """Return the legal actions of a seat like `choices`, as a set: bit a for action a."""
        return int(legal(self._state, self._seat(seat)))

    @property
    def silence(self) -> str | None:
        """The action that a seat is taken to have chosen when it lets its time run out; None where a table waits without limit."""
        word = self.contract.table.window(self._state)
        return None if word == NONE else self.action_text(word)

    @property
    def unspoken(self) -> bool:
        """Whether the action that `silence` names is chosen by silence alone, so that a seat can change its mind until then."""
        return self.contract.table.unspoken(self._state)

    @property
    def secret(self) -> bool:
        """Whether the seats act at the same time now: each action stays hidden from the others until all have acted."""
        return self.contract.table.secret(self._state)

    @property
    def over(self) -> bool:
        """Whether the round is over."""
        return bool(over(self._state))

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self._state.dealer

    @property
    def returns(self) -> tuple[int, ...]:
        """For each seat what the finished round changes in its account. Raises MekuriError while it is being played."""
        return tuple(int(returns(self._finished(), seat)) for seat in range(self.game.seats))

    @property
    def ending(self) -> str:
        """How the finished round ended: an id from the contract's `endings`. Raises MekuriError while it is being played."""
        return self.contract.endings[self._finished().ending]

    @property
    def next_dealer(self) -> int:
        """The seat that deals after this round. Raises MekuriError while it is being played."""
        return self.contract.match.next_dealer(self._finished())

    @property
    def position(self) -> str:
        """The position as text, with all hidden cards. `Game.position` sets it up again."""
        return position_text(self._state)

    @property
    def tallies(self) -> tuple[dict[str, int], ...]:
        """For each seat the change that the finished round makes in each of its accounts, by name. Raises as `returns`."""
        return tuple(dict(self.contract.match.tally(self._finished(), seat)) for seat in range(self.game.seats))

    @property
    def accounts(self) -> dict[str, int]:
        """The change that the finished round makes in each account that no seat owns, by name. Raises as `returns`."""
        return dict(self.contract.match.accounts(self._finished()))

    def play(self, action: Action, seat: Whole | None = None) -> None:
        """Do an action of a seat, and the driver's actions that follow.

        Args:
            action: a card such as `"7I"`, a word such as `"decline"`, or the number of either.
            seat: the seat that acts; the first waiting seat if left out.

        Raises:
            IllegalAction: the rules forbid it; the error names the clause.
            NotationError: the text is neither a card nor a word of the game.
            MekuriError: there is no such seat.
        """
        number = self.parse_action(action)
        who = self._first_waiting() if seat is None else self._seat(seat)
        refusal = self.refusal(number, who)
        if refusal:
            raise IllegalAction(rulebook(self.contract).render(refusal[0], "en"), refusal[1])
        self._step(who, number)
        self._drive()

    def parse_action(self, action: Action) -> int:
        """Return the number of an action. Raises NotationError where it is neither a card nor a word of the game."""
        if not isinstance(action, str):
            number = whole(action)
            if number is None or (not 0 <= number < FIRST_WORD and number not in _words(self.contract.words).values()):
                raise NotationError(f"an action is a text, a card's number, or a word's, not {action!r}")
            return number
        words = _words(self.contract.words)
        word = words.get(typed(action).strip().lower())
        if word is not None:
            return word
        try:
            return parse_card(action)
        except NotationError:
            known = ", ".join(words)
            raise NotationError(f"{action!r} is neither a card such as 7I nor a word of {self.game.id}: {known}") from None

    def action_text(self, action: int) -> str:
        """Return the notation of an action, given as its number."""
        return notation(self.contract, action)

    def view(self, seat: Whole | None = None) -> View:
        """Return the view that a seat has of the round; that of a spectator if left out."""
        viewer = None if seat is None else self._seat(seat)
        return self._view(viewer, self.hidden(viewer))

    def version(self, seat: Whole | None = None) -> int:
        """Return how many events a seat has seen so far; how many a spectator has if left out."""
        return self._versions[None if seat is None else self._seat(seat)]

    def refusal(self, action: Action, seat: Whole | None = None) -> tuple[Text, str] | None:
        """Return why a seat may not do an action. The answer may reveal cards of the seat's hand.

        Args:
            action: as in `play`.
            seat: the seat; the first waiting seat if left out.

        Returns:
            The reason as a text of the rule book, and the id of the clause that forbids it; None if the action is legal.

        Raises:
            NotationError: the text is neither a card nor a word of the game.
            MekuriError: there is no such seat.
        """
        number = self.parse_action(action)
        who = self._first_waiting() if seat is None else self._seat(seat)
        if legal(self._state, who) >> number & 1:
            return None
        return rulebook(self.contract).refusal(refusal(self._state, who, number))

    def events(self, seat: Whole | None = None, since: int = 0) -> list[Happening]:
        """Return all that has happened in the round, as one viewer saw it.

        Args:
            seat: the viewer's seat; None for a spectator.
            since: how many events are left out at the beginning.
        """
        found: list[Happening] = []
        viewer = None if seat is None else self._seat(seat)
        last, chronicle = self._versions[viewer], Chronicle(self)
        while (version := chronicle.versions[viewer]) < last:
            found += chronicle.step([viewer] if version >= since else []).values()
        return found

    def unseen(self, action: Action, seat: Whole) -> bool:
        """Return whether a legal action of a seat, and what follows it, would be seen by nobody but the seat itself."""
        if not self.secret:
            return False
        who, after = self._seat(seat), self.contract.state()
        copy(after, self._state)
        play(after, who, self.parse_action(action))
        others = [DRIVER if viewer is None else viewer for viewer in self._versions if viewer != who]
        asked = waiting(after) not in (0, 1 << DRIVER)
        return asked and all(hidden_state(after, other) == hidden_state(self._state, other) for other in others)

    def hidden(self, seat: Whole | None = None) -> S_co:
        """Return the hidden state of a seat, or of a spectator if left out. Bots are given it, and views are made from it."""
        return hidden_state(self._state, DRIVER if seat is None else self._seat(seat))

    def seen(self, seat: Whole) -> Seen:
        """Return what a bot in a seat is given: the seat's hidden state, and all that it has seen happen in the round."""
        viewer = self._seat(seat)
        return Seen(self.hidden(viewer), viewer, Chronicle(self).past(viewer))

    def happened(self, seat: Whole) -> tuple[tuple[int, int | None], ...]:
        """Return what a seat has seen happen, as data: for each event the seat that acted (16 for the driver) and the action.

        The action is None if it was hidden. Events are worked out once, when they are first asked for.
        """
        viewer = self._seat(seat)
        if viewer not in self._heard:
            self._heard[viewer] = Chronicle(self), []
        chronicle, heard = self._heard[viewer]
        heard += chronicle.heard(viewer)
        return tuple(heard)

    def observation(self, seat: Whole) -> bytes:
        """Return what a seat may know as bytes for a learner. `Game.layout` says what they mean."""
        return self.game.layout.observe(self._state, self._seat(seat))

    def information(self, seat: Whole) -> bytes:
        """Return a key of what a seat knows, of 32 bytes.

        It is equal at two points of the rounds of a game where the seat has seen the same actions, with the same hidden state after
        each. So it stands for an information state of perfect recall.
        """
        seen = self.seen(seat)
        return sha256(repr((self.game, seen)).encode()).digest()

    def whole(self) -> S_co:
        """Return a copy of the whole state of the finished round. Raises MekuriError while it is being played."""
        state = self.contract.state()
        copy(state, self._finished())
        return state

    def score_sheet(self) -> Sheet:
        """Return the score sheet as the round stands. It depends on nothing that is hidden from a spectator."""
        return Sheet(self.game.id, tuple(self.contract.table.score_sheet(self._state)), self.returns if self.over else None)

    def copy(self) -> Round[S_co]:
        """Return a copy that can be played on independently. From the same actions it comes to the same shuffles and draws."""
        other: Round[S_co] = object.__new__(Round)
        vars(other).update(vars(self))
        other._state = self.contract.state()
        copy(other._state, self._state)
        other.packs, other.actions, other.history = self.packs[:], self.actions[:], self.history[:]
        other._versions, other._chance, other._given = dict(self._versions), self._chance[:], self._given[:]
        other._heard = {seat: (chronicle.copy(other), heard[:]) for seat, (chronicle, heard) in self._heard.items()}
        return other

    def __deepcopy__(self, memo: object) -> Round[S_co]:
        """Return `copy()`."""
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether two rounds of one game, with the same options and seats, have the same state and history."""
        if not isinstance(other, Round):
            return NotImplemented
        mine, others = ((r.contract, r.game.options, r.game.seats, r._state, r.packs, r.history) for r in (self, other))
        return mine == others

    __hash__ = None  # type: ignore[assignment]  # it changes while it is played

    def __repr__(self) -> str:
        """Return the game, the number of actions and the seats that are to act."""
        return f"<Round of {self.game.id}: {len(self.actions)} actions, {'over' if self.over else f'waiting for {self.waiting}'}>"

    def __str__(self) -> str:
        """Return the table as text with all hands open, and the score sheet once the round is over."""
        table = str(make_view(self.contract, self._state, len(self.history), None))
        return f"{table}\n\n{self.score_sheet()}" if self.over else table

    def _view(self, viewer: int | None, hidden: RoundState) -> View:
        if self._public[0] != len(self.history):
            self._public = len(self.history), public_part(self.contract, hidden if viewer is None else self.hidden())
        return make_view(self.contract, hidden, self._versions[viewer], viewer, self._public[1])

    def _seat(self, seat: Whole) -> int:
        number = whole_in(seat, 0, self.game.seats - 1)
        if number is None:
            raise MekuriError(f"{self.game.id} has seats 0 to {self.game.seats - 1}, not {seat!r}")
        return number

    def _finished(self) -> S_co:
        """Return the state itself, not a copy. Raises MekuriError where the round is not over."""
        if not self.over:
            raise MekuriError("the round is not over: what came of it is not known yet")
        return self._state

    def _drive(self) -> None:
        """Do the driver's actions until a seat is to act, the round waits for a shuffle, or it is over."""
        while waiting(self._state) == 1 << DRIVER and not self.unshuffled:
            self._step(DRIVER)

    def _first_waiting(self) -> int:
        return next(iter(self.waiting), 0)

    def _step(self, seat: int, action: int = 0) -> None:
        """Do one action of a seat, or the driver's next one (`action` is then ignored), and add it to the history."""
        if seat == DRIVER:
            if self._state.gathered:
                self._shuffle()
            action = drive(self._state, self._chance)
            self._count(self._versions)
        else:
            self._act(seat, action)
            self.actions.append((seat, action))
        self.history.append((seat, action))

    def _act(self, seat: int, action: int) -> None:
        """Do a seat's action, and count it for each viewer who sees it.

        While actions stay hidden, another viewer sees one only where it changes that viewer's hidden state.
        """
        secret = self.contract.table.secret(self._state)
        before = {viewer: self.hidden(viewer) for viewer in self._versions if secret and viewer != seat}
        play(self._state, seat, action)
        self._count(viewer for viewer in self._versions if viewer not in before or self.hidden(viewer) != before[viewer])

    def _count(self, viewers: Iterable[int | None]) -> None:
        """Count one more event for these viewers."""
        for viewer in viewers:
            self._versions[viewer] += 1

    def _shuffle(self) -> None:
        """Shuffle the gathered cards, or put them in the order of the next given pack, and note the order in `packs`."""
        s = self._state
        if self._given:
            order = self._given.pop(0)
        else:
            order = pending(s)
            shuffle(order, len(order), self._chance)
        try:
            settle(s, order)
        except ValueError as error:
            raise RecordError("a given pack does not hold the cards that are shuffled") from error
        self.packs.append([*order])

    def _beginning_again(self) -> Round[S_co]:
        """Return a new round at this round's beginning, before the driver's first action, with this round's packs."""
        again = object.__new__(Round)
        state = self.contract.state()
        copy(state, self._beginning)
        again._set_up(self.game, state, [0, 0, 0, 0], self.packs)
        return again


class Chronicle:
    """A cursor that goes through the history of a round, step by step, and says how the round stood at each point.

    It begins before the first step. It may be kept while the round is played on, and then goes on from where it stands.
    """

    def __init__(self, round: Round) -> None:
        self._round = round
        self._again = round._beginning_again()
        self._seen: dict[int | None, Any] = {}  # the hidden states after the last step, of the viewers who saw it

    def copy(self, round: Round) -> Chronicle:
        """Return a cursor at the same point of a copy of the round."""
        other: Chronicle = object.__new__(Chronicle)
        other._round, other._again, other._seen = round, self._again.copy(), {}
        return other

    @property
    def behind(self) -> bool:
        """Whether there are steps of the round's history that this chronicle has not gone yet."""
        return len(self._again.history) < len(self._round.history)

    @property
    def silence(self) -> str | None:
        """`Round.silence` at this point."""
        return self._again.silence

    @property
    def unspoken(self) -> bool:
        """`Round.unspoken` at this point."""
        return self._again.unspoken

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that were to act at this point, in ascending order."""
        return self._again.waiting

    @property
    def shown_waiting(self) -> tuple[int, ...]:
        """The seats that were to act at this point, as a spectator knew it, in ascending order."""
        # A hidden state is a copy, and this is asked at every step.
        return each(waiting(self._again.hidden())) if self._again.secret else self.waiting

    @property
    def versions(self) -> dict[int | None, int]:
        """For each viewer (a seat, or None for a spectator) how many events it had seen at this point."""
        return dict(self._again._versions)

    @property
    def packs(self) -> int:
        """How often cards had been shuffled at this point, which is public."""
        return len(self._again.packs)

    @property
    def stock(self) -> int:
        """How many cards lay in the stock at this point, which is public."""
        return self._again._state.stock

    def hidden(self, viewer: int) -> RoundState:
        """Return the hidden state of a seat at this point."""
        return self._again.hidden(viewer)

    def whole(self) -> RoundState:
        """Return a copy of the whole state at this point. Raises MekuriError while the round is being played."""
        self._round._finished()
        state = self._round.contract.state()
        copy(state, self._again._state)
        return state

    def view(self, viewer: int | None) -> View:
        """Return the view that a seat, or a spectator (None), had at this point."""
        return self._again.view(viewer)

    def leave(self, chance: list[int]) -> Round:
        """Turn the chronicle into a round that can be played on differently from this point. The chronicle must not be used again.

        Args:
            chance: four words, from which all shuffles and draws that are still to come are made.
        """
        again = self._again
        again._given, again._chance = [], chance
        return again

    def step(self, viewers: Iterable[int | None] = ()) -> dict[int | None, Happening]:
        """Go one step further.

        Args:
            viewers: seats, or None for a spectator.

        Returns:
            For each of these viewers the step as an event; viewers who saw nothing of it are left out.
        """
        again = self._again
        versions = again._versions
        before = {viewer: (versions[viewer], self._seen.get(viewer) or again.hidden(viewer)) for viewer in viewers}
        self._seen = {}
        if not before:
            self.go()
            return {}
        done = self.see()
        seen: dict[int | None, Happening] = {}
        for viewer, (version, was) in before.items():
            if versions[viewer] > version:
                now = self._seen[viewer] = again.hidden(viewer)
                shown = again.action_text(done.action) if done.is_seen_by(viewer) else None
                text = done.text(viewer, was, now)
                seen[viewer] = Happening(done.seat, shown, text, again._view(viewer, now))
        return seen

    def past(self, viewer: int) -> tuple[Happened, ...]:
        """Go on to where the round stands, and return what a seat has seen happen in these steps, in order."""
        again, found = self._again, []
        while self.behind:
            version, done = again.version(viewer), self.see()
            if again.version(viewer) > version:
                found.append(Happened(done.seat, done.action if done.is_seen_by(viewer) else None, again.hidden(viewer)))
        return tuple(found)

    def heard(self, viewer: int) -> list[tuple[int, int | None]]:
        """Go on to where the round stands, and return who did what in these steps, as a seat has seen it; see `Round.happened`."""
        again, found = self._again, list[tuple[int, int | None]]()
        while self.behind:
            version, done = again.version(viewer), self.see()
            if again.version(viewer) > version:
                found.append((done.seat, done.action if done.is_seen_by(viewer) else None))
        return found

    def see(self) -> Deed:
        """Go one step further, and return what was done and who has seen it."""
        again = self._again
        if again._state.gathered and self._round.history[len(again.history)][0] == DRIVER:
            again._given = [*self._round.packs[len(again.packs) :]]
            again._shuffle()  # the driver's action comes from the shuffled pack
        before = self._round.contract.state()
        copy(before, again._state)
        return Deed(before, again._state, *self.go())

    def go(self) -> tuple[int, int]:
        """Go one step further, and return its seat (16 for the driver) and its action."""
        again = self._again
        seat, action = self._round.history[len(again.history)]
        # The round may have been shuffled again since the last step, and so have more packs.
        again._given = [*self._round.packs[len(again.packs) :]]
        again._step(seat, action)
        return seat, action
