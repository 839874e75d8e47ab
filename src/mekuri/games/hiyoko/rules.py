"""The rules of Hiyoko: those of every sequence game, with the ghosts of the Ise pack."""

from __future__ import annotations

from mekuri.cards import ALL, CLUBS, card, whole_number
from mekuri.engine.compiled import bit, has, rule
from mekuri.games.dealing import open_pack
from mekuri.games.hiyoko.state import HiyokoState
from mekuri.games.sequence import Phase, add_ise_ghosts, guess_hands, hide_hands, redeal_stock, unseen_cards
from mekuri.games.sequence_play import act, choices, gather, waiting_for

# hiyoko.cards.forty-five
FORTY_FIVE = ALL & ~whole_number(6) | bit(card(6, CLUBS))


@rule
def deal(s: HiyokoState) -> None:
    open_pack(s)
    gather(s)
    # hiyoko.ghosts.ten, hiyoko.ghosts.anywhere, hiyoko.ghosts.ones, hiyoko.ghosts.twos, hiyoko.ghosts.three, hiyoko.ghosts.ends
    # hiyoko.ghosts.drawn-only, hiyoko.ghosts.drawn-ones, hiyoko.ghosts.drawn-king
    add_ise_ghosts(s)


# hiyoko.play.dealer-first
@rule
def waiting(s: HiyokoState) -> int:
    return waiting_for(s)


# hiyoko.play.next-number, hiyoko.play.wrap, hiyoko.play.compulsory, hiyoko.play.run, hiyoko.play.one-of-a-number, hiyoko.play.pass
# hiyoko.play.said, hiyoko.draw.must-play, hiyoko.combo.one-two, hiyoko.combo.two-follows
@rule
def legal(s: HiyokoState, seat: int) -> int:
    return choices(s, seat) if has(waiting_for(s), seat) else 0


# hiyoko.deal.packets, hiyoko.deal.start-card, hiyoko.deal.draw-pile, hiyoko.ghosts.start-card
# hiyoko.draw.who, hiyoko.draw.dealer-at-first, hiyoko.draw.cannot-play, hiyoko.draw.recycle, hiyoko.draw.void
# hiyoko.ghosts.follow, hiyoko.ghosts.drawn-flexible, hiyoko.end.out
@rule
def play(s: HiyokoState, seat: int, action: int) -> None:
    act(s, seat, action)


@rule
def over(s: HiyokoState) -> bool:
    return s.phase == Phase.OVER


@rule
def hide(s: HiyokoState, seat: int, into: HiyokoState) -> None:
    hide_hands(s, seat, into)


@rule
def redeal(h: HiyokoState, seat: int, chance: list[int]) -> None:
    unseen = unseen_cards(h)
    while not guess_hands(h, unseen, chance):
        continue
    redeal_stock(h, unseen, chance)
