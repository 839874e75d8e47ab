"""Checks of invariants that hold after every action in every game, made in compiled rounds."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from mekuri import bots
from mekuri.engine.bot import ask, is_blind
from mekuri.engine.chance import begin_round, below, pick, stream
from mekuri.engine.compiled import count, first, rule
from mekuri.engine.contract import DRIVER, legal, over, play, returns, side_bet, undoing, waiting, yaku_of
from mekuri.engine.driver import drive, see, shuffle_gathered
from mekuri.engine.entry import entry
from mekuri.engine.executor import MACHINE_CODE
from mekuri.engine.fields import MOST_ENDINGS, RoundState, copy, fields
from mekuri.lab import playout
from mekuri.match.game import Game
from mekuri.testing.failure import check, hold
from mekuri.testing.states import int64s, need_machine_code, records
from mekuri.testing.worlds import deck

MOST_ACTIONS = 100_000  # in a round; options may make most deals misdeals


class Fault(IntEnum):
    """A fault of a round; the number is its place in the results of `watch_rounds`."""

    CARD_LOST = 0  # a card of the pack lies nowhere
    CARD_TWICE = 1  # a card lies in two places
    HAND_GROWS = 2  # a hand grows between two turns of play, other than by a card that is taken back
    ASKED_FOR_NOTHING = 3  # a seat is to act and has no legal action, or is not to act and has one
    DRIVER_CHOOSES = 4  # the driver has other than one action, or is to act at the same time as a seat
    TURNS = 5  # the count of turns falls without a redeal, or exceeds the contract's `longest`
    ENDLESS = 6  # the round does not end
    ASKED_AFTER_THE_END = 7  # a seat or the driver is to act, or has a legal action, after the end
    RETURNS = 8  # a return is outside of the contract's `returns_range`
    YAKU = 9  # a yaku that the contract does not name
    ENDING = 10  # an ending that the contract does not name
    OPTIONS = 11  # a fixed field has changed
    BOT_UNDOES = 12  # a bot takes back its own action
    ASKED_WHEN_DECIDED = 13  # a seat is to act, and not for a side bet, after `ending` or a field called `winner` was written
    ACTIONS = 14  # seats act more often without a redeal than the contract's `most_actions`
    SUM = 15  # returns do not sum to 0, and the contract says that they do


SAID = {
    Fault.CARD_LOST: "a card lies nowhere",
    Fault.CARD_TWICE: "a card lies in two places",
    Fault.HAND_GROWS: "a field called hand grows in play, where its cards are only played: call it otherwise",
    Fault.ASKED_FOR_NOTHING: "a seat is waited for and may do nothing, or may do something and is not waited for",
    Fault.DRIVER_CHOOSES: "the driver has other than one action, or is waited for beside a seat",
    Fault.TURNS: "turns go back, or are more than the contract's longest",
    Fault.ENDLESS: "the round does not end",
    Fault.ASKED_AFTER_THE_END: "a seat is asked after the end",
    Fault.RETURNS: "returns leave the contract's returns_range",
    Fault.YAKU: "there is a yaku that the contract does not name",
    Fault.ENDING: "there is an ending that the contract does not name",
    Fault.OPTIONS: "a fixed field has changed",
    Fault.BOT_UNDOES: "a bot takes back what it has done",
    Fault.ASKED_WHEN_DECIDED: "a seat is asked for more than a side bet once `ending` or a field called `winner` is written",
    Fault.ACTIONS: "seats act more often than the contract's most_actions",
    Fault.SUM: "returns do not sum to 0, as the contract's zero_sum says",
}

LEAST, MOST, SUM_LEAST, SUM_MOST, FOUND = range(len(Fault), len(Fault) + 5)
# The bounds that are checked, as places in the row `limits`: the cards in play, then the contract's bounds.
DECK, LONGEST, RETURNS_LEAST, RETURNS_MOST, YAKU, ENDINGS, ACTIONS, ZERO_SUM, LIMITS = range(9)
UNWRITTEN = MOST_ENDINGS  # the `ending` of a watched round until the rules write one: no game has so many


@entry
def watch_rounds(
    states: Any,
    ints: Any,
    small: Any,
    sets: Any,
    rows: Any,
    singles: Any,
    hands: Any,
    fixed: Any,
    winners: Any,
    limits: Any,
    key: Any,
    work: Any,
    rounds: Any,
    bot: Any,
    found: Any,
) -> None:
    """Play rounds, and note the faults that occur in them and the extremes of their returns.

    Args:
        states: compiled states as for `playout.play_rounds`.
        ints: the same memory as a row of 64-bit numbers for each state.
        small: the same memory as a row of signed bytes for each state.
        sets: the places of sets of cards that lie somewhere, in `ints`, as are those of the next arguments, but for two.
        rows: the places of single cards that lie somewhere in a row, in `small`.
        singles: the places of noted cards, which may lie elsewhere as well.
        hands: the places of hands, each a set of cards.
        fixed: the places of fixed fields, which must not change, in `small`.
        winners: the places of fields called `winner`, which hold 0 until a seat has won.
        limits: LIMITS ints: the cards in play and the contract's bounds.
        key: four words; round i is dealt from a hash of these and i.
        work: workspace: four words for chance, then an int for each hand.
        rounds: the number of the first round, how many are played, and 1 if their packs are sorted by number for the first deal,
            but for a few cards, so that rare deals are common; else 0.
        bot: the record of the bot in every seat.
        found: the results: for each Fault the number of the first round with it plus 1 (0 if none); then the least and the greatest
            return of a seat, and the least and the greatest sum of all seats' returns.
    """
    s, now, lying = states[1], ints[1], small[1]
    for number in range(rounds[0], rounds[0] + rounds[1]):
        chance = work[:4]
        begin_round(chance, key, number)
        copy(s, states[0])
        s.ending = UNWRITTEN
        faults = actions = chosen = turns = redeals = 0
        sorts = rounds[2]
        while not over(s) and actions < MOST_ACTIONS:
            asked = waiting(s)
            for i in range(len(hands)):
                work[4 + i] = count(now[hands[i]])
            for seat in range(s.seats):
                if (legal(s, seat) > 0) != (asked >> seat & 1 == 1):
                    faults |= 1 << Fault.ASKED_FOR_NOTHING
            if (count(legal(s, DRIVER)) != (asked >> DRIVER & 1)) or (asked >> DRIVER and asked != 1 << DRIVER):
                faults |= 1 << Fault.DRIVER_CHOOSES
            decided = s.ending != UNWRITTEN
            for i in range(len(winners)):
                decided |= now[winners[i]] != 0
            for seat in range(s.seats):
                if decided and asked >> seat & 1 and not side_bet(s, seat):
                    faults |= 1 << Fault.ASKED_WHEN_DECIDED
            # If several seats are to act, a random one of them acts first.
            seat = pick(asked, count(asked), chance)
            undone = 0
            if seat == DRIVER:
                if sorts and s.gathered:
                    gathered, sorts = s.gathered, 0
                    shuffle_gathered(s, chance)
                    sort_pack(s, gathered, chance)
                drive(s, chance)
            else:
                choices = legal(s, seat)
                if undoing(s, seat) & ~choices:
                    faults |= 1 << Fault.ASKED_FOR_NOTHING
                if is_blind(bot):
                    action = pick(choices, count(choices), chance)
                else:
                    see(s, seat, states[2])
                    action = ask(bot, states[2], seat, chance, states[playout.THINKING :])
                    if undoing(s, seat) >> action & 1:
                        faults |= 1 << Fault.BOT_UNDOES
                undone = undoing(s, seat) >> action & 1
                play(s, seat, action)
                chosen += 1
            actions += 1

            seen = twice = 0
            for i in range(len(sets)):
                twice |= seen & now[sets[i]]
                seen |= now[sets[i]]
            for i in range(s.stock):
                twice |= seen & 1 << s.pack[i]
                seen |= 1 << s.pack[i]
            for i in range(len(rows)):
                card = int(lying[rows[i]])
                if card >= 0:
                    twice |= seen & 1 << card
                    seen |= 1 << card
            for i in range(len(singles)):
                if now[singles[i]] >= 0:
                    seen |= 1 << now[singles[i]]
            if twice:
                faults |= 1 << Fault.CARD_TWICE
            if seen != limits[DECK]:
                faults |= 1 << Fault.CARD_LOST
            redealt = 0
            for i in range(len(s.redeals)):
                redealt += s.redeals[i]
            if s.turns > limits[LONGEST] or (s.turns < turns and redealt == redeals):
                # A redeal is counted when a misdeal is thrown in, and the turns start again then.
                faults |= 1 << Fault.TURNS
            for i in range(len(hands)):
                if turns > 0 and s.turns > 0 and not undone and count(now[hands[i]]) > work[4 + i]:
                    faults |= 1 << Fault.HAND_GROWS
            if redealt != redeals:
                chosen = 0
            if chosen > limits[ACTIONS]:
                faults |= 1 << Fault.ACTIONS
            turns, redeals = s.turns, redealt

        if not over(s):
            faults |= 1 << Fault.ENDLESS
        if s.ending == UNWRITTEN:
            s.ending = 0  # a game need not write its first ending
        for seat in range(17):
            if waiting(s) or legal(s, seat):
                faults |= 1 << Fault.ASKED_AFTER_THE_END
        total = 0
        for seat in range(s.seats):
            value = returns(s, seat)
            total += value
            found[LEAST], found[MOST] = min(found[LEAST], value), max(found[MOST], value)
            if not limits[RETURNS_LEAST] <= value <= limits[RETURNS_MOST]:
                faults |= 1 << Fault.RETURNS
            if yaku_of(s, seat) & ~limits[YAKU]:
                faults |= 1 << Fault.YAKU
        if limits[ZERO_SUM] and total:
            faults |= 1 << Fault.SUM
        found[SUM_LEAST], found[SUM_MOST] = min(found[SUM_LEAST], total), max(found[SUM_MOST], total)
        if not 0 <= s.ending < limits[ENDINGS]:
            faults |= 1 << Fault.ENDING
        for i in range(len(fixed)):
            if small[1, fixed[i]] != small[0, fixed[i]]:
                faults |= 1 << Fault.OPTIONS
        while faults:
            if found[first(faults)] == 0:
                found[first(faults)] = number + 1
            faults &= faults - 1


@rule
def sort_pack(s: RoundState, cards: int, chance: list[int]) -> None:
    """Put the first cards of a shuffled pack together by their numbers, and then swap up to four random pairs."""
    at = 0
    while at < cards:
        number = s.pack[at] // 4
        for i in range(at, cards):
            if s.pack[i] // 4 == number:
                s.pack[at], s.pack[i] = s.pack[i], s.pack[at]
                at += 1
    for _ in range(below(chance, 5)):
        i, j = below(chance, cards), below(chance, cards)
        s.pack[i], s.pack[j] = s.pack[j], s.pack[i]


class Watch:
    """The arguments of `watch_rounds` for a game: the places of fields in its compiled state, and the contract's bounds."""

    def __init__(self, game: Game, dealer: int = 0) -> None:
        contract = game.contract
        self.game, self.dealer = game, dealer
        self.states = records(game, playout.STATES, dealer)
        self.at: dict[str, list[int]] = {"sets": [], "rows": [], "singles": [], "hands": [], "fixed": [], "winners": []}
        for field in fields(contract.state):
            size = field.size * max(field.length, 1)
            begin = self.begins(field.name)
            places = [*range(begin // 8, (begin + size) // 8)]
            if field.fixed:
                self.at["fixed"] += range(begin, begin + size)
            elif field.kind == "cards" and field.name not in contract.notes:
                self.at["sets"] += places
            elif field.kind == "card" and field.name != "pack":
                if field.length:
                    self.at["rows"] += range(begin, begin + size)
                else:
                    self.at["singles"] += places
            if field.name == "hand":
                self.at["hands"] += places
            if field.name == "winner":
                self.at["winners"] += places
        self.limits = [0] * LIMITS
        self.limits[DECK] = sum(1 << card for card in deck(game))
        self.limits[LONGEST], self.limits[ACTIONS] = contract.longest, contract.most_actions
        self.limits[RETURNS_LEAST], self.limits[RETURNS_MOST] = contract.returns_range
        self.limits[YAKU], self.limits[ENDINGS] = (1 << len(contract.yaku)) - 1, len(contract.endings)
        self.limits[ZERO_SUM] = contract.zero_sum

    def begins(self, name: str) -> int:
        """Return the byte of the compiled state at which a field begins."""
        return int(self.states.dtype.fields[name][1])

    def play(
        self, rounds: int, bot: str = "random", seed: int = 0, *, sorts: bool = False
    ) -> tuple[dict[Fault, int], tuple[int, ...]]:
        """Play rounds from number 0 on.

        Args:
            rounds: how many rounds are played.
            bot: the name of the bot in every seat; its choice must be rules text.
            seed: the seed of the rounds.
            sorts: whether packs are all but sorted by number, so that rare deals are common.

        Returns:
            Each fault that occurs, with the number of the first round that has it.
            The least and the greatest return of a seat, then the least and the greatest sum of all seats' returns.
        """
        found = int64s(*[0] * len(Fault), 1 << 62, -(1 << 62), 1 << 62, -(1 << 62))
        names = ("sets", "rows", "singles", "hands", "fixed", "winners")
        sets, rows, singles, hands, fixed, winners = (int64s(*self.at[name]) for name in names)
        watch_rounds.compiled(
            self.states,
            self.states.view("i8").reshape(playout.STATES, -1),
            self.states.view("i1").reshape(playout.STATES, -1),
            sets,
            rows,
            singles,
            hands,
            fixed,
            winners,
            int64s(*self.limits),
            int64s(*stream(seed)),
            int64s(*[0] * (4 + len(self.at["hands"]))),
            int64s(0, rounds, sorts),
            MACHINE_CODE.bot(bots.find(bot)),
            found,
        )
        return {fault: int(found[fault]) - 1 for fault in Fault if found[fault]}, tuple(found[LEAST:].tolist())


@check
def rounds(game: Game, rounds: int, seed: int = 0, bot: str = "random", *, sorts: bool = False) -> tuple[int, ...]:
    """Check that rounds have no `Fault`. Returns the least and greatest return of a seat, then those of all seats' sum."""
    need_machine_code()
    faults, extremes = Watch(game, seed % game.seats).play(rounds, bot, seed, sorts=sorts)
    broken = ", ".join(f"{SAID[fault]} (first in round {number})" for fault, number in faults.items())
    packs = " with packs all but sorted" if sorts else ""
    hold(not faults, f"in rounds of dealer {seed % game.seats}{packs}: {broken}")
    return extremes
