"""Finding a game by any of its names, in both languages, and the entries: variants under names of their own."""

from pathlib import Path

import pytest
from msgspec.structs import replace

import mekuri
from mekuri import games
from mekuri.engine import validation
from mekuri.engine.contract import Contract
from mekuri.engine.errors import UnknownGame
from mekuri.engine.options import all_texts
from mekuri.engine.rulebook import Entry, rulebook
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.rows import load
from mekuri.table.showing import show
from tests.helpers.unfinished import moved

AT = 1_800_000_000_000  # milliseconds

ALL = [(games.find(id), rulebook(games.find(id)).tables) for id in games.names()]
PRINTED = [(contract.id, name) for contract, book in ALL for name in book["name"].values()]
LISTED = [(contract.id, name) for contract, book in ALL for name in book["also"]]
IDS = {contract.id for contract, _ in ALL}
ENTRIES = [(contract, entry) for contract, entry in games.entries().values()]


@pytest.mark.parametrize(("id", "name"), [*((id, id) for id in sorted(IDS)), *PRINTED])
def test_every_printed_name_of_a_game_finds_it(id: str, name: str) -> None:
    for spelt in (name, name.upper(), f" {name}! "):
        assert games.look_up(spelt) == (games.find(id), None)
        assert id in games.with_name(spelt)


@pytest.mark.parametrize(("id", "name"), [*LISTED, *((entry.id, name) for _, entry in ENTRIES for name in entry.also)])
def test_other_names_find_a_game_or_all_that_share_them(id: str, name: str) -> None:
    assert games.called(name) in (id, None)
    assert id in games.with_name(name)


@pytest.mark.parametrize(("contract", "entry"), ENTRIES, ids=[entry.id for _, entry in ENTRIES])
def test_entry_is_its_game_with_its_own_options(contract: Contract, entry: Entry) -> None:
    for name in (entry.id, *entry.name.values()):
        assert games.look_up(name) == (contract, entry)
    played = mekuri.game(entry.id)
    assert (played.id, all_texts(played.options)) == (contract.id, all_texts(contract.options()) | dict(entry.options))
    first = next(iter(rulebook(contract, entry.id).names))
    assert first == (entry.names or rulebook(contract).names[0])
    assert rulebook(contract, entry.id).tables["name"] == entry.name
    assert rulebook(contract).tables["name"] != entry.name


@pytest.mark.parametrize(("contract", "entry"), ENTRIES, ids=[entry.id for _, entry in ENTRIES])
def test_table_of_an_entry_keeps_its_name(contract: Contract, entry: Entry) -> None:
    """Also after a restart and in a rematch, and with an option at the game's default."""
    asked = wire.AskTable(game=entry.id, seats=["person", *["random"] * (contract.seats[0] - 1)])
    table = commands.make("t", bytes(32), asked, "aki", AT)
    commands.sit(table, "aki", "Aki", wire.AskSeat(), AT)
    shown = show(table, 0)
    assert (shown.game, shown.entry, shown.options) == (contract.id, entry.id, entry.options)
    again = load("t", bytes(32), table.fresh)
    assert show(again, 0).entry == entry.id
    commands.leave(table, "aki", AT)
    commands.rematch(table, "aki", AT, "u", bytes(32), 0)
    assert table.founded
    assert show(table.founded, None).entry == entry.id
    plain = {name: all_texts(contract.options())[name] for name in entry.options}
    other = commands.make("v", bytes(32), replace(asked, options=plain), "aki", AT)
    assert show(other, None).options == {}
    named = replace(asked, game=contract.id)
    assert show(commands.make("w", bytes(32), named, "aki", AT), None).entry is None


def test_faults_of_entries_are_named(tmp_path: Path) -> None:
    contract, entry = ENTRIES[0]
    copied = moved(contract, tmp_path)
    book = tmp_path / "rulebook.toml"
    text = book.read_text(encoding="utf-8")
    for good, bad, said in (
        (f'id = "{entry.id}"', 'id = "With Flowers"', "has an id that is not made of"),
        (f'id = "{entry.id}"', f'id = "{entry.id}"\noptions = {{ strange = "yes" }}', "cannot be played"),
        (f'id = "{entry.id}"', f'id = "{entry.id}"\nrules = "others"', "has rules, which says nothing there"),
        (f'names = "{entry.names}"', 'names = "tarot"', "shows the card names tarot, which the game does not have"),
    ):
        assert text.count(good) == 1
        book.write_text(text.replace(good, bad), encoding="utf-8")
        faults = validation.faults(copied)
        assert len(faults) == 1
        assert f"[entries {'With Flowers' if 'Flowers' in bad else entry.id}] {said}" in faults[0]
        rulebook.cache_clear()


@pytest.mark.parametrize(
    ("name", "id"),
    [("koi koi", "koikoi"), ("Kôi-Kôi", "koikoi"), ("コイコイ", "koikoi"), ("ＭＵＳＨＩ", "mushi"), ("てんしょ", "tensho")],
)
def test_spelling_makes_no_difference(name: str, id: str) -> None:
    assert games.called(name) == id
    assert mekuri.game(name).id == id


@pytest.mark.parametrize(
    ("name", "meant"), [("kokoi", "koikoi"), ("tensyo", "tensho"), ("むちいち", "mutsuichi"), ("Muschi", "mushi")]
)
def test_message_about_an_unknown_name_offers_close_ones(name: str, meant: str) -> None:
    with pytest.raises(UnknownGame, match=rf"there is no game {name}: did you mean .*{meant}"):
        games.look_up(name)


@pytest.mark.parametrize("name", ["", "-", "qqq", "k" * 100_000])
def test_message_about_a_strange_name_lists_all_games(name: str) -> None:
    with pytest.raises(UnknownGame, match=f"there are {', '.join(games.names())}"):
        games.look_up(name)
    assert games.called(name) is None


def test_part_of_a_name_finds_all_games_that_have_it() -> None:
    assert {"tensho", "tenshu"} <= {*games.with_name("Tensh")}
    assert {*games.with_name("")} >= IDS
    assert not games.with_name("qqq")
