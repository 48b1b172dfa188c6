#include "scan/ranking.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"

#define SIGN ((uint64_t)1 << 63)

enum {
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    SMALL_ROOM = 8192, /* limit of merged entries in memory if few keys are wanted */
    LEAST_BUFFER = 64, /* least number of buffered entries per run while runs are merged */
};

/* A sorted sequence of entries in a temporary file. */
struct run {
    int64_t next, end;     /* range of entries in the file that are not read yet */
    struct ranked *buffer; /* borrowed; the entries that were last read from the file */
    size_t room;           /* capacity of the buffer, in entries */
    size_t at, filled;
};

/* Sorted runs in one temporary file. */
struct runs {
    struct run *runs; /* owned */
    size_t count, capacity;
    struct ranked *buffers; /* owned; memory of the buffers of all runs */
    int file;               /* owned file descriptor; -1: no file */
    int64_t written;        /* number of entries in the file */
};

struct ranking {
    size_t keys;            /* limit of entries in memory, each a key with a count */
    struct ranked *entries; /* owned; room for `keys` entries, of which `used` are filled */
    struct ranked *spare;   /* owned; as large as `entries`, for sorting; NULL: not allocated yet */
    size_t used;
    int64_t total;
    bool ends;          /* true: ranking_end() was called */
    size_t wanted;      /* limit of keys that ranking_next() returns */
    size_t room;        /* limit of merged entries in memory, at most `keys` */
    int64_t exceeded;   /* keys with this count or less rank too low to be returned; 0: not known */
    struct runs by_key; /* runs sorted by key */
    int64_t merged;     /* number of entries in by_key after the last merge */
    struct runs by_count; /* the result: runs by falling count; keys ascend from run to run */
    int64_t highest;      /* count of the keys that ranking_next() returns now; 0: not known yet */
    size_t current;       /* index of the run that ranking_next() reads */
};

/* Allocates memory for `keys` entries. The system provides it only as it is used. */
static struct ranked *new_entries(const struct ranking *ranking) {
    struct ranked *entries = xreallocarray(NULL, ranking->keys, sizeof *entries);

    advise_huge_pages(entries, ranking->keys * sizeof *entries);
    return entries;
}

struct ranking *ranking_new(size_t keys) {
    struct ranking *ranking = xcalloc(1, sizeof *ranking);

    ranking->keys = ranking->wanted = ranking->room = keys;
    ranking->entries = new_entries(ranking);
    ranking->by_key.file = ranking->by_count.file = -1;
    return ranking;
}

static void free_runs(struct runs *runs) {
    file_close(runs->file);
    free(runs->runs);
    free(runs->buffers);
}

void ranking_free(struct ranking *ranking) {
    if (ranking != NULL) {
        free(ranking->entries);
        free(ranking->spare);
        free_runs(&ranking->by_key);
        free_runs(&ranking->by_count);
        free(ranking);
    }
}

int64_t ranking_total(const struct ranking *ranking) {
    return ranking->total;
}

/* --- sorting by digits ------------------------------------------------------------------------ */

/* Returns an unsigned number that sorts like the key, or `by_count` like descending counts. */
static inline uint64_t sort_value(const struct ranked *entry, bool by_count) {
    return by_count ? ~(uint64_t)entry->count : (uint64_t)entry->key ^ SIGN;
}

/* Sorts entries stably into `to` by the digit at bit `shift`. `starts`: by digit, the number of
 * entries with it; overwritten. */
static void sort_by_digit(const struct ranked *from, struct ranked *to, size_t count, bool by_count,
                          unsigned shift, size_t starts[DIGITS]) {
    size_t start = 0;

    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t entries = starts[digit];

        starts[digit] = start;
        start += entries;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[sort_value(&from[i], by_count) >> shift & (DIGITS - 1)]++] = from[i];
    }
}

/* Sorts the entries in memory by key, or `by_count` stably by descending count. */
static void sort_entries(struct ranking *ranking, bool by_count) {
    size_t starts[64 / DIGIT_BITS + 1][DIGITS] = {{0}};
    unsigned shifts[64 / DIGIT_BITS + 1] = {0}, digits = 0;
    uint64_t varying = 0; /* bits in which any two values differ */

    if (ranking->spare == NULL) {
        ranking->spare = new_entries(ranking);
    }
    for (size_t i = 1; i < ranking->used; i++) {
        varying |= sort_value(&ranking->entries[i], by_count) ^
                   sort_value(&ranking->entries[i - 1], by_count);
    }
    /* The first digit begins at the lowest differing bit. Sectors are often multiples of 8: this
     * may save a digit. */
    for (unsigned shift = varying == 0 ? 64 : (unsigned)__builtin_ctzll(varying); shift < 64;
         shift += DIGIT_BITS) {
        if ((varying >> shift & (DIGITS - 1)) != 0) {
            shifts[digits++] = shift;
        }
    }
    for (size_t i = 0; i < ranking->used; i++) {
        for (unsigned k = 0; k < digits; k++) {
            starts[k][sort_value(&ranking->entries[i], by_count) >> shifts[k] & (DIGITS - 1)]++;
        }
    }
    for (unsigned k = 0; k < digits; k++) {
        struct ranked *sorted = ranking->spare;

        sort_by_digit(ranking->entries, sorted, ranking->used, by_count, shifts[k], starts[k]);
        ranking->spare = ranking->entries;
        ranking->entries = sorted;
    }
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Writes the entries in memory to the file as a run, and empties the memory. */
static bool write_run(struct ranking *ranking, struct runs *runs, struct error *error) {
    if ((runs->file < 0 && (runs->file = temporary_file_create(NULL, error)) < 0) ||
        !temporary_file_write(runs->file, ranking->entries,
                              ranking->used * sizeof *ranking->entries, error)) {
        return false;
    }
    *ARRAY_NEW(runs->runs, runs->count, runs->capacity) =
        (struct run){.next = runs->written, .end = runs->written + (int64_t)ranking->used};
    runs->written += (int64_t)ranking->used;
    ranking->used = 0;
    return true;
}

/* Allocates the runs' buffers: together half as many entries as fit into memory. */
static void ranking_share_buffers(const struct ranking *ranking, struct runs *runs) {
    size_t room = ranking->keys / 2 / (runs->count + 1);

    room = room < LEAST_BUFFER ? LEAST_BUFFER : room;
    runs->buffers = xreallocarray(NULL, runs->count * room, sizeof *runs->buffers);
    for (size_t i = 0; i < runs->count; i++) {
        runs->runs[i].buffer = runs->buffers + i * room;
        runs->runs[i].room = room;
    }
}

/* Sets `*entry` to the current entry of a run, read from the file if needed; NULL at the end. */
static bool current_run_entry(const struct runs *runs, struct run *run, const struct ranked **entry,
                              struct error *error) {
    if (run->at == run->filled && run->next < run->end) {
        int64_t left = run->end - run->next;

        run->filled = left < (int64_t)run->room ? (size_t)left : run->room;
        run->at = 0;
        if (!temporary_file_read(runs->file, run->next * (int64_t)sizeof *run->buffer, run->buffer,
                                 run->filled * sizeof *run->buffer, error)) {
            return false;
        }
        run->next += (int64_t)run->filled;
    }
    *entry = run->at < run->filled ? &run->buffer[run->at] : NULL;
    return true;
}

/* Sifts the run at index `place` down in a heap whose root is the run with the lowest key. */
static void heap_sift(struct run **heap, size_t count, size_t place) {
    for (size_t below = 2 * place + 1; below < count; below = 2 * place + 1) {
        struct run *run = heap[place];

        if (below + 1 < count && heap[below + 1]->buffer[heap[below + 1]->at].key <
                                     heap[below]->buffer[heap[below]->at].key) {
            below++;
        }
        if (run->buffer[run->at].key <= heap[below]->buffer[heap[below]->at].key) {
            return;
        }
        heap[place] = heap[below];
        heap[below] = run;
        place = below;
    }
}

/* Merges runs by key, adding up counts of equal keys. `heap`: buffer with room for all runs. */
static bool merge_by_heap(struct runs *runs, struct run **heap, ranking_visit *visit, void *context,
                          struct error *error) {
    const struct ranked *entry;
    struct ranked sum = {0};
    size_t count = 0;
    bool some = false;

    for (; count < runs->count; count++) {
        heap[count] = &runs->runs[count];
        if (!current_run_entry(runs, heap[count], &entry, error)) {
            return false;
        }
    }
    for (size_t i = count; i > 0; i--) {
        heap_sift(heap, count, i - 1);
    }
    while (count > 0) {
        struct run *run = heap[0];
        const struct ranked *next = &run->buffer[run->at++];

        if (some && next->key == sum.key) {
            sum.count += next->count;
        } else if (some && !visit(context, &sum, error)) {
            return false;
        } else {
            sum = *next;
            some = true;
        }
        if (!current_run_entry(runs, run, &entry, error)) {
            return false;
        }
        if (entry == NULL) {
            heap[0] = heap[--count];
        }
        heap_sift(heap, count, 0);
    }
    return !some || visit(context, &sum, error);
}

/* Merges all runs in by_key, and removes them. No entries may be in memory. */
static bool merge_runs(struct ranking *ranking, ranking_visit *visit, void *context,
                       struct error *error) {
    struct runs runs = ranking->by_key;
    struct run **heap = xreallocarray(NULL, runs.count, sizeof *heap);
    bool done;

    ranking->by_key = (struct runs){.file = -1};
    ranking_share_buffers(ranking, &runs);
    done = merge_by_heap(&runs, heap, visit, context, error);
    free(heap);
    free_runs(&runs);
    return done;
}

/* Writes the merged entries in memory to a file. After ranking_end(), as a run sorted by count;
 * before, appends them to the only run sorted by key. */
static bool write_merged(struct ranking *ranking, struct error *error) {
    struct runs *runs = &ranking->by_key;

    if (ranking->ends) {
        sort_entries(ranking, true);
        return write_run(ranking, &ranking->by_count, error);
    }
    if (!write_run(ranking, runs, error)) {
        return false;
    }
    runs->runs[0].end = runs->written;
    runs->count = 1;
    return true;
}

static bool keep_merged(void *context, const struct ranked *ranked, struct error *error) {
    struct ranking *ranking = context;

    if (ranking->exceeded > 0 && ranked->count <= ranking->exceeded) {
        return true;
    }
    if (ranking->used == ranking->room && ranking->wanted < ranking->room) {
        sort_entries(ranking, true); /* stable: at equal count, later (higher) keys stay behind */
        ranking->used = ranking->wanted;
        ranking->exceeded = ranking->entries[ranking->wanted - 1].count;
        return keep_merged(context, ranked, error);
    }
    if (ranking->used == ranking->room && !write_merged(ranking, error)) {
        return false;
    }
    ranking->entries[ranking->used++] = *ranked;
    return true;
}

/* Merges the runs to one if the file has become much larger since the last merge. The new file has
 * each key once; the old one is freed. */
static bool shorten_file(struct ranking *ranking, struct error *error) {
    if (ranking->by_key.written < 2 * ranking->merged + 4 * (int64_t)ranking->keys) {
        return true;
    }
    if (!merge_runs(ranking, keep_merged, ranking, error) || !write_merged(ranking, error)) {
        return false;
    }
    ranking->merged = ranking->by_key.written;
    return true;
}

/* --- counting --------------------------------------------------------------------------------- */

/* Sorts the entries by key, and merges equal keys by adding their counts. */
static void add_up_entries(struct ranking *ranking) {
    struct ranked *entries;
    size_t kept = 0;

    sort_entries(ranking, false);
    entries = ranking->entries;
    for (size_t i = 0; i < ranking->used; i++) {
        if (kept > 0 && entries[kept - 1].key == entries[i].key) {
            entries[kept - 1].count += entries[i].count;
        } else {
            entries[kept++] = entries[i];
        }
    }
    ranking->used = kept;
}

/* Makes room for more entries: merges equal keys, or writes a run to the file. */
static bool ranking_make_room(struct ranking *ranking, struct error *error) {
    add_up_entries(ranking);
    return ranking->used <= ranking->keys / 4 * 3 ||
           (write_run(ranking, &ranking->by_key, error) && shorten_file(ranking, error));
}

bool ranking_add(struct ranking *ranking, int64_t key, int64_t count, struct error *error) {
    if (ranking->used == ranking->keys && !ranking_make_room(ranking, error)) {
        return false;
    }
    ranking->entries[ranking->used++] = (struct ranked){key, count};
    ranking->total += count;
    return true;
}

bool ranking_end(struct ranking *ranking, size_t wanted, struct error *error) {
    struct runs *result = &ranking->by_count;

    ranking->ends = true;
    ranking->wanted = wanted;
    if (wanted <= ranking->keys / 2) {
        ranking->room = SMALL_ROOM < ranking->keys ? SMALL_ROOM : ranking->keys;
        ranking->room = ranking->room < 2 * wanted ? 2 * wanted : ranking->room;
    }
    add_up_entries(ranking);
    if (ranking->by_key.count == 0) {
        sort_entries(ranking, true);
        *ARRAY_NEW(result->runs, result->count, result->capacity) =
            (struct run){.buffer = ranking->entries, .filled = ranking->used};
        return true;
    }
    if (!write_run(ranking, &ranking->by_key, error) ||
        !merge_runs(ranking, keep_merged, ranking, error) || !write_merged(ranking, error)) {
        return false;
    }
    ranking_share_buffers(ranking, result);
    return true;
}

bool ranking_visit_by_key(struct ranking *ranking, ranking_visit *visit, void *context,
                          struct error *error) {
    size_t visited = 0;

    add_up_entries(ranking);
    if (ranking->by_key.count > 0) {
        return write_run(ranking, &ranking->by_key, error) &&
               merge_runs(ranking, visit, context, error);
    }
    while (visited < ranking->used && visit(context, &ranking->entries[visited], error)) {
        visited++;
    }
    return visited == ranking->used;
}

/* --- reading the result ----------------------------------------------------------------------- */

/* Finds the highest count among the entries not returned yet; 0: none is left. */
static bool find_highest(struct ranking *ranking, struct error *error) {
    const struct ranked *entry;

    ranking->highest = 0;
    for (size_t i = 0; i < ranking->by_count.count; i++) {
        if (!current_run_entry(&ranking->by_count, &ranking->by_count.runs[i], &entry, error)) {
            return false;
        }
        if (entry != NULL && entry->count > ranking->highest) {
            ranking->highest = entry->count;
        }
    }
    ranking->current = 0;
    return true;
}

/* Returns all keys of the highest count, reading one run after the other. Each run has lower keys
 * than the next, so the keys ascend. Then continues with the next lower count. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error) {
    *some = false;
    do {
        for (; ranking->highest > 0 && ranking->current < ranking->by_count.count;
             ranking->current++) {
            struct run *run = &ranking->by_count.runs[ranking->current];
            const struct ranked *entry;

            if (!current_run_entry(&ranking->by_count, run, &entry, error)) {
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
