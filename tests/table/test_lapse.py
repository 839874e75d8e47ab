"""Lost turns of bots, as shown by a table."""

from mekuri.engine.contract import legal
from mekuri.protocol.table import AskAction, AskSeat, AskTable
from mekuri.table import commands
from mekuri.table.rows import load
from mekuri.table.showing import show
from mekuri.table.table import Table
from tests.helpers.tables import USUAL

ROOT = bytes(32)


def begun(game: str, bot: str) -> Table:
    """Return a table with a person as dealer and a bot in the second seat, after the person's first actions."""
    asked = AskTable(game=game, seats=["person", bot], first_dealer=0, match_options={"rounds": "1"})
    table = commands.make("t", ROOT, asked, "ann", 1)
    commands.sit(table, "ann", "Ann", AskSeat(), 2)
    while view := show(table, 0).view:
        if not view.legal:
            return table
        commands.play(table, "ann", AskAction(version=table.version(0), action=view.legal[0].action), 3)
    raise AssertionError("no round has begun")


def lose(table: Table, cards: int) -> None:
    """The bot loses its next turns, in each of which the lowest card is played for it."""
    for _ in range(cards):
        turn = commands.bot_turn(table, 4)
        assert turn
        choices = legal(turn.hidden, turn.seat)
        commands.bot_answer(table, 4, turn, (choices & -choices).bit_length() - 1, "random")


def test_lapse_comes_before_the_replacing_action() -> None:
    table = begun(USUAL, "greedy")
    before = table.version(0)
    lose(table, 1)
    events = table.history.events(0, before)
    assert events
    assert [(event.kind, event.seat) for event in events[:2]] == [("lapse", 1), ("play", 1)]
    assert [(row.kind, row.body) for row in table.fresh if row.kind == "lapse"] == [("lapse", {"bot": "greedy", "by": "random"})]


def test_repeated_answer_counts_as_one_lapse() -> None:
    """An answer that comes twice, as from two processes, is one lapse."""
    table = begun(USUAL, "greedy")
    turn = commands.bot_turn(table, 4)
    assert turn
    choices = legal(turn.hidden, turn.seat)
    for _ in range(2):
        commands.bot_answer(table, 4, turn, (choices & -choices).bit_length() - 1, "random")
    assert [row.kind for row in table.fresh].count("lapse") == 1


def test_answer_of_the_bot_is_no_lapse() -> None:
    table = begun(USUAL, "greedy")
    turn = commands.bot_turn(table, 4)
    assert turn
    commands.bot_answer(table, 4, turn, commands.think(turn), "greedy")
    assert "lapse" not in [row.kind for row in table.fresh]


def test_number_of_lapses_is_hidden_during_secret_play() -> None:
    """The others see the same whether one card has been laid or three; the log knows it all."""
    shown = []
    for cards in (1, 3):
        table = begun("mutsuichi", "equilibrium")
        lose(table, cards)
        assert [row.kind for row in table.fresh].count("lapse") == cards
        whole = show(table, 0)
        shown.append((table.version(0), table.history.events(0, 0), whole))
        again = load("t", ROOT, table.fresh, names=table.names)
        assert (again.history.events(0, 0), show(again, 0)) == (table.history.events(0, 0), whole)
    assert shown[0] == shown[1]
