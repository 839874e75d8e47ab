"""The cards of pine, willow, cherry, wisteria, iris and paulownia, from the bottom of each picture up."""

from __future__ import annotations

from mekuri.cards.art.hanafuda_beasts import bolt, claw, cloud, frog, rain_man, stream, thunder_drum, umbrella
from mekuri.cards.art.hanafuda_birds import crane, cuckoo, phoenix, swallow
from mekuri.cards.art.hanafuda_flowers import blades, feather_leaf, iris, wisteria
from mekuri.cards.art.hanafuda_shapes import GREEN, INK, OCHRE, PAPER, RED, VIOLET, disc, drawn, line, placed, solid
from mekuri.cards.art.hanafuda_things import bridge, curtain, foot, ground, poem, ribbon, ripples, whole
from mekuri.cards.art.hanafuda_trees import bark, branch, buds, cherry, paulownia_leaf, paulownia_spike, pine, sprig, willow

# 1: pine


def pine_with_crane() -> str:
    """The crane before the rising sun."""
    return whole(
        ground(),
        solid(RED, disc(25 + 34j, 20.4)),
        pine(8 + 91j, 16, 16, GREEN),
        pine(53 + 94j, 15, -14),
        placed(crane(), 31 + 57j, size=1.15, mirrored=True),
        pine(30 + 103j, 14, 0),
        pine(55 + 5j, 14, -168),
        pine(36 + 1j, 11, 174, GREEN),
    )


def pine_with_ribbon() -> str:
    """A ribbon with a poem among the pines."""
    return whole(
        ground(),
        branch(1 + 78j, 18 + 84j, 40 + 90j, 61 + 84j, width=6, end=4),
        pine(50 + 34j, 17, 14, GREEN),
        pine(10 + 50j, 16, -20),
        ribbon(32 + 48j, -7, RED, poem()),
        pine(18 + 22j, 18, -10),
        pine(14 + 82j, 18, -14, GREEN),
        pine(46 + 88j, 20, 12),
    )


def pine_first() -> str:
    """An old pine that grows from the left."""
    return whole(
        ground(),
        branch(22 + 72j, 13 + 60j, 14 + 40j, width=6, end=2),
        branch(8 + 101j, 16 + 80j, 32 + 64j, 38 + 46j, 52 + 30j, width=11, end=3),
        bark(14 + 88j, 24 + 74j, 34 + 60j),
        pine(17 + 40j, 20, -14, GREEN),
        pine(45 + 31j, 22, 10),
        pine(42 + 62j, 17, 30, GREEN),
        pine(12 + 74j, 15, -24),
        pine(42 + 94j, 17, 8),
    )


def pine_second() -> str:
    """A pine that leans in from the right."""
    return whole(
        ground(),
        branch(44 + 68j, 48 + 46j, 46 + 28j, width=6, end=2),
        branch(66 + 88j, 48 + 74j, 34 + 54j, 16 + 44j, width=11, end=3),
        bark(50 + 76j, 41 + 65j, 28 + 51j),
        pine(42 + 27j, 20, 10),
        pine(16 + 44j, 20, -16, GREEN),
        pine(19 + 74j, 18, -8),
        pine(51 + 60j, 15, 22, GREEN),
        pine(36 + 100j, 22, 4),
    )


# 2: willow


def willow_with_swallow() -> str:
    """The swallow darts through the strands."""
    return whole(
        ground(),
        solid(RED, disc(25 + 77j, 22)),
        willow(9 - 2j, 13),
        willow(25 - 2j, 7, 2, GREEN),
        willow(55 - 2j, 23),
        willow(41 - 2j, 5),
        placed(swallow(), 30 + 60j, -142, 1.12),
    )


def willow_with_ribbon() -> str:
    """A ribbon in the willow."""
    return whole(
        ground(),
        willow(55 - 2j, 23),
        willow(8 - 2j, 16, 0, GREEN),
        ribbon(32 + 52j, 7, RED),
        willow(20 - 2j, 23, 2),
        willow(44 - 2j, 13),
        willow(32 - 2j, 5, 0, GREEN),
    )


def willow_with_rain_man() -> str:
    """The Rain Man by the stream, and the frog."""
    return whole(
        ground(),
        stream(85),
        foot(GREEN, 18 + 100.6j, 26 + 90j, 40 + 86j, 60.6 + 84j),
        willow(7 - 2j, 17),
        willow(20 - 2j, 6, 0, GREEN),
        willow(56 - 2j, 11),
        placed(rain_man(), 41 + 61j, size=1.05),
        umbrella(31 + 38j, 25, -8),
        placed(frog(), 13 + 79j, -22, 1.2),
    )


def lightning() -> str:
    """The storm: the thunder god's drum and his claw, and his lightning over the willow."""
    return whole(
        ground(RED),
        foot(INK, 1.4 + 60j, 16 + 56j, 30 + 66j, 48 + 56j, 60.6 + 58j),
        willow(11 + 52j, 11, 0, PAPER),
        willow(25 + 64j, 8, 0, PAPER),
        bolt(26 + 16j, 39 + 40j, 27 + 47j, 47 + 67j, 37 + 73j, 53 + 97j, width=10),
        cloud((9 + 9j, 7), (24 + 6j, 12), (44 + 5j, 13), (54 + 9j, 6), (9 + 18j, 8)),
        thunder_drum(47 + 24j, 11),
        claw(19 + 35j, 11, 170),
    )


# 3: cherry


def cherry_with_curtain() -> str:
    """A party beneath the blossoms, behind its curtain."""
    return whole(
        ground(),
        branch(1 + 12j, 20 + 16j, 42 + 10j, 61 + 18j, width=5, end=2),
        cherry(12 + 14j, 12, 10),
        cherry(50 + 14j, 12, 40),
        cherry(31 + 10j, 11, -6, PAPER),
        cherry(8 + 36j, 11, 30, PAPER),
        cherry(55 + 36j, 11, 20, PAPER),
        cherry(23 + 32j, 11, 50),
        cherry(41 + 32j, 11, 8),
        curtain(52),
    )


def cherry_with_ribbon() -> str:
    """A ribbon with a poem beneath the blossoms."""
    return whole(
        ground(),
        branch(1 + 20j, 20 + 26j, 40 + 16j, 61 + 22j, width=5, end=2),
        branch(40 + 101j, 50 + 84j, 61 + 76j, width=4, end=2),
        ribbon(30 + 56j, 6, RED, poem()),
        cherry(12 + 30j, 12, 18),
        cherry(48 + 34j, 11, 4, PAPER),
        cherry(32 + 17j, 13, 40),
        cherry(53 + 14j, 10, 0),
        cherry(50 + 86j, 13, 14),
        cherry(11 + 88j, 11, 50, PAPER),
        buds((48 + 45j, 52 + 52j), (52 + 62j, 54 + 68j)),
    )


def cherry_first() -> str:
    """A bough in full flower, from the left."""
    return whole(
        ground(),
        branch(22 + 68j, 42 + 74j, 58 + 68j, width=4, end=1.4),
        branch(28 + 52j, 16 + 38j, 14 + 20j, width=4, end=1.4),
        branch(-3 + 92j, 18 + 76j, 28 + 52j, 48 + 34j, 61 + 12j, width=8, end=2),
        cherry(46 + 34j, 14, 20),
        cherry(16 + 26j, 13, -12, PAPER),
        cherry(26 + 54j, 13, 36),
        cherry(48 + 72j, 13, 8, PAPER),
        cherry(14 + 84j, 14, 50),
        cherry(44 + 12j, 10, 0, PAPER),
        buds((36 + 90j, 40 + 95j), (34 + 88j, 32 + 95j), (12 + 58j, 8 + 62j), (30 + 30j, 28 + 22j)),
    )


def cherry_second() -> str:
    """Boughs that hang down from the right."""
    return whole(
        ground(),
        branch(48 + 16j, 52 + 44j, 44 + 80j, width=4, end=1.4),
        branch(66 + 10j, 44 + 18j, 30 + 40j, 12 + 56j, width=7, end=2),
        cherry(40 + 22j, 14, 0, PAPER),
        cherry(15 + 20j, 11, 30),
        cherry(16 + 52j, 14, 14),
        cherry(49 + 54j, 13, 44),
        cherry(40 + 84j, 14, 26, PAPER),
        cherry(14 + 84j, 10, 6),
        buds((30 + 66j, 28 + 72j), (54 + 72j, 56 + 78j), (26 + 44j, 34 + 42j), (8 + 34j, 10 + 38j)),
    )


# 4: wisteria


def wisteria_with_cuckoo() -> str:
    """The cuckoo crosses the moon."""
    return whole(
        ground(),
        solid(RED, disc(31 + 70j, 22)),
        feather_leaf(40 + 2j, 1, 150),
        wisteria(12 + 8j, 0.9),
        wisteria(52 + 8j, 0.72),
        wisteria(31 + 6j, 0.62),
        feather_leaf(22 + 1j, 0.9, 190),
        placed(cuckoo(), 30 + 74j, -6, 1.06),
    )


def wisteria_with_ribbon() -> str:
    """A ribbon in the wisteria."""
    return whole(
        ground(),
        feather_leaf(22 + 1j, 1, 160),
        wisteria(51 + 10j, 1.05, long=True),
        ribbon(30 + 54j, -6, RED),
        wisteria(12 + 10j, 1),
        wisteria(32 + 6j, 0.62),
        feather_leaf(60 + 2j, 1, 230),
        feather_leaf(4 + 70j, 1, 140),
    )


def wisteria_first() -> str:
    """Three clusters, the longest in the middle."""
    return whole(
        ground(),
        branch(1 + 7j, 20 + 10j, 42 + 6j, 61 + 9j, width=4, end=3),
        feather_leaf(22 + 8j, 0.9, 178),
        feather_leaf(42 + 7j, 0.9, 172),
        wisteria(11 + 14j, 1.1),
        wisteria(32 + 16j, 1.08, long=True),
        wisteria(52 + 14j, 1.08),
        feather_leaf(60 + 98j, 0.9, -60),
    )


def wisteria_second() -> str:
    """Clusters long and short, blown to the left."""
    return whole(
        ground(),
        branch(61 + 5j, 40 + 10j, 18 + 7j, 1 + 12j, width=4, end=3),
        feather_leaf(30 + 10j, 0.9, 190),
        wisteria(46 + 15j, 1.1, 4, long=True),
        wisteria(20 + 16j, 0.9, 5),
        wisteria(28 + 14j, 0.62, 5),
        feather_leaf(55 + 8j, 1, 160),
        feather_leaf(3 + 58j, 0.9, 150),
    )


# 5: iris


def iris_with_bridge() -> str:
    """The plank bridge over the marsh."""
    return whole(
        ground(),
        blades(
            (16 + 100j, 5 + 14j, 6),
            (20 + 100j, 31 + 12j, 6),
            (44 + 100j, 57 + 14j, 6),
            (40 + 100j, 42 + 30j, 6),
            (18 + 100j, 18 + 40j, 5),
        ),
        iris(17 + 30j, 14),
        iris(44 + 28j, 13),
        bridge(),
        ripples(12 + 66j, 54 + 84j, 34 + 98j),
        blades((56 + 102j, 58 + 70j, 4), (51 + 102j, 46 + 78j, 4), colour=GREEN),
    )


def iris_with_ribbon() -> str:
    """A ribbon among the irises."""
    return whole(
        ground(),
        blades((10 + 102j, 6 + 40j, 6), (50 + 102j, 58 + 30j, 6), (54 + 102j, 46 + 26j, 6), (16 + 102j, 20 + 40j, 6)),
        ribbon(32 + 48j, 6, RED),
        iris(16 + 28j, 13),
        iris(48 + 50j, 12),
        blades((30 + 102j, 24 + 60j, 6), (36 + 102j, 44 + 66j, 6), (24 + 102j, 10 + 62j, 5), colour=GREEN),
        ripples(12 + 96j, 48 + 94j),
    )


def iris_first() -> str:
    """Two flowers among tall leaves."""
    return whole(
        ground(),
        blades((14 + 102j, 4 + 36j, 6), (22 + 102j, 28 + 14j, 7), (42 + 102j, 58 + 32j, 7), (34 + 102j, 42 + 40j, 7)),
        drawn(INK, 1.6, line(20 + 100j, 18 + 40j), line(40 + 100j, 44 + 66j)),
        iris(18 + 30j, 15),
        iris(43 + 56j, 14),
        blades((28 + 102j, 20 + 58j, 6), (48 + 102j, 54 + 74j, 6), (16 + 102j, 10 + 72j, 5), colour=GREEN),
    )


def iris_second() -> str:
    """One flower open, one in bud."""
    return whole(
        ground(),
        blades((48 + 102j, 58 + 22j, 7), (40 + 102j, 30 + 26j, 7), (20 + 102j, 6 + 44j, 7)),
        drawn(INK, 1.6, line(36 + 100j, 42 + 46j), line(22 + 100j, 14 + 26j)),
        sprig(14 + 34j, 11 + 10j, VIOLET),
        sprig(14 + 34j, 18 + 14j, VIOLET),
        iris(42 + 38j, 17),
        iris(18 + 74j, 12),
        blades((30 + 102j, 32 + 62j, 6), (52 + 102j, 46 + 72j, 6), (12 + 102j, 6 + 84j, 4), colour=GREEN),
        ripples(40 + 97j),
    )


# 6: paulownia


def paulownia_with_phoenix() -> str:
    """The phoenix over the paulownia."""
    return whole(
        ground(),
        paulownia_spike(10 + 84j, 24, -8),
        paulownia_spike(52 + 82j, 24, 8),
        paulownia_leaf(17 + 84j, 20, 250),
        paulownia_leaf(45 + 84j, 20, 110),
        paulownia_leaf(31 + 80j, 22, 180, GREEN),
        placed(phoenix(), 35 + 36j, size=1.08, mirrored=True),
    )


def paulownia_yellow() -> str:
    """The yellow chaff: the crest of the paulownia on gold."""
    return whole(
        ground(OCHRE),
        paulownia_spike(31 + 48j, 38),
        paulownia_spike(16 + 50j, 28, -14),
        paulownia_spike(46 + 50j, 28, 14),
        paulownia_leaf(25 + 48j, 30, 240, GREEN),
        paulownia_leaf(37 + 48j, 30, 120, GREEN),
        paulownia_leaf(31 + 48j, 38),
        foot(RED, 1.4 + 92j, 60.6 + 92j),
    )


def paulownia_first() -> str:
    """Three spikes over three leaves."""
    return whole(
        ground(),
        paulownia_spike(31 + 56j, 44),
        paulownia_spike(14 + 58j, 32, -10),
        paulownia_spike(48 + 58j, 32, 10),
        paulownia_leaf(25 + 54j, 32, 234),
        paulownia_leaf(37 + 54j, 32, 126),
        paulownia_leaf(31 + 54j, 42),
    )


def paulownia_second() -> str:
    """A branch from the left, one leaf below the other."""
    return whole(
        ground(),
        branch(1 + 44j, 20 + 48j, 40 + 56j, 54 + 70j, width=5, end=2),
        paulownia_spike(18 + 50j, 36, -4),
        paulownia_spike(44 + 58j, 46, 6),
        paulownia_leaf(22 + 46j, 32, 214, GREEN),
        paulownia_leaf(44 + 56j, 36, 168),
        paulownia_leaf(18 + 70j, 28, 180),
    )


ONE_TO_SIX = (
    (pine_with_crane, pine_with_ribbon, pine_first, pine_second),
    (willow_with_swallow, willow_with_ribbon, willow_with_rain_man, lightning),
    (cherry_with_curtain, cherry_with_ribbon, cherry_first, cherry_second),
    (wisteria_with_cuckoo, wisteria_with_ribbon, wisteria_first, wisteria_second),
    (iris_with_bridge, iris_with_ribbon, iris_first, iris_second),
    (paulownia_with_phoenix, paulownia_yellow, paulownia_first, paulownia_second),
)
