"""Run all checks on one game, for `mekuri check` and for a game's own tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

from mekuri import bots, games
from mekuri.engine.contract import Contract
from mekuri.engine.lesson import lesson
from mekuri.engine.puzzles import puzzles as mined
from mekuri.match.game import Game
from mekuri.testing import (
    books,
    clauses,
    commitments,
    invariants,
    leaks,
    ledgers,
    lessons,
    lint,
    parity,
    past,
    perft,
    positions,
    puzzles,
    ranges,
    records,
    redeals,
    seats,
)
from mekuri.testing.failure import CheckFailure, LeftOut, what_was_raised
from mekuri.testing.settings import FEW_SEATS, one_change, presets, random_games
from mekuri.testing.states import need_machine_code


@dataclass(frozen=True)
class Outcome:
    """The outcome of a check.

    Attributes:
        name: the name of the check.
        says: what the check guarantees of a game that passes it.
        failure: the failure; None where the game has passed, or the check was left out.
        left_out: the reason why the check was left out; "" where it was not.
        seconds: how long the check took.
    """

    name: str
    says: str
    failure: CheckFailure | None
    left_out: str
    seconds: float


@dataclass(frozen=True)
class Scope:
    """The game that is checked, and how thoroughly.

    Attributes:
        contract: the game's contract.
        slow: whether every preset and option and more rounds are tried.
        seed: the seed of rounds, positions and random options.
    """

    contract: Contract
    slow: bool = False
    seed: int = 0

    @property
    def game(self) -> Game:
        """The game at its defaults."""
        return Game(self.contract, self.contract.options(), self.contract.seats[0])

    def many(self, quick: int, slow: int) -> int:
        """Return one of two numbers: `slow` in a slow check, else `quick`."""
        return slow if self.slow else quick

    def settings(self, quick: int, slow: int, most_seats: int = FEW_SEATS) -> list[Game]:
        """Return settings of the game: its defaults (in a slow check all presets that differ), then some at random.

        Args:
            quick: how many random settings in a quick check.
            slow: how many in a slow check.
            most_seats: the most seats of a random setting.
        """
        at_random = random_games(self.contract.id, self.many(quick, slow) + 1, most_seats, self.seed)[1:]
        return [*(presets(self.contract.id) if self.slow else [self.game]), *at_random]


Check = Callable[[Scope], None]


def _lint(scope: Scope) -> None:
    found = lint.faults(scope.contract)
    if found:
        raise CheckFailure("\n".join(map(str, found)), "", f"mekuri.testing.lint.faults(mekuri.games.find({scope.contract.id!r}))")


def _compiles(scope: Scope) -> None:
    need_machine_code()
    if lint.faults(scope.contract):
        raise LeftOut("rules that cannot be compiled come first")
    parity.compiles(scope.game)


def _parity(scope: Scope) -> None:
    _need_compiled(scope)
    for number, game in enumerate(scope.settings(8, 40)):
        for bot in bots.OF_RULES if number == 0 else bots.OF_RULES[:1]:
            parity.simulations(game, scope.many(30, 100), scope.seed + number, bot)
            parity.states(game, scope.many(2, 12), bot)
    parity.whole_states(scope.game)
    for game in random_games(scope.contract.id, scope.many(2, 6), FEW_SEATS, scope.seed):
        parity.redeals(game, scope.seed + 5)


def _need_compiled(scope: Scope) -> None:
    """Raise LeftOut where the game's rules cannot be compiled, so that this is reported by one check only."""
    try:
        _compiles(scope)
    except CheckFailure:
        raise LeftOut("the rules are not compiled") from None


def _ranges(scope: Scope) -> None:
    for number, game in enumerate(scope.settings(8, 60)):
        ranges.rounds(game, scope.many(5, 20), scope.seed + number)
        ranges.redealt_worlds_played(game, scope.seed + number, 3 * number)
    for bot in bots.OF_RULES[1:]:
        ranges.rounds(scope.game, scope.many(2, 10), scope.seed, bot)
    ranges.redealt_worlds(scope.game, scope.seed)


def _seats(scope: Scope) -> None:
    for number, game in enumerate(scope.settings(6, 60)):
        for seed in range(scope.seed, scope.seed + scope.many(6, 12)):
            seats.round_the_table(game, number + seed)
            seats.carried_on(game, number + seed)


def _invariants(scope: Scope) -> None:
    _need_compiled(scope)
    for number, game in enumerate(scope.settings(12, 100)):
        invariants.rounds(game, scope.many(2_000, 10_000) if number == 0 else 1000, scope.seed + number)
        invariants.rounds(game, scope.many(200, 1_000), scope.seed + number, sorts=True)
    for bot in bots.OF_RULES[1:]:
        invariants.rounds(scope.game, scope.many(200, 2_000), scope.seed, bot)


def _perft(scope: Scope) -> None:
    _need_compiled(scope)
    for number, game in enumerate(random_games(scope.contract.id, scope.many(6, 20), FEW_SEATS, scope.seed)):
        perft.counts(game, 1, scope.seed + number)
    for game in [*presets(scope.contract.id), *one_change(scope.contract.id)] if scope.slow else ():
        perft.counts(game, 10)


def _positions(scope: Scope) -> None:
    for game in scope.settings(1, 4):
        for seed in range(scope.seed, scope.seed + scope.many(1, 3)):
            positions.every_state(game, seed)
        positions.played_on(game, scope.seed + 1)
        positions.events(game, scope.seed + 2)
        positions.spelling(game, scope.seed + 3)
        positions.hidden_states(game, scope.seed + 5)


def _nonsense(scope: Scope) -> None:
    if not scope.contract.has("complete"):
        raise LeftOut("the game has no `complete`, which says what a position needs")
    game = scope.game
    texts = positions.true_positions(game.id)
    for text in positions.BAD:
        positions.bad_text(game, text)
    positions.a_dealer_who_is_not_there(game)
    positions.no_stock(game)
    positions.nothing_at_all(game)
    positions.a_card_twice(game)
    positions.a_card_that_is_not_in_play(game)
    positions.a_card_that_waits(game, texts)
    positions.foreign_values(game)
    positions.phases(game)
    positions.the_driver_goes_on(game, texts)


def _records(scope: Scope) -> None:
    for game in scope.settings(1, 4):
        records.finished(game, scope.seed + 1)
        records.unfinished(game, scope.seed + 2)
        records.fair_deals(game, scope.seed + 6)
    records.between_rounds(scope.game, scope.seed + 3)
    records.not_begun(scope.game, scope.seed + 4)
    records.players(scope.game, scope.seed + 5)


def _ledgers(scope: Scope) -> None:
    for number, game in enumerate(scope.settings(2, 20)):
        ledgers.sums(game, scope.seed + number)


def _leaks(scope: Scope) -> None:
    for game in scope.settings(1, 4):
        leaks.hidden_fields(game, scope.seed + 5)
        leaks.hidden_packs(game, scope.seed + 6)
        leaks.hidden_choices(game, scope.seed + 7)
        leaks.known_cards(game, scope.seed + 2)
        leaks.two_worlds(game, scope.seed + 1)
        for seed in range(scope.seed, scope.seed + scope.many(1, 2)):
            leaks.twins(game, seed)
    leaks.something_is_hidden(scope.game, scope.seed + 1)
    leaks.private_fields(scope.contract.id, scope.seed + 8)


def _redeals(scope: Scope) -> None:
    for game in scope.settings(1, 4):
        redeals.whole(game, scope.seed + 1)
        redeals.consistent(game, scope.seed + 2)
        redeals.playable(game, scope.seed + 3, scope.many(9, 3))
        redeals.repeatable(game, scope.seed + 4)


def _uniform(scope: Scope) -> None:
    redeals.uniform(scope.contract, scope.many(4, 12))


def _commitments(scope: Scope) -> None:
    at_once = [game for game in scope.settings(2, 4) if commitments.together(game)]
    if not at_once:
        raise LeftOut("no two seats decide at once unseen")
    for game in at_once:
        commitments.order(game)
        commitments.what_follows(game)
        commitments.unseen(game)
        commitments.untold(game)
        commitments.once(game)
        commitments.redealt_commitments(game)


def _past(scope: Scope) -> None:
    for game in scope.settings(0, 4):
        past.of_a_round(game, scope.seed)
        past.of_a_match(game, scope.seed + 1)
        past.by_looking(game, scope.seed + 2)
        past.by_refusals(game, scope.seed + 3)
        past.by_bots(game, scope.seed + 4)
        past.by_those_who_hold_them(game, scope.seed + 5)
        past.copies(game, scope.seed + 8)
        past.events_as_seen(game, scope.seed)
        past.events_the_same_later(game, scope.seed + 6)
        past.one_for_everything(game, scope.seed + 7)


def _books(scope: Scope) -> None:
    if not (scope.contract.folder / "rulebook.toml").exists():
        raise LeftOut("the game has no rulebook.toml: its texts are made for it")
    books.clauses_shown(scope.contract)
    books.clauses_founded(scope.contract)
    clauses.named(scope.contract)
    books.texts_in_every_language(scope.contract)
    books.texts_for_everything(scope.contract)
    books.names_of_cards(scope.contract)


def _examples(scope: Scope) -> None:
    names = [name for name, _ in books.examples(scope.contract)]
    if not names:
        raise LeftOut("the rule book has none")
    for name in names:
        books.example(scope.contract, name)
    clauses.run(scope.contract)


def _lessons(scope: Scope) -> None:
    if lesson(scope.contract) is None:
        raise LeftOut("the game has none")
    lessons.played(scope.contract)
    lessons.seen_by_one(scope.contract)


def _puzzles(scope: Scope) -> None:
    if mined(scope.contract) is None:
        raise LeftOut("the game has none")
    puzzles.played(scope.contract)
    puzzles.shown(scope.contract)
    puzzles.seen_by_one(scope.contract)


CHECKS: dict[str, tuple[str, Check]] = {
    "lint": ("rules use nothing of which no machine code can be made", _lint),
    "compile": ("machine code is made of the rules", _compiles),
    "parity": ("plain and compiled rules do the same, to every field of every state", _parity),
    "ranges": ("no value leaves its field's range", _ranges),
    "seats": ("rules know seats by what the fields of the state declare alone", _seats),
    "invariants": ("no card is lost, rounds end, returns and turns keep to what the contract says", _invariants),
    "perft": ("positions have as many ways to go on, plain and compiled", _perft),
    "positions": ("every state is written down as a position, set up again, and played on alike", _positions),
    "nonsense": ("positions that make no sense are refused, or can be played", _nonsense),
    "records": ("matches are recorded and replayed", _records),
    "ledgers": ("seats and accounts of no seat sum to the same, however a match ends", _ledgers),
    "two worlds": ("nobody can tell apart what differs only in what he cannot see", _leaks),
    "redeal": ("what is redealt is whole, can be played, and looks like the true world", _redeals),
    "uniform": ("each world is redealt as often as any other", _uniform),
    "commitments": ("what seats do at once commutes, and nobody sees it before all have", _commitments),
    "past": ("nothing past changes, and later events equal the seen ones", _past),
    "rule book": ("clauses have examples and sources, and texts are whole", _books),
    "examples": ("worked examples lead where they say, and run the code under the id of their clause", _examples),
    "lesson": ("a lesson can be played, every answer has its word, and it shows what one seat may know", _lessons),
    "puzzles": ("puzzles can be played, greed finds none of them, and they show what one seat may know", _puzzles),
}


def run(name: str, *, slow: bool = False, seed: int = 0) -> Iterator[Outcome]:
    """Run every check on an installed game, and yield the outcome of each.

    Args:
        name: the game's name.
        slow: whether every preset and option and more rounds are tried.
        seed: the seed of rounds, positions and random options.

    Raises:
        UnknownGame: there is no game of that name.
        UnfinishedGame: the game is installed and cannot be loaded.
    """
    scope = Scope(games.find(name), slow, seed)
    for title, (says, check) in CHECKS.items():
        begun, failure, left_out = perf_counter(), None, ""
        try:
            check(scope)
        except LeftOut as why:
            left_out = str(why)
        except CheckFailure as found:
            failure = found
        except Exception as error:
            failure = CheckFailure(
                what_was_raised(error, scope.contract), "", f"mekuri check {name} --seed {seed}{' --slow' if slow else ''}"
            )
        yield Outcome(title, says, failure, left_out, perf_counter() - begun)


def check_game(name: str, *, slow: bool = False, seed: int = 0) -> None:
    """Run every check on an installed game, for use in a test.

    Args:
        name: the game's name.
        slow: whether every preset and option and more rounds are tried.
        seed: the seed of rounds, positions and random options.

    Raises:
        CheckFailure: a check has failed.
        UnknownGame: there is no game of that name.
        UnfinishedGame: the game is installed and cannot be loaded.
    """
    for outcome in run(name, slow=slow, seed=seed):
        if outcome.failure:
            raise outcome.failure
