/* Fills temp.tally_file_locality: the numbers of reads, writes, opens, syncs and sequential
 * transfers by thread and file. */
#include <stdlib.h>
#include <string.h>

#include "analysis/transfers.h"
#include "analysis/keyed_rows.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"

/* Bits of analysis.variant: how rows are grouped. */
enum { BY_THREAD = 1, BY_FILE = 2, BY_DIRECTION = 4 };

enum {
    DIRECTIONS = 2, /* index 0: reads, 1: writes */
    /* Limit of files whose last transfers are stored; beyond that the oldest file is dropped. */
    MOST_FILES = 1 << 18,
    RECENT = 1 << 12,         /* slots of a cache of files, by object.id */
    ROWS_IN_MEMORY = 1 << 16, /* limit of rows in memory; further rows go to the table */
};

/* Unknown end of a file's last transfer: the next one cannot be classified. 0: no transfer yet. */
#define END_UNKNOWN INT64_C(-1)

/* Kinds of transfers, in the order of their columns: begins at the end of the previous one; begins
 * elsewhere; position unknown. */
enum way { SEQUENTIAL, RANDOM, UNPLACED, WAYS };

struct file_end {
    uint32_t object;
    int64_t end[DIRECTIONS];
    UT_hash_handle hh;
};

/* Key of a row, compared as bytes, so it has no padding. */
struct place_key {
    uint32_t actor, object, direction;
};

struct place_row {
    struct place_key key;
    int64_t ways[WAYS];
    int64_t done[CALL_SYNCS + 1]; /* number of calls by enum call_does */
    int64_t bytes[DIRECTIONS];
    int64_t timed, total; /* timed: number of calls with a duration; total: sum of the durations */
};

/* The effect of a call on one file. A call that copies has two of these. */
struct side {
    uint32_t actor, object;
    enum call_does does; /* effect on this file; never CALL_COPIES */
    int64_t address, size, duration;
};

struct locality_state {
    struct keyed_state keyed; /* hash table of struct place_row */
    struct call_operations operations;
    struct file_end *files; /* owned hash table: files by object.id */
    /* Borrowed from `files`: cache by object.id; NULL: an empty slot. */
    struct file_end *recent[RECENT];
};

static struct file_end *file_locality_find_file(struct locality_state *state, uint32_t object) {
    struct file_end **recent = &state->recent[object % RECENT], *file = *recent;

    if (file != NULL && file->object == object) {
        return file;
    }
    HASH_FIND(hh, state->files, &object, sizeof object, file);
    if (file != NULL) {
        return *recent = file;
    }
    if (HASH_COUNT(state->files) == MOST_FILES) {
        struct file_end *oldest = state->files;

        if (state->recent[oldest->object % RECENT] == oldest) {
            state->recent[oldest->object % RECENT] = NULL;
        }
        HASH_DEL(state->files, oldest);
        free(oldest);
    }
    HASH_NEW(state->files, object, object, file);
    return *recent = file;
}

static unsigned locality_grouping(const struct analysis_context *context) {
    return (unsigned)context->analysis->variant;
}

static void file_locality_write_row(struct analysis_context *context, const void *place_row) {
    const struct place_row *row = place_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.actor, row->key.object,
             (locality_grouping(context) & BY_DIRECTION) != 0 ? row->key.direction : EVENT_NONE,
             row->ways[SEQUENTIAL], row->ways[RANDOM], row->ways[UNPLACED], row->done[CALL_OPENS],
             row->done[CALL_READS], row->done[CALL_WRITES], row->done[CALL_SYNCS], row->bytes[0],
             row->bytes[1], row->timed > 0 || row->total != 0 ? row->total : EVENT_NONE);
}

/* Classifies a transfer by where the previous one of the file and direction ended, and stores where
 * this one ends. */
static enum way follow_file(struct locality_state *state, const struct side *side,
                            unsigned direction) {
    int64_t *end, begin;

    if (side->object == 0) {
        return UNPLACED;
    }
    end = &file_locality_find_file(state, side->object)->end[direction];
    begin = *end;
    if (side->address < 0 || __builtin_add_overflow(side->address, side->size, end)) {
        *end = END_UNKNOWN;
    }
    return side->address < 0 || begin == END_UNKNOWN ? UNPLACED
           : side->address == begin                  ? SEQUENTIAL
                                                     : RANDOM;
}

/* Returns whether a call transfers bytes. Failed calls and reads at the end of a file do not. */
static bool transfers_bytes(enum call_does does, int64_t size) {
    return size > 0 && (does == CALL_READS || does == CALL_WRITES || does == CALL_COPIES);
}

static void file_locality_add(struct locality_state *state, const struct side *side) {
    const unsigned by = locality_grouping(state->keyed.context),
                   direction = side->does != CALL_READS;
    const struct place_key key = {(by & BY_THREAD) != 0 ? side->actor : 0,
                                  (by & BY_FILE) != 0 ? side->object : 0,
                                  (by & BY_DIRECTION) != 0 ? direction : 0};
    struct place_row *row;

    if (!call_operations_count(&state->operations, side->object)) {
        return;
    }
    row = keyed_rows_find_sized(&state->keyed.rows, &key, sizeof key);
    if (side->does <= CALL_SYNCS) {
        row->done[side->does]++;
    }
    if (transfers_bytes(side->does, side->size)) {
        row->ways[follow_file(state, side, direction)]++;
        add_saturated(&row->bytes[direction], side->size);
    }
    if (side->duration >= 0) {
        row->timed++;
        add_saturated(&row->total, side->duration);
    }
}

/* Counts calls. A copy counts as a read and a write of its files, each with its duration. */
static void file_locality_visit(void *locality_state, const struct event_columns *columns,
                                size_t count) {
    struct locality_state *state = locality_state;
    const bool transfers = (locality_grouping(state->keyed.context) & BY_DIRECTION) != 0;

    for (size_t i = 0; i < count; i++) {
        enum call_does does = call_operations_find(&state->operations, columns->operation[i]);
        struct side side = {columns->actor[i],   columns->object[i], does,
                            columns->address[i], columns->size[i],   columns->duration[i]};

        if (transfers && !transfers_bytes(does, side.size)) {
            continue;
        }
        if (does == CALL_COPIES) {
            file_locality_add(state,
                              &(struct side){side.actor, columns->source[i], CALL_READS,
                                             columns->source_address[i], side.size, EVENT_NONE});
            side.does = CALL_WRITES;
        }
        file_locality_add(state, &side);
    }
}

/* Of a call that the window cuts, adds the part inside the window; of one that began there, which
 * file_locality_visit() adds as a whole, subtracts the part outside. */
static void file_locality_add_edge(void *locality_state, const struct window_edge *edge) {
    struct locality_state *state = locality_state;
    const unsigned by = locality_grouping(state->keyed.context);
    const struct place_key key = {(by & BY_THREAD) != 0 ? edge->actor : 0,
                                  (by & BY_FILE) != 0 ? edge->object : 0, 0};
    struct place_row *row;

    if (call_operations_count(&state->operations, edge->object)) {
        row = keyed_rows_find_sized(&state->keyed.rows, &key, sizeof key);
        row->total += edge->inside[EDGE_CHOSEN].duration -
                      (edge->earlier ? 0 : edge->whole[EDGE_CHOSEN].duration);
    }
}

static void file_locality_begin_trace(void *locality_state) {
    struct locality_state *state = locality_state;

    HASH_FREE(state->files);
    memset(state->recent, 0, sizeof state->recent);
    call_operations_read(&state->operations, state->keyed.context);
}

static void file_locality_free_state(void *locality_state) {
    struct locality_state *state = locality_state;

    call_operations_free(&state->operations);
    HASH_FREE(state->files);
    keyed_state_free(state);
}

/* Table temp.tally_file_locality: a row per actor, object and direction (0 reads, 1 writes).
 * `sequential`: transfers that begin where the previous one of the same file and direction ended;
 * the first one must begin at 0. `random`: others. `unplaced`: transfers without file or offset, or
 * whose previous transfer has no offset. `opens` to `fsyncs`: number of calls. `total`: time in
 * calls, NULL if no duration is known. */
#define FILE_LOCALITY(what, grouping, ...)                                                         \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{"tally_file_locality",                                                         \
                    "trace, actor, object, direction, sequential, random, unplaced, opens, reads," \
                    " writes, fsyncs, bytes_read, bytes_written, total",                           \
                    NULL}},                                                                        \
        .variant = (grouping), .pass = PASS_IN_ORDER, .apart = true,                               \
        .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE |      \
                  EVENT_DURATION | EVENT_SOURCE | EVENT_SOURCE_ADDRESS,                            \
        .state_size = sizeof(struct locality_state), .begin = keyed_state_begin,                   \
        .keyed = &(const struct keyed_kind){sizeof(struct place_key), sizeof(struct place_row),    \
                                            ROWS_IN_MEMORY, .write = file_locality_write_row},     \
        .begin_trace = file_locality_begin_trace, .visit = file_locality_visit,                    \
        .end_trace = keyed_state_end_trace, .free = file_locality_free_state, __VA_ARGS__          \
    }

/* Counts transfers of at least one byte by thread, file and direction; other calls do not count. */
const struct analysis analysis_file_locality =
    FILE_LOCALITY("file_locality", BY_THREAD | BY_FILE | BY_DIRECTION, .edge = NULL);

/* Counts transfers by file; `actor` is 0. */
const struct analysis analysis_file_transfer =
    FILE_LOCALITY("file_transfer", BY_FILE | BY_DIRECTION, .edge = NULL);

/* Count all calls by file or by thread: one of `actor` and `object` is 0; `direction` is NULL. */
#define IN_PARTS .window = WINDOW_PARTS, .edge = file_locality_add_edge
const struct analysis analysis_file_use = FILE_LOCALITY("file_use", BY_FILE, IN_PARTS);
const struct analysis analysis_thread_use = FILE_LOCALITY("thread_use", BY_THREAD, IN_PARTS);
