"""Records: a match can be written, read and replayed exactly; nothing else can be read."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import Record, RecordError, replay
from mekuri.testing import records
from mekuri.testing.records import played
from tests.helpers.fair import fair_record
from tests.helpers.records import Json, Path, accepts, at, each_kind, full_record, half
from tests.helpers.tables import GAMES, each_game, each_played


class TestRoundTrip:
    @pytest.mark.in_turn(2)
    @each_played
    def test_finished_match_reads_back(self, game: mekuri.Game) -> None:
        records.finished(game)

    @each_played
    def test_unfinished_match_reads_back(self, game: mekuri.Game) -> None:
        records.unfinished(game)

    @each_game
    def test_match_between_rounds_reads_back(self, name: str) -> None:
        records.between_rounds(mekuri.game(name))

    @each_game
    def test_match_before_the_first_action_reads_back(self, name: str) -> None:
        records.not_begun(mekuri.game(name))

    @each_game
    def test_names_of_players_are_kept(self, name: str) -> None:
        records.players(mekuri.game(name))

    @each_game
    def test_replay_shuffles_no_cards(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        record = played(mekuri.game(name)).record()

        def refuse(*_: object) -> None:
            raise AssertionError("a finished record needs no chance")

        monkeypatch.setattr("mekuri.match.round.shuffle", refuse)
        assert replay(record).record() == record

    @pytest.mark.in_turn(2)
    @each_played
    def test_fair_deals_read_back(self, game: mekuri.Game) -> None:
        records.fair_deals(game)

    @each_game
    def test_record_has_fair_deals_only_if_dealt_fairly(self, name: str) -> None:
        assert "fair" not in full_record(name)
        assert fair_record(name).keys() - full_record(name).keys() == {"fair"}
        assert list(fair_record(name)["fair"]) == ["commitment", "cuts", "secrets"]

    @pytest.mark.soak
    @each_played
    def test_long_matches_read_back(self, game: mekuri.Game) -> None:
        for seed in range(40):
            record = played(game, seed, rounds=6).record()
            assert replay(record.to_json()).record() == record


# Values in the place of another.
OTHERS: list[Json] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    0.0,
    1.5,
    10**40,
    -(10**4000),
    "",
    "x",
    "0",
    "\ud800",
    "\x00",
    [],
    {},
    [[]],
    float("nan"),
    1e308,
]
NO_RECORDS: list[str | bytes] = [
    "",
    " ",
    "null",
    "1",
    "[]",
    "{}",
    '"mekuri"',
    '{"mekuri": 1}',
    '{"mekuri": 1',
    '{"mekuri": NaN}',
    '{"mekuri": Infinity}',
    '{"mekuri": "1"}',
    '{"mekuri": 1.0}',
    '{"mekuri": true}',
    '{"mekuri": null}',
    '{"mekuri": ' + "9" * 5000 + "}",
    "[" * 100_000,
    '{"mekuri": ' * 100_000,
    '{"mekuri": 1, "rounds": ' + "[" * 3000 + "]" * 3000 + "}",
    "\ufeff{}",
    "\ud800",
    '"\\ud800"',
    "\x00",
    b"",
    b"\xff\xfe\xfd",
    b'{"mekuri": "\xff"}',
    b"\x00\x00\x00\x00",
    b"\xef\xbb\xbf{}",
    b"\xed\xa0\x80",
]


class TestBroken:
    @each_kind
    def test_truncated_record_is_refused(self, name: str) -> None:
        for text in (json.dumps(full_record(name)).encode(), json.dumps(half(name)).encode(), mekuri_json(name)):
            for end in [*range(0, len(text), 37), *range(len(text) - 30, len(text))]:
                with pytest.raises(RecordError, match=r"."):
                    replay(text[:end])

    @each_game
    def test_record_without_a_part_is_refused(self, name: str) -> None:
        for whole in (full_record(name), half(name)):
            for path in some_paths(whole):
                changed = copy.deepcopy(whole)
                parent = at(changed, path[:-1])
                del parent[path[-1]]
                allowed = path[0] in ("options", "match_options") or (path[0] == "rounds" and len(path) == 2)
                assert accepts(changed) <= allowed, path

    @each_game
    def test_fair_deals_without_a_part_are_refused(self, name: str) -> None:
        """Only secrets may be: not all of them are opened yet."""
        whole = fair_record(name)
        for path in all_paths(whole["fair"]):
            changed = copy.deepcopy(whole)
            parent = at(changed["fair"], path[:-1])
            del parent[path[-1]]
            assert accepts(changed) == (path[0] == "secrets" and len(path) == 2), path

    @pytest.mark.every_days(4)
    @each_kind
    def test_record_with_another_value_is_checked(self, name: str, subtests: pytest.Subtests) -> None:
        for value in OTHERS:
            with subtests.test(value=value):
                for whole in (full_record(name, rounds=1), half(name), fair_record(name)):
                    for path in some_paths(whole):
                        changed = copy.deepcopy(whole)
                        if at(changed, path) == value and type(at(changed, path)) is type(value):
                            continue
                        at(changed, path[:-1])[path[-1]] = value
                        accepts(changed)  # which holds it to be true, if it takes it

    @each_game
    def test_record_with_an_addition_is_checked(self, name: str) -> None:
        """Unknown keys are dropped."""
        for path in [(), *some_paths(fair_record(name))]:
            changed = fair_record(name)
            place = at(changed, path)
            if isinstance(place, dict):
                place["more"] = "x"
            elif isinstance(place, list):
                place.append(copy.deepcopy(place[-1]) if place else "x")
            else:
                continue
            accepts(changed)

    def test_text_that_is_no_record_is_refused(self, subtests: pytest.Subtests) -> None:
        for text in NO_RECORDS:
            for read in (Record.from_json, replay):
                with subtests.test(read=read.__name__, text=text[:20]), pytest.raises(RecordError, match=r"."):
                    read(text)

    @each_kind
    def test_deeply_nested_record_is_refused(self, name: str) -> None:
        """At any place."""
        for depth in (50, 300, 600, 900):
            for path in some_paths(full_record(name, rounds=1)):
                changed = full_record(name, rounds=1)
                at(changed, path[:-1])[path[-1]] = "@"
                text = json.dumps(changed).replace('"@"', "[" * depth + "]" * depth)
                assert not accepts(text), path
                try:
                    record = Record.from_json(text)
                except RecordError:
                    continue
                record.to_json()  # what can be read can be written

    @given(st.text() | st.binary())
    def test_random_text_is_refused(self, text: str | bytes) -> None:
        with pytest.raises(RecordError, match=r"."):
            replay(text)

    @pytest.mark.every_days(4)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: (
                st.lists(inner)
                | st.dictionaries(
                    st.sampled_from(
                        ["mekuri", "game", "version", "options", "match_options", "players", "rounds", "packs", "dealer"]
                    )
                    | st.text(),
                    inner,
                )
            ),
        )
    )
    def test_random_json_is_refused(self, found: Json) -> None:
        with pytest.raises(RecordError, match=r"."):
            replay(json.dumps(found))

    @settings(max_examples=150)
    @given(st.sampled_from(GAMES), st.booleans(), st.data())
    def test_randomly_changed_record_is_checked(self, name: str, whole: bool, data: st.DataObject) -> None:
        """Up to three changes to a true record, each of which might have been meant to deceive."""
        changed = full_record(name) if whole else half(name)
        for _ in range(data.draw(st.integers(1, 3))):
            path = data.draw(st.sampled_from(all_paths(changed)))
            parent, place = at(changed, path[:-1]), path[-1]
            kind = data.draw(st.sampled_from(["put", "twice", "swap", "number", "text"]))
            if kind == "put":
                parent[place] = data.draw(st.none() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2))
            elif kind == "twice" and isinstance(parent, list):
                parent.insert(data.draw(st.integers(0, len(parent))), copy.deepcopy(parent[int(place)]))
            elif kind == "swap":
                other = data.draw(st.sampled_from(list(parent) if isinstance(parent, dict) else list(range(len(parent)))))
                parent[place], parent[other] = parent[other], parent[place]
            elif kind == "number" and isinstance(parent[place], int):
                parent[place] += data.draw(st.integers(-3, 3))
            elif kind == "text" and isinstance(parent[place], str):
                parent[place] = data.draw(jumbled(parent[place]))
        accepts(changed)


def jumbled(text: str) -> st.SearchStrategy[str]:
    """The words of a text with two of them in each other's place, one left out, or one twice."""
    words = text.split(" ")

    def change(how: tuple[int, int, int]) -> str:
        i, j, kind = how[0] % len(words), how[1] % len(words), how[2]
        row = list(words)
        if kind == 0:
            row[i], row[j] = row[j], row[i]
        elif kind == 1:
            row[i] = row[j]
        elif kind == 2:
            del row[i]
        else:
            row.insert(i, row[j])
        return " ".join(row)

    return st.tuples(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 3)).map(change)


def mekuri_json(name: str) -> bytes:
    return played(mekuri.game(name), rounds=1).record().to_json().encode()


def all_paths(node: Json, path: Path = ()) -> list[Path]:
    """The place of everything in parsed JSON."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return ([path] if path else []) + [found for key, value in inside for found in all_paths(value, (*path, key))]


def some_paths(whole: Json) -> list[Path]:
    """Return one place of every kind: the first and the last of the values in a row."""
    kinds: dict[tuple[str | int, ...], list[Path]] = {}
    for path in all_paths(whole):
        kinds.setdefault(tuple("#" if isinstance(step, int) else step for step in path), []).append(path)
    return [path for same in kinds.values() for path in {same[0]: 0, same[-1]: 0}]
