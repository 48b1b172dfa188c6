/* How often operations follow one another within an actor: temp.tally_sequence. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/memory.h"

enum {
    SEQUENCE_LENGTH = 8,          /* the longest that can be asked for */
    SEQUENCES_IN_MEMORY = 131072, /* distinct ones, before they go to the table */
    SEQUENCE_ACTORS = 1048576,    /* whose last operations are remembered */
};

/* The last operations of an actor. */
struct recent {
    UT_hash_handle hh;
    uint32_t actor;
    uint32_t count; /* of operations, at most SEQUENCE_LENGTH */
    uint32_t operations[SEQUENCE_LENGTH];
};

struct sequence_key {
    int64_t trace;
    uint32_t operations[SEQUENCE_LENGTH]; /* 0 behind the last */
};

struct sequence {
    UT_hash_handle hh;
    struct sequence_key key;
    int64_t count;
};

struct sequence_state {
    struct database *database;
    int64_t trace;
    uint32_t length;
    struct recent *actors, *last_actor; /* owned hash table */
    struct sequence *sequences;         /* likewise */
    sqlite3_stmt *insert, *find_name;
    struct error *error; /* of the call that runs */
};

static struct recent *find_recent(struct sequence_state *state, uint32_t actor) {
    struct recent *recent = state->last_actor;

    if (recent != NULL && recent->actor == actor) {
        return recent;
    }
    HASH_FIND(hh, state->actors, &actor, sizeof actor, recent);
    if (recent == NULL) {
        if (HASH_COUNT(state->actors) >= SEQUENCE_ACTORS) {
            error_set(state->error,
                      "more than %d applications: narrow the report with --process, "
                      "--from and --to",
                      SEQUENCE_ACTORS);
            return NULL;
        }
        recent = xcalloc(1, sizeof *recent);
        if (recent != NULL) {
            recent->actor = actor;
            HASH_ADD(hh, state->actors, actor, sizeof recent->actor, recent);
        }
    }
    state->last_actor = recent;
    return recent;
}

/* Appends the names, joined by " > ", and the codes of a sequence. */
static bool describe_sequence(struct sequence_state *state, const struct sequence *sequence,
                              struct text *names, struct text *codes) {
    for (uint32_t i = 0; i < state->length; i++) {
        bool row;

        sqlite3_bind_int64(state->find_name, 1, sequence->key.operations[i]);
        if (!database_step(state->database, state->find_name, &row, state->error)) {
            return false;
        }
        text_append_string(names, i == 0 ? "" : " > ");
        if (row) {
            text_append(names, (const char *)sqlite3_column_text(state->find_name, 0),
                        (size_t)sqlite3_column_bytes(state->find_name, 0));
            text_append_integer(codes, sqlite3_column_int64(state->find_name, 1));
        }
        text_append_char(codes, ' ');
        sqlite3_reset(state->find_name);
    }
    return true;
}

static bool write_sequence(struct sequence_state *state, const struct sequence *sequence,
                           struct text *names, struct text *codes) {
    text_clear(names);
    text_clear(codes);
    if (!describe_sequence(state, sequence, names, codes)) {
        return false;
    }
    sqlite3_bind_int64(state->insert, 1, sequence->key.trace);
    sqlite3_bind_text(state->insert, 2, codes->bytes, (int)codes->length, SQLITE_STATIC);
    sqlite3_bind_text(state->insert, 3, names->bytes, (int)names->length, SQLITE_STATIC);
    sqlite3_bind_int64(state->insert, 4, sequence->count);
    return database_execute(state->database, state->insert, state->error);
}

/* Writes all sequences to the table and forgets them. */
static bool write_sequences(struct sequence_state *state) {
    struct text names = {0}, codes = {0};
    struct sequence *sequence, *next;
    bool done = true;

    for (sequence = state->sequences; sequence != NULL; sequence = next) {
        next = sequence->hh.next;
        done = done && write_sequence(state, sequence, &names, &codes);
        HASH_DEL(state->sequences, sequence);
        free(sequence);
    }
    text_free(&names);
    text_free(&codes);
    return done;
}

static bool count_sequence(struct sequence_state *state, const struct sequence_key *key) {
    struct sequence *sequence;

    HASH_FIND(hh, state->sequences, key, sizeof *key, sequence);
    if (sequence != NULL) {
        sequence->count++;
        return true;
    }
    if (HASH_COUNT(state->sequences) >= SEQUENCES_IN_MEMORY && !write_sequences(state)) {
        return false;
    }
    sequence = xcalloc(1, sizeof *sequence);
    sequence->key = *key;
    sequence->count = 1;
    HASH_ADD(hh, state->sequences, key, sizeof sequence->key, sequence);
    return true;
}

static bool follow_operation(struct sequence_state *state, uint32_t actor, uint32_t operation) {
    struct recent *recent = find_recent(state, actor);
    struct sequence_key key;

    if (recent == NULL) {
        return false;
    }
    if (recent->count == state->length) {
        memmove(recent->operations, recent->operations + 1,
                (state->length - 1) * sizeof recent->operations[0]);
        recent->count--;
    }
    recent->operations[recent->count++] = operation;
    if (recent->count < state->length) {
        return true;
    }
    memset(&key, 0, sizeof key);
    key.trace = state->trace;
    memcpy(key.operations, recent->operations, state->length * sizeof key.operations[0]);
    return count_sequence(state, &key);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct sequence_state *state = context_state;

    state->error = error;
    for (size_t i = 0; i < count; i++) {
        if (columns->operation[i] != 0 &&
            !follow_operation(state, columns->actor[i], columns->operation[i])) {
            return false;
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct sequence_state *state = context_state;
    struct temp_schema *temp = context->selection->temp;

    state->database = context->selection->database;
    state->length = (uint32_t)context->values[0].number;
    state->insert =
        temp_schema_prepare(temp, "INSERT INTO temp.tally_sequence VALUES (?1, ?2, ?3, ?4)", error);
    state->find_name =
        state->insert == NULL
            ? NULL
            : temp_schema_prepare(
                  temp, "SELECT ifnull(text, ''), code FROM main.name WHERE id = ?1", error);
    return state->find_name != NULL;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct sequence_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    return true;
}

static bool write_rest(void *context_state, struct error *error) {
    struct sequence_state *state = context_state;

    state->error = error;
    return write_sequences(state);
}

static void free_state(void *context_state) {
    struct sequence_state *state = context_state;
    struct recent *recent, *next_recent;
    struct sequence *sequence, *next_sequence;

    HASH_ITER(hh, state->actors, recent, next_recent) {
        HASH_DEL(state->actors, recent);
        free(recent);
    }
    HASH_ITER(hh, state->sequences, sequence, next_sequence) {
        HASH_DEL(state->sequences, sequence);
        free(sequence);
    }
    sqlite3_finalize(state->insert);
    sqlite3_finalize(state->find_name);
}

/* How often so many selected events of one actor follow one another. The same sequence may have
 * several rows. Actors are those of one trace: what follows one another ends with it. */
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
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .write = write_rest,
    .free = free_state,
};
