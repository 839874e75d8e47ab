"""Write a page for researchers about every game, from the game's folder: `python -m tools.game_pages`.

A page has what a program needs: seats, options, what a seat sees, actions, returns. The rules stand in the rule book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mekuri import games
from mekuri.bots import levels
from mekuri.cards import ALL, EXTRA, card_text, cards_text
from mekuri.engine.contract import Contract, Worth
from mekuri.engine.fields import Field, descriptions, fields
from mekuri.engine.level import Level
from mekuri.engine.observe import layout
from mekuri.engine.options import OptionInfo, differing, info, parse
from mekuri.engine.rulebook import Rulebook, rulebook

FOLDER = Path(__file__).parents[1] / "docs" / "games"
KINDS = {"cards": "set of cards", "card": "card", "count": "number", "choice": "choice", "seat": "seat", "seats": "set of seats"}
LEAST_PAIRS = 200  # with fewer deal pairs the intervals of shares are too wide to compare variants
MOST_SHOWN = 1 << 40  # a bound above this is not shown

OBSERVATION = """## Observation

What a seat may know is a *hidden state*: the fields below. Every seat sees those that are public; of the others it sees its own
part, and the rest is empty. `Round.hidden(seat)` gives it, `Round.view(seat)` as places and texts. A set of cards is one int, bit
*c* for card *c*, and a set of seats likewise; a card is `(number - 1) * 4 + suit`, and -1 is none. In a row for each seat, the
values of seat 0 come first.
Options stand in the state too, under their own names.
"""
ENCODING = """## Encoding

`Round.observation(seat)` and `mekuri.vector` give what a seat may know as {size} bytes ({seats} seats, the usual options; layout
`{version}`). All is relative to the viewer. Bytes that are not listed are 0. The table above says what each field holds.
"""
ACTIONS = """## Actions

An action is an int below 63; the legal ones are one int, a bit for each. 0 to 48 are cards, written `7I`: number and suit, H clubs,
I swords, O coins, K cups, and `G` the extra card. Those above are the game's words. The driver, seat 16, does what nobody chooses,
and has one legal action then.
"""
RETURNS = """## Returns

`Round.returns` is what a finished round changes for each seat; with `Round.accounts`, accounts that are nobody's, it sums to 0."""


def page(contract: Contract) -> str:
    """Return the page of a game."""
    book = rulebook(contract)
    parts = (_head, _options, _card_table, _observation, _encoding, _actions, _returns, _versions)
    return "\n".join(line for part in parts for line in part(contract, book)) + "\n"


def _head(contract: Contract, book: Rulebook) -> Iterator[str]:
    cards = contract.rules.pack(contract.options())
    yield f"# {book.tables['name']['en']}"
    yield ""
    yield book.tables["summary"]["en"]
    yield ""
    if book.warning:
        yield f"*{book.warning['en']}*"
        yield ""
    yield "Made from the game's folder by `python -m tools.game_pages`. The rules stand in the rule book:"
    yield ""
    yield "```"
    yield f"mekuri rules {contract.id}"
    yield f"mekuri simulate {contract.id} --rounds 100000"
    yield f"mekuri play {contract.id}"
    yield "```"
    yield ""
    yield f"In Python it is `mekuri.game({contract.id!r})`."
    yield ""
    yield "| | |"
    yield "|---|---|"
    yield f"| seats | {', '.join(map(str, contract.seats))} (the usual number first) |"
    yield f"| table | {contract.shape} |"
    yield f"| cards | {len(cards)}: {_cards(cards)} |"
    yield f"| longest round | {contract.longest:,} turns, whatever the options |"
    yield f"| actions of seats | at most {contract.most_actions:,} without a redeal |"
    least, most = contract.returns_range
    yield f"| return of a seat | {least:,} to {most:,}, whatever the options{'; zero-sum' if contract.zero_sum else ''} |"
    yield f"| ruleset version | {contract.version} |"
    for n, level in enumerate(levels(contract), 1):
        yield f"| level {n}, `{level.who}` | {_level(level, book)} |"
    for bot in contract.bots:
        yield f"| its own bot `{bot.id}`, {bot.name['en']} | {_line(bot.help['en'])} |"


def _level(level: Level, book: Rulebook) -> str:
    lacks = []
    if level.playouts:
        lacks.append(f"plays out at most {level.playouts} {'round' if level.playouts == 1 else 'rounds'} for a decision")
    if level.sight is not None:
        lacks.append(f"looks {level.sight} of its own turns ahead" if level.sight else "looks no further than its own turn")
    if level.forgets:
        lacks.append(f"forgets {level.forgets} % of what it should remember")
    if level.has_habit:
        habit = book.tables["habits"][level.who]["en"].rstrip(".")
        lacks.append(habit[0].lower() + habit[1:])
    return "; ".join(lacks) or "the best there is"


def _cards(cards: list[int]) -> str:
    missing = (ALL | 1 << EXTRA) & ~sum(1 << card for card in cards)
    if missing.bit_count() < len(cards):
        return f"all but {cards_text(missing)}" if missing else "all"
    return cards_text(sum(1 << card for card in cards))


def _options(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield "## Options"
    for title, options in (("Of a round", contract.options), ("Of a match", contract.match_options)):
        yield ""
        yield f"{title}:"
        yield ""
        yield "| option | values, the default first | what it changes |"
        yield "|---|---|---|"
        for option in info(options):
            named = ((f"`{value}`", f"{option.name}={value}") for value in option.values or option.offered)
            help = _line(book.tables["options"][option.name]["help"]["en"])
            yield f"| `{option.name}` | {_values(option)} | {help}{_effects(book, named)} |"
    yield ""
    yield "Presets:"
    yield ""
    yield "| preset | options | |"
    yield "|---|---|---|"
    for preset in contract.presets:
        chosen = ", ".join(f"`{name}={value}`" for name, value in _chosen(contract, preset).items())
        help = _line(book.tables["presets"][preset]["en"])
        yield f"| `{preset}` | {chosen or 'the defaults'} | {help}{_effects(book, [('', f'preset {preset}')])} |"
    if book.measured.effects:
        yield ""
        yield from _measured(contract, book)


def _effects(book: Rulebook, named: Iterable[tuple[str, str]]) -> str:
    """Return what was measured of option values or of a preset, in italics, each given with its name in the measures."""
    found = [
        " ".join(filter(None, (value, f"{effect.dealer_text} and {effect.decided_text} ({bot})")))
        for value, name in named
        for bot, effect in book.measured.of(name).items()
    ]
    return f" *Measured: {', '.join(found)}.*" if found else ""


def _measured(contract: Contract, book: Rulebook) -> Iterator[str]:
    """Yield how the effects were measured, and what the default rules come to."""
    measured = book.measured
    bots = [f"{measured.rounds:,} deals by `greedy`"]
    if measured.pairs:
        *_, best = measured.of("default")
        bots.append(f"{measured.pairs:,} by `{best}` with {measured.playouts} play-outs")
    dealer = ", ".join(f"{effect.dealer_text} ({bot})" for bot, effect in measured.of("default").items())
    yield (
        f"*Measured* on the same deals as the default: how many more points a round the dealer gets, with the 95 % interval, and\n"
        f"in how many deals another seat wins, or none. {' and '.join(bots)}, seed `{measured.seed}`, {measured.seats} seats\n"
        f"([how](../laboratory.md)). By default the dealer gets {dealer} points a round."
    )
    of_skill = [
        (name, bot, effect.skill) for name, each in (measured.effects or {}).items() for bot, effect in each.items() if effect.skill
    ]
    if of_skill and measured.pairs >= LEAST_PAIRS:
        yield ""
        yield "Decided deal pairs that the best bot wins from `greedy` (95 %):"
        yield ""
        for name, bot, (share, least, most) in of_skill:
            yield f"* `{name}`: {100 * share:.1f} % [{100 * least:.1f}-{100 * most:.1f}] ({bot})"


def _chosen(contract: Contract, preset: str) -> dict[str, str]:
    of_round, of_match = contract.preset(preset)
    rounds = differing(parse(contract.match_options, of_match, contract.id))
    return {**differing(parse(contract.options, of_round, contract.id)), **rounds}


def _values(option: OptionInfo) -> str:
    if option.values:
        return ", ".join(f"`{value}`" for value in (option.default, *(value for value in option.values if value != option.default)))
    if option.offered:
        others = "".join(f", `{value}`" for value in option.offered if value != option.default)
        return f"`{option.default}`{others}; {option.least} to {option.most}"
    return f"`{option.default}`; {option.least} to {option.most}{', several' if option.row else ''}"


def _card_table(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield "## Cards"
    yield ""
    yield "A card has the same number as an action and in a set of cards. Its worth is that with the usual options."
    yield ""
    columns: dict[str, Callable[[Worth], str]] = {
        "points": lambda worth: "" if worth.points is None else str(worth.points),
        "yaku that it can be part of": lambda worth: ", ".join(f"`{id}`" for id in worth.yaku),
        "stands for others": lambda worth: "yes" if worth.wild else "",
    }
    shown = {title: text for title, text in columns.items() if any(map(text, book.worths.values()))}
    yield f"| {' | '.join(['int', 'written', 'name', *shown])} |"
    yield "|---|---|---|" + "---|" * len(shown)
    for card, worth in book.worths.items():
        cells = [str(card), f"`{card_text(card)}`", book.card(card, "en"), *(text(worth) for text in shown.values())]
        yield f"| {' | '.join(cells)} |"


def _observation(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield OBSERVATION
    yield "| field | kind | range | seen | what it holds |"
    yield "|---|---|---|---|---|"
    says = descriptions(contract.state)
    for field in fields(contract.state):
        if field.name in says:
            seen = "by all" if field.public else "in part"
            yield f"| `{field.name}` | {_kind(field)} | {_range(field)} | {seen} | {_line(says[field.name])} |"


def _encoding(contract: Contract, book: Rulebook) -> Iterator[str]:
    of = layout(contract, contract.options(), contract.seats[0])
    yield ""
    yield ENCODING.format(size=of.size, seats=contract.seats[0], version=of.version)
    yield "| field | kind | first byte | bytes | what they say |"
    yield "|---|---|---|---|---|"
    for part in of.parts:
        meaning = ": ".join(filter(None, (part.meaning, ", ".join(f"{value} {name}" for value, name in enumerate(part.values)))))
        yield f"| `{part.name}` | {KINDS[part.kind]} | {part.first} | {part.size} | {meaning} |"


def _kind(field: Field) -> str:
    kind = KINDS[field.kind] + (", with 1 added; 0 for nobody" if field.none == 0 else "")
    if field.each_seat:
        width = field.length // field.each_seat
        return f"{kind}, {width if width > 1 else 'one'} for each of {field.each_seat} seats"
    return kind + (f", a row of {field.length}" if field.length else "")


def _range(field: Field) -> str:
    if field.names:
        return ", ".join(f"{value.value} {value.name.lower().replace('_', '-')}" for value in field.names)
    if field.kind not in ("count", "seat"):
        return ""
    return f"from {field.least}" if field.most >= MOST_SHOWN else f"{field.least} to {field.most}"


def _actions(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield ACTIONS
    yield "| int | written | what it does |"
    yield "|---|---|---|"
    for word in contract.words:
        yield f"| {int(word)} | `{word.text}` | {_line(book.tables['words'][word.text]['en'])} |"


def _returns(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield RETURNS
    accounts = ", ".join(f"`{key}` ({_line(text['en'])})" for key, text in book.tables["accounts"].items())
    yield f"The ledger of a match counts {accounts}."
    yield ""
    yield "| ending | |"
    yield "|---|---|"
    for ending in contract.endings:
        yield f"| `{ending}` | {_line(book.tables['endings'][ending]['en'])} |"
    if contract.yaku:
        yield ""
        yield "| yaku | cards | |"
        yield "|---|---|---|"
        for id, row in book.yaku.items():
            yield f"| `{id}` | {row['cards']} | {row['name']['en']}: {_line(book.clauses[row['clause']].text['en'])} |"
    if contract.redeals:
        yield ""
        yield (
            "The cards are dealt again where one of these clauses asks for it: "
            + ", ".join(f"`{id}`" for id in contract.redeals)
            + "."
        )


def _versions(contract: Contract, book: Rulebook) -> Iterator[str]:
    yield ""
    yield "## Version history"
    yield ""
    for version, text in book.tables["versions"].items():
        yield f"* **{version}**: {text['en']}"


def _line(text: str) -> str:
    """Return a text on one line, escaped for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def write() -> None:
    """Write every page and the list of pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """Return every page of the games of this distribution, and the list of pages, by file name."""
    own = [contract for contract in map(games.find, games.names()) if contract.folder.parent == Path(games.__path__[0])]
    lines = ["# The games", "", "What a program needs to know of each. `mekuri rules GAME` has the rules.", ""]
    lines += [f"* [{rulebook(each).tables['name']['en']}]({each.id}.md): {rulebook(each).tables['summary']['en']}" for each in own]
    return {"README.md": "\n".join(lines) + "\n"} | {f"{contract.id}.md": page(contract) for contract in own}


if __name__ == "__main__":
    write()
