"""The cards of bush clover, susuki, chrysanthemum, maple, peony and plum, from the bottom of each picture up."""

from __future__ import annotations

from mekuri.cards.art.hanafuda_beasts import boar, deer
from mekuri.cards.art.hanafuda_birds import butterfly, goose, nightingale
from mekuri.cards.art.hanafuda_flowers import (
    chrysanthemum,
    chrysanthemum_leaf,
    clover,
    clover_flowers,
    hill,
    peony,
    peony_leaf,
    susuki,
)
from mekuri.cards.art.hanafuda_shapes import GREEN, INK, OCHRE, PAPER, RED, VIOLET, disc, drawn, line, placed, solid
from mekuri.cards.art.hanafuda_things import borders, foot, ground, poem, ribbon, sake_cup, sky, whole
from mekuri.cards.art.hanafuda_trees import branch, crooked, maple, plum

# 7: bush clover


def clover_with_boar() -> str:
    """The boar breaks out of the clover."""
    return whole(
        ground(),
        clover(52 + 98j, 1),
        clover(57 + 88j, 0.94, 12),
        clover(46 + 92j, 0.7, -14),
        clover_flowers(30 + 20j, 12 + 44j, 48 + 36j),
        foot(OCHRE, 1.4 + 91j, 20 + 88j, 42 + 91j, 60.6 + 88j),
        placed(boar(), 34 + 70j, size=1.12),
    )


def clover_with_ribbon() -> str:
    """A ribbon in the clover."""
    return whole(
        ground(),
        clover(52 + 101j, 1, 6),
        clover(12 + 101j, 0.94, -10, mirrored=True),
        ribbon(31 + 54j, 6, RED),
        clover(30 + 101j, 0.84, -30, short=True),
        clover(36 + 101j, 0.8, 34, mirrored=True, short=True),
        clover_flowers(20 + 60j, 50 + 58j, 12 + 84j),
    )


def clover_first() -> str:
    """Stems that arch to the left."""
    return whole(
        ground(),
        clover(54 + 101j, 1.05),
        clover(44 + 101j, 0.78, -12),
        clover(32 + 101j, 0.9, -28, short=True),
        clover(50 + 101j, 0.8, 16, mirrored=True, short=True),
        clover(60 + 52j, 0.6, 8),
        clover_flowers(28 + 30j, 20 + 52j, 46 + 60j),
    )


def clover_second() -> str:
    """Stems that part to both sides."""
    return whole(
        ground(),
        clover(26 + 101j, 0.9, 8),
        clover(34 + 101j, 0.8, 6, mirrored=True),
        clover(40 + 101j, 0.9, 30, mirrored=True, short=True),
        clover(20 + 101j, 0.8, -30, short=True),
        clover_flowers(17 + 38j, 25 + 58j, 47 + 47j, 36 + 64j),
    )


# 8: susuki


def susuki_with_moon() -> str:
    """The full moon over the hill."""
    return whole(
        ground(RED),
        solid(PAPER, disc(31 + 31j, 21)),
        hill(31 + 112j, 52),
    )


def susuki_with_geese() -> str:
    """Geese come down over the hill."""
    return whole(
        ground(),
        sky(RED, 1.4 + 22j, 18 + 26j, 38 + 18j, 60.6 + 22j),
        placed(goose(), 42 + 16j, -12, 1),
        placed(goose(), 20 + 37j, -12, 1.05),
        placed(goose(), 47 + 47j, -12, 0.85),
        hill(26 + 116j, 58),
    )


def susuki_first() -> str:
    """Plumes before a hill, combed to the left."""
    return whole(
        ground(),
        hill(42 + 102j, 54),
        susuki(38 + 64j, 0.94, -16),
        susuki(46 + 64j, 1, 2),
        susuki(28 + 70j, 0.76, -26),
        susuki(42 + 101j, 0.74, 4, colour=PAPER),
        susuki(32 + 101j, 0.62, -16, colour=PAPER),
    )


def susuki_second() -> str:
    """A hill behind a hill, and plumes combed to the right."""
    return whole(
        ground(),
        hill(46 + 82j, 36, GREEN, grass=GREEN),
        susuki(20 + 70j, 1.06, 16, mirrored=True),
        susuki(13 + 68j, 0.9, -4, mirrored=True),
        foot(PAPER, 1.4 + 60j, 20 + 59j, 40 + 66j, 54 + 78j, 60.6 + 90j),
        hill(10 + 116j, 54),
        susuki(20 + 101j, 0.66, 12, mirrored=True, colour=PAPER),
    )


# 9: chrysanthemum


def chrysanthemum_with_cup() -> str:
    """The cup of the chrysanthemum feast."""
    return whole(
        ground(),
        chrysanthemum_leaf(34 + 44j, 22, -110),
        chrysanthemum_leaf(20 + 36j, 22, 200, INK),
        chrysanthemum_leaf(44 + 36j, 24, 16, INK),
        chrysanthemum_leaf(28 + 20j, 18, 50),
        chrysanthemum(18 + 24j, 17, OCHRE, INK),
        chrysanthemum(46 + 44j, 14, RED),
        sake_cup(31 + 78j, 23),
    )


def chrysanthemum_with_ribbon() -> str:
    """A blue ribbon among the chrysanthemums."""
    return whole(
        ground(),
        chrysanthemum_leaf(44 + 30j, 18, 80),
        chrysanthemum_leaf(14 + 70j, 18, -100, INK),
        ribbon(32 + 52j, -6, VIOLET, borders()),
        chrysanthemum_leaf(16 + 34j, 18, 190, INK),
        chrysanthemum_leaf(50 + 78j, 18, 10),
        chrysanthemum(18 + 22j, 16, RED),
        chrysanthemum(46 + 86j, 17, OCHRE, INK),
        chrysanthemum(12 + 90j, 12, RED),
    )


def chrysanthemum_first() -> str:
    """A large flower above a small one."""
    return whole(
        ground(),
        drawn(INK, 2, line(32 + 100j, 28 + 60j, 34 + 30j)),
        chrysanthemum_leaf(28 + 60j, 22, -70),
        chrysanthemum_leaf(30 + 62j, 22, 150, INK),
        chrysanthemum_leaf(30 + 80j, 22, -140, INK),
        chrysanthemum_leaf(34 + 50j, 20, 70, INK),
        chrysanthemum(32 + 27j, 21, RED),
        chrysanthemum(45 + 76j, 14, OCHRE, INK),
    )


def chrysanthemum_second() -> str:
    """Three flowers."""
    return whole(
        ground(),
        drawn(INK, 2, line(28 + 100j, 32 + 60j, 20 + 24j), line(32 + 60j, 44 + 46j)),
        chrysanthemum_leaf(30 + 56j, 20, -90, INK),
        chrysanthemum_leaf(42 + 26j, 18, 20),
        chrysanthemum_leaf(32 + 66j, 24, 120, INK),
        chrysanthemum_leaf(44 + 66j, 16, 80),
        chrysanthemum(20 + 22j, 16, PAPER, INK),
        chrysanthemum(44 + 48j, 15, RED),
        chrysanthemum(19 + 80j, 17, OCHRE, INK),
    )


# 10: maple


def maple_with_deer() -> str:
    """The stag looks away."""
    return whole(
        ground(),
        branch(1 + 6j, 24 + 12j, 61 + 6j, width=3, end=2),
        maple(51 + 17j, 14, 150),
        maple(30 + 9j, 13, 200, OCHRE),
        maple(11 + 17j, 15, 170),
        maple(13 + 46j, 13, -130, INK),
        foot(GREEN, 1.4 + 92j, 18 + 88j, 40 + 91j, 60.6 + 86j),
        placed(deer(), 33 + 64j, size=1.02, mirrored=True),
        maple(9 + 92j, 9, -30),
    )


def maple_with_ribbon() -> str:
    """A blue ribbon among the leaves."""
    return whole(
        ground(),
        branch(61 + 10j, 40 + 8j, 22 + 18j, width=3, end=1.4),
        maple(51 + 42j, 16, 120, OCHRE),
        maple(11 + 54j, 15, -140),
        ribbon(32 + 54j, 6, VIOLET, borders()),
        maple(45 + 17j, 16, 160),
        maple(18 + 20j, 18, 200, INK),
        maple(16 + 85j, 18, -160, OCHRE),
        maple(47 + 80j, 18, 140),
    )


def maple_first() -> str:
    """A branch from the left; leaves of three colours."""
    return whole(
        ground(),
        branch(16 + 56j, 20 + 36j, 16 + 14j, width=3, end=1.2),
        branch(-2 + 80j, 16 + 56j, 40 + 46j, 60 + 40j, width=5, end=1.4),
        maple(45 + 22j, 20, 24),
        maple(17 + 32j, 17, -24, OCHRE),
        maple(39 + 57j, 18, 160, INK),
        maple(17 + 80j, 19, -160),
        maple(47 + 86j, 16, 120, OCHRE),
    )


def maple_second() -> str:
    """Leaves that fall."""
    return whole(
        ground(),
        branch(61 + 30j, 40 + 20j, 20 + 6j, width=4, end=1.4),
        maple(45 + 31j, 19, 170, INK),
        maple(18 + 20j, 19, 215),
        maple(19 + 56j, 17, 130, OCHRE),
        maple(42 + 68j, 20, 200),
        maple(16 + 88j, 15, 80, INK),
        maple(47 + 92j, 11, -30, OCHRE),
    )


# 11: peony


def peony_with_butterflies() -> str:
    """Two butterflies over a peony."""
    return whole(
        ground(),
        peony_leaf(24 + 76j, 24, -80),
        peony_leaf(44 + 76j, 22, 80, INK),
        peony_leaf(36 + 88j, 22, 150),
        peony_leaf(28 + 90j, 20, -150, INK),
        peony(35 + 72j, 21),
        placed(butterfly(), 42 + 21j, 24, 1.1),
        placed(butterfly(VIOLET, OCHRE), 19 + 42j, -28, 0.9),
    )


def peony_with_ribbon() -> str:
    """A blue ribbon among the peonies."""
    return whole(
        ground(),
        peony_leaf(46 + 36j, 20, 70, INK),
        peony_leaf(20 + 70j, 22, -80),
        ribbon(31 + 52j, -6, VIOLET, borders()),
        peony_leaf(14 + 36j, 20, 200),
        peony_leaf(48 + 72j, 20, 10, INK),
        peony(20 + 22j, 17),
        peony(43 + 84j, 18, PAPER, RED),
    )


def peony_first() -> str:
    """One flower, wide open."""
    return whole(
        ground(),
        drawn(INK, 2, line(30 + 100j, 32 + 60j)),
        peony_leaf(31 + 66j, 28, -110, INK),
        peony_leaf(31 + 66j, 28, 110),
        peony_leaf(31 + 84j, 22, 140, INK),
        peony_leaf(31 + 84j, 22, -140),
        peony_leaf(18 + 24j, 18, -40),
        peony(31 + 40j, 25),
    )


def peony_second() -> str:
    """A red flower and a white one."""
    return whole(
        ground(),
        peony_leaf(40 + 26j, 24, 60, INK),
        peony_leaf(18 + 56j, 22, -120),
        peony_leaf(30 + 50j, 20, 110, INK),
        peony_leaf(24 + 84j, 24, -130, INK),
        peony_leaf(46 + 88j, 18, 80),
        peony(24 + 27j, 20),
        peony(41 + 74j, 18, PAPER, RED),
    )


# 12: plum


def plum_with_nightingale() -> str:
    """The nightingale sings in the plum."""
    return whole(
        ground(),
        sky(RED, 1.4 + 16j, 16 + 12j, 36 + 17j, 60.6 + 10j),
        crooked(62 + 88j, 46 + 84j, 40 + 70j, 14 + 64j, 2 + 52j, width=8, end=3),
        crooked(44 + 80j, 54 + 52j, 50 + 26j, 56 + 8j, width=4, end=1.6),
        placed(nightingale(), 27 + 53j, size=1.2, mirrored=True),
        plum(48 + 22j, 12, 10),
        plum(14 + 30j, 9, 0, PAPER),
        plum(12 + 82j, 13, 30),
        plum(38 + 86j, 11, 0, PAPER),
        plum(53 + 62j, 9, 20),
    )


def plum_with_ribbon() -> str:
    """A ribbon with a poem in the plum."""
    return whole(
        ground(),
        crooked(0 + 88j, 16 + 84j, 12 + 56j, 22 + 34j, 14 + 8j, width=7, end=2),
        ribbon(34 + 50j, -6, RED, poem()),
        crooked(16 + 84j, 38 + 90j, 58 + 74j, width=4, end=1.4),
        plum(20 + 22j, 13, 10),
        plum(48 + 18j, 11, 30, PAPER),
        plum(12 + 56j, 11, 0, PAPER),
        plum(48 + 82j, 13, 20),
        plum(20 + 88j, 11, 0),
        plum(54 + 48j, 7, 0),
    )


def plum_first() -> str:
    """An old trunk from the right, with angular shoots."""
    return whole(
        ground(),
        crooked(62 + 86j, 40 + 84j, 46 + 58j, 22 + 42j, 26 + 6j, width=10, end=2),
        crooked(40 + 84j, 14 + 76j, 10 + 52j, width=5, end=1.4),
        crooked(46 + 58j, 54 + 36j, 50 + 10j, width=4, end=1.2),
        plum(26 + 24j, 13, 12),
        plum(50 + 34j, 11, 0, PAPER),
        plum(12 + 56j, 11, 30, PAPER),
        plum(44 + 66j, 13, 24),
        plum(20 + 86j, 13, 6),
        plum(48 + 10j, 7, 0),
    )


def plum_second() -> str:
    """A shoot that bends down from the left."""
    return whole(
        ground(),
        crooked(0 + 22j, 20 + 28j, 16 + 54j, 42 + 62j, 38 + 98j, width=9, end=2),
        crooked(20 + 28j, 42 + 18j, 56 + 24j, width=4, end=1.4),
        crooked(16 + 54j, 8 + 74j, 14 + 94j, width=4, end=1.4),
        plum(22 + 30j, 14, 8, PAPER),
        plum(48 + 21j, 12, 20),
        plum(42 + 58j, 13, 0),
        plum(14 + 78j, 12, 14),
        plum(42 + 86j, 10, 30, PAPER),
        plum(12 + 9j, 7, 0),
    )


SEVEN_TO_TWELVE = (
    (clover_with_boar, clover_with_ribbon, clover_first, clover_second),
    (susuki_with_moon, susuki_with_geese, susuki_first, susuki_second),
    (chrysanthemum_with_cup, chrysanthemum_with_ribbon, chrysanthemum_first, chrysanthemum_second),
    (maple_with_deer, maple_with_ribbon, maple_first, maple_second),
    (peony_with_butterflies, peony_with_ribbon, peony_first, peony_second),
    (plum_with_nightingale, plum_with_ribbon, plum_first, plum_second),
)
