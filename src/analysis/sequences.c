/* How often operations follow one another within an actor: temp.tally_sequence. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scan/event_scan.h"
#include "analysis/scan.h"

#include "base/hash.h"

enum {
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

struct sequence_scan {
    struct database *database;
    int64_t trace;
    uint32_t length;
    struct recent *actors, *last_actor;
    struct sequence *sequences;
    sqlite3_stmt *insert, *find_name;
    struct error *error;
};

static struct recent *find_recent(struct sequence_scan *scan, uint32_t actor) {
    struct recent *recent = scan->last_actor;

    if (recent != NULL && recent->actor == actor) {
        return recent;
    }
    HASH_FIND(hh, scan->actors, &actor, sizeof actor, recent);
    if (recent == NULL) {
        if (HASH_COUNT(scan->actors) >= SEQUENCE_ACTORS) {
            error_set(scan->error,
                      "more than %d applications: narrow the report with --process, "
                      "--from and --to",
                      SEQUENCE_ACTORS);
            return NULL;
        }
        recent = calloc(1, sizeof *recent);
        if (recent != NULL) {
            recent->actor = actor;
            HASH_ADD(hh, scan->actors, actor, sizeof recent->actor, recent);
        }
        if (recent == NULL || !hash_added(recent)) {
            free(recent);
            error_no_memory(scan->error);
            return NULL;
        }
    }
    scan->last_actor = recent;
    return recent;
}

/* Appends the names, joined by " > ", and the codes of a sequence. */
static bool describe_sequence(struct sequence_scan *scan, const struct sequence *sequence,
                              struct text *names, struct text *codes) {
    for (uint32_t i = 0; i < scan->length; i++) {
        bool row;

        sqlite3_bind_int64(scan->find_name, 1, sequence->key.operations[i]);
        if (!database_step(scan->database, scan->find_name, &row, scan->error)) {
            return false;
        }
        text_append_string(names, i == 0 ? "" : " > ");
        if (row) {
            text_append(names, (const char *)sqlite3_column_text(scan->find_name, 0),
                        (size_t)sqlite3_column_bytes(scan->find_name, 0));
            text_append_integer(codes, sqlite3_column_int64(scan->find_name, 1));
        }
        text_append_char(codes, ' ');
        sqlite3_reset(scan->find_name);
    }
    return (!names->failed && !codes->failed) || error_no_memory(scan->error);
}

static bool write_sequence(struct sequence_scan *scan, const struct sequence *sequence,
                           struct text *names, struct text *codes) {
    text_clear(names);
    text_clear(codes);
    if (!describe_sequence(scan, sequence, names, codes)) {
        return false;
    }
    sqlite3_bind_int64(scan->insert, 1, sequence->key.trace);
    sqlite3_bind_text(scan->insert, 2, codes->bytes, (int)codes->length, SQLITE_STATIC);
    sqlite3_bind_text(scan->insert, 3, names->bytes, (int)names->length, SQLITE_STATIC);
    sqlite3_bind_int64(scan->insert, 4, sequence->count);
    return database_execute(scan->database, scan->insert, scan->error);
}

/* Writes all sequences to the table and forgets them. */
static bool write_sequences(struct sequence_scan *scan) {
    struct text names = {0}, codes = {0};
    struct sequence *sequence, *next;
    bool done = true;

    for (sequence = scan->sequences; sequence != NULL; sequence = next) {
        next = sequence->hh.next;
        done = done && write_sequence(scan, sequence, &names, &codes);
        HASH_DEL(scan->sequences, sequence);
        free(sequence);
    }
    text_free(&names);
    text_free(&codes);
    return done;
}

static bool count_sequence(struct sequence_scan *scan, const struct sequence_key *key) {
    struct sequence *sequence;

    HASH_FIND(hh, scan->sequences, key, sizeof *key, sequence);
    if (sequence != NULL) {
        sequence->count++;
        return true;
    }
    if (HASH_COUNT(scan->sequences) >= SEQUENCES_IN_MEMORY && !write_sequences(scan)) {
        return false;
    }
    sequence = calloc(1, sizeof *sequence);
    if (sequence == NULL) {
        return error_no_memory(scan->error);
    }
    sequence->key = *key;
    sequence->count = 1;
    HASH_ADD(hh, scan->sequences, key, sizeof sequence->key, sequence);
    if (!hash_added(sequence)) {
        free(sequence);
        return error_no_memory(scan->error);
    }
    return true;
}

static bool follow_operation(struct sequence_scan *scan, uint32_t actor, uint32_t operation) {
    struct recent *recent = find_recent(scan, actor);
    struct sequence_key key;

    if (recent == NULL) {
        return false;
    }
    if (recent->count == scan->length) {
        memmove(recent->operations, recent->operations + 1,
                (scan->length - 1) * sizeof recent->operations[0]);
        recent->count--;
    }
    recent->operations[recent->count++] = operation;
    if (recent->count < scan->length) {
        return true;
    }
    memset(&key, 0, sizeof key);
    key.trace = scan->trace;
    memcpy(key.operations, recent->operations, scan->length * sizeof key.operations[0]);
    return count_sequence(scan, &key);
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct sequence_scan *scan = context;

    scan->error = error;
    for (size_t i = 0; i < count; i++) {
        if (columns->operation[i] != 0 &&
            !follow_operation(scan, columns->actor[i], columns->operation[i])) {
            return false;
        }
    }
    return true;
}

/* Actors are those of one trace: what follows one another ends with it. */
static bool scan_trace(void *context, struct event_scan *events, struct error *error) {
    struct sequence_scan *scan = context;

    scan->trace = events->trace;
    events->fields = EVENT_OPERATION | EVENT_ACTOR;
    events->visit = visit;
    return event_scan_in_order(events, scan, error);
}

static void free_sequence_scan(struct sequence_scan *scan) {
    struct recent *recent, *next_recent;
    struct sequence *sequence, *next_sequence;

    HASH_ITER(hh, scan->actors, recent, next_recent) {
        HASH_DEL(scan->actors, recent);
        free(recent);
    }
    HASH_ITER(hh, scan->sequences, sequence, next_sequence) {
        HASH_DEL(scan->sequences, sequence);
        free(sequence);
    }
    sqlite3_finalize(scan->insert);
    sqlite3_finalize(scan->find_name);
}

bool scan_sequences(struct database *database, const struct selection_filter *filter,
                    struct error *error) {
    struct sequence_scan scan = {
        .database = database,
        .length = (uint32_t)filter->sequence_length,
        .error = error,
    };
    bool done;

    if (filter->sequence_length < 2 || filter->sequence_length > SEQUENCE_LENGTH) {
        return error_set_status(error, EXIT_USAGE, "--length must be from 2 to %d",
                                SEQUENCE_LENGTH);
    }
    done = database_run(database,
                        "CREATE TEMP TABLE tally_sequence (trace, codes, sequence, count)", error);
    if (done) {
        scan.insert = database_prepare(
            database, "INSERT INTO temp.tally_sequence VALUES (?1, ?2, ?3, ?4)", error);
        scan.find_name = database_prepare(
            database, "SELECT ifnull(text, ''), code FROM main.name WHERE id = ?1", error);
        done = scan.insert != NULL && scan.find_name != NULL &&
               event_scan_selection(database, filter, scan_trace, &scan, error);
        scan.error = error;
        done = done && write_sequences(&scan);
    }
    free_sequence_scan(&scan);
    return done;
}
