/* Sequential and random transfers of files, by who made them: temp.tally_file_locality. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/call_operations.h"
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
    UT_hash_handle hh;
};

struct locality_state {
    const struct analysis_context *context;
    int64_t trace;
    struct call_operations operations;
    struct file_end *files; /* this and the next are owned hash tables */
    struct place_row *rows;
};

static void forget_files(struct locality_state *state) {
    struct file_end *file, *next;

    HASH_ITER(hh, state->files, file, next) {
        HASH_DEL(state->files, file);
        free(file);
    }
}

static void forget_rows(struct locality_state *state) {
    struct place_row *row, *next;

    HASH_ITER(hh, state->rows, row, next) {
        HASH_DEL(state->rows, row);
        free(row);
    }
}

static struct file_end *find_file(struct locality_state *state, uint32_t object,
                                  struct error *error) {
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

/* The table may hold several rows of one key: the query adds them up. */
static bool flush(struct locality_state *state, struct error *error) {
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.tally_file_locality VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        error);
    bool done = insert != NULL;

    for (const struct place_row *row = state->rows; done && row != NULL; row = row->hh.next) {
        sqlite3_bind_int64(insert, 1, state->trace);
        sqlite3_bind_int64(insert, 2, row->key.actor);
        sqlite3_bind_int64(insert, 3, row->key.object);
        sqlite3_bind_int64(insert, 4, row->key.direction);
        for (int way = 0; way < WAYS; way++) {
            sqlite3_bind_int64(insert, 5 + way, row->counts[way]);
        }
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    forget_rows(state);
    return done;
}

static bool count_transfer(struct locality_state *state, const struct place_key *key, enum way way,
                           struct error *error) {
    struct place_row *row;

    HASH_FIND(hh, state->rows, key, sizeof *key, row);
    if (row == NULL) {
        if (HASH_COUNT(state->rows) == ROWS_IN_MEMORY && !flush(state, error)) {
            return false;
        }
        row = xcalloc(1, sizeof *row);
        row->key = *key;
        HASH_ADD(hh, state->rows, key, sizeof row->key, row);
    }
    row->counts[way]++;
    return true;
}

/* Finds out what a transfer of a file is, and where it ends. */
static bool follow_file(struct locality_state *state, const struct place_key *key, int64_t address,
                        int64_t size, enum way *way, struct error *error) {
    struct file_end *file = find_file(state, key->object, error);
    int64_t *end, begin;

    if (file == NULL) {
        return false;
    }
    end = &file->end[key->direction];
    begin = *end;
    *way = address < 0 || begin == END_UNKNOWN ? UNPLACED : address == begin ? SEQUENTIAL : RANDOM;
    if (address < 0 || __builtin_add_overflow(address, size, end)) {
        *end = END_UNKNOWN;
    }
    return true;
}

static bool take(struct locality_state *state, const struct place_key *key, int64_t address,
                 int64_t size, struct error *error) {
    enum way way = UNPLACED;

    return !call_operations_count(&state->operations, key->object) ||
           ((key->object == 0 || follow_file(state, key, address, size, &way, error)) &&
            count_transfer(state, key, way, error));
}

/* A read at the end of the file, or a call that failed, moves nothing. A copy reads one file and
 * writes another. */
static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        enum call_does does = call_operations_find(&state->operations, columns->operation[i]);
        struct place_key key = {columns->actor[i], columns->object[i], does != CALL_READS};
        int64_t size = columns->size[i];

        if (size <= 0 || (does != CALL_READS && does != CALL_WRITES && does != CALL_COPIES)) {
            continue;
        }
        if (does == CALL_COPIES) {
            struct place_key read = {columns->actor[i], columns->source[i], 0};

            if (!take(state, &read, columns->source_address[i], size, error)) {
                return false;
            }
        }
        if (!take(state, &key, columns->address[i], size, error)) {
            return false;
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct locality_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct locality_state *state = context_state;

    state->trace = trace->trace->id;
    forget_files(state);
    return call_operations_read(&state->operations, state->context->selection, state->trace, error);
}

static bool end_trace(void *context_state, struct error *error) {
    return flush(context_state, error);
}

static void free_state(void *context_state) {
    struct locality_state *state = context_state;

    call_operations_free(&state->operations);
    forget_files(state);
    forget_rows(state);
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
    .end_trace = end_trace,
    .free = free_state,
};
