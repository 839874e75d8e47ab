/* Hiyoko by hand: the yardstick of a sequence game, as mushi.c is that of a game of fishing.

   It plays whole rounds of Hiyoko, default options, with random choices, and does exactly what mekuri.lab.playout does. A round is
   straight-line code here, too. Its comments name the clauses of the rule book. */

#include "yardstick.h"

#define CLUBS(number) CARD(((number) - 1) * 4)
#define SWORDS(number) CARD(((number) - 1) * 4 + 1)
#define COINS(number) CARD(((number) - 1) * 4 + 2)
#define CUPS(number) CARD(((number) - 1) * 4 + 3)
#define NUMBERS(least, most) (CARD(4 * (most)) - CARD(4 * ((least) - 1)))

enum { CARDS = 45, HAND = 6 };
enum { PASS = 49, DONE = 50, DEAL = 58, GATHER = 59, RECYCLE = 60, TURN_UP = 61 }; /* words; other actions are cards */
enum { VOID, REDEALS };                                                            /* why a round is thrown in */
enum { OUT, ALL_OUT, ENDINGS };

static const Set ALL = NUMBERS(1, 12), DECK = NUMBERS(1, 12) & ~(SWORDS(6) | COINS(6) | CUPS(6)); /* hiyoko.cards.forty-five */

/* hiyoko.ghosts.ones, hiyoko.ghosts.twos, hiyoko.ghosts.three: the ghosts of a hand, and of those that are turned up */
static const Set ONE_GHOSTS = CLUBS(1) | SWORDS(1), TWO_GHOSTS = CLUBS(2) | SWORDS(2), ANY_GHOST = SWORDS(3);
static const Set DRAWN_ONES = CLUBS(6) | SWORDS(12) | COINS(12) | CUPS(12), DRAWN_ANY = CLUBS(12);

typedef struct {
    Set hand[2], pile;
    uint16_t pack[CARDS + 3]; /* not bytes, which to a compiler may lie anywhere, in the stream of chance too */
    int stock, turns, redeals[REDEALS];
    int top, top_drawn, discards, drawn, passes, drawer;
    Log log;
} Round;

static inline Set packet(Round *r) {
    Set cards = 0;
    for (int i = 0; i < HAND / 2; i++) cards |= CARD(r->pack[--r->stock]);
    return cards;
}

static inline void cover(Round *r, int card, int drawn) {
    r->top = card;
    r->top_drawn = drawn;
    r->pile |= CARD(card);
}

/* hiyoko.draw.recycle */
static inline void gather(Round *r, Set cards) {
    r->stock = 0;
    for (; cards; cards &= cards - 1) r->pack[r->stock++] = first(cards);
}

/* hiyoko.deal.packets, hiyoko.deal.start-card */
static inline void deal(Round *r) {
    shuffle(r->pack, CARDS, &r->log.chance);
    r->stock = CARDS;
    r->hand[0] = r->hand[1] = r->pile = 0;
    r->turns = r->drawn = r->passes = r->drawer = 0;
    for (int i = 0; i < 2; i++) {
        r->hand[1] |= packet(r);
        r->hand[0] |= packet(r);
    }
    cover(r, r->pack[--r->stock], 1);
    note(&r->log, DRIVER, DEAL);
}

/* hiyoko.ghosts.drawn-ones, hiyoko.ghosts.drawn-king, hiyoko.ghosts.drawn-only */
static inline Set numbers_of(int card, int drawn) {
    Set one = CARD(card);
    if (one & (ONE_GHOSTS | TWO_GHOSTS | ANY_GHOST)) return one & ONE_GHOSTS ? NUMBERS(1, 10) : one & TWO_GHOSTS ? NUMBERS(2, 11) : ALL;
    if (drawn && one & (DRAWN_ONES | DRAWN_ANY)) return one & DRAWN_ANY ? ALL : WHOLE(1);
    return same_number(card);
}

/* hiyoko.play.next-number, hiyoko.play.wrap, hiyoko.ghosts.follow. A table of these sets, as in the rules, is no faster here. */
static inline Set followers(const Round *r) {
    Set numbers = numbers_of(r->top, r->top_drawn);
    numbers = (numbers << 4 | numbers >> 44) & ALL;
    Set cards = (numbers & ~(ONE_GHOSTS | TWO_GHOSTS)) | ANY_GHOST;
    if (numbers & NUMBERS(1, 10)) cards |= ONE_GHOSTS;
    if (numbers & NUMBERS(2, 11)) cards |= TWO_GHOSTS;
    return cards;
}

/* hiyoko.draw.who, hiyoko.draw.void: returns whether the round is void. */
static inline int turn_up(Round *r) {
    if (r->drawn >= 2 * (r->stock + count(r->pile) - 1)) return 1;
    if (r->stock == 0) {
        note(&r->log, DRIVER, RECYCLE);
        gather(r, r->pile & ~CARD(r->top));
        r->pile = CARD(r->top);
        shuffle(r->pack, r->stock, &r->log.chance);
    }
    cover(r, r->pack[--r->stock], 1);
    r->drawn++;
    note(&r->log, DRIVER, TURN_UP);
    return 0;
}

static inline void discard(Round *r, int seat, int card) {
    r->hand[seat] &= ~CARD(card);
    cover(r, card, 0);
    r->discards++;
    r->passes = r->drawn = 0;
    r->drawer = seat;
}

/* Turns until a hand is out; returns the seat that is out, or -1 if the round is void. hiyoko.play.dealer-first */
static inline int play(Round *r) {
    for (int seat = 0;; seat ^= 1) {
        r->turns++;
        r->discards = 0;
        if (seat == r->drawer && r->passes > 0 && turn_up(r)) return -1;
        /* hiyoko.play.compulsory, hiyoko.play.run: the first card must be played, and more may be */
        for (;;) {
            Set hand = r->hand[seat], cards = hand & followers(r);
            /* hiyoko.combo.one-two: a printed 1 on a printed 1, if a 2 of the same hand follows */
            int pairs = hand & WHOLE(1) & ~cards && hand & WHOLE(2) && WHOLE(1) >> r->top & 1;
            Set choices = pairs ? cards | (hand & WHOLE(1)) : cards;
            if (r->discards) choices |= CARD(DONE);
            int action = choose(&r->log, seat, choices ? choices : CARD(PASS));
            if (action == PASS) r->passes++;
            if (action >= PASS) break;
            int pair = !(cards >> action & 1);
            discard(r, seat, action);
            if (pair) discard(r, seat, choose(&r->log, seat, r->hand[seat] & WHOLE(2))); /* hiyoko.combo.two-follows */
            if (!r->hand[seat]) return seat;                                            /* hiyoko.end.out */
        }
    }
}

static Round start;

static inline __attribute__((always_inline)) void play_round(const Log *log, Counts *n) {
    Round round = start, *r = &round;
    r->log = *log;
    int out;
    while (deal(r), (out = play(r)) < 0) {
        note(&r->log, DRIVER, GATHER);
        gather(r, DECK);
        r->redeals[VOID]++;
    }
    int ending = r->discards == HAND ? ALL_OUT : OUT, point = out ? -1 : 1; /* hiyoko.score.point */
    count_end(&r->log, r->turns, ending, r->redeals, REDEALS, point, -point, n);
}

int main(int argc, char **argv) {
    gather(&start, DECK);
    return run(argc, argv, play_round, REDEALS, ENDINGS, 0);
}
