"""What a reader who has never heard of a game is given: the pictures and words of its lesson, and ten positions of later rounds.

    python -m tests.page.readers OUT [--game mushi] [--lang en]
    python -m tests.page.readers OUT --tables

For each game `OUT/GAME/read` holds what the reader may see, `OUT/GAME/answers.md` what is legal and true at each position. The
reader decides at each of them, and answers what would come of it or what counts there. With `--tables`, `OUT` holds ten pictures of
tables in the middle of a round, of which a reader is asked what any table is to tell at a glance. docs/readers.md tells who read,
and what was mended.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import cyclopts
from playwright.async_api import Browser, BrowserContext, Page

import mekuri
from mekuri import games
from mekuri.cards import Card
from mekuri.cards.values import card_named
from mekuri.engine.rulebook import Lang
from mekuri.match.view import View
from mekuri.protocol.lesson import Lesson, lesson
from tests.helpers.page.browser import Screen, find_chromium, launched, sit_down
from tests.helpers.page.fixtures import Staged, as_staged, played, stage
from tests.helpers.page.hands import Mouse
from tests.helpers.page.learning import is_card, press, right_answer
from tests.helpers.page.staging import settled
from tests.helpers.server.child import Child

POSITIONS = 10
TABLES = (  # game, seats, seed of the deal, window
    ("mushi", 2, 1, (390, 844)),
    ("mushi", 2, 2, (1280, 800)),
    ("tensho", 2, 1, (360, 740)),
    ("tensho", 2, 2, (1920, 1080)),
    ("tenshu", 4, 1, (1280, 800)),
    ("tenshu", 6, 2, (390, 844)),
    ("hiyoko", 2, 1, (390, 844)),
    ("hiyoko", 2, 2, (740, 360)),
    ("isuri", 2, 1, (1280, 800)),
    ("mutsuichi", 4, 1, (1280, 800)),
)
APART = 3  # decisions of a round from one position to the next
SEEDS = 20  # rounds that are played for them


def lesson_of(game: str) -> Lesson:
    """A game's lesson."""
    taught = lesson(games.find(game))
    assert taught, "every game has a lesson"
    return taught


def positions(game: str) -> list[Staged]:
    """Tables of some rounds by the lesson's preset, at which its person has a choice: no two beside each other in a round."""
    taught, found = lesson_of(game), list[Staged]()
    for seed in range(SEEDS):
        for number, table in enumerate(played(game, taught.seats, seed, taught.preset, person="greedy")):
            each = as_staged(f"position {len(found) + 1}", table)
            view = each.table.view
            if view and len(view.legal) > 1 and not view.over and number % APART == seed % APART:
                found.append(each)
            if len(found) == POSITIONS:
                return found
    raise SystemExit(f"{game} has too few positions")


def questions(view: View, number: int, name: Name) -> Iterator[tuple[str, str]]:
    """What is asked at a position, and what is true there."""
    yield "Which card or button do you press, and why?", f"legal: {', '.join(each.action for each in view.legal)}"
    kinds = [kind for kind in (refused(view, name), goal(view, name), takes(view, number, name)) if kind]
    if kinds:
        yield kinds[number % len(kinds)]
    else:
        yield "Who is better off now, and what still decides it?", f"scores: {view.scores}; score: {view.score}"


class Name:
    """Names of cards in one language."""

    def __init__(self, game: str, lang: Lang) -> None:
        """Of a game."""
        self.book, self.lang = mekuri.game(game).rulebook, lang

    def card(self, card: Card) -> str:
        """A card's name, with its notation."""
        return f"{self.book.card(card, self.lang)} ({card})"

    def cards(self, cards: Iterable[Card]) -> str:
        """Several of them."""
        return ", ".join(map(self.card, cards)) or "none"


def refused(view: View, name: Name) -> tuple[str, str] | None:
    """Whether a card may be played that may not."""
    if not view.refused:
        return None
    one = view.refused[0]
    return f"May you play {name.card(one.card)} now? Why, or why not?", f"no: {one.text}"


def goal(view: View, name: Name) -> tuple[str, str] | None:
    """What is lacking to the nearest goal."""
    near = [each for each in view.goals if each.seat == view.you and 0 < each.has < each.needs and not each.lost and each.lacks]
    if not near:
        return None
    true = "; or ".join(f"{each.text} lacks {name.cards(each.lacks)}, worth {each.value}" for each in near)
    return "Name a set that you have begun. Which cards does it lack, and what would it bring?", true


def takes(view: View, number: int, name: Name) -> tuple[str, str] | None:
    """What a card takes, where any is ever taken."""
    if not any(zone.kind == "captured" for zone in view.zones):
        return None
    cards = [each for each in view.legal if is_card(each.action)]
    cards = [each for each in cards if each.takes or each.choices] or cards
    if not cards:
        return None
    one = cards[number % len(cards)]
    true = f"takes {name.cards(one.takes)}" + (f", or one of {name.cards(one.choices)}, as you choose" if one.choices else "")
    return f"If you press {name.card(card_named(one.action))}: which cards become yours at once?", true


async def keep(page: Page, path: Path) -> None:
    """Save a picture, and beside it the text for screen readers."""
    await page.mouse.move(0, 0)  # what is pointed at looks otherwise
    await settled(page)
    await page.screenshot(path=path.with_suffix(".png"))
    path.with_suffix(".txt").write_text(await page.locator("main").aria_snapshot(), encoding="utf-8")


async def keep_lesson(page: Page, game: str, out: Path) -> None:
    """Each beat as it is asked, and after its right answer."""
    taught = lesson_of(game)
    await page.goto(f"/learn/{game}")
    for number, beat in enumerate(taught.beats, 1):
        await page.locator(".lesson .text").wait_for()
        await keep(page, out / f"beat-{number:02}")
        right = right_answer(beat)
        if right:
            await press(page, beat, right, Mouse())
            await page.locator(".says.right").wait_for()
            await keep(page, out / f"beat-{number:02}-right")
        await page.locator(".next").click()
    await page.locator(".plain .minute").wait_for()
    await keep(page, out / "end")


async def keep_positions(context: BrowserContext, game: str, lang: Lang, out: Path, answers: Path) -> None:
    """The positions, what is asked at each, and what is true there."""
    name, asked, true = Name(game, lang), list[str](), list[str]()
    for number, each in enumerate(positions(game), 1):
        page = await context.new_page()
        await page.goto(await stage(context, each))
        await page.locator(".table .seat").first.wait_for()
        await keep(page, out / f"position-{number:02}")
        await page.close()
        assert each.table.view, "a table that is played at"
        for letter, (question, answer) in zip("ab", questions(each.table.view, number, name), strict=True):
            asked.append(f"{number}{letter}. {question}")
            true.append(f"{number}{letter}. {answer}")
    (out / "questions.md").write_text("\n".join(asked), encoding="utf-8")
    answers.write_text("\n".join(true), encoding="utf-8")


def midst(game: str, seats: int, seed: int) -> Staged:
    """A table in the middle of its first round, where its person has a choice."""
    rounds = [as_staged("", table) for table in played(game, seats, seed, person="greedy") if table.head.round == 1]
    choices = [each for each in rounds if each.table.view and len(each.table.view.legal) > 1 and not each.table.view.over]
    return choices[len(choices) * 2 // 3]


async def keep_tables(browser: Browser, address: str, lang: Lang, out: Path) -> None:
    """The pictures of tables, and beside them what is asked there and who is ahead."""
    out.mkdir(parents=True, exist_ok=True)
    true = []
    for number, (game, seats, seed, (width, height)) in enumerate(TABLES, 1):
        each = midst(game, seats, seed)
        context = await sit_down(browser, address, Screen("window", width, height), lang)
        page = await context.new_page()
        await page.goto(await stage(context, each))
        await page.wait_for_load_state("networkidle")
        await settled(page)
        await page.screenshot(path=out / f"table-{number:02}.png")
        view = each.table.view
        assert view, "a table that is played at"
        goals = [f"seat {goal.seat}: {goal.text} {goal.has} of {goal.needs}, lacks {goal.lacks}" for goal in view.goals if goal.has]
        true += [
            f"## {number}. {game}, {seats} seats, you are {view.you}",
            f"asked: {view.prompt}; waiting {view.waiting}; may do: {', '.join(one.action for one in view.legal)}",
            f"last: {[event.text for event in each.events[-5:]]}",
            f"scores {view.scores}; score {view.score}; ledger {view.ledger}",
            *goals,
        ]
        await context.close()
    (out / "answers.txt").write_text("\n".join(true), encoding="utf-8")


async def prepare(browser: Browser, address: str, game: str, lang: Lang, out: Path) -> None:
    """All that a reader of one game is given."""
    read = out / game / "read"
    read.mkdir(parents=True, exist_ok=True)
    context = await sit_down(browser, address, lang=lang)
    await keep_lesson(await context.new_page(), game, read)
    await keep_positions(context, game, lang, read, out / game / "answers.md")
    await context.close()


async def prepare_all(out: Path, chosen: list[str], lang: Lang, tables: bool) -> None:
    """Start what is needed, and write everything."""
    path = find_chromium()
    if path is None:
        raise SystemExit("This needs Chromium (Debian, Ubuntu: apt install chromium).")
    with tempfile.TemporaryDirectory() as folder:
        child = Child(Path(folder) / "mekuri.db")
        await child.start()
        try:
            async with launched(path) as browser:
                if tables:
                    await keep_tables(browser, child.address, lang, out)
                for game in () if tables else chosen:
                    await prepare(browser, child.address, game, lang, out)
        finally:
            await child.kill()


def main(
    out: Path,
    *,
    game: Annotated[list[str] | None, cyclopts.Parameter(help="Only these.")] = None,
    tables: Annotated[bool, cyclopts.Parameter(help="Tables in the middle of a round, and no lesson.", negative="")] = False,
    lang: Lang = "en",
) -> None:
    """Write what readers of each game are given."""
    asyncio.run(prepare_all(out, game or list(games.names()), lang, tables))


if __name__ == "__main__":
    cyclopts.run(main)
