#include "scan/ranking.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/hash.h"
#include "base/file.h"

#define SIGN ((uint64_t)1 << 63)

enum {
    LEAST_SLOTS = 64,
    /* Number of bits that each step of the search for the median key finds. */
    SEARCH_BITS = 16,
    SEARCH_DIGITS = 1 << SEARCH_BITS,
    SORT_BITS = 8,
    SORT_DIGITS = 1 << SORT_BITS,
    /* Number of digits of the sort key, which is a key and its count. */
    SORT_PLACES = 2 * 64 / SORT_BITS,
    WAITING = 12, /* number of keys whose slots are being prefetched */
};

/* The sorted keys and counts of one pass. */
struct run {
    int64_t next, end;     /* range in the file of the entries not read yet */
    struct ranked *buffer; /* borrowed */
    size_t room;           /* number of entries for which the buffer has room */
    size_t at, filled;
};

struct ranking {
    size_t keys; /* limit of keys that a pass counts */
    /* Owned; hash table of keys (count 0: an empty slot); at the end, the buffers of the runs. */
    struct ranked *slots;
    size_t capacity; /* number of slots: a power of two, 0 at first, at most 2 * keys */
    size_t used;
    struct ranked *spare; /* owned; buffer for sorting, with room for `used` entries */
    size_t spare_capacity;
    int64_t first, last; /* range of the keys that this pass counts */
    bool totals_known;   /* true: the first pass is over */
    int64_t total;
    /* Keys of this pass whose slots are being prefetched, because the table is larger than the
     * cache. The oldest one is at index `oldest`. */
    int64_t waiting[WAITING];
    size_t waiting_count, oldest;
    int file;         /* temporary file with the runs; -1: none */
    struct run *runs; /* owned */
    size_t run_count, run_capacity;
    int64_t highest; /* count of the keys that ranking_next() returns now; 0: none yet */
    size_t current;  /* index of the run that is being read */
};

struct ranking *ranking_new(size_t keys) {
    struct ranking *ranking = xcalloc(1, sizeof *ranking);

    ranking->keys = keys;
    ranking->first = INT64_MIN;
    ranking->last = INT64_MAX;
    ranking->file = -1;
    return ranking;
}

void ranking_free(struct ranking *ranking) {
    if (ranking != NULL) {
        file_close(ranking->file);
        free(ranking->slots);
        free(ranking->spare);
        free(ranking->runs);
        free(ranking);
    }
}

int64_t ranking_total(const struct ranking *ranking) {
    return ranking->total;
}

/* Maps a key to an unsigned number that sorts like the key. */
static uint64_t ranking_slot_order(int64_t key) {
    return (uint64_t)key ^ SIGN;
}

/* --- counting keys in a pass ------------------------------------------------------------------ */

/* Returns the slot at which the search for a key starts. */
static size_t first_slot(size_t capacity, int64_t key) {
    return seeded_hash_number((uint64_t)key) & (capacity - 1);
}

/* Returns the slot of a key or, if the key is missing, an empty slot, which always exists. */
static struct ranked *ranking_find_slot(struct ranked *slots, size_t capacity, int64_t key) {
    size_t slot = first_slot(capacity, key);

    while (slots[slot].count != 0 && slots[slot].key != key) {
        slot = (slot + 1) & (capacity - 1);
    }
    return &slots[slot];
}

static void ranking_grow(struct ranking *ranking) {
    size_t capacity = ranking->capacity == 0 ? LEAST_SLOTS : 2 * ranking->capacity;
    struct ranked *slots = xzeros(capacity, sizeof *slots);

    for (size_t i = 0; i < ranking->capacity; i++) {
        if (ranking->slots[i].count != 0) {
            *ranking_find_slot(slots, capacity, ranking->slots[i].key) = ranking->slots[i];
        }
    }
    free(ranking->slots);
    ranking->slots = slots;
    ranking->capacity = capacity;
}

static void ensure_spare_table(struct ranking *ranking) {
    if (ranking->spare_capacity < ranking->used) {
        free(ranking->spare);
        ranking->spare = xmalloc(ranking->used * sizeof *ranking->spare);
        ranking->spare_capacity = ranking->used;
    }
}

/* Returns the median of the keys in the table, found digit by digit from the highest. */
static int64_t find_middle(const struct ranking *ranking) {
    size_t *counts = xmalloc(SEARCH_DIGITS * sizeof *counts), rank = ranking->used / 2;
    uint64_t known = 0, mask = 0; /* bits of the median that are known, and a mask of these bits */

    for (int shift = 64 - SEARCH_BITS; shift >= 0; shift -= SEARCH_BITS) {
        uint64_t digit = 0;

        memset(counts, 0, SEARCH_DIGITS * sizeof *counts);
        for (size_t i = 0; i < ranking->capacity; i++) {
            uint64_t order = ranking_slot_order(ranking->slots[i].key);

            if (ranking->slots[i].count != 0 && (order & mask) == known) {
                counts[order >> shift & (SEARCH_DIGITS - 1)]++;
            }
        }
        while (rank > counts[digit]) {
            rank -= counts[digit++];
        }
        known |= digit << shift;
        mask |= (uint64_t)(SEARCH_DIGITS - 1) << shift;
    }
    free(counts);
    return (int64_t)(known ^ SIGN);
}

/* Removes the larger half of the keys from the table. A later pass counts them. */
static void ranking_make_room(struct ranking *ranking) {
    size_t kept = 0;

    ensure_spare_table(ranking);
    ranking->last = find_middle(ranking);
    for (size_t i = 0; i < ranking->capacity; i++) {
        if (ranking->slots[i].count != 0 && ranking->slots[i].key <= ranking->last) {
            ranking->spare[kept++] = ranking->slots[i];
        }
    }
    memset(ranking->slots, 0, ranking->capacity * sizeof *ranking->slots);
    for (size_t i = 0; i < kept; i++) {
        *ranking_find_slot(ranking->slots, ranking->capacity, ranking->spare[i].key) =
            ranking->spare[i];
    }
    ranking->used = kept;
}

/* Counts a key, unless a later pass will count it since the table became full. */
static void count_key(struct ranking *ranking, int64_t key) {
    struct ranked *slot;

    if (key > ranking->last) {
        return;
    }
    if (2 * ranking->used >= ranking->capacity && ranking->used < ranking->keys) {
        ranking_grow(ranking);
    }
    slot = ranking_find_slot(ranking->slots, ranking->capacity, key);
    if (slot->count == 0 && ranking->used == ranking->keys) {
        ranking_make_room(ranking);
        if (key > ranking->last) {
            return;
        }
        slot = ranking_find_slot(ranking->slots, ranking->capacity, key);
    }
    if (slot->count == 0) {
        slot->key = key;
        ranking->used++;
    }
    slot->count++;
}

void ranking_count(struct ranking *ranking, int64_t key) {
    int64_t oldest = ranking->waiting[ranking->oldest];

    ranking->total += !ranking->totals_known;
    if (key < ranking->first || key > ranking->last) {
        return;
    }
    if (ranking->capacity > 0) {
        __builtin_prefetch(&ranking->slots[first_slot(ranking->capacity, key)], 1);
    }
    if (ranking->waiting_count < WAITING) {
        ranking->waiting[ranking->waiting_count++] = key;
        return;
    }
    ranking->waiting[ranking->oldest] = key;
    ranking->oldest = (ranking->oldest + 1) % WAITING;
    count_key(ranking, oldest);
}

/* --- sorting the keys of a pass --------------------------------------------------------------- */

/* Returns a digit of an entry's sort key, in which the count is above the key. */
static unsigned radix_digit_of_key(const struct ranked *entry, unsigned place) {
    unsigned shift = place * SORT_BITS;
    uint64_t word = shift < 64 ? ranking_slot_order(entry->key) : ~(uint64_t)entry->count;

    return word >> shift % 64 & (SORT_DIGITS - 1);
}

/* Sorts entries by one digit into `to`, stably. Returns false if all have the same digit. */
static bool sort_by(const struct ranked *from, struct ranked *to, size_t count, unsigned place) {
    size_t starts[SORT_DIGITS] = {0}, start = 0;

    for (size_t i = 0; i < count; i++) {
        starts[radix_digit_of_key(&from[i], place)]++;
    }
    if (starts[radix_digit_of_key(&from[0], place)] == count) {
        return false;
    }
    for (unsigned digit = 0; digit < SORT_DIGITS; digit++) {
        size_t entries = starts[digit];

        starts[digit] = start;
        start += entries;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[radix_digit_of_key(&from[i], place)]++] = from[i];
    }
    return true;
}

/* Sorts the entries of the table, in place or into `spare`. Returns the sorted array. */
static struct ranked *sort_table(struct ranking *ranking) {
    struct ranked *from = ranking->slots, *to;
    size_t count = 0;

    ensure_spare_table(ranking);
    to = ranking->spare;
    for (size_t i = 0; i < ranking->capacity; i++) {
        if (from[i].count != 0) {
            from[count++] = from[i];
        }
    }
    for (unsigned place = 0; place < SORT_PLACES && count > 0; place++) {
        if (sort_by(from, to, count, place)) {
            struct ranked *sorted = to;

            to = from;
            from = sorted;
        }
    }
    return from;
}

/* --- writing runs to the file ----------------------------------------------------------------- */

static void add_run(struct ranking *ranking, struct run run) {
    *ARRAY_NEW(ranking->runs, ranking->run_count, ranking->run_capacity) = run;
}

/* Appends a run, the sorted entries of a pass, to the file. */
static bool write_run(struct ranking *ranking, const struct ranked *entries, struct error *error) {
    int64_t start = ranking->run_count == 0 ? 0 : ranking->runs[ranking->run_count - 1].end;

    if ((ranking->file < 0 && (ranking->file = temporary_file_make(NULL, error)) < 0) ||
        !temporary_file_write(ranking->file, entries, ranking->used * sizeof *entries, error)) {
        return false;
    }
    add_run(ranking, (struct run){.next = start, .end = start + (int64_t)ranking->used});
    return true;
}

bool ranking_end_pass(struct ranking *ranking, bool *more, struct error *error) {
    struct ranked *entries;

    for (size_t i = 0; i < ranking->waiting_count; i++) {
        count_key(ranking, ranking->waiting[i]);
    }
    ranking->waiting_count = ranking->oldest = 0;
    ranking->totals_known = true;
    *more = ranking->last < INT64_MAX;
    entries = sort_table(ranking);
    if (!*more && ranking->run_count == 0) {
        add_run(ranking, (struct run){.buffer = entries, .filled = ranking->used});
        return true;
    }
    if (!write_run(ranking, entries, error)) {
        return false;
    }
    if (!*more) {
        size_t share = 2 * ranking->keys / ranking->run_count + 1;

        /* Divides the memory of the table among the runs. */
        free(ranking->slots);
        free(ranking->spare);
        ranking->spare = NULL;
        ranking->spare_capacity = ranking->capacity = 0;
        ranking->slots = xmalloc(ranking->run_count * share * sizeof *ranking->slots);
        for (size_t i = 0; i < ranking->run_count; i++) {
            ranking->runs[i].buffer = ranking->slots + i * share;
            ranking->runs[i].room = share;
        }
        return true;
    }
    memset(ranking->slots, 0, ranking->capacity * sizeof *ranking->slots);
    ranking->used = 0;
    ranking->first = ranking->last + 1;
    ranking->last = INT64_MAX;
    return true;
}

/* --- merging the runs ------------------------------------------------------------------------- */

/* Sets `*entry` to the current entry of a run; NULL at its end. */
static bool current_run_entry(const struct ranking *ranking, struct run *run,
                              const struct ranked **entry, struct error *error) {
    if (run->at == run->filled && run->next < run->end) {
        int64_t left = run->end - run->next;

        run->filled = left < (int64_t)run->room ? (size_t)left : run->room;
        run->at = 0;
        if (!temporary_file_read(ranking->file, run->next * (int64_t)sizeof *run->buffer,
                                 run->buffer, run->filled * sizeof *run->buffer, error)) {
            return false;
        }
        run->next += (int64_t)run->filled;
    }
    *entry = run->at < run->filled ? &run->buffer[run->at] : NULL;
    return true;
}

/* Finds the highest count among the entries that were not returned yet; 0: none. */
static bool find_highest(struct ranking *ranking, struct error *error) {
    const struct ranked *entry;

    ranking->highest = 0;
    for (size_t i = 0; i < ranking->run_count; i++) {
        if (!current_run_entry(ranking, &ranking->runs[i], &entry, error)) {
            return false;
        }
        if (entry != NULL && entry->count > ranking->highest) {
            ranking->highest = entry->count;
        }
    }
    ranking->current = 0;
    return true;
}

/* Since each run has lower keys than the next run, keys with the same count are read run by run. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error) {
    *some = false;
    do {
        for (; ranking->highest > 0 && ranking->current < ranking->run_count; ranking->current++) {
            struct run *run = &ranking->runs[ranking->current];
            const struct ranked *entry;

            if (!current_run_entry(ranking, run, &entry, error)) {
                return false;
            }
            if (entry != NULL && entry->count == ranking->highest) {
                *ranked = *entry;
                run->at++;
                *some = true;
                return true;
            }
        }
        if (!find_highest(ranking, error)) {
            return false;
        }
    } while (ranking->highest > 0);
    return true;
}
