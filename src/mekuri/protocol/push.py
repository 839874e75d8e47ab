"""Messages about notices of turns: by web push, and at a club's own chat."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

_BASE64 = "^[A-Za-z0-9_=-]+$"
_PUBLIC = "BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U"
_ENDPOINT = "https://updates.push.services.mozilla.com/wpush/v2/abc"


class TurnNews(msgspec.Struct, frozen=True, kw_only=True):
    """How people can be notified of their turn at tables that are played turn by turn.

    Attributes:
        key: the server's public key for web push, in base64 for addresses; null where the server tells nobody by web push.
        club: whether the server can tell a club's own chat.
        here: whether this device gets web push notices.
    """

    key: str | None
    club: bool
    here: bool


class AskPush(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request for web push notices on this device, with its browser's subscription.

    Attributes:
        endpoint: the address at the browser's push service. Only https addresses of push services that the server knows are taken.
        p256dh: the public key of the subscription, in base64 for addresses.
        auth: the secret of the subscription, in base64 for addresses.
        lang: the language of its notices.
    """

    endpoint: Annotated[str, Meta(min_length=1, max_length=1024, examples=[_ENDPOINT])]
    p256dh: Annotated[str, Meta(min_length=16, max_length=128, pattern=_BASE64, examples=[_PUBLIC])]
    auth: Annotated[str, Meta(min_length=16, max_length=128, pattern=_BASE64, examples=["DGv6ra1nlYgDCS1FRnbzlw"])]
    lang: Literal["en", "ja"] = "en"
