"""A game in which cards are laid face down: no channel shows them to other seats, and `mekuri check` finds a leak."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mekuri
from mekuri import games
from mekuri.bots.search.worlds import done_by_others
from mekuri.engine import defaults
from mekuri.engine.contract import DRIVER, Contract, Text
from mekuri.engine.rulebook import LANGUAGES, rulebook
from mekuri.match.deed import Deed
from mekuri.match.round import Chronicle
from mekuri.terminal.base.local import ask_table, local_play
from mekuri.terminal.screens.table import table_app
from mekuri.testing import CheckFailure, check_game, leaks, past, positions, ranges, records, redeals
from mekuri.testing.checks import CHECKS, Scope
from mekuri.testing.worlds import Viewer, random_round, viewers
from tests.helpers.folders import CHECKOUT
from tests.helpers.installing import kept
from tests.helpers.new_games import child_at, round_on_the_page
from tests.helpers.screens import LARGE, screen_text, until_asked
from tests.helpers.server.staging import Course, Stages, another, differences, moments, stages
from tests.helpers.unfinished import announce, looked_through_anew

__all__ = ["stages"]
GAME, LEAKY = "lying", "leaky"  # copies of the game `pairs`, which is registered by itself
SOURCE = CHECKOUT / "tests/helpers/pairs.py"
TELLS_ALL = "def seen_by(before: PairsState, seat: int, action: int) -> int:\n    return (1 << SEATS) - 1\n\n\n"
UNSEEN = "events.seat-unseen"
COVER, ATTACK = 1, 2  # phases


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest) -> Path:
    """Return a folder with the game installed, and a variant whose `seen_by` shows everything to everyone."""

    def make(folder: Path) -> None:
        folder.mkdir()
        text = SOURCE.read_text(encoding="utf-8")
        text = text.replace('id="pairs"', f'id="{GAME}"')
        leaky = text.replace(f'id="{GAME}"', f'id="{LEAKY}"').replace("\ncontract = ", f"\n{TELLS_ALL}contract = ")
        for name, rules in ((GAME, text), (LEAKY, leaky)):
            (folder / f"{name}.py").write_text(rules, encoding="utf-8")
            announce(folder, name, f"{name}:contract")

    return kept(request.config, "face-down", [SOURCE, CHECKOUT / "src/mekuri/engine"], make)


@pytest.fixture(scope="module")
def contract(site: Path) -> Iterator[Contract]:
    with pytest.MonkeyPatch.context() as patch, looked_through_anew():
        patch.syspath_prepend(site)
        yield games.find(GAME)


@pytest.fixture
def game(contract: Contract) -> mekuri.Game:
    return mekuri.game(contract)


def laid(round: mekuri.Round, phase: int) -> list[int]:
    """The steps of a round at which a card is laid in a phase."""
    chronicle, found = Chronicle(round), []
    for step, (seat, action) in enumerate(round.history):
        whole: Any = chronicle.whole()
        if whole.phase == phase and seat != DRIVER and action < 49:
            found.append(step)
        chronicle.go()
    return found


# --- The checks ---


@pytest.mark.every_days(4)
def test_game_passes_every_check_that_runs_plain(game: mekuri.Game, subtests: pytest.Subtests) -> None:
    scope = Scope(game.contract)
    for name in ("lint", "ranges", "positions", "records", "two worlds", "redeal", "uniform", "past"):
        with subtests.test(name):
            CHECKS[name][1](scope)
    with subtests.test("every viewer at every step"):
        leaks.twins_throughout(game, 3)


@pytest.mark.slow
@pytest.mark.machine_code
def test_game_passes_every_check(contract: Contract) -> None:
    check_game(contract.id)


def test_leak_is_named(contract: Contract, subtests: pytest.Subtests) -> None:
    """And not as a world that cannot be, nor with a state's fields."""
    scope, message = (
        Scope(games.find(LEAKY)),
        r"seat \d sees that seat \d moves \d+\w to down, where its hidden state conceals it: leave",
    )
    for name, what in (("two worlds", message), ("uniform", "gives a world that what was seen rules out: dealer")):
        with subtests.test(name), pytest.raises(CheckFailure, match=what) as found:
            CHECKS[name][1](scope)
        assert "State(" not in str(found.value)
        assert "ImpossibleWorld" not in str(found.value)
    with pytest.raises(CheckFailure, match=r"a world that cannot come of what it has seen: seat \d cannot have done"):
        leaks.twins(scope.game, 0)
    # All other checks pass: only what is told is wrong.
    past.events_as_seen(scope.game)
    records.finished(scope.game)
    redeals.whole(scope.game)
    positions.every_state(scope.game)
    ranges.rounds(scope.game, 2)


# --- Who sees what ---


def test_face_down_card_is_shown_to_its_seat_only(game: mekuri.Game) -> None:
    round = random_round(game, 1)
    covered, attacks = laid(round, COVER), laid(round, ATTACK)
    assert covered
    assert attacks
    for viewer in viewers(game):
        events = round.events(viewer)
        assert len(events) == len(round.history), "everybody is told that something has been done"
        for step, (event, (seat, action)) in enumerate(zip(events, round.history, strict=True)):
            unseen = step in covered and viewer != seat
            assert event.action == (None if unseen else round.action_text(action))
            assert (event.text == Text(UNSEEN, {"seat": seat})) == unseen
    for seat in range(game.seats):
        found = [(happened.seat, happened.action) for happened in round.seen(seat).past]
        assert found == [
            (who, None if step in covered and who != seat else action) for step, (who, action) in enumerate(round.history)
        ]


def test_play_without_its_card_has_a_text_in_every_language(contract: Contract) -> None:
    book, text = rulebook(contract), Text(UNSEEN, {"seat": 1})
    assert [book.render(text, lang, you=0) for lang in LANGUAGES] == ["Player 2 plays face down.", "打ち手2が伏せて出す。"]
    assert [book.render(text, lang, you=1) for lang in LANGUAGES] == ["You play face down.", "あなたが伏せて出す。"]


def test_game_decides_which_seats_see_an_action(game: mekuri.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat always sees its own, and a spectator what every seat sees."""
    asked: list[int] = []

    def seen_by(before: Any, seat: int, action: int) -> int:
        assert before.contract.rules.legal(before, seat) >> action & 1, "the state before the action"
        asked.append(seat)
        return 0b0101 if before.phase == COVER else 0b1111

    monkeypatch.setitem(vars(game.contract.table), "seen_by", seen_by)
    round = random_round(game, 1)
    covered = laid(round, COVER)
    for viewer in viewers(game):
        hidden = [step for step, event in enumerate(round.events(viewer)) if event.action is None]
        assert hidden == [step for step in covered if viewer not in (0, 2) and round.history[step][0] != viewer]
    assert DRIVER in asked, "the driver's actions, too, with the cards shuffled"


def moved(monkeypatch: pytest.MonkeyPatch, contract: Contract, of: str, to: str) -> int:
    """Return the viewers who see it by default when seat 0 moves a card between two places, such as `up 0` and `hand 2`."""
    s: Any = (
        mekuri.game(contract)
        .position("dealer 3; hand 1H 1I / 1O / 1K / 2H; down 3H / 3I; up 4H / 4I; phase attack; turns 3")
        ._state
    )

    def play(s: Any, seat: int, action: int) -> None:
        for where in (of, to):
            name, at = where.split()
            getattr(s, name)[int(at)] ^= 1 << action

    monkeypatch.setitem(vars(contract.rules), "play", play)
    name, at = of.split()
    return defaults.seen_by(s, 0, getattr(s, name)[int(at)].bit_length() - 1)


@pytest.mark.parametrize(
    ("of", "to", "seers"),
    [
        ("hand 0", "down 0", [0]),
        ("hand 0", "hand 2", [0, 2]),  # each of them sees it in its own hand
        ("hand 0", "up 0", [0, 1, 2, 3, DRIVER]),
        ("up 0", "hand 0", [0, 1, 2, 3, DRIVER]),  # everybody saw it before
        ("down 1", "hand 2", [0, 1, 2]),
    ],
)
def test_default_follows_the_hidden_states(
    contract: Contract, monkeypatch: pytest.MonkeyPatch, of: str, to: str, seers: list[int]
) -> None:
    assert moved(monkeypatch, contract, of, to) == sum(1 << viewer for viewer in seers)


def test_search_does_not_use_unseen_actions(game: mekuri.Game) -> None:
    """Other seats cannot reconstruct the hand of a seat before it laid a card face down."""
    round = random_round(game, 2)
    for seat in range(game.seats):
        for done in done_by_others(round.seen(seat)):
            step = next(n for n, (who, action) in enumerate(round.history) if (who, action) == (done.seat, done.action))
            later = {n for n, (who, _) in enumerate(round.history) if who == done.seat and n > step}
            assert not later & {*laid(round, COVER)}
    assert any(done_by_others(round.seen(seat)) for seat in range(game.seats))


# --- By every channel ---


def two_worlds(game: mekuri.Game) -> tuple[Course, dict[Viewer, Course]]:
    """A moment in the middle of a round, and for a seat and a spectator another that looks the same to them."""
    course = moments(game)["middle"]
    viewer = (course.now.history[1][0] + 1) % game.seats  # who has not laid the first card face down
    others = {one: other for one in (viewer, None) if (other := another(course, one, str(one)))}
    assert others.keys() == {viewer, None}
    return course, others


async def differing(stages: Stages, course: Course, others: dict[Viewer, Course]) -> dict[str, Any]:
    """Return the differences between the answers to these viewers."""
    sent, found = await stages.answers(course, list(others)), dict[str, Any]()
    for viewer, other in others.items():
        found |= differences(sent[viewer], (await stages.answers(other, [viewer]))[viewer])
    return found


@pytest.mark.every_days(4)
async def test_two_worlds_give_equal_bytes(stages: Stages, game: mekuri.Game) -> None:
    """By the API, the stream and the log, to a seat and a spectator."""
    assert await differing(stages, *two_worlds(game)) == {}


async def test_leak_over_the_network_is_found(stages: Stages, game: mekuri.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    course, others = two_worlds(game)
    monkeypatch.setattr(Deed, "is_seen_by", lambda self, viewer: True)
    found = await differing(stages, course, {None: others[None]})
    assert {"nobody: stream", "watcher: stream"} <= found.keys()
    assert any("events?since=0" in place for place in found)


async def test_terminal_shows_a_play_without_its_card(game: mekuri.Game) -> None:
    play = await local_play(ask_table(game, ("you", *["random"] * 3), {"rounds": 1}), 0, 1)
    app, text = table_app(play), ""
    async with app.run_test(size=LARGE) as pilot:
        while await until_asked(pilot):
            text += screen_text(app)
            await pilot.press("enter")
    assert "plays face down" in text
    round = play.match.round
    down = [round.history[step] for step in laid(round, COVER)]
    names = [game.rulebook.card(action, "en") for seat, action in down if seat != play.you]
    assert names
    # The person's own cards and those laid face up are on the screen; these never are.
    assert [name for name in names if name in text] == []


@pytest.mark.every_days(4)
async def test_page_shows_a_play_without_its_card(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=os.pathsep)
    async with child_at(tmp_path) as child, round_on_the_page(child.address, GAME) as page:
        await page.get_by_role("button", name="Table", exact=True).click()
        await page.locator(".lately").click()
        log = await page.locator("dialog .log").inner_text()
        # The leader lays a card face down and plays another. The person may be the only leader of a round, and knows the own card.
        assert re.search(r"\w plays face down\.|Deal\.\s+You play ((?!plays).)*\.\s+You play ", log, re.DOTALL), log
