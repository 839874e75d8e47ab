"""The command that shows and plays a server's deals of the day: `mekuri daily`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from mekuri import games
from mekuri.cli.arguments import LangOption, Overwrite, app, language, need_terminal
from mekuri.cli.play import CardNames, Pace, PersonName, RecordFile, check_record, play_at
from mekuri.engine.errors import OptionError
from mekuri.engine.rulebook import Lang, rulebook

if TYPE_CHECKING:
    from mekuri.protocol.daily import Daily, DailyDeal


@app.command
def daily(
    name: str = "",
    /,
    *,
    server: Annotated[str, Parameter(help="Whose, such as http://localhost:8413.")],
    cut: Annotated[str | None, Parameter(help="Put this into the deals of tomorrow, which are committed to already.")] = None,
    person: PersonName = "",
    lang: LangOption = None,
    names: CardNames = "",
    record: RecordFile = None,
    overwrite: Overwrite = False,
    pace: Pace = 0.9,
) -> None:
    """Play today's deal of a game at a server, the same for everybody; without a game, show how you and others did."""
    from mekuri.terminal.base.online import daily_deals, play_daily

    spoken = language(lang)
    if not name:
        if record or person:
            raise OptionError("--name and --record are for a deal that is played: name its game")
        _show(asyncio.run(daily_deals(server, cut)), server, spoken)
        return
    if cut is not None:
        raise OptionError("--cut is for the deals of tomorrow: leave the game out")
    need_terminal()
    check_record(record, overwrite)
    name = games.called(name) or name
    asyncio.run(play_at(play_daily(server, name, person, names, pace), lang, names, record, overwrite))
    deals = asyncio.run(daily_deals(server, None)).deals
    print("".join(f"{_called(deal.game, spoken)}: {_how(deal, spoken)}\n" for deal in deals if deal.game == name), end="")


def _show(day: Daily, server: str, lang: Lang) -> None:
    """Print today's deals with the person's tries, and the commitments of tomorrow's deals."""
    from rich.console import Console
    from rich.table import Table

    from mekuri.terminal.base.texts import say

    def rows(pairs: list[tuple[str, str]]) -> Table:
        table = Table.grid(padding=(0, 2))
        for one in pairs:
            table.add_row("", *one)
        return table

    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(say("daily.title", lang, day=day.day))
    console.print(rows([(_called(deal.game, lang), _how(deal, lang)) for deal in day.deals]))
    cuts = day.deals[0].cuts if day.deals else 0
    console.print(say("daily.cuts", lang, n=cuts) if cuts else say("daily.nobody-cut", lang))
    if any(not deal.in_time for deal in day.deals):
        console.print(say("daily.late", lang))
    console.print(say("daily.play", lang, server=server))
    eve = day.tomorrow
    console.print("\n" + say("daily.tomorrow", lang, day=eve.day, n=eve.cuts))
    console.print(rows([(_called(game, lang), commitment) for game, commitment in eve.commitments.items()]))
    console.print(say("daily.yours", lang, digest=eve.yours) if eve.yours else say("daily.cut", lang, server=server))


def _how(deal: DailyDeal, lang: Lang) -> str:
    """Return a sentence with the person's points in a deal, or the number of tries if the person has none."""
    from mekuri.terminal.base.texts import say
    from mekuri.terminal.printed.sheet import signed

    if deal.yours is None:
        return say("daily.tries", lang, n=deal.tries) if deal.tries else say("daily.none", lang)
    if not deal.yours.over:
        return say("daily.playing", lang)
    if deal.yours.points is None:
        return say("daily.uncounted", lang)
    points, own = signed(deal.yours.points), deal.yours.points
    if deal.tries < 2:
        return say("daily.first", lang, points=points)
    rank = 1 + sum(each.times for each in deal.spread or () if each.points > own)
    tied = any(each.times > 1 for each in deal.spread or () if each.points == own)
    return say("daily.tied" if tied else "daily.rank", lang, points=points, n=rank, m=deal.tries)


def _called(game: str, lang: Lang) -> str:
    """Return the title of a game in a language, or its name if it is not installed here."""
    return str(rulebook(games.find(game)).tables["name"][lang]) if game in games.names() else game
