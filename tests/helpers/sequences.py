"""Rounds of the sequence games, played and counted, and the worlds that may have led to a state."""

from typing import Any

import mekuri
from mekuri.cards import parse_cards
from mekuri.engine.chance import begin_round, pick, stream
from mekuri.engine.compiled import count, first, rule
from mekuri.engine.contract import DRIVER, legal, over, play, waiting
from mekuri.engine.driver import drive
from mekuri.engine.entry import entry
from mekuri.engine.fields import copy
from mekuri.engine.position import parse_position
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.games.dealing import hand_size
from mekuri.games.sequence import Ending, MustPlay, Phase, SequenceState, Word
from mekuri.games.sequence_play import one_pass
from mekuri.testing.chances import LEAST_LIKELY
from mekuri.testing.states import start
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import Viewer, World, all_worlds, as_world, beside, kept, likelihood, redealt, seen, values
from tests.helpers.machine_code import counted

DEALER_WINS, ALL_OUT, TURNS, MOST_TURNS, DRAWS, RESHUFFLED, VOIDS = range(7)
HAND_GREW, HANDS_NOT_SIX, CARDS_LOST, TOO_MANY_DRAWS, FORCED_DROUGHT = range(7, 12)  # counts that must be 0
NEVER = (HAND_GREW, HANDS_NOT_SIX, CARDS_LOST, TOO_MANY_DRAWS, FORCED_DROUGHT)
COUNTS = 12
RANDOM, STUBBORN, HOARDER = range(3)  # kinds of players, see play_and_count


@entry
def play_and_count(states: Any, key: Any, chance: Any, rounds: int, player: int, counts: Any) -> None:
    """Play rounds and add to `counts`.

    Random players choose at random. Stubborn ones stop as soon as they may. Hoarders stop too, and keep their ghosts as long as
    they can.

    Args:
        states: three state records: the start of a round, the round, and the state before an action.
        key: the four words that the chance of every round comes from.
        chance: four words, the chance of the current round.
        rounds: how many rounds are played.
        player: the kind of both players.
        counts: an array of `COUNTS` counts.
    """
    s, before = states[1], states[2]
    for number in range(rounds):
        begin_round(chance, key, number)
        copy(s, states[0])
        reshuffles = 0
        while not over(s):
            copy(before, s)
            seat = first(waiting(s))
            if seat == DRIVER:
                action = drive(s, chance)
                counts[DRAWS] += action == Word.TURN_UP
                counts[VOIDS] += action == Word.GATHER
                reshuffles += action == Word.RECYCLE
            else:
                choices = wanted(s, legal(s, seat), player)
                play(s, seat, pick(choices, count(choices), chance))
            for i in range(2):
                counts[HAND_GREW] += before.phase != Phase.DEAL and hand_size(s, i) > hand_size(before, i)
                counts[HANDS_NOT_SIX] += before.phase == Phase.DEAL and hand_size(s, i) != 6
            if s.phase != Phase.DEAL:
                counts[CARDS_LOST] += count(s.hand[0] | s.hand[1] | s.pile) + s.stock != count(s.deck)
                counts[TOO_MANY_DRAWS] += s.drawn > 2 * one_pass(s)
                counts[FORCED_DROUGHT] += s.must_play != MustPlay.FREE and s.drawn >= 2 * one_pass(s)
            counts[MOST_TURNS] = max(counts[MOST_TURNS], s.turns)
        counts[DEALER_WINS] += s.turn == s.dealer
        counts[ALL_OUT] += s.ending == Ending.ALL_OUT
        counts[TURNS] += s.turns
        counts[RESHUFFLED] += reshuffles > 0


@rule
def wanted(s: SequenceState, choices: int, player: int) -> int:
    """Return the choices from which a player draws at random."""
    stops = choices & (1 << Word.PASS | 1 << Word.DONE | 1 << Word.DRAW)
    ghosts = s.ghost_cards[0] | s.ghost_cards[1] | s.ghost_cards[2] | s.ghost_cards[3]
    if player != RANDOM and stops:
        return stops
    return choices & ~ghosts if player == HOARDER and choices & ~ghosts else choices


def count_rounds(game: mekuri.Game, rounds: int, player: int = RANDOM, seed: int = 0) -> list[int]:
    """Play rounds and return the counts. Fails where one of `NEVER` is not 0."""
    counts = counted(play_and_count, game, COUNTS, rounds, seed, player)
    assert not any(counts[fault] for fault in NEVER), (game, player, [counts[fault] for fault in NEVER])
    assert counts[MOST_TURNS] <= game.contract.longest
    return counts


# --- Worlds ---


def state(game: mekuri.Game, text: str) -> SequenceState:
    """Return a position. Cards that it does not name lie below the top of the pile, and the driver has not acted."""
    s = start(game)
    assert isinstance(s, SequenceState)
    parse_position(s, text)
    named = {word for word in text.replace(";", " ").split() if word[-1] in "HIOK"}
    s.pile |= s.deck & ~parse_cards(" ".join(named))
    return s


def worlds_led_to(begin: SequenceState, actions: list[tuple[int, int]], viewer: Viewer) -> tuple[SequenceState, set[World]]:
    """Return the state after some actions, and the worlds that a viewer who saw them can think possible.

    All worlds of the beginning are played, and dropped where an action is impossible or the viewer sees something else.
    """
    begun: list[Any] = []

    def keep(world: Any) -> bool:
        begun.append(kept(world))
        return True

    all_worlds(begin, viewer, {}, keep)
    end: Any = kept(begin)
    looks = _watch(end, actions, viewer)
    led_to = [world for world in begun if _watch(world, actions, viewer) == looks]
    return end, {as_world(world) for world in led_to}


def _watch(s: SequenceState, actions: list[tuple[int, int]], viewer: Viewer) -> list[Any]:
    """Return what a viewer sees before and after each of the actions, as far as they are possible. No cards are shuffled."""
    looks = [values(seen(s, viewer))]
    for seat, action in actions:
        if not legal(s, seat) >> action & 1 or s.gathered:
            return looks
        play(s, seat, action)
        looks.append(values(seen(s, viewer)))
    return looks


def check_worlds(game: mekuri.Game, position: str, actions: str, viewer: Viewer, seed: str) -> int:
    """Fail unless a redeal gives exactly the worlds that may have led here, equally often. Returns their number.

    Args:
        game: the game.
        position: the position at the beginning.
        actions: actions of seats as `seat:action`, with spaces between them. Those of the driver are done too.
        viewer: the seat that looks; None for a spectator.
        seed: the seed of the redeals.
    """
    begin = state(game, position)
    steps, now = [], kept(begin)
    for done in [*actions.split(), ""]:
        while waiting(now) == 1 << DRIVER:
            steps.append((DRIVER, first(legal(now, DRIVER))))
            play(now, *steps[-1])
        if done:
            seat, _, action = done.partition(":")
            steps.append((int(seat), game.position("phase over").parse_action(action)))
            assert legal(now, int(seat)) >> steps[-1][1] & 1, f"{done} is not possible"
            play(now, *steps[-1])
    end, worlds = worlds_led_to(begin, steps, viewer)
    assert values(end) == values(now)
    assert likelihood(end, viewer, seed, possible=lambda world: as_world(world) in worlds) > LEAST_LIKELY
    chance = stream(seed)
    assert all(as_world(redealt(seen(end, viewer), viewer, chance)) in worlds for _ in range(200))
    return len(worlds)


def check_looks(game: mekuri.Game, position: str, actions: str) -> None:
    """Fail unless redealt worlds look to every viewer as the true one does, before and after each of the actions."""
    now, chance = game.position(position, seed=1), stream(position)
    for done in [*actions.split(), ""]:
        for viewer in (0, 1, None):
            world = redealt(now.hidden(viewer), viewer, chance)
            assert differences(visible(now, viewer), visible(beside(now, world), viewer)) == {}
        if done:
            seat, _, action = done.partition(":")
            now.play(action, int(seat))


def event_ids(round: mekuri.Round) -> list[str]:
    """Return the ids of the texts of a round's events. Fails where a text cannot be rendered in every language."""
    texts = [event.text for event in round.events(0)]
    for text in [*texts, *(line.text for line in round.score_sheet().lines)]:
        assert all(rulebook(round.contract).render(text, lang) for lang in LANGUAGES)
    return [text.id.removeprefix("events.") for text in texts]
