"""The texts of a table on a server: those of the game's rule book, the server's own, and the names of bots."""

from __future__ import annotations

from mekuri import bots
from mekuri.engine.contract import Text
from mekuri.engine.rulebook import Lang, Rulebook
from mekuri.protocol import texts

AS_TOLD = "as-told"  # the id of a text that stands as the server has told it, in its argument `message`


class TableTexts(Rulebook):
    """A game's rule book with the server's own texts beside it."""

    def text_of(self, id: str, lang: Lang) -> str:
        """The text of an id, its arguments still in braces. Raises KeyError where neither has it."""
        table = id.partition(".")[0]
        if id == AS_TOLD:
            return "{message}"
        if table == "bots":
            return _bot(id.partition(".")[2], lang)
        return texts.texts_of(id)[lang] if table in texts.all_texts() else super().text_of(id, lang)

    def knows(self, text: Text) -> bool:
        """Whether a text can be said: a newer server may have others."""
        try:
            self.render(text, "en")
        except (KeyError, IndexError):
            return False
        return True


def _bot(name: str, lang: Lang) -> str:
    """What a bot is called. Raises KeyError where it is not here."""
    known = bots.known(name)
    if known is None:
        raise KeyError(name)
    return known.name[lang]
