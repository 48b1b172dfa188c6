/* Counts the writes and syncs of SQLite by database, journal mode and file: temp.database_part; and
 * lists its transactions: temp.database_transaction.
 *
 * A database is a file for which the log also has a file of the same name plus -journal, -wal or
 * -shm. Its transactions, and their journal mode, are recognised by the calls on these files:
 *
 *     writes of the journal, writes of the database, and then the journal
 *         is removed               journal mode DELETE
 *         is truncated             TRUNCATE
 *         has its header zeroed    PERSIST: 28 bytes at its begin
 *     writes of frames to the write-ahead log, and then
 *         it is synced, or the thread releases a lock in the shared memory: WAL
 *     only writes of the database, and then it is synced: no journal (OFF, MEMORY)
 *
 * Writes of a database that has a write-ahead log are a checkpoint. A transaction was rolled back
 * if its journal ends before the database was written, or after the journal was read. If SQLite's
 * cache was too small, pages were written early; a rollback then reads each page from the journal
 * and writes it back (sqlite3's pager_playback()). A ROLLBACK TO does so, too, but the transaction
 * continues; its commit writes more pages of the database after the last read.
 *
 * A transaction over several databases has a super-journal, NAME-mj and nine hexadecimal digits,
 * which contains the names of their journals (sqlite3's vdbeCommit()). */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/hash.h"
#include "base/saturate.h"
#include "base/memory.h"

enum {
    WAL_HEADER = 32,
    ZERO_HEADER = 28, /* number of bytes that PERSIST writes to make the journal's header invalid */
    MOST_FILES = 1 << 18,
};

/* Files of a database, and its directory, in the order of part_words (column `part`). */
enum part { PART_JOURNAL, PART_WAL, PART_SHM, PART_DATABASE, PART_FOLDER, PART_SUPER, PARTS };

/* Journal modes: how transactions end; in the order of mode_words (column `mode`). */
enum mode { MODE_DELETE, MODE_TRUNCATE, MODE_PERSIST, MODE_WAL, MODE_NONE, MODE_NOT_ENDED, MODES };

static const char *const mode_words[MODES] = {"DELETE", "TRUNCATE",   "PERSIST",
                                              "WAL",    "no journal", "not ended"};
static const char *const part_words[PARTS] = {"journal",  "wal",    "shm",
                                              "database", "folder", "super-journal"};

struct part_counts {
    int64_t writes, bytes, syncs;
    /* timed: number of syncs with a duration; sync_time: sum of these durations */
    int64_t timed, sync_time;
};

/* Counts of a database's transactions in one journal mode. */
struct mode_counts {
    struct part_counts parts[PARTS];
    int64_t rolled_back, checkpoints;
};

struct sqlite_file;

struct sqlite_database {
    char *name; /* owned */
    size_t length;
    struct mode_counts modes[MODES];
    /* Counts of the running transaction. */
    struct part_counts open[PARTS];
    int64_t begun; /* begin of the first write; EVENT_NONE: no transaction is running */
    bool database_written;
    bool journal_read; /* true: the journal was read after its last write or sync */
    /* Number of writes of the database since the journal was last read. */
    int64_t written_since_read;
    uint32_t thread;      /* actor.id of the thread that wrote last in the transaction */
    enum mode last;       /* mode of the last transaction */
    bool wal, checkpoint; /* wal: has a write-ahead log; checkpoint: the log is being copied */
    struct sqlite_file *folder; /* directory of the database; NULL: not in the log */
    UT_hash_handle hh;
};

/* A file that belongs to a database, or its directory. */
struct sqlite_file {
    uint32_t object;
    enum part part;
    struct sqlite_database
        /* The file's database; for a directory: the database in it that was written last. */
        *database;
    UT_hash_handle hh;
};

struct sqlite_state {
    struct analysis_context *context;
    struct call_operations operations;
    struct sqlite_database *databases; /* owned hash tables: `databases` and `files` */
    struct sqlite_file *files;
    bool errors; /* true: the log has error codes of failed calls */
};

/* --- finding databases and their files -------------------------------------------------------- */

/* Finds journals, write-ahead logs and shared memory by suffix, and super-journals, in one pass
 * over the names; then their databases and directories. */
static const char files_of_databases[] =
    "WITH beside AS MATERIALIZED (SELECT id, part,"
    "  CAST(substr(name, 1, length(name) - iif(part = 0, 8, iif(part = 5, 12, 4))) AS TEXT) AS name"
    "  FROM (SELECT id, name, CASE WHEN substr(name, -4) = '-wal' THEN 1"
    "    WHEN substr(name, -4) = '-shm' THEN 2 WHEN substr(name, -8) = '-journal' THEN 0"
    "    WHEN substr(name, -12, 3) = '-mj' AND substr(name, -9) NOT GLOB '*[^0-9A-F]*' THEN 5"
    "    END AS part FROM main.object WHERE trace = ?1)"
    "  WHERE part IS NOT NULL AND length(name) > iif(part = 0, 8, iif(part = 5, 12, 4))),"
    " base AS MATERIALIZED (SELECT DISTINCT name, "
    "  CAST(rtrim(rtrim(name, replace(name, '/', '')), '/') AS TEXT) AS folder FROM beside)"
    " SELECT id, part, name FROM beside"
    " UNION ALL SELECT o.id, 3, b.name FROM main.object AS o CROSS JOIN base AS b"
    "  ON b.name = o.name WHERE o.trace = (SELECT ?1 FROM base LIMIT 1)"
    " UNION ALL SELECT o.id, 4, b.name FROM main.object AS o CROSS JOIN base AS b"
    "  ON b.folder = o.name WHERE o.trace = (SELECT ?1 FROM base LIMIT 1) AND b.folder <> ''";

static struct sqlite_database *sqlite_writes_find_database(struct sqlite_state *state,
                                                           const char *name, size_t length) {
    struct sqlite_database *database;

    HASH_FIND(hh, state->databases, name, length, database);
    if (database != NULL) {
        return database;
    }
    database = xcalloc(1, sizeof *database);
    database->name = xmalloc(length + 1);
    memcpy(database->name, name, length + 1);
    database->length = length;
    database->begun = EVENT_NONE;
    HASH_ADD_KEYPTR(hh, state->databases, database->name, database->length, database);
    return database;
}

static bool sqlite_writes_add_file(struct sqlite_state *state, uint32_t object, enum part part,
                                   struct sqlite_database *database) {
    struct sqlite_file *file;

    HASH_FIND(hh, state->files, &object, sizeof object, file);
    /* The first role found for a file counts: X-journal is a journal, even if there is an
     * X-journal-wal. A directory may belong to several databases. */
    if (file != NULL) {
        database->folder = part == PART_FOLDER && file->part == PART_FOLDER ? file : NULL;
        return true;
    }
    if (HASH_COUNT(state->files) == MOST_FILES) {
        return error_set_too_many(&state->context->error,
                                  "more than %d files of databases: choose fewer traces",
                                  MOST_FILES);
    }
    file = xcalloc(1, sizeof *file);
    *file = (struct sqlite_file){.object = object, .part = part, .database = database};
    HASH_ADD(hh, state->files, object, sizeof file->object, file);
    database->folder = part == PART_FOLDER ? file : NULL;
    return true;
}

static void sqlite_writes_read_files(struct sqlite_state *state) {
    struct analysis_context *context = state->context;
    struct database_query query = database_query(
        context->database, &context->error, files_of_databases, "i", context->trace->trace->id);

    while (database_next(&query)) {
        const char *name = (const char *)sqlite3_column_text(query.row, 2);
        size_t length = (size_t)sqlite3_column_bytes(query.row, 2);

        query.failed = name != NULL &&
                       !sqlite_writes_add_file(state, (uint32_t)sqlite3_column_int64(query.row, 0),
                                               (enum part)sqlite3_column_int(query.row, 1),
                                               sqlite_writes_find_database(state, name, length));
    }
    database_end(&query);
}

static void sqlite_writes_clear(struct sqlite_state *state) {
    struct sqlite_database *database, *next;

    HASH_FREE(state->files);
    HASH_ITER(hh, state->databases, database, next) {
        HASH_DEL(state->databases, database);
        free(database->name);
        free(database);
    }
}

/* --- following transactions ------------------------------------------------------------------- */

/* A call on a file of a database. */
struct sqlite_call {
    enum call_does does;
    enum part part;
    uint32_t thread;
    int64_t time, duration, end, size, offset;
};

static void add_counts(struct part_counts *to, const struct part_counts *from) {
    to->writes += from->writes;
    to->syncs += from->syncs;
    to->timed += from->timed;
    add_saturated(&to->bytes, from->bytes);
    add_saturated(&to->sync_time, from->sync_time);
}

static void sqlite_writes_count_call(struct part_counts *counts, const struct sqlite_call *call) {
    if (call->does == CALL_WRITES) {
        counts->writes++;
        add_saturated(&counts->bytes, call->size > 0 ? call->size : 0);
    } else if (call->does == CALL_SYNCS) {
        counts->syncs++;
        counts->timed += call->duration >= 0;
        add_saturated(&counts->sync_time, call->duration > 0 ? call->duration : 0);
    }
}

/* Adds the counts of the running transaction to those of its journal mode, and resets them. */
static void sqlite_writes_finish(struct sqlite_database *database, enum mode mode) {
    for (int part = 0; part < PARTS; part++) {
        add_counts(&database->modes[mode].parts[part], &database->open[part]);
    }
    memset(database->open, 0, sizeof database->open);
    database->begun = EVENT_NONE;
    database->database_written = database->journal_read = false;
    database->written_since_read = 0;
}

/* Sets the columns for the database's name and the journal mode in a row. */
static void sqlite_writes_name_rows(struct temp_rows *rows, const struct sqlite_database *database,
                                    enum mode mode) {
    temp_rows_text(rows, 2, database->name, database->length);
    temp_rows_text(rows, 3, mode_words[mode], strlen(mode_words[mode]));
}

/* Ends the running transaction; `call` is its last call. */
static void end_transaction(const struct sqlite_state *state, struct sqlite_database *database,
                            enum mode mode, const struct sqlite_call *call) {
    bool played_back = database->journal_read && database->written_since_read <= 1;
    bool rolled_back = mode < MODE_WAL && (!database->database_written || played_back);
    struct temp_rows *rows = &state->context->tables[1];

    if (rolled_back) {
        database->modes[mode].rolled_back++;
    } else {
        sqlite_writes_name_rows(rows, database, mode);
        TEMP_ROW(rows, state->context->trace->trace->id, database->begun, call->end);
    }
    sqlite_writes_finish(database, mode);
    database->last = mode;
}

static void begin_transaction(struct sqlite_database *database, const struct sqlite_call *call) {
    if (database->begun == EVENT_NONE) {
        database->begun = call->time;
    }
    database->thread = call->thread;
}

/* Counts a call for the running transaction; if none runs, for the mode of the last transaction. */
static void count_open(struct sqlite_database *database, enum part part,
                       const struct sqlite_call *call) {
    sqlite_writes_count_call(database->begun != EVENT_NONE
                                 ? &database->open[part]
                                 : &database->modes[database->last].parts[part],
                             call);
}

/* Handles a call on the journal. A sync after the end of a transaction, as in TRUNCATE and PERSIST,
 * counts for the mode of that transaction. */
static void handle_journal(const struct sqlite_state *state, struct sqlite_database *database,
                           const struct sqlite_call *call) {
    bool ends = false;
    enum mode mode = MODE_DELETE;

    if (call->does == CALL_WRITES) {
        mode = MODE_PERSIST;
        ends = (database->database_written || database->open[PART_JOURNAL].writes > 0) &&
               call->size == ZERO_HEADER && call->offset == 0;
        begin_transaction(database, call);
    } else if (call->does == CALL_TRUNCATES || call->does == CALL_UNLINKS) {
        mode = call->does == CALL_UNLINKS ? MODE_DELETE : MODE_TRUNCATE;
        ends = database->begun != EVENT_NONE && database->open[PART_JOURNAL].writes > 0;
    }
    if (!ends &&
        (call->does == CALL_READS || call->does == CALL_WRITES || call->does == CALL_SYNCS)) {
        database->journal_read =
            call->does == CALL_READS && database->open[PART_JOURNAL].writes > 0;
        database->written_since_read = 0;
    }
    count_open(database, PART_JOURNAL, call);
    if (ends) {
        end_transaction(state, database, mode, call);
    }
}

static void sqlite_writes_handle_super(const struct sqlite_state *state,
                                       struct sqlite_database *database,
                                       const struct sqlite_call *call) {
    count_open(database, PART_SUPER, call);
}

/* Handles a call on the write-ahead log. Writing its header is no part of a transaction. */
static void handle_wal(const struct sqlite_state *state, struct sqlite_database *database,
                       const struct sqlite_call *call) {
    bool header = call->offset == 0 || (call->offset == EVENT_NONE && call->size == WAL_HEADER);

    database->wal = call->does != CALL_UNLINKS;
    database->checkpoint &= call->does != CALL_WRITES;
    sqlite_writes_count_call(&database->modes[MODE_WAL].parts[PART_WAL], call);
    if (call->does == CALL_WRITES && !header) {
        begin_transaction(database, call);
    }
    if (call->does == CALL_SYNCS && database->begun != EVENT_NONE &&
        database->open[PART_JOURNAL].writes == 0) {
        end_transaction(state, database, MODE_WAL, call);
    }
}

static void handle_shm(const struct sqlite_state *state, struct sqlite_database *database,
                       const struct sqlite_call *call) {
    database->wal |= call->does != CALL_UNLINKS;
    sqlite_writes_count_call(&database->modes[MODE_WAL].parts[PART_SHM], call);
    if (call->does == CALL_LOCKS && database->begun != EVENT_NONE &&
        database->open[PART_JOURNAL].writes == 0 && call->thread == database->thread) {
        end_transaction(state, database, MODE_WAL, call);
    }
}

static void handle_database(const struct sqlite_state *state, struct sqlite_database *database,
                            const struct sqlite_call *call) {
    bool journal = database->open[PART_JOURNAL].writes > 0;
    bool alone = !journal && !database->wal && database->database_written;

    /* A transaction without journal ends when the thread releases its lock, or else with the sync
     * below. */
    if (call->does == CALL_LOCKS && alone && call->thread == database->thread) {
        end_transaction(state, database, MODE_NONE, call);
        return;
    }
    if (call->does != CALL_WRITES && call->does != CALL_SYNCS) {
        return;
    }
    if (database->wal && !journal) {
        if (call->does == CALL_WRITES && !database->checkpoint) {
            database->modes[MODE_WAL].checkpoints++;
        }
        database->checkpoint = call->does == CALL_WRITES;
        sqlite_writes_count_call(&database->modes[MODE_WAL].parts[PART_DATABASE], call);
        return;
    }
    if (call->does == CALL_WRITES) {
        begin_transaction(database, call);
        database->database_written = true;
        database->written_since_read++;
    }
    count_open(database, PART_DATABASE, call);
    if (call->does == CALL_SYNCS && alone) {
        end_transaction(state, database, MODE_NONE, call);
    }
}

/* Handles a sync of the directory: counts it for the running transaction; if none runs, for the
 * mode of the last transaction. */
static void handle_folder(const struct sqlite_state *state, struct sqlite_database *database,
                          const struct sqlite_call *call) {
    if (call->does == CALL_SYNCS && database->begun != EVENT_NONE) {
        sqlite_writes_count_call(&database->open[PART_FOLDER], call);
    } else if (call->does == CALL_SYNCS) {
        enum mode mode = database->wal ? MODE_WAL : database->last;

        sqlite_writes_count_call(&database->modes[mode].parts[PART_FOLDER], call);
    }
}

static void sqlite_writes_handle_call(struct sqlite_state *state, struct sqlite_file *file,
                                      const struct sqlite_call *call) {
    static void (*const takes[PARTS])(const struct sqlite_state *, struct sqlite_database *,
                                      const struct sqlite_call *) = {
        [PART_JOURNAL] = handle_journal, [PART_WAL] = handle_wal,
        [PART_SHM] = handle_shm,         [PART_DATABASE] = handle_database,
        [PART_FOLDER] = handle_folder,   [PART_SUPER] = sqlite_writes_handle_super,
    };

    if (call->does == CALL_WRITES && file->database->folder != NULL) {
        file->database->folder->database = file->database;
    }
    takes[file->part](state, file->database, call);
}

/* Returns whether a call succeeded. Without result and duration, it has not returned. */
static bool call_succeeded(const struct sqlite_state *state, const struct event_columns *columns,
                           size_t i) {
    int64_t value = columns->value[i];

    return columns->error[i] == 0 &&
           (value == EVENT_NONE ? columns->duration[i] >= 0 : state->errors || value >= 0);
}

static void sqlite_writes_visit(void *sqlite_state, const struct event_columns *columns,
                                size_t count) {
    struct sqlite_state *state = sqlite_state;

    for (size_t i = 0; i < count; i++) {
        uint32_t object = columns->object[i];
        struct sqlite_file *file;
        struct sqlite_call call = {
            .thread = columns->actor[i],
            .time = columns->time[i],
            .duration = columns->duration[i],
            .end = columns->time[i],
            .size = columns->size[i],
            .offset = columns->address[i],
        };

        HASH_FIND(hh, state->files, &object, sizeof object, file);
        if (file == NULL || !call_succeeded(state, columns, i)) {
            continue;
        }
        call.does = call_operations_find(&state->operations, columns->operation[i]);
        add_saturated(&call.end, call.duration > 0 ? call.duration : 0);
        sqlite_writes_handle_call(state, file, &call);
    }
}

static void sqlite_writes_begin_trace(void *sqlite_state) {
    struct sqlite_state *state = sqlite_state;

    state->errors = catalog_meaning(state->context->trace->trace, "error", "error") != NULL;
    sqlite_writes_clear(state);
    call_operations_read(&state->operations, state->context);
    sqlite_writes_read_files(state);
}

static void write_mode(const struct sqlite_state *state, const struct sqlite_database *database,
                       enum mode mode) {
    const struct mode_counts *counts = &database->modes[mode];
    struct temp_rows *rows = &state->context->tables[0];

    for (int part = 0; part < PARTS; part++) {
        const struct part_counts *written = &counts->parts[part];

        if (written->writes == 0 && written->syncs == 0) {
            continue;
        }
        sqlite_writes_name_rows(rows, database, mode);
        temp_rows_text(rows, 4, part_words[part], strlen(part_words[part]));
        TEMP_ROW(rows, state->context->trace->trace->id, written->writes, written->bytes,
                 written->syncs, written->timed > 0 ? written->sync_time : EVENT_NONE,
                 counts->rolled_back, counts->checkpoints);
    }
}

static void sqlite_writes_end_trace(void *sqlite_state) {
    struct sqlite_state *state = sqlite_state;

    for (struct sqlite_database *database = state->databases; database != NULL;
         database = database->hh.next) {
        sqlite_writes_finish(database, MODE_NOT_ENDED);
        for (int mode = 0; mode < MODES; mode++) {
            write_mode(state, database, (enum mode)mode);
        }
    }
    sqlite_writes_clear(state);
}

static void sqlite_writes_free_state(void *sqlite_state) {
    struct sqlite_state *state = sqlite_state;

    sqlite_writes_clear(state);
    call_operations_free(&state->operations);
}

/* database_part: a row per database, journal mode and part (journal, wal, shm, database, folder,
 * super-journal). `sync_time`: NULL if no sync has a duration; `rolled_back`, `checkpoints`:
 * numbers of rolled back transactions and of checkpoints in this mode. database_transaction: a row
 * per committed transaction, from its first write to the end of the call that ended it. */
const struct analysis analysis_sqlite = {
    .name = "sqlite",
    .tables = {{"database_part",
                "trace, database, mode, part, writes, bytes, syncs, sync_time, rolled_back,"
                " checkpoints",
                NULL},
               {"database_transaction", "trace, database, mode, begin, \"end\"", NULL}},
    .pass = PASS_IN_ORDER,
    .window = WINDOW_WHOLE,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE |
              EVENT_VALUE | EVENT_ERROR | EVENT_DURATION,
    .state_size = sizeof(struct sqlite_state),
    .begin_trace = sqlite_writes_begin_trace,
    .visit = sqlite_writes_visit,
    .end_trace = sqlite_writes_end_trace,
    .free = sqlite_writes_free_state,
};
