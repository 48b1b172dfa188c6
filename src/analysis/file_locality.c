/* Sequential and random transfers of files, by who made them: temp.tally_file_locality. */
#include <stdlib.h>

#include "analysis/call_operations.h"
#include "analysis/keyed_rows.h"
#include "base/hash.h"
#include "base/memory.h"

enum {
    DIRECTIONS = 2, /* reads, writes */
    /* Files whose last transfers are remembered: beyond that the oldest is forgotten. */
    MOST_FILES = 1 << 18,
    ROWS_IN_MEMORY = 1 << 16, /* beyond that they go to the table */
};

/* Where the last transfer of a direction ended; before the first one, where the file begins. A
 * transfer whose place is not known leaves that of the next one open. */
#define END_UNKNOWN INT64_C(-1)

/* What a transfer is: the columns of the table, in their order. */
enum way { SEQUENTIAL, RANDOM, UNPLACED, WAYS };

struct file_end {
    uint32_t object;
    int64_t end[DIRECTIONS];
    UT_hash_handle hh;
};

/* Has no holes: it is compared byte by byte. */
struct place_key {
    uint32_t actor, object, direction;
};

struct place_row {
    struct place_key key;
    int64_t counts[WAYS];
};

struct locality_state {
    struct keyed_state keyed; /* struct place_row */
    struct call_operations operations;
    struct file_end *files; /* owned hash table */
};

static struct file_end *find_file(struct locality_state *state, uint32_t object) {
    struct file_end *file;

    HASH_FIND(hh, state->files, &object, sizeof object, file);
    if (file != NULL) {
        return file;
    }
    if (HASH_COUNT(state->files) == MOST_FILES) {
        struct file_end *oldest = state->files;

        HASH_DEL(state->files, oldest);
        free(oldest);
    }
    file = xcalloc(1, sizeof *file);
    file->object = object;
    HASH_ADD(hh, state->files, object, sizeof file->object, file);
    return file;
}

static void write_row(struct analysis_context *context, const void *place_row) {
    const struct place_row *row = place_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.actor, row->key.object,
             row->key.direction, row->counts[SEQUENTIAL], row->counts[RANDOM],
             row->counts[UNPLACED]);
}

/* Finds out what a transfer of a file is, and where it ends. */
static enum way follow_file(struct locality_state *state, const struct place_key *key,
                            int64_t address, int64_t size) {
    int64_t *end = &find_file(state, key->object)->end[key->direction], begin = *end;

    if (address < 0 || __builtin_add_overflow(address, size, end)) {
        *end = END_UNKNOWN;
    }
    return address < 0 || begin == END_UNKNOWN ? UNPLACED : address == begin ? SEQUENTIAL : RANDOM;
}

static void take(struct locality_state *state, const struct place_key *key, int64_t address,
                 int64_t size) {
    if (call_operations_count(&state->operations, key->object)) {
        enum way way = key->object == 0 ? UNPLACED : follow_file(state, key, address, size);
        struct place_row *row = keyed_rows_find(&state->keyed.rows, key);

        row->counts[way]++;
    }
}

/* A read at the end of the file, or a call that failed, moves nothing. A copy reads one file and
 * writes another. */
static void visit(void *locality_state, const struct event_columns *columns, size_t count) {
    struct locality_state *state = locality_state;

    for (size_t i = 0; i < count; i++) {
        enum call_does does = call_operations_find(&state->operations, columns->operation[i]);
        struct place_key key = {columns->actor[i], columns->object[i], does != CALL_READS};
        int64_t size = columns->size[i];

        if (size <= 0 || (does != CALL_READS && does != CALL_WRITES && does != CALL_COPIES)) {
            continue;
        }
        if (does == CALL_COPIES) {
            take(state, &(struct place_key){columns->actor[i], columns->source[i], 0},
                 columns->source_address[i], size);
        }
        take(state, &key, columns->address[i], size);
    }
}

static void begin(void *locality_state) {
    struct locality_state *state = locality_state;

    state->keyed.rows = (struct keyed_rows){.context = state->keyed.context,
                                            .key_size = sizeof(struct place_key),
                                            .row_size = sizeof(struct place_row),
                                            .most = ROWS_IN_MEMORY,
                                            .write = write_row};
}

static void begin_trace(void *locality_state) {
    struct locality_state *state = locality_state;

    HASH_FREE(state->files);
    call_operations_read(&state->operations, state->keyed.context);
}

static void free_state(void *locality_state) {
    struct locality_state *state = locality_state;

    call_operations_free(&state->operations);
    HASH_FREE(state->files);
    keyed_state_free(state);
}

/* Reads (direction 0) and writes (1) of files, by actor and object: those that start where the one
 * before of the same direction and file ended, the first one of a file at its beginning; the
 * others; and those without file or offset, or right behind one without. */
const struct analysis analysis_file_locality = {
    .name = "file_locality",
    .tables = {{"tally_file_locality",
                "trace, actor, object, direction, sequential, random,"
                " unplaced",
                NULL}},
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE |
              EVENT_SOURCE | EVENT_SOURCE_ADDRESS,
    .state_size = sizeof(struct locality_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .end_trace = keyed_state_end_trace,
    .free = free_state,
};
