"""Which names can be taken, which look alike, and what a player is called whose name is taken."""

from unicodedata import normalize

import pytest

from mekuri.bots import find
from mekuri.match.record import Record
from mekuri.protocol.guests import LONGEST_NAME
from mekuri.protocol.table import AskSeat, AskTable
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.names import check_name, made_distinct, shown, skeleton
from mekuri.table.rows import load
from mekuri.table.showing import record_of
from mekuri.table.table import learn
from tests.helpers.tables import USUAL

OVERRIDE = "\u202eikA"
ZALGO = "A\u0300\u0301\u0302\u0303ki"
FAMILY = "👩\u200d👩\u200d👧\u200d👦"


def refusal(name: str, *kept: str) -> str:
    with pytest.raises(ProblemError) as refused:
        check_name(name, kept)
    return refused.value.problem.error


class TestTaken:
    @pytest.mark.parametrize(
        "name",
        [
            "Aki",
            "あき",
            "明 子",
            "Nguyễn Thị",
            "Ωmega",
            "عائشة",
            "אסתר",
            "ก็ที่",
            "葛\U000e0100飾",
            "❤\ufe0f Ben",
            "3\ufe0f\u20e3",
            "O'Neill-Ōta 3",
            "한국",
        ],
    )
    def test_names_in_any_script_are_accepted(self, name: str) -> None:
        assert check_name(name) == normalize("NFC", name)

    def test_name_is_normalised(self) -> None:
        assert check_name("  A\u0301ki \u3000 Z ") == "Áki Z"

    @pytest.mark.parametrize("name", ["", " ", "\u3000\u00a0", "a\nb", "a\x00b", "\ud800", "a\u2028b"])
    def test_name_that_is_no_line_is_refused(self, name: str) -> None:
        assert refusal(name) == "name"

    @pytest.mark.parametrize("sign", ["x", "e\u0301", "鶴", "한", FAMILY, "क्ष", "🇯🇵", "❤\ufe0f"])
    def test_length_counts_characters_as_people_do(self, sign: str) -> None:
        assert check_name(sign * LONGEST_NAME)
        assert refusal(sign * (LONGEST_NAME + 1)) == refusal(sign * 5_000) == "name-long"

    @pytest.mark.parametrize(
        "name",
        [
            "می\u200cخواهم",
            "نامه\u200cای",
            "क्\u200cष",
            "क्\u200dष",
            "ක්\u200dර",
            FAMILY,
            "👨🏽\u200d💻 Ben",
            "🏳️\u200d🌈",
            "❤\ufe0f\u200d🔥",
        ],
    )
    def test_needed_joiners_are_kept(self, name: str) -> None:
        assert check_name(name) == shown(name) == name
        assert skeleton(name) == skeleton(name.replace("\u200c", "").replace("\u200d", "")), "nobody is told apart by them alone"

    @pytest.mark.parametrize(
        "name",
        [
            "A\u200dki",
            "Aki\u200c",
            "\u200cAki",
            "あ\u200cき",
            "★\u200d★",
            "👩\u200d",
            "ب\u200c\u200cب",
            "क\u200dष",
            "क्\u200d",
            FAMILY + "\u200d👦",
        ],
    )
    def test_other_joiners_are_refused(self, name: str) -> None:
        assert refusal(name) == "name-sign"

    @pytest.mark.parametrize("sign", "\u3164\u2800\u115f\u1160\uffa0\u00ad\u034f\u200b\u2060\ufe00\U0001d159\ue000\u0378\U00016fe4")
    def test_invisible_characters_are_refused(self, sign: str) -> None:
        assert refusal(sign) == refusal(f"Aki{sign}") == "name-sign"

    @pytest.mark.parametrize(
        "name", [OVERRIDE, ZALGO, "\u0301Aki", "ि" * 3, "A \u0301", "a\u0489", "\ufdfd", "\U0001242b", "⸻", "a\ufe0f\ufe0f"]
    )
    def test_characters_that_break_the_line_are_refused(self, name: str) -> None:
        assert refusal(name) == "name-sign"

    @pytest.mark.parametrize(
        "name",
        [
            "Admin",
            "ADMIN.",
            "аdmin",
            "Mekuri",
            "Mékuri",
            "Mekuri Server",
            "ｓｅｒｖｅｒ",
            "管理者",
            "めくり",
            "Guest 1234",
            "Ｇｕｅｓｔ１",
            "guеst 77",
        ],
    )
    def test_names_of_the_house_are_reserved(self, name: str) -> None:
        assert refusal(name) == "name-reserved"

    @pytest.mark.parametrize("name", [*find("greedy").name.values(), "greedy", "Grееdy"])
    def test_names_of_bots_are_reserved(self, name: str) -> None:
        assert refusal(name) == "name-reserved"

    def test_names_of_the_server_are_reserved(self) -> None:
        assert refusal("Κlub Tokyo", "Klub Tokyo") == "name-reserved"
        assert check_name("Klub Osaka", ["Klub Tokyo"])
        assert check_name("❤", ["", "!"]) == "❤", "nothing is no name to be kept"

    @pytest.mark.parametrize("name", ["Adminah", "Guest of Aki", "Robot", "Mekurina", "you"])
    def test_longer_names_than_reserved_ones_are_accepted(self, name: str) -> None:
        assert check_name(name) == name


class TestAlike:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Aki", "Аki"),
            ("Aki", "ＡＫＩ"),
            ("Aki", "Αkı"),
            ("Ben", "Веn"),
            ("ロロ", "口口"),
            ("カニ", "力二"),
            ("Ill", "lI1"),
            ("O0", "ОО"),
            ("rnari", "mari"),
        ],
    )
    def test_look_alike_names_have_one_skeleton(self, one: str, other: str) -> None:
        assert skeleton(one) == skeleton(other)

    @pytest.mark.parametrize(("one", "other"), [("Aki", "Ako"), ("Aki", "Áki"), ("あき", "アキ"), ("Aki", "Aki 2")])
    def test_different_names_have_two_skeletons(self, one: str, other: str) -> None:
        assert skeleton(one) != skeleton(other)

    def test_second_look_alike_name_gets_a_number(self) -> None:
        assert made_distinct("Aki", ["Ben"]) == "Aki"
        assert made_distinct("Аki", ["Aki"]) == "Аki (2)"
        assert made_distinct("Aki", ["Aki", "Aki (2)"]) == "Aki (3)"
        assert made_distinct("Greedy", []) == "Greedy (2)"


class TestShown:
    @pytest.mark.parametrize(
        ("name", "safe"),
        [("\u3164\u2800", "?"), (OVERRIDE, "ikA"), (ZALGO, "A\u0300\u0301\u0302ki"), ("Aki", "Aki"), ("\ufdfd", "?")],
    )
    def test_shown_name_cannot_break_the_line(self, name: str, safe: str) -> None:
        assert normalize("NFD", shown(name)) == normalize("NFD", safe)


class TestAtTable:
    def test_look_alike_names_are_numbered_at_the_table(self) -> None:
        asked = AskTable(game=USUAL, seats=["person", "person"], match_options={"rounds": "1"})
        table = commands.make("m", bytes(32), asked, "aki", 0)
        table.history.watched = {None}
        for person, name in (("a", "Aki"), ("b", "Аki")):
            commands.sit(table, person, name, AskSeat(), 0)
        assert [seat.name for seat in table.head.seats] == ["Aki", "Аki (2)"]
        assert [event.text.args["name"] for _, event in table.history.pending if event.kind == "sit"] == ["Aki", "Аki (2)"]
        again = load("m", table.root, table.fresh, names=table.names)
        assert again.head == table.head
        learn(table, {"a": "Ume"})
        assert [seat.name for seat in table.head.seats] == ["Ume", "Аki"]
        learn(table, {"a": "Aki"})
        commands.leave(table, "a", 1)
        commands.leave(table, "b", 1)
        assert Record.from_json(record_of(table)).players == ("Aki", "Аki (2)")

    def test_stored_unsafe_name_is_shown_safely(self) -> None:
        asked = AskTable(game=USUAL, seats=["person", "person"])
        table = commands.make("m", bytes(32), asked, "aki", 0)
        commands.sit(table, "a", "\u3164", AskSeat(), 0)
        commands.sit(table, "b", OVERRIDE + ZALGO, AskSeat(), 0)
        assert [seat.name for seat in table.head.seats] == ["?", normalize("NFC", "ikAA\u0300\u0301\u0302ki")]
        assert table.state == "running"
