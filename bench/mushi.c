/* Mushi by hand: the yardstick against which bench/engine.py holds the compiled rules.

   This is the one second text of a rule that is allowed in this repository, and nothing but the bench may use it. It plays whole
   rounds of Mushi, default options, with random choices, and does exactly what mekuri.lab.playout does: the same stream of chance,
   the same order of draws, the same counts and the same checksum, which the bench compares.

   It is written to be hard to beat. A round is straight-line code that cannot stop to ask a player, which no engine for people and
   bots could be (the same program with a state machine, as in the rules, is a tenth slower); the state is one small struct that
   compilers keep in registers; sets of cards are words, and a random member of one is found without a loop where the machine
   can. Its comments name the clauses of the rule book.

       cc -O3 -march=native -o mushi mushi.c && ./mushi KEY KEY KEY KEY FIRST_ROUND ROUNDS

   prints every count as a name and a number, and the seconds of processor time that the rounds took. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* --- Cards: (number - 1) * 4 + suit, as in mekuri.cards --- */

typedef uint64_t Set;

#define CARD(c) ((Set)1 << (c))
#define WHOLE(number) ((Set)15 << ((number) - 1) * 4)
#define H(number) CARD(((number) - 1) * 4)
#define I(number) CARD(((number) - 1) * 4 + 1)
#define O(number) CARD(((number) - 1) * 4 + 2)

enum { CARDS = 40, ONI = 7, DRIVER = 16 };
enum { DECLARE = 49, DEAL = 58, GATHER = 60, TURN_UP = 61, AWARD = 62 };          /* words; other actions are cards */
enum { FOUR_ON_TABLE, THREE_RAIN, FOUR_IN_HAND, REDEALS = 4 };                    /* why a deal is thrown in */
enum { RAIN_AND_UNPAIRED, RAIN_ONLY, RAIN_AND_ONI, OTHER, NOTHING, ENDINGS };     /* what is left on the table */

static const Set RAIN = H(2) | I(2) | O(2); /* the oni, the fourth card of rain, is not meant by it */

static inline int count(Set s) { return __builtin_popcountll(s); }
static inline int first(Set s) { return __builtin_ctzll(s); }

/* The member of a set that has k lower ones in it. */
static inline int nth(Set s, unsigned k) {
#ifdef __BMI2__
    return first(_pdep_u64(CARD(k), s));
#else
    while (k--) s &= s - 1;
    return first(s);
#endif
}

static inline Set same_number(int card) { return (Set)15 << (card & ~3); }

/* The cards of every number of which a set holds all four, or just three. */
static inline Set fours(Set s) { return 15 * (s & s >> 1 & s >> 2 & s >> 3 & 0x111111111111); }
static inline Set threes(Set s) {
    Set pairs = s - (s >> 1 & 0x555555555555);
    Set counts = (pairs & 0x333333333333) + (pairs >> 2 & 0x333333333333);
    return s & 15 * (counts & counts >> 1 & 0x111111111111);
}

/* --- Chance: xoshiro256++, and the checksum --- */

typedef struct { uint64_t a, b, c, d; } Chance;

static const uint64_t STEP = 0x9E3779B97F4A7C15;

static inline uint64_t turned(uint64_t word, int places) { return word << places | word >> (64 - places); }

static inline uint64_t mix(uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    return word ^ word >> 31;
}

static inline uint64_t fold(uint64_t checksum, uint64_t value) { return mix((checksum ^ value) * STEP); }

static inline uint64_t draw(Chance *x) {
    uint64_t drawn = turned(x->a + x->d, 23) + x->a, shifted = x->b << 17;
    x->c ^= x->a, x->d ^= x->b, x->b ^= x->c, x->a ^= x->d;
    x->c ^= shifted, x->d = turned(x->d, 45);
    return drawn;
}

/* A number below n, each as likely as any other (Lemire). */
static inline uint32_t below(Chance *x, uint32_t n) {
    for (;;) {
        uint64_t scaled = (draw(x) >> 32) * n;
        uint32_t low = (uint32_t)scaled;
        if (low >= n || low >= -n % n) return scaled >> 32;
    }
}

static inline void shuffle(uint16_t *row, int n, Chance *x) {
    for (int last = n - 1; last > 0; last--) {
        uint32_t other = below(x, last + 1);
        uint16_t held = row[last];
        row[last] = row[other];
        row[other] = held;
    }
}

/* --- A round, and what has been done in it --- */

typedef struct {
    Set hand[2], captured[2], field;
    uint16_t pack[CARDS]; /* not bytes, which to a compiler may lie anywhere, in the stream of chance too */
    int stock, turn, turns, oni_laid_by; /* oni_laid_by: 1 + the seat; 0 for nobody */
    int redeals[REDEALS];
    Chance chance;
    uint64_t checksum;
    int actions, decisions;
} Round;

static inline void note(Round *r, int seat, int action) {
    r->actions++;
    r->checksum = fold(r->checksum, seat << 6 | action);
}

/* A seat's random choice; the only one there is takes no chance. */
static inline int choose(Round *r, Set choices) {
    int n = count(choices), action;
    if (n == 1) {
        action = first(choices);
    } else {
        r->decisions++;
        action = nth(choices, below(&r->chance, n));
    }
    note(r, r->turn, action);
    return action;
}

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
    shuffle(r->pack, CARDS, &r->chance);
    r->stock = CARDS;
    r->hand[0] = r->hand[1] = r->captured[0] = r->captured[1] = r->field = 0;
    r->turn = r->turns = r->oni_laid_by = 0;
    for (int i = 0; i < 2; i++) {
        r->hand[1] |= packet(r);
        r->hand[0] |= packet(r);
        r->field |= packet(r);
    }
    note(r, DRIVER, DEAL);
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
    if (n == 2 || (card == ONI && n > 1)) matches = CARD(choose(r, matches));
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
    note(r, DRIVER, TURN_UP);
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
        int action = choose(r, may_declare ? hand | CARD(DECLARE) : hand);
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
    note(r, DRIVER, AWARD);
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

typedef struct {
    int64_t actions, decisions, turns, turns_max, sum_min, sum_max, checksum;
    int64_t returns[2], redeals[REDEALS], endings[ENDINGS], yaku[YAKU], yaku_of[YAKU][2];
} Counts;

static inline void count_end(Round *r, int ending, Counts *n) {
    int points[2] = {card_points(r->captured[0]), card_points(r->captured[1])};
    for (int i = 0; i < YAKU; i++) {
        int of_0 = has(r->captured[0], i), of_1 = has(r->captured[1], i), paid = (of_0 - of_1) * YAKU_POINTS[i];
        points[0] += paid, points[1] -= paid;
        n->yaku[i] += of_0 | of_1, n->yaku_of[i][0] += of_0, n->yaku_of[i][1] += of_1;
    }
    int64_t sum = 0;
    for (int seat = 0; seat < 2; seat++) {
        int value = points[seat] - 115;
        sum += value;
        n->returns[seat] += value;
        r->checksum = fold(r->checksum, (int64_t)value);
    }
    n->actions += r->actions, n->decisions += r->decisions, n->turns += r->turns;
    if (r->turns > n->turns_max) n->turns_max = r->turns;
    if (sum < n->sum_min) n->sum_min = sum;
    if (sum > n->sum_max) n->sum_max = sum;
    n->endings[ending]++;
    for (int i = 0; i < REDEALS; i++) n->redeals[i] += r->redeals[i];
    n->checksum += r->checksum;
}

static void play_round(Round *r, Counts *n) {
    int thrown_in = -1;
    do {
        if (thrown_in >= 0) {
            note(r, DRIVER, GATHER);
            r->redeals[thrown_in]++;
        }
        thrown_in = deal(r);
        if (thrown_in < 0) thrown_in = play(r);
    } while (thrown_in >= 0);
    int ending = what_is_left(r->field);
    while (r->field) award(r);
    count_end(r, ending, n);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void print(const char *name, const int64_t *values, int n) {
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %" PRId64, values[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "usage: mushi KEY KEY KEY KEY FIRST_ROUND ROUNDS\n"), 2;
    int64_t words[6];
    for (int i = 0; i < 6; i++) words[i] = strtoll(argv[i + 1], NULL, 10);
    Round start = {0};
    for (int card = 0, i = 0; card < 48; card++)
        if (!((WHOLE(7) | WHOLE(11)) >> card & 1)) start.pack[i++] = card; /* mushi.cards.forty */
    Counts n = {.sum_min = INT64_MAX, .sum_max = INT64_MIN};
    double begin = now();
    for (int64_t number = words[4]; number < words[4] + words[5]; number++) {
        Round r = start;
        uint64_t key[4];
        for (int i = 0; i < 4; i++) key[i] = mix((uint64_t)words[i] ^ mix((uint64_t)(number * 4 + i) * STEP));
        r.chance = (Chance){key[0], key[1], key[2], key[3]};
        r.checksum = fold(0, (uint64_t)number);
        play_round(&r, &n);
    }
    double seconds = now() - begin;
    print("rounds", &words[5], 1);
    print("actions", &n.actions, 1), print("decisions", &n.decisions, 1), print("checksum", &n.checksum, 1);
    print("turns", &n.turns, 1), print("turns_max", &n.turns_max, 1), print("sum_min", &n.sum_min, 1), print("sum_max", &n.sum_max, 1);
    print("returns", n.returns, 2), print("redeals", n.redeals, REDEALS), print("endings", n.endings, ENDINGS);
    print("yaku", n.yaku, YAKU), print("yaku_of", &n.yaku_of[0][0], YAKU * 2);
    printf("seconds %.6f\n", seconds);
}
