"""Random made-up games in the terminal and on the page: any number of seats, cards and words, an empty middle, long texts or none.

One game has its turn each day; with --slow there are many more. A failure names the seed and the game made of it: to look at one
game alone, `tests.helpers.made_up.install(folder, [made_up(seed)])` and put the folder on PYTHONPATH.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect
from rich.cells import cell_len
from textual.geometry import Region
from textual.pilot import Pilot

import mekuri
from mekuri.cards import EXTRA, card_text
from mekuri.engine.contract import Contract
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook
from mekuri.server.http.routes.page import FOLDER as PAGE
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.sheet import ResultScreen, SheetScreen
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.terminal.screens.zone import CardZone
from tests.helpers.machine_code import without_machine_code
from tests.helpers.made_up import install, installed_here, made_up
from tests.helpers.new_games import child_at
from tests.helpers.page.browser import NO_PAGE, SCREENS, find_chromium, launched, listen, sit_down
from tests.helpers.page.hands import ANYTHING, RESULT, Mouse, act, at_end, play_shortly, seen
from tests.helpers.page.room import TABLE, WIDE
from tests.helpers.page.staging import seated, settled
from tests.helpers.screens import LARGE, SMALL, TINY, play_card, read_paper, screen_text, table_of, until_asked
from tests.helpers.time import until

Turn = Callable[[Sequence[Any], int], Sequence[Any]]

SIZES = (SMALL, TINY, LARGE, (200, 50), (40, 30))
SWEEP = range(60)  # seeds
ON_THE_PAGE = range(30)
PAUSES = 6  # refreshes until what has the focus is scrolled into sight
NEVER = 24 * 3600  # a pace in seconds at which nothing follows by itself


# --- In the terminal ---


async def opened(contract: Contract, lang: Lang, *, watched: bool = False) -> tuple[LocalPlay, MekuriApp]:
    """Return the only round of a match, to be played by a person against bots, or to be watched."""
    game = mekuri.game(contract)
    seats = ("random",) * game.seats if watched else seats_of(game, "random")
    play = await local_play(ask_table(game, seats, {"rounds": 1}), NEVER if watched else 0, 1)
    return play, table_app(play, lang)


async def laid_out(pilot: Pilot[None], size: tuple[int, int]) -> list[str]:
    """Return the faults of the table in a terminal of a size."""
    await pilot.resize_terminal(*size)
    await pilot.pause()
    await pilot.pause()
    assert isinstance(pilot.app, MekuriApp)
    here = table_of(pilot.app)
    shown = screen_text(pilot.app).split("\n")
    found = [f"line {y} is {cell_len(line)} wide" for y, line in enumerate(shown) if cell_len(line) != size[0]]
    visible = [(zone, here.find_widget(zone).visible_region) for zone in here.query(CardZone) if zone.display]
    zones = [(zone, seen) for zone, seen in visible if seen]
    for zone, region in zones:
        boxes = zone._boxes
        found += [f"{zone.id}: card {i} is cut" for i, box in enumerate(boxes) if box.right > zone.size.width]
        found += [f"{zone.id}: cards overlap" for i, box in enumerate(boxes) if any(map(box.overlaps, boxes[i + 1 :]))]
        found += [f"{zone.id} lies on {other.id}" for other, its in zones if other is not zone and its.overlaps(region)]
        found += [f"{zone.id} is out of the screen"] if zone.region.x < 0 or zone.region.right > size[0] else []
    # Nothing is scrolled away for the sake of rows in which nothing lies.
    drawn = [
        zone.region for zone in here.board.query(CardZone) if zone.display and (zone.faces or zone.label or zone.drawn == "cards")
    ]
    filled = {y for region in drawn if region.width for y in range(region.y, region.bottom)}
    if here.board.max_scroll_y and len(filled) + len(here.view.middle if here.view else ()) <= here.board.size.height:
        found.append(f"{here.board.max_scroll_y} rows are out of sight where {len(filled)} are filled")
    foot = [here.query_one(f"#{id}").region for id in ("keys", "prompt")]
    found += [f"the foot lies at {region}" for region in foot if region.bottom > size[1] or not region.height]
    return [f"{size}: {each}" for each in (*found, *await out_of_reach(pilot))]


async def out_of_reach(pilot: Pilot[None]) -> list[str]:
    """Return the choices and the seats that are not seen, even when the focus moves to them; the seats by scrolling, too."""
    assert isinstance(pilot.app, MekuriApp)
    here = table_of(pilot.app)
    assert here.view
    zones = [zone for zone in here.query(CardZone) if zone.display]
    drawn = {face.name if face.card is None else card_text(face.card) for zone in zones for face in zone.faces if face.legal}
    found = [f"{legal.action} is not drawn" for legal in here.view.legal if legal.action not in drawn]
    focused = here.focused
    for zone in zones:
        legal = [i for i, face in enumerate(zone.faces) if face.legal]
        for index in {*legal[:1], *legal[-1:]}:
            zone.focus()
            zone.point_at(index)
            if not await comes_into_sight(pilot, here, zone, index):
                found.append(f"{zone.id}: choice {index} is out of sight")
        if zone.id and zone.id.startswith("seat-") and not in_sight(here, zone):
            if zone.can_focus:
                zone.focus()
                zone.point_at(0)
            if not await comes_into_sight(pilot, here, zone) and not await found_by_paging(pilot, here, zone):
                found.append(f"{zone.id} is out of sight")
    here.set_focus(focused)
    await pilot.pause()
    owners = {zone.owner for zone in here.view.zones} - {None, here.play.you}
    return found + [f"seat {seat} is not drawn" for seat in owners if not here.query(f"#seat-{seat}")]


async def comes_into_sight(pilot: Pilot[None], here: TableScreen, zone: CardZone, index: int | None = None) -> bool:
    for _ in range(PAUSES):
        await pilot.pause()
        if in_sight(here, zone, index):
            return True
    return False


async def found_by_paging(pilot: Pilot[None], here: TableScreen, zone: CardZone) -> bool:
    """Scroll through the board from its top. Returns whether the label of a zone is seen on the way."""
    for key in (*["pageup"] * 5, *["pagedown"] * 5):
        await pilot.press(key)
        await pilot.pause()
        if in_sight(here, zone):
            return True
    return False


def in_sight(here: TableScreen, zone: CardZone, index: int | None = None) -> bool:
    """Return whether the label of a zone, or one of its cards, is seen whole."""
    where = here.find_widget(zone)
    part = Region(0, 0, 1, 1) if index is None else zone._boxes[index]
    return where.visible_region.contains_region(part.translate(where.region.offset))


async def play_in_the_terminal(contract: Contract, lang: Lang, first: int) -> list[str]:
    """Play a round to its end, first with another terminal size at each question. Returns the faults."""
    play, app = await opened(contract, lang)
    wrong: list[str] = []
    async with app.run_test(size=SMALL) as pilot:
        asked = 0
        while await until_asked(pilot):
            if asked < len(SIZES):
                wrong += await laid_out(pilot, SIZES[(first + asked) % len(SIZES)])
                await pilot.press("g")  # the other language
            asked += 1
            await play_card(pilot)
        assert isinstance(app.screen, SheetScreen)
        await read_paper(pilot)
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultScreen))
        await read_paper(pilot)
    assert play.match.over
    assert asked
    return wrong


async def watch_in_the_terminal(contract: Contract, lang: Lang, first: int) -> list[str]:
    """Watch a round to its end. Returns the faults of the table at its beginning."""
    play, app = await opened(contract, lang, watched=True)
    wrong: list[str] = []
    async with app.run_test(size=SMALL) as pilot:
        await until(lambda: len(app.screen_stack) > 1 and table_of(app).view)
        wrong += await laid_out(pilot, SIZES[first % len(SIZES)])
        play.pace = 0
        await pilot.press("enter")
        await until(lambda: isinstance(app.screen, ResultScreen))
        await read_paper(pilot)
    assert play.match.over
    return wrong


@pytest.mark.in_turn(len(SWEEP))
@pytest.mark.parametrize("seed", SWEEP)
async def test_made_up_game_is_played_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """A round is played and watched to its end. The question and all players are visible at any size."""
    without_machine_code(monkeypatch)
    game = made_up(seed)
    with installed_here(tmp_path, [game]) as [contract]:
        wrong = await play_in_the_terminal(contract, LANGUAGES[seed % 2], seed)
        wrong += await watch_in_the_terminal(contract, LANGUAGES[seed // 2 % 2], seed + 1)
    assert not wrong, "\n".join([str(game), *wrong])


@pytest.mark.every_days(4)
async def test_empty_middle_and_second_hand_fit_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    """All cards are dealt, and the first is laid from the hand. In the second game what one lays face down lies as a hand, too."""
    without_machine_code(monkeypatch)
    dealt = replace(made_up(0), name="made_up_dealt", cards=(1 << 16) - 1, hand=8, pot=False, layout="row")
    apart = replace(made_up(0), name="made_up_apart", cards=(1 << 4) - 1, hand=2, together=True, layout="row")
    with installed_here(tmp_path, [dealt, apart]) as contracts:
        for contract in contracts:
            with subtests.test(game=contract.id):
                assert await play_in_the_terminal(contract, "en", 0) == []


async def test_paging_reaches_cards_without_focus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirteen seats fill a small terminal, one's own cards lie below, and the focus is on words."""
    without_machine_code(monkeypatch)
    with installed_here(tmp_path, [made_up(26)]) as [contract]:
        async with (await opened(contract, "en"))[1].run_test(size=SMALL) as pilot:
            await until_asked(pilot)
            assert await laid_out(pilot, TINY) == []


def test_game_with_the_extra_card_uses_packs_that_have_it(tmp_path: Path) -> None:
    """Packs without that card give no names to a game that has none."""
    game = replace(made_up(0), name="made_up_extra", cards=1 << EXTRA | 0b111, hand=2)
    with installed_here(tmp_path, [game]) as contracts:
        assert list(rulebook(contracts[0]).tables["names"]) == ["ise"]


# --- On the page ---


async def page_faults(page: Page, seats: int = 0) -> list[str]:
    """Return the faults in the layout of a page, on a phone and on a desktop, with a number of seats on a table."""
    found = []
    for screen in SCREENS:
        await page.set_viewport_size({"width": screen.width, "height": screen.height})
        await settled(page)
        if await (joined := page.locator(".away section")).count():  # the last events, over the seats, for a spectator who joins
            await joined.locator("button").last.click()
            await expect(joined).to_have_count(0)
        wrong = [*await page.evaluate(WIDE), *(await page.evaluate(TABLE, seats) if seats else ())]
        found += [f"{screen.name}, {page.url.split('/', 3)[3]}: {each}" for each in wrong]
    return found


async def on_the_page(browser: Browser, address: str, seed: int) -> list[str]:
    """Play a round on the page, with a spectator who reads the other language. Returns the faults."""
    game, langs = made_up(seed), LANGUAGES if seed % 2 else LANGUAGES[::-1]
    contexts = [await sit_down(browser, address, lang=lang) for lang in langs]
    player, watcher = [await context.new_page() for context in contexts]
    heard = [listen(player), listen(watcher)]
    seats = ["person", *["random"] * (game.seats - 1)]
    table = await seated(player.context, game.name, seats, match_options={"rounds": "1"})
    await player.goto(f"/t/{table}")
    await seen(player, ANYTHING)
    await watcher.goto(f"/t/{table}")
    await seen(watcher, ".board")
    wrong = await page_faults(player, game.seats)
    wrong += await page_faults(watcher, game.seats)
    await act(player, Mouse())
    if not await at_end(player):
        wrong += await page_faults(player, game.seats)
    await play_shortly(player, Mouse())
    for page in (player, watcher):
        await seen(page, RESULT)
        wrong += await page_faults(page)
    for path in (f"/rules/{game.name}", f"/new/{game.name}"):
        await watcher.goto(path)
        await watcher.locator("h1").first.wait_for()
        wrong += await page_faults(watcher)
    for context in contexts:
        await context.close()
    return [*wrong, *heard[0], *heard[1]]


@pytest.mark.every_days(4)
async def test_made_up_games_are_played_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days_turn: Turn, subtests: pytest.Subtests
) -> None:
    """One server and one browser for all games of the day."""
    path = find_chromium()
    if path is None or not (PAGE / "index.html").exists():
        pytest.skip(NO_PAGE)
    seeds = days_turn(ON_THE_PAGE, len(ON_THE_PAGE))
    install(tmp_path / "site", map(made_up, seeds))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=os.pathsep)
    async with child_at(tmp_path) as child, launched(path) as browser:
        for seed in seeds:
            with subtests.test(seed=seed):
                wrong = await on_the_page(browser, child.address, seed)
                assert not wrong, "\n".join([str(made_up(seed)), *wrong])
