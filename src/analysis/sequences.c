/* Counts sequences of operations of an actor (thread or process): temp.tally_sequence. */
#include <stdlib.h>
#include <string.h>

#include "analysis/keyed_rows.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/memory.h"

enum {
    SEQUENCE_LENGTH = 8, /* limit of operations in a sequence */
    /* Limit of different sequences in memory; at the limit all are written to the table. */
    SEQUENCES_IN_MEMORY = 131072,
    SEQUENCE_ACTORS = 1048576, /* limit of actors in memory; more are an error */
};

/* The latest operations of an actor. */
struct recent {
    UT_hash_handle hh;
    uint32_t actor;
    uint32_t count; /* number of operations, at most SEQUENCE_LENGTH */
    uint32_t operations[SEQUENCE_LENGTH];
};

struct sequence_key {
    int64_t trace;
    /* name.id of the operations, in order of time; unused elements are 0 */
    uint32_t operations[SEQUENCE_LENGTH];
};

struct sequence {
    struct sequence_key key;
    int64_t count;
};

struct sequence_state {
    struct keyed_state keyed;           /* hash table of struct sequence */
    struct recent *actors, *last_actor; /* owned hash table; its element that was found last */
};

/* Returns the latest operations of an actor (thread or process); adds the actor if it is new. NULL:
 * too many actors, with the error set. */
static struct recent *sequences_find_recent(struct sequence_state *state, uint32_t actor) {
    struct recent *recent = state->last_actor;

    if (recent != NULL && recent->actor == actor) {
        return recent;
    }
    HASH_FIND(hh, state->actors, &actor, sizeof actor, recent);
    if (recent == NULL && HASH_COUNT(state->actors) >= SEQUENCE_ACTORS) {
        error_set_too_many(
            &state->keyed.context->error,
            "more than %d applications: choose fewer with --process, or give a shorter time "
            "with --from and --to",
            SEQUENCE_ACTORS);
        return NULL;
    }
    if (recent == NULL) {
        HASH_NEW(state->actors, actor, actor, recent);
    }
    state->last_actor = recent;
    return recent;
}

/* Writes a row: the operations' names, joined by " > ", and their codes. */
static void write_sequence(struct analysis_context *context, const void *row) {
    const struct sequence *sequence = row;
    const uint32_t length = (uint32_t)context->values[0].number;
    sqlite3_stmt *select = database_acquire_statement(
        context->database, "SELECT ifnull(text, ''), code FROM main.name WHERE id = ?1",
        &context->error);
    struct text names = {0}, codes = {0};
    bool known = false;

    for (uint32_t i = 0; i < length && select != NULL; i++) {
        sqlite3_bind_int64(select, 1, sequence->key.operations[i]);
        database_step(context->database, select, &known, &context->error);
        text_append_string(&names, i == 0 ? "" : " > ");
        if (known) {
            text_append(&names, (const char *)sqlite3_column_text(select, 0),
                        (size_t)sqlite3_column_bytes(select, 0));
            text_append_integer(&codes, sqlite3_column_int64(select, 1));
        }
        text_append_char(&codes, ' ');
        sqlite3_reset(select);
    }
    database_release_statement(context->database, select);
    temp_rows_text(&context->tables[0], 2, codes.bytes, codes.length);
    temp_rows_text(&context->tables[0], 3, names.bytes, names.length);
    TEMP_ROW(&context->tables[0], sequence->key.trace, sequence->count);
    text_free(&names);
    text_free(&codes);
}

/* Adds an operation of an actor, and counts the sequence that it ends. False: too many actors. */
static bool follow_operation(struct sequence_state *state, uint32_t actor, uint32_t operation) {
    struct recent *recent = sequences_find_recent(state, actor);
    struct sequence_key key = {.trace = state->keyed.context->trace->trace->id};
    const size_t length = (size_t)state->keyed.context->values[0].number;
    struct sequence *sequence;

    if (recent == NULL) {
        return false;
    }
    if (recent->count == length) {
        memmove(recent->operations, recent->operations + 1,
                (length - 1) * sizeof recent->operations[0]);
        recent->count--;
    }
    recent->operations[recent->count++] = operation;
    if (recent->count == length) {
        memcpy(key.operations, recent->operations, length * sizeof key.operations[0]);
        sequence = keyed_rows_find(&state->keyed.rows, &key);
        sequence->count++;
    }
    return true;
}

static void sequences_visit(void *sequence_state, const struct event_columns *columns,
                            size_t count) {
    struct sequence_state *state = sequence_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->operation[i] != 0 &&
            !follow_operation(state, columns->actor[i], columns->operation[i])) {
            return;
        }
    }
}

static void sequences_free_state(void *sequence_state) {
    struct sequence_state *state = sequence_state;

    HASH_FREE(state->actors);
    keyed_state_free(state);
}

/* tally_sequence: a row per sequence of an actor's selected events, with its count. A sequence may
 * have several rows. Sequences end with their trace, because an actor belongs to one trace. */
const struct analysis analysis_sequence = {
    .name = "sequence",
    .tables = {{"tally_sequence", "trace, codes, sequence, count", NULL}},
    .pass = PASS_IN_ORDER,
    .fields = EVENT_OPERATION | EVENT_ACTOR,
    .parameters = {{
        .name = "length",
        .type = PARAMETER_NUMBER,
        .argument = "N",
        .help = "sequences: operations in one, 2 to 8",
        .least = 2,
        .most = SEQUENCE_LENGTH,
        .otherwise = 2,
    }},
    .state_size = sizeof(struct sequence_state),
    .keyed = &(const struct keyed_kind){sizeof(struct sequence_key), sizeof(struct sequence),
                                        SEQUENCES_IN_MEMORY, .write = write_sequence},
    .begin = keyed_state_begin,
    .visit = sequences_visit,
    .write = keyed_state_end_trace,
    .free = sequences_free_state,
};
