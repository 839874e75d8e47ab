"""The functions `vector`, which makes a vector environment of a game by name, and `evaluate`, which measures a policy in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mekuri.bots import find
from mekuri.cards.given import Whole
from mekuri.engine.bot import Bot
from mekuri.engine.chance import Seed
from mekuri.engine.env import Rows, Vector
from mekuri.engine.errors import OptionError
from mekuri.engine.sides import speakers
from mekuri.lab.arena import Score, gain
from mekuri.match.game import Game
from mekuri.match.game import game as game_of


def vector(
    game: str | Game,
    n: Whole,
    *,
    learners: Iterable[Whole] = (0,),
    opponents: str | Bot = "random",
    recall: bool = False,
    skip_forced: bool = True,
    auto_reset: bool = True,
    seed: Seed = 0,
    dealer: Whole | None = None,
    threads: Whole = 1,
    plain: bool = False,
) -> Vector:
    """Return n tables of a game that are played at once by arrays; see `docs/environments.md`.

    Args:
        game: a game, or the name of one with its usual options.
        n: how many tables there are.
        learners: the seats that choose by `Vector.step`; all seats for self-play.
        opponents: the bot in all other seats, or its name; its choice must be rules text, as of `random` and `greedy`.
        recall: whether `Vector.events` lists what has happened in the round, as the seat that chooses has seen it.
        skip_forced: whether the environment takes a learner's only legal action.
        auto_reset: whether a table whose round is over begins the next round in the same step.
        seed: equal seeds give equal rounds. Table i's k-th round is that of `Game.deal(seed, dealer, number=i + k * n)`.
        dealer: the seat that deals every round, as in `Vector.dealers`; None to draw it for each round, by the seed and the round's
            number alone.
        threads: how many threads play. The rounds are the same with any number.
        plain: whether the rules run uncompiled; without Numba they always do.

    Raises:
        UnknownGame: there is no such game.
        UnknownBot: there is no such bot.
        OptionError: there is no such seat, `learners` is not a list of seats, or the bot is not rules text.
        CannotCompile: Numba refuses a rule of the game.
    """
    chosen = game if isinstance(game, Game) else game_of(game)
    if not isinstance(learners, Iterable):
        raise OptionError(f"learners={learners}: give a list of seats, such as [{learners}]")
    return Vector(
        chosen.contract,
        chosen.options,
        chosen.seats,
        int(n),
        learners=[int(seat) for seat in learners],
        bot=opponents if isinstance(opponents, Bot) else find(opponents, chosen.contract),
        recall=recall,
        skip_forced=skip_forced,
        auto_reset=auto_reset,
        seed=seed,
        dealer=None if dealer is None else int(dealer),
        threads=int(threads),
        plain=plain,
    )


def compile_environments(game: str | Game) -> None:
    """Compile the environments of a game with `random` and `greedy` in the other seats, with and without `recall`, ahead of time.

    Machine code is made for the game's number of seats.

    Args:
        game: a game, or the name of one with its usual options.

    Raises:
        UnknownGame: there is no such game.
        CannotCompile: Numba refuses a rule of the game.
    """
    greedy = find("greedy")
    for opponents in ("random", greedy):
        for recall in (False, True):
            env = vector(game, 2, opponents=opponents, recall=recall, threads=2)
            env.step(env.ask(greedy))
            env.afterstates()


def evaluate(
    policy: Callable[[Vector], Rows],
    game: str | Game,
    *,
    opponents: str | Bot = "greedy",
    pairs: Whole = 1000,
    seed: Seed = 0,
    plain: bool = False,
) -> Score:
    """Play deal pairs of a policy against a bot, as the arena does for two bots; see `mekuri.lab.arena`.

    Deal number i is `Game.deal(seed, number=i)`, so seat 0 deals. The policy plays it once for each side that it can have, all
    seats of that side.

    Args:
        policy: the function that chooses. It is given the tables and returns an action for each, as a number. Tables whose round is
            over take any number.
        game: a game, or the name of one with its usual options.
        opponents: the bot in all other seats, or its name; as for `vector`.
        pairs: how many deals are played.
        seed: equal seeds give equal deals.
        plain: whether the rules run uncompiled; without Numba they always do.

    Returns:
        The score. Its checksum is 0: only the arena computes one.

    Raises:
        IllegalAction: the policy has returned an illegal action.
        MekuriError: as for `vector`.
    """
    chosen = game if isinstance(game, Game) else game_of(game)
    owns, returns = speakers(chosen.sides), []
    for own in owns:
        seats = [seat for seat in range(chosen.seats) if chosen.sides[seat] == chosen.sides[own]]
        env = vector(chosen, pairs, learners=seats, opponents=opponents, auto_reset=False, seed=seed, dealer=0, plain=plain)
        while (env.seats >= 0).any():
            env.step(policy(env))
        returns.append(env.rewards.astype(float))
    score = Score("policy", opponents.id if isinstance(opponents, Bot) else opponents)
    for deal in zip(*returns, strict=True):
        score.add(float(gain(owns, deal)))
    return score
