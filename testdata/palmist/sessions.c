/* Plays the two full-size sessions.
 *
 * How often each call happens is laid down first, exactly; then the calls are
 * strung into units (a few typical runs of calls, else single calls), the
 * units dealt to applications, and played visit by visit with pauses between.
 */
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum { MOTIF_LENGTH = 5, MAX_APPLICATIONS = 8, LAUNCHER = 0, PINEMARK = 7 };
enum { TICKS_PER_SECOND = 100, HOME_RANK = 90 };

/* Runs of calls as a program makes them; share is in per cent of what the
 * scarcest of its calls has left.
 */
static const struct {
    uint16_t traps[MOTIF_LENGTH];
    unsigned share;
} motifs[] = {
    {{0xA376, 0xA3E3, 0}, 70},                 /* BmpGetBits BmpColortableSize */
    {{0xA0B9, 0xA212, 0xA1C5, 0}, 45},         /* SysLibTblEntry, clip, copy */
    {{0xA11D, 0xA0A9, 0xA1A0, 0}, 80},         /* event loop */
    {{0xA2CC, 0xA2A2, 0xA0F5, 0}, 60},         /* polling */
    {{0xA165, 0xA167, 0xA16B, 0xA220, 0}, 50}, /* text drawing */
    {{0xA1FE, 0xA1FD, 0xA211, 0}, 50},         /* changing the draw window */
    {{0xA173, 0xA180, 0xA183, 0}, 60},         /* finding an object of the form */
    {{0xA395, 0xA164, 0xA378, 0xA396, 0}, 60}, /* drawing with another font */
    {{0xA0B9, 0xA1FE, 0}, 40},                 /* SysLibTblEntry WinGetDrawWindow */
};
enum { MOTIFS = sizeof motifs / sizeof *motifs };

typedef struct {
    const Trap *traps[POPULAR_TRAPS]; /* by rank */
    uint32_t counts[POPULAR_TRAPS];
    size_t trap_count;
} Popularity;

/* A unit is a rank, or MOTIF_UNIT + the number of a motif. */
enum { MOTIF_UNIT = 1000 };

typedef struct {
    uint16_t *units;
    size_t count;
    size_t capacity;
    size_t played;
} Units;

typedef struct {
    Log log;
    Random random;
    uint32_t tick;
    uint32_t application;
    unsigned pause_one_in; /* units */
    uint32_t longest_pause;
} Player;

static void add_unit(Units *units, unsigned unit) {
    units->units = grow(units->units, units->count, &units->capacity, sizeof *units->units);
    units->units[units->count++] = (uint16_t)unit;
}

static void shuffle(Units *units, Random *random) {
    for (size_t i = units->count; i > 1; i--) {
        size_t other = random_below(random, (uint32_t)i);
        uint16_t unit = units->units[i - 1];
        units->units[i - 1] = units->units[other];
        units->units[other] = unit;
    }
}

static uint64_t fourth_power(uint64_t number) {
    return number * number * number * number;
}

/* The long tail: calls fall with the fourth power of the rank, down to one. */
static uint64_t tail_calls(uint32_t *counts, size_t trap_count, uint64_t scale) {
    uint64_t last = scale / fourth_power(trap_count + 40);
    uint64_t sum = 0;
    for (size_t i = TOP; i < trap_count; i++) {
        uint64_t calls = scale / fourth_power(i + 41) - last;
        counts[i] = calls ? (uint32_t)calls : 1;
        sum += counts[i];
    }
    return sum;
}

/* Gives the calls that are not among the top ten to the other traps. */
static void spread_tail(Popularity *popularity, uint32_t calls) {
    uint64_t low = 1;
    uint64_t high = UINT64_C(1) << 50;
    uint64_t sum;
    while (low + 1 < high) {
        uint64_t middle = (low + high) / 2;
        if (tail_calls(popularity->counts, popularity->trap_count, middle) <= calls) {
            low = middle;
        } else {
            high = middle;
        }
    }
    sum = tail_calls(popularity->counts, popularity->trap_count, low);
    for (size_t i = TOP; sum < calls; i++, sum++) {
        require(i < popularity->trap_count, "the tail cannot take all calls");
        popularity->counts[i]++;
    }
    require(popularity->counts[TOP] < popularity->counts[TOP - 1], "the tail rises above the top");
}

static size_t rank_of(const Popularity *popularity, uint16_t id) {
    for (size_t i = 0; i < popularity->trap_count; i++) {
        if (popularity->traps[i]->id == id) {
            return i;
        }
    }
    return SIZE_MAX;
}

static size_t motif_length(size_t motif) {
    size_t length = 0;
    while (length < MOTIF_LENGTH && motifs[motif].traps[length]) {
        length++;
    }
    return length;
}

static size_t unit_length(unsigned unit) {
    return unit < MOTIF_UNIT ? 1 : motif_length(unit - MOTIF_UNIT);
}

static uint32_t motif_count(const Popularity *popularity, const uint32_t *left, size_t motif) {
    uint32_t scarcest = UINT32_MAX;
    for (size_t i = 0; i < motif_length(motif); i++) {
        size_t rank = rank_of(popularity, motifs[motif].traps[i]);
        uint32_t count = rank == SIZE_MAX ? 0 : left[rank];
        if (count < scarcest) {
            scarcest = count;
        }
    }
    return scarcest * motifs[motif].share / 100;
}

/* Groups the calls into units, in no order yet. */
static Units make_units(const Popularity *popularity, Random *random) {
    Units units = {0};
    uint32_t left[POPULAR_TRAPS];
    memcpy(left, popularity->counts, sizeof left);
    for (size_t motif = 0; motif < MOTIFS; motif++) {
        uint32_t count = motif_count(popularity, left, motif);
        for (size_t i = 0; count && i < motif_length(motif); i++) {
            left[rank_of(popularity, motifs[motif].traps[i])] -= count;
        }
        for (uint32_t i = 0; i < count; i++) {
            add_unit(&units, MOTIF_UNIT + (unsigned)motif);
        }
    }
    for (size_t rank = 0; rank < popularity->trap_count; rank++) {
        for (uint32_t i = 0; i < left[rank]; i++) {
            add_unit(&units, (unsigned)rank);
        }
    }
    shuffle(&units, random);
    return units;
}

static void play_call(Player *player, const Trap *trap) {
    /* The logger itself takes about a tick for a call. */
    uint32_t eighth = random_below(&player->random, 8);
    player->tick += eighth == 0 ? 0 : eighth == 1 ? 2 : 1;
    log_add_random(&player->log, trap, player->tick, player->application, &player->random);
}

static void play_unit(Player *player, const Popularity *popularity, unsigned unit) {
    if (random_below(&player->random, player->pause_one_in) == 0) {
        player->tick += random_between(&player->random, 20, player->longest_pause);
    }
    if (unit < MOTIF_UNIT) {
        play_call(player, popularity->traps[unit]);
        return;
    }
    for (size_t i = 0; i < motif_length(unit - MOTIF_UNIT); i++) {
        play_call(player, find_popular_trap(motifs[unit - MOTIF_UNIT].traps[i]));
    }
}

static void play_units(Player *player, const Popularity *popularity, Units *units, size_t count) {
    while (count-- && units->played < units->count) {
        play_unit(player, popularity, units->units[units->played++]);
    }
}

/* ---- the representative session ---- */

/* In the order of popular_traps; half of the 68,608 calls. */
static const uint32_t representative_top[TOP] = {5412, 4876, 4010, 3688, 3207,
                                                 2981, 2764, 2590, 2422, 2354};
/* Of 100 units, by application; Pinemark is not on this device. */
static const unsigned representative_weights[MAX_APPLICATIONS] = {14, 24, 21, 15, 11, 9, 6, 0};
static const size_t representative_visits[MAX_APPLICATIONS] = {0, 7, 6, 6, 4, 3, 2, 0};

static Popularity representative_popularity(void) {
    Popularity popularity = {.trap_count = POPULAR_TRAPS};
    uint32_t left = REPRESENTATIVE_CALLS;
    for (size_t i = 0; i < POPULAR_TRAPS; i++) {
        popularity.traps[i] = &popular_traps[i];
    }
    for (size_t i = 0; i < TOP; i++) {
        popularity.counts[i] = representative_top[i];
        left -= representative_top[i];
    }
    spread_tail(&popularity, left);
    return popularity;
}

static size_t pick_by_weight(const unsigned *weights, Random *random) {
    unsigned sum = 0;
    uint32_t pick;
    size_t i = 0;
    for (size_t j = 0; j < MAX_APPLICATIONS; j++) {
        sum += weights[j];
    }
    pick = random_below(random, sum);
    while (pick >= weights[i]) {
        pick -= weights[i++];
    }
    return i;
}

/* Rare calls belong to one application, the others are everybody's. */
static void deal_units(const Units *units, Units *dealt, Random *random) {
    for (size_t i = 0; i < units->count; i++) {
        unsigned unit = units->units[i];
        size_t application = pick_by_weight(representative_weights, random);
        if (unit < MOTIF_UNIT && unit >= HOME_RANK) {
            application = unit % PINEMARK;
        }
        add_unit(&dealt[application], unit);
    }
}

/* The order of the visits, without those to the launcher. */
static size_t plan_visits(Units *visits, Random *random) {
    for (unsigned i = 0; i < MAX_APPLICATIONS; i++) {
        for (size_t j = 0; j < representative_visits[i]; j++) {
            add_unit(visits, i);
        }
    }
    shuffle(visits, random);
    return visits->count;
}

static void visit(Player *player, const Popularity *popularity, Units *dealt, unsigned application,
                  size_t visits) {
    Units *units = &dealt[application];
    size_t usual = units->count / visits;
    size_t count = usual / 2 + random_below(&player->random, (uint32_t)usual);
    player->application = applications[application].id;
    player->tick += random_between(&player->random, 40, 700);
    play_units(player, popularity, units, count);
}

static void free_units(Units *units, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(units[i].units);
    }
}

Log play_representative(void) {
    Player player = {.random = {UINT64_C(0x50616C6D69737431)},
                     .tick = 41237,
                     .pause_one_in = 44,
                     .longest_pause = 700};
    Popularity popularity = representative_popularity();
    Units units = make_units(&popularity, &player.random);
    Units dealt[MAX_APPLICATIONS] = {0};
    Units visits = {0};
    size_t visit_count;
    deal_units(&units, dealt, &player.random);
    visit_count = plan_visits(&visits, &player.random);
    for (size_t i = 0; i < visit_count; i++) {
        visit(&player, &popularity, dealt, LAUNCHER, visit_count + 1);
        visit(&player, &popularity, dealt, visits.units[i], representative_visits[visits.units[i]]);
        if (i % 5 == 4) { /* the device is put away */
            player.tick += random_between(&player.random, 60, 400) * TICKS_PER_SECOND;
        }
    }
    /* What the visits left over is played at the end, so that the counts hold. */
    for (unsigned i = 0; i < PINEMARK; i++) {
        player.application = applications[i].id;
        player.tick += random_between(&player.random, 40, 700);
        play_units(&player, &popularity, &dealt[i], dealt[i].count);
    }
    free_units(&units, 1);
    free_units(&visits, 1);
    free_units(dealt, MAX_APPLICATIONS);
    player.log.configured = 1;
    return player.log;
}

/* ---- Pinemark Text ---- */

/* A benchmark of drawing text: fonts, clipping and copying. */
static const struct {
    uint16_t trap;
    uint32_t count;
} pinemark_top[TOP] = {
    {0xA0B9, 25604}, {0xA1FE, 21738}, {0xA163, 16530}, {0xA165, 13318}, {0xA378, 8831},
    {0xA212, 8502},  {0xA3E3, 8377},  {0xA376, 9240},  {0xA167, 6498},  {0xA1C5, 4900},
};
/* Next in popularity, before the others in their usual order. */
static const uint16_t pinemark_next[] = {
    0xA375, 0xA220, 0xA377, 0xA168, 0xA16B, 0xA2CC, 0xA164, 0xA16A, 0xA166, 0xA211, 0xA219, 0xA0F5,
    0xA395, 0xA396, 0xA0C7, 0xA173, 0xA0A5, 0xA0A6, 0xA169, 0xA16C, 0xA210, 0xA04E, 0xA026, 0xA0C9,
};
enum { PINEMARK_TRAPS = 184, BREAKS = 5 };
/* Seconds since the first call, and how long nothing is called then. */
static const struct {
    uint32_t at;
    uint32_t ticks;
} breaks[BREAKS] = {{311, 921}, {655, 1462}, {1050, 2740}, {1391, 688}, {1702, 1130}};
static const unsigned pinemark_weights[MAX_APPLICATIONS] = {40, 20, 10, 5, 5, 5, 15, 0};

static void add_rank(Popularity *popularity, uint16_t trap) {
    if (popularity->trap_count < PINEMARK_TRAPS && rank_of(popularity, trap) == SIZE_MAX) {
        popularity->traps[popularity->trap_count++] = find_popular_trap(trap);
    }
}

static Popularity pinemark_popularity(void) {
    Popularity popularity = {.trap_count = 0};
    uint32_t left = PINEMARK_CALLS;
    for (size_t i = 0; i < TOP; i++) {
        add_rank(&popularity, pinemark_top[i].trap);
        popularity.counts[i] = pinemark_top[i].count;
        left -= pinemark_top[i].count;
    }
    for (size_t i = 0; i < sizeof pinemark_next / sizeof *pinemark_next; i++) {
        add_rank(&popularity, pinemark_next[i]);
    }
    for (size_t i = 0; i < POPULAR_TRAPS; i++) {
        add_rank(&popularity, popular_traps[i].id);
    }
    spread_tail(&popularity, left);
    return popularity;
}

/* Exactly 177,589 calls to the benchmark, the rest to the others. */
static void deal_pinemark(const Units *units, Units *dealt, Random *random) {
    size_t left = PINEMARK_CALLS - PINEMARK_OWN_CALLS;
    for (size_t i = 0; i < units->count; i++) {
        unsigned unit = units->units[i];
        size_t application = PINEMARK;
        if (unit_length(unit) <= left) {
            application = pick_by_weight(pinemark_weights, random);
            left -= unit_length(unit);
        }
        add_unit(&dealt[application], unit);
    }
}

static void play_others(Player *player, const Popularity *popularity, Units *dealt, size_t part) {
    player->pause_one_in = 160;
    for (unsigned i = 0; i < PINEMARK; i++) {
        player->application = applications[i].id;
        player->tick += random_between(&player->random, 40, 180);
        play_units(player, popularity, &dealt[i], (dealt[i].count - dealt[i].played) / part + 1);
    }
    player->application = applications[PINEMARK].id;
    player->pause_one_in = 40000;
}

Log play_pinemark(void) {
    Player player = {.random = {UINT64_C(0x50696E656D61726B)}, .tick = 9106, .longest_pause = 120};
    Popularity popularity = pinemark_popularity();
    Units units = make_units(&popularity, &player.random);
    Units dealt[MAX_APPLICATIONS] = {0};
    uint32_t start = player.tick;
    Units *own = &dealt[PINEMARK];
    size_t next = 0;
    deal_pinemark(&units, dealt, &player.random);
    play_others(&player, &popularity, dealt, 3);
    while (own->played < own->count) {
        play_units(&player, &popularity, own, 1);
        if (next < BREAKS && player.tick - start >= breaks[next].at * TICKS_PER_SECOND) {
            if (next == 1) { /* another part of the benchmark is started */
                play_others(&player, &popularity, dealt, 2);
            }
            player.tick += breaks[next++].ticks;
        }
    }
    play_others(&player, &popularity, dealt, 1);
    free_units(&units, 1);
    free_units(dealt, MAX_APPLICATIONS);
    player.log.configured = 1;
    return player.log;
}
