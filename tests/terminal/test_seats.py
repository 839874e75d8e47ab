"""The zones of each seat in the terminal, at tables of any size, and the texts around the cards."""

import re
from dataclasses import replace
from itertools import islice

import pytest
from rich.cells import cell_len
from rich.text import Text
from textual.geometry import Region

import mekuri
from mekuri import games
from mekuri.cards import parse_card
from mekuri.engine.contract import Zone
from mekuri.engine.rulebook import LANGUAGES, Lang
from mekuri.match.draw import zone_key
from mekuri.match.view import View
from mekuri.table.showing import show
from mekuri.terminal.base.line import Line
from mekuri.terminal.base.local import LocalPlay, ask_table, local_play, seats_of
from mekuri.terminal.base.prose import broken
from mekuri.terminal.base.remote import RemotePlay
from mekuri.terminal.base.translate import Translator
from mekuri.terminal.screens import board, render, seats
from mekuri.terminal.screens.render import Drawing, moved
from mekuri.terminal.screens.table import FEW, TableScreen, table_app
from mekuri.terminal.screens.zone import CardZone
from mekuri.testing.worlds import random_round, steps
from tests.helpers.screens import LARGE, SMALL, on_screen, play_card, screen_text, solo, table_of, translator_of, until_asked
from tests.helpers.tables import HELD, games_in_turn, in_turn
from tests.helpers.time import FakeTime

SHORTENED = 7  # cells of a name where accounts need the room beside it
games_of_a_bank = pytest.mark.parametrize("name", [name for name in games.names() if games.find(name).shape == "bank"])


def asked(name: str) -> tuple[mekuri.Game, View]:
    """Return a game and a view of a player who may play a card from the hand."""
    game = mekuri.game(name)
    for now in steps(random_round(game, 3)):
        for seat in set(now.waiting) & set(range(game.seats)):
            view = now.view(seat)
            if {now.action_text(card) for card in held(view)} & {choice.action for choice in view.legal}:
                return game, view
    raise AssertionError("no card is played from a hand")


def held(view: View) -> set[int]:
    hands = (zone.cards for zone in view.zones if zone.kind == "hand" and zone.owner == view.you)
    return {card for cards in hands for card in cards if card is not None}


def drawing(game: mekuri.Game, view: View, lang: Lang = "en") -> Drawing:
    return Drawing(view, translator_of(game, lang), {}, frozenset())


def test_hidden_place_has_no_number() -> None:
    """Nor has the hand from which the cards may have been played."""
    game, view = asked(games.names()[0])
    held, bet = Zone("hand-1", 1, "hand", "fan", (None,) * 6), Zone("bet-1", 1, "bet", "row", (), hidden=True)
    for apart in (False, True):
        label, found = seats.block(1, [held, bet], drawing(game, view), named=True, apart=apart)
        assert not any(letter.isdigit() for letter in label.replace("1", "", 1) + found[-1].label)  # but for the player's own
        assert found[-1].sign == "hidden"
        shown = Zone("bet-1", 1, "bet", "row", (None, None), 20)
        label, found = seats.block(1, [held, shown], drawing(game, view), named=True, apart=apart)
        assert label.endswith("6 ")
        assert "2" in found[6].label
        assert "(20 staked)" in found[6].label
    assert render.place_label(shown, drawing(game, view).translator).endswith("  2 (20 staked) ")


@games_of_a_bank
async def test_cloth_is_white(name: str) -> None:
    """In both themes, with the name of its place on it and no card back under it."""
    game = mekuri.game(name)
    async with on_screen(await solo(game, "random", seed=1, first_dealer=1)) as (app, pilot):
        assert await until_asked(pilot)
        for _ in range(2):
            cloth = next(zone for zone in table_of(app).query(CardZone) if any(face.covered for face in zone.faces))
            white = [span for span in cloth.render().spans if "#ffffff" in str(span.style)]
            assert white
            assert "▒" not in cloth.render().plain
            await pilot.press("d")
            await pilot.pause()


class TestTables:
    """On the smallest screen, with the most seats of a game."""

    @games_in_turn(0)
    async def test_all_players_and_legal_cards_are_in_sight(self, name: str) -> None:
        game = mekuri.game(name, seats=max(games.find(name).seats))
        async with on_screen(await solo(game, "random", seed=1, rounds=2)) as (app, pilot):
            number = 0
            while number < 3 and await until_asked(pilot):
                await pilot.pause()
                here = table_of(app)
                view = here.view
                assert view
                assert view.prompt
                shown = screen_text(app)
                assert here.translator.text(view.prompt)[:30] in shown
                owners = {zone.owner for zone in view.zones} - {None, 0}
                assert owners or name not in HELD
                for seat in owners:
                    assert seat is not None
                    names = {here.translator.player(seat, width) for width in range(SHORTENED, seats.NAME + 1)}
                    assert any(each in shown for each in names)
                for zone in here.query(CardZone):
                    if zone.display and any(face.legal for face in zone.faces):
                        assert seen_whole(zone), f"of {zone.id} a part is out of sight"
                await play_card(pilot)
                number += 1
            assert number

    @games_in_turn(1)
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_block_has_all_zones_of_seat(self, name: str, lang: Lang) -> None:
        game = mekuri.game(name)
        for now in islice(steps(random_round(game, 2)), 0, None, 7):
            view = now.view(0)
            drawn = drawing(game, view, lang)
            for seat in range(1, game.seats):
                zones = [zone for zone in view.zones if zone.owner == seat]
                if not zones:
                    continue
                label, found = seats.block(seat, zones, drawn, named=True, apart=False)
                assert cell_len(label) == render.LABEL
                assert drawn.translator.player(seat, seats.NAME) in label
                assert (seats.DEALER in label) == (seat == view.dealer)
                hidden = any(zone.hidden for zone in zones)  # then the number of cards in the hand is hidden
                assert label[-4:].strip() == ("" if hidden else str(zones[0].count))
                for zone in zones[1:]:
                    counted = "" if zone.count is None else f" {zone.count}"
                    place = f" {drawn.translator.place(zone)}{counted} {render.stake(zone, drawn.translator)}"
                    assert any(face.label == place for face in found)
                visible = {card for zone in zones if not render.is_pile(zone) for card in zone.cards} - {None}
                assert visible <= {face.card for face in found}

    @pytest.mark.parametrize(("lang", "label"), [("en", "Sits out "), ("ja", "からばん ")])
    def test_seat_with_other_part_is_labelled(self, lang: Lang, label: str) -> None:
        game = mekuri.game("tenshu", seats=7)
        view = game.deal(seed=1, dealer=1).view(0)
        places = [[zone for zone in view.zones if zone.owner == seat] for seat in range(7)]
        blocks = [seats.block(seat, places[seat], drawing(game, view, lang), named=True, apart=False)[1] for seat in range(7)]
        assert [seat for seat, faces in enumerate(blocks) if faces[0].label == label] == [0, 6]

    @pytest.mark.every_days(4)
    async def test_own_part_is_labelled(self) -> None:
        async with on_screen(await solo(mekuri.game("tenshu", seats=6), "greedy", 2, first_dealer=1)) as (app, pilot):
            table = table_of(app)
            assert not await until_asked(pilot)  # a player who sits out sees the sheet next
            assert "Sits out" in str(table.query_one("#seat-0", CardZone).render())

    def test_long_name_keeps_number(self) -> None:
        who = ("you", *["A very long name indeed"] * 12)
        translator = Translator(mekuri.game(games.names()[0]).rulebook, "en", who, people=frozenset(range(1, 13)))
        names = [translator.player(seat, 12) for seat in range(1, 13)]
        assert len(set(names)) == 12
        assert all(cell_len(name) <= 12 for name in names)
        assert names[11].endswith("… 12")
        assert translator.players([1]) == translator.player(1)
        assert translator.players([1, 2, 3]).count(",") == 2
        assert "11 others" in translator.players(range(1, 13))


def seen_whole(zone: CardZone) -> bool:
    geometry = zone.screen.find_widget(zone)
    region: Region = geometry.region
    return geometry.visible_region == region


class TestRepeatedCards:
    """With several packs, or a card that only shows an earlier event."""

    @pytest.mark.parametrize("name", in_turn(HELD, 2))
    def test_card_is_legal_in_hand_only(self, name: str) -> None:
        game, view = asked(name)
        board = Zone("elsewhere", None, "board", "row", tuple(held(view)))
        view = replace(view, zones=(board, *view.zones))
        drawn = drawing(game, view)
        assert not any(face.legal for face in drawn.cards(board))
        hand = next(zone for zone in view.zones if zone.kind == "hand" and zone.owner == view.you)
        assert any(face.legal for face in drawn.cards(hand))

    @pytest.mark.parametrize("name", in_turn(HELD, 0))
    def test_only_moved_card_is_fresh(self, name: str) -> None:
        _, view = asked(name)
        card = min(held(view))
        board = Zone("elsewhere", None, "board", "row", (card,))
        after = replace(view, zones=(*view.zones, board))
        assert moved(view, after) == {(card, "elsewhere", None)}
        assert moved(after, after) == set()

    @pytest.mark.parametrize("name", in_turn(HELD, 1))
    def test_card_off_the_table_is_offered_among_words(self, name: str) -> None:
        """Such as a number to be named."""
        game, view = asked(name)
        drawn = drawing(game, view)
        cards = {choice.action for choice in view.legal if choice.text.id == "card"}
        words = [choice.action for choice in view.legal if choice.text.id != "card"]
        assert [face.name for face in render.word_faces(view, drawn.translator)] == words
        bare = render.word_faces(replace(view, zones=()), drawn.translator)
        assert {face.sign for face in bare if face.card is not None} == {
            face.sign for zone in view.zones for face in drawn.cards(zone) if face.legal
        }
        assert len(bare) == len(words) + len(cards)
        assert all(face.legal for face in bare)


class TestPiles:
    @pytest.mark.parametrize("name", in_turn(HELD, 2))
    def test_only_top_card_of_pile_is_drawn(self, name: str) -> None:
        game, view = asked(name)
        drawn = drawing(game, view)
        low, top = (parse_card(card) for card in ("3H", "4I"))
        pile = Zone("heap", None, "pile", "stack", (low, top))
        kind = next(iter(game.rulebook.tables["zones"]))
        face = drawn.pile(replace(pile, id=kind))
        assert (face.card, face.pile) == (top, 2)
        assert face.place == game.rulebook.tables["zones"][kind]["en"]
        view = replace(view, zones=(pile,))
        assert render.drawn_cards(view) == {top}
        closed = drawn.pile(replace(pile, id=kind, cards=(None,) * 7))
        assert (closed.card, closed.sign, closed.pile) == (None, "7", 7)


class TestPlaces:
    def test_nearest_name_is_used(self) -> None:
        zone = Zone("left-3", 3, "offer", "stack", ())
        assert zone_key(zone, {"left-3": 0, "left": 0, "offer": 0}) == "left-3"
        assert zone_key(zone, {"left": 0, "offer": 0}) == "left"
        assert zone_key(zone, {"left-13": 0, "offer": 0}) == "offer"
        assert zone_key(replace(zone, owner=None), {"left": 0, "offer": 0}) == "offer"
        assert zone_key(replace(zone, owner=13, id="left-13"), {"left-1": 0, "left": 0}) == "left"

    @games_in_turn(0)
    def test_each_zone_has_name_in_rule_book(self, name: str) -> None:
        for count in games.find(name).seats:
            game = mekuri.game(name, seats=count)
            for now in steps(random_round(game, count)):
                view, named = now.view(0), game.rulebook.tables["zones"]
                assert {zone_key(zone, named) for zone in view.zones} | view.middle.keys() <= named.keys()

    @pytest.mark.every_days(4)
    @pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
    async def test_growing_amount_in_the_middle_is_in_sight(self, size: tuple[int, int]) -> None:
        """It has a line of its own above the piles, and legal cards stay in sight below."""
        app = table_app(await solo("isuri", "random", seed=1, rounds=4))
        seen: set[int] = set()
        async with app.run_test(size=size) as pilot:
            while len(seen) < 3 and await until_asked(pilot):
                await pilot.pause()
                here = table_of(app)
                assert here.view
                lines = [line.split("│")[0].split() for line in screen_text(app).splitlines()]
                assert ["Pot", str(here.view.middle["pot"])] in [line[:2] for line in lines]
                assert all(
                    seen_whole(zone) for zone in here.query(CardZone) if zone.display and any(face.legal for face in zone.faces)
                )
                seen.add(here.view.middle["pot"])
                await play_card(pilot)
        assert len(seen) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_window_counts_down(lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    left: int | None = 7
    monkeypatch.setattr(LocalPlay, "seconds_left", property(lambda play: left))
    game = mekuri.game(games.names()[0])
    play = await local_play(ask_table(game, seats_of(game, "greedy"), {}), 0, 3)
    async with on_screen(play, lang) as (app, pilot):
        assert await until_asked(pilot)
        await pilot.pause()
        here = table_of(app)
        assert here.say("table.seconds", n=7) in screen_text(app)
        left = 4
        here._count_down()
        await pilot.pause()
        assert here.say("table.seconds", n=4) in screen_text(app)
        left = None
        here._draw()
        await pilot.pause()
        assert here.say("table.seconds", n=4) not in screen_text(app)


def test_window_on_server_closes_at_time_of_view() -> None:
    play = object.__new__(RemotePlay)
    play._line = Line("http://127.0.0.1:9", time=FakeTime(1_000_000))
    for closes, left in ((None, None), (1_006_500, 7), (940_000, 0)):
        play._closes = closes
        assert play.seconds_left == left


@pytest.mark.parametrize("width", [24, 41, 80])
def test_long_question_is_broken_and_not_cut(width: int) -> None:
    for name in games.names():
        for prompt in mekuri.game(name).rulebook.tables["prompts"].values():
            for lang in LANGUAGES:
                rows = broken(Text(prompt[lang]), width, hang=2).plain.split("\n")
                assert all(cell_len(row) <= width for row in rows)
                assert all(row.startswith("  ") for row in rows[1:])
                assert "".join(rows).replace(" ", "") == prompt[lang].replace(" ", "")


@games_in_turn(1)
async def test_accounts_in_title_fit(name: str) -> None:
    """All accounts if there is room, else the player's own. Names of accounts are dropped first, then names of players are cut."""
    play = await solo(name, seed=1)
    view = show(play.table, 0).view
    assert view
    play._view = view
    translator = Translator(play.book, "en", play.seats)
    whole = render.ledger_line(play.ledger, translator)
    if not any(play.ledger):  # some games have no accounts before the first round is over
        assert render.title_accounts(play, translator, 0) == ("", True)
        return
    assert render.title_accounts(play, translator, 999) == (whole, True)
    titles = {width: render.title_accounts(play, translator, width) for width in range(cell_len(whole))}
    assert ("", False) in titles.values()
    numbers = render.stakes(play.ledger)
    for width, (line, every) in titles.items():
        assert cell_len(line) <= width
        assert not line or line.startswith("You")
        assert every == (line.count("   ") == len(play.seats) - 1)
        assert not every or [part.partition(" ")[2].endswith(has) for part, has in zip(line.split("   "), numbers, strict=True)]


SIZES = (SMALL, (100, 30), (140, 40))
TABLES = [(name, count) for name in games.names() for count in sorted(games.find(name).seats)]
LARGEST = max(count for _, count in TABLES)


def is_looked_at(name: str, count: int) -> bool:
    """Return whether a table is in the short test: the fewest and the most seats, and those at which the layout changes."""
    counts = games.find(name).seats
    if games.find(name).side:
        return count == max(counts)
    turning = {FEW, FEW + 1, board.IN_ONE_COLUMN + 1, board.IN_ONE_COLUMN + 2} if max(counts) == LARGEST else set()
    return count in {min(counts), max(counts), *turning}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "count"),
    [pytest.param(*each, marks=() if is_looked_at(*each) else pytest.mark.slow) for each in TABLES],
    ids=[f"{name}-{count}" for name, count in TABLES],
)
async def test_all_accounts_are_in_sight(name: str, count: int) -> None:
    """With every number of seats, at every size, in both languages."""
    async with on_screen(await solo(mekuri.game(name, seats=count), "random", seed=1, rounds=4)) as (app, pilot):
        for _ in range(2):
            if not await until_asked(pilot):
                break
            for size in SIZES:
                await pilot.resize_terminal(*size)
                await pilot.press("g")
                await pilot.pause()
                assert_accounts_are_seen(table_of(app), screen_text(app).splitlines())
            await play_card(pilot)


def assert_accounts_are_seen(here: TableScreen, shown: list[str]) -> None:
    """The title has all accounts, or the player's own, with the others beside the names."""
    numbers = [[str(value) for value in accounts.values()] for accounts in here.play.ledger]
    for seat, own in enumerate(numbers):
        if seat == 0 or not here._accounts:
            assert all(re.search(rf"(?<![\d-]){number}(?!\d)", shown[0]) for number in own)
        else:
            zone = here.query_one(f"#seat-{seat}", CardZone)
            where = here.find_widget(zone)
            assert where.visible_region.y == where.region.y, f"seat {seat} is out of sight"
            assert f" {render.stakes(here.play.ledger)[seat]} " in zone.label
            assert zone.label in shown[where.region.y]


@pytest.mark.parametrize("dealer", [0, 3])
def test_name_is_cut_before_numbers(dealer: int) -> None:
    game, view = asked(next(name for name in games.names() if 16 in games.find(name).seats))
    view = replace(view, dealer=dealer)
    accounts = ("500", "2000 · 1500", "-12000 · 15000", "7")
    translator = Translator(game.rulebook, "en", ("you", *["A very long name indeed"] * 3), people=frozenset({1, 2, 3}))
    for cards in (Zone("hand", 3, "hand", "fan", (None,) * 12), Zone("hand", 3, "hand", "fan", (), hidden=True)):
        for room in (0, 3, 16):
            drawn = Drawing(view, translator, {}, frozenset(), accounts, room)
            for seat, account in enumerate(accounts[1:], 1):
                label, _ = seats.block(seat, [replace(cards, owner=seat)], drawn, named=True, apart=False)
                assert cell_len(label) == render.LABEL + room or (cell_len(label) > render.LABEL + room and f"A v… {seat}" in label)
                assert f" {account} " in label
                assert cards.hidden or label.endswith(" 12 ")
                assert (seats.DEALER in label) == (seat == dealer)
