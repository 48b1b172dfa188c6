/* Counts events by dimensions such as class or process (tally.h): temp.tally_hour and others. Their
 * columns equal those of the import's rollups, if there are any. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/time_unit.h"
#include "model/partition.h"
#include "model/tally.h"
#include "store/devices.h"
#include "store/trace_tables.h"
#include "store/rollup_tables.h"
#include "base/memory.h"

/* Limit of rows in memory over all threads. Further rows are written to the table. */
#define ROWS_IN_MEMORY (1 << 18)

/* Counts of one thread of the analysis. */
struct tally_state {
    struct analysis_context *context;
    struct tally tally;
    struct tally_context events; /* kind of the trace, and origin of its hours */
    /* For tallies by partition: partitions, and devices by object, because events do not store
     * partitions. Owned by the first thread's state, borrowed by all others. */
    struct partitions partitions;
    struct devices devices;
    uint32_t *numbers; /* owned; for each event passed to visit(): number of its partition */
    size_t capacity;   /* number of elements in `numbers` */
    /* Owned; effects of system calls on files, for visit_copies(). */
    struct call_operations operations;
};

static bool is_first(const struct tally_state *state) {
    return state == state->context->first;
}

static bool tallies_has_partitions(const struct tally_state *state) {
    return tally_by_partition(&tally_definitions[state->tally.kind]);
}

static void tallies_begin(void *tally_state) {
    struct tally_state *state = tally_state;

    tally_init(&state->tally, (enum tally_kind)state->context->analysis->variant);
    state->tally.most = ROWS_IN_MEMORY / state->context->states;
}

static void tallies_clear_trace(struct tally_state *state) {
    if (is_first(state)) {
        partitions_free(&state->partitions);
        devices_free(&state->devices);
    }
    state->partitions = (struct partitions){0};
    state->devices = (struct devices){0};
}

static void tallies_begin_trace(void *tally_state) {
    struct tally_state *state = tally_state;
    struct analysis_context *context = state->context;
    const struct tally_state *first = context->first;
    const struct catalog_trace *trace = context->trace->trace;

    tallies_clear_trace(state);
    call_operations_free(&state->operations);
    state->events = (struct tally_context){
        .kind = trace->kind,
        .hour_origin = catalog_hour_origin(trace),
    };
    if (state->tally.kind == TALLY_COPIED) {
        call_operations_read(&state->operations, context);
    } else if (tallies_has_partitions(state) && is_first(state)) {
        partitions_read(context->database, trace->id, &state->partitions, &context->error);
        devices_read(&state->devices, context->database, trace->id, &context->error);
    } else if (tallies_has_partitions(state)) {
        state->partitions = first->partitions;
        state->devices = first->devices;
    }
}

/* Moves all rows of a full tally to its table, where the query adds up equal keys. */
static void tallies_flush(struct tally_state *state) {
    struct analysis_context *context = state->context;
    char table[64];
    sqlite3_mutex *lock;

    /* sorts rows by id, which makes the lookup of names for the table faster */
    tally_sort_rows(&state->tally);
    snprintf(table, sizeof table, "temp.%s", context->analysis->tables[0].name);
    lock = database_lock(context->database);
    tally_table_write(context->database, table, context->trace->trace->id, &state->tally, NULL,
                      NULL, &context->error);
    sqlite3_mutex_leave(lock);
    tally_clear(&state->tally);
}

static void tallies_visit(void *tally_state, const struct event_columns *columns, size_t count) {
#define FIELD(name) .name = { columns->name, sizeof *columns->name }
    struct tally_state *state = tally_state;
    /* counts by object and actor; tally_table_write() maps these to file types and processes */
    struct tally_events events = {FIELD(time),
                                  FIELD(operation),
                                  FIELD(actor),
                                  FIELD(issuer),
                                  FIELD(object),
                                  FIELD(flags),
                                  FIELD(address),
                                  FIELD(size),
                                  FIELD(depth),
                                  .file_type = {columns->object, sizeof *columns->object},
                                  .process = {columns->actor, sizeof *columns->actor}};
#undef FIELD
    size_t done;

    if (tallies_has_partitions(state)) {
        /* finds the partition of each event, numbered from 1 */
        if (count > state->capacity) {
            free(state->numbers);
            state->numbers = xcalloc(count, sizeof *state->numbers);
            state->capacity = count;
        }
        for (size_t i = 0; i < count; i++) {
            state->numbers[i] =
                (uint32_t)partition_index(state->partitions.entries, state->partitions.count,
                                          devices_find(&state->devices, columns->object[i]),
                                          columns->address[i]) +
                1;
        }
        events.partition = (struct tally_field){state->numbers, sizeof *state->numbers};
    }
    done = tally_add(&state->tally, &state->events, &events, 0, count);
    while (done < count) {
        tallies_flush(state);
        done = tally_add(&state->tally, &state->events, &events, done, count);
    }
}

/* Adds a row to the tally. If the tally is full, writes it to the table first. */
static void tallies_insert_row(struct tally_state *state, const struct tally_row *row) {
    if (!tally_insert(&state->tally, row)) {
        tallies_flush(state);
        tally_insert(&state->tally, row);
    }
}

/* Counts calls that copy between files, by the file that they read. */
static void visit_copies(void *tally_state, const struct event_columns *columns, size_t count) {
    struct tally_state *state = tally_state;

    for (size_t i = 0; i < count; i++) {
        int64_t size = columns->size[i];
        struct tally_row row = {
            .key = {columns->operation[i], columns->actor[i], columns->source[i]},
            .count = 1,
            .bytes = size == EVENT_NONE ? 0 : size,
        };

        if (call_operations_find(&state->operations, columns->operation[i]) == CALL_COPIES &&
            call_operations_count(&state->operations, columns->source[i])) {
            tallies_insert_row(state, &row);
        }
    }
}

/* Returns whether no call copies between files, according to the rollups (counts of the import). */
static bool no_call_copies(void *tally_state) {
    const struct tally_state *state = tally_state;
    int64_t some = 1;

    return database_query_integer(state->context->database,
                                  "SELECT EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN"
                                  " main.rollup_call AS r ON r.trace = s.trace"
                                  " JOIN main.name AS n ON n.id = r.operation"
                                  " WHERE call_does(n.text) = 'copy')",
                                  0, 0, &some, &state->context->error) &&
           some == 0;
}

/* Adds another thread's rows to the first thread's state. If its tally is full, writes it to the
 * table. */
static void tallies_merge(void *tally_state, void *other) {
    struct tally_state *state = tally_state, *from = other;

    state->tally.most = ROWS_IN_MEMORY;
    for (size_t i = 0; i < from->tally.capacity; i++) {
        if (from->tally.rows[i].used) {
            tallies_insert_row(state, &from->tally.rows[i]);
        }
    }
    tally_clear(&from->tally);
}

/* By dimension of a tally of I/Os: its column in temp.selected_part; NULL for hours, which
 * append_hour() computes. */
static const char *const part_columns[] = {
    [DIMENSION_ACTION] = "action",
    [DIMENSION_CLASS] = "class",
    [DIMENSION_OPERATION] = "action",
    [DIMENSION_CALLER] = "0",
    [DIMENSION_ACTOR] = "actor",
    [DIMENSION_ISSUER] = "issuer",
    [DIMENSION_OBJECT] = "object",
    [DIMENSION_HOUR] = NULL,
    [DIMENSION_SIZE] = "size",
    [DIMENSION_SECTOR] = "address",
    [DIMENSION_BLOCK_TYPE] = "block_type",
    [DIMENSION_PARTITION] = "partition",
    [DIMENSION_FILE_TYPE] = "file_type",
    [DIMENSION_PROCESS] = "process",
    [DIMENSION_ORIGIN] = "origin",
    [DIMENSION_RWBS_FLAGS] = "letters",
    [DIMENSION_MAP] = "map",
    [DIMENSION_MARKS] = "flags",
    [DIMENSION_DEPTH] = "NULL",
};

/* Appends an SQL expression for the hour of an event, equal to set_hours() in tally.c. */
static void append_hour(const struct tally_state *state, struct text *sql) {
    const long long origin = (long long)state->events.hour_origin;

    text_append_format(sql, "(time + %lld) / %lld - ((time + %lld) %% %lld < 0)", origin,
                       (long long)HOUR, origin, (long long)HOUR);
}

/* Divides the bytes of I/Os that cover several files between these files. tallies_visit() has
 * counted each such I/O for one file, with all of its bytes. Tallies not grouped by file need this
 * only if a filter selects some of the files. */
static void tallies_add_parts(const struct tally_state *state) {
    const struct tally_definition *definition = &tally_definitions[state->tally.kind];
    struct analysis_context *context = state->context;
    unsigned keys = tally_keys(definition);
    struct text sql = {0};

    if (state->events.kind != TRACE_IO ||
        !(tally_by_file(definition) || filter_applies_per_file(&context->selection->filter)) ||
        !selection_create_part_table(context->selection, &context->error)) {
        return;
    }
    text_append_format(&sql, "INSERT INTO temp.tally_%s (trace, %s, count, bytes) SELECT trace",
                       definition->name, definition->columns);
    for (unsigned key = 0; key < keys; key++) {
        const char *column = part_columns[definition->dimensions[key]];

        text_append_string(&sql, ", ");
        column == NULL ? append_hour(state, &sql) : text_append_string(&sql, column);
    }
    text_append_format(&sql,
                       ", 0, sum(bytes) FROM temp.selected_part WHERE trace = %lld GROUP BY 1",
                       (long long)context->trace->trace->id);
    for (unsigned key = 0; key < keys; key++) {
        text_append_format(&sql, ", %u", key + 2);
    }
    database_run(context->database, text_string(&sql), &context->error);
    text_free(&sql);
}

static void tallies_end_trace(void *tally_state) {
    struct tally_state *state = tally_state;

    tallies_flush(state);
    tallies_add_parts(state);
    /* frees memory, because the next trace may be small */
    tally_free(&state->tally);
    state->tally.most = ROWS_IN_MEMORY / state->context->states;
}

static void tallies_free_state(void *tally_state) {
    struct tally_state *state = tally_state;

    tallies_clear_trace(state);
    call_operations_free(&state->operations);
    tally_free(&state->tally);
    free(state->numbers);
}

#define COUNTS(columns) "trace, " columns ", count, bytes"

/* SELECT of the rollup's rows for the selected action; `action`: SQL condition on its action. */
#define ROLLUP_SELECT(columns, name, action)                                                       \
    "SELECT " columns " FROM temp.selection AS s CROSS JOIN main.rollup_" name                     \
    " AS r WHERE r.trace = s.trace AND (s.action IS NULL OR " action ")"
#define ROLLUP_ROWS(name, action) ROLLUP_SELECT("r.*", name, action)
#define BY_ACTION                 "r.action = s.action"

/* Members of all tallies. All read the flags, to ignore events of function traces that are not
 * calls. They also read the operation (for an I/O, its action), which most use as a dimension. */
#define TALLY_VISITED(what, kind, columns, looks_at, visits)                                       \
    .name = (what), .tables = {{"tally_" what, COUNTS(columns), NULL}}, .variant = (kind),         \
    .fields = EVENT_FLAGS | EVENT_SIZE | EVENT_OPERATION | (looks_at), .pass = PASS_ANY_ORDER,     \
    .state_size = sizeof(struct tally_state), .begin = tallies_begin,                              \
    .begin_trace = tallies_begin_trace, .visit = (visits), .merge = tallies_merge,                 \
    .end_trace = tallies_end_trace, .free = tallies_free_state
#define TALLY(what, kind, columns, looks_at)                                                       \
    TALLY_VISITED(what, kind, columns, looks_at, tallies_visit)

#define ROLLUP(what, action)                                                                       \
    .rollup = (what), .rollup_title = (what), .rollup_rows = ROLLUP_ROWS(what, action)

const struct analysis analysis_hour = {TALLY("hour", TALLY_HOUR, "action, class, hour", 0),
                                       ROLLUP("hour", BY_ACTION), .real_clock = true};
const struct analysis analysis_operation = {
    TALLY("operation", TALLY_OPERATION, "operation, actor", EVENT_ACTOR),
    ROLLUP("operation", "r.operation = s.action")};
const struct analysis analysis_size = {TALLY("size", TALLY_SIZE, "action, class, size", 0),
                                       ROLLUP("size", BY_ACTION)};
const struct analysis analysis_block = {TALLY("block", TALLY_BLOCK,
                                              "action, class, block_type, partition, file_type",
                                              EVENT_OBJECT | EVENT_ADDRESS),
                                        ROLLUP("block", BY_ACTION)};

/* Counts I/Os by class and file type only, which takes fewer columns than analysis_block. */
const struct analysis analysis_file_type = {
    TALLY("file_type", TALLY_FILE_TYPE, "action, class, file_type", EVENT_OBJECT),
    .rollup = "block",
    .rollup_title = "block",
    .rollup_rows = ROLLUP_SELECT("r.trace, r.action, r.class, r.file_type, r.count, r.bytes",
                                 "block", BY_ACTION),
};

/* Counts calls by thread, like analysis_operation, with fewer rows. */
const struct analysis analysis_caller = {
    TALLY("caller", TALLY_ACTOR, "actor, class", EVENT_ACTOR), .rollup = "operation",
    .rollup_title = "operation",
    .rollup_rows = ROLLUP_SELECT("r.trace, r.actor, 0, r.count, r.bytes", "operation", "1")};

const struct analysis analysis_process = {
    TALLY("process", TALLY_PROCESS, "action, class, process", EVENT_ACTOR),
    ROLLUP("process", BY_ACTION)};

/* Counts I/Os by how their process is known (from which event or other source). */
const struct analysis analysis_origin = {TALLY("origin", TALLY_ORIGIN, "action, origin", 0),
                                         ROLLUP("origin", BY_ACTION)};

/* Counts I/Os by the letters of the rwbs field. */
const struct analysis analysis_letters = {TALLY("letters", TALLY_RWBS_FLAGS, "action, letters", 0),
                                          ROLLUP("letters", BY_ACTION)};
const struct analysis analysis_depth = {TALLY("depth", TALLY_DEPTH, "marks, depth", EVENT_DEPTH),
                                        ROLLUP("depth", "1")};

/* This tally and the following ones would have too many rows for a rollup (counts stored by the
 * import). */
const struct analysis analysis_actor = {TALLY("actor", TALLY_ACTOR, "actor, class", EVENT_ACTOR)};

/* Counts I/Os by issuer, which is in the column `actor`. */
const struct analysis analysis_issuer = {
    TALLY("issuer", TALLY_ISSUER, "actor, class", EVENT_ACTOR | EVENT_ISSUER)};
const struct analysis analysis_object = {TALLY("object", TALLY_OBJECT, "object", EVENT_OBJECT)};

/* Counts operations by file. */
const struct analysis analysis_file = {
    TALLY("file", TALLY_FILE, "operation, class, object", EVENT_OBJECT)};

/* Counts copies between files by the file read. Other tallies count copies by the file written. */
const struct analysis analysis_copied = {
    TALLY_VISITED("copied", TALLY_COPIED, "operation, actor, object", EVENT_ACTOR | EVENT_SOURCE,
                  visit_copies),
    .rollup = CALL_ROLLUP, .take = no_call_copies, .leaves_out = true};

/* Counts I/Os by actor, file type and partition. */
const struct analysis analysis_place = {TALLY("place", TALLY_PLACE,
                                              "action, class, actor, partition, file_type",
                                              EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS)};
const struct analysis analysis_sector = {TALLY("sector", TALLY_SECTOR, "sector", EVENT_ADDRESS)};
const struct analysis analysis_evidence = {TALLY("evidence", TALLY_EVIDENCE, "action, map", 0)};
