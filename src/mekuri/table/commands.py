"""The commands by which people, bots and timers change a table, gathered from the modules that define them.

Times are milliseconds since 1970. A command raises ProblemError where it cannot be done, and has then added no row to the table.
"""

from mekuri.table.acting import close_window, play, ready, say, silent, take_back
from mekuri.table.coming import come_back, free, free_seats, hold, leave, let_go, seat_of, sit
from mekuri.table.course import abandon, close, close_restored
from mekuri.table.founding import make, rematch
from mekuri.table.stalling import awaited, break_off, due_at, need_to_wait, pass_term, stand_in, waiting
from mekuri.table.turns import Answer, Turn, bot_answer, bot_due, bot_turn, seen_by_others, think
