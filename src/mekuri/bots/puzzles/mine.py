"""Mine puzzles from rounds that the characters of a game play."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from operator import index

from mekuri.bots.levels import levels
from mekuri.bots.ours import greedy
from mekuri.bots.player import Player
from mekuri.bots.puzzles.judge import (
    DEALS,
    EXACT_DEALS,
    NEARLY_ALL,
    WORLDS,
    Exact,
    Verdict,
    deals,
    exactly,
    greedy_choices,
    holds,
    is_clear,
    judge,
    reasons,
    sure,
)
from mekuri.bots.registry import characters, find
from mekuri.bots.review.account import BOT
from mekuri.bots.review.decisions import Decision, decisions
from mekuri.bots.review.version import JUDGE
from mekuri.bots.search.think import think
from mekuri.cards import NotationError, each, number, parse_card
from mekuri.cards.given import Whole
from mekuri.engine.bot import Budget
from mekuri.engine.called import choices_of
from mekuri.engine.chance import plain_seed, stream
from mekuri.engine.compiled import bit, has
from mekuri.engine.contract import DRIVER
from mekuri.engine.errors import MekuriError
from mekuri.engine.puzzles import Puzzle, Puzzles
from mekuri.match.game import Game
from mekuri.match.puzzle import puzzle_id, so_far
from mekuri.match.round import Round

MOST = 30  # puzzles of a game, at most
_ALIKE = 4  # at most a quarter of the puzzles have answers of the same kind, so that an answer cannot be guessed
TRIES = 10  # how often each character tries to find the answer
_PLAYED = Budget(100)  # for each action of the rounds that are mined
_FIRST_LOOK = Budget(300)  # for each decision of these rounds
_SECOND_LOOK = 300  # worlds for a decision that the first look finds promising
_FOUND = Budget(1000)  # for each try of a character: as at a table
_EASY, _HARD = 0.8, 0.6  # a puzzle is easy from this share of successful tries on, and hard below that one
_OBVIOUS = 3  # in one puzzle of so many the choice that is best at once is the answer; it is sought in one round of so many
_PLACES = 3  # decimal places of the numbers that are stored


class Mining:
    """A search for puzzles that goes on round by round, so that its progress can be shown.

    Attributes:
        done: how many rounds have been played.
        total: how many rounds will be played.
        looked: how many decisions have been examined.
        found: the puzzles found so far, in the order of the rounds: at most one of each round.
    """

    def __init__(self, game: Game, seed: str | Whole, rounds: Whole, worlds: Whole = WORLDS) -> None:
        """Prepare the search.

        Args:
            game: the game and its options.
            seed: from which rounds and all other chance come.
            rounds: how many rounds are played.
            worlds: in how many worlds the choices of a puzzle are tried at the end.

        Raises:
            MekuriError: the game has no levels, so that no characters can try to find the answers.
        """
        self._game, self._seed, self.total, self._worlds = game, str(plain_seed(seed)), index(rounds), index(worlds)
        self._people = [bot.id for bot in characters(game.contract)]
        self._levels = [level.who for level in levels(game.contract)]
        if not self._levels:
            raise MekuriError(f"{game.id} has no levels of bots: a long search finds no more in it than a short one")
        self.done = self.looked = 0
        self.found: list[Puzzle] = []

    def step(self) -> bool:
        """Play a round and look for a puzzle in it. Returns whether rounds are left."""
        dealer = self.done % self._game.seats
        players = tuple(self._people[(self.done + seat) % len(self._people)] for seat in range(self._game.seats))
        round = self._play(dealer, players)
        self.found += [puzzle for _, puzzle in sorted(self._look_through(round, dealer, players), key=lambda pair: -pair[0])][:1]
        self.done += 1
        return self.done < self.total

    def puzzles(self, most: Whole = MOST) -> Puzzles:
        """Choose from the puzzles found so far, and return them, easiest first.

        The clearest of each level are taken in turn, and at most a quarter of `most` with the same kind of answer. In one of
        three the choice that is best at once is the answer, among those of two choices as among the others.

        Args:
            most: how many are chosen at most.
        """
        most = index(most)
        contract, same, chosen = self._game.contract, max(1, most // _ALIKE), list[Puzzle]()
        tempting = [one for one in self.found if one.tempts != one.best]
        _choose(chosen, tempting, most - most // _OBVIOUS, same)
        for few in (True, False):
            number = sum(_of_two(one) == few for one in chosen)
            obvious = [one for one in self.found if one.tempts == one.best and _of_two(one) == few]
            _choose(chosen, obvious, number // (_OBVIOUS - 1), same)
        return Puzzles(
            ruleset=contract.version,
            preset=self._game.preset,
            bot=BOT,
            version=JUDGE,
            worlds=self._worlds,
            deals=DEALS,
            tries=TRIES,
            puzzles=tuple(sorted(chosen, key=_easiest)),
        )

    def _play(self, dealer: int, players: tuple[str, ...]) -> Round:
        round = self._game.deal(self._seed, dealer, self.done)
        seated = [
            Player(name, f"{self._seed} {self.done} {seat}", self._game.contract, _PLAYED) for seat, name in enumerate(players)
        ]
        while not round.over:
            seat = round.waiting_in_turn[0]
            seen = round.seen(seat)
            round.play(seated[seat].choose(seen.hidden, seat, seen.past), seat)
        return round

    def _look_through(self, round: Round, dealer: int, players: tuple[str, ...]) -> Iterator[tuple[float, Puzzle]]:
        """Yield the puzzles of a round, each after its clarity: the least certain cost of a choice, as a share of the spread."""
        open: dict[int, float] = {}
        for one in decisions(round):
            self.looked += 1
            tried = think(one.seen, self._chance(one, "first"), _FIRST_LOOK, greedy.bot)
            spread = tried[0].error * sqrt(max(1, tried[0].worlds - 1))
            at_stake = open.setdefault(one.seat, spread)
            nothing = at_stake == 0 or tried[0].mean - tried[1].mean <= 0
            at_once = greedy_choices(one.seen)
            obvious = at_once == bit(tried[0].action) and self.done % _OBVIOUS == 0
            if nothing or (has(at_once, tried[0].action) and not obvious):
                continue
            judged = self._judged(one, tried[0].action, at_stake)
            if judged:
                yield judged[0].least / at_stake, self._puzzle(round, one, dealer, players, *judged, at_stake)

    def _judged(self, one: Decision, action: int, open: float) -> tuple[Verdict, int, Exact] | None:
        """Test a promising decision with ever more effort. None as soon as a test fails: then it is no puzzle.

        Returns:
            The final verdict, in how many of `DEALS` worlds no choice is clearly better, and the verdict of the solver.
        """
        again = judge(one.seen, self._chance(one, "second"), _SECOND_LOOK, noted=False)
        if again.best != action or not is_clear(again, open):
            return None
        worlds = deals(one.seen, self._chance(one, "deals"))
        held = sure(worlds, one.seat, action, open, self._chance(one, "sure"))
        if held < NEARLY_ALL * DEALS:
            return None
        exact = exactly(worlds[:EXACT_DEALS], one.seat, action)
        if not exact.confirms:
            return None
        found = judge(one.seen, self._chance(one, "known"), self._worlds)
        if found.best != action or not is_clear(found, open):
            return None
        return (found, held, exact) if holds(one.seen, found, open, self._worlds, self._chance(one, "more")) else None

    def _puzzle(
        self,
        round: Round,
        one: Decision,
        dealer: int,
        players: tuple[str, ...],
        found: Verdict,
        held: int,
        exact: Exact,
        open: float,
    ) -> Puzzle:
        seen, named = one.seen, round.action_text
        done = sum(seat != DRIVER for seat, _ in round.history[: one.step])
        packs, actions = so_far(round, dealer, done)
        at_once = greedy_choices(seen)
        tempts = found.best if has(at_once, found.best) else min(each(at_once), key=lambda action: found.costs[action].mean)
        finds = {who: self._finds(who, one, found.best) for who in self._levels}
        hint, why = reasons(seen, found, tempts)
        return Puzzle(
            id=puzzle_id(packs, actions, one.seat),
            level=_level(sum(finds.values()) / (TRIES * len(finds))),
            players=players,
            dealer=dealer,
            packs=packs,
            actions=actions,
            seat=one.seat,
            best=named(found.best),
            tempts=named(tempts),
            brings=_short(found.brings.mean),
            open=_short(open),
            costs={named(action): _cost(found, action) for action in each(choices_of(seen.hidden, one.seat) & ~bit(found.best))},
            sure=held,
            solved=exact.solved,
            agree=exact.agree,
            finds=finds,
            hint=hint,
            why=why,
        )

    def _finds(self, who: str, one: Decision, best: int) -> int:
        """Return in how many of `TRIES` tries a character finds the answer."""
        bot = find(who, self._game.contract)
        return sum(bot.choose(one.seen, self._chance(one, who, number), _FOUND) == best for number in range(TRIES))

    def _chance(self, one: Decision, *kind: str | int) -> list[int]:
        """Return the four words of chance for one of the tests of a decision."""
        return stream(self._seed, "puzzles", self._game.id, self.done, one.seat, one.version, *kind)


def _choose(chosen: list[Puzzle], found: list[Puzzle], most: int, same: int) -> None:
    """Add the clearest puzzles of each level in turn, `most` at most, so that no more than `same` have one kind of answer."""
    levels, until = sorted({puzzle.level for puzzle in found}), len(chosen) + most
    by_level = {level: sorted((one for one in found if one.level == level), key=_clearest) for level in levels}
    while len(chosen) < until and any(by_level.values()):
        for row in by_level.values():
            one = next((one for one in row if sum(_kind(one) == _kind(other) for other in chosen) < same), None)
            chosen += [one] if one and len(chosen) < until else []
            row[:] = row[row.index(one) + 1 :] if one else []


def _of_two(puzzle: Puzzle) -> bool:
    """Whether there are only two choices."""
    return len(puzzle.costs) == 1


def _level(share: float) -> int:
    """Return the level of a puzzle, 1 (easy) to 3 (hard), from the share of all tries that find its answer."""
    return 1 if share >= _EASY else 3 if share < _HARD else 2


def _kind(puzzle: Puzzle) -> int | str:
    """Return the kind of a puzzle's answer: the card's number, or the word."""
    try:
        return number(parse_card(puzzle.best))
    except NotationError:
        return puzzle.best


def _clearest(puzzle: Puzzle) -> tuple[float, str]:
    return min(cost - half for cost, half in puzzle.costs.values()) / -puzzle.open, puzzle.id


def _easiest(puzzle: Puzzle) -> tuple[int, float, str]:
    return -sum(puzzle.finds.values()), *_clearest(puzzle)


def _cost(found: Verdict, action: int) -> tuple[float, float]:
    cost = found.costs[action]
    return _short(cost.mean), _short(cost.interval[1] - cost.mean)


def _short(value: float) -> float:
    return round(value, _PLACES)
