/* The counts of tally.h over a selection: temp.tally_hour and so on. They have the columns of the
 * rollups, where there are such. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/call_operations.h"
#include "base/time_unit.h"
#include "model/partition.h"
#include "model/tally.h"
#include "store/devices.h"
#include "store/trace_tables.h"
#include "store/rollup_tables.h"
#include "base/memory.h"

/* Rows over all threads beyond which they go to the table, to be counted on. */
#define ROWS_IN_MEMORY (1 << 18)

/* What a thread counts. */
struct tally_state {
    const struct analysis_context *context;
    struct tally tally;
    struct tally_context events; /* what the trace says of its events */
    int64_t trace;
    /* Of those with partitions: what the rollup counts that is not stored with an event. The first
     * thread's own, borrowed by the others. */
    struct partitions partitions;
    struct devices devices;
    uint32_t *numbers;                 /* of partitions, of the events of a visit; owned */
    size_t capacity;                   /* of `numbers` */
    struct call_operations operations; /* of calls by file; owned */
};

static bool is_first(const struct tally_state *state) {
    return state == state->context->first;
}

static bool has_partitions(const struct tally_state *state) {
    return tally_by_partition(&tally_definitions[state->tally.kind]);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct tally_state *state = context_state;

    (void)error;
    state->context = context;
    tally_init(&state->tally, (enum tally_kind)context->analysis->variant);
    state->tally.most = ROWS_IN_MEMORY / context->states;
    return true;
}

static void forget_trace(struct tally_state *state) {
    if (is_first(state)) {
        partitions_free(&state->partitions);
        devices_free(&state->devices);
    }
    state->partitions = (struct partitions){0};
    state->devices = (struct devices){0};
}

static bool begin_trace(void *context_state, const struct selected_trace *selected,
                        struct error *error) {
    struct tally_state *state = context_state;
    const struct catalog_trace *trace = selected->trace;
    struct database *database = state->context->selection->database;

    forget_trace(state);
    call_operations_free(&state->operations);
    state->trace = trace->id;
    state->events = (struct tally_context){
        .kind = trace->kind,
        .hour_origin = catalog_hour_origin(trace),
    };
    if (state->tally.kind == TALLY_COPIED) {
        return call_operations_read(&state->operations, state->context->selection, trace->id,
                                    error);
    }
    if (!has_partitions(state)) {
        return true;
    }
    if (!is_first(state)) {
        const struct tally_state *first = state->context->first;

        state->partitions = first->partitions;
        state->devices = first->devices;
        return true;
    }
    return partitions_read(database, trace->id, &state->partitions, error) &&
           devices_read(&state->devices, database, trace->id, error);
}

/* A full tally goes to its table, where equal rows are added up by the query. */
static bool flush(struct tally_state *state, struct error *error) {
    const struct analysis_context *context = state->context;
    char table[64];
    bool done;

    /* Queries look up what ids stand for row by row: in order that costs less. */
    tally_sort(&state->tally);
    snprintf(table, sizeof table, "temp.%s%s", context->selection->temp->prefix,
             context->analysis->tables[0].name);
    context->lock(context, true);
    done = tally_table_write(context->selection->database, table, state->trace, &state->tally, NULL,
                             NULL, error);
    context->lock(context, false);
    if (done) {
        tally_clear(&state->tally);
    }
    return done;
}

/* Partitions, which count from 1, of the events of a visit. */
static bool find_partitions(struct tally_state *state, const struct event_columns *columns,
                            size_t count, struct error *error) {
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
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
#define FIELD(name) .name = { columns->name, sizeof *columns->name }
    struct tally_state *state = context_state;
    /* tally_table_write() looks up what the numbers of file types and processes stand for. */
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

    if (has_partitions(state)) {
        if (!find_partitions(state, columns, count, error)) {
            return false;
        }
        events.partition = (struct tally_field){state->numbers, sizeof *state->numbers};
    }
    done = tally_add(&state->tally, &state->events, &events, 0, count);
    while (done < count) {
        if (!flush(state, error)) {
            return false;
        }
        done = tally_add(&state->tally, &state->events, &events, done, count);
    }
    return true;
}

/* Puts a row, for which a full tally makes room. */
static bool put_row(struct tally_state *state, const struct tally_row *row, struct error *error) {
    return tally_put(&state->tally, row) || (flush(state, error) && tally_put(&state->tally, row));
}

/* Calls that copy, by the file that they read. */
static bool visit_copies(void *context_state, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct tally_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        int64_t size = columns->size[i];
        struct tally_row row = {
            .key = {columns->operation[i], columns->actor[i], columns->source[i]},
            .count = 1,
            .bytes = size == EVENT_NONE ? 0 : size,
        };

        if (call_operations_find(&state->operations, columns->operation[i]) == CALL_COPIES &&
            call_operations_count(&state->operations, columns->source[i]) &&
            !put_row(state, &row, error)) {
            return false;
        }
    }
    return true;
}

/* The first thread's tally has room for what all have counted, or writes what it has. */
static bool merge(void *context_state, void *other, struct error *error) {
    struct tally_state *state = context_state, *from = other;

    state->tally.most = ROWS_IN_MEMORY;
    for (size_t i = 0; i < from->tally.capacity; i++) {
        const struct tally_row *row = &from->tally.rows[i];

        if (row->used && !put_row(state, row, error)) {
            return false;
        }
    }
    tally_clear(&from->tally);
    return true;
}

/* The columns of temp.selected_part that a tally of I/Os counts by; none of the hour. */
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

/* As set_hours() of tally.c has it. */
static void append_hour(const struct tally_state *state, struct text *sql) {
    const long long origin = (long long)state->events.hour_origin;

    text_append_format(sql, "(time + %lld) / %lld - ((time + %lld) %% %lld < 0)", origin,
                       (long long)HOUR, origin, (long long)HOUR);
}

/* Runs a statement, of which ?1 is the trace. */
static bool run_for_trace(const struct tally_state *state, const char *sql, struct error *error) {
    struct temp_schema *temp = state->context->selection->temp;
    sqlite3_stmt *statement = temp_schema_take(temp, sql, error);
    bool done = statement != NULL;

    if (done) {
        sqlite3_bind_int64(statement, 1, state->trace);
        done = database_execute(temp->database, statement, error);
    }
    database_keep(temp->database, statement);
    return done;
}

/* I/Os on several files are counted as those of one, which so far has all of their bytes: gives
 * each of the others its own. Counts by nothing of this kind need it where a filter lets some of
 * the parts pass, of I/Os that are counted or are not. */
static bool add_parts(const struct tally_state *state, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[state->tally.kind];
    struct selection *selection = state->context->selection;
    unsigned keys = tally_keys(definition);
    struct text sql = {0};
    bool done;

    if (state->events.kind != TRACE_IO ||
        !(tally_by_file(definition) || filter_by_part(&selection->filter))) {
        return true;
    }
    if (!selection_make_parts(selection, error)) {
        return false;
    }
    text_append_format(&sql, "INSERT INTO temp.tally_%s (trace, %s, count, bytes) SELECT trace",
                       definition->name, definition->columns);
    for (unsigned key = 0; key < keys; key++) {
        const char *column = part_columns[definition->dimensions[key]];

        text_append_string(&sql, ", ");
        column == NULL ? append_hour(state, &sql) : text_append_string(&sql, column);
    }
    text_append_string(&sql, ", 0, sum(bytes) FROM temp.selected_part WHERE trace = ?1 GROUP BY 1");
    for (unsigned key = 0; key < keys; key++) {
        text_append_format(&sql, ", %u", key + 2);
    }
    done = run_for_trace(state, text_string(&sql), error);
    text_free(&sql);
    return done;
}

static bool end_trace(void *context_state, struct error *error) {
    struct tally_state *state = context_state;
    bool done = flush(state, error) && add_parts(state, error);

    /* Memory of one trace is not kept for the next, which may be small. */
    tally_free(&state->tally);
    state->tally.most = ROWS_IN_MEMORY / state->context->states;
    return done;
}

static void free_state(void *context_state) {
    struct tally_state *state = context_state;

    forget_trace(state);
    call_operations_free(&state->operations);
    tally_free(&state->tally);
    free(state->numbers);
}

#define COUNTS(columns) "trace, " columns ", count, bytes"

/* The rollup's rows of the counted action; `action`: the column that says which one it is. */
#define ROLLUP_SELECT(columns, name, action)                                                       \
    "SELECT " columns " FROM temp.selection AS s CROSS JOIN main.rollup_" name                     \
    " AS r WHERE r.trace = s.trace AND (s.action IS NULL OR " action ")"
#define ROLLUP_ROWS(name, action) ROLLUP_SELECT("r.*", name, action)
#define BY_ACTION                 "r.action = s.action"

#define TALLY_VISITED_BY(visits)                                                                   \
    .pass = PASS_ANY_ORDER, .state_size = sizeof(struct tally_state), .begin = begin,              \
    .begin_trace = begin_trace, .visit = (visits), .merge = merge, .end_trace = end_trace,         \
    .free = free_state
#define TALLY_FUNCTIONS TALLY_VISITED_BY(visit)

/* All leave out what is no call, by its flags; the action of an I/O, its operation, is a dimension
 * of most. */
#define ALL_LOOK_AT (EVENT_FLAGS | EVENT_SIZE | EVENT_OPERATION)

const struct analysis analysis_hour = {
    .name = "hour",
    .tables = {{"tally_hour", COUNTS("action, class, hour"), NULL}},
    .rollup = "hour",
    .rollup_title = "hour",
    .rollup_rows = ROLLUP_ROWS("hour", BY_ACTION),
    .real_clock = true,
    .fields = ALL_LOOK_AT,
    .variant = TALLY_HOUR,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_operation = {
    .name = "operation",
    .tables = {{"tally_operation", COUNTS("operation, actor"), NULL}},
    .rollup = "operation",
    .rollup_title = "operation",
    .rollup_rows = ROLLUP_ROWS("operation", "r.operation = s.action"),
    .fields = ALL_LOOK_AT | EVENT_ACTOR,
    .variant = TALLY_OPERATION,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_size = {
    .name = "size",
    .tables = {{"tally_size", COUNTS("action, class, size"), NULL}},
    .rollup = "size",
    .rollup_title = "size",
    .rollup_rows = ROLLUP_ROWS("size", BY_ACTION),
    .fields = ALL_LOOK_AT,
    .variant = TALLY_SIZE,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_block = {
    .name = "block",
    .tables = {{"tally_block", COUNTS("action, class, block_type, partition, file_type"), NULL}},
    .rollup = "block",
    .rollup_title = "block",
    .rollup_rows = ROLLUP_ROWS("block", BY_ACTION),
    .fields = ALL_LOOK_AT | EVENT_OBJECT | EVENT_ADDRESS,
    .variant = TALLY_BLOCK,
    TALLY_FUNCTIONS,
};

/* The same without what reports of file types do not show, which spares a scan most of its reading.
 */
const struct analysis analysis_file_type = {
    .name = "file_type",
    .tables = {{"tally_file_type", COUNTS("action, class, file_type"), NULL}},
    .rollup = "block",
    .rollup_title = "block",
    .rollup_rows = ROLLUP_SELECT("r.trace, r.action, r.class, r.file_type, r.count, r.bytes",
                                 "block", BY_ACTION),
    .fields = ALL_LOOK_AT | EVENT_OBJECT,
    .variant = TALLY_FILE_TYPE,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_process = {
    .name = "process",
    .tables = {{"tally_process", COUNTS("action, class, process"), NULL}},
    .rollup = "process",
    .rollup_title = "process",
    .rollup_rows = ROLLUP_ROWS("process", BY_ACTION),
    .fields = ALL_LOOK_AT | EVENT_ACTOR,
    .variant = TALLY_PROCESS,
    TALLY_FUNCTIONS,
};

/* What the processes of I/Os rest on. */
const struct analysis analysis_origin = {
    .name = "origin",
    .tables = {{"tally_origin", COUNTS("action, origin"), NULL}},
    .rollup = "origin",
    .rollup_title = "origin",
    .rollup_rows = ROLLUP_ROWS("origin", BY_ACTION),
    .fields = ALL_LOOK_AT,
    .variant = TALLY_ORIGIN,
    TALLY_FUNCTIONS,
};

/* Classes, and the letters that tell more. */
const struct analysis analysis_letters = {
    .name = "letters",
    .tables = {{"tally_letters", COUNTS("action, letters"), NULL}},
    .rollup = "letters",
    .rollup_title = "letters",
    .rollup_rows = ROLLUP_ROWS("letters", BY_ACTION),
    .fields = ALL_LOOK_AT,
    .variant = TALLY_RWBS_FLAGS,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_depth = {
    .name = "depth",
    .tables = {{"tally_depth", COUNTS("marks, depth"), NULL}},
    .rollup = "depth",
    .rollup_title = "depth",
    .rollup_rows = ROLLUP_ROWS("depth", "1"),
    .fields = ALL_LOOK_AT | EVENT_DEPTH,
    .variant = TALLY_DEPTH,
    TALLY_FUNCTIONS,
};

/* These have no rollup, for they have too many rows. */
const struct analysis analysis_actor = {
    .name = "actor",
    .tables = {{"tally_actor", COUNTS("actor, class"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_ACTOR,
    .variant = TALLY_ACTOR,
    TALLY_FUNCTIONS,
};

/* Actors are those who dispatched. */
const struct analysis analysis_issuer = {
    .name = "issuer",
    .tables = {{"tally_issuer", COUNTS("actor, class"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_ACTOR | EVENT_ISSUER,
    .variant = TALLY_ISSUER,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_object = {
    .name = "object",
    .tables = {{"tally_object", COUNTS("object"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_OBJECT,
    .variant = TALLY_OBJECT,
    TALLY_FUNCTIONS,
};

/* What was done to which file. */
const struct analysis analysis_file = {
    .name = "file",
    .tables = {{"tally_file", COUNTS("operation, class, object"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_OBJECT,
    .variant = TALLY_FILE,
    TALLY_FUNCTIONS,
};

/* Who copied from which file: calls that are counted by what they wrote, too. */
const struct analysis analysis_copied = {
    .name = "copied",
    .tables = {{"tally_copied", COUNTS("operation, actor, object"), NULL}},
    .leaves_out = true,
    .fields = ALL_LOOK_AT | EVENT_ACTOR | EVENT_SOURCE,
    .variant = TALLY_COPIED,
    TALLY_VISITED_BY(visit_copies),
};

/* Who did what to which files on which partition. */
const struct analysis analysis_place = {
    .name = "place",
    .tables = {{"tally_place", COUNTS("action, class, actor, partition, file_type"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS,
    .variant = TALLY_PLACE,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_sector = {
    .name = "sector",
    .tables = {{"tally_sector", COUNTS("sector"), NULL}},
    .fields = ALL_LOOK_AT | EVENT_ADDRESS,
    .variant = TALLY_SECTOR,
    TALLY_FUNCTIONS,
};

const struct analysis analysis_evidence = {
    .name = "evidence",
    .tables = {{"tally_evidence", COUNTS("action, map"), NULL}},
    .fields = ALL_LOOK_AT,
    .variant = TALLY_EVIDENCE,
    TALLY_FUNCTIONS,
};
