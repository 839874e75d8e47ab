"""A round being played: the plain state, the chance it is dealt from, everything that has been done, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from operator import index
from typing import Any, Generic, SupportsIndex

from mekuri.cards import NONE, NotationError, card_text, each, parse_card
from mekuri.engine.bot import Happened, Seen
from mekuri.engine.chance import shuffle
from mekuri.engine.contract import DRIVER, FIRST_WORD, Contract, S_co, Text, legal, over, play, returns, waiting
from mekuri.engine.defaults import refusal
from mekuri.engine.driver import drive, hidden_state
from mekuri.engine.errors import IllegalAction, MekuriError, RecordError
from mekuri.engine.fields import RoundState, copy
from mekuri.engine.options import Choice
from mekuri.engine.position import position_text
from mekuri.engine.rulebook import rulebook
from mekuri.match.setting import Setting
from mekuri.match.view import Event, Sheet, View, make_view

Action = str | SupportsIndex
Packs = Sequence[Sequence[int]]


@cache
def _words(words: type[Choice]) -> dict[str, int]:
    """A game's words as they are written."""
    return {word.text: int(word) for word in words}


class Round(Generic[S_co]):
    """A round of a game. The driver's actions (dealing, turning over, settling) follow each action by themselves.

    Attributes:
        game: the game and its options.
        packs: the cards in order each time they were shuffled; they are dealt from the end of the row.
        actions: every `(seat, action)` of the seats, in order, as ints. Packs and actions replay the round.
        history: the same with the driver's actions, whose seat is 16.
    """

    def __init__(self, game: Setting[S_co], state: S_co, chance: list[int], packs: Packs = ()) -> None:
        self._set_up(game, state, chance, packs)
        self._drive()

    # Part of making a round: it is not called again with another state.
    def _set_up(self, game: Setting[S_co], state: S_co, chance: list[int], packs: Packs) -> None:  # type: ignore[misc]
        self.game = game
        self.packs: list[list[int]] = []
        self.actions: list[tuple[int, int]] = []
        self.history: list[tuple[int, int]] = []
        self._state = state
        self._versions: dict[int | None, int] = dict.fromkeys([*range(self.game.seats), None], 0)
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
        """The seats that owe an action, lowest first; none when the round is over."""
        return each(waiting(self._state))

    @property
    def waiting_in_turn(self) -> tuple[int, ...]:
        """The same in turn order from the dealer's right, the dealer last: so bots act that would at the same moment."""
        return tuple(sorted(self.waiting, key=lambda seat: (seat - self.dealer - 1) % self.game.seats))

    @property
    def legal(self) -> tuple[str, ...]:
        """What the first waiting seat may do: cards such as `7I`, and words."""
        seats = self.waiting
        return self.legal_for(seats[0]) if seats else ()

    def legal_for(self, seat: int) -> tuple[str, ...]:
        """What a seat may do; nothing when it is not waited for. Only for whoever sits there: it tells the seat's hand."""
        self._check_seat(seat)
        return tuple(self.action_text(action) for action in each(legal(self._state, seat)))

    @property
    def silence(self) -> str | None:
        """What a seat has answered that says nothing within the time a table waits; None where tables wait as long as it takes."""
        word = self.contract.window(self._state)
        return None if word == NONE else self.action_text(word)

    @property
    def unspoken(self) -> bool:
        """Whether a seat that waits in silence may not say the word for it, and so may still say another."""
        return self.contract.unspoken(self._state)

    @property
    def secret(self) -> bool:
        """Whether what seats do now stays hidden until all have done it."""
        return self.contract.secret(self._state)

    @property
    def over(self) -> bool:
        """Whether the round is done."""
        return bool(over(self._state))

    @property
    def dealer(self) -> int:
        """The seat that deals."""
        return self._state.dealer

    @property
    def returns(self) -> tuple[int, ...]:
        """What the finished round changes for each seat. Raises MekuriError while it is being played."""
        return tuple(int(returns(self._finished(), seat)) for seat in range(self.game.seats))

    @property
    def ending(self) -> str:
        """How the finished round ended: an id among the rule book's endings. Raises MekuriError while it is being played."""
        return self.contract.endings[self._finished().ending]

    @property
    def next_dealer(self) -> int:
        """Who deals after this round. Raises MekuriError while it is being played."""
        return self.contract.next_dealer(self._finished())

    @property
    def position(self) -> str:
        """The position, hidden cards and all: `Game.position` sets it up again."""
        return position_text(self._state)

    @property
    def tallies(self) -> tuple[dict[str, int], ...]:
        """What the finished round changes in each seat's accounts. Raises MekuriError while it is being played."""
        return tuple(dict(self.contract.tally(self._finished(), seat)) for seat in range(self.game.seats))

    @property
    def accounts(self) -> dict[str, int]:
        """What the finished round changes in accounts that are nobody's. Raises MekuriError while it is being played."""
        return dict(self.contract.accounts(self._finished()))

    def play(self, action: Action, seat: int | None = None) -> None:
        """Play an action, and the driver's that follow.

        Args:
            action: a card such as `"7I"` or a word such as `"decline"`, or its int.
            seat: who plays; the first waiting seat if left out.

        Raises:
            IllegalAction: the rules forbid it; the error names the clause.
            NotationError: the text is neither a card nor a word of the game.
        """
        number = self.parse_action(action)
        who = self._first_waiting() if seat is None else seat
        refusal = self.refusal(number, who)
        if refusal:
            raise IllegalAction(rulebook(self.contract).render(refusal[0], "en"), refusal[1])
        self._step(who, number)
        self._drive()

    def parse_action(self, action: Action) -> int:
        """The int of an action. Raises NotationError where it is neither a card nor a word of the game."""
        if not isinstance(action, str):
            number = index(action) if isinstance(action, int | SupportsIndex) else -1
            if not 0 <= number < FIRST_WORD and number not in _words(self.contract.words).values():
                raise NotationError(f"an action is a text, a card's number, or a word's, not {action!r}")
            return number
        words = _words(self.contract.words)
        word = words.get(action.strip().lower())
        if word is not None:
            return word
        try:
            return parse_card(action)
        except NotationError:
            known = ", ".join(words)
            raise NotationError(f"{action!r} is neither a card such as 7I nor a word of {self.game.id}: {known}") from None

    def action_text(self, action: int) -> str:
        """The notation of an action."""
        return self.contract.words(action).text if action >= FIRST_WORD else card_text(action)

    def view(self, seat: int | None = None) -> View:
        """What a seat sees; what a spectator sees if left out."""
        return make_view(self.contract, self.hidden(seat), self.version(seat), seat)

    def version(self, seat: int | None = None) -> int:
        """How many things a seat has seen happen so far; a spectator if left out."""
        if seat is not None:
            self._check_seat(seat)
        return self._versions[seat]

    def refusal(self, action: Action, seat: int | None = None) -> tuple[Text, str] | None:
        """Why a seat may not do something: a text and the clause that forbids it; None if it may. Only for whoever sits there."""
        number = self.parse_action(action)
        who = self._first_waiting() if seat is None else seat
        self._check_seat(who)
        if legal(self._state, who) >> number & 1:
            return None
        reason = refusal(self._state, who, number)
        return Text(f"refusals.{reason.id}", reason.args), rulebook(self.contract).refusal_clause(reason.id)

    def events(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """What has happened, as a seat saw it; as a spectator saw it if left out. `since` leaves out the first so many."""
        told: list[Event] = []
        last, chronicle = self.version(seat), Chronicle(self)
        while (version := chronicle.versions[seat]) < last:
            told += chronicle.step([seat] if version >= since else []).values()
        return told

    def unseen(self, action: Action, seat: int) -> bool:
        """Whether nobody but the seat itself would see anything of a legal action, nor of what follows it."""
        if not self.secret:
            return False
        after = self.contract.state()
        copy(after, self._state)
        play(after, seat, self.parse_action(action))
        others = [DRIVER if viewer is None else viewer for viewer in self._versions if viewer != seat]
        asked = waiting(after) not in (0, 1 << DRIVER)
        return asked and all(hidden_state(after, other) == hidden_state(self._state, other) for other in others)

    def hidden(self, seat: int | None = None) -> S_co:
        """The hidden state of a seat, or of a spectator: what every bot is given and every view is made of."""
        if seat is not None:
            self._check_seat(seat)
        return hidden_state(self._state, DRIVER if seat is None else seat)

    def seen(self, seat: int) -> Seen:
        """All that a seat has seen of the round: what a bot is given. Only for whoever sits there."""
        return Seen(self.hidden(seat), seat, Chronicle(self).past(seat))

    def whole(self) -> S_co:
        """The whole state of the finished round, a copy: for hindsight. Raises MekuriError while it is being played."""
        state = self.contract.state()
        copy(state, self._finished())
        return state

    def score_sheet(self) -> Sheet:
        """The score sheet, as the round stands."""
        return Sheet(self.game.id, tuple(self.contract.score_sheet(self._state)), self.returns if self.over else None)

    def __str__(self) -> str:
        """The table with all hands open, and the score sheet once the round is over."""
        table = str(make_view(self.contract, self._state, len(self.history), None))
        return f"{table}\n\n{self.score_sheet()}" if self.over else table

    def _check_seat(self, seat: int) -> None:
        # An int first: to ask whether something is of a protocol takes long.
        if not isinstance(seat, int | SupportsIndex) or not 0 <= index(seat) < self.game.seats:
            raise MekuriError(f"{self.game.id} has seats 0 to {self.game.seats - 1}, not {seat!r}")

    def _finished(self) -> S_co:
        """The state, of a round that is over."""
        if not self.over:
            raise MekuriError("the round is not over: what came of it is not known yet")
        return self._state

    def _drive(self) -> None:
        """Do what the driver does before a seat is asked again."""
        while waiting(self._state) == 1 << DRIVER:
            self._step(DRIVER)

    def _first_waiting(self) -> int:
        return next(iter(self.waiting), 0)

    def _step(self, seat: int, action: int = 0) -> None:
        """Do one thing, a seat's or the driver's, and note it."""
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
        """Do a seat's action. While what seats do stays hidden, others see only what changes in their own hidden states."""
        secret = self.contract.secret(self._state)
        before = {viewer: self.hidden(viewer) for viewer in self._versions if secret and viewer != seat}
        play(self._state, seat, action)
        self._count(viewer for viewer in self._versions if viewer not in before or self.hidden(viewer) != before[viewer])

    def _count(self, viewers: Iterable[int | None]) -> None:
        """These viewers have seen one thing more."""
        for viewer in viewers:
            self._versions[viewer] += 1

    def _shuffle(self) -> None:
        """Shuffle the gathered cards, or lay them in the order a replay gives, and note the order."""
        s = self._state
        if self._given:
            given = self._given.pop(0)
            if sorted(given) != sorted(s.pack[: s.gathered]):
                raise RecordError("a pack of the record does not hold the cards that are shuffled")
            s.pack[: s.gathered] = given
        else:
            shuffle(s.pack, s.gathered, self._chance)
        self.packs.append(s.pack[: s.gathered])
        s.gathered = 0

    def _beginning_again(self) -> Round[S_co]:
        """The round before anything happened, to be gone through step by step."""
        again = object.__new__(Round)
        state = self.contract.state()
        copy(state, self._beginning)
        again._set_up(self.game, state, [0, 0, 0, 0], self.packs)
        return again


class Chronicle:
    """What has happened in a round, told step by step. It may be kept while the round is played on, and told on from there."""

    def __init__(self, round: Round) -> None:
        self._round = round
        self._again = round._beginning_again()
        self._seen: dict[int | None, Any] = {}  # the hidden states of those who were told the last thing

    @property
    def behind(self) -> bool:
        """Whether something has happened in the round that has not been told yet."""
        return len(self._again.history) < len(self._round.history)

    @property
    def silence(self) -> str | None:
        """What silence meant at this point: see `Round.silence`."""
        return self._again.silence

    @property
    def unspoken(self) -> bool:
        """Whether silence alone meant it at this point: see `Round.unspoken`."""
        return self._again.unspoken

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that owed an action at this point."""
        return self._again.waiting

    @property
    def versions(self) -> dict[int | None, int]:
        """How many things each viewer, a seat or None for a spectator, has seen happen so far."""
        return dict(self._again._versions)

    @property
    def stock(self) -> int:
        """How many cards lay in the stock at this point: everybody knows."""
        return self._again._state.stock

    def hidden(self, viewer: int) -> RoundState:
        """The hidden state of a seat at this point."""
        return self._again.hidden(viewer)

    def whole(self) -> RoundState:
        """The whole state at this point: for hindsight. Raises MekuriError while the round is being played."""
        self._round._finished()
        state = self._round.contract.state()
        copy(state, self._again._state)
        return state

    def view(self, viewer: int | None) -> View:
        """What a viewer saw of the round at this point."""
        return self._again.view(viewer)

    def leave(self, chance: list[int]) -> Round:
        """The round at this point, to be played on otherwise. What is still shuffled comes from `chance`. The chronicle is over."""
        again = self._again
        again._given, again._chance = [], chance
        return again

    def step(self, viewers: Iterable[int | None] = ()) -> dict[int | None, Event]:
        """Go one thing further, and tell it as these viewers saw it; those who saw nothing are left out."""
        again, contract = self._again, self._round.contract
        versions = again._versions
        before = {viewer: (versions[viewer], self._seen.get(viewer) or again.hidden(viewer)) for viewer in viewers}
        secret = bool(before) and contract.secret(again._state)
        self._seen = {}
        seat, action = self.go()
        told: dict[int | None, Event] = {}
        for viewer, (version, was) in before.items():
            if versions[viewer] > version:
                now = self._seen[viewer] = again.hidden(viewer)
                text = contract.event(was, now, seat, action)
                shown = None if secret and viewer != seat else again.action_text(action)
                told[viewer] = Event(seat, shown, text, make_view(contract, now, versions[viewer], viewer))
        return told

    def past(self, viewer: int) -> tuple[Happened, ...]:
        """Go on to where the round stands, and tell a seat what it has seen happen on the way."""
        again, contract, told = self._again, self._round.contract, []
        while self.behind:
            version, secret = again.version(viewer), contract.secret(again._state)
            seat, action = self.go()
            if again.version(viewer) > version:
                told.append(Happened(seat, None if secret and viewer != seat else action, again.hidden(viewer)))
        return tuple(told)

    def go(self) -> tuple[int, int]:
        """Go one thing further. Returns who did it, and what."""
        again = self._again
        seat, action = self._round.history[len(again.history)]
        # It may have been shuffled again since.
        again._given = [*self._round.packs[len(again.packs) :]]
        again._step(seat, action)
        return seat, action
