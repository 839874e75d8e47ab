"""The schema and the guide of the wire match the structs."""

import json
import random
import re
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from jsonschema_rs import Draft202012Validator

import mekuri
from mekuri.engine.rulebook import LANGUAGES
from mekuri.games import find
from mekuri.protocol import analysis, daily, games, guests, lesson, library, practice, push, puzzles, review, table
from mekuri.protocol import played as of_matches
from mekuri.protocol.coding import convert, encode
from mekuri.protocol.schema import MESSAGES, SHOWN, STREAM, schema, schema_text
from mekuri.table import commands
from tests.helpers.folders import DOCS
from tests.helpers.server.gathering import party
from tests.helpers.tables import GAMES, HELD, games_in_turn

GUIDE = (DOCS / "view.md").read_text(encoding="utf-8")
SCHEMA = schema()
PARTS: dict[str, Any] = SCHEMA["$defs"]
STRUCTS: dict[str, type] = {kind.__name__: kind for kind in SHOWN} | {
    struct.__name__: struct
    for module in (of_matches, table, analysis, games, guests, lesson, practice, puzzles, daily, review, push)
    for struct in vars(module).values()
    if isinstance(struct, type) and issubclass(struct, msgspec.Struct)
}
EXAMPLES = re.findall(r"```json (\w+)\n(.*?)\n```", GUIDE, re.DOTALL)


def valid(name: str, value: Any) -> bool:
    """Whether something is a message, or a part of one, of that name."""
    return bool(Draft202012Validator(SCHEMA | {"anyOf": [{"$ref": f"#/$defs/{name}"}]}).is_valid(value))


def section(name: str) -> str:
    """What the guide says of a struct."""
    found = re.search(rf"^#### {name}\n(.*?)(?=^##|\Z)", GUIDE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/view.md has no section on {name}"
    return found[1]


def test_schema_matches_the_structs() -> None:
    written = (DOCS / "view.schema.json").read_text(encoding="utf-8")
    assert written == schema_text(), "write it anew: python -m mekuri.protocol.schema > docs/view.schema.json"
    jsonschema_rs.meta.validate(SCHEMA)


def test_schema_has_every_struct() -> None:
    assert set(PARTS) == set(STRUCTS)


@pytest.mark.parametrize("name", STRUCTS)
def test_guide_names_every_field(name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", section(name), re.MULTILINE)
    assert [row[0] for row in rows] == [*PARTS[name]["properties"]]
    assert [row[0] for row in rows if "optional" not in row[1]] == PARTS[name]["required"]
    assert all(meaning.strip() for _, _, meaning in rows)


def test_guide_names_every_message_of_the_stream() -> None:
    for event, struct in STREAM.items():
        assert f"| `{event}` | [{struct.__name__}]" in GUIDE


def test_guide_states_the_number_of_resent_events() -> None:
    assert f"more than {table.MOST_EVENTS} things" in GUIDE


def test_guide_links_lead_to_its_sections() -> None:
    names = re.findall(r"^#+ (.*)$", GUIDE, re.MULTILINE)
    assert len(names) == len(set(names)), "two headings of one name cannot be told apart by a link"
    headings = {heading.lower().replace(" ", "-").replace(",", "") for heading in names}
    assert set(re.findall(r"\]\(#([^)]*)\)", GUIDE)) <= headings


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[f"{name}-{at}" for at, (name, _) in enumerate(EXAMPLES)])
def test_examples_match_their_struct(name: str, text: str) -> None:
    example = json.loads(text)
    assert valid(name, example)
    # No field of the example is unknown to the struct.
    assert example.items() <= json.loads(encode(convert(example, STRUCTS[name]))).items()


def test_guide_has_the_main_examples() -> None:
    assert {"Event", "TablePresence", "Answer", "Problem", "AskTable", "AskAction"} <= {name for name, _ in EXAMPLES}


def test_guide_names_no_word_of_a_game() -> None:
    """The guide holds for every game; names of games are in examples only."""
    prose = re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL).lower()
    assert not [name for name in GAMES if name in prose and name != mekuri.__name__]  # a game has the name of all


@games_in_turn(0)
def test_zone_kinds_layouts_and_shapes_are_explained(name: str) -> None:
    for event in played(name):
        if event["view"]:
            assert f"| `{event['view']['shape']}` |" in GUIDE
            for zone in event["view"]["zones"]:
                assert f"| `{zone['kind']}` |" in GUIDE
                assert f"| `{zone['layout']}` |" in GUIDE


@games_in_turn(1)
def test_messages_of_a_match_match_the_schema(name: str) -> None:
    events = played(name)
    assert {event["kind"] for event in events} >= {"sit", "round", "play", "open", "ready", "end"}
    # If everything can be taken back, hardly any card is refused.
    if name in HELD and not find(name).has("undoing"):
        assert any(event["view"] and event["view"]["refused"] for event in events)
    for event in events[:: max(1, len(events) // 40)] + events[-3:]:
        assert valid("Event", event)
        assert not valid("Event", event | {"version": "1"})
    contract = find(name)
    assert valid("Games", sent(library.all_games()))
    assert valid("GameInfo", sent(library.game_info(contract)))
    assert valid("Worths", sent(library.worths("table", mekuri.game(name))))
    for lang in LANGUAGES:
        assert valid("Catalogue", sent(library.catalogue(contract, lang)))
        assert valid("RuleBook", sent(library.rule_book(contract, lang)))


def sent(value: msgspec.Struct) -> Any:
    """A struct as it arrives."""
    return msgspec.json.decode(encode(value))


def played(name: str) -> list[Any]:
    """Every event of a short match at random, to every viewer."""
    people = party(name)
    asked = table.AskTable(game=name, seats=["person"] * len(people), match_options={"rounds": "2"})
    at, chance = 1, random.Random(name)
    made = commands.make("table", bytes(32), asked, people[0], at)
    made.history.watched = {*range(len(people)), None}
    for person in people:
        commands.sit(made, person, person, table.AskSeat(), at)
    while made.state == "running":
        for seat, person in enumerate(people):
            round = made.running if made.state == "running" else None
            if made.resting:
                commands.ready(made, person, table.AskReady(round=made.rounds), at)
            elif round and seat in round.waiting:
                action = chance.choice(round.legal_for(seat))
                commands.play(made, person, table.AskAction(version=made.version(seat), action=action), at)
    return [sent(event) for _, event in made.history.pending]


def test_every_message_has_a_name_in_the_schema() -> None:
    assert [part["$ref"] for part in SCHEMA["anyOf"]] == [f"#/$defs/{message.__name__}" for message in MESSAGES]
