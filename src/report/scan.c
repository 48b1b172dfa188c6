#include "report/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/tally_table.h"

/* uthash ends the program when out of memory, unless told otherwise. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) ((element)->not_added = true)
#include <uthash.h>

/* Kind of the pointer that is bound to the aggregates' first parameter. */
static const char pointer_kind[] = "tracetool scan";

/* --- tallies --------------------------------------------------------------------------------- */

struct tally_scan {
    struct database *database;
    int64_t trace;
    const struct tally_context *context;
    unsigned wanted; /* bit set of enum tally_kind */
    struct tally tallies[TALLY_KINDS];
    struct error *error;
    bool failed;
};

/* A full tally goes to its table, where equal rows are added up by the query. */
static bool write_tally(struct tally_scan *scan, struct tally *tally) {
    if (!tally_table_write(scan->database, TALLY_TABLE_SELECTION, scan->trace, tally, NULL, NULL,
                           scan->error)) {
        return false;
    }
    tally_clear(tally);
    return true;
}

static bool count_event(struct tally_scan *scan, struct tally *tally, const struct event *event) {
    if (tally_add(tally, scan->context, event)) {
        return true;
    }
    if (tally->rows == NULL) {
        return error_no_memory(scan->error);
    }
    return write_tally(scan, tally) && tally_add(tally, scan->context, event);
}

static int64_t value_optional(sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_NULL ? EVENT_NONE : sqlite3_value_int64(value);
}

/* tally_events(scan, time, operation, actor, object, flags, size) */
static void tally_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tally_scan *scan = sqlite3_value_pointer(values[0], pointer_kind);
    struct event event;

    (void)count;
    if (scan == NULL || scan->failed) {
        return;
    }
    event = (struct event){
        .time = sqlite3_value_int64(values[1]),
        .operation = (uint32_t)sqlite3_value_int64(values[2]),
        .actor = (uint32_t)sqlite3_value_int64(values[3]),
        .object = (uint32_t)sqlite3_value_int64(values[4]),
        .flags = (uint32_t)sqlite3_value_int64(values[5]),
        .size = value_optional(values[6]),
    };
    /* tally_table_write() looks up what these ids stand for. */
    event.file_type = event.object;
    event.process = event.actor;
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (scan->wanted >> kind & 1 && !count_event(scan, &scan->tallies[kind], &event)) {
            scan->failed = true;
            sqlite3_result_error(context, scan->error->message, -1);
        }
    }
}

static void no_result(sqlite3_context *context) {
    sqlite3_result_null(context);
}

/* Steps an aggregate over a statement whose ?1 takes the scan. */
static bool run_scan(struct database *database, sqlite3_stmt *statement, void *scan, bool *failed,
                     struct error *error) {
    int status;
    bool done;

    sqlite3_bind_pointer(statement, 1, scan, pointer_kind, NULL);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
    }
    done = !*failed && (status == SQLITE_DONE || database_failed(database, error));
    sqlite3_finalize(statement);
    return done;
}

bool scan_tallies(struct database *database, int64_t trace, const struct tally_context *context,
                  unsigned tallies, struct error *error) {
    struct tally_scan scan = {
        .database = database,
        .trace = trace,
        .context = context,
        .wanted = tallies,
        .error = error,
    };
    sqlite3_stmt *statement =
        database_prepare(database,
                         "SELECT tally_events(?1, time, operation, actor, object, flags, size)"
                         " FROM temp.selected_event WHERE trace = ?2",
                         error);
    bool done = statement != NULL;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        tally_init(&scan.tallies[kind], (enum tally_kind)kind);
    }
    if (done) {
        sqlite3_bind_int64(statement, 2, trace);
        done = run_scan(database, statement, &scan, &scan.failed, error);
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        done = done && (!(tallies >> kind & 1) || write_tally(&scan, &scan.tallies[kind]));
        tally_free(&scan.tallies[kind]);
    }
    return done;
}

bool scan_create(struct database *database, unsigned tallies, struct error *error) {
    struct text sql = {0};
    bool done;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        const struct tally_definition *definition = &tally_definitions[kind];

        if (tallies >> kind & 1) {
            text_append_format(&sql,
                               "CREATE TEMP TABLE scanned_%s (trace, %s, count, bytes);"
                               "CREATE TEMP VIEW tally_%s AS SELECT * FROM temp.scanned_%s;",
                               definition->name, definition->columns, definition->name,
                               definition->name);
        }
    }
    done = sql.failed ? error_no_memory(error)
                      : database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* --- sequences -------------------------------------------------------------------------------- */

enum {
    SEQUENCES_IN_MEMORY = 131072, /* distinct ones, before they go to the table */
    SEQUENCE_ACTORS = 1048576,    /* whose last operations are remembered */
};

/* The last operations of an actor. */
struct recent {
    UT_hash_handle hh;
    uint32_t actor;
    bool not_added;
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
    bool not_added;
};

struct sequence_scan {
    struct database *database;
    uint32_t length;
    struct recent *actors, *last_actor;
    struct sequence *sequences;
    sqlite3_stmt *insert, *find_name;
    struct error *error;
    bool failed;
};

static struct recent *find_recent(struct sequence_scan *scan, uint32_t actor) {
    struct recent *recent = scan->last_actor;

    if (recent != NULL && recent->actor == actor) {
        return recent;
    }
    HASH_FIND(hh, scan->actors, &actor, sizeof actor, recent);
    if (recent == NULL) {
        if (HASH_COUNT(scan->actors) >= SEQUENCE_ACTORS) {
            error_set(scan->error, "more than %d applications: narrow the report with --process, "
                                   "--from and --to",
                      SEQUENCE_ACTORS);
            return NULL;
        }
        recent = calloc(1, sizeof *recent);
        if (recent != NULL) {
            recent->actor = actor;
            HASH_ADD(hh, scan->actors, actor, sizeof recent->actor, recent);
        }
        if (recent == NULL || recent->not_added) {
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
    return !names->failed && !codes->failed;
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

    HASH_ITER(hh, scan->sequences, sequence, next) {
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
    if (sequence->not_added) {
        free(sequence);
        return error_no_memory(scan->error);
    }
    return true;
}

static bool follow_operation(struct sequence_scan *scan, int64_t trace, uint32_t actor,
                             uint32_t operation) {
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
    key.trace = trace;
    memcpy(key.operations, recent->operations, scan->length * sizeof key.operations[0]);
    return count_sequence(scan, &key);
}

/* sequence_events(scan, trace, actor, operation) */
static void sequence_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct sequence_scan *scan = sqlite3_value_pointer(values[0], pointer_kind);

    (void)count;
    if (scan == NULL || scan->failed || sqlite3_value_type(values[3]) == SQLITE_NULL) {
        return;
    }
    if (!follow_operation(scan, sqlite3_value_int64(values[1]),
                          (uint32_t)sqlite3_value_int64(values[2]),
                          (uint32_t)sqlite3_value_int64(values[3]))) {
        scan->failed = true;
        sqlite3_result_error(context, scan->error->message, -1);
    }
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

bool scan_sequences(struct database *database, int64_t length, struct error *error) {
    struct sequence_scan scan = {
        .database = database,
        .length = (uint32_t)length,
        .error = error,
    };
    sqlite3_stmt *statement = NULL;
    bool done;

    if (length < 2 || length > SEQUENCE_LENGTH) {
        return error_set_status(error, EXIT_USAGE, "--length must be from 2 to %d",
                                SEQUENCE_LENGTH);
    }
    done = database_run(database,
                        "CREATE TEMP TABLE tally_sequence (trace, codes, sequence, count)", error);
    if (done) {
        scan.insert = database_prepare(
            database, "INSERT INTO temp.tally_sequence VALUES (?1, ?2, ?3, ?4)", error);
        scan.find_name =
            database_prepare(database, "SELECT text, code FROM main.name WHERE id = ?1", error);
        statement = database_prepare(database,
                                     "SELECT sequence_events(?1, trace, actor, operation)"
                                     " FROM temp.selected_event",
                                     error);
    }
    done = scan.insert != NULL && scan.find_name != NULL && statement != NULL;
    if (done) {
        done = run_scan(database, statement, &scan, &scan.failed, error) && write_sequences(&scan);
    } else {
        sqlite3_finalize(statement);
    }
    free_sequence_scan(&scan);
    return done;
}

/* --- registration ------------------------------------------------------------------------------ */

bool scan_register(struct database *database, struct error *error) {
    return (sqlite3_create_function_v2(database->handle, "tally_events", 7,
                                       SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, tally_step,
                                       no_result, NULL) == SQLITE_OK &&
            sqlite3_create_function_v2(database->handle, "sequence_events", 4,
                                       SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, sequence_step,
                                       no_result, NULL) == SQLITE_OK) ||
           database_failed(database, error);
}
