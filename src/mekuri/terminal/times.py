"""Times as the person reads them."""

from __future__ import annotations

from datetime import datetime

from mekuri.engine.rulebook import Lang

_DAYS = {"en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "ja": ("月", "火", "水", "木", "金", "土", "日")}


def when(at: int, lang: Lang) -> str:
    """Return a time, in milliseconds since 1970, as a weekday, a date and an hour where the person is."""
    local = datetime.fromtimestamp(at / 1000)
    day = _DAYS[lang][local.weekday()]
    if lang == "ja":
        return f"{local.month}月{local.day}日（{day}）{local:%H:%M}"
    return f"{day} {local:%Y-%m-%d %H:%M}"
