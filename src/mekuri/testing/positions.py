"""Checks of positions: every state can be written and set up again, and a text that is no position is refused with a reason."""

from __future__ import annotations

import random

from mekuri.cards import card_text
from mekuri.engine.contract import DRIVER, Contract
from mekuri.engine.errors import PositionError
from mekuri.engine.fields import Field, RoundState, fields
from mekuri.engine.options import Choice
from mekuri.engine.position import parse_position, position_text
from mekuri.match.game import Game, game
from mekuri.match.round import Round
from mekuri.testing.failure import CheckFailure, check, hold, same
from mekuri.testing.states import start
from mekuri.testing.worlds import act, astray, deck, lying, random_round, steps, values, viewers


def again(game: Game, text: str) -> RoundState:
    """Return the state that a position sets up, before any action of the driver."""
    s = start(game)
    parse_position(s, text)
    return s


def written(contract: Contract) -> list[Field]:
    """Return the fields that a position may name."""
    return [field for field in fields(contract.state) if not field.fixed and field.name != "pack"]


# --- There and back ---


@check
def every_state(game: Game, seed: int = 0) -> None:
    """Check that each state of a round can be written and set up again. Only cards of the pack that have been dealt may differ."""
    cards = game.contract.rules.pack(game.options)
    for now in steps(random_round(game, seed)):
        text = position_text(now._state)
        s = again(game, text)
        same(position_text(s), text, "the state that a position sets up has another position")
        same(values(s), values(now._state), "a position sets up another state than the one it was written of", now._state)
        same(sorted(s.pack[: len(cards)]), cards, "the pack of a position holds other cards", now._state)
        hold(set(s.pack[len(cards) :]) <= {-1}, "the pack of a position holds more cards than there are", now._state)
        same(astray(s, deck(game)), [], "in a position cards lie nowhere, or in two places", now._state)


@check
def played_on(game: Game, seed: int = 1) -> None:
    """Check that a round from a position stands as the original round does, and can be played to its end."""
    chance, whole = random.Random(seed), game.deal(seed=seed)
    while not whole.over:
        act(whole, chance)
        now = game.position(whole.position, seed=3)
        same(now.position, whole.position, "the round that a position sets up has another position")
        found = (now.waiting, now.over, now.dealer, now.legal)
        wanted = (whole.waiting, whole.over, whole.dealer, whole.legal)
        same(found, wanted, "others are asked, or something else, in a round from a position", whole._state)
        end = game.position(whole.position, seed=4)
        while not end.over:
            act(end, chance)
        hold(len(end.returns) == game.seats, "a round from a position has no returns for every seat", end._state)
        hold(end.ending in game.contract.endings, "a round from a position has an ending that is not there", end._state)
    ended = (now.returns, now.ending, now.next_dealer)
    same(ended, (whole.returns, whole.ending, whole.next_dealer), "a finished round from a position ended otherwise", whole._state)
    what = "a finished round from a position has another score sheet"
    same(repr(now.score_sheet()), repr(whole.score_sheet()), what, whole._state)


@check
def events(game: Game, seed: int = 2) -> None:
    """Check that a round from a position has the same later events as the original round."""
    chance, whole = random.Random(seed), game.deal(seed=seed)
    for _ in range(5):
        if not whole.over:
            act(whole, chance)
    now, before = game.position(whole.position), len(whole.events(0))
    same(now.events(), [], "something has happened already in a round from a position", whole._state)
    now._chance = list(whole._chance)
    while not now.over:
        act(now, chance)
        whole.play(*reversed(now.actions[-1]))
    expected = [(event.seat, event.action, event.text) for event in whole.events(0)[before:]]
    found = [(event.seat, event.action, event.text) for event in now.events(0)]
    same(found, expected, "events of a round from a position differ", now._beginning)
    hold(expected or not now.actions, "a round from a position has no events", now._beginning)


@check
def spelling(game: Game, seed: int = 3) -> None:
    """Check that case, spaces and the order of fields do not matter in a position."""
    text = game.deal(seed=seed).position
    wanted, backwards = values(again(game, text)), "; ".join(text.split("; ")[::-1])
    for other in (
        text.lower(),
        text.replace("; ", ";"),
        text.replace(";", " ;  ") + ";",
        " " + text,
        text.replace("_", "-"),
        backwards,
    ):
        same(values(again(game, other)), wanted, f"the position {other} is not read as the one it is: {text}")


@check
def hidden_states(game: Game, seed: int = 5) -> None:
    """Check that a hidden state can be written, names no card that its viewer may not see, and is refused as a position."""
    for now in steps(random_round(game, seed)):
        for viewer in viewers(game):
            text = position_text(now.hidden(viewer))
            shown = {card_text(card) for zone in now.view(viewer).zones for card in zone.cards if card is not None}
            parts = [part for part in text.split("; ") if part.split()[0] not in game.contract.notes]
            cards = {word for part in parts for word in part.split() if word[0].isdigit() and word[-1] in "HIOK"}
            hold(cards <= shown, f"{viewer} sees cards in a state that no zone shows: {sorted(cards - shown)}", now._state)
            if "?" in text:
                _refused(game, text, "")


def _refused(game: Game, text: str, why: str) -> None:
    """Raise CheckFailure where a text is not refused as a position, or without these words."""
    try:
        game.position(text)
    except PositionError as error:
        hold(str(error).strip() and why in str(error), f"{text[:80]!r} is refused without the words {why!r}: {error}")
    else:
        raise CheckFailure(f"{text[:80]!r} is read as a position, and should be refused", text)


# --- Texts that set up nothing ---


@check
def tries(game: Game, text: str) -> Round | None:
    """Check that a text is refused as a position with a reason, or gives a round that can be shown and played to its end.

    Returns the finished round; None where the text is refused.
    """
    try:
        round = game.position(text)
    except PositionError as error:
        hold(str(error).strip(), "a position is refused without a word", None)
        return None
    shown(round)
    same(position_text(again(game, round.position)), round.position, "a position is read as another")
    chance = random.Random(text)
    while not round.over:
        same(twice(round._state), [], "cards lie in two places, or are not in play", round._state)
        hold(round.waiting, "nobody is waited for, and the round is not over", round._state)
        hold(all(round.legal_for(seat) for seat in round.waiting), "a seat is waited for and may do nothing", round._state)
        act(round, chance)
    same(twice(round._state), [], "cards lie in two places, or are not in play", round._state)
    shown(round)
    return round


def twice(s: RoundState) -> list[int]:
    """Return the cards that lie in two places, or are not in play. Missing cards are allowed: a position may leave cards out."""
    found = lying(s)
    return [card for card in found if found.count(card) > 1 or card not in s.pack]


def shown(round: Round) -> None:
    """Call the methods of a round that show it, and check that each returns something."""
    for viewer in viewers(round.game):
        hold(str(round.view(viewer)), "a view shows nothing", round._state)
    round.events(0)
    for seat in range(round.game.seats):
        for action in (0, 20, 47, 48, *map(int, round.contract.words)):
            round.refusal(action, seat)
    hold(str(round.score_sheet()) or not round.score_sheet().lines, "a score sheet shows nothing", round._state)
    hold(str(round), "a round shows nothing", round._state)
    if round.over:
        hold(len(round.returns) == round.game.seats, "not every seat has a return", round._state)
        hold(round.ending in round.contract.endings, "the ending is not in the contract", round._state)
        hold(0 <= round.next_dealer < round.game.seats, "no seat deals next", round._state)
        hold(len(round.tallies) == round.game.seats, "not every seat has an account", round._state)


BAD = [
    "phase nonsense",
    "phase",
    "phase -",
    "phase 0",
    "phase play play",
    "phase play; phase play",
    "nothing 1",
    "pack 1H",
    "contract 1",
    "__class__ 1",
    "deck 1H",
    "seats 3",
    "dealer 15",
    "dealer -1",
    "dealer x",
    "dealer",
    "dealer 1 0",
    "dealer 1/0",
    "dealer " + "9" * 5000,
    "turns " + "9" * 5000,
    "turns " + str(1 << 41),
    "turns 1.5",
    "turns 1e3",
    "turns ²",
    "turns 0x1",
    "turns 1_0",
    "turns +1",
    "redeals 1/2/3/4/5",
    "redeals 1//2",
    "redeals /",
    "ending 15",
    "ending 99",
    "gathered 5",
    "gathered 49",
    "stock 1H 1H",
    "stock ?",
    "stock G",
    "stock 13H",
    "stock 0H",
    "stock 1h 1H",
    "stock 1H / 2H",
    "stock x",
    "\x00",
    "\ud800 1",
    "phase \ud800",
    "stock \ud800",
    "; ; x",
    "phase play" * 1000,
]


@check
def bad_text(game: Game, text: str) -> None:
    """Check that a text is refused as a position, with a reason."""
    _refused(game, text, "")


@check
def a_dealer_who_is_not_there(game: Game) -> None:
    """Check that a position with a dealer who is no seat is refused."""
    _refused(game, f"dealer {game.seats}", "dealer")


@check
def no_stock(game: Game) -> None:
    """Check that a position with an empty stock and nothing else is refused: there are no cards to deal."""
    if deck(game):  # empty where several packs are in play, whose sets of cards are notes
        _refused(game, "stock", "")


@check
def nothing_at_all(game: Game) -> None:
    """Check that an empty text is refused, or can be played."""
    for text in ("", " ", ";", "\n"):
        tries(game, text)


def _holding(game: Game) -> list[Field]:
    """Return the fields that are sets of cards and not mere notes."""
    return [field for field in written(game.contract) if field.kind == "cards" and field.name not in game.contract.notes]


def _finished(game: Game) -> str:
    """Return the beginning of a position of a finished round, for games that have such a phase; "" for others."""
    phase = next((field.names for field in written(game.contract) if field.name == "phase"), None)
    over = phase and any(isinstance(name, Choice) and name.text == "over" for name in phase)
    return "phase over; " if over else ""


@check
def a_card_twice(game: Game) -> None:
    """Check that a position is refused that names a card twice: in one place, one row, two fields, or a field and the stock."""
    over, card = _finished(game), card_text(min(game.contract.rules.pack(game.options)))
    texts = [f"{place} {card}" for place in [*(field.name for field in _holding(game)), "stock"]]
    texts += [f"{field.name} - / {card}" for field in _holding(game) if field.length > 1]
    for one in texts:
        _refused(game, f"{over}{one} {card}", f"{card} stands twice")
        for other in texts:
            if one.split()[0] != other.split()[0]:
                _refused(game, f"{over}{one}; {other}", f"{card} lies in")
        if "/" in one:
            _refused(game, f"{over}{one.replace('-', card)}", f"{card} stands twice")


@check
def a_card_that_is_not_in_play(game: Game) -> None:
    """Check that a position is refused that names a card that is not in play, in any field."""
    outside = sorted(set(range(49)) - set(game.contract.rules.pack(game.options)))
    for field in written(game.contract):
        if field.kind in ("cards", "card") or field.name == "stock":
            for card in outside:
                _refused(game, f"{_finished(game)}{field.name} {card_text(card)}", "")


@check
def a_card_that_waits(game: Game, texts: list[str]) -> None:
    """Check that a position is refused in which a card that waits for its player's choice lies in another place, too.

    Args:
        game: the game and its options.
        texts: true positions of the game, into which such cards are put.
    """
    singles = [field.name for field in written(game.contract) if field.kind == "card" and not field.length]
    for text in texts:
        parts = dict(part.split(" ", 1) for part in text.split("; "))
        for card in [parts[single] for single in singles if single in parts]:
            if card not in {word for field, value in parts.items() if field not in singles for word in value.split()}:
                for field in _holding(game):
                    rows = parts.get(field.name, "-").split(" / ") + ["-"] * max(field.length, 1)
                    more = " / ".join([f"{rows[0].strip('-')} {card}", *rows[1 : max(field.length, 1)]])
                    _refused(game, "; ".join(f"{name} {value}" for name, value in {**parts, field.name: more}.items()), "")


@check
def foreign_values(game: Game) -> None:
    """Check that values of a wrong kind in any field are refused, or can be played."""
    for field in written(game.contract):
        for value in ("x", "-", "1", "99", "1H", "?", "G", "play", "1 / 1 / 1 / 1 / 1 / 1", "", "\x00", "1H 1H", "9" * 5000):
            tries(game, f"{field.name} {value}")


@check
def phases(game: Game) -> None:
    """Check that a position with only a phase, or a phase and one other field, is refused or can be played."""
    for phase in next((field.names for field in written(game.contract) if field.name == "phase"), None) or ():
        text = phase.text if isinstance(phase, Choice) else str(int(phase))
        tries(game, f"phase {text}")
        for field in written(game.contract):
            tries(game, f"phase {text}; {field.name} 1")
            tries(game, f"phase {text}; {field.name} 1H")
            for value in ("1 / 1", "4H 4I 4O 4K", "1H 2H 3H / 4H 5H 9H"):
                tries(game, f"phase {text}; {field.name} {value}; stock 12H 12I 12O 12K; turns 1")


@check
def the_driver_goes_on(game: Game, texts: list[str]) -> None:
    """Check that in a round from a position the driver's actions have been done."""
    for text in texts:
        hold(DRIVER not in game.position(text).waiting, "the driver has not gone on from a position")


def true_positions(name: str, rounds: int = 4) -> list[str]:
    """Return the position at every step of so many random rounds."""
    one = game(name)
    return [now.position for seed in range(rounds) for now in steps(random_round(one, seed))]
