"""Checks of rule books: worked examples give the stated result, clauses have examples and sources, and texts are complete.

Only the parts that a rule book has are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import Any

from mekuri.cards import NONE, each
from mekuri.engine import options as engine_options
from mekuri.engine.contract import Contract, Zone
from mekuri.engine.fields import fields
from mekuri.engine.position import parse_values
from mekuri.engine.rulebook import LANGUAGES, Example, rulebook, text_for_others
from mekuri.engine.worded import without_forms
from mekuri.match.example import Played, play_example
from mekuri.testing.failure import check, hold, same
from mekuri.testing.worlds import deck

# --- Worked examples ---


def examples(contract: Contract) -> Iterator[tuple[str, Example]]:
    """Yield every worked example with its name: the id of its clause and its number there, from 1."""
    for clause in rulebook(contract).clauses.values():
        for number, example in enumerate(clause.examples, 1):
            yield f"{clause.id}-{number}", example


@check
def example(contract: Contract, name: str) -> None:
    """Check that a worked example gives the stated result and is shown as it is played."""
    is_so(contract, dict(examples(contract))[name])


def is_so(contract: Contract, example: Example) -> None:
    """Raise CheckFailure where an example does not give the stated result, or is not shown as it is played."""
    played = play_example(contract, example)
    _leads_there(contract, example, played)
    _begins_there(contract, example, played)
    _is_shown(contract, example, played)
    _has_places(played)


def _leads_there(contract: Contract, example: Example, played: Played) -> None:
    """Raise CheckFailure where an example does not give the fields, the end of the round or the refusal that it states."""
    same(played.refusal.clause if played.refusal else "", example.refused, "what forbids the last action of an example")
    if played.refusal:
        return
    round = played.round
    s = round._state
    says = example.result or example.returns is not None or example.next_dealer is not None or example.sheet
    hold(says, "an example says nothing of what comes of it", s)
    if example.returns is not None:
        same(round.returns, example.returns, "returns at the end of an example", s)
    if example.next_dealer is not None:
        same(round.next_dealer, example.next_dealer, "who deals next after an example", s)
    lines = {line.clause for line in round.score_sheet().lines}
    hold(set(example.sheet) <= lines, f"the score sheet at the end of an example lacks {sorted(set(example.sheet) - lines)}", s)
    wanted = parse_values(contract, example.result)
    found = {name: getattr(s, name) for name in wanted}
    if "stock" in wanted:
        found["stock"] = s.pack[: s.stock][::-1]
    same(found, wanted, "what an example leads to", s)


def _named(contract: Contract, values: dict[str, Any]) -> set[int]:
    """Return the cards that a position's fields hold."""
    found: set[int] = set()
    for field in fields(contract.state):
        if field.name in values and field.kind == "cards" and field.name not in contract.notes:
            value = values[field.name]
            found |= {card for cards in (value if field.length else [value]) for card in each(cards)}
        elif field.name in values and field.kind == "card":
            found |= set(values[field.name]) if field.length else {values[field.name]}
    return (found | set(values.get("stock", ()))) - {NONE}


def shown(zones: tuple[Zone, ...]) -> list[int | None]:
    """Return the cards of all zones (None for an unseen card) but boards, which show cards that lie elsewhere."""
    return [card for zone in zones if zone.kind != "board" for card in zone.cards]


def _lying(zones: tuple[Zone, ...], kind: str, owner: int | None = None) -> list[int | None]:
    """Return the cards in an owner's zones of one kind."""
    return [card for zone in zones if (zone.kind, zone.owner) == (kind, owner) for card in zone.cards]


def _begins_there(contract: Contract, example: Example, played: Played) -> None:
    """Raise CheckFailure where the cards shown at the beginning are not those of the position."""
    there, beginning = shown(played.before), played.round._beginning
    if beginning.gathered:
        hold(len(there) == beginning.gathered and set(there) == {None}, "cards that are to be shuffled are shown", beginning)
        return
    wanted = _named(contract, parse_values(contract, example.position))
    hold(wanted <= set(there), "cards of an example's position are not shown", beginning)
    if deck(played.round.game):  # with several packs, hands that the position does not name are full hands
        same(len(there), len(wanted), "cards shown at the beginning of an example", beginning)


def _is_shown(contract: Contract, example: Example, played: Played) -> None:
    """Raise CheckFailure if the cards shown at the end differ from the cards that the example leads to."""
    s = played.round._state
    if example.refused:
        same(played.after, (), "what is shown after a refusal", s)
        return
    shuffled = bool(played.round.packs or s.gathered)
    if not shuffled:
        there = sorted(map(str, shown(played.after)))
        same(there, sorted(map(str, shown(played.before))), "cards shown after an example", s)
    hold(shuffled or None not in shown(played.after), "something lies face down that was not shuffled", s)
    _shows_result(contract, played, parse_values(contract, example.result))


def _shows_result(contract: Contract, played: Played, result: dict[str, Any]) -> None:
    """Raise CheckFailure if the visible cards at the end differ from the cards that the example's result names."""
    wanted: list[tuple[str, int | None, list[int]]] = []
    sets = {field.name for field in fields(contract.state) if field.kind == "cards"}
    result = {name: value for name, value in result.items() if name in sets or name == "stock"}
    for name in ("hand", "captured"):
        wanted += [(name, seat, list(each(cards))) for seat, cards in enumerate(result.get(name, ()))]
    for name, kind in (("field", "field"), ("face_down", "field"), ("dead", "dead")):
        wanted += [(kind, None, list(each(result[name])))] if result.get(name) else []
    wanted += [("offer", None, [card for cards in result["stack"] for card in each(cards)])] if any(result.get("stack", ())) else []
    wanted += [("stock", None, result["stock"])] if "stock" in result else []
    s = played.round._state
    for kind, owner, cards in wanted:
        there = _lying(played.after, kind, owner)
        if kind == "captured":
            there.sort(key=lambda card: NONE if card is None else card)  # each game shows captured cards in its own order
        if None in there:
            hold(played.round.packs and len(there) == len(cards), f"cards lie face down in the {kind} after an example", s)
        else:
            # A card whose player must still choose what it takes is shown on the field, too.
            seen = [card for card in there if card in cards or card != getattr(s, "laid", NONE)]
            same(seen, cards, f"cards shown in the {kind} after an example", s)


def _has_places(played: Played) -> None:
    """Raise CheckFailure where a card is shown twice, or an empty zone is shown."""
    for zones in (played.before, played.after):
        seen = [card for card in shown(zones) if card is not None]
        # With more than four seats a second pack is in play.
        hold(len(seen) == len(set(seen)) or played.round.game.seats > 4, "a card is shown twice", played.round._state)
        hold(all(zone.count for zone in zones), "a place is shown where nothing lies", played.round._state)


# --- Clauses ---


@check
def clauses_shown(contract: Contract) -> None:
    """Check that every clause has a worked example."""
    bare = [clause.id for clause in rulebook(contract).clauses.values() if not clause.examples]
    same(bare, [], "clauses without a worked example")


@check
def clauses_founded(contract: Contract) -> None:
    """Check that every clause has a source or a reason, and every source leads to clauses or says why it does not."""
    book = rulebook(contract)
    bare = [clause.id for clause in book.clauses.values() if not book.sources_of(clause.id) and not clause.why]
    same(bare, [], "clauses with neither a source nor a reason")
    for source in book.sources:
        hold(source.work in book.works, f"a source of no work: {source}")
        # A lost passage names the clauses that were reconstructed in its place.
        hold(bool(source.no_rule) != (bool(source.clauses) or source.warns), f"a source that leads nowhere: {source}")
        hold(source.clauses or not source.lost, f"what is lost has no clauses in its place: {source}")
        hold(set(source.clauses) <= book.clauses.keys(), f"a source names a clause that is not there: {source}")
        hold(bool(source.second_hand) != bool(source.sha256), f"a source has a hash or is second hand: {source}")


# --- Texts ---


def texts(table: Any, path: str = "") -> list[tuple[str, dict[str, str]]]:
    """Return every text of a rule book with its place in the tables, such as `.words.pass`."""
    found: list[tuple[str, dict[str, str]]] = []
    if isinstance(table, dict):
        if not table.keys().isdisjoint(LANGUAGES):
            hold(set(LANGUAGES) <= table.keys(), f"{path} does not stand in every language")
            found.append((path, table))
        for key, value in table.items():
            found += texts(value, f"{path}.{key}")
    elif isinstance(table, list):
        for i, value in enumerate(table):
            found += texts(value, f"{path}[{i}]")
    return found


@check
def texts_in_every_language(contract: Contract) -> None:
    """Check that every text exists in every language, with the same arguments, and is not empty."""
    for path, text in texts(rulebook(contract).tables):
        arguments = [{name for _, name, _, _ in Formatter().parse(text[lang]) if name} for lang in LANGUAGES]
        same(arguments[0], arguments[1], f"arguments of {path}")
        hold(all(text[lang].strip() for lang in LANGUAGES), f"{path} is empty")
        plain = {lang: without_forms(text_for_others(text[lang])) for lang in LANGUAGES}
        odd = [lang for lang in LANGUAGES if any(spec for _, _, spec, _ in Formatter().parse(plain[lang]))]
        hold(
            not odd,
            f"{path} has more in its braces than names, what the reader is called, as {{seat:plays|play}}, and what is "
            "said of one and of more, as {{n:card|cards}}",
        )


@check
def texts_for_everything(contract: Contract, written: bool = False) -> None:
    """Check that everything that the contract names has a text in the rule book, and nothing else has.

    Args:
        contract: the game's contract.
        written: whether all these texts must be written in the game's own rule book; else default texts count, too.
    """
    book = rulebook(contract)
    tables = book.written if written else book.tables
    takes_back = {"take-back"} if contract.has("undoing") else set()
    described = [*engine_options.info(contract.options), *engine_options.info(contract.match_options)]
    same(tables["words"].keys(), {word.text for word in contract.words} | takes_back, "words of the rule book")
    same(tables["endings"].keys(), set(contract.endings), "endings of the rule book")
    same(tables["presets"].keys(), contract.presets.keys(), "presets of the rule book")
    same(list(tables["versions"]), [str(version + 1) for version in range(contract.version)], "versions of the rule book")
    same([row["id"] for row in tables["yaku"]], list(contract.yaku), "yaku of the rule book")
    clauses = rulebook(contract).clauses
    missing = {refusal["clause"] for refusal in tables["refusals"].values() if refusal.get("clause")} - clauses.keys()
    same(sorted(missing), [], "clauses that refusals name and the rule book lacks")
    same({clause.chapter for clause in clauses.values()}, tables["chapters"].keys(), "chapters of the rule book")
    same(tables["options"].keys(), {option.name for option in described}, "options of the rule book")
    for option in described:
        named = {value for value in (*option.values, *option.offered) if not value.isdecimal()} - {"no", "yes"}
        worded = {value for value in tables["options"][option.name].get("values", {}) if not value.isdecimal()}
        same(worded - {"no", "yes"}, named, f"values of the option {option.name} in the rule book")
    for clause in clauses.values():
        lacking = set(clause.options) - tables["options"].keys()
        same(sorted(lacking), [], f"options that {clause.id} names and the rule book lacks")


@check
def names_of_cards(contract: Contract) -> None:
    """Check that every card has a name in every set of names and every language, and a plain name."""
    for names in ("", *rulebook(contract).names):
        for lang in LANGUAGES:
            for card in contract.rules.pack(contract.options()):
                hold(rulebook(contract).card(card, lang, names), f"card {card} has no name in {names or 'plain words'}, {lang}")
