/* Mushi by hand: the yardstick against which bench/engine.py holds the compiled rules.

   This and hiyoko.c are the only second texts of rules that this repository allows, and nothing but the bench may use them. It plays whole
   rounds of Mushi, default options, with random choices, and does exactly what mekuri.lab.playout does: the same stream of chance,
   the same order of draws, the same counts and the same checksum, which the bench compares.

   It is written to be hard to beat. A round is straight-line code that cannot stop to ask a player, which no engine for people and
   bots could be (the same program with a state machine, as in the rules, is a tenth slower); the state is one small struct that
   compilers keep in registers. Its comments name the clauses of the rule book. */

#include "yardstick.h"

#define H(number) CARD(((number) - 1) * 4)
#define I(number) CARD(((number) - 1) * 4 + 1)
#define O(number) CARD(((number) - 1) * 4 + 2)

enum { CARDS = 40, ONI = 7 };
enum { DECLARE = 49, DEAL = 58, GATHER = 60, TURN_UP = 61, AWARD = 62 };          /* words; other actions are cards */
enum { FOUR_ON_TABLE, THREE_RAIN, FOUR_IN_HAND, REDEALS = 4 };                    /* why a deal is thrown in */
enum { RAIN_AND_UNPAIRED, RAIN_ONLY, RAIN_AND_ONI, OTHER, NOTHING, ENDINGS };     /* what is left on the table */

static const Set RAIN = H(2) | I(2) | O(2); /* the oni, the fourth card of rain, is not meant by it */

/* The cards of every number of which a set holds all four, or just three. */
static inline Set fours(Set s) { return 15 * (s & s >> 1 & s >> 2 & s >> 3 & 0x111111111111); }
static inline Set threes(Set s) {
    Set pairs = s - (s >> 1 & 0x555555555555);
    Set counts = (pairs & 0x333333333333) + (pairs >> 2 & 0x333333333333);
    return s & 15 * (counts & counts >> 1 & 0x111111111111);
}

/* --- A round --- */

typedef struct {
    Set hand[2], captured[2], field;
    uint16_t pack[CARDS]; /* not bytes, which to a compiler may lie anywhere, in the stream of chance too */
    int stock, turn, turns, oni_laid_by; /* oni_laid_by: 1 + the seat; 0 for nobody */
    int redeals[REDEALS];
    Log log;
} Round;

static inline void take(Round *r, int seat, Set cards) {
    r->captured[seat] |= cards;
    r->field &= ~cards;
}

static inline Set packet(Round *r) {
    Set cards = 0;
    for (int i = 0; i < 4; i++) cards |= CARD(r->pack[--r->stock]);
    return cards;
}

/* mushi.deal.packets, mushi.deal.four-on-table, mushi.deal.three-rain: returns why the deal is thrown in, or -1. */
static inline int deal(Round *r) {
    shuffle(r->pack, CARDS, &r->log.chance);
    r->stock = CARDS;
    r->hand[0] = r->hand[1] = r->captured[0] = r->captured[1] = r->field = 0;
    r->turn = r->turns = r->oni_laid_by = 0;
    for (int i = 0; i < 2; i++) {
        r->hand[1] |= packet(r);
        r->hand[0] |= packet(r);
        r->field |= packet(r);
    }
    note(&r->log, DRIVER, DEAL);
    return fours(r->field) ? FOUR_ON_TABLE : (r->field & RAIN) == RAIN ? THREE_RAIN : -1;
}

/* mushi.play.match, mushi.oni.from-hand, mushi.oni.on-table */
static inline Set targets(const Round *r, int card) {
    if (card == ONI) return r->field & ~RAIN & ~threes(r->field);
    return r->field & same_number(card) & ~CARD(ONI);
}

/* mushi.play.two-matches, mushi.play.three-matches, mushi.play.no-match */
static inline void lay(Round *r, int card) {
    Set matches = targets(r, card);
    int n = count(matches);
    if (n == 2 || (card == ONI && n > 1)) matches = CARD(choose(&r->log, r->turn, matches));
    if (matches) {
        take(r, r->turn, CARD(card) | matches);
    } else {
        r->field |= CARD(card);
        if (card == ONI) r->oni_laid_by = r->turn + 1;
    }
}

/* mushi.play.stock-card, mushi.oni.last-card, mushi.oni.stock-takes, mushi.oni.rain-turned */
static inline void turn_up(Round *r) {
    int card = r->pack[--r->stock];
    note(&r->log, DRIVER, TURN_UP);
    if (card == ONI && r->stock == 0) {
        take(r, r->turn, CARD(ONI));
    } else if (r->field >> ONI & 1 && !(RAIN >> card & 1)) {
        take(r, r->turn, CARD(card) | CARD(ONI));
    } else {
        lay(r, card);
    }
}

/* Turns until the hands are out; returns why the deal is thrown in, or -1. mushi.play.turn, mushi.deal.four-in-hand */
static inline int play(Round *r) {
    do {
        Set hand = r->hand[r->turn];
        int may_declare = ++r->turns <= 2 && fours(hand);
        int action = choose(&r->log, r->turn, may_declare ? hand | CARD(DECLARE) : hand);
        if (action == DECLARE) return FOUR_IN_HAND;
        r->hand[r->turn] &= ~CARD(action);
        lay(r, action);
        if (r->stock) turn_up(r);
        r->turn ^= 1;
    } while (r->hand[r->turn]);
    return -1;
}

static inline int what_is_left(Set field) {
    Set rest = field & ~RAIN;
    if (!field) return NOTHING;
    if (count(field & RAIN) != 1) return OTHER;
    return rest == CARD(ONI) ? RAIN_AND_ONI : count(rest) == 1 ? RAIN_AND_UNPAIRED : rest ? OTHER : RAIN_ONLY;
}

/* mushi.end.oni-left, mushi.end.last-rain, mushi.end.unpaired, mushi.end.three-rain */
static inline void award(Round *r) {
    Set rain = r->field & RAIN;
    if (r->field >> ONI & 1) {
        take(r, r->oni_laid_by ? r->oni_laid_by - 1 : 0, CARD(ONI));
    } else if (rain && rain != RAIN) {
        take(r, count(r->captured[0] & RAIN) > count(r->captured[1] & RAIN) ? 0 : 1, rain);
    } else {
        take(r, r->captured[1] >> ONI & 1, r->field & same_number(first(r->field)));
    }
    note(&r->log, DRIVER, AWARD);
}

/* --- What counts --- */

enum { YAKU = 3 };
static const Set YAKU_CARDS[YAKU] = {H(1) | H(12) | H(3), WHOLE(4), WHOLE(6)};
static const int YAKU_POINTS[YAKU] = {25, 10, 10};

static inline int card_points(Set cards) {
    const Set brights = H(1) | H(3) | H(8) | O(2) | H(6), animals = H(12) | H(4) | H(5) | H(9) | H(10) | I(8) | H(2);
    const Set ribbons = I(1) | I(12) | I(3) | I(9) | I(10) | I(4) | I(5) | I(2);
    return count(cards) + 19 * count(cards & brights) + 9 * count(cards & animals) + 4 * count(cards & ribbons);
}

static inline int has(Set cards, int yaku) { return (cards & YAKU_CARDS[yaku]) == YAKU_CARDS[yaku]; }

/* Counts the points and the yaku of the end. */
static inline void add_points(Round *r, int ending, Counts *n) {
    int points[2] = {card_points(r->captured[0]), card_points(r->captured[1])};
    for (int i = 0; i < YAKU; i++) {
        int of_0 = has(r->captured[0], i), of_1 = has(r->captured[1], i), paid = (of_0 - of_1) * YAKU_POINTS[i];
        points[0] += paid, points[1] -= paid;
        n->yaku[i] += of_0 | of_1, n->yaku_of[i][0] += of_0, n->yaku_of[i][1] += of_1;
    }
    count_end(&r->log, r->turns, ending, r->redeals, REDEALS, points[0] - 115, points[1] - 115, n);
}

static Round start;

static inline __attribute__((always_inline)) void play_round(const Log *log, Counts *n) {
    Round round = start, *r = &round;
    r->log = *log;
    int thrown_in = -1;
    do {
        if (thrown_in >= 0) {
            note(&r->log, DRIVER, GATHER);
            r->redeals[thrown_in]++;
        }
        thrown_in = deal(r);
        if (thrown_in < 0) thrown_in = play(r);
    } while (thrown_in >= 0);
    int ending = what_is_left(r->field);
    while (r->field) award(r);
    add_points(r, ending, n);
}

int main(int argc, char **argv) {
    for (int card = 0, i = 0; card < 48; card++)
        if (!((WHOLE(7) | WHOLE(11)) >> card & 1)) start.pack[i++] = card; /* mushi.cards.forty */
    return run(argc, argv, play_round, REDEALS, ENDINGS, YAKU);
}
