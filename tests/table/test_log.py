"""A table is what its log says, or nothing: whatever the rows do not lead to is not guessed."""

import random
from collections.abc import Callable
from itertools import product

import msgspec
import pytest

from mekuri.engine.contract import DRIVER
from mekuri.protocol import table as wire
from mekuri.table import commands
from mekuri.table.errors import ProblemError
from mekuri.table.log import Row
from mekuri.table.rows import catch_up, load
from mekuri.table.showing import record_of, show
from mekuri.table.table import Table
from mekuri.table.transitions import Unreplayable
from tests.helpers.server.stores import ROOT
from tests.helpers.tables import GAMES, HELD, WORDS, each_game, games_in_turn, in_turn, seats_for

PEOPLE = ("ann", "ben")
NAMES = {person: person.title() for person in PEOPLE}


@pytest.mark.parametrize(("name", "option", "older", "word"), WORDS)
def test_number_in_an_older_log_means_the_word(name: str, option: str, older: str, word: str) -> None:
    """Older logs have a number: it means the same, and is shown as the word."""
    table = commands.make("m", ROOT, wire.AskTable(game=name, match_options={option: word}), PEOPLE[0], 0)
    (row,) = table.fresh
    assert row.body["match_options"] in ({}, {option: word})
    again = load("m", ROOT, [msgspec.structs.replace(row, body={**row.body, "match_options": {option: older}})])
    assert again.match_options == table.match_options
    assert show(again, None) == show(table, None)


class Play:
    """A table that is played by random commands, without a server.

    Attributes:
        table: the table.
        rows: its log.
        borders: how long the log was after each command.
    """

    def __init__(self, name: str, chance: random.Random, bot: str | None = None) -> None:
        seats = seats_for(name, "person", bot or "person")
        asked = wire.AskTable(game=name, seats=seats, match_options={"rounds": "2"})
        self._chance = chance
        self._at = 1000
        self.rows: list[Row] = []
        self.borders: list[int] = []
        self.table = commands.make("m", ROOT, asked, PEOPLE[0], self._at)
        self.write()

    def write(self) -> bool:
        """Move fresh rows into the log; return whether there were any."""
        if not self.table.fresh:
            return False
        # As it is read from a database.
        self.rows += msgspec.json.decode(msgspec.json.encode(self.table.fresh), type=list[Row])
        self.borders.append(len(self.rows))
        self.table.fresh = []
        return True

    def some(self) -> bool:
        """Do one thing, anything; whether anything came of it."""
        table, person, at = self.table, self._chance.choice(PEOPLE), self._at
        self._at += self._chance.randrange(5000)
        doing: list[Callable[[], object]] = [
            *[lambda: self._play(person)] * 40,
            *[self._bot] * 40,
            *[lambda: commands.ready(table, person, wire.AskReady(round=table.rounds), at)] * 5,
            *[lambda: commands.sit(table, person, person.title(), wire.AskSeat(cut=f"cut of {person}"), at)] * 3,
            lambda: commands.hold(table, at, self._chance.randrange(2)),
            lambda: commands.come_back(table, person, at),
            lambda: commands.leave(table, person, at),
            lambda: commands.close_window(table, at),
        ]
        try:
            self._chance.choice(doing)()
        except ProblemError:
            assert not table.fresh
        return self.write()

    def _play(self, person: str) -> None:
        seat = commands.seat_of(self.table, person)
        round = self.table.round
        if seat is not None and round and round.legal_for(seat):
            asked = wire.AskAction(version=self.table.version(seat), action=self._chance.choice(round.legal_for(seat)))
            commands.play(self.table, person, asked, self._at)

    def _bot(self) -> None:
        turn = commands.bot_turn(self.table, self._at)
        if turn:
            commands.bot_answer(self.table, self._at, turn, commands.think(turn))

    def to_the_end(self) -> None:
        while self.table.state != "over":
            self.some()


def played_out(name: str, bot: str | None = None) -> Play:
    """Return a match that has ended, of two rounds if no player left."""
    for seed in range(100):
        play = Play(name, random.Random(seed), bot)
        play.to_the_end()
        if play.table.why == "played":
            return play
    raise AssertionError("everybody always leaves")


def state_of(table: Table) -> list[object]:
    """Return everything that a table shows to any viewer, and the state that checks future commands."""
    viewers = [*range(len(table.seats)), None]
    return [
        *(show(table, viewer) for viewer in viewers),
        *(table.history.events(viewer, max(0, table.version(viewer) - 8)) for viewer in viewers),
        *table.seats,
        (table.state, table.why, table.rows, table.opened, table.closes, table.changed_at, table.resting),
        record_of(table) if table.state == "over" and table.match else None,
    ]


def loaded(rows: list[Row]) -> Table:
    return load("m", ROOT, rows, names=NAMES)


class TestLog:
    @pytest.mark.parametrize(("name", "bot"), in_turn(product(GAMES, [None, "greedy"])))
    def test_log_replays_to_the_live_table_after_every_command(self, name: str, bot: str | None) -> None:
        kinds = set()
        for seed in range(2 if name in HELD else 10):  # other matches are short, and little happens in each
            play = Play(name, random.Random(seed), bot)
            while play.table.state != "over":
                if play.some() and seed == 0:
                    again = loaded(play.rows)
                    assert state_of(again) == state_of(play.table)
                    assert not again.fresh
                    assert not again.driven
            kinds |= {row.kind for row in play.rows}
        # A person alone who leaves ends the match.
        always = {"make", "sit", "round", "play", "end"}
        assert kinds >= (always if bot else always | {"open", "leave", "hold", "back", "ready"})

    @games_in_turn(0)
    def test_log_read_in_parts_gives_the_same_table(self, name: str) -> None:
        """A table that reads the log by transaction or by row gets the same state."""
        play = played_out(name)
        by_row, by_part = (load("m", ROOT, [], names=NAMES) for _ in range(2))
        for start, end in zip([0, *play.borders], play.borders, strict=False):
            for row in play.rows[start:end]:
                catch_up(by_row, [row])
            catch_up(by_part, play.rows[max(0, start - 3) : end])
            assert state_of(by_row) == state_of(by_part)
        assert state_of(by_row) == state_of(play.table)

    @games_in_turn(1)
    def test_damaged_log_is_refused(self, name: str) -> None:
        """A missing or changed row is found when the rows after it do not follow.

        If silence is possible, an answer may be missing: the next player who shouts closes the window all the same.
        """
        play = played_out(name, "greedy")
        rows, chance = play.rows, random.Random(3)
        for at in chance.sample(range(len(rows) - 1), 20):
            with pytest.raises(Unreplayable, match=f"row {at} of the log is missing"):
                loaded([*rows[:at], *rows[at + 1 :]])
        happened = [at for at, row in enumerate(rows) if row.kind == "play"]
        for at in chance.sample(happened, min(len(happened), 20)):
            damages = [doubled(rows, at), changed(rows, at, {}), changed(rows, at, {"action": "no"})]
            if rows[at].seat == DRIVER or not loaded(rows[:at]).running.silence:
                damages.append(left_out(rows, at))
            for damaged in damages:
                with pytest.raises(Unreplayable):
                    loaded(damaged)

    @games_in_turn(2)
    def test_log_with_other_cards_is_refused(self, name: str) -> None:
        """The driver's actions and packs must be those of the table itself."""
        rows = played_out(name, "greedy").rows
        chance = random.Random(name)
        cards = sorted({row.body["action"] for row in rows if row.kind == "play"})
        for at, row in enumerate(rows):
            if row.kind == "play" and row.seat == DRIVER:
                others = [{**row.body, "action": card} for card in chance.sample(cards, 4) if card != row.body["action"]]
                if "packs" in row.body:
                    turned = " ".join(reversed(row.body["packs"].split()))
                    others += [{**row.body, "packs": turned}, {"action": row.body["action"]}]
                else:
                    others += [{**row.body, "packs": "1H"}]
                for body in others:
                    with pytest.raises(Unreplayable, match=f"row {at} of the log"):
                        loaded(changed(rows[: at + 1], at, body))

    @each_game
    def test_log_with_another_secret_is_refused(self, name: str) -> None:
        if not any("packs" in row.body for row in played_out(name, "greedy").rows):
            pytest.skip("no cards are shuffled in this game")
        with pytest.raises(Unreplayable, match="would not do this by itself"):
            load("m", bytes(32), played_out(name, "greedy").rows)

    @each_game
    def test_log_cut_inside_a_transaction_is_refused(self, name: str) -> None:
        play = played_out(name)
        inner = [end for end in range(1, len(play.rows)) if end not in play.borders and play.rows[end].seat == DRIVER]
        assert inner
        for end in inner:
            with pytest.raises(Unreplayable):
                loaded(play.rows[:end])


def numbered(rows: list[Row]) -> list[Row]:
    return [msgspec.structs.replace(row, n=n) for n, row in enumerate(rows)]


def left_out(rows: list[Row], at: int) -> list[Row]:
    return numbered(rows[:at] + rows[at + 1 :])


def doubled(rows: list[Row], at: int) -> list[Row]:
    return numbered(rows[: at + 1] + rows[at:])


def changed(rows: list[Row], at: int, body: dict[str, object]) -> list[Row]:
    return [*rows[:at], msgspec.structs.replace(rows[at], body=body), *rows[at + 1 :]]
