"""Nothing leaks over the network: two worlds that differ only in what somebody cannot see are the same to him, byte by byte.

Every viewer's answers, errors and stream are compared, headers and all, and whatever the server has logged. Ids, tokens, the root
and the clock are the same in both worlds; packs are given by hand.
"""

import dataclasses
import hmac
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from typing import Any

import pytest
from msgspec import structs

import mekuri
from mekuri.bots import NAMES
from mekuri.engine.fields import copy
from mekuri.match.chronicle import Chronicle
from mekuri.match.fair import FairDeals
from mekuri.server import commands, table, thinking
from mekuri.server.commands import Turn
from mekuri.server.store import Row
from tests.server.addresses import OPERATIONS
from tests.server.staging import ROOT, Course, Stages, another, courses, differences, moments, secrets_of, stages
from tests.tables import PRESETS, each_bot, each_game
from tests.worlds import PLAYED, Viewer, values, viewers

__all__ = ["stages"]
Patch = pytest.MonkeyPatch
DIFFERENT = list({repr(game): game for game in PLAYED}.values())
IN_PRESETS = {repr(mekuri.game(name, preset)) for name, preset in PRESETS}
each_different = pytest.mark.parametrize("game", DIFFERENT, ids=[f"{game.id}-{n}" for n, game in enumerate(DIFFERENT)])
LEAKY = next(game for game in DIFFERENT if "unseen" in moments(game))  # in which everything can leak


async def leaks(stages: Stages, course: Course, others: Mapping[Viewer, Course], thorough: bool = False) -> dict[str, Any]:
    """Where viewers are told what they may not know: by asking in two worlds, and by looking for secrets."""
    told = await stages.told(course, list(others), thorough)
    found: dict[str, Any] = {}
    for viewer, other in others.items():
        found |= differences(told[viewer], (await stages.told(other, [viewer], thorough))[viewer])
        for name, secret in secrets_of(course).items():
            found |= {f"{name} in {what}": heard for what, heard in told[viewer].items() if secret in heard}
    return found


def all_others(course: Course) -> dict[Viewer, Course]:
    """Another world for every viewer from whom anything is hidden."""
    return {viewer: other for viewer in viewers(course.now.game) if (other := another(course, viewer, str(viewer)))}


@each_different
async def test_two_worlds_are_told_the_same(stages: Stages, game: mekuri.Game) -> None:
    """At a moment in the middle of a round for all games, and while something is committed for all presets."""
    for moment, course in moments(game).items():
        if moment == "middle" or repr(game) in IN_PRESETS:
            others = all_others(course)
            assert others
            assert await leaks(stages, course, others) == {}


@pytest.mark.soak
@each_different
async def test_two_worlds_at_length(stages: Stages, game: mekuri.Game) -> None:
    for seed in (1, 2):
        for course in [*list(courses(game, seed))[::6], *moments(game, seed).values()]:
            assert await leaks(stages, course, all_others(course), thorough=True) == {}


async def test_every_address_is_asked(stages: Stages) -> None:
    """But for those that have nothing to do with a table."""
    told = await stages.told(moments(LEAKY)["middle"], [None])
    apart = {"games", "game", "texts", "rules", "become_guest", "make_table", "stream"}
    for id in OPERATIONS.keys() - apart:
        address = f"{OPERATIONS[id]['method'].upper()} {OPERATIONS[id]['path']}"
        asked = re.compile(rf"nobody: {re.sub('{[^}]*}', '[^/]+', address)}(\?\S*)? .*")
        assert any(map(asked.fullmatch, told[None])), address
    assert "nobody: stream" in told[None]


async def test_the_secret_that_is_open_is_told(stages: Stages) -> None:
    """Or looking for those that are not would show nothing."""
    told = await stages.told(moments(LEAKY)["middle"], [None])
    assert FairDeals(ROOT, ()).secret(0).encode() in told[None]["nobody: stream"]


# --- Bots ---


async def chosen(stages: Stages, patch: Patch, course: Course, seat: int, bot: str) -> tuple[Any, ...]:
    """What a bot is given at the end of a course, and what it does with it."""
    script = [action for round in course for who, action in round.actions if who == seat]
    asked: list[tuple[Turn, int]] = []

    def think(turn: Turn) -> int:
        if turn.number < len(script):
            return script[turn.number]
        asked.append((turn, own(turn)))
        return asked[-1][1]

    own = thinking.think
    with patch.context() as patched:
        patched.setattr(thinking, "think", think)
        async with AsyncExitStack() as stack:
            stage = await stages.play(stack, course, {seat: bot})
            await stage.wait(lambda: bool(asked))
    turn, action = asked[0]
    return turn.seat, turn.bot, turn.number, turn.seed, values(turn.hidden), action


def bots_turn(game: mekuri.Game, seat: int) -> Course:
    """A moment in the middle of a round at which nobody but one seat is waited for."""
    found = [course for course in courses(game, 1) if course.now.waiting == (seat,)]
    return found[len(found) // 2]


@each_game
@each_bot
async def test_bot_chooses_the_same_in_two_worlds(stages: Stages, monkeypatch: Patch, name: str, bot: str) -> None:
    game = mekuri.game(name)
    seat = NAMES.index(bot) % game.seats
    course = bots_turn(game, seat)
    other = another(course, seat)
    assert other
    assert await chosen(stages, monkeypatch, course, seat, bot) == await chosen(stages, monkeypatch, other, seat, bot)


async def test_bot_whose_chance_knows_the_cards_is_found(stages: Stages, monkeypatch: Patch) -> None:
    own = commands.bot_turn

    def knowing(at: table.Table, now: int) -> Turn | None:
        turn = own(at, now)
        return turn and dataclasses.replace(turn, seed=hmac.digest(turn.seed, repr(at.running.packs).encode(), "sha256"))

    monkeypatch.setattr(commands, "bot_turn", knowing)
    course = bots_turn(LEAKY, 0)
    other = another(course, 0)
    assert other
    one, two = [await chosen(stages, monkeypatch, played, 0, NAMES[0]) for played in (course, other)]
    assert one != two


# --- The tests can fail ---


def _view_of_another_seat(patch: Patch) -> None:
    patch.setattr(Chronicle, "view", lambda self, viewer: self._again.view(0))


def _whole_state(patch: Patch) -> None:
    patch.setitem(vars(LEAKY.contract), "hide", lambda s, seat, into: copy(into, s))


def _talkative_why(patch: Patch) -> None:
    own = LEAKY.contract.why

    def why(s: Any, seat: int, action: int) -> Any:
        refusal = own(s, seat, action)
        return type(refusal)(refusal.id, {**refusal.args, "next": s.pack[0]})

    patch.setitem(vars(LEAKY.contract), "why", why)


def _action_that_is_still_hidden(patch: Patch) -> None:
    own = Chronicle.step

    def step(self: Chronicle, asked: Iterable[Viewer] = ()) -> Any:
        told = own(self, asked)
        action = self._again.action_text(self._again.history[-1][1])
        return {viewer: dataclasses.replace(event, action=action) for viewer, event in told.items()}

    patch.setattr(Chronicle, "step", step)


def _log_of_rows(patch: Patch) -> None:
    own = table.Table._note

    def note(self: table.Table, row: Row) -> None:
        logging.getLogger("mekuri.server").debug("%s", row.body)
        own(self, row)

    patch.setattr(table.Table, "_note", note)


def _log_of_refusals(patch: Patch) -> None:
    own = commands._need_legal

    def need_legal(at: table.Table, seat: int, action: str) -> None:
        logging.getLogger("mekuri.server").debug("refused, and next comes %d", at.running._state.pack[0])
        own(at, seat, action)

    patch.setattr(commands, "_need_legal", need_legal)


def _secret_of_the_running_round(patch: Patch) -> None:
    own = table.Table.head

    def head(self: table.Table) -> Any:
        return structs.replace(own.__get__(self), secret=FairDeals(ROOT, ()).secret(self.opened))

    patch.setattr(table.Table, "head", property(head))


def _root(patch: Patch) -> None:
    own = table.Table.head

    def head(self: table.Table) -> Any:
        return structs.replace(own.__get__(self), cuts=[self.root.hex()])

    patch.setattr(table.Table, "head", property(head))


@pytest.mark.parametrize(
    ("leak", "moment", "where"),
    [
        (_view_of_another_seat, "middle", "GET /api/tables/"),
        (_whole_state, "middle", "events?since=0"),
        (_talkative_why, "middle", "/actions"),
        (_action_that_is_still_hidden, "unseen", "stream from 0"),
        (_log_of_rows, "unseen", "log until now"),
        (_log_of_refusals, "middle", "log of it"),
        (_secret_of_the_running_round, "middle", "secret 1 in"),
        (_root, "middle", "root in hex in"),
    ],
)
async def test_leak_is_found(stages: Stages, monkeypatch: Patch, leak: Callable[[Patch], None], moment: str, where: str) -> None:
    """`where` is one of the places at which it must be found."""
    course = moments(LEAKY)[moment]
    viewer = course.now.waiting[0] if moment == "unseen" else LEAKY.seats - 1
    others: dict[Viewer, Course] = {viewer: all_others(course)[viewer]}
    leak(monkeypatch)
    found = await leaks(stages, course, others)
    assert any(where in place for place in found), found.keys()
