"""Nothing leaks over the network: two worlds that differ only in hidden state give a viewer the same bytes.

Every viewer's answers, errors and stream are compared, headers and all, and whatever the server has logged. Ids, tokens, the root
and the clock are the same in both worlds; packs are given by hand.
"""

import dataclasses
import hmac
import logging
import random
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from functools import cache
from typing import Any

import pytest
from msgspec import structs

import mekuri
from mekuri import games
from mekuri.bots import OF_RULES, Budget, here, wire
from mekuri.engine.chance import stream
from mekuri.engine.fields import copy
from mekuri.engine.presentation import Refusal
from mekuri.engine.rulebook import Lang
from mekuri.match.fair import FairDeals
from mekuri.match.round import Chronicle, Round
from mekuri.server.http import previews
from mekuri.server.http.routes import page
from mekuri.table import acting, commands, rows, table, weighing
from mekuri.table.commands import Turn
from mekuri.table.log import Row
from mekuri.table.reasons import last_seen
from mekuri.testing.worlds import Viewer, values, viewers
from tests.helpers.machine_code import without_machine_code
from tests.helpers.server.addresses import operations, routes
from tests.helpers.server.gathering import VOTES, WINDOWS
from tests.helpers.server.staging import ROOT, Course, Stages, another, courses, differences, moments, secrets_of, stages
from tests.helpers.tables import GAMES, PLAYED, PRESETS, in_turn

__all__ = ["stages"]
Patch = pytest.MonkeyPatch
DIFFERENT = list({repr(game): game for game in PLAYED}.values())
AS_IT_IS = {repr(mekuri.game(name)) for name in GAMES}
IN_PRESETS = {repr(mekuri.game(name, preset)) for name, preset in PRESETS}
# Every preset, and for every game one at random options.
SOME = [
    *(game for game in DIFFERENT if repr(game) in IN_PRESETS),
    *{game.id: game for game in DIFFERENT if repr(game) not in IN_PRESETS}.values(),
]
each_some = pytest.mark.parametrize("game", SOME, ids=[f"{game.id}-{n}" for n, game in enumerate(SOME)])
each_different = pytest.mark.parametrize("game", DIFFERENT, ids=[f"{game.id}-{n}" for n, game in enumerate(DIFFERENT)])


# In which everything can leak: something is done unseen, and cards lie in the stock.
@cache
def leaky() -> mekuri.Game:
    return next(game for game in DIFFERENT if "unseen" in (found := moments(game)) and found["middle"].now._state.stock)


async def leaks(stages: Stages, course: Course, others: Mapping[Viewer, Course], thorough: bool = False) -> dict[str, Any]:
    """Return the places at which viewers get hidden information: by comparing two worlds, and by searching for secrets."""
    sent = await stages.answers(course, list(others), thorough)
    found: dict[str, Any] = {}
    for viewer, other in others.items():
        found |= differences(sent[viewer], (await stages.answers(other, [viewer], thorough))[viewer])
        for name, secret in secrets_of(course).items():
            found |= {f"{name} in {what}": heard for what, heard in sent[viewer].items() if secret in heard}
    return found


def all_others(course: Course) -> dict[Viewer, Course]:
    """Return another world for every viewer with hidden information."""
    return {viewer: other for viewer in viewers(course.now.game) if (other := another(course, viewer, str(viewer)))}


# One that begins with a vote, and one with more seats, for which lots are drawn, and with windows.
SHORT = (VOTES[0], WINDOWS[0])


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.slow) for name in GAMES])
async def test_one_viewer_gets_equal_bytes_from_two_worlds(stages: Stages, name: str) -> None:
    """At a moment in the middle of a round, while something is committed, and while silence is an answer: for one of the viewers.

    `tests/games/test_leaks.py` tries what each viewer may know for all of them, without a server in between.
    """
    for moment, course in moments(mekuri.game(name)).items():
        others = all_others(course)
        viewer = random.Random(moment + name).choice(list(others))
        assert await leaks(stages, course, {viewer: others[viewer]}) == {}


@pytest.mark.slow
@each_some
async def test_every_viewer_gets_equal_bytes_from_two_worlds(stages: Stages, game: mekuri.Game) -> None:
    """The same to all viewers; at other options than a game's usual ones to one of them."""
    for moment, course in moments(game).items():
        others = all_others(course)
        assert others
        if repr(game) not in AS_IT_IS:
            if moment != "middle" and repr(game) not in IN_PRESETS:
                continue
            viewer = random.Random(moment + repr(game)).choice(list(others))
            others = {viewer: others[viewer]}
        assert await leaks(stages, course, others) == {}


@pytest.mark.soak
@each_different
async def test_whole_courses_give_equal_bytes_from_two_worlds(stages: Stages, game: mekuri.Game) -> None:
    for seed in (1, 2):
        for course in [*list(courses(game, seed))[::6], *moments(game, seed).values()]:
            assert await leaks(stages, course, all_others(course), thorough=True) == {}


async def test_leak_test_requests_every_route(stages: Stages) -> None:
    """Viewers who may learn something request each address. Only the addresses listed here know no table."""
    apart = re.compile(
        r"OPTIONS .*"  # tells what else may be asked
        r"|(GET|HEAD) (/|/settings|/you|/matches|/practice|/daily|/rules(/{.*)?|/(new|learn|puzzles|pictures)/{.*})"
        r"|(GET|HEAD) (/index\.html|/favicon\.ico|/icon[^/]*|/manifest\.webmanifest|/sw\.js)"
        r"|(GET|HEAD) (/offline|/(assets|cards|offline|screens)/.*)"
        r"|GET /api/(games(/{.*)?|schema(/.*)?)"
        r"|POST /api/(guests(/code|/devices|/matches)?|tables|daily/{.*}|games/{.*}/puzzles/{.*})"
        r"|DELETE /api/guests/(me|devices(/here)?)"
        r"|(POST|DELETE) /api/push"
    )
    sent = await stages.answers(moments(leaky())["middle"], [None])
    asked = {re.sub(r"nobody: (\S+ [^\s?]+).*", r"\1", what) for what in sent[None]}
    patterns = {route: re.compile(re.sub("{[^}]*}", "[^/]+", route)) for route in routes() if not apart.fullmatch(route)}
    assert [route for route, pattern in patterns.items() if not any(map(pattern.fullmatch, asked))] == []
    for operation in operations().values():
        address = f"{operation['method'].upper()} {operation['path']}"
        assert address in {re.sub(r":\w+}", "}", route) for route in routes()}, "every address that is described is a route"
    assert {"nobody: stream", "nobody: stream from 0"} <= sent[None].keys()


async def test_revealed_secret_is_found_in_the_stream(stages: Stages) -> None:
    """Otherwise the search for hidden secrets would prove nothing."""
    sent = await stages.answers(moments(leaky())["middle"], [None])
    assert FairDeals(ROOT, ()).secret(0).encode() in sent[None]["nobody: stream"]


# --- Bots ---


async def chosen(stages: Stages, course: Course, seat: int, bot: str) -> tuple[Any, ...]:
    """Return the input of a bot that takes a seat at the end of a course, and its choice."""
    async with AsyncExitStack() as stack:
        stage = await stages.play(stack, course)
        stage.played.seats[seat].bot = bot
        turn = commands.bot_turn(stage.played, 1 << 60)
        assert turn
        given = wire.packed([turn.seen], [stream(turn.seed, "bot")], Budget())
        return turn.seat, turn.bot, turn.number, values(turn.hidden), given, here(bot, course.now.contract) and commands.think(turn)


def bots_turn(game: mekuri.Game) -> tuple[int, Course, Course]:
    """A seat that is waited for, and two worlds that it cannot tell apart.

    If it can be, others have moved before; and it is as near to the middle of a round as may be.
    """
    found = list(courses(game, 1))
    nearest = sorted(found, key=lambda course: abs(found.index(course) - len(found) // 2))
    asked = [(seat, course) for course in nearest for seat in course.now.waiting]
    for seat, course in sorted(asked, key=lambda each: last_seen(each[1].now, each[0]) is None):
        if other := another(course, seat):
            return seat, course, other
    raise AssertionError("nothing is ever hidden from anybody who is asked")


# Bots of rules text that play all games are tried at one; a game's own at its own. (Searching bots are tried in what each seat can
# learn, by play-outs: time may cut them short.) Any bot of another distribution will do: it gets everything that its seat has seen.
@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "bot"),
    [
        *((None, bot) for bot in OF_RULES),
        *((name, bot.id) for name in GAMES for bot in games.find(name).bots),
        *((name, "somebody") for name in GAMES),
    ],
)
async def test_bot_chooses_the_same_in_two_worlds(stages: Stages, name: str | None, bot: str) -> None:
    seat, course, other = bots_turn(mekuri.game(name or leaky().id))
    assert await chosen(stages, course, seat, bot) == await chosen(stages, other, seat, bot)


async def test_bot_seeded_by_the_cards_is_found(stages: Stages, monkeypatch: Patch) -> None:
    own = commands.bot_turn

    def knowing(at: table.Table, now: int) -> Turn | None:
        turn = own(at, now)
        return turn and dataclasses.replace(turn, seed=hmac.digest(turn.seed, repr(at.running.packs).encode(), "sha256"))

    monkeypatch.setattr(commands, "bot_turn", knowing)
    seat, course, other = bots_turn(leaky())
    one, two = [await chosen(stages, played, seat, OF_RULES[0]) for played in (course, other)]
    assert one != two


# --- What is weighed ---


async def weighed(stages: Stages, course: Course, seat: int) -> bytes:
    """Return the analysis that a player gets at a table of bots."""
    async with AsyncExitStack() as stack:
        stage = await stages.play(stack, course)
        asker = next(asker for asker in stage.askers if asker.viewer == seat)
        for other, sitter in enumerate(stage.played.seats):
            if other != seat:
                sitter.person = None
        asked = [await stage.ask(asker, "GET", f"/api/tables/{stage.table}/{what}") for what in ("analysis", "why")]
        return b"".join(asked)


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == SHORT[0] else pytest.mark.slow) for name in GAMES])
async def test_analysis_is_the_same_in_two_worlds(stages: Stages, monkeypatch: Patch, name: str) -> None:
    monkeypatch.setattr(weighing, "BUDGET", Budget(30))
    without_machine_code(monkeypatch)
    seat, course, other = bots_turn(mekuri.game(name))
    analysis = await weighed(stages, course, seat)
    assert b'"facts":[{' in analysis
    assert (b'"reasons":[{' in analysis) == (last_seen(course.now, seat) is not None)
    assert await weighed(stages, other, seat) == analysis


# --- The tests can fail ---


def _view_of_another_seat(patch: Patch) -> None:
    patch.setattr(Chronicle, "view", lambda self, viewer: self._again.view(0))


def _whole_state(patch: Patch) -> None:
    patch.setitem(vars(leaky().contract.rules), "hide", lambda s, seat, into: copy(into, s))


def _talkative_why(patch: Patch) -> None:
    own = leaky().contract.table.why

    def why(s: Any, seat: int, action: int) -> Any:
        refusal = own(s, seat, action) or Refusal("not-now", {})
        return Refusal(refusal.id, {**refusal.args, "next": s.pack[0]})

    patch.setitem(vars(leaky().contract.table), "why", why)


def _action_that_is_still_hidden(patch: Patch) -> None:
    own = Chronicle.step

    def step(self: Chronicle, asked: Iterable[Viewer] = ()) -> Any:
        seen = own(self, asked)
        action = self._again.action_text(self._again.history[-1][1])
        return {viewer: dataclasses.replace(event, action=action) for viewer, event in seen.items()}

    patch.setattr(Chronicle, "step", step)


def _log_of_rows(patch: Patch) -> None:
    own = rows._keep

    def keep(at: table.Table, row: Row) -> None:
        logging.getLogger("mekuri.server").debug("%s", row.body)
        own(at, row)

    patch.setattr(rows, "_keep", keep)


def _log_of_refusals(patch: Patch) -> None:
    own = acting.need_legal

    def need_legal(round: Round, seat: int, action: int | str) -> None:
        logging.getLogger("mekuri.server").debug("refused, and next comes %d", round._state.pack[0])
        own(round, seat, action)

    patch.setattr(acting, "need_legal", need_legal)


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


def _page_that_knows_the_stock(patch: Patch) -> None:
    own = previews.of_table

    def of_table(at: table.Table, lang: Lang) -> Any:
        return dataclasses.replace(own(at, lang), text=f"next comes {at.running._state.pack[0]}")

    patch.setattr(page, "of_table", of_table)


@pytest.mark.parametrize(
    ("leak", "moment", "where"),
    in_turn(
        [
            (_view_of_another_seat, "middle", "GET /api/tables/"),
            (_whole_state, "middle", "events?since=0"),
            (_talkative_why, "middle", "/actions"),
            (_action_that_is_still_hidden, "unseen", "stream from 0"),
            (_log_of_rows, "unseen", "log until now"),
            (_log_of_refusals, "middle", "log of it"),
            (_secret_of_the_running_round, "middle", "secret 1 in"),
            (_root, "middle", "root in hex in"),
            (_page_that_knows_the_stock, "middle", "GET /t/"),
        ],
        of=4,
    ),
)
async def test_leak_is_found(stages: Stages, monkeypatch: Patch, leak: Callable[[Patch], None], moment: str, where: str) -> None:
    """`where` is one of the places at which it must be found."""
    course = moments(leaky())[moment]
    viewer = course.now.waiting[0] if moment == "unseen" else leaky().seats - 1
    others: dict[Viewer, Course] = {viewer: all_others(course)[viewer]}
    leak(monkeypatch)
    found = await leaks(stages, course, others)
    assert any(where in place for place in found), found.keys()
