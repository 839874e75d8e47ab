"""The terminal's own texts in every language, from `texts.toml`, and the texts of a table."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path

import tomli

from mekuri import bots
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import LANGUAGES, Lang, Rulebook
from mekuri.engine.worded import worded
from mekuri.protocol.texts import all_texts as server_texts
from mekuri.protocol.texts import texts_of

AS_SENT = "as-sent"  # the id of a text that is shown as the server has sent it, in its argument `message`
_DAYS = {"en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "ja": ("月", "火", "水", "木", "金", "土", "日")}


@cache
def all_texts() -> dict[str, dict[str, dict[str, str]]]:
    """Return every text, by table, key and language."""
    return tomli.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


def called(who: str, lang: Lang) -> str:
    """Return the name of `you`, `open`, `gone` or a bot. A bot that is not installed keeps its own name, capitalized."""
    if who in all_texts()["players"]:
        return all_texts()["players"][who][lang]
    known = bots.known(who)
    return known.name[lang] if known else who[:1].upper() + who[1:]


def say(id: str, lang: Lang, **args: object) -> str:
    """Return a text by its id, such as `table.round`, with its placeholders filled in."""
    table, _, key = id.partition(".")
    return worded(all_texts()[table][key][lang], args)


def other(lang: Lang) -> Lang:
    """Return the language after this one."""
    return LANGUAGES[(LANGUAGES.index(lang) + 1) % len(LANGUAGES)]


def when(at: int, lang: Lang) -> str:
    """Return a time, in milliseconds since 1970, as a weekday, a date and an hour in local time."""
    local = datetime.fromtimestamp(at / 1000)
    day = _DAYS[lang][local.weekday()]
    if lang == "ja":
        return f"{local.month}月{local.day}日（{day}）{local:%H:%M}"
    return f"{day} {local:%Y-%m-%d %H:%M}"


class TableTexts(Rulebook):
    """A game's rule book together with the texts of a server and the names of bots."""

    def text_of(self, id: str, lang: Lang) -> str:
        """Return a text by its id, with its placeholders.

        Raises:
            KeyError: there is no such text.
        """
        table = id.partition(".")[0]
        if id == AS_SENT:
            return "{message}"
        if table == "bots":
            return _bot(id.partition(".")[2], lang)
        return texts_of(id)[lang] if table in server_texts() else super().text_of(id, lang)

    def knows(self, text: Text) -> bool:
        """Return whether a text can be rendered. A newer server may send others."""
        try:
            self.render(text, "en")
        except (KeyError, IndexError):
            return False
        return True


def _bot(name: str, lang: Lang) -> str:
    """Return the name of a bot.

    Raises:
        KeyError: the bot is not installed.
    """
    known = bots.known(name)
    if known is None:
        raise KeyError(name)
    return known.name[lang]
