"""Everything that a client may ask: each operation of the desk as data, from which every front builds its routes."""

from mekuri.desk.route import Route
from mekuri.desk.routes import daily, games, guests, practice, rounds, stream, tables

ROUTES: tuple[Route, ...] = (
    *games.ROUTES,
    *guests.ROUTES,
    *tables.ROUTES,
    *rounds.ROUTES,
    *stream.ROUTES,
    *guests.PUSH_ROUTES,
    *practice.ROUTES,
    *games.PUZZLE_ROUTES,
    *daily.ROUTES,
)
