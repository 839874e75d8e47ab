"""Records: a match can be written down, read again and replayed exactly; and nothing else can be."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mekuri
from mekuri import MekuriError, OlderVersion, OptionError, Record, RecordError, UnknownGame, replay
from mekuri.engine.contract import Contract
from tests.tables import GAMES, each_game
from tests.worlds import act, each_played, random_round, values

Json = Any
Path = tuple[str | int, ...]


def play(match: mekuri.Match, chance: random.Random, actions: int = 1 << 30) -> mekuri.Match:
    """Play a match on, to its end or for so many actions."""
    while not match.over and actions:
        if match.round.over:
            match.next_round()
        else:
            act(match.round, chance)
            actions -= 1
    return match


def played(game: mekuri.Game, seed: int = 0, rounds: int = 2) -> mekuri.Match:
    return play(game.match(seed=seed, rounds=rounds), random.Random(seed))


def told(name: str, rounds: int = 2) -> Json:
    """The record of a finished match as parsed JSON."""
    return json.loads(played(mekuri.game(name), rounds=rounds).record().to_json())


def half(name: str) -> Json:
    """The record of a match that was left in its second round."""
    match = mekuri.game(name).match(seed=0, rounds=2)
    first = play(mekuri.game(name).match(seed=0, rounds=2), random.Random(0))
    play(match, random.Random(0), len(first.finished[0].actions) + 7)
    assert not match.round.over
    return json.loads(match.record().to_json())


def accepts(changed: Json) -> bool:
    """Whether a record is read and replayed. If it is, then all that stands in it is true; if not, the error is a typed one."""
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    try:
        record = Record.from_json(text)
        again = replay(record).record()
    except (RecordError, OptionError, UnknownGame) as error:
        if not str(error).strip():
            raise
        return False
    # Options may be written out where they are the default.
    record = replace(record, options=again.options, match_options=again.match_options)
    assert record.to_json().encode() == again.to_json().encode(), "what has been accepted is not what was played"
    return True


class TestRoundTrip:
    @each_played
    def test_finished(self, game: mekuri.Game) -> None:
        match = played(game, seed=1, rounds=3)
        record = match.record()
        text = record.to_json()
        assert str(record) == text
        assert Record.from_json(text) == Record.from_json(text.encode()) == record
        again = replay(text)
        assert again.record() == replay(record).record() == record
        assert again.record().to_json() == text
        assert (again.over, again.ledger, again.winners, again.players) == (True, match.ledger, match.winners, match.players)
        for one, other in zip(match.finished, again.finished, strict=True):
            assert values(one._state) == values(other._state)
            assert (one.packs, one.history) == ([list(pack) for pack in other.packs], other.history)
            for viewer in (None, *range(game.seats)):
                assert repr(one.view(viewer)) == repr(other.view(viewer))
                assert one.events(viewer) == other.events(viewer)

    @each_played
    def test_unfinished(self, game: mekuri.Game) -> None:
        """At any point of a round. The replay stands where the record ends."""
        chance, match = random.Random(2), game.match(seed=2, rounds=2)
        while not match.over:
            if match.round.over:
                match.next_round()
                continue
            record = match.record()
            again = replay(record.to_json())
            assert again.record() == record
            assert (again.over, again.ledger, again.dealer) == (False, match.ledger, match.dealer)
            assert values(again.round._state) == values(match.round._state)
            for _ in range(5):
                if not match.round.over:
                    act(match.round, chance)

    @each_game
    def test_between_rounds(self, name: str) -> None:
        """The last round is over and nobody has asked for the next one yet."""
        match, chance = mekuri.game(name).match(seed=3, rounds=2), random.Random(3)
        while not match.round.over:
            act(match.round, chance)
        record = match.record()
        assert replay(record).record() == record

    @each_game
    def test_before_anything_was_played(self, name: str) -> None:
        match = mekuri.game(name).match(seed=4)
        assert replay(match.record().to_json()).record() == match.record()

    @each_game
    def test_players_are_kept_as_they_are_written(self, name: str) -> None:
        game = mekuri.game(name)
        names = tuple('Ō "x" \\ 遊び\u3000 🎴'[n:] for n in range(game.seats))
        match = game.match(seed=5, players=names)
        assert replay(match.record().to_json()).players == names

    @each_game
    def test_a_replay_shuffles_nothing(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        record = played(mekuri.game(name)).record()

        def refuse(*_: object) -> None:
            raise AssertionError("a finished record needs no chance")

        monkeypatch.setattr("mekuri.match.round.shuffle", refuse)
        assert replay(record).record() == record

    @pytest.mark.soak
    @each_played
    def test_at_length(self, game: mekuri.Game) -> None:
        for seed in range(40):
            record = played(game, seed, rounds=6).record()
            assert replay(record.to_json()).record() == record


class TestBroken:
    @each_game
    def test_cut_short_anywhere(self, name: str) -> None:
        for text in (json.dumps(told(name)).encode(), json.dumps(half(name)).encode(), mekuri_json(name)):
            for end in [*range(0, len(text), 37), *range(len(text) - 30, len(text))]:
                with pytest.raises(RecordError, match=r"."):
                    replay(text[:end])

    @each_game
    def test_anything_left_out(self, name: str) -> None:
        for whole in (told(name), half(name)):
            for path in some_paths(whole):
                changed = copy.deepcopy(whole)
                parent = at(changed, path[:-1])
                del parent[path[-1]]
                allowed = path[0] in ("options", "match_options") or (path[0] == "rounds" and len(path) == 2)
                assert accepts(changed) <= allowed, path

    @each_game
    @pytest.mark.parametrize(
        "value",
        [
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
        ],
        ids=lambda value: repr(value)[:8],
    )
    def test_anything_else_in_its_place(self, name: str, value: Json) -> None:
        for whole in (told(name, rounds=1), half(name)):
            for path in some_paths(whole):
                changed = copy.deepcopy(whole)
                if at(changed, path) == value and type(at(changed, path)) is type(value):
                    continue
                at(changed, path[:-1])[path[-1]] = value
                accepts(changed)  # which holds it to be true, if it takes it

    @each_game
    def test_anything_more(self, name: str) -> None:
        """What is unknown is not carried along."""
        for path in [(), *some_paths(told(name))]:
            changed = told(name)
            place = at(changed, path)
            if isinstance(place, dict):
                place["more"] = "x"
            elif isinstance(place, list):
                place.append(copy.deepcopy(place[-1]) if place else "x")
            else:
                continue
            accepts(changed)

    @pytest.mark.parametrize(
        "text",
        [
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
        ],
        ids=lambda text: repr(text[:20]),
    )
    def test_no_record_at_all(self, text: str | bytes) -> None:
        with pytest.raises(RecordError, match=r"."):
            Record.from_json(text)
        with pytest.raises(RecordError, match=r"."):
            replay(text)

    @each_game
    def test_deep_nesting(self, name: str) -> None:
        """Wherever it stands."""
        for depth in (50, 300, 600, 900):
            for path in some_paths(told(name, rounds=1)):
                changed = told(name, rounds=1)
                at(changed, path[:-1])[path[-1]] = "@"
                text = json.dumps(changed).replace('"@"', "[" * depth + "]" * depth)
                assert not accepts(text), path
                try:
                    record = Record.from_json(text)
                except RecordError:
                    continue
                record.to_json()  # what can be read can be written

    @given(st.text() | st.binary())
    def test_any_text(self, text: str | bytes) -> None:
        with pytest.raises(RecordError, match=r"."):
            replay(text)

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
    def test_any_json(self, found: Json) -> None:
        with pytest.raises(RecordError, match=r"."):
            replay(json.dumps(found))

    @settings(max_examples=150, deadline=None)
    @given(st.sampled_from(GAMES), st.booleans(), st.data())
    def test_any_change(self, name: str, whole: bool, data: st.DataObject) -> None:
        """Up to three changes to a true record, each of which might have been meant to deceive."""
        changed = copy.deepcopy(TRUE[name, whole])
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


def all_paths(told: Json, path: Path = ()) -> list[Path]:
    """The place of everything in parsed JSON."""
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    return ([path] if path else []) + [found for key, value in inside for found in all_paths(value, (*path, key))]


def some_paths(told: Json) -> list[Path]:
    """One place of every kind: the first and the last of what stands in a row."""
    kinds: dict[tuple[str | int, ...], list[Path]] = {}
    for path in all_paths(told):
        kinds.setdefault(tuple("#" if isinstance(step, int) else step for step in path), []).append(path)
    return [path for same in kinds.values() for path in {same[0]: 0, same[-1]: 0}]


def at(told: Json, path: Path) -> Json:
    for step in path:
        told = told[step]
    return told


TRUE = {(name, whole): told(name) if whole else half(name) for name in GAMES for whole in (True, False)}


# --- Forgeries, one by one ---


def _words(told: Json, round: int, name: str) -> list[str]:
    words: list[str] = told["rounds"][round][name].split()
    return words


def _pack(change: Callable[[list[str]], list[str]]) -> Callable[[Json], None]:
    def forge(told: Json) -> None:
        told["rounds"][0]["packs"][0] = " ".join(change(told["rounds"][0]["packs"][0].split()))

    return forge


def _actions(change: Callable[[list[str]], list[str]]) -> Callable[[Json], None]:
    def forge(told: Json) -> None:
        told["rounds"][0]["actions"] = " ".join(change(_words(told, 0, "actions")))

    return forge


def _set(*path: str | int, to: Json) -> Callable[[Json], None]:
    def forge(told: Json) -> None:
        at(told, path[:-1])[path[-1]] = to(at(told, path)) if callable(to) else to

    return forge


def _seat(action: str) -> str:
    return f"{1 - int(action[0])}{action[1:]}"


FORGERIES: dict[str, tuple[Callable[[Json], None], str]] = {
    "a card twice": (_pack(lambda pack: [pack[1], *pack[1:]]), "once"),
    "a card too many": (_pack(lambda pack: [*pack, pack[0]]), "once"),
    "a card too few": (_pack(lambda pack: pack[1:]), "all the game's cards"),
    "a card that is none": (_pack(lambda pack: ["13H", *pack[1:]]), "card"),
    "a card that may not be seen": (_pack(lambda pack: ["?", *pack[1:]]), "cards"),
    "a foreign card": (_pack(lambda pack: ["G", *pack[1:]]), "cards"),
    "no cards": (_pack(lambda pack: []), "cards"),
    "no pack": (_set("rounds", 0, "packs", to=[]), "round 1"),
    "a second pack": (_set("rounds", 0, "packs", to=lambda packs: packs * 2), "packs"),
    "another order": (_pack(lambda pack: pack[::-1]), "round 1"),
    "an action left out": (_actions(lambda actions: actions[1:]), "round 1"),
    "the last action left out": (_actions(lambda actions: actions[:-1]), "not over"),
    "an action twice": (_actions(lambda actions: [actions[0], *actions]), "action"),
    "an action after the end": (_actions(lambda actions: [*actions, actions[-1]]), "over"),
    "an action of another seat": (_actions(lambda actions: [*actions[:-1], _seat(actions[-1])]), "action"),
    "an action of no seat": (_actions(lambda actions: ["7" + actions[0][1:], *actions[1:]]), "action 1"),
    "an action of the driver": (_actions(lambda actions: ["16:deal", *actions]), "action 1"),
    "a word of the driver": (_actions(lambda actions: ["0:deal", *actions]), "action 1"),
    "no such word": (_actions(lambda actions: ["0:pass", *actions]), "action 1"),
    "no such action": (_actions(lambda actions: ["pass", *actions]), "action"),
    "a negative seat": (_actions(lambda actions: ["-1" + actions[0][1:], *actions[1:]]), "action"),
    "a huge seat": (_actions(lambda actions: ["9" * 5000 + ":1H", *actions]), "action"),
    "another number's digits": (_actions(lambda actions: ["٠" + actions[0][1:], *actions[1:]]), "action"),
    "other returns": (_set("rounds", 0, "returns", to=lambda row: [row[0] + 1, row[1] - 1]), "result"),
    "no returns": (_set("rounds", 0, "returns", to=[]), "over"),
    "more returns": (_set("rounds", 0, "returns", to=lambda row: [*row, 0]), "result"),
    "another ending": (_set("rounds", 0, "ending", to="nobody knows"), "result"),
    "no sheet": (_set("rounds", 0, "sheet", to=[]), "result"),
    "other points": (_set("rounds", 0, "sheet", 0, "points", to=lambda points: points + 1), "result"),
    "another line": (_set("rounds", 0, "sheet", 0, "clause", to="x"), "result"),
    "other cards on the sheet": (_set("rounds", 0, "sheet", 0, "cards", to="G"), "result"),
    "a line more": (_set("rounds", 0, "sheet", to=lambda lines: [*lines, lines[0]]), "result"),
    "another dealer": (_set("rounds", 0, "dealer", to=lambda dealer: 1 - dealer), "round 1"),
    "another second dealer": (_set("rounds", 1, "dealer", to=lambda dealer: 1 - dealer), "round 2"),
    "no such dealer": (_set("rounds", 0, "dealer", to=2), "seat 2"),
    "a dealer below the first": (_set("rounds", 1, "dealer", to=-1), "seat -1"),
    "a huge dealer": (_set("rounds", 0, "dealer", to=10**4000), "seat"),
    "a round more": (_set("rounds", to=lambda rounds: [*rounds, rounds[-1]]), "round 3"),
    "no rounds": (_set("rounds", to=[]), "no rounds"),
    "too many rounds": (_set("rounds", to=lambda rounds: rounds * 600), "rounds"),
    "too many packs": (_set("rounds", 0, "packs", to=lambda packs: packs * 2000), "longer"),
    "too many actions": (_actions(lambda actions: actions * 2000), "longer"),
    "a player more": (_set("players", to=["a", "b", "c", "d", "e", "f", "g", "h", "i"]), "played by"),
    "a player fewer": (_set("players", to=["a"]), "played by"),
    "no players": (_set("players", to=[]), "player"),
    "no such game": (_set("game", to="poker"), "poker"),
    "no such option": (_set("options", to={"speed": "high"}), "speed"),
    "no such value": (_set("match_options", to={"rounds": "many"}), "many"),
    "a huge value": (_set("match_options", to={"rounds": "9" * 5000}), "rounds"),
    "an option that is the number of seats": (_set("options", to={"seats": "2"}), "seats"),
    "an option that is a preset": (_set("options", to={"preset": "default"}), "preset"),
    "an option that is a name": (_set("options", to={"name": "x"}), "name"),
    "an option that is nothing": (_set("options", to={"": ""}), "option"),
    "version zero": (_set("version", to=0), "version"),
    "a version below": (_set("version", to=-1), "version"),
    "format zero": (_set("mekuri", to=0), "format"),
    "a newer version": (_set("version", to=1000), "version 1000.*update"),
    "a newer format": (_set("mekuri", to=2), "newer.*format 2.*update"),
    "a much newer format": (_set("mekuri", to=10**30), "newer"),
}


@each_game
@pytest.mark.parametrize(("forge", "says"), FORGERIES.values(), ids=FORGERIES)
def test_forgery_is_refused(name: str, forge: Callable[[Json], None], says: str) -> None:
    changed = copy.deepcopy(TRUE[name, True])
    forge(changed)
    with pytest.raises((RecordError, OptionError, UnknownGame), match=rf"(?s){says}"):
        replay(json.dumps(changed))


@each_game
@pytest.mark.parametrize("key", ["ending", "sheet"])
def test_a_round_that_is_not_over_has_no_result(name: str, key: str) -> None:
    changed = copy.deepcopy(TRUE[name, False])
    changed["rounds"][-1][key] = TRUE[name, True]["rounds"][0][key]
    with pytest.raises(RecordError, match="round 2"):
        replay(json.dumps(changed))


@each_game
def test_nothing_follows_a_round_that_is_not_over(name: str) -> None:
    changed = copy.deepcopy(TRUE[name, False])
    changed["rounds"] = [changed["rounds"][-1], *changed["rounds"]]
    with pytest.raises(RecordError, match="over"):
        replay(json.dumps(changed))


@each_game
def test_a_forged_second_pack_is_refused(name: str) -> None:
    """In a round that was dealt again the second pack is held against the cards as well."""
    game = mekuri.game(name)
    if not game.contract.redeals:
        pytest.skip("this game is never dealt again")
    match = game.match(seed=0, rounds=1)
    match.round = next(round for round in (random_round(game, seed) for seed in range(3000)) if len(round.packs) > 1)
    whole = json.loads(match.record().to_json())
    assert len(whole["rounds"][0]["packs"]) > 1
    assert accepts(whole)
    for change in (
        lambda packs: packs[:1],
        lambda packs: [packs[0], packs[0]],
        lambda packs: [packs[1], packs[1]],
        lambda packs: [*packs[:-1], " ".join(packs[-1].split()[1:])],
        lambda packs: [*packs[:-1], ""],
    ):
        forged = copy.deepcopy(whole)
        forged["rounds"][0]["packs"] = change(forged["rounds"][0]["packs"])
        assert not accepts(forged)


# --- Versions ---


@contextmanager
def changed_rules(contract: Contract, **changes: Any) -> Iterator[None]:
    """A game as it will be in a later version."""
    own = {name: getattr(contract, name) for name in changes}
    for name, value in changes.items():
        object.__setattr__(contract, name, value)
    try:
        yield
    finally:
        for name, value in own.items():
            object.__setattr__(contract, name, value)


@each_game
class TestVersions:
    def test_an_older_record_that_plays_the_same(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        with changed_rules(contract, version=contract.version + 1):
            assert replay(record).record().rounds == record.rounds

    def test_an_older_record_that_plays_differently(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        old, own = contract.version, contract.returns
        with (
            changed_rules(contract, version=old + 1, returns=lambda s, seat: own(s, seat) + 1),
            pytest.raises(OlderVersion, match=f"version {old}.*version {old + 1}.*round 1"),
        ):
            replay(record)
        assert issubclass(OlderVersion, RecordError)
        assert replay(record).record() == record

    def test_an_older_record_whose_actions_are_forbidden_now(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        own = contract.legal
        with (
            changed_rules(contract, version=contract.version + 1, legal=lambda s, seat: own(s, seat) & -own(s, seat)),
            pytest.raises(OlderVersion, match="round 1, action"),
        ):
            replay(record)

    def test_a_record_of_this_version_that_plays_differently_is_forged(self, name: str) -> None:
        record = played(mekuri.game(name)).record()
        contract = mekuri.game(name).contract
        own = contract.returns
        with changed_rules(contract, returns=lambda s, seat: own(s, seat) + 1), pytest.raises(RecordError) as refusal:
            replay(record)
        assert not isinstance(refusal.value, OlderVersion)


def test_every_error_is_one_of_ours() -> None:
    assert all(issubclass(error, MekuriError) for error in (RecordError, OptionError, UnknownGame, OlderVersion))
