"""Checks that no hidden information leaks: rounds that differ only in what a viewer cannot see look the same to that viewer."""

from __future__ import annotations

from itertools import chain

from mekuri.cards import card_text
from mekuri.engine.chance import Seed, stream
from mekuri.engine.contract import DRIVER, hide, legal, outlook, over, waiting, yaku_of
from mekuri.engine.contract import prospect as hoped
from mekuri.engine.defaults import places_of
from mekuri.engine.driver import see
from mekuri.engine.fields import RoundState, fields
from mekuri.match.game import Game
from mekuri.match.round import Chronicle, Round
from mekuri.testing.failure import CheckFailure, check, difference, hold, same
from mekuri.testing.settings import FEW_SEATS, presets, random_games
from mekuri.testing.visible import differences, visible
from mekuri.testing.worlds import (
    Viewer,
    as_seat,
    beside,
    named,
    random_round,
    redealt,
    seen,
    some_viewers,
    steps,
    twin,
    values,
    viewers,
)


def alike(one: Round, other: Round, viewer: Viewer) -> None:
    """Raise CheckFailure where a viewer can see a difference between two rounds as they stand."""
    found = differences(visible(one, viewer), visible(other, viewer))
    if found:
        h, wanted = values(one.hidden(viewer)), values(other.hidden(viewer))
        text, other_text = next(iter(found.values()))
        apart = difference(h, wanted, one._state) if h != wanted else difference(text, other_text)
        raise CheckFailure(f"{named(viewer)} can tell worlds apart by {', '.join(found)}: {apart}", one.position)


def same_past(one: Round, other: Round, viewer: Viewer) -> None:
    """Raise CheckFailure where a viewer has seen other events in one of two rounds than in the other."""
    found, wanted = other.events(viewer), one.events(viewer)
    if repr(found) != repr(wanted):
        raise CheckFailure(f"{named(viewer)} gets other events in another world: {difference(found, wanted)}", one.position)


def worlds_apart(now: Round, viewer: Viewer) -> bool:
    """Return whether redealing for a viewer gives more than one world in five tries."""
    chance = stream(0)
    return len({repr(values(redealt(now.hidden(viewer), viewer, chance))) for _ in range(5)}) > 1


@check
def known_cards(game: Game, seed: Seed = 2) -> None:
    """Check that a viewer who gets the card of a move can know where it lies, by hidden state or redealing."""
    chance, chronicle = stream(seed, "known"), Chronicle(random_round(game, seed))
    while chronicle.behind:
        done, s = chronicle.see(), chronicle.whole()
        if not done.moves_card or s.gathered or not places_of(s, done.action, notes=False):
            continue
        card, there = card_text(done.action), places_of(s, done.action, notes=False)
        who = "the driver" if done.seat == DRIVER else named(done.seat)
        for viewer in viewers(game):
            h = seen(s, viewer)
            if not done.is_seen_by(viewer) or viewer == done.seat or places_of(h, done.action, notes=False) == there:
                continue
            for _ in range(5):
                hold(
                    places_of(redealt(h, viewer, chance), done.action, notes=False) == there,
                    f"{named(viewer)} sees that {who} moves {card} to {min(there)[0]}, where its hidden state conceals it: "
                    f"leave {named(viewer)} out of seen_by, or show {card} in hide",
                    s,
                )


@check
def two_worlds(game: Game, seed: Seed = 1) -> None:
    """Check that the true world and a redealt one look the same to a viewer at every step of a round, and at its end."""
    chance = stream("worlds")
    for number, now in enumerate(steps(random_round(game, seed))):
        for viewer in some_viewers(game, number):
            alike(now, beside(now, redealt(now.hidden(viewer), viewer, chance)), viewer)


@check
def twins(game: Game, seed: int = 0) -> None:
    """Check that a round that leads to a redealt world has shown a viewer the same events from the deal on."""
    chance, secret = stream(seed, "twins"), False
    for number, now in enumerate(steps(random_round(game, seed))):
        hidden, secret = secret, now.secret
        # Steps just after hidden actions are tried more often: these actions may not have been shown yet.
        if number % 8 == seed % 8 or (hidden and number % 3 == seed % 3):
            for viewer in some_viewers(game, number):
                other = twin(now, viewer, chance)
                same_past(now, other, viewer)
                what = f"{named(viewer)} sees otherwise in another world"
                same(values(other.hidden(viewer)), values(now.hidden(viewer)), what, now._state)


@check
def twins_throughout(game: Game, seed: int = 0) -> None:
    """Check what `two_worlds` and `twins` do, for every viewer at every step (all events at every tenth)."""
    chance = stream(seed, "worlds")
    for number, now in enumerate(steps(random_round(game, seed))):
        for viewer in viewers(game):
            other = twin(now, viewer, chance)
            alike(now, other, viewer)
            if number % 10 == seed % 10:
                same_past(now, other, viewer)


@check
def something_is_hidden(game: Game, seed: Seed = 1) -> None:
    """Check that redealing gives every viewer more than one world at some step; otherwise the other checks would be empty."""
    for viewer in viewers(game):
        apart = any(worlds_apart(now, viewer) for now in steps(random_round(game, seed)))
        hold(apart, f"redealing gives {named(viewer)} one world at every step: either nothing is hidden, or redeal does nothing")


@check
def hidden_fields(game: Game, seed: Seed = 5) -> None:
    """Check that a hidden state holds the public fields and what `hide` copies, and nothing that the state held before."""
    for now in steps(random_round(game, seed)):
        for viewer in viewers(game):
            s, alone, reused = now._state, game.contract.state(), _filled(now._state)
            hide(s, as_seat(viewer), alone)
            see(s, as_seat(viewer), reused)
            for field in fields(type(s)):
                wanted = getattr(s if field.public else alone, field.name)
                what = f"hide of {named(viewer)} leaves in {field.name} what stood there before"
                same(getattr(reused, field.name), wanted, what, s)


def _filled(s: RoundState) -> RoundState:
    """Return a state that is empty in no field."""
    full = type(s)()
    for field in fields(type(s)):
        setattr(full, field.name, [1] * field.length if field.length else 1)
    return full


@check
def private_fields(name: str, seed: int = 8) -> None:
    """Check that each field that is not declared public is hidden from spectators at some step, with some options."""
    held, hidden = set(), set()
    for now in chain.from_iterable(
        steps(random_round(game, seed)) for game in (*presets(name), *random_games(name, 4, FEW_SEATS, seed))
    ):
        h, empty = now.hidden(None), now.contract.state()
        for field in fields(type(h)):
            value = getattr(now._state, field.name)
            if not field.public and value != getattr(empty, field.name):
                held.add(field.name)
                if getattr(h, field.name) != value:
                    hidden.add(field.name)
    shown = ", ".join(sorted(held - hidden))
    hold(not shown, f"spectators see all of {shown} at every step: hide it, or declare it public=True")


@check
def hidden_packs(game: Game, seed: Seed = 6) -> None:
    """Check that the pack of a hidden state holds no hidden card, not even in the part that has been dealt."""
    for now in steps(random_round(game, seed)):
        for viewer in viewers(game):
            shown = {card for zone in now.view(viewer).zones for card in zone.cards if card is not None}
            traces = {card for card in now.hidden(viewer).pack if card >= 0} - shown
            hold(not traces, f"the pack that {named(viewer)} sees holds cards that are not shown: {sorted(traces)}", now._state)


@check
def hidden_choices(game: Game, seed: Seed = 7) -> None:
    """Check that rules give the same for a hidden state as for the whole one: `legal`, `waiting`, `over`, `outlook` and others."""
    for now in steps(random_round(game, seed)):
        s = now._state
        for viewer in viewers(game):
            h = now.hidden(viewer)
            same((waiting(h), over(h)), (waiting(s), over(s)), f"waiting or over hangs on what {named(viewer)} does not see", s)
            if viewer is not None:
                same(legal(h, viewer), legal(s, viewer), f"what {named(viewer)} may do hangs on what it does not see", s)
                same(hoped(h, viewer), hoped(s, viewer), f"what {named(viewer)} may hope for hangs on what it does not see", s)
            for seat in range(game.seats):
                what = f"outlook or yaku_of of seat {seat} hangs on what {named(viewer)} does not see"
                same((outlook(h, seat), yaku_of(h, seat)), (outlook(s, seat), yaku_of(s, seat)), what, s)
