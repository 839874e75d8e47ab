"""The texts of a table: the game's rule book, the texts that servers send, and the names of bots."""

from __future__ import annotations

from mekuri import bots
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import Lang, Rulebook
from mekuri.protocol import texts

AS_TOLD = "as-told"  # the id of a text that is shown as the server has sent it, in its argument `message`


class TableTexts(Rulebook):
    """A game's rule book together with the texts of a server and the names of bots."""

    def text_of(self, id: str, lang: Lang) -> str:
        """Return a text by its id, with its placeholders.

        Raises:
            KeyError: there is no such text.
        """
        table = id.partition(".")[0]
        if id == AS_TOLD:
            return "{message}"
        if table == "bots":
            return _bot(id.partition(".")[2], lang)
        return texts.texts_of(id)[lang] if table in texts.all_texts() else super().text_of(id, lang)

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
