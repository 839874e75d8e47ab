/* All that the yardsticks in C share: sets of cards, chance, the checksum, and the counts of mekuri.lab.playout.

   It is written to be hard to beat: sets of cards are words, and a random member of one is found without a loop where the machine
   can. `run` is the program of a yardstick:

       cc -O3 -march=native -o mushi mushi.c && ./mushi KEY KEY KEY KEY FIRST_ROUND ROUNDS

   It prints every count as a name and a number, and the seconds of processor time that the rounds took. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* --- Cards: (number - 1) * 4 + suit, as in mekuri.cards; other actions are words --- */

typedef uint64_t Set;

#define CARD(c) ((Set)1 << (c))
#define WHOLE(number) ((Set)15 << ((number) - 1) * 4)
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

enum { DRIVER = 16 };

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

/* --- What has been done in a round --- */

typedef struct {
    Chance chance;
    uint64_t checksum;
    int actions, decisions;
} Log;

static inline void note(Log *log, int seat, int action) {
    log->actions++;
    log->checksum = fold(log->checksum, seat << 6 | action);
}

/* A seat's random choice; the only one there is takes no chance. */
static inline int choose(Log *log, int seat, Set choices) {
    int n = count(choices), action;
    if (n == 1) {
        action = first(choices);
    } else {
        log->decisions++;
        action = nth(choices, below(&log->chance, n));
    }
    note(log, seat, action);
    return action;
}

/* --- What counts --- */

enum { MOST = 8 }; /* of anything that a game counts by kinds */

typedef struct {
    int64_t actions, decisions, turns, turns_max, sum_min, sum_max, checksum;
    int64_t returns[2], redeals[MOST], endings[MOST], yaku[MOST], yaku_of[MOST][2];
} Counts;

static inline void count_end(Log *log, int turns, int ending, const int *redeals, int kinds, int points, int of_other, Counts *n) {
    const int returns[2] = {points, of_other};
    int64_t sum = points + of_other;
    for (int seat = 0; seat < 2; seat++) {
        n->returns[seat] += returns[seat];
        log->checksum = fold(log->checksum, (int64_t)returns[seat]);
    }
    n->actions += log->actions, n->decisions += log->decisions, n->turns += turns;
    if (turns > n->turns_max) n->turns_max = turns;
    if (sum < n->sum_min) n->sum_min = sum;
    if (sum > n->sum_max) n->sum_max = sum;
    n->endings[ending]++;
    for (int i = 0; i < kinds; i++) n->redeals[i] += redeals[i];
    n->checksum += log->checksum;
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

/* Plays the rounds that the arguments name. `play_round` plays one, and adds it to the counts. Both are inlined, for speed. */
static inline __attribute__((always_inline)) int run(int argc, char **argv, void (*play_round)(const Log *, Counts *), int redeals, int endings, int yaku) {
    if (argc != 7) return fprintf(stderr, "usage: %s KEY KEY KEY KEY FIRST_ROUND ROUNDS\n", argv[0]), 2;
    int64_t words[6];
    for (int i = 0; i < 6; i++) words[i] = strtoll(argv[i + 1], NULL, 10);
    Counts n = {.sum_min = INT64_MAX, .sum_max = INT64_MIN};
    double begin = now();
    for (int64_t number = words[4]; number < words[4] + words[5]; number++) {
        uint64_t key[4];
        for (int i = 0; i < 4; i++) key[i] = mix((uint64_t)words[i] ^ mix((uint64_t)(number * 4 + i) * STEP));
        const Log log = {{key[0], key[1], key[2], key[3]}, fold(0, (uint64_t)number), 0, 0};
        play_round(&log, &n);
    }
    double seconds = now() - begin;
    print("rounds", &words[5], 1);
    print("actions", &n.actions, 1), print("decisions", &n.decisions, 1), print("checksum", &n.checksum, 1);
    print("turns", &n.turns, 1), print("turns_max", &n.turns_max, 1), print("sum_min", &n.sum_min, 1), print("sum_max", &n.sum_max, 1);
    print("returns", n.returns, 2), print("redeals", n.redeals, redeals), print("endings", n.endings, endings);
    print("yaku", n.yaku, yaku), print("yaku_of", &n.yaku_of[0][0], yaku * 2);
    printf("seconds %.6f\n", seconds);
    return 0;
}
