"""What keys mean on keyboards of other scripts, with Caps Lock, and where an input method writes full-width signs."""

from __future__ import annotations

import unicodedata

from textual import events
from textual.keys import _character_to_key  # Textual gives the keys that it reads these names

# The rows of the letters on keyboards of several scripts, in the order of the Latin ones. A terminal tells no place of a key.
_LATIN = "qwertyuiopasdfghjklzxcvbnm"
_SCRIPTS = (
    "йцукенгшщзфывапролдячсмить",  # Russian
    "йцукенгшщзфівапролдячсмить",  # Ukrainian
    " ςερτυθιοπασδφγηξκλζχψωβνμ",
    "  קראטוןםפשדגכעיחלךזסבהנמצ",
    "ضصثقفغعهخحشسيبلاتنمئءؤر ىة",
    "ๆไำพะัีรนยฟหกดเ้่าสผปแอิืท",
    "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ",
    "たていすかんなにらせちとしはきくまのりつさそひこみも",
)
_MEANT = {written: latin for script in _SCRIPTS for written, latin in zip(script, _LATIN, strict=True) if written != " "}
_MEANT |= dict(zip("ぬふあうえおやゆよわ", "1234567890", strict=True))
_MEANT["؟"] = "?"


def understand(key: events.Key) -> None:
    """Change a key into the Latin small letter, digit or sign that it stands for at the shortcuts of Mekuri."""
    written = key.character
    if written is None or (len(written) == 1 and written.isascii() and not written.isupper()):
        return
    small = written.lower()
    meant = _MEANT.get(small) or unicodedata.normalize("NFKC", small)
    if len(meant) == 1 and meant.isascii() and meant != written:
        key.key, key.character = _character_to_key(meant), meant
