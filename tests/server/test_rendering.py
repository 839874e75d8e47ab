"""A client can render everything with the catalogue alone."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import mekuri
from mekuri import games
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import LANGUAGES, Lang, rulebook
from mekuri.protocol.coding import encode
from mekuri.protocol.library import catalogue
from mekuri.protocol.texts import all_texts
from mekuri.testing.worlds import act
from tests.helpers.server.templates import arguments, each_language, in_number
from tests.helpers.tables import each_game, each_preset

Json = dict[str, Any]


def as_sent(text: Text) -> Json:
    """A text as a client reads it."""
    sent: Json = msgspec.json.decode(encode(text))
    return sent


def render(catalogue: Json, text: Json, players: tuple[str, ...], names: str) -> str:
    """A client's renderer: a catalogue's JSON and a text's, and nothing of Mekuri."""
    cards = catalogue["names"][names]["cards"]
    if text["id"] == "card":
        return str(cards[text["args"]["card"]])
    numbers = catalogue["texts"]["numbers"]

    def argument(key: str, value: Any) -> str:
        if isinstance(value, dict):
            return render(catalogue, value, players, names)
        if key == "seat":
            return players[value] if value < len(players) else str(numbers["player"]).replace("{n}", str(value + 1))
        if key == "card":
            return str(cards[value])
        if key == "cards":
            return str(numbers["joint"].join(cards[card] for card in value))
        return str(catalogue["yaku"][value]["name"]) if key == "yaku" else str(value)

    table, _, key = text["id"].partition(".")
    found = in_number(str(catalogue["texts"][table][key]), text["args"])
    for name, value in text["args"].items():
        found = found.replace(f"{{{name}}}", argument(name, value))
    return found


def texts_of(round: mekuri.Round, seat: int | None) -> Iterator[Text]:
    """Return the texts for one viewer in a state of a round."""
    view = round.view(seat)
    yield from (choice.text for choice in view.legal)
    yield from (refused.text for refused in view.refused)
    yield from (line.text for line in view.score)
    if view.prompt:
        yield view.prompt
    for action in [*range(49), *map(int, round.contract.words)] if seat is not None else []:
        refused = round.refusal(action, seat)
        if refused:
            yield refused[0]


def said(game: mekuri.Game, seeds: int = 3) -> list[Text]:
    """Return every text of some random rounds, for any viewer."""
    found: dict[str, Text] = {}
    for seed in range(seeds):
        chance = random.Random(seed)
        round = game.deal(seed=seed)
        while True:
            for seat in (None, *range(game.seats)):
                found |= {repr(text): text for text in texts_of(round, seat)}
            if round.over:
                break
            act(round, chance)
        for seat in (None, *range(game.seats)):
            found |= {repr(event.text): event.text for event in round.events(seat)}
    return list(found.values())


@pytest.mark.in_turn(3)
@each_preset
def test_texts_of_a_match_can_be_rendered(name: str, preset: str) -> None:
    game = mekuri.game(name, preset)
    texts = said(game)
    kinds = {text.id.partition(".")[0] for text in texts}
    assert kinds >= {"prompts", "events", "refusals", "lines"}
    assert "card" in kinds or game.contract.side, "no card is played"
    for lang in LANGUAGES:
        decoded = msgspec.json.decode(encode(catalogue(game.contract, lang)))
        for names in decoded["names"]:
            for players in (tuple("花月" * game.seats), ()):
                for text in texts:
                    expected = game.rulebook.render(text, lang, players, names)
                    assert render(decoded, as_sent(text), players, names) == expected
                    assert "{" not in expected


@each_game
@each_language
def test_every_text_can_be_rendered(name: str, lang: Lang) -> None:
    """With arguments of every sort, also rare ones: several cards, and a text within a text."""
    book, contract = rulebook(games.find(name)), games.find(name)
    cards = contract.rules.pack(contract.options())
    sorts: dict[str, Any] = {"seat": 1, "card": cards[0], "cards": sum(1 << card for card in cards[:3])}
    if contract.yaku:
        sorts["yaku"] = contract.yaku[0]
    decoded = msgspec.json.decode(encode(catalogue(contract, lang)))
    names = next(iter(decoded["names"]))
    within = Text("card", {"card": cards[1]})
    of_bots = {"bots", "bots-help"}  # which bots bring themselves
    for table in decoded["texts"].keys() - all_texts().keys() - {"numbers", "you"} - of_bots:
        for key, template in decoded["texts"][table].items():
            text = Text(f"{table}.{key}", {argument: sorts.get(argument, within) for argument in arguments(template)})
            for players in ((), ("花", "月")):
                assert render(decoded, as_sent(text), players, names) == book.render(text, lang, players, names)
