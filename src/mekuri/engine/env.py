"""The vector environment: many tables of one game, which a learner plays by arrays.

One loop of machine code plays every table up to the next choice of a learner and writes what the learner's seat may know, its legal
actions, and the returns of rounds that have ended. The loop names no game: it finds the rules by the type of the states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mekuri.engine.bot import Bot, ask, is_blind
from mekuri.engine.chance import Seed, begin_round, below, pick, stream
from mekuri.engine.compiled import available, count, first, has, rule
from mekuri.engine.contract import DRIVER, LAST_WORD, Contract, legal, over, play, returns, undoing, waiting
from mekuri.engine.driver import see, shuffle_gathered
from mekuri.engine.entry import entry
from mekuri.engine.errors import IllegalAction, OptionError
from mekuri.engine.executor import MACHINE_CODE, PLAIN
from mekuri.engine.fields import RoundState, copied, copy
from mekuri.engine.observe import encode, lay, layout
from mekuri.engine.options import Options
from mekuri.engine.recall import EVENTS, forget, keep, note
from mekuri.engine.setup import new_state

# In place of an action: begin a new round, look again at the table as it stands, or leave it alone.
BEGIN, LOOK, STAY = -1, -2, -3
STRIDE, LEARNERS, SKIPS, RESETS, GIVEN = range(5)  # the places of the loop's settings
THINKING = 1  # the place of the bot's first state: before it is a hidden state
MASK_WORDS = 8
MASK = 8 * MASK_WORDS  # bytes of a mask, one for each action from 0 to LAST_WORD, and one more

Rows = npt.NDArray[Any]


@entry
def advance(
    states: Any,
    starts: Any,
    work: Any,
    chance: Any,
    luck: Any,
    key: Any,
    luck_key: Any,
    numbers: Any,
    actions: Any,
    seats: Any,
    legal_sets: Any,
    observations: Any,
    masks: Any,
    rewards: Any,
    done: Any,
    before: Any,
    events: Any,
    happened: Any,
    settings: Any,
    layout: Any,
    bot: Any,
) -> int:
    """Do an action at each table, and play on to the next choice of a learner.

    Args:
        states: the state of each table.
        starts: states at the start of a round, one for each seat that may deal; by luck a round begins as one of them.
        work: THINKING states and those in which the bot thinks.
        chance: for each table four words, from which its packs are shuffled.
        luck: for each table four words, by which the dealer is drawn and the bot chooses.
        key: four words; round i is dealt from a hash of these and i.
        luck_key: the same for the dealer and the bot's choices.
        numbers: the number of each table's round.
        actions: the action of each table's seat, or BEGIN, LOOK or STAY; a table whose round is over stays as it is.
        seats: the seat that chooses at each table; -1 where the round is over.
        legal_sets: the set of its legal actions, except actions that only take back another.
        observations: a row of words for each table.
        masks: MASK_WORDS words for each table.
        rewards: for each table a number for each seat.
        done: for each table whether its round has ended.
        before: a state to keep in what an action may change, if events are noted.
        events: for each table a ring of events for each seat; see `recall.note`.
        happened: for each table the number of events of each seat.
        settings: the numbers by which a table's round number grows, the set of learners, whether forced actions are skipped,
            whether a new round follows, and whether every action is a learner's, and is to be checked.
        layout: the layout of observations.
        bot: the bot in the seats that are no learners'.

    Returns:
        The first table whose action is illegal, if there is one: nothing has been done then. Else -1.
    """
    stride, learners, skips, resets = settings[STRIDE], settings[LEARNERS], settings[SKIPS], settings[RESETS]
    if settings[GIVEN]:
        wrong = illegal_at(seats, legal_sets, actions)
        if wrong >= 0:
            return wrong
    for i in range(len(states)):
        action, seat = int(actions[i]), int(seats[i])
        if action == STAY or (action >= 0 and seat < 0):
            continue
        s, choices, ended = states[i], 0, False
        reports = action >= 0 or not resets
        if done[i]:
            for k in range(s.seats):
                rewards[i, k] = 0
        while True:
            if action == BEGIN:
                begin_round(chance[i], key, numbers[i])
                begin_round(luck[i], luck_key, numbers[i])
                copy(s, starts[below(luck[i], len(starts)) if len(starts) > 1 else 0])
                forget(layout, events[i], happened[i])
            elif action != LOOK:
                hides = keep(layout, before[0], s, action)
                play(s, seat, action)
                note(layout, before[0], s, hides, seat, action, learners, events[i], happened[i])
            if over(s):
                if reports and not ended:
                    for k in range(s.seats):
                        rewards[i, k] = returns(s, k)
                    ended = True
                if resets:
                    numbers[i] += stride
                    action = BEGIN
                    continue
                seat, choices = -1, 0
                break
            seat = first(waiting(s))
            if seat == DRIVER:
                shuffle_gathered(s, chance[i])
                action = first(legal(s, seat))
                continue
            choices = legal(s, seat) & ~undoing(s, seat)
            single = choices & (choices - 1) == 0
            if has(learners, seat) and not (single and skips):
                break
            action = choice_of(bot, s, seat, choices, luck[i], work)
        seats[i], legal_sets[i], done[i] = seat, choices, ended
        lay(choices, masks[i], 0, MASK_WORDS)
        encode(layout, s, max(seat, 0), observations[i])
    return -1


@rule
def illegal_at(seats: Any, legal_sets: Any, actions: Any) -> int:
    """The first table whose action is illegal; -1 if there is none. The arguments are those of `advance`."""
    for i in range(len(seats)):
        if seats[i] >= 0 and not (0 <= actions[i] <= LAST_WORD and has(int(legal_sets[i]), int(actions[i]))):
            return i
    return -1


@entry
def first_illegal(seats: Any, legal_sets: Any, actions: Any) -> int:
    """Return what `illegal_at` returns."""
    return illegal_at(seats, legal_sets, actions)


@rule
def choice_of(bot: Any, s: RoundState, seat: int, choices: int, luck: Any, work: Any) -> int:
    """The action that a bot takes of a set of legal ones. `work` holds THINKING states and those in which the bot thinks."""
    if choices & (choices - 1) == 0:
        return first(choices)
    if is_blind(bot):
        return pick(choices, count(choices), luck)
    see(s, seat, work[0])
    return ask(bot, work[0], seat, luck, work[THINKING:])


@entry
def consult(states: Any, work: Any, luck: Any, seats: Any, legal_sets: Any, wanted: Any, actions: Any, bot: Any) -> None:
    """Write the action that a bot takes at each table that is wanted and waits for one. The arguments are those of `advance`."""
    for i in range(len(states)):
        if wanted[i] and legal_sets[i]:
            actions[i] = choice_of(bot, states[i], int(seats[i]), int(legal_sets[i]), luck[i], work)


@entry
def try_each(
    states: Any, work: Any, seats: Any, legal_sets: Any, tables: Any, actions: Any, observations: Any, layout: Any
) -> None:
    """Try each legal action at each table, and write what the seat then knows. It is tried on the seat's hidden state.

    Args:
        states: the state of each table.
        work: two states to work in.
        seats: the seat that chooses at each table.
        legal_sets: the set of its legal actions.
        tables: for each action of each set, the table, to be written.
        actions: likewise the action.
        observations: likewise the observation after the action, a row of words.
        layout: the layout of observations.
    """
    row = 0
    for i in range(len(states)):
        seat, left = int(seats[i]), int(legal_sets[i])
        if left:
            see(states[i], seat, work[0])
        while left:
            tables[row], actions[row] = i, first(left)
            left &= left - 1
            copy(work[1], work[0])
            play(work[1], seat, int(actions[row]))
            encode(layout, work[1], seat, observations[row])
            row += 1


@entry
def sample(legal_sets: Any, chance: Any, actions: Any) -> None:
    """Choose a random legal action for each table, and 0 where there is none."""
    for i in range(len(legal_sets)):
        choices = int(legal_sets[i])
        actions[i] = pick(choices, count(choices), chance) if choices else 0


class Vector:
    """Many tables of one game, played at once.

    Every array is allocated once and written in place by each step: copy what you keep. Arrays of NumPy speak DLPack, so other
    libraries read them without a copy.

    Attributes:
        n: how many tables there are.
        layout: the layout of observations: names, places, meanings.
        observations: u8[n, layout.size]: what the seat that chooses may know, as it sees the table.
        masks: bool[n, 64]: by the number of an action, whether it is legal. Actions are numbered as everywhere in Mekuri.
        seats: i8[n]: the seat that chooses; -1 where the round is over, which happens without `auto_reset` only.
        rewards: f32[n, seats]: the returns of the round that this step has ended; 0 before the end.
        done: bool[n]: whether this step has ended the round.
        legal: i64[n]: the masks as sets, bit a for action a.
        events: u8[n, seats, 128, 2]: with `recall`, for each learner the events of the round as its seat has seen them, in the form
            of `recall.note`: who acted, and which action. In memory the seats of a place lie side by side. Else u8[n, seats, 0, 2].
        happened: i64[n, seats]: with `recall`, the number of these events.
    """

    def __init__(
        self,
        contract: Contract,
        options: Options,
        seats: int,
        n: int,
        *,
        learners: Sequence[int],
        bot: Bot,
        recall: bool = False,
        skip_forced: bool = True,
        auto_reset: bool = True,
        seed: Seed = 0,
        dealer: int | None = None,
        threads: int = 1,
        plain: bool = False,
    ) -> None:
        """Deal the first round at every table.

        Args:
            contract: the game.
            options: its options.
            seats: how many play.
            n: how many tables there are.
            learners: the seats that choose by `step`.
            bot: the bot in all other seats; its choice must be rules text.
            recall: whether events are noted, so that a learner need not remember.
            skip_forced: whether the environment takes a learner's only legal action.
            auto_reset: whether a table whose round is over begins the next round in the same step.
            seed: equal seeds give equal rounds. Table i's k-th round is that of `Game.deal(seed, dealer, number=i + k * n)`.
            dealer: the seat that deals every round; None to draw it for each round, by the seed and the round's number alone.
            threads: how many threads play; plain rules use one.
            plain: whether the rules run uncompiled; without Numba they always do.
        """
        if n < 1 or threads < 1:
            raise OptionError(f"there is at least one table and one thread, not {n} and {threads}")
        if not learners or not {*learners, dealer or 0} <= {*range(seats)}:
            raise OptionError(f"learners={learners}, dealer={dealer}: seats are numbers from 0 to {seats - 1}")
        _check_rules_text(bot)
        self.n, self.layout, self._kind = n, layout(contract, options, seats, recall=recall), contract.state
        self._run = run = PLAIN if plain or not available() else MACHINE_CODE
        threads = 1 if run is PLAIN else min(threads, n)
        dealers = range(seats) if dealer is None else [dealer]
        self._states, starts = run.states(contract, n), run.states(contract, len(dealers))
        for place, one in enumerate(dealers):
            run.write(starts, place, new_state(contract, options, seats, one))
        self._chance, self._luck = run.rows(n, 4), run.rows(n, 4)
        self._numbers = run.words(range(n))
        self._observed = np.zeros((n, self.layout.words), np.int64)
        self._masked = np.zeros((n, MASK_WORDS), np.int64)
        self.observations = self._observed.view(np.uint8)
        self.masks = self._masked.view(np.bool_)
        self.seats, self.done = np.full(n, -1, np.int8), np.zeros(n, np.bool_)
        self.legal, self._actions = np.zeros(n, np.int64), np.full(n, BEGIN, np.int64)
        self.rewards = np.zeros((n, seats), np.float32)
        self._settings = run.words((n, sum(1 << seat for seat in {*learners}), skip_forced, auto_reset, False))
        self._keys = [run.words(words) for words in self._seeded(seed)]
        self._events = np.zeros((n, EVENTS if recall else 0, seats), "<u2")
        self.events = self._events.view(np.uint8).reshape(n, -1, seats, 2).swapaxes(1, 2)
        self.happened = np.zeros((n, seats), np.int64)
        self._kept = {"states": self._states, "chance": self._chance, "luck": self._luck, "numbers": self._numbers}
        self._kept |= {"events": self._events, "happened": self.happened}
        written = (self._actions, self.seats, self.legal, self._observed, self._masked, self.rewards, self.done)
        places = [slice(k * n // threads, (k + 1) * n // threads) for k in range(threads)]
        parts: list[Any] = [
            run.bound(
                advance,
                self._of(self._states, place),
                starts,
                run.states(contract, THINKING + bot.states),
                *(self._of(rows, place) for rows in (self._chance, self._luck)),
                *self._keys,
                self._of(self._numbers, place),
                *(rows[place] for rows in written),
                run.states(contract, 1),
                *(rows[place] for rows in (self._events, self.happened)),
                self._settings,
                run.layout(self.layout),
                run.bot(bot),
            )
            for place in places
        ]
        self._given, self._contract, self._asked = False, contract, dict[Bot, tuple[Any, Any]]()
        self._play, self._check = parts[0], None
        if threads > 1:
            from mekuri.engine.numba_crew import Crew

            self._play, self._check = Crew(parts), run.bound(first_illegal, self.seats, self.legal, self._actions)
        self._sample = run.bound(sample, self.legal, run.words(stream(seed, "sample")), self._actions)
        self._advance()

    def step(self, actions: Any) -> tuple[Rows, Rows, Rows, Rows, Rows]:
        """Do an action at each table, and play on to the next choice of a learner.

        A round in which no learner has a choice passes unreported.

        Args:
            actions: n numbers of actions. If a table's round is over, its number does not matter.

        Returns:
            `observations`, `masks`, `seats`, `rewards` and `done`.

        Raises:
            IllegalAction: an action is illegal. No table has been changed.
        """
        if actions is not self._actions:
            given = np.asarray(actions)
            if given.shape != (self.n,) or given.dtype.kind not in "iu":
                form = f"the type {given.dtype} and the shape {given.shape}"
                raise IllegalAction(f"a step takes {self.n} numbers of actions, integers in a row; these have {form}", "")
            self._actions[:] = given
        if self._check and (wrong := self._check()) >= 0:  # before any thread plays
            raise self._illegal(wrong)
        self._advance(given=not self._check)
        return self.observations, self.masks, self.seats, self.rewards, self.done

    def sample(self) -> Rows:
        """Choose a random legal action for each table. Returns an array that the next call or step overwrites."""
        self._sample()
        return self._actions

    def ask(self, bot: Bot, tables: Any = True) -> Rows:
        """Choose the actions that a bot would take in the seats that choose.

        Args:
            bot: the bot; its choice must be rules text. Its chance follows from the seed and from the number of the round.
            tables: bool[n]: the tables at which it is asked; all if left out. At the others the array keeps its actions.

        Returns:
            An array that the next call or step overwrites.
        """
        _check_rules_text(bot)
        if bot not in self._asked:
            self._asked[bot] = self._run.bot(bot), self._run.states(self._contract, THINKING + bot.states)
        asked, work = self._asked[bot]
        wanted = np.ascontiguousarray(np.broadcast_to(np.asarray(tables, np.bool_), (self.n,)))
        arguments = self._states, work, self._luck, self.seats, self.legal, wanted, self._actions, asked
        self._run.prepare(consult, *arguments)
        self._run.call(consult, *arguments)
        return self._actions

    def afterstates(self) -> tuple[Rows, Rows, Rows]:
        """Try each legal action at each table, and observe what the seat knows right after it, before anything else happens.

        The action is tried on the seat's hidden state, so an afterstate holds no more than the seat may know.

        Returns:
            New arrays with a row for each legal action of each table, in order: the table, the action, and the observation.
        """
        rows = int(self.masks.sum())
        tables, actions = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
        observed = np.zeros((rows, self.layout.words), np.int64)
        work = self._run.states(self._contract, 2)
        arguments = self._states, work, self.seats, self.legal, tables, actions, observed, self._run.layout(self.layout)
        self._run.prepare(try_each, *arguments)
        self._run.call(try_each, *arguments)
        return tables, actions, observed.view(np.uint8)

    def reset(self, seed: Seed | None = None, number: int | None = None) -> tuple[Rows, Rows, Rows]:
        """Begin a round at every table: the next one, or with a seed the first round of that seed.

        Args:
            seed: the seed of the deals, the dealers and the bots' chance; that of before if left out.
            number: the number of the first table's round; table i begins with the round of number + i. The next one, or 0 with a
                seed, if left out.

        Returns:
            `observations`, `masks` and `seats`.
        """
        if seed is not None:
            for key, words in zip(self._keys, self._seeded(seed)):
                key[:] = words
        first = number if number is not None else None if seed is None else 0
        for i in range(self.n):
            self._numbers[i] = self._numbers[i] + self.n if first is None else first + i
        self._actions[:] = BEGIN
        self._advance()
        return self.observations, self.masks, self.seats

    @property
    def numbers(self) -> Rows:
        """The number of each table's round, that of `Game.deal`: i64[n]."""
        return np.array(self._numbers)

    @property
    def dealers(self) -> Rows:
        """The seat that deals each table's round: i8[n]."""
        compiled = self._run is MACHINE_CODE
        return np.array(self._states["dealer"] if compiled else [s.dealer for s in self._states], np.int8)

    def state(self, rows: Any = None) -> dict[str, Any]:
        """Return copies of tables, all if `rows` is None, with all that is hidden, but without the seed of later rounds."""
        places = self._places(rows)
        if self._run is MACHINE_CODE:
            return {name: values[places] for name, values in self._kept.items()}
        return {name: [_copied(values[place]) for place in places] for name, values in self._kept.items()}

    def restore(self, state: dict[str, Any], rows: Any = None) -> tuple[Rows, Rows, Rows]:
        """Set tables to what they were when `state` was called, here or in another environment.

        Args:
            state: what `state` returned, in an environment of the same game with equal `recall` and `plain`.
            rows: the numbers of the tables that are set, one for each in `state`; all if left out.

        Returns:
            `observations`, `masks` and `seats`.

        Raises:
            OptionError: there is no such table, or `state` cannot be put there.
        """
        places = self._places(rows)
        if not isinstance(state, dict) or state.keys() != self._kept.keys():
            raise OptionError("restore takes what `state` has returned")
        if len(places) != len(state["states"]):
            raise OptionError(f"{len(state['states'])} tables cannot be put in the places of {len(places)}")
        for what, form in _form(self._kept).items() if places else ():
            if _form(state)[what] != form:
                raise OptionError(f"these tables are of an environment with another {what}")
        for name, values in self._kept.items():
            for k, place in enumerate(places):
                values[place] = _copied(state[name][k])
        self._actions[:] = STAY
        self._actions[places] = LOOK
        self._advance()
        return self.observations, self.masks, self.seats

    def __repr__(self) -> str:
        """Return the game and the number of tables, for readers."""
        return f"<{self.n} tables of {self._contract.id} for {self.rewards.shape[1]}, observations of {self.layout.size} bytes>"

    def whole(self, table: int) -> RoundState:
        """Return a copy of the whole state of a table, with all that is hidden."""
        (state,) = self._run.read(self._states[table : table + 1], self._kind)
        return _copied(state)  # type: ignore[no-any-return]

    def fork(self, rows: Any) -> tuple[Rows, Rows, Rows]:
        """Make each table a copy of another: table i becomes table `rows[i]`. Returns as `restore`."""
        return self.restore(self.state(rows))

    def _places(self, rows: Any) -> list[int]:
        """The numbers of tables; all if `rows` is None."""
        places = [*range(self.n)] if rows is None else [int(row) for row in rows]
        if not {*places} <= {*range(self.n)}:
            raise OptionError(f"rows are tables from 0 to {self.n - 1}, not {places}")
        return places

    @staticmethod
    def _seeded(seed: Seed) -> tuple[list[int], list[int]]:
        """The keys of deals and of the bot's choices."""
        return stream(seed), stream(seed, "opponents")

    def _of(self, rows: Any, place: slice) -> Any:
        """A thread's part of rows that the executor has made. A slice of a list would be a copy."""
        return rows[place] if self._run is MACHINE_CODE else rows

    def _advance(self, given: bool = False) -> None:
        if given is not self._given:
            self._given = self._settings[GIVEN] = given
        if (wrong := self._play()) >= 0:
            raise self._illegal(wrong)

    def _illegal(self, table: int) -> IllegalAction:
        return IllegalAction(f"action {self._actions[table]} of table {table} is illegal", "")


def _check_rules_text(bot: Bot) -> None:
    """Raise OptionError if a loop of machine code cannot run a bot."""
    if not isinstance(bot, Bot):
        raise OptionError(f"{bot!r} is no bot: mekuri.bots.find returns a bot by its name")
    if bot.rule is None:
        raise OptionError(f"the bot {bot.id} cannot play in an environment: bots of rules text can, such as random and greedy")


def _form(tables: dict[str, Any]) -> dict[str, Any]:
    """What two environments have in common if one can be set to the tables of the other."""
    state, (places, seats) = tables["states"][0], tables["events"][0].shape
    kind = getattr(state, "dtype", type(state))
    return {"`plain`": isinstance(kind, type), "game": kind, "number of seats": seats, "`recall`": places}


def _copied(value: Any) -> Any:
    """A copy of a state, a row of words or a number."""
    if isinstance(value, RoundState):
        return copied(value)
    return value[:] if isinstance(value, list) else value.copy() if isinstance(value, np.ndarray) else value
