"""The table in the terminal, played through by keyboard and by mouse."""

import re
from collections.abc import Iterator

import pytest
from textual.events import Hide
from textual.pilot import Pilot

import mekuri
from mekuri import bots, games
from mekuri.cards import card_text
from mekuri.cards import each as each_card
from mekuri.engine.rulebook import Lang
from mekuri.match.match import Match
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.base.translate import sign
from mekuri.terminal.screens.app import MekuriApp
from mekuri.terminal.screens.help import HelpScreen
from mekuri.terminal.screens.home import GameCard, HomeScreen, home_app
from mekuri.terminal.screens.options import DEALER, OPPONENT, PRESET, SEATS, OptionRow, OptionsScreen
from mekuri.terminal.screens.rules import RulesScreen
from mekuri.terminal.screens.sheet import LogScreen, ResultScreen, ScoreScreen, SheetScreen
from mekuri.terminal.screens.table import TableScreen, table_app
from mekuri.terminal.screens.widgets import LogView
from mekuri.terminal.screens.zone import CardZone, WordZone
from mekuri.testing.worlds import random_round, steps
from tests.helpers.screens import (
    LARGE,
    SMALL,
    TINY,
    illegal_place,
    on_screen,
    place_of,
    play_card,
    play_on,
    play_through,
    read_paper,
    screen_text,
    solo,
    table_of,
    until_asked,
)
from tests.helpers.tables import MATCH_PRESETS, USUAL, WORDS, games_in_turn, in_turn
from tests.helpers.time import until

Setting = tuple[str, Lang, tuple[int, int]]
SETTINGS: list[tuple[Lang, tuple[int, int]]] = [("en", SMALL), ("ja", LARGE), ("ja", SMALL), ("en", LARGE)]
# Every game at one setting, and every setting with a game.
ONE_SETTING: list[Setting] = [(name, *SETTINGS[i % len(SETTINGS)]) for i, name in enumerate(games.names())]


def in_settings(settings: list[Setting], first: int) -> pytest.MarkDecorator:
    ids = [f"{name}-{lang}-{'small' if size == SMALL else 'large'}" for name, lang, size in settings]
    return pytest.mark.parametrize(("name", "lang", "size"), in_turn(settings, first), ids=ids)


def takes_cards(name: str) -> bool:
    """Whether cards take others in a game."""
    zones = [zone for now in steps(random_round(mekuri.game(name), 0)) for zone in now.view().zones]
    return any(zone.kind == "captured" for zone in zones)


# The games in which cards are played: an illegal card shows the reason.
PLAYING = [setting for setting in ONE_SETTING if not games.find(setting[0]).side]
TAKING = [name for name in games.names() if takes_cards(name)]


def hidden_cards(match: Match, seat: int) -> Iterator[int]:
    """Yield the cards in other hands that a seat may not see."""
    seen = {card for zone in match.round.view(seat).zones for card in zone.cards}
    for other in range(match.game.seats):
        for zone in match.round.view(other).zones:
            yield from (card for card in zone.cards if card is not None and card not in seen)


def check_secrets(app: MekuriApp, match: Match, lang: Lang) -> None:
    shown, book = screen_text(app), match.game.rulebook
    visible = "\n".join(book.card(card, lang) for zone in match.round.view(0).zones for card in zone.cards if card is not None)
    for card in hidden_cards(match, 0):
        assert not re.search(rf"(?<!\d){re.escape(sign(card))}", shown), f"the screen shows {sign(card)}"
        if book.card(card, lang) not in visible:
            assert book.card(card, lang) not in shown


@pytest.mark.in_turn(3)
@in_settings(ONE_SETTING, 0)
async def test_match_by_keyboard(name: str, lang: Lang, size: tuple[int, int]) -> None:
    play = await solo(name)
    app, match = table_app(play, lang), play.match
    async with app.run_test(size=size) as pilot:
        acted = 0
        while await until_asked(pilot):
            if size == SMALL:
                check_secrets(app, match, lang)
            await play_card(pilot)
            acted += 1
        assert acted == sum(seat == 0 for seat, _ in match.round.actions)
        assert isinstance(app.screen, SheetScreen)
        sheet = await read_paper(pilot)
        lines = match.round.score_sheet().lines
        for line in lines:
            assert app.screen.translator.text(line.text).replace(" ", "")[:20] in sheet
            assert line.clause not in sheet
        await pilot.press("r")
        cited = await read_paper(pilot)
        assert all(line.clause in cited for line in lines), "the key r shows the clauses"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        await pilot.press("enter")
        await pilot.pause()
    assert match.over


@pytest.mark.every_days(4)
@pytest.mark.in_turn(3)
@in_settings(ONE_SETTING, 1)
async def test_match_by_mouse(name: str, lang: Lang, size: tuple[int, int]) -> None:
    play = await solo(name, seed=8)
    app, match = table_app(play, lang), play.match
    async with app.run_test(size=size) as pilot:
        while await until_asked(pilot):
            await pilot.pause()  # until the layout is done
            here = table_of(app)
            assert here.view
            action = here.view.legal[-1].action
            zone, i = place_of(here, action)
            assert await pilot.click(zone, offset=zone.box(i))
            done = (0, match.round.parse_action(action))
            await until(lambda: done in match.round.actions)  # noqa: B023 - waited for at once
        assert isinstance(app.screen, SheetScreen)
    assert match.round.over


@pytest.mark.every_days(4)
@pytest.mark.parametrize("name", TAKING)
async def test_captured_cards_are_marked_under_cursor(name: str) -> None:
    async with on_screen(await solo(name, seed=5)) as (app, pilot):
        seen = False
        while not seen and await until_asked(pilot):
            here = table_of(app)
            assert here.view
            for choice in here.view.legal:
                if choice.takes and choice.text.id == "card":
                    zone, i = place_of(here, choice.action)
                    zone.focus()
                    zone.point_at(i)
                    await pilot.pause()
                    marked = {face.card for each in here.query(CardZone) for face in each.faces if face.foot}
                    assert marked == set(each_card(choice.takes))
                    assert "taken" in screen_text(app)
                    seen = True
            await play_card(pilot)
        assert seen


@pytest.mark.every_days(4)
@pytest.mark.parametrize("name", TAKING)
async def test_captured_cards_are_marked_under_mouse(name: str) -> None:
    async with on_screen(await solo(name, seed=5), size=LARGE) as (app, pilot):
        while await until_asked(pilot):
            here = table_of(app)
            assert here.view
            taking = [choice for choice in here.view.legal if choice.takes and choice.text.id == "card"]
            if taking:
                zone, i = place_of(here, taking[-1].action)
                await pilot.hover(zone, offset=zone.box(i))
                await pilot.pause()
                assert {f.card for each in here.query(CardZone) for f in each.faces if f.foot} == set(each_card(taking[-1].takes))
                return
            await play_card(pilot)
    raise AssertionError("no card took anything")


async def test_key_bar_can_be_clicked() -> None:
    async with on_screen(await solo("mushi")) as (app, pilot):
        await until_asked(pilot)
        at = screen_text(app).splitlines()[-1].index("? help")
        await pilot.click("#keys", offset=(at, 0))
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)


async def test_match_in_progress_continues() -> None:
    play = await solo("mushi", pace=5)
    table = play.table
    await play_on(play, lambda: len(table.running.actions) >= 4)
    assert not table.running.over
    async with on_screen(play, size=LARGE) as (app, pilot):
        await until(lambda: table_of(app).view)
        here = table_of(app)
        assert here.view
        assert here.view.version == table.version(0)
        assert here.play.number == 1
        assert await until_asked(pilot)


@pytest.mark.every_days(4)
@in_settings([(name, lang, SMALL) for name, lang, _ in PLAYING], 0)
async def test_illegal_card_shows_reason_and_opens_clause(name: str, lang: Lang, size: tuple[int, int]) -> None:
    play = await solo(name, rounds=3)
    app, match = table_app(play, lang), play.match
    async with app.run_test(size=size) as pilot:
        illegal: tuple[CardZone, int] | None = None
        while illegal is None:
            if await until_asked(pilot):
                illegal = illegal_place(table_of(app))
            if illegal is None:
                await pilot.press("enter")
        zone, i = illegal
        card = zone.faces[i].card
        assert card is not None
        refused = match.round.refusal(card_text(card), 0)
        assert refused
        before = list(match.round.actions)
        zone.focus()
        zone.point_at(i)
        await pilot.press("enter")
        await pilot.pause()
        text, clause = refused
        shown = screen_text(app)
        assert table_of(app).translator.text(text)[:30] in shown
        assert clause in shown
        assert match.round.actions == before
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(app.screen, RulesScreen)
        await pilot.pause()
        assert clause in screen_text(app)
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)


async def test_digits_pick_cards_of_hand() -> None:
    play = await solo("mushi")
    async with on_screen(play) as (app, pilot):
        await until_asked(pilot)
        hand = table_of(app).board.hand()
        assert hand
        await pilot.press("3")
        assert hand.cursor == 2
        card = hand.faces[2].card
        assert card is not None
        await pilot.press("enter")
        await until(lambda: (0, card) in play.match.round.actions)


async def test_word_shown_again_at_once_keeps_the_focus() -> None:
    """Textual tells a widget late that it was hidden: the key would choose a card of the hand, which is refused."""
    play = await solo("hiyoko")
    await play_on(play, lambda: [str(action) for action in play.table.running.legal_for(0)] == ["pass"])
    async with on_screen(play) as (app, pilot):
        await until_asked(pilot)
        words = app.screen.query_one(WordZone)
        assert app.focused is words
        words.post_message(Hide())
        await pilot.pause()
        assert app.focused is words


async def test_card_names_cycle_through_all_sets() -> None:
    async with on_screen(await solo("tensho")) as (app, pilot):
        await until_asked(pilot)
        table = table_of(app)
        names = [table.translator.card(31)]
        for _ in table.play.book.names:
            await pilot.press("n")
            names.append(table.translator.card(31))
        await pilot.press("n")
        assert names == ["8 of cups", *(table.play.book.card(31, "en", one) for one in table.play.book.names)]
        assert table.translator.card(31) == "8 of cups"


@pytest.mark.every_days(4)
@pytest.mark.in_turn(2)
@games_in_turn(1)
async def test_screens_switch_language_and_theme(name: str) -> None:
    async with on_screen(await solo(name)) as (app, pilot):
        await until_asked(pilot)
        for key in ("question_mark", "r", "s", "l"):
            await pilot.press(key)
            await pilot.pause()
            assert not isinstance(app.screen, TableScreen)
            before = screen_text(app)
            await pilot.press("g")
            await pilot.press("d")
            await pilot.pause()
            assert screen_text(app) != before
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, TableScreen)
        assert app.theme == "washi"


async def test_log_is_beside_wide_table() -> None:
    async with on_screen(await solo("mushi"), size=LARGE) as (app, pilot):
        await until_asked(pilot)
        await pilot.press("l")
        assert isinstance(app.focused, LogView)
        await pilot.press("escape")
        assert isinstance(app.focused, CardZone)
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(app.screen, ScoreScreen)
        assert not isinstance(app.screen, LogScreen)


async def test_leaving_asks_first() -> None:
    async with on_screen(await solo("mushi")) as (app, pilot):
        await until_asked(pilot)
        await pilot.press("q")
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)
        await pilot.press("q")
        await pilot.press("enter")
        await pilot.pause()
    assert app.return_code == 0


@games_in_turn(1)
async def test_spectator_sees_bots_play(name: str) -> None:
    game = mekuri.game(name)
    match = await local_play(ask_table(game, ("greedy", *["random"] * (game.seats - 1)), {"rounds": 2}), 0)
    async with on_screen(match) as (app, _):
        await until(lambda: isinstance(app.screen, ResultScreen))
    assert match.over


async def test_enter_skips_pace() -> None:
    """At this pace no event would follow within the day."""
    play = await solo("mushi", pace=24 * 3600)
    app, match = table_app(play), play.match
    async with app.run_test(size=SMALL) as pilot:
        while sum(seat == 0 for seat, _ in match.round.actions) <= 2:
            await pilot.pause(0.01)
            await pilot.press("enter")


@pytest.mark.in_turn(2)
@games_in_turn(2)
async def test_tiny_terminal_plays(name: str) -> None:
    play = await solo(name)
    app, match = table_app(play), play.match
    async with app.run_test(size=TINY) as pilot:
        while await until_asked(pilot):
            await pilot.pause()
            focused = app.focused
            assert focused
            assert app.screen.find_widget(focused).visible_region, "the focused zone is out of sight"
            await play_card(pilot)
    assert match.round.over


async def test_menu_starts_a_game() -> None:
    app = home_app("en", pace=0)
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        cards = list(app.screen.query(GameCard))
        assert [card.played for card in cards] == [*games.names(), *games.entries()]
        for name in games.names():
            assert mekuri.game(name).rulebook.tables["name"]["en"] in screen_text(app)
        await pilot.press("g")
        await pilot.pause()
        assert mekuri.game(games.names()[0]).rulebook.tables["name"]["ja"] in screen_text(app)
        await until(lambda: isinstance(app.focused, GameCard))
        # A game in which every deal leaves each player a choice.
        await pilot.press("down", "up", *["down"] * games.names().index(USUAL), "enter")
        await until(lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
        assert await until_asked(pilot)
        await pilot.press("q", "enter")
        await until(lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("q")


@pytest.mark.parametrize("id", games.entries())
async def test_menu_starts_an_entry_by_its_own_name(id: str) -> None:
    contract, entry = games.entries()[id]
    app = home_app("en", pace=0)
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        card = next(card for card in app.screen.query(GameCard) if card.entry == id)
        card.focus()
        await pilot.press("o")
        await pilot.pause()
        rows = {row.option.name: row for row in app.screen.query(OptionRow)}
        assert {name: rows[name].value for name in entry.options} == entry.options
        assert entry.name["en"] in screen_text(app)
        await pilot.press("enter")
        await until(lambda: any(isinstance(screen, TableScreen) for screen in app.screen_stack))
        play = table_of(app).play
        assert isinstance(play, LocalPlay)
        assert (play.contract, play.table.entry) == (contract, id)
        assert play.book.tables["name"] == entry.name
        assert play.book.names[0] == entry.names


async def options_of(pilot: Pilot[None], name: str) -> tuple[OptionsScreen, dict[str, OptionRow]]:
    """Return the options screen of a game, opened from the menu, and its rows by the names of their options."""
    await pilot.pause()
    for _ in range(games.names().index(name)):
        await pilot.press("down")
    await pilot.press("o")
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, OptionsScreen)
    return screen, {row.option.name: row for row in screen.query(OptionRow)}


@games_in_turn(0)
async def test_options_are_chosen_and_played(name: str) -> None:
    app = home_app("en", pace=0)
    async with app.run_test(size=SMALL) as pilot:
        screen, rows = await options_of(pilot, name)
        opponents = rows[OPPONENT].option
        assert opponents.values == bots.names_for(screen.contract)
        await pilot.press("right")
        chosen = opponents.values[(opponents.values.index(opponents.default) + 1) % len(opponents.values)]
        rows["rounds"].focus()
        await pilot.press(*["backspace"] * len(rows["rounds"].value), "4")
        rows[DEALER].focus()
        await pilot.press("left")  # the last seat
        await pilot.pause()
        assert screen.choices().opponent == chosen
        assert screen.choices().rounds["rounds"] == "4"
        await pilot.press("enter")
        await until(lambda: any(isinstance(shown, TableScreen) for shown in app.screen_stack))
        play = table_of(app).play
        assert isinstance(play, LocalPlay)
        # The dealer begins and may have won before any other player is asked.
        assert await until_asked(pilot) or play.match.finished or play.match.round.over
        assert play.seats == seats_of(mekuri.game(name), chosen)
        assert play.match.options == mekuri.game(name).match_options({"rounds": 4})
        assert play.match.first_dealer == play.match.dealer == play.match.game.seats - 1


async def test_number_option_takes_arrows_and_typing() -> None:
    """Arrows give the usual numbers and the words for numbers; any other number may be typed."""
    name, option, _, word = WORDS[-1]
    app = home_app("en", pace=0)
    async with app.run_test(size=SMALL) as pilot:
        app.push_screen(OptionsScreen(games.find(name)))
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, OptionsScreen)
        row = next(row for row in screen.query(OptionRow) if row.option.name == option)
        named = screen.book.tables["options"][option]["values"][word]["en"]
        row.focus()
        seen = []
        for _ in row.option.offered:
            await pilot.press("right")
            seen.append(row.value)
            assert f"‹ {named if row.value == word else row.value} ›" in screen_text(app)
        assert sorted(seen) == sorted(row.option.offered)
        row.put(word)
        await pilot.press("backspace")  # takes a word whole
        assert row.value == ""
        row.put(word)
        await pilot.press("1", "1")
        await pilot.pause()
        assert "[ 11 ]" in screen_text(app)
        assert screen.choices().rounds[option] == "11"


async def test_first_dealer_is_one_of_the_seats() -> None:
    """With fewer seats, a dealer without a seat is replaced by a lot."""
    app = home_app("en", pace=0)
    async with app.run_test(size=SMALL) as pilot:
        app.push_screen(OptionsScreen(next(contract for name in games.names() if len((contract := games.find(name)).seats) > 1)))
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, OptionsScreen)
        rows = {row.option.name: row for row in screen.query(OptionRow)}
        assert screen.choices().first_dealer is None
        rows[SEATS].put(rows[SEATS].option.values[-1])
        await pilot.pause()
        rows[DEALER].put(rows[DEALER].option.values[-1])
        await pilot.pause()
        assert screen.choices().first_dealer == int(rows[SEATS].value) - 1
        rows[SEATS].put(rows[SEATS].option.values[0])
        await pilot.pause()
        assert screen.choices().first_dealer is None
        rows[DEALER].put("1")
        await pilot.pause()
        assert "First dealer  ‹ You ›" in screen_text(app)


@pytest.mark.every_days(4)
async def test_preset_sets_match_options(subtests: pytest.Subtests) -> None:
    """An option that the player has set stays, and another preset leaves nothing of the one before."""
    app = home_app("en", pace=0)
    async with app.run_test(size=SMALL) as pilot:
        for name, preset in MATCH_PRESETS:
            with subtests.test(f"{name} {preset}"):
                screen = OptionsScreen(games.find(name))
                await app.push_screen(screen)
                rows = {row.option.name: row for row in screen.query(OptionRow)}
                kept, usual = next(iter(screen.contract.preset(preset)[1].items()))
                for own in (None, "3" if usual != 3 else "4"):
                    if own:
                        rows[kept].put(own)
                    for chosen in (preset, "default"):
                        rows[PRESET].put(chosen)
                        await pilot.pause()
                        wanted = mekuri.game(name, chosen).match_options({kept: own} if own else {})
                        assert mekuri.game(name).match_options(screen.choices().rounds) == wanted


async def test_contradicting_options_are_not_dealt() -> None:
    app = home_app("en", pace=0)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("o")
        row = next(row for row in app.screen.query(OptionRow) if row.option.name == "rounds")
        row.focus()
        await pilot.press(*["backspace"] * len(row.value), "9", "9", "9")
        await pilot.pause()
        assert "999" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, OptionsScreen)


async def test_seats_must_fit() -> None:
    game = mekuri.game("mushi")
    for seats in (("you", "you"), ("you",)):
        with pytest.raises(mekuri.MekuriError, match=r"one seat you|played by 2"):
            await local_play(ask_table(game, seats, {}), 0)


async def test_match_ends_after_round_on_wish() -> None:
    play = await solo(games.names()[-1], seed=8, rounds=4)
    await play_on(play, lambda: play.match.round.over)
    async with on_screen(play) as (app, pilot):
        await play_through(pilot)
        assert isinstance(app.screen, SheetScreen)
        await pilot.press("e")
        await until(lambda: isinstance(app.screen, ResultScreen))
    assert play.match.over
    assert len(play.match.finished) == 1
    assert play.table.why == "agreed"
