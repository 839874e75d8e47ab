"""Texts and zones of Isuri: those of every sequence game, and those of its sets and payments."""

from __future__ import annotations

from mekuri.cards import ALL, each
from mekuri.engine.compiled import has
from mekuri.engine.contract import FIRST_WORD, Refusal, Text
from mekuri.engine.position import need
from mekuri.games.isuri.rules import FORTY_SIX, LEAST_SET, MOST_SET, has_set, legal
from mekuri.games.isuri.state import IsuriState, SetStep, Word
from mekuri.games.sequence import Phase
from mekuri.games.sequence_zones import complete as complete_sequence
from mekuri.games.sequence_zones import event as event_singly
from mekuri.games.sequence_zones import goals, zones
from mekuri.games.sequence_zones import prompt as prompt_singly
from mekuri.games.sequence_zones import why as why_not_singly

__all__ = ["complete", "event", "goals", "middle", "pack", "prompt", "why", "zones"]


def pack(options: object) -> list[int]:
    """The forty-six cards, whatever the options."""
    return [*each(FORTY_SIX)]


def complete(s: IsuriState) -> None:
    """Refuse a position that lacks what its phase needs."""
    need(s.set_step == SetStep.NONE or s.phase == Phase.PLAY, "a set is discarded in the phase play")
    need((s.set_step == SetStep.CARDS) == (s.set_number > 0), "set_number is there while the cards of a set are laid")
    need(s.set_laid == 0 or s.set_step == SetStep.CARDS, "set_laid counts the cards of a set that is being laid")
    s.discards = max(s.discards, s.set_laid)
    complete_sequence(s)
    need(has_set(s), "a hand that has announced a set holds one")


def why(s: IsuriState, seat: int, action: int) -> Refusal | None:
    """The reason why an action is forbidden."""
    if s.phase != Phase.PLAY or seat != s.turn:
        return why_not_singly(s, seat, action)
    if s.set_step == SetStep.NUMBER:
        return Refusal("no-set-of", {"number": action // 4 + 1}) if action < FIRST_WORD else Refusal("set-number-first", {})
    if s.set_step == SetStep.CARDS:
        return _why_not_in_set(s, seat, action)
    return Refusal("no-set", {}) if action == Word.SET else why_not_singly(s, seat, action)


def _why_not_in_set(s: IsuriState, seat: int, action: int) -> Refusal:
    if action >= FIRST_WORD:
        return Refusal("set-too-few" if action == Word.DONE else "set-first", {})
    if not has(s.hand[seat], action):
        return Refusal("not-in-hand", {})
    return Refusal("set-full", {}) if s.set_laid == MOST_SET else Refusal("not-in-set", {"number": s.set_number})


def prompt(h: IsuriState, seat: int) -> Text:
    """The prompt for a seat that owes an action."""
    if h.set_step == SetStep.NUMBER:
        return Text("prompts.set-number", {})
    if h.set_step == SetStep.CARDS:
        id = "set" if h.set_laid < LEAST_SET else "set-or-done"
        return Text(f"prompts.{id}", {"number": h.set_number, "count": h.set_laid})
    may = legal(h, seat)
    if has(may, Word.SET) and may & ALL == 0:
        return Text("prompts.set-only", {})
    return prompt_singly(h, seat)


def event(before: IsuriState, after: IsuriState, seat: int, action: int) -> Text:
    """The text of an action, with the points that were paid for it."""
    if action == Word.SET:
        return _set_event("set-as" if after.set_number else "set", after, seat)
    if before.set_step == SetStep.NUMBER:
        return _set_event("set-number", after, seat)
    if before.set_step == SetStep.CARDS and action == Word.DONE:
        return Text("events.set-done", {"seat": seat, "count": before.set_laid})
    if action == Word.DONE and after.stakes[seat] > before.stakes[seat]:
        return Text("events.done-pays", {"seat": seat})
    if action >= FIRST_WORD:
        return event_singly(before, after, seat, action)
    points = {"points": after.paid[seat] - before.paid[seat]}
    if before.set_step == SetStep.CARDS and after.phase != Phase.OVER:
        return Text("events.set-card", {"seat": seat, "card": action, **points})
    text = event_singly(before, after, seat, action)
    return Text(text.id, {**text.args, **points})


def _set_event(kind: str, after: IsuriState, seat: int) -> Text:
    return Text(f"events.{kind}", {"seat": seat, "number": after.set_number} if after.set_number else {"seat": seat})


# isuri.pay.pass, isuri.end.pot
def middle(h: IsuriState) -> dict[str, int]:
    """The chips in the pot, until a seat takes them."""
    return {"pot": 0 if h.phase == Phase.OVER else sum(h.stakes)}
