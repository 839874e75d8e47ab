"""What options change, measured: the figures of `mekuri lab` that a game's folder keeps in `measured.json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from mekuri.engine.contract import Contract

FILE = "measured.json"
_EFFECT = {
    "en": "Bot {bot}: beside the default, {dealer} points a round for the dealer and another winner in {share} of the deals",
    "ja": "ボットの{bot}：標準の決まりと比べて、親の点は1局あたり{dealer}、勝者が変わる配りは{share}",
}
_HOW = {
    "en": "Measured on the same deals: {rounds} by {greedy}{best}. The number after ± is half the width of a 95 % interval.",
    "ja": "同じ配りで比べた結果：{greedy}で{rounds}回{best}。±は95%信頼区間の半分。",
}
_BEST = {"en": ", {pairs} by {bot}", "ja": "、{bot}で{pairs}回"}


@dataclass(frozen=True)
class Effect:
    """What an option value or a preset changes on the same deals, when one bot plays; of `default` the values themselves.

    Attributes:
        dealer: how many more points a round the dealer gets, and half the width of the 95 % interval.
        decisions: how many more decisions a round has, likewise.
        changed: the share of the deals that end with other returns.
        decided: the share of the deals that another seat wins.
        skill: the share of the decided deal pairs that the bot wins from greedy bots, and its 95 % interval; empty if not measured.
    """

    dealer: tuple[float, float]
    decisions: tuple[float, float]
    changed: float = 0.0
    decided: float = 0.0
    skill: tuple[float, ...] = ()

    @property
    def dealer_text(self) -> str:
        """The points of the dealer, with their interval."""
        return estimate_text(*self.dealer)

    @property
    def decided_text(self) -> str:
        """The share of the deals that another seat wins, in percent."""
        return percent_text(self.decided)


@dataclass(frozen=True)
class Measured:
    """What `mekuri lab` has measured of a game.

    Attributes:
        rounds: how many deals greedy bots played of each variant.
        pairs: how many the strongest bot played; 0 for none.
        playouts: how many rounds it played out for an action.
        seed: the seed of the deals.
        seats: how many seats played.
        effects: what variants change, by `default`, `option=value` or `preset name`, then by bot.
    """

    rounds: int = 0
    pairs: int = 0
    playouts: int | None = None
    seed: str = ""
    seats: int = 0
    effects: Mapping[str, Mapping[str, Effect]] | None = None

    def of(self, name: str) -> Mapping[str, Effect]:
        """Return what a variant changes, by bot; empty if it was not measured."""
        return (self.effects or {}).get(name, {})

    def sentences(self, name: str, lang: str, called: Callable[[str], str]) -> list[str]:
        """Return a sentence for each bot about what a variant changes; none if it was not measured, or is the default.

        Args:
            name: the variant, as in `effects`.
            lang: the language.
            called: the name of a bot for readers, by its id.
        """
        found = self.of(name).items() if name != "default" else ()
        return [_EFFECT[lang].format(bot=called(bot), dealer=one.dealer_text, share=one.decided_text) for bot, one in found]

    def how(self, lang: str, called: Callable[[str], str]) -> str:
        """Return a sentence about how the effects were measured; empty if none were. The arguments are those of `sentences`."""
        if not self.effects:
            return ""
        greedy, *others = map(called, self.of("default"))
        best = _BEST[lang].format(pairs=f"{self.pairs:,}", bot=others[-1]) if self.pairs else ""
        return _HOW[lang].format(rounds=f"{self.rounds:,}", greedy=greedy, best=best)


def read_measured(contract: Contract) -> Measured:
    """Return what has been measured of a game: nothing if its folder has no such file, or one of another version of the rules.

    Raises:
        ValueError: the file is not one that `mekuri lab` has written.
    """
    path = contract.folder / FILE
    if not path.exists():
        return Measured()
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if found.pop("version") != contract.version:
            return Measured()
        effects: dict[str, dict[str, dict[str, Any]]] = found.pop("effects")
        return Measured(**found, effects={name: {bot: _effect(row) for bot, row in each.items()} for name, each in effects.items()})
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"it is not as mekuri lab writes it ({error!r})") from None


def _effect(row: Mapping[str, Any]) -> Effect:
    (dealer, dealer_error), (decisions, decisions_error) = row["dealer"], row["decisions"]
    skill = tuple(map(float, row.get("skill", ())))
    pairs = (float(dealer), float(dealer_error)), (float(decisions), float(decisions_error))
    return Effect(*pairs, float(row.get("changed", 0)), float(row.get("decided", 0)), skill)


def estimate_text(mean: float, error: float, sign: str = "+") -> str:
    """Return a mean with half the width of its interval, which is shown with two significant digits; 0 where no deal differed.

    Args:
        mean: the mean.
        error: half the width of its interval.
        sign: "+" to show the sign of positive numbers too, as for differences; "-" for amounts.
    """
    if not error:
        return f"{mean:{sign}g}" if mean else "0"
    places = max(0, 1 - floor(log10(error)))
    return f"{mean:{sign}.{places}f} ± {error:.{places}f}"


def percent_text(share: float) -> str:
    """Return a share in percent, with two significant digits at least."""
    return f"{100 * share:.{max(0, 1 - floor(log10(100 * share)))}f} %" if share else "0 %"
